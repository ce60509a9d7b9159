//! Rotations for given axes, and even, fixed spreads of rotations and directions: where searches start.

use crate::math::{Mat3, Quat, Vec3};
use std::f64::consts::{PI, SQRT_2, TAU};

/// `n` rotations spread evenly over all of them (super-Fibonacci spirals, Alexa 2022).
pub(super) fn rotations(n: usize) -> impl Iterator<Item = Quat> {
    // Root of x^4 = x + 4, which makes the second spiral as irregular as possible against the first.
    let psi = 1.533_751_168_755_204_3;
    (0..n).map(move |i| {
        let turns = i as f64 + 0.5;
        let share = turns / n as f64;
        let (sin_a, cos_a) = (TAU * turns / SQRT_2).sin_cos();
        let (sin_b, cos_b) = (TAU * turns / psi).sin_cos();
        let (inner, outer) = (share.sqrt(), (1.0 - share).sqrt());
        Quat::from_xyzw(inner * sin_a, inner * cos_a, outer * sin_b, outer * cos_b).normalize()
    })
}

/// `n` directions spread evenly over the half sphere z > 0 (golden-angle spiral); the other half is their negatives.
pub(super) fn directions(n: usize) -> impl Iterator<Item = Vec3> {
    let golden_angle = PI * (3.0 - 5.0f64.sqrt());
    (0..n).map(move |i| {
        let z = 1.0 - (i as f64 + 0.5) / n as f64;
        let (sin, cos) = (golden_angle * i as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * cos, r * sin, z)
    })
}

/// A rotation that takes z to `axis` (unit); accurate for every axis, unlike the shortest arc near half turns.
pub(super) fn z_to(axis: Vec3) -> Quat {
    let (x, y) = axis.any_orthonormal_pair();
    Quat::from_mat3(&Mat3::from_cols(x, y, axis)).normalize()
}

/// A rotation that takes x to `axis` (unit).
pub(super) fn x_to(axis: Vec3) -> Quat {
    let (y, z) = axis.any_orthonormal_pair();
    Quat::from_mat3(&Mat3::from_cols(axis, y, z)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn axes_are_met_to_rounding() {
        let mut random = Random::new(8);
        let near_poles = [-Vec3::X, -Vec3::Z, Vec3::new(1e-9, 0.0, -1.0), Vec3::new(-1.0, 1e-7, 0.0)];
        for i in 0..1000 {
            let axis = near_poles.get(i).copied().unwrap_or_else(|| random.direction());
            let axis = axis.try_normalize().expect("not zero");
            assert!((z_to(axis) * Vec3::Z).distance(axis) < 1e-15, "{axis}");
            assert!((x_to(axis) * Vec3::X).distance(axis) < 1e-15, "{axis}");
        }
    }

    #[test]
    fn spreads_leave_no_hole() {
        let mut random = Random::new(9);
        let (all, some): (Vec<Quat>, Vec<Vec3>) = (rotations(400).collect(), directions(200).collect());
        for _ in 0..1000 {
            let (rotation, direction) = (random.rotation(), random.direction());
            let nearest = all.iter().map(|q| q.dot(rotation).abs()).fold(0.0, f64::max);
            assert!(2.0 * nearest.min(1.0).acos() < 0.8, "a rotation far from all");
            let nearest = some.iter().map(|d| d.dot(direction).abs()).fold(0.0, f64::max);
            assert!(nearest.min(1.0).acos() < 0.2, "a direction far from all");
        }
    }
}
