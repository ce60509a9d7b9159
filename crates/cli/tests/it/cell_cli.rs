//! The cell of two arms: proven free, caught where a synchronisation is missing, free again when shifted in time.

use freiraum_testkit::folder::Folder;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cell")
}

/// The exit code and the one JSON document.
fn check(scene: &Path) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let output = command.args(["check", "--json", "--no-cache"]).arg(scene).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap(), serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}: {said}")))
}

#[test]
fn two_arms_assemble_the_drive_and_never_meet() {
    let (code, found) = check(&examples().join("cell.toml"));
    assert_eq!((code, &found["verdict"]), (0, &"free".into()), "{found}");
    let steps = found["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 15);
    // The teeth in mesh are the narrowest place.
    let narrowest =
        steps.iter().min_by(|a, b| a["clearance"].as_f64().partial_cmp(&b["clearance"].as_f64()).unwrap());
    let narrowest = narrowest.unwrap();
    assert_eq!(narrowest["pair"], json!(["wheel", "pinion"]), "{narrowest}");
    assert!((narrowest["clearance"].as_f64().unwrap() - 0.29).abs() < 0.02, "{narrowest}");
}

#[test]
fn without_the_synchronisation_they_meet_for_a_moment_and_shifted_in_time_they_do_not() {
    let (code, found) = check(&examples().join("cell-faulty.toml"));
    assert_eq!((code, &found["verdict"]), (1, &"collision".into()), "{found}");
    let bad: Vec<&Value> =
        found["steps"].as_array().unwrap().iter().filter(|step| step["verdict"] != "free").collect();
    assert_eq!(bad.len(), 1, "{found}");
    let findings = bad[0]["findings"].as_array().unwrap();
    assert_eq!(
        (findings.len(), &findings[0]["pair"]),
        (1, &json!(["left/forearm", "right/hand"])),
        "{findings:?}"
    );
    assert!((findings[0]["seconds"].as_f64().unwrap() - 1.469).abs() < 0.01, "{findings:?}");
    let joints = &findings[0]["joints_deg"];
    for (robot, expected) in [("left", [5.3, 46.4, -27.4]), ("right", [1.7, 31.8, -15.3])] {
        for (number, expected) in expected.into_iter().enumerate() {
            assert!((joints[robot][number].as_f64().unwrap() - expected).abs() < 0.5, "{joints}");
        }
    }
    // The second part of the third step, whatever tells it.
    assert_eq!([&bad[0]["step"], &bad[0]["part"]], [&json!(3), &json!(2)], "{found}");
    let folder = Folder::new("cell-words");
    let report = folder.path().join("report");
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.args(["check", "--no-cache", "--report"]).arg(&report).arg(examples().join("cell-faulty.toml"));
    let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let number = "3.2";
    assert!(said.lines().any(|line| line.trim_start().starts_with(&format!("{number}  "))), "{said}");
    assert!(said.contains(&format!("step {number}, ")) && said.contains("4 of 5 steps free"), "{said}");
    let page = std::fs::read_to_string(report.join("report.html")).unwrap();
    assert!(page.contains(&format!("id=\"step-{number}\"")) && page.contains(&format!(">{number}</a>")));
    assert!(page.contains(&format!("The end is not reached: in step {number}, ")));
    // The camera looks for half a second less: one arm is gone before the other comes.
    let folder = Folder::new("cell-shifted");
    let shifted = freiraum_demo::CELL_FAULTY.1.replace("wait = 3.75", "wait = 3.25");
    assert!(shifted != freiraum_demo::CELL_FAULTY.1);
    let scene = freiraum_demo::write_cell(folder.path(), ("shifted.toml", &shifted)).unwrap();
    let (code, found) = check(&scene);
    assert_eq!((code, &found["verdict"]), (0, &"free".into()), "{found}");
}

#[test]
fn a_way_around_the_other_arm_is_found() {
    let (code, found) = check(&examples().join("cell-plan.toml"));
    assert_eq!((code, &found["verdict"]), (0, &"free".into()), "{found}");
}

#[test]
fn the_files_in_the_repository_are_what_the_code_makes() {
    let folder = Folder::new("cell-files");
    freiraum_demo::write_cell(folder.path(), freiraum_demo::CELL).unwrap();
    let mut count = 0;
    for below in ["", "arm", "parts"] {
        for entry in std::fs::read_dir(examples().join(below)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if path.is_dir() || name == "cell-faulty.toml" || name == "cell-plan.toml" {
                continue;
            }
            let made = std::fs::read(folder.path().join(below).join(name)).unwrap();
            assert!(
                std::fs::read(&path).unwrap() == made,
                "{}: differs from what crates/demo makes",
                path.display()
            );
            count += 1;
        }
    }
    assert_eq!(count, 3 + 10 + 14);
    // The two scenes differ by their first lines and one point of synchronisation.
    let program = |(_, text): (&str, &str)| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.is_empty() && *line != "#");
        lines.filter(|line| !line.contains("nobody is above the housing")).map(str::to_owned).collect()
    };
    assert_eq!(program(freiraum_demo::CELL), program(freiraum_demo::CELL_FAULTY));
}
