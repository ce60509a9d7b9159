//! `freiraum robot` from outside: exit codes, JSON keys, tables, the SRDF file that an audit writes.

use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::process::{Command, Output};

fn freiraum(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.args(arguments).current_dir(folder.path()).env_remove("NO_COLOR").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The exit code and the one JSON document.
fn json(output: &Output) -> (i32, Value) {
    let document = serde_json::from_slice(&output.stdout);
    (output.status.code().unwrap(), document.unwrap_or_else(|e| panic!("{e}: {}", text(&output.stdout))))
}

/// A SCARA arm: two links of 0.4 m and 0.3 m in the plane, a lift and a hand that turns; a finger follows the lift's negative.
fn scara() -> String {
    let link = |name: &str, x: f64, size: &str| {
        format!(
            "  <link name=\"{name}\"><collision><origin xyz=\"{x} 0 0\"/><geometry><box size=\"{size}\"/></geometry></collision></link>\n"
        )
    };
    let joint = |name: &str, kind: &str, parent: &str, child: &str, xyz: &str, rest: &str| {
        format!(
            "  <joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/><origin xyz=\"{xyz}\"/><axis xyz=\"0 0 1\"/>{rest}</joint>\n"
        )
    };
    let turn = "<limit lower=\"-2.5\" upper=\"2.5\" velocity=\"3.14159265358979\"/>";
    [
        "<robot name=\"scara\">\n".to_owned(),
        link("base", 0.0, "0.6 0.6 0.1"),
        link("upper", 0.2, "0.44 0.06 0.04"),
        link("lower", 0.15, "0.34 0.06 0.04"),
        link("slide", 0.0, "0.02 0.02 0.4"),
        "  <link name=\"hand\"/>\n  <link name=\"finger\"/>\n".to_owned(),
        joint("shoulder", "revolute", "base", "upper", "0 0 0.2", turn),
        joint("elbow", "revolute", "upper", "lower", "0.4 0 0.05", turn),
        joint(
            "lift",
            "prismatic",
            "lower",
            "slide",
            "0.3 0 -0.05",
            "<limit lower=\"-0.1\" upper=\"0\" velocity=\"0.5\"/>",
        ),
        joint("wrist", "continuous", "slide", "hand", "0 0 -0.1", ""),
        joint(
            "grip",
            "prismatic",
            "hand",
            "finger",
            "0 0 0",
            "<limit lower=\"0\" upper=\"0.1\"/><mimic joint=\"lift\" multiplier=\"-1\"/>",
        ),
        "</robot>\n".to_owned(),
    ]
    .concat()
}

const SRDF: &str = "<robot name=\"scara\">\n  <group name=\"arm\"><chain base_link=\"base\" tip_link=\"hand\"/></group>\n\
  <group_state name=\"ready\" group=\"arm\"><joint name=\"shoulder\" value=\"0.5\"/><joint name=\"elbow\" value=\"-1\"/></group_state>\n\
  <disable_collisions link1=\"upper\" link2=\"lower\" reason=\"Adjacent\"/>\n  <disable_collisions link1=\"slide\" link2=\"base\" reason=\"User\"/>\n</robot>\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("arm.urdf", scara());
    folder.file("arm.srdf", SRDF);
    folder
}

#[test]
fn what_a_robot_is() {
    let folder = folder("robot-info");
    let (code, found) =
        json(&freiraum(&folder, &["robot", "info", "arm.urdf", "--srdf", "arm.srdf", "--json"]));
    assert_eq!(code, 0, "{found}");
    assert_eq!(found["freedoms"], serde_json::json!(["shoulder", "elbow", "lift", "wrist"]));
    assert_eq!((&found["root"], &found["tip"]), (&"base".into(), &"finger".into()));
    let shoulder = &found["joints"][0];
    assert!((shoulder["lower_deg"].as_f64().unwrap() + 2.5f64.to_degrees()).abs() < 1e-12, "{shoulder}");
    assert!((shoulder["velocity_deg"].as_f64().unwrap() - 180.0).abs() < 1e-9, "{shoulder}");
    assert_eq!(found["joints"][2]["lower"], -0.1);
    assert_eq!(found["joints"][3]["lower_deg"], Value::Null, "a joint without end has no limit");
    assert_eq!(found["joints"][4]["follows"]["joint"], "lift");
    assert_eq!(found["links"][0]["shapes"], serde_json::json!(["box"]));
    assert_eq!(found["states"], serde_json::json!(["ready"]));
    let reach = found["workspace"]["reach"].as_f64().unwrap();
    assert!(reach > 0.65 && reach < 0.75, "{reach}");
    let (_, hand) = json(&freiraum(&folder, &["robot", "info", "arm.urdf", "--link", "hand", "--json"]));
    assert_eq!(hand["inverse"]["complete"], true, "{hand}");
    let people = text(&freiraum(&folder, &["robot", "info", "arm.urdf"]).stdout);
    assert!(people.contains("scara: 6 links, 5 joints, 4 of them free"), "{people}");
    assert!(people.contains("follows lift × -1") && people.contains("-143.239 to 143.239 deg"), "{people}");
}

