//! The cell of two arms: proven free, and caught where a synchronisation is missing.

use freiraum_testkit::folder::Folder;
use serde_json::Value;
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
}

#[test]
fn the_files_in_the_repository_are_what_the_code_makes() {
    let folder = Folder::new("cell-files");
    freiraum::demo::write_cell(folder.path(), freiraum::demo::CELL).unwrap();
    let mut count = 0;
    for below in ["", "arm", "parts"] {
        for entry in std::fs::read_dir(examples().join(below)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if path.is_dir() || name == "cell-faulty.toml" || name == "cell-plan.toml" {
                continue;
            }
            let made = std::fs::read(folder.path().join(below).join(name)).unwrap();
            assert!(std::fs::read(&path).unwrap() == made, "{}: make_examples", path.display());
            count += 1;
        }
    }
    assert_eq!(count, 3 + 10 + 14);
}
