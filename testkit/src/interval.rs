//! Numbers known up to a bracket, which every operation widens by its rounding: what is proven with them is proven.

use std::f64::consts::FRAC_PI_2;
use std::ops::{Add, Mul, Neg, Sub};

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least of them.
    pub low: f64,
    /// The largest of them.
    pub high: f64,
}

impl Interval {
    /// From `-x` to `x`, which is not negative.
    pub fn within(x: f64) -> Interval {
        Interval { low: -x, high: x }
    }

    /// What was rounded to `low` and `high`.
    fn rounded(low: f64, high: f64) -> Interval {
        Interval { low: low.next_down(), high: high.next_up() }
    }

    /// The largest distance from zero.
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The smallest distance from zero.
    pub fn least_magnitude(self) -> f64 {
        if self.low > 0.0 {
            self.low
        } else if self.high < 0.0 {
            -self.high
        } else {
            0.0
        }
    }

    /// 1 or -1 if all numbers have that sign, otherwise 0.
    pub fn sign(self) -> i32 {
        i32::from(self.low > 0.0) - i32::from(self.high < 0.0)
    }

    /// The square root of what is not negative.
    pub fn sqrt(self) -> Interval {
        Interval {
            low: self.low.max(0.0).sqrt().next_down().max(0.0),
            high: self.high.max(0.0).sqrt().next_up(),
        }
    }

    /// One divided by something positive.
    pub fn inverse(self) -> Interval {
        assert!(self.low > 0.0, "{self:?} may be zero");
        Interval::rounded(1.0 / self.high, 1.0 / self.low)
    }
}

impl From<f64> for Interval {
    fn from(x: f64) -> Interval {
        Interval { low: x, high: x }
    }
}

impl Add for Interval {
    type Output = Interval;
    fn add(self, other: Interval) -> Interval {
        Interval::rounded(self.low + other.low, self.high + other.high)
    }
}

impl Sub for Interval {
    type Output = Interval;
    fn sub(self, other: Interval) -> Interval {
        Interval::rounded(self.low - other.high, self.high - other.low)
    }
}

impl Neg for Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }
}

impl Mul for Interval {
    type Output = Interval;
    fn mul(self, other: Interval) -> Interval {
        let products =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let [low, high] = products
            .into_iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        Interval::rounded(low, high)
    }
}

/// Sine and cosine of an angle in radians of at most a few hundred turns.
pub fn sin_cos(angle: f64) -> (Interval, Interval) {
    // A quarter turn has more digits than one number; the next ones follow.
    const REST: f64 = 6.123_233_995_736_766e-17;
    let quarters = (angle / FRAC_PI_2).round();
    let times = Interval::from(quarters);
    let x = Interval::from(angle) - times * FRAC_PI_2.into() - times * Interval::rounded(REST, REST);
    let square = x * x;
    // 1 - x²/(k (k+1)) (1 - x²/((k+2) (k+3)) (…)); |x| is below 1, so every bracket is between 0 and 1.
    let series = |first: u32| {
        let mut bracket = Interval { low: 0.0, high: 1.0 };
        for k in (0..12).rev().map(|k| f64::from(first + 2 * k)) {
            bracket = Interval::from(1.0) - square * Interval::from(k * (k + 1.0)).inverse() * bracket;
        }
        bracket
    };
    let (sin, cos) = (x * series(2), series(1));
    match (quarters as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// A vector of three such numbers.
pub type Vector = [Interval; 3];

/// Scalar product.
pub fn dot(a: &Vector, b: &Vector) -> Interval {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

/// Difference.
pub fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn brackets_hold_what_is_exact() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let (x, y) = (random.range(-3.0, 3.0), random.range(-3.0, 3.0));
            let product = Interval::from(x) * Interval::from(y);
            // The rounding of a product is a number again.
            let off = x.mul_add(y, -(x * y));
            assert!(product.low - x * y < off && off < product.high - x * y);
            let sum = Interval::from(x) + Interval::from(y);
            let (big, small) = if x.abs() > y.abs() { (x, y) } else { (y, x) };
            let off = small - ((x + y) - big);
            assert!(sum.low - (x + y) <= off && off <= sum.high - (x + y));
        }
    }

    #[test]
    fn sines_and_cosines_hold_the_true_ones_and_are_narrow() {
        let mut random = Random::new(2);
        for i in 0..20_000 {
            let angle = if i < 100 { f64::from(i) * 0.25 * FRAC_PI_2 } else { random.range(-30.0, 30.0) };
            let (sin, cos) = sin_cos(angle);
            for (found, about) in [(sin, angle.sin()), (cos, angle.cos())] {
                // The library is right to a unit in the last place.
                assert!(found.low <= about.next_up() && about.next_down() <= found.high, "{angle} {found:?}");
                assert!(found.high - found.low < 4e-15 + 1e-15 * angle.abs(), "{angle} {found:?}");
            }
            let one = sin * sin + cos * cos;
            assert!(one.low <= 1.0 && 1.0 <= one.high);
        }
        // sin(22) from tables.
        let (sin, _) = sin_cos(22.0);
        assert!(sin.low <= -0.008_851_309_290_403_876 && -0.008_851_309_290_403_875 <= sin.high);
    }
}
