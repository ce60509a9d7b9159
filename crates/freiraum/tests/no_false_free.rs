//! Random motions with random bad meshes, and random motions that begin or end in contact far from the origin and turn up to a million times: whatever is
//! called free is judged by dense sampling in time, exact predicates and winding numbers, which share no code with what they judge.
//!
//! `FREIRAUM_TEST_SCALE=100` asks the 20 000 of each kind; a share of them goes through `query --batch` of the program.

mod doors;

use doors::{as_checked, ask, batch, checked_within};
use freiraum_testkit::meetings::{Meeting, bad_meeting, contact_meeting};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::{cases, on_all_processors};
use serde_json::Value;
use std::collections::BTreeMap;

/// So many times are looked at.
const SAMPLES: usize = 33;

/// So many at the default scale; 100 times as many are 20 000.
const COUNT: usize = 200;

/// So many steps of the search: a screw that turns a million times next to a face takes minutes otherwise, and may be undecided.
const BUDGET: u64 = 50_000;

/// What one meeting was judged to be.
struct Judged {
    /// What is wrong with that.
    wrong: Option<String>,
    toc: &'static str,
    check: &'static str,
    /// The question and what the library answered, for a share of the cases.
    through_batch: Option<(String, Value)>,
}

/// The same word with a lifetime of its own, if it is a verdict.
fn known(verdict: &str) -> Option<&'static str> {
    ["free", "collision", "undecided"].into_iter().find(|known| *known == verdict)
}

fn judged(case: u64, meeting: &Meeting) -> Judged {
    let question = meeting.encounter.question(case as usize, "toc", &format!(r#","budget":{BUDGET}"#));
    let answer = ask(&question);
    let said = [as_checked(&answer).to_owned(), checked_within(&meeting.encounter.scene("m", 1.0), BUDGET)];
    let [Some(toc), Some(check)] = [known(&said[0]), known(&said[1])] else {
        let wrong = Some(format!("no verdict: {said:?}"));
        return Judged { wrong, toc: "none", check: "none", through_batch: None };
    };
    let evidence =
        || meeting.evidence(SAMPLES).map(|evidence| format!("toc {toc}, check {check}, but {evidence}"));
    let wrong = match [toc, check] {
        // How far each gets within its budget may differ.
        [one, other] if one != other && one != "undecided" && other != "undecided" => {
            Some(format!("toc says {toc}, check {check}"))
        }
        verdicts if verdicts.contains(&"free") => evidence(),
        _ => None,
    };
    Judged { wrong, toc, check, through_batch: (case % 8 == 0).then_some((question, answer)) }
}

fn run(seed: u64, generate: fn(&mut Random) -> Meeting, least_free: usize) {
    let count = cases(COUNT);
    let all = on_all_processors(count, |case| {
        let meeting = generate(&mut Random::new(seed + case));
        let mut judged = judged(case, &meeting);
        judged.wrong = judged.wrong.map(|wrong| format!("case {case}: {}: {wrong}", meeting.name));
        judged
    });
    let mut counts = BTreeMap::<&str, usize>::new();
    for one in &all {
        *counts.entry(one.check).or_default() += 1;
        if one.toc != one.check {
            *counts.entry("only one of toc and check decided").or_default() += 1;
        }
    }
    let mut wrong: Vec<String> = all.iter().filter_map(|one| one.wrong.clone()).collect();
    let through_batch: Vec<(String, Value)> = all.into_iter().filter_map(|one| one.through_batch).collect();
    let lines: Vec<String> = through_batch.iter().map(|(question, _)| question.clone()).collect();
    for ((question, expected), found) in through_batch.iter().zip(batch(&lines)) {
        // Lines are counted from where they stand.
        if found["verdict"] != expected["verdict"] {
            wrong.push(format!("the program says {found}, the library {expected}: {question}"));
        }
    }
    println!("{count} cases: {counts:?}");
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
