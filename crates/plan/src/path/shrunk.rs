//! Bodies made smaller for pairs that are meant to touch, each once.

use freiraum_motion::Movable;
use freiraum_motion::fit::{Erode, ShrinkError};
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

impl Erode for Shrunk {
    fn eroded(&self, _: usize, body: &Movable, depth: f64) -> Result<Movable, ShrinkError> {
        let Some(tree) = body.prepared().mesh_tree() else { return body.shrunk(depth) };
        let key = (Arc::as_ptr(tree) as usize, depth.to_bits());
        let known = || self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(found) = known().get(&key) {
            return found.made.clone();
        }
        // Others go on meanwhile; who erodes the same body at the same time finds the same.
        let made = Known { _source: body.clone(), made: body.shrunk(depth) };
        known().entry(key).or_insert(made).made.clone()
    }
}
