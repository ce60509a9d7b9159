//! Everything that changes the scene can be undone and done again, and nothing that was acknowledged is lost.

use crate::client::{Address, Client, Folder, at};
use crate::crash::Killed;
use freiraum_testkit::random::Random;
use serde_json::{Value, json};

/// Everything that a file can have, with comments.
const RICH: &str = r#"# All of it.
units = "mm"

[check]
clearance = 1 # at least

[[body]]
name = "wall"      # it stands
shape = { box = { size = [10, 100, 100] } }
pose = [200, 0, 0]
fixed = true

[[body]]
name = "block"
shape = { box = { size = [20, 20, 20] } }
pose = { position = [0, 0, 0] } # here

[[body]]
name = "ball"
shape = { sphere = { radius = 5 } }
pose = [0, 50, 0, 0, 0, 0]
goal = [0, 60, 0]

[[group]]
name = "both"
members = ["block", "ball"] # these

[[pair]]
bodies = ["block", "ball"]
clearance = 0

# First.
[[step]]
name = "push"
move = "block" # this one
translate = [100, 0, 0]

[[step]]
parallel = [ { move = "block", translate = [0, 1, 0] }, { move = "ball", translate = [0, 2, 0] } ]

[[step]]
name = "open"
move = "ball"
path = "plan"
to = [0, 70, 0]
"#;

/// A change that may or may not make sense.
fn change(random: &mut Random, round: usize) -> (&'static str, Value) {
    let number = |random: &mut Random| (random.in_cube(0.1).x * 1e4).round() / 1e4;
    let point = |random: &mut Random| [number(random), number(random), number(random)];
    let pose = |random: &mut Random| {
        let [x, y, z] = point(random);
        match random.below(3) {
            0 => at(x, y, z),
            1 => json!([x, y, z, 0.0, 0.0, 0.5f64.sqrt(), 0.5f64.sqrt()]),
            _ => {
                let q = random.in_cube(1.0);
                let w = (q.length_squared() + 0.01).sqrt();
                json!([x, y, z, q.x / w, q.y / w, q.z / w, 0.1 / w])
            }
        }
    };
    let (body, step) = (random.below(4), random.below(6));
    let name = format!("n{round}");
    let travel = |random: &mut Random, bodies: Value| {
        let axis = json!({ "point": point(random), "axis": [0.0, 0.0, 1.0], "angle": number(random), "advance": number(random) });
        match random.below(6) {
            0 => json!({ "bodies": bodies, "translate": point(random) }),
            1 => json!({ "bodies": bodies, "rotate": axis }),
            2 => json!({ "bodies": bodies, "screw": axis }),
            3 => json!({ "bodies": bodies, "to": pose(random) }),
            4 => {
                json!({ "bodies": bodies, "path": [pose(random), { "translate": point(random), "share": 2.0 }] })
            }
            _ => json!({ "bodies": bodies, "plan": { "to": pose(random) } }),
        }
    };
    let moves = |random: &mut Random| match random.below(4) {
        0 => json!([travel(random, json!([1])), travel(random, json!([2]))]),
        1 => json!([travel(random, json!([1, 2]))]),
        2 => json!([travel(random, json!([2, 1]))]),
        _ => json!([travel(random, json!([1 + body % 2]))]),
    };
    match random.below(16) {
        0 | 1 => ("set_pose", json!({ "body": body, "pose": pose(random) })),
        2 => ("set_pose", json!({ "body": body, "pose": pose(random), "merge": true })),
        3 => ("set_goal", json!({ "body": body, "pose": pose(random) })),
        4 => ("set_goal", json!({ "body": body, "pose": null })),
        5 => ("set_color", json!({ "body": body, "color": [0.1 * body as f64, 0.5, 1.0] })),
        6 => ("set_fixed", json!({ "body": body, "fixed": round.is_multiple_of(2) })),
        7 => ("rename_body", json!({ "body": body, "name": name })),
        8 | 9 => ("add_step", json!({ "index": step, "moves": moves(random) })),
        10 => ("update_step", json!({ "step": step, "moves": moves(random), "seconds": 0.5, "name": name })),
        11 => ("remove_step", json!({ "step": step })),
        12 => ("move_step", json!({ "from": step, "to": random.below(6) })),
        13 => ("duplicate_step", json!({ "step": step })),
        14 => ("rename_step", json!({ "step": step, "name": name })),
        _ => (
            "add_body",
            json!({ "mesh": if round.is_multiple_of(3) { "missing.off" } else { "part.off" }, "name": name }),
        ),
    }
}

const MESH: &str = "OFF\n4 4 0\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.scene(), RICH).unwrap();
    std::fs::write(folder.0.join("scenes/part.off"), MESH).unwrap();
    folder
}

