//! Distances from a rectangle: of a point, a line, ray or segment, a triangle, another rectangle and a box.

use super::Nearest;
use super::box_box;
use super::straight::{Span, Straight};
use super::straight_box::straight_box;
use super::straight_straight::of_spans;
use super::straight_triangle::{straight_triangle, through};
use freiraum_geometry::{Aabb, Pose, Vec2, Vec3};

/// A flat rectangle: the points `center + s half[0] + t half[1]` with s and t from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// Middle of the rectangle.
    pub center: Vec3,
    /// From the middle to the middles of two edges, perpendicular to each other; zero for a segment or point.
    pub half: [Vec3; 2],
}

impl Rectangle {
    /// The rectangle in the xy plane of the inner frame of `pose`, centred on its origin, with these half sides.
    pub fn new(pose: &Pose, half: Vec2) -> Rectangle {
        let axes = pose.rotation_matrix();
        Rectangle { center: pose.translation(), half: [axes.x_axis * half.x, axes.y_axis * half.y] }
    }

    /// The corners, counter-clockwise about the cross product of the half edges.
    pub fn corners(&self) -> [Vec3; 4] {
        let (c, [u, v]) = (self.center, self.half);
        [c - u - v, c + u - v, c + u + v, c - u + v]
    }

    /// The coordinates in half edges of the foot of the perpendicular.
    fn coordinates(&self, p: Vec3) -> [f64; 2] {
        let w = p - self.center;
        self.half.map(|u| {
            let s = u.dot(w) / u.length_squared();
            if s.is_finite() { s } else { 0.0 }
        })
    }

    fn closest(&self, p: Vec3) -> Vec3 {
        let [s, t] = self.coordinates(p).map(|s| s.clamp(-1.0, 1.0));
        self.center + (s * self.half[0] + t * self.half[1])
    }

    fn foot(&self, p: Vec3) -> Option<Vec3> {
        let inside = self.coordinates(p).iter().all(|s| s.abs() <= 1.0);
        inside.then(|| self.closest(p))
    }

    /// The t at which the straight piece meets the plane; infinite or NaN where it does not.
    fn plane_parameter(&self, a: &Span) -> f64 {
        let normal = self.half[0].cross(self.half[1]);
        normal.dot(self.center - a.start) / normal.dot(a.direction)
    }

    fn edges(&self) -> [Span; 4] {
        let c = self.corners();
        std::array::from_fn(|i| [c[i], c[(i + 1) % 4]].span())
    }

    /// A point where the straight piece passes through.
    fn passed(&self, a: &Span) -> Option<Vec3> {
        through(a, self.plane_parameter(a), |p| self.foot(p))
    }
}

/// The closest point of the rectangle `b` to the point `a`.
pub fn point_rectangle(a: Vec3, b: &Rectangle) -> Nearest {
    Nearest::of_points(a, b.closest(a))
}

/// The closest points of the line, ray or segment `a` and the rectangle `b`.
///
/// **Degenerate input.** Without length or area they are the segments or points that are left.
pub fn straight_rectangle(a: impl Straight, b: &Rectangle) -> Nearest {
    let a = a.span();
    if let Some(point) = b.passed(&a) {
        return Nearest::common(point);
    }
    let ends = a.ends().map(|p| point_rectangle(p, b));
    let edges = b.edges().into_iter().map(|e| of_spans(&a, &e));
    ends.chain(edges).reduce(Nearest::or_nearer).unwrap_or(Nearest::of_points(a.start, b.center))
}

/// The closest points of two rectangles.
///
/// **Degenerate input.** Without area they are the segments or points that are left.
/// **Cost.** Every edge with every edge and every corner with the other face: about a microsecond.
pub fn rectangle_rectangle(a: &Rectangle, b: &Rectangle) -> Nearest {
    let (a_edges, b_edges) = (a.edges(), b.edges());
    let common =
        a_edges.iter().find_map(|e| b.passed(e)).or_else(|| b_edges.iter().find_map(|e| a.passed(e)));
    if let Some(point) = common {
        return Nearest::common(point);
    }
    let a_corners = a.corners().into_iter().map(|p| point_rectangle(p, b));
    let b_corners = b.corners().into_iter().map(|p| point_rectangle(p, a).swapped());
    let edges = a_edges.iter().flat_map(|e| b_edges.iter().map(move |f| of_spans(e, f)));
    let all = a_corners.chain(b_corners).chain(edges);
    all.reduce(Nearest::or_nearer).unwrap_or(Nearest::of_points(a.center, b.center))
}

/// The closest points of the triangle `a` and the rectangle `b`.
///
/// **Degenerate input.** Without area they are the segments or points that are left.
pub fn triangle_rectangle(a: [Vec3; 3], b: &Rectangle) -> Nearest {
    let c = b.corners();
    let of_a = (0..3).map(|i| straight_rectangle([a[i], a[(i + 1) % 3]], b));
    let of_b = (0..4).map(|i| straight_triangle([c[i], c[(i + 1) % 4]], a).swapped());
    of_a.chain(of_b).reduce(Nearest::or_nearer).unwrap_or(Nearest::of_points(a[0], b.center))
}

/// The closest points of the rectangle `a` and the solid box `b`, which is not empty.
///
/// **Degenerate input.** Without area or thickness they are what is left.
pub fn rectangle_box(a: &Rectangle, b: &Aabb) -> Nearest {
    let c = a.corners();
    let of_a = (0..4).map(|i| straight_box([c[i], c[(i + 1) % 4]], b));
    let edges = box_box::edges(Vec3::ONE).map(|e| e.map(|s| Vec3::select(s.cmpgt(Vec3::ZERO), b.max, b.min)));
    let of_b = edges.map(|edge| straight_rectangle(edge, a).swapped());
    of_a.chain(of_b).reduce(Nearest::or_nearer).unwrap_or(Nearest::of_points(a.center, b.center()))
}
