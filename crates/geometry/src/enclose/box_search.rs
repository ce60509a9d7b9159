//! The search for the orientation of the smallest box around a polytope.
//!
//! The volume as a function of the orientation has many local minima, each of them a kink where box faces touch whole
//! edges or facets of the hull (O'Rourke: two adjacent box faces touch an edge each). The search tries a fixed, even
//! spread of orientations and those that lie flush on facets, improves the most promising ones by descending, and
//! finally turns each into exact contact with the edges it ended on.

use super::box_descent::{Candidate, Scratch};
use super::directions::{rotations, z_to};
use super::polytope::Polytope;
use super::rectangle::on_plane;
use crate::math::{Quat, Vec3, power_of_two};
use std::f64::consts::FRAC_PI_2;

/// The orientation of the smallest box found.
pub(super) fn smallest_orientation(polytope: &Polytope) -> Quat {
    let corners = polytope.points.len();
    let mut scratch = Scratch::for_polytope(polytope);
    // Effort: round bodies with many corners have many nearly equal minima. The counts were found by comparing with
    // searches a hundred times as thorough on random clouds; see docs/performance/enclose.md.
    let spread_count = 128 + corners.min(1500);
    let mut kept_count = 48 + (corners / 3).min(300);
    let mut candidates: Vec<Candidate> =
        rotations(spread_count).map(|rotation| Candidate::fresh(polytope, rotation)).collect();
    candidates.extend(polytope.large_facets(96).into_iter().map(|normal| on_facet(polytope, normal)));
    // On a ball of n corners a cap of this depth holds a few of them.
    let mut depth = (16.0 / corners as f64).min(0.2);
    for _ in 0..2 {
        candidates.sort_by(|a, b| a.volume.total_cmp(&b.volume));
        candidates.dedup_by(|a, b| a.is_like(b));
        candidates.truncate(kept_count);
        let next_depth = depth / 32.0;
        for candidate in &mut candidates {
            *candidate = candidate.descended(polytope, depth, next_depth, &mut scratch);
        }
        depth = next_depth;
        kept_count /= 3;
    }
    candidates.sort_by(|a, b| a.volume.total_cmp(&b.volume));
    candidates.dedup_by(|a, b| a.is_like(b));
    candidates.truncate(8);
    let mut best: Option<Candidate> = None;
    for candidate in candidates {
        let descended = candidate.descended(polytope, depth, FINEST, &mut scratch);
        let flush = descended.flush(polytope, 4.0 * FINEST, &mut scratch);
        let finished =
            if corners <= SOME_CORNERS { flush.squared(polytope) } else { flush }.measured(polytope);
        if best.is_none_or(|b| finished.is_clearly_smaller(&b)) {
            best = Some(finished);
        }
    }
    best.map_or(Quat::IDENTITY, |b| b.rotation)
}

/// Depth and angle at which the descent hands over to exact contact: the square root of the precision.
pub(super) const FINEST: f64 = power_of_two(-26);

/// The best orientation with one side on a facet: exact for bodies of few corners, else the best of a few.
fn on_facet(polytope: &Polytope, normal: Vec3) -> Candidate {
    if polytope.points.len() <= FEW_CORNERS {
        return Candidate::fresh(polytope, on_plane(&polytope.points, normal));
    }
    let upright = z_to(normal);
    let first = Candidate::fresh(polytope, upright);
    (1..8).fold(first, |best, i| {
        let next =
            Candidate::fresh(polytope, upright * Quat::from_rotation_z(FRAC_PI_2 * f64::from(i) / 8.0));
        if next.volume < best.volume { next } else { best }
    })
}

/// Up to this many corners, projecting them all is as fast as climbing eight times; up to the second number it is
/// cheap enough for the few candidates that reach the end.
const FEW_CORNERS: usize = 64;
const SOME_CORNERS: usize = 1000;
