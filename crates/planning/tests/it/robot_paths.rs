//! Programs of robots with ways that a planner has to find.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Timeline, WarningCode, check};
use freiraum_formats::scene::SceneFile;
use freiraum_planning::path::{CompleteOptions, Completed, Outcome, complete};
use freiraum_scene::{ActionKind, Scene};
use std::ops::ControlFlow;
use std::path::Path;

/// An arm that turns, turns and slides down, with a part beneath its hand and a post in the way to the other side.
fn cell(clearance: &str, program: &str) -> String {
    format!(
        r#"units = "mm"
{clearance}
[[robot]]
name = "arm"
shape = {{ box = {{ size = [100, 100, 400] }} }}
shape_pose = [0, 0, 200]
dh = [
    {{ d = 430, limits_deg = [-170, 170], shape = {{ box = {{ size = [300, 60, 60] }} }}, shape_pose = [150, 0, 0] }},
    {{ l = 300, limits_deg = [-150, 150], shape = {{ box = {{ size = [250, 60, 60] }} }}, shape_pose = [125, 0, 70] }},
    {{ alpha_deg = 180, l = 250, joint = "prismatic", limits = [0, 400], shape = {{ box = {{ size = [30, 30, 400] }} }}, shape_pose = [0, 0, -200] }},
]
start_deg = [0, 0, 370]

[[body]]
name = "post"
shape = {{ box = {{ size = [60, 60, 800] }} }}
pose = [400, 400, 400]
fixed = true

[[body]]
name = "part"
shape = {{ box = {{ size = [200, 40, 40] }} }}
pose = [550, 0, 30]

{program}
"#
    )
}

const CARRY: &str = r#"
[[step]]
name = "carry"
robot = "arm"
do = [
    { grasp = "part" },
    { path = "plan", to = { joints_deg = [90, 0, 370] } },
    { release = "part" },
    { path = "plan", to = { joints_deg = [0, 0, 300] }, speed = 0.5 },
]
"#;

fn read(text: &str) -> Scene {
    let file = SceneFile::parse(text, Path::new(""), "scene.toml");
    file.unwrap_or_else(|e| panic!("{}", e.render(false))).scene().clone()
}

fn verdict(scene: &Scene) -> PlanVerdict {
    let timeline = Timeline::of(scene).unwrap();
    let found =
        check(scene, &timeline, &ShapeCache::of(scene), &CheckMemory::default(), &CheckOptions::default());
    found.unwrap().verdict
}

fn planned(scene: &Scene) -> Completed {
    let go_on = &mut |_: &str, _: &_| ControlFlow::Continue(());
    complete(scene, &ShapeCache::of(scene), &CompleteOptions::default(), go_on).unwrap()
}

#[test]
fn a_held_part_is_carried_past_a_post() {
    for clearance in ["", "[check]\nclearance = 5"] {
        let scene = read(&cell(clearance, CARRY));
        let found = planned(&scene);
        assert_eq!(found.steps.len(), 2);
        for step in &found.steps {
            assert!(matches!(step.found.outcome, Outcome::Path(_)), "{:?}", step.found.outcome);
            assert_eq!((step.index, step.found.by()), (0, "joints"));
            // A quarter turn is 0.86 m for the tool.
            assert!(step.found.joints.len() > 2 && step.found.length > 0.86, "{:?}", step.found);
        }
        let kinds: Vec<&ActionKind> =
            found.scene.steps[0].tasks[0].actions.iter().map(|action| &action.kind).collect();
        let speed = |kind: &ActionKind| match kind {
            ActionKind::PointToPoint { speed, .. } => Some(*speed),
            _ => None,
        };
        let count = found.steps.iter().map(|step| step.found.joints.len() - 1).sum::<usize>();
        assert_eq!(kinds.len(), count + 2);
        assert_eq!([speed(kinds[1]), speed(kinds[kinds.len() - 1])], [Some(1.0), Some(0.5)]);
        assert_eq!(verdict(&found.scene), PlanVerdict::Free);
        // The part stays where it was released.
        let part = scene.body("part").unwrap();
        let end = Timeline::of(&found.scene).unwrap().end[part].translation();
        assert!((end - freiraum_geometry::Vec3::new(0.0, 0.55, 0.03)).length() < 1e-9, "{end}");
    }
    // Straight there the arm runs into the post.
    let straight = CARRY.replace("path = \"plan\", to =", "ptp =").replace(", speed = 0.5", "");
    assert_eq!(verdict(&read(&cell("", &straight))), PlanVerdict::Collision);
}

