//! `freiraum sim` from outside: states against closed forms, events, saved worlds, recordings, wrong input.

use freiraum::world::record::Recording;
use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn freiraum(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.args(arguments).current_dir(folder).env_remove("NO_COLOR");
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The one JSON document of a run that went well.
fn json(folder: &Path, arguments: &[&str]) -> Value {
    let all = [&["sim"], arguments, &["--json"]].concat();
    let output = freiraum(folder, &all);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stdout)))
}

/// What is said about wrong input.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = freiraum(folder, &[&["sim"], arguments].concat());
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    text(&output.stderr)
}

fn body<'v>(document: &'v Value, name: &str) -> &'v Value {
    document["bodies"].as_array().unwrap().iter().find(|body| body["name"] == name).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worlds")
}

/// A ball over the ground, in centimetres.
const BALL: &str = "units = \"cm\"\n[[body]]\nname = \"ground\"\nshape = { plane = { normal = [0, 0, 1], offset = 0 } }\nfixed = true\n\
    physics = { restitution = 1 }\n\
    [[body]]\nname = \"ball\"\nshape = { sphere = { radius = 5 } }\npose = [0, 0, 205]\n\
    physics = { mass = 2, restitution = 0.5, velocity = [30, 0, 0], spin_deg = [0, 0, 90] }\n";

