//! `freiraum draw` from outside: files, exit codes, JSON, bad input.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SCENE: &str = r#"
units = "mm"
[[body]]
name = "plate"
fixed = true
shape = { box = { size = [40, 40, 10] } }
[[body]]
name = "peg"
shape = { cylinder = { radius = 5, height = 20 } }
pose = [0, 0, 60]
[[step]]
name = "lower / peg"
move = "peg"
translate = [0, 0, -45]
[[step]]
name = "turn"
move = "peg"
rotate = { point = [0, 0, 0], axis = [0, 0, 1], deg = 90 }
"#;

/// A folder of its own with the scene in it, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("freiraum-draw-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("scene.toml"), SCENE).unwrap();
        Folder(path)
    }

    fn draw(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
        command.current_dir(&self.0).args(["draw", "scene.toml"]).args(arguments).output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn fails(folder: &Folder, arguments: &[&str], part: &str) {
    let output = folder.draw(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(part), "{arguments:?}: {said}");
}

#[test]
fn svg_and_png_beside_each_other() {
    let folder = Folder::new("files");
    assert_eq!(folder.draw(&[]).status.code(), Some(0));
    let svg = folder.read("scene.svg");
    assert!(svg.starts_with("<svg ") && svg.contains("id=\"peg\"") && svg.ends_with("</svg>\n"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    let output = folder.draw(&["-o", "a.png", "--dpi", "50", "--projection", "central", "--view", "60,-30"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(std::fs::read(folder.0.join("a.png")).unwrap().starts_with(b"\x89PNG"));
    let stdout = folder.draw(&["-o", "-", "--view", "top", "--style", "wireframe"]);
    assert!(stdout.stdout.starts_with(b"<svg ") && stdout.status.success());
    // Nothing half-written is left.
    assert_eq!(folder.names("."), ["a.png", "scene.svg", "scene.toml"]);
}

#[test]
fn every_step_in_a_file_of_its_own_and_what_json_says() {
    let folder = Folder::new("steps");
    let output = folder.draw(&["--each-step", "out", "--arrows", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(folder.names("out"), ["01-lower-peg.svg", "02-turn.svg"]);
    assert_eq!(document["drawings"].as_array().unwrap().len(), 2);
    assert_eq!(document["drawings"][1]["title"], "scene: 2/2  turn");
    assert_eq!(document["drawings"][0]["scale"], document["drawings"][1]["scale"]);
    // What an earlier run has left stays, with a warning.
    assert!(output.stderr.is_empty());
    let again = || String::from_utf8(folder.draw(&["--each-step", "out", "--arrows"]).stderr).unwrap();
    std::fs::write(folder.0.join("out/mine.svg"), "mine").unwrap();
    assert_eq!(again(), "");
    std::fs::write(folder.0.join("out/03-old.svg"), "old").unwrap();
    let said = again();
    assert!(said.contains("03-old.svg, not of this plan") && !said.contains("mine"), "{said}");
    for name in ["mine.svg", "03-old.svg"] {
        std::fs::remove_file(folder.0.join("out").join(name)).unwrap();
    }
    for name in folder.names("out") {
        assert!(folder.read(&Path::new("out").join(name).display().to_string()).contains("id=\"motion\""));
    }
    let by_name = folder.draw(&["-o", "-", "--step", "lower / peg"]);
    assert_eq!(by_name.stdout, folder.draw(&["-o", "-", "--step", "1"]).stdout);
    let parts = folder.draw(&["-o", "-", "--explode", "1", "--scale", "1:2"]);
    let parts = String::from_utf8(parts.stdout).unwrap();
    assert!(parts.contains(">1:2   mm</text>"), "{parts}");
}

#[test]
fn bad_input_says_what_was_expected() {
    let folder = Folder::new("bad");
    fails(&folder, &["-o", "a.pdf"], ".svg or .png");
    fails(&folder, &["--step", "3"], "the steps are 1 \"lower / peg\", 2 \"turn\"");
    fails(&folder, &["--view", "isso"], "dimetric");
    fails(&folder, &["--size", "a4"], "210x148");
    fails(&folder, &["--size", "1x1"], "20 to 5000");
    fails(&folder, &["--scale", "1:0"], "5:1");
    fails(&folder, &["--explode=-1"], "--explode -1: expected a number from 0");
    fails(&folder, &["--explode", "-1"], "--explode -1: expected a number from 0");
    fails(&folder, &["--distance", "5"], "central");
    fails(&folder, &["-o", "no/such/folder.svg"], "cannot write");
    fails(&folder, &["-o", "-", "--json"], "stdout cannot take both");
    std::fs::write(folder.0.join("scene.toml"), SCENE.replace("[40, 40, 10]", "[40, 40]")).unwrap();
    fails(&folder, &["--json"], "scene.toml:6:");
}
