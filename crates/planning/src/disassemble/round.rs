//! Lengths that people would write.

use crate::path::space::Probe;
use crate::path::way::Leg;
use freiraum_geometry::{Unit, Vec3};
use freiraum_scene::Travel;

/// A length of about this size, at least as long, that is short to write in a unit: 120 for 113.4, 32 for 31.2. **Units.** Metres.
pub(super) fn up(length: f64, unit: Unit) -> f64 {
    rounded(length, unit, STEPS, f64::ceil)
}

/// So many steps are in a length, at most.
const STEPS: f64 = 20.0;

fn rounded(length: f64, unit: Unit, steps: f64, round: impl Fn(f64) -> f64) -> f64 {
    let written = unit.from_metres(length);
    let step = step(written / steps);
    // What is a multiple up to rounding is one.
    let count = written / step;
    let count = if (count - count.round()).abs() <= SLACK * count { count.round() } else { round(count) };
    unit.to_metres(count * step)
}

const SLACK: f64 = 64.0 * f64::EPSILON;

/// The smallest of 1, 2, 5, 10, 20 and so on that is not below a number.
fn step(least: f64) -> f64 {
    let decade = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * decade).find(|step| *step >= least).unwrap_or(least)
}

/// A direction without components that are nothing but rounding.
pub(super) fn cleaned(direction: Vec3) -> Vec3 {
    let rounding = 4096.0 * f64::EPSILON * direction.length();
    Vec3::from_array(direction.to_array().map(|x| if x.abs() < rounding { 0.0 } else { x }))
}

/// The same way with the length of each translation rounded, as far as that is free.
pub(super) fn way(probe: &mut Probe, legs: Vec<Leg>, unit: Unit) -> Vec<Leg> {
    let mut best = legs;
    for number in 0..best.len() {
        let Travel::Translate(by) = best[number].travel else { continue };
        let length = by.length();
        let is_last = number + 1 == best.len();
        let mut candidates = vec![up(length, unit)];
        if !is_last {
            candidates.extend(FINER.iter().flat_map(|steps| {
                [f64::round, f64::floor, f64::ceil].map(|round| rounded(length, unit, *steps, round))
            }));
        }
        for candidate in candidates {
            let mut next = best.clone();
            next[number].travel = Travel::Translate(cleaned(by * (candidate / length)));
            follow(&mut next);
            if candidate > 0.0 && probe.are_free(&next[number..]) {
                best = next;
                break;
            }
        }
    }
    best
}

/// Where there is little room, to one of so many steps.
const FINER: [f64; 3] = [STEPS, 100.0, 1000.0];

/// Lets each leg begin where the one before it ends.
fn follow(legs: &mut [Leg]) {
    let Some(first) = legs.first() else { return };
    let mut from = first.from;
    for leg in legs {
        *leg = Leg::new(from, leg.travel.clone());
        from = leg.to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_up_to_what_people_write() {
        for (written, expected) in [
            (113.37, 120.0),
            (120.0, 120.0),
            (31.2, 32.0),
            (87.3, 90.0),
            (0.0123, 0.013),
            (1.0, 1.0),
            (0.99, 1.0),
            (2001.0, 2200.0),
        ] {
            let unit = Unit::Millimetre;
            let found = unit.from_metres(up(unit.to_metres(written), unit));
            assert!((found - expected).abs() < 1e-12 * expected, "{written}: {found}");
        }
    }
}