/// Angles in URDF files have about this precision: smaller values are printed as 0.
#[test]
fn places_are_told_with_the_digits_that_are_known() {
    let folder = Folder::new("robot-digits");
    let turned = scara()
        .replace("xyz=\"0.4 0 0.05\"/>", "xyz=\"0.4 0 0.05\" rpy=\"1.57079632679 0 -3.14159265359\"/>");
    folder.file("arm.urdf", turned);
    let found = freiraum(&folder, &["robot", "fk", "arm.urdf", "--joints", "90,180,0,0", "--color", "never"]);
    let said = text(&found.stdout);
    assert!(said.contains("hand") && !said.contains("e-"), "{said}");
    let found = freiraum(&folder, &["robot", "fk", "arm.urdf", "--link", "hand", "--jacobian"]);
    assert!(!text(&found.stdout).contains("e-"), "{}", text(&found.stdout));
    let (_, found) = json(&freiraum(&folder, &["robot", "fk", "arm.urdf", "--link", "hand", "--json"]));
    assert!(found.to_string().contains("e-"), "programs get the numbers as they are: {found}");
}

#[test]
fn where_the_links_are() {
    let folder = folder("robot-fk");
    let fk = |rest: &[&str]| freiraum(&folder, &[&["robot", "fk", "arm.urdf"], rest].concat());
    let (code, found) = json(&fk(&[
        "--joints",
        "90,-90,-0.05,30",
        "--link",
        "hand",
        "--tool",
        "0,0,-0.02",
        "--jacobian",
        "--json",
    ]));
    assert_eq!((code, &found["inside_limits"]), (0, &true.into()), "{found}");
    let near = |value: &Value, expected: &[f64]| {
        let numbers: Vec<f64> = value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        assert!(numbers.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-12), "{numbers:?} {expected:?}");
    };
    near(&found["links"][0]["position"], &[0.3, 0.4, 0.05]);
    near(&found["links"][0]["rpy_deg"], &[0.0, 0.0, 30.0]);
    near(&found["tool"]["position"], &[0.3, 0.4, 0.03]);
    near(&found["jacobian"][0]["linear"], &[-0.4, 0.3, 0.0]);
    near(&found["jacobian"][2]["linear"], &[0.0, 0.0, 1.0]);
    assert_eq!(found["joints"][0]["value_deg"], 90.0);
    assert_eq!(found["joints"][2]["value"], -0.05);
    // By name, from a named state, and from another base.
    let (_, named) = json(&fk(&[
        "--srdf", "arm.srdf", "--state", "ready", "--joints", "elbow=0", "--base", "1,0,0", "--json",
    ]));
    near(&named["links"][4]["position"], &[1.0 + 0.7 * 0.5f64.cos(), 0.7 * 0.5f64.sin(), 0.1]);
    // Outside of the limits is the bad answer, told with the limit.
    let outside = fk(&["--joints", "150,0,0,0"]);
    assert_eq!(outside.status.code(), Some(1));
    assert!(text(&outside.stdout).contains("shoulder is at 150; its limits are -143.239 to 143.239 deg"));
}

