//! The point of a triangle that is closest to a point.

use super::Nearest;
use super::segment_segment::{along, share};
use freiraum_geometry::Vec3;

/// The closest point of the triangle `b` to the point `a`.
///
/// **Guarantee.** Accurate also for needles and for triangles with an angle of almost half a turn.
/// **Degenerate input.** A triangle without area is the segment or point that its corners span.
pub fn point_triangle(a: Vec3, b: [Vec3; 3]) -> Nearest {
    Nearest::of_points(a, Frame::new(b).closest(a))
}

/// What the closest points of many points on one triangle share.
pub(super) struct Frame {
    /// The corners, in their cyclic order, the one opposite the longest edge first.
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
        // The angle at the first corner is the largest, so that its sine is small only for triangles that are flat
        // as a whole: then an error along the edges does not lead away from the triangle.
        let [i, j, k] = if squares[1] >= squares[0] && squares[1] >= squares[2] {
            [0, 1, 2]
        } else if squares[2] >= squares[0] {
            [1, 2, 0]
        } else {
            [2, 0, 1]
        };
        let normal = edges[k].cross(edges[i]);
        Frame {
            corners: [b[i], b[j], b[k]],
            edges: [edges[i], edges[j], edges[k]],
            squares: [squares[i], squares[j], squares[k]],
            normal,
            normal_squared: normal.length_squared(),
        }
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

    /// The height over the plane, in lengths of the normal. The triangle has an area.
    pub(super) fn height(&self, p: Vec3) -> f64 {
        // The normal of a flat triangle is least accurate along its edges, just where that matters most.
        let u = self.edges[0];
        let normal = self.normal - (self.normal.dot(u) / self.squares[0]) * u;
        normal.dot(p - self.corners[0])
    }

    /// True if the sine of the largest angle is not small, so that heights are as accurate as points.
    #[inline]
    pub(super) fn is_wide(&self) -> bool {
        self.normal_squared >= 0.0625 * self.squares[0] * self.squares[2]
    }

    /// The closest point of the three edges.
    pub(super) fn closest_on_border(&self, p: Vec3) -> Vec3 {
        let on_edge = |i: usize| {
            let (corner, edge) = (self.corners[i], self.edges[i]);
            let s = share(edge.dot(p - corner), self.squares[i]);
            let point = along([corner, self.corners[(i + 1) % 3]], edge, s);
            (p.distance_squared(point), point)
        };
        let nearer = |a: (f64, Vec3), b: (f64, Vec3)| if b.0 < a.0 { b } else { a };
        nearer(nearer(on_edge(0), on_edge(1)), on_edge(2)).1
    }
}
