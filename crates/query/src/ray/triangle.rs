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
    origin: Vec3,
    /// The axis of the longest component, and the two others, so that windings are kept.
    axes: [usize; 3],
    /// What is taken off x and y for each unit of z, and metres along the ray for each unit of z.
    shear: [f64; 3],
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
        let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
        if d[z] < 0.0 {
            (x, y) = (y, x);
        }
        Sheared { origin: ray.origin, axes: [x, y, z], shear: [d[x] / d[z], d[y] / d[z], 1.0 / d[z]] }
    }

    #[inline(always)]
    fn corner(&self, point: Vec3) -> [f64; 3] {
        let v = (point - self.origin).to_array();
        let [x, y, z] = self.axes;
        let z = v[z];
        [v[x] - self.shear[0] * z, v[y] - self.shear[1] * z, z * self.shear[2]]
    }

    /// Where the line crosses the closed triangle.
    #[inline(always)]
    pub(super) fn crossing(&self, [a, b, c]: [Vec3; 3]) -> Option<Crossing> {
        let [a, b, c] = [self.corner(a), self.corner(b), self.corner(c)];
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let low = u.min(v).min(w);
        let high = u.max(v).max(w);
        if low < 0.0 && high > 0.0 {
            return None;
        }
        if low == high {
            // All zero, or the middle of the triangle.
            if low == 0.0 {
                return in_plane(a, b, c);
            }
        }
        let distance = (u * a[2] + v * b[2] + w * c[2]) / (u + v + w);
        // NaN only where products of coordinates leave the range of f64.
        (distance.is_finite()).then_some(Crossing { enter: distance, leave: distance, from_back: low < 0.0 })
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
