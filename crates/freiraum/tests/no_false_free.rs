//! Random motions with random bad meshes, and random motions that begin or end in contact far from the origin and turn up to a million times: whatever is
//! called free is judged by dense sampling in time, exact predicates and winding numbers, which share no code with what they judge.
//!
//! `FREIRAUM_TEST_SCALE=100` asks the 20 000 of each kind; a share of them goes through `query --batch` of the program.

mod doors;

use doors::{as_checked, ask, batch, checked_within};
use freiraum_testkit::meetings::{Meeting, bad_meeting, contact_meeting};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::collections::BTreeMap;

/// So many times are looked at.
const SAMPLES: usize = 33;

/// So many at the default scale; 100 times as many are 20 000.
const COUNT: usize = 200;

/// So many steps of the search: a screw that turns a million times next to a face takes minutes otherwise, and may be undecided.
const BUDGET: u64 = 50_000;

fn run(seed: u64, generate: fn(&mut Random) -> Meeting, least_free: usize) {
    let count = cases(COUNT);
    let budget = format!(r#","budget":{BUDGET}"#);
    let mut wrong = Vec::new();
    let mut counts = BTreeMap::<String, usize>::new();
    let mut through_batch = Vec::new();
    for case in 0..count as u64 {
        let meeting = generate(&mut Random::new(seed + case));
        let toc = ask(&meeting.encounter.question(1, "toc", &budget));
        let verdicts =
            [as_checked(&toc).to_owned(), checked_within(&meeting.encounter.scene("m", 1.0), BUDGET)];
        let is_known = |verdict: &String| ["free", "collision", "undecided"].contains(&verdict.as_str());
        if !verdicts.iter().all(is_known) {
            wrong.push(format!("case {case}: {}: no verdict: {verdicts:?}", meeting.name));
            continue;
        }
        if verdicts[0] != verdicts[1] {
            *counts.entry("toc and check differ".to_owned()).or_default() += 1;
        }
        *counts.entry(verdicts[1].clone()).or_default() += 1;
        if case % 8 == 0 {
            through_batch.push((meeting.encounter.question(1, "toc", &budget), toc.clone()));
        }
        if verdicts.iter().any(|verdict| verdict == "free")
            && let Some(evidence) = meeting.evidence(SAMPLES)
        {
            let [toc, check] = &verdicts;
            wrong.push(format!("case {case}: {}: toc {toc}, check {check}, but {evidence}", meeting.name));
        }
    }
    let lines: Vec<String> = through_batch.iter().map(|(question, _)| question.clone()).collect();
    for ((question, expected), found) in through_batch.iter().zip(batch(&lines)) {
        // Lines are counted from where they stand.
        if found["verdict"] != expected["verdict"] {
            wrong.push(format!("the program says {found}, the library {expected}: {question}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} wrong, {counts:?}\n{}", wrong.len(), wrong.join("\n"));
    let free = counts.get("free").copied().unwrap_or(0);
    assert!(free * 100 >= least_free * count, "hardly anything is free: {counts:?}");
}

#[test]
fn of_random_motions_with_bad_meshes() {
    run(1_000_000, bad_meeting, 15);
}

#[test]
fn of_motions_that_begin_or_end_in_contact() {
    run(2_000_000, contact_meeting, 15);
}
