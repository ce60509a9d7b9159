//! The command contract from outside: exit codes, JSON keys, streams.

use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn freiraum(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.args(arguments.iter().map(|a| a.as_ref())).env_remove("NO_COLOR");
    command.output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not killed by a signal")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The one JSON document on stdout.
fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stdout)))
}

/// A unit cube as OFF with the given faces out of its six quads.
fn cube(quads: &[usize]) -> String {
    let all = ["4 0 2 3 1", "4 4 5 7 6", "4 0 1 5 4", "4 2 6 7 3", "4 0 4 6 2", "4 1 3 7 5"];
    let vertices: Vec<String> = (0..8).map(|i| format!("{} {} {}", i & 1, i >> 1 & 1, i >> 2)).collect();
    let faces: Vec<&str> = quads.iter().map(|&i| all[i]).collect();
    format!("OFF\n8 {} 0\n{}\n{}\n", faces.len(), vertices.join("\n"), faces.join("\n"))
}

const WHOLE: [usize; 6] = [0, 1, 2, 3, 4, 5];

fn close(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-12
}

#[test]
fn info_of_a_good_mesh() {
    let folder = Folder::new("cli-good");
    let file = folder.file("cube.off", cube(&WHOLE));
    let output = freiraum(&[&"mesh", &"info", &file, &"--json"]);
    assert_eq!(code(&output), 0);
    assert!(output.stderr.is_empty());
    let facts = json(&output);
    for (key, expected) in
        [("triangles", 12), ("vertices", 8), ("edges", 18), ("feature_edges", 12), ("components", 1)]
    {
        assert_eq!(facts[key], expected, "{key}");
    }
    assert_eq!((&facts["watertight"], &facts["valid"]), (&Value::Bool(true), &Value::Bool(true)));
    assert!(close(&facts["volume"], 1.0) && close(&facts["area"], 6.0));
    assert!((0..3).all(|i| close(&facts["centroid"][i], 0.5) && close(&facts["inertia"][i][i], 1.0 / 6.0)));
    assert_eq!(facts["box"]["max"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(facts["units"], "m");
    assert_eq!(facts["defects"], serde_json::json!([]));

    let human = text(&freiraum(&[&"mesh", &"info", &file, &"--units", &"mm", &"--picture"]).stdout);
    assert!(human.contains("volume") && human.contains("1 mm³") && human.contains("sound"), "{human}");
}

#[test]
fn info_of_a_broken_mesh_names_defects_and_exits_1() {
    let folder = Folder::new("cli-broken");
    let file = folder.file("open.off", cube(&[0, 1, 2, 3, 4]));
    let output = freiraum(&[&"mesh", &"info", &file, &"--json"]);
    assert_eq!(code(&output), 1);
    let facts = json(&output);
    assert_eq!(facts["watertight"], false);
    assert_eq!(facts["volume"], Value::Null);
    assert_eq!(facts["defects"][0]["kind"], "open_edges");
    assert_eq!(facts["defects"][0]["count"], 4);
    assert_eq!(facts["defects"][0]["places"].as_array().unwrap().len(), 4);
    assert_eq!(facts["holes"][0]["edges"], 4);
    let place = &facts["defects"][0]["places"][0];
    assert_eq!(place["at"], format!("edge {}-{}", place["edge"][0], place["edge"][1]));

    let output = freiraum(&[&"mesh", &"info", &file]);
    let human = text(&output.stdout);
    assert_eq!(code(&output), 1);
    for part in ["4 open edges", "1 hole", "near (", "… and 1 more", "mesh repair"] {
        assert!(human.contains(part), "{part} in {human}");
    }
}

#[test]
fn bad_input_exits_2_with_a_place() {
    let folder = Folder::new("cli-bad");
    let file = folder.file("bad.off", "OFF\n3 1 0\n0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n");
    let output = freiraum(&[&"mesh", &"info", &file]);
    assert_eq!(code(&output), 2);
    assert!(output.stdout.is_empty());
    let message = text(&output.stderr);
    assert!(message.contains("bad.off:4:5") && message.contains("zero"), "{message}");

    let output = freiraum(&[&"mesh", &"info", &file, &"--json"]);
    assert_eq!(code(&output), 2);
    let error = &json(&output)["error"];
    assert_eq!(
        (&error["code"], &error["line"], &error["column"]),
        (&"mesh_file".into(), &4.into(), &5.into())
    );
    assert!(error["file"].as_str().unwrap().ends_with("bad.off"));

    for arguments in
        [["mesh", "info", "no-such-file.stl"], ["mesh", "nonsense", "x"], ["bounds", "--kdop", "7"]]
    {
        let output = freiraum(&[&arguments[0], &arguments[1], &arguments[2]]);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
    let output = freiraum(&[&"mesh", &"info", &"--json"]);
    let message = json(&output)["error"]["message"].to_string();
    assert!(code(&output) == 2 && message.contains("<FILE>"), "{message}");
    let output = freiraum(&[&"mesh", &"nonsense", &"--json"]);
    assert_eq!((code(&output), &json(&output)["error"]["code"]), (2, &Value::from("usage")));
}

#[test]
fn convert_keeps_the_size_over_units() {
    let folder = Folder::new("cli-convert");
    let file = folder.file("cube.off", cube(&WHOLE));
    let size = |path: &Path| json(&freiraum(&[&"mesh", &"info", &path, &"--json"]))["box"]["size"][0].clone();
    for (name, expected) in [("out.stl", 1.0), ("out.obj", 1.0), ("out.ply", 1.0), ("out.glb", 0.001)] {
        let out = folder.path().join(name);
        let output = freiraum(&[&"mesh", &"convert", &file, &out, &"--units", &"mm", &"--json"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(json(&output)["triangles"], 12);
        assert!((size(&out).as_f64().unwrap() / expected - 1.0).abs() < 1e-6, "{name}: {}", size(&out));
    }
    let out = folder.path().join("inch.ply");
    freiraum(&[&"mesh", &"convert", &file, &out, &"--units", &"in", &"--to-units", &"mm"]);
    assert_eq!(size(&out), 25.4);
    let output = freiraum(&[&"mesh", &"convert", &file, &folder.path().join("x.glb"), &"--to-units", &"mm"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("metres by definition"));
}

#[test]
fn convert_to_stdout_writes_the_mesh_and_nothing_else_there() {
    let folder = Folder::new("cli-stdout");
    let (file, out) = (folder.file("cube.off", cube(&WHOLE)), folder.path().join("out.obj"));
    freiraum(&[&"mesh", &"convert", &file, &out]);
    for name in ["-", "/dev/stdout"] {
        let output = freiraum(&[&"mesh", &"convert", &file, &name, &"--to-format", &"obj"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(output.stdout, std::fs::read(&out).unwrap());
        assert!(text(&output.stderr).contains("12 triangles"));
    }
    let output = freiraum(&[&"mesh", &"convert", &file, &"-", &"--to-format", &"obj", &"--json"]);
    assert_eq!((code(&output), &json(&output)["error"]["code"]), (2, &Value::from("usage")));
}

#[test]
fn advice_can_be_pasted_into_a_shell() {
    let folder = Folder::new("cli-advice");
    let file = folder.file("mein Teil.off", cube(&[0, 1, 2, 3, 4]));
    let human = text(&freiraum(&[&"mesh", &"info", &file, &"--units", &"in"]).stdout);
    let advice = format!("freiraum mesh repair '{}' repaired.off --units in\n", file.display());
    assert!(human.contains(&advice) && human.contains("fills no holes"), "{human}");
    assert!(human.contains("(OFF, lengths in in)"), "{human}");
    let human = text(&freiraum(&[&"mesh", &"info", &file]).stdout);
    assert!(human.contains("lengths taken as m: see --units"), "{human}");
}

#[test]
fn repair_says_what_it_changed() {
    let folder = Folder::new("cli-repair");
    // One face turned over, one given twice.
    let turned = cube(&[0, 1, 2, 3, 4, 5, 5]).replacen("4 4 5 7 6", "4 6 7 5 4", 1);
    let (file, out) = (folder.file("turned.off", turned), folder.path().join("fixed.off"));
    let output = freiraum(&[&"mesh", &"repair", &file, &out, &"--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stdout));
    let log = json(&output);
    assert_eq!(log["valid"], true);
    assert_eq!(log["changes"]["duplicate_faces_dropped"], 2);
    assert_eq!(log["changes"]["faces_turned"], 2);
    let facts = json(&freiraum(&[&"mesh", &"info", &out, &"--json"]));
    assert!(facts["valid"] == true && close(&facts["volume"], 1.0));

    let (file, out) = (folder.file("open.off", cube(&[0, 1, 2, 3, 4])), folder.path().join("still-open.off"));
    let output = freiraum(&[&"mesh", &"repair", &file, &out]);
    assert_eq!(code(&output), 1, "a hole stays a hole");
    assert!(out.exists() && text(&output.stdout).contains("4 open edges"));
}

#[test]
fn numbers_in_one_unit_pass_through_unchanged() {
    let folder = Folder::new("cli-exact");
    // Divided by 1000 and multiplied again, both coordinates of the first vertex would change, and the corners of
    // the second face would no longer be in line.
    let text = "OFF\n6 2 0\n62.671 7.959 0\n70 9 0\n65 20 1\n0 0 0\n1 3 0\n3 9 0\n3 0 1 2\n3 3 4 5\n";
    let (file, out) = (folder.file("flat.off", text), folder.path().join("out.off"));
    assert_eq!(code(&freiraum(&[&"mesh", &"convert", &file, &out, &"--units", &"mm"])), 0);
    assert!(std::fs::read_to_string(&out).unwrap().contains("unit mm\n6 2 0\n62.671 7.959 0.0\n"));
    for units in ["m", "mm"] {
        let info = json(&freiraum(&[&"mesh", &"info", &file, &"--units", &units, &"--json"]));
        assert_eq!(info["defects"][1]["kind"], "degenerate_faces", "{info}");
        for out in ["out.off", "out.ply", "out.glb"].map(|name| folder.path().join(name)) {
            let log = json(&freiraum(&[&"mesh", &"repair", &file, &out, &"--units", &units, &"--json"]));
            assert_eq!(log["changes"]["degenerate_faces_dropped"], 1, "{units}: {log}");
            // Places are told in the unit of what was written.
            let millimetres = if log["units"] == "m" && units == "mm" { 1000.0 } else { 1.0 };
            let at = &log["defects"][0]["places"][0]["point"][0];
            assert!(close(at, (0.5 * (62.671 + 70.0)) / millimetres), "{units}: {log}");
        }
    }
}

#[test]
fn welding_distances_are_checked() {
    let folder = Folder::new("cli-weld");
    let (file, out) = (folder.file("cube.off", cube(&WHOLE)), folder.path().join("out.off"));
    for bad in ["-1", "nan", "inf", "far"] {
        let output = freiraum(&[&"mesh", &"repair", &file, &out, &"--weld", &bad]);
        assert_eq!(code(&output), 2, "{bad}");
        assert!(text(&output.stderr).contains("is no welding distance"), "{bad}: {}", text(&output.stderr));
    }
    assert_eq!(code(&freiraum(&[&"mesh", &"repair", &file, &out, &"--weld", &"0"])), 0);
}

/// An answer that cannot be delivered is no good answer; Linux has a file that is always full.
#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_is_lost_exits_2() {
    let folder = Folder::new("cli-lost");
    let file = folder.file("cube.off", cube(&WHOLE));
    for arguments in [&["mesh", "info", "--json"][..], &["mesh", "info"], &["bounds"], &["bounds", "--json"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
        let output = command.args(arguments).arg(&file).stdout(full).output().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(text(&output.stderr).contains("stdout"), "{}", text(&output.stderr));
    }
}

#[test]
fn bounds_of_a_cube() {
    let folder = Folder::new("cli-bounds");
    let file = folder.file("cube.off", cube(&WHOLE));
    let output = freiraum(&[&"bounds", &file, &"--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let bounds = json(&output);
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() / expected - 1.0).abs() < 1e-6;
    assert!(near(&bounds["sphere"]["radius"], 0.75f64.sqrt()));
    assert!(near(&bounds["box"]["volume"], 1.0));
    assert!(near(&bounds["cylinder"]["volume"], std::f64::consts::FRAC_PI_2));
    assert!(near(&bounds["inscribed_sphere"]["radius"], 0.5));
    assert_eq!(bounds["kdop"]["k"], 18);
    assert!(text(&freiraum(&[&"bounds", &file]).stdout).contains("smallest sphere"));
    let flat = folder.file("flat.off", cube(&[0]));
    let human = text(&freiraum(&[&"bounds", &flat]).stdout);
    assert!(human.contains("none: the hull is flat"), "{human}");
}

#[test]
fn bounds_of_next_to_nothing_are_refused() {
    let folder = Folder::new("cli-tiny");
    let file = folder
        .file("tiny.off", cube(&WHOLE).replace("1 0 0\n", "1e-200 0 0\n").replace("0 1 0\n", "0 1e-200 0\n"));
    assert_eq!(code(&freiraum(&[&"bounds", &file])), 0, "other corners are a metre away");
    let file = folder.file("tinier.off", "OFF\n3 1 0\n0 0 0\n1e-200 0 0\n0 1e-200 0\n3 0 1 2\n");
    let output = freiraum(&[&"bounds", &file]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("1e-200 across"), "{}", text(&output.stderr));
}

#[test]
fn help_version_and_completions() {
    for arguments in [&["--help"][..], &["mesh", "info", "--help"], &["--version"], &["completions", "bash"]]
    {
        let arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = arguments.iter().map(|a| a as _).collect();
        let output = freiraum(&arguments);
        assert_eq!(code(&output), 0);
        assert!(!output.stdout.is_empty() && output.stderr.is_empty());
    }
    let script = text(&freiraum(&[&"completions", &"bash"]).stdout);
    assert!(script.contains("\"m dm cm mm um in ft\"") && script.contains("ply-big-endian"), "{script}");
    // Names that completions do not offer are understood as well.
    assert!(text(&freiraum(&[&"bounds", &"no.stl", &"--units", &"inch"]).stderr).contains("cannot open"));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = Folder::new("cli-colours");
    let file = folder.file("cube.off", cube(&WHOLE));
    let has_escape = |arguments: &[&dyn AsRef<std::ffi::OsStr>]| freiraum(arguments).stdout.contains(&0x1b);
    assert!(!has_escape(&[&"mesh", &"info", &file]), "stdout is no terminal here");
    assert!(has_escape(&[&"mesh", &"info", &file, &"--color", &"always"]));
    assert!(!has_escape(&[&"mesh", &"info", &file, &"--color", &"never"]));
}
