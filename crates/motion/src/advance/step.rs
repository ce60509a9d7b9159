//! How long a gap stays open.

/// The first time from 0 on at which `p + q τ + c τ²` has fallen to zero: 0 if p is not positive, infinite if it never does.
#[inline]
pub(crate) fn first_zero(p: f64, q: f64, c: f64) -> f64 {
    if !(p > 0.0) {
        return 0.0;
    }
    let square = q * q - 4.0 * c * p;
    if q < 0.0 {
        // Falling at first: the nearer root, in the form that does not cancel.
        if square < 0.0 { f64::INFINITY } else { 2.0 * p / (square.sqrt() - q) }
    } else if c < 0.0 {
        (q + square.sqrt()) / (-2.0 * c)
    } else {
        f64::INFINITY
    }
}

/// The longest time up to `longest` during which `distance(τ) <= gap`, to a quarter of it, for a distance that grows with τ
/// from 0; 0 if none was found.
pub(super) fn first_order(gap: f64, longest: f64, distance: impl Fn(f64) -> f64) -> f64 {
    if !(gap > 0.0) {
        return 0.0;
    }
    let whole = distance(longest);
    if whole <= gap {
        return longest;
    }
    let (mut low, mut high) = (0.0, longest);
    // Most bounds grow in proportion to the time.
    let mut next = longest * (gap / whole) * (1.0 - 4.0 * f64::EPSILON);
    for _ in 0..HALVINGS {
        if distance(next) <= gap {
            low = next;
        } else {
            high = next;
        }
        if high - low <= 0.25 * low || high == 0.0 {
            break;
        }
        next = if low > 0.0 { 0.5 * (low + high) } else { 0.5 * high };
    }
    low
}

/// Halvings at most: more than there are digits in a time.
const HALVINGS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_zero_is_found() {
        for (p, q, c, zero) in [
            (1.0, -1.0, 0.0, 1.0),
            (1.0, -2.0, 1.0, 1.0),
            (2.0, -3.0, 1.0, 1.0),
            (1.0, 0.0, -1.0, 1.0),
            (2.0, 1.0, -1.0, 2.0),
            (1.0, 1.0, 0.0, f64::INFINITY),
            (1.0, 1.0, 1.0, f64::INFINITY),
            (1.0, -1.0, 1.0, f64::INFINITY),
            (0.0, 1.0, 1.0, 0.0),
            (-1.0, 1.0, 1.0, 0.0),
        ] {
            assert_eq!(first_zero(p, q, c), zero, "{p} {q} {c}");
        }
    }

    #[test]
    fn first_order_steps_keep_the_bound() {
        assert_eq!(first_order(1.0, 1.0, |t| 0.5 * t), 1.0);
        let step = first_order(1.0, 1.0, |t| 4.0 * t);
        assert!(step <= 0.25 && step > 0.2);
        for power in [0.5, 1.0, 2.0, 5.0] {
            let f = |t: f64| 7.0 * t.powf(power);
            let step = first_order(0.01, 1.0, f);
            assert!(f(step) <= 0.01 && f(1.3 * step) > 0.01, "{power} {step}");
        }
        assert_eq!(first_order(0.0, 1.0, |t| t), 0.0);
    }
}
