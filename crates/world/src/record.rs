//! Recordings: where everything was and what happened, as JSON Lines.
//!
//! The first line says what is recorded, every other one where the moving bodies are at a time, an event, or a measurement; the last one how
//! it ended. All numbers are SI and exact: they read back to the last bit. See `docs/world.md`.

use crate::event::Event;
use crate::reading::{Measured, Reading};
use crate::simulation::Simulation;
use freiraum_geometry::{Pose, Quat, Unit, Vec3};
use freiraum_scene::Scene;
use serde_json::{Value, json};

/// Of what [`header`] writes.
const VERSION: u64 = 3;

/// Older ones that are read as well: the first had neither vehicles nor sensors, the second had other hashes
/// of scenes.
const OLDEST: u64 = 1;

/// The first line, for a recording with this many frames per second.
#[must_use]
pub fn header(simulation: &Simulation, rate: f64) -> String {
    let scene = simulation.scene();
    let bodies: Vec<Value> =
        moving(simulation).map(|body| json!({ "name": scene.bodies[body].name, "body": body })).collect();
    let settings = &scene.world.settings;
    let vehicles = scene.world.vehicles.iter().enumerate().map(|(number, vehicle)| {
        let parts = simulation.vehicle_bodies(number);
        json!({ "name": vehicle.name, "model": vehicle.model.name(), "bodies": [parts.start, parts.end] })
    });
    let sensors = scene.world.sensors.iter().map(
        |sensor| json!({ "name": sensor.name, "on": scene.mount_name(sensor), "kind": sensor.kind.name() }),
    );
    let document = json!({
        "recording": VERSION,
        "scene_hash": hex(&simulation.scene_hash()),
        "gravity": settings.gravity.to_array(),
        "step": settings.step,
        "rate": rate,
        "bodies": bodies,
        "vehicles": vehicles.collect::<Vec<_>>(),
        "sensors": sensors.collect::<Vec<_>>(),
        "goals": scene.world.goals.iter().map(|goal| goal.name.as_str()).collect::<Vec<_>>(),
        "renderer": simulation.renderer(),
    });
    format!("{document}\n")
}

/// The line of a moment: the poses of the bodies in the order of the header.
#[must_use]
pub fn frame(simulation: &Simulation) -> String {
    let poses: Vec<[f64; 7]> = moving(simulation).map(|body| numbers(&simulation.pose(body))).collect();
    format!("{}\n", json!({ "t": simulation.time(), "poses": poses }))
}

/// The line of an event.
#[must_use]
pub fn event(event: &Event, scene: &Scene) -> String {
    format!("{}\n", json!({ "t": event.time, "event": event.to_json(scene, Unit::Metre) }))
}

/// The line of a measurement; `sensor` is its number in the scene.
#[must_use]
pub fn reading(sensor: usize, reading: &Reading) -> String {
    format!("{}\n", json!({ "t": reading.time, "sensor": sensor, "value": value(&reading.value) }))
}

/// A measurement in metres and degrees, as short as it can be: no return is `null`, and so is what was lost. Of a picture only its size
/// and the nearest depth.
#[must_use]
pub fn value(measured: &Measured) -> Value {
    match measured {
        // Numbers that are not finite become null.
        Measured::Distances(distances) => json!(distances),
        Measured::Distance(distance) => json!(distance),
        Measured::Broken(is_it) | Measured::Touched(is_it) => json!(is_it),
        Measured::Picture(picture) => {
            let nearest = picture.depth.iter().copied().fold(f32::INFINITY, f32::min);
            json!({ "size": picture.size, "nearest": f64::from(nearest) })
        }
        Measured::Odometry(track) => {
            json!({ "x": track.x, "y": track.y, "heading_deg": track.heading.to_degrees() })
        }
    }
}

/// The last line.
#[must_use]
pub fn end(simulation: &Simulation) -> String {
    let hash = format!("{:016x}", simulation.state_hash());
    format!("{}\n", json!({ "end": simulation.time(), "steps": simulation.steps(), "state_hash": hash }))
}

fn moving(simulation: &Simulation) -> impl Iterator<Item = usize> + '_ {
    (0..simulation.scene().bodies.len()).filter(|body| simulation.can_move(*body))
}

