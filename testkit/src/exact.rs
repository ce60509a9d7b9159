//! Polynomials over the whole numbers: exact values at f64 places, exact counts of real roots (Sturm).

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// A polynomial with whole coefficients, lowest power first, no leading zeros.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactPolynomial(Vec<BigInt>);

/// An f64 as `mantissa * 2^exponent` with an odd (or zero) mantissa. Panics if it is not finite.
fn parts(x: f64) -> (i64, i32) {
    assert!(x.is_finite(), "no exact value: {x}");
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    let mantissa = mantissa >> zeros;
    (if x < 0.0 { -mantissa } else { mantissa }, exponent + zeros as i32)
}

/// Finite f64 numbers as whole ones: all multiplied by the same power of two.
pub fn whole(numbers: &[f64]) -> Vec<BigInt> {
    let parts: Vec<_> = numbers.iter().map(|&x| parts(x)).collect();
    let lowest = parts.iter().filter(|p| p.0 != 0).map(|p| p.1).min().unwrap_or(0);
    parts
        .into_iter()
        .map(|(m, e)| if m == 0 { BigInt::ZERO } else { BigInt::from(m) << (e - lowest) })
        .collect()
}

impl ExactPolynomial {
    /// From whole coefficients, lowest power first.
    pub fn new(mut coefficients: Vec<BigInt>) -> ExactPolynomial {
        while coefficients.last().is_some_and(|c| c.sign() == Sign::NoSign) {
            coefficients.pop();
        }
        ExactPolynomial(coefficients)
    }

    /// A positive multiple of the polynomial with these coefficients, highest power first.
    pub fn from_f64(coefficients: &[f64]) -> ExactPolynomial {
        let mut c = whole(coefficients);
        c.reverse();
        ExactPolynomial::new(c)
    }

    /// The degree; 0 also for the zero polynomial.
    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// True if all coefficients are zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes out the factor x as often as it occurs, and says whether it did.
    #[must_use]
    pub fn without_zero_root(&self) -> (ExactPolynomial, bool) {
        let zeros = self.0.iter().take_while(|c| c.sign() == Sign::NoSign).count();
        (ExactPolynomial(self.0[zeros..].to_vec()), zeros > 0 && !self.is_zero())
    }

    /// The same with the magnitudes of the coefficients.
    #[must_use]
    pub fn magnitudes(&self) -> ExactPolynomial {
        ExactPolynomial(self.0.iter().map(|c| BigInt::from(c.magnitude().clone())).collect())
    }

    /// The value at `x` times a positive power of two that depends on `x` and `degree` alone (`degree` is at least
    /// that of the polynomial), so that values of several polynomials at one place can be compared.
    pub fn value(&self, x: f64, degree: usize) -> BigInt {
        let (m, e) = parts(x);
        // Horner for sum c_i m^i 2^(e i), or 2^(-e (degree - i)) where e is negative.
        let (m, down) = if e >= 0 { (BigInt::from(m) << e, 0) } else { (BigInt::from(m), -e as usize) };
        let mut sum = BigInt::ZERO;
        for (i, c) in self.0.iter().enumerate().rev() {
            sum = sum * &m + (c << (down * (degree - i)));
        }
        sum
    }

    /// The sign at `x`.
    pub fn sign(&self, x: f64) -> Ordering {
        order(&self.value(x, self.degree()))
    }

    fn derivative(&self) -> ExactPolynomial {
        ExactPolynomial(self.0.iter().enumerate().skip(1).map(|(i, c)| c * i).collect())
    }

    fn leading_sign(&self) -> Ordering {
        self.0.last().map_or(Ordering::Equal, order)
    }

    fn negated(mut self) -> ExactPolynomial {
        for c in &mut self.0 {
            *c = -std::mem::take(c);
        }
        self
    }

    /// Removes common powers of two.
    fn reduced(mut self) -> ExactPolynomial {
        let zeros = self.0.iter().filter_map(BigInt::trailing_zeros).min().unwrap_or(0);
        if zeros > 0 {
            for c in &mut self.0 {
                *c >>= zeros;
            }
        }
        self
    }

    /// Quotient and remainder of a positive multiple of `self` divided by `divisor`.
    fn divided(&self, divisor: &ExactPolynomial) -> (ExactPolynomial, ExactPolynomial) {
        let lead = divisor.0.last().expect("division by the zero polynomial");
        let magnitude = BigInt::from(lead.magnitude().clone());
        let mut rest = self.0.clone();
        let mut quotient = vec![BigInt::ZERO; self.0.len().saturating_sub(divisor.0.len()) + 1];
        while rest.len() >= divisor.0.len() {
            let shift = rest.len() - divisor.0.len();
            let mut factor = rest.pop().expect("not empty");
            if lead.sign() == Sign::Minus {
                factor = -factor;
            }
            for c in rest.iter_mut().chain(&mut quotient) {
                *c *= &magnitude;
            }
            for (i, c) in divisor.0[..divisor.0.len() - 1].iter().enumerate() {
                rest[shift + i] -= &factor * c;
            }
            quotient[shift] += factor;
        }
        (ExactPolynomial::new(quotient).reduced(), ExactPolynomial::new(rest).reduced())
    }
}

