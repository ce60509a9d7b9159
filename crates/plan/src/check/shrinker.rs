//! Bodies shrunk by an allowance, made once per body and depth.

use freiraum_motion::Movable;
use freiraum_motion::fit::ShrinkError;
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
    /// Both bodies, each with the shrinker that remembers it, shrunk by half the allowance each; a body with an open
    /// surface cannot give way, the other one then does so for both.
    pub(crate) fn pair(
        shrinkers: [&Shrinker; 2],
        bodies: [&Movable; 2],
        allowance: f64,
    ) -> Result<[Movable; 2], ShrinkError> {
        let share = match bodies.map(|body| body.prepared().has_open_surface()) {
            [false, false] => [0.5, 0.5],
            [true, false] => [0.0, 1.0],
            [false, true] => [1.0, 0.0],
            [true, true] => [0.0, 0.0],
        };
        let [a, b] = [0, 1].map(|k| shrinkers[k].shrunk(bodies[k], share[k] * allowance));
        Ok([a?, b?])
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
