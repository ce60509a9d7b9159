//! Bodies shrunk by an allowance, made once per body and depth.

use freiraum_motion::Movable;
use freiraum_motion::fit::{Erode, ShrinkError};
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
        let key = (std::ptr::from_ref(body) as usize, depth.to_bits());
        let slot =
            self.known.lock().expect("nothing panics while it is held").entry(key).or_default().clone();
        slot.get_or_init(|| body.shrunk(depth)).clone()
    }
}

/// The shrinkers that remember the first and the second body of a pair.
#[derive(Clone, Copy)]
pub(crate) struct Shrinkers<'s>(pub(crate) [&'s Shrinker; 2]);

impl Erode for Shrinkers<'_> {
    fn eroded(&self, side: usize, body: &Movable, depth: f64) -> Result<Movable, ShrinkError> {
        self.0[side].shrunk(body, depth)
    }
}
