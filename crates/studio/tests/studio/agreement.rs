//! What the page is told is what a check of the same text finds that knows nothing from before.

use crate::client::{Address, Client, Folder, SCENE, at};
use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, Timeline, check};
use freiraum_formats::scene::SceneFile;
use freiraum_planning::path::{CompleteOptions, Completed, Progress, StepFound, complete, open_steps};
use freiraum_studio::{Options, Studio};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use freiraum_world::control::Programs;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// A block with a groove whose edges are chamfered by the allowance or less, in millimetres.
fn mesh(width: usize, height: usize) -> String {
    let mut text = "OFF\n8 12 0\n".to_owned();
    for k in 0..8 {
        let chamfer = if k & 4 == 0 { 0 } else { 2 };
        let [x, y, z] = [(k & 1) * width, (k >> 1 & 1) * 20, (k >> 2 & 1) * height];
        let x = if k & 1 == 0 { x + chamfer } else { x - chamfer };
        text += &format!("{x} {y} {z}\n");
    }
    let faces = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    text + &faces.map(|[a, b, c]| format!("3 {a} {b} {c}\n")).concat()
}

/// The scene, with numbers that people change.
fn text(random: &mut Random) -> String {
    let size = 10 + random.below(20);
    format!(
        r#"units = "mm"
[check]
clearance = {}
allowance = {}
[[body]]
name = "wall"
mesh = "wall.off"
mesh_units = "{}"
[[body]]
name = "block"
mesh = "block.off"
pose = [{}, 0, 0]
[[body]]
name = "ball"
shape = {{ sphere = {{ radius = {} }} }}
pose = [0, 60, {}]
[[body]]
name = "stair"
shape = {{ compound = [
    {{ shape = {{ box = {{ size = [{size}, 10, 10] }} }} }},
    {{ shape = {{ box = {{ size = [10, {size}, 10] }} }}, pose = [0, 8, {}] }},
] }}
pose = [0, -60, 0]
[[step]]
name = "push"
move = "block"
translate = [{}, 0, {}]
[[step]]
name = "turn"
move = "ball"
rotate = {{ point = [0, 0, 0], axis = [0, 0, 1], deg = {} }}
"#,
        [0.0, 1.0, 5.0][random.below(3)],
        [0.0, 0.5, 2.0, 5.0][random.below(4)],
        ["mm", "cm"][random.below(5) / 4],
        random.below(60),
        1 + random.below(15),
        random.below(20),
        random.below(10),
        random.below(100) as i64 - 50,
        random.below(10),
        random.below(360),
    )
}

/// A change of a running session; the revision that came of it.
async fn change(page: &mut Client, folder: &Path, random: &mut Random) -> Option<Value> {
    let place = |random: &mut Random| {
        let whole = |random: &mut Random| 0.001 * (random.below(120) as f64 - 60.0);
        at(whole(random), whole(random), 0.1 * whole(random))
    };
    let steps = |random: &mut Random| random.below(3);
    let (command, rest) = match random.below(12) {
        0 | 1 => ("set_pose", json!({ "body": random.below(4), "pose": place(random) })),
        2 | 3 => ("set_text", json!({ "text": text(random) })),
        4 => {
            let by = json!([0.001 * random.range(-90.0, 90.0), 0.0, 0.0]);
            ("add_step", json!({ "moves": [{ "bodies": [random.below(4)], "translate": by }] }))
        }
        5 => ("remove_step", json!({ "step": steps(random) })),
        6 => ("move_step", json!({ "from": steps(random), "to": steps(random) })),
        7 => ("duplicate_step", json!({ "step": steps(random) })),
        8 => ("redo", json!({})),
        9 => ("save", json!({})),
        10 => {
            // Somebody exports a part anew.
            let name = ["wall.off", "block.off"][random.below(2)];
            let new = mesh(10 + 10 * random.below(4), 10 + 5 * random.below(6));
            if std::fs::read_to_string(folder.join(name)).unwrap() == new {
                return None;
            }
            std::fs::write(folder.join(name), new).unwrap();
            let latest = page.done("get_text", json!({})).await["revision"].as_u64();
            let is_new = |event: &Value| event["event"] == "scene" && event["revision"].as_u64() > latest;
            return Some(page.event_where(is_new).await["revision"].clone());
        }
        _ => ("undo", json!({})),
    };
    let answer = page.ask(command, rest).await;
    answer["revision"].is_u64().then(|| answer["revision"].clone())
}