#[test]
fn how_it_reaches_a_pose() {
    let folder = folder("robot-ik");
    let ik =
        |rest: &[&str]| freiraum(&folder, &[&["robot", "ik", "arm.urdf", "--link", "hand"], rest].concat());
    let (code, found) = json(&ik(&["--pose", "0.3,0.4,0.05,0,0,30", "--joints", "80,-80,0,0", "--json"]));
    assert_eq!(
        (code, &found["verdict"], &found["complete"]),
        (0, &"reached".into(), &true.into()),
        "{found}"
    );
    let solutions = found["solutions"].as_array().unwrap();
    assert_eq!(solutions.len(), 2);
    let first = &solutions[0];
    assert!(first["nearest"] == true && solutions[1]["nearest"] == false);
    assert!((first["joints"][0]["value_deg"].as_f64().unwrap() - 90.0).abs() < 1e-6, "{first}");
    assert!(first["residual"].as_f64().unwrap() < 1e-9 && first["inside_limits"] == true);
    // Words for arms that stand up make no sense here: signs alone.
    let mut signs: Vec<&str> = solutions.iter().filter_map(|one| one["configuration"].as_str()).collect();
    signs.sort_unstable();
    assert_eq!(signs, ["+++", "+-+"]);
    assert!(solutions.iter().all(|one| one["configuration_name"].is_null()), "{found}");
    let people = text(&ik(&["--pose", "0.3,0.4,0.05,0,0,30"]).stdout);
    assert!(people.contains("+-+") && !people.contains("front"), "{people}");
    assert!(people.contains("2 solutions, these are all") && people.contains("nearest"), "{people}");
    // Too far away, too low, tilted; and a search that finds nothing proves nothing.
    let verdict = |pose: &str, rest: &[&str]| {
        let (code, found) = json(&ik(&[&["--pose", pose, "--json"], rest].concat()));
        (code, found["verdict"].as_str().unwrap().to_owned())
    };
    assert_eq!(verdict("0.9,0,0.05", &[]), (1, "out_of_reach".to_owned()));
    assert_eq!(verdict("0.3,0.4,-0.5", &[]), (1, "outside_limits".to_owned()));
    assert_eq!(verdict("0.3,0.4,0.05,90,0,0", &[]).0, 1);
    assert_eq!(verdict("0.9,0,0.05", &["--numeric", "--starts", "2"]), (3, "not_found".to_owned()));
    let none = ik(&["--pose", "0.9,0,0.05"]);
    assert!(text(&none.stdout).contains("none: out of reach by 0.2 m"), "{}", text(&none.stdout));
}

/// A declared sheet is named in text and JSON, so that "never" is not read as more than it says.
#[test]
fn an_audit_names_the_links_that_are_declared_sheets() {
    let folder = folder("robot-audit-sheets");
    folder.file("plate.obj", "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n");
    let base =
        "<collision><origin xyz=\"0 0 0\"/><geometry><box size=\"0.6 0.6 0.1\"/></geometry></collision>";
    let plate =
        "<collision><origin xyz=\"0 0 -2\"/><geometry><mesh filename=\"plate.obj\"/></geometry></collision>";
    assert!(scara().contains(base));
    folder.file("plate.urdf", scara().replace(base, plate));
    let asked = ["robot", "audit", "plate.urdf", "--sheet", "base", "--samples", "10"];
    let (_, found) = json(&freiraum(&folder, &[&asked[..], &["--json"]].concat()));
    assert_eq!(found["sheets"], serde_json::json!(["base"]), "{found}");
    let said = text(&freiraum(&folder, &asked).stdout);
    assert!(said.contains("declared with --sheet: base;"), "{said}");
    let (_, found) = json(&freiraum(&folder, &["robot", "audit", "arm.urdf", "--samples", "10", "--json"]));
    assert_eq!(found["sheets"], serde_json::json!([]), "{found}");
}

