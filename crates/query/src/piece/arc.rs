//! Arcs against arcs and against convex bodies, by branch and bound: the arc is cut into halves, each of which has a bound
//! from below, until none can hold anything nearer than what is known.
//!
//! A bound is worse than the distance there by the square of the length of the part, so around a single nearest place
//! a few parts are left at every level, however fine. Only where the distance hardly changes along a stretch all of
//! it stays, and the search ends with [`MOST_PARTS`]: what the bounds miss then is below 1e-8 of the radius.

use crate::convex::ConvexBody;
use crate::elementary::{Arc, Nearest, point_arc, segment_arc};
use freiraum_geometry::Vec3;

/// So many parts are there in the beginning.
const FIRST_PARTS: usize = 8;

/// So many parts of one level are looked at, at most.
const MOST_PARTS: usize = 1 << 15;

/// Levels at most: parts are as short as rounding by then.
const MOST_LEVELS: usize = 50;

/// A part of an arc: from and to, in radians.
type Range = [f64; 2];

/// Looks for the least distance along an arc. `look` is given a part and the least distance so far: it returns a bound from below
/// for the part, and offers what it finds. `best` is what is known already.
fn search(
    arc: &Arc,
    slack: f64,
    mut best: Nearest,
    mut look: impl FnMut(Range, &mut dyn FnMut(Nearest)) -> f64,
) -> Nearest {
    let share = arc.angle() / FIRST_PARTS as f64;
    let mut parts: Vec<Range> =
        (0..FIRST_PARTS).map(|i| [i as f64 * share, (i as f64 + 1.0) * share]).collect();
    for _ in 0..MOST_LEVELS {
        let mut bounds = Vec::with_capacity(parts.len());
        for part in &parts {
            bounds.push(look(*part, &mut |offered| {
                if offered.distance_squared < best.distance_squared {
                    best = offered;
                }
            }));
        }
        let least = best.distance();
        if least <= slack {
            return best;
        }
        let open = parts.iter().zip(&bounds).filter(|(_, bound)| **bound < least - slack);
        let halves = open.flat_map(|([from, to], _)| {
            let middle = 0.5 * (from + to);
            [[*from, middle], [middle, *to]]
        });
        parts = halves.collect();
        if parts.is_empty() || parts.len() > MOST_PARTS {
            return best;
        }
    }
    best
}

/// How far a part of an arc goes from its middle, seen along a unit direction: the least of `dot(direction, arc(t) - arc(middle))`.
fn least_along(arc: &Arc, middle: f64, half: f64, direction: Vec3) -> f64 {
    let [x, y] = arc.plane_axes().map(|axis| axis.dot(direction));
    let (sin, cos) = middle.sin_cos();
    // Along the radius and along the arc, in its middle.
    let (out, along) = (x * cos + y * sin, (y * cos - x * sin).abs());
    // -out (1 - cos d) - along sin d, least at this d or at the end.
    let turn = if out < 0.0 { along.atan2(-out).min(half) } else { half };
    let sine = (0.5 * turn).sin();
    arc.radius() * (-out * 2.0 * sine * sine - along * turn.sin())
}

/// The nearest points of an arc and the core of a convex body, in the frame of the body; `slack`: no farther apart, they meet.
pub(super) fn arc_core(arc: &Arc, body: &dyn ConvexBody, slack: f64) -> Nearest {
    let at = |t: f64| {
        let p = arc.at(t);
        let q = body.nearest(p);
        Nearest { distance_squared: p.distance_squared(q), point_on_a: p, point_on_b: q }
    };
    let (first, last) = (at(0.0), at(arc.angle()));
    let best = if last.distance_squared < first.distance_squared { last } else { first };
    search(arc, slack, best, |[from, to], offer| {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let found = at(middle);
        offer(found);
        let distance = found.distance();
        if distance <= slack {
            return 0.0;
        }
        // All of the body is beyond the plane through its nearest point.
        let away = (found.point_on_a - found.point_on_b) / distance;
        distance + least_along(arc, middle, half, away)
    })
}

/// The nearest points of two arcs.
pub(super) fn arc_arc(a: &Arc, b: &Arc) -> Nearest {
    let size = a.radius() + b.radius() + a.center().distance(b.center());
    let slack = 4.0 * f64::EPSILON * size;
    let ends = [b.at(0.0), b.at(b.angle())].map(|end| point_arc(end, a).swapped());
    let of_a = [a.at(0.0), a.at(a.angle())].map(|end| point_arc(end, b));
    let nearer = |one: Nearest, other: Nearest| {
        if other.distance_squared < one.distance_squared { other } else { one }
    };
    let best = ends.into_iter().chain(of_a).fold(point_arc(a.at(0.0), b), nearer);
    if are_coaxial(a, b, size) {
        // Where turned equally far they are nearest; if they are nowhere, then at ends.
        return best;
    }
    search(b, slack, best, |[from, to], offer| {
        let chord = [b.at(from), b.at(to)];
        let found = segment_arc(chord, a);
        let foot = point_arc(found.point_on_a, b).point_on_b;
        offer(point_arc(foot, a).swapped());
        // The part is nowhere farther from its chord than in the middle.
        let sine = (0.25 * (to - from)).sin();
        found.distance() - 2.0 * b.radius() * sine * sine
    })
}

fn are_coaxial(a: &Arc, b: &Arc, size: f64) -> bool {
    let between = b.center() - a.center();
    let off = a.axis().cross(between).length().max(a.axis().cross(b.axis()).length() * b.radius());
    off <= 8.0 * f64::EPSILON * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn no_point_of_a_part_goes_farther_than_the_bound() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let point = random.in_cube(2.0);
            let arc = Arc::of_rotation(point, random.in_cube(1.0), random.direction(), 6.2).unwrap();
            let (middle, half) = (random.range(0.0, 6.0), random.range(0.0, 0.8));
            let direction = random.direction();
            let bound = least_along(&arc, middle, half, direction);
            let along = |t: f64| direction.dot(arc.at(t) - arc.at(middle));
            let least = (0..=400)
                .map(|k| along(middle + half * (k as f64 / 200.0 - 1.0)))
                .fold(f64::INFINITY, f64::min);
            assert!(bound <= least + 1e-12 && bound >= least - 1e-3, "{bound} {least}");
        }
    }
}
