//! The world of a scene, as pages see and change it.

use crate::client::{Address, Client, Folder, PATIENCE, body};
use freiraum_assets::ShapeCache;
use freiraum_formats::scene::SceneFile;
use freiraum_query::Prepared;
use freiraum_studio::{Clock, Options, Studio};
use freiraum_testkit::within::Limit;
use freiraum_world::Simulation;
use freiraum_world::record::Recording;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A ball that falls on the ground, a crate that slides, and a goal that the ball falls through.
const WORLD: &str = r#"# A small world.
units = "cm"

[world]
step = 0.002

[[body]]
name = "ground"
shape = { plane = { normal = [0, 0, 1], offset = 0 } }
fixed = true

[[body]]
name = "ball"        # it bounces
shape = { sphere = { radius = 5 } }
pose = [0, 0, 100]
physics = { density = 500, restitution = 0.5 }

[[body]]
name = "crate"
shape = { box = { size = [20, 20, 20] } }
pose = [100, 0, 10]
physics = { friction = 0.4, velocity = [50, 0, 0] }

[[body]]
name = "ring"
shape = { box = { size = [20, 20, 10] } }
pose = [0, 0, 50]

[[goal]]
name = "hoop"
body = "ring"
ball = "ball"
"#;

fn world() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.scene(), WORLD).unwrap();
    folder
}

/// The same world without a studio.
fn simulation(text: &str) -> Simulation {
    let file = SceneFile::parse(text, Path::new("."), "world.toml").unwrap();
    let parts = ShapeCache::of(file.scene());
    parts.load(file.scene()).unwrap();
    let shapes: Vec<Prepared> =
        (0..file.scene().bodies.len()).map(|body| parts.movable(body).unwrap().prepared().clone()).collect();
    Simulation::new(file.scene(), &shapes).unwrap()
}

fn hash(simulation: &Simulation) -> String {
    format!("{:016x}", simulation.state_hash())
}

/// A clock that goes when it is told to.
struct Hand {
    start: Instant,
    milliseconds: Arc<AtomicU64>,
}

impl Hand {
    fn new() -> Hand {
        Hand { start: Instant::now(), milliseconds: Arc::default() }
    }

    fn clock(&self) -> Clock {
        let (start, milliseconds) = (self.start, self.milliseconds.clone());
        Clock::new(move || start + Duration::from_millis(milliseconds.load(Ordering::SeqCst)))
    }

