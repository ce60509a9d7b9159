//! The closest points of two segments.

use super::Nearest;
use freiraum_geometry::Vec3;

/// The closest points of two segments.
///
/// **Guarantee.** Accurate also where the segments are nearly parallel, though which of the then almost equally close
/// points are given depends on rounding. **Degenerate input.** Parallel segments: one of the closest pairs; a segment
/// without length is its point.
pub fn segment_segment(a: [Vec3; 2], b: [Vec3; 2]) -> Nearest {
    let (u, v) = (a[1] - a[0], b[1] - b[0]);
    let (s, t) = parameters(u, v, u.length_squared(), v.length_squared(), b[0] - a[0]);
    Nearest::of_points(along(a, u, s), along(b, v, t))
}

/// The point at share `s` of a segment with difference `u` of its ends; exact at both ends.
#[inline]
pub(super) fn along(a: [Vec3; 2], u: Vec3, s: f64) -> Vec3 {
    if s >= 1.0 { a[1] } else { a[0] + s * u }
}

/// The s and t in [0, 1] with the smallest |s u - t v - w|, where `uu` and `vv` are the squares of u and v.
#[inline]
pub(super) fn parameters(u: Vec3, v: Vec3, uu: f64, vv: f64, w: Vec3) -> (f64, f64) {
    let (uw, vw) = (u.dot(w), v.dot(w));
    if !(vv > 0.0) {
        return (share(uw, uu), 0.0);
    }
    if !(uu > 0.0) {
        return (0.0, share(-vw, vv));
    }
    let uv = u.dot(v);
    // On the infinite lines first, s brought into its range; then t for this s, and if that has to be brought into
    // its range, s for this t. A convex function of two numbers over a square needs no more.
    let s = line_parameter(u, v, [uu, vv, uv, uw, vw], w).clamp(0.0, 1.0);
    let t = s * uv - vw;
    if t <= 0.0 {
        (share(uw, uu), 0.0)
    } else if t >= vv {
        (share(uw + uv, uu), 1.0)
    } else {
        (s, t / vv)
    }
}

/// The s of the closest points of two lines with directions that are not zero.
#[inline]
pub(super) fn line_parameter(u: Vec3, v: Vec3, [uu, vv, uv, uw, vw]: [f64; 5], w: Vec3) -> f64 {
    let sine_squared = uu * vv - uv * uv;
    if is_steep(sine_squared, uu * vv) {
        return (uw * vv - vw * uv) / sine_squared;
    }
    nearly_parallel(u, v, w)
}

/// True if the square of a sine, times `size`, is large enough for scalar products to be accurate.
#[inline]
pub(super) fn is_steep(sine_squared: f64, size: f64) -> bool {
    sine_squared > 0.0625 * size
}

/// The same for lines in almost the same direction, or without any.
#[cold]
#[inline(never)]
pub(super) fn nearly_parallel(u: Vec3, v: Vec3, w: Vec3) -> f64 {
    // With an angle e between the lines, the determinant of products loses a factor 1/e² of its digits, but this only 1/e,
    // and an error of 1/e units of rounding along the lines moves the points by one unit towards or from each other.
    let n = u.cross(v);
    let nn = n.length_squared();
    if nn > 0.0 { w.cross(v).dot(n) / nn } else { 0.0 }
}

/// `part / whole` brought into [0, 1]; 0 if `whole` is.
#[inline]
pub(super) fn share(part: f64, whole: f64) -> f64 {
    if part <= 0.0 {
        0.0
    } else if part >= whole {
        if whole > 0.0 { 1.0 } else { 0.0 }
    } else {
        part / whole
    }
}
