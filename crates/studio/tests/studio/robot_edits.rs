//! Robots are told what to do: stages and steps, wrong input, undo, plans, files.

use crate::client::{Address, Client, Folder, at};
use crate::robots::CELL;
use freiraum_check::Timeline;
use freiraum_formats::scene::SceneFile;
use freiraum_testkit::random::Random;
use serde_json::{Value, json};
use std::time::Duration;

async fn opened(folder: &Folder, text: &str) -> (freiraum_studio::Studio, Client) {
    std::fs::write(folder.scene(), text).unwrap();
    let studio = folder.studio();
    let page = Client::connect(&Address::of(studio.address())).await;
    (studio, page)
}

async fn text(page: &mut Client) -> String {
    page.done("get_text", json!({})).await["text"].as_str().unwrap().to_owned()
}

/// The names of the steps of the file.
async fn names(page: &mut Client) -> Vec<String> {
    let file = SceneFile::parse(text(page).await, std::path::Path::new(""), "scene.toml").unwrap();
    file.scene().steps.iter().map(|step| step.name.clone()).collect()
}

fn ptp(joints: &[f64]) -> Value {
    json!({ "ptp": { "joints": joints } })
}

#[tokio::test]
async fn commands_about_stages_are_about_their_steps() {
    let folder = Folder::new();
    let (_studio, mut page) = opened(&folder, CELL).await;
    // Stages: pick, pick, push, carry, place, place.
    page.done("rename_step", json!({ "step": 5, "name": "down" })).await;
    assert_eq!(names(&mut page).await, ["pick", "push", "carry", "down"]);
    page.done("rename_step", json!({ "step": 4, "name": "place" })).await;
    page.done("remove_step", json!({ "step": 2 })).await;
    assert_eq!(names(&mut page).await, ["pick", "carry", "place"]);
    page.done("undo", json!({})).await;
    page.done("move_step", json!({ "from": 2, "to": 5 })).await;
    assert_eq!(names(&mut page).await, ["pick", "carry", "place", "push"]);
    page.done("undo", json!({})).await;
    // Between two stages of one step: after the step.
    let nudge = |index: usize| json!({ "index": index, "name": "nudge", "moves": [{ "bodies": [3], "translate": [0.0, 0.01, 0.0] }] });
    for (index, stage, expected) in [
        (0, 0, ["nudge", "pick", "push", "carry", "place"]),
        (1, 2, ["pick", "nudge", "push", "carry", "place"]),
        (2, 2, ["pick", "nudge", "push", "carry", "place"]),
        (3, 3, ["pick", "push", "nudge", "carry", "place"]),
        (5, 6, ["pick", "push", "carry", "place", "nudge"]),
        (6, 6, ["pick", "push", "carry", "place", "nudge"]),
    ] {
        let added = page.done("add_step", nudge(index)).await;
        assert_eq!(added["step"], stage, "{index}");
        assert_eq!(names(&mut page).await, expected);
        let scene = page.scene(&added["revision"]).await;
        assert_eq!(scene["steps"][stage]["name"], "nudge");
        page.done("undo", json!({})).await;
    }
    let again = page.done("duplicate_step", json!({ "step": 2 })).await;
    assert_eq!(again["step"], 3);
    assert_eq!(names(&mut page).await, ["pick", "push", "push again", "carry", "place"]);
    page.done("undo", json!({})).await;
    let longer =
        json!({ "step": 2, "seconds": 3.0, "moves": [{ "bodies": [3], "translate": [0.0, 0.1, 0.0] }] });
    page.done("update_step", longer).await;
    assert!(text(&mut page).await.contains("translate = [0, 100, 0]"));
    page.done("undo", json!({})).await;
    assert_eq!(text(&mut page).await, CELL);
    // What robots do is no move, and takes the time that it takes.
    let moves = json!([{ "bodies": [3], "translate": [0.0, 0.1, 0.0] }]);
    assert_eq!(page.refused("update_step", json!({ "step": 1, "moves": moves })).await, "request");
    assert_eq!(page.refused("update_step", json!({ "step": 1, "seconds": 2.0 })).await, "scene");
    for (command, keys) in [
        ("remove_step", json!({ "step": 6 })),
        ("rename_step", json!({ "step": 6, "name": "x" })),
        ("move_step", json!({ "from": 0, "to": 6 })),
        ("duplicate_step", json!({ "step": 9 })),
        ("add_step", nudge(7)),
        ("plan", json!({ "step": 6 })),
    ] {
        assert_eq!(page.refused(command, keys).await, "request", "{command}");
    }
    // To grasp what it holds already makes no sense.
    assert_eq!(page.refused("duplicate_step", json!({ "step": 0 })).await, "scene");
    assert_eq!(text(&mut page).await, CELL);
}

