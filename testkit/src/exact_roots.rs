//! Judges lists of roots by exact arithmetic.

use crate::exact::{ExactPolynomial, Sturm, whole};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::f64::consts::{PI, TAU};

/// What a solver promises, in units of `eps` = `f64::EPSILON`, and of its square for `cluster`.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// A true root has a returned value within this many `eps` of its magnitude,
    pub near: f64,
    /// (plus, for angles, this many `eps` radians),
    pub near_angle: f64,
    /// or within the connected piece of the places where |p| is at most this many `eps²` times its size.
    pub cluster: u32,
    /// A returned value that is not so close to a true root has |p| of at most this many `eps` times its size.
    pub near_root: u32,
}

/// What was found wrong or worth counting in one list of roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Distinct true real roots.
    pub roots: usize,
    /// True roots that no returned value stands for.
    pub missed: usize,
    /// Returned values that are neither a root nor a near-root.
    pub invented: usize,
    /// True roots that only the widening to the whole cluster reaches.
    pub clustered: usize,
    /// Returned values that are near-roots only.
    pub near_roots: usize,
}

impl Findings {
    /// Adds up two findings.
    #[must_use]
    pub fn plus(self, other: Findings) -> Findings {
        Findings {
            roots: self.roots + other.roots,
            missed: self.missed + other.missed,
            invented: self.invented + other.invented,
            clustered: self.clustered + other.clustered,
            near_roots: self.near_roots + other.near_roots,
        }
    }
}

/// Judges the returned roots of a polynomial (highest power first, not all zero).
///
/// Roots beyond `f64::MAX` do not count; below the smallest normal number the promise is one subnormal step.
pub fn judge_polynomial(coefficients: &[f64], returned: &[f64], promise: &Promise) -> Findings {
    let (p, has_zero) = ExactPolynomial::from_f64(coefficients).without_zero_root();
    let mut findings = Findings::default();
    // Zero is a root exactly or not at all.
    if has_zero {
        findings.roots += 1;
        findings.missed += usize::from(!returned.contains(&0.0));
    }
    let size = p.magnitudes();
    let mut spans = Vec::new();
    for &x in returned.iter().filter(|&&x| !has_zero || x != 0.0) {
        let reach = (promise.near * f64::EPSILON * x.abs()).max(f64::from_bits(1));
        spans.push(Span::new(x, x - reach, x + reach));
    }
    judge(&p, &size, (-f64::MAX, f64::MAX), spans, promise, &mut findings);
    findings
}

/// Judges the returned angles of `k0 + k1 c + k2 s + k3 c² + k4 c s + k5 s² = 0` (not satisfied everywhere).
///
/// Angles within `slack` radians before a full turn may be given as 0.
pub fn judge_angles(k: [f64; 6], returned: &[f64], slack: f64, promise: &Promise) -> Findings {
    let k = whole(&k);
    let total: BigInt = k.iter().map(|k| BigInt::from(k.magnitude().clone())).sum();
    let size =
        ExactPolynomial::new(vec![total.clone(), BigInt::ZERO, &total * 2, BigInt::ZERO, total.clone()]);
    let mut findings = Findings::default();
    for sign in [1, -1] {
        // w = tan(t'/2) in (-1, 1], where t = t' or t = pi + t': every angle is in one of the two.
        let p = ExactPolynomial::new(vec![
            &k[0] + &k[1] * sign + &k[3],
            (&k[2] * sign + &k[4]) * 2,
            (&k[0] - &k[3] + &k[5] * 2) * 2,
            (&k[2] * sign - &k[4]) * 2,
            &k[0] - &k[1] * sign + &k[3],
        ]);
        let mut spans = Vec::new();
        for &t in returned {
            let turned = if sign == 1 { t } else { t - PI };
            let turned = if turned > PI { turned - TAU } else { turned };
            let w = (0.5 * turned).tan();
            if w.abs() > 1.5 {
                continue;
            }
            let reach = f64::EPSILON * (promise.near_angle + promise.near * t);
            // 0 may stand for an angle just before a full turn, with the error of an angle of that size.
            let before = if t == 0.0 { slack + f64::EPSILON * promise.near * TAU } else { reach };
            let per_angle = 0.5 * (1.0 + w * w);
            // Two eps of w for the tangent and the halving.
            let rounding = 2.0 * f64::EPSILON * w.abs() + f64::MIN_POSITIVE;
            spans.push(Span::new(w, w - per_angle * before - rounding, w + per_angle * reach + rounding));
        }
        judge(&p, &size, (-1.0, 1.0), spans, promise, &mut findings);
    }
    findings
}

/// A returned value and where it may stand for roots.
struct Span {
    x: f64,
    lo: f64,
    hi: f64,
}

impl Span {
    fn new(x: f64, lo: f64, hi: f64) -> Span {
        Span { x, lo: lo.max(-f64::MAX), hi: hi.min(f64::MAX) }
    }
}

