//! Polynomial values with proven signs, and the root between two of opposite sign.

use super::NEAR;
use super::pair::{Pair, two_product, two_sum};

/// Coefficients of twice the working precision, highest power first.
pub(super) struct Polynomial<const M: usize> {
    hi: [f64; M],
    lo: [f64; M],
}

/// A value of a polynomial and the sum of the magnitudes of its terms.
struct Plain {
    value: f64,
    terms: f64,
}

impl<const M: usize> Polynomial<M> {
    /// Rounding bound of [`Polynomial::plain`] per unit of `terms`: 2 degree roundings of half an `eps`, the dropped
    /// `lo`, and a margin for the rounding of `terms`.
    const PLAIN_BOUND: f64 = M as f64 * f64::EPSILON;
    /// The same for [`Polynomial::compensated`]: the square of (2 degree + 2) half `eps`.
    const COMPENSATED_BOUND: f64 = Self::PLAIN_BOUND * Self::PLAIN_BOUND;

    #[inline]
    pub(super) fn new(coefficients: [Pair; M]) -> Self {
        Polynomial { hi: coefficients.map(|c| c.hi), lo: coefficients.map(|c| c.lo) }
    }

    #[inline]
    fn plain(&self, x: f64) -> Plain {
        let (mut value, mut terms) = (self.hi[0], self.hi[0].abs());
        for &a in &self.hi[1..] {
            value = value * x + a;
            terms = terms * x.abs() + a.abs();
        }
        Plain { value, terms }
    }

    /// The value as if computed in twice the working precision, then rounded: Horner's rule carrying its errors
    /// along in a second one.
    fn compensated(&self, x: f64) -> f64 {
        let (mut value, mut correction) = (self.hi[0], self.lo[0]);
        for (&hi, &lo) in self.hi[1..].iter().zip(&self.lo[1..]) {
            let (product, product_error) = two_product(value, x);
            let (sum, sum_error) = two_sum(product, hi);
            correction = correction * x + ((product_error + sum_error) + lo);
            value = sum;
        }
        value + correction
    }

    /// The first three Taylor coefficients at `x` (value, slope, half the second derivative), and the terms.
    #[inline]
    fn taylor(&self, x: f64) -> ([f64; 3], f64) {
        let (mut t, mut terms) = ([self.hi[0], 0.0, 0.0], self.hi[0].abs());
        for &a in &self.hi[1..] {
            t[2] = t[2] * x + t[1];
            t[1] = t[1] * x + t[0];
            t[0] = t[0] * x + a;
            terms = terms * x.abs() + a.abs();
        }
        (t, terms)
    }
}

#[inline]
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, a| sum * x + a)
}

/// A place between which roots are sought: a turning point or an end of the range.
pub(super) struct Boundary {
    pub(super) x: f64,
    /// The value there with a proven sign, or 0 where the sign cannot be told.
    pub(super) value: f64,
    is_near: bool,
    is_turning: bool,
}

impl Boundary {
    /// True if this place itself is to be returned: a root is next to it at most (`crossed`) if it is one itself.
    pub(super) fn is_root(&self, crossed: bool) -> bool {
        self.value == 0.0 || (self.is_near && !crossed)
    }

    /// True if the proven signs differ.
    pub(super) fn is_opposite(&self, other: &Boundary) -> bool {
        (self.value < 0.0 && other.value > 0.0) || (self.value > 0.0 && other.value < 0.0)
    }
}

/// Decides the sign at `x` and whether `x` is a near-root, measured by `size` (`None`: by the terms of `p`).
pub(super) fn judge<const M: usize>(
    p: &Polynomial<M>,
    x: f64,
    size: Option<f64>,
    is_turning: bool,
) -> Boundary {
    let Plain { value, terms } = p.plain(x);
    let bound = Polynomial::<M>::PLAIN_BOUND * terms;
    let near = NEAR * f64::EPSILON * size.unwrap_or(terms);
    if value.abs() > bound + near {
        return Boundary { x, value, is_near: false, is_turning };
    }
    let value = p.compensated(x);
    let is_decided = value.abs() > Polynomial::<M>::COMPENSATED_BOUND * terms;
    Boundary { x, value: if is_decided { value } else { 0.0 }, is_near: value.abs() <= near, is_turning }
}

