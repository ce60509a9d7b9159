//! A point that two overlapping bodies have in common.
//!
//! Going from a point to the nearest one of one body, from there to the nearest one of the other, and so on, ends in a point of both if
//! there is one. Between faces all steps have the same ratio, and their sum is known: few are needed.

use crate::Closest;
use crate::convex::ConvexBody;
use crate::prepared::{Class, Prepared};
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};

/// Goings to and fro at most. Bodies that overlap by next to nothing take the most.
const TURNS: usize = 256;

/// A point of two convex bodies that overlap, in the frame of a. `guesses`: points near both, at least one.
///
/// **Guarantee.** In both, up to rounding, unless they overlap by so little that the turns run out: then it is as near to both.
pub(crate) fn shared_point(
    a: &dyn ConvexBody,
    b: &dyn ConvexBody,
    a_from_b: &Pose,
    guesses: &[Vec3],
) -> Vec3 {
    let b_from_a = a_from_b.inverse();
    let on_a = |p: Vec3| on_body(a, p);
    let on_b = |p: Vec3| a_from_b.transform_point(on_body(b, b_from_a.transform_point(p)));
    let slack = rounding::coordinate(
        a.reach() + a.radius() + b.reach() + b.radius() + a_from_b.translation().length(),
    );
    let off = |p: Vec3| on_a(p).distance(p).max(on_b(p).distance(p));
    let mut best = (f64::INFINITY, guesses[0]);
    for guess in guesses {
        let offered = (off(*guess), *guess);
        if offered.0 <= slack {
            return *guess;
        }
        if offered.0 < best.0 {
            best = offered;
        }
    }
    let mut point = on_a(best.1);
    let mut moved = Vec3::ZERO;
    for _ in 0..TURNS {
        let beside = on_b(point);
        if beside.distance(point) <= slack {
            break;
        }
        let next = on_a(beside);
        let step = next - point;
        let ratio = step.dot(moved) / moved.length_squared();
        (point, moved) = if ratio > 0.0 && ratio < 1.0 {
            (on_a(next + step * (ratio / (1.0 - ratio))), Vec3::ZERO)
        } else {
            (next, step)
        };
    }
    point
}

/// The point of a body nearest to a point, in its frame.
fn on_body(body: &dyn ConvexBody, p: Vec3) -> Vec3 {
    grown(p, body.nearest(p), body.radius())
}

/// The point within the radius of `core` nearest to p, where `core` is the nearest of the core.
fn grown(p: Vec3, core: Vec3, radius: f64) -> Vec3 {
    let way = p - core;
    let length = way.length();
    if length <= radius { p } else { core + way * (radius / length) }
}

/// The answer for parts of bodies that overlap: that they do, at a point of both, and not how deep they are in each other.
pub(super) fn met(a: &Prepared, b: &Prepared, a_from_b: &Pose, found: Closest) -> Closest {
    if found.distance > 0.0 {
        return found;
    }
    let middle = 0.5 * found.point_on_a + 0.5 * found.point_on_b;
    let shared = match (a.class(), b.class()) {
        (Class::Convex(a), Class::Convex(b)) => {
            shared_point(a.body, b.body, a_from_b, &[middle, found.point_on_a, found.point_on_b])
        }
        // The deepest point below a plane.
        (Class::HalfSpace(_), _) => found.point_on_b,
        (_, Class::HalfSpace(_)) => found.point_on_a,
        // Those are points of both already.
        _ => middle,
    };
    Closest { distance: 0.0, point_on_a: shared, point_on_b: shared, ..found }
}
