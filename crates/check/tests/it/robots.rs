//! Programs of robots from the scene file to the verdict.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Report, Timeline, check};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::Vec3;
use freiraum_scene::Scene;
use std::path::Path;

/// An arm of boxes that reaches 550 mm: two joints that turn and one that slides down, with a gripper.
fn arm(name: &str, more: &str) -> String {
    format!(
        r#"
[[robot]]
name = "{name}"
{more}
shape = {{ box = {{ size = [100, 100, 400] }} }}
shape_pose = [0, 0, 200]
dh = [
    {{ d = 430, limits_deg = [-170, 170], shape = {{ box = {{ size = [300, 60, 60] }} }}, shape_pose = [150, 0, 0] }},
    {{ l = 300, limits_deg = [-150, 150], shape = {{ box = {{ size = [250, 60, 60] }} }}, shape_pose = [125, 0, 0] }},
    {{ alpha_deg = 180, l = 250, joint = "prismatic", limits = [0, 400], shape = {{ box = {{ size = [30, 30, 400] }} }}, shape_pose = [0, 0, -200] }},
]
tool = {{ pose = [0, 0, 20], bodies = ["gripper of {name}"] }}

[[body]]
name = "gripper of {name}"
shape = {{ box = {{ size = [40, 40, 20] }} }}
pose = [0, 0, 10]
"#
    )
}

/// Takes the part from one place on the table to another.
fn pick_and_place(more: &str) -> String {
    let arm = arm("arm", "start_deg = [0, 0, 100]");
    format!(
        r#"units = "mm"
{arm}
[[body]]
name = "table"
shape = {{ box = {{ size = [2000, 2000, 20] }} }}
pose = [0, 0, -10]
fixed = true

[[body]]
name = "part"
shape = {{ box = {{ size = [40, 40, 40] }} }}
pose = [550, 0, 20]
{more}
[[step]]
name = "pick"
robot = "arm"
do = [
    {{ joint = {{ name = "joint3", to = 370 }} }},
    {{ grasp = {{ body = "part", depth = 0.1 }} }},
    {{ joint = {{ name = "joint3", to = 300 }} }},
]

[[step]]
name = "carry"
robot = "arm"
ptp = {{ joints_deg = [90, 0, 300] }}

[[step]]
name = "place"
robot = "arm"
joint = {{ name = "joint3", to = 370 }}
release = "part"

[[step]]
name = "leave"
robot = "arm"
joint = {{ name = "joint3", to = 100 }}
"#
    )
}

fn run(text: &str) -> (Scene, Timeline, Report) {
    let file = SceneFile::parse(text, Path::new(""), "scene.toml");
    let file = file.unwrap_or_else(|e| panic!("{}", e.render(false)));
    let scene = file.scene().clone();
    let problems = |found| file.errors(found).render(false);
    let timeline = Timeline::of(&scene).unwrap_or_else(|found| panic!("{}", problems(found)));
    let parts = ShapeCache::of(&scene);
    let result = check(&scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default());
    let result = result.unwrap_or_else(|found| panic!("{}", problems(found)));
    (scene, timeline, result)
}

/// The names of the steps that are not free, with the pairs that are to blame.
fn wrong(scene: &Scene, timeline: &Timeline, result: &Report) -> Vec<String> {
    let mut found = Vec::new();
    for (stage, step) in timeline.stages.iter().zip(&result.steps) {
        if step.verdict != PlanVerdict::Free {
            let names: Vec<String> = step
                .findings
                .iter()
                .map(|finding| finding.pair.map(|body| scene.bodies[body].name.as_str()).join(" and "))
                .collect();
            found.push(format!("{}: {}", stage.name, names.join(", ")));
        }
    }
    found
}

#[test]
fn an_arm_picks_and_places() {
    let (scene, timeline, result) = run(&pick_and_place(""));
    assert_eq!(result.verdict, PlanVerdict::Free, "{:?}", wrong(&scene, &timeline, &result));
    let names: Vec<&str> = timeline.stages.iter().map(|stage| stage.name.as_str()).collect();
    assert_eq!(names, ["pick (1 of 2)", "pick (2 of 2)", "carry", "place", "leave"]);
    let part = scene.body("part").unwrap();
    // Lifted by 70 mm, carried by a quarter turn, put down, and left there.
    let at = |stage: usize| timeline.after(stage)[part].translation();
    for (stage, expected) in [
        (0, Vec3::new(0.55, 0.0, 0.02)),
        (1, Vec3::new(0.55, 0.0, 0.09)),
        (2, Vec3::new(0.0, 0.55, 0.09)),
        (3, Vec3::new(0.0, 0.55, 0.02)),
        (4, Vec3::new(0.0, 0.55, 0.02)),
    ] {
        assert!(at(stage).distance(expected) < 1e-12, "{stage}: {}", at(stage));
    }
    // It turned with the arm.
    let x = timeline.end[part].rotate(Vec3::X);
    assert!(x.distance(Vec3::Y) < 1e-12, "{x}");
}

