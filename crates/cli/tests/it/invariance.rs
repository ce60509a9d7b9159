//! Neither where the whole scene stands nor the unit of its file changes a verdict: all examples, and random scenes; strictly for those on a grid of 2^-20 m, where nothing is
//! rounded up to a million metres from the origin.
//!
//! `FREIRAUM_TEST_SCALE=5` asks the 1 000 random scenes of each kind.

use crate::doors::{ask, checked, checked_within};
use freiraum::assets::ShapeCache;
use freiraum::check::Timeline;
use freiraum::check::{CheckMemory, CheckOptions, check};
use freiraum::formats::scene::SceneFile;
use freiraum::geometry::path::Axis;
use freiraum::geometry::{Pose, Vec3};
use freiraum::planning::path::{CompleteOptions, Completed, complete};
use freiraum::scene::{ActionKind, LineEnd, Piece, Scene, Target, Travel};
use freiraum_testkit::meetings::{GRID, bad_meeting, contact_meeting, grid_meeting};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::{cases, on_all_processors};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// So many at the default scale; five times as many are 1 000.
const COUNT: usize = 200;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found = Vec::new();
    for name in ["gearbox", "piano", "cell"] {
        let entries = std::fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")));
    }
    found.sort();
    assert!(found.len() >= 6, "{found:?}");
    found
}

fn shifted_pose(pose: &Pose, by: Vec3) -> Pose {
    Pose::new(pose.rotation(), pose.translation() + by).unwrap()
}

fn shifted_travel(travel: &Travel, by: Vec3) -> Travel {
    match travel {
        Travel::Translate(way) => Travel::Translate(*way),
        Travel::Turn { axis, angle, advance } => {
            let axis = Axis { point: axis.point + by, ..*axis };
            Travel::Turn { axis, angle: *angle, advance: *advance }
        }
        Travel::To(pose) => Travel::To(shifted_pose(pose, by)),
        Travel::Path(pieces) => {
            let shift =
                |piece: &Piece| Piece { travel: shifted_travel(&piece.travel, by), share: piece.share };
            Travel::Path(pieces.iter().map(shift).collect())
        }
        Travel::Plan { to, planner } => Travel::Plan { to: shifted_pose(to, by), planner: *planner },
    }
}

/// The same scene elsewhere.
fn shifted(scene: &Scene, by: Vec3) -> Scene {
    let mut scene = scene.clone();
    for body in &mut scene.bodies {
        body.pose = shifted_pose(&body.pose, by);
        body.goal = body.goal.as_ref().map(|goal| shifted_pose(goal, by));
    }
    for robot in &mut scene.robots {
        robot.base = shifted_pose(&robot.base, by);
    }
    for state in &mut scene.states {
        state.poses.iter_mut().for_each(|(_, pose)| *pose = shifted_pose(pose, by));
    }
    for step in &mut scene.steps {
        for one in &mut step.moves {
            one.travel = shifted_travel(&one.travel, by);
        }
        for action in step.tasks.iter_mut().flat_map(|task| &mut task.actions) {
            match &mut action.kind {
                ActionKind::PointToPoint { to, .. } | ActionKind::Plan { to, .. } => match to {
                    Target::Tool(pose) | Target::Configured(pose, _) => *pose = shifted_pose(pose, by),
                    Target::Joints(_) => {}
                },
                ActionKind::Line { to: LineEnd::Pose(pose), .. } => *pose = shifted_pose(pose, by),
                _ => {}
            }
        }
    }
    scene
}

/// The verdict of the whole and of every line.
fn verdicts(scene: &Scene) -> Vec<String> {
    let timeline = Timeline::of(scene).unwrap_or_else(|e| panic!("{e:?}"));
    let parts = ShapeCache::of(scene);
    let found = check(scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default());
    let found = found.unwrap_or_else(|e| panic!("{e:?}"));
    let steps = found.steps.iter().map(|step| step.verdict.name().to_owned());
    std::iter::once(found.verdict.name().to_owned()).chain(steps).collect()
}

/// With all ways that are open in the file found once, at the place of the file.
fn complete_scene(path: &Path) -> Scene {
    let file = SceneFile::read(path).unwrap();
    let parts = ShapeCache::of(file.scene());
    let options = CompleteOptions::default();
    let Completed { scene, .. } =
        complete(file.scene(), &parts, &options, &mut |_, _| ControlFlow::Continue(())).unwrap();
    scene
}

