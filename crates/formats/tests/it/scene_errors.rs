//! Broken scene files and what is said about them: `broken_scenes/*.toml` with the message beside it.
//!
//! `UPDATE=1 cargo test -p freiraum-formats --test scene_errors` writes the messages anew.

use freiraum_formats::scene::{SceneErrors, SceneFile};
use freiraum_scene::{Place, Problem};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken_scenes")
}

fn parse(text: &str, name: &str) -> Result<SceneFile, SceneErrors> {
    SceneFile::parse(text, &folder(), name)
}

#[test]
fn messages_are_as_recorded() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert!(files.len() >= 20, "{files:?}");
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let errors = parse(&text, name).map(drop).expect_err(name);
        let found = errors.render(false);
        for (problem, at) in errors.problems().iter().zip(errors.located()) {
            assert!(
                problem.place.end <= text.len() && problem.place.start <= problem.place.end,
                "{problem:?}"
            );
            let in_text = text.lines().nth(at.line - 1).unwrap_or("").chars().count() + 1;
            assert!(at.column <= in_text, "{problem:?} {at:?}");
        }
        let recorded = path.with_extension("txt");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&recorded, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&recorded).unwrap_or_default();
        if found != expected.replace("\r\n", "\n") {
            wrong.push(format!("{name} says\n{found}\ninstead of\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn colors_only_where_wanted() {
    let errors = parse("unit = \"mm\"\n", "scene.toml").unwrap_err();
    assert!(errors.render(true).contains("\u{1b}["));
    assert!(!errors.render(false).contains("\u{1b}["));
}

#[test]
fn problems_for_machines_and_in_one_line() {
    let text = "[[body]]\nname = \"ä\"\nshape = { sphere = { radius = 1 } }\nfixed = 1\n";
    let errors = parse(text, "scene.toml").unwrap_err();
    let json = serde_json::to_value(errors.located()).unwrap();
    let expected = serde_json::json!([{
        "line": 4, "column": 9, "end_line": 4, "end_column": 10,
        "message": "found the number 1, expected true or false, without quotes", "help": null,
    }]);
    assert_eq!(json, expected);
    assert_eq!(
        errors.to_string(),
        "scene.toml:4:9: found the number 1, expected true or false, without quotes"
    );
}

#[test]
fn problems_that_are_found_later() {
    let text = "[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }\n";
    let file = parse(text, "scene.toml").unwrap();
    let place = file.scene().bodies[0].place;
    let errors = file.errors(vec![Problem::new(place, "too round").help("use a box")]);
    let expected = "error: too round
 --> scene.toml:3:1
  |
3 | shape = { sphere = { radius = 1 } }
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: use a box

scene.toml: 1 problem
";
    assert_eq!(errors.render(false), expected);
    // Places that fit no text do no harm.
    for (start, end) in [(0, 0), (5, 2), (0, 9999), (9999, 9999), (17, 18)] {
        let errors =
            SceneErrors::new("x", "name = \"ä\"\r\n# …\n", vec![Problem::new(Place { start, end }, "no")]);
        assert!(errors.render(false).contains("no") && errors.located()[0].line > 0);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let message = |path: &Path| SceneFile::read(path).map(drop).unwrap_err().to_string();
    assert!(message(&folder().join("gone.toml")).contains("check the name"));
    assert!(message(&folder()).contains("folder"), "{}", message(&folder()));
    let path = std::env::temp_dir().join(format!("freiraum-no-text-{}.toml", std::process::id()));
    std::fs::write(&path, b"name = \"a\"\n# \xff\n").unwrap();
    assert!(message(&path).contains("line 2 is no valid UTF-8"), "{}", message(&path));
    std::fs::remove_file(&path).unwrap();
}

/// Many problems, deep nesting, large groups: an answer in short time and little memory.
#[test]
fn hostile_files_are_answered() {
    use std::fmt::Write;
    let mut text = String::new();
    for i in 0..3000 {
        write!(text, "[[body]]\nname = \"body-{i}\"\nshape.sphere.radius = 1\n").unwrap();
    }
    for i in 0..3000 {
        write!(text, "[[step]]\nmove = \"bdoy-{i}\"\ntranslate = [1, 0, 0]\n").unwrap();
    }
    let errors = parse(&text, "many.toml").unwrap_err();
    assert_eq!(errors.problems().len(), 3000);
    assert!(errors.render(false).contains("and 2970 more"));
    // Each group holds the one before it and one body.
    let mut text = String::new();
    for i in 0..3000 {
        write!(text, "[[body]]\nname = \"b{i}\"\nshape.sphere.radius = 1\n").unwrap();
        let inner = if i == 0 { String::new() } else { format!(", \"g{}\"", i - 1) };
        write!(text, "[[group]]\nname = \"g{i}\"\nmembers = [\"b{i}\"{inner}]\n").unwrap();
    }
    let _ = parse(&text, "chain.toml");
    let backwards: String = (0..3000)
        .map(|i| format!("[[group]]\nname = \"g{i}\"\nmembers = [\"g{}\", \"b\"]\n", i + 1))
        .collect();
    let text = format!("[[body]]\nname = \"b\"\nshape.sphere.radius = 1\n{backwards}");
    let message = parse(&text, "deep.toml").unwrap_err().to_string();
    assert!(message.contains("nested deeper than 64"), "{message}");
    // Many steps that move a large group.
    let mut text = String::new();
    let mut members = String::new();
    for i in 0..2000 {
        write!(text, "[[body]]\nname = \"b{i}\"\nshape.sphere.radius = 1\n").unwrap();
        write!(members, "\"b{i}\", ").unwrap();
    }
    write!(text, "[[group]]\nname = \"all\"\nmembers = [{members}]\n").unwrap();
    text.push_str(&"[[step]]\nmove = \"all\"\ntranslate = [1, 0, 0]\n".repeat(6000));
    let message = parse(&text, "large.toml").unwrap_err().to_string();
    assert!(message.contains("groups stand for more than"), "{message}");
    for nested in ["[".repeat(100_000), "{a=".repeat(100_000), "a.".repeat(100_000)] {
        assert!(parse(&format!("name = {nested}"), "nested.toml").is_err());
        assert!(parse(&nested, "nested.toml").is_err());
    }
}

#[test]
fn large_files_are_read() {
    use std::fmt::Write;
    let mut text = String::from("units = \"mm\"\n");
    for i in 0..10_000 {
        write!(text, "[[body]]\nname = \"body {i}\"\nshape = {{ box = {{ size = [1, 2, 3] }} }}\npose = {{ position = [{i}, 0, 0], rpy_deg = [0, 90, 0] }}\n").unwrap();
        write!(text, "[[step]]\nname = \"step {i}\"\nmove = \"body {i}\"\ntranslate = [0, 0, 1]\n").unwrap();
    }
    let file = parse(&text, "large.toml").unwrap();
    assert_eq!((file.scene().bodies.len(), file.scene().steps.len()), (10_000, 10_000));
}