/// The root between two places of opposite sign, `p` being monotone there (else one of the roots).
///
/// **Guarantee.** The bracket only ever shrinks on proven signs. The result is an end of a bracket between
/// neighbouring numbers, a place where the sign cannot be told, or the end of a Newton step of at most one `eps`.
pub(super) fn root_between<const M: usize, const D: usize>(
    p: &Polynomial<M>,
    slope: &Polynomial<D>,
    before: &Boundary,
    after: &Boundary,
) -> f64 {
    let (mut lo, mut hi) = (before.x, after.x);
    let rising = after.value > 0.0;
    let mut x = guess(p, before, after);
    let mut last_step = hi - lo;
    // Coefficients of half the second derivative.
    let bends: [f64; D] = std::array::from_fn(|i| 0.5 * (D - 1 - i) as f64 * slope.hi[i]);
    // Every eighth round at least halves the number of floats in the bracket, of which there are 2^64 at most. Three to
    // five rounds are usual.
    for round in 1..=520 {
        if !(lo < x && x < hi) {
            x = middle(lo, hi);
            last_step = hi - lo;
            if !(lo < x && x < hi) {
                return lo;
            }
        }
        let Plain { mut value, terms } = p.plain(x);
        let mut steepness = horner(&slope.hi, x);
        let curvature = horner(&bends[..D - 1], x);
        let is_fine = value.abs() <= Polynomial::<M>::PLAIN_BOUND * terms;
        if is_fine {
            value = p.compensated(x);
            if value.abs() <= Polynomial::<M>::COMPENSATED_BOUND * terms {
                return x;
            }
        }
        let is_above = (value > 0.0) == rising;
        (lo, hi) = if is_above { (lo, x) } else { (x, hi) };
        // The slope is off by at most 16 eps terms / |x|.
        if is_fine && (steepness * x).abs() <= 1024.0 * f64::EPSILON * terms {
            steepness = slope.compensated(x);
        }
        // Halley's correction of Newton's step; not near a turning point, where it would lead to that.
        let (square, bend) = (steepness * steepness, value * curvature);
        let bend = if 2.0 * bend.abs() < square { bend } else { 0.0 };
        let step = value * steepness / (square - bend);
        let next = x - step;
        if is_fine && is_last(step, x, terms, steepness) {
            return next.clamp(lo, hi);
        }
        // Newton's method only as long as its steps shrink fast; else the middle is next.
        let is_fast = step.abs() < 0.5 * last_step.abs() && round % 8 != 0;
        last_step = step;
        x = if is_fast { next } else { f64::NAN };
    }
    lo
}

/// True if Newton's step from `x`, with a value good to twice the precision, leaves an error below a unit in the last
/// place.
#[inline]
fn is_last(step: f64, x: f64, terms: f64, steepness: f64) -> bool {
    let step = step.abs();
    // The step leaves |p''/2p'| step² and the relative error of the slope times the step. With the condition
    // k = terms / |x p'| these are at most 6 k step² / |x| and 16 eps k step for degree 4.
    let left = 6.0 * step + 16.0 * f64::EPSILON * x.abs();
    step <= f64::EPSILON * x.abs()
        || step * terms * left <= 0.25 * f64::EPSILON * (x * x * steepness).abs() * x.abs()
}

/// Half way between two numbers in the list of all floats: at most 64 halvings separate any two.
fn middle(lo: f64, hi: f64) -> f64 {
    // Order-preserving whole numbers: flip the magnitude bits of negative numbers.
    let rank = |x: f64| {
        let bits = x.to_bits() as i64;
        bits ^ (((bits >> 63) as u64) >> 1) as i64
    };
    let (lo, hi) = (rank(lo + 0.0), rank(hi + 0.0));
    let bits = (lo & hi) + ((lo ^ hi) >> 1);
    f64::from_bits((bits ^ (((bits >> 63) as u64) >> 1) as i64) as u64)
}

/// Where Newton's method should start: it needs no guarantee, only to be good.
fn guess<const M: usize>(p: &Polynomial<M>, before: &Boundary, after: &Boundary) -> f64 {
    let width = after.x - before.x;
    let share = before.value.abs() / (before.value.abs() + after.value.abs());
    match (before.is_turning, after.is_turning) {
        (true, true) => {
            // Between two turning points p looks like 3 s² - 2 s³; this is its inverse to about one per cent.
            let inverse = |share: f64| {
                let u = (share / 3.0).sqrt();
                u + u * u * (1.0 / 3.0 + 0.53 * u)
            };
            if share <= 0.5 {
                before.x + width * inverse(share)
            } else {
                after.x - width * inverse(1.0 - share)
            }
        }
        (true, false) => {
            let x = before.x + model_step(p, before, 1.0);
            if x < after.x { x } else { before.x + width * share.sqrt() }
        }
        (false, true) => {
            let x = after.x - model_step(p, after, -1.0);
            if x > before.x { x } else { after.x - width * (1.0 - share).sqrt() }
        }
        (false, false) => before.x + width * share,
    }
}

/// Roughly how far from a turning point (in direction ±1) the root is, if no term of the expansion there opposes.
fn model_step<const M: usize>(p: &Polynomial<M>, from: &Boundary, direction: f64) -> f64 {
    // Each term alone would take the value to zero at a certain distance. Together they do so before the nearest;
    // adding the squares of the reciprocals fits that to some per cent.
    let ([_, slope, curvature], _) = p.taylor(from.x);
    let per_value = -1.0 / from.value;
    let share = |term: f64| (term * per_value).max(0.0);
    let first = share(direction * slope);
    let highest = match M {
        4 => rough_root(share(direction * p.hi[0]), 3),
        5 => rough_root(share(p.hi[0]), 4),
        _ => 0.0,
    };
    1.0 / (first * first + share(curvature) + highest * highest).sqrt()
}

/// The n-th root of a positive number to some per cent: its bits are nearly its logarithm. (Nearly 0 for 0.)
fn rough_root(x: f64, n: u64) -> f64 {
    const ONE: u64 = 1f64.to_bits();
    f64::from_bits(x.to_bits() / n + (ONE - ONE / n))
}
