//! Where a joint can take any value at a singularity, and the limits of others decide which it should take.

use super::answer::{Method, Options};
use super::arm::Arm;
use super::closed::{Allowed, Locals};
use super::{closed, form, numeric};
use freiraum_geometry::Pose;
use std::f64::consts::{PI, TAU};

/// How many values of a joint are tried, over its range or a full turn.
const TRIES: usize = 180;

/// Looks for solutions with other values of the joints that were kept when `first` had none within the limits. If there are none either, it is not known whether there are any.
pub(super) fn solutions(
    arm: &Arm,
    target: &Pose,
    current: &[f64],
    allowed: Allowed,
    options: &Options,
    first: (Method, Locals),
) -> (Method, Locals) {
    let (method, first) = first;
    if let Some(form) = form::recognised(arm) {
        for joint in &first.kept {
            for value in values(arm, *joint, current[*joint]) {
                let mut from = current.to_vec();
                from[*joint] = value;
                let found = closed::solutions(arm, &form, target, &from, allowed, true);
                if let Some(found) = found.filter(|found| !found.solutions.is_empty()) {
                    return (method, found);
                }
            }
        }
    }
    // Two joints may be open at once, or the window be narrow.
    let found = numeric::solutions(arm, target, current, allowed, options);
    (Method::Numeric, Locals { outside: first.outside, ..found })
}

/// Values of a joint over its range, or over the turn around the current one; those nearest to it first.
fn values(arm: &Arm, joint: usize, current: f64) -> Vec<f64> {
    let range = arm.ranges[joint];
    let (lower, upper) = if arm.turns[joint] && range.upper - range.lower > TAU {
        let middle = current.max(range.lower + PI).min(range.upper - PI);
        (middle - PI, middle + PI)
    } else {
        (range.lower, range.upper)
    };
    let mut values: Vec<f64> = (0..=TRIES)
        .map(|k| lower + (upper - lower) * (k as f64 / TRIES as f64))
        .filter(|x| x.is_finite())
        .collect();
    values.sort_by(|a, b| (a - current).abs().total_cmp(&(b - current).abs()));
    values
}
