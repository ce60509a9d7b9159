//! One decision: the command line, the library and `report.json` say the same of every example. The studio's own test holds its verdict against the library.

use freiraum::assets::ShapeCache;
use freiraum::check::Timeline;
use freiraum::check::{CheckMemory, CheckOptions, WarningCode, check};
use freiraum::formats::scene::SceneFile;
use freiraum::planning::path::{CompleteOptions, Completed, StepFound, complete, open_steps};
use freiraum_testkit::folder::Folder;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// What the library says of a file, and what it wants to be known by.
fn library(path: &Path, fills: bool) -> Value {
    let file = SceneFile::read(path).unwrap();
    let parts = ShapeCache::of(file.scene());
    let mut go_on = |_: &str, _: &freiraum::planning::path::Progress| ControlFlow::Continue(());
    let Completed { scene, steps } = if fills && !open_steps(file.scene()).is_empty() {
        complete(file.scene(), &parts, &CompleteOptions::default(), &mut go_on).unwrap()
    } else {
        Completed { scene: file.scene().clone(), steps: Vec::new() }
    };
    let timeline = Timeline::of(&scene).unwrap();
    let steps: Vec<_> = steps.iter().map(StepFound::planned).collect();
    let options = CheckOptions { file: Some(&file), planned: &steps, ..CheckOptions::default() };
    json!(check(&scene, &timeline, &parts, &CheckMemory::default(), &options).unwrap())
}

/// Without what differs from run to run, and what only a file has.
fn lasting(mut document: Value) -> Value {
    let map = document.as_object_mut().unwrap();
    for key in ["seconds", "date", "report"] {
        map.remove(key);
    }
    for step in map["steps"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("curves");
    }
    document
}

fn command_line(folder: &Folder, path: &Path, report: Option<&Path>) -> (Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.arg("check").arg(path).args(["--json", "--no-cache"]).current_dir(folder.path());
    if let Some(report) = report {
        command.arg("--report").arg(report);
    }
    let found = command.output().unwrap();
    let document: Value = serde_json::from_slice(&found.stdout).unwrap();
    let text = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .arg("check")
        .arg(path)
        .arg("--no-cache")
        .output()
        .unwrap();
    (document, String::from_utf8(text.stdout).unwrap())
}

