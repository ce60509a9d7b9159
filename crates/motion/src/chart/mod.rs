//! Coordinates in which a motion is a shift along the first of them.
//!
//! A translation changes the coordinate along it and leaves the two across; a rotation changes the angle and leaves the
//! distance from the axis and the height along it. Boxes in such coordinates say at once whether two parts can ever
//! meet (both invariants overlap) and not before when (the gap in the first coordinate).

mod patch;
mod rotation;
mod translation;

pub(crate) use patch::Patch;
pub(crate) use rotation::RotationChart;
pub(crate) use translation::TranslationChart;

use freiraum_geometry::{Mat3, Vec3};
use freiraum_query::mesh_tree::OrientedPart;

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

/// Relative rounding of the product of two edges with a velocity, and of the turns before it; more than it can be.
const LOOK_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The coordinates of one motion for one of the two bodies.
pub(crate) trait Chart {
    /// The frame of the coordinates: its axes in the frame of the body as rows, where the origin of the body is, and by how much
    /// everything is taken to be larger.
    fn frame(&self) -> (&Mat3, Vec3, f64);

    /// True if the normal of a triangle, given in the frame of the body, points along the motion at all of its points, or against it for
    /// a `sense` of -1, by more than rounding.
    fn looks_along(&self, triangle: [Vec3; 3], sense: f64) -> bool;

    /// A box around all points of an axis-parallel box, given in the frame of the coordinates, nothing added.
    fn around(&self, center: Vec3, half: Vec3) -> ChartBox;

    /// A box around all points of an axis-parallel box, given in the frame of the body.
    #[inline]
    fn chart_box(&self, center: Vec3, half: Vec3) -> ChartBox {
        let (turn, origin, slack) = self.frame();
        let extent = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        self.around(*turn * center + origin, extent + slack)
    }

    /// A box around all points of a triangle, given in the frame of the body.
    #[inline]
    fn triangle_box(&self, triangle: [Vec3; 3]) -> ChartBox {
        self.box_of(&self.triangle_patch(triangle))
    }

    /// A triangle, given in the frame of the body.
    #[inline]
    fn triangle_patch(&self, triangle: [Vec3; 3]) -> Patch {
        let (turn, origin, slack) = self.frame();
        Patch::of_triangle(triangle.map(|p| *turn * p + origin), slack)
    }

    /// A part of a surface in a box of any direction, given in the frame of the body.
    #[inline]
    fn patch(&self, part: &OrientedPart) -> Patch {
        let (turn, origin, slack) = self.frame();
        let normal = (*turn * part.across).try_normalize().unwrap_or(Vec3::X);
        Patch::new(*turn * part.center + origin, normal, part.spread.map(|v| *turn * v), slack)
    }

    /// A box around a patch.
    #[inline]
    fn box_of(&self, patch: &Patch) -> ChartBox {
        let [low, high] = patch.bounds();
        self.around(0.5 * (low + high), 0.5 * (high - low))
    }

    /// A box around a patch that also lies in an axis-parallel box, given in the frame of the body.
    #[inline]
    fn box_of_both(&self, patch: &Patch, center: Vec3, half: Vec3) -> ChartBox {
        let (turn, origin, slack) = self.frame();
        let extent =
            turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z + slack;
        let center = *turn * center + origin;
        let [low, high] = patch.bounds();
        // Rounding may turn the sides of what is as thin as the slack around.
        let (low, high) = (low.max(center - extent), high.min(center + extent));
        self.around(0.5 * (low + high), (0.5 * (high - low)).max(Vec3::ZERO))
    }
}
