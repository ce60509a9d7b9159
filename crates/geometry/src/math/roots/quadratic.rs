//! Roots of quadratics from a discriminant that is right to the last places.

use super::pair::{Pair, two_product, two_sum};
use super::{NEAR, Roots, Solutions, polynomial, scale};

/// The real roots of `a x² + b x + c`.
///
/// **Guarantee.** See the [module](super): relative error at most 3 eps, also for double roots.
/// **Degenerate input.** `a` = 0 is a linear equation; all zero is [`Solutions::Always`]; a root that would exceed
/// `f64::MAX` is left out. **Cost.** About 15 ns.
pub fn quadratic(a: f64, b: f64, c: f64) -> Solutions {
    if a != 0.0 && c != 0.0 && scale::is_moderate(&[a, b, c]) {
        return Solutions::At(moderate(a, b, c));
    }
    polynomial::general(&[a, b, c])
}

/// Roots of a quadratic with `a` and `c` not zero and all coefficients of moderate size.
pub(super) fn moderate(a: f64, b: f64, c: f64) -> Roots {
    let mut roots = Roots::NONE;
    for x in of_pairs(a.into(), b.into(), c.into()) {
        roots.insert(x);
    }
    roots
}

/// The real roots (or the vertex, if it is a near-root) of a quadratic whose coefficients have twice the working
/// precision; `a` is not zero.
#[inline]
pub(super) fn of_pairs(a: Pair, b: Pair, c: Pair) -> impl Iterator<Item = f64> {
    let (bb, ac) = (b.hi * b.hi, 4.0 * a.hi * c.hi);
    let plain = bb - ac;
    // With so little cancellation the rounded discriminant is good to a few units in the last place.
    let d = if 4.0 * plain.abs() >= bb + ac.abs() { plain } else { discriminant(a, b, c) };
    from_discriminant(a.hi, b.hi, c.hi, d, bb, ac.abs())
}

/// `b² - 4ac`, with an error of a few `eps²` times `b² + 4|ac|`; of the last places only, if the `lo` are zero.
fn discriminant(a: Pair, b: Pair, c: Pair) -> f64 {
    let (bb, bb_error) = two_product(b.hi, b.hi);
    let (ac, ac_error) = two_product(4.0 * a.hi, c.hi);
    let (difference, error) = two_sum(bb, -ac);
    difference + (error + ((bb_error - ac_error) + (2.0 * b.hi * b.lo - 4.0 * (a.hi * c.lo + a.lo * c.hi))))
}

fn from_discriminant(a: f64, b: f64, c: f64, d: f64, bb: f64, ac: f64) -> impl Iterator<Item = f64> {
    let (first, second) = if d > 0.0 {
        // Never a difference: both roots keep their relative accuracy.
        let q = -0.5 * (b + d.sqrt().copysign(b));
        (Some(q / a), Some(c / q))
    } else if -d <= NEAR * f64::EPSILON * (3.0 * bb + ac) {
        // At the vertex p = -d / 4a and the sum of the magnitudes of its terms is (3 b² + |4 ac|) / |4 a|.
        (Some(-b / (2.0 * a)), None)
    } else {
        (None, None)
    };
    first.into_iter().chain(second)
}
