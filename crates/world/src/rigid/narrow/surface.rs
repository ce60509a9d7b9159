//! Meshes and height fields.

use super::{Outcome, Side};

pub(super) fn convex_surface(a: &Side, b: &Side, margin: f64) -> Outcome {
    super::general::convex_any(a, b, margin)
}

pub(super) fn surface_any(a: &Side, b: &Side, margin: f64) -> Outcome {
    super::general::convex_any(a, b, margin)
}