    fn advance(&self, milliseconds: u64) {
        self.milliseconds.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

fn is_frame(event: &Value) -> bool {
    event["event"] == "world"
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_are_those_of_the_simulation() {
    let folder = world();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    assert_eq!(page.refused("world_step", json!({})).await, "no_world");
    let opened = page.done("world_open", json!({})).await;
    assert_eq!(opened["settings"]["step"], 0.002);
    let names: Vec<&str> =
        opened["bodies"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ground", "ball", "crate", "ring"]);
    let moving: Vec<bool> =
        opened["bodies"].as_array().unwrap().iter().map(|b| b["can_move"].as_bool().unwrap()).collect();
    assert_eq!(moving, [false, true, true, false]);
    let mut same = simulation(WORLD);
    let own: Vec<f64> = [1, 2].iter().map(|b| same.engine().mass(same.body(*b))).collect();
    assert_eq!(opened["bodies"][1]["mass"].as_f64(), Some(own[0]));
    assert_eq!(opened["bodies"][0]["mass"], Value::Null);
    // The meshes are those of the scene, and can be had.
    for number in 0..4 {
        let mesh = &opened["bodies"][number]["mesh"];
        assert_eq!(*mesh, page.hello["scene"]["bodies"][number]["mesh"]);
        assert_eq!(address.get(&format!("/api/mesh/{}", mesh.as_str().unwrap())).0, 200);
    }
    for count in [1, 7, 500] {
        let stepped = page.done("world_step", json!({ "count": count })).await;
        (0..count).for_each(|_| same.step());
        assert_eq!(stepped["state_hash"], hash(&same));
        assert_eq!(stepped["steps"].as_u64(), Some(same.steps()));
        assert_eq!(stepped["state"], "paused");
    }
    // The frame that follows is exact.
    let time = same.time();
    let frame = page.event_where(|e| is_frame(e) && e["time"] == time).await;
    let poses: Vec<f64> = [1, 2]
        .iter()
        .flat_map(|b| {
            let pose = same.pose(*b);
            pose.translation().to_array().into_iter().chain(pose.rotation().to_array()).collect::<Vec<_>>()
        })
        .collect();
    let sent: Vec<f64> = frame["poses"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(sent, poses);
    assert_eq!(frame["scores"], json!([1]));
    // And so are the events.
    let events: Vec<Value> =
        same.take_events().iter().map(|e| e.to_json(same.scene(), freiraum_geometry::Unit::Metre)).collect();
    let told = page.done("world_events", json!({ "from": 0 })).await;
    let told = told["events"].as_array().unwrap();
    assert_eq!(told.len(), events.len());
    for (number, (told, event)) in told.iter().zip(&events).enumerate() {
        assert_eq!(told["number"], number);
        let mut told = told.clone();
        told.as_object_mut().unwrap().remove("number");
        assert_eq!(told, *event);
    }
    assert!(events.iter().any(|e| e["kind"] == "goal") && events.iter().any(|e| e["kind"] == "collision"));
    // From the start again.
    let run = opened["run"].as_u64().unwrap();
    let reset = page.done("world_reset", json!({})).await;
    assert_eq!((reset["steps"].as_u64(), reset["run"].as_u64()), (Some(0), Some(run + 1)));
    assert_eq!(reset["state_hash"], hash(&simulation(WORLD)));
    assert_eq!(page.done("world_events", json!({})).await["events"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_in_the_time_of_its_clock_and_pauses() {
    let (folder, clock) = (world(), Hand::new());
    let studio = Studio::start(Options { clock: clock.clock(), ..folder.options() }).unwrap();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    page.done("world_run", json!({ "speed": 1 })).await;
    // However long the machine takes for it, the world comes to the time of the clock, and no step further.
    let step = 0.002;
    for k in 1..=20 {
        clock.advance(50);
        let due = 0.05 * f64::from(k);
        let limit = Limit::new(PATIENCE);
        loop {
            let time = page.done("world_bodies", json!({})).await["time"].as_f64().unwrap();
            assert!(time <= due + 1e-9, "{time} s of the world in {due} s");
            if time > due - step - 1e-9 {
                break;
            }
            limit.check();
        }
    }
    let stand = async |page: &mut Client| {
        let paused = page.done("world_pause", json!({})).await;
        assert_eq!(paused["state"], "paused");
        // Time for one more frame.
        clock.advance(50);
        let is_it = |e: &Value| is_frame(e) && e["state"] == "paused" && e["steps"] == paused["steps"];
        let frame = page.event_where(is_it).await;
        assert_eq!(frame["time"], paused["time"]);
        (paused, frame["frame"].as_u64().unwrap())
    };
    // At most 30 frames per second, counted by whoever makes them: a page may miss some.
    let (before, first) = stand(&mut page).await;
    page.done("world_run", json!({ "speed": 1 })).await;
    for _ in 0..200 {
        clock.advance(5);
        // The second answer comes after what was done at the first.
        for _ in 0..2 {
            page.done("world_bodies", json!({})).await;
        }
    }
    let (paused, last) = stand(&mut page).await;
    let passed = paused["time"].as_f64().unwrap() - before["time"].as_f64().unwrap();
    assert!(passed > 0.2 && passed <= 1.0 + 1e-9, "{passed}");
    assert!((3..=33).contains(&(last - first)), "{first} to {last}");
    // Nothing moves any more.
    clock.advance(1000);
    assert_eq!(page.done("world_pause", json!({})).await["steps"], paused["steps"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_as_fast_as_possible() {
    let folder = world();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    // A second takes far less.
    page.done("world_run", json!({ "speed": 0 })).await;
    page.event_where(|e| is_frame(e) && e["time"].as_f64().unwrap() > 5.0).await;
    let fast =
        page.event_where(|e| is_frame(e) && e["statistics"]["steps_per_second"].as_f64() > Some(0.0)).await;
    assert!(fast["statistics"]["real_time_factor"].as_f64().unwrap() > 1.0, "{fast}");
    for speed in [json!(-1), json!(1e9), json!("fast")] {
        assert_eq!(page.refused("world_run", json!({ "speed": speed })).await, "request");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn attributes_are_changed_kept_and_undone() {
    let folder = world();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    assert_eq!(page.refused("world_keep", json!({})).await, "nothing");
    let set =
        json!({ "body": 1, "mass": 2.5, "friction": 0.25, "restitution": 0.75, "velocity": [0, 0, 1.5] });
    let now = page.done("world_set", set).await;
    assert_eq!(
        (&now["mass"], &now["friction"], &now["restitution"]),
        (&json!(2.5), &json!(0.25), &json!(0.75))
    );
    page.done("world_set", json!({ "body": 2, "active": false })).await;
    page.done("world_set", json!({ "body": 0, "friction": 0.5 })).await;
    // The changed world goes as one goes that began so.
    let stepped = page.done("world_step", json!({ "count": 600 })).await;
    let bodies = page.done("world_bodies", json!({})).await;
    let text = WORLD
        .replace(
            "density = 500, restitution = 0.5",
            "mass = 2.5, friction = 0.25, restitution = 0.75, velocity = [0, 0, 150]",
        )
        .replace("velocity = [50, 0, 0]", "velocity = [50, 0, 0], active = false")
        .replace("fixed = true", "fixed = true\nphysics = { friction = 0.5 }");
    let mut same = simulation(&text);
    (0..600).for_each(|_| same.step());
    assert_eq!(stepped["state_hash"], hash(&same));
    assert_eq!(bodies["bodies"][2]["pose"][0], 1.0);
    assert_eq!(bodies["bodies"][1]["changed"], true);
    // Kept: one change of the file, that makes no other world of it.
    let kept = page.done("world_keep", json!({})).await;
    let scene = page.scene(&kept["revision"]).await;
    assert!(scene["undo"].as_str().unwrap().starts_with("keep 3 bodies"), "{}", scene["undo"]);
    let written = page.done("get_text", json!({})).await["text"].as_str().unwrap().to_owned();
    assert!(
        written.contains("# it bounces") && written.contains("mass = 2.5") && !written.contains("density")
    );
    assert!(written.contains("velocity = [0, 0, 150]") && written.contains("active = false"), "{written}");
    let file = SceneFile::parse(written.as_str(), Path::new("."), "kept.toml").unwrap();
    let wanted = SceneFile::parse(text.as_str(), Path::new("."), "kept.toml").unwrap();
    (0..4).for_each(|body| assert_eq!(file.scene().physics(body), wanted.scene().physics(body)));
    let frame = page.event_where(|e| is_frame(e) && e["changed"] == false && e["steps"] == 600).await;
    assert_eq!(frame["stale"], false);
    assert_eq!(page.refused("world_keep", json!({})).await, "nothing");
    let reset = page.done("world_reset", json!({})).await;
    assert_eq!(reset["state_hash"], hash(&simulation(&written)));
    // Undone in one go: the text is as it was, and the world is of another scene.
    page.done("undo", json!({})).await;
    assert_eq!(page.done("get_text", json!({})).await["text"], WORLD);
    page.event_where(|e| is_frame(e) && e["stale"] == true).await;
    page.done("redo", json!({})).await;
    page.event_where(|e| is_frame(e) && e["stale"] == false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_was_stopped_and_let_go_is_as_before() {
    let folder = world();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    page.done("world_set", json!({ "body": 2, "active": false })).await;
    page.done("world_set", json!({ "body": 2, "active": true, "velocity": [0.5, 0, 0] })).await;
    let stepped = page.done("world_step", json!({ "count": 300 })).await;
    let mut same = simulation(WORLD);
    (0..300).for_each(|_| same.step());
    assert_eq!(stepped["state_hash"], hash(&same));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_attributes_change_nothing() {
    let folder = world();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    assert_eq!(page.refused("world_set", json!({ "body": 1, "mass": 1 })).await, "no_world");
    page.done("world_open", json!({})).await;
    let before = page.done("world_bodies", json!({})).await;
    for set in [
        json!({ "body": 9, "mass": 1 }),
        json!({ "body": 1, "mass": 0 }),
        json!({ "body": 1, "mass": -1 }),
        json!({ "body": 1, "mass": "heavy" }),
        json!({ "body": 1, "friction": -0.1 }),
        json!({ "body": 1, "restitution": 1.5 }),
        json!({ "body": 1, "velocity": [1, 2] }),
        json!({ "body": 0, "mass": 1 }),
        json!({ "body": 0, "velocity": [1, 0, 0] }),
        json!({ "body": 3, "position": [0, 0, 0] }),
        json!({ "body": 1, "mass": 1, "friction": -1 }),
        json!({ "mass": 1 }),
    ] {
        assert_eq!(page.refused("world_set", set.clone()).await, "request", "{set}");
    }
    assert_eq!(page.done("world_bodies", json!({})).await["bodies"], before["bodies"]);
    for (command, keys) in [
        ("world_step", json!({ "count": 0 })),
        ("world_step", json!({ "count": 100_000_000 })),
        ("world_step", json!({ "count": -1 })),
        ("world_fly", json!({})),
        ("world_drive", json!({ "vehicle": 0, "speed": 1 })),
        ("world_assign", json!({ "vehicle": 0, "controller": "wander" })),
        ("world_assign", json!({ "vehicle": 0, "controller": "chauffeur" })),
        ("world_events", json!({ "from": "start" })),
        ("world_watch", json!({ "sensors": "all" })),
    ] {
        assert_eq!(page.refused(command, keys).await, "request", "{command}");
    }
    assert_eq!(page.refused("world_record", json!({ "on": false })).await, "nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scene_that_cannot_be_simulated_says_all_that_is_wrong() {
    let folder = world();
    let text = WORLD.replace("fixed = true", "")
        + "[[body]]\nname = \"sheet\"\nshape = { plane = { normal = [1, 0, 0], offset = -9 } }\n";
    std::fs::write(folder.scene(), text).unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let answer = page.ask("world_open", json!({})).await;
    assert_eq!(answer["error"]["code"], "scene");
    let problems = answer["error"]["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 2, "{answer}");
    assert!(answer["error"]["line"].as_u64().unwrap() > 1);
    // The scene goes on, and can be made a world.
    page.done("set_text", json!({ "text": WORLD })).await;
    page.done("world_open", json!({})).await;
    // One that becomes wrong: the world stays as it was.
    page.done("world_step", json!({ "count": 5 })).await;
    page.done("set_text", json!({ "text": WORLD.replace("fixed = true", "") })).await;
    assert_eq!(page.refused("world_reset", json!({})).await, "scene");
    assert_eq!(page.done("world_step", json!({})).await["steps"], 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_scene_makes_the_world_stale() {
    let folder = world();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    page.done("world_step", json!({ "count": 10 })).await;
    // Comments and colours are no other world.
    page.done("set_text", json!({ "text": format!("# More words.\n{WORLD}") })).await;
    page.done("set_color", json!({ "body": 1, "color": [1, 0, 0] })).await;
    assert_eq!(page.done("world_pause", json!({})).await["stale"], false);
    page.done("set_pose", json!({ "body": 1, "pose": [0.1, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] })).await;
    let frame = page.event_where(|e| is_frame(e) && e["stale"] == true).await;
    assert_eq!(frame["steps"], 10);
    // It goes on all the same.
    assert_eq!(page.done("world_step", json!({})).await["steps"], 11);
    let reset = page.done("world_reset", json!({})).await;
    assert_eq!((&reset["stale"], &reset["steps"]), (&json!(false), &json!(0)));
    assert_eq!(page.done("world_bodies", json!({})).await["bodies"][1]["pose"][0], 0.1);
    // Another file is another world.
    page.done("open", json!({ "text": WORLD })).await;
    page.event("world_gone").await;
    assert_eq!(page.refused("world_step", json!({})).await, "no_world");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_pages_see_the_same_world() {
    let folder = world();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut one = Client::connect(&address).await;
    let mut two = Client::connect(&address).await;
    one.done("world_open", json!({})).await;
    one.done("world_step", json!({ "count": 400 })).await;
    let joined = two.done("world_open", json!({})).await;
    assert_eq!(joined["frame"]["steps"], 400);
    let events = joined["events"].as_array().unwrap().len();
    assert!(events > 0);
    one.done("world_run", json!({ "speed": 0 })).await;
    let mut others =
        [Vec::new(), vec![two.event_where(|e| is_frame(e) && e["time"].as_f64() > Some(3.0)).await]];
    let paused = two.done("world_pause", json!({})).await;
    let mut poses = Vec::new();
    for (page, others) in [&mut one, &mut two].into_iter().zip(&mut others) {
        let frame = page.event_where(|e| is_frame(e) && e["steps"] == paused["steps"]).await;
        poses.push(frame["poses"].clone());
        others.push(frame);
    }
    assert_eq!(poses[0], poses[1]);
    // What came with frames follows on what was told at first, without a gap.
    let total = two.done("world_events", json!({})).await["total"].as_u64().unwrap();
    for ((page, others), from) in [&one, &two].into_iter().zip(&others).zip([0, events as u64]) {
        let frames = page.came().iter().filter(|e| is_frame(e)).chain(others);
        let told = frames.flat_map(|e| e["events"].as_array().unwrap());
        let mut numbers: Vec<u64> = told.map(|e| e["number"].as_u64().unwrap()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (from..total).collect::<Vec<_>>());
    }
    // It lives as long as one of them looks.
    one.done("world_close", json!({})).await;
    assert_eq!(two.done("world_step", json!({})).await["ok"], true);
    two.done("world_close", json!({})).await;
    assert_eq!(two.refused("world_step", json!({})).await, "no_world");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_readers_get_fewer_frames_and_all_events() {
    let folder = world();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    page.done("world_run", json!({ "speed": 2 })).await;
    page.event_where(is_frame).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let paused = page.done("world_pause", json!({})).await;
    page.event_where(|e| is_frame(e) && e["steps"] == paused["steps"]).await;
    // It slept through some 45 frames, and got those that were under way.
    let frames = page.came().iter().filter(|e| is_frame(e)).count();
    assert!(frames <= 6, "{frames}");
    let total = page.done("world_events", json!({})).await["total"].as_u64().unwrap();
    assert!(total > 0);
    // A page that says what it has seen gets the next frame only then.
    let reset = page.done("world_reset", json!({})).await;
    let frame = page.event_where(|e| is_frame(e) && e["run"] == reset["run"]).await;
    page.start("world_seen", json!({ "frame": frame["frame"] })).await;
    page.done("world_run", json!({ "speed": 1 })).await;
    let seen = frame["frame"].as_u64();
    let first = page.event_where(|e| is_frame(e) && e["frame"].as_u64() > seen).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    page.done("world_bodies", json!({})).await;
    assert_eq!(
        page.came().iter().filter(|e| is_frame(e) && e["frame"].as_u64() > first["frame"].as_u64()).count(),
        0
    );
    page.start("world_seen", json!({ "frame": first["frame"] })).await;
    let next = page.event_where(|e| is_frame(e) && e["frame"].as_u64() > first["frame"].as_u64()).await;
    assert!(next["time"].as_f64().unwrap() > first["time"].as_f64().unwrap() + 0.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn recordings_are_those_of_the_simulation() {
    let folder = world();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    page.done("world_open", json!({})).await;
    assert_eq!(address.get("/api/world/recording").0, 404);
    page.done("world_record", json!({ "on": true })).await;
    page.done("world_step", json!({ "count": 500 })).await;
    assert_eq!(page.refused("world_set", json!({ "body": 1, "active": false })).await, "busy");
    // So far it is cut off; then it is whole.
    let (status, response) = address.get("/api/world/recording");
    assert_eq!(status, 200);
    let text = String::from_utf8(body(&response).to_vec()).unwrap();
    assert!(!Recording::parse(&text).unwrap().is_complete);
    page.done("world_record", json!({ "on": false })).await;
    let (_, response) = address.get("/api/world/recording");
    let text = String::from_utf8(body(&response).to_vec()).unwrap();
    let recording = Recording::parse(&text).unwrap();
    assert!(recording.is_complete);
    let mut same = simulation(WORLD);
    let mut events = Vec::new();
    let mut frames = recording.frames.iter();
    let every = (1.0_f64 / (30.0 * 0.002)).round() as u64;
    for number in 0..=500 {
        if number % every == 0 || number == 500 {
            let (time, poses) = frames.next().unwrap();
            assert_eq!((*time, poses.as_slice()), (same.time(), [same.pose(1), same.pose(2)].as_slice()));
        }
        if number < 500 {
            same.step();
            events.extend(same.take_events());
        }
    }
    assert_eq!(frames.next(), None);
    assert_eq!(recording.events.len(), events.len());
    assert!(text.contains(&hash(&same)));
    // Who has no token gets nothing.
    let request =
        format!("GET /api/world/recording HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", address.host);
    assert_eq!(address.raw(request.as_bytes()).0, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_dies_leaves_the_world_to_others() {
    let folder = world();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut one = Client::connect(&address).await;
    one.done("world_open", json!({})).await;
    one.done("world_run", json!({ "speed": 0 })).await;
    one.start("world_step", json!({ "count": 1_000_000 })).await;
    drop(one);
    let mut two = Client::connect(&address).await;
    let joined = two.done("world_open", json!({})).await;
    assert_eq!(joined["bodies"].as_array().unwrap().len(), 4);
    let paused = two.done("world_pause", json!({})).await;
    assert!(paused["steps"].as_u64().unwrap() < 1_000_000);
    // The scene was never blocked.
    let moved = two.done("set_pose", json!({ "body": 2, "pose": [2.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0] })).await;
    two.verdict(&moved["revision"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_come_to_those_who_watch() {
    let folder = world();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    page.done("world_step", json!({ "count": 50 })).await;
    page.event_where(|e| is_frame(e) && e["steps"] == 50 && e["contacts"] == json!([])).await;
    page.done("world_watch", json!({ "contacts": true })).await;
    page.done("world_step", json!({ "count": 1 })).await;
    let frame = page.event_where(|e| is_frame(e) && e["steps"] == 51).await;
    let contacts: Vec<f64> =
        frame["contacts"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    // The crate stands on the ground: its weight times a step.
    assert_eq!(contacts.len() % 7, 0);
    let impulse: f64 = contacts.chunks(7).map(|c| c[6]).sum();
    assert!((impulse - 8.0 * 9.81 * 0.002).abs() < 0.01 * impulse, "{impulse}");
    assert!(contacts.chunks(7).all(|c| c[2].abs() < 1e-3 && c[5].abs() > 0.999));
}