#[test]
fn a_wall_in_the_way_of_what_is_carried() {
    let wall = r#"
[[body]]
name = "wall"
shape = { box = { size = [60, 60, 100] } }
pose = [389, 389, 50]
fixed = true
"#;
    let (scene, timeline, result) = run(&pick_and_place(wall));
    assert_eq!(result.verdict, PlanVerdict::Collision, "{:?}", wrong(&scene, &timeline, &result));
    // The wall reaches up to 100 mm: the part hangs from 70 to 110 mm, the gripper is above.
    assert_eq!(wrong(&scene, &timeline, &result), ["carry: part and wall"]);
    // Without the part in the gripper the same way is free.
    let text = pick_and_place(wall).replace("{ grasp = { body = \"part\", depth = 0.1 } },", "");
    let text = text.replace("release = \"part\"", "").replace("to = 370", "to = 360");
    let (scene, timeline, result) = run(&text);
    assert_eq!(wrong(&scene, &timeline, &result), Vec::<String>::new());
    assert_eq!(scene.bodies.len(), timeline.end.len());
}

/// Two arms that face each other and sweep through the same place; the right one after `wait` seconds.
fn two_arms(wait: f64) -> String {
    let left = arm("left", "start_deg = [-60, 0, 100]");
    let right =
        arm("right", "start_deg = [-60, 0, 100]\npose = { position = [900, 0, 0], rpy_deg = [0, 0, 180] }");
    let wait = if wait > 0.0 { format!("{{ wait = {wait} }}, ") } else { String::new() };
    format!(
        r#"units = "mm"
{left}{right}
[[step]]
name = "sweep"
parallel = [
    {{ robot = "left", ptp = {{ joints_deg = [60, 0, 100] }} }},
    {{ robot = "right", do = [{wait}{{ ptp = {{ joints_deg = [60, 0, 100] }} }}] }},
]
"#
    )
}

#[test]
fn two_robots_that_meet_for_a_moment() {
    let (scene, timeline, result) = run(&two_arms(0.0));
    assert_eq!(result.verdict, PlanVerdict::Collision);
    let found = wrong(&scene, &timeline, &result);
    assert!(
        found[0].starts_with("sweep: ") && found[0].contains("left/") && found[0].contains("right/"),
        "{found:?}"
    );
    // They are apart before and after.
    assert!(result.start.is_empty(), "{:?}", result.start);
    // 120° at 1 rad/s take 2.1 s; whoever waits so long comes through.
    let (scene, timeline, result) = run(&two_arms(2.1));
    assert_eq!(result.verdict, PlanVerdict::Free, "{:?}", wrong(&scene, &timeline, &result));
    assert!((timeline.stages[0].seconds - (2.1 + 120f64.to_radians())).abs() < 1e-12);
}

/// Who waits for the other at a point by name needs no seconds.
#[test]
fn two_robots_that_wait_for_each_other() {
    let text = two_arms(0.0)
        .replace(
            "ptp = { joints_deg = [60, 0, 100] } },\n",
            "do = [ { ptp = { joints_deg = [60, 0, 100] } }, { sync = \"through\" } ] },\n",
        )
        .replace("do = [{ ptp", "do = [{ sync = \"through\" }, { ptp");
    let (scene, timeline, result) = run(&text);
    assert_eq!(result.verdict, PlanVerdict::Free, "{:?}", wrong(&scene, &timeline, &result));
}

/// The gripper comes down on the part, which the same step grasps: it may go as deep as the grasp says, from the first touch until the release.
#[test]
fn closing_on_what_is_grasped() {
    let closing =
        |deep: &str, more: &str| run(&pick_and_place(more).replace("to = 370 ", &format!("to = {deep} ")));
    for deep in ["370", "370.05", "370.09"] {
        let (scene, timeline, result) = closing(deep, "");
        assert_eq!(result.verdict, PlanVerdict::Free, "{deep}: {:?}", wrong(&scene, &timeline, &result));
    }
    // Deeper than the grasp says.
    let (scene, timeline, result) = closing("370.2", "");
    assert_eq!(result.verdict, PlanVerdict::Collision);
    let found = wrong(&scene, &timeline, &result);
    assert!(found.iter().any(|one| one.contains("gripper of arm and part")), "{found:?}");
    // What lies on the part is not grasped.
    let sheet =
        "[[body]]\nname = \"sheet\"\nshape = { box = { size = [40, 40, 0.5] } }\npose = [550, 0, 40.25]\n";
    let (scene, timeline, result) = closing("370.05", sheet);
    assert_eq!(result.verdict, PlanVerdict::Collision);
    let found = wrong(&scene, &timeline, &result);
    assert!(found[0].contains("gripper of arm and sheet"), "{found:?}");
}