#[tokio::test]
async fn steps_are_recorded_and_undone() {
    let folder = Folder::new();
    let (_studio, mut page) = opened(&folder, CELL).await;
    let push = |actions: Value| json!({ "robot": 1, "actions": actions });
    let all = json!([
        { "ptp": { "joints": [1.5, null], "mode": "sequential", "speed": 0.25 } },
        { "joint": { "freedom": 1, "to": 0.5 } },
        { "wait": 0.25 },
        { "grasp": { "body": 3, "depth": 0.001 } },
        { "release": { "body": 3 } },
        { "plan": { "joints": [1.0, 0.0], "speed": 0.5 } },
    ]);
    let done = page.done("robot_step", push(all)).await;
    assert_eq!(done["step"], 6);
    let scene = page.scene(&done["revision"]).await;
    let kinds: Vec<_> =
        scene["steps"][6]["actions"].as_array().unwrap().iter().map(|one| one["kind"].clone()).collect();
    assert_eq!(kinds, ["ptp", "joint", "wait", "grasp", "release", "plan"]);
    assert_eq!(scene["undo"], "add right grasps block");
    page.done("undo", json!({})).await;
    assert_eq!(text(&mut page).await, CELL);
    // In a step that is there.
    let with = |robot: usize, step: usize, actions: Value| json!({ "robot": robot, "with": step, "actions": actions });
    let done = page.done("robot_step", with(1, 1, json!([ptp(&[1.0, 0.0])]))).await;
    assert_eq!(done["step"], 0);
    let scene = page.scene(&done["revision"]).await;
    assert_eq!(scene["steps"][0]["robots"], json!([0, 1]));
    let changed = text(&mut page).await;
    assert!(changed.contains("# Down, take, up.\n[[step]]\nname = \"pick\"\nparallel = ["), "{changed}");
    page.done("undo", json!({})).await;
    assert_eq!(text(&mut page).await, CELL);
    for (robot, step) in [(0, 0), (0, 3), (1, 3), (1, 2)] {
        let code =
            page.refused("robot_step", with(robot, step, json!([ptp(&[0.0; 4][..4 - 2 * robot])]))).await;
        assert_eq!(code, "request", "{robot} {step}");
    }
    // Start and base; drags are one change.
    page.done("robot_start", json!({ "robot": 1, "joints": [1.5, 0.25] })).await;
    let base = |x: f64, merge: bool| json!({ "robot": 1, "pose": at(x, 0.5, 0.0), "merge": merge });
    page.done("robot_base", base(1.3, false)).await;
    page.done("robot_base", base(1.4, true)).await;
    let done = page.done("robot_base", base(1.5, true)).await;
    let scene = page.scene(&done["revision"]).await;
    assert_eq!(scene["robots"][1]["base"], at(1.5, 0.5, 0.0));
    assert_eq!(scene["robots"][1]["start"], json!([1.5, 0.25]));
    page.done("undo", json!({})).await;
    assert!(text(&mut page).await.contains("[1200, 0, 0]"));
    page.done("undo", json!({})).await;
    assert_eq!(text(&mut page).await, CELL);
    // A link of a robot is no part.
    let link = scene["robots"][0]["links"][1]["body"].as_u64().unwrap();
    for (command, keys) in [
        ("set_pose", json!({ "body": link, "pose": at(0.0, 0.0, 0.0) })),
        ("set_goal", json!({ "body": link, "pose": at(0.0, 0.0, 0.0) })),
        ("set_fixed", json!({ "body": link, "fixed": false })),
        ("set_color", json!({ "body": link, "color": [1.0, 0.0, 0.0] })),
        ("rename_body", json!({ "body": link, "name": "x" })),
        ("add_step", json!({ "moves": [{ "bodies": [link], "translate": [0.0, 0.0, 1.0] }] })),
        ("plan", json!({ "bodies": [link], "to": at(0.0, 0.0, 1.0) })),
        ("robot_step", push(json!([{ "grasp": { "body": link } }]))),
    ] {
        let answer = page.ask(command, keys).await;
        assert!(
            ["request", "scene"].contains(&answer["error"]["code"].as_str().unwrap()),
            "{command}: {answer}"
        );
    }
    // A new body comes before the links.
    std::fs::write(
        folder.0.join("scenes/part.off"),
        "OFF\n4 4 0\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
    )
    .unwrap();
    let added = page.done("add_body", json!({ "mesh": "part.off", "name": "part" })).await;
    let scene = page.scene(&added["revision"]).await;
    assert_eq!((&added["body"], &scene["bodies"][6]["name"]), (&json!(6), &json!("part")));
    assert_eq!(scene["robots"][0]["links"][0]["body"], 7);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let (_studio, mut page) = opened(&folder, CELL).await;
    let zero = [0.0, 0.0, 0.1, 0.0];
    let at_end = json!({ "step": 6, "t": 0.0 });
    for (command, keys) in [
        ("robot_at", json!({ "robot": 2, "joints": zero, "at": null })),
        ("robot_at", json!({ "robot": 0, "joints": [0.0], "at": null })),
        ("robot_at", json!({ "robot": 0, "joints": [0.0, 0.0, 0.0, null], "at": null })),
        ("robot_at", json!({ "robot": 0, "joints": [0.0, 0.0, 1e300, 0.0], "at": null })),
        ("robot_at", json!({ "robot": 0, "joints": zero, "at": { "step": 7, "t": 0.0 } })),
        ("robot_at", json!({ "robot": -1, "joints": zero, "at": null })),
        ("robot_ik", json!({ "robot": 0, "joints": zero, "tool": [0.0, 0.0, 0.0], "at": null })),
        (
            "robot_ik",
            json!({ "robot": 0, "joints": zero, "tool": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "at": null }),
        ),
        ("robot_ik", json!({ "robot": 0, "joints": [], "tool": at(0.0, 0.0, 0.0), "at": null })),
        ("robot_workspace", json!({ "robot": 0, "count": 0 })),
        ("robot_workspace", json!({ "robot": 0, "count": 1_000_000_000 })),
        ("robot_workspace", json!({ "robot": 5, "count": 10 })),
        ("robot_trail", json!({ "robot": 5 })),
        ("robot_try", json!({ "robot": 0, "action": { "wait": 1.0 }, "at": null })),
        ("robot_try", json!({ "robot": 0, "action": { "grasp": { "body": 2 } }, "at": null })),
        ("robot_try", json!({ "robot": 0, "action": {}, "at": null })),
        ("robot_try", json!({ "robot": 0, "action": { "ptp": {} }, "at": null })),
        ("robot_try", json!({ "robot": 0, "action": { "jump": {} }, "at": null })),
        ("robot_step", json!({ "robot": 0, "actions": [] })),
        ("robot_step", json!({ "robot": 7, "actions": [ptp(&zero)] })),
        ("robot_step", json!({ "robot": 0, "actions": [ptp(&zero)], "index": 9 })),
        ("robot_step", json!({ "robot": 0, "actions": [ptp(&zero)], "with": 9 })),
        ("robot_step", json!({ "robot": 1, "actions": [ptp(&[0.0, 0.0])], "with": 0, "index": 0 })),
        ("robot_start", json!({ "robot": 0, "joints": [0.0] })),
        ("robot_start", json!({ "robot": 9, "joints": [0.0] })),
        ("robot_base", json!({ "robot": 9, "pose": at(0.0, 0.0, 0.0) })),
        ("robot_base", json!({ "robot": 0, "pose": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] })),
    ] {
        assert_eq!(page.refused(command, keys.clone()).await, "request", "{command} {keys}");
    }
    // Actions of all kinds, tried or recorded.
    for action in [
        json!({ "ptp": { "joints": zero, "pose": at(0.0, 0.0, 0.0) } }),
        json!({ "ptp": { "joints": [0.0, 0.0] } }),
        json!({ "ptp": { "joints": zero, "speed": 0.0 } }),
        json!({ "ptp": { "joints": zero, "speed": 1.5 } }),
        json!({ "ptp": { "joints": zero, "mode": "fast" } }),
        json!({ "ptp": { "joints": zero, "velocity": 1.0 } }),
        json!({ "lin": { "by": [0.0, 0.0, 0.1], "pose": at(0.0, 0.0, 0.0) } }),
        json!({ "lin": { "by": [0.0, 0.0] } }),
        json!({ "lin": { "by": [0.0, 0.0, 0.1], "speed": -1.0 } }),
        json!({ "lin": {} }),
        json!({ "joint": { "freedom": 4, "to": 0.0 } }),
        json!({ "joint": { "freedom": 0, "to": "0" } }),
        json!({ "joint": { "freedom": 0, "by": 0.1 } }),
        json!({ "joint": { "freedom": 0, "to": 0.0 }, "wait": 1.0 }),
    ] {
        let keys = json!({ "robot": 0, "action": action, "actions": [action], "at": at_end });
        for command in ["robot_try", "robot_step"] {
            assert_eq!(page.refused(command, keys.clone()).await, "request", "{command} {action}");
        }
    }
    for action in [
        json!({ "grasp": { "body": 99 } }),
        json!({ "grasp": { "body": 2, "depth": -0.1 } }),
        json!({ "grasp": { "body": 2, "hard": true } }),
        json!({ "release": {} }),
        json!({ "wait": -1.0 }),
        json!({ "wait": 0.0 }),
        json!({ "plan": {} }),
    ] {
        assert_eq!(
            page.refused("robot_step", json!({ "robot": 0, "actions": [action] })).await,
            "request",
            "{action}"
        );
    }
    // What the program cannot do: beyond limits, out of reach, held by nobody, nobody to wait for.
    for action in [
        json!({ "ptp": { "joints": [3.0, 0.0, 0.1, 0.0] } }),
        json!({ "joint": { "freedom": 2, "to": 0.5 } }),
        json!({ "lin": { "by": [2.0, 0.0, 0.0] } }),
        json!({ "ptp": { "pose": at(5.0, 0.0, 0.0) } }),
        json!({ "lin": { "by": [1e300, 0.0, 0.0] } }),
    ] {
        let answer = page.ask("robot_try", json!({ "robot": 0, "action": action, "at": at_end })).await;
        assert_eq!(answer["error"]["code"], "scene", "{action}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().len() > 10);
        let answer = page.ask("robot_step", json!({ "robot": 0, "actions": [action] })).await;
        assert_eq!(answer["error"]["code"], "scene", "{action}: {answer}");
        assert!(answer["error"]["line"].as_u64().unwrap() > 90, "{answer}");
    }
    for action in [
        json!({ "release": { "body": 2 } }),
        json!({ "grasp": { "body": 1 } }),
        json!({ "grasp": { "body": 0 } }),
        json!({ "sync": "nobody" }),
        json!({ "sync": "" }),
        json!({ "wait": 1e300 }),
    ] {
        assert_eq!(
            page.refused("robot_step", json!({ "robot": 0, "actions": [action] })).await,
            "scene",
            "{action}"
        );
    }
    assert_eq!(
        page.refused("robot_start", json!({ "robot": 0, "joints": [3.0, 0.0, 0.1, 0.0] })).await,
        "scene"
    );
    assert_eq!(text(&mut page).await, CELL);
    // Unknown keys of a command beside the actions are ignored, as everywhere.
    page.done("robot_trail", json!({ "robot": 0, "color": "red" })).await;
}

