//! What a page can ask for.

use super::{NewAction, NewRobotStep, SentPose};
use crate::document::Kept;
use serde::Deserialize;
use std::sync::Arc;

/// A command; keys that it does not know are ignored.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) enum Command {
    Open(Source),
    Save,
    SaveAs {
        path: String,
        /// Another file of this name may go.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        overwrite: bool,
    },
    Reload,
    Undo,
    Redo,
    SetPose {
        body: usize,
        pose: SentPose,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        merge: bool,
    },
    SetGoal {
        body: usize,
        pose: Option<SentPose>,
    },
    SetColor {
        body: usize,
        color: [f64; 3],
    },
    SetFixed {
        body: usize,
        fixed: bool,
    },
    RenameBody {
        body: usize,
        name: String,
    },
    SetText {
        text: String,
    },
    GetText,
    AddStep(NewStep),
    UpdateStep {
        step: usize,
        name: Option<String>,
        seconds: Option<f64>,
        moves: Option<Vec<NewMove>>,
    },
    RemoveStep {
        step: usize,
    },
    MoveStep {
        from: usize,
        to: usize,
    },
    DuplicateStep {
        step: usize,
    },
    RenameStep {
        step: usize,
        name: String,
    },
    AddBody {
        mesh: String,
        name: Option<String>,
    },
    Check,
    Cancel,
    Poses {
        step: usize,
        t: f64,
    },
    Curve {
        step: usize,
        pair: [usize; 2],
    },
    Slide {
        bodies: Vec<usize>,
        direction: [f64; 3],
        max: f64,
        at: Option<At>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        poses: Vec<(usize, SentPose)>,
    },
    Turn {
        bodies: Vec<usize>,
        axis: Axle,
        max: f64,
        at: Option<At>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        poses: Vec<(usize, SentPose)>,
    },
    Probe {
        at: Option<At>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        poses: Vec<(usize, SentPose)>,
    },
    RobotAt {
        robot: usize,
        joints: Vec<f64>,
        at: Option<At>,
    },
    RobotIk {
        robot: usize,
        tool: SentPose,
        joints: Vec<f64>,
        at: Option<At>,
    },
    RobotWorkspace {
        robot: usize,
        count: usize,
    },
    RobotTrail {
        robot: usize,
    },
    RobotTry {
        robot: usize,
        action: NewAction,
        at: Option<At>,
    },
    RobotStep(NewRobotStep),
    RobotStart {
        robot: usize,
        joints: Vec<f64>,
    },
    RobotBase {
        robot: usize,
        pose: SentPose,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        merge: bool,
    },
    Plan(NewPlan),
    AcceptPlan {
        name: Option<String>,
    },
    DiscardPlan,
    Disassemble,
    Recover {
        yes: bool,
    },
    List,
    /// What was changed in the running world; pages ask for it with `world_keep`.
    #[serde(skip)]
    KeepWorld(Arc<Vec<Kept>>),
}

/// What to open: one of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct Source {
    pub(crate) path: Option<String>,
    pub(crate) example: Option<String>,
    pub(crate) text: Option<String>,
}

/// A moment of the plan.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct At {
    pub(crate) step: usize,
    pub(crate) t: f64,
}

/// An axis.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Axle {
    pub(crate) point: [f64; 3],
    pub(crate) direction: [f64; 3],
}

/// A step to be added.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewStep {
    pub(crate) index: Option<usize>,
    pub(crate) name: Option<String>,
    pub(crate) seconds: Option<f64>,
    pub(crate) moves: Vec<NewMove>,
}

/// Bodies and what they do.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewMove {
    pub(crate) bodies: Vec<usize>,
    #[serde(flatten)]
    pub(crate) travel: NewTravel,
}

/// One of these.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) enum NewTravel {
    Translate([f64; 3]),
    Rotate(Screw),
    Screw(Screw),
    To(SentPose),
    /// Poses, or pieces.
    Path(Vec<NewPiece>),
    Plan {
        to: SentPose,
        planner: Option<String>,
    },
}

/// A part of a path.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) enum NewPiece {
    Pose(SentPose),
    Travel {
        share: Option<f64>,
        #[serde(flatten)]
        travel: NewTravel,
    },
}

/// A turn, in radians, and a shift along the axis.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct Screw {
    pub(crate) point: [f64; 3],
    pub(crate) axis: [f64; 3],
    pub(crate) angle: f64,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) advance: f64,
}

/// What is to be planned: an open step, or bodies that have to get somewhere.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewPlan {
    pub(crate) step: Option<usize>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) bodies: Vec<usize>,
    pub(crate) to: Option<SentPose>,
    pub(crate) planner: Option<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) seed: u64,
    pub(crate) at: Option<At>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) poses: Vec<(usize, SentPose)>,
}
