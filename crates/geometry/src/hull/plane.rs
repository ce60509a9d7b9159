//! The plane of a face with a floating-point filter: most sides are certain without exact arithmetic.

use crate::math::Vec3;
use crate::math::predicates::side_of_plane;
use std::cmp::Ordering;

/// A plane through three points, evaluated in f64 with a bound on the error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Normal, as long as twice the area of the triangle.
    normal: Vec3,
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

/// True if `p` lies strictly above the plane through `corners`, whose filter is `plane`.
pub(super) fn is_above(plane: &Plane, corners: [Vec3; 3], p: Vec3) -> bool {
    side(plane, corners, p) == Ordering::Greater
}

/// The side of the plane through `corners`, whose filter is `plane`, that `p` lies on.
pub(super) fn side(plane: &Plane, corners: [Vec3; 3], p: Vec3) -> Ordering {
    let height = plane.height(p);
    if height > plane.error {
        Ordering::Greater
    } else if height < -plane.error {
        Ordering::Less
    } else {
        side_of_plane(corners[0], corners[1], corners[2], p)
    }
}