fn order(x: &BigInt) -> Ordering {
    match x.sign() {
        Sign::Minus => Ordering::Less,
        Sign::NoSign => Ordering::Equal,
        Sign::Plus => Ordering::Greater,
    }
}

/// Sturm's sequence of a polynomial: counts its distinct real roots in any interval, exactly.
pub struct Sturm(Vec<ExactPolynomial>);

impl Sturm {
    /// The sequence of a polynomial that is not zero.
    pub fn new(p: &ExactPolynomial) -> Sturm {
        let mut chain = vec![p.clone(), p.derivative()];
        while !chain[chain.len() - 1].is_zero() {
            let n = chain.len();
            let (_, rest) = chain[n - 2].divided(&chain[n - 1]);
            chain.push(rest.negated());
        }
        chain.pop();
        // With multiple roots the last one is the common divisor of all: divided by it they count every root once.
        let last = chain[chain.len() - 1].clone();
        if last.degree() > 0 {
            for p in &mut chain {
                *p = p.divided(&last).0;
            }
        }
        Sturm(chain)
    }

    /// The number of distinct real roots.
    pub fn count(&self) -> usize {
        let at_infinity = |negative: bool| {
            variations(self.0.iter().map(|p| {
                let sign = p.leading_sign();
                if negative && p.degree() % 2 == 1 { sign.reverse() } else { sign }
            }))
        };
        at_infinity(true) - at_infinity(false)
    }

    /// The number of distinct real roots above `lo` and not above `hi`.
    pub fn count_in(&self, lo: f64, hi: f64) -> usize {
        let at = |x: f64| variations(self.0.iter().map(|p| p.sign(x)));
        at(lo).saturating_sub(at(hi))
    }
}

fn variations(signs: impl Iterator<Item = Ordering>) -> usize {
    let mut last = Ordering::Equal;
    let mut count = 0;
    for sign in signs.filter(|s| s.is_ne()) {
        count += usize::from(last.is_ne() && last != sign);
        last = sign;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(coefficients: &[f64], roots: &[f64]) {
        let p = ExactPolynomial::from_f64(coefficients);
        let sturm = Sturm::new(&p);
        assert_eq!(sturm.count(), roots.len(), "{coefficients:?}");
        for &r in roots {
            assert_eq!(p.sign(r), Ordering::Equal, "{coefficients:?} at {r}");
            assert_eq!(sturm.count_in(r.next_down(), r), 1, "{coefficients:?} at {r}");
            assert_eq!(sturm.count_in(r, r.next_up()), 0, "{coefficients:?} at {r}");
        }
    }

    #[test]
    fn counts_simple_multiple_and_missing_roots() {
        check(&[1.0, -3.0, 2.0], &[1.0, 2.0]);
        check(&[1.0, 0.0, 1.0], &[]);
        check(&[1.0, -2.0, 1.0], &[1.0]);
        check(&[-2.0, 0.0, 8.0], &[-2.0, 2.0]);
        check(&[1.0, -3.0, 3.0, -1.0], &[1.0]);
        check(&[0.0, 1.0, -5.0, 8.0, -4.0], &[1.0, 2.0]);
        check(&[1.0, 4.0, 6.0, 4.0, 1.0], &[-1.0]);
        check(&[-1.0, 10.0, -35.0, 50.0, -24.0], &[1.0, 2.0, 3.0, 4.0]);
        check(&[1.0, -4.0, 5.0, -4.0, 4.0], &[2.0]);
        check(&[3.0, -1.5], &[0.5]);
        check(&[7.0], &[]);
    }

    #[test]
    fn one_unit_in_the_last_place_parts_a_double_root() {
        let p = |c: f64| Sturm::new(&ExactPolynomial::from_f64(&[1.0, -2.0, c])).count();
        assert_eq!((p(1f64.next_down()), p(1.0), p(1f64.next_up())), (2, 1, 0));
    }

    #[test]
    fn values_are_exact_at_all_sizes() {
        let p = ExactPolynomial::from_f64(&[1e300, -1e-300]);
        assert_eq!(p.sign(0.0), Ordering::Less);
        assert_eq!(p.sign(5e-324), Ordering::Greater);
        assert_eq!(ExactPolynomial::from_f64(&[0.1, -0.3]).sign(3.0), Ordering::Greater);
    }
}