/// `x, y, z, qx, qy, qz, qw`.
fn numbers(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [qx, qy, qz, qw]) = (pose.translation().to_array(), pose.rotation().to_array());
    [x, y, z, qx, qy, qz, qw]
}

/// A hash in small letters.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A recording that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Of the scene that it was made from: [`Simulation::scene_hash`] in small letters.
    pub scene_hash: String,
    /// Names of the moving bodies, and their numbers in the scene with the parts of all vehicles.
    pub bodies: Vec<(String, usize)>,
    /// Names of the vehicles.
    pub vehicles: Vec<String>,
    /// Names of the sensors.
    pub sensors: Vec<String>,
    /// Moments, in order: time in seconds, and a pose for each of the bodies.
    pub frames: Vec<(f64, Vec<Pose>)>,
    /// Events as [`Event::to_json`] writes them, in metres.
    pub events: Vec<Value>,
    /// Measurements, in order: time in seconds, number of the sensor, and what [`value`] writes.
    pub readings: Vec<(f64, usize, Value)>,
    /// True if the last line is there: nothing was cut off.
    pub is_complete: bool,
}

/// What is wrong with a recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RecordingError {
    /// From 1.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Recording {
    /// Reads a recording. One that was cut off is read as far as it goes.
    pub fn parse(text: &str) -> Result<Recording, RecordingError> {
        let mut found = Recording {
            scene_hash: String::new(),
            bodies: Vec::new(),
            vehicles: Vec::new(),
            sensors: Vec::new(),
            readings: Vec::new(),
            frames: Vec::new(),
            events: Vec::new(),
            is_complete: false,
        };
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let fail = |message: &str| RecordingError { line: number + 1, message: message.to_owned() };
            let value: Value = match serde_json::from_str(line) {
                Ok(value) => value,
                // A program that was killed leaves half a line.
                Err(_) if number > 0 && number + 1 == lines.len() && !text.ends_with('\n') => break,
                Err(error) => return Err(fail(&format!("found no JSON: {error}"))),
            };
            if number == 0 {
                if !value["recording"].as_u64().is_some_and(|version| (OLDEST..=VERSION).contains(&version)) {
                    return Err(fail("this is no recording, or one of another version of the program"));
                }
                found.scene_hash = value["scene_hash"].as_str().unwrap_or_default().to_owned();
                for body in value["bodies"].as_array().into_iter().flatten() {
                    let named = body["name"].as_str().zip(body["body"].as_u64());
                    let (name, body) = named.ok_or_else(|| fail("found a body without name or number"))?;
                    found.bodies.push((name.to_owned(), body as usize));
                }
                found.vehicles = names(&value["vehicles"]);
                found.sensors = names(&value["sensors"]);
            } else if let Some(event) = value.get("event") {
                found.events.push(event.clone());
            } else if let Some(sensor) = value.get("sensor") {
                let known = sensor.as_u64().map(|k| k as usize).filter(|k| *k < found.sensors.len());
                let (Some(time), Some(sensor)) = (value["t"].as_f64(), known) else {
                    return Err(fail("found a measurement without time or of a sensor that is not there"));
                };
                found.readings.push((time, sensor, value["value"].clone()));
            } else if value.get("end").is_some() {
                found.is_complete = true;
            } else {
                let (Some(time), Some(list)) = (value["t"].as_f64(), value["poses"].as_array()) else {
                    return Err(fail("found neither poses nor an event"));
                };
                let poses: Option<Vec<Pose>> = list.iter().map(pose).collect();
                let poses = poses.filter(|poses| poses.len() == found.bodies.len());
                let expected = format!("expected {} poses of seven numbers each", found.bodies.len());
                found.frames.push((time, poses.ok_or_else(|| fail(&expected))?));
            }
        }
        if lines.is_empty() {
            return Err(RecordingError { line: 1, message: "the recording is empty".to_owned() });
        }
        Ok(found)
    }
}

fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.map(|item| item["name"].as_str().unwrap_or_default().to_owned()).collect()
}

fn pose(value: &Value) -> Option<Pose> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    let [x, y, z, qx, qy, qz, qw] = <[f64; 7]>::try_from(numbers?).ok()?;
    let (rotation, place) = (Quat::from_xyzw(qx, qy, qz, qw), Vec3::new(x, y, z));
    Pose::from_parts(rotation, place).or_else(|| Pose::new(rotation, place))
}