async fn text(page: &mut Client) -> String {
    page.done("get_text", json!({})).await["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn three_hundred_changes_are_undone_and_done_again() {
    for seed in 0..freiraum_testkit::scale::cases(1) as u64 {
        let folder = folder();
        let studio = folder.studio();
        let mut page = Client::connect(&Address::of(studio.address())).await;
        let mut random = Random::new(1994 + seed);
        let (mut texts, mut done, mut kinds) = (vec![RICH.to_owned()], 0, std::collections::BTreeSet::new());
        for round in 0..300 {
            if random.below(12) == 0 {
                // Back and forth in between.
                let back = page.ask("undo", json!({})).await;
                if back["ok"] == true {
                    let undone = text(&mut page).await;
                    assert!(undone != texts[texts.len() - 1] && texts.contains(&undone));
                    page.done("redo", json!({})).await;
                }
                assert_eq!(text(&mut page).await, *texts.last().unwrap());
            }
            let (name, keys) = if round == 150 {
                ("set_text", json!({ "text": format!("{}# more\n", texts.last().unwrap()) }))
            } else {
                change(&mut random, round)
            };
            let answer = page.ask(name, keys.clone()).await;
            let now = text(&mut page).await;
            if answer["ok"] == true {
                done += 1;
                kinds.insert(name);
            } else {
                let code = answer["error"]["code"].as_str().unwrap();
                assert!(["request", "scene"].contains(&code), "{name} {keys}: {answer}");
                assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
                assert_eq!(now, *texts.last().unwrap(), "what is refused changes nothing: {name} {keys}");
            }
            texts.push(now);
            texts.dedup();
        }
        assert!(done > 150, "{done} of 300 changes made sense");
        assert_eq!(kinds.len(), 13, "{kinds:?}");
        // Undone all the way, drags and the like at once: every text on the way was there before.
        let last = texts.last().unwrap().clone();
        let mut back = vec![last.clone()];
        while page.ask("undo", json!({})).await["ok"] == true {
            back.push(text(&mut page).await);
        }
        assert_eq!(back.last().unwrap(), RICH, "the beginning, byte for byte");
        assert!(back.iter().all(|text| texts.contains(text)));
        assert!(back.len() > 100, "{}", back.len());
        for expected in back.iter().rev().skip(1) {
            page.done("redo", json!({})).await;
            assert_eq!(text(&mut page).await, *expected);
        }
        assert_eq!(text(&mut page).await, last);
        assert_eq!(page.refused("redo", json!({})).await, "nothing");
        // What was written is what a reader understands.
        page.done("save", json!({})).await;
        assert_eq!(folder.text(), last);
        freiraum_formats::scene::SceneFile::read(folder.scene()).unwrap();
    }
}

#[tokio::test]
async fn a_server_killed_at_any_moment_loses_nothing_that_it_acknowledged() {
    let mut random = Random::new(5);
    for round in 0..4 {
        let folder = folder();
        let mut server = Killed::start(&folder);
        let mut page = Client::connect(&server.address).await;
        let mut acknowledged = RICH.to_owned();
        let count = 3 + random.below(12);
        for k in 0..count {
            let (name, keys) = change(&mut random, k);
            if page.ask(name, keys).await["ok"] == true {
                acknowledged = text(&mut page).await;
            }
            match random.below(8) {
                0 => drop(page.ask("undo", json!({})).await),
                1 => drop(page.ask("redo", json!({})).await),
                _ => continue,
            }
            acknowledged = text(&mut page).await;
        }
        // One more is under way: it may be there or not.
        let pose = at(0.001 * (1 + round) as f64, 0.0, 0.0);
        page.start("set_pose", json!({ "body": 1, "pose": pose })).await;
        std::thread::sleep(std::time::Duration::from_micros(300 * random.below(20) as u64));
        server.kill();
        assert_eq!(folder.text(), RICH);

        let studio = folder.studio();
        let mut page = Client::connect(&Address::of(studio.address())).await;
        let recovered = if page.hello["unsaved"].is_null() {
            RICH.to_owned()
        } else {
            page.done("recover", json!({ "yes": true })).await;
            text(&mut page).await
        };
        if recovered != acknowledged {
            page.done("undo", json!({})).await;
            let mut with = Client::connect(&Address::of(studio.address())).await;
            with.done("set_text", json!({ "text": acknowledged })).await;
            with.done("set_pose", json!({ "body": 1, "pose": pose })).await;
            assert_eq!(
                text(&mut with).await,
                recovered,
                "round {round}: neither with the last change nor without"
            );
        }
    }
}

#[tokio::test]
async fn bodies_are_renamed_everywhere_and_poses_keep_their_form() {
    let folder = folder();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let renamed = page.done("rename_body", json!({ "body": 1, "name": "brick" })).await;
    let scene = page.scene(&renamed["revision"]).await;
    assert_eq!(scene["bodies"][1]["name"], "brick");
    assert_eq!(
        (&scene["steps"][0]["moves"][0]["subject"], &scene["undo"]),
        (&json!("brick"), &json!("rename block"))
    );
    assert_eq!(text(&mut page).await, RICH.replace("\"block\"", "\"brick\""));
    for (body, name) in [(1, "wall"), (1, "both"), (1, ""), (9, "x")] {
        page.refused("rename_body", json!({ "body": body, "name": name })).await;
    }
    page.done("undo", json!({})).await;
    assert_eq!(text(&mut page).await, RICH);
    page.done("set_pose", json!({ "body": 1, "pose": at(0.001, 0.0, 0.0) })).await;
    page.done("set_pose", json!({ "body": 2, "pose": at(0.0, 0.049, 0.0) })).await;
    let expected = RICH.replace("{ position = [0, 0, 0] }", "{ position = [1, 0, 0] }");
    assert_eq!(text(&mut page).await, expected.replace("[0, 50, 0, 0, 0, 0]", "[0, 49, 0, 0, 0, 0]"));
    // Nothing changed: nothing to undo.
    let before = page.done("undo", json!({})).await;
    let same = page.done("set_pose", json!({ "body": 1, "pose": at(0.001, 0.0, 0.0) })).await;
    assert_eq!(before["revision"], same["revision"]);
    page.done("redo", json!({})).await;
}
