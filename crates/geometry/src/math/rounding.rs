//! Rounding bounds: how far f64 arithmetic may be off, computed from the size of the input.

/// Bound in metres on the rounding error of a point that went through a few additions, one rotation or one
/// interpolation, when no coordinate involved exceeds `reach` metres in magnitude.
///
/// Sixteen units in the last place: a rotated and shifted coordinate takes at most nine rounded operations.
pub fn coordinate(reach: f64) -> f64 {
    16.0 * f64::EPSILON * reach
}

/// The sum of two numbers, rounded up where it must be rounded: never below the exact sum, and at most one unit in the
/// last place above it. Infinite if the sum overflows.
pub fn add_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Knuth's two-sum: what the rounding of `sum` left out, exactly.
    let from_b = sum - a;
    let left_out = (a - (sum - from_b)) + (b - from_b);
    if left_out > 0.0 { sum.next_up() } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_up_only_where_they_are_rounded() {
        let tiny = f64::EPSILON / 8.0;
        assert_eq!(add_up(1.0, 2.0), 3.0);
        assert_eq!(add_up(1.0, tiny), 1.0f64.next_up());
        assert_eq!(add_up(tiny, 1.0), 1.0f64.next_up());
        assert_eq!(add_up(1.0, -tiny), 1.0);
        assert_eq!(add_up(-1.0, tiny), (-1.0f64).next_up());
        assert_eq!(add_up(0.1, 0.2), 0.1 + 0.2); // 0.30000000000000004 is above the exact sum already
        assert_eq!(add_up(f64::MAX, f64::MAX), f64::INFINITY);
    }
}