#[test]
fn a_falling_ball() {
    let folder = Folder::new("sim-ball");
    folder.file("ball.toml", BALL);
    let found = json(folder.path(), &["ball.toml", "--duration", "0.5"]);
    assert_eq!((&found["units"], &found["steps"], &found["time"]), (&"cm".into(), &500.into(), &0.5.into()));
    let ball = body(&found, "ball");
    let pose = numbers(&ball["pose"]);
    // z = h - g t² / 2, in centimetres; 45 degrees about z.
    assert!(
        (pose[2] - (205.0 - 0.5 * 981.0 * 0.25)).abs() < 1e-9 && (pose[0] - 15.0).abs() < 1e-9,
        "{pose:?}"
    );
    assert!((pose[5] - (22.5_f64).to_radians().sin()).abs() < 1e-9, "{pose:?}");
    let velocity = numbers(&ball["velocity"]);
    assert!((velocity[2] + 981.0 * 0.5).abs() < 1e-9 && (velocity[0] - 30.0).abs() < 1e-9, "{velocity:?}");
    assert!((numbers(&ball["spin_deg"])[2] - 90.0).abs() < 1e-9);
    assert_eq!((&ball["kind"], &body(&found, "ground")["kind"]), (&"movable".into(), &"fixed".into()));
    let statistics = &found["statistics"];
    assert!(
        statistics["steps_per_second"].as_f64().unwrap() > 0.0 && statistics["tests_per_step"].is_number()
    );
    let [before, after] = ["energy_at_start", "energy"].map(|key| statistics[key].as_f64().unwrap());
    assert!((before - after).abs() < 1e-9 * before && before > 0.0, "{statistics}");
    // It lands after sqrt(2 h / g), which is told with names, place and time.
    let found = json(folder.path(), &["ball.toml", "--duration", "1.2", "--events", "all"]);
    let events = found["events"].as_array().unwrap();
    assert_eq!((&events[0]["kind"], &events[1]["kind"]), (&"collision".into(), &"separation".into()));
    assert_eq!(events[0]["bodies"], serde_json::json!(["ground", "ball"]));
    let time = events[0]["time"].as_f64().unwrap();
    assert!((time - (2.0_f64 * 2.0 / 9.81).sqrt()).abs() < 3e-3, "{events:?}");
    let point = numbers(&events[0]["point"]);
    assert!((point[0] - 30.0 * time).abs() < 0.2 && point[2].abs() < 1.0, "{point:?}");
    // People see it too.
    let output = freiraum(folder.path(), &["sim", "ball.toml", "--duration", "1.2"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(said.contains("ground meets ball at (") && said.contains("1 200 steps of 0.001 s"), "{said}");
    assert!(said.contains("2 bodies, 1 can move") && said.contains("steps per second"), "{said}");
    let quiet = json(folder.path(), &["ball.toml", "--duration", "1.2", "--least-impulse", "100"]);
    assert_eq!(quiet["events"], serde_json::json!([]));
    let arguments = ["ball.toml", "--duration", "1.2", "--events", "all", "--least-impulse", "100"];
    assert_eq!(json(folder.path(), &arguments)["events"], serde_json::json!([]));
    assert_eq!(json(folder.path(), &["ball.toml", "--events", "none"]).get("events"), None);
}

#[test]
fn resumed_is_the_same_as_straight_on() {
    let scene = examples().join("prisms.toml");
    let scene = scene.to_str().unwrap();
    let folder = Folder::new("sim-resume");
    let straight = json(folder.path(), &[scene, "--duration", "1.2", "--save", "straight.world"]);
    let first = json(folder.path(), &[scene, "--duration", "0.7", "--save", "half.world"]);
    assert_eq!((&first["saved"], &first["steps"]), (&"half.world".into(), &700.into()));
    let arguments =
        [scene, "--duration", "0.5", "--resume", "half.world", "--save", "resumed.world", "--threads", "1"];
    let second = json(folder.path(), &arguments);
    assert_eq!((&second["time"], &second["steps"]), (&1.2.into(), &500.into()));
    assert_eq!(straight["bodies"], second["bodies"]);
    assert_eq!(straight["state_hash"], second["state_hash"]);
    let saved =
        ["straight.world", "resumed.world"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert!(saved[0] == saved[1]);
    // Not with another scene, another step, or another file.
    folder.file("ball.toml", BALL);
    let said = refused(folder.path(), &["ball.toml", "--resume", "half.world"]);
    assert!(said.contains("half.world: this world was saved from another scene"), "{said}");
    let said = refused(folder.path(), &[scene, "--step", "0.002", "--resume", "half.world"]);
    assert!(said.contains("another scene"), "{said}");
    let said = refused(folder.path(), &["ball.toml", "--resume", "ball.toml"]);
    assert!(said.contains("this is no saved world"), "{said}");
    assert!(
        refused(folder.path(), &["ball.toml", "--resume", "gone"]).contains("cannot read the saved world")
    );
}

#[test]
fn recordings_and_tables() {
    let folder = Folder::new("sim-record");
    folder.file("ball.toml", BALL);
    let arguments = ["ball.toml", "--duration", "1", "--record", "ball.jsonl", "--rate", "50"];
    let found = json(folder.path(), &arguments);
    let recording =
        Recording::parse(&std::fs::read_to_string(folder.path().join("ball.jsonl")).unwrap()).unwrap();
    assert!(recording.is_complete && recording.frames.len() == 51, "{}", recording.frames.len());
    assert_eq!(recording.bodies, [("ball".to_owned(), 1)]);
    assert_eq!(Value::from(recording.scene_hash), found["scene_hash"]);
    // Metres, whatever the scene is in.
    let (time, poses) = &recording.frames[25];
    assert!((poses[0].translation().z - (2.05 - 0.5 * 9.81 * time * time)).abs() < 1e-9 && *time == 0.5);
    assert_eq!(recording.events.len(), found["events"].as_array().unwrap().len());
    let output =
        freiraum(folder.path(), &["sim", "ball.toml", "--duration", "0.1", "--csv", "--rate", "100"]);
    let table = text(&output.stdout);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..5], ["time_s", "body", "x_cm", "y_cm", "z_cm"]);
    assert!(rows.len() == 12 && rows.iter().all(|row| row.len() == 15), "{table}");
    assert_eq!((rows[11][0], rows[11][1]), ("0.1", "ball"));
    let z: f64 = rows[11][4].parse().unwrap();
    assert!((z - (205.0 - 0.5 * 981.0 * 0.01)).abs() < 1e-9, "{table}");
    assert!(text(&output.stderr).contains("steps per second"), "{}", text(&output.stderr));
    let start = std::time::Instant::now();
    json(folder.path(), &["ball.toml", "--duration", "0.3", "--realtime"]);
    assert!(start.elapsed().as_secs_f64() >= 0.3);
}

#[test]
fn wrong_input() {
    let folder = Folder::new("sim-wrong");
    assert!(refused(folder.path(), &["gone.toml"]).contains("check the name"));
    folder.file("ball.toml", BALL);
    for wrong in ["-1", "nan", "x"] {
        let said = refused(folder.path(), &["ball.toml", "--duration", wrong]);
        assert!(said.contains("expected a number of seconds from 0 to 3.2e9"), "{said}");
    }
    assert!(
        refused(folder.path(), &["ball.toml", "--of", "bal"])
            .contains("there is no such body or vehicle; there are ground, ball")
    );
    let said = refused(folder.path(), &["ball.toml", "--record", "no/such/folder.jsonl"]);
    assert!(said.contains("cannot write the recording"), "{said}");
    // With line and advice.
    folder.file("loose.toml", BALL.replace("fixed = true\nphysics = { restitution = 1 }\n", ""));
    let said = refused(folder.path(), &["loose.toml"]);
    assert!(
        said.contains("\"ground\" is endless and cannot move") && said.contains("loose.toml:4:1"),
        "{said}"
    );
    assert!(said.contains("add fixed = true"), "{said}");
    // A part of the truck would have the name of a body.
    let taken = BALL.replace("name = \"ball\"", "name = \"truck/chassis\"");
    folder.file("truck.toml", format!("{taken}[[vehicle]]\nname = \"truck\"\nmodel = \"monster truck\"\n"));
    let said = refused(folder.path(), &["truck.toml"]);
    assert!(
        said.contains("is a part of the vehicle \"truck\"") && said.contains("truck.toml:12:1"),
        "{said}"
    );
    folder.file("kind.toml", BALL.replace("mass = 2", "kind = \"robot\""));
    assert!(refused(folder.path(), &["kind.toml"]).contains("[[vehicle]]"));
    let output = freiraum(folder.path(), &["sim", "truck.toml", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &document["error"]["code"]), (Some(2), &"scene".into()));
    // A duration that is no whole number of steps is filled, and said.
    let output = freiraum(folder.path(), &["sim", "ball.toml", "--json", "--step", "0.3", "--duration", "1"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let said = text(&output.stderr);
    assert!(said.contains("1 s are no whole number of steps of 0.3 s: 1.2 s are simulated"), "{said}");
    assert_eq!((&document["steps"], &document["time"]), (&4.into(), &1.2.into()));
    // Nothing to simulate is fine.
    assert_eq!(json(folder.path(), &["ball.toml", "--duration", "0"])["steps"], 0);
}

#[test]
fn worlds_of_the_older_simulator() {
    let folder = Folder::new("sim-cfg");
    folder.file("world.cfg", "[general]\nmonsterTrucks = 0\n[field]\nballs = balls.txt\nwings = 2\n");
    folder.file("balls.txt", "1\n0 0 1000 100 1 0 0 0.5\n");
    let output = freiraum(folder.path(), &["sim", "world.cfg", "--duration", "1", "--json"]);
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("wings"), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("wings")));
    let height = numbers(&body(&found, "ball 1")["pose"])[2];
    assert!((height - 0.1).abs() < 0.01, "{found}");
    // A city or balls alone are known by what is in them, whatever they are called, and so is a configuration.
    let found = json(folder.path(), &["balls.txt", "--duration", "1"]);
    assert!((numbers(&body(&found, "ball 1")["pose"])[2] - height).abs() < 1e-12, "{found}");
    folder.file("houses", "0 2000\n0 1000 1000\n 5 0\n");
    let found = json(folder.path(), &["houses", "--duration", "0"]);
    let names: Vec<_> = found["bodies"].as_array().unwrap().iter().map(|body| &body["name"]).collect();
    assert_eq!(names, ["ground", "house 1"]);
    assert_eq!(found["vehicles"], serde_json::json!([]));
    folder.file("world.ini", "; a world\n[General]\nmonsterTrucks = 1\n");
    assert_eq!(
        json(folder.path(), &["world.ini", "--duration", "0"])["vehicles"][0]["name"],
        "monsterTruck1"
    );
    // An empty one has a truck.
    folder.file("truck.cfg", "");
    let found = json(folder.path(), &["truck.cfg", "--duration", "0.01"]);
    assert_eq!(found["vehicles"][0]["name"], "monsterTruck1");
}

#[test]
fn ramp_with_three_frictions() {
    let found = json(&examples(), &["ramp.toml", "--duration", "1"]);
    let along = |name: &str| {
        let pose = numbers(&body(&found, name)["pose"]);
        let (x, z) = (pose[0] + 0.9142304845413264, pose[2] - 2.3165063509461096);
        let (sin, cos) = 30.0_f64.to_radians().sin_cos();
        (x * cos - z * sin, x * sin + z * cos)
    };
    let early = json(&examples(), &["ramp.toml", "--duration", "0.5"]);
    let speed = |document: &Value, name: &str| {
        let velocity = numbers(&body(document, name)["velocity"]);
        velocity[0].hypot(velocity[2])
    };
    for (name, friction) in [("ice", 0.3), ("wood", 0.5)] {
        let (sin, cos) = 30.0_f64.to_radians().sin_cos();
        let acceleration = 9.81 * (sin - friction * cos);
        let gained = 2.0 * (speed(&found, name) - speed(&early, name));
        assert!((gained - acceleration).abs() < 1e-4 * acceleration, "{name}: {gained}, not {acceleration}");
        // In the first two steps the contact has yet to press, and friction with it.
        let (way, off) = along(name);
        assert!((way - 0.5 * acceleration).abs() < 0.01 && off.abs() < 1e-3, "{name}: {way} {off}");
    }
    let (way, off) = along("rubber");
    assert!(way.abs() < 1e-3 && off.abs() < 1e-3, "{way} {off}");
    let later = json(&examples(), &["ramp.toml", "--duration", "5"]);
    let before = numbers(&body(&found, "rubber")["pose"]);
    let after = numbers(&body(&later, "rubber")["pose"]);
    assert!(before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 1e-4), "{before:?} {after:?}");
}