/// What a check says that never saw anything: the verdicts, or that it cannot tell.
fn fresh(text: &str, folder: &Path) -> Option<(String, Vec<String>)> {
    let file = SceneFile::parse(text, folder, "scene.toml").unwrap();
    let timeline = Timeline::of(file.scene()).unwrap();
    let parts = ShapeCache::of(file.scene());
    let found =
        check(file.scene(), &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).ok()?;
    Some((
        found.verdict.name().to_owned(),
        found.steps.iter().map(|step| step.verdict.name().to_owned()).collect(),
    ))
}

#[tokio::test]
async fn the_page_is_told_what_a_fresh_check_finds() {
    let mut random = Random::new(4);
    let folder = Folder::new();
    let scenes = folder.0.join("scenes");
    std::fs::write(scenes.join("wall.off"), mesh(20, 20)).unwrap();
    std::fs::write(scenes.join("block.off"), mesh(30, 10)).unwrap();
    let first = text(&mut random);
    assert!(fresh(&first, &scenes).is_some());
    std::fs::write(scenes.join("scene.toml"), first).unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for _ in 0..cases(60) {
        let mut revision = None;
        // Some at once: checks are overtaken.
        for _ in 0..1 + random.below(3) {
            revision = change(&mut page, &scenes, &mut random).await.or(revision);
        }
        let Some(revision) = revision else { continue };
        let told = page.verdict(&revision).await;
        let text = page.done("get_text", json!({})).await["text"].as_str().unwrap().to_owned();
        let expected = fresh(&text, &scenes);
        let of = |value: &Value| value.as_str().map(str::to_owned);
        let steps = || told["steps"].as_array().unwrap().iter().map(|step| of(&step["verdict"]).unwrap());
        let found = of(&told["verdict"]).map(|verdict| (verdict, steps().collect::<Vec<_>>()));
        assert_eq!(found, expected, "{told}\n{text}");
        *counts.entry(found.map_or("error".to_owned(), |(verdict, _)| verdict)).or_default() += 1;
    }
    assert!(counts.len() > 1, "{counts:?}");
}

#[tokio::test]
async fn files_of_bodies_that_came_later_are_looked_at() {
    let folder = Folder::new();
    let scenes = folder.0.join("scenes");
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    // Not saved: the file is looked at all the same. The path of the block ends before the wall.
    std::fs::write(scenes.join("part.off"), mesh(10, 10)).unwrap();
    let added = page.done("add_body", json!({ "mesh": "part.off" })).await;
    page.done("set_pose", json!({ "body": 2, "pose": at(0.05, 0.02, 0.0) })).await;
    let _ = page.scene(&added["revision"]).await;
    // A save does not hide a change from just before it.
    for (name, saves) in [("part.off", false), ("part.off", true)] {
        let before = page.done("get_text", json!({})).await["revision"].as_u64();
        tokio::time::sleep(Duration::from_millis(30)).await;
        std::fs::write(scenes.join(name), mesh(10 + 10 * usize::from(saves), 30)).unwrap();
        let saved = if saves { page.done("save", json!({})).await["revision"].as_u64() } else { before };
        let is_new = |event: &Value| {
            let is_later = event["revision"].as_u64() > saved;
            event["event"] == "scene" && is_later && event["bodies"][2]["triangles"] == 12
        };
        page.event_where(is_new).await;
    }
    // So are the files that a file names.
    let bytes: Vec<u8> = [0f32, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.].map(f32::to_le_bytes).concat();
    let corners = |scale: u8| {
        [&bytes[..], &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], &vec![0; usize::from(scale)][..]].concat()
    };
    std::fs::write(scenes.join("part.bin"), corners(0)).unwrap();
    let gltf = json!({
        "asset": { "version": "2.0" }, "buffers": [{ "uri": "part.bin", "byteLength": 60 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 12 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1] },
            { "bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR" },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "nodes": [{ "mesh": 0 }], "scenes": [{ "nodes": [0] }], "scene": 0,
    });
    std::fs::write(scenes.join("part.gltf"), gltf.to_string()).unwrap();
    let added = page.done("add_body", json!({ "mesh": "part.gltf" })).await["revision"].as_u64();
    std::fs::write(scenes.join("part.bin"), corners(4)).unwrap();
    let is_new = |event: &Value| event["event"] == "scene" && event["revision"].as_u64() > added;
    page.event_where(is_new).await;
}

