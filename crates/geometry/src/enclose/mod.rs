//! Smallest volumes around points, and the largest sphere inside a convex body.
//!
//! - [`smallest_sphere`]: exact, with the points that prove it; [`sphere_of_two_spheres`] in closed form
//! - [`smallest_box`] of any orientation, by a global search; [`box_of_two_boxes`]
//! - [`smallest_cylinder`], by a global search
//! - [`enclosing_capsule`] and [`enclosing_swept_rectangle`]: good fits, never larger than the sphere
//! - [`KDop`]: planes in 6, 14, 18 or 26 fixed directions
//! - [`largest_inscribed_sphere`] between planes, [`largest_sphere_in_hull`] of points
//!
//! The axis box of points is [`Aabb::of_points`](crate::Aabb::of_points). Everything holds its points in real
//! numbers, not only up to rounding, and the answers scale with the unit. No answer depends on chance: the starts of
//! all searches are fixed.
//!
//! **Range.** Points that differ, but by less than [`MIN_SIZE`] in every coordinate, have no answer (`None`): squares of
//! their differences vanish in f64. Equal points are no trouble.

use crate::math::Aabb;
use crate::tolerance::MIN_SIZE;

mod body;
mod box_descent;
mod box_search;
mod capsule;
mod circle;
mod cylinder;
mod directions;
mod inscribed;
mod kdop;
mod min_norm;
mod oriented_box;
mod polytope;
mod rectangle;
mod sphere;
mod swept_rectangle;
mod two;

pub use capsule::{EnclosingCapsule, enclosing_capsule};
pub use cylinder::{EnclosingCylinder, smallest_cylinder};
pub use inscribed::{
    BoundingPlane, InscribeError, InscribedSphere, largest_inscribed_sphere, largest_sphere_in_hull,
};
pub use kdop::{KDop, KDopKind};
pub use oriented_box::{OrientedBox, box_of_two_boxes, smallest_box};
pub use sphere::{EnclosingSphere, smallest_sphere};
pub use swept_rectangle::{RectangleSweptSphere, enclosing_swept_rectangle};
pub use two::sphere_of_two_spheres;

/// True if points in this box are equal, or far enough apart to be measured.
fn is_measurable(bounds: &Aabb) -> bool {
    let size = bounds.size().max_element();
    size == 0.0 || size >= MIN_SIZE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;

    #[test]
    fn next_to_nothing_has_no_answer_rather_than_a_wrong_one() {
        let cuboid = |s: f64| -> Vec<Vec3> {
            let corner =
                |i: u32| s * Vec3::new(f64::from(i & 1), 2.0 * f64::from(i >> 1 & 1), f64::from(i >> 2));
            (0..8).map(corner).collect()
        };
        let radii = |points: &[Vec3]| {
            [
                smallest_sphere(points).map(|x| x.radius),
                smallest_box(points).map(|x| x.half.length()),
                smallest_cylinder(points).map(|x| x.radius),
                enclosing_capsule(points).map(|x| x.radius),
                enclosing_swept_rectangle(points).map(|x| x.radius),
                largest_sphere_in_hull(points).map(|x| x.radius),
            ]
        };
        let expected = radii(&cuboid(1.0));
        for exponent in [-40, 0, 40] {
            let scale = 2f64.powi(3 * exponent);
            for (found, expected) in radii(&cuboid(scale)).into_iter().zip(expected) {
                let ratio = found.unwrap() / (scale * expected.unwrap());
                assert!((ratio - 1.0).abs() < 1e-6, "{exponent}: {ratio}");
            }
        }
        for scale in [1e-60, 1e-100, 1e-200, 1e-310] {
            assert_eq!(radii(&cuboid(scale)), [None; 6], "{scale}");
        }
        assert_eq!(radii(&[Vec3::splat(1e-310); 3]).map(|x| x.is_some()), [true; 6]);
    }
}
