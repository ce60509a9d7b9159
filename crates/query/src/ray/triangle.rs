//! A line against a triangle so that lines do not slip through shared edges.
//!
//! The corners are taken relative to the origin of the ray and sheared along its longest component, so that the ray runs
//! along an axis. Both happen corner by corner: triangles that share a corner still share it, bit for bit. What is left
//! is on which side of the origin each edge passes in the plane, `x1 y2 - y1 x2`. Rounding to nearest is monotone, so
//! comparing the two rounded products never gives the wrong sign, at worst zero; zero counts as touching. So the
//! two triangles at an edge never both say that the line passes outside, without any exact arithmetic.

use super::Ray;
use freiraum_geometry::Vec3;

/// A ray in the form that triangles need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheared {
    pub(super) origin: Vec3,
    /// The axis of the longest component, in the following called z; x and y are the next ones in cyclic order.
    pub(super) z: usize,
    /// The ray goes against that axis.
    is_back: bool,
    /// What is taken off x and y for each unit of z, and metres along the ray for each unit of z.
    pub(super) shear: [f64; 3],
}

/// Where the line of a ray crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    /// Along the ray in metres, perhaps negative.
    pub(super) enter: f64,
    /// More than `enter` only if the line lies in the plane of the triangle.
    pub(super) leave: f64,
    /// The line comes from the back of the triangle.
    pub(super) from_back: bool,
}

impl Sheared {
    pub(super) fn new(ray: &Ray) -> Sheared {
        let d = ray.direction;
        let a = d.abs();
        let z = if a.x >= a.y && a.x >= a.z {
            0
        } else if a.y >= a.z {
            1
        } else {
            2
        };
        let [dx, dy, dz] = turned(d, z);
        Sheared { origin: ray.origin, z, is_back: dz < 0.0, shear: [dx / dz, dy / dz, 1.0 / dz] }
    }

    #[inline(always)]
    fn corner(&self, point: Vec3) -> [f64; 3] {
        let [x, y, z] = turned(point - self.origin, self.z);
        [x - self.shear[0] * z, y - self.shear[1] * z, z * self.shear[2]]
    }

    /// Where the line crosses the closed triangle.
    #[inline(always)]
    pub(super) fn crossing(&self, [a, b, c]: [Vec3; 3]) -> Option<Crossing> {
        self.crossing_of([self.corner(a), self.corner(b), self.corner(c)])
    }

    /// The same for sheared corners: x, y, and metres along the ray.
    #[inline(always)]
    pub(super) fn crossing_of(&self, [a, b, c]: [[f64; 3]; 3]) -> Option<Crossing> {
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let low = u.min(v).min(w);
        let high = u.max(v).max(w);
        if low < 0.0 && high > 0.0 {
            return None;
        }
        if low == 0.0 && high == 0.0 {
            return in_plane(a, b, c);
        }
        let distance = (u * a[2] + v * b[2] + w * c[2]) / (u + v + w);
        transversal(distance, (low < 0.0) != self.is_back)
    }
}

/// A crossing at one point.
#[inline(always)]
fn transversal(distance: f64, from_back: bool) -> Option<Crossing> {
    // NaN only where products of coordinates leave the range of f64.
    distance.is_finite().then_some(Crossing { enter: distance, leave: distance, from_back })
}

/// The coordinates with that of an axis last, in cyclic order.
#[inline(always)]
fn turned(v: Vec3, axis: usize) -> [f64; 3] {
    match axis {
        0 => [v.y, v.z, v.x],
        1 => [v.z, v.x, v.y],
        _ => [v.x, v.y, v.z],
    }
}

/// The triangle is seen from its edge, as a segment on a line through the origin.
#[cold]
#[inline(never)]
fn in_plane(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Option<Crossing> {
    let (mut enter, mut leave) = (f64::INFINITY, f64::NEG_INFINITY);
    for [p, q] in [[a, b], [b, c], [c, a]] {
        let side = p[0] * q[0] + p[1] * q[1];
        if side > 0.0 {
            continue;
        }
        let (along_p, along_q) = (p[0].hypot(p[1]), q[0].hypot(q[1]));
        let whole = along_p + along_q;
        if whole > 0.0 {
            let at = p[2] + (q[2] - p[2]) * (along_p / whole);
            (enter, leave) = (enter.min(at), leave.max(at));
        } else {
            (enter, leave) = (enter.min(p[2]).min(q[2]), leave.max(p[2]).max(q[2]));
        }
    }
    (enter <= leave).then_some(Crossing { enter, leave, from_back: false })
}

/// The unit normal of a triangle, or one against the ray if it has no area.
pub(super) fn normal([a, b, c]: [Vec3; 3], ray: &Ray) -> Vec3 {
    freiraum_geometry::math::unit((b - a).cross(c - a)).unwrap_or(-ray.direction)
}