fn judge(
    p: &ExactPolynomial,
    size: &ExactPolynomial,
    range: (f64, f64),
    mut spans: Vec<Span>,
    promise: &Promise,
    findings: &mut Findings,
) {
    let sturm = Sturm::new(p);
    // The cheap way first: as many disjoint spans with a sign change as there are roots at all.
    spans.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    let all = sturm.count();
    let is_disjoint = spans.windows(2).all(|s| s[0].hi < s[1].lo);
    let changes = |s: &Span| p.sign(s.lo).is_lt() != p.sign(s.hi).is_lt() || p.sign(s.x).is_eq();
    let in_range = |s: &Span| range.0 < s.lo && s.hi < range.1;
    if all == spans.len() && is_disjoint && spans.iter().all(|s| in_range(s) && changes(s)) {
        findings.roots += all;
        return;
    }
    let total = sturm.count_in(range.0, range.1);
    findings.roots += total;
    for span in &spans {
        if sturm.count_in(span.lo, span.hi) == 0 {
            let is_near = at_most(p, size, span.x, promise.near_root, 52);
            findings.near_roots += usize::from(is_near);
            findings.invented += usize::from(!is_near);
        }
    }
    let missed = total - covered(&sturm, range, &spans);
    if missed == 0 {
        return;
    }
    for span in &mut spans {
        let (lo, hi) = (span.x - span.lo, span.hi - span.x);
        span.lo = span.x - widened(lo, |d| at_most(p, size, span.x - d, promise.cluster, 104));
        span.hi = span.x + widened(hi, |d| at_most(p, size, span.x + d, promise.cluster, 104));
    }
    spans.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    let missed_after = total - covered(&sturm, range, &spans);
    findings.missed += missed_after;
    findings.clustered += missed - missed_after;
}

/// The number of roots in `range` and in one of the spans, which are sorted by their lower ends.
fn covered(sturm: &Sturm, range: (f64, f64), spans: &[Span]) -> usize {
    let mut count = 0;
    let mut done = range.0;
    for span in spans {
        let (lo, hi) = (span.lo.max(done), span.hi.min(range.1));
        if lo < hi {
            count += sturm.count_in(lo, hi);
            done = hi;
        }
    }
    count
}

/// True if |p(x)| <= factor 2^-bits size(|x|).
fn at_most(p: &ExactPolynomial, size: &ExactPolynomial, x: f64, factor: u32, bits: u32) -> bool {
    let degree = p.degree().max(size.degree());
    let value = BigInt::from(p.value(x, degree).magnitude().clone()) << bits;
    value.cmp(&(size.value(x.abs(), degree) * factor)) != Ordering::Greater
}

/// The largest step of a slowly growing series, from `step` on, up to which `inside` holds.
fn widened(mut step: f64, inside: impl Fn(f64) -> bool) -> f64 {
    while step.is_finite() && step < 1e300 && inside(1.25 * step) {
        step *= 1.25;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMISE: Promise = Promise { near: 4.0, near_angle: 4.0, cluster: 64, near_root: 17 };

    #[test]
    fn finds_what_is_missing_and_what_is_invented() {
        let judge = |returned: &[f64]| {
            let f = judge_polynomial(&[1.0, -3.0, 2.0, 0.0], returned, &PROMISE);
            (f.roots, f.missed, f.invented)
        };
        assert_eq!(judge(&[0.0, 1.0, 2.0]), (3, 0, 0));
        assert_eq!(judge(&[0.0, 1.0f64.next_up(), 2.0]), (3, 0, 0));
        assert_eq!(judge(&[0.0, 1.0]), (3, 1, 0));
        assert_eq!(judge(&[1.0, 2.0]), (3, 1, 0));
        assert_eq!(judge(&[0.0, 1.0, 1.5, 2.0]), (3, 0, 1));
        assert_eq!(judge(&[0.0, 1.0 + 1e-14, 2.0]), (3, 1, 0));
        assert_eq!(judge(&[0.0, 1.0 + 1e-13, 2.0]), (3, 1, 1));
    }

    #[test]
    fn a_missed_partner_of_a_cluster_counts_as_found_only_in_the_cluster() {
        // (x - 1)² - 2^-60 times its size: the two roots are 2^-30 apart, far more than the cluster set reaches.
        let apart = [1.0, -2.0, 1.0 - 2f64.powi(-50)];
        assert_eq!(judge_polynomial(&apart, &[1.0], &PROMISE).missed, 2);
        // The quadruple root 1 is surrounded by a piece of the cluster set of radius (64 * 16)^(1/4) eps^(1/2).
        let quadruple = [1.0, -4.0, 6.0, -4.0, 1.0];
        let f = judge_polynomial(&quadruple, &[1.0 + 1e-8], &PROMISE);
        assert_eq!((f.roots, f.missed, f.clustered), (1, 0, 1));
        assert_eq!(judge_polynomial(&quadruple, &[1.0 + 1e-6], &PROMISE).missed, 1);
    }

    #[test]
    fn angles_on_both_halves_of_the_circle() {
        let k = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let judge = |returned: &[f64]| {
            let f = judge_angles(k, returned, 0.0, &PROMISE);
            (f.roots, f.missed, f.invented > 0)
        };
        assert_eq!(judge(&[0.5 * PI, 1.5 * PI]), (2, 0, false));
        assert_eq!(judge(&[0.5 * PI]), (2, 1, false));
        assert_eq!(judge(&[0.5 * PI, 1.5 * PI + 1e-13]), (2, 1, true));
        assert_eq!(judge(&[0.5 * PI, 1.0, 1.5 * PI]), (2, 0, true));
    }
}
