//! Distances from a plane: of a point, a line, ray or segment, a triangle, a rectangle, a box and an arc.

use super::Nearest;
use super::straight::Straight;
use super::{Arc, Rectangle};
use freiraum_geometry::{Aabb, Vec3};

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

/// The closest points of the plane `a` and the triangle `b`; a common one where they meet.
///
/// **Degenerate input.** A triangle without area is what its corners span.
pub fn plane_triangle(a: &Plane, b: [Vec3; 3]) -> Nearest {
    plane_hull(a, b)
}

/// The closest points of the plane `a` and the rectangle `b`; a common one where they meet.
pub fn plane_rectangle(a: &Plane, b: &Rectangle) -> Nearest {
    plane_hull(a, b.corners())
}

/// The closest points of the plane `a` and the solid box `b`, which is not empty; a common one where they meet.
pub fn plane_box(a: &Plane, b: &Aabb) -> Nearest {
    // The corners farthest against the normal and along it.
    let is_up = a.normal.cmpgt(Vec3::ZERO);
    plane_hull(a, [Vec3::select(is_up, b.min, b.max), Vec3::select(is_up, b.max, b.min)])
}

/// The closest points of the plane `a` and the arc `b`; a common one where they meet.
pub fn plane_arc(a: &Plane, b: &Arc) -> Nearest {
    let [low, high] = b.extremes(a.normal);
    let mut best = point_plane(low, a).or_nearer(point_plane(high, a));
    if a.height(low) <= 0.0 && a.height(high) >= 0.0 {
        b.each_pass(a.normal, a.height(b.center()), |p| best = best.or_nearer(point_plane(p, a)));
        best = Nearest::common(best.point_on_a);
    }
    best.swapped()
}

/// The closest points of a plane and the convex hull of some points, one at least.
fn plane_hull<const N: usize>(a: &Plane, points: [Vec3; N]) -> Nearest {
    let (mut low, mut high) = (points[0], points[0]);
    for p in points {
        if a.height(p) < a.height(low) {
            low = p;
        }
        if a.height(p) > a.height(high) {
            high = p;
        }
    }
    straight_plane([low, high], a).swapped()
}
