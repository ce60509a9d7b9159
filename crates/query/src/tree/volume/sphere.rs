//! The sphere as a volume: it does not change when its object turns.

use super::super::{Extent, Placement};
use super::Volume;
use freiraum_geometry::enclose::{smallest_sphere, sphere_of_two_spheres};
use freiraum_geometry::{Aabb, Pose, Vec3};
use std::f64::consts::PI;

/// A ball around what a node holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre in metres.
    pub center: Vec3,
    /// Radius in metres.
    pub radius: f64,
}

impl Ball {
    /// The gap to a ball whose centre is known up to `slack` metres.
    fn gap_to(&self, center: Vec3, radius: f64, slack: f64) -> f64 {
        let (distance, radii) = (self.center.distance(center), self.radius + radius);
        // Six rounded operations in the distance, one in each sum.
        distance - radii - 8.0 * f64::EPSILON * (distance + radii) - slack
    }
}

impl Volume for Ball {
    fn of_points(points: &[Vec3]) -> Option<Ball> {
        smallest_sphere(points).map(|s| Ball { center: s.center, radius: s.radius })
    }

    fn of_extent(extent: &Extent, frame_from_object: &Pose) -> Ball {
        let center = frame_from_object.transform_point(extent.center);
        let reach = center.abs().max_element() + 2.0 * extent.center.length();
        Ball { center, radius: extent.radius + 16.0 * f64::EPSILON * (reach + extent.radius) }
    }

    fn union(&self, other: &Ball) -> Ball {
        let (center, radius) =
            sphere_of_two_spheres((self.center, self.radius), (other.center, other.radius));
        Ball { center, radius }
    }

    fn gap(&self, other: &Ball) -> f64 {
        self.gap_to(other.center, other.radius, 0.0)
    }

    fn gap_placed(&self, other: &Ball, a_from_b: &Placement) -> f64 {
        let slack = 32.0 * f64::EPSILON * (other.center.length() + a_from_b.translation.length());
        self.gap_to(a_from_b.transform_point(other.center), other.radius, slack)
    }

    fn gap_to_point(&self, point: Vec3) -> f64 {
        self.gap_to(point, 0.0, 0.0)
    }

    fn reach_along(&self, direction: Vec3) -> f64 {
        let (along, radius) = (direction.dot(self.center), direction.length() * self.radius);
        along + radius + 8.0 * f64::EPSILON * (direction.abs().dot(self.center.abs()) + radius)
    }

    fn area(&self) -> f64 {
        4.0 * PI * self.radius * self.radius
    }

    fn aabb(&self) -> Aabb {
        let radius = self.radius * (1.0 + 2.0 * f64::EPSILON);
        let slack = 2.0 * f64::EPSILON * self.center.abs();
        Aabb { min: self.center - radius - slack, max: self.center + radius + slack }
    }
}
