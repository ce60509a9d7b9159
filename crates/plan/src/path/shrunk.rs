//! Bodies made smaller for pairs that are meant to touch, each once.

use freiraum_motion::Movable;
use freiraum_motion::fit::{ShrinkError, shares};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Remembers bodies with meshes made smaller, by mesh and depth; all others are made at once.
#[derive(Clone, Default)]
pub(crate) struct Shrunk {
    known: Arc<Mutex<HashMap<(usize, u64), Known>>>,
}

/// What was made of a body, which is kept so that nothing else gets its address.
struct Known {
    _source: Movable,
    made: Result<Movable, ShrinkError>,
}

impl Shrunk {
    /// Both bodies, made smaller by their [`shares`] of the allowance, which is that of resting contact or was asked for.
    pub(crate) fn pair(
        &self,
        bodies: [&Movable; 2],
        allowance: f64,
        is_resting: bool,
    ) -> Result<[Movable; 2], ShrinkError> {
        let share = shares(bodies, allowance, is_resting)?;
        let one = |k: usize| {
            let found = self.one(bodies[k], share[k] * allowance);
            found.map_err(|error| error.of_allowance(allowance))
        };
        Ok([one(0)?, one(1)?])
    }

    fn one(&self, body: &Movable, depth: f64) -> Result<Movable, ShrinkError> {
        if depth == 0.0 {
            return Ok(body.clone());
        }
        let Some(tree) = body.prepared().mesh_tree() else { return body.shrunk(depth) };
        let key = (Arc::as_ptr(tree) as usize, depth.to_bits());
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let make = || Known { _source: body.clone(), made: body.shrunk(depth) };
        known.entry(key).or_insert_with(make).made.clone()
    }
}
