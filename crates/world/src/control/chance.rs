//! Random numbers of controllers: they follow from the seed of the world and the number of the vehicle.

use super::Seen;
use crate::dynamics::{Bytes, State};
use crate::sensors::noise::Source;

/// How many were drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chance(u64);

impl Chance {
    /// Uniform between two numbers.
    pub(super) fn between(&mut self, seen: &Seen, low: f64, high: f64) -> f64 {
        self.0 += 1;
        // Sensors count from 0, vehicles from the other end: no two share their numbers.
        let sensor = u64::MAX - seen.vehicle as u64;
        let source = Source { seed: seen.scene.world.settings.seed, sensor, measurement: self.0 };
        low + (high - low) * source.stream(0).unit()
    }

    /// 1 or -1.
    pub(super) fn side(&mut self, seen: &Seen) -> f64 {
        if self.between(seen, 0.0, 1.0) < 0.5 { 1.0 } else { -1.0 }
    }
}

impl State for Chance {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Chance> {
        State::get(from).map(Chance)
    }
}
