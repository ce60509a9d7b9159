//! `check`, `query toc`, `query clearance`, the batch and the library say the same, of every example and of random scenes that touch, nearly touch or overlap a little.
//! What the studio says is held against the same check in its own tests.

use crate::doors::{as_checked, ask, batch, checked_within, freiraum};
use freiraum::assets::ShapeCache;
use freiraum::check::Timeline;
use freiraum::check::{CheckMemory, CheckOptions, FindingKind, check};
use freiraum::formats::scene::SceneFile;
use freiraum::motion::fit::time_of_contact_with_allowance;
use freiraum::motion::{ClearanceRequest, Limits, MotionWorkspace, Verdict, clearance};
use freiraum_testkit::folder::Folder;
use freiraum_testkit::meetings::{Meeting, bad_meeting, contact_meeting, grid_meeting};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::{cases, on_all_processors};
use serde_json::Value;
use std::path::Path;

/// Random scenes at the default scale, some 11 s of one processor; eight times as many are 2 000.
const COUNT: usize = 250;

const BUDGET: u64 = 50_000;

fn meeting(case: u64) -> Meeting {
    let mut random = Random::new(6_000_000 + case);
    match case % 3 {
        0 => grid_meeting(&mut random),
        1 => contact_meeting(&mut random),
        _ => bad_meeting(&mut random),
    }
}

