//! Numbers of twice the precision of f64, as the unevaluated sum of two of them. Quick, but not exact.
//!
//! Every operation is off by a few units of [`UNIT_SQUARED`] relative to the sum of the magnitudes it combines, as
//! long as nothing leaves the range of f64.

use std::ops::{Add, Mul, Sub};

/// The square of the largest relative rounding error of one f64 operation.
pub(super) const UNIT_SQUARED: f64 = 0.25 * f64::EPSILON * f64::EPSILON;

/// `high + low`, where `low` is at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double {
    pub(super) high: f64,
    low: f64,
}

impl Double {
    /// a - b without any error.
    pub(super) fn difference(a: f64, b: f64) -> Double {
        let high = a - b;
        let part = a - high;
        let low = (a - (high + part)) + (part - b);
        Double { high, low }
    }

    /// The normal form of a sum with |low| at most |high|.
    fn quick_sum(high: f64, low: f64) -> Double {
        let sum = high + low;
        Double { high: sum, low: low - (sum - high) }
    }
}

/// The error of a rounded product. Splits both factors in halves whose products are exact: there is no fused
/// multiply-add on every machine, and emulating it costs more.
fn product_error(a: f64, b: f64, product: f64) -> f64 {
    let split = |x: f64| {
        let shifted = 134_217_729.0 * x; // 2^27 + 1
        let high = shifted - (shifted - x);
        (high, x - high)
    };
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    al * bl - (((product - ah * bh) - al * bh) - ah * bl)
}

impl Mul for Double {
    type Output = Double;

    /// Off by at most 8 `UNIT_SQUARED` of the product.
    fn mul(self, other: Double) -> Double {
        let product = self.high * other.high;
        let error = product_error(self.high, other.high, product);
        Double::quick_sum(product, error + (self.high * other.low + self.low * other.high))
    }
}

impl Add for Double {
    type Output = Double;

    /// Off by at most 4 `UNIT_SQUARED` of the sum of the magnitudes.
    fn add(self, other: Double) -> Double {
        let high = self.high + other.high;
        let part = high - self.high;
        let error = (self.high - (high - part)) + (other.high - part);
        Double::quick_sum(high, error + (self.low + other.low))
    }
}

impl Sub for Double {
    type Output = Double;

    /// As for the sum.
    fn sub(self, other: Double) -> Double {
        self + Double { high: -other.high, low: -other.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    /// The value of whole numbers small enough for 128 bits.
    fn value(d: Double) -> i128 {
        d.high as i128 + d.low as i128
    }

    #[test]
    fn differences_and_short_products_are_exact() {
        let mut random = Random::new(5);
        for _ in 0..10_000 {
            let mut number = || (random.bits() as i64 >> (1 + random.below(60))) as f64;
            let (a, b) = (number(), number());
            let d = Double::difference(a, b);
            assert_eq!(value(d), a as i128 - b as i128);
            assert_eq!(d.high, a - b);
            let (a, b) = (Double::difference(a, 0.0), Double::difference(b, 0.0));
            assert_eq!(value(a * b), a.high as i128 * b.high as i128);
            assert_eq!(value(a + b), a.high as i128 + b.high as i128);
        }
    }

    #[test]
    fn errors_stay_in_their_bounds() {
        let mut random = Random::new(6);
        for _ in 0..10_000 {
            // Sums of up to 62 bits; their products have up to 124.
            let mut number = || {
                let (a, b) = (random.bits() as i64 >> 3, random.bits() as i64 >> (3 + random.below(60)));
                Double::difference(a as f64, b as f64)
            };
            let (a, b) = (number(), number());
            let (p, q) = (value(a), value(b));
            let off = (value(a * b) - p * q).abs() as f64;
            assert!(off <= 8.0 * UNIT_SQUARED * (p * q).abs() as f64 + 1.0, "{a:?} {b:?}");
            assert!((value(a - b) - (p - q)).abs() as f64 <= 4.0 * UNIT_SQUARED * (p.abs() + q.abs()) as f64);
        }
    }
}
