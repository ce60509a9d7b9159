//! Motions with constant speed about or along one axis: still, translation, rotation, screw.

use super::{Ball, Motion, Twist};
use crate::math::{RotationBetween, Screw};
use crate::{Pose, Vec3};

/// A directed line in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// A point on it, in metres.
    pub point: Vec3,
    /// Unit direction.
    pub direction: Vec3,
}

impl Axis {
    /// The axis through `point` with a direction of any length; `None` if that is zero or something is not finite.
    pub fn new(point: Vec3, direction: Vec3) -> Option<Axis> {
        let direction = crate::math::unit(direction)?;
        point.is_finite().then_some(Axis { point, direction })
    }

    /// The same axis in another frame.
    #[must_use]
    pub fn placed(&self, b_from_a: &Pose) -> Axis {
        Axis { point: b_from_a.transform_point(self.point), direction: b_from_a.rotate(self.direction) }
    }

    /// Distance of a point from the axis, in metres.
    pub fn distance(&self, p: Vec3) -> f64 {
        self.direction.cross(p - self.point).length()
    }
}

/// A motion with constant speed: the whole of it is done after one unit of its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Uniform {
    /// Along a straight line by this vector, in metres (perhaps zero).
    Translation(Vec3),
    /// About an axis by `angle` radians (any sign, any size, not zero) and along it by `advance` metres.
    Screw {
        /// The axis of rotation.
        axis: Axis,
        /// Whole angle in radians, right-hand rule.
        angle: f64,
        /// Whole shift along the axis in metres; 0 for a rotation.
        advance: f64,
    },
}

impl Uniform {
    /// The placement that the share `s` of the motion adds; multiply it with a pose from the left.
    pub fn at(&self, s: f64) -> Pose {
        match self {
            Uniform::Translation(by) => Pose::from_translation(s * *by),
            Uniform::Screw { axis, angle, advance } => {
                let Axis { point: center, direction: axis } = *axis;
                Screw::Rotation(RotationBetween { axis, angle: *angle, center, advance: *advance }).at(s)
            }
        }
    }

    /// The twist, per unit of the parameter; it does not change.
    pub fn twist(&self) -> Twist {
        match self {
            Uniform::Translation(by) => Twist { linear: *by, angular: Vec3::ZERO },
            Uniform::Screw { axis, angle, advance } => {
                let angular = *angle * axis.direction;
                Twist { linear: *advance * axis.direction - angular.cross(axis.point), angular }
            }
        }
    }

    /// The same motion in another frame.
    #[must_use]
    pub fn placed(&self, b_from_a: &Pose) -> Uniform {
        match self {
            Uniform::Translation(by) => Uniform::Translation(b_from_a.rotate(*by)),
            Uniform::Screw { axis, angle, advance } => {
                Uniform::Screw { axis: axis.placed(b_from_a), angle: *angle, advance: *advance }
            }
        }
    }

    /// The part of the motion with this share of it.
    #[must_use]
    pub fn scaled(&self, share: f64) -> Uniform {
        match *self {
            Uniform::Translation(by) => Uniform::Translation(share * by),
            Uniform::Screw { axis, angle, advance } => {
                if share * angle == 0.0 {
                    return Uniform::Translation(share * advance * axis.direction);
                }
                Uniform::Screw { axis, angle: share * angle, advance: share * advance }
            }
        }
    }
}

/// A body that stays, moves along a line, turns about an axis, or does both as a screw, with constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformMotion {
    start: Pose,
    by: Uniform,
}

impl UniformMotion {
    /// From `start` by this motion, in the frame of the world.
    pub fn new(start: Pose, by: Uniform) -> UniformMotion {
        UniformMotion { start, by }
    }

    /// At this pose for all t.
    pub fn still(pose: Pose) -> UniformMotion {
        UniformMotion::translation(pose, Vec3::ZERO)
    }

    /// From `start` by the vector `by`, in metres, in the frame of the world, without turning.
    pub fn translation(start: Pose, by: Vec3) -> UniformMotion {
        UniformMotion { start, by: Uniform::Translation(by) }
    }

    /// From `start` by `angle` radians (right-hand rule, any number of turns) about `axis`, in the frame of the world.
    pub fn rotation(start: Pose, axis: Axis, angle: f64) -> UniformMotion {
        UniformMotion::screw(start, axis, angle, 0.0)
    }

    /// From `start` by `angle` radians about `axis` and by `advance` metres along it, in the frame of the world.
    pub fn screw(start: Pose, axis: Axis, angle: f64, advance: f64) -> UniformMotion {
        if angle == 0.0 {
            return UniformMotion::translation(start, advance * axis.direction);
        }
        UniformMotion { start, by: Uniform::Screw { axis, angle, advance } }
    }

    /// Distance from the axis of the farthest point of the ball; it does not change during the motion.
    fn farthest(&self, ball: &Ball) -> f64 {
        match self.by {
            Uniform::Translation(_) => 0.0,
            Uniform::Screw { axis, .. } => {
                axis.distance(self.start.transform_point(ball.center)) + ball.radius
            }
        }
    }
}

impl Motion for UniformMotion {
    fn pose(&self, t: f64) -> Pose {
        self.by.at(t.clamp(0.0, 1.0)) * self.start
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let speed = match self.by {
            Uniform::Translation(by) => by.length(),
            Uniform::Screw { angle, advance, .. } => (angle * self.farthest(ball)).hypot(advance),
        };
        (t1 - t0) * speed
    }

    fn twist(&self, _t: f64) -> Option<Twist> {
        Some(self.by.twist())
    }

    fn acceleration(&self, ball: &Ball, _t0: f64, _t1: f64) -> f64 {
        match self.by {
            Uniform::Translation(_) => 0.0,
            Uniform::Screw { angle, .. } => angle * angle * self.farthest(ball),
        }
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        Some(self.by.scaled(t1 - t0))
    }
}
