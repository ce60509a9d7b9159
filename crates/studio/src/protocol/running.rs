//! What pages get to know of a world that runs. SI units.

use super::{Driver, SentPose};
use freiraum_world::event::EventDocument;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::sync::Arc;

/// All that does not change while a world runs, and how it is when a page comes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldInfo {
    /// Of the scene.
    pub(crate) revision: u64,
    pub(crate) scene_hash: String,
    pub(crate) settings: WorldSettings,
    /// Those of the scene, then the parts of vehicles.
    pub(crate) bodies: Vec<WorldBody>,
    pub(crate) vehicles: Vec<WorldVehicle>,
    pub(crate) sensors: Vec<WorldSensor>,
    /// The file says something of physics.
    pub(crate) described: bool,
    pub(crate) goals: Vec<WorldGoal>,
    pub(crate) frame: WorldFrame,
    /// The newest ones.
    #[cfg_attr(test, ts(as = "Vec<super::report::WorldEvent>"))]
    pub(crate) events: Vec<SharedEvent>,
    /// Grows with every world that is built.
    pub(crate) run: u64,
}

/// What holds for all of a world.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldSettings {
    /// Seconds.
    pub(crate) step: f64,
    pub(crate) gravity: [f64; 3],
    pub(crate) drag: f64,
}

/// Attributes of a body that can be changed while it runs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BodyValues {
    /// Null for those that are not moved by forces.
    pub(crate) mass: Option<f64>,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    pub(crate) active: bool,
}

/// A body of the world.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldBody {
    #[serde(flatten)]
    pub(crate) values: BodyValues,
    pub(crate) name: String,
    /// The name under which its mesh is sent.
    pub(crate) mesh: String,
    /// sRGB, 0 to 1.
    pub(crate) color: [f64; 3],
    pub(crate) kind: BodyKind,
    /// Frames have its pose.
    pub(crate) can_move: bool,
    /// That it is a part of.
    pub(crate) vehicle: Option<usize>,
    pub(crate) pose: SentPose,
}

/// Who moves a body.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum BodyKind {
    Fixed,
    Movable,
    Kinematic,
}

/// A body as it is now.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunningBody {
    #[serde(flatten)]
    pub(crate) values: BodyValues,
    pub(crate) pose: SentPose,
    pub(crate) velocity: [f64; 3],
    pub(crate) spin: [f64; 3],
    /// Something of it was changed that the scene does not have.
    pub(crate) changed: bool,
}

/// A vehicle.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldVehicle {
    pub(crate) name: String,
    pub(crate) model: &'static str,
    /// Its parts: from the first to the one before the last.
    pub(crate) bodies: [usize; 2],
    pub(crate) controller: Option<Driver>,
    /// The program that the file names: no other can be run.
    pub(crate) program: Option<Vec<String>>,
    pub(crate) commands: Vec<VehicleCommand>,
    /// Metres per second.
    pub(crate) top_speed: Option<f64>,
    pub(crate) joints: Vec<VehicleJoint>,
}

/// What a vehicle can do.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum VehicleCommand {
    Drive,
    Gripper,
}

/// A joint of a vehicle; radians or metres.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct VehicleJoint {
    pub(crate) name: &'static str,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// A sensor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldSensor {
    pub(crate) name: String,
    #[cfg_attr(test, ts(as = "super::report::SensorKind"))]
    pub(crate) kind: &'static str,
    /// That it is mounted on.
    pub(crate) vehicle: Option<usize>,
    /// That it is mounted on.
    pub(crate) body: Option<usize>,
    /// Measurements per second.
    pub(crate) rate: f64,
    /// On its mount.
    pub(crate) pose: SentPose,
    /// Metres.
    pub(crate) range: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) method: Option<&'static str>,
    /// Unit vectors in the frame of the sensor, three numbers each, in the order of the readings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) beams: Option<Vec<f64>>,
    /// Columns and rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) grid: Option<[u32; 2]>,
    /// Radians, across and up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) field: Option<[f64; 2]>,
    /// Radians.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) half_angle: Option<f64>,
}

/// A goal and the ball that belongs in it, both numbers of bodies.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldGoal {
    pub(crate) name: String,
    pub(crate) body: usize,
    pub(crate) ball: usize,
}

