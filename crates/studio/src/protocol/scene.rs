//! What the `scene` event says of bodies, stages and robots.

use super::SentPose;
use serde::Serialize;

/// A body.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BodyInfo {
    pub(crate) name: String,
    /// The name under which its mesh is sent.
    pub(crate) mesh: String,
    /// sRGB, 0 to 1.
    pub(crate) color: [f64; 3],
    pub(crate) fixed: bool,
    /// Before the first step.
    pub(crate) pose: SentPose,
    pub(crate) goal: Option<SentPose>,
    /// How many are shown.
    pub(crate) triangles: usize,
    /// The robot of which it is a link or a tool.
    pub(crate) robot: Option<usize>,
}

/// Bodies that move as one; the first one leads.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GroupInfo {
    pub(crate) name: String,
    pub(crate) members: Vec<usize>,
}

/// A stage of the plan: a step of the file, or a part of one in which somebody grasps or releases half way.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StepInfo {
    pub(crate) name: String,
    pub(crate) seconds: f64,
    /// In the scene file, from 1.
    pub(crate) line: usize,
    pub(crate) moves: Vec<MoveInfo>,
    /// The number of the step in the file.
    pub(crate) step: usize,
    /// Which of how many parts of it this is, from 0.
    pub(crate) part: [usize; 2],
    /// Who does something in it.
    pub(crate) robots: Vec<usize>,
    /// All actions of the whole step.
    pub(crate) actions: Vec<ActionInfo>,
}

/// What bodies do in a stage.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveInfo {
    /// The name of the body or the group.
    pub(crate) subject: String,
    pub(crate) bodies: Vec<usize>,
    pub(crate) kind: MoveKind,
    /// In words.
    pub(crate) summary: String,
}

/// How bodies move.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum MoveKind {
    Translate,
    Turn,
    Screw,
    To,
    Path,
    Plan,
}

/// One thing that a robot does in a step of the file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ActionInfo {
    pub(crate) robot: usize,
    pub(crate) kind: ActionName,
    /// As in a listing of the program.
    pub(crate) text: String,
    /// Stage and share of it where it begins.
    pub(crate) from: Option<(usize, f64)>,
    /// Stage and share of it where it ends.
    pub(crate) to: Option<(usize, f64)>,
}

/// What a robot does.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ActionKind"))]
pub(crate) enum ActionName {
    Ptp,
    Lin,
    Joint,
    Plan,
    Grasp,
    Release,
    Wait,
    Sync,
}

/// What moves during a stage.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Stage {
    pub(crate) tracks: Vec<Track>,
    pub(crate) robots: Vec<RobotTrack>,
}

/// Key frames of one body during one stage, times from 0 to 1. Positions go on straight lines between them,
/// orientations on shortest turns.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Track {
    pub(crate) body: usize,
    pub(crate) times: Vec<f64>,
    pub(crate) poses: Vec<SentPose>,
}

/// Joint values of a robot during a stage, linear between its knots, and the bodies that it holds meanwhile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RobotTrack {
    pub(crate) robot: usize,
    pub(crate) times: Vec<f64>,
    pub(crate) values: Vec<Vec<f64>>,
    pub(crate) held: Vec<usize>,
}

/// A robot after the last stage.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RobotEnd {
    pub(crate) robot: usize,
    pub(crate) values: Vec<f64>,
    pub(crate) held: Vec<usize>,
}

/// A robot.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RobotInfo {
    pub(crate) name: String,
    pub(crate) base: SentPose,
    pub(crate) links: Vec<LinkInfo>,
    /// The number of the link that tools are fixed to.
    pub(crate) flange: usize,
    pub(crate) flange_from_tool: SentPose,
    /// Bodies.
    pub(crate) tools: Vec<usize>,
    /// Its freedoms.
    pub(crate) joints: Vec<JointInfo>,
    pub(crate) start: Vec<f64>,
    pub(crate) states: Vec<JointState>,
    /// How inverse kinematics is solved, in words.
    pub(crate) method: String,
    /// Inverse solutions are all there are.
    pub(crate) closed: bool,
}

/// A link and its body.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LinkInfo {
    pub(crate) name: String,
    pub(crate) body: Option<usize>,
}

/// A freedom of a robot.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct JointInfo {
    pub(crate) name: String,
    /// It turns (radians); others slide (metres).
    pub(crate) turns: bool,
    /// Null where there is no limit.
    pub(crate) lower: Option<f64>,
    /// Null where there is no limit.
    pub(crate) upper: Option<f64>,
    /// Per second; null if the model states none.
    pub(crate) speed: Option<f64>,
}

/// Joint values with a name; null for those that stay as they are.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct JointState {
    pub(crate) name: String,
    pub(crate) values: Vec<Option<f64>>,
}
