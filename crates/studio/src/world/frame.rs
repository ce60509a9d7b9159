//! What a world looks like at one moment, as JSON.

use crate::protocol::{SharedEvent, Watched, WorldFrameEvent, WorldFrameHead};
use freiraum_geometry::Vec3;
use freiraum_world::Simulation;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::sync::Arc;

/// A moment of a world: a [`crate::protocol::WorldFrame`] as far as it is the same for all pages.
pub(crate) struct Frame {
    /// Counts up, over all worlds of a session.
    pub(super) number: u64,
    pub(super) run: u64,
    head: WorldFrameHead,
    contacts: Vec<f64>,
    readings: Vec<Measurement>,
}

/// A measurement, written once: pictures are large.
#[derive(Clone)]
pub(super) struct Measurement {
    pub(super) sensor: usize,
    pub(super) time: f64,
    /// A [`crate::protocol::Reading`].
    text: Arc<RawValue>,
}

impl Measurement {
    /// Of a reading of a sensor; `None` if it cannot be written.
    pub(super) fn of(reading: &crate::protocol::Reading) -> Option<Measurement> {
        let text = to_raw_value(reading).ok()?.into();
        Some(Measurement { sensor: reading.sensor, time: reading.time, text })
    }
}

impl Frame {
    /// Of this moment; `watched` is what any page wants to see.
    pub(super) fn of(
        simulation: &Simulation,
        head: WorldFrameHead,
        readings: Vec<Measurement>,
        watched: &Watched,
    ) -> Frame {
        let contacts = if watched.contacts { contacts(simulation) } else { Vec::new() };
        Frame { number: head.frame, run: head.run, head, contacts, readings }
    }

    /// With these events, and what a page wants to see.
    pub(super) fn text(
        &self,
        events: &[SharedEvent],
        contacts: bool,
        mut is_new: impl FnMut(usize, f64) -> bool,
    ) -> String {
        let new = self.readings.iter().filter(|reading| is_new(reading.sensor, reading.time));
        written(&WorldFrameEvent {
            event: "world",
            head: &self.head,
            events,
            contacts: if contacts { &self.contacts } else { &[] },
            readings: new.map(|reading| &*reading.text).collect(),
        })
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
    use crate::protocol::typescript_tests::DeclaredWorldEvent;
    use crate::protocol::{
        NumberedEvent, Reading, ReadingValue, RunState, SharedEvent, Statistics, WorldFrame, WorldFrameHead,
    };
    use freiraum_geometry::Unit;
    use freiraum_scene::Scene;
    use freiraum_world::event::{Event, EventKind};
    use std::sync::Arc;

    #[test]
    fn what_a_page_gets_is_what_is_declared() {
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
        let readings = [0, 1, 4].map(|sensor| Measurement::of(&reading(sensor)).unwrap()).to_vec();
        let contacts = vec![1.0, 2.5];
        let frame = Frame { number: 7, run: 2, head: head.clone(), contacts, readings };
        let warning = EventKind::Warning { vehicle: None, message: "a \"word\"".to_owned() };
        let event = Event { time: 0.1, kind: warning }.document(&Scene::default(), Unit::Metre);
        let events = vec![SharedEvent(Arc::new(NumberedEvent { event, number: 5 }))];
        let declared = |contacts, readings| {
            let frame = WorldFrame { head: head.clone(), events: events.clone(), contacts, readings };
            written(&DeclaredWorldEvent { event: "world", frame })
        };
        let all = frame.text(&events, true, |sensor, _| sensor != 1);
        assert_eq!(all, declared(vec![1.0, 2.5], vec![reading(0), reading(4)]));
        let event = r#"{"time":0.1,"kind":"warning","vehicle":null,"message":"a \"word\"","number":5}"#;
        assert!(
            all.contains(&format!(r#","events":[{event}],"contacts":[1.0,2.5],"readings":[{{"sensor":0,"#))
        );
        assert_eq!(frame.text(&events, false, |_, _| false), declared(Vec::new(), Vec::new()));
    }
}