/// What a check says as the studio tells it: in metres. Planners are asked for ways that are open, as on the
/// command line.
fn library(path: &Path) -> Value {
    let file = SceneFile::read(path).unwrap();
    let parts = ShapeCache::of(file.scene());
    let mut go_on = |_: &str, _: &Progress| ControlFlow::Continue(());
    let Completed { scene, steps } = if open_steps(file.scene()).is_empty() {
        Completed { scene: file.scene().clone(), steps: Vec::new() }
    } else {
        complete(file.scene(), &parts, &CompleteOptions::default(), &mut go_on).unwrap()
    };
    let timeline = Timeline::of(&scene).unwrap();
    let steps: Vec<_> = steps.iter().map(StepFound::planned).collect();
    let options = CheckOptions { file: Some(&file), planned: &steps, ..CheckOptions::default() };
    let found = check(&scene, &timeline, &parts, &CheckMemory::default(), &options).unwrap();
    found.json_in(freiraum_geometry::Unit::Metre)
}

/// Without the name of the file, which the studio opens by another path.
fn without_file(mut value: Value) -> Value {
    fn remove(value: &mut Value) {
        match value {
            Value::Array(list) => list.iter_mut().for_each(remove),
            Value::Object(map) => {
                map.remove("file");
                map.values_mut().for_each(remove);
            }
            _ => {}
        }
    }
    remove(&mut value);
    value
}

#[tokio::test]
async fn the_page_is_told_the_report_of_every_example() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = std::fs::read_dir(&examples).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.filter(|path| path.is_dir()).flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let mut scenes: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    scenes.sort();
    assert!(scenes.len() >= 17, "{scenes:?}");
    let mut with_ways = 0;
    for path in scenes {
        let name = path.display();
        let folder = Folder::new();
        let programs = Programs::of(SceneFile::read(&path).unwrap().scene());
        let options = Options { scene: Some(path.clone()), programs, ..folder.options() };
        let studio = Studio::start(options).unwrap();
        let mut page = Client::connect(&Address::of(studio.address())).await;
        let revision = page.hello["scene"]["revision"].clone();
        let expected = without_file(library(&path));
        // With the ways that planners find in the background, after the scene as it is.
        let ways = expected["planned"].as_array().unwrap().len();
        let is_whole = |event: &Value| {
            event["event"] == "verdict"
                && event["revision"] == revision
                && event["running"] == false
                && event["planned"].as_array().is_some_and(|planned| planned.len() == ways)
        };
        let hello = page.hello["verdict"].clone();
        let told = if is_whole(&hello) { hello } else { page.event_where(is_whole).await };
        let told = without_file(told);
        with_ways += usize::from(ways > 0);
        for (key, expected) in expected.as_object().unwrap() {
            match key.as_str() {
                // As seen from the folder, and when it was checked.
                "scene" => assert_eq!(told[key], *path.file_name().unwrap().to_str().unwrap(), "{name}"),
                "date" => assert!(told[key].as_str().unwrap().ends_with('Z'), "{name}"),
                // What the check before the search has found may be known.
                "pairs_remembered" if ways > 0 => {}
                _ => assert_eq!(told[key], *expected, "{name}: {key}"),
            }
        }
        assert_eq!(told["missed"], expected["missed_goals"], "{name}");
        assert!(!expected["inputs"].as_array().unwrap().is_empty(), "{name}");
    }
    assert!(with_ways >= 2, "{with_ways}");
}

/// The planners that are asked in the background do not block edits of the scene, and what they find does
/// not change it.
#[tokio::test]
async fn open_ways_are_looked_for_in_the_background() {
    let folder = Folder::new();
    let open = SCENE.replace("translate = [100, 0, 0]", "path = \"plan\"\nto = { position = [50, 60, 0] }");
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let revision = page.done("set_text", json!({ "text": open })).await["revision"].clone();
    let of = |event: &Value| {
        event["event"] == "verdict" && event["revision"] == revision && event["running"] == false
    };
    let first = page.event_where(of).await;
    assert_eq!((&first["verdict"], &first["planned"]), (&json!("undecided"), &json!([])));
    let said = first["steps"][0]["findings"][0]["message"].as_str().unwrap();
    assert!(said.contains("no planner was asked"), "{said}");
    let second = page.event_where(of).await;
    assert_eq!((&second["verdict"], &second["planned"][0]["found"]), (&json!("free"), &json!(true)));
    assert_eq!(page.done("get_text", json!({})).await["text"], open);
    let (_, page_of_report) = Address::of(studio.address()).get("/api/export/report.html");
    assert!(String::from_utf8_lossy(&page_of_report).contains("was found by the planner"));
}