#[tokio::test]
async fn a_program_that_cannot_be_carried_out_is_told_with_its_line() {
    let folder = Folder::new();
    let wrong = CELL
        .replace("joint = { name = \"joint3\", to = 370 }\nrelease", "lin = { by = [900, 0, 0] }\nrelease");
    let line = 1 + wrong.lines().position(|line| line.starts_with("lin = ")).unwrap();
    let (_studio, mut page) = opened(&folder, &wrong).await;
    let error = page.event("error").await;
    assert_eq!(error["line"], line, "{error}");
    assert!(error["message"].as_str().unwrap().contains("along the line"), "{error}");
    page.done("open", json!({ "text": CELL })).await;
    let answer = page.ask("set_text", json!({ "text": wrong })).await;
    assert_eq!((&answer["error"]["code"], &answer["error"]["line"]), (&json!("scene"), &json!(line)));
    assert_eq!(text(&mut page).await, CELL);
}

/// A command about robots that may or may not make sense.
fn change(random: &mut Random, round: usize) -> (&'static str, Value) {
    let angle = |random: &mut Random| (100.0 * random.range(-2.0, 2.0)).round() / 100.0;
    let robot = random.below(2);
    let mut joints = vec![angle(random), angle(random)];
    if robot == 0 {
        joints.extend([0.01 * random.below(40) as f64, angle(random)]);
    }
    let action = |random: &mut Random| match random.below(9) {
        0 | 1 => json!({ "ptp": { "joints": joints, "speed": 0.5 } }),
        2 => json!({ "joint": { "freedom": random.below(5), "to": angle(random) } }),
        3 => json!({ "lin": { "by": [0.1 * angle(random), 0.1 * angle(random), 0.0] } }),
        4 => json!({ "grasp": { "body": random.below(5) } }),
        5 => json!({ "release": { "body": 2 + random.below(2) } }),
        6 => json!({ "wait": 0.5 }),
        7 => json!({ "plan": { "joints": joints } }),
        _ => json!({ "ptp": { "joints": joints, "mode": "simultaneous" } }),
    };
    let step = random.below(9);
    match random.below(12) {
        0..=2 => {
            let actions: Vec<Value> = (0..1 + random.below(3)).map(|_| action(random)).collect();
            ("robot_step", json!({ "robot": robot, "actions": actions, "index": step }))
        }
        3 => ("robot_step", json!({ "robot": robot, "actions": [action(random)], "with": step })),
        4 => ("robot_start", json!({ "robot": robot, "joints": joints })),
        5 => {
            let pose = at(0.1 * angle(random), 1.0 + robot as f64, 0.0);
            ("robot_base", json!({ "robot": robot, "pose": pose, "merge": round.is_multiple_of(2) }))
        }
        6 => ("remove_step", json!({ "step": step })),
        7 => ("move_step", json!({ "from": step, "to": random.below(9) })),
        8 => ("duplicate_step", json!({ "step": step })),
        9 => ("rename_step", json!({ "step": step, "name": format!("n{round}") })),
        10 => ("set_pose", json!({ "body": random.below(6), "pose": at(angle(random), 0.0, 0.01) })),
        _ => {
            let moves = json!([{ "bodies": [random.below(5)], "translate": [0.01, 0.0, 0.0] }]);
            ("add_step", json!({ "index": step, "moves": moves }))
        }
    }
}

