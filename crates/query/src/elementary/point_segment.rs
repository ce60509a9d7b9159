//! The point of a segment that is closest to a point.

use super::Nearest;
use freiraum_geometry::Vec3;

/// The closest point of the segment `b` to the point `a`.
///
/// **Degenerate input.** A segment without length is its point.
pub fn point_segment(a: Vec3, b: [Vec3; 2]) -> Nearest {
    let u = b[1] - b[0];
    let s = u.dot(a - b[0]);
    let length_squared = u.length_squared();
    // The comparisons come before the division: nothing is divided by zero, and ends are exact.
    let foot = if s <= 0.0 {
        b[0]
    } else if s >= length_squared {
        b[1]
    } else {
        b[0] + (s / length_squared) * u
    };
    Nearest::of_points(a, foot)
}
