//! What a world looks like at one moment, as JSON.

use crate::protocol::{Watched, WorldFrameHead, WorldFrameHeadEvent};
use freiraum_geometry::Vec3;
use freiraum_world::Simulation;
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;

/// A moment of a world: a [`crate::protocol::WorldFrame`] as far as it is the same for all pages, written once.
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

impl Frame {
    /// Of this moment; `watched` is what any page wants to see.
    pub(super) fn of(
        simulation: &Simulation,
        head: &WorldFrameHead,
        readings: Vec<Measurement>,
        watched: &Watched,
    ) -> Frame {
        let contacts = if watched.contacts { contacts(simulation) } else { Vec::new() };
        let mut text = written(&WorldFrameHeadEvent { event: "world", head });
        text.pop();
        Frame { number: head.frame, run: head.run, head: text, contacts: written(&contacts), readings }
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
fn contacts(simulation: &Simulation) -> Vec<f64> {
    let mut all: Vec<f64> = Vec::new();
    for contact in simulation.engine().contacts() {
        for point in contact.points.iter().filter(|point| point.impulse > 0.0) {
            let Vec3 { x, y, z } = contact.normal;
            all.extend(point.point.to_array());
            all.extend([x, y, z, point.impulse]);
        }
    }
    all
}

fn written(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Frame, Measurement, written};
    use crate::protocol::typescript_tests::WorldFrameEvent;
    use crate::protocol::{
        Reading, ReadingValue, RunState, Statistics, WorldFrame, WorldFrameHead, WorldFrameHeadEvent,
    };
    use serde_json::json;

    #[test]
    fn what_is_put_together_is_what_is_declared() {
        let reading = |sensor| {
            let value = ReadingValue { distance: Some(f64::INFINITY), ..ReadingValue::default() };
            Reading { sensor, time: 0.5, pose: [0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0], value }
        };
        let none = Statistics {
            steps_per_second: 1.0,
            speed_reached: 0.1 + 0.2,
            real_time_factor: 0.0,
            tests_per_step: 0.0,
            contacts: 0.0,
            energy: -3.0,
        };
        let head = WorldFrameHead {
            run: 2,
            frame: 7,
            state: RunState::Paused,
            speed: 1.0,
            stale: false,
            changed: true,
            time: 0.5,
            steps: 500,
            recording: None,
            statistics: none,
            vehicles: Vec::new(),
            scores: vec![3],
            poses: vec![1e-17; 7],
            speeds: vec![0.0],
        };
        let mut text = written(&WorldFrameHeadEvent { event: "world", head: &head });
        text.pop();
        let measured = |sensor| {
            let text = written(&reading(sensor)).into();
            Measurement { sensor, time: 0.5, text }
        };
        let (contacts, readings) = (written(&[1.0, 2.5]), vec![measured(0), measured(1), measured(4)]);
        let frame = Frame { number: 7, run: 2, head: text, contacts, readings };
        let events = json!([{ "time": 0.1, "kind": "warning", "number": 0 }]);
        let typed = |contacts, readings| {
            let frame = WorldFrame { head: head.clone(), events: events.clone(), contacts, readings };
            written(&WorldFrameEvent { event: "world", frame })
        };
        let all = frame.text(&events.to_string(), true, |sensor, _| sensor != 1);
        assert_eq!(all, typed(vec![1.0, 2.5], vec![reading(0), reading(4)]));
        assert_eq!(frame.text(&events.to_string(), false, |_, _| false), typed(Vec::new(), Vec::new()));
    }
}
