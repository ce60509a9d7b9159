//! `freiraum query toc | clearance | turn` from outside: answer keys, exit codes, batches, bad input, words for people.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

const BALL: &str = r#"{"sphere":{"radius":1}}"#;
const CUBE: &str = r#"{"box":{"size":[2,2,2]}}"#;
const GROUND: &str = r#"{"plane":{"normal":[0,0,1],"offset":0}}"#;
/// Ten metres along x.
const AWAY: &str = r#"{"translate":[10,0,0]}"#;
/// Half a turn about the z axis.
const HALF_TURN: &str = r#"{"rotate":{"point":[0,0,0],"axis":[0,0,1],"degrees":180}}"#;

fn query(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_freiraum")).arg("query").args(arguments).output().unwrap()
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

fn close(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Array(f), Value::Array(e)) => f.len() == e.len() && f.iter().zip(e).all(|(f, e)| close(f, e)),
        (Value::Number(f), Value::Number(e)) => (f.as_f64().unwrap() - e.as_f64().unwrap()).abs() < 1e-8,
        _ => found == expected,
    }
}

#[track_caller]
fn check(arguments: &[&str], code: i32, expected: Value) {
    let (found_code, found) = answer(arguments);
    for (key, value) in expected.as_object().unwrap() {
        assert!(close(&found[key], value), "{arguments:?} {key}: {} in {found}", found[key]);
    }
    assert_eq!(found_code, code, "{arguments:?}: {found}");
}

