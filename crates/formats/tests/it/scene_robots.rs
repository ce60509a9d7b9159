//! Robots and programs in scene files: what is read, what is written, and that both agree.

use freiraum_formats::scene::{SceneFile, program};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_robot::trajectory::{Mode, Profile};
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
    let ActionKind::PointToPoint { to: Target::Joints(values), mode, speed, .. } = first[0] else { panic!() };
    assert_eq!(values[..], [Some(10f64.to_radians()), Some((-20f64).to_radians()), Some(0.1)]);
    assert_eq!((*mode, *speed), (Mode::Sequential, 0.5));
    assert!(matches!(first[1], ActionKind::Grasp { body: 1, depth: Some(d) } if *d == 0.0005));
    assert!(matches!(first[2], ActionKind::Wait(s) if *s == 1.5));
    let second = actions(scene, 1);
    assert!(
        matches!(second[0], ActionKind::Line { to: LineEnd::By(by), speed, .. } if by.z == 0.05 && *speed == 0.25)
    );
    assert!(matches!(second[1], ActionKind::Line { to: LineEnd::Pose(_), speed, .. } if *speed == 0.1));
    assert!(matches!(second[2], ActionKind::Joint { freedom: 2, to: JointEnd::By(by), .. } if *by == -0.02));
    assert!(
        matches!(second[3], ActionKind::Joint { freedom: 1, to: JointEnd::To(_), speed, .. } if *speed == 0.25)
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

const PROGRAM: &str = r#"
[[step]]
name = "pick"                      # from the table
robot = "arm"
do = [
    { joint = { name = "joint3", to = 370 } },   # down
    { grasp = { body = "part", depth = 0.1 } },
    { lin = { by = [0, 0, 70], speed = 100 } },
]

[[step]]
name = "carry"
robot = "arm"
ptp = { joints_deg = [90, -12.5, 300], mode = "sequential", speed = 0.5 }   # slowly
release = "part"
wait = 0.5

[[step]]
name = "there"
robot = "arm"
path = "plan"
to = { joints_deg = { joint2 = 45 } }
"#;

fn same(found: &Scene, expected: &Scene) {
    let strip = |scene: &Scene| {
        let mut steps = scene.steps.clone();
        for step in &mut steps {
            step.place = Default::default();
            for task in &mut step.tasks {
                task.place = Default::default();
                task.actions.iter_mut().for_each(|action| action.place = Default::default());
            }
        }
        format!("{steps:?}")
    };
    assert_eq!(strip(found), strip(expected));
}

#[test]
fn programs_as_json_and_back() {
    let file = parse(&format!("{ARM}{PROGRAM}"));
    let json = program::to_json(file.scene());
    assert_eq!(json["units"], "mm");
    assert_eq!(json["robots"][0]["joints"], serde_json::json!(["joint1", "joint2", "joint3"]));
    assert_eq!(json["steps"][0]["do"][1], serde_json::json!({ "grasp": { "body": "part", "depth": 0.1 } }));
    assert_eq!(json["steps"][1]["ptp"]["joints_deg"], serde_json::json!([90, -12.5, 300]));
    let mut again = parse(ARM);
    assert_eq!(program::from_json(&mut again, &json).unwrap(), 3);
    same(again.scene(), file.scene());
    // In a file with another unit it means the same.
    let metres = file.text().split("[[step]]").next().unwrap().replace("units = \"mm\"", "");
    let thousandth = |text: &str| -> String {
        let small = |word: &str| word.parse::<f64>().map_or(word.to_owned(), |x| format!("{:?}", x / 1000.0));
        text.split_inclusive(['[', ' ', ',', ']'])
            .map(|word| {
                let end = word.trim_end_matches(['[', ' ', ',', ']']).len();
                format!("{}{}", small(&word[..end]), &word[end..])
            })
            .collect()
    };
    // Angles are not lengths.
    let scaled: String = metres
        .split_inclusive('\n')
        .map(|line| match line.split_once("limits_deg") {
            Some((before, after)) => {
                let (angles, after) = after.split_once(']').unwrap();
                format!("{}limits_deg{angles}]{}", thousandth(before), thousandth(after))
            }
            None => match line.split_once("alpha_deg = 180") {
                Some((before, after)) => format!("{before}alpha_deg = 180{}", thousandth(after)),
                None => thousandth(line),
            },
        })
        .collect();
    let mut other = SceneFile::parse(scaled, Path::new(""), "metres.toml")
        .unwrap_or_else(|e| panic!("{}", e.render(false)));
    program::from_json(&mut other, &json).unwrap();
    same(other.scene(), file.scene());
}

#[test]
fn wrong_programs_in_json() {
    let mut file = parse(ARM);
    let before = file.text().to_owned();
    let mut check = |json: serde_json::Value, expected: &str| {
        let message = program::from_json(&mut file, &json).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert_eq!(file.text(), before);
    };
    let steps =
        |step: serde_json::Value| serde_json::json!({ "steps": [{ "robot": "arm", "wait": 1 }, step] });
    check(serde_json::json!([]), "an object with \"steps\"");
    check(serde_json::json!({ "steps": [], "version": 2 }), "unknown key \"version\"");
    check(serde_json::json!({ "steps": [], "units": "parsec" }), "no unit of length");
    check(
        steps(serde_json::json!({ "name": "go", "robot": "amr", "wait": 1 })),
        "step 2 \"go\": there is no robot \"amr\"",
    );
    check(steps(serde_json::json!({ "robot": "arm", "wait": null })), "step 2: null has no place");
    check(
        steps(serde_json::json!({ "robot": "arm", "ptp": { "joints_deg": [1] } })),
        "step 2: found 1 joint value, but \"arm\" has 3 joints",
    );
}

#[test]
fn a_listing_for_robot_programmers() {
    let file = parse(&format!("{ARM}{PROGRAM}"));
    let expected = "\
ROBOT arm  START J1 0°  J2 0°  J3 0 mm

STEP 1 pick
    1  arm  JOINT    joint3 370 mm  100 %
    2  arm  GRASP    part  DEPTH 0.1 mm
    3  arm  LIN      BY X 0 mm  Y 0 mm  Z 70 mm  100 mm/s

STEP 2 carry
    4  arm  PTP      J1 90°  J2 -12.5°  J3 300 mm  50 %  SEQUENTIAL
    5  arm  RELEASE  part
    6  arm  WAIT     0.5 s

STEP 3 there
    7  arm  PLAN     J2 45°  100 %
";
    assert_eq!(program::listing(file.scene()), expected);
}

#[test]
fn changes_keep_everything_else() {
    let text = format!("{ARM}{PROGRAM}");
    let check = |change: &dyn Fn(&mut SceneFile), old: &str, new: &str| {
        let mut file = parse(&text);
        change(&mut file);
        let expected = format!("units = \"mm\"\n{text}");
        assert!(expected.contains(old), "{old}");
        assert_eq!(file.text(), expected.replacen(old, new, 1));
    };
    let scene = parse(&text).scene().clone();
    check(
        &|file| file.set_robot_pose(0, &Pose::from_translation(Vec3::new(0.0, 0.1, 0.0))).unwrap(),
        "bodies = [\"gripper\"] }\n",
        "bodies = [\"gripper\"] }\npose = [0, 100, 0]\n",
    );
    check(
        &|file| file.set_start_joints(0, &[0.5f64.to_radians(), 0.0, 0.1]).unwrap(),
        "bodies = [\"gripper\"] }\n",
        "bodies = [\"gripper\"] }\nstart_deg = [0.5, 0, 100]\n",
    );
    // A tool is written as seen from the flange, which hangs with z down.
    let lower = Pose::from_translation(Vec3::new(0.0, 0.0, -0.005)) * scene.bodies[0].pose;
    check(&|file| file.set_pose(0, &lower).unwrap(), "pose = [0, 0, 10]", "pose = [0, 0, 15]");
    check(&|file| file.set_pose(0, &scene.bodies[0].pose).unwrap(), "", "");
    let mut task = scene.steps[1].tasks[0].clone();
    task.actions.truncate(1);
    check(&|file| file.set_task(1, 0, &task).unwrap(), "release = \"part\"\nwait = 0.5\n", "");
    check(
        &|file| file.add_task_step(3, "again", &scene.steps[0].tasks).unwrap(),
        "{ joint2 = 45 } }\n",
        "{ joint2 = 45 } }

[[step]]
name = \"again\"
robot = \"arm\"
do = [
    { joint = { name = \"joint3\", to = 370 } },
    { grasp = { body = \"part\", depth = 0.1 } },
    { lin = { by = [0, 0, 70], speed = 100 } },
]
",
    );
    let mut renamed = parse(&text);
    renamed.rename_body(1, "gear").unwrap();
    renamed.rename_body(0, "hand").unwrap();
    let expected = format!(
        "units = \"mm\"\n{}",
        text.replace("\"part\"", "\"gear\"").replace("\"gripper\"", "\"hand\"")
    );
    assert_eq!(renamed.text(), expected);
}

#[test]
fn changes_that_are_refused() {
    let mut file = parse(&format!("{ARM}{PROGRAM}"));
    let before = file.text().to_owned();
    let (link, task) = (file.scene().body("arm/link2").unwrap(), file.scene().steps[0].tasks[0].clone());
    assert!(file.set_pose(link, &Pose::IDENTITY).unwrap_err().to_string().contains("link of the robot"));
    assert!(file.rename_body(link, "x").is_err() && file.set_fixed(link, false).is_err());
    assert!(file.set_start_joints(0, &[0.0]).is_err() && file.set_start_joints(1, &[]).is_err());
    assert!(file.set_start_joints(0, &[9.0, 0.0, 0.0]).unwrap_err().to_string().contains("cannot be at"));
    assert!(file.set_task(0, 1, &task).is_err() && file.set_task(9, 0, &task).is_err());
    assert!(file.add_task_step(0, "x", &[]).is_err() && file.set_robot_pose(1, &Pose::IDENTITY).is_err());
    let stranger = freiraum_scene::Task { robot: 1, ..task };
    assert!(file.add_task_step(0, "x", &[stranger]).is_err());
    assert_eq!(file.text(), before);
}

/// Files of robots: links and states by name, pairs that the SRDF file disables, and saving elsewhere.
#[test]
fn robots_from_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken_scenes");
    let text = "[[robot]]\nname = \"arm\"\nmodel = \"arm.urdf\"  # the file\nsrdf = \"arm.srdf\"\nstart = \"ready\"\nignore = [[\"base\", \"slide\"]]\n\n[[step]]\nrobot = \"arm\"\nptp = { state = \"ready\" }\n";
    let mut file =
        SceneFile::parse(text, &folder, "scene.toml").unwrap_or_else(|e| panic!("{}", e.render(false)));
    let scene = file.scene();
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["arm/upper", "arm/lower", "arm/slide"]);
    let robot = &scene.robots[0];
    assert_eq!(
        (robot.start.as_slice(), robot.links.as_slice()),
        (&[0.5, 1.0, 0.0][..], &[None, Some(0), Some(1), Some(2), None][..])
    );
    assert_eq!(robot.model.links()[robot.flange].name, "tip");
    assert_eq!(scene.requirement(0, 2).ignore, Some("SRDF: Never"));
    assert_eq!(scene.requirement(0, 1).ignore, Some("neighbours at \"elbow\" of \"arm\""));
    assert_eq!(program::to_json(scene)["steps"][0]["ptp"]["state"], "ready");
    // The same model is not read again.
    let model = robot.model.clone();
    file.rename_step(0, "go").unwrap();
    assert!(std::sync::Arc::ptr_eq(&model, &file.scene().robots[0].model));
    let elsewhere = std::env::temp_dir().join(format!("freiraum-robots-{}", std::process::id()));
    std::fs::create_dir_all(&elsewhere).unwrap();
    file.save_as(elsewhere.join("scene.toml")).unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert!(file.text().contains("broken_scenes/arm.urdf\"  # the file"), "{}", file.text());
    std::fs::remove_dir_all(&elsewhere).unwrap();
}

/// Configurations, profiles of speed and accelerations: read, written, listed.
#[test]
fn configurations_and_profiles() {
    let text = format!(
        "{}\n{}",
        ARM.replace("name = \"arm\"\n", "name = \"arm\"\nacceleration_deg_s2 = 180\nacceleration = 500\n"),
        r#"
[[step]]
name = "choose"
robot = "arm"
do = [
    { ptp = { pose = [500, 100, 300], configuration = "elbow up", speed = 0.5, profile = "smooth" } },
    { lin = { by = [0, 0, 10], profile = "ramp" } },
    { joint = { name = "joint1", by_deg = 5, profile = "smooth" } },
    { ptp = { joints_deg = [1, 2, 3], profile = "constant" } },
    { path = "plan", to = { pose = [1, 2, 3], configuration = "-+-" } },
]
"#
    );
    let file = parse(&text);
    let scene = file.scene();
    let model = &scene.robots[0].model;
    assert_eq!(model.acceleration(0), Some(180f64.to_radians()));
    assert_eq!(model.acceleration(2), Some(0.5));
    let found = actions(scene, 0);
    let ActionKind::PointToPoint { to: Target::Configured(_, wanted), profile, .. } = found[0] else {
        panic!()
    };
    assert_eq!((wanted.to_string().as_str(), *profile), ("up", Profile::Smooth));
    assert!(matches!(found[1], ActionKind::Line { profile: Profile::Ramp, .. }));
    assert!(matches!(found[2], ActionKind::Joint { profile: Profile::Smooth, .. }));
    assert!(matches!(found[3], ActionKind::PointToPoint { profile: Profile::Constant, .. }));
    let expected = "\
ROBOT arm  START J1 0°  J2 0°  J3 0 mm

STEP 1 choose
    1  arm  PTP      X 500 mm  Y 100 mm  Z 300 mm  CONFIGURATION UP  50 %  SMOOTH
    2  arm  LIN      BY X 0 mm  Y 0 mm  Z 10 mm  250 mm/s  RAMP
    3  arm  JOINT    joint1 BY 5°  100 %  SMOOTH
    4  arm  PTP      J1 1°  J2 2°  J3 3 mm  100 %
    5  arm  PLAN     X 1 mm  Y 2 mm  Z 3 mm  CONFIGURATION -+-  100 %
";
    assert_eq!(program::listing(scene), expected);
    let json = program::to_json(scene);
    let written = &json["steps"][0]["do"];
    assert_eq!(written[0]["ptp"]["configuration"], "up");
    assert_eq!(written[4]["to"]["configuration"], "-+-");
    assert_eq!(written[1]["lin"], serde_json::json!({ "by": [0, 0, 10], "profile": "ramp" }));
    assert_eq!(written[3]["ptp"], serde_json::json!({ "joints_deg": [1, 2, 3] }));
    let mut again = parse(text.split("[[step]]").next().unwrap());
    program::from_json(&mut again, &json).unwrap();
    same(again.scene(), scene);
}

#[test]
fn wrong_configurations_profiles_and_meshes() {
    let check = |text: String, expected: &[&str]| {
        let text = format!("units = \"mm\"\n{text}");
        let errors = SceneFile::parse(text, Path::new(""), "scene.toml").unwrap_err().render(false);
        expected.iter().for_each(|expected| assert!(errors.contains(expected), "{errors}"));
    };
    let step = |action: &str| format!("{ARM}\n[[step]]\nrobot = \"arm\"\n{action}\n");
    check(
        step("ptp = { pose = [0, 0, 0], configuration = \"upp\" }"),
        &["\"upp\" is no side of a configuration", "freiraum robot ik"],
    );
    check(step("ptp = { pose = [0, 0, 0], configuration = \"up down\" }"), &["on two sides"]);
    check(step("ptp = { pose = [0, 0, 0], configuration = 3 }"), &["a configuration such as"]);
    check(
        step("ptp = { joints_deg = [0, 0, 0], configuration = \"up\" }"),
        &["\"configuration\" beside \"joints_deg\"", "chooses among the joint values for a `pose`"],
    );
    check(step("lin = { by = [0, 0, 1], configuration = \"up\" }"), &["a line keeps the configuration"]);
    check(
        step("lin = { by = [0, 0, 1], profile = \"smoth\" }"),
        &["\"smoth\" is no profile of speed", "smooth"],
    );
    check(
        step("ptp = { joints_deg = [0, 0, 0], profile = 7 }"),
        &["is no profile of speed", "even acceleration"],
    );
    let robot = |old: &str, new: &str| ARM.replacen(old, new, 1);
    check(
        robot("name = \"arm\"\n", "name = \"arm\"\nacceleration_deg_s2 = 0\n"),
        &["expected an acceleration above 0"],
    );
    check(robot("{ d = 430,", "{ d = 430, mesh = \"link.stl\","), &["this link has a mesh and a shape"]);
    check(
        robot("shape = { box = { size = [250, 60, 60] } }", "mesh = \"no-such-link.stl\""),
        &["there is no file \"no-such-link.stl\""],
    );
    check(robot("{ d = 430,", "{ d = 430, mesh_units = \"m\","), &["`mesh_units` without a mesh file"]);
    let model = "[[robot]]\nname = \"arm\"\nmodel = \"arm.urdf\"\nmesh = \"base.stl\"\n";
    check(model.to_owned(), &["\"mesh\" belongs to robots with a table `dh`"]);
}

/// Links with mesh files in a table: read once, placed by `shape_pose`, found again when the scene is saved elsewhere.
#[test]
fn links_with_mesh_files() {
    let folder = freiraum_testkit::folder::Folder::new("robot-meshes");
    let cube = "OFF\n4 4 0\n0 0 0\n100 0 0\n0 100 0\n0 0 100\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    folder.file("link.off", cube);
    let text = ARM
        .replace("shape = { box = { size = [100, 100, 400] } }        # of the base", "mesh = \"link.off\"")
        .replace("shape = { box = { size = [250, 60, 60] } }", "mesh = \"link.off\", mesh_units = \"cm\"");
    let text = format!("units = \"mm\"\n{text}");
    let mut file =
        SceneFile::parse(text, folder.path(), "scene.toml").unwrap_or_else(|e| panic!("{}", e.render(false)));
    let link = |file: &SceneFile, name: &str| {
        let robot = &file.scene().robots[0].model;
        robot.links()[robot.link(name).unwrap()].collision[0].clone()
    };
    let size = |shape: &Shape| {
        let Shape::Mesh(mesh) = shape else { panic!("{shape:?}") };
        mesh.vertices().iter().map(|vertex| vertex.max_element()).fold(0.0, f64::max)
    };
    let [base, second] = ["base", "link2"].map(|name| link(&file, name));
    assert_eq!((size(&base.shape), size(&second.shape)), (0.1, 1.0));
    assert_eq!(base.link_from_shape, Pose::from_translation(Vec3::new(0.0, 0.0, 0.2)));
    // Another change does not read the mesh again.
    file.set_start_joints(0, &[0.1, 0.0, 0.0]).unwrap();
    let (Shape::Mesh(before), Shape::Mesh(after)) = (&base.shape, &link(&file, "base").shape.clone()) else {
        panic!()
    };
    assert!(std::sync::Arc::ptr_eq(before, after));
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    file.save_as(elsewhere.join("scene.toml")).unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(file.text().matches("mesh = \"../link.off\"").count(), 2, "{}", file.text());
}

/// A scene with a robot `r` from this URDF text, and `more` behind it.
fn with_urdf(folder: &freiraum_testkit::folder::Folder, urdf: &str, more: &str) -> SceneFile {
    folder.file("r.urdf", urdf);
    let text = format!("[[robot]]\nname = \"r\"\nmodel = \"r.urdf\"\n{more}");
    SceneFile::parse(text, folder.path(), "scene.toml").unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn box_link(name: &str) -> String {
    format!(
        "<link name=\"{name}\"><collision><geometry><box size=\"1 1 1\"/></geometry></collision></link>\n"
    )
}

fn joint_of(name: &str, is_fixed: bool, parent: &str, child: &str) -> String {
    let kind = if is_fixed { "fixed" } else { "continuous" };
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>\n"
    )
}

/// Whether the pair is not looked at.
fn is_ignored(scene: &Scene, a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|name| scene.body(&format!("r/{name}")).unwrap());
    scene.requirement(a, b).ignore.is_some()
}

/// What is fixed to a link of a joint is no neighbour of the other one, and a stated pair is looked at.
#[test]
fn neighbours_are_the_two_links_of_a_joint() {
    let folder = freiraum_testkit::folder::Folder::new("robot-neighbours");
    let links = ["wall", "base", "arm", "gripper"].map(box_link).concat();
    let joints = [
        joint_of("a", true, "world", "wall"),
        joint_of("b", true, "world", "base"),
        joint_of("j", false, "base", "arm"),
        joint_of("g", true, "arm", "gripper"),
    ]
    .concat();
    let urdf = format!("<robot name=\"r\"><link name=\"world\"/>{links}{joints}</robot>");
    let file = with_urdf(&folder, &urdf, "");
    let scene = file.scene();
    assert!(is_ignored(scene, "base", "arm") && is_ignored(scene, "wall", "base"));
    assert!(is_ignored(scene, "arm", "gripper"));
    assert!(!is_ignored(scene, "wall", "arm") && !is_ignored(scene, "wall", "gripper"));
    assert!(!is_ignored(scene, "base", "gripper"));
    let pair = |a: &str, b: &str, says: &str| format!("[[pair]]\nbodies = [\"{a}\", \"{b}\"]\n{says}\n");
    let clear = "clearance = 0.01";
    let stated = with_urdf(&folder, &urdf, &pair("r/arm", "r/base", clear));
    assert!(!is_ignored(stated.scene(), "base", "arm") && is_ignored(stated.scene(), "wall", "base"));
    let fixed = with_urdf(&folder, &urdf, &pair("r/wall", "r/base", "allowance = 0.01"));
    assert!(is_ignored(fixed.scene(), "base", "arm") && !is_ignored(fixed.scene(), "wall", "base"));
    // Of the robot with itself it only says the clearance, and what is ignored by the file stays so.
    let whole = with_urdf(&folder, &urdf, &pair("r", "r", clear));
    assert!(is_ignored(whole.scene(), "base", "arm"));
    let both = pair("r/arm", "r/base", "ignore = \"a hinge\"") + &pair("r/arm", "r/base", clear);
    assert!(is_ignored(with_urdf(&folder, &urdf, &both).scene(), "base", "arm"));
    let own = format!("ignore = [[\"base\", \"arm\"]]\n{}", pair("r/arm", "r/base", clear));
    assert!(is_ignored(with_urdf(&folder, &urdf, &own).scene(), "base", "arm"));
    // A pair of the SRDF file is looked at again too.
    folder.file(
        "r.srdf",
        "<robot name=\"r\"><disable_collisions link1=\"wall\" link2=\"arm\" reason=\"Never\"/></robot>",
    );
    let srdf = with_urdf(&folder, &urdf, "srdf = \"r.srdf\"\n");
    assert!(is_ignored(srdf.scene(), "wall", "arm"));
    let again = with_urdf(&folder, &urdf, &format!("srdf = \"r.srdf\"\n{}", pair("r/wall", "r/arm", clear)));
    assert!(!is_ignored(again.scene(), "wall", "arm"));
}

/// The rules of random trees against the path between every two links.
#[test]
fn neighbours_in_random_trees() {
    let folder = freiraum_testkit::folder::Folder::new("robot-trees");
    let mut random = freiraum_testkit::random::Random::new(7);
    let mut counts = [0; 3];
    for case in 0..freiraum_testkit::scale::cases(100) {
        let count = 3 + (random.range(0.0, 7.0) as usize);
        let shaped: Vec<bool> = (0..count).map(|_| random.range(0.0, 1.0) < 0.6).collect();
        let parents: Vec<usize> = (0..count).map(|k| random.range(0.0, k as f64) as usize).collect();
        let fixed: Vec<bool> = (0..count).map(|_| random.range(0.0, 1.0) < 0.6).collect();
        let mut urdf = String::from("<robot name=\"r\">");
        for k in 0..count {
            let name = format!("l{k}");
            urdf += &if shaped[k] { box_link(&name) } else { format!("<link name=\"{name}\"/>") };
            if k > 0 {
                urdf += &joint_of(&format!("j{k}"), fixed[k], &format!("l{}", parents[k]), &name);
            }
        }
        urdf += "</robot>";
        let file = with_urdf(&folder, &urdf, "");
        // From a link to the root.
        let up = |link: usize| {
            let mut way = vec![link];
            while way[way.len() - 1] != 0 {
                way.push(parents[way[way.len() - 1]]);
            }
            way
        };
        let is_rigid = |a: usize, b: usize| {
            let [a, b] = [up(a), up(b)];
            let apart = |way: &[usize], other: &[usize]| way.iter().any(|k| !other.contains(k) && !fixed[*k]);
            !apart(&a, &b) && !apart(&b, &a)
        };
        // One moving joint on the way down from a to b, and nothing with a shape between.
        let is_seen = |a: usize, b: usize| {
            let way = up(b);
            let at = way.iter().position(|k| *k == a)?;
            let moving: Vec<usize> = way[..at].iter().copied().filter(|k| !fixed[*k]).collect();
            let is_empty = at > 0 && way[1..at].iter().all(|k| !shaped[*k]);
            (moving.len() == 1 && is_empty).then(|| moving[0])
        };
        for a in (0..count).filter(|k| shaped[*k]) {
            for b in (0..count).filter(|k| shaped[*k] && *k != a) {
                let only = |joint: usize| {
                    let others = (0..count).filter(|c| shaped[*c] && is_seen(a, *c) == Some(joint));
                    others.count() == 1
                };
                let is_neighbour = is_seen(a, b).is_some_and(only)
                    || is_seen(b, a).is_some_and(|joint| {
                        (0..count).filter(|c| shaped[*c] && is_seen(b, *c) == Some(joint)).count() == 1
                    });
                let expected = is_rigid(a, b) || is_neighbour;
                let found = is_ignored(file.scene(), &format!("l{a}"), &format!("l{b}"));
                assert_eq!(found, expected, "case {case}: l{a} and l{b} in {urdf}");
                counts[if is_neighbour { 0 } else { 1 + usize::from(expected) }] += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

/// Notes of robot files are told, and the mesh files of tables are among the files of a robot.
#[test]
fn notes_and_files() {
    let folder = freiraum_testkit::folder::Folder::new("robot-notes");
    let seen = box_link("arm").replace("collision", "visual");
    let urdf = format!(
        "<robot name=\"r\"><link name=\"base\"/>{seen}{}</robot>",
        joint_of("j", false, "base", "arm")
    );
    let mut file = with_urdf(&folder, &urdf, "");
    assert!(file.scene().body("r/arm").is_some());
    let expected = ["r.urdf: link 'arm' has no <collision>: its <visual> is looked at instead"];
    assert_eq!(file.notes(), expected);
    // Also if the model is known from before.
    file.set_start_joints(0, &[0.5]).unwrap();
    assert_eq!(file.notes(), expected);
    let cube = "OFF\n4 4 0\n0 0 0\n100 0 0\n0 100 0\n0 0 100\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    for name in ["a.off", "b.off"] {
        folder.file(name, cube);
    }
    let text = "[[robot]]\nname = \"r\"\nmesh = \"a.off\"\ndh = [{ l = 1, mesh = \"b.off\" }, { l = 1, mesh = \"a.off\" }, { l = 2 }]\n";
    let table =
        SceneFile::parse(text, folder.path(), "scene.toml").unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(table.robot_files(), [["a.off", "b.off"].map(|name| folder.path().join(name)).to_vec()]);
}
