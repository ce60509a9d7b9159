//! `freiraum query` from outside: answer keys, exit codes, batches, bad input.

use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::process::{Command, Output, Stdio};

const BALL: &str = r#"{"sphere":{"radius":1}}"#;
const CUBE: &str = r#"{"box":{"size":[2,2,2]}}"#;

fn query(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_freiraum")).arg("query").args(arguments).output().unwrap()
}

fn batch(lines: &str) -> (i32, Vec<Value>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["query", "--batch", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answers = text(&output.stdout).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    (output.status.code().unwrap(), answers)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The exit code and the one JSON document.
fn answer(arguments: &[&str]) -> (i32, Value) {
    let output = query(&[arguments, &["--json"]].concat());
    let document = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}{}", text(&output.stdout), text(&output.stderr)));
    (output.status.code().unwrap(), document)
}

fn close(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Array(f), Value::Array(e)) => f.len() == e.len() && f.iter().zip(e).all(|(f, e)| close(f, e)),
        (Value::Number(f), Value::Number(e)) => (f.as_f64().unwrap() - e.as_f64().unwrap()).abs() < 1e-9,
        _ => found == expected,
    }
}

fn check(arguments: &[&str], code: i32, expected: Value) {
    let (found_code, found) = answer(arguments);
    for (key, value) in expected.as_object().unwrap() {
        assert!(close(&found[key], value), "{arguments:?} {key}: {} in {found}", found[key]);
    }
    assert_eq!(found_code, code, "{arguments:?}: {found}");
}

#[test]
fn distance_in_world_coordinates() {
    check(
        &["distance", BALL, CUBE, "--pose-a", "10,0,0", "--pose-b", "14,0,0,0,0,90"],
        0,
        json!({"distance": 2, "intersects": false, "point_a": [11, 0, 0], "point_b": [13, 0, 0], "normal": [1, 0, 0]}),
    );
    check(
        &["distance", BALL, CUBE, "--pose-b", "-1.5,0,0"],
        1,
        json!({"distance": 0, "intersects": true, "normal": null}),
    );
    // A body turned in the world: the answer turns with it.
    check(
        &[
            "distance",
            CUBE,
            BALL,
            "--pose-a",
            "0,0,0,0,0,0.3826834323650898,0.9238795325112867",
            "--pose-b",
            "0,5,0",
        ],
        0,
        json!({"distance": 4.0 - 2f64.sqrt(), "point_a": [0, 2f64.sqrt(), 0], "point_b": [0, 4, 0], "normal": [0, 1, 0]}),
    );
}

#[test]
fn intersect_tells_containment() {
    check(&["intersect", BALL, CUBE], 1, json!({"intersects": true, "contained": "a_in_b"}));
    check(&["intersect", CUBE, BALL], 1, json!({"intersects": true, "contained": "b_in_a"}));
    check(
        &["intersect", BALL, CUBE, "--pose-a", "2,0,0"],
        1,
        json!({"intersects": true, "contained": null, "relation": "touching", "open_surfaces": []}),
    );
    check(
        &["intersect", BALL, CUBE, "--pose-a", "2.001,0,0"],
        0,
        json!({"intersects": false, "contained": null}),
    );
    // A height field is solid below, but where it is declared a sheet.
    let field = r#"{"heightfield":{"size":[4,4],"heights":[[0,0],[0,0]]}}"#;
    let below = ["intersect", field, BALL, "--pose-b", "0,0,-3"];
    check(&["intersect", field, BALL], 1, json!({"relation": "overlapping", "open_surfaces": []}));
    check(&below, 1, json!({"relation": "b_in_a", "contained": "b_in_a", "open_surfaces": []}));
    let sheet = [&below[..], &["--sheet", "a"]].concat();
    check(&sheet, 0, json!({"relation": "separate", "open_surfaces": ["a"]}));
}