/// How a world is, as commands are answered.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldState {
    pub(crate) run: u64,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    pub(crate) state: RunState,
    pub(crate) state_hash: String,
    pub(crate) stale: bool,
}

/// Whether time goes on.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum RunState {
    Running,
    Paused,
}

/// A moment of a world, with what a page wants to see.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldFrame {
    #[serde(flatten)]
    pub(crate) head: WorldFrameHead,
    /// What happened since the last frame.
    #[cfg_attr(test, ts(as = "Vec<super::report::WorldEvent>"))]
    pub(crate) events: Vec<SharedEvent>,
    /// Point, normal and impulse of everything that touches, seven numbers each.
    pub(crate) contacts: Vec<f64>,
    pub(crate) readings: Vec<Reading>,
}

/// What all pages get of a moment.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldFrameHead {
    /// Grows with every world that is built.
    pub(crate) run: u64,
    /// Counts up; the page tells which one it has drawn.
    pub(crate) frame: u64,
    pub(crate) state: RunState,
    /// World seconds per second as asked for; 0 for as many as can be.
    pub(crate) speed: f64,
    /// The scene has changed since.
    pub(crate) stale: bool,
    /// Attributes were changed that the scene does not have.
    pub(crate) changed: bool,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    pub(crate) recording: Option<RecordingInfo>,
    pub(crate) statistics: Statistics,
    pub(crate) vehicles: Vec<VehicleNow>,
    pub(crate) scores: Vec<u64>,
    /// Seven numbers for each body that can move, in order.
    pub(crate) poses: Vec<f64>,
    /// Of the same bodies, in metres per second.
    pub(crate) speeds: Vec<f64>,
}

/// The event `world` for one page: a [`WorldFrame`] of which pages share the head, and measurements that were
/// written once.
#[derive(Debug, Serialize)]
pub(crate) struct WorldFrameEvent<'f> {
    pub(crate) event: &'static str,
    #[serde(flatten)]
    pub(crate) head: &'f WorldFrameHead,
    pub(crate) events: &'f [SharedEvent],
    pub(crate) contacts: &'f [f64],
    /// Each a [`Reading`].
    pub(crate) readings: Vec<&'f RawValue>,
}

/// Something that happened in the running world.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct NumberedEvent {
    /// As its crate writes it, in metres.
    #[serde(flatten)]
    pub(crate) event: EventDocument,
    /// Counts up in a run.
    pub(crate) number: u64,
}

/// The same for many readers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedEvent(pub(crate) Arc<NumberedEvent>);

impl Serialize for SharedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// A recording that is being made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RecordingInfo {
    pub(crate) seconds: f64,
    pub(crate) bytes: usize,
}

/// How fast a world is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Statistics {
    pub(crate) steps_per_second: f64,
    /// Seconds of the world per second, as it went.
    pub(crate) speed_reached: f64,
    /// The same if it were never made to wait.
    pub(crate) real_time_factor: f64,
    pub(crate) tests_per_step: f64,
    pub(crate) contacts: f64,
    /// Joules.
    pub(crate) energy: f64,
}

/// A vehicle at a moment.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct VehicleNow {
    pub(crate) pose: SentPose,
    pub(crate) speed: f64,
    pub(crate) turn: f64,
    /// A body.
    pub(crate) holds: Option<usize>,
    pub(crate) controller: Option<Driver>,
}

/// What a sensor measured.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Reading {
    pub(crate) sensor: usize,
    pub(crate) time: f64,
    /// Of the sensor in the world when it measured.
    pub(crate) pose: SentPose,
    #[serde(flatten)]
    pub(crate) value: ReadingValue,
}

/// The measurement itself; what is not finite is null: nothing came back.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct ReadingValue {
    /// Of every beam, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<Vec<Option<f64>>>"))]
    pub(crate) distances: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<Option<f64>>"))]
    pub(crate) distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) broken: Option<Option<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) touched: Option<Option<bool>>,
    /// x, y, heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<(f64, f64, f64)>"))]
    pub(crate) track: Option<(f64, f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) picture: Option<SentPicture>,
}

/// A picture of a camera.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Picture"))]
pub(crate) struct SentPicture {
    pub(crate) size: [u32; 2],
    /// Red, green, blue as bytes, base64.
    pub(crate) colors: String,
    /// Metres: single precision numbers, little endian, base64.
    pub(crate) depth: String,
}
