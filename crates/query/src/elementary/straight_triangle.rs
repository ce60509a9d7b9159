//! The closest points of a line, ray or segment and a triangle. Whether a segment meets a triangle is decided exactly
//! in `segment_triangle`; here what passes a triangle by less than rounding may be either.

use super::Nearest;
use super::point_triangle::Frame;
use super::straight::{Span, Straight};
use super::straight_straight::of_spans;
use freiraum_geometry::Vec3;

/// The closest points of the line, ray or segment `a` and the triangle `b`.
///
/// **Degenerate input.** Without length or area they are the pieces that their points span.
pub fn straight_triangle(a: impl Straight, b: [Vec3; 3]) -> Nearest {
    let (a, frame) = (a.span(), Frame::new(b));
    let foot = |p: Vec3| frame.foot(p);
    if let Some(point) = through(&a, frame.plane_parameter(a.start, a.direction), foot) {
        return Nearest::common(point);
    }
    let ends = a.ends().filter_map(|p| foot(p).map(|foot| Nearest::of_points(p, foot)));
    let edges = (0..3).map(|i| of_spans(&a, &[b[i], b[(i + 1) % 3]].span()));
    ends.chain(edges).reduce(Nearest::or_nearer).unwrap_or(Nearest::of_points(a.start, b[0]))
}

/// The point at t if it is in the range and has a foot on the face.
pub(super) fn through(a: &Span, t: f64, foot: impl Fn(Vec3) -> Option<Vec3>) -> Option<Vec3> {
    if !(t.is_finite() && t >= a.first && t <= a.last) {
        return None;
    }
    let point = a.at(t);
    foot(point).map(|_| point)
}
