//! Numbers of twice the working precision, and the error-free sums and products under them.

/// A number `hi + lo` with `|lo|` at most half a unit in the last place of `hi`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

impl From<f64> for Pair {
    fn from(hi: f64) -> Pair {
        Pair { hi, lo: 0.0 }
    }
}

impl Pair {
    /// Twice the number, exactly.
    #[inline]
    pub(super) fn doubled(self) -> Pair {
        Pair { hi: 2.0 * self.hi, lo: 2.0 * self.lo }
    }

    /// Three times the number, to `eps²`; exactly if `lo` is 0.
    #[inline]
    pub(super) fn tripled(self) -> Pair {
        let (hi, lo) = two_sum(2.0 * self.hi, self.hi);
        renormalized(hi, lo + 3.0 * self.lo)
    }

    /// The sum of three numbers, to `eps²` of the sum of their magnitudes.
    #[inline]
    pub(super) fn sum3(a: f64, b: f64, c: f64) -> Pair {
        let (s, e) = two_sum(a, b);
        let (s, f) = two_sum(s, c);
        renormalized(s, e + f)
    }
}

#[inline]
fn renormalized(hi: f64, lo: f64) -> Pair {
    let (hi, lo) = two_sum(hi, lo);
    Pair { hi, lo }
}

/// The rounded sum and its error: `a + b` exactly.
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let b_part = s - a;
    (s, (a - (s - b_part)) + (b - b_part))
}

/// The rounded product and its error: `a * b` exactly, if nothing over- or underflows.
#[inline]
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    if cfg!(target_feature = "fma") {
        return (p, a.mul_add(b, -p));
    }
    // Without the instruction `mul_add` is a call, perhaps into slow software; Dekker's product gives the same bits.
    let (ah, al) = halves(a);
    let (bh, bl) = halves(b);
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// Splits a number into two of at most 26 significant bits.
#[inline]
fn halves(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = ((1u64 << 27) + 1) as f64;
    let c = SPLITTER * a;
    let hi = c - (c - a);
    (hi, a - hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_sums_are_exact() {
        let third = 1.0 / 3.0;
        let (p, e) = two_product(third, 3.0f64.next_up());
        assert_eq!(e, third.mul_add(3.0f64.next_up(), -p));
        assert_ne!(e, 0.0);
        let (s, e) = two_sum(1.0, f64::EPSILON / 4.0);
        assert_eq!((s, e), (1.0, f64::EPSILON / 4.0));
        let t = Pair::sum3(1.0, f64::EPSILON / 4.0, -1.0);
        assert_eq!((t.hi, t.lo), (f64::EPSILON / 4.0, 0.0));
    }
}
