//! `freiraum check` and the demo from outside: exit codes, JSON keys, reports, what is remembered.

use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// With the folder as working folder and as the place for what is remembered.
fn freiraum(folder: &Folder, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.args(arguments).current_dir(folder.path());
    command.env("XDG_CACHE_HOME", folder.path().join("cache")).env_remove("NO_COLOR");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The exit code and the one JSON document.
fn json(output: &Output) -> (i32, Value) {
    let document = serde_json::from_slice(&output.stdout);
    (output.status.code().unwrap(), document.unwrap_or_else(|e| panic!("{e}: {}", text(&output.stdout))))
}

/// A lid over a box, in millimetres; lowering it by 30 puts it on the box.
fn lid(by: &str, check: &str) -> String {
    format!(
        "units = \"mm\"\n[check]\n{check}\n\n[[body]]\nname = \"box\"\nshape = {{ box = {{ size = [100, 100, 50] }} }}\nfixed = true\n\n\
         [[body]]\nname = \"lid\"\nshape = {{ box = {{ size = [100, 100, 4] }} }}\npose = {{ position = [0, 0, 57] }}\n\n\
         [[step]]\nname = \"lower the lid\"\nmove = \"lid\"\ntranslate = [0, 0, {by}]\n"
    )
}

#[test]
fn a_free_plan() {
    let folder = Folder::new("check-free");
    folder.file("lid.toml", lid("-10", "clearance = 0.5"));
    let (code, found) = json(&freiraum(&folder, &["check", "lid.toml", "--json"]));
    assert_eq!((code, &found["verdict"], &found["units"]), (0, &"free".into(), &"mm".into()), "{found}");
    let step = &found["steps"][0];
    assert_eq!((&step["index"], &step["name"]), (&1.into(), &"lower the lid".into()));
    assert_eq!((&step["verdict"], &step["moving"]), (&"free".into(), &serde_json::json!(["lid"])));
    assert_eq!(step["pair"], serde_json::json!(["lid", "box"]));
    assert!((step["clearance"].as_f64().unwrap() - 20.0).abs() < 1e-9 && step["required"] == 0.5, "{step}");
    assert!((step["t"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{step}");
    assert!(step["point"].as_array().unwrap().len() == 3 && found["seconds"].as_f64().unwrap() > 0.0);
    // One pair, which boxes tell apart; how close it comes was asked, and at the start nothing.
    let counts = ["pairs_tested", "pairs_measured", "pairs_apart"].map(|key| found[key].as_u64().unwrap());
    assert_eq!(counts, [0, 1, 1], "{found}");
    let people = freiraum(&folder, &["check", "lid.toml"]);
    let said = text(&people.stdout);
    assert!(people.status.success() && people.stderr.is_empty());
    assert!(said.contains("lower the lid  free       20 mm between lid and box"), "{said}");
    assert!(said.contains("free: 1 of 1 step free"), "{said}");
    assert!(said.contains(": 1 apart by the boxes around their ways, 1 computed"), "{said}");
    // Down onto the box is no collision; into it is.
    folder.file("lid.toml", lid("-30", "clearance = 0.5"));
    assert_eq!(json(&freiraum(&folder, &["check", "lid.toml", "--json"])).0, 0);
}

#[test]
fn a_goal_without_any_step_is_missed() {
    let folder = Folder::new("check-goal-no-step");
    let body = "[[body]]\nname = \"pin\"\nshape = { sphere = { radius = 1 } }\n";
    folder.file("pin.toml", format!("units = \"mm\"\n{body}goal = {{ position = [5, 0, 0] }}\n"));
    let (code, found) = json(&freiraum(&folder, &["check", "pin.toml", "--json", "--report", "report"]));
    assert_eq!((code, &found["verdict"]), (1, &"invalid".into()), "{found}");
    assert_eq!(found["missed_goals"], serde_json::json!(["pin"]));
    let report = std::fs::read_to_string(folder.path().join("report/report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["verdict"], &report["missed_goals"]), (&found["verdict"], &found["missed_goals"]));
    let page = std::fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(page.contains("goal missed") && page.contains("Nothing moves: 1 body does not end at its goal."));
    let people = freiraum(&folder, &["check", "pin.toml"]);
    let said = text(&people.stdout);
    assert_eq!(people.status.code(), Some(1), "{said}");
    assert!(said.contains("pin does not end at its goal") && said.contains("no step moves it"), "{said}");
    assert!(said.contains("invalid: nothing moves; 1 goal missed"), "{said}");
    // At its goal already: nothing is to be done.
    folder.file("pin.toml", format!("units = \"mm\"\n{body}goal = {{ position = [0, 0, 0] }}\n"));
    assert_eq!(json(&freiraum(&folder, &["check", "pin.toml", "--json"])).0, 0);
}

#[test]
fn a_goal_that_is_in_collision_is_told_once_and_as_proven() {
    let folder = Folder::new("check-goal");
    let link = |at: &str| {
        format!(
            "{{ l = 100, limits_deg = [-179, 179], speed_deg = 90, shape = {{ box = {{ size = [70, 20, 20] }} }}, shape_pose = [{at}, 0, 0] }}"
        )
    };
    let links = [link("50"), link("50"), link("50"), link("50")].join(", ");
    let scene = format!(
        "units = \"mm\"\n[[robot]]\nname = \"arm\"\ndh = [{links}]\nstart_deg = [0, 0, 0, 0]\n\n\
         [[step]]\nname = \"fold\"\nrobot = \"arm\"\npath = \"plan\"\nto = {{ joints_deg = [0, 120, 130, 0] }}\n"
    );
    folder.file("arm.toml", scene);
    let (code, found) = json(&freiraum(&folder, &["check", "arm.toml", "--json"]));
    let step = &found["steps"][0];
    assert_eq!(
        (code, &found["verdict"], &step["verdict"]),
        (1, &"invalid".into(), &"invalid".into()),
        "{found}"
    );
    let findings = step["findings"].as_array().unwrap();
    assert_eq!((findings.len(), &findings[0]["kind"]), (1, &"no_path".into()), "{found}");
    assert_eq!((&findings[0]["pair"], &findings[0]["subject"]), (&Value::Null, &"arm".into()), "{found}");
    let message = findings[0]["message"].as_str().unwrap();
    assert!(message.starts_with("there is no way for arm: at the goal "), "{message}");
    let people = freiraum(&folder, &["check", "arm.toml", "--report", "out"]);
    let said = text(&people.stdout);
    assert_eq!(said.matches("there is no way for arm: at the goal ").count(), 1, "{said}");
    assert_eq!((said.matches("invalid").count(), said.matches("undecided").count()), (2, 0), "{said}");
    let page = std::fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("There is no way for arm: at the goal ") && page.contains(">invalid</span>"));
}

#[test]
fn one_wrong_digit() {
    let folder = Folder::new("check-digit");
    folder.file("lid.toml", lid("-40", ""));
    let output = freiraum(&folder, &["check", "lid.toml", "--report", "out"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the lid can be lowered 30 mm of 40 mm, then its "), "{said}");
    assert!(said.contains("lid.toml:18:1") && said.contains("translate = [0, 0, -40]"), "{said}");
    let page = std::fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("data:image/png;base64,") && page.contains("lowered 30 mm of 40 mm"));
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing is asked from elsewhere");
    let report: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("out/report.json")).unwrap()).unwrap();
    assert_eq!(report["verdict"], "collision");
    assert!((report["steps"][0]["t"].as_f64().unwrap() - 0.75).abs() < 1e-9);
    assert!(std::fs::read(folder.path().join("out/animation.glb")).unwrap().starts_with(b"glTF"));
}

#[test]
fn what_is_too_close_and_what_is_wrong() {
    let folder = Folder::new("check-close");
    folder.file("lid.toml", lid("-29.7", "clearance = 0.5"));
    let (code, found) = json(&freiraum(&folder, &["check", "lid.toml", "--json"]));
    assert_eq!((code, &found["verdict"]), (1, &"too_close".into()), "{found}");
    let clearance = found["steps"][0]["clearance"].as_f64().unwrap();
    assert!((clearance - 0.3).abs() < 1e-9, "{clearance}");
    folder.file("lid.toml", lid("-10", "clearence = 0.5").replace("move = \"lid\"", "move = \"lit\""));
    let output = freiraum(&folder, &["check", "lid.toml"]);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(said.contains("lid.toml:3:1") && said.contains("clearance"), "{said}");
    assert!(said.contains("lid.toml:17:8") && said.contains("no body or group"), "{said}");
    let (code, found) = json(&freiraum(&folder, &["check", "lid.toml", "--json"]));
    assert_eq!((code, &found["verdict"], &found["error"]["code"]), (2, &"invalid".into(), &"scene".into()));
    assert_eq!(found["error"]["problems"].as_array().unwrap().len(), 2);
    assert_eq!(found["error"]["problems"][1]["line"], 17);
    let (code, found) = json(&freiraum(&folder, &["check", "nowhere.toml", "--json"]));
    assert!(code == 2 && found["error"]["message"].as_str().unwrap().contains("nowhere.toml"), "{found}");
}

#[test]
fn answers_are_remembered_and_do_not_change() {
    let folder = Folder::new("check-memory");
    folder.file("lid.toml", lid("-10", "clearance = 0.5"));
    let run = |more: &[&str]| {
        let (_, mut found) = json(&freiraum(&folder, &[&["check", "lid.toml", "--json"], more].concat()));
        let remembered = found["pairs_remembered"].as_u64().unwrap();
        // What differs from run to run.
        for key in ["seconds", "date", "pairs_remembered"] {
            found[key] = Value::Null;
        }
        (found, remembered)
    };
    let (first, none) = run(&[]);
    let (second, all) = run(&["--threads", "1"]);
    let (third, again) = run(&["--no-cache"]);
    assert_eq!((none, again), (0, 0));
    assert_eq!((&first, &first), (&second, &third));
    assert_eq!(all, first["pairs_tested"].as_u64().unwrap());
    // What is damaged is forgotten.
    for entry in std::fs::read_dir(folder.path().join("cache/freiraum/check")).unwrap() {
        std::fs::write(entry.unwrap().path(), "rubbish").unwrap();
    }
    assert_eq!(run(&[]), (first, 0));
}

/// Parts of files that killed processes have left go with the next run, wherever it works; what somebody is writing stays.
#[test]
fn leftovers_of_killed_processes_are_removed() {
    let folder = Folder::new("leftovers");
    let body = "[[body]]\nname = \"a\"\nshape = { box = { size = [1, 1, 1] } }\n";
    let mesh = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    folder.file("scene.toml", body);
    folder.file("a.off", mesh);
    for name in ["report", "out", "far"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    let left = |place: &str| folder.path().join(place).join(".freiraum-17-3.part");
    let held = folder.file(".freiraum-17-4.part", "somebody writes this");
    let lock = std::fs::File::open(&held).unwrap();
    lock.lock().unwrap();
    let sim = ["sim", "scene.toml", "--duration", "0.001", "--save", "out/a.world"];
    for (arguments, swept) in [
        (&["check", "scene.toml", "--report", "report"][..], &["", "report"][..]),
        (&["check", "missing.toml"], &[""]),
        (&["plan", "scene.toml", "-o", "out/planned.toml"], &["", "out"]),
        (&["draw", "scene.toml", "-o", "out/a.svg"], &["", "out"]),
        (&sim, &["", "out"]),
        (&["mesh", "convert", "missing.off", "out/b.stl"], &["out"]),
        (&["mesh", "repair", "a.off", "out/b.off"], &["out"]),
    ] {
        for place in ["", "report", "out", "far"] {
            std::fs::write(left(place), "left").unwrap();
        }
        let run = Command::new(env!("CARGO_BIN_EXE_freiraum"))
            .args(arguments)
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .output()
            .unwrap();
        for place in swept {
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(!left(place).exists(), "{arguments:?}: {place:?}: {said}");
        }
        // Nobody wrote there.
        assert!(left("far").exists() && held.exists(), "{arguments:?}");
    }
}

#[test]
fn a_step_for_a_planner_is_planned_and_checked() {
    let folder = Folder::new("check-plan");
    let scene =
        lid("0", "").replace("translate = [0, 0, 0]", "to = { position = [0, 0, -57] }\npath = \"plan\"");
    folder.file("lid.toml", &scene);
    let (code, found) = json(&freiraum(&folder, &["check", "lid.toml", "--json"]));
    assert_eq!((code, &found["verdict"]), (0, &"free".into()), "{found}");
}

#[test]
fn watching_checks_again_after_every_change() {
    let folder = Folder::new("check-watch");
    folder.file("lid.toml", lid("-10", ""));
    let mut child = command(&folder, &["check", "lid.toml", "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("free: 1 of 1 step free")));
    assert!(lines.any(|line| line.contains("waiting")));
    folder.file("lid.toml", lid("-40", ""));
    assert!(lines.any(|line| line.contains("collision: 0 of 1 step free")));
    assert!(lines.any(|line| line.contains("waiting")));
    folder.file("lid.toml", lid("-30", ""));
    assert!(lines.any(|line| line.contains("free: 1 of 1 step free")));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_demo_is_free_and_its_faulty_twin_is_not() {
    let folder = Folder::new("demo");
    let output = freiraum(&folder, &[]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("free: all 21 steps free") && said.contains("freiraum-demo/report/report.html"),
        "{said}"
    );
    assert!(folder.path().join("freiraum-demo/report/report.html").is_file());
    let (code, found) = json(&freiraum(&folder, &["demo", "--faulty", "--json", "--output", "faulty"]));
    let bad: Vec<&Value> =
        found["steps"].as_array().unwrap().iter().filter(|step| step["verdict"] != "free").collect();
    assert_eq!((code, &found["verdict"], bad.len()), (1, &"collision".into(), 1), "{found}");
    assert_eq!(bad[0]["pair"], serde_json::json!(["output seal cap", "output shaft"]));
    assert!(folder.path().join("faulty/gearbox-faulty.toml").is_file());
}

#[test]
fn the_examples_in_the_repository_are_what_the_code_makes() {
    let folder = Folder::new("examples");
    assert!(freiraum(&folder, &["demo"]).status.success());
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gearbox");
    let mut count = 0;
    for entry in std::fs::read_dir(examples).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() == "gearbox-faulty.toml" {
            continue;
        }
        let made = std::fs::read(folder.path().join("freiraum-demo").join(entry.file_name())).unwrap();
        assert_eq!(
            std::fs::read(entry.path()).unwrap(),
            made,
            "{}: differs from what `freiraum demo` writes",
            entry.path().display()
        );
        count += 1;
    }
    assert_eq!(count, 11);
}

/// Before, the report of an earlier run stayed and said "free" of a file that could not be read.
#[test]
fn no_earlier_report_is_left_when_there_is_none() {
    let folder = Folder::new("check-stale-report");
    let scene = "[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }\n[[step]]\nmove = \"a\"\ntranslate = [3, 0, 0]\n";
    let run = |text: &str| {
        folder.file("scene.toml", text);
        let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
        command.args(["check", "scene.toml", "--no-cache", "--report", "out"]).current_dir(folder.path());
        command.output().unwrap().status.code()
    };
    let names = || {
        let found = std::fs::read_dir(folder.path().join("out")).unwrap();
        let mut names: Vec<_> = found.map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(run(scene), Some(0));
    folder.file("out/mine.html", "mine");
    folder.file("out/.freiraum-17-0.part", "left by a killed process");
    assert_eq!(names().len(), 5);
    assert_eq!(run("not a scene"), Some(2));
    assert_eq!(names(), ["mine.html"]);
    assert_eq!(run(scene), Some(0));
    assert_eq!(names(), ["animation.glb", "mine.html", "report.html", "report.json"]);
}
