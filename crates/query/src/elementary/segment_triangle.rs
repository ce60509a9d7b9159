//! The closest points of a segment and a triangle, and the exact test whether they meet.

use super::Nearest;
use super::point_triangle::Frame;
use super::segment_segment::segment_segment;
use super::triangles_intersect::{crosses, flat_triangles_meet, sides};
use freiraum_geometry::Vec3;

/// True if the closed segment and the closed triangle have a point in common; touching counts.
///
/// **Guarantee.** Exact for the coordinates given. **Degenerate input.** Without length or area, they are what their
/// corners span.
pub fn segment_triangle_intersect(a: [Vec3; 2], b: [Vec3; 3]) -> bool {
    let corners = [a[0], a[1], a[1]];
    let Some(sides) = sides(b, corners) else { return false };
    if sides == [0; 3] {
        flat_triangles_meet(corners, b, sides, sides)
    } else {
        crosses(a, b, [sides[0], sides[1]])
    }
}

/// The closest points of a segment and a triangle.
///
/// **Guarantee.** Zero exactly if [`segment_triangle_intersect`]; both points are then the same.
/// **Degenerate input.** Without length or area, they are what their corners span.
pub fn segment_triangle(a: [Vec3; 2], b: [Vec3; 3]) -> Nearest {
    if segment_triangle_intersect(a, b) { Nearest::common(common_point(a, b)) } else { apart(a, b) }
}

/// The closest points if the two are known to have no point in common.
fn apart(a: [Vec3; 2], b: [Vec3; 3]) -> Nearest {
    let frame = Frame::new(b);
    let end = |p: Vec3| Nearest::of_points(p, frame.closest(p));
    let edge = |i: usize| segment_segment(a, [b[i], b[(i + 1) % 3]]);
    end(a[0]).or_nearer(end(a[1])).or_nearer(edge(0)).or_nearer(edge(1)).or_nearer(edge(2))
}

/// A point near both, for those that meet: where the segment passes through the plane, or if it does not, the middle
/// between the closest points.
pub(super) fn common_point(a: [Vec3; 2], b: [Vec3; 3]) -> Vec3 {
    let normal = (b[1] - b[0]).cross(b[2] - b[0]);
    let [h, k] = a.map(|p| normal.dot(p - b[0]));
    let near = apart(a, b);
    if (h < 0.0) != (k < 0.0) && h != k {
        let through = a[0] + (h / (h - k)) * (a[1] - a[0]);
        let on_b = Frame::new(b).closest(through);
        if through.distance_squared(on_b) < near.distance_squared {
            return through;
        }
    }
    near.point_on_a
}
