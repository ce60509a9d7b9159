//! Where a convex shape is below a plane: its corners, the ends of a capsule, four points of each rim.

use super::ContactPoint;
use crate::distance::half_space::placed;
use crate::prepared::Solid;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::{Pose, Vec3};

/// Every corner of a at or below the plane of b, with its own depth; the deepest of them is the depth of a.
pub(super) fn contact_points(
    a: &Solid,
    b: &HalfSpace,
    a_from_b: &Pose,
    slack: f64,
    points: &mut Vec<ContactPoint>,
) {
    let (up, offset) = placed(b, a_from_b);
    let contact = |p: Vec3| {
        let depth = offset - up.dot(p);
        (depth >= -slack).then(|| ContactPoint {
            point: p + 0.5 * depth * up,
            normal: -up,
            depth: depth.max(0.0),
            region: 0,
        })
    };
    each_corner(a.shape, up, |p| points.extend(contact(p)));
}

/// Visits points of a convex shape among which is the lowest against `up`: all corners of polyhedra, the ends of capsules,
/// four points of each rim, one of them the lowest.
pub(super) fn each_corner(shape: &Shape, up: Vec3, mut visit: impl FnMut(Vec3)) {
    let down = unit(-up.with_z(0.0)).unwrap_or(Vec3::X);
    let side = Vec3::Z.cross(down);
    let rim = |radius: f64, z: f64| [down, side, -down, -side].map(|d| (radius * d).with_z(z));
    match shape {
        Shape::Sphere(s) => visit(-s.radius() * up),
        Shape::Capsule(s) => {
            let end = |z: f64| Vec3::new(0.0, 0.0, z * s.height()) - s.radius() * up;
            [0.5, -0.5].map(end).into_iter().for_each(visit);
        }
        Shape::Cuboid(s) => (0..8).for_each(|code| {
            let sign = |bit: u32| if code >> bit & 1 == 1 { 1.0 } else { -1.0 };
            visit(s.half() * Vec3::new(sign(0), sign(1), sign(2)));
        }),
        Shape::Cylinder(s) => {
            rim(s.radius(), -0.5 * s.height()).into_iter().for_each(&mut visit);
            rim(s.radius(), 0.5 * s.height()).into_iter().for_each(visit);
        }
        Shape::Cone(s) => {
            rim(s.radius(), -0.5 * s.height()).into_iter().for_each(&mut visit);
            visit(Vec3::new(0.0, 0.0, 0.5 * s.height()));
        }
        Shape::Convex(s) => s.vertices().iter().copied().for_each(visit),
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => {}
    }
}
