//! The point of a triangle that is closest to a point.

use super::Nearest;
use super::segment_segment::{along, share};
use freiraum_geometry::Vec3;

/// The closest point of the triangle `b` to the point `a`.
///
/// **Guarantee.** Accurate also for needles and for triangles with an angle of almost half a turn.
/// **Degenerate input.** A triangle without area is the segment or point that its corners span.
pub fn point_triangle(a: Vec3, b: [Vec3; 3]) -> Nearest {
    Nearest::of_points(a, closest_of_wide(a, b).unwrap_or_else(|| Frame::new(b).closest(a)))
}

/// The closest point, if the angle at the first corner is neither small nor almost half a
/// turn: then scalar products are accurate enough.
#[inline]
fn closest_of_wide(p: Vec3, b: [Vec3; 3]) -> Option<Vec3> {
    let (u, v, w) = (b[1] - b[0], b[2] - b[0], p - b[0]);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let determinant = uu * vv - uv * uv;
    if !(determinant >= 0.0625 * uu * vv && determinant > 0.0) {
        return None;
    }
    let (uw, vw) = (u.dot(w), v.dot(w));
    // Shares s of u and t of v, times the determinant.
    let (s, t) = (vv * uw - uv * vw, uu * vw - uv * uw);
    if s >= 0.0 && t >= 0.0 && s + t <= determinant {
        return Some(b[0] + ((s / determinant) * u + (t / determinant) * v));
    }
    // Next to an edge that has the point on its outer side: one of them or two. Where rounding disagrees about which,
    // the edges are equally close.
    let mut best = (f64::INFINITY, b[0]);
    let mut offer = |point: Vec3| {
        let square = p.distance_squared(point);
        if square < best.0 {
            best = (square, point);
        }
    };
    if t < 0.0 {
        offer(along([b[0], b[1]], u, share(uw, uu)));
    }
    if s < 0.0 {
        offer(along([b[0], b[2]], v, share(vw, vv)));
    }
    if s + t > determinant {
        let opposite = b[2] - b[1];
        offer(along([b[1], b[2]], opposite, share(opposite.dot(p - b[1]), opposite.length_squared())));
    }
    Some(best.1)
}

/// What the closest points of many points on one triangle share.
pub(super) struct Frame {
    /// The corners, in their cyclic order; at the first one the angle is wide, or else the largest.
    pub(super) corners: [Vec3; 3],
    /// The edges from each corner to the next, and the squares of their lengths.
    pub(super) edges: [Vec3; 3],
    pub(super) squares: [f64; 3],
    /// Cross product of the edges at the first corner and the square of its length, perhaps zero.
    normal: Vec3,
    normal_squared: f64,
}

impl Frame {
    #[inline]
    pub(super) fn new(b: [Vec3; 3]) -> Frame {
        let edges = [b[1] - b[0], b[2] - b[1], b[0] - b[2]];
        let squares = edges.map(Vec3::length_squared);
        let normal = edges[2].cross(edges[0]);
        let frame = Frame { corners: b, edges, squares, normal, normal_squared: normal.length_squared() };
        if frame.is_wide() { frame } else { frame.turned() }
    }

    /// With the corner opposite the longest edge first: the angle there is the largest, so that its sine is small only
    /// for triangles that are flat as a whole, and then an error along the edges does not lead away from the triangle.
    #[cold]
    fn turned(&self) -> Frame {
        let [p, q, r] = self.squares;
        let first = if q >= p && q >= r {
            0
        } else if r >= p {
            1
        } else {
            2
        };
        let corners = [0, 1, 2].map(|i| self.corners[(i + first) % 3]);
        let edges = [0, 1, 2].map(|i| self.edges[(i + first) % 3]);
        let squares = [0, 1, 2].map(|i| self.squares[(i + first) % 3]);
        let normal = edges[2].cross(edges[0]);
        Frame { corners, edges, squares, normal, normal_squared: normal.length_squared() }
    }

    /// The closest point of the triangle.
    #[inline]
    pub(super) fn closest(&self, p: Vec3) -> Vec3 {
        self.foot(p).unwrap_or_else(|| self.closest_on_border(p))
    }

    /// The foot of the perpendicular if it lies in the triangle.
    #[inline]
    pub(super) fn foot(&self, p: Vec3) -> Option<Vec3> {
        if !(self.normal_squared > 0.0) {
            return None;
        }
        let (u, v) = (self.edges[0], -self.edges[2]);
        let w = p - self.corners[0];
        let t = u.cross(w).dot(self.normal) / self.normal_squared;
        // s for this t, not by another determinant: so the error of t along the edges of a flat triangle is undone.
        let s = (w - t * v).dot(u) / self.squares[0];
        (t >= 0.0 && s >= 0.0 && s + t <= 1.0).then(|| self.corners[0] + (s * u + t * v))
    }

    /// The share t of the way from `start` along `direction` at which the plane is met; infinite or NaN if it is not.
    pub(super) fn plane_parameter(&self, start: Vec3, direction: Vec3) -> f64 {
        let normal = self.normal();
        normal.dot(self.corners[0] - start) / normal.dot(direction)
    }

    /// A normal of any length; zero or NaN for a triangle without area.
    pub(super) fn normal(&self) -> Vec3 {
        // The cross product of a flat triangle is least accurate along its edges, just where that matters most.
        let u = self.edges[0];
        self.normal - (self.normal.dot(u) / self.squares[0]) * u
    }

    /// True if the sine of the angle at the first corner is not small, so that heights are as accurate as points.
    #[inline]
    pub(super) fn is_wide(&self) -> bool {
        self.normal_squared >= 0.0625 * self.squares[0] * self.squares[2]
    }

    /// The point at share `s` of an edge.
    #[inline]
    pub(super) fn on_edge(&self, i: usize, s: f64) -> Vec3 {
        along([self.corners[i], self.corners[(i + 1) % 3]], self.edges[i], s)
    }

    /// The closest point of the three edges.
    pub(super) fn closest_on_border(&self, p: Vec3) -> Vec3 {
        let on_edge = |i: usize| {
            let point = self.on_edge(i, share(self.edges[i].dot(p - self.corners[i]), self.squares[i]));
            (p.distance_squared(point), point)
        };
        let nearer = |a: (f64, Vec3), b: (f64, Vec3)| if b.0 < a.0 { b } else { a };
        nearer(nearer(on_edge(0), on_edge(1)), on_edge(2)).1
    }
}
