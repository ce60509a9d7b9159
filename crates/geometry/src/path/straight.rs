//! From one pose to another: the origin of the body on a straight line, the shortest rotation, both at constant speed.

use super::{Axis, Ball, Motion, Twist, Uniform};
use crate::math::Screw;
use crate::{Pose, Vec3};

/// A body whose origin moves on a straight line while it turns by the shortest rotation; see [`Pose::interpolated`].
///
/// With `p(t) = start + t shift` the point x of the body is at `p(t) + R(t) x`: its velocity is `shift + ω × R(t) x`, its
/// acceleration `ω × (ω × R(t) x)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Straight {
    start: Pose,
    end: Pose,
    shift: Vec3,
    /// Rotation vector: unit axis times angle.
    turn: Vec3,
}

impl Straight {
    /// From `start` to `end`.
    pub fn new(start: Pose, end: Pose) -> Straight {
        let turn = match start.screw_to(&end) {
            Screw::Translation(_) => Vec3::ZERO,
            Screw::Rotation(between) => between.angle * between.axis,
        };
        Straight { start, end, shift: end.translation() - start.translation(), turn }
    }

    /// The largest distance of a point of the ball from the line through the origin of the body along the axis.
    fn farthest(&self, ball: &Ball) -> f64 {
        let Some(axis) = crate::math::unit(self.turn) else { return 0.0 };
        axis.cross(self.start.rotate(ball.center)).length() + ball.radius
    }
}

impl Motion for Straight {
    fn pose(&self, t: f64) -> Pose {
        self.start.interpolated(&self.end, t)
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        (t1 - t0) * (self.shift.length() + self.turn.length() * self.farthest(ball))
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        let origin = self.start.translation() + t.clamp(0.0, 1.0) * self.shift;
        Some(Twist { linear: self.shift - self.turn.cross(origin), angular: self.turn })
    }

    fn acceleration(&self, ball: &Ball, _t0: f64, _t1: f64) -> f64 {
        self.turn.length_squared() * self.farthest(ball)
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        let angle = self.turn.length();
        if angle == 0.0 {
            return Some(Uniform::Translation((t1 - t0) * self.shift));
        }
        let axis = Axis::new(self.start.translation(), self.turn)?;
        let advance = axis.direction.dot(self.shift);
        // A screw only if the origin moves along the axis of rotation; what is left over must be rounding.
        let across = (self.shift - advance * axis.direction).length();
        let slack = crate::math::rounding::coordinate(
            self.start.translation().abs().max_element() + self.end.translation().abs().max_element(),
        );
        (across <= slack).then(|| Uniform::Screw { axis, angle, advance }.scaled(t1 - t0))
    }
}
