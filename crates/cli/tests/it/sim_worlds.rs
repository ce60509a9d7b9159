//! The example worlds with vehicles: each shows what it is there for.

use freiraum_testkit::skip::has_python;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn run(scene: &str, seconds: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worlds");
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let output = command
        .args(["sim", scene, "--trust", "--json", "--events", "all", "--duration", seconds])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn count(found: &Value, is_wanted: impl Fn(&Value) -> bool) -> usize {
    found["events"].as_array().unwrap().iter().filter(|event| is_wanted(event)).count()
}

fn names(event: &Value, name: &str) -> bool {
    event["bodies"]
        .as_array()
        .is_some_and(|b| b.iter().any(|b| b.as_str().is_some_and(|b| b.starts_with(name))))
}

fn place(found: &Value, list: &str, name: &str) -> [f64; 3] {
    let one = found[list].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
    [0, 1, 2].map(|axis| one["pose"][axis].as_f64().unwrap())
}

#[test]
fn soccer_players_score() {
    let found = run("soccer.toml", "40");
    let goals: u64 =
        found["goals"].as_array().unwrap().iter().map(|goal| goal["count"].as_u64().unwrap()).sum();
    assert!(goals >= 1);
    assert_eq!(count(&found, |event| event["kind"] == "goal") as u64, goals);
    for name in ["ball", "blue 1/body", "gold 2/body"] {
        let [x, y, _] = place(&found, "bodies", name);
        assert!(x.abs() < 73.0 && y.abs() < 40.0, "{name} at {x}, {y} has left the field");
    }
}

#[test]
fn cylinders_are_collected() {
    let found = run("collection.toml", "40");
    let told = |action: &str| count(&found, |event| event["kind"] == "gripper" && event["action"] == action);
    assert!(told("grasped") >= 4 && told("released") >= 4, "{}, {}", told("grasped"), told("released"));
    // What was carried stands on the ground again.
    for k in 1..=16 {
        let [x, y, z] = place(&found, "bodies", &format!("cylinder {k}"));
        assert!(x.abs() < 100.0 && y.abs() < 100.0 && z > 1.0, "cylinder {k} at {x}, {y}, {z}");
    }
}

#[test]
fn a_robot_meets_prisms_and_stays_outside() {
    let found = run("prism-collisions.toml", "40");
    assert!(count(&found, |e| e["kind"] == "collision" && names(e, "prism") && names(e, "robot/")) >= 1);
}

#[test]
fn a_robot_bowls() {
    let found = run("robot-bowling.toml", "6");
    let fell = count(&found, |event| event["message"] == "it turned over");
    assert!(fell >= 3, "{fell} fell");
}

#[test]
fn slopes_are_climbed_as_far_as_wheels_hold() {
    let found = run("slopes.toml", "12");
    let [rubber, wood, ice] =
        ["rubber", "wood", "ice"].map(|name| place(&found, "vehicles", &format!("volksbot on {name}"))[0]);
    assert!(rubber > wood + 0.5 && wood > ice + 0.5, "{rubber}, {wood}, {ice}");
}

#[test]
fn hills_are_followed() {
    let found = run("terrain.toml", "20");
    // Both arrive, on hills.
    let [x, y, z] = place(&found, "vehicles", "limousine");
    assert!((x - 10.0).hypot(y - 14.0) < 0.5 && z > 0.5, "{x}, {y}, {z}");
    let [x, y, z] = place(&found, "vehicles", "truck");
    assert!((x - 14.0).hypot(y - 6.0) < 0.5 && z > 0.5, "{x}, {y}, {z}");
    assert_eq!(count(&found, |event| event["kind"] == "collision" && names(event, "limousine/body")), 0);
}

#[test]
fn everything_at_once() {
    let found = run("complex.toml", "20");
    assert!(count(&found, |event| event["kind"] == "gripper") >= 2);
    assert!(count(&found, |event| event["kind"] == "goal") >= 2);
    // One drives up the ramp and pushes a ball off the table.
    let ([.., walker], [.., ball]) = (place(&found, "vehicles", "walker"), place(&found, "bodies", "ball 2"));
    assert!(walker > 5.9 && ball < 3.0, "{walker}, {ball}");
    let [start, end] = ["energy_at_start", "energy"].map(|key| found["statistics"][key].as_f64().unwrap());
    assert!(end.is_finite() && end < 2.0 * start, "{start} -> {end}");
}

#[test]
fn a_program_hunts_balls() {
    if !has_python() {
        return;
    }
    let found = run("maze.toml", "40");
    assert!(count(&found, |event| event["message"].as_str().is_some_and(|m| m.contains("caught ball"))) >= 1);
    let [x, y, _] = place(&found, "vehicles", "hunter");
    assert!(x.abs() < 4.8 && y.abs() < 3.6, "the hunter has left the maze: {x}, {y}");
    for k in 1..=6 {
        let [x, y, _] = place(&found, "bodies", &format!("ball {k}"));
        assert!(x.abs() < 4.8 && y.abs() < 3.6, "ball {k} has left the maze: {x}, {y}");
    }
}

#[test]
fn pins_that_roll_on_each_other_meet_once() {
    let found = run("bowling.toml", "5");
    let step = found["step"].as_f64().unwrap();
    let (mut told, mut parted) = (BTreeMap::new(), BTreeMap::new());
    let mut collisions = 0;
    for event in found["events"].as_array().unwrap() {
        let (pair, time) = (event["bodies"].to_string(), event["time"].as_f64().unwrap());
        if event["kind"] == "separation" {
            parted.insert(pair, time);
            continue;
        }
        collisions += 1;
        let impulse = event["impulse"].as_f64().unwrap();
        let is_soon = parted.remove(&pair).is_some_and(|parted: f64| time - parted < 5.5 * step);
        assert!(!is_soon, "{event} after a pause of a few steps");
        // Without a separation only a blow that is twice as hard is told.
        let before = told.insert(pair.clone(), (impulse, time));
        assert!(
            before.is_none_or(|(hard, then)| time - then > 5.0 * step || impulse > 2.0 * hard),
            "{event}"
        );
    }
    assert!(collisions > 40);
}