#[test]
fn random_scenes_have_one_verdict() {
    let count = cases(COUNT);
    let more = format!(r#","budget":{BUDGET}"#);
    let all: Vec<Meeting> = (0..count as u64).map(meeting).collect();
    let lines: Vec<String> = all
        .iter()
        .enumerate()
        .flat_map(|(id, one)| ["toc", "clearance"].map(|query| one.encounter.question(id, query, &more)))
        .collect();
    let answers = batch(&lines);
    assert_eq!(answers.len(), lines.len());
    let judged = on_all_processors(count, |case| {
        let case = case as usize;
        let (one, mut wrong) = (&all[case], Vec::new());
        let [toc, closest] = &answers[2 * case..2 * case + 2] else { panic!("two answers for each") };
        let library = ask(&lines[2 * case]);
        let check = checked_within(&one.encounter.scene("m", 1.0), BUDGET);
        let mut complain = |text: String| wrong.push(format!("case {case}, {}: {text}", one.name));
        if library["verdict"] != toc["verdict"] || library["t"] != toc["t"] {
            complain(format!("the library says {library}, the batch {toc}"));
        }
        // How far each gets within its budget may differ.
        if check != as_checked(toc) && check != "undecided" && as_checked(toc) != "undecided" {
            complain(format!("check says {check}, toc {toc}"));
        }
        let [Some(distance), Some(error)] = ["clearance", "clearance_error"].map(|key| closest[key].as_f64())
        else {
            if as_checked(toc) == "free" {
                complain(format!("free, but no clearance: {closest}"));
            }
            return (check, wrong);
        };
        if distance - error > 0.0 && (check == "collision" || as_checked(toc) == "collision") {
            complain(format!("apart by {distance} ± {error}, but check says {check}, toc {toc}"));
        }
        if let Some(lower) = toc["clearance_lower"].as_f64()
            && lower > distance * (1.0 + 1e-9)
        {
            complain(format!("toc proves {lower}, but they come as close as {distance}"));
        }
        // Where they have a clearance of 0 and are free, they rest on each other at the start or the end.
        if distance == 0.0 && check == "free" {
            let ends = [0.0, 1.0].map(|t| one.encounter.common(t, 400));
            let near = |depth: f64, piece: f64| {
                depth.abs() <= 2.0 * one.encounter.resting(piece) + one.encounter.rounding()
            };
            if !ends.iter().any(|end| near(end.depth, end.piece)) {
                complain(format!("free with a clearance of 0, but at the ends {ends:?}"));
            }
        }
        (check, wrong)
    });
    let [free, collisions] =
        ["free", "collision"].map(|word| judged.iter().filter(|(check, _)| check == word).count());
    let wrong: Vec<String> = judged.into_iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(free * 10 > count && collisions * 10 > count, "{free} free, {collisions} collisions");
}

fn example(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// The program and the library, line by line.
#[test]
fn examples_have_the_same_verdicts_from_program_and_library() {
    let folder = Folder::new("doors-agree");
    for name in
        ["gearbox/gearbox.toml", "gearbox/gearbox-faulty.toml", "cell/cell.toml", "cell/cell-faulty.toml"]
    {
        let path = example(name);
        let (code, found) = freiraum(&folder, &["check", path.to_str().unwrap()]);
        let file = SceneFile::read(&path).unwrap();
        let timeline = Timeline::of(file.scene()).unwrap();
        let parts = ShapeCache::of(file.scene());
        let checked =
            check(file.scene(), &timeline, &parts, &CheckMemory::default(), &CheckOptions::default())
                .unwrap();
        assert_eq!(found["verdict"], checked.verdict.name(), "{name}");
        assert_eq!(code == 0, checked.verdict.name() == "free", "{name}");
        let steps: Vec<&Value> = found["steps"].as_array().unwrap().iter().collect();
        assert_eq!(steps.len(), checked.steps.len(), "{name}");
        for (told, step) in steps.iter().zip(&checked.steps) {
            assert_eq!(told["verdict"], step.verdict.name(), "{name}: {told}");
        }
    }
}

/// Every pair of every step of the gearboxes, asked as `query toc` and `query clearance` ask.
#[test]
fn pairs_of_examples_have_the_same_verdict_alone() {
    let mut wrong = Vec::new();
    for name in ["gearbox/gearbox.toml", "gearbox/gearbox-faulty.toml"] {
        let file = SceneFile::read(example(name)).unwrap();
        let scene = file.scene();
        let timeline = Timeline::of(scene).unwrap();
        let parts = ShapeCache::of(scene);
        let found =
            check(scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
        let mut memory = MotionWorkspace::default();
        for (stage, step) in timeline.stages.iter().zip(&found.steps) {
            for a in step.moving.iter().copied() {
                for b in (0..scene.bodies.len()).filter(|b| stage.mover_of(*b) != stage.mover_of(a)) {
                    let of_pair = |pair: [usize; 2]| pair == [a, b] || pair == [b, a];
                    let is_blocked = |kind: &FindingKind| {
                        matches!(kind, FindingKind::Overlap { .. } | FindingKind::Contact { .. })
                    };
                    let is_told = step.findings.iter().any(|f| of_pair(f.pair) && is_blocked(&f.kind));
                    let bodies = [a, b].map(|body| parts.movable(body).unwrap());
                    let motions = [a, b].map(|body| stage.motion(body));
                    let allowance = scene.requirement(a, b).allowance;
                    let verdict = time_of_contact_with_allowance(
                        bodies[0],
                        &*motions[0],
                        bodies[1],
                        &*motions[1],
                        allowance,
                        &Limits::default(),
                        &mut memory,
                    );
                    let Ok(verdict) = verdict else { continue };
                    let told = format!(
                        "{name}, {}: {} and {}",
                        stage.name, scene.bodies[a].name, scene.bodies[b].name
                    );
                    if is_told != (verdict != Verdict::Free) {
                        wrong.push(format!("{told}: toc {verdict:?}, check {:?}", step.findings));
                    }
                    let request = ClearanceRequest { accuracy: 0.01, ..ClearanceRequest::default() };
                    let near =
                        clearance(bodies[0], &*motions[0], bodies[1], &*motions[1], &request, &mut memory);
                    let near = near.unwrap();
                    if near.lower() > 0.0 && is_told {
                        wrong.push(format!("{told}: apart by {near:?}, check {:?}", step.findings));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
