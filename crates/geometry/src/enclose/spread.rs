//! Even, fixed spreads of rotations and directions: where searches start, the same every time.

use crate::math::{Quat, Vec3};
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
