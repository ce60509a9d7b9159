//! Cubics and quartics: a climb through the derivatives, one sign change at a time.

use super::newton::{Polynomial, judge, root_between};
use super::pair::Pair;
use super::{Roots, Solutions, quadratic, scale};

/// The real roots of `a x³ + b x² + c x + d`.
///
/// **Guarantee.** See the [module](super). **Degenerate input.** Leading zeros lower the degree; all zero is
/// [`Solutions::Always`]; a root that would exceed `f64::MAX` is left out. **Cost.** About 0.2 µs; a few times
/// that for clustered roots or coefficients outside 2^±60.
pub fn cubic(a: f64, b: f64, c: f64, d: f64) -> Solutions {
    general(&[a, b, c, d])
}

/// The real roots of `a x⁴ + b x³ + c x² + d x + e`.
///
/// **Guarantee**, **Degenerate input.** As for [`cubic`]. **Cost.** About 0.5 µs; twice that for clustered
/// roots or coefficients outside 2^±60.
pub fn quartic(a: f64, b: f64, c: f64, d: f64, e: f64) -> Solutions {
    general(&[a, b, c, d, e])
}

/// The real roots of a polynomial of degree at most four, highest power first.
pub(super) fn general(p: &[f64]) -> Solutions {
    let moderate = scale::is_moderate(p);
    if !moderate && !p.iter().all(|a| a.is_finite()) {
        return Solutions::NotFinite;
    }
    let Some(first) = p.iter().position(|&a| a != 0.0) else { return Solutions::Always };
    let last = p.iter().rposition(|&a| a != 0.0).unwrap_or(first);
    let mut roots = Roots::NONE;
    let core = &p[first..=last];
    match *core {
        // Two divisions are more exact than any scaling.
        [_] => {}
        [a, b] if (-b / a).is_finite() => roots.insert(-b / a),
        [_, _] => {}
        [a, b, c] if moderate => roots = quadratic::moderate(a, b, c),
        _ if moderate => {
            let bound = scale::root_bound(core);
            let mut pairs = [Pair::default(); 5];
            for (pair, &a) in pairs.iter_mut().zip(core) {
                pair.hi = a;
            }
            roots_in(&pairs[..core.len()], -bound, bound, None, &mut roots);
        }
        _ => scale::roots_at_all_scales(core, &mut roots),
    }
    if last + 1 < p.len() {
        roots.insert(0.0);
    }
    Solutions::At(roots)
}

/// The real roots in [lo, hi], highest power first, at most five coefficients of moderate size or zero.
///
/// A turning point or end of the range is a near-root if the value there is at most `NEAR eps` times `size`, or
/// times the sum of the magnitudes of the terms where that is `None`.
pub(super) fn roots_in(p: &[Pair], lo: f64, hi: f64, size: Option<f64>, roots: &mut Roots) {
    let Some(first) = p.iter().position(|a| a.hi != 0.0) else { return };
    let last = p.iter().rposition(|a| a.hi != 0.0).unwrap_or(first);
    if last + 1 < p.len() && lo <= 0.0 && 0.0 <= hi {
        roots.insert(0.0);
    }
    let range = Range { lo, hi, size };
    match p[first..=last] {
        [a, b, c, d, e] => {
            let p = Polynomial::new([a, b, c, d, e]);
            let slope = [a.doubled().doubled(), b.tripled(), c.doubled(), d];
            let mut turning = Roots::NONE;
            range.climb_cubic(slope, &mut turning);
            range.climb(&p, &Polynomial::new(slope), &turning, roots);
        }
        [a, b, c, d] => range.climb_cubic([a, b, c, d], roots),
        [a, b, c] => {
            let slope = Polynomial::new([a.doubled(), b]);
            let mut turning = Roots::NONE;
            turning.insert(-b.hi / (2.0 * a.hi));
            range.climb(&Polynomial::new([a, b, c]), &slope, &turning, roots);
        }
        [a, b] => range.climb(&Polynomial::new([a, b]), &Polynomial::new([a]), &Roots::NONE, roots),
        _ => {}
    }
}

/// Where roots are sought, and what counts as a near-root; see [`roots_in`].
struct Range {
    lo: f64,
    hi: f64,
    size: Option<f64>,
}

impl Range {
    fn climb_cubic(&self, p: [Pair; 4], roots: &mut Roots) {
        let [a, b, c, _] = p;
        let slope = [a.tripled(), b.doubled(), c];
        let mut turning = Roots::NONE;
        for x in quadratic::of_pairs(slope[0], slope[1], slope[2]) {
            turning.insert(x);
        }
        if turning.is_empty() {
            // No turning point: the inflection is where to start from.
            turning.insert(-b.hi / slope[0].hi);
        }
        self.climb(&Polynomial::new(p), &Polynomial::new(slope), &turning, roots);
    }

    /// Adds the roots of `p`, given its derivative and all turning points (more points do no harm).
    ///
    /// Between neighbours `p` is monotone, so a sign change means one root and none means none. A turning point
    /// that is off by its own error hides at most a root so close to it that `p` is a near-root there.
    fn climb<const M: usize, const D: usize>(
        &self,
        p: &Polynomial<M>,
        slope: &Polynomial<D>,
        turning: &Roots,
        roots: &mut Roots,
    ) {
        let mut before = judge(p, self.lo, self.size, false);
        let mut crossed = false;
        let inside = turning.iter().copied().filter(|&x| self.lo < x && x < self.hi);
        let rest = inside.map(|x| (x, true)).chain([(self.hi, false)]);
        for (x, is_turning) in rest {
            let after = judge(p, x, self.size, is_turning);
            let crosses = before.is_opposite(&after);
            if before.is_root(crossed || crosses) {
                roots.insert(before.x);
            }
            if crosses {
                roots.insert(root_between(p, slope, &before, &after));
            }
            (before, crossed) = (after, crosses);
        }
        if before.is_root(crossed) {
            roots.insert(before.x);
        }
    }
}