#[test]
fn contact_tells_depth_and_the_way_out() {
    let ground = r#"{"plane":{"normal":[0,0,1],"offset":0}}"#;
    let (code, found) = answer(&["contact", CUBE, ground, "--pose-a", "5,0,0.9"]);
    assert_eq!(code, 1);
    assert!(close(&found["depth"], &json!(0.1)) && close(&found["mtd"], &json!([0, 0, 0.1])), "{found}");
    assert_eq!((found["contacts"].as_array().unwrap().len(), &found["regions"]), (4, &json!(1)));
    for contact in found["contacts"].as_array().unwrap() {
        assert!(
            close(&contact["normal"], &json!([0, 0, -1])) && close(&contact["depth"], &json!(0.1)),
            "{found}"
        );
        assert!(contact["point"][0].as_f64().unwrap() > 3.9 && contact["region"] == 0, "{found}");
    }
    check(
        &["contact", CUBE, ground, "--pose-a", "0,0,9"],
        0,
        json!({"intersects": false, "depth": 0, "mtd": [0, 0, 0], "contacts": [], "regions": 0}),
    );
    // Nothing separates a floor from a wall: no number, never infinity.
    let wall = r#"{"plane":{"normal":[1,0,0],"offset":0}}"#;
    check(&["contact", ground, wall], 1, json!({"intersects": true, "depth": null, "mtd": null}));
}

#[test]
fn mesh_files_and_every_inline_shape() {
    let folder = Folder::new("shapes");
    let file = &folder.file("tetrahedron.off", TETRAHEDRON);
    check(&["distance", file, BALL, "--pose-b", "-3,0,0"], 0, json!({"distance": 2, "point_a": [0, 0, 0]}));
    let in_mm = ["distance", file, BALL, "--pose-b", "-3,0,0", "--units", "mm"];
    check(&in_mm, 0, json!({"distance": 2, "units": "mm"}));
    check(&["distance", file, BALL, "--pose-b", "4,0,0", "--units", "cm"], 0, json!({"distance": 2}));
    let small = r#"{"sphere":{"radius":0.01}}"#;
    check(&["intersect", small, file, "--pose-a", "0.2,0.2,0.2"], 1, json!({"contained": "a_in_b"}));
    let shapes = [
        BALL,
        CUBE,
        r#"{"cylinder":{"radius":1,"height":2}}"#,
        r#"{"capsule":{"radius":1,"height":0}}"#,
        r#"{"compound":[{"shape":{"cone":{"radius":1,"height":2}},"pose":[0,0,1]}]}"#,
        r#"{"plane":{"normal":[1,0,0],"offset":1}}"#,
        r#"{"convex":{"points":[[1,0,0],[-1,1,0],[-1,-1,0],[0,0,1]]}}"#,
        r#"{"mesh":{"vertices":[[1,0,0],[0,1,0],[0,0,1]],"faces":[[0,1,2]]}}"#,
        r#"{"heightfield":{"size":[2,2],"heights":[[0,0],[0,0]]}}"#,
        r#"{"compound":[{"shape":{"sphere":{"radius":0.5}},"pose":[0.5,0,0]},{"shape":{"box":{"size":[1,1,1]}}}]}"#,
    ];
    for shape in shapes {
        check(
            &["distance", shape, BALL, "--pose-b", "4,0,0"],
            0,
            json!({"distance": 2, "point_a": [1, 0, 0]}),
        );
    }
}