#[test]
fn tool_poses_are_goals_by_any_inverse_solution() {
    let program = r#"
[[step]]
name = "go"
robot = "arm"
path = "plan"
to = { pose = { position = [-250, 300, 200], rpy_deg = [180, 0, 180] } }
"#;
    let found = planned(&read(&cell("", program)));
    assert!(matches!(found.steps[0].found.outcome, Outcome::Path(_)), "{:?}", found.steps[0].found.outcome);
    assert_eq!(verdict(&found.scene), PlanVerdict::Free);
}

#[test]
fn it_is_told_why_there_is_no_way() {
    let why = |clearance: &str, program: &str| -> String {
        let found = planned(&read(&cell(clearance, program)));
        match &found.steps[0].found.outcome {
            Outcome::NoPath(why) => why.clone(),
            other => panic!("{other:?}"),
        }
    };
    let go = |joints: &str| {
        format!(
            "[[step]]\nname = \"go\"\nrobot = \"arm\"\npath = \"plan\"\nto = {{ joints_deg = {joints} }}\n"
        )
    };
    assert_eq!(why("", &go("[45, 0, 300]")), "at the goal \"arm/link2\" touches \"post\"");
    let inside = "[[step]]\nname = \"go\"\nrobot = \"arm\"\nptp = { joints_deg = [45, 0, 300] }\n";
    let back = inside.to_owned() + &go("[0, 0, 300]");
    assert_eq!(why("", &back), "at the start \"arm/link2\" touches \"post\"; move away from it first");
    let near = why("[check]\nclearance = 20", &go("[30, 0, 300]"));
    assert!(near.starts_with("at the start \"arm/link3\" is 10 mm from \"part\", nearer"), "{near}");
    let scene = read(&cell("", CARRY));
    let mut two = scene.clone();
    let task = two.steps[0].tasks[0].clone();
    two.steps[0].tasks.push(task);
    let go_on = &mut |_: &str, _: &_| ControlFlow::Continue(());
    let problems = complete(&two, &ShapeCache::of(&two), &CompleteOptions::default(), go_on).unwrap_err();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].message.contains("the way of \"arm\" cannot be planned"), "{problems:?}");
    assert!(problems[0].help.as_ref().is_some_and(|help| help.contains("no other robot")), "{problems:?}");
}

/// The same with a table beneath the part, on which it lies where it is grasped and where it is put down.
fn on_a_table(clearance: &str, program: &str) -> String {
    let table = r#"
[[body]]
name = "table"
shape = { box = { size = [2000, 2000, 20] } }
pose = [0, 0, -10]
fixed = true
"#;
    // The part stands on the table, and the arm on it.
    let text = cell(clearance, program).replace("pose = [550, 0, 30]", "pose = [550, 0, 20]");
    text.replace("start_deg = [0, 0, 370]", "start_deg = [0, 0, 380]") + table
}

/// Straight from the table to the table: what touches at the start and at the goal may, and nothing else.
#[test]
fn a_part_that_lies_on_a_table_is_picked_and_put_down() {
    for clearance in ["", "[check]\nclearance = 5"] {
        let carry = CARRY.replace("[90, 0, 370]", "[90, 0, 380]");
        let scene = read(&on_a_table(clearance, &carry));
        let found = planned(&scene);
        for step in &found.steps {
            assert!(matches!(step.found.outcome, Outcome::Path(_)), "{:?}", step.found.outcome);
        }
        assert_eq!(verdict(&found.scene), PlanVerdict::Free);
        let part = scene.body("part").unwrap();
        let end = Timeline::of(&found.scene).unwrap().end[part].translation();
        assert!((end - freiraum_geometry::Vec3::new(0.0, 0.55, 0.02)).length() < 1e-9, "{end}");
    }
    // Below the surface there is no way out, and none in.
    let why = |text: &str| match &planned(&read(text)).steps[0].found.outcome {
        Outcome::NoPath(why) => why.clone(),
        other => panic!("{other:?}"),
    };
    let deep = on_a_table("", CARRY).replace("pose = [550, 0, 20]", "pose = [550, 0, 19.9]");
    assert_eq!(why(&deep), "at the start \"part\" touches \"table\"; move away from it first");
    let below = on_a_table("", &CARRY.replace("[90, 0, 370]", "[90, 0, 380.1]"));
    assert_eq!(why(&below), "at the goal \"part\" touches \"table\"");
    // A rule of its own asks for a distance, fit or not.
    let rule = "\n[[pair]]\nbodies = [\"part\", \"table\"]\nclearance = 1\n";
    let kept = on_a_table("", CARRY) + rule;
    assert_eq!(why(&kept), "at the start \"part\" touches \"table\"; move away from it first");
    // With an allowance it may lie as deep as that.
    let rule = "\n[[pair]]\nbodies = [\"part\", \"table\"]\nallowance = 0.3\n";
    let found = planned(&read(&(deep + rule)));
    assert!(matches!(found.steps[0].found.outcome, Outcome::Path(_)), "{:?}", found.steps[0].found.outcome);
    assert_eq!(verdict(&found.scene), PlanVerdict::Free);
}

