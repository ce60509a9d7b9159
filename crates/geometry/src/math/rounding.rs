//! Rounding bounds: how far f64 arithmetic may be off, computed from the size of the input.

/// Bound in metres on the rounding error of a point that went through a few additions, one rotation or one
/// interpolation, when no coordinate involved exceeds `reach` metres in magnitude.
///
/// Sixteen units in the last place: a rotated and shifted coordinate takes at most nine rounded operations.
pub fn coordinate(reach: f64) -> f64 {
    16.0 * f64::EPSILON * reach
}
