//! Random motions with random bad meshes, and random motions that begin or end in contact far from the origin and turn up to a million times: whatever is
//! called free is judged by dense sampling in time, exact predicates and winding numbers, which share no code with what they judge.
//!
//! Meshes that are declared sheets are judged by their surfaces alone.
//!
//! `FREIRAUM_TEST_SCALE=100` asks the 20 000 of each kind; a share of them goes through `query --batch` of the program.

use crate::doors::{as_checked, ask, batch, checked_within};
use freiraum_testkit::meetings::{Meeting, bad_meeting, contact_meeting};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::{cases, on_all_processors};
use freiraum_testkit::solid::Solid;
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

/// With these bodies declared sheets.
fn judged(case: u64, meeting: &Meeting, sheets: &[&str]) -> Judged {
    let more = format!(r#","budget":{BUDGET},"sheet":{sheets:?}"#);
    let question = meeting.encounter.question(case as usize, "toc", &more);
    let answer = ask(&question);
    let mut scene = meeting.encounter.scene("m", 1.0);
    for name in sheets {
        let line = format!("name = {name:?}\n");
        scene = scene.replace(&line, &format!("{line}solid = false\n"));
    }
    let said = [as_checked(&answer).to_owned(), checked_within(&scene, BUDGET)];
    let [Some(toc), Some(check)] = [known(&said[0]), known(&said[1])] else {
        let wrong = Some(format!("no verdict: {said:?}"));
        return Judged { wrong, toc: "none", check: "none", through_batch: None };
    };
    let evidence = || {
        let found =
            if sheets.is_empty() { meeting.evidence(SAMPLES) } else { crossed(meeting, sheets.len()) };
        found.map(|evidence| format!("toc {toc}, check {check}, but {evidence}"))
    };
    let wrong = match [toc, check] {
        // How far each gets within its budget may differ.
        [one, other] if one != other && one != "undecided" && other != "undecided" => {
            Some(format!("toc says {toc}, check {check}"))
        }
        verdicts if verdicts.contains(&"free") => evidence(),
        _ => None,
    };
    Judged { wrong, toc, check, through_batch: case.is_multiple_of(8).then_some((question, answer)) }
}

/// Evidence that surfaces go through each other: by more than a solid gives way for a sheet, or than two
/// sheets that leave each other need for it.
fn crossed(meeting: &Meeting, sheets: usize) -> Option<String> {
    let case = &meeting.encounter;
    let piece = case.bodies.iter().map(|body| body.size().length()).fold(f64::INFINITY, f64::min);
    let allowed = case.rounding() + if sheets == 2 { 16.0 } else { 4.0 } * case.resting(piece);
    (0..SAMPLES).map(|k| k as f64 / (SAMPLES - 1) as f64).find_map(|t| {
        let depth = case.crossing(t);
        (depth > allowed).then(|| format!("surfaces cross by {depth:e} at {t}"))
    })
}

/// Two polyhedra in contact, of which the meshes are to be declared sheets.
fn sheet_meeting(random: &mut Random) -> Meeting {
    loop {
        let meeting = if random.below(4) == 0 { bad_meeting(random) } else { contact_meeting(random) };
        let bodies = &meeting.encounter.bodies;
        let has_mesh = bodies.iter().any(|body| matches!(body, Solid::Mesh { .. }));
        if has_mesh && bodies.iter().all(|body| body.surface().is_some()) {
            return meeting;
        }
    }
}

/// Which bodies are declared sheets: no meshes, one of them or both.
fn declared(random: &mut Random, meeting: &Meeting) -> Vec<&'static str> {
    let bodies = ["a", "b"].into_iter().zip(&meeting.encounter.bodies);
    let meshes: Vec<&str> =
        bodies.filter(|(_, body)| matches!(body, Solid::Mesh { .. })).map(|(name, _)| name).collect();
    let all = meshes.len() < 2 || random.below(2) == 0;
    if all { meshes } else { vec![meshes[random.below(2)]] }
}

fn run(seed: u64, generate: fn(&mut Random) -> Meeting, least_free: usize) {
    run_declared(seed, generate, |_, _| Vec::new(), least_free);
}

#[expect(clippy::print_stdout, reason = "how many were judged to be what is what a long run is for")]
fn run_declared(
    seed: u64,
    generate: fn(&mut Random) -> Meeting,
    declare: fn(&mut Random, &Meeting) -> Vec<&'static str>,
    least_free: usize,
) {
    let count = cases(COUNT);
    let all = on_all_processors(count, |case| {
        let mut random = Random::new(seed + case);
        let meeting = generate(&mut random);
        let sheets = declare(&mut random, &meeting);
        let mut judged = judged(case, &meeting, &sheets);
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

#[test]
fn of_sheets_that_begin_or_end_in_contact() {
    run_declared(8_000_000, sheet_meeting, declared, 15);
}
