//! The k-DOP with eighteen planes: an axis box with its edges cut.

use super::super::{Extent, Placement};
use super::Volume;
use freiraum_geometry::enclose::{KDop, KDopKind};
use freiraum_geometry::{Aabb, Pose, Vec3};

/// The space between nine pairs of planes, across the axes and the diagonals of the coordinate planes.
///
/// Tighter than the axis box for slanted bodies in the same frame. Under a relative pose the directions of the two no
/// longer agree, and each set of planes is held against the axis box of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dop(pub KDop);

/// Edges cut: with the fourteen planes that cut corners the test is as long and the bodies of machines fit worse.
const KIND: KDopKind = KDopKind::K18;

impl Dop {
    /// The least and the largest value along the three axes.
    fn core(&self) -> Aabb {
        let mut core = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };
        for (i, (_, lo, hi)) in self.0.slabs().take(3).enumerate() {
            (core.min[i], core.max[i]) = (lo, hi);
        }
        core
    }
}

impl Volume for Dop {
    fn of_points(points: &[Vec3]) -> Option<Dop> {
        let finite = points.iter().all(|p| p.is_finite());
        (finite && !points.is_empty()).then(|| Dop(KDop::of_points(KIND, points)))
    }

    fn of_extent(extent: &Extent, frame_from_object: &Pose) -> Dop {
        Dop(KDop::of_support(KIND, |direction| extent.reach_along(direction, frame_from_object)))
    }

    fn union(&self, other: &Dop) -> Dop {
        Dop(self.0.union(&other.0))
    }

    fn gap(&self, other: &Dop) -> f64 {
        let mut along_axes = Vec3::ZERO;
        let mut largest = 0.0f64;
        for (i, ((direction, lo, hi), (_, other_lo, other_hi))) in
            self.0.slabs().zip(other.0.slabs()).enumerate()
        {
            let apart = (lo - other_hi).max(other_lo - hi).max(0.0);
            if i < 3 {
                along_axes[i] = apart;
            } else {
                largest = largest.max(apart / direction.length());
            }
        }
        largest.max(along_axes.length()) * (1.0 - 8.0 * f64::EPSILON)
    }

    fn gap_placed(&self, other: &Dop, a_from_b: &Placement) -> f64 {
        let (core_a, core_b) = (self.core(), other.core());
        let slack = 32.0 * f64::EPSILON * (core_a.reach() + core_b.reach() + a_from_b.translation.length());
        let mut largest = 0.0f64;
        // The planes of a against the box of b.
        for (direction, lo, hi) in self.0.slabs() {
            let shift = direction.dot(a_from_b.translation);
            let local = a_from_b.rotate_back(direction);
            let apart = (lo - shift - core_b.reach_along(local)).max(shift - core_b.reach_along(-local) - hi);
            largest = largest.max((apart - slack * 2.0) / direction.length());
        }
        // The planes of b against the box of a.
        for (direction, lo, hi) in other.0.slabs() {
            let local = a_from_b.rotation * direction;
            let shift = local.dot(a_from_b.translation);
            let apart =
                (lo + shift - core_a.reach_along(local)).max(-shift - core_a.reach_along(-local) - hi);
            largest = largest.max((apart - slack * 2.0) / direction.length());
        }
        largest.max(core_a.gap_placed(&core_b, a_from_b)) * (1.0 - 8.0 * f64::EPSILON)
    }

    fn gap_to_point(&self, point: Vec3) -> f64 {
        let slack = 4.0 * f64::EPSILON * point.abs().element_sum();
        let mut largest = self.core().gap_to_point(point);
        for (direction, lo, hi) in self.0.slabs().skip(3) {
            let along = direction.dot(point);
            let apart = (lo - along).max(along - hi) - slack;
            largest = largest.max(apart / direction.length() * (1.0 - 8.0 * f64::EPSILON));
        }
        largest
    }

    fn reach_along(&self, direction: Vec3) -> f64 {
        // Exact along its own directions; in between, the box is a good bound.
        for (own, lo, hi) in self.0.slabs() {
            if own == direction {
                return hi;
            }
            if own == -direction {
                return -lo;
            }
        }
        self.core().reach_along(direction)
    }

    fn area(&self) -> f64 {
        self.core().area()
    }

    fn aabb(&self) -> Aabb {
        self.core()
    }
}