#[test]
fn examples_keep_their_verdicts_wherever_they_stand() {
    let mut wrong = Vec::new();
    for path in examples() {
        let scene = complete_scene(&path);
        let here = verdicts(&scene);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for by in [Vec3::new(16.0, -8.0, 4.0), Vec3::splat(1024.0), Vec3::new(1_048_576.0, 0.0, -524_288.0)] {
            let there = verdicts(&shifted(&scene, by));
            for (line, (here, there)) in here.iter().zip(&there).enumerate() {
                if here != there {
                    wrong.push(format!("{name}, line {line} at {by}: {here}, then {there}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// The text of a scene of bodies with lengths in another unit: all numbers of keys that are lengths times `factor`.
fn in_units(text: &str, old: &str, new: &str, factor: f64) -> String {
    let scaled = |numbers: &str, count: usize| {
        let numbers = numbers.split(',').enumerate().map(|(k, number)| {
            let value: f64 = number.trim().parse().unwrap_or_else(|e| panic!("{e}: {number} in {numbers}"));
            if k < count { format!("{:?}", value * factor) } else { number.trim().to_owned() }
        });
        numbers.collect::<Vec<_>>().join(", ")
    };
    let mut out = String::new();
    for line in text.lines() {
        let code = line.split(" #").next().unwrap();
        if line.starts_with('#') {
            continue;
        }
        let mut rest = code.to_owned();
        if let Some(value) = rest.strip_prefix("units = ") {
            assert_eq!(value.trim().trim_matches('"'), old);
            rest = format!("units = {new:?}");
        }
        for key in ["clearance = ", "allowance = "] {
            if let Some(value) = rest.strip_prefix(key) {
                rest = format!("{key}{}", scaled(value, 1));
            }
        }
        for key in ["position = [", "translate = [", "point = [", "pose = [", "goal = [", "to = ["] {
            let mut done = 0;
            while let Some(at) = rest[done..].find(key) {
                let start = done + at + key.len();
                let end = start + rest[start..].find(']').unwrap();
                let new = scaled(&rest[start..end], 3);
                rest.replace_range(start..end, &new);
                done = start;
            }
        }
        if let Some(at) = rest.find("advance = ") {
            let start = at + "advance = ".len();
            let end = start + rest[start..].find([',', ' ', '}']).unwrap();
            let new = scaled(&rest[start..end], 1);
            rest.replace_range(start..end, &new);
        }
        if rest.starts_with("mesh = ") {
            rest += &format!("\nmesh_units = {old:?}");
        }
        out += &rest;
        out.push('\n');
    }
    if !text.lines().any(|line| line.starts_with("units")) { format!("units = {new:?}\n{out}") } else { out }
}

#[test]
fn examples_keep_their_verdicts_in_every_unit() {
    let mut wrong = Vec::new();
    for path in examples().into_iter().filter(|path| !path.to_string_lossy().contains("cell")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap();
        let of_text = |text: &str| {
            let file =
                SceneFile::parse(text, folder, "scene.toml").unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            let parts = ShapeCache::of(file.scene());
            let done = complete(file.scene(), &parts, &CompleteOptions::default(), &mut |_, _| {
                ControlFlow::Continue(())
            });
            verdicts(&done.unwrap().scene)
        };
        let here = of_text(&text);
        let old = if text.contains("units = \"mm\"") { "mm" } else { "m" };
        let per_metre = if old == "mm" { 1000.0 } else { 1.0 };
        for (unit, of_metre) in
            [("m", 1.0), ("mm", 1000.0), ("um", 1e6), ("in", 1.0 / 0.0254), ("ft", 1.0 / 0.3048)]
        {
            let there = of_text(&in_units(&text, old, unit, of_metre / per_metre));
            if here != there {
                wrong.push(format!("{} in {unit}: {here:?}, then {there:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// On a grid nothing is rounded: the same verdict, strictly. The time of a contact is the same, too, but for what resting bodies are allowed: that grows with the
/// distance from the origin, and up to the later time they are nowhere deeper in each other than it.
#[test]
fn scenes_on_a_grid_have_the_same_verdict_everywhere() {
    let count = cases(COUNT);
    let wrong = on_all_processors(count, |case| {
        let mut wrong = Vec::new();
        let mut random = Random::new(3_000_000 + case);
        let meeting = grid_meeting(&mut random);
        let here = [
            ask(&meeting.encounter.question(1, "toc", "")),
            checked(&meeting.encounter.scene("m", 1.0)).into(),
        ];
        let spread = random.in_cube(1_048_576.0);
        for by in [Vec3::new(10.0, -500.0, 1000.0), 1_048_576.0 * Vec3::ONE, (spread / GRID).round() * GRID] {
            let moved = meeting.encounter.shifted(by);
            let there = [ask(&moved.question(1, "toc", "")), checked(&moved.scene("m", 1.0)).into()];
            let time =
                |toc: &serde_json::Value| toc["t"].as_f64().map(|t| (t, toc["t_error"].as_f64().unwrap()));
            let is_same_time = match (time(&here[0]), time(&there[0])) {
                (Some((t, e)), Some((u, f))) => {
                    // Both give way by half of it.
                    let allowed = 0.5 * there[0]["resting_allowance"].as_f64().unwrap_or(0.0);
                    let deeper_at = |k: usize| {
                        let found = meeting.encounter.common(t + (u - t) * k as f64 / 16.0, 200);
                        found.depth > allowed + moved.rounding()
                    };
                    (t - u).abs() <= 1e-9 + e + f || (t < u && !(0..=16).any(deeper_at))
                }
                (one, other) => one.is_none() && other.is_none(),
            };
            if here[0]["verdict"] != there[0]["verdict"] || !is_same_time {
                wrong.push(format!(
                    "case {case}, {} at {by}: toc {} then {}",
                    meeting.name, here[0], there[0]
                ));
            }
            if here[1] != there[1] {
                wrong.push(format!(
                    "case {case}, {} at {by}: check {} then {}",
                    meeting.name, here[1], there[1]
                ));
            }
        }
        wrong
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Elsewhere coordinates are rounded: the verdict is the same unless what they overlap by is less than rounding and what resting bodies are allowed there.
#[test]
fn random_scenes_have_the_same_verdict_everywhere() {
    let count = cases(COUNT);
    let wrong = on_all_processors(count, |case| {
        let mut wrong = Vec::new();
        let mut random = Random::new(4_000_000 + case);
        let meeting = if case % 2 == 0 { contact_meeting(&mut random) } else { bad_meeting(&mut random) };
        let by = [1.0, 1e3, 1e6][random.below(3)] * random.direction();
        // Planes have no place that could be shifted.
        if meeting.encounter.bodies.iter().any(|body| body.kind() == "plane") {
            return wrong;
        }
        let moved = meeting.encounter.shifted(by);
        let here = checked_within(&meeting.encounter.scene("m", 1.0), 50_000);
        let there = checked_within(&moved.scene("m", 1.0), 50_000);
        if here == there || [&here, &there].iter().any(|verdict| *verdict == "undecided") {
            return wrong;
        }
        let ends = [0.0, 1.0].map(|t| moved.common(t, 400)).into_iter().chain([moved.deepest(17)]);
        let doubt = |piece: f64| 2.0 * moved.resting(piece) + 2.0 * moved.rounding();
        if !ends.into_iter().any(|end| end.depth.abs() <= doubt(end.piece)) {
            wrong.push(format!("case {case}, {} at {by}: {here}, then {there}", meeting.name));
        }
        wrong
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Numbers of files are rounded when their unit changes; what touches stays in touch, what collides collides.
#[test]
fn random_scenes_have_the_same_verdict_in_every_unit() {
    let count = cases(COUNT);
    let wrong = on_all_processors(count, |case| {
        let mut wrong = Vec::new();
        let meeting = grid_meeting(&mut Random::new(5_000_000 + case));
        let here = checked(&meeting.encounter.scene("m", 1.0));
        let units = [("mm", 1000.0), ("um", 1e6), ("cm", 100.0), ("in", 1.0 / 0.0254), ("ft", 1.0 / 0.3048)];
        for (unit, per_metre) in units {
            let there = checked(&meeting.encounter.scene(unit, per_metre));
            if here != there {
                wrong.push(format!("case {case}, {} in {unit}: {here}, then {there}", meeting.name));
            }
        }
        wrong
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
}
