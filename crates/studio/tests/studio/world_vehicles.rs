//! Vehicles and sensors in the world of a scene, as pages see and drive them.

use crate::client::{Address, Client, Folder};
use freiraum_formats::scene::SceneFile;
use freiraum_world::Simulation;
use freiraum_world::control::{Keyboard, KeyboardHandle, Keys};
use serde_json::{Value, json};
use std::path::Path;

/// A robot at the keys, one that wanders and one that nobody drives, before a wall.
const WORLD: &str = r#"
[world]
step = 0.001

[[body]]
name = "ground"
shape = { plane = { normal = [0, 0, 1], offset = 0 } }
fixed = true

[[body]]
name = "wall"
shape = { box = { size = [0.2, 20, 2] } }
pose = [5.1, 0, 1]
fixed = true

[[vehicle]]
name = "driven"
model = "pioneer"
controller = "keyboard"

[[vehicle]]
name = "idle"
model = "pioneer"
pose = [0, 4, 0]

[[vehicle]]
name = "other"
model = "pioneer"
pose = [0, -4, 0]
controller = { program = ["no-such-program-anywhere", "drive.txt"] }

[[sensor]]
name = "scanner"
on = "driven"
pose = [0, 0, 0.5]
kind = "laser"
rate = 20
range = 30
rows = { elevations_deg = [0], columns = 3, field_deg = 30 }

[[sensor]]
name = "picture"
kind = "camera"
pose = [-3, 0, 1]
size = [4, 3]
range = 50
rate = 10

[[sensor]]
name = "counter"
on = "driven"
kind = "odometry"
"#;

fn world() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.scene(), WORLD).unwrap();
    folder
}

fn simulation() -> Simulation {
    let file = SceneFile::parse(WORLD, Path::new("."), "world.toml").unwrap();
    let parts = freiraum_assets::ShapeCache::of(file.scene());
    parts.load(file.scene()).unwrap();
    let shapes: Vec<_> =
        (0..file.scene().bodies.len()).map(|body| parts.movable(body).unwrap().prepared().clone()).collect();
    let (renderer, programs) = (Default::default(), freiraum_world::control::Programs::of(file.scene()));
    Simulation::with_programs(file.scene(), &shapes, &renderer, &programs).unwrap()
}

fn is_frame(event: &Value) -> bool {
    event["event"] == "world"
}

