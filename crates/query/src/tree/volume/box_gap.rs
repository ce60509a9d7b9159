//! The gap between two boxes at any angle, by the fifteen directions that can separate them.

use freiraum_geometry::math::power_of_two;
use freiraum_geometry::{Mat3, Vec3};

/// A lower bound on the distance of two boxes, zero or less if they may touch.
///
/// Box a is centred on the origin of its frame with half edges `half_a`; box b has its centre at `apart` and its axes
/// are the columns of `a_from_b`. `slack` bounds the rounding of `apart` and is taken off every gap.
///
/// **Guarantee.** Positive exactly where one of the fifteen directions separates by more than the slack: two boxes that
/// are clearly apart are always found apart. The bound is the distance itself where faces are nearest to each other.
pub(super) fn box_gap(half_a: Vec3, half_b: Vec3, a_from_b: &Mat3, apart: Vec3, slack: f64) -> f64 {
    // Along the three axes of a, and of b: the gaps along perpendicular directions add up like the sides of a box.
    let absolute = Mat3::from_cols(a_from_b.x_axis.abs(), a_from_b.y_axis.abs(), a_from_b.z_axis.abs());
    let along_a = apart.abs() - half_a - absolute * half_b - slack;
    let along_b = (a_from_b.transpose() * apart).abs() - half_b - absolute.transpose() * half_a - slack;
    let faces = along_a.max(Vec3::ZERO).length().max(along_b.max(Vec3::ZERO).length());
    if faces > 0.0 {
        return faces * (1.0 - 8.0 * f64::EPSILON);
    }
    // Edge directions of a are the axes; the products with an axis are two components of the column, swapped.
    let mut largest = 0.0f64;
    for axis_b in [a_from_b.x_axis, a_from_b.y_axis, a_from_b.z_axis] {
        for direction in [
            Vec3::new(0.0, -axis_b.z, axis_b.y),
            Vec3::new(axis_b.z, 0.0, -axis_b.x),
            Vec3::new(-axis_b.y, axis_b.x, 0.0),
        ] {
            let length = direction.length();
            // Nearly parallel edges: a face direction has said it all.
            if length <= PARALLEL {
                continue;
            }
            let radius_a = direction.abs().dot(half_a);
            let radius_b = (a_from_b.transpose() * direction).abs().dot(half_b);
            let gap = direction.dot(apart).abs() - radius_a - radius_b;
            largest = largest.max(gap / length - 4.0 * slack / length);
        }
    }
    largest
}

/// Sine of the angle under which two edges count as parallel: the square root of the resolution, where the direction
/// of the product has lost half of its digits.
const PARALLEL: f64 = power_of_two(-26);
