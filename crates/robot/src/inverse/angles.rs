//! Angles from equations and between vectors.

use freiraum_geometry::math::roots::{Solutions, trig1};
use freiraum_geometry::tolerance::AXES_RELATIVE;
use freiraum_geometry::{Quat, Vec3};
use std::f64::consts::TAU;

/// The angles that solve an equation, or come nearest.
pub(super) enum Angles {
    /// One or two angles, and by how much the equation is missed there: 0 for roots.
    At([f64; 2], usize, f64),
    /// Every angle.
    Any,
}

/// The angles t with `alpha cos t + beta sin t + gamma = 0`, or the one where the left side is smallest if it vanishes nowhere.
///
/// Coefficients are of size 1; where both of the first vanish nothing depends on the angle.
pub(super) fn angles(alpha: f64, beta: f64, gamma: f64) -> Angles {
    let swing = alpha.hypot(beta);
    if swing <= 16.0 * f64::EPSILON {
        return Angles::Any;
    }
    match trig1(alpha, beta, gamma) {
        Solutions::At(roots) if !roots.is_empty() => {
            let last = roots[roots.len() - 1];
            Angles::At([roots[0], last], roots.len().min(2), 0.0)
        }
        _ => {
            let away = -gamma.signum();
            let at = (away * beta).atan2(away * alpha);
            Angles::At([at, at], 1, gamma.abs() - swing)
        }
    }
}

impl Angles {
    /// The angles, or `current` if any will do, and by how much the equation is missed.
    pub(super) fn or(self, current: f64) -> ([f64; 2], usize, f64) {
        match self {
            Angles::At(at, count, miss) => (at, count, miss),
            Angles::Any => ([current; 2], 1, 0.0),
        }
    }
}

/// True if a miss is too large to be owed to axes that are not quite as the form supposes.
pub(super) fn is_far(miss: f64) -> bool {
    miss > 16.0 * AXES_RELATIVE
}

/// The angles t about the unit axis `b` so that `c` then makes the same angle with `a` as `to` does, and by how much this is missed at best, in radians.
///
/// Sides of a triangle on the sphere: a and b, b and c are `first` and `second` apart, a and `to` are `third` apart. Half angles instead of cosines keep small
/// angles sharp, where a wrist is nearly in line.
pub(super) fn angles_on_sphere(a: Vec3, b: Vec3, c: Vec3, to: Vec3) -> ([f64; 2], usize, f64) {
    let between = |a: Vec3, b: Vec3| a.cross(b).length().atan2(a.dot(b));
    let (first, second, third) = (between(a, b), between(b, c), between(a, to));
    // Where c comes nearest to a.
    let nearest = angle_between(b, c, a).0;
    let (low, high) = ((first - second).abs(), first + second);
    let sine = (0.5 * (third + low)).sin() * (0.5 * (third - low)).sin();
    let cosine = (0.5 * (high + third)).sin() * (0.5 * (high - third)).sin();
    let half = sine.max(0.0).sqrt().atan2(cosine.max(0.0).sqrt());
    let miss = (low - third).max(third - high).max(high + third - TAU).max(0.0);
    let count = if sine > 0.0 && cosine > 0.0 { 2 } else { 1 };
    ([nearest - 2.0 * half, nearest + 2.0 * half], count, miss)
}

/// The angle about a unit axis from one vector to another, as seen along the axis, and the length of the shorter of the two as seen so.
pub(super) fn angle_between(axis: Vec3, from: Vec3, to: Vec3) -> (f64, f64) {
    let [from, to] = [from, to].map(|v| v - axis * axis.dot(v));
    (axis.dot(from.cross(to)).atan2(from.dot(to)), from.length().min(to.length()))
}

/// The angle about an axis of a rotation that is one about this axis.
pub(super) fn angle_of(rotation: Quat, axis: Vec3) -> f64 {
    2.0 * Vec3::new(rotation.x, rotation.y, rotation.z).dot(axis).atan2(rotation.w)
}
