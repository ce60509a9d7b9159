//! Where two bodies are at one time and how they move there.

use crate::path::{Ball, Motion, Twist};
use freiraum_geometry::{Mat3, Pose, Vec3};

/// A piece of a body with the motion of the body.
#[derive(Clone, Copy)]
pub(super) struct Mover<'m> {
    pub(super) motion: &'m dyn Motion,
    pub(super) body_from_piece: Pose,
}

impl Mover<'_> {
    /// A ball of the piece as a ball of the body.
    fn ball(&self, center: Vec3, radius: f64) -> Ball {
        Ball { center: self.body_from_piece.transform_point(center), radius }
    }

    /// See [`Motion::acceleration`]; the ball is in the frame of the piece.
    pub(super) fn acceleration(&self, center: Vec3, radius: f64, t: [f64; 2]) -> f64 {
        self.motion.acceleration(&self.ball(center, radius), t[0], t[1])
    }

    /// See [`Motion::travel`]; the ball is in the frame of the piece.
    pub(super) fn travel(&self, center: Vec3, radius: f64, t: [f64; 2]) -> f64 {
        self.motion.travel(&self.ball(center, radius), t[0], t[1])
    }
}

/// Two pieces at one time.
///
/// **Frames.** The frame of piece a as it is at this time, standing still: velocities are those that the world sees.
#[derive(Clone, Copy)]
pub(super) struct Instant {
    pub(super) time: f64,
    pub(super) a_from_b: Pose,
    pub(super) turn: Mat3,
    pub(super) shift: Vec3,
    /// Of a and of b; zero where they are not known.
    pub(super) twists: [Twist; 2],
}

impl Instant {
    pub(super) fn at(time: f64, movers: &[Mover; 2]) -> Instant {
        let [a, b] = movers;
        let world_from_a = a.motion.pose(time) * a.body_from_piece;
        let a_from_world = world_from_a.inverse();
        let a_from_b = a_from_world * (b.motion.pose(time) * b.body_from_piece);
        let origin = world_from_a.translation();
        let twists = movers.map(|mover| match mover.motion.twist(time) {
            Some(twist) => Twist {
                linear: a_from_world.rotate(twist.velocity(origin)),
                angular: a_from_world.rotate(twist.angular),
            },
            None => Twist::ZERO,
        });
        Instant { time, a_from_b, turn: a_from_b.rotation_matrix(), shift: a_from_b.translation(), twists }
    }

    /// A point of b in the frame of a.
    #[inline]
    pub(super) fn place(&self, point: Vec3) -> Vec3 {
        self.turn * point + self.shift
    }
}