/// Six axes that turn: hardly any line of joint values lifts a part without tilting it.
#[test]
fn an_arm_whose_joints_all_turn_lifts_a_part_off_a_table() {
    let text = r#"units = "mm"
[[robot]]
name = "arm"
shape = { box = { size = [100, 100, 200] } }
shape_pose = [0, 0, 100]
dh = [
    { d = 300, limits_deg = [-170, 170], shape = { box = { size = [90, 90, 90] } } },
    { alpha_deg = -90, limits_deg = [-170, 80], shape = { box = { size = [300, 60, 60] } }, shape_pose = [200, 0, 0] },
    { l = 400, limits_deg = [-150, 150], shape = { sphere = { radius = 40 } } },
    { alpha_deg = -90, d = 350, limits_deg = [-170, 170], shape = { box = { size = [50, 50, 200] } }, shape_pose = [0, 0, -170] },
    { alpha_deg = 90, limits_deg = [-120, 120], shape = { sphere = { radius = 30 } } },
    { alpha_deg = -90, d = 60, limits_deg = [-170, 170], shape = { box = { size = [40, 40, 40] } }, shape_pose = [0, 0, 20] },
]
start_deg = [0, -60, 10, 0, 50, 0]
tool = { pose = [0, 0, 40] }

[[body]]
name = "part"
shape = { box = { size = [60, 60, 40] } }
pose = [0, 0, 0]

[[body]]
name = "table"
shape = { box = { size = [300, 300, 20] } }
pose = [0, 0, 0]
fixed = true

[[step]]
name = "carry"
robot = "arm"
do = [
    { grasp = "part" },
    { path = "plan", to = { joints_deg = [80, -60, 10, 0, 50, 0] } },
    { release = "part" },
]
"#;
    // The part hangs below the flange, the table touches it from below.
    let mut scene = read(text);
    let (arm, part, table) = (&scene.robots[0], scene.body("part").unwrap(), scene.body("table").unwrap());
    let tool = arm.model.place(&arm.base, &arm.start).links[arm.flange] * arm.flange_from_tool;
    let down = tool.rotate(freiraum_geometry::Vec3::Z);
    assert!((down + freiraum_geometry::Vec3::Z).length() < 1e-9, "{down}");
    let at = tool.translation();
    let level =
        |z: f64| freiraum_geometry::Pose::from_translation(freiraum_geometry::Vec3::new(at.x, at.y, z));
    scene.bodies[part].pose = level(at.z - 0.02);
    scene.bodies[table].pose = level(at.z - 0.05);
    let found = planned(&scene);
    assert!(matches!(found.steps[0].found.outcome, Outcome::Path(_)), "{:?}", found.steps[0].found.outcome);
    assert_eq!(verdict(&found.scene), PlanVerdict::Free);
}

/// The hand touches the part when it is taken and when it was left.
#[test]
fn a_part_that_was_released_is_left_on_a_planned_way() {
    for clearance in ["", "[check]\nclearance = 5"] {
        let carry = CARRY.replace("[90, 0, 370]", "[90, 0, 380]");
        let text = cell(clearance, &carry).replace("start_deg = [0, 0, 370]", "start_deg = [0, 0, 380]");
        let found = planned(&read(&text));
        for step in &found.steps {
            assert!(matches!(step.found.outcome, Outcome::Path(_)), "{:?}", step.found.outcome);
        }
        assert_eq!(verdict(&found.scene), PlanVerdict::Free);
    }
}

