//! The messages between page and server; `docs/studio-protocol.md` describes them.

mod action;
mod command;
mod refusal;
mod world;

pub(crate) use action::{NewAction, NewRobotStep};
pub(crate) use command::{At, Axle, Command, NewMove, NewPiece, NewPlan, NewStep, NewTravel, Screw, Source};
pub(crate) use refusal::Refusal;
pub(crate) use world::{Assigned, Attributes, Driven, Gripped, Watched, WorldCommand};

use freiraum_geometry::{Pose, Quat, Vec3};

/// `[x, y, z, qx, qy, qz, qw]`, in metres.
pub(crate) type SentPose = [f64; 7];

/// A pose as it is sent.
pub(crate) fn sent(pose: &Pose) -> SentPose {
    let ([x, y, z], [qx, qy, qz, qw]) = (pose.translation().to_array(), pose.rotation().to_array());
    [x, y, z, qx, qy, qz, qw]
}

/// A pose that was sent.
pub(crate) fn received(pose: &SentPose) -> Result<Pose, Refusal> {
    let [x, y, z, qx, qy, qz, qw] = *pose;
    Pose::new(Quat::from_xyzw(qx, qy, qz, qw), Vec3::new(x, y, z)).ok_or_else(|| {
        Refusal::new("request", "a pose is seven finite numbers: position, and a quaternion of unit length")
    })
}