#[tokio::test]
async fn random_changes_are_undone_to_the_byte() {
    let folder = Folder::new();
    let (_studio, mut page) = opened(&folder, CELL).await;
    let mut random = Random::new(2026);
    let (mut texts, mut done, mut kinds) = (vec![CELL.to_owned()], 0, std::collections::BTreeSet::new());
    for round in 0..freiraum_testkit::scale::cases(150) {
        let (name, keys) = change(&mut random, round);
        let answer = page.ask(name, keys.clone()).await;
        let now = text(&mut page).await;
        if answer["ok"] == true {
            done += 1;
            kinds.insert(name);
            // What is shown is what the text says, stage by stage.
            let file = SceneFile::parse(now.as_str(), std::path::Path::new(""), "scene.toml").unwrap();
            let timeline = Timeline::of(file.scene()).unwrap();
            if texts.last() != Some(&now) {
                let scene = page.scene(&answer["revision"]).await;
                let steps: Vec<Value> =
                    scene["steps"].as_array().unwrap().iter().map(|step| step["step"].clone()).collect();
                assert_eq!(steps, timeline.stages.iter().map(|stage| json!(stage.step)).collect::<Vec<_>>());
            }
            if let Some(stage) = answer["step"].as_u64() {
                let stage = &timeline.stages[stage as usize];
                let expected = match name {
                    "robot_step" => !file.scene().steps[stage.step].tasks.is_empty(),
                    "add_step" => !file.scene().steps[stage.step].moves.is_empty(),
                    _ => file.scene().steps[stage.step].name.ends_with("again"),
                };
                assert!(expected, "{name} {keys}: {answer}");
            }
        } else {
            let code = answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}"));
            assert!(["request", "scene"].contains(&code), "{name} {keys}: {answer}");
            assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
            assert_eq!(now, *texts.last().unwrap(), "what is refused changes nothing: {name} {keys}");
        }
        texts.push(now);
        texts.dedup();
    }
    assert!(done > 30 && kinds.len() >= 8, "{done} {kinds:?}");
    let last = texts.last().unwrap().clone();
    let mut back = vec![last.clone()];
    while page.ask("undo", json!({})).await["ok"] == true {
        back.push(text(&mut page).await);
    }
    assert_eq!(back.last().unwrap(), CELL);
    assert!(back.iter().all(|text| texts.contains(text)));
    for expected in back.iter().rev().skip(1) {
        page.done("redo", json!({})).await;
        assert_eq!(text(&mut page).await, *expected);
    }
}

