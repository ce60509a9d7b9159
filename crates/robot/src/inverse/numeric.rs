//! The search without a closed form: damped least squares from many starts.

use super::answer::{Options, Reason, Residual};
use super::arm::Arm;
use super::closed::{Allowed, Local, Locals, are_same};
use super::descent::{Descent, Rules};
use crate::model::Limits;
use freiraum_geometry::Pose;
use freiraum_geometry::math::random::SplitMix64;
use freiraum_geometry::tolerance::SAME_JOINTS;
use std::f64::consts::PI;

pub(super) fn solutions(
    arm: &Arm,
    target: &Pose,
    current: &[f64],
    allowed: Allowed,
    options: &Options,
) -> Locals {
    let mut random = SplitMix64::new(options.seed);
    let mut descent = Descent::default();
    let mut found: Vec<Vec<f64>> = Vec::new();
    let mut best = Residual { position: f64::INFINITY, angle: f64::INFINITY };
    let wanted = options.solutions.max(1);
    let starts = options.starts.max(1);
    for start in 0..starts {
        let mut values: Vec<f64> = (0..current.len())
            .map(|number| {
                let Limits { lower, upper } = window(arm, number, current[number]);
                match start {
                    0 => current[number].max(lower).min(upper),
                    1 => 0.5 * (lower + upper),
                    _ => random.range(lower, upper),
                }
            })
            .collect();
        let left = descent.run(arm, target, &mut values, &Rules { steps: options.steps, keep_ranges: true });
        if left.position / arm.size + left.angle < best.position / arm.size + best.angle {
            best = left;
        }
        // Where the way of a search ends is less sharp than the root of an equation.
        let is_new = || !found.iter().any(|other| are_same(arm, other, &values, 1024.0 * SAME_JOINTS));
        if allowed.contains(&left) && is_new() {
            found.push(values);
            if found.len() == wanted {
                break;
            }
        }
    }
    let reason = found.is_empty().then_some(Reason::NotReached { best, starts });
    let local = |values| Local { values, configuration: None, singular: Vec::new(), notes: Vec::new() };
    Locals {
        solutions: found.into_iter().map(local).collect(),
        outside: Vec::new(),
        reason,
        kept: Vec::new(),
    }
}

/// Where to start: the range of the joint, one turn about the current value where it has no ends, one size of the arm for slides.
fn window(arm: &Arm, number: usize, current: f64) -> Limits {
    let range = arm.ranges[number];
    let half = if arm.turns[number] { PI } else { arm.size };
    match (range.lower.is_finite(), range.upper.is_finite()) {
        (true, true) => range,
        (true, false) => Limits { lower: range.lower, upper: range.lower + 2.0 * half },
        (false, true) => Limits { lower: range.upper - 2.0 * half, upper: range.upper },
        (false, false) => Limits { lower: current - half, upper: current + half },
    }
}
