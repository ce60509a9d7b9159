//! Coordinates in which a motion is a shift along the first of them.
//!
//! A translation changes the coordinate along it and leaves the two across; a rotation changes the angle and leaves the
//! distance from the axis and the height along it. Boxes in such coordinates say at once whether two parts can ever
//! meet (both invariants overlap) and not before when (the gap in the first coordinate).

mod rotation;
mod translation;

pub(crate) use rotation::RotationChart;
pub(crate) use translation::TranslationChart;

use freiraum_geometry::Vec3;

/// Intervals of the three coordinates that hold a part of a body: the moving one first, then the invariants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChartBox {
    pub(crate) min: [f64; 3],
    pub(crate) max: [f64; 3],
}

impl ChartBox {
    /// True if both invariants overlap: only then can the parts ever meet.
    #[inline]
    pub(crate) fn overlaps_across(&self, other: &ChartBox) -> bool {
        self.min[1] <= other.max[1]
            && other.min[1] <= self.max[1]
            && self.min[2] <= other.max[2]
            && other.min[2] <= self.max[2]
    }
}

/// The coordinates of one motion for one of the two bodies.
pub(crate) trait Chart {
    /// A box around all points of an axis-parallel box, given in the frame of the body.
    fn chart_box(&self, center: Vec3, half: Vec3) -> ChartBox;

    /// A box around all points of a triangle, given in the frame of the body.
    fn triangle_box(&self, triangle: [Vec3; 3]) -> ChartBox;
}