/// All scenes of `examples/`, from there.
fn all_examples() -> Vec<String> {
    let folders = std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.filter(|path| path.is_dir()).flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let scenes =
        files.map(|entry| entry.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "toml"));
    let mut names: Vec<String> =
        scenes.map(|path| path.strip_prefix(examples()).unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

fn check_agreement(name: &str, fills: bool) {
    let folder = Folder::new(&format!("agreement-{}", name.replace('/', "-")));
    let path = examples().join(name);
    let report = folder.path().join("report");
    let (document, text) = command_line(&folder, &path, Some(&report));
    let written: Value = serde_json::from_slice(&std::fs::read(report.join("report.json")).unwrap()).unwrap();
    let page = std::fs::read_to_string(report.join("report.html")).unwrap();
    for warning in document["warnings"].as_array().unwrap() {
        let message = warning["message"].as_str().unwrap();
        let start: String = message.chars().skip(1).take_while(|c| !"'\"<>&".contains(*c)).collect();
        assert!(text.contains(message) && page.contains(&start), "{name}: {message}");
    }
    for said in document["not_covered"].as_array().unwrap() {
        let said = said.as_str().unwrap();
        let start: String = said.chars().skip(1).take_while(|c| !"'\"<>&".contains(*c)).collect();
        assert!(text.contains(said) && page.contains(&start), "{name}: {said}");
    }
    let document = lasting(document);
    assert_eq!(lasting(written), document, "{name}: report.json");
    assert_eq!(lasting(library(&path, fills)), document, "{name}: library");
}

#[test]
fn the_gearbox_is_the_same_through_every_door() {
    check_agreement("gearbox/gearbox.toml", false);
    check_agreement("gearbox/gearbox-faulty.toml", false);
}

#[test]
fn the_cell_is_the_same_through_every_door() {
    check_agreement("cell/cell.toml", false);
    check_agreement("cell/cell-faulty.toml", false);
}

/// Also those with ways that planners have to find.
#[test]
fn all_other_examples_are_the_same_through_every_door() {
    let all = all_examples();
    assert!(all.len() >= 17 && all.contains(&"cell/cell-plan.toml".to_owned()), "{all:?}");
    let is_other = |name: &&String| {
        !name.starts_with("gearbox/") && !name.starts_with("cell/cell.") && !name.contains("cell-faulty")
    };
    for name in all.iter().filter(is_other) {
        check_agreement(name, true);
    }
}

/// A step for which there is proven to be no way: it ends inside of a wall.
#[test]
fn a_proof_that_there_is_no_way_is_a_decision_of_the_check() {
    let folder = Folder::new("agreement-no-way");
    let text = "units = \"mm\"\n[[body]]\nname = \"wall\"\nfixed = true\nshape = { box = { size = [10, 100, 100] } }\n\
        [[body]]\nname = \"box\"\nshape = { box = { size = [20, 20, 20] } }\npose = { position = [-50, 0, 0] }\n\
        [[step]]\nname = \"in\"\nmove = \"box\"\npath = \"plan\"\nto = { position = [5, 0, 0] }\n";
    folder.file("room.toml", text);
    let path = folder.path().join("room.toml");
    let (document, said) = command_line(&folder, &path, None);
    assert_eq!(
        (&document["verdict"], &document["steps"][0]["verdict"]),
        (&json!("invalid"), &json!("invalid"))
    );
    assert_eq!(document["planned"][0]["proven"], true);
    assert!(said.contains("there is no way for the box"), "{said}");
    assert_eq!(lasting(library(&path, true)), lasting(document));
    // Without the answer of a planner it is not known.
    assert_eq!(library(&path, false)["verdict"], "undecided");
}

#[test]
fn findings_stand_where_the_file_leads_to_them() {
    let path = examples().join("cell/cell-faulty.toml");
    let found = library(&path, false);
    let text = std::fs::read_to_string(&path).unwrap();
    let steps = found["steps"].as_array().unwrap();
    let findings: Vec<&Value> = steps.iter().flat_map(|step| step["findings"].as_array().unwrap()).collect();
    assert!(!findings.is_empty());
    for finding in findings {
        let line = text.lines().nth(finding["line"].as_u64().unwrap() as usize - 1).unwrap();
        // The action of the robot, not its whole program.
        assert!(line.trim_start().starts_with("{ ptp = "), "{line}");
        let column = finding["column"].as_u64().unwrap() as usize - 1;
        assert!(line[column..].starts_with("ptp"), "{line}");
        assert!(finding["file"].as_str().unwrap().ends_with("cell-faulty.toml"));
    }
    for (rule, starts) in [("pair", "[[pair]]"), ("srdf", "srdf")] {
        let exempt = found["exempt"].as_array().unwrap();
        let of_rule: Vec<&Value> = exempt.iter().filter(|one| one["rule"] == rule).collect();
        assert!(!of_rule.is_empty(), "{rule}");
        for one in of_rule {
            let line = text.lines().nth(one["line"].as_u64().unwrap() as usize - 1).unwrap();
            assert!(line.starts_with(starts), "{rule}: {line}");
        }
    }
}

/// The digests are those of the bytes, which anybody can compute.
#[test]
fn inputs_have_the_digests_of_their_bytes() {
    let path = examples().join("cell/cell.toml");
    let found = library(&path, false);
    let inputs = found["inputs"].as_array().unwrap();
    let kinds =
        ["scene", "mesh", "robot"].map(|kind| inputs.iter().filter(|one| one["kind"] == kind).count());
    assert!(kinds[0] == 1 && kinds[1] > 5 && kinds[2] > 2, "{kinds:?}");
    for input in inputs {
        let bytes = std::fs::read(examples().join("cell").join(input["path"].as_str().unwrap())).unwrap();
        assert_eq!(input["blake3"], blake3::hash(&bytes).to_hex().to_string(), "{input}");
    }
}

fn warned(text: &str) -> Vec<(WarningCode, String)> {
    let file = SceneFile::parse(text, Path::new(""), "scene.toml").unwrap();
    let timeline = Timeline::of(file.scene()).unwrap();
    let options = CheckOptions { file: Some(&file), ..CheckOptions::default() };
    let parts = ShapeCache::of(file.scene());
    let found = check(file.scene(), &timeline, &parts, &CheckMemory::default(), &options).unwrap();
    found.warnings.into_iter().map(|warning| (warning.code, warning.message)).collect()
}

#[test]
fn units_that_are_hardly_meant_are_told() {
    let scene = |units: &str, clearance: &str, size: f64| {
        format!(
            "units = \"{units}\"\n[check]\nclearance = {clearance}\n[[body]]\nname = \"gearbox\"\n\
             shape = {{ box = {{ size = [{size}, 1, 1] }} }}\n[[body]]\nname = \"table\"\nfixed = true\n\
             shape = {{ plane = {{ normal = [0, 0, 1], offset = -900 }} }}\n\
             [[step]]\nname = \"lift\"\nmove = \"gearbox\"\ntranslate = [0, 0, 1]\n"
        )
    };
    let codes = |text: &str| warned(text).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert_eq!(codes(&scene("mm", "0.05", 200.0)), []);
    assert_eq!(codes(&scene("m", "0.05", 200.0)), [WarningCode::Unit]);
    assert_eq!(codes(&scene("mm", "0.00005", 200.0)), [WarningCode::Unit]);
    assert_eq!(codes(&scene("um", "0.5", 20.0)), []);
    let said = &warned(&scene("m", "0.05", 200.0))[0].1;
    assert_eq!(said, "the gearbox is 200 m long: is the unit right? Lengths of the scene are in m");
    // The same length in rules for pairs is no other warning.
    let pair = "[[pair]]\nbodies = [\"gearbox\", \"table\"]\nclearance = 0.00005\n";
    assert_eq!(codes(&(scene("mm", "0.00005", 200.0) + pair)), [WarningCode::Unit]);
    assert_eq!(codes(&(scene("mm", "0.00006", 200.0) + pair)), [WarningCode::Unit; 2]);
    let said = &warned(&scene("mm", "0.00005", 200.0))[0].1;
    assert!(said.starts_with("a clearance of 0.00005 mm is finer than a part can be measured"), "{said}");
}
