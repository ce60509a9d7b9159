//! Signs that are always right: adaptive exact arithmetic behind a fast filter (crate `robust`).
//!
//! **Guarantee.** Exact for every finite f64 input whose products neither overflow nor underflow: coordinates
//! between about 1e-70 and 1e70 in magnitude, or zero. Zero means exactly coplanar, collinear and so on.

use super::{Vec2, Vec3};
use std::cmp::Ordering;

fn coord(p: Vec3) -> robust::Coord3D<f64> {
    robust::Coord3D { x: p.x, y: p.y, z: p.z }
}

/// On which side of the plane through `a`, `b`, `c` the point `d` lies.
///
/// `Greater`: on the side from which a, b, c appear counter-clockwise (the side their right-hand normal points
/// to); `Less`: on the other; `Equal`: exactly in the plane.
pub fn side_of_plane(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Ordering {
    // robust's orient3d is positive when d lies below the plane (a, b, c clockwise seen from d).
    sign(-robust::orient3d(coord(a), coord(b), coord(c), coord(d)))
}

/// On which side of the directed line from `a` to `b` the point `c` lies in the plane: `Greater` is left.
pub fn side_of_line(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let coord = |p: Vec2| robust::Coord { x: p.x, y: p.y };
    sign(robust::orient2d(coord(a), coord(b), coord(c)))
}

/// True if the three points lie exactly on one line (or coincide).
pub fn are_collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    // Collinear in space exactly when the projections on all three coordinate planes are collinear.
    let flat = |f: fn(Vec3) -> Vec2| side_of_line(f(a), f(b), f(c)) == Ordering::Equal;
    flat(|p| Vec2::new(p.x, p.y)) && flat(|p| Vec2::new(p.y, p.z)) && flat(|p| Vec2::new(p.z, p.x))
}

fn sign(x: f64) -> Ordering {
    // partial_cmp, not total_cmp: minus zero is zero. The argument is never NaN for finite input.
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_is_where_the_normal_points() {
        let (a, b, c) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        assert_eq!(side_of_plane(a, b, c, Vec3::Z), Ordering::Greater);
        assert_eq!(side_of_plane(a, b, c, -Vec3::Z), Ordering::Less);
        assert_eq!(side_of_plane(a, b, c, Vec3::new(3.0, -7.0, 0.0)), Ordering::Equal);
    }

    #[test]
    fn one_unit_in_the_last_place_decides() {
        let (a, b, c) = (Vec3::new(0.1, 0.1, 0.1), Vec3::new(0.2, 0.3, 0.4), Vec3::new(0.7, 0.5, 0.2));
        let d = a;
        assert_eq!(side_of_plane(a, b, c, d), Ordering::Equal);
        let n = (b - a).cross(c - a);
        let up = Vec3::new(d.x, d.y, if n.z > 0.0 { d.z.next_up() } else { d.z.next_down() });
        assert_eq!(side_of_plane(a, b, c, up), Ordering::Greater);
    }

    #[test]
    fn collinear_is_exact() {
        assert!(are_collinear(Vec3::ZERO, Vec3::splat(1.0), Vec3::splat(3.0)));
        assert!(are_collinear(Vec3::ONE, Vec3::ONE, Vec3::ZERO));
        assert!(!are_collinear(Vec3::ZERO, Vec3::splat(1.0), Vec3::new(3.0, 3.0, 3.0f64.next_up())));
    }
}
