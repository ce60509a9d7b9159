//! How many dimensions do the points span? Decided exactly, with corners to show for it.

use crate::math::predicates::{are_collinear, side_of_plane};
use crate::math::{Aabb, Vec3};
use std::cmp::Ordering;

/// Points of the input that span as much as all of them; equal points are represented by the lowest index.
pub(super) enum Simplex {
    Point(u32),
    /// The two ends of all points.
    Segment([u32; 2]),
    /// Three points, not on one line.
    Triangle([u32; 3]),
    /// Four points; the fourth lies below the plane of the first three (opposite to their normal).
    Tetrahedron([u32; 4]),
}

/// The dimension of a non-empty set of finite points. Tries to span far, which is not needed for correctness.
pub(super) fn of(points: &[Vec3]) -> Simplex {
    let size = Aabb::of_points(points).size();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    // The size may round to a positive number only if the ends differ: subtraction of unequal floats is not zero.
    let a = first_largest(points, |p| -p[axis]);
    let b = first_largest(points, |p| p[axis]);
    let (pa, pb) = (points[a], points[b]);
    if pa == pb {
        return Simplex::Point(a as u32);
    }
    let c = first_largest(points, |p| (pb - pa).cross(p - pa).length_squared());
    let c = if are_collinear(pa, pb, points[c]) {
        points.iter().position(|&p| !are_collinear(pa, pb, p))
    } else {
        Some(c)
    };
    let Some(c) = c else {
        // On a line that is not perpendicular to the axis, so the extremes along the axis are the ends.
        return Simplex::Segment([a as u32, b as u32]);
    };
    let pc = points[c];
    let normal = (pb - pa).cross(pc - pa);
    let d = first_largest(points, |p| normal.dot(p - pa).abs());
    let side = |p: Vec3| side_of_plane(pa, pb, pc, p);
    let d = if side(points[d]).is_eq() { points.iter().position(|&p| side(p).is_ne()) } else { Some(d) };
    let [a, b, c] = [a, b, c].map(|i| i as u32);
    match d {
        None => Simplex::Triangle([a, b, c]),
        Some(d) if side(points[d]) == Ordering::Less => Simplex::Tetrahedron([a, b, c, d as u32]),
        Some(d) => Simplex::Tetrahedron([a, c, b, d as u32]),
    }
}

/// Index of the largest value, the lowest index among equals.
fn first_largest(points: &[Vec3], value: impl Fn(Vec3) -> f64) -> usize {
    let mut best = 0;
    let mut largest = f64::NEG_INFINITY;
    for (i, &p) in points.iter().enumerate() {
        let v = value(p);
        if v > largest {
            (best, largest) = (i, v);
        }
    }
    best
}
