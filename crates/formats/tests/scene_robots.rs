//! Robots and programs in scene files: what is read, what is written, and that both agree.

use freiraum_formats::scene::SceneFile;
use freiraum_geometry::{Pose, Vec3};
use freiraum_robot::trajectory::Mode;
use freiraum_scene::{ActionKind, JointEnd, LineEnd, Scene, Target};
use std::path::Path;

/// An arm like a SCARA, of boxes: two joints that turn and one that slides down.
const ARM: &str = r#"
[[robot]]
name = "arm"
shape = { box = { size = [100, 100, 400] } }        # of the base
shape_pose = [0, 0, 200]
dh = [
    { d = 430, limits_deg = [-170, 170], shape = { box = { size = [300, 60, 60] } }, shape_pose = [150, 0, 0] },
    { l = 300, limits_deg = [-150, 150], shape = { box = { size = [250, 60, 60] } }, shape_pose = [125, 0, 0] },
    { alpha_deg = 180, l = 250, joint = "prismatic", limits = [0, 400], shape = { box = { size = [30, 30, 400] } }, shape_pose = [0, 0, -200] },
]
tool = { pose = [0, 0, 20], bodies = ["gripper"] }

[[body]]
name = "gripper"
shape = { box = { size = [40, 40, 20] } }
pose = [0, 0, 10]

[[body]]
name = "part"
shape = { box = { size = [40, 40, 40] } }
pose = [550, 0, 20]
"#;

fn parse(text: &str) -> SceneFile {
    let text = format!("units = \"mm\"\n{text}");
    SceneFile::parse(text, Path::new(""), "scene.toml").unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn actions(scene: &Scene, step: usize) -> Vec<&ActionKind> {
    scene.steps[step].tasks[0].actions.iter().map(|action| &action.kind).collect()
}

#[test]
fn links_are_bodies_and_tools_are_on_the_flange() {
    let file = parse(ARM);
    let scene = file.scene();
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["gripper", "part", "arm/base", "arm/link1", "arm/link2", "arm/link3"]);
    let robot = &scene.robots[0];
    assert_eq!((robot.flange, robot.links.as_slice()), (3, &[Some(2), Some(3), Some(4), Some(5)][..]));
    assert!(scene.bodies[2..].iter().all(|body| body.is_fixed && body.color.is_some()));
    // The flange is at (550, 0, 430) with z down, so the gripper hangs 10 mm below.
    let gripper = scene.bodies[0].pose.translation();
    assert!(gripper.distance(Vec3::new(0.55, 0.0, 0.42)) < 1e-12, "{gripper}");
    assert_eq!(scene.link_of(4), Some((0, 2)));
    assert_eq!((scene.robot_of(0), scene.robot_of(1)), (Some(0), None));
    assert_eq!(scene.named("arm").unwrap(), [2, 3, 4, 5, 0]);
    let is_ignored = |a: usize, b: usize| scene.requirement(a, b).ignore.is_some();
    // Neighbours, and the tool on its link; not links further apart, nor the tool and the link before.
    assert!(is_ignored(2, 3) && is_ignored(3, 4) && is_ignored(4, 5) && is_ignored(0, 5));
    assert!(!is_ignored(2, 4) && !is_ignored(3, 5) && !is_ignored(0, 4) && !is_ignored(1, 5));
}

#[test]
fn actions_of_all_kinds() {
    let file = parse(&format!(
        r#"{ARM}
[[step]]
name = "pick"
robot = "arm"
ptp = {{ joints_deg = [10, -20, 100], mode = "sequential", speed = 0.5 }}
grasp = {{ body = "part", depth = 0.5 }}
wait = 1.5

[[step]]
robot = "arm"
do = [
    {{ lin = {{ by = [0, 0, 50] }} }},
    {{ lin = {{ pose = [1, 2, 3], speed = 100 }} }},
    {{ joint = {{ name = "joint3", by = -20 }} }},
    {{ joint = {{ name = "joint2", to_deg = 30, speed = 0.25 }} }},
    {{ path = "plan", to = {{ joints_deg = {{ joint2 = 45 }} }} }},
    {{ ptp = {{ pose = [100, 200, 300] }} }},
    {{ sync = "here" }},
    {{ release = "part" }},
]
"#
    ));
    let scene = file.scene();
    let first = actions(scene, 0);
    let ActionKind::PointToPoint { to: Target::Joints(values), mode, speed } = first[0] else { panic!() };
    assert_eq!(values[..], [Some(10f64.to_radians()), Some((-20f64).to_radians()), Some(0.1)]);
    assert_eq!((*mode, *speed), (Mode::Sequential, 0.5));
    assert!(matches!(first[1], ActionKind::Grasp { body: 1, depth: Some(d) } if *d == 0.0005));
    assert!(matches!(first[2], ActionKind::Wait(s) if *s == 1.5));
    let second = actions(scene, 1);
    assert!(
        matches!(second[0], ActionKind::Line { to: LineEnd::By(by), speed } if by.z == 0.05 && *speed == 0.25)
    );
    assert!(matches!(second[1], ActionKind::Line { to: LineEnd::Pose(_), speed } if *speed == 0.1));
    assert!(matches!(second[2], ActionKind::Joint { freedom: 2, to: JointEnd::By(by), .. } if *by == -0.02));
    assert!(
        matches!(second[3], ActionKind::Joint { freedom: 1, to: JointEnd::To(_), speed } if *speed == 0.25)
    );
    let ActionKind::Plan { to: Target::Joints(values), .. } = second[4] else { panic!() };
    assert_eq!(values[..], [None, Some(45f64.to_radians()), None]);
    assert!(matches!(second[5], ActionKind::PointToPoint { to: Target::Tool(_), .. }));
    assert!(matches!(second[6], ActionKind::Sync(name) if name == "here"));
    assert!(matches!(second[7], ActionKind::Release { body: 1 }));
    // The depth is an allowance between gripper and part, and for nobody else.
    assert_eq!(scene.requirement(0, 1).allowance, 0.0005);
    assert_eq!(scene.requirement(5, 1).allowance, 0.0005);
    assert_eq!(scene.requirement(4, 1).allowance, 0.0);
}

#[test]
fn starts() {
    let scene = |start: &str| parse(&ARM.replace("tool =", &format!("{start}\ntool ="))).scene().clone();
    let at_rest = scene("");
    assert_eq!(at_rest.robots[0].start, [0.0, 0.0, 0.0]);
    let turned = scene("start_deg = [90, 0, 100]\npose = [0, 0, 1000]");
    let gripper = turned.bodies[0].pose.translation();
    assert!(gripper.distance(Vec3::new(0.0, 0.55, 1.32)) < 1e-12, "{gripper}");
    let named = scene("start_deg = { joint3 = 100 }");
    assert_eq!(named.robots[0].start, [0.0, 0.0, 0.1]);
    // 0 where it can be, else what is nearest to it.
    let text = ARM.replace("limits = [0, 400]", "limits = [50, 400]");
    assert_eq!(parse(&text).scene().robots[0].start, [0.0, 0.0, 0.05]);
    assert_eq!(turned.robots[0].base, Pose::from_translation(Vec3::new(0.0, 0.0, 1.0)));
}
