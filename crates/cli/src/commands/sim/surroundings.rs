//! Vehicles and sensors at the end, for people and for programs.

use super::print::{place, rounded};
use crate::commands::output::{Console, counted, grouped, number};
use freiraum::geometry::Unit;
use freiraum::scene::Sensor;
use freiraum::world::{Measured, Simulation};
use serde_json::{Value, json};

/// So many are shown to people.
const SHOWN: usize = 20;

/// Where vehicles are, and what sensors measured last.
pub(super) fn print(simulation: &Simulation, console: &mut Console) {
    let scene = simulation.scene();
    let (unit, vehicles) = (scene.units, simulation.vehicles());
    for (k, vehicle) in vehicles.iter().enumerate().take(SHOWN) {
        let pose = simulation.vehicle_pose(k);
        let at = place(pose.translation(), unit);
        let speed = number(rounded(unit.from_metres(simulation.vehicle_speed(k)[0])));
        let holds =
            simulation.holds(k).map_or(String::new(), |body| format!(", holds {}", scene.bodies[body].name));
        let (name, model) = (&vehicle.name, vehicle.model.name());
        console.text(&format!("  {name} ({model}) at {at}, {speed} {unit}/s forward{holds}\n"));
    }
    for (sensor, reading) in scene.world.sensors.iter().zip(simulation.readings()).take(SHOWN) {
        let name = named(simulation, sensor);
        let said = reading.as_ref().map_or_else(
            || "nothing yet".to_owned(),
            |reading| format!("{} at {} s", said(&reading.value, unit), number(rounded(reading.time))),
        );
        console.text(&format!("  {name} ({}): {said}\n", sensor.kind.name()));
    }
    let hidden = vehicles.len().saturating_sub(SHOWN) + scene.world.sensors.len().saturating_sub(SHOWN);
    if hidden > 0 {
        console.text(&format!("  … and {} more; --json tells all\n", counted(hidden, "line")));
    }
    if !vehicles.is_empty() || !scene.world.sensors.is_empty() {
        console.gap();
    }
}

fn named(simulation: &Simulation, sensor: &Sensor) -> String {
    match simulation.scene().mount_name(sensor) {
        Some(on) => format!("{on}/{}", sensor.name),
        None => sensor.name.clone(),
    }
}

fn said(value: &Measured, unit: Unit) -> String {
    let length = |x: f64| {
        if x.is_finite() {
            format!("{} {unit}", number(rounded(unit.from_metres(x))))
        } else {
            "no return".to_owned()
        }
    };
    match value {
        Measured::Distances(all) => {
            let (count, nearest) = returns(all.iter().copied());
            let beams = counted(all.len(), "beam");
            if count == 0 {
                format!("{beams}, no return")
            } else {
                format!("{beams}, {} came back, the nearest from {}", grouped(count), length(nearest))
            }
        }
        Measured::Distance(distance) => length(*distance),
        Measured::Broken(is_it) => answer(*is_it, "broken", "free").to_owned(),
        Measured::Touched(is_it) => answer(*is_it, "touched", "not touched").to_owned(),
        Measured::Picture(picture) => {
            let (_, nearest) = returns(picture.depth.iter().map(|depth| f64::from(*depth)));
            let [columns, rows] = picture.size;
            format!("a picture of {columns} x {rows}, the nearest depth {}", length(nearest))
        }
        Measured::Odometry(track) => {
            let [x, y] = [track.x, track.y].map(|x| number(rounded(unit.from_metres(x))));
            format!("({x}, {y}) {unit}, {}°", number(rounded(track.heading.to_degrees())))
        }
    }
}

fn answer(is_it: Option<bool>, yes: &'static str, no: &'static str) -> &'static str {
    match is_it {
        Some(true) => yes,
        Some(false) => no,
        None => "lost",
    }
}

/// How many distances came back, and the nearest.
fn returns(all: impl Iterator<Item = f64>) -> (usize, f64) {
    all.filter(|x| x.is_finite()).fold((0, f64::INFINITY), |(count, nearest), x| (count + 1, nearest.min(x)))
}

/// All vehicles, in the unit of the scene.
pub(super) fn vehicles(simulation: &Simulation) -> Value {
    let scene = simulation.scene();
    let of = |(k, vehicle): (usize, &freiraum::scene::Vehicle)| {
        let pose = simulation.vehicle_pose(k);
        let [x, y, z] = pose.translation().to_array().map(|x| scene.units.from_metres(x));
        let [qx, qy, qz, qw] = pose.rotation().to_array();
        let [speed, turn] = simulation.vehicle_speed(k);
        json!({
            "name": vehicle.name,
            "model": vehicle.model.name(),
            "pose": [x, y, z, qx, qy, qz, qw],
            "speed": scene.units.from_metres(speed),
            "turn_deg": turn.to_degrees(),
            "holds": simulation.holds(k).map(|body| scene.bodies[body].name.as_str()),
        })
    };
    simulation.vehicles().iter().enumerate().map(of).collect()
}

/// All sensors with what they measured last, in the unit of the scene; of many distances a summary.
pub(super) fn sensors(simulation: &Simulation) -> Value {
    let scene = simulation.scene();
    let of = |(sensor, reading): (&Sensor, &Option<freiraum::world::Reading>)| {
        let mut found = json!({
            "name": sensor.name,
            "on": scene.mount_name(sensor),
            "kind": sensor.kind.name(),
            "time": reading.as_ref().map(|reading| reading.time),
        });
        if let Some(reading) = reading {
            let (key, value) = value(&reading.value, scene.units);
            found[key] = value;
        }
        found
    };
    scene.world.sensors.iter().zip(simulation.readings()).map(of).collect()
}

fn value(value: &Measured, unit: Unit) -> (&'static str, Value) {
    match value {
        Measured::Distances(all) => {
            let (count, nearest) = returns(all.iter().copied());
            let nearest = unit.from_metres(nearest);
            ("summary", json!({ "beams": all.len(), "returns": count, "nearest": nearest }))
        }
        Measured::Picture(picture) => {
            let (_, nearest) = returns(picture.depth.iter().map(|depth| f64::from(*depth)));
            ("summary", json!({ "size": picture.size, "nearest": unit.from_metres(nearest) }))
        }
        Measured::Distance(distance) => ("value", json!(unit.from_metres(*distance))),
        Measured::Broken(is_it) | Measured::Touched(is_it) => ("value", json!(is_it)),
        Measured::Odometry(track) => {
            let [x, y] = [track.x, track.y].map(|x| unit.from_metres(x));
            ("value", json!({ "x": x, "y": y, "heading_deg": track.heading.to_degrees() }))
        }
    }
}
