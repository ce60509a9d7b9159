//! `freiraum query` with points, segments, lines, rays, triangles, rectangles and arcs; batches that define shapes and follow pairs.

use freiraum_testkit::random::Random;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const BALL: &str = r#"{"sphere":{"radius":1}}"#;
const POINT: &str = r#"{"point":[0,0,3]}"#;

/// The exit code and what is on stdout and stderr.
fn query(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_freiraum")).arg("query").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The exit code and the answers.
fn batch(lines: &str, options: &[&str]) -> (i32, Vec<Value>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["query", "--batch", "-"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines = lines.to_owned();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code().unwrap(), answers)
}

#[track_caller]
fn check_distance(a: &str, b: &str, options: &[&str], expected: f64) {
    for (a, b, sign) in [(a, b, 1.0), (b, a, -1.0)] {
        let exchanged: Vec<String> = options
            .iter()
            .map(|o| match (*o, sign < 0.0) {
                ("--pose-a", true) => "--pose-b".to_owned(),
                ("--pose-b", true) => "--pose-a".to_owned(),
                (other, _) => other.to_owned(),
            })
            .collect();
        let mut arguments = vec!["distance", a, b, "--json"];
        arguments.extend(exchanged.iter().map(String::as_str));
        let (code, out, err) = query(&arguments);
        let found: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
        let distance = found["distance"].as_f64().unwrap();
        assert!((distance - expected).abs() < 1e-12, "{a} {b}: {found}");
        assert_eq!((code, found["normal"].is_null()), if expected > 0.0 { (0, false) } else { (1, true) });
    }
}

#[test]
fn pieces_are_shapes_of_distances_in_either_order() {
    check_distance(POINT, BALL, &[], 2.0);
    check_distance(POINT, BALL, &["--pose-a", "0,0,1"], 3.0);
    check_distance(r#"{"point":[0,0,0.5]}"#, BALL, &[], 0.0);
    check_distance(r#"{"segment":[[2,0,0],[2,9,0]]}"#, BALL, &[], 1.0);
    check_distance(r#"{"line":{"point":[50,4,0],"direction":[-2,0,0]}}"#, BALL, &[], 3.0);
    check_distance(r#"{"ray":{"origin":[5,0,0],"direction":[1,0,0]}}"#, BALL, &[], 4.0);
    check_distance(r#"{"triangle":[[-9,-9,3],[9,-9,3],[0,9,3]]}"#, BALL, &[], 2.0);
    check_distance(r#"{"rectangle":{"center":[3,0,0],"u":[0,1,0],"v":[0,0,2]}}"#, BALL, &[], 2.0);
    let arc = r#"{"arc":{"center":[0,0,0],"axis":[0,0,1],"start":[3,0,0],"degrees":90}}"#;
    check_distance(arc, BALL, &[], 2.0);
    check_distance(arc, POINT, &[], 18f64.sqrt());
    check_distance(arc, r#"{"point":[0,4,0]}"#, &["--units", "mm"], 1.0);
    check_distance(POINT, r#"{"plane":{"normal":[0,0,1],"offset":1}}"#, &[], 2.0);
}

#[test]
fn other_questions_and_wrong_pieces_are_told() {
    let turn = ["turn", POINT, BALL, "--axis", "0,0,0,0,0,1"];
    let ray = ["ray", POINT, "--origin", "0,0,5", "--direction", "0,0,1"];
    let others: [&[&str]; 6] = [
        &["intersect", BALL, POINT],
        &["contact", POINT, BALL],
        &["toc", POINT, BALL],
        &["clearance", BALL, POINT],
        &turn,
        &ray,
    ];
    for arguments in others {
        let (code, _, said) = query(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(said.contains("found a point") && said.contains("are for `distance` alone"), "{said}");
    }
    for (shape, expected) in [
        (r#"{"point":[0,0]}"#, "A.point: found an array of 2, expected an array of 3 numbers"),
        (r#"{"segment":[[0,0,0]]}"#, "A.segment: found an array of 1, expected an array of 2 points"),
        (r#"{"triangle":[[0,0,0],[1,0,0],[0,0]]}"#, "A.triangle[2]: found an array of 2"),
        (
            r#"{"line":{"point":[0,0,0],"direction":[0,0,0]}}"#,
            "A.line.direction: found [0, 0, 0], expected a direction",
        ),
        (r#"{"ray":{"point":[0,0,0],"direction":[1,0,0]}}"#, "\"origin\" is missing, \"point\" is unknown"),
        (
            r#"{"rectangle":{"center":[0,0,0],"u":[1,0,0],"v":[1,1,0]}}"#,
            "at an angle of 45.0000°, expected 90°",
        ),
        (
            r#"{"arc":{"center":[0,0,0],"axis":[0,0,0],"start":[1,0,0],"degrees":9}}"#,
            "A.arc.axis: found [0, 0, 0]",
        ),
        (
            r#"{"arc":{"center":[0,0,0],"axis":[0,0,1],"start":[1,0,0],"degrees":1e99}}"#,
            "expected at most 360000000",
        ),
    ] {
        let (code, _, said) = query(&["distance", shape, BALL]);
        assert!(code == 2 && said.contains(expected), "{shape}: {said}");
    }
    let (code, _, said) = query(&["distance", POINT, BALL, "--sheet", "a"]);
    assert!(code == 2 && said.contains("is a point and has no inside"), "{said}");
}

#[test]
fn defined_shapes_win_over_files_and_hold_from_their_line_on() {
    let lines = [
        r#"{"id":1,"query":"distance","a":"ball","b":{"point":[0,0,5]}}"#,
        r#"{"id":2,"define":"ball","shape":{"sphere":{"radius":1}}}"#,
        r#"{"id":3,"query":"distance","a":"ball","b":{"point":[0,0,5]}}"#,
        r#"{"id":4,"define":"ball","units":"mm","shape":{"sphere":{"radius":2000}}}"#,
        r#"{"id":5,"query":"distance","a":"ball","b":{"point":[0,0,5]}}"#,
        r#"{"id":6,"define":"pair","shape":{"compound":[{"shape":"ball"},{"shape":"ball","pose":[9,0,0]}]}}"#,
        r#"{"id":7,"define":"ball","shape":{"sphere":{"radius":4}}}"#,
        r#"{"id":8,"query":"distance","a":"pair","b":{"point":[9,0,5]}}"#,
        r#"{"id":9,"define":"bad","shape":{"sphere":{"radius":-1}}}"#,
        r#"{"id":10,"query":"intersect","a":"bad","b":"ball"}"#,
        r#"{"id":11,"define":"","shape":"ball"}"#,
        r#"{"id":12,"define":"spot","shape":{"point":[0,0,0]}}"#,
        r#"{"id":13,"query":"distance","a":"spot","b":"ball","pose_b":[0,0,6]}"#,
        r#"{"id":14,"query":"intersect","a":"spot","b":"ball"}"#,
        r#"{"id":15,"\u0064efine":"late","shape":"ball"}"#,
        r#"{"id":16,"query":"intersect","a":"late","b":"ball"}"#,
        r#"{"id":17,"define":"x","query":"distance","shape":"ball"}"#,
    ];
    let mut answers = Vec::new();
    for threads in ["1", "4"] {
        let (code, found) = batch(&lines.join("\n"), &["--threads", threads]);
        assert_eq!(code, 2);
        assert!(answers.is_empty() || answers == found);
        answers = found;
    }
    let message = |id: usize| answers[id - 1]["error"]["message"].as_str().unwrap();
    for (id, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], json!(id + 1));
    }
    assert!(message(1).starts_with("a: ball: "), "{}", message(1));
    assert_eq!(answers[1], json!({ "id": 2, "defined": "ball" }));
    assert_eq!((&answers[2]["distance"], &answers[4]["distance"]), (&json!(4.0), &json!(3.0)));
    assert_eq!(answers[7]["distance"], json!(3.0));
    assert!(message(9).starts_with("shape.sphere.radius: found the number -1"), "{}", message(9));
    let expected = "a: \"bad\" could not be defined: shape.sphere.radius: found the number -1";
    assert!(message(10).starts_with(expected) && message(10).ends_with("(line 9)"), "{}", message(10));
    assert!(message(11).starts_with("define: found the string \"\", expected a name"), "{}", message(11));
    assert_eq!(answers[12]["distance"], json!(2.0));
    assert!(message(14).contains("a: found a point"), "{}", message(14));
    assert_eq!(answers[14], json!({ "id": 15, "defined": "late" }));
    assert_eq!(answers[15]["relation"], json!("same"));
    assert!(message(17).contains("unknown key \"query\""), "{}", message(17));
}

/// A chain of definitions, each of the one before: none of them waits for another one in the depth of the stack.
#[test]
fn definitions_made_of_definitions() {
    let mut lines = format!("{{\"define\":\"n0\",\"shape\":{BALL}}}\n");
    for i in 1..4000 {
        lines += &format!("{{\"define\":\"n{i}\",\"shape\":\"n{}\"}}\n", i - 1);
    }
    lines += r#"{"query":"distance","a":"n3999","b":{"point":[0,0,3]}}"#;
    let (code, answers) = batch(&lines, &[]);
    assert_eq!((code, answers.len()), (0, 4001));
    assert_eq!(answers[4000]["distance"], json!(2.0));
}

/// Two thousand lines, a pair of polyhedra and one of round bodies that move a little from line to line, and random pairs on the
/// same tracks: with and without tracks, on one thread and on several.
#[test]
fn tracks_answer_what_questions_alone_answer() {
    let mut random = Random::new(5);
    let mut points =
        |count: usize| -> Vec<[f64; 3]> { (0..count).map(|_| random.direction().to_array()).collect() };
    let stones =
        [json!({ "convex": { "points": points(60) } }), json!({ "convex": { "points": points(90) } })];
    let shapes = [
        ("a", stones[0].clone()),
        ("b", stones[1].clone()),
        ("c", json!({ "cylinder": { "radius": 0.6, "height": 1.5 } })),
        ("d", json!({ "cone": { "radius": 0.7, "height": 1.2 } })),
        ("e", json!({ "box": { "size": [1, 2, 0.5] } })),
        (
            "f",
            json!({ "mesh": { "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]] } }),
        ),
    ];
    let definitions: String = shapes
        .iter()
        .map(|(name, shape)| format!("{}\n", json!({ "define": name, "shape": shape })))
        .collect();
    let (mut tracked, mut alone) = (definitions.clone(), definitions);
    for i in 0..2000 {
        let turn = f64::from(i) * 0.01;
        let (a, b, track) = match i % 4 {
            0 => ("a", "b", "stones"),
            1 => ("c", "d", "round"),
            2 => ("e", "a", "box"),
            _ => (shapes[random.below(6)].0, shapes[random.below(6)].0, "stones"),
        };
        let far = 1.2 + 1.4 * (turn * 0.7).sin().abs();
        let pose =
            [far * turn.cos(), far * turn.sin(), 0.3 * (3.0 * turn).sin(), 40.0 * turn, 7.0 * turn, 0.0];
        let mut line = json!({ "id": i, "query": "distance", "a": a, "b": b, "pose_b": pose });
        alone += &format!("{line}\n");
        line["track"] = json!(track);
        tracked += &format!("{line}\n");
    }
    let (code, expected) = batch(&alone, &[]);
    let (same_code, found) = batch(&tracked, &["--threads", "3"]);
    assert_eq!((code, same_code, expected.len(), found.len()), (0, 0, 2006, 2006));
    assert_eq!(found, batch(&tracked, &["--threads", "1"]).1);
    let mut apart = 0;
    for (found, expected) in found.iter().zip(&expected).skip(6) {
        assert_eq!((&found["id"], &found["intersects"]), (&expected["id"], &expected["intersects"]));
        let [d, e] = [found, expected].map(|answer| answer["distance"].as_f64().unwrap());
        assert!((d - e).abs() <= 1e-11, "{found} {expected}");
        apart += usize::from(d > 0.0);
    }
    assert!((400..1900).contains(&apart), "{apart}");
    let (code, answers) = batch(
        r#"{"query":"contact","a":{"sphere":{"radius":1}},"b":{"sphere":{"radius":1}},"track":"x"}"#,
        &[],
    );
    assert!(code == 2 && answers[0]["error"]["message"].as_str().unwrap().contains("unknown key \"track\""));
}

/// Bodies that rest on each other are made smaller once for a batch, not for every line; the answers are the same.
#[test]
fn lines_share_what_is_made_smaller() {
    let cube = r#"{"box":{"size":[1,1,1]}}"#;
    let line = format!(
        "{{\"query\":\"toc\",\"a\":{cube},\"b\":{cube},\"pose_b\":[0,0,-1],\"motion_a\":{{\"translate\":[0.5,0,0]}},\"allowance\":0.001}}\n"
    );
    let (code, answers) = batch(&line.repeat(40), &[]);
    let (_, one) = batch(&line, &[]);
    assert!(code == 0 && answers.len() == 40 && answers.iter().all(|answer| *answer == one[0]), "{one:?}");
}
