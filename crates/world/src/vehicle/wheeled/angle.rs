//! Angles of wheels, which turn on and on, from one step to the next.

use std::f64::consts::{FRAC_PI_8, PI, TAU};

/// By how much an angle in radians is more than one that was known before, within half a turn; `half` are sine and cosine of half of the angle, or both times the same number.
///
/// Near what was known it takes no arc tangent: the angle is held against the nearest sixteenth of a turn.
pub(super) fn change([sine, cosine]: [f64; 2], known: f64) -> f64 {
    let sixteenths = (known / FRAC_PI_8).round();
    let at = (sixteenths as i64 & 31) as usize;
    let (sin, cos) = (SINES[at], SINES[(at + 8) % 32]);
    let tangent = (sine * cos - cosine * sin) / (cosine * cos + sine * sin);
    if tangent.abs() <= MOST_TANGENT {
        let square = tangent * tangent;
        let arc = ATAN.iter().rev().fold(0.0, |sum, c| c + square * sum);
        return (sixteenths * FRAC_PI_8 - known) + 2.0 * tangent * arc;
    }
    (2.0 * sine.atan2(cosine) - known + PI).rem_euclid(TAU) - PI
}

/// The series below is good to rounding up to this tangent.
const MOST_TANGENT: f64 = 0.125;

/// (-1)^k / (2k + 1): the arc tangent.
const ATAN: [f64; 8] =
    [1.0, -1.0 / 3.0, 1.0 / 5.0, -1.0 / 7.0, 1.0 / 9.0, -1.0 / 11.0, 1.0 / 13.0, -1.0 / 15.0];

/// The sine of every sixteenth of half a turn, all the way round.
const SINES: [f64; 32] = {
    let quarter = [
        0.0,
        0.195_090_322_016_128_27,
        0.382_683_432_365_089_8,
        0.555_570_233_019_602_2,
        std::f64::consts::FRAC_1_SQRT_2,
        0.831_469_612_302_545_2,
        0.923_879_532_511_286_7,
        0.980_785_280_403_230_4,
        1.0,
    ];
    let mut all = [0.0; 32];
    let mut at = 0;
    while at < 32 {
        let within = at % 16;
        let sine = quarter[if within <= 8 { within } else { 16 - within }];
        all[at] = if at < 16 { sine } else { -sine };
        at += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the arc tangent of the platform, for small and large changes, many turns on, and for quaternions of both signs.
    #[test]
    fn changes_are_those_of_the_arc_tangent() {
        for turn in -40..40 {
            for part in 0..97 {
                let known = f64::from(turn) * 3.7 + f64::from(part) * 0.013;
                for more in [0.0, 1e-9, 0.003, -0.01, 0.1, -0.3, 1.0, 3.1, -3.1] {
                    let (sine, cosine) = (0.5 * (known + more)).sin_cos();
                    for sign in [1.0, -0.7] {
                        let found = change([sign * sine, sign * cosine], known);
                        assert!((found - more).abs() < 1e-13, "{known} {more}: {found}");
                    }
                }
            }
        }
    }
}
