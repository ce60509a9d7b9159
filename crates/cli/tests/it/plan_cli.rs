//! `freiraum plan` from outside: exit codes, JSON keys, what is written.

use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Exit code and the one JSON document.
fn plan(scene: &Path, more: &[&str]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let output: Output = command.arg("plan").arg(scene).args(more).arg("--json").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let document = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (output.status.code().unwrap(), document)
}

const WALL: &str = "\
units = \"mm\"
# It stands in the way.
[[body]]
name = \"wall\"
shape = { box = { size = [10, 100, 100] } }
fixed = true
[[body]]
name = \"cube\"
shape = { box = { size = [20, 20, 20] } }
pose = { position = [-50, 0, 0] }
";

#[test]
fn a_step_gets_its_path_and_everything_else_stays() {
    let folder = Folder::new("plan-step");
    let step = "\n[[step]]\nname = \"over\"  # the top\nmove = \"cube\"\npath = \"plan\"\nto = { position = [50, 0, 0] }\n";
    let scene = folder.file("scene.toml", format!("{WALL}{step}"));
    let out = folder.path().join("out.toml");
    let (code, document) = plan(&scene, &["-o", out.to_str().unwrap()]);
    assert_eq!((code, document["verdict"].as_str()), (0, Some("found")), "{document}");
    let found = &document["steps"][0];
    assert_eq!((found["index"].as_u64(), found["name"].as_str()), (Some(1), Some("over")));
    assert!(found["length"].as_f64().unwrap() > 100.0);
    assert!(found["pieces"].as_u64().unwrap() >= 2 && found["checks"].as_u64().is_some());
    assert!(found["clearance"].as_f64().unwrap() > 0.0);
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.starts_with(WALL) && written.contains("name = \"over\"  # the top"), "{written}");
    assert!(!written.contains("\"plan\""));
    // Nothing is left to do.
    let (code, document) = plan(&out, &[]);
    assert_eq!((code, document["steps"].as_array().unwrap().len()), (0, 0));
}

#[test]
fn no_path_and_no_path_found_are_different() {
    let folder = Folder::new("plan-none");
    let inside = format!("{WALL}goal = {{ position = [5, 0, 0] }}\n");
    let (code, document) = plan(&folder.file("inside.toml", &inside), &[]);
    assert_eq!((code, document["verdict"].as_str()), (1, Some("no_path")), "{document}");
    assert!(document["steps"][0]["reason"].as_str().unwrap().contains("wall"), "{document}");
    let turned = format!("{WALL}goal = {{ position = [50, 0, 0], rpy_deg = [0, 0, 45] }}\n");
    let (code, document) = plan(&folder.file("turned.toml", &turned), &["--planner", "detours"]);
    assert_eq!((code, document["verdict"].as_str()), (3, Some("gave_up")), "{document}");
    let (code, document) = plan(&folder.path().join("missing.toml"), &[]);
    assert_eq!((code, document["error"]["code"].as_str()), (2, Some("scene")));
}

