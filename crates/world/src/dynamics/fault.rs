//! Questions about bodies that have no answer. None of them counts as "apart": the engine stands still.

use super::body::BodyId;
use super::engine::Engine;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// Why the engine stands still: a question about two bodies, or one, could not be answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// When, in seconds: the beginning of the part of a step in which it happened.
    pub time: f64,
    /// The bodies; twice the same if it is one alone.
    pub bodies: [BodyId; 2],
    /// What is wrong.
    pub message: String,
}

/// The fault that was found. Of several at a time it is that of the bodies with the least numbers, whichever thread found it first.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Option<Fault>>);

impl Clone for Faults {
    fn clone(&self) -> Faults {
        Faults(Mutex::new(self.get()))
    }
}

impl Faults {
    pub(crate) fn get(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn tell(&self, time: f64, mut bodies: [BodyId; 2], error: &dyn Display) {
        bodies.sort_unstable();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = |old: &Fault| time < old.time || (time == old.time && bodies < old.bodies);
        if known.as_ref().is_none_or(is_first) {
            *known = Some(Fault { time, bodies, message: error.to_string() });
        }
    }
}

impl Engine {
    /// Why it stands still, if it does: see [`Engine::step`].
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        self.faults.get()
    }

    /// Notes that a question about the bodies of two shapes has no answer.
    pub(crate) fn failed(&self, colliders: [u32; 2], error: &dyn Display) {
        self.failed_bodies(colliders.map(|c| BodyId(self.colliders[c as usize].body)), error);
    }

    /// The same for bodies.
    pub(crate) fn failed_bodies(&self, bodies: [BodyId; 2], error: &dyn Display) {
        self.faults.tell(self.time, bodies, error);
    }

    /// Notes bodies that have got where nothing can be said of them.
    pub(crate) fn look_for_lost(&self) {
        for at in &self.scratch.movable {
            let motion = &self.motions[*at as usize];
            // Also false for what is no number.
            let is_good = motion.center.abs().max_element() <= MAX_COORDINATE
                && motion.rotation.is_finite()
                && motion.linear.is_finite()
                && motion.angular.is_finite();
            if !is_good {
                let message = format!(
                    "it has got out of the world: its centre is at {:?}, its velocity {:?}; coordinates up to {MAX_COORDINATE:e} m are known",
                    motion.center.to_array(),
                    motion.linear.to_array()
                );
                self.failed_bodies([BodyId(*at); 2], &message);
            }
        }
    }
}
