//! Pairs with a sphere in closed form: the centre against the other body, grown by the radius.

use super::point_solid::{ToSurface, point_capsule, point_cone, point_cuboid, point_cylinder};
use crate::Closest;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::{Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};

/// Sphere and sphere. Concentric ones are pushed apart along x.
pub(crate) fn distance_sphere_sphere(a: &Sphere, b: &Sphere, a_from_b: &Pose) -> Closest {
    let to_b = a_from_b.translation();
    let centres = Closest {
        distance: to_b.length(),
        point_on_a: Vec3::ZERO,
        point_on_b: to_b,
        normal: unit(to_b).unwrap_or(Vec3::X),
    };
    centres.grown(a.radius(), b.radius())
}

/// Sphere a and primitive b; `None` for what has no closed form.
pub(crate) fn distance_sphere_primitive(a: &Sphere, b: &Shape, a_from_b: &Pose) -> Option<Closest> {
    let centre_in_b = a_from_b.inverse().translation();
    let found: ToSurface = match b {
        Shape::Cuboid(b) => point_cuboid(centre_in_b, b),
        Shape::Cylinder(b) => point_cylinder(centre_in_b, b),
        Shape::Capsule(b) => point_capsule(centre_in_b, b),
        Shape::Cone(b) => point_cone(centre_in_b, b),
        _ => return None,
    };
    let point = Closest {
        distance: found.distance,
        point_on_a: Vec3::ZERO,
        point_on_b: a_from_b.transform_point(found.point),
        normal: a_from_b.rotate(-found.normal),
    };
    Some(point.grown(a.radius(), 0.0))
}