/// Before, it said "moving body 0 and obstacle 0".
#[test]
fn an_inside_that_is_unknown_is_told_with_names_and_remedy() {
    let folder = Folder::new("plan-inside");
    let mut tray = String::new();
    for k in 0..8 {
        tray += &format!("v {} {} {}\n", 100 * (k & 1) - 50, 50 * (k & 2) - 50, 25 * (k & 4) - 50);
    }
    for [a, b, c, d] in [[1, 3, 4, 2], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]] {
        tray += &format!("f {a} {b} {c} {d}\n");
    }
    folder.file("tray.obj", tray);
    let scene = folder.file(
        "scene.toml",
        "units = \"mm\"\n[[body]]\nname = \"tray\"\nmesh = \"tray.obj\"\nfixed = true\n\
         [[body]]\nname = \"ball\"\nshape = { sphere = { radius = 5 } }\n\
         [[step]]\nmove = \"ball\"\npath = \"plan\"\nto = { position = [20, 0, 0] }\n",
    );
    let (code, document) = plan(&scene, &[]);
    assert_eq!((code, &document["verdict"]), (3, &"gave_up".into()), "{document}");
    let why = document["steps"][0]["reason"].as_str().unwrap();
    assert!(why.starts_with("whether the ball is inside of the tray is not known"), "{why}");
    assert!(why.contains("freiraum mesh repair") && why.contains("`solid = false` under"), "{why}");
    assert!(!why.contains("obstacle 0") && !why.contains("body 0"), "{why}");
    // The check says it of its step.
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let output = command.args(["check", "--no-cache", "--json"]).arg(&scene).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let said = found["steps"][0]["findings"][0]["message"].as_str().unwrap();
    for part in ["no way was found for the ball", "whether the ball is inside", "detours:"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // No longer search helps there, but where a way is only not found.
    assert!(!said.contains("--seed N"), "{said}");
    let turned = format!(
        "{WALL}[[step]]\nmove = \"cube\"\npath = \"plan\"\nplanner = \"detours\"\nto = {{ position = [50, 0, 0], rpy_deg = [0, 0, 45] }}\n"
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let turned = folder.file("turned.toml", turned);
    let output = command.args(["check", "--no-cache", "--json"]).arg(&turned).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let said = found["steps"][0]["findings"][0]["message"].as_str().unwrap_or_else(|| panic!("{found}"));
    for part in ["no way was found for the cube", "differ by a rotation", "--seed N"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// Before, the scene was written again as it was, as if it were a plan.
#[test]
fn nothing_is_written_if_nothing_was_found_and_what_is_open_is_told() {
    let folder = Folder::new("plan-nothing");
    let out = folder.path().join("out.toml");
    let text = |scene: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
        let output = command.arg("plan").arg(scene).arg("-o").arg(&out).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let none = folder.file("none.toml", format!("{WALL}goal = {{ position = [5, 0, 0] }}\n"));
    let (code, said) = text(&none);
    assert!(code == 1 && said.contains("nothing, because nothing was found") && !out.exists(), "{said}");
    let (_, document) = plan(&none, &["-o", out.to_str().unwrap()]);
    assert!(document["output"].is_null() && !out.exists(), "{document}");
    let second = "[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 5 } }\npose = { position = [-50, 200, 0] }\ngoal = { position = [50, 200, 0] }\n";
    let some = folder.file("some.toml", format!("{WALL}goal = {{ position = [5, 0, 0] }}\n{second}"));
    let (code, said) = text(&some);
    assert!(code == 1 && out.exists() && said.contains("1 way is still open"), "{said}");
}

/// A cube in a closed box, for which there is no way out: the search is ended by a signal, at once, and
/// leaves nothing behind.
#[cfg(unix)]
#[test]
fn a_search_that_is_interrupted_ends_at_once() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = Folder::new("plan-interrupted");
    let wall = |number: usize, size: [i32; 3], at: [i32; 3]| {
        format!(
            "[[body]]\nname = \"wall {number}\"\nshape = {{ box = {{ size = {size:?} }} }}\npose = {{ position = {at:?} }}\nfixed = true\n"
        )
    };
    let walls: String = [0, 1, 2]
        .into_iter()
        .flat_map(|axis| [-1, 1].map(|side| (axis, side)))
        .enumerate()
        .map(|(k, (axis, side))| {
            let (mut size, mut at) = ([120; 3], [0; 3]);
            (size[axis], at[axis]) = (20, 50 * side);
            wall(k, size, at)
        })
        .collect();
    let cube = "[[body]]\nname = \"cube\"\nshape = { box = { size = [30, 10, 10] } }\n[[step]]\nmove = \"cube\"\npath = \"plan\"\nto = { position = [200, 10, 0] }\n";
    let scene = folder.file("scene.toml", format!("units = \"mm\"\n{walls}{cube}"));
    let out = folder.path().join("out.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.arg("plan").arg(&scene).args(["--budget", "1000000000", "--planner", "sampling", "-o"]).arg(&out);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it still searches");
    let start = Instant::now();
    // A shell that starts the tests in the background lets them ignore Ctrl-C, and all that they start.
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map_or("0", str::trim);
    let is_ignored = u64::from_str_radix(ignored, 16).unwrap() & 2 != 0;
    let (name, number) = if is_ignored { ("-TERM", 15) } else { ("-INT", 2) };
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(status.signal() == Some(number) || status.code().is_some_and(|code| code != 0), "{status:?}");
    assert!(!out.exists());
}

#[test]
fn a_stack_is_taken_apart_from_above_and_built_from_below() {
    let folder = Folder::new("plan-stack");
    let scene = "\
units = \"mm\"
[[body]]
name = \"plate\"
shape = { box = { size = [100, 100, 10] } }
fixed = true
[[body]]
name = \"block\"
shape = { box = { size = [20, 20, 20] } }
pose = { position = [0, 0, 15] }
[[body]]
name = \"cap\"
shape = { box = { size = [30, 30, 10] } }
pose = { position = [0, 0, 30] }
";
    let scene = folder.file("scene.toml", scene);
    let out = folder.path().join("out.toml");
    let (code, document) = plan(&scene, &["--disassemble", "-o", out.to_str().unwrap()]);
    assert_eq!((code, document["check"].as_str()), (0, Some("free")), "{document}");
    let order: Vec<&str> = document["removals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["bodies"][0].as_str().unwrap())
        .collect();
    assert_eq!(order, ["cap", "block"]);
    let written = std::fs::read_to_string(&out).unwrap();
    let [block, cap] = ["insert block", "insert cap"].map(|name| written.find(name).unwrap());
    assert!(block < cap);
}

/// There is an order, but its plan is too close: that is no success, and nothing undecided either.
#[test]
fn an_order_whose_plan_is_too_close_exits_1() {
    let folder = Folder::new("plan-too-close");
    let side = |x: f64| format!("{{ shape = {{ box = {{ size = [20, 60, 20] }} }}, pose = [{x}, 0, 0] }}");
    let scene = format!(
        "units = \"mm\"\n[check]\nclearance = 0.3\n[[body]]\nname = \"plate\"\nfixed = true\n\
         shape = {{ compound = [ {}, {} ] }}\n[[body]]\nname = \"bolt\"\n\
         shape = {{ compound = [ {{ shape = {{ box = {{ size = [10, 10, 20] }} }} }}, \
         {{ shape = {{ box = {{ size = [20, 20, 5] }} }}, pose = [0, 0, 12.5] }} ] }}\n",
        side(-15.1),
        side(15.1)
    );
    let scene = folder.file("scene.toml", scene);
    let (code, document) = plan(&scene, &["--disassemble"]);
    assert_eq!((code, document["check"].as_str()), (1, Some("too_close")), "{document}");
    assert_eq!(document["verdict"], "found");
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let output = command.arg("plan").arg(&scene).arg("--disassemble").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("too close, 1 step") && !said.contains("too_close"), "{said}");
}

#[test]
fn states_become_steps() {
    let folder = Folder::new("plan-states");
    let states = "\
[[state]]
name = \"left\"
poses = { cube = { position = [-50, 0, 0] } }
[[state]]
name = \"right\"
poses = { cube = { position = [50, 0, 0] } }
";
    let scene = folder.file("scene.toml", format!("{WALL}{states}"));
    let out = folder.path().join("out.toml");
    let (code, document) = plan(&scene, &["-o", out.to_str().unwrap(), "--threads", "1"]);
    assert_eq!(code, 0, "{document}");
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.contains("to right: cube") && !written.contains("[[state]]"), "{written}");
}
