//! What a robot is told.

use super::SentPose;
use serde::Deserialize;

/// A step of a robot to be added, or what it does in a step that is there.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewRobotStep {
    pub(crate) robot: usize,
    pub(crate) actions: Vec<NewAction>,
    pub(crate) index: Option<usize>,
    pub(crate) name: Option<String>,
    /// The step that it is part of, beside other robots.
    pub(crate) with: Option<usize>,
}

/// One thing that a robot does; keys that it does not know are refused, because a motion without them would be another one.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) enum NewAction {
    Ptp(NewPointToPoint),
    Lin(NewLine),
    Joint(NewJoint),
    Plan(NewGoal),
    Grasp { body: usize, depth: Option<f64> },
    Release { body: usize },
    Wait(f64),
    Sync(String),
}

/// All joints at once. Joint values of null stay as they are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewPointToPoint {
    pub(crate) joints: Option<Vec<Option<f64>>>,
    pub(crate) pose: Option<SentPose>,
    pub(crate) mode: Option<String>,
    pub(crate) speed: Option<f64>,
    pub(crate) profile: Option<String>,
}

/// The tool on a straight line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewLine {
    pub(crate) pose: Option<SentPose>,
    pub(crate) by: Option<[f64; 3]>,
    pub(crate) speed: Option<f64>,
    pub(crate) profile: Option<String>,
}

/// One joint alone.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewJoint {
    pub(crate) freedom: usize,
    pub(crate) to: f64,
    pub(crate) speed: Option<f64>,
    pub(crate) profile: Option<String>,
}

/// Where a planner has to find the way to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NewGoal {
    pub(crate) joints: Option<Vec<Option<f64>>>,
    pub(crate) pose: Option<SentPose>,
    pub(crate) speed: Option<f64>,
}
