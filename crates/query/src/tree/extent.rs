//! What a tree knows of an object: a box and a sphere in its own frame.

use freiraum_geometry::enclose::smallest_sphere;
use freiraum_geometry::path::Ball;
use freiraum_geometry::{Aabb, Pose, Shape, Vec3};

/// A box and a sphere, both in the frame of the object, that each hold the whole object.
///
/// Volumes take from both what suits them: the sphere does not change when the object turns, the box fits long bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The axis box in the frame of the object; never empty, always finite.
    pub bounds: Aabb,
    /// Centre of the sphere in the frame of the object, in metres.
    pub center: Vec3,
    /// Radius of the sphere in metres.
    pub radius: f64,
}

impl Extent {
    /// The extent of everything in a box; `None` if the box is empty or not finite.
    pub fn of_box(bounds: Aabb) -> Option<Extent> {
        if bounds.is_empty() || !bounds.min.is_finite() || !bounds.max.is_finite() {
            return None;
        }
        let Ball { center, radius } = bounds.bounding_sphere();
        radius.is_finite().then_some(Extent { bounds, center, radius })
    }

    /// The extent of points; `None` if there are none or one is not finite.
    pub fn of_points(points: &[Vec3]) -> Option<Extent> {
        let sphere = smallest_sphere(points)?;
        let around_box = Extent::of_box(Aabb::of_points(points))?;
        Some(around_box.with_sphere(sphere.center, sphere.radius))
    }

    /// The extent of a shape in its own frame; `None` if it has no end.
    pub fn of_shape(shape: &Shape) -> Option<Extent> {
        let around_box = Extent::of_box(shape.aabb()?)?;
        let center = around_box.center;
        Some(match shape {
            Shape::Sphere(s) => around_box.with_sphere(Vec3::ZERO, s.radius()),
            // The far rim of a cylinder, the far cap of a capsule.
            Shape::Cylinder(_) => {
                let half = 0.5 * around_box.bounds.size();
                around_box.with_sphere(center, half.x.hypot(half.z) * ROUND_UP)
            }
            Shape::Capsule(_) => around_box.with_sphere(center, 0.5 * around_box.bounds.size().z * ROUND_UP),
            Shape::Convex(s) => {
                let sphere = smallest_sphere(s.vertices());
                sphere.map_or(around_box, |s| around_box.with_sphere(s.center, s.radius))
            }
            _ => around_box,
        })
    }

    /// The same with another sphere around the object, if it is smaller.
    #[must_use]
    pub fn with_sphere(self, center: Vec3, radius: f64) -> Extent {
        if radius < self.radius { Extent { center, radius, ..self } } else { self }
    }

    /// The largest value of `direction · x` on the object placed by `frame_from_object`, or more.
    ///
    /// `direction` has any length. **Guarantee.** Rounded up.
    pub fn reach_along(&self, direction: Vec3, frame_from_object: &Pose) -> f64 {
        let local = frame_from_object.rotation().conjugate() * direction;
        let length = direction.length();
        let far = Vec3::select(local.cmpge(Vec3::ZERO), self.bounds.max, self.bounds.min);
        let by_box = local.dot(far);
        let by_sphere = local.dot(self.center) + length * self.radius;
        let shift = direction.dot(frame_from_object.translation());
        let size = self.bounds.reach() + self.center.abs().max_element() + self.radius;
        let slack = 32.0 * f64::EPSILON * length * (size + frame_from_object.translation().length());
        by_box.min(by_sphere) + shift + slack
    }

    /// An axis box in the outer frame around the object placed by `frame_from_object`.
    ///
    /// **Guarantee.** Holds the placed object; rounded outward.
    pub fn aabb_placed(&self, frame_from_object: &Pose) -> Aabb {
        let along = |d: Vec3| self.reach_along(d, frame_from_object);
        let max = Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z));
        let min = -Vec3::new(along(-Vec3::X), along(-Vec3::Y), along(-Vec3::Z));
        Aabb { min, max }
    }
}

/// A length from three squares and a root is off by at most four units in the last place.
const ROUND_UP: f64 = 1.0 + 4.0 * f64::EPSILON;
