//! Motions over t in [0, 1]: a pose for every t, and proven bounds of how far points travel.
//!
//! A motion is *a function plus bounds*; the solvers know nothing else, so that a new kind is one file here or one
//! `impl` elsewhere. Kinds: [`UniformMotion`] (still, translation, rotation, screw), [`Straight`] (from
//! pose to pose), [`Sequence`] (one after the other), [`Carried`] (beside another body) and [`Window`] (a part of
//! another motion).

mod carried;
mod sequence;
mod straight;
mod uniform;
mod window;

pub use carried::Carried;
pub use sequence::{Sequence, SequenceError};
pub use straight::Straight;
pub use uniform::{Axis, Uniform, UniformMotion};
pub use window::Window;

use crate::{Pose, Vec3};

/// A ball of body points, in the frame of the body.
///
/// What holds for the points of a ball holds for everything in it: give the smallest one that encloses the part asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre in the frame of the body, in metres.
    pub center: Vec3,
    /// Radius in metres, not negative.
    pub radius: f64,
}

/// How a body moves at one instant: the velocity of its point at `p` (frame of the world) is `linear + angular × p`.
///
/// **Units.** Metres and radians per unit of t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist {
    /// Velocity of the body point that is at the origin of the world.
    pub linear: Vec3,
    /// Angular velocity.
    pub angular: Vec3,
}

impl Twist {
    /// Nothing moves.
    pub const ZERO: Twist = Twist { linear: Vec3::ZERO, angular: Vec3::ZERO };

    /// Velocity of the body point at `p`, in the frame of the world.
    pub fn velocity(&self, p: Vec3) -> Vec3 {
        self.linear + self.angular.cross(p)
    }
}

/// The pose of a body for every t in [0, 1], with proven bounds.
///
/// **Frames.** Poses are `world_from_body`. **Guarantee.** All bounds hold for the motion in exact arithmetic; solvers add
/// the rounding of coordinates themselves. Bounds need not be tight, but loose ones make the solvers slower.
pub trait Motion: Send + Sync {
    /// The pose at t. Continuous in t; t outside [0, 1] is clamped.
    fn pose(&self, t: f64) -> Pose;

    /// An upper bound of the length of the path of any point of the ball between `t0` and `t1`, in metres, for
    /// 0 <= t0 <= t1 <= 1. Must tend to 0 as `t1` approaches `t0`.
    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64;

    /// Appends the times strictly between 0 and 1 at which velocities may jump, in ascending order.
    fn breaks(&self, _out: &mut Vec<f64>) {}

    /// The twist at t, seen from the right side at a break (from the left at t = 1); `None` if it is not known, which
    /// leaves the solvers with [`Motion::travel`] alone.
    fn twist(&self, _t: f64) -> Option<Twist> {
        None
    }

    /// The pose and the twist at t, for motions that find both at once.
    fn state(&self, t: f64) -> (Pose, Option<Twist>) {
        (self.pose(t), self.twist(t))
    }

    /// An upper bound of the magnitude of the acceleration of any point of the ball between `t0` and `t1`, with no break
    /// strictly between them. Infinite if it is not known.
    fn acceleration(&self, _ball: &Ball, _t0: f64, _t1: f64) -> f64 {
        f64::INFINITY
    }

    /// If the motion between `t0` and `t1` is a translation, a rotation or a screw with constant speed: that motion, in the
    /// frame of the world, taking the pose at `t0` to the pose at `t1`.
    fn uniform(&self, _t0: f64, _t1: f64) -> Option<Uniform> {
        None
    }
}
