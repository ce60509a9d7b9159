//! Powers of two that bring polynomials of any size into the range where nothing over- or underflows.

use super::pair::Pair;
use super::{Roots, polynomial};
use crate::math::power_of_two;

/// Coefficients up to 2^±60 need no scaling: roots lie within 2^±124, and all terms and their rounding errors
/// within 2^±700.
const MODERATE: f64 = (1u64 << 60) as f64;

/// Groups of roots whose sizes differ by more than this many powers of two are solved for one by one. Six would be
/// enough for a ring without roots between them (see `for_each_group`).
const GAP: f64 = 16.0;

/// After scaling, coefficients below this power of two are dropped. The largest is 1 and arguments stay within
/// 2^±34, so they are far below `eps²` of the sum of the terms.
const NEGLIGIBLE: i32 = -400;

/// True if no coefficient needs scaling (and none is NaN or infinite).
#[inline]
pub(super) fn is_moderate(coefficients: &[f64]) -> bool {
    coefficients.iter().all(|a| {
        let size = a.abs();
        size <= MODERATE && (size >= 1.0 / MODERATE || size == 0.0)
    })
}

/// More than twice the magnitude of every complex root; `p[0]` is not zero.
#[inline]
pub(super) fn root_bound(p: &[f64]) -> f64 {
    // Cauchy: no root exceeds 1 + max |a_i / a_n|.
    let largest = p.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    4.0 * (largest / p[0].abs())
}

/// The roots of a polynomial of any size, highest power first, first and last coefficient not zero.
///
/// Each group of roots of similar size is solved for in a scale of its own, in which that group lies around 1.
pub(super) fn roots_at_all_scales(p: &[f64], roots: &mut Roots) {
    for_each_group(p, |smallest, largest| {
        let shift = (0.5 * (smallest + largest)).round();
        // Dividing x by 2^shift multiplies the coefficient of x^i by 2^(i shift); then the largest becomes 1.
        let size = |i: usize| exponent(p[i]) + (p.len() - 1 - i) as i32 * shift as i32;
        let top = (0..p.len()).filter(|&i| p[i] != 0.0).map(size).max().unwrap_or(0);
        let mut scaled = [Pair::default(); 5];
        for i in 0..p.len() {
            if p[i] != 0.0 && size(i) - top >= NEGLIGIBLE {
                scaled[i] = Pair::from(mantissa(p[i]) * power_of_two(size(i) - top));
            }
        }
        let outer = power_of_two((largest - shift + 0.5 * GAP).ceil() as i32);
        let inner = power_of_two((smallest - shift - 0.5 * GAP).floor() as i32);
        let mut group = Roots::NONE;
        polynomial::roots_in(&scaled[..p.len()], -outer, outer, None, &mut group);
        for y in group {
            let x = times_power_of_two(y, shift as i32);
            if y.abs() >= inner && x.is_finite() {
                roots.insert(x);
            }
        }
    });
}

/// Calls `visit` with the smallest and the largest base-2 logarithm of the size of each group of roots.
///
/// These are slopes of the Newton polygon, the upper hull of the points (i, log2 |a_i|). More than three powers of
/// two away from all slopes one term exceeds the sum of all others, so there are no roots, real or complex.
fn for_each_group(p: &[f64], mut visit: impl FnMut(f64, f64)) {
    let degree = p.len() - 1;
    let height = |power: usize| f64::from(exponent(p[degree - power]));
    let size = |from: usize, to: usize| (height(from) - height(to)) / (to - from) as f64;
    let mut group: Option<(f64, f64)> = None;
    let mut vertex = 0;
    while vertex < degree {
        let (next, slope) = (vertex + 1..=degree)
            .filter(|&to| p[degree - to] != 0.0)
            .map(|to| (to, size(vertex, to)))
            .fold((degree, f64::INFINITY), |best, it| if it.1 <= best.1 { it } else { best });
        group = match group {
            Some((smallest, largest)) if slope - largest < GAP => Some((smallest, slope)),
            Some((smallest, largest)) => {
                visit(smallest, largest);
                Some((slope, slope))
            }
            None => Some((slope, slope)),
        };
        vertex = next;
    }
    if let Some((smallest, largest)) = group {
        visit(smallest, largest);
    }
}

/// The exponent `e` of `|a| = m 2^e` with `m` in [1, 2); `a` is finite and not zero.
#[inline]
pub(super) fn exponent(a: f64) -> i32 {
    let bits = a.to_bits() & !(1 << 63);
    if bits >> 52 == 0 { -1011 - bits.leading_zeros() as i32 } else { (bits >> 52) as i32 - 1023 }
}

/// The signed `m` of `a = m 2^exponent(a)`.
fn mantissa(a: f64) -> f64 {
    times_power_of_two(a, -exponent(a))
}

/// One step downwards of a number that may be anywhere in the range.
const DOWN: f64 = power_of_two(-1000);

/// `a 2^e` for any `e`: exact, or rounded where subnormal, or infinite.
pub(super) fn times_power_of_two(mut a: f64, mut e: i32) -> f64 {
    while e > 1000 {
        a *= power_of_two(1000);
        e -= 1000;
    }
    // Downwards in one step if the result is normal, so that it is rounded once.
    while e < -1000 {
        a *= DOWN;
        e += 1000;
    }
    a * power_of_two(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_all_sizes() {
        for (a, e) in [(1.0, 0), (-1.99, 0), (0.5, -1), (f64::MAX, 1023), (f64::MIN_POSITIVE, -1022)] {
            assert_eq!(exponent(a), e, "{a}");
        }
        assert_eq!(exponent(f64::from_bits(1)), -1074);
        assert_eq!(exponent(f64::MIN_POSITIVE / 2.0), -1023);
        assert_eq!(mantissa(f64::from_bits(3)), 1.5);
        assert_eq!(times_power_of_two(1.5, -1074 + 1), f64::from_bits(3));
        assert_eq!(times_power_of_two(1.0, 2000), f64::INFINITY);
        assert_eq!(times_power_of_two(f64::from_bits(1), 2000), 2f64.powi(926));
    }

    #[test]
    fn groups_follow_the_newton_polygon() {
        let mut seen = Vec::new();
        // Roots near 2^-100, 2^-97, 2^0 and 2^300.
        let p = [2f64.powi(-300), 1.0, 1.0, 2f64.powi(-97), 2f64.powi(-197)];
        for_each_group(&p, |a, b| seen.push((a, b)));
        assert_eq!(seen, [(-100.0, -97.0), (0.0, 0.0), (300.0, 300.0)]);
    }
}
