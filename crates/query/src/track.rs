//! Distances of convex pairs that move a little from question to question.

use crate::convex::{
    ConvexCache, ConvexDistance, ConvexGraph, FeatureCache, distance_convex, track_features,
};
use crate::dispatch::{PairQuery, check_pose};
use crate::distance::round::settled;
use crate::distance::{Distance, signed_convex};
use crate::prepared::{Class, Solid};
use crate::{Closest, Prepared, QueryError, distance};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::ROUND_TOUCH_RELATIVE;

/// What one question about a pair leaves for the next one: the nearest features of polyhedra, the last simplex of other convex bodies.
/// What is left by another pair is of no use and does no harm.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairCache {
    features: FeatureCache,
    simplex: ConvexCache,
}

/// A distance that was found with the help of the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackedDistance {
    /// As [`distance()`](crate::distance()) answers.
    pub closest: Closest,
    /// True if the distance alone proves that the bodies have no point in common; false proves nothing.
    pub is_apart: bool,
}

/// The [`distance()`](crate::distance()) of two shapes, from the last answer where both are convex; from scratch where they are not.
///
/// **Guarantee.** As [`distance()`](crate::distance()); the two are the same but for rounding. Where several pairs of points are nearest, they may be
/// others. **Cost.** Nearly constant for polyhedra that have moved a little, whatever the number of their vertices.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate.
pub fn distance_tracked(
    a: &Prepared,
    b: &Prepared,
    a_from_b: &Pose,
    cache: &mut PairCache,
) -> Result<TrackedDistance, QueryError> {
    check_pose(a_from_b)?;
    let (Class::Convex(solid_a), Class::Convex(solid_b)) = (a.class(), b.class()) else {
        return Ok(TrackedDistance { closest: distance(a, b, a_from_b)?, is_apart: false });
    };
    let closest = match (a.graph(), b.graph()) {
        (Some(a), Some(b)) => follow_features(a, b, a_from_b, cache),
        // In the order of kinds, as without a cache.
        _ if a.shape().kind() > b.shape().kind() => {
            let b_from_a = a_from_b.inverse();
            follow(&solid_b, &solid_a, &b_from_a, cache).placed(a_from_b).swapped()
        }
        _ => follow(&solid_a, &solid_b, a_from_b, cache),
    };
    let reach = solid_a.reach() + 2.0 * solid_b.reach() + a_from_b.translation().abs().max_element();
    Ok(TrackedDistance { closest, is_apart: closest.distance > 4.0 * ROUND_TOUCH_RELATIVE * reach })
}

fn follow_features(a: &ConvexGraph, b: &ConvexGraph, a_from_b: &Pose, cache: &mut PairCache) -> Closest {
    match track_features(a, b, a_from_b, &mut cache.features).distance {
        ConvexDistance::Separated(closest) => closest,
        ConvexDistance::Overlapping => signed_convex(a, b, a_from_b),
    }
}

fn follow(a: &Solid, b: &Solid, a_from_b: &Pose, cache: &mut PairCache) -> Closest {
    if let Some(closest) = Distance.special(a.shape, b.shape, a_from_b) {
        return closest;
    }
    match distance_convex(a.body, b.body, a_from_b, &mut cache.simplex) {
        ConvexDistance::Separated(closest) if a.body.is_polyhedral() && b.body.is_polyhedral() => closest,
        ConvexDistance::Separated(closest) => settled(a.body, b.body, a_from_b, closest),
        ConvexDistance::Overlapping => signed_convex(a.body, b.body, a_from_b),
    }
}
