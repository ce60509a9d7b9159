//! The messages between page and server; `docs/studio-protocol.md` describes them.

mod action;
mod command;
mod event;
mod refusal;
mod reply;
#[cfg(test)]
#[expect(dead_code, reason = "they are read, and declared to the page")]
mod report;
mod running;
mod scene;
#[cfg(test)]
pub(crate) mod typescript_tests;
mod world;

pub(crate) use action::{NewAction, NewRobotStep};
pub(crate) use command::{At, Axle, Command, NewMove, NewPiece, NewPlan, NewStep, NewTravel, Screw, Source};
pub(crate) use event::{
    DiskEvent, ErrorEvent, Event, HelloEvent, PlannedEvent, PlannedVerdict, PlanningTask, Preview,
    PreviewStage, ProgressEvent, ReportDocument, SceneEvent, UnsavedWork, VerdictEvent, WorldGoneEvent,
};
pub(crate) use refusal::Refusal;
pub(crate) use reply::{
    Answer, Assigned, Changed, ClosestPair, CommandError, Contact, ContactDocument, ContactFeature, Curve,
    Done, FindingDocument, Opened, Poses, Probed, REPLIES, ReachInfo, Recorded, RefusedRequest, Reply,
    RobotAt, Saved, SceneFileInfo, SceneList, SceneProblem, Slid, Solution, Solutions, Text, Trail, Tried,
    Turned, Uploaded, WorkspacePoints, WorldBodies, WorldEvents,
};
pub(crate) use running::{
    BodyKind, BodyValues, NumberedEvent, Reading, ReadingValue, RecordingInfo, RunState, RunningBody,
    SentPicture, SharedEvent, Statistics, VehicleCommand, VehicleJoint, VehicleNow, WorldBody, WorldFrame,
    WorldFrameEvent, WorldFrameHead, WorldGoal, WorldInfo, WorldSensor, WorldSettings, WorldState,
    WorldVehicle,
};
pub(crate) use scene::{
    ActionInfo, ActionName, BodyInfo, GroupInfo, JointInfo, JointState, LinkInfo, MoveInfo, MoveKind,
    RobotEnd, RobotInfo, RobotTrack, Stage, StepInfo, Track,
};
pub(crate) use world::{Attributes, Driven, Driver, Gripped, Watched, WorldCommand};

use freiraum_formats::notation::MAX_DEGREES;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Pose, Quat, Vec3};

/// `[x, y, z, qx, qy, qz, qw]`, in metres.
pub(crate) type SentPose = [f64; 7];

/// A pose as it is sent.
pub(crate) fn sent(pose: &Pose) -> SentPose {
    let ([x, y, z], [qx, qy, qz, qw]) = (pose.translation().to_array(), pose.rotation().to_array());
    [x, y, z, qx, qy, qz, qw]
}

// Numbers are limited as on the command line and in scene files, wherever they come in.

/// A length that was sent, in metres.
pub(crate) fn length(what: &str, value: f64) -> Result<f64, Refusal> {
    within(what, value, MAX_COORDINATE, "m")
}

/// An angle that was sent, in radians: up to a million turns.
pub(crate) fn angle(what: &str, value: f64) -> Result<f64, Refusal> {
    within(what, value, MAX_DEGREES.to_radians(), "rad")
}

/// A point that was sent, in metres.
pub(crate) fn point(what: &str, value: [f64; 3]) -> Result<Vec3, Refusal> {
    value.iter().try_for_each(|x| length(what, *x).map(drop))?;
    Ok(Vec3::from_array(value))
}

fn within(what: &str, value: f64, most: f64, unit: &str) -> Result<f64, Refusal> {
    // Also false for what is no number.
    if value.abs() <= most {
        return Ok(value);
    }
    let message =
        format!("{what}: found {value:e} {unit}, expected a number of magnitude at most {most:e} {unit}");
    Err(Refusal::new("request", message))
}

/// A pose that was sent.
pub(crate) fn received(pose: &SentPose) -> Result<Pose, Refusal> {
    let [x, y, z, qx, qy, qz, qw] = *pose;
    point("the position", [x, y, z])?;
    Pose::new(Quat::from_xyzw(qx, qy, qz, qw), Vec3::new(x, y, z)).ok_or_else(|| {
        Refusal::new("request", "a pose is seven finite numbers: position, and a quaternion of unit length")
    })
}