#[test]
fn bowling_and_prisms() {
    let found = json(&examples(), &["bowling.toml", "--duration", "4"]);
    let pins: Vec<&Value> = found["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|b| b["name"].as_str().unwrap().starts_with("pin"))
        .collect();
    assert_eq!(pins.len(), 10);
    let fallen = pins.iter().filter(|pin| {
        let pose = numbers(&pin["pose"]);
        // The z axis of the pin is no longer upright.
        1.0 - 2.0 * (pose[3] * pose[3] + pose[4] * pose[4]) < 0.7
    });
    assert!(fallen.count() >= 3, "{found}");
    for body in found["bodies"].as_array().unwrap() {
        let pose = numbers(&body["pose"]);
        assert!(
            body["kind"] == "fixed" || pose[2] > 0.0 && pose[0].abs() < 6.1 && pose[1].abs() < 0.9,
            "{body}"
        );
    }
    let [before, after] = ["energy_at_start", "energy"].map(|key| found["statistics"][key].as_f64().unwrap());
    assert!(after < before, "{found}");
    let events = found["events"].as_array().unwrap();
    assert!(events.iter().any(|event| event["bodies"] == serde_json::json!(["ball", "pin 1"])), "{events:?}");
    let found = json(&examples(), &["prisms.toml", "--duration", "5"]);
    for body in found["bodies"].as_array().unwrap().iter().filter(|body| body["kind"] == "movable") {
        let (pose, velocity) = (numbers(&body["pose"]), numbers(&body["velocity"]));
        assert!(pose[2] > 0.05 && velocity.iter().all(|v| v.abs() < 0.02), "{body}");
    }
    assert_eq!(found["state_hash"], json(&examples(), &["prisms.toml", "--duration", "5"])["state_hash"]);
}

/// A truck in front of a wall, in centimetres, with sensors.
const TRUCK: &str = "units = \"cm\"\n[[body]]\nname = \"ground\"\nshape = { plane = { normal = [0, 0, 1], offset = 0 } }\nfixed = true\n\
    [[body]]\nname = \"wall\"\nshape = { box = { size = [100, 400, 200] } }\npose = [450, 0, 100]\nfixed = true\n\
    [[vehicle]]\nname = \"truck\"\nmodel = \"monster truck\"\ndrive = \"kinematic\"\ncontroller = { drive_to = [300, 0, 0] }\n\
    [[sensor]]\nname = \"eye\"\non = \"truck\"\nkind = \"infrared\"\nrange = 1000\npose = [0, 0, 20]\nrate = 10\n\
    [[sensor]]\nname = \"laser\"\non = \"truck\"\nkind = \"laser\"\nrange = 1000\nrate = 5\nrows = { elevations_deg = [0], columns = 3, field_deg = 30 }\n\
    [[sensor]]\nname = \"camera\"\non = \"truck\"\nkind = \"camera\"\nrange = 1000\nrate = 5\nsize = [32, 24]\n\
    [[sensor]]\nname = \"way\"\non = \"truck\"\nkind = \"odometry\"\n\
    [[sensor]]\nname = \"gate\"\nkind = \"light barrier\"\nrange = 300\npose = [50, -150, 10, 0, 0, 90]\n";

#[test]
fn vehicles_and_sensors() {
    let folder = Folder::new("sim-truck");
    folder.file("truck.toml", TRUCK);
    let arguments = ["truck.toml", "--duration", "1", "--sensors", "all.jsonl", "--pictures", "seen"];
    let more = ["--record", "truck.jsonl", "--record-sensors"];
    let found = json(folder.path(), &[&arguments[..], &more].concat());
    let truck = &found["vehicles"][0];
    assert_eq!((&truck["name"], &truck["model"]), (&"truck".into(), &"monster truck".into()));
    let pose = numbers(&truck["pose"]);
    assert!(pose[0] > 5.0 && pose[0] < 301.0 && pose[1].abs() < 1.0, "{truck}");
    assert!(truck["speed"].as_f64().unwrap() > 5.0, "{truck}");
    let sensors = found["sensors"].as_array().unwrap();
    assert_eq!(sensors.len(), 5);
    assert_eq!((&sensors[0]["on"], &sensors[4]["on"]), (&"truck".into(), &Value::Null));
    // Ten per second from 0 to 0.9 s; the wall begins at 400 cm.
    assert_eq!(sensors[0]["time"], 0.9);
    let all: Vec<Value> = std::fs::read_to_string(folder.path().join("all.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |name: &str| all.iter().filter(|line| line["sensor"] == name).collect::<Vec<_>>();
    let counts = ["eye", "laser", "camera", "way", "gate"].map(|name| of(name).len());
    assert_eq!(counts, [10, 5, 5, 1000, 1000]);
    assert_eq!(found["statistics"]["measurements"], 2020);
    assert!((of("eye")[0]["value"].as_f64().unwrap() - 4.0).abs() < 1e-3, "{}", of("eye")[0]);
    assert_eq!(of("laser")[0]["value"].as_array().unwrap().len(), 3);
    assert_eq!(of("camera")[1]["value"]["file"], "truck-camera-00000200.png");
    assert_eq!(of("gate")[0]["value"], false);
    let picture = std::fs::read(folder.path().join("seen/truck-camera-00000800.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    let way = of("way").last().unwrap()["value"]["x"].as_f64().unwrap();
    assert!((way * 100.0 - pose[0]).abs() < 2.0, "{way} {pose:?}");
    let text = std::fs::read_to_string(folder.path().join("truck.jsonl")).unwrap();
    let recording = Recording::parse(&text).unwrap();
    assert_eq!((recording.vehicles.as_slice(), recording.readings.len()), (&["truck".to_owned()][..], 2020));
    assert!(recording.bodies.iter().any(|(name, _)| name.starts_with("truck/")));
    // The same again, and from the middle.
    let again =
        json(folder.path(), &["truck.toml", "--duration", "0.4", "--save", "half.world", "--threads", "1"]);
    assert_ne!(again["state_hash"], found["state_hash"]);
    let rest = json(folder.path(), &["truck.toml", "--duration", "0.6", "--resume", "half.world"]);
    assert_eq!((&rest["state_hash"], &rest["sensors"]), (&found["state_hash"], &found["sensors"]));
    // People see it too.
    let output = freiraum(folder.path(), &["sim", "truck.toml", "--duration", "0.3", "--of", "truck"]);
    let said = text_of(&output);
    assert!(said.contains("1 vehicle, 5 sensors") && said.contains("truck (monster truck) at ("), "{said}");
    assert!(
        said.contains("truck/eye (infrared): ") && said.contains("gate (light barrier): broken"),
        "{said}"
    );
    let said = refused(folder.path(), &["truck.toml", "--of", "trukc"]);
    assert!(said.contains("there is no such body or vehicle; there are truck, ground"), "{said}");
    folder.file("ball.toml", BALL);
    let said = refused(folder.path(), &["ball.toml", "--pictures", "seen"]);
    assert!(said.contains("--pictures: there are no cameras in this scene"), "{said}");
}

fn text_of(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_city_of_the_older_simulator() {
    let folder = Folder::new("sim-city");
    let city = examples().join("city/MonsterTruck.cfg");
    let city = city.to_str().unwrap();
    let found = json(folder.path(), &[city, "--duration", "0.5", "--wander", "--sensors", "scans.jsonl"]);
    assert_eq!(found["vehicles"].as_array().unwrap().len(), 8);
    assert!(found.get("notes").is_none(), "{}", found["notes"]);
    let scans = std::fs::read_to_string(folder.path().join("scans.jsonl")).unwrap();
    let lasers = scans.lines().filter(|line| line.contains("\"kind\":\"laser\"")).count();
    // At 0, 0.2 and 0.4 s.
    assert_eq!(lasers, 24);
    for sensor in found["sensors"].as_array().unwrap().iter().filter(|sensor| sensor["kind"] == "laser") {
        assert_eq!(sensor["summary"]["beams"], 160 * 120);
        assert!(sensor["summary"]["returns"].as_u64().unwrap() > 5000, "{sensor}");
    }
    let again = json(folder.path(), &[city, "--duration", "0.5", "--wander", "--threads", "1"]);
    assert_eq!(again["state_hash"], found["state_hash"]);
}

/// Balls whose count is wrong are balls all the same, with a note; and a scene with a strange table is a scene with a mistake.
#[test]
fn wrong_counts_and_strange_tables_are_told() {
    let folder = Folder::new("sim-older");
    let ball = "0 0 500 100 1 0 0 1\n";
    for (count, described) in [(3, 2), (1, 2), (2, 2)] {
        folder.file("balls.txt", format!("{count}\n{}", ball.repeat(described)));
        let found = json(folder.path(), &["balls.txt", "--duration", "0.01"]);
        let movable = |body: &&Value| body["kind"] == "movable";
        let balls = found["bodies"].as_array().unwrap().iter().filter(movable).count();
        assert_eq!(balls, described, "{count}: {found}");
        let is_noted = found["notes"].to_string().contains("describes 2");
        assert_eq!(is_noted, count != described, "{count}: {found}");
    }
    folder.file("scene.toml", format!("[dynamics]\nstep = 1\n{BALL}"));
    let said = refused(folder.path(), &["scene.toml"]);
    assert!(said.contains("dynamics"), "{said}");
}

#[test]
fn surfaces_that_bound_no_solid_are_told() {
    let folder = Folder::new("sim-no-solid");
    // A tetrahedron without its base.
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(folder.path().join("tent.obj"), mesh).unwrap();
    let scene = |solid: &str| {
        let tent = |name: &str, x: i32| {
            format!(
                "[[body]]\nname = \"{name}\"\nmesh = \"tent.obj\"\nmesh_units = \"m\"\npose = [{x}, 0, 0]\nfixed = true\n{solid}"
            )
        };
        let ball = "[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.1 } }\npose = [5, 5, 5]\n";
        format!("units = \"m\"\n{}{}{ball}[world]\n", tent("tent", 0), tent("other", 3))
    };
    std::fs::write(folder.path().join("open.toml"), scene("")).unwrap();
    std::fs::write(folder.path().join("sheet.toml"), scene("solid = false\n")).unwrap();
    let found = json(folder.path(), &["open.toml", "--duration", "0.02", "--events", "none"]);
    let warnings = found["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0]["code"], "no_solid");
    assert_eq!(warnings[0]["bodies"], serde_json::json!(["tent", "other"]));
    assert!(
        warnings[0]["message"].as_str().unwrap().contains("freiraum mesh repair tent.obj"),
        "{warnings:?}"
    );
    let told = text(&freiraum(folder.path(), &["sim", "open.toml", "--duration", "0.02"]).stdout);
    assert!(
        told.contains("the surface of tent (and of 1 more of its shape) is open and bounds no solid"),
        "{told}"
    );
    let found = json(folder.path(), &["sheet.toml", "--duration", "0.02"]);
    assert_eq!(found["warnings"], serde_json::json!([]));
}
