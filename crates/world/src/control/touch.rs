//! What a driver feels.

use super::Seen;
use super::body::OwnBody;
use crate::event::EventKind;
use crate::rigid::{Bytes, State};
use crate::simulation::Measured;
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

/// Notices that a vehicle wants to move and cannot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stall {
    /// Speed forward that was ordered last.
    wanted: f64,
    /// Since when it stands although it was told to move.
    since: Option<f64>,
}

/// Seconds after which one that does not move is stopped by something.
const PATIENCE: f64 = 0.5;

impl Stall {
    /// Whether it does not get on.
    pub(super) fn is_stopped(&mut self, seen: &Seen, own: &OwnBody) -> bool {
        let slow = 0.02 * own.cruise();
        let is_still = self.wanted.abs() > 2.0 * slow && seen.speed[0].abs() < slow;
        self.since = is_still.then(|| self.since.unwrap_or(seen.time));
        let is_stopped = self.since.is_some_and(|since| seen.time - since > PATIENCE);
        if is_stopped {
            self.since = None;
        }
        is_stopped
    }

    /// Remembers what was ordered.
    pub(super) fn expect(&mut self, commands: &[Command]) {
        self.wanted = match commands.last() {
            Some(Command::Drive { speed, .. } | Command::Steer { speed, .. }) => *speed,
            _ => 0.0,
        };
    }
}

impl State for Stall {
    fn put(&self, out: &mut Vec<u8>) {
        self.wanted.put(out);
        self.since.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Stall> {
        Some(Stall { wanted: State::get(from)?, since: State::get(from)? })
    }
}

/// Whether a body is a part of a vehicle with this number.
pub(super) fn is_part(seen: &Seen, vehicle: usize, body: usize) -> bool {
    let name = &seen.scene.world.vehicles[vehicle].name;
    let part = seen.scene.bodies[body].name.strip_prefix(name.as_str());
    part.is_some_and(|rest| rest.starts_with('/'))
}

fn is_own(seen: &Seen, body: usize) -> bool {
    is_part(seen, seen.vehicle, body)
}
