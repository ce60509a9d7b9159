//! Programs of robots with ways that a planner has to find.

use freiraum_formats::scene::SceneFile;
use freiraum_plan::check::{CheckMemory, CheckOptions, PlanVerdict, check};
use freiraum_plan::path::{CompleteOptions, Completed, Outcome, complete};
use freiraum_plan::{Parts, Timeline};
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
    let found = check(scene, &timeline, &Parts::of(scene), &CheckMemory::default(), &CheckOptions::default());
    found.unwrap().verdict
}

fn planned(scene: &Scene) -> Completed {
    let go_on = &mut |_: &str, _: &_| ControlFlow::Continue(());
    complete(scene, &Parts::of(scene), &CompleteOptions::default(), go_on).unwrap()
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
    let problems = complete(&two, &Parts::of(&two), &CompleteOptions::default(), go_on).unwrap_err();
    assert!(problems[0].to_string().contains("no other robot"), "{}", problems[0].to_string());
}
