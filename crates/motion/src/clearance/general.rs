//! How close two bodies come where there is no exact method: other motions, cylinders and cones.
//!
//! While both travel at most s together, their distance falls by at most s. A stretch of time is cut in halves until everywhere
//! that proves that nothing is closer than the best that was found, less the accuracy.

use super::{Bodies, ClearanceRequest, Closest};
use crate::verdict::MotionError;

/// Lowers `best` to the least distance during `time`, and its lower bound to what is proven.
///
/// **Cost.** A distance query per step; steps are as long as the distance above the best is.
pub(super) fn search(
    bodies: &Bodies,
    time: [f64; 2],
    request: &ClearanceRequest,
    best: &mut Closest,
) -> Result<(), MotionError> {
    let rounding = bodies.rounding();
    let mut open = vec![time];
    let mut steps = 0;
    // The latest stretch is looked at first, so that the list stays short.
    while let Some([from, to]) = open.pop() {
        let middle = 0.5 * (from + to);
        let mut look = bodies.look(middle)?;
        if look.distance < best.distance {
            look = descend(bodies, look, [from, to])?;
            *best = best.or_closer(look);
        }
        if best.distance == 0.0 || request.at_least.is_some_and(|least| best.distance < least) {
            best.lower = 0.0;
            return Ok(());
        }
        let goal = request.at_least.unwrap_or(best.distance);
        let level = goal * (1.0 - request.accuracy.max(ACCURACY)) - rounding;
        steps += 1;
        if steps > request.limits.budget.min(STEPS) {
            best.lower = 0.0;
            return Ok(());
        }
        best.lower = best.lower.min(level.max(0.0));
        // A look that is lower than the goal by rounding proves nothing around it.
        let before = travelled_after(bodies, look.time, from, look.distance - level);
        let after = travelled_after(bodies, look.time, to, look.distance - level);
        if before > from && before < to {
            open.push([from, before]);
        }
        if after < to && after > from {
            open.push([after, to]);
        }
    }
    Ok(())
}

/// The share by which the least distance may be missed here: steps are as many as its root says.
pub(super) const ACCURACY: f64 = 1.0 / 1_048_576.0;

/// Distance queries at most.
const STEPS: u64 = 200_000;

/// The time between `start` and `end`, as near to `end` as the bound of travel allows, up to which both bodies together travel
/// no more than `gap`.
fn travelled_after(bodies: &Bodies, start: f64, end: f64, gap: f64) -> f64 {
    if bodies.travel(start, end) <= gap {
        return end;
    }
    if !(gap > 0.0) {
        return start;
    }
    let (mut near, mut far) = (start, end);
    // Travel is nearly even: the first guess is good, a few halvings make up for the rest.
    let mut next = start + (end - start) * (gap / bodies.travel(start, end));
    for _ in 0..8 {
        if bodies.travel(start, next) <= gap {
            near = next;
        } else {
            far = next;
        }
        if (near - start).abs() > 0.9 * (far - start).abs() {
            break;
        }
        next = 0.5 * (near + far);
    }
    near
}

/// Goes down from a look to a minimum in [low, high].
fn descend(bodies: &Bodies, start: Closest, [low, high]: [f64; 2]) -> Result<Closest, MotionError> {
    let (mut left, mut right) = (low, high);
    let mut best = start;
    // The golden section, around the best look.
    for _ in 0..60 {
        if right - left <= 4.0 * f64::EPSILON || best.distance == 0.0 {
            break;
        }
        let is_right = right - best.time > best.time - left;
        let next = if is_right {
            best.time + GOLDEN * (right - best.time)
        } else {
            best.time - GOLDEN * (best.time - left)
        };
        let look = bodies.look(next)?;
        if look.distance < best.distance {
            if is_right {
                left = best.time
            } else {
                right = best.time
            }
            best = look;
        } else if is_right {
            right = next;
        } else {
            left = next;
        }
    }
    Ok(best)
}

const GOLDEN: f64 = 0.381_966_011_250_105;
