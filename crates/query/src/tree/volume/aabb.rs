//! The axis box as a volume: the cheapest test and the cheapest union; grows when what it holds is turned.

use super::super::{Extent, Placement};
use super::Volume;
use super::box_gap::box_gap;
use freiraum_geometry::{Aabb, Pose, Vec3};

impl Volume for Aabb {
    fn of_points(points: &[Vec3]) -> Option<Aabb> {
        // NaN hides from min and max; a sum does not lose it.
        let finite = points.iter().all(|p| p.is_finite());
        (finite && !points.is_empty()).then(|| Aabb::of_points(points))
    }

    fn of_extent(extent: &Extent, frame_from_object: &Pose) -> Aabb {
        extent.aabb_placed(frame_from_object)
    }

    #[inline]
    fn union(&self, other: &Aabb) -> Aabb {
        Aabb::union(self, other)
    }

    #[inline]
    fn gap(&self, other: &Aabb) -> f64 {
        Aabb::gap(self, other)
    }

    fn gap_placed(&self, other: &Aabb, a_from_b: &Placement) -> f64 {
        let center = other.center();
        let apart = a_from_b.transform_point(center) - self.center();
        let reach = self.reach() + other.reach() + a_from_b.translation.length();
        let slack = 64.0 * f64::EPSILON * reach;
        box_gap(0.5 * self.size(), 0.5 * other.size(), &a_from_b.rotation, apart, slack)
    }

    fn gap_to_point(&self, point: Vec3) -> f64 {
        self.gap(&Aabb { min: point, max: point })
    }

    fn reach_along(&self, direction: Vec3) -> f64 {
        let far = Vec3::select(direction.cmpge(Vec3::ZERO), self.max, self.min);
        // Two sums and three products; exact along the axes.
        let slack =
            if is_axis(direction) { 0.0 } else { 4.0 * f64::EPSILON * (direction.abs().dot(far.abs())) };
        direction.dot(far) + slack
    }

    #[inline]
    fn area(&self) -> f64 {
        let size = self.size();
        2.0 * (size.x * size.y + size.y * size.z + size.z * size.x)
    }

    fn aabb(&self) -> Aabb {
        *self
    }
}

/// True for a direction along one of the axes with length one.
fn is_axis(direction: Vec3) -> bool {
    let length = direction.abs();
    length.max_element() == 1.0 && length.element_sum() == 1.0
}
