//! Where two bodies are at one time and how they move there.

use freiraum_geometry::path::{Ball, Motion, Twist};
use freiraum_geometry::{Mat3, Pose, Vec3};

/// A piece of a body with the motion of the body.
#[derive(Clone, Copy)]
pub(super) struct Mover<'m> {
    pub(super) motion: &'m dyn Motion,
    pub(super) body_from_piece: Pose,
}

impl Mover<'_> {
    /// `world_from_piece` at t.
    pub(super) fn pose(&self, t: f64) -> Pose {
        self.placed(self.motion.pose(t))
    }

    /// `world_from_piece` at t, and the twist; none where it is not known.
    fn state(&self, t: f64) -> (Pose, Twist) {
        let (pose, twist) = self.motion.state(t);
        (self.placed(pose), twist.unwrap_or(Twist::ZERO))
    }

    fn placed(&self, world_from_body: Pose) -> Pose {
        // Most bodies have one piece.
        if self.body_from_piece == Pose::IDENTITY {
            world_from_body
        } else {
            world_from_body * self.body_from_piece
        }
    }

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
    /// `standing`: the world in the frame of piece a, if that does not move.
    pub(super) fn at(time: f64, movers: &[Mover; 2], standing: Option<&Pose>) -> Instant {
        let [a, b] = movers;
        if standing == Some(&Pose::IDENTITY) {
            let (a_from_b, twist) = b.state(time);
            return Instant::new(time, a_from_b, [Twist::ZERO, twist]);
        }
        let (a_from_world, twist_a) = match standing {
            Some(a_from_world) => (*a_from_world, Twist::ZERO),
            None => {
                let (world_from_a, twist) = a.state(time);
                (world_from_a.inverse(), twist)
            }
        };
        let (world_from_b, twist_b) = b.state(time);
        let a_from_b = a_from_world * world_from_b;
        // A twist about the origin of the world, about that of a.
        let seen = |twist: Twist| {
            let angular = a_from_world.rotate(twist.angular);
            Twist {
                linear: a_from_world.rotate(twist.linear) - angular.cross(a_from_world.translation()),
                angular,
            }
        };
        let twists = [if standing.is_some() { Twist::ZERO } else { seen(twist_a) }, seen(twist_b)];
        Instant::new(time, a_from_b, twists)
    }

    fn new(time: f64, a_from_b: Pose, twists: [Twist; 2]) -> Instant {
        Instant { time, a_from_b, turn: a_from_b.rotation_matrix(), shift: a_from_b.translation(), twists }
    }

    /// A point of b in the frame of a.
    #[inline]
    pub(super) fn place(&self, point: Vec3) -> Vec3 {
        self.turn * point + self.shift
    }
}