/// The keys are the same while it runs; lists are empty then.
#[tokio::test]
async fn a_verdict_has_all_keys_at_any_time() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let changed = page.done("set_pose", json!({ "body": 1, "pose": at(0.001, 0.0, 0.0) })).await;
    let of = |event: &Value| event["event"] == "verdict" && event["revision"] == changed["revision"];
    let running = page.event_where(|event| of(event) && event["running"] == true).await;
    let whole = page.event_where(|event| of(event) && event["running"] == false).await;
    let keys = |event: &Value| event.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&running), keys(&whole));
    for key in ["allowances", "inputs", "notes", "open_surfaces", "exempt", "planned", "warnings", "start"] {
        assert_eq!(running[key], json!([]), "{key}");
    }
    for key in ["verdict", "date", "pairs_tested"] {
        assert!(running[key].is_null() && !whole[key].is_null(), "{key}");
    }
    for event in [&running, &whole] {
        assert_eq!(event["scene"], "scene.toml");
        assert_eq!(event["version"], env!("CARGO_PKG_VERSION"));
    }
    assert_eq!(whole["inputs"][0]["path"], "scene.toml");
    assert_eq!(whole["inputs"][0]["blake3"].as_str().unwrap().len(), 64);
    assert_eq!(whole["steps"][0]["file"], "scene.toml");
}

/// As `freiraum check` says it of the ways that it finds: while it is offered, and once it is accepted.
#[tokio::test]
async fn a_way_that_was_found_is_in_the_report() {
    let folder = Folder::new();
    let open = SCENE.replace("translate = [100, 0, 0]", "path = \"plan\"\nto = { position = [50, 60, 0] }");
    std::fs::write(folder.scene(), &open).unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let revision = page.hello["scene"]["revision"].clone();
    page.done("plan", json!({ "step": 0 })).await;
    assert_eq!(page.event("planned").await["verdict"], "free");
    let is_known = |event: &Value| event["event"] == "verdict" && event["planned"][0]["found"] == true;
    let told = page.event_where(is_known).await;
    let expected =
        json!([{ "index": 1, "found": true, "planner": "straight", "reason": null, "proven": false }]);
    assert_eq!((&told["planned"], &told["revision"]), (&expected, &revision));
    let accepted = page.done("accept_plan", json!({})).await;
    let told = page.verdict(&accepted["revision"]).await;
    assert_eq!((&told["planned"], &told["verdict"]), (&expected, &json!("free")));
    // What is changed afterwards was found by nobody.
    let changed = page.done("set_pose", json!({ "body": 1, "pose": at(0.001, 0.0, 0.0) })).await;
    assert_eq!(page.verdict(&changed["revision"]).await["planned"], json!([]));
}

#[tokio::test]
async fn a_proof_that_there_is_no_way_makes_a_step_invalid() {
    let folder = Folder::new();
    let text = "units = \"mm\"\n[[body]]\nname = \"wall\"\nfixed = true\nshape = { box = { size = [10, 100, 100] } }\n\
        [[body]]\nname = \"box\"\nshape = { box = { size = [20, 20, 20] } }\npose = { position = [-50, 0, 0] }\n\
        [[step]]\nname = \"in\"\nmove = \"box\"\npath = \"plan\"\nto = { position = [5, 0, 0] }\n";
    std::fs::write(folder.scene(), text).unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let revision = page.hello["scene"]["revision"].clone();
    // Undecided until the planners in the background have the proof, which a busy page may see first.
    let first = page.verdict(&revision).await["verdict"].clone();
    assert!(first == "undecided" || first == "invalid", "{first}");
    page.done("plan", json!({ "step": 0 })).await;
    let is_it = |event: &Value| event["event"] == "verdict" && event["verdict"] == "invalid";
    let told = page.event_where(is_it).await;
    assert_eq!(
        (&told["steps"][0]["verdict"], &told["planned"][0]["proven"]),
        (&json!("invalid"), &json!(true))
    );
    let said = told["steps"][0]["findings"][0]["message"].as_str().unwrap();
    assert!(said.starts_with("there is no way for the box"), "{said}");
}
