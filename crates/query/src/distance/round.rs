//! Cylinders and cones: the general algorithms come near the answer, and the widest plane next to it is the answer. Where the
//! bodies nearly touch, they stop early, because what they measure vanishes. Moved a little apart, the bodies tell the normal well; along
//! it the signed distance is that of two planes.

use crate::Closest;
use crate::convex::{ConvexBody, ConvexCache, ConvexDistance, NO_VERTEX, distance_convex, part_convex};
use freiraum_geometry::math::{power_of_two, rounding};
use freiraum_geometry::{Pose, Vec3};

/// How far the bodies are moved apart, relative to their reach: 2^-10. Each step brings the normal nearer by that share, as far
/// as the bodies are no sharper than it.
const APART: f64 = 1.0 / 1024.0;

/// Answers within this share of the reach are looked at again: 2^-14. Deeper overlaps have been refined already.
const NEAR: f64 = power_of_two(-14);

/// Bounds from below and above that differ by no more roundings than this have met.
const PARTED: f64 = 16.0;

/// Steps until it gives up; three are usual.
const MOST_STEPS: usize = 24;

/// How far apart the planes across a unit normal are that hold the bodies on their two sides: negative where they overlap. No
/// distance of the bodies is less than that, and none but their own is as large.
fn between_planes(a: &dyn ConvexBody, b: &dyn ConvexBody, a_from_b: &Pose, normal: Vec3) -> f64 {
    let on_a = a.farthest(normal, NO_VERTEX).point;
    let in_b = b.farthest(a_from_b.inverse().rotate(-normal), NO_VERTEX).point;
    (a_from_b.transform_point(in_b) - on_a).dot(normal) - a.radius() - b.radius()
}

/// A better answer for two bodies of which one at least is round; the same if it cannot be bettered.
///
/// **Guarantee.** The distance is never more than the true one by more than rounding: bodies that touch are not told apart.
pub(crate) fn settled(a: &dyn ConvexBody, b: &dyn ConvexBody, a_from_b: &Pose, closest: Closest) -> Closest {
    let reach = a.reach() + a.radius() + b.reach() + b.radius() + a_from_b.translation().abs().max_element();
    let slack = rounding::coordinate(reach);
    if closest.distance > 0.0 {
        let parted = part_convex(a, b, a_from_b, closest.normal, closest.point_on_a);
        if parted.upper - parted.lower <= PARTED * slack && parted.lower > 0.0 {
            let (distance, normal, point_on_a) = (parted.lower, parted.normal, parted.point_on_a);
            return Closest { distance, point_on_a, point_on_b: point_on_a + distance * normal, normal };
        }
    }
    if closest.distance.abs() > NEAR * reach {
        return closest;
    }
    let along = |normal: Vec3, point_on_a: Vec3| {
        let distance = between_planes(a, b, a_from_b, normal);
        Closest { distance, point_on_a, point_on_b: point_on_a + distance * normal, normal }
    };
    let mut best = along(closest.normal, closest.point_on_a);
    if (0.0..=slack).contains(&(closest.distance - best.distance)) && closest.distance > 0.0 {
        return closest;
    }
    let (gap, mut cache) = (APART * reach, ConvexCache::new());
    for _ in 0..MOST_STEPS {
        let shift = (gap - best.distance) * best.normal;
        let moved = Pose::from_translation(shift) * *a_from_b;
        let ConvexDistance::Separated(apart) = distance_convex(a, b, &moved, &mut cache) else { break };
        let found = along(apart.normal, apart.point_on_a);
        let gain = found.distance - best.distance;
        if gain > 0.0 {
            best = found;
        }
        if gain <= slack {
            break;
        }
    }
    best
}
