//! How close a triangle that moves along a straight line comes to another one.
//!
//! The distance is a convex function of the time, so a tangent at any time is below it everywhere: a few tangents tell
//! whether a pair can come close enough to matter. If it can, the least distance is that of features: of the triangles
//! where the motion starts and ends, of the path of a corner of b and triangle a, and of the path of a corner of a, seen from
//! b, and triangle b. Two edges add nothing: the differences of their points, moved, fill a parallelepiped, and the least of
//! those is on its surface, where the time is at an end or a point is at a corner, unless the edges meet on the way.

use super::triangles_rotating::Least;
use crate::triangles::meet_translating;
use freiraum_geometry::Vec3;
use freiraum_query::elementary::{segment_triangle, triangle_triangle};

/// The least distance of `b + t by` from `a` over t in [first, last], if it is below `below`.
///
/// **Guarantee.** Off by a few units of rounding of the largest difference of coordinates; `None` is proven to that.
/// `slack`: how far off a coordinate may be; what meets within it has the distance 0.
pub(super) fn least_translating(
    a: [Vec3; 3],
    b: [Vec3; 3],
    by: Vec3,
    [first, last]: [f64; 2],
    below: f64,
    slack: f64,
) -> Option<Least> {
    let at = |t: f64| b.map(|p| p + t * by);
    // Tangents at both ends, where they cross, and once more.
    let look = |t: f64| {
        let nearest = triangle_triangle(a, at(t));
        let distance = nearest.distance();
        let slope =
            if distance > 0.0 { (nearest.point_on_b - nearest.point_on_a).dot(by) / distance } else { 0.0 };
        (t, distance, slope)
    };
    let (mut left, mut right) = (look(first), look(last));
    let mut best = if right.1 < left.1 { right } else { left };
    for _ in 0..LOOKS {
        if left.2 >= 0.0 || right.2 <= 0.0 || best.1 == 0.0 {
            break;
        }
        let (t, low) = crossing(left, right);
        if low >= below {
            return None;
        }
        let next = look(t);
        if next.1 < best.1 {
            best = next;
        }
        if next.2 < 0.0 {
            left = next;
        } else {
            right = next;
        }
    }
    if left.2 >= 0.0 || right.2 <= 0.0 || best.1 == 0.0 {
        return (best.1 < below).then_some(Least { distance: best.1, at: best.0, lower: best.1 });
    }
    if crossing(left, right).1 >= below {
        return None;
    }
    let mut best = Least { distance: best.1, at: best.0, lower: best.1 };
    let (start, shift) = (left.0, (right.0 - left.0) * by);
    let b = at(start);
    if let Some(meeting) = meet_translating(a, b, shift, slack)
        && meeting.exit >= 0.0
        && meeting.enter <= 1.0
    {
        let t = start + meeting.enter.clamp(0.0, 1.0) * (right.0 - left.0);
        return Some(Least { distance: 0.0, at: t, lower: 0.0 });
    }
    let mut offer = |distance_squared: f64, moved: Vec3| {
        let distance = distance_squared.sqrt();
        if distance < best.distance {
            let share = (moved.dot(shift) / shift.length_squared()).clamp(0.0, 1.0);
            best = Least { distance, at: start + share * (right.0 - left.0), lower: distance };
        }
    };
    for k in 0..3 {
        let near = segment_triangle([b[k], b[k] + shift], a);
        offer(near.distance_squared, near.point_on_a - b[k]);
        let near = segment_triangle([a[k], a[k] - shift], b);
        offer(near.distance_squared, a[k] - near.point_on_a);
    }
    (best.distance < below).then_some(best)
}

/// Looks between the ends at most before the features are asked.
const LOOKS: usize = 2;

/// Where two tangents cross, one falling and one rising, and how high.
fn crossing(left: (f64, f64, f64), right: (f64, f64, f64)) -> (f64, f64) {
    let (t0, d0, s0) = left;
    let (t1, d1, s1) = right;
    let t = (t0 + (d1 - d0 + s1 * (t0 - t1)) / (s0 - s1)).clamp(t0, t1);
    (t, (d0 + s0 * (t - t0)).min(d1 + s1 * (t - t1)))
}
