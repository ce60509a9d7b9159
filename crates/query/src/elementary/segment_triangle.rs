//! The closest points of a segment and a triangle, and the exact test whether they meet.

use super::Nearest;
use super::point_triangle::Frame;
use super::segment_segment::{along, parameters};
use super::triangles_intersect::{crosses, flat_triangles_meet, sides};
use freiraum_geometry::Vec3;

/// True if the closed segment and the closed triangle have a point in common; touching counts.
///
/// **Guarantee.** Exact for the coordinates given. **Degenerate input.** Without length or area, they are what their
/// corners span.
pub fn segment_triangle_intersect(a: [Vec3; 2], b: [Vec3; 3]) -> bool {
    let corners = [a[0], a[1], a[1]];
    match sides(b, corners) {
        None => false,
        Some([0, 0, 0]) => flat_triangles_meet(corners, b, [0; 3], [0; 3]),
        Some([start, end, _]) => crosses(a, b, [start, end]),
    }
}

/// The closest points of a segment and a triangle.
///
/// **Guarantee.** Zero if [`segment_triangle_intersect`], with both points the same; otherwise zero only where the gap is
/// below the rounding of the points.
/// **Degenerate input.** Without length or area, they are what their corners span.
pub fn segment_triangle(a: [Vec3; 2], b: [Vec3; 3]) -> Nearest {
    let frame = Frame::new(b);
    if segment_triangle_intersect(a, b) { Nearest::common(common_point(a, &frame)) } else { apart(a, &frame) }
}

/// The closest points if the two have no point in common.
fn apart(a: [Vec3; 2], frame: &Frame) -> Nearest {
    let u = a[1] - a[0];
    let uu = u.length_squared();
    let edge = |i: usize| {
        let (corner, v) = (frame.corners[i], frame.edges[i]);
        let (s, t) = parameters(u, v, uu, frame.squares[i], corner - a[0]);
        Nearest::of_points(along(a, u, s), frame.on_edge(i, t))
    };
    let mut best = edge(0).or_nearer(edge(1)).or_nearer(edge(2));
    for p in a {
        if let Some(foot) = frame.foot(p) {
            best = best.or_nearer(Nearest::of_points(p, foot));
        }
    }
    best
}

/// A point of the segment that lies in the triangle, to rounding, for those that meet: where the segment passes through
/// the plane, or if it does not, the closest one.
pub(super) fn common_point(a: [Vec3; 2], frame: &Frame) -> Vec3 {
    let near = apart(a, frame);
    let u = a[1] - a[0];
    let t = frame.plane_parameter(a[0], u);
    if (0.0..=1.0).contains(&t) {
        let through = along(a, u, t);
        if through.distance_squared(frame.closest(through)) < near.distance_squared {
            return through;
        }
    }
    near.point_on_a
}