#[test]
fn batches_answer_every_line_in_order() {
    let lines = format!(
        "{{\"id\":7,\"query\":\"distance\",\"a\":{BALL},\"b\":{CUBE},\"pose_b\":[5,0,0]}}\n\
         \n\
         no json\n\
         {{\"id\":\"x\",\"query\":\"contact\",\"a\":{BALL},\"b\":{BALL},\"pose_b\":[1.5,0,0],\"motion_a\":{{\"still\":{{}}}}}}\n\
         {{\"id\":9,\"query\":\"dance\",\"a\":{BALL},\"b\":{BALL}}}\n\
         {{\"id\":10,\"query\":\"distance\",\"a\":{{\"sphere\":{{\"radius\":-1}}}},\"b\":{BALL}}}\n\
         {{\"id\":11,\"query\":\"distance\",\"a\":{BALL},\"b\":\"no-such-file.stl\"}}\n\
         {{\"id\":12,\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL},\"pose_b\":[0,0]}}\n\
         {{\"id\":13,\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL},\"motion_b\":{{\"translate\":[1,0,0]}}}}\n\
         {{\"id\":14,\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL},\"pose-b\":[9,0,0]}}\n\
         [1]\n\
         {{\"id\":15,\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL}}}"
    );
    let (code, answers) = batch(&lines);
    assert_eq!(code, 2);
    assert_eq!(answers.len(), 11);
    assert_eq!(answers[0]["id"], 7);
    assert!(close(&answers[0]["distance"], &json!(3)));
    let error = |i: usize, id: Value, code: &str, part: &str| {
        assert_eq!((&answers[i]["id"], &answers[i]["error"]["code"]), (&id, &json!(code)), "{}", answers[i]);
        assert!(answers[i]["error"]["message"].as_str().unwrap().contains(part), "{}", answers[i]);
    };
    error(1, Value::Null, "json", "expected ident at column 2; expected one object in one line");
    // Empty lines have no answer, but count.
    assert_eq!(answers[1]["error"]["line"], 3);
    assert!(close(&answers[2]["depth"], &json!(0.5)) && answers[2]["id"] == "x", "{}", answers[2]);
    error(3, json!(9), "line", "query: found the string \"dance\", expected one of intersect, ");
    error(4, json!(10), "shape", "a.sphere.radius: found the number -1, expected a length in m above 0");
    error(5, json!(11), "mesh_file", "no-such-file.stl");
    error(6, json!(12), "pose", "pose_b: found 2 numbers");
    error(7, json!(13), "motion", "motion_b");
    error(8, json!(14), "line", "unknown key \"pose-b\"");
    error(9, Value::Null, "line", "expected {\"id\":");
    assert_eq!(answers[10]["contained"], "a_in_b");
    // Collisions are answers, not failures, in a batch.
    let line = format!("{{\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL}}}\n");
    let (code, answers) = batch(&line);
    assert_eq!((code, &answers[0]["intersects"], &answers[0]["id"]), (0, &json!(true), &Value::Null));
    assert_eq!(batch(""), (0, vec![]));
    assert_eq!(batch("\n \r\n"), (0, vec![]));
    // As some editors write it: byte order mark, line ends of two characters.
    let (code, answers) =
        batch(&format!("\u{feff}{{\"id\":1,\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL}}}\r\n"));
    assert_eq!((code, &answers[0]["intersects"]), (0, &json!(true)));
}

