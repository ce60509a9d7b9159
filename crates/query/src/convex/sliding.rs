//! Penetration depth by sliding along separating planes: the iterative method of the lecture (formulas.md 17.1).
//!
//! It finds a local minimum of the depth near the direction it starts from. It shares nothing with the method of
//! [`penetration_convex`](super::penetration_convex) but the distance of bodies that are apart.

use super::body::ConvexBody;
use super::gjk::{ConvexCache, ConvexDistance, Pair, distance_convex};
use crate::Closest;
use freiraum_geometry::math::{power_of_two, rounding, unit};
use freiraum_geometry::{Pose, Vec3};

/// Steps until it gives up; about three are usual, round bodies take some more.
const MOST_STEPS: usize = 100;

/// A step that gains less than this share of the reach is the last: 2^-40. Polyhedra settle at once; round bodies whose
/// curvature nearly fits creep, and what they would still gain is some ten times that.
const SETTLED: f64 = power_of_two(-40);

/// The bodies are moved this share farther apart than needed, to leave the distance something to measure: 2^-10.
const GAP: f64 = 1.0 / 1024.0;

/// The depth along a local least translation, near `start`, that separates two overlapping bodies.
///
/// **Frames.** `start` is a direction in the frame of a in which b may be pushed; of any length. **Guarantee.** The translation
/// separates the bodies: the depth is never below the least one. It may be a local minimum: ask from several directions for
/// the least of all. `None` if the bodies are apart to begin with (a plane across the direction of the search separates
/// them), if `start` has no direction, or if the search does not settle.
/// **Cost.** About three distances of bodies apart.
pub fn penetration_by_sliding<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
    start: Vec3,
) -> Option<Closest> {
    let slid = slide(a, b, a_from_b, unit(start)?)?;
    slid.is_settled.then_some(slid.closest)
}

/// Where a search ended.
pub(super) struct Slid {
    /// A translation that separates the bodies.
    pub(super) closest: Closest,
    /// It is a local minimum.
    is_settled: bool,
}

/// The same from a unit vector; also what a search found that did not settle.
pub(super) fn slide<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
    start: Vec3,
) -> Option<Slid> {
    let pair = Pair::new(a, b, a_from_b);
    let mut cache = ConvexCache::new();
    let reach = pair.reach + pair.radius();
    let gap = GAP * reach;
    let slack = rounding::coordinate(reach);
    // Beyond the supporting plane across the start the bodies are apart.
    let needed = pair.farthest(start, [super::NO_VERTEX; 2]).at.dot(start) + pair.radius();
    let mut shift = start * (needed + gap);
    let mut best: Option<Closest> = None;
    for _ in 0..MOST_STEPS {
        let moved = Pose::new(a_from_b.rotation(), a_from_b.translation() + shift)?;
        let ConvexDistance::Separated(apart) = distance_convex(a, b, &moved, &mut cache) else { return None };
        let n = apart.normal;
        // What the plane between the bodies asks for: never more than the step before.
        let needed = shift.dot(n) - apart.distance;
        // Bodies that touch may be apart by rounding.
        if needed < -slack {
            return None;
        }
        let needed = needed.max(0.0);
        // No more progress: the shift is in line with the normal, or as much as can be told.
        if best.is_some_and(|best| needed >= -best.distance - SETTLED * reach) {
            return best.map(|closest| Slid { closest, is_settled: true });
        }
        let (point_on_a, point_on_b) = (apart.point_on_a, apart.point_on_a - needed * n);
        best = Some(Closest { distance: -needed, point_on_a, point_on_b, normal: n });
        shift = n * (needed + gap);
    }
    best.map(|closest| Slid { closest, is_settled: false })
}
