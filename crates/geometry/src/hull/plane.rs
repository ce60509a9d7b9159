//! The plane of a face with a floating-point filter: most sides are certain without exact arithmetic.

use crate::math::Vec3;
use crate::math::predicates::side_of_plane;
use std::cmp::Ordering;

/// A plane through three points, evaluated in f64 with a bound on the error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Normal, as long as twice the area of the triangle.
    pub(super) normal: Vec3,
    /// First corner.
    origin: Vec3,
    /// A height above this is certainly positive, below its negative certainly negative.
    pub(super) error: f64,
}

impl Plane {
    /// The plane through a, b, c for points inside a box of the edge lengths `size`.
    pub(super) fn new(a: Vec3, b: Vec3, c: Vec3, size: Vec3) -> Plane {
        let (u, v) = (b - a, c - a);
        let (p, q) = (u.abs(), v.abs());
        let bulk = Vec3::new(p.y * q.z + p.z * q.y, p.z * q.x + p.x * q.z, p.x * q.y + p.y * q.x);
        // Each term w * (u * v) of the height carries at most eight roundings of relative size EPSILON / 2 (three
        // differences, three products, two or three sums); |w| is at most the size of the box. Twice that, because
        // the bound itself is rounded too. The last term covers products that underflow.
        let error =
            8.0 * f64::EPSILON * bulk.dot(size) + f64::MIN_POSITIVE * (1.0 + size.x + size.y + size.z);
        Plane { normal: u.cross(v), origin: a, error }
    }

    /// Height of a point above the plane times the length of the normal, off by at most `error`.
    pub(super) fn height(&self, p: Vec3) -> f64 {
        self.normal.dot(p - self.origin)
    }
}

/// The side that a point of the given height above a plane lies on, if the filter is certain of it.
pub(super) fn certain_side(height: f64, plane: &Plane) -> Option<Ordering> {
    if height > plane.error {
        Some(Ordering::Greater)
    } else if height < -plane.error {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// The side of the plane through three corners that `p` lies on, exactly and slowly.
#[cold]
#[inline(never)]
pub(super) fn exact_side(points: &[Vec3], corners: [u32; 3], p: Vec3) -> Ordering {
    let [a, b, c] = corners.map(|i| points[i as usize]);
    side_of_plane(a, b, c, p)
}