#[test]
fn bad_input_names_the_place_and_exits_2() {
    for (arguments, code, part) in [
        (
            vec!["distance", r#"{"sphere":{"radius":"big"}}"#, BALL],
            "shape",
            "A.sphere.radius: found the string \"big\"",
        ),
        (vec!["distance", BALL, r#"{"sphere":{}}"#], "shape", "B.sphere: \"radius\" is missing"),
        (vec!["distance", BALL, r#"{"sphere":{"radius":1,"r":2}}"#], "shape", "unknown key \"r\""),
        (vec!["distance", BALL, r#"{"ball":{"radius":1}}"#], "shape", "B: unknown shape \"ball\""),
        (vec!["distance", BALL, r#"{"box":{"size":[1,2]}}"#], "shape", "B.box.size: found an array of 2"),
        (
            vec!["distance", BALL, r#"{"box":{"size":[1,2,0]}}"#],
            "shape",
            "B.box.size[2]: found the number 0, expected a length in m above 0",
        ),
        (
            vec!["distance", BALL, r#"{"mesh":{"vertices":[[0,0,0]],"faces":[[0,0,-1]]}}"#],
            "shape",
            "B.mesh.faces[0][2]",
        ),
        (
            vec!["distance", BALL, r#"{"mesh":{"vertices":[],"faces":[]}}"#],
            "shape",
            "B.mesh: the mesh has no triangles",
        ),
        (
            vec!["distance", BALL, r#"{"compound":[{"shape":{"cone":{"radius":1,"height":null}}}]}"#],
            "shape",
            "B.compound[0].shape.cone.height: found null",
        ),
        (vec!["distance", BALL, r#"{"compound":[]}"#], "shape", "B.compound: "),
        (vec!["distance", BALL, r#"{"sphere":"#], "json", "B: no valid JSON"),
        (vec!["distance", BALL, "nowhere.stl"], "mesh_file", "B: nowhere.stl: cannot open the file"),
        (
            vec!["distance", "sphere", BALL],
            "mesh_file",
            "a shape is a mesh file name, or JSON such as {\"sphere\"",
        ),
        (vec!["distance", BALL, ""], "shape", "B: the shape is empty"),
        (vec!["distance", BALL, "."], "mesh_file", "B: .: this is a folder"),
        (vec!["distance", BALL, "{}"], "shape", "B: found an empty object; expected a mesh file name"),
        (
            vec!["distance", BALL, r#"{"sphere":{"radius":1e300}}"#],
            "shape",
            "B.sphere.radius: found the number 1e300, expected a length",
        ),
        (vec!["distance", BALL, r#"{"sphere":{"radius":1e999}}"#], "json", "number out of range"),
        (vec!["distance", BALL, r#"{"sphere":{"radius":NaN}}"#], "json", "B: no valid JSON"),
        (vec!["distance", BALL, BALL, "--pose-b", "1,2,3,4,5"], "usage", "found 5 numbers"),
        (vec!["distance", BALL, BALL, "--units", "km"], "usage", "`km` is no unit of length"),
        (vec!["distanc", BALL, BALL], "usage", "distanc"),
        (vec!["--batch", "."], "batch_file", ".: "),
        (vec!["--batch", "-", "--pose-a", "1,2,3"], "usage", "under the key \"pose_a\""),
        (vec!["--batch", "-", "--max", "3"], "usage", "--max does not go with --batch"),
        (vec!["distance", BALL], "usage", "needs two shapes"),
        (
            vec!["distance", BALL, BALL, "--origin", "0,0,0"],
            "usage",
            "--origin belongs to `query ray`, not to",
        ),
        (vec!["distance", BALL, BALL, "--motion-a", "{}"], "motion", "stand still"),
        (vec!["distance", BALL, BALL, "--pose-a", "1e60,0,0"], "query", "the pose takes the body"),
        (vec!["distance", BALL, BALL, "--pose-a", "1,NaN,0"], "usage", "`NaN` is no finite number"),
        (vec!["--batch", "nowhere.jsonl"], "batch_file", "nowhere.jsonl"),
    ] {
        let (exit, found) = answer(&arguments);
        let message = found["error"]["message"].as_str().unwrap_or_else(|| panic!("{arguments:?}: {found}"));
        assert_eq!((exit, &found["error"]["code"]), (2, &json!(code)), "{arguments:?}: {found}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn people_get_lines() {
    let ground = r#"{"plane":{"normal":[0,0,1],"offset":0}}"#;
    let wall = r#"{"plane":{"normal":[1,0,0],"offset":0}}"#;
    let field = r#"{"heightfield":{"size":[4,4],"heights":[[0,0],[0,0]]}}"#;
    let origin_and_down = ["--origin", "0,0,9", "--direction", "0,0,-1"];
    for (arguments, expected) in [
        (
            vec!["distance", BALL, CUBE, "--pose-b", "5,0,0"],
            "apart by 3 m\n  nearest on a        (1, 0, 0)\n  nearest on b        (4, 0, 0)\n  from a to b         (1, 0, 0)\n",
        ),
        (
            vec!["distance", BALL, CUBE],
            "touching or overlapping: distance 0; `query contact` says how deep, of solids\n",
        ),
        (vec!["intersect", BALL, CUBE, "--pose-b", "5,0,0"], "apart\n"),
        (vec!["intersect", BALL, CUBE, "--pose-b", "2,0,0"], "touching\n"),
        (vec!["intersect", BALL, CUBE], "overlapping: a is inside b\n"),
        (vec!["intersect", CUBE, BALL], "overlapping: b is inside a\n"),
        (vec!["intersect", CUBE, CUBE], "overlapping: a and b fill the same space\n"),
        (vec!["intersect", CUBE, field, "--pose-b", "0,0,5"], "overlapping: a is inside b\n"),
        (
            vec!["intersect", CUBE, field, "--pose-b", "0,0,5", "--sheet", "b"],
            "apart\n  open surface        b is declared a sheet: only its surface counts\n",
        ),
        (vec!["contact", BALL, CUBE, "--pose-b", "5,0,0"], "apart\n"),
        (
            vec!["contact", BALL, BALL, "--pose-b", "1.5,0,0"],
            "overlapping by 0.5 m\n  to separate them    move a by (-0.5, 0, 0) m\n  contact             1 point in 1 region\n    \
             region  depth  point         from a to b\n    0       0.5    (0.75, 0, 0)  (1, 0, 0)\n",
        ),
        (vec!["contact", ground, wall], "overlapping without end: no motion separates them\n"),
        (
            [&["ray", BALL][..], &origin_and_down].concat(),
            "hit after 8 m\n  point               (0, 0, 1)\n  surface normal      (0, 0, 1)\n",
        ),
        ([&["ray", BALL, "--pose-a", "3,0,0"][..], &origin_and_down].concat(), "no hit\n"),
        (
            [&["ray", BALL, "--pose-a", "0,0,9"][..], &origin_and_down].concat(),
            "hit at once: the ray starts in the solid\n",
        ),
    ] {
        let output = query(&arguments);
        assert_eq!(text(&output.stdout), expected, "{arguments:?}");
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
    // A long list of places is cut; JSON has all of them.
    let cylinder = r#"{"cylinder":{"radius":1,"height":2}}"#;
    let shown = text(&query(&["contact", CUBE, cylinder, "--pose-b", "0,0,1.9"]).stdout);
    assert!(shown.ends_with("    … and 4 more points: --json has all of them\n"), "{shown}");
    let help = text(&query(&["--help"]).stdout);
    for part in [
        "Exit codes",
        "--batch",
        "heightfield",
        "[possible values: m, dm, cm, mm, um, in, ft]",
        "\"origin\":",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
}

/// Answers carry exactly these keys, in one document; adding is fine for the contract, but not by accident.
#[test]
fn keys_of_the_contract() {
    let down = ["--origin", "0,0,9", "--direction", "0,0,-1"];
    let intersect = ["intersects", "contained", "relation", "open_surfaces"];
    let distance = ["distance", "intersects", "point_a", "point_b", "normal"];
    let contact = ["intersects", "depth", "mtd", "depth_is_exact", "contacts", "regions"];
    let ray = ["hit", "distance", "point", "normal", "face", "from_inside"];
    for (kind, keys) in
        [("intersect", &intersect[..]), ("distance", &distance), ("contact", &contact), ("ray", &ray)]
    {
        for pose in ["0,0,0", "9,0,0"] {
            let pair = [kind, CUBE, CUBE, "--pose-a", pose];
            let arguments = if kind == "ray" {
                [&[kind, CUBE, "--pose-a", pose][..], &down].concat()
            } else {
                pair.to_vec()
            };
            let (_, found) = answer(&arguments);
            assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), keys, "{arguments:?}");
        }
    }
    let (_, found) = answer(&["contact", CUBE, CUBE, "--pose-b", "1.5,0,0"]);
    for contact in found["contacts"].as_array().unwrap() {
        assert_eq!(
            contact.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["point", "normal", "depth", "region"]
        );
    }
}

/// A scratch folder that is gone after the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("freiraum-query-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str, content: &str) -> String {
        let file = self.0.join(name);
        std::fs::write(&file, content).unwrap();
        file.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TETRAHEDRON: &str = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

#[test]
fn large_batches_keep_their_order_with_any_number_of_threads() {
    let folder = Folder::new("threads");
    let mesh = folder.file("tetrahedron.off", TETRAHEDRON);
    let lines: String = (0..3000)
        .map(|i| {
            if i % 7 == 0 {
                return format!(
                    "{{\"id\":{i},\"query\":\"distance\",\"a\":\"{mesh}.missing\",\"b\":{BALL}}}\n"
                );
            }
            let query = ["distance", "intersect", "contact"][i % 3];
            let a = if i % 2 == 0 { format!("{mesh:?}") } else { CUBE.to_owned() };
            let x = i as f64 * 1e-3;
            format!(
                "{{\"id\":{i},\"query\":\"{query}\",\"a\":{a},\"b\":{BALL},\"pose_b\":[{x},0,0,0,{i},0]}}\n"
            )
        })
        .collect();
    let file = folder.file("questions.jsonl", &lines);
    let outputs = ["1", "2", "5"].map(|threads| query(&["--batch", &file, "--threads", threads]));
    for output in &outputs {
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).starts_with("429 of 3 000 lines could not be answered"),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout == outputs[0].stdout);
    }
    for (i, line) in text(&outputs[0].stdout).lines().enumerate() {
        let found: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&found["id"], found["error"].is_object()), (&json!(i), i % 7 == 0), "{line}");
        assert!(i % 7 != 0 || found["error"]["line"] == i + 1, "{line}");
    }
}

#[test]
fn a_batch_answers_before_more_is_asked() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["query", "--batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = std::io::BufReader::new(child.stdout.take().unwrap());
    for i in 0..3 {
        // The beginning of the next question must not hold the answer to this one back.
        let line = format!("\"id\":{i},\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL}}}\n{{");
        questions.write_all(if i == 0 { format!("{{{line}") } else { line }.as_bytes()).unwrap();
        questions.flush().unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&answer).unwrap()["id"], i);
    }
    drop(questions);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_reader_that_had_enough_ends_a_batch_quietly() {
    let folder = Folder::new("pipe");
    let line = format!("{{\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL}}}\nno json\n");
    let file = folder.file("questions.jsonl", &line.repeat(20_000));
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["query", "--batch", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("name");
    let file = folder.0.join(std::ffi::OsStr::from_bytes(b"gr\xfcn.off"));
    std::fs::write(&file, TETRAHEDRON).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let output =
        command.args(["query", "distance"]).arg(&file).args([BALL, "--pose-b", "-3,0,0"]).output().unwrap();
    assert!(text(&output.stdout).starts_with("apart by 2 m\n"), "{}", text(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_cannot_be_written_are_an_error() {
    let folder = Folder::new("full");
    let file =
        folder.file("questions.jsonl", &format!("{{\"query\":\"intersect\",\"a\":{BALL},\"b\":{BALL}}}\n"));
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["query", "--batch", &file])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write the answer to stdout"), "{}", text(&output.stderr));
}

#[test]
fn rays_in_world_coordinates() {
    check(
        &["ray", BALL, "--pose-a", "0,0,5", "--origin", "0,0,0", "--direction", "0,0,2"],
        0,
        json!({"hit": true, "distance": 4, "point": [0, 0, 4], "normal": [0, 0, -1], "face": null}),
    );
    check(
        &["ray", BALL, "--origin", "0,0,9", "--direction", "0,0,-1", "--max", "7"],
        0,
        json!({"hit": false, "distance": null, "point": null, "normal": null, "face": null}),
    );
    let triangle =
        r#"{"compound":[{"shape":{"mesh":{"vertices":[[-1,-1,0],[1,-1,0],[0,1,0]],"faces":[[0,1,2]]}}}]}"#;
    check(
        &["ray", triangle, "--pose-a", "0,0,1", "--origin", "0,0,3", "--direction", "0,0,-1"],
        0,
        json!({"hit": true, "distance": 2, "point": [0, 0, 1], "normal": [0, 0, 1], "face": 0}),
    );
    for (arguments, part) in [
        (vec!["ray", BALL, "--origin", "0,0,0"], "--direction"),
        (
            vec!["ray", BALL, "--origin", "0,0,0", "--direction", "0,0,0"],
            "direction: found [0.0, 0.0, 0.0], expected a vector that is not zero",
        ),
        (vec!["ray", BALL, "--origin", "0,0,0", "--direction", "0,0,1", "--max", "-1"], "max: found -1.0"),
        (vec!["ray", BALL, "--origin", "0,0,0", "--direction", "0,0,1", "--max=nan"], "max: found NaN"),
        // Told as an error, not as a ray that misses.
        (
            vec!["ray", BALL, "--origin", "0,0,0", "--direction", "0,0,1", "--pose-a", "1e300,0,0"],
            "origin seen from the shape: found [-1e300, 0.0, 0.0]",
        ),
        (vec!["ray", BALL, BALL, "--origin", "0,0,0", "--direction", "0,0,1"], "one shape"),
    ] {
        let (code, found) = answer(&arguments);
        assert_eq!(code, 2, "{found}");
        assert!(found["error"]["message"].as_str().unwrap().contains(part), "{found}");
    }
    let line = format!(
        "{{\"id\":1,\"query\":\"ray\",\"a\":{BALL},\"origin\":[-4,0,0],\"direction\":[1,0,0],\"max\":9}}\n"
    );
    let (code, answers) = batch(&line);
    assert_eq!(code, 0);
    assert!(close(&answers[0]["distance"], &json!(3)) && answers[0]["hit"] == true, "{}", answers[0]);
}

/// A question with every length a thousand times as large; angles, directions, shares and counts stay.
fn thousandfold(value: &Value, key: &str) -> Value {
    const LENGTHS: [&str; 17] = [
        "radius",
        "height",
        "size",
        "points",
        "vertices",
        "heights",
        "offset",
        "translate",
        "point",
        "advance",
        "origin",
        "max",
        "allowance",
        "at_least",
        "tolerance",
        "pose_a",
        "pose_b",
    ];
    match value {
        Value::Object(map) => {
            map.iter().map(|(key, value)| (key.clone(), thousandfold(value, key))).collect()
        }
        // Poses and the axis of a turn begin with a point.
        Value::Array(items) if ["pose", "pose_a", "pose_b", "to"].contains(&key) || items.len() == 6 => {
            items.iter().enumerate().map(|(i, x)| if i < 3 { times(x, 1000.0) } else { x.clone() }).collect()
        }
        Value::Array(items) => items.iter().map(|item| thousandfold(item, key)).collect(),
        Value::Number(_) if LENGTHS.contains(&key) => times(value, 1000.0),
        other => other.clone(),
    }
}

fn times(value: &Value, factor: f64) -> Value {
    json!(factor * value.as_f64().unwrap())
}

/// Compares an answer in millimetres with one in metres.
#[track_caller]
fn same_in_mm(mm: &Value, m: &Value, key: &str) {
    const LENGTHS: [&str; 14] = [
        "distance",
        "depth",
        "mtd",
        "point",
        "point_a",
        "point_b",
        "clearance",
        "clearance_error",
        "clearance_lower",
        "at_least",
        "height",
        "resting_allowance",
        "edge",
        "curve",
    ];
    match (mm, m) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = |map: &serde_json::Map<String, Value>| {
                map.keys().filter(|key| *key != "units").cloned().collect::<Vec<_>>()
            };
            assert_eq!(keys(a), keys(b));
            b.iter().for_each(|(key, value)| same_in_mm(&a[key], value, key));
        }
        (Value::Array(a), Value::Array(b)) if key == "curve" && b.iter().all(Value::is_number) => {
            same_in_mm(&a[0], &b[0], "t");
            same_in_mm(&a[1], &b[1], "distance");
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{key}");
            a.iter().zip(b).for_each(|(a, b)| same_in_mm(a, b, key));
        }
        (Value::Number(a), Value::Number(b)) => {
            let factor = if LENGTHS.contains(&key) { 1000.0 } else { 1.0 };
            let [a, b] = [a, b].map(|x| x.as_f64().unwrap());
            // Errors and what is taken for rounding are of the size of rounding themselves.
            let slack = match key {
                "clearance_error" | "t_error" => 1e-6,
                "resting_allowance" => 1e-9 * b,
                _ => 1e-9 * (1.0 + b.abs()),
            };
            assert!((a / factor - b).abs() <= slack, "{key}: {a} mm, {b} m");
        }
        _ => assert_eq!(mm, m, "{key}"),
    }
}

#[test]
fn an_answer_in_millimetres_is_a_thousand_times_that_in_metres() {
    let ball = json!({"sphere": {"radius": 0.5}});
    let pair = json!({"compound": [{"shape": {"box": {"size": [1, 2, 0.5]}}, "pose": [0.25, 0, 0, 0, 0, 30]},
                                   {"shape": {"cylinder": {"radius": 0.25, "height": 3}}}]});
    let sheet = json!({"mesh": {"vertices": [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2]]}});
    let ground = json!({"plane": {"normal": [0, 0, 1], "offset": 0.125}});
    let field = json!({"heightfield": {"size": [4, 4], "heights": [[0, 0.5], [0.25, 0]]}});
    let turn = json!({"path": [{"translate": [0, 0, 1]}, {"rotate": {"point": [1, 0, 0], "axis": [0, 1, 0], "degrees": 70}},
                               {"screw": {"point": [0, 1, 0], "axis": [0, 0, 1], "degrees": 40, "advance": 0.5}}, {"to": [3, 0, 1, 0, 0, 10]}]});
    let questions = [
        json!({"query": "intersect", "a": ball, "b": pair, "pose_b": [0.5, 0, 0]}),
        json!({"query": "intersect", "a": ball, "b": sheet, "pose_a": [0.75, 0.75, 0.75]}),
        json!({"query": "distance", "a": ball, "b": pair, "pose_b": [3, 1, 0, 10, 20, 30]}),
        json!({"query": "distance", "a": pair, "b": field, "pose_a": [0, 0, 4]}),
        json!({"query": "contact", "a": {"box": {"size": [1, 1, 1]}}, "b": ground, "pose_a": [0, 0, 0.5]}),
        json!({"query": "ray", "a": pair, "origin": [0, 0, 5], "direction": [0.01, 0, -1], "max": 9}),
        json!({"query": "toc", "a": ball, "b": pair, "pose_b": [4, 0, 0], "motion_a": {"translate": [5, 0, 0]}, "tolerance": 0.001}),
        json!({"query": "toc", "a": ball, "b": ground, "pose_a": [0, 0, 1.625], "motion_a": {"translate": [0, 0, -1]}}),
        json!({"query": "toc", "a": ball, "b": ground, "pose_a": [0, 0, 0.625], "motion_a": {"translate": [1, 0, -0.1]}, "allowance": 0.2}),
        json!({"query": "clearance", "a": ball, "b": pair, "pose_b": [-4, 0, 0], "motion_a": turn, "curve": 5}),
        json!({"query": "clearance", "a": ball, "b": pair, "pose_b": [-4, 0, 0], "motion_a": {"translate": [1, 0, 0]}, "at_least": 0.5}),
        json!({"query": "turn", "a": {"box": {"size": [1, 2, 3]}}, "b": ball, "pose_b": [5, 0, 0], "axis": [0.5, 0, 0, 0, 0, 1]}),
        json!({"query": "turn", "a": {"box": {"size": [1, 2, 3]}}, "b": ball, "pose_b": [1.25, 0, 0.5], "axis": [0.5, 0, 0, 0, 0, 1]}),
    ];
    let lines = |in_mm: bool| {
        let line = |question: &Value| {
            let mut question = if in_mm { thousandfold(question, "") } else { question.clone() };
            if in_mm {
                question["units"] = json!("mm");
            }
            format!("{question}\n")
        };
        questions.iter().map(line).collect::<String>()
    };
    let ((code, m), (code_mm, mm)) = (batch(&lines(false)), batch(&lines(true)));
    assert_eq!((code, code_mm, m.len(), mm.len()), (0, 0, questions.len(), questions.len()), "{m:?} {mm:?}");
    for ((question, mm), m) in questions.iter().zip(&mm).zip(&m) {
        assert_eq!((&mm["units"], m.get("units")), (&json!("mm"), None), "{question}");
        same_in_mm(mm, m, "");
    }
}

#[test]
fn units_hold_for_every_option_and_for_words() {
    let ball = r#"{"sphere":{"radius":500}}"#;
    let mm = ["--units", "mm"];
    let asked = |rest: &[&str]| [rest, &mm].concat().into_iter().map(str::to_owned).collect::<Vec<_>>();
    let run = |arguments: &[String]| query(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    for (arguments, parts) in [
        (
            asked(&["distance", ball, ball, "--pose-b", "0,0,3000"]),
            vec!["apart by 2000 mm\n", "(0, 0, 500)", "(0, 0, 2500)"],
        ),
        (
            asked(&["contact", ball, ball, "--pose-b", "0,0,750"]),
            vec!["overlapping by 250 mm\n", "move a by (0, 0, -250) mm"],
        ),
        (
            asked(&["ray", ball, "--origin", "0,0,2000", "--direction", "0,0,-1", "--max", "1600"]),
            vec!["hit after 1500 mm\n"],
        ),
        (
            asked(&["ray", ball, "--origin", "0,0,2000", "--direction", "0,0,-1", "--max", "1400"]),
            vec!["no hit\n"],
        ),
        (
            asked(&["toc", ball, ball, "--pose-b", "3000,0,0", "--motion-a", r#"{"translate":[4000,0,0]}"#]),
            vec!["free for the first 50 % of the motion", "2000 mm of 4000 mm\n", "(2500, 0, 0)"],
        ),
        (
            asked(&["toc", ball, ball, "--pose-b", "750,0,0", "--allowance", "0.3"]),
            vec!["overlap at the start"],
        ),
        (
            asked(&["toc", ball, ball, "--pose-b", "750,0,0", "--allowance", "300.3"]),
            vec!["never more than 300.3 mm into each other"],
        ),
        (
            asked(&["clearance", ball, ball, "--pose-b", "3000,0,0", "--at-least", "2000.5"]),
            vec!["too close: less than 2000.5 mm\n", "2000 mm at t = "],
        ),
        (
            asked(&["turn", ball, ball, "--pose-b", "3000,0,0", "--axis", "100,0,0,0,0,1"]),
            vec!["free", " mm\n"],
        ),
    ] {
        let shown = text(&run(&arguments).stdout);
        for part in parts {
            assert!(shown.contains(part), "{arguments:?}: {shown}");
        }
    }
    let (code, found) =
        answer(&["toc", ball, ball, "--pose-b", "750,0,0", "--allowance", "3000", "--units", "mm"]);
    let message = found["error"]["message"].as_str().unwrap();
    assert!(code == 2 && message.starts_with("allowance: an allowance of 3000 mm is too large"), "{found}");
    let (_, found) = answer(&["toc", ball, ball, "--allowance", "-1", "--units", "mm"]);
    assert!(found["error"]["message"].as_str().unwrap().contains("a length in mm"), "{found}");
    let (code, found) = batch(
        r#"{"query":"distance","a":{"sphere":{"radius":1}},"b":{"sphere":{"radius":1}},"units":"furlong"}"#,
    );
    assert!(
        code == 2
            && found[0]["error"]["message"]
                .as_str()
                .unwrap()
                .starts_with("units: found the string \"furlong\""),
        "{found:?}"
    );
}