#[test]
fn which_links_can_touch() {
    let folder = folder("robot-audit");
    let (code, found) =
        json(&freiraum(&folder, &["robot", "audit", "arm.urdf", "--srdf-out", "out.srdf", "--json"]));
    assert_eq!((code, &found["undecided"]), (0, &0.into()), "{found}");
    let pair = |a: &str, b: &str| {
        let pairs = found["pairs"].as_array().unwrap();
        pairs.iter().find(|pair| pair["links"] == serde_json::json!([a, b])).unwrap().clone()
    };
    // The upper arm turns 0.13 m above the base, the lower one 0.01 m above the upper one.
    let over = pair("base", "upper");
    assert_eq!(over["meeting"], "never");
    assert!((over["closest"].as_f64().unwrap() - 0.13).abs() < 1e-9, "{over}");
    assert!(over["clearance_lower"].as_f64().unwrap() > 0.11);
    assert!((pair("upper", "lower")["closest"].as_f64().unwrap() - 0.01).abs() < 1e-9);
    assert_eq!(pair("lower", "slide")["meeting"], "always");
    assert_eq!(pair("base", "slide")["meeting"], "sometimes");
    // The pose that is told is one in which they touch.
    let touching = &pair("base", "slide")["joints"];
    let values: Vec<String> = touching
        .as_array()
        .unwrap()
        .iter()
        .map(|joint| joint.get("value_deg").or(joint.get("value")).unwrap().to_string())
        .collect();
    let (_, placed) = json(&freiraum(
        &folder,
        &["robot", "fk", "arm.urdf", "--joints", &values.join(","), "--link", "slide", "--json"],
    ));
    let at: Vec<f64> =
        placed["links"][0]["position"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!(at[0].hypot(at[1]) < 0.45 && at[2] - 0.2 < 0.05 + 1e-9, "{at:?}");
    let written = std::fs::read_to_string(folder.path().join("out.srdf")).unwrap();
    assert!(
        written.contains("link1=\"lower\" link2=\"slide\" reason=\"Adjacent\"/> <!-- proven"),
        "{written}"
    );
    assert!(written.contains("<!-- base and slide are to be checked: sometimes"), "{written}");
    assert!(!written.contains("link1=\"base\" link2=\"slide\""));
    // What was written is read again, and hides nothing.
    let again = freiraum(&folder, &["robot", "audit", "arm.urdf", "--srdf", "out.srdf"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stdout));
    // The other file ignores a pair that can touch.
    let other = freiraum(&folder, &["robot", "audit", "arm.urdf", "--srdf", "arm.srdf"]);
    let said = text(&other.stdout);
    assert_eq!(other.status.code(), Some(1), "{said}");
    assert!(
        said.contains("dangerous  the SRDF file ignores base and slide (reason 'User'), but they can touch"),
        "{said}"
    );
    assert!(said.contains("needless   the SRDF file leaves base and upper to be checked"), "{said}");
    // A budget that ends.
    let little =
        freiraum(&folder, &["robot", "audit", "arm.urdf", "--cells", "1", "--samples", "5", "--json"]);
    let (code, little) = json(&little);
    assert_eq!(code, 3, "{little}");
    assert!(
        little["pairs"].as_array().unwrap().iter().any(|pair| pair["open"].as_f64().is_some_and(|x| x > 0.0))
    );
    // The answer does not depend on the number of threads.
    let (_, alone) = json(&freiraum(&folder, &["robot", "audit", "arm.urdf", "--threads", "1", "--json"]));
    assert_eq!(alone["pairs"], found["pairs"]);
}

#[test]
fn wrong_input_is_told_with_its_place() {
    let folder = folder("robot-wrong");
    folder.file("bad.urdf", scara().replace("type=\"continuous\"", "type=\"continous\""));
    folder.file(
        "mesh.urdf",
        scara().replace("<box size=\"0.6 0.6 0.1\"/>", "<mesh filename=\"package://scara/base.stl\"/>"),
    );
    folder.file("bad.srdf", SRDF.replace("link2=\"lower\"", "link2=\"lowr\""));
    let check = |arguments: &[&str], said: &[&str]| {
        let output = freiraum(&folder, &[&["robot"], arguments].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        said.iter().for_each(|said| assert!(error.contains(said), "{arguments:?}: {error}"));
        let output = freiraum(&folder, &[&["robot"], arguments, &["--json"]].concat());
        let (code, document) = json(&output);
        assert!(code == 2 && document["error"]["message"].is_string(), "{document}");
    };
    check(
        &["info", "bad.urdf"],
        &["bad.urdf:11", "'continous' is no type of joint", "did you mean 'continuous'?"],
    );
    check(&["info", "mesh.urdf"], &["mesh.urdf:2", "scara"]);
    check(&["info", "none.urdf"], &["none.urdf", "cannot be read"]);
    check(&["info", "arm.urdf", "--srdf", "bad.srdf"], &["bad.srdf:4", "did you mean 'lower'?"]);
    check(&["fk", "arm.urdf", "--link", "claw"], &["no link named 'claw'", "hand"]);
    check(
        &["fk", "arm.urdf", "--joints", "1,2,3"],
        &["--joints has 3 values; expected 4, for shoulder, elbow, lift, wrist"],
    );
    check(
        &["fk", "arm.urdf", "--joints", "1,x,0,0"],
        &["'x' for joint 'elbow' is no number; expected degrees"],
    );
    check(&["fk", "arm.urdf", "--joints", "grip=1"], &["'grip' is fixed or follows another one"]);
    check(&["fk", "arm.urdf", "--joints", "shoulder=1,2"], &["'2' has no name"]);
    check(
        &["fk", "arm.urdf", "--srdf", "arm.srdf", "--state", "home"],
        &["no state named 'home'; it has ready"],
    );
    check(&["fk", "arm.urdf", "--state", "ready"], &["--srdf"]);
    check(&["ik", "arm.urdf"], &["--pose"]);
    check(&["info", "arm.urdf", "--package", "scara"], &["expected NAME=DIR"]);
    check(
        &["audit", "arm.urdf", "--srdf-out", "no/such/folder/out.srdf", "--samples", "1", "--cells", "1"],
        &["cannot write"],
    );
}

/// A scene with the arm of [`scara`] and a program.
const CELL: &str = "units = \"mm\"\n[[robot]]\nname = \"arm\"\nmodel = \"arm.urdf\"\nflange = \"hand\"\n\n[[body]]\nname = \"gear\"\nshape = { sphere = { radius = 10 } }\npose = [700, 0, 60]\n";

const STEPS: &str = "\n[[step]]\nname = \"pick\"\nrobot = \"arm\"\ndo = [\n    { ptp = { joints_deg = [10, -20, -50, 0], speed = 0.5, profile = \"smooth\" } },\n    { grasp = { body = \"gear\", depth = 0.5 } },\n    { lin = { by = [0, 0, 20], speed = 100 } },\n    { wait = 0.5 },\n]\n";

#[test]
fn programs_are_listed_exported_and_imported() {
    let folder = folder("robot-program");
    folder.file("cell.toml", format!("{CELL}{STEPS}"));
    folder.file("empty.toml", CELL);
    let program = |arguments: &[&str]| freiraum(&folder, &[&["robot", "program"], arguments].concat());
    let listed = program(&["cell.toml"]);
    assert_eq!(listed.status.code(), Some(0));
    let expected = "\
ROBOT arm  START J1 0°  J2 0°  J3 0 mm  J4 0°

STEP 1 pick
    1  arm  PTP      J1 10°  J2 -20°  J3 -50 mm  J4 0°  50 %  SMOOTH
    2  arm  GRASP    gear  DEPTH 0.5 mm
    3  arm  LIN      BY X 0 mm  Y 0 mm  Z 20 mm  100 mm/s
    4  arm  WAIT     0.5 s
";
    assert_eq!(text(&listed.stdout), expected);
    assert!(text(&program(&["empty.toml"]).stdout).ends_with("no steps\n"));
    // Out, and into a scene without steps: the same file as before.
    let exported = program(&["cell.toml", "--json"]);
    let (code, document) = json(&exported);
    assert_eq!((code, &document["steps"][0]["do"][1]["grasp"]["body"]), (0, &"gear".into()));
    folder.file("program.json", &exported.stdout);
    let imported = program(&["empty.toml", "--import", "program.json", "-o", "again.toml"]);
    assert_eq!(text(&imported.stdout), "1 step added after 0, written to again.toml\n");
    assert_eq!(text(&program(&["again.toml"]).stdout), expected);
    assert_eq!(std::fs::read_to_string(folder.path().join("again.toml")).unwrap(), format!("{CELL}{STEPS}"));
    // Onto itself: after the steps that are there.
    let (code, told) =
        json(&program(&["again.toml", "--import", "program.json", "-o", "again.toml", "--json"]));
    assert_eq!(code, 0, "{told}");
    assert_eq!(told, serde_json::json!({ "added": 1, "steps": 2, "written": "again.toml" }));
    let help = text(&program(&["--help"]).stdout);
    assert!(help.contains("freiraum robot program cell.toml --json > program.json"), "{help}");
}

#[test]
fn programs_that_cannot_be_imported() {
    let folder = folder("robot-program-errors");
    folder.file("cell.toml", CELL);
    folder.file("broken.json", "{ \"steps\": [\n  { \"robot\" } ] }");
    folder.file("steps.toml", STEPS);
    folder.file("list.json", "[]");
    folder.file(
        "wrong.json",
        "{ \"steps\": [{ \"robot\": \"amr\", \"wait\": 1 }, { \"name\": \"go\", \"robot\": \"arm\", \"ptp\": { \"joints_deg\": [1] } }] }",
    );
    let check = |arguments: &[&str], said: &[&str]| {
        let output = freiraum(&folder, &[&["robot", "program"], arguments].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        said.iter().for_each(|said| assert!(error.contains(said), "{arguments:?}: {error}"));
        assert!(!folder.path().join("out.toml").exists(), "nothing is written");
    };
    let import = |name: &'static str| ["cell.toml", "--import", name, "-o", "out.toml"];
    check(&import("none.json"), &["cannot read the program none.json"]);
    check(&import("broken.json"), &["broken.json:2:", "no valid JSON", "freiraum robot program --json"]);
    check(&import("steps.toml"), &["this looks like a scene file"]);
    check(&import("list.json"), &["list.json", "an object with \"steps\""]);
    check(
        &import("wrong.json"),
        &[
            "wrong.json",
            "step 1: there is no robot \"amr\"",
            "step 2 \"go\": found 1 joint value, but \"arm\" has 4 joints",
        ],
    );
    check(&["cell.toml", "--import", "list.json"], &["--output"]);
    check(&["cell.toml", "-o", "out.toml"], &["--import"]);
    check(&["cell.toml", "--import", "list.json", "-o", "no/folder/out.toml"], &["there is no folder"]);
    check(&["none.toml"], &["none.toml"]);
}

/// `path = "plan"` is replaced by joint values; the file stays readable and what it says is free.
#[test]
fn planned_programs_are_written_back() {
    let folder = folder("robot-planned");
    // A post in the way of the arm as it turns.
    let post = "\n[[body]]\nname = \"post\"\nshape = { box = { size = [60, 60, 600] } }\npose = [450, 450, 300]\nfixed = true\n";
    let plan = "\n[[step]]\nname = \"over\"   # to the other side\nrobot = \"arm\"\npath = \"plan\"\nto = { joints_deg = [100, 0, 0, 0] }\n";
    folder.file("open.toml", format!("{CELL}{post}{plan}").replace("[700, 0, 60]", "[-700, -700, 60]"));
    let output = freiraum(&folder, &["plan", "open.toml", "-o", "planned.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let written = std::fs::read_to_string(folder.path().join("planned.toml")).unwrap();
    assert!(!written.contains("path = \"plan\"") && written.contains("# to the other side"), "{written}");
    assert!(written.contains("ptp = { joints_deg = "), "{written}");
    let checked = freiraum(&folder, &["check", "planned.toml"]);
    assert_eq!(checked.status.code(), Some(0), "{}{written}", text(&checked.stdout));
}

#[test]
fn followers_that_leave_a_joint_less() {
    let folder = Folder::new("robot-narrow");
    let narrow =
        scara().replace("<limit lower=\"0\" upper=\"0.1\"/><mimic", "<limit lower=\"0\" upper=\"0\"/><mimic");
    folder.file("arm.urdf", narrow);
    let (_, found) = json(&freiraum(&folder, &["robot", "info", "arm.urdf", "--json"]));
    let lift = &found["joints"][2];
    assert_eq!(
        (&lift["lower"], lift["range_lower"].as_f64(), lift["range_upper"].as_f64()),
        (&Value::from(-0.1), Some(0.0), Some(0.0))
    );
    let people = text(&freiraum(&folder, &["robot", "info", "arm.urdf"]).stdout);
    let note = "lift: only 0 m is possible: grip follows lift with factor -1, and its limits are 0 to 0 m";
    assert!(people.contains(note), "{people}");
}
