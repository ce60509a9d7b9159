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

    /// The value with a sign that is proven, or 0 where even twice the precision cannot tell.
    #[inline]
    fn decided(&self, x: f64) -> f64 {
        let Plain { value, terms } = self.plain(x);
        if value.abs() > Self::PLAIN_BOUND * terms {
            return value;
        }
        let value = self.compensated(x);
        if value.abs() > Self::COMPENSATED_BOUND * terms { value } else { 0.0 }
    }

    /// Half the second derivative, roughly.
    fn half_second_derivative(&self, x: f64) -> f64 {
        let degree = M - 1;
        let mut sum = 0.0;
        for (i, a) in self.hi.iter().enumerate().take(degree.saturating_sub(1)) {
            let power = degree - i;
            sum = sum * x + a * (power * (power - 1) / 2) as f64;
        }
        sum
    }
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
    let mut x = guess(p, slope, before, after);
    let mut last_step = hi - lo;
    // Every second round at least halves the number of floats in the bracket, of which there are 2^64.
    for _ in 0..130 {
        if !(lo < x && x < hi) {
            x = middle(lo, hi);
            last_step = hi - lo;
            if !(lo < x && x < hi) {
                return lo;
            }
        }
        let Plain { mut value, terms } = p.plain(x);
        let is_fine = value.abs() <= Polynomial::<M>::PLAIN_BOUND * terms;
        if is_fine {
            value = p.compensated(x);
            if value.abs() <= Polynomial::<M>::COMPENSATED_BOUND * terms {
                return x;
            }
        }
        if (value > 0.0) == rising {
            hi = x;
        } else {
            lo = x;
        }
        let steepness = if is_fine { slope.decided(x) } else { slope.plain(x).value };
        let step = value / steepness;
        let next = x - step;
        if is_fine && step.abs() <= f64::EPSILON * x.abs() {
            return next.clamp(lo, hi);
        }
        // Newton's method only as long as its steps shrink fast.
        let is_fast = step.abs() < 0.5 * last_step.abs();
        last_step = step;
        x = if is_fast { next } else { f64::NAN };
    }
    x.clamp(lo, hi)
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
fn guess<const M: usize, const D: usize>(
    p: &Polynomial<M>,
    slope: &Polynomial<D>,
    before: &Boundary,
    after: &Boundary,
) -> f64 {
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
            let x = before.x + model_step(p, slope, before, 1.0);
            if x < after.x { x } else { before.x + width * share.sqrt() }
        }
        (false, true) => {
            let x = after.x - model_step(p, slope, after, -1.0);
            if x > before.x { x } else { after.x - width * (1.0 - share).sqrt() }
        }
        (false, false) => before.x + width * share,
    }
}

/// How far from a turning point (in direction ±1) the root is at most, if no term of the expansion there opposes.
///
/// From beyond the root Newton's method approaches it without overshooting.
fn model_step<const M: usize, const D: usize>(
    p: &Polynomial<M>,
    slope: &Polynomial<D>,
    from: &Boundary,
    direction: f64,
) -> f64 {
    let helps = |term: f64| (term * from.value < 0.0).then(|| (from.value / term).abs());
    let first = helps(direction * slope.plain(from.x).value).unwrap_or(f64::INFINITY);
    let second = helps(p.half_second_derivative(from.x)).map_or(f64::INFINITY, f64::sqrt);
    let highest = match M {
        4 => helps(direction * p.hi[0]).map_or(f64::INFINITY, f64::cbrt),
        5 => helps(p.hi[0]).map_or(f64::INFINITY, |q| q.sqrt().sqrt()),
        _ => f64::INFINITY,
    };
    first.min(second).min(highest)
}
