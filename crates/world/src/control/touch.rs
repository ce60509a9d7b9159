//! What a driver feels.

use super::Seen;
use super::body::OwnBody;
use super::chance::Chance;
use crate::dynamics::{Bytes, State};
use crate::event::EventKind;
use crate::reading::Measured;
use crate::vehicle::Command;

/// Whether the vehicle has hit something at its side since it was asked last: a bumper says so, or a collision.
pub(super) fn is_hit(seen: &Seen) -> bool {
    let is_bumped = seen
        .readings
        .iter()
        .any(|reading| reading.is_new && reading.reading.value == Measured::Touched(Some(true)));
    is_bumped
        || seen.events.iter().any(|event| match &event.kind {
            // Steeper than 45 degrees: what is flatter carries it.
            EventKind::Collision { bodies, normal, .. } => {
                normal.z * normal.z < 0.5 && bodies.iter().filter(|body| is_own(seen, **body)).count() == 1
            }
            _ => false,
        })
}

/// Gets a vehicle away that wants to move and cannot: for a moment it goes the other way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Escape {
    /// Speed forward and turn that were ordered last.
    wanted: [f64; 2],
    /// Since when it stands although it was told to move.
    since: Option<f64>,
    /// Until when it gets away.
    until: f64,
    /// The speed with which it does, and for cars the side of the steering.
    way: [f64; 2],
}

/// Seconds after which one that does not move is held by something.
const PATIENCE: f64 = 0.4;

impl Escape {
    /// What to do to get away, if that is to be done now.
    pub(super) fn command(&mut self, seen: &Seen, own: &OwnBody, chance: &mut Chance) -> Option<Command> {
        let slow = 0.02 * own.cruise();
        let slowly = slow / own.radius();
        let is_told = self.wanted[0].abs() > 2.0 * slow || self.wanted[1].abs() > 2.0 * slowly;
        let is_still = seen.speed[0].abs() < slow && seen.speed[1].abs() < slowly;
        self.since = (is_told && is_still).then(|| self.since.unwrap_or(seen.time));
        if self.since.is_some_and(|since| seen.time - since > PATIENCE) {
            self.begin(seen, own, chance);
        }
        if seen.time >= self.until {
            return None;
        }
        let [speed, side] = self.way;
        let command = match own.steering {
            Some([_, most]) => Command::Steer { speed, angle: side * most },
            None => Command::Drive { speed, turn: 0.0 },
        };
        self.expect(&command);
        Some(command)
    }

    /// Something was hit: away from it.
    pub(super) fn begin(&mut self, seen: &Seen, own: &OwnBody, chance: &mut Chance) {
        let is_forward = if self.wanted[0] == 0.0 { self.way[0] < 0.0 } else { self.wanted[0] < 0.0 };
        let speed = if is_forward { 0.6 } else { -0.6 } * own.cruise();
        self.way = [speed, chance.side(seen)];
        self.until = seen.time + chance.between(seen, 1.0, 3.0) * own.radius() / speed.abs();
        self.since = None;
    }

    pub(super) fn is_on(&self, seen: &Seen) -> bool {
        seen.time < self.until
    }

    /// Remembers what was ordered.
    pub(super) fn expect(&mut self, command: &Command) {
        self.wanted = match *command {
            Command::Drive { speed, turn } => [speed, turn],
            Command::Steer { speed, .. } => [speed, 0.0],
            _ => return,
        };
    }
}

impl State for Escape {
    fn put(&self, out: &mut Vec<u8>) {
        self.wanted.put(out);
        self.since.put(out);
        self.until.put(out);
        self.way.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Escape> {
        Some(Escape {
            wanted: State::get(from)?,
            since: State::get(from)?,
            until: State::get(from)?,
            way: State::get(from)?,
        })
    }
}

/// Whether a body is a part of the vehicle.
fn is_own(seen: &Seen, body: usize) -> bool {
    let name = &seen.scene.world.vehicles[seen.vehicle].name;
    let part = seen.scene.bodies[body].name.strip_prefix(name.as_str());
    part.is_some_and(|rest| rest.starts_with('/'))
}