#[tokio::test(flavor = "multi_thread")]
async fn vehicles_are_driven_with_the_keyboard() {
    let folder = world();
    let studio = folder.trusting();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    assert_eq!(page.hello["scene"]["world"], true);
    let opened = page.done("world_open", json!({})).await;
    assert_eq!(opened["described"], true);
    let vehicles = opened["vehicles"].as_array().unwrap();
    assert_eq!(
        vehicles.iter().map(|v| v["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["driven", "idle", "other"]
    );
    assert_eq!(vehicles[0]["controller"], "keyboard");
    assert_eq!(vehicles[1]["controller"], Value::Null);
    assert_eq!(vehicles[2]["program"], json!(["no-such-program-anywhere", "drive.txt"]));
    let top = vehicles[0]["top_speed"].as_f64().unwrap();
    assert!(top > 0.1);
    // Its parts are bodies with meshes that can be had.
    let [first, end] = [0, 1].map(|k| vehicles[0]["bodies"][k].as_u64().unwrap() as usize);
    assert_eq!(first, 2);
    for body in &opened["bodies"].as_array().unwrap()[first..end] {
        assert!(body["name"].as_str().unwrap().starts_with("driven/"));
        assert_eq!(body["vehicle"], 0);
        assert_eq!(address.get(&format!("/api/mesh/{}", body["mesh"].as_str().unwrap())).0, 200);
    }
    // Full speed ahead, as the simulation has it.
    page.done("world_drive", json!({ "vehicle": 0, "speed": 1 })).await;
    let stepped = page.done("world_step", json!({ "count": 1000 })).await;
    let mut same = simulation();
    let handle = KeyboardHandle::default();
    same.set_controller(0, Some(Box::new(Keyboard::new(&handle))));
    handle.press(Keys { speed: 1.0, turn: 0.0 });
    (0..1000).for_each(|_| same.step());
    assert_eq!(stepped["state_hash"], format!("{:016x}", same.state_hash()));
    let frame = page.event_where(|e| is_frame(e) && e["steps"] == 1000).await;
    let pose = same.vehicle_pose(0).translation();
    assert_eq!(frame["vehicles"][0]["pose"][0].as_f64(), Some(pose.x));
    assert!(
        pose.x > 0.1 && frame["vehicles"][0]["speed"].as_f64().unwrap() > 0.1,
        "{}",
        frame["vehicles"][0]
    );
    // Keys hold until others are pressed: it stops.
    page.done("world_drive", json!({ "vehicle": 0, "speed": 0, "turn": 0 })).await;
    page.done("world_step", json!({ "count": 2000 })).await;
    let frame = page.event_where(|e| is_frame(e) && e["steps"] == 3000).await;
    assert!(frame["vehicles"][0]["speed"].as_f64().unwrap().abs() < 0.01 * top);
}

#[tokio::test(flavor = "multi_thread")]
async fn controllers_are_assigned_and_programs_only_as_the_file_names_them() {
    let folder = world();
    let studio = folder.trusting();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    // Nobody drives it: the keyboard takes it.
    page.done("world_drive", json!({ "vehicle": 1, "turn": 1 })).await;
    page.done("world_step", json!({ "count": 500 })).await;
    let frame = page.event_where(|e| is_frame(e) && e["steps"] == 500).await;
    assert_eq!(frame["vehicles"][1]["controller"], "keyboard");
    assert!(frame["vehicles"][1]["turn"].as_f64().unwrap() > 0.05, "{}", frame["vehicles"][1]);
    // A program drives the other one, if it only could: the world says so and goes on.
    assert_eq!(page.refused("world_drive", json!({ "vehicle": 2, "speed": 1 })).await, "request");
    let events = page.done("world_events", json!({})).await;
    let warnings = events["events"].as_array().unwrap().iter().filter(|e| e["kind"] == "warning").count();
    assert!(warnings > 0, "{events}");
    for program in [json!(["sh", "-c", "touch /tmp/x"]), json!(["no-such-program-anywhere"]), json!([])] {
        for vehicle in 0..3 {
            let assign = json!({ "vehicle": vehicle, "controller": { "program": program } });
            assert_eq!(page.refused("world_assign", assign).await, "request");
        }
    }
    let own = json!({ "program": ["no-such-program-anywhere", "drive.txt"] });
    assert_eq!(page.refused("world_assign", json!({ "vehicle": 0, "controller": own })).await, "request");
    page.done("world_assign", json!({ "vehicle": 2, "controller": own })).await;
    for controller in
        [json!("wander"), json!("collect"), json!({ "drive_to": [3, 3, 0] }), json!("keyboard"), Value::Null]
    {
        let answer = page.done("world_assign", json!({ "vehicle": 1, "controller": controller })).await;
        match &controller["drive_to"] {
            Value::Null => assert_eq!(answer["controller"], controller),
            to => assert_eq!(answer["controller"]["drive_to"][0].as_f64(), to[0].as_f64()),
        }
        page.done("world_step", json!({ "count": 5 })).await;
    }
    for controller in
        [json!("chauffeur"), json!({ "drive_to": [1] }), json!({ "soccer": { "ball": 0, "goal": 0 } })]
    {
        let assign = json!({ "vehicle": 1, "controller": controller });
        assert_eq!(page.refused("world_assign", assign).await, "request");
    }
    assert_eq!(page.refused("world_assign", json!({ "vehicle": 3, "controller": null })).await, "request");
    assert_eq!(page.refused("world_drive", json!({ "vehicle": 3, "speed": 1 })).await, "request");
    // Parts have the mass of their model.
    assert_eq!(page.refused("world_set", json!({ "body": 2, "mass": 1 })).await, "request");
    assert_eq!(page.refused("world_set", json!({ "body": 2, "position": [0, 0, 0] })).await, "request");
    page.done("world_set", json!({ "body": 2, "friction": 0.3 })).await;
    assert_eq!(page.refused("world_keep", json!({})).await, "nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn readings_come_once_to_those_who_watch() {
    let folder = world();
    let studio = folder.trusting();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let mut other = Client::connect(&address).await;
    let opened = page.done("world_open", json!({})).await;
    other.done("world_open", json!({})).await;
    let sensors = opened["sensors"].as_array().unwrap();
    assert_eq!(
        sensors.iter().map(|s| s["kind"].as_str().unwrap()).collect::<Vec<_>>(),
        ["laser", "camera", "odometry"]
    );
    assert_eq!((&sensors[0]["vehicle"], &sensors[0]["grid"]), (&json!(0), &json!([3, 1])));
    let beams: Vec<f64> =
        sensors[0]["beams"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(beams.len(), 9);
    page.done("world_watch", json!({ "sensors": [0, 1, 2, 99] })).await;
    // Sensors are asked about while they are watched: one frame says so.
    page.done("world_step", json!({})).await;
    let frame = page.event_where(|e| is_frame(e) && e["steps"] == 1).await;
    let readings = frame["readings"].as_array().unwrap();
    assert_eq!(readings.len(), 3, "{frame}");
    // The wall begins at x = 5, the scanner stands where it is told to.
    let scan = &readings[0];
    let place = scan["pose"][0].as_f64().unwrap();
    for (beam, distance) in beams.chunks(3).zip(scan["distances"].as_array().unwrap()) {
        let hit = place + beam[0] * distance.as_f64().unwrap();
        assert!((hit - 5.0).abs() < 1e-3, "{hit}");
    }
    assert_eq!(readings[1]["picture"]["size"], json!([4, 3]));
    assert_eq!(readings[1]["picture"]["colors"].as_str().unwrap().len(), 4 * 3 * 3 / 3 * 4);
    assert_eq!(readings[1]["picture"]["depth"].as_str().unwrap().len(), 4 * 3 * 4 / 3 * 4);
    assert_eq!(readings[2]["track"].as_array().unwrap().len(), 3);
    // The scanner measures every 50 steps, the camera every 100: nothing new now.
    page.done("world_step", json!({})).await;
    let frame = page.event_where(|e| is_frame(e) && e["steps"] == 2).await;
    let new: Vec<&Value> = frame["readings"].as_array().unwrap().iter().map(|r| &r["sensor"]).collect();
    assert_eq!(new, [&json!(2)]);
    page.done("world_step", json!({ "count": 49 })).await;
    let frame = page.event_where(|e| is_frame(e) && e["steps"] == 51).await;
    let new: Vec<&Value> = frame["readings"].as_array().unwrap().iter().map(|r| &r["sensor"]).collect();
    assert_eq!(new, [&json!(0), &json!(2)]);
    // Who does not watch gets none.
    let frame = other.event_where(|e| is_frame(e) && e["steps"] == 51).await;
    assert_eq!(frame["readings"], json!([]));
}
