//! Who touches whom: contacts of shapes that begin and end become collisions and separations of bodies.
//!
//! Bodies have several shapes, and meet with the first of them and part with the last. What rolls, slides or trembles loses its contact
//! for a step or two again and again: bodies that part for no more than a short pause have never parted.

use crate::dynamics::{self, Bytes, State};
use crate::event::{Event, EventKind};
use freiraum_geometry::Vec3;
use std::collections::BTreeMap;

/// A pause has at most so many steps…
const MOST_STEPS: u64 = 5;
/// … and takes at most so many seconds, unless that is less than a step.
const LONGEST: f64 = 0.02;
/// A contact after a pause is told nevertheless if it is so many times as hard as the last one that was told.
const HARDER: f64 = 2.0;

/// All pairs of bodies that touch, or did a moment ago.
#[derive(Default)]
pub(super) struct Meetings {
    all: BTreeMap<[u32; 2], Meeting>,
    /// Those that do not touch now; also some that do again.
    paused: Vec<[u32; 2]>,
}

/// Two bodies that touch.
struct Meeting {
    /// How many of their shapes press on each other.
    shapes: u32,
    /// The impulse of the last collision that was told, in newton seconds.
    impulse: f64,
    /// Since when they do not, if they do not.
    pause: Option<Pause>,
}

struct Pause {
    /// The number of the step in which it began.
    step: u64,
    time: f64,
    /// Where they touched last.
    point: Vec3,
}

impl Meetings {
    /// Hears of two shapes of these bodies in step `number`; a collision, if it is one. `bodies` are in the order of the event.
    pub(super) fn hear(&mut self, event: &dynamics::Event, [a, b]: [usize; 2], number: u64) -> Option<Event> {
        let key = [a.min(b) as u32, a.max(b) as u32];
        let known = self.all.contains_key(&key);
        match event.kind {
            dynamics::EventKind::Begin => {
                let meeting = self.all.entry(key).or_insert(Meeting { shapes: 0, impulse: 0.0, pause: None });
                meeting.shapes += 1;
                let is_again = meeting.pause.take().is_some();
                let is_harder = is_again && event.impulse > HARDER * meeting.impulse;
                if known && !is_harder {
                    return None;
                }
                meeting.impulse = event.impulse;
                let (bodies, point, impulse) = (key.map(|body| body as usize), event.point, event.impulse);
                let normal = if a <= b { event.normal } else { -event.normal };
                let kind = EventKind::Collision { bodies, point, normal, impulse };
                Some(Event { time: event.time, kind })
            }
            dynamics::EventKind::End => {
                let meeting = self.all.get_mut(&key)?;
                meeting.shapes = meeting.shapes.saturating_sub(1);
                if meeting.shapes == 0 && meeting.pause.is_none() {
                    meeting.pause = Some(Pause { step: number, time: event.time, point: event.point });
                    self.paused.push(key);
                }
                None
            }
        }
    }

    /// After step `number` of `step` seconds: pauses that are too long to be one are separations, at the time when they began.
    pub(super) fn after(&mut self, number: u64, step: f64, events: &mut Vec<Event>) {
        let most = ((LONGEST / step) as u64).clamp(1, MOST_STEPS);
        let all = &mut self.all;
        self.paused.retain(|key| {
            let Some(Meeting { impulse, pause: Some(Pause { step, time, point }), .. }) = all.get(key) else {
                return false;
            };
            if number - step < most {
                return true;
            }
            let bodies = key.map(|body| body as usize);
            let kind = EventKind::Separation { bodies, point: *point, impulse: *impulse };
            events.push(Event { time: *time, kind });
            all.remove(key);
            false
        });
    }
}

impl State for Meetings {
    fn put(&self, out: &mut Vec<u8>) {
        self.all.len().put(out);
        for (key, meeting) in &self.all {
            key.put(out);
            meeting.shapes.put(out);
            meeting.impulse.put(out);
            meeting.pause.is_some().put(out);
            if let Some(pause) = &meeting.pause {
                pause.step.put(out);
                pause.time.put(out);
                pause.point.put(out);
            }
        }
        self.paused.put(out);
    }

    fn get(from: &mut Bytes) -> Option<Meetings> {
        let mut found = Meetings::default();
        for _ in 0..usize::get(from)? {
            let key = State::get(from)?;
            let mut meeting = Meeting { shapes: State::get(from)?, impulse: State::get(from)?, pause: None };
            if bool::get(from)? {
                let (step, time, point) = (State::get(from)?, State::get(from)?, State::get(from)?);
                meeting.pause = Some(Pause { step, time, point });
            }
            found.all.insert(key, meeting);
        }
        found.paused = State::get(from)?;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{BodyId, ColliderId};

    const STEP: f64 = 0.001;

    /// Which events come of contacts that begin (true, with an impulse) and end, by their steps.
    fn told(contacts: &[(u64, bool, f64)], step: f64, steps: u64) -> Vec<(&'static str, f64)> {
        let (mut meetings, mut events) = (Meetings::default(), Vec::new());
        for number in 0..steps {
            for (_, begins, impulse) in contacts.iter().filter(|(at, ..)| *at == number) {
                let event = dynamics::Event {
                    kind: if *begins { dynamics::EventKind::Begin } else { dynamics::EventKind::End },
                    time: number as f64 * step,
                    bodies: [BodyId(1), BodyId(0)],
                    colliders: [ColliderId(1), ColliderId(0)],
                    point: Vec3::ZERO,
                    normal: Vec3::Z,
                    impulse: *impulse,
                };
                events.extend(meetings.hear(&event, [1, 0], number));
            }
            meetings.after(number, step, &mut events);
            // A world that is saved and resumed after every step is the same.
            let mut saved = Vec::new();
            meetings.put(&mut saved);
            meetings = Meetings::get(&mut Bytes(&saved)).unwrap();
        }
        assert!(meetings.paused.len() <= meetings.all.len());
        events.iter().map(|event| (event.kind.name(), event.time)).collect()
    }

    #[test]
    fn a_short_pause_is_none() {
        let flicker: Vec<_> =
            (0..20).flat_map(|k| [(10 + 6 * k, true, 1.0), (11 + 6 * k, false, 0.0)]).collect();
        let last = 11.0 + 6.0 * 19.0;
        assert_eq!(told(&flicker, STEP, 200), [("collision", 10.0 * STEP), ("separation", last * STEP)]);
        // One step more is a pause.
        let bounces = [(10, true, 1.0), (11, false, 0.0), (17, true, 0.5)];
        assert_eq!(
            told(&bounces, STEP, 200),
            [("collision", 10.0 * STEP), ("separation", 11.0 * STEP), ("collision", 17.0 * STEP)]
        );
        // Long steps: a single one.
        let slow = [(10, true, 1.0), (11, false, 0.0), (12, true, 1.0), (13, false, 0.0), (15, true, 1.0)];
        let names: Vec<_> = told(&slow, 0.05, 20).iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["collision", "separation", "collision"]);
    }

    #[test]
    fn what_is_much_harder_is_told_again() {
        let blows = [(1, true, 1.0), (2, false, 0.0), (3, true, 1.9), (4, false, 0.0), (5, true, 2.1)];
        assert_eq!(told(&blows, STEP, 20), [("collision", STEP), ("collision", 5.0 * STEP)]);
    }

    #[test]
    fn further_shapes_of_the_same_bodies_are_not_told() {
        let shapes = [(1, true, 1.0), (2, true, 9.0), (3, false, 0.0), (30, false, 0.0)];
        assert_eq!(told(&shapes, STEP, 50), [("collision", STEP), ("separation", 30.0 * STEP)]);
    }
}
