//! Turning bodies: rotations by small vectors, and the free rotation of bodies of any inertia.
//!
//! No sine or cosine of the platform is used, so that a state is the same on every machine.

use freiraum_geometry::{MassProperties, Mat3, Quat, Vec3};

/// The rotation about `turn` by its length in radians.
///
/// **Guarantee.** Within a few units of rounding for every length; a unit quaternion.
pub(crate) fn quaternion(turn: Vec3) -> Quat {
    let mut half = 0.5 * turn;
    let mut square = half.length_squared();
    let mut doublings = 0;
    // The series below are good to rounding up to half a radian.
    while square > 0.25 && doublings < 64 {
        half *= 0.5;
        square *= 0.25;
        doublings += 1;
    }
    // cos x and sin x / x as series in x².
    let cos = 1.0
        - square / 2.0
            * (1.0
                - square / 12.0
                    * (1.0
                        - square / 30.0
                            * (1.0 - square / 56.0 * (1.0 - square / 90.0 * (1.0 - square / 132.0)))));
    let share = 1.0
        - square / 6.0
            * (1.0
                - square / 20.0
                    * (1.0
                        - square / 42.0
                            * (1.0 - square / 72.0 * (1.0 - square / 110.0 * (1.0 - square / 156.0)))));
    let mut q = Quat::from_xyzw(share * half.x, share * half.y, share * half.z, cos);
    for _ in 0..doublings {
        q = q * q;
    }
    q
}

/// The turn as a vector that a unit quaternion stands for, by at most half a turn: the inverse of [`quaternion`].
pub(crate) fn turn_of(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = q.xyz();
    let sine = v.length();
    if sine == 0.0 {
        return Vec3::ZERO;
    }
    // Half the angle is atan(sine / w) = 2 atan(sine / (1 + w)); halved twice more the series is short.
    let mut x = sine / (1.0 + q.w);
    for _ in 0..2 {
        x /= 1.0 + (1.0 + x * x).sqrt();
    }
    let square = x * x;
    let mut sum = 0.0;
    for k in (0..12).rev() {
        sum = 1.0 / f64::from(2 * k + 1) - square * sum;
    }
    // Twice the half angle, doubled three times.
    v * (16.0 * x * sum / sine)
}

/// A unit quaternion again after a few products: one step of Newton's method for 1/√x, without a root.
pub(crate) fn renormalised(q: Quat) -> Quat {
    q * (1.5 - 0.5 * q.length_squared())
}

/// Turns a body free of torques for a time: its new orientation and angular velocity.
///
/// **Guarantee.** The angular momentum in the world is kept to rounding. Exact for three equal moments; for others a
/// symmetric splitting into turns about the principal axes, of second order in time, whose energy stays near its true value
/// for all times. Energy does not grow by more than a thousandth: bodies that turn too fast for that turn about their axis as it is in the body.
pub(crate) fn free_turn(frame: Quat, moments: Vec3, angular: Vec3, time: f64) -> (Quat, Vec3) {
    let start = frame.conjugate() * angular;
    // Long bodies feel small errors of their axis much: the more so the more their moments differ.
    let angle = start.length() * time * (moments.max_element() / moments.min_element()).sqrt();
    let count = (angle * TURNS_PER_RADIAN).ceil().max(1.0);
    if count <= MOST_TURNS {
        let (mut q, mut w) = (frame, angular);
        for _ in 0..count as usize {
            (q, w) = split_turn(q, moments, w, time / count);
        }
        let end = q.conjugate() * w;
        let energy = |w: Vec3| w.dot(moments * w);
        if energy(end) <= GROWTH * energy(start) {
            return (q, w);
        }
    }
    let q = renormalised(quaternion(time * angular) * frame);
    (q, q * start)
}

/// See [`free_turn`].
const TURNS_PER_RADIAN: f64 = 4.0;
const MOST_TURNS: f64 = 256.0;
const GROWTH: f64 = 1.001;

/// One symmetric splitting into turns about the principal axes.
fn split_turn(frame: Quat, moments: Vec3, angular: Vec3, time: f64) -> (Quat, Vec3) {
    let mut momentum = moments * (frame.conjugate() * angular);
    let mut q = frame;
    let mut turn = |axis: Vec3, share: f64| {
        // About a principal axis the body turns at the rate of that part of its momentum; seen from the body the momentum
        // turns the other way.
        let angle = share * time * momentum.dot(axis / moments);
        let by = quaternion(angle * axis);
        q *= by;
        momentum = by.conjugate() * momentum;
    };
    turn(Vec3::X, 0.5);
    turn(Vec3::Y, 0.5);
    turn(Vec3::Z, 1.0);
    turn(Vec3::Y, 0.5);
    turn(Vec3::X, 0.5);
    let q = renormalised(q);
    (q, q * (momentum / moments))
}

/// Principal moments and the frame in which the inertia is diagonal.
pub(crate) fn principal_frame(inertia: Mat3) -> (Vec3, Quat) {
    let diagonal = inertia.diagonal();
    let rest = inertia - Mat3::from_diagonal(diagonal);
    let largest = rest.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    // Diagonal to rounding: the frame of the body will do, without turning it.
    if largest <= 64.0 * f64::EPSILON * diagonal.max_element() {
        return (diagonal, Quat::IDENTITY);
    }
    let solid = MassProperties { volume: 1.0, centroid: Vec3::ZERO, inertia };
    let principal = solid.principal_axes();
    (principal.moments, Quat::from_mat3(&principal.axes).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_sine_and_cosine() {
        for length in [0.0, 1e-9, 0.3, 0.99, 1.0, 2.0, 7.0, 100.0] {
            let axis = Vec3::new(2.0, -3.0, 6.0) / 7.0;
            let found = quaternion(length * axis);
            let expected = Quat::from_axis_angle(axis, length);
            let off = (found - expected).length();
            assert!(off < 64.0 * f64::EPSILON * (1.0 + length), "{length}: {off:e}");
        }
    }

    #[test]
    fn turns_come_back() {
        for length in [0.0, 1e-9, 0.3, 1.0, 2.0, 3.0, 3.125] {
            let turn = length * Vec3::new(2.0, -3.0, 6.0) / 7.0;
            let off = (turn_of(quaternion(turn)) - turn).length();
            assert!(off < 1e-14 * (1.0 + length), "{length}: {off:e}");
        }
    }

    #[test]
    fn free_turns_keep_momentum() {
        let (moments, mut q) = (Vec3::new(1.0, 2.0, 3.5), Quat::IDENTITY);
        let mut w = Vec3::new(0.3, 4.0, -0.2);
        let momentum = |q: Quat, w: Vec3| q * (moments * (q.conjugate() * w));
        let before = momentum(q, w);
        for _ in 0..10_000 {
            (q, w) = free_turn(q, moments, w, 0.01);
        }
        assert!((momentum(q, w) - before).length() < 1e-11, "{}", momentum(q, w) - before);
        assert!((q.length() - 1.0).abs() < 1e-14);
    }
}