/// A gripper on a flange without a shape touches the link that carries the flange.
#[test]
fn a_gripper_on_a_bare_flange_is_a_neighbour() {
    let link = ", shape = { box = { size = [30, 30, 400] } }, shape_pose = [0, 0, -200] },\n]";
    let gripper = r#"
[[body]]
name = "gripper"
shape = { box = { size = [40, 40, 30] } }
pose = [0, 0, -85]
"#;
    let go = "[[step]]\nname = \"go\"\nrobot = \"arm\"\npath = \"plan\"\nto = { joints_deg = [-60, 0, 0] }\n";
    let text = cell("", go);
    assert!(text.contains(link));
    let text = text
        .replace(link, " },\n]\ntool = { bodies = [\"gripper\"] }")
        .replace("start_deg = [0, 0, 370]", "start_deg = [0, 0, 0]")
        + gripper;
    let scene = read(&text);
    let bodies = ["arm/link2", "gripper"].map(|name| scene.body(name).unwrap());
    let why = scene.requirement(bodies[0], bodies[1]).ignore;
    assert!(why.is_some_and(|why| why.starts_with("neighbours at")), "{why:?}");
    let found = planned(&scene);
    assert!(matches!(found.steps[0].found.outcome, Outcome::Path(_)), "{:?}", found.steps[0].found.outcome);
    assert_eq!(verdict(&found.scene), PlanVerdict::Free);
    // A flange with a shape is the neighbour, and its tool is looked at.
    let text =
        cell("", go).replace("\nstart_deg", "\ntool = { bodies = [\"gripper\"] }\nstart_deg") + gripper;
    let scene = read(&text);
    assert_eq!(scene.requirement(bodies[0], scene.body("gripper").unwrap()).ignore, None);
}

/// A wrist without a shape that turns before it takes a rod: no body has moved, and yet the rod sits otherwise in the hand.
#[test]
fn joints_that_move_no_body_count() {
    let scene = read(
        r#"units = "m"
[[robot]]
name = "arm"
dh = [
    { d = 0.2, limits_deg = [-170, 170], shape = { box = { size = [1, 0.1, 0.1] } }, shape_pose = [0.5, 0, 0] },
    { l = 1.2, limits_deg = [-170, 170] },
]

[[body]]
name = "rod"
shape = { box = { size = [0.05, 1, 0.05] } }
pose = [1.2, -0.45, 0.2]

[[body]]
name = "post"
shape = { box = { size = [0.1, 0.1, 2] } }
pose = [0.5, -1.5, 0]
fixed = true

[[step]]
robot = "arm"
ptp = { joints_deg = [0, 90] }

[[step]]
robot = "arm"
grasp = "rod"

[[step]]
robot = "arm"
path = "plan"
to = { joints_deg = [-100, 90] }
"#,
    );
    let found = planned(&scene);
    assert!(matches!(found.steps[0].found.outcome, Outcome::Path(_)), "{:?}", found.steps[0].found.outcome);
    assert_eq!(verdict(&found.scene), PlanVerdict::Free);
}

/// A part that is taken from far away is told; one at the hand is not.
#[test]
fn grasps_from_far_away_are_told() {
    let take = "[[step]]\nname = \"take\"\nrobot = \"arm\"\ndo = [{ grasp = \"part\" }, { joint = { name = \"joint1\", to_deg = -20 } }]\n";
    let told = |text: &str| {
        let scene = read(text);
        let (timeline, parts) = (Timeline::of(&scene).unwrap(), ShapeCache::of(&scene));
        let found =
            check(&scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
        let far = found.warnings.into_iter().filter(|warning| warning.code == WarningCode::FarGrasp);
        far.map(|warning| warning.message).collect::<Vec<String>>()
    };
    let at = |height: u32| {
        cell("", take).replace("start_deg = [0, 0, 370]", &format!("start_deg = [0, 0, {height}]"))
    };
    assert_ne!(at(380), at(370));
    // The hand touches it.
    assert_eq!(told(&at(380)), Vec::<String>::new());
    let [note] = &told(&at(330))[..] else { panic!("one note") };
    assert!(note.contains("arm grasps the part from 50 mm away"), "{note}");
}
