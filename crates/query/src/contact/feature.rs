//! Flat and straight features of convex shapes: what a body rests on.

use super::polygon::Polygon;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::{Convex, Cuboid, Shape};
use std::f64::consts::TAU;

/// As many points stand for a round end.
pub(crate) const ROUND_POINTS: usize = 16;

/// A flat face of a convex shape.
pub(crate) struct Face {
    /// Unit normal out of the shape.
    pub(crate) normal: Vec3,
    /// The corners, counter-clockwise seen against the normal; round ends by [`ROUND_POINTS`] points on the rim.
    pub(crate) corners: Polygon,
}

/// The face whose normal is nearest to `direction` (a unit vector), or `None` if the shape has no flat face.
pub(crate) fn face_towards(shape: &Shape, direction: Vec3) -> Option<Face> {
    match shape {
        Shape::Cuboid(s) => Some(cuboid_face(s, direction)),
        Shape::Cylinder(s) => {
            let up = direction.z >= 0.0;
            Some(round_end(s.radius(), if up { 0.5 } else { -0.5 } * s.height(), up, direction))
        }
        Shape::Cone(s) => Some(round_end(s.radius(), -0.5 * s.height(), false, direction)),
        Shape::Convex(s) => convex_face(s, direction),
        _ => None,
    }
}

/// The straight line on the surface of a round shape that lies farthest in `direction`; `None` for shapes without one.
pub(crate) fn ridge_towards(shape: &Shape, direction: Vec3) -> Option<[Vec3; 2]> {
    let across = unit(direction.with_z(0.0))?;
    match shape {
        Shape::Cylinder(s) => Some([0.5, -0.5].map(|z| (s.radius() * across).with_z(z * s.height()))),
        Shape::Capsule(s) => Some([0.5, -0.5].map(|z| (s.radius() * across).with_z(z * s.height()))),
        Shape::Cone(s) => {
            let half = 0.5 * s.height();
            Some([(s.radius() * across).with_z(-half), Vec3::new(0.0, 0.0, half)])
        }
        _ => None,
    }
}

fn cuboid_face(cuboid: &Cuboid, direction: Vec3) -> Face {
    let size = direction.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let side = if direction[axis] < 0.0 { -1.0 } else { 1.0 };
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |(u, v): (f64, f64)| {
        let mut p = Vec3::ZERO;
        p[axis] = side;
        // Seen from the other side the way round changes.
        p[next] = u * side;
        p[last] = v;
        p * cuboid.half()
    };
    let mut normal = Vec3::ZERO;
    normal[axis] = side;
    Face { normal, corners: Polygon::of([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(corner)) }
}

/// A round end of a body about z, its first point in `direction`.
fn round_end(radius: f64, z: f64, is_up: bool, direction: Vec3) -> Face {
    let e1 = unit(direction.with_z(0.0)).unwrap_or(Vec3::X);
    let normal = if is_up { Vec3::Z } else { Vec3::NEG_Z };
    let e2 = normal.cross(e1);
    let corner = |i: usize| {
        let angle = TAU * i as f64 / ROUND_POINTS as f64;
        (radius * (angle.cos() * e1 + angle.sin() * e2)).with_z(z)
    };
    Face { normal, corners: Polygon::of((0..ROUND_POINTS).map(corner)) }
}

/// The facet of a polyhedron most in `direction`, with all corners that lie in its plane up to rounding.
fn convex_face(convex: &Convex, direction: Vec3) -> Option<Face> {
    let surface = convex.surface();
    let mut best: Option<(f64, Vec3, Vec3)> = None;
    for [a, b, c] in surface.triangles() {
        let Some(normal) = unit((b - a).cross(c - a)) else { continue };
        let share = normal.dot(direction);
        if best.is_none_or(|(found, ..)| share > found) {
            best = Some((share, normal, a));
        }
    }
    let (_, normal, on_plane) = best?;
    let bounds = convex.aabb();
    // A normal from edges much shorter than the body is off by rounding over their length: 1/4096 of the body keeps
    // twelve bits for that, and nearly flat facets are one contact face anyway.
    let slack = 4096.0 * f64::EPSILON * (bounds.size().max_element() + bounds.reach());
    let in_plane = convex.vertices().iter().filter(|p| (**p - on_plane).dot(normal).abs() <= slack);
    Some(Face { normal, corners: Polygon::of(in_plane.copied()).sorted_around(normal) })
}
