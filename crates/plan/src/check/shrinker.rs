//! Bodies shrunk by an allowance, made once per body and depth.

use freiraum_motion::Movable;
use freiraum_motion::fit::{ShrinkError, shares};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Remembers shrunk bodies.
#[derive(Default)]
pub(crate) struct Shrinker {
    /// By the identity of the body, which its owner keeps alive, and the bits of the depth.
    known: Mutex<HashMap<(usize, u64), Slot>>,
}

/// A body that is shrunk by the first who needs it.
type Slot = Arc<OnceLock<Result<Movable, ShrinkError>>>;

impl Shrinker {
    /// Both bodies, each with the shrinker that remembers it, shrunk by their [`shares`] of the allowance, which is that of
    /// resting contact or was asked for.
    pub(crate) fn pair(
        shrinkers: [&Shrinker; 2],
        bodies: [&Movable; 2],
        allowance: f64,
        is_resting: bool,
    ) -> Result<[Movable; 2], ShrinkError> {
        let share = shares(bodies, allowance, is_resting)?;
        let shrunk = |k: usize| {
            let found = shrinkers[k].shrunk(bodies[k], share[k] * allowance);
            found.map_err(|error| error.of_allowance(allowance))
        };
        Ok([shrunk(0)?, shrunk(1)?])
    }

    /// Forgets all if there are more.
    pub(crate) fn keep_at_most(&self, count: usize) {
        let mut known = self.known.lock().expect("nothing panics while it is held");
        if known.len() > count {
            known.clear();
        }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.known.lock().expect("nothing panics while it is held").len()
    }

    fn shrunk(&self, body: &Movable, depth: f64) -> Result<Movable, ShrinkError> {
        if depth == 0.0 {
            return Ok(body.clone());
        }
        let key = (std::ptr::from_ref(body) as usize, depth.to_bits());
        let slot =
            self.known.lock().expect("nothing panics while it is held").entry(key).or_default().clone();
        slot.get_or_init(|| body.shrunk(depth)).clone()
    }
}
