//! To a point.

use super::body::OwnBody;
use super::chance::Chance;
use super::ground::{Memory, Place, Vec2, flat};
use super::pilot::{Pilot, Way};
use super::touch::Escape;
use super::{Controller, Seen};
use crate::dynamics::{Bytes, State};
use crate::vehicle::Command;
use freiraum_geometry::Vec3;

/// Drives to a point and stops there, within a fifth of the size of the vehicle; around simple things that its distance sensors see.
/// Cars go back first if the point is inside of their turning circle.
#[derive(Debug, Default)]
pub struct DriveTo {
    target: Vec3,
    memory: Memory,
    pilot: Pilot,
    chance: Chance,
    escape: Escape,
    has_arrived: bool,
}

impl DriveTo {
    /// To a point in the world; how high it is does not matter.
    pub fn new(target: Vec3) -> DriveTo {
        DriveTo { target, ..DriveTo::default() }
    }

    /// Whether it is there.
    pub fn has_arrived(&self) -> bool {
        self.has_arrived
    }
}

impl Controller for DriveTo {
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, _notes: &mut Vec<String>) {
        let own = OwnBody::of(seen);
        let place = Place::of(&seen.pose);
        let target = flat(self.target);
        let sight = self.memory.look(seen, &own);
        let distance = place.at.distance(target);
        // Once there it does not mind to be pushed a little.
        self.has_arrived = distance < if self.has_arrived { 0.6 } else { 0.15 } * own.radius();
        if self.has_arrived {
            let stop = Command::Drive { speed: 0.0, turn: 0.0 };
            self.escape.expect(&stop);
            commands.push(stop);
            return;
        }
        if let Some(command) = self.escape.command(seen, &own, &mut self.chance) {
            commands.push(command);
            return;
        }
        // What is at the target is where it wants to be.
        let is_target = |point: Vec2| point.distance(target) < own.radius();
        let circles = self.memory.circles(is_target);
        let way = Way {
            target,
            circles: &circles,
            fastest: own.cruise(),
            stops: true,
            margin: 0.3 * own.half_width,
            sight: sight.unwrap_or(f64::INFINITY),
        };
        let command = self.pilot.go(&own, &place, seen.time, &way);
        self.escape.expect(&command);
        commands.push(command);
    }

    fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    fn resume(&mut self, state: &[u8]) -> bool {
        super::resumed(self, state)
    }
}

impl State for DriveTo {
    fn put(&self, out: &mut Vec<u8>) {
        self.target.put(out);
        self.memory.put(out);
        self.pilot.put(out);
        self.chance.put(out);
        self.escape.put(out);
        self.has_arrived.put(out);
    }
    fn get(from: &mut Bytes) -> Option<DriveTo> {
        Some(DriveTo {
            target: State::get(from)?,
            memory: State::get(from)?,
            pilot: State::get(from)?,
            chance: State::get(from)?,
            escape: State::get(from)?,
            has_arrived: State::get(from)?,
        })
    }
}
