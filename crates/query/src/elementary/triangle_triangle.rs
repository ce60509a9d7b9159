//! The closest points of two triangles.

use super::Nearest;
use super::point_triangle::Frame;
use super::segment_segment::segment_segment;
use super::segment_triangle::common_point;
use super::triangles_intersect::triangles_intersect;
use freiraum_geometry::Vec3;

/// The closest points of two triangles.
///
/// **Guarantee.** Zero exactly if [`triangles_intersect`]; both points are then the same.
/// **Degenerate input.** Triangles without area are the segment or point that their corners span.
pub fn triangle_triangle(a: [Vec3; 3], b: [Vec3; 3]) -> Nearest {
    let meet = triangles_intersect(a, b);
    let edges = |t: [Vec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    if meet {
        let mut best = Nearest { distance_squared: f64::INFINITY, point_on_a: a[0], point_on_b: b[0] };
        for (s, t) in [(a, b), (b, a)] {
            let frame = Frame::new(t);
            for edge in edges(s) {
                let p = common_point(edge, t);
                best = best.or_nearer(Nearest::of_points(p, frame.closest(p)));
            }
        }
        return Nearest::common(best.point_on_a);
    }
    let frame_a = Frame::new(a);
    let frame_b = Frame::new(b);
    let mut best = Nearest::of_points(a[0], frame_b.closest(a[0]));
    for p in &a[1..] {
        best = best.or_nearer(Nearest::of_points(*p, frame_b.closest(*p)));
    }
    for p in b {
        best = best.or_nearer(Nearest::of_points(frame_a.closest(p), p));
    }
    for e in edges(a) {
        for f in edges(b) {
            best = best.or_nearer(segment_segment(e, f));
        }
    }
    best
}
