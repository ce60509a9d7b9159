//! What a world looks like at one moment, as JSON.

use crate::protocol::{Watched, sent};
use freiraum_geometry::Vec3;
use freiraum_world::Simulation;
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;

/// A moment of a world.
pub(crate) struct Frame {
    /// Counts up, over all worlds of a session.
    pub(super) number: u64,
    pub(super) run: u64,
    /// All that every page gets, without the closing brace.
    head: String,
    contacts: String,
    readings: Vec<Measurement>,
}

/// A measurement, ready to be sent.
#[derive(Clone)]
pub(super) struct Measurement {
    pub(super) sensor: usize,
    pub(super) time: f64,
    pub(super) text: Arc<str>,
}

/// What is known beside the simulation.
pub(super) struct About<'a> {
    pub(super) number: u64,
    pub(super) run: u64,
    pub(super) state: &'static str,
    /// As asked for.
    pub(super) speed: f64,
    pub(super) is_stale: bool,
    pub(super) can_keep: bool,
    pub(super) recording: Value,
    pub(super) statistics: Value,
    pub(super) vehicles: Value,
    pub(super) readings: Vec<Measurement>,
    pub(super) watched: &'a Watched,
}

impl Frame {
    /// Of the moving bodies now.
    pub(super) fn of(simulation: &Simulation, moving: &[usize], about: About) -> Frame {
        let poses: Vec<[f64; 7]> = moving.iter().map(|body| sent(&simulation.pose(*body))).collect();
        let speeds: Vec<f64> = moving.iter().map(|body| simulation.velocity(*body)[0].length()).collect();
        let contacts = if about.watched.contacts { contacts(simulation) } else { String::from("[]") };
        let document = json!({
            "event": "world", "run": about.run, "frame": about.number, "state": about.state, "speed": about.speed,
            "stale": about.is_stale, "changed": about.can_keep, "time": simulation.time(), "steps": simulation.steps(),
            "recording": about.recording, "statistics": about.statistics, "vehicles": about.vehicles,
            "scores": simulation.scores(), "poses": poses.as_flattened(), "speeds": speeds,
        });
        let mut head = document.to_string();
        head.pop();
        Frame { number: about.number, run: about.run, head, contacts, readings: about.readings }
    }

    /// With these events, and what a page wants to see.
    pub(super) fn text(
        &self,
        events: &str,
        contacts: bool,
        mut is_new: impl FnMut(usize, f64) -> bool,
    ) -> String {
        let mut text = self.head.clone();
        let contacts = if contacts { self.contacts.as_str() } else { "[]" };
        // A string takes everything.
        let _ = write!(text, ",\"events\":{events},\"contacts\":{contacts},\"readings\":[");
        let new = self.readings.iter().filter(|reading| is_new(reading.sensor, reading.time));
        for (number, reading) in new.enumerate() {
            if number > 0 {
                text.push(',');
            }
            text.push_str(&reading.text);
        }
        text.push_str("]}");
        text
    }
}

/// Seven numbers each: point, normal from the first body to the second, impulse of the last step in newton seconds.
fn contacts(simulation: &Simulation) -> String {
    let mut all: Vec<f64> = Vec::new();
    for contact in simulation.engine().contacts() {
        for point in contact.points.iter().filter(|point| point.impulse > 0.0) {
            let Vec3 { x, y, z } = contact.normal;
            all.extend(point.point.to_array());
            all.extend([x, y, z, point.impulse]);
        }
    }
    json!(all).to_string()
}
