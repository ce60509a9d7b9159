//! How close two pieces come by steps: other motions than translations and rotations, and cylinders and cones, which are as exact as the rest.
//!
//! Proven steps tell when the pieces first come closer than the best so far, less the accuracy, or that they never do. If they
//! do, the distance is followed down from there to a minimum, and the steps go on from the same time with that.

use super::{Bodies, ClearanceRequest, Closest};
use crate::advance::{Advanced, advance_pair};
use crate::movable::Piece;
use crate::sweep::MotionWorkspace;
use crate::verdict::{Limits, MotionError};
use freiraum_geometry::math::power_of_two;

/// By how much the least distance may be missed: the accuracy asked for, but no less than what distances are good for.
pub(super) fn margin(bodies: &Bodies, request: &ClearanceRequest, distance: f64) -> f64 {
    (request.accuracy * distance).max(4.0 * bodies.rounding())
}

/// Lowers `best` to the least distance during `time`, and its lower bound to what is proven.
///
/// **Guarantee.** The bound is 0 if the budget ended.
pub(super) fn search(
    bodies: &Bodies,
    pieces: [&Piece; 2],
    [mut from, to]: [f64; 2],
    request: &ClearanceRequest,
    best: &mut Closest,
    memory: &mut MotionWorkspace,
) -> Result<(), MotionError> {
    let [motion_a, motion_b] = bodies.motions;
    let mut wider = 1.0;
    for _ in 0..MINIMA {
        let goal = request.at_least.map_or(best.distance, |least| least.min(best.distance));
        let margin = wider * margin(bodies, request, goal);
        let level = (goal - margin).max(0.0);
        let limits = Limits { tolerance: 0.5 * margin, ..request.limits };
        let memory = &mut memory.advance;
        match advance_pair(pieces[0], motion_a, pieces[1], motion_b, [from, to], level, &limits, memory) {
            Advanced::Free { clearance_lower } => {
                best.lower = best.lower.min(clearance_lower);
                return Ok(());
            }
            Advanced::Undecided { .. } => {
                best.lower = 0.0;
                return Ok(());
            }
            Advanced::Contact(contact) => {
                from = (contact.time - contact.error).max(from);
                let mut look = bodies.look(if contact.is_crossing { contact.time } else { from })?;
                if contact.is_crossing {
                    look.distance = 0.0;
                } else if request.at_least.is_none() {
                    look = descend(bodies, look, [from, to])?;
                }
                // What the steps found is below what was to be beaten, whatever the rounding of the look is.
                look.distance = look.distance.min(contact.distance);
                // Steps that cannot tell this distance from the one to be beaten would end here again.
                let is_stuck = look.distance > goal - 0.25 * margin;
                *best = best.or_closer(look);
                if is_stuck && level == 0.0 {
                    break;
                }
                if is_stuck {
                    wider *= 2.0;
                }
                if best.distance == 0.0 || request.at_least.is_some_and(|least| best.distance < least) {
                    return Ok(());
                }
            }
        }
    }
    best.lower = 0.0;
    Ok(())
}

/// Minima below each other at most.
const MINIMA: usize = 10_000;

/// Goes down from a look at `low` to a minimum in [low, high]: by longer and longer steps as long as it goes down, then by the
/// golden section.
fn descend(bodies: &Bodies, start: Closest, [low, high]: [f64; 2]) -> Result<Closest, MotionError> {
    let (mut left, mut right) = (low, high);
    let mut best = start;
    let mut step = (high - low) * TIME;
    // A minimum next to the start is lower than many that lie far from it, and not to be passed over.
    while best.time + step < right && best.distance > 0.0 {
        let look = bodies.look(best.time + step)?;
        if look.distance >= best.distance {
            right = look.time;
            break;
        }
        (left, best, step) = (best.time, look, 2.0 * step);
    }
    while right - left > TIME * (high - low) && best.distance > 0.0 {
        let is_right = right - best.time > best.time - left;
        let next = if is_right {
            best.time + GOLDEN * (right - best.time)
        } else {
            best.time - GOLDEN * (best.time - left)
        };
        let look = bodies.look(next)?;
        match (look.distance < best.distance, is_right) {
            (true, true) => left = best.time,
            (true, false) => right = best.time,
            (false, true) => right = next,
            (false, false) => left = next,
        }
        if look.distance < best.distance {
            best = look;
        }
    }
    Ok(best)
}

/// Where the distance is least, this share of the time changes it by its square only: rounding.
const TIME: f64 = power_of_two(-27);

/// The smaller part of the golden section.
const GOLDEN: f64 = 0.381_966_011_250_105;
