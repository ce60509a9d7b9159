//! The doors through which a verdict is asked for: the library, a line of a batch, and the program.
#![allow(unreachable_pub)]

use freiraum::assets::ShapeCache;
use freiraum::check::Timeline;
use freiraum::check::{CheckMemory, CheckOptions, check};
use freiraum::formats::scene::SceneFile;
use freiraum::geometry::Unit;
use freiraum::motion::Limits;
use freiraum::question::{NoFiles, answer_line};
use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the library answers to a line of a batch; an error is an answer too.
pub fn ask(question: &str) -> Value {
    answer_line(question.as_bytes(), Unit::Metre, &NoFiles).document(1)
}

/// What is wrong with a plan, in one word: `free`, `collision`, `too_close`, `undecided`, `invalid`, or an error in its own words.
pub fn checked(scene: &str) -> String {
    checked_within(scene, Limits::default().budget)
}

/// The same, undecided after so many steps of the search per pair.
pub fn checked_within(scene: &str, budget: u64) -> String {
    let file = match SceneFile::parse(scene, Path::new("."), "scene.toml") {
        Ok(file) => file,
        Err(error) => return error.render(false),
    };
    let parts = ShapeCache::of(file.scene());
    let timeline = match Timeline::of(file.scene()) {
        Ok(timeline) => timeline,
        Err(problems) => return problems[0].message.clone(),
    };
    let options = CheckOptions { limits: Limits { budget, ..Limits::default() }, ..CheckOptions::default() };
    match check(file.scene(), &timeline, &parts, &CheckMemory::default(), &options) {
        Ok(found) => found.verdict.name().to_owned(),
        Err(problems) => problems[0].message.clone(),
    }
}

/// The words of `query toc` in those of `check`.
pub fn as_checked(toc: &Value) -> &str {
    match toc["verdict"].as_str() {
        Some("contact" | "overlap_at_start") => "collision",
        Some(verdict) => verdict,
        None => toc["error"]["message"].as_str().unwrap_or("neither a verdict nor an error"),
    }
}

/// The exit code and the answer of the program.
pub fn freiraum(folder: &Folder, arguments: &[&str]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(arguments)
        .arg("--json")
        .current_dir(folder.path())
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .output()
        .unwrap();
    let document = serde_json::from_slice(&output.stdout);
    let document = document
        .unwrap_or_else(|e| panic!("{arguments:?}: {e}: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), document)
}

/// The answers of `query --batch` to these lines.
pub fn batch(lines: &[String]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["query", "--batch", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = lines.join("\n") + "\n";
    // The program may answer before it has read all.
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All findings of the start and of the steps of `check --json`.
pub fn findings(found: &Value) -> Vec<Value> {
    let steps =
        found["steps"].as_array().unwrap().iter().flat_map(|step| step["findings"].as_array().unwrap());
    found["start"].as_array().unwrap().iter().chain(steps).cloned().collect()
}
