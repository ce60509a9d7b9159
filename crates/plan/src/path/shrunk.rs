//! Bodies made smaller for pairs that are meant to touch, each once.

use freiraum_motion::Movable;
use freiraum_motion::fit::ShrinkError;
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
    /// Both bodies, made smaller by half the depth each; what has no inside cannot give way, the other one then does so for both.
    pub(crate) fn pair(&self, bodies: [&Movable; 2], depth: f64) -> Result<[Movable; 2], ShrinkError> {
        let share = match bodies.map(|body| body.prepared().has_open_surface()) {
            [false, false] => [0.5, 0.5],
            [true, false] => [0.0, 1.0],
            [false, true] => [1.0, 0.0],
            [true, true] => [0.0, 0.0],
        };
        Ok([self.one(bodies[0], share[0] * depth)?, self.one(bodies[1], share[1] * depth)?])
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
