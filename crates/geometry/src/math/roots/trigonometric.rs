//! Trigonometric equations of the first and second order, and angles in [0, 2 pi).

use super::pair::{Pair, two_product, two_sum};
use super::{NEAR, Roots, Solutions, polynomial, scale};
use crate::math::power_of_two;
use crate::tolerance::FULL_TURN_SLACK;
use std::f64::consts::{PI, TAU};

/// The angles t in [0, 2 pi) with `alpha cos t + beta sin t + gamma = 0`.
///
/// **Guarantee.** See the [module](super); a tangential solution is returned once, to the last places.
/// **Degenerate input.** All zero is [`Solutions::Always`]. If `alpha` and `beta` are zero and `gamma` is not, there
/// are no solutions, however small `gamma` is: only the caller knows the size of what the coefficients came from.
/// **Units.** Radians. **Cost.** About 40 ns.
pub fn trig1(alpha: f64, beta: f64, gamma: f64) -> Solutions {
    let mut k = [alpha, beta, gamma];
    match prepare(&mut k) {
        Some(answer) => answer,
        None => Solutions::At(first_order(k[0], k[1], k[2])),
    }
}

/// With w = tan(t/2) the equation is `(gamma - alpha) w² + 2 beta w + (gamma + alpha) = 0`.
fn first_order(alpha: f64, beta: f64, gamma: f64) -> Roots {
    let mut roots = Roots::NONE;
    let (aa, bb, cc) = (alpha * alpha, beta * beta, gamma * gamma);
    let mut d = (aa + bb) - cc;
    if 4.0 * d.abs() < aa + bb + cc {
        // Much cancels: take the rounding errors of the squares and sums along.
        let (aa, aa_error) = two_product(alpha, alpha);
        let (bb, bb_error) = two_product(beta, beta);
        let (cc, cc_error) = two_product(gamma, gamma);
        let (sum, sum_error) = two_sum(aa, bb);
        let (difference, difference_error) = two_sum(sum, -cc);
        d = difference + (sum_error + difference_error + (aa_error + bb_error - cc_error));
    }
    if d > 0.0 {
        // Never a difference, and a quotient instead of atan2: an angle near 0 keeps its relative accuracy.
        let q = -(beta + d.sqrt().copysign(beta));
        roots.insert(wrap_angle(2.0 * (q / (gamma - alpha)).atan()));
        roots.insert(wrap_angle(2.0 * ((gamma + alpha) / q).atan()));
    } else {
        // The smallest magnitude of the left side is |gamma| - h, h = hypot(alpha, beta), and -d is that
        // times |gamma| + h.
        let size = alpha.abs() + beta.abs() + gamma.abs();
        if -d <= NEAR * f64::EPSILON * size * 2.0 * gamma.abs() {
            let away = -gamma.signum();
            roots.insert(wrap_angle((away * beta).atan2(away * alpha)));
        }
    }
    roots
}

/// The angles t in [0, 2 pi) with `k0 + k1 c + k2 s + k3 c² + k4 c s + k5 s² = 0`, c = cos t, s = sin t.
///
/// **Guarantee.** See the [module](super). **Degenerate input.** [`Solutions::Always`] if the left side is nowhere
/// larger than 16 eps times the sum of the magnitudes of the coefficients, e.g. `k` = [1, 0, 0, -1, 0, -1].
/// **Units.** Radians. **Cost.** About 0.7 µs.
pub fn trig2(k: [f64; 6]) -> Solutions {
    let mut k = k;
    if let Some(answer) = prepare(&mut k) {
        return answer;
    }
    let size: f64 = k.iter().map(|k| k.abs()).sum();
    let charts = [half_circle(&k, 1.0), half_circle(&k, -1.0)];
    let largest = |p: &[Pair; 5]| p.iter().map(|a| a.hi.abs()).sum::<f64>();
    // On either half the left side is p(w) / (1 + w²)².
    if charts.iter().all(|p| largest(p) <= NEAR * f64::EPSILON * size) {
        return Solutions::Always;
    }
    let mut roots = Roots::NONE;
    for (p, shift) in charts.iter().zip([0.0, PI]) {
        let mut found = Roots::NONE;
        polynomial::roots_in(p, -1.0, 1.0, Some(size), &mut found);
        for w in found {
            roots.insert(wrap_angle(shift + 2.0 * w.atan()));
        }
    }
    Solutions::At(roots)
}

/// The polynomial in w = tan(t'/2), where t = t' (`sign` = 1) or t = pi + t' (`sign` = -1), highest power first.
fn half_circle(k: &[f64; 6], sign: f64) -> [Pair; 5] {
    let [k0, k1, k2, k3, k4, k5] = *k;
    let (k1, k2) = (sign * k1, sign * k2);
    let p = [
        Pair::sum3(k0, -k1, k3),
        Pair::sum3(2.0 * k2, -2.0 * k4, 0.0),
        Pair::sum3(2.0 * k0, -2.0 * k3, 4.0 * k5),
        Pair::sum3(2.0 * k2, 2.0 * k4, 0.0),
        Pair::sum3(k0, k1, k3),
    ];
    p.map(|a| if a.hi.abs() < NEGLIGIBLE { Pair::default() } else { a })
}

/// So far below the rounding of terms near one that it only could underflow.
const NEGLIGIBLE: f64 = power_of_two(-200);

/// Scales the coefficients by a power of two, so that the largest is in [1, 2), if they are of unusual size.
///
/// Answers at once if that is not possible.
fn prepare(k: &mut [f64]) -> Option<Solutions> {
    let largest = k.iter().fold(0.0, |m: f64, k| m.max(k.abs()));
    if !k.iter().all(|k| k.is_finite()) {
        return Some(Solutions::NotFinite);
    }
    if largest == 0.0 {
        return Some(Solutions::Always);
    }
    let shift = -scale::exponent(largest);
    for k in k.iter_mut() {
        *k = scale::times_power_of_two(*k, shift);
    }
    None
}

/// The angle in [0, 2 pi) that is equal to `t` up to full turns, in radians.
///
/// An angle less than [`FULL_TURN_SLACK`] below a full turn becomes 0, so that a contact at the start that rounding
/// moved before it does not turn up after a full turn. A motion that ends with a full turn has to test its end
/// as its start. **Degenerate input.** Rounding grows with the number of turns; NaN and infinities give NaN.
pub fn wrap_angle(t: f64) -> f64 {
    let wrapped = if (0.0..TAU).contains(&t) { t } else { t.rem_euclid(TAU) };
    if wrapped >= TAU - FULL_TURN_SLACK { 0.0 } else { wrapped + 0.0 }
}
