//! Convex bodies as functions from direction to farthest point.

use crate::Vec3;

/// A convex body, known by its farthest point in every direction.
pub trait Support {
    /// A point of the body that lies farthest in `direction`, in the frame of the body.
    ///
    /// **Guarantee.** No point of the body lies farther, up to rounding of the coordinates, for directions of every
    /// length: they need not be unit vectors. Where an edge or a face is farthest, the point is one of it.
    /// **Degenerate input.** Zero, or a direction that is not finite, gives some fixed point of the surface.
    fn support(&self, direction: Vec3) -> Vec3;
}
