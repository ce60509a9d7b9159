//! Real roots: quadratics, cubics, quartics and trigonometric equations, none lost.
//!
//! - [`quadratic`], [`cubic`], [`quartic`]: polynomials, highest power first
//! - [`trig1`]: `alpha cos t + beta sin t + gamma = 0`
//! - [`trig2`]: the second-order trigonometric equation of rotating bodies
//! - [`wrap_angle`]: an angle in [0, 2 pi) that does not jump a full turn at 0
//!
//! Multiplicities and complex roots are not reported. All answers are [`Solutions`].
//!
//! ```
//! use freiraum_geometry::math::roots::{Solutions, cubic, quadratic};
//!
//! let Solutions::At(roots) = cubic(1.0, -6.0, 11.0, -6.0) else { panic!("not constant, all finite") };
//! assert_eq!(*roots, [1.0, 2.0, 3.0]);
//! assert_eq!(quadratic(0.0, 0.0, 0.0), Solutions::Always);
//! ```
//!
//! # Guarantee
//!
//! The equation is the one with exactly the given f64 coefficients. Write `eps` for `f64::EPSILON`, `p` for its left
//! side, `x` for a returned value, `r` for a true real root, and
//! `S(x)` = sum |a_i x^i| for polynomials, `K` = sum |k_i| (the sum of the magnitudes of all coefficients) for
//! trigonometric equations.
//!
//! 1. **No root is lost.** For every `r` some `x` is close: within the *near* column of the table, or, where `r` is
//!    one of a cluster, in the same connected piece of the *cluster* set, where the sign of `p` is beyond the
//!    working precision. That set reaches about `C^(1/m) eps^(2/m)` (relative) round an `m`-fold root: an isolated
//!    or double root is good to the last places, a triple one to about 1e-10, a quadruple one to about 1e-7.
//! 2. **Nothing is invented.** Every `x` is such a true root or a near-root: it lies in the *near-root* set.
//! 3. **A double root that rounding pushed off the axis is still returned**: every turning point of `p` with
//!    `|p| <= 8 eps S` (or `K`) has a returned value in the same connected piece of the near-root set. So
//!    coefficients that carry errors of a few units in the last place do not lose a tangential contact.
//!
//! | | near | cluster | near-root |
//! |---|---|---|---|
//! | `quadratic` | 3 eps \|r\| | (none needed) | \|p\| <= 17 eps S |
//! | `cubic`, `quartic` | 3 eps \|r\| | \|p\| <= 64 eps² S | \|p\| <= 17 eps S |
//! | `trig1` | 3 eps r | (none needed) | \|p\| <= 64 eps K |
//! | `trig2` | eps + 3 eps r | \|p\| <= 64 eps² K | \|p\| <= 64 eps K |
//!
//! A million random and adversarial equations hold this against exact arithmetic (`tests/it/props_roots`); the largest
//! error of a root outside a cluster is 1.5 eps there (2 eps for angles).
//!
//! Angles are compared on the circle, and a value within [`FULL_TURN_SLACK`](crate::tolerance::FULL_TURN_SLACK)
//! below a full turn is given as 0. Roots of polynomials that exceed `f64::MAX` are not returned; below the
//! smallest normal number the bound becomes absolute (one step of the subnormal grid).
//!
//! # Method
//!
//! The real roots of `p` are separated by those of its derivative, so the solver climbs from the quadratic in
//! the chain of derivatives to `p`. Between neighbouring turning points a sign change is bracketed and Newton's
//! method, guarded by bisection, closes the bracket. Every sign is decided by an evaluation with a rounding
//! bound: plain Horner first, then Horner with compensated errors, which is as good as twice the working
//! precision. A turning point whose sign remains undecided is a root itself. There is no absolute tolerance:
//! coefficients of unusual size are scaled by powers of two, one scale for each group of roots of similar size.

mod newton;
mod pair;
mod polynomial;
mod quadratic;
mod scale;
#[cfg(test)]
mod tests;
mod trigonometric;

pub use polynomial::{cubic, quartic};
pub use quadratic::quadratic;
pub use trigonometric::{trig1, trig2, wrap_angle};

use std::ops::Deref;

/// A turning point counts as a root if the value there is at most this many `eps` times the size of its terms:
/// about what coefficients leave open that were each rounded a few times. Must exceed the bound of plain Horner
/// evaluation, degree + 1.
const NEAR: f64 = 16.0;

/// Most values ever returned: four of a quartic; for `trig2` at most five from either half of the circle.
const CAPACITY: usize = 10;

/// The solutions of an equation in one unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Solutions {
    /// Exactly these; see the [module](self) for what each value means. Perhaps none.
    At(Roots),
    /// Every number (or angle) is a solution: all coefficients vanish, or a trigonometric equation is satisfied
    /// everywhere to within `16 eps` of the sum of the magnitudes of its coefficients.
    Always,
    /// A coefficient is NaN or infinite: there is no such equation.
    NotFinite,
}

impl Solutions {
    /// The list of roots; `None` for [`Solutions::Always`] and [`Solutions::NotFinite`].
    pub fn roots(self) -> Option<Roots> {
        match self {
            Solutions::At(roots) => Some(roots),
            Solutions::Always | Solutions::NotFinite => None,
        }
    }
}

/// A short list of numbers, ascending, without repetitions and without negative zero.
#[derive(Clone, Copy)]
pub struct Roots {
    values: [f64; CAPACITY],
    len: usize,
}

impl Roots {
    const NONE: Roots = Roots { values: [0.0; CAPACITY], len: 0 };

    /// Inserts a value in its place unless it is there already. Minus zero becomes zero.
    fn insert(&mut self, value: f64) {
        let value = value + 0.0;
        debug_assert!(self.len < CAPACITY, "more roots than the degree allows");
        // Nearly always at the end.
        let mut at = self.len;
        while at > 0 && self.values[at - 1] >= value {
            at -= 1;
        }
        if at < self.len {
            if self.values[at] == value {
                return;
            }
            self.values.copy_within(at..self.len, at + 1);
        }
        self.values[at] = value;
        self.len += 1;
    }
}

impl Deref for Roots {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        &self.values[..self.len]
    }
}

impl PartialEq for Roots {
    fn eq(&self, other: &Roots) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Roots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl IntoIterator for Roots {
    type Item = f64;
    type IntoIter = std::iter::Take<std::array::IntoIter<f64, CAPACITY>>;
    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter().take(self.len)
    }
}
