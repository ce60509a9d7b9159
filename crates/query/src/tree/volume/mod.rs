//! What can stand in a node of a tree. One file per volume; a new one is a new file here and nothing else.

mod aabb;
mod box_gap;
mod k_dop;
mod oriented_box;
mod sphere;
mod swept_rectangle;
#[cfg(test)]
mod tests;

pub use k_dop::Dop;
pub use oriented_box::TurnedBox;
pub use sphere::Ball;
pub use swept_rectangle::SweptRectangle;

use super::{Extent, Placement};
use freiraum_geometry::{Aabb, Pose, Vec3};
use std::fmt::Debug;

/// A bounding volume. All of one tree are in one frame.
///
/// **Guarantee.** What a volume is said to hold it holds in real numbers, not only up to rounding; a positive gap proves
/// that the two volumes are apart by at least that much. A gap of zero or less proves nothing.
pub trait Volume: Clone + Debug {
    /// A small volume that holds all points; `None` if there are none or one is not finite.
    fn of_points(points: &[Vec3]) -> Option<Self>;

    /// A volume that holds an object placed in the frame of the tree.
    fn of_extent(extent: &Extent, frame_from_object: &Pose) -> Self;

    /// A small volume that holds both.
    #[must_use]
    fn union(&self, other: &Self) -> Self;

    /// A lower bound in metres on the distance of two volumes of the same frame; zero or less if they may touch.
    fn gap(&self, other: &Self) -> f64;

    /// The same for a volume of another frame: `self` in frame a, `other` in frame b.
    fn gap_placed(&self, other: &Self, a_from_b: &Placement) -> f64;

    /// A lower bound in metres on the distance of a point; zero or less if the point may be inside.
    fn gap_to_point(&self, point: Vec3) -> f64;

    /// The largest value of `direction · x` in the volume, or more. Half spaces and boxes are tested with it.
    fn reach_along(&self, direction: Vec3) -> f64;

    /// Surface area in square metres, up to a few per cent: the cost of a node is in proportion to it.
    fn area(&self) -> f64;

    /// An axis box around the volume.
    fn aabb(&self) -> Aabb {
        let max = Vec3::new(self.reach_along(Vec3::X), self.reach_along(Vec3::Y), self.reach_along(Vec3::Z));
        let min =
            -Vec3::new(self.reach_along(-Vec3::X), self.reach_along(-Vec3::Y), self.reach_along(-Vec3::Z));
        Aabb { min, max }
    }
}
