//! Bodies in flight: what forces do to velocities, and velocities to places.

use super::Mover;
use crate::dynamics::body::{Body, Motion};
use crate::dynamics::rotation::{free_turn, quaternion, renormalised};
use freiraum_geometry::{Quat, Vec3};

/// The speed that is left of a velocity after drag has acted for a time.
///
/// Exact: for `v' = -c v - k |v| v` the speed is `v c e / (c + k v (1 - e))` with `e = exp(-c t)`.
fn dragged(velocity: Vec3, linear: f64, quadratic: f64, time: f64) -> Vec3 {
    let speed = velocity.length();
    if linear == 0.0 {
        return velocity / (1.0 + quadratic * speed * time);
    }
    let left = decay(linear * time);
    velocity * (left / (1.0 + quadratic * speed * (1.0 - left) / linear))
}

/// exp(-x) for x >= 0, without the platform's: the series at x / 2^k, squared k times.
fn decay(x: f64) -> f64 {
    let mut x = x;
    let mut squarings = 0;
    while x > 0.125 && squarings < 32 {
        x *= 0.5;
        squarings += 1;
    }
    let mut sum = 1.0;
    for k in (1..=10).rev() {
        sum = 1.0 - x / f64::from(k) * sum;
    }
    for _ in 0..squarings {
        sum *= sum;
    }
    sum
}

/// Lets gravity, forces and drag act for a time: half of the drag before and half after, so that the error is of second order.
pub(crate) fn kick(body: &Body, mover: &mut Mover, acceleration: Vec3, spin: Vec3, time: f64) {
    let before = mover.linear;
    let drag = &body.drag;
    if drag.linear > 0.0 || drag.quadratic > 0.0 {
        mover.linear = dragged(mover.linear, drag.linear, drag.quadratic, 0.5 * time);
        mover.linear += time * acceleration;
        mover.linear = dragged(mover.linear, drag.linear, drag.quadratic, 0.5 * time);
    } else {
        mover.linear += time * acceleration;
    }
    mover.kick = mover.linear - before;
    if drag.angular > 0.0 {
        mover.angular *= decay(drag.angular * time);
    }
    mover.angular += time * spin;
}

/// Moves and turns a body for a time. A body that nothing pushed flies with the mean of its velocities before and after the forces
/// acted, which is exact for constant gravity.
pub(crate) fn advance(body: &Body, motion: &mut Motion, mover: &mut Mover, time: f64) {
    let velocity = if mover.is_pushed { mover.linear } else { mover.linear - 0.5 * mover.kick };
    let shift = time * velocity;
    mover.moved += shift;
    motion.center += shift;
    let turn = time * mover.angular;
    mover.turned += turn;
    if body.is_isotropic || body.inverse_mass == 0.0 {
        motion.rotation = renormalised(quaternion(turn) * motion.rotation);
    } else if body.body_from_principal == Quat::IDENTITY {
        (motion.rotation, mover.angular) = free_turn(motion.rotation, body.moments, mover.angular, time);
    } else {
        let frame = motion.rotation * body.body_from_principal;
        let (frame, angular) = free_turn(frame, body.moments, mover.angular, time);
        motion.rotation = renormalised(frame * body.body_from_principal.conjugate());
        mover.angular = angular;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_is_the_exponential() {
        for x in [0.0f64, 1e-9, 0.1, 0.125, 0.2, 1.0, 5.0, 30.0] {
            let off = (decay(x) / (-x).exp() - 1.0).abs();
            assert!(off < 1e-14 * (1.0 + x), "{x}: {off:e}");
        }
    }

    #[test]
    fn drag_in_two_halves_is_drag_at_once() {
        let v = Vec3::new(3.0, -4.0, 12.0);
        for (linear, quadratic) in [(0.5, 0.0), (0.0, 0.2), (0.7, 0.3)] {
            let once = dragged(v, linear, quadratic, 0.6);
            let twice = dragged(dragged(v, linear, quadratic, 0.3), linear, quadratic, 0.3);
            assert!((once - twice).length() < 1e-14, "{linear} {quadratic}");
        }
    }
}
