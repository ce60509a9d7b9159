//! Straight on, away from what is near.

use super::body::OwnBody;
use super::chance::Chance;
use super::ground::{Memory, Place, Vec2};
use super::pilot::{Pilot, Way};
use super::touch::{Escape, is_hit};
use super::{Controller, Seen};
use crate::dynamics::{Bytes, State};
use crate::vehicle::Command;
use std::f64::consts::PI;

/// Wanders about without end and avoids what its distance sensors see; one without such sensors, or one that hits something all the
/// same, goes back and turns away. All chance follows from the seed of the world.
#[derive(Debug, Default)]
pub struct Wander {
    memory: Memory,
    pilot: Pilot,
    chance: Chance,
    /// Where it wants to go: radians to the left of x.
    course: Option<f64>,
    /// When it wants to go elsewhere.
    next: f64,
    escape: Escape,
}

impl Controller for Wander {
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, _notes: &mut Vec<String>) {
        let own = OwnBody::of(seen);
        let place = Place::of(&seen.pose);
        let sight = self.memory.look(seen, &own);
        if is_hit(seen) && !self.escape.is_on(seen) {
            self.escape.begin(seen, &own, &mut self.chance);
        }
        if let Some(command) = self.escape.command(seen, &own, &mut self.chance) {
            // Somewhere else from here.
            let away = self.chance.between(seen, 0.4 * PI, PI) * self.chance.side(seen);
            self.course = Some(place.heading + away);
            self.next = seen.time + 3.0;
            commands.push(command);
            return;
        }
        let course = match self.course {
            Some(course) if seen.time < self.next => course,
            _ => {
                self.next = seen.time + self.chance.between(seen, 2.0, 6.0);
                place.heading + self.chance.between(seen, -0.5, 0.5)
            }
        };
        self.course = Some(course);
        let way = Way {
            target: place.at + 8.0 * own.radius() * Vec2::from_angle(course),
            circles: self.memory.all(),
            fastest: own.cruise(),
            stops: false,
            margin: 0.4 * own.half_width,
            sight: sight.unwrap_or(f64::INFINITY),
        };
        let command = self.pilot.go(&own, &place, seen.time, &way);
        // What it turned to because something was in the way is where it goes from now on.
        self.course = self.pilot.detour().or(self.course);
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

impl State for Wander {
    fn put(&self, out: &mut Vec<u8>) {
        self.memory.put(out);
        self.pilot.put(out);
        self.chance.put(out);
        self.course.put(out);
        self.next.put(out);
        self.escape.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Wander> {
        Some(Wander {
            memory: State::get(from)?,
            pilot: State::get(from)?,
            chance: State::get(from)?,
            course: State::get(from)?,
            next: State::get(from)?,
            escape: State::get(from)?,
        })
    }
}
