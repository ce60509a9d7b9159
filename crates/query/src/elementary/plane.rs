//! Distances from a plane: of a point, and of a line, ray or segment.

use super::Nearest;
use super::straight::Straight;
use freiraum_geometry::Vec3;

/// All points x with `dot(normal, x) = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vec3,
    /// Distance from the origin along the normal in metres.
    pub offset: f64,
}

impl Plane {
    /// The signed distance of a point in metres, positive where the normal points to.
    pub fn height(&self, p: Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }
}

/// The closest point of the plane `b` to the point `a`.
pub fn point_plane(a: Vec3, b: &Plane) -> Nearest {
    let height = b.height(a);
    Nearest { distance_squared: height * height, point_on_a: a, point_on_b: a - height * b.normal }
}

/// The closest points of the line, ray or segment `a` and the plane `b`.
///
/// **Degenerate input.** If all points of `a` are equally close, the one it starts with (a point on the line).
pub fn straight_plane(a: impl Straight, b: &Plane) -> Nearest {
    let span = a.span();
    // Both ends of a segment are looked at themselves, because their difference is rounded.
    let start = b.height(span.start);
    let rise = if span.last == 1.0 { b.height(span.at(1.0)) - start } else { b.normal.dot(span.direction) };
    let t = -start / rise;
    if t >= span.first && t <= span.last && t.is_finite() {
        return Nearest::common(span.at(t));
    }
    // A finite end is the closest: the first that is lower than all after it.
    let nearest = span.ends().map(|p| point_plane(p, b)).reduce(Nearest::or_nearer);
    nearest.unwrap_or_else(|| point_plane(span.start, b))
}
