//! What a program gets to know: a line of JSON at the start, and one per step. Lengths in metres.

use super::super::{Seen, SeenReading};
use crate::reading::Measured;
use crate::sensors::Picture;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use freiraum_geometry::{Pose, Unit};
use freiraum_scene::{Beams, Mount, Scene, Sensor, SensorKind, VehicleModel};
use serde_json::{Map, Value, json};

/// The first line: who it drives, and with what.
pub(super) fn hello(seen: &Seen) -> Vec<u8> {
    let vehicle = &seen.scene.world.vehicles[seen.vehicle];
    let model = VehicleModel::NAMES.iter().find(|(_, model)| *model == vehicle.model);
    let sensors = seen.scene.world.sensors.iter().filter(|of| of.mount == Mount::Vehicle(seen.vehicle));
    let sensors: Vec<Value> = sensors.map(|sensor| described(seen.scene, seen.vehicle, sensor)).collect();
    line(json!({
        "hello": 1,
        "vehicle": vehicle.name,
        "model": model.map(|(name, _)| *name),
        "units": "m",
        "step": seen.step,
        "seed": seen.scene.world.settings.seed,
        "sensors": sensors,
        "commands": commands(vehicle.model),
    }))
}

/// The line of a step.
pub(super) fn step(seen: &Seen, number: u64) -> Vec<u8> {
    let mut sensors = Map::new();
    for reading in seen.readings {
        let sensor = &seen.scene.world.sensors[reading.sensor];
        sensors.insert(name(seen.scene, seen.vehicle, sensor), measured(reading));
    }
    let events: Vec<Value> = seen.events.iter().map(|event| event.to_json(seen.scene, Unit::Metre)).collect();
    line(json!({
        "n": number,
        "t": seen.time,
        "speed": seen.speed[0],
        "turn": seen.speed[1],
        "holds": seen.holds.map(|body| seen.scene.bodies[body].name.as_str()),
        "sensors": sensors,
        "events": events,
    }))
}

fn line(value: Value) -> Vec<u8> {
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// What a vehicle of this model understands.
fn commands(model: VehicleModel) -> Vec<&'static str> {
    let own: &[&str] = match model {
        VehicleModel::Pioneer | VehicleModel::KheperaGripper => &["wheels", "gripper"],
        VehicleModel::Volksbot | VehicleModel::Khepera => &["wheels"],
        VehicleModel::MonsterTruck | VehicleModel::StretchLimousine => &["steer"],
        VehicleModel::Hr18 => &["joint"],
    };
    [&["drive"], own, &["log"]].concat()
}

/// Sensors of a vehicle have names of their own; those of others say whose they are.
fn name(scene: &Scene, vehicle: usize, sensor: &Sensor) -> String {
    match sensor.mount {
        Mount::Vehicle(on) if on == vehicle => sensor.name.clone(),
        Mount::Vehicle(on) => format!("{}/{}", scene.world.vehicles[on].name, sensor.name),
        Mount::Body(on) => format!("{}/{}", scene.bodies[on].name, sensor.name),
        Mount::World => format!("world/{}", sensor.name),
    }
}

fn described(scene: &Scene, vehicle: usize, sensor: &Sensor) -> Value {
    let mut found = json!({
        "name": name(scene, vehicle, sensor),
        "kind": "",
        "pose": pose(&sensor.mount_from_sensor),
        "rate": sensor.rate,
    });
    let mut add = |key: &str, value: Value| found[key] = value;
    let kind = match &sensor.kind {
        SensorKind::Laser { beams, range, .. } => {
            add("range", json!(range));
            match beams {
                Beams::Grid { size, field } => {
                    add("grid", json!({ "size": size, "field_deg": field.map(f64::to_degrees) }));
                }
                Beams::Rows { elevations, columns, field } => {
                    let elevations: Vec<f64> = elevations.iter().map(|e| e.to_degrees()).collect();
                    let field = field.to_degrees();
                    add(
                        "rows",
                        json!({ "elevations_deg": elevations, "columns": columns, "field_deg": field }),
                    );
                }
                Beams::Lasers { lasers, columns, field } => {
                    let lasers: Vec<Value> = lasers.iter().map(|laser| {
                        let [elevation, azimuth] = [laser.elevation, laser.azimuth].map(f64::to_degrees);
                        json!({ "elevation_deg": elevation, "azimuth_deg": azimuth, "up": laser.up, "left": laser.left })
                    }).collect();
                    let field = field.to_degrees();
                    add("lasers", json!({ "lasers": lasers, "columns": columns, "field_deg": field }));
                }
            }
            "laser"
        }
        SensorKind::Infrared { range } => {
            add("range", json!(range));
            "infrared"
        }
        SensorKind::LightBarrier { range } => {
            add("range", json!(range));
            "light barrier"
        }
        SensorKind::Bumper { half_angle } => {
            add("half_angle_deg", json!(half_angle.to_degrees()));
            "bumper"
        }
        SensorKind::Camera { size, field, range } => {
            add("range", json!(range));
            add("size", json!(size));
            add("field_deg", json!(field.to_degrees()));
            "camera"
        }
        SensorKind::Ultrasonic { half_angle, range } => {
            add("range", json!(range));
            add("half_angle_deg", json!(half_angle.to_degrees()));
            "ultrasonic"
        }
        SensorKind::Odometry => "odometry",
    };
    add("kind", json!(kind));
    found
}

/// Position, then roll, pitch and yaw in degrees.
fn pose(pose: &Pose) -> [f64; 6] {
    let ([x, y, z], (roll, pitch, yaw)) = (pose.translation().to_array(), pose.to_zyx_euler());
    [x, y, z, roll.to_degrees(), pitch.to_degrees(), yaw.to_degrees()]
}

/// What is not finite becomes `null`: nothing came back, or it was lost. Lists come once, when they are new.
fn measured(seen: &SeenReading) -> Value {
    let mut found = json!({ "t": seen.reading.time, "new": seen.is_new });
    let is_list = matches!(seen.reading.value, Measured::Distances(_) | Measured::Picture(_));
    if is_list && !seen.is_new {
        return found;
    }
    found["value"] = match &seen.reading.value {
        Measured::Distances(distances) => json!(distances),
        Measured::Distance(distance) => json!(distance),
        Measured::Broken(is_it) | Measured::Touched(is_it) => json!(is_it),
        Measured::Picture(picture) => pictured(picture),
        Measured::Odometry(track) => {
            json!({ "x": track.x, "y": track.y, "heading_deg": track.heading.to_degrees() })
        }
    };
    found
}

fn pictured(picture: &Picture) -> Value {
    json!({ "size": picture.size, "rgb": STANDARD.encode(picture.colors.as_flattened()), "depth": picture.depth })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_come_back_is_null() {
        let reading =
            crate::reading::Reading { time: 0.5, value: Measured::Distances(vec![1.5, f64::INFINITY]) };
        let seen = |is_new| measured(&SeenReading { sensor: 0, is_new, reading: &reading }).to_string();
        assert_eq!(seen(true), r#"{"t":0.5,"new":true,"value":[1.5,null]}"#);
        assert_eq!(seen(false), r#"{"t":0.5,"new":false}"#);
        let lost = crate::reading::Reading { time: 0.0, value: Measured::Touched(None) };
        let seen = measured(&SeenReading { sensor: 0, is_new: false, reading: &lost });
        assert_eq!(seen.to_string(), r#"{"t":0.0,"new":false,"value":null}"#);
    }
}
