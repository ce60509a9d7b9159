//! Whole numbers of any length, for signs whose terms leave the range of f64. Slow and small.

use std::cmp::Ordering;

/// A signed whole number; the magnitude in digits of 32 bits, lowest first, without zeros at the top.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    negative: bool,
    digits: Vec<u32>,
}

/// The power of two that a finite number is a whole multiple of; `None` for zero.
pub(super) fn exponent(x: f64) -> Option<i32> {
    (x != 0.0).then(|| ((x.to_bits() >> 52) & 0x7ff).max(1) as i32 - 1075)
}

impl Wide {
    /// The whole number `x / 2^unit`; `unit` must not exceed the exponent of `x`.
    pub(super) fn new(x: f64, unit: i32) -> Wide {
        let Some(exponent) = exponent(x) else { return Wide { negative: false, digits: Vec::new() } };
        let fraction = x.to_bits() & ((1 << 52) - 1);
        let is_normal = x.abs() >= f64::MIN_POSITIVE;
        let mantissa = fraction | (u64::from(is_normal) << 52);
        debug_assert!(unit <= exponent, "{x} is no whole multiple of 2^{unit}");
        let shift = (exponent - unit) as usize;
        let mut digits = vec![0; shift / 32];
        let shifted = u128::from(mantissa) << (shift % 32);
        digits.extend((0..3).map(|k| (shifted >> (32 * k)) as u32));
        Wide { negative: x < 0.0, digits }.trimmed()
    }

    pub(super) fn minus(&self, other: &Wide) -> Wide {
        if self.negative != other.negative {
            return Wide { negative: self.negative, digits: added(&self.digits, &other.digits) }.trimmed();
        }
        match compared(&self.digits, &other.digits) {
            Ordering::Less => {
                Wide { negative: !self.negative, digits: subtracted(&other.digits, &self.digits) }.trimmed()
            }
            _ => Wide { negative: self.negative, digits: subtracted(&self.digits, &other.digits) }.trimmed(),
        }
    }

    pub(super) fn plus(&self, other: &Wide) -> Wide {
        self.minus(&Wide { negative: !other.negative, digits: other.digits.clone() })
    }

    pub(super) fn times(&self, other: &Wide) -> Wide {
        let mut digits = vec![0u32; self.digits.len() + other.digits.len()];
        for (i, &a) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (k, &b) in other.digits.iter().enumerate() {
                carry += u64::from(a) * u64::from(b) + u64::from(digits[i + k]);
                digits[i + k] = carry as u32;
                carry >>= 32;
            }
            digits[i + other.digits.len()] = carry as u32;
        }
        Wide { negative: self.negative != other.negative, digits }.trimmed()
    }

    /// Compared to zero.
    pub(super) fn sign(&self) -> Ordering {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    fn trimmed(mut self) -> Wide {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }
}

fn compared(a: &[u32], b: &[u32]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn added(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut carry = 0;
    let digit = |x: &[u32], k: usize| u64::from(x.get(k).copied().unwrap_or(0));
    (0..=a.len().max(b.len()))
        .map(|k| {
            carry += digit(a, k) + digit(b, k);
            let low = carry as u32;
            carry >>= 32;
            low
        })
        .collect()
}

/// a - b, where a is not smaller.
fn subtracted(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut borrow = 0;
    (0..a.len())
        .map(|k| {
            let difference = i64::from(a[k]) - i64::from(b.get(k).copied().unwrap_or(0)) - borrow;
            borrow = i64::from(difference < 0);
            difference as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    /// The value where it fits.
    fn value(w: &Wide) -> i128 {
        let magnitude = w.digits.iter().rev().fold(0i128, |sum, &d| (sum << 32) + i128::from(d));
        if w.negative { -magnitude } else { magnitude }
    }

    fn whole(x: i128) -> Wide {
        let digits = (0..4).map(|k| (x.unsigned_abs() >> (32 * k)) as u32).collect();
        Wide { negative: x < 0, digits }.trimmed()
    }

    #[test]
    fn agrees_with_128_bits() {
        let mut random = Random::new(3);
        for _ in 0..10_000 {
            let mut number = || i128::from(random.bits() as i64 >> random.below(64)) >> 1;
            let (a, b) = (number(), number());
            let (p, q) = (whole(a), whole(b));
            assert_eq!(value(&p), a);
            assert_eq!(value(&p.plus(&q)), a + b);
            assert_eq!(value(&p.minus(&q)), a - b);
            assert_eq!(value(&p.times(&q)), a * b);
            assert_eq!(p.minus(&q).sign(), a.cmp(&b));
        }
    }

    #[test]
    fn reads_every_kind_of_float() {
        let least = exponent(f64::from_bits(1)).unwrap();
        assert_eq!(value(&Wide::new(f64::from_bits(1), least)), 1);
        assert_eq!(value(&Wide::new(-f64::from_bits(1), least)), -1);
        assert_eq!(value(&Wide::new(f64::MIN_POSITIVE, least)), 1 << 52);
        assert_eq!(value(&Wide::new(-0.0, least)), 0);
        assert_eq!(value(&Wide::new(1.5, -60)), 3 << 59);
        let largest = Wide::new(f64::MAX, least);
        assert_eq!(largest.minus(&largest).sign(), Ordering::Equal);
        assert_eq!(largest.plus(&Wide::new(f64::MIN, least)).sign(), Ordering::Equal);
    }
}
