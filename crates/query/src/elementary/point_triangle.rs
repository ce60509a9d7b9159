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
    /// The corners, the one opposite the longest edge first.
    pub(super) corners: [Vec3; 3],
    /// From the first corner to the others, and from the second to the third.
    pub(super) u: Vec3,
    pub(super) v: Vec3,
    opposite: Vec3,
    /// Cross product of u and v and the square of its length, perhaps zero.
    pub(super) normal: Vec3,
    pub(super) nn: f64,
    uu: f64,
    vv: f64,
    oo: f64,
}

impl Frame {
    #[inline]
    pub(super) fn new(b: [Vec3; 3]) -> Frame {
        let edges = [b[1] - b[0], b[2] - b[1], b[0] - b[2]];
        let squares = edges.map(Vec3::length_squared);
        // The angle at the first corner is the largest, so that its sine is small only for triangles that are flat
        // as a whole: then an error along the edges does not lead away from the triangle.
        let (i, j, k) = if squares[1] >= squares[0] && squares[1] >= squares[2] {
            (0, 1, 2)
        } else if squares[2] >= squares[0] {
            (1, 2, 0)
        } else {
            (2, 0, 1)
        };
        let (u, v) = (edges[i], -edges[k]);
        let normal = u.cross(v);
        Frame {
            corners: [b[i], b[j], b[k]],
            u,
            v,
            opposite: edges[j],
            normal,
            nn: normal.length_squared(),
            uu: squares[i],
            vv: squares[k],
            oo: squares[j],
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
        if !(self.nn > 0.0) {
            return None;
        }
        let w = p - self.corners[0];
        let t = self.u.cross(w).dot(self.normal) / self.nn;
        // s for this t, not by another determinant: so the error of t along the edges of a flat triangle is undone.
        let s = (w - t * self.v).dot(self.u) / self.uu;
        (t >= 0.0 && s >= 0.0 && s + t <= 1.0).then(|| self.corners[0] + s * self.u + t * self.v)
    }

    fn closest_on_border(&self, p: Vec3) -> Vec3 {
        let [o, q, r] = self.corners;
        let w = p - o;
        let on_u = along([o, q], self.u, share(self.u.dot(w), self.uu));
        let on_v = along([o, r], self.v, share(self.v.dot(w), self.vv));
        let on_opposite = along([q, r], self.opposite, share(self.opposite.dot(p - q), self.oo));
        let [du, dv, d_opposite] = [on_u, on_v, on_opposite].map(|x| p.distance_squared(x));
        if du <= dv && du <= d_opposite {
            on_u
        } else if dv <= d_opposite {
            on_v
        } else {
            on_opposite
        }
    }
}
