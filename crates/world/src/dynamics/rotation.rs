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
    let (cos, share) = series(square);
    let mut q = Quat::from_xyzw(share * half.x, share * half.y, share * half.z, cos);
    for _ in 0..doublings {
        q = q * q;
    }
    q
}

/// cos x and sin x / x for a square of x of at most 1/4.
#[inline]
fn series(square: f64) -> (f64, f64) {
    let sum = |c: [f64; 7]| {
        // In pairs, which depend on each other less than one after the other.
        let fourth = square * square;
        let [low, middle, high] = [c[0] + square * c[1], c[2] + square * c[3], c[4] + square * c[5]];
        low + fourth * (middle + fourth * (high + fourth * c[6]))
    };
    (sum(COSINE), sum(SINE))
}

/// (-1)^k / (2k)! and (-1)^k / (2k + 1)!.
const COSINE: [f64; 7] =
    [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
const SINE: [f64; 7] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
];

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
/// **Guarantee.** The angular momentum in the world is kept to rounding. Exact for three equal moments and for two (wheels, rods); for others a
/// symmetric splitting into turns about the principal axes, of second order in time, whose energy stays near its true value
/// for all times. Energy does not grow by more than a thousandth: bodies that turn too fast for that turn about their axis as it is in the body.
pub(crate) fn free_turn(frame: Quat, moments: Vec3, angular: Vec3, time: f64) -> (Quat, Vec3) {
    if let Some(axis) = round_axis(moments)
        && angular.length_squared() * time * time <= MOST_ROUND_TURN * MOST_ROUND_TURN
    {
        return match axis {
            0 => round_turn::<0>(frame, moments, angular, time),
            1 => round_turn::<1>(frame, moments, angular, time),
            _ => round_turn::<2>(frame, moments, angular, time),
        };
    }
    // Long bodies feel small errors of their axis much: the more so the more their moments differ.
    let angle = angular.length() * time * (moments.max_element() / moments.min_element()).sqrt();
    let count = (angle * TURNS_PER_RADIAN).ceil().max(1.0);
    let start = frame.conjugate() * angular;
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

/// Radians up to which the turn of a round body is found in closed form.
const MOST_ROUND_TURN: f64 = 64.0;

/// The axis about which a body is round: the other two moments are the same to rounding.
#[inline]
fn round_axis(moments: Vec3) -> Option<usize> {
    let Vec3 { x, y, z } = moments;
    let is_same = |a: f64, b: f64| (a - b).abs() <= 64.0 * f64::EPSILON * a.max(b);
    if is_same(z, x) {
        Some(1)
    } else if is_same(x, y) {
        Some(2)
    } else if is_same(y, z) {
        Some(0)
    } else {
        None
    }
}

/// The free turn of a body that is round about a principal axis: its axis goes round the momentum, which stands still, while the body turns about its axis.
fn round_turn<const AXIS: usize>(frame: Quat, moments: Vec3, angular: Vec3, time: f64) -> (Quat, Vec3) {
    let before = axis_of::<AXIS>(frame);
    // What the body turns about its axis beside the turn about the momentum.
    let own = before.dot(angular) * (1.0 - moments[AXIS] / moments[(AXIS + 1) % 3]);
    let round = angular - own * before;
    let mut turned = frame.to_array();
    turn_about::<AXIS>(&mut turned, cos_sin(0.5 * time * own));
    let q = renormalised(quaternion(time * round) * Quat::from_array(turned));
    (q, round + own * axis_of::<AXIS>(q))
}

/// Where an axis of a frame points to.
#[inline]
fn axis_of<const AXIS: usize>(frame: Quat) -> Vec3 {
    let q = frame.to_array();
    let (next, last) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let mut to = [0.0; 3];
    to[AXIS] = 1.0 - 2.0 * (q[next] * q[next] + q[last] * q[last]);
    to[next] = 2.0 * (q[AXIS] * q[next] + q[3] * q[last]);
    to[last] = 2.0 * (q[AXIS] * q[last] - q[3] * q[next]);
    Vec3::from_array(to)
}

/// Cosine and sine.
#[inline]
fn cos_sin(angle: f64) -> (f64, f64) {
    if angle * angle <= 0.25 {
        let (cos, share) = series(angle * angle);
        (cos, share * angle)
    } else {
        let by = quaternion(Vec3::new(2.0 * angle, 0.0, 0.0));
        (by.w, by.x)
    }
}

/// The product with a quaternion that has a part along this axis only: cosine and sine of half the angle of a turn about it.
#[inline]
fn turn_about<const AXIS: usize>(q: &mut [f64; 4], (cos, sin): (f64, f64)) {
    let (next, last) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let (a, b, c, w) = (q[AXIS], q[next], q[last], q[3]);
    q[AXIS] = a * cos + w * sin;
    q[next] = b * cos + c * sin;
    q[last] = c * cos - b * sin;
    q[3] = w * cos - a * sin;
}

/// One symmetric splitting into turns about the principal axes.
fn split_turn(frame: Quat, moments: Vec3, angular: Vec3, time: f64) -> (Quat, Vec3) {
    let rates = (1.0 / moments).to_array();
    let mut q = frame.to_array();
    let mut momentum = (moments * (frame.conjugate() * angular)).to_array();
    turn_part::<0>(&mut q, &mut momentum, &rates, 0.5 * time);
    turn_part::<1>(&mut q, &mut momentum, &rates, 0.5 * time);
    turn_part::<2>(&mut q, &mut momentum, &rates, time);
    turn_part::<1>(&mut q, &mut momentum, &rates, 0.5 * time);
    turn_part::<0>(&mut q, &mut momentum, &rates, 0.5 * time);
    let q = renormalised(Quat::from_array(q));
    (q, q * (Vec3::from_array(momentum) * Vec3::from_array(rates)))
}

/// About a principal axis the body turns at the rate of that part of its momentum; seen from the body the momentum turns the other way.
#[inline]
fn turn_part<const AXIS: usize>(q: &mut [f64; 4], momentum: &mut [f64; 3], rates: &[f64; 3], time: f64) {
    let (cos, sin) = cos_sin(0.5 * time * momentum[AXIS] * rates[AXIS]);
    turn_about::<AXIS>(q, (cos, sin));
    let (next, last) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let (sine, versine) = (2.0 * sin * cos, 2.0 * sin * sin);
    let (y, z) = (momentum[next], momentum[last]);
    momentum[next] = y - versine * y + sine * z;
    momentum[last] = z - versine * z - sine * y;
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

    /// Round bodies against many small splittings; the axis of roundness is every one of the three.
    #[test]
    fn round_bodies_turn_as_many_small_turns() {
        for (moments, w) in [
            (Vec3::new(1.0, 2.5, 1.0), Vec3::new(0.3, 4.0, -0.2)),
            (Vec3::new(0.4, 3.0, 3.0), Vec3::new(2.0, -1.0, 0.5)),
            (Vec3::new(2.0, 2.0, 3.5), Vec3::new(-1.0, 3.0, 6.0)),
        ] {
            let start = quaternion(Vec3::new(0.3, -0.7, 1.1));
            let (time, count) = (0.7, 20_000);
            let (mut q, mut v) = (start, w);
            for _ in 0..count {
                (q, v) = split_turn(q, moments, v, time / f64::from(count));
            }
            let (found, angular) = free_turn(start, moments, w, time);
            assert!((found - q).length() < 1e-7, "{moments} {}", (found - q).length());
            assert!((angular - v).length() < 1e-7, "{moments} {}", angular - v);
            let energy = |q: Quat, w: Vec3| w.dot(q * (moments * (q.conjugate() * w)));
            assert!((energy(found, angular) / energy(start, w) - 1.0).abs() < 1e-14);
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