#[test]
fn first_contact_in_world_coordinates() {
    let apart = ["toc", BALL, CUBE, "--pose-b", "5,0,0"];
    check(
        &[&apart[..], &["--motion-a", AWAY]].concat(),
        1,
        json!({
            "verdict": "contact", "t": 0.3, "point": [4, 0, 0], "normal": [1, 0, 0],
            "feature_a": { "kind": "face", "index": 0 }, "clearance_lower": null, "open": null,
        }),
    );
    // The other one moves, both move towards each other, both move alike.
    check(&[&apart[..], &["--motion-b", r#"{"translate":[-10,0,0]}"#]].concat(), 1, json!({"t": 0.3}));
    let meet = ["--motion-a", r#"{"translate":[5,0,0]}"#, "--motion-b", r#"{"translate":[-5,0,0]}"#];
    check(&[&apart[..], &meet].concat(), 1, json!({"t": 0.3, "point": [2.5, 0, 0]}));
    let (code, found) = answer(&[&apart[..], &["--motion-a", AWAY, "--motion-b", AWAY]].concat());
    assert_eq!((code, &found["verdict"]), (0, &json!("free")), "{found}");
    // A bound: never above the truth, and a millionth below it at most.
    let is_bound =
        |found: &Value| (3.0 * (1.0 - 2e-6)..=3.0).contains(&found["clearance_lower"].as_f64().unwrap());
    assert!(is_bound(&found), "{found}");
    // Nothing moves at all.
    check(&apart, 0, json!({"verdict": "free", "t": null, "feature_a": null}));
    assert!(is_bound(&answer(&apart).1));
    // Features of a box are those of its surface in triangles; edges have numbers and ends.
    let (_, found) = answer(&["toc", CUBE, CUBE, "--pose-b", "5,0,0,0,0,45", "--motion-a", AWAY]);
    let t = (4.0 - 2f64.sqrt()) / 10.0;
    assert!(close(&found["t"], &json!(t)) && found["t_error"].as_f64().unwrap() < 1e-12, "{found}");
    for key in ["feature_a", "feature_b"] {
        let feature = &found[key];
        let ends = feature["vertices"].as_array().map(Vec::len);
        assert_eq!(ends.is_some(), feature["kind"] == "edge", "{found}");
        assert!(
            feature["index"].is_u64()
                && ["vertex", "edge", "face"].contains(&feature["kind"].as_str().unwrap())
        );
    }
    check(
        &["toc", CUBE, CUBE, "--pose-b", "1,0,0", "--motion-a", AWAY],
        1,
        json!({"verdict": "overlap_at_start", "t": null}),
    );
}

#[test]
fn every_kind_of_motion_reaches_the_wall() {
    // A wall at y = 3, and a ball at x = 5: it gets there in the middle of the way, by hook or by crook.
    let wall = r#"{"plane":{"normal":[0,-1,0],"offset":-3}}"#;
    let turn = r#"{"rotate":{"point":[0,0,0],"axis":[0,0,1],"degrees":47.15635717787687}}"#;
    let screw = r#"{"screw":{"point":[0,0,0],"axis":[0,0,1],"degrees":47.15635717787687,"advance":4}}"#;
    let path = r#"{"path":[{"still":{},"share":0.25},{"path":[{"translate":[0,4,0]}],"share":0.5},{"still":{},"share":0.25}]}"#;
    for (motion, t) in [
        (r#"{"translate":[0,4,0]}"#, 0.5),
        (r#"{"to":[5,4,0]}"#, 0.5),
        (r#"{"to":[[5,4,0,0,0,90]]}"#, 0.5),
        (turn, 0.5),
        (screw, 0.5),
        (path, 0.5),
        (r#"{"path":[{"still":{}},{"translate":[0,4,0]}]}"#, 0.75),
    ] {
        let (code, found) = answer(&["toc", BALL, wall, "--pose-a", "5,0,0", "--motion-a", motion]);
        assert_eq!((code, &found["verdict"]), (1, &json!("contact")), "{motion}: {found}");
        let (time, error) = (found["t"].as_f64().unwrap(), found["t_error"].as_f64().unwrap());
        // The ball of radius 1 touches where its centre is at y = 2.
        assert!((time - t).abs() <= error + 1e-7, "{motion}: {found}");
    }
}

#[test]
fn resting_bodies_slide_and_sink_only_within_the_allowance() {
    let on = ["toc", CUBE, GROUND, "--pose-a", "0,0,1"];
    check(&[&on[..], &["--motion-a", AWAY]].concat(), 0, json!({"verdict": "free", "clearance_lower": 0}));
    check(&[&on[..], &["--motion-a", r#"{"translate":[0,0,5]}"#]].concat(), 0, json!({"verdict": "free"}));
    let down = ["--motion-a", r#"{"translate":[0,0,-1]}"#];
    let (code, found) = answer(&[&on[..], &down].concat());
    assert!(code == 1 && found["t"].as_f64().unwrap() < 1e-6, "{found}");
    check(&[&on[..], &down, &["--allowance", "0.1"]].concat(), 1, json!({"verdict": "contact", "t": 0.1}));
    check(&[&on[..], &down, &["--allowance", "1.5"]].concat(), 0, json!({"verdict": "free"}));
    let (code, found) = answer(&[&on[..], &["--allowance", "3"]].concat());
    let message = found["error"]["message"].as_str().unwrap();
    assert!(code == 2 && message.starts_with("allowance: an allowance of 3 m is too large"), "{found}");
}

#[test]
fn clearance_with_its_time_points_curve_and_bound() {
    let pass = ["clearance", BALL, CUBE, "--pose-a", "-5,3,0", "--motion-a", AWAY];
    // Over the whole length of the cube it is 1 m above; any time is right.
    check(&pass, 0, json!({"clearance": 1}));
    let (_, found) = answer(&[&pass[..], &["--curve", "5"]].concat());
    let curve = found["curve"].as_array().unwrap();
    let corner = 2f64.hypot(4.0) - 1.0;
    let expected = [[0.0, corner], [0.25, 2f64.hypot(1.5) - 1.0], [0.5, 1.0]];
    assert_eq!(curve.len(), 5);
    for (point, expected) in curve.iter().zip(expected) {
        assert!(close(point, &json!(expected)), "{found}");
    }
    check(&[&pass[..], &["--at-least", "0.9"]].concat(), 0, json!({"kept": true, "at_least": 0.9}));
    check(&[&pass[..], &["--at-least", "1.1"]].concat(), 1, json!({"kept": false}));
    check(
        &["clearance", BALL, CUBE, "--pose-a", "-5,1.5,0", "--motion-a", AWAY],
        1,
        json!({"clearance": 0, "clearance_error": 0}),
    );
    check(&["clearance", BALL, CUBE, "--pose-a", "5,0,0"], 0, json!({"clearance": 3, "point_b": [1, 0, 0]}));
    // Bodies that touch keep nothing, not even 0 m.
    for (pose, code, kept) in [("-5,3,0", 0, true), ("-5,2,0", 1, false), ("-5,1.5,0", 1, false)] {
        let asked = ["clearance", BALL, CUBE, "--pose-a", pose, "--motion-a", AWAY, "--at-least", "0"];
        check(&asked, code, json!({"kept": kept, "at_least": 0}));
    }
    for count in ["0", "1", "100001"] {
        let (code, found) = answer(&[&pass[..], &["--curve", count]].concat());
        assert!(code == 2 && found["error"]["code"] == "curve", "{found}");
    }
}

#[test]
fn full_turns() {
    let free = ["turn", CUBE, CUBE, "--pose-b", "5,0,0", "--axis", "0,0,0,0,0,1"];
    let (code, found) = answer(&free);
    let lower = found["clearance_lower"].as_f64().unwrap();
    let truth = 4.0 - 2f64.sqrt();
    assert!(code == 0 && found["free"] == true && lower <= truth && lower > 0.9 * truth, "{found}");
    check(
        &["turn", CUBE, CUBE, "--pose-b", "2.2,0,0", "--axis", "0,0,0,0,0,1"],
        1,
        json!({"free": false, "clearance_lower": null}),
    );
    // It is a that turns.
    let off = ["turn", CUBE, CUBE, "--pose-b", "5,0,0", "--axis", "0,-3,0,0,0,1"];
    check(&off, 0, json!({"free": true}));
    check(&["turn", CUBE, CUBE, "--pose-b", "5,0,0", "--axis", "2.5,0,0,0,0,1"], 1, json!({"free": false}));
    check(&["turn", BALL, BALL, "--axis", "0,0,0,0,0,1"], 1, json!({"free": false}));
}

/// Whether a body behind an open surface is inside is not known, unless the surface is declared a sheet; either way it is named.
#[test]
fn open_surfaces_are_named() {
    let open = r#"{"mesh":{"vertices":[[0,0,0],[9,0,0],[0,9,0],[0,0,9]],"faces":[[0,2,1],[0,1,3],[0,3,2]]}}"#;
    let ball = ["--pose-a", "1.5,1.5,1.5"];
    for (kind, rest) in [
        ("toc", &["--motion-a", r#"{"translate":[0.1,0,0]}"#][..]),
        ("clearance", &[]),
        ("turn", &["--axis", "1.5,1.5,1.5,0,0,1"]),
    ] {
        let asked = [&[kind, BALL, open][..], &ball, rest].concat();
        check(&asked, 3, json!({"open_surfaces": ["b"]}));
        assert!(text(&query(&asked).stdout).contains("b bounds no solid"), "{asked:?}");
        let sheet = [&asked[..], &["--sheet", "b"]].concat();
        check(&sheet, 0, json!({"open_surfaces": ["b"]}));
        let said = text(&query(&sheet).stdout);
        assert!(said.contains("b is declared a sheet") && !said.contains("bounds no solid"), "{said}");
        let turned = [&[kind, open, BALL][..], &["--pose-b", "1.5,1.5,1.5"], rest].concat();
        check(&turned, 3, json!({"open_surfaces": ["a"]}));
        let closed = [&[kind, BALL, CUBE][..], &["--pose-a", "1.5,1.5,5"], rest].concat();
        check(&closed, 0, json!({"open_surfaces": []}));
        assert!(!text(&query(&closed).stdout).contains("open surface"), "{closed:?}");
    }
}

/// Before, the ends were off by the resting allowance where bodies touch or overlap at an end of the motion.
#[test]
fn all_overlaps_begin_and_end_when_they_do() {
    let one = r#"{"box":{"size":[1,1,1]}}"#;
    let all = |pose_a: &str, motion: &str, pose_b: &str| {
        let asked = ["toc", one, one, "--pose-a", pose_a, "--motion-a", motion, "--pose-b", pose_b, "--all"];
        answer(&asked).1
    };
    // 0.1 m deep at the start, apart after a tenth.
    let found = all("0,0,0", r#"{"translate":[-1,0.5,0]}"#, "0.9,0,0");
    assert_eq!(found["verdict"], "overlap_at_start", "{found}");
    let end = found["intervals"][0][1].as_f64().unwrap();
    assert!((end - 0.1).abs() < 1e-12, "{found}");
    // Through the other one, and in touch with its far side at the end.
    let found = all("-2,0,0", r#"{"translate":[3,0,0]}"#, "0,0,0");
    let begin = found["intervals"][0][0].as_f64().unwrap();
    assert!((begin - 1.0 / 3.0).abs() < 1e-12 && found["t"].as_f64() == Some(begin), "{found}");
}

#[test]
fn batches_of_moving_bodies() {
    let lines = format!(
        "{{\"id\":1,\"query\":\"toc\",\"a\":{BALL},\"b\":{CUBE},\"pose_b\":[5,0,0],\"motion_a\":{AWAY}}}\n\
         {{\"id\":2,\"query\":\"clearance\",\"a\":{BALL},\"b\":{CUBE},\"pose_a\":[-5,3,0],\"motion_a\":{AWAY},\"curve\":3,\"at_least\":0.5}}\n\
         {{\"id\":3,\"query\":\"turn\",\"a\":{CUBE},\"b\":{CUBE},\"pose_b\":[5,0,0],\"axis\":[0,0,0,0,0,1]}}\n\
         {{\"id\":4,\"query\":\"toc\",\"a\":{BALL},\"b\":{CUBE},\"pose_b\":[5,0,0]}}\n\
         {{\"id\":5,\"query\":\"toc\",\"a\":{BALL},\"b\":{CUBE},\"motion_a\":{{\"rotate\":{{\"point\":[0,0,0],\"axis\":[0,0,0],\"degrees\":90}}}}}}\n\
         {{\"id\":6,\"query\":\"toc\",\"a\":{BALL},\"b\":{CUBE},\"pose_a\":[9,0,0],\"allowance\":-1}}\n\
         {{\"id\":7,\"query\":\"turn\",\"a\":{CUBE},\"b\":{CUBE}}}\n\
         {{\"id\":8,\"query\":\"turn\",\"a\":{CUBE},\"b\":{CUBE},\"axis\":[0,0,0,0,0,1],\"motion_a\":{AWAY}}}\n\
         {{\"id\":9,\"query\":\"clearance\",\"a\":{BALL},\"b\":{CUBE},\"curve\":2.5}}\n\
         {{\"id\":10,\"query\":\"toc\",\"a\":{BALL},\"b\":{CUBE},\"curve\":3}}\n\
         {{\"id\":11,\"query\":\"toc\",\"a\":{CUBE},\"b\":{CUBE},\"pose_b\":[5,0,0],\"motion_a\":{{\"to\":[9,0,0,0,0,90]}},\"budget\":0}}\n"
    );
    let (code, found) = batch(&lines);
    assert_eq!((code, found.len()), (2, 11));
    assert!(close(&found[0]["t"], &json!(0.3)) && found[0]["verdict"] == "contact", "{}", found[0]);
    assert!(found[1]["kept"] == true && found[1]["curve"].as_array().unwrap().len() == 3, "{}", found[1]);
    assert_eq!(found[2]["free"], true);
    assert_eq!(found[3]["verdict"], "free");
    for (i, code, part) in [
        (4, "motion", "motion_a.rotate.axis: found [0, 0, 0], expected a direction"),
        (5, "line", "allowance: found -1.0, expected a length"),
        (6, "line", "\"axis\" is missing"),
        (7, "motion", "motion_a: this query is about bodies that stand still"),
        (8, "line", "curve: found the number 2.5, expected a whole number"),
        (9, "line", "unknown key \"curve\""),
    ] {
        assert_eq!(found[i]["error"]["code"], code, "{}", found[i]);
        assert!(found[i]["error"]["message"].as_str().unwrap().contains(part), "{}", found[i]);
    }
    assert_eq!(found[10]["verdict"], "undecided", "{}", found[10]);
    assert_eq!(found[10]["open"][1], 1.0, "{}", found[10]);
}

#[test]
fn what_is_wrong_is_named() {
    let pair = ["toc", BALL, CUBE, "--pose-b", "5,0,0"];
    for (rest, code, part) in [
        (&["--motion-a", "down"][..], "json", "--motion-a: no valid JSON"),
        (&["--motion-a", "down.json"], "json", "found \"down.json\", and a motion is no file"),
        (
            &["--motion-a", r#"{"still":5}"#],
            "motion",
            "found the number 5, expected an object with no keys: {}",
        ),
        (
            &["--motion-a", r#"{"translate":[1,0,0],"share":0.5}"#],
            "motion",
            "\"share\" belongs to the motions of a path; write {\"translate\":…} alone",
        ),
        (&["--motion-a", r#"{"translate":[1,NaN,0]}"#], "json", "--motion-a: no valid JSON"),
        (&["--motion-b", r#"{"translate":[1,0]}"#], "motion", "--motion-b.translate: found an array of 2"),
        (&["--motion-b", r#"{"fly":[]}"#], "motion", "--motion-b: unknown motion \"fly\""),
        (&["--motion-a", r#"{"translate":[1e60,0,0]}"#], "motion", "coordinates up to 1e50 m"),
        (&["--allowance", "-1"], "usage", "--allowance: found -1.0"),
        (&["--allowance", "nan"], "usage", "--allowance: found NaN"),
        (&["--tolerance=-1"], "usage", "--tolerance: found -1.0"),
        (&["--axis", "0,0,0,0,0,1"], "usage", "--axis belongs to `query turn`, not to `query toc`"),
        (&["--curve", "3"], "usage", "--curve belongs to `query clearance`"),
        (&["--at-least", "3"], "usage", "--at-least belongs to `query clearance`"),
        (&["--budget", "-3"], "usage", "--budget"),
    ] {
        let (exit, found) = answer(&[&pair[..], rest].concat());
        assert_eq!((exit, &found["error"]["code"]), (2, &json!(code)), "{rest:?}: {found}");
        assert!(found["error"]["message"].as_str().unwrap().contains(part), "{rest:?}: {found}");
    }
    for (arguments, part) in [
        (vec!["turn", BALL, CUBE], "`query turn` needs --axis"),
        (vec!["turn", BALL, CUBE, "--axis", "0,0,0,0,0,0"], "the direction 0,0,0 is none"),
        (vec!["turn", BALL, CUBE, "--axis", "0,0,0"], "expected 6 finite numbers"),
        (vec!["turn", BALL, CUBE, "--axis", "0,0,0,0,0,1", "--motion-a", AWAY], "--motion-a belongs to"),
        (vec!["toc", BALL], "`query toc` needs two shapes"),
        (vec!["clearance", BALL, CUBE, "--allowance", "1"], "--allowance belongs to `query toc`"),
        (vec!["--batch", "-", "--motion-a", AWAY], "under the key \"motion_a\""),
    ] {
        let (exit, found) = answer(&arguments);
        assert_eq!(exit, 2, "{arguments:?}: {found}");
        assert!(found["error"]["message"].as_str().unwrap().contains(part), "{arguments:?}: {found}");
    }
}

#[test]
fn undecided_has_its_own_exit_code() {
    let turn_and_go = r#"{"to":[9,0,0,0,0,90]}"#;
    let asked = ["toc", CUBE, CUBE, "--pose-b", "5,0,0", "--motion-a", turn_and_go];
    let (code, found) = answer(&[&asked[..], &["--budget", "1"]].concat());
    assert_eq!((code, &found["verdict"]), (3, &json!("undecided")), "{found}");
    let open = found["open"].as_array().unwrap();
    assert!(open[0].as_f64().unwrap() >= 0.0 && open[1] == 1.0, "{found}");
    assert_eq!(answer(&asked).0, 1);
}

#[test]
fn people_get_sentences() {
    let pass = ["clearance", BALL, CUBE, "--pose-a", "-5,3,0", "--motion-a", AWAY];
    for (arguments, parts) in [
        (
            vec!["toc", BALL, CUBE, "--pose-b", "5,0,0", "--motion-a", AWAY],
            vec![
                "contact: free for the first 30 % of the motion, then face 0 of a touches face ",
                "  a is at             3 m of 10 m\n",
                "  point               (4, 0, 0)\n",
            ],
        ),
        (
            vec!["toc", BALL, CUBE, "--pose-b", "5,0,0"],
            vec!["free: they never touch\n", "at least 2.99999 m\n"],
        ),
        (vec!["toc", BALL, CUBE, "--motion-a", AWAY], vec!["overlap at the start", "--allowance"]),
        (
            vec!["toc", CUBE, GROUND, "--pose-a", "0,0,1", "--motion-a", AWAY],
            vec!["free: what touches slides or parts, nothing gets deeper\n"],
        ),
        (
            vec!["toc", CUBE, GROUND, "--pose-a", "0,0,0.95", "--motion-a", AWAY, "--allowance", "0.0625"],
            vec!["free: never more than 0.0625 m into each other\n"],
        ),
        (
            vec![
                "toc",
                CUBE,
                CUBE,
                "--pose-b",
                "5,0,0",
                "--motion-a",
                r#"{"to":[9,0,0,0,0,90]}"#,
                "--budget",
                "0",
            ],
            vec!["undecided: nothing is proven\n", "a larger --budget"],
        ),
        (
            [&pass[..], &["--at-least", "1.00000001"]].concat(),
            vec!["too close: less than 1.00000001 m\n", "  apart by            1 m at t = "],
        ),
        (
            vec!["toc", BALL, CUBE, "--pose-a", "0,-5,0", "--motion-a", HALF_TURN, "--pose-b", "5,0,0"],
            vec!["contact: free for the first ", "° of 180°\n"],
        ),
        (
            pass.to_vec(),
            vec!["free: at least 0.999999 m at all times\n", "  closest             1 m at t = 0."],
        ),
        ([&pass[..], &["--at-least", "0.5"]].concat(), vec!["kept: at least 0.5 m at all times\n"]),
        ([&pass[..], &["--at-least", "2"]].concat(), vec!["too close: less than 2 m\n"]),
        (
            vec!["turn", CUBE, CUBE, "--pose-b", "5,0,0", "--axis", "0,0,0,0,0,1"],
            vec!["free: a can turn all the way round\n"],
        ),
        (
            vec!["turn", CUBE, CUBE, "--pose-b", "2.2,0,0", "--axis", "0,0,0,0,0,1"],
            vec!["not free: a touches b on the way round\n", "  from the axis       1."],
        ),
    ] {
        let output = query(&arguments);
        let shown = text(&output.stdout);
        for part in parts {
            assert!(shown.contains(part), "{arguments:?}: {shown}");
        }
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

/// What the README shows is what people get.
#[test]
fn the_readme_shows_true_answers() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let mut shown = 0;
    for block in readme.split("$ freiraum ").skip(1) {
        let (command, rest) = block.split_once('\n').unwrap();
        let expected = rest.split("```").next().unwrap();
        // Others read files that only the reader has, or are listed without an answer.
        if !command.contains('{') || expected.is_empty() {
            continue;
        }
        let words: Vec<&str> = command.split(' ').map(|word| word.trim_matches('\'')).collect();
        assert_eq!(text(&query(&words[1..]).stdout), expected, "{command}");
        shown += 1;
    }
    assert_eq!(shown, 2);
}

/// Answers carry exactly these keys whatever they are; adding is fine for the contract, but not by accident.
#[test]
fn keys_of_the_contract() {
    let keys = |arguments: &[&str]| -> Vec<String> {
        answer(arguments).1.as_object().unwrap().keys().cloned().collect()
    };
    let toc = [
        "verdict",
        "t",
        "t_error",
        "point",
        "normal",
        "feature_a",
        "feature_b",
        "clearance_lower",
        "open",
        "open_surfaces",
        "fit",
        "resting_allowance",
    ];
    for pose in ["0,0,0", "5,0,0", "0,5,0"] {
        assert_eq!(keys(&["toc", CUBE, BALL, "--pose-b", pose, "--motion-a", AWAY]), toc);
    }
    let clearance = ["clearance", "clearance_error", "t", "point_a", "point_b", "open_surfaces"];
    assert_eq!(keys(&["clearance", CUBE, BALL, "--pose-b", "5,0,0"]), clearance);
    let all = ["--at-least", "1", "--curve", "2"];
    assert_eq!(
        keys(&[&["clearance", CUBE, BALL, "--pose-b", "5,0,0"][..], &all].concat()),
        [&clearance[..], &["at_least", "kept", "curve"]].concat()
    );
    for pose in ["2,0,0", "9,0,0"] {
        let turn = ["turn", CUBE, BALL, "--pose-b", pose, "--axis", "0,0,0,0,0,1"];
        assert_eq!(keys(&turn), ["free", "clearance_lower", "contact", "open_surfaces"]);
    }
}

/// The rule of the documentation: 2^-24 of the diagonal of the smaller piece and 256 units in the last place of where the bodies are, rounded down to
/// four binary digits.
#[test]
fn fits_are_named_with_what_is_taken_for_rounding() {
    let down = ["--motion-a", r#"{"translate":[0,0,-4]}"#];
    let diagonal = 12f64.sqrt();
    let most = |places: f64| diagonal / 16_777_216.0 + 256.0 * f64::EPSILON * places;
    for (pose, motion, reason) in
        [("0,0,5", &down[..], "touches_at_end"), ("0,0,1", &["--motion-a", AWAY][..], "touches_at_start")]
    {
        let (code, found) = answer(&[&["toc", CUBE, GROUND, "--pose-a", pose][..], motion].concat());
        assert_eq!((code, &found["verdict"], &found["fit"]), (0, &json!("free"), &json!(reason)), "{found}");
        let resting = found["resting_allowance"].as_f64().unwrap();
        assert!(resting <= most(20.0) && resting >= 0.875 * most(0.0), "{resting}");
        let shown = text(&query(&[&["toc", CUBE, GROUND, "--pose-a", pose][..], motion].concat()).stdout);
        assert!(shown.contains(" m overlap is taken for rounding\n"), "{shown}");
    }
    // A part of a compound counts, not the whole.
    let studded = r#"{"compound":[{"shape":{"box":{"size":[2,2,2]}},"pose":[0,0,1.25]},{"shape":{"box":{"size":[0.25,0.25,0.25]}},"pose":[0,0,0.125]}]}"#;
    let (_, found) = answer(&[&["toc", studded, GROUND, "--pose-a", "0,0,4"][..], &down].concat());
    let resting = found["resting_allowance"].as_f64().unwrap();
    assert!(found["fit"] == "touches_at_end" && resting < 0.126 * most(0.0), "{found}");
    // What ends deeper is no fit, nor is what stays apart or is only passed.
    for (pose, verdict) in [("0,0,4.999999", "contact"), ("0,0,4.5", "contact"), ("0,0,5.5", "free")] {
        let (_, found) = answer(&[&["toc", CUBE, GROUND, "--pose-a", pose][..], &down].concat());
        let expected = (&json!(verdict), &Value::Null, &Value::Null);
        assert_eq!((&found["verdict"], &found["fit"], &found["resting_allowance"]), expected, "{found}");
    }
}