#[tokio::test]
async fn the_open_way_of_a_robot_is_planned_and_accepted() {
    let folder = Folder::new();
    // A post in the way of the arm that holds the gear.
    let post =
        "[[body]]\nname = \"post\"\nshape = { box = { size = [40, 40, 1000] } }\npose = [350, 350, 500]\n";
    let open = CELL
        .replace("# Down, take, up.", &format!("{post}\n# Down, take, up."))
        .replace("{ ptp = { joints_deg = [90, 0, 300, 0] } },\n        { sync = \"out\" },", "{ wait = 0.1 }, { sync = \"out\" },")
        .replace("joint = { name = \"joint3\", to = 370 }\nrelease = \"gear\"\nwait = 0.5", "do = [\n    { path = \"plan\", to = { joints_deg = [90, 0, 250, 0] } },\n    { release = \"gear\" }, # there\n    { joint = { name = \"joint3\", to = 220 } },\n    { path = \"plan\", to = { joints_deg = [100, 0, 200, 0] } },\n]");
    let (_studio, mut page) = opened(&folder, &open).await;
    let scene = page.hello["scene"].clone();
    assert_eq!(scene["steps"][4]["actions"][0]["kind"], "plan");
    assert_eq!(page.refused("plan", json!({ "step": 0 })).await, "request", "nothing is open there");
    assert_eq!(page.refused("plan", json!({ "step": 3 })).await, "request", "two robots");
    // What is in a gripper moves with it.
    let gear = json!({ "bodies": [2], "to": at(0.0, -0.5, 0.5), "at": { "step": 1, "t": 1.0 } });
    assert_eq!(page.refused("plan", gear).await, "request");
    for stage in [4, 5] {
        page.done("plan", json!({ "step": stage })).await;
        let planned = page.event("planned").await;
        assert_eq!((&planned["verdict"], &planned["step"]), (&json!("free"), &json!(stage)), "{planned}");
        assert_eq!(planned["planner"], "joints");
        assert!(planned["length"].as_f64().unwrap() > 0.5, "{planned}");
        let tracks = planned["preview"]["tracks"].as_array().unwrap();
        assert!(tracks.iter().any(|track| track["body"] == 2), "the gear is carried");
        for track in tracks {
            let times: Vec<f64> =
                track["times"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
            assert_eq!(times.len(), track["poses"].as_array().unwrap().len());
            assert!(times.windows(2).all(|pair| pair[0] <= pair[1]) && times[times.len() - 1] <= 1.0);
        }
        // Something else changes: the step is found again, if it is still the same.
        page.done("remove_step", json!({ "step": 2 })).await;
        let accepted = page.done("accept_plan", json!({ "name": "through" })).await;
        assert_eq!(accepted["step"], 3);
        let scene = page.scene(&accepted["revision"]).await;
        assert!(scene["steps"][3]["name"].as_str().unwrap().starts_with("through"));
        let kinds: Vec<&str> = scene["steps"][3]["actions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a["kind"].as_str().unwrap())
            .collect();
        assert!(!kinds.contains(&"plan") && !kinds.contains(&"grasp"), "{kinds:?}");
        assert_eq!(kinds.iter().filter(|kind| **kind == "release").count(), 1);
        let verdict = page.verdict(&accepted["revision"]).await;
        for stage in [3, 4] {
            assert_eq!(verdict["steps"][stage]["verdict"], "free", "{}", verdict["steps"][stage]);
        }
        page.done("undo", json!({})).await;
        page.done("undo", json!({})).await;
        assert_eq!(text(&mut page).await, open);
    }
    // Changed meanwhile: what was found is for another program.
    page.done("plan", json!({ "step": 4 })).await;
    page.event("planned").await;
    page.done("set_text", json!({ "text": open.replace("[90, 0, 250, 0]", "[95, 0, 250, 0]") })).await;
    assert_eq!(page.refused("accept_plan", json!({})).await, "stale");
}

#[tokio::test]
async fn ways_are_planned_between_steps_not_within() {
    let folder = Folder::new();
    let (_studio, mut page) = opened(&folder, CELL).await;
    // From within the first step: after it.
    for (stage, t, expected) in [(0, 0.5, 2), (1, 0.0, 2), (1, 0.7, 2), (0, 0.0, 0), (3, 0.0, 3), (4, 0.2, 6)]
    {
        page.done("plan", json!({ "bodies": [3], "to": at(0.0, 1.2, 0.3), "at": { "step": stage, "t": t } }))
            .await;
        let planned = page.event("planned").await;
        assert_eq!(planned["verdict"], "free", "{planned}");
        let accepted = page.done("accept_plan", json!({})).await;
        assert_eq!(accepted["step"], expected, "{stage} {t}");
        page.done("undo", json!({})).await;
    }
    assert_eq!(text(&mut page).await, CELL);
}

const URDF: &str = r#"<robot name="post">
  <link name="base"/>
  <link name="arm"><collision><origin xyz="0.2 0 0"/><geometry><mesh filename="meshes/arm.off" scale="0.01 0.01 0.01"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
</robot>
"#;

const SRDF: &str = r#"<robot name="post">
  <group name="all"><joint name="turn"/></group>
  <group_state name="ready" group="all"><joint name="turn" value="0.5"/></group_state>
</robot>
"#;

const ARM: &str = "OFF\n4 4 0\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

fn scene_with(model: &str) -> String {
    format!(
        "[[robot]]\nname = \"post\"\nmodel = \"{model}/post.urdf\"\nsrdf = \"{model}/post.srdf\"\n\n[[step]]\nname = \"turn\"\nrobot = \"post\"\nptp = {{ state = \"ready\" }}\n"
    )
}

fn write_robot(folder: &std::path::Path) {
    std::fs::create_dir_all(folder.join("meshes")).unwrap();
    std::fs::write(folder.join("post.urdf"), URDF).unwrap();
    std::fs::write(folder.join("post.srdf"), SRDF).unwrap();
    std::fs::write(folder.join("meshes/arm.off"), ARM).unwrap();
}

#[tokio::test]
async fn files_of_robots_are_watched() {
    let folder = Folder::new();
    let robot = folder.0.join("scenes/robot");
    write_robot(&robot);
    let (_studio, mut page) = opened(&folder, &scene_with("robot")).await;
    let scene = page.hello["scene"].clone();
    assert_eq!(
        (&scene["bodies"][0]["triangles"], &scene["bodies"][0]["name"]),
        (&json!(4), &json!("post/arm"))
    );
    assert_eq!(scene["robots"][0]["states"], json!([{ "name": "ready", "values": [0.5] }]));
    let listed = page.done("list", json!({})).await;
    assert_eq!(listed["files"], json!([{ "path": "scene.toml" }]), "a scene without bodies is one too");
    let mut last = scene["revision"].as_u64();
    let more = ARM.replace("4 4 0", "5 5 0").replace("3 0 2 1", "20 20 20\n3 0 2 1") + "3 1 2 4\n";
    for (name, content) in [
        ("meshes/arm.off", more),
        ("post.srdf", SRDF.replace("0.5", "0.25")),
        ("post.urdf", URDF.replace("upper=\"2\"", "upper=\"1\"")),
    ] {
        tokio::time::sleep(Duration::from_millis(20)).await;
        std::fs::write(robot.join(name), content).unwrap();
        let is_new = |event: &Value| event["event"] == "scene" && event["revision"].as_u64() > last;
        let scene = page.event_where(is_new).await;
        match name {
            "meshes/arm.off" => assert_eq!(scene["bodies"][0]["triangles"], 5),
            "post.srdf" => assert_eq!(scene["robots_end"][0]["values"], json!([0.25])),
            _ => assert_eq!(scene["robots"][0]["joints"][0]["upper"], 1.0),
        }
        last = scene["revision"].as_u64();
    }
    // What is wrong is told; when it is mended it is shown.
    std::fs::write(robot.join("post.urdf"), "<robot").unwrap();
    let error = page.event("error").await;
    assert!(error["message"].as_str().unwrap().contains("post.urdf"), "{error}");
    tokio::time::sleep(Duration::from_millis(20)).await;
    std::fs::write(robot.join("post.urdf"), URDF).unwrap();
    let is_new = |event: &Value| event["event"] == "scene" && event["revision"].as_u64() > last;
    assert_eq!(page.event_where(is_new).await["robots"][0]["joints"][0]["upper"], 2.0);
}

#[tokio::test]
async fn files_of_robots_stay_in_the_folder_and_go_along() {
    let folder = Folder::new();
    let outside = folder.0.join("outside");
    write_robot(&outside);
    write_robot(&folder.0.join("scenes/robot"));
    std::fs::create_dir_all(folder.0.join("scenes/deep/er")).unwrap();
    let (studio, mut page) = opened(&folder, &scene_with("robot")).await;
    // Not what is elsewhere: model, SRDF file, meshes.
    let before = text(&mut page).await;
    for text in [
        scene_with("../outside"),
        scene_with("robot").replace("robot/post.srdf", "../outside/post.srdf"),
        scene_with("robot").replace("robot/post.urdf", "robot/far.urdf"),
    ] {
        let far = URDF.replace("meshes/arm.off", "../../outside/meshes/arm.off");
        std::fs::write(folder.0.join("scenes/robot/far.urdf"), far).unwrap();
        assert_eq!(page.refused("set_text", json!({ "text": text })).await, "path");
        assert_eq!(page.refused("open", json!({ "text": text })).await, "path");
    }
    assert_eq!(text(&mut page).await, before);
    // In another folder the same files are named.
    let saved = page.done("save_as", json!({ "path": "deep/er/copy.toml" })).await;
    let scene = page.scene(&saved["revision"]).await;
    assert_eq!((&scene["bodies"][0]["triangles"], &scene["path"]), (&json!(4), &json!("deep/er/copy.toml")));
    assert!(text(&mut page).await.contains("model = \"../../robot/post.urdf\""));
    page.done("robot_start", json!({ "robot": 0, "joints": [0.25] })).await;
    page.done("save", json!({})).await;
    page.done("open", json!({ "path": "deep/er/copy.toml" })).await;
    drop(page);
    drop(studio);
    // What was opened on the command line may name files wherever they are.
    let (_studio, mut page) = opened(&folder, &scene_with("../outside")).await;
    assert_eq!(page.hello["scene"]["bodies"][0]["triangles"], 4);
    page.done("robot_start", json!({ "robot": 0, "joints": [0.25] })).await;
}
