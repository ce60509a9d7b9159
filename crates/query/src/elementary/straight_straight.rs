//! The closest points of two lines, rays or segments, each of either kind.

use super::Nearest;
use super::segment_segment::line_parameter;
use super::straight::{Span, Straight};

/// The closest points of two lines, rays or segments.
///
/// **Guarantee.** Accurate also where they are nearly parallel; lines that would meet so far away that rounding
/// outweighs what is gained have their closest points near where they are given. **Degenerate input.** Parallel: one
/// of the closest pairs. Without a direction or length, a piece is its point.
pub fn straight_straight(a: impl Straight, b: impl Straight) -> Nearest {
    of_spans(&a.span(), &b.span())
}

pub(super) fn of_spans(a: &Span, b: &Span) -> Nearest {
    let (u, v, w) = (a.direction, b.direction, b.start - a.start);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let with = |s: f64| {
        // As for two segments: t for this s, and where that has to be brought into its range, s for this t.
        let t = b.clamped(s * uv - vw, vv);
        let is_free = t > b.first && t < b.last;
        let s = if is_free { s } else { a.clamped(uw + t * uv, uu) };
        Nearest::of_points(a.at(s), b.at(t))
    };
    let near = a.clamped(uw, uu);
    if !(uu > 0.0 && vv > 0.0) {
        return with(near);
    }
    let best = with(a.clamped(line_parameter(u, v, [uu, vv, uv, uw, vw], w), 1.0));
    if a.last - a.first == 1.0 { best } else { best.or_nearer(with(near)) }
}
