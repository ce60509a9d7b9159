//! What a convex body and a triangle have in common.

use super::polygon::{CAPACITY, Polygon};
use crate::convex::Points;
use crate::distance::shared::shared_point;
use crate::prepared::Solid;
use crate::ray::{Ray, leaves};
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};

/// How many corners stand for the outline of a round section: it is smaller than the section by 0.7 % of its area.
const OUTLINE: usize = 48;

/// How often the outline is drawn anew from its own centroid, so that its corners stand evenly round it.
const REDRAWN: usize = 3;

/// The part of a triangle in a convex body, both in the frame of the body; empty where they only touch.
///
/// Exact for boxes and polyhedra (of sections with more than 64 corners some are left out); round outlines are inscribed polygons of
/// [`OUTLINE`] corners.
pub(super) fn section(a: &Solid, triangle: [Vec3; 3]) -> Polygon {
    let in_box = [Vec3::X, Vec3::Y, Vec3::Z]
        .iter()
        .fold(Polygon::of(triangle), |rest, &axis| rest.below(a.bounds.max, axis).below(a.bounds.min, -axis));
    match a.shape {
        Shape::Convex(convex) => convex.surface().triangles().fold(in_box, |rest, [p, q, r]| {
            if rest.is_empty() { rest } else { rest.below(p, (q - p).cross(r - p)) }
        }),
        Shape::Sphere(_) | Shape::Cylinder(_) | Shape::Capsule(_) | Shape::Cone(_) => {
            let normal = unit((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]));
            match normal.filter(|_| in_box.len() > 2) {
                Some(normal) => round_section(a, triangle, normal).within(&in_box, normal),
                None => Polygon::EMPTY,
            }
        }
        // A box is its own bounds; the others are no convex bodies.
        _ => in_box,
    }
}

/// The outline of a round body in the plane of a triangle.
fn round_section(a: &Solid, triangle: [Vec3; 3], normal: Vec3) -> Polygon {
    const { assert!(OUTLINE + 8 < CAPACITY) };
    let (e, f) = normal.any_orthonormal_pair();
    let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
    let mut center = shared_point(a.body, &Points(&triangle), &Pose::IDENTITY, &[middle, a.body.center()]);
    let mut outline = Polygon::EMPTY;
    for _ in 0..REDRAWN {
        outline = Polygon::EMPTY;
        for k in 0..OUTLINE {
            let angle = std::f64::consts::TAU * k as f64 / OUTLINE as f64;
            let direction = angle.cos() * e + angle.sin() * f;
            let far = Ray::along(center, direction, f64::INFINITY).ok().and_then(|ray| leaves(a.shape, &ray));
            let Some(far) = far else { return Polygon::EMPTY };
            outline.push(center + far.max(0.0) * direction);
        }
        let Some(centroid) = outline.centroid(normal) else { return Polygon::EMPTY };
        center = centroid;
    }
    outline
}
