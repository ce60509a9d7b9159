//! What a page can ask for in the world workspace.

use super::SentPose;
use serde::{Deserialize, Serialize};

/// A command of the world workspace; keys that it does not know are ignored.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "they are the names of the messages")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) enum WorldCommand {
    /// Builds the world of the scene, or joins it.
    WorldOpen,
    /// Leaves; the last one ends it.
    WorldClose,
    WorldRun {
        /// World seconds per second; 0 for as many as can be.
        speed: Option<f64>,
    },
    WorldPause,
    WorldStep {
        count: Option<u64>,
    },
    WorldReset,
    WorldBodies,
    WorldSet(Attributes),
    WorldKeep,
    WorldDrive(Driven),
    WorldAssign {
        vehicle: usize,
        controller: Option<Driver>,
    },
    WorldWatch(Watched),
    WorldSeen {
        frame: u64,
    },
    WorldEvents {
        from: Option<u64>,
        count: Option<usize>,
    },
    WorldRecord {
        on: bool,
    },
}

/// What is to be different about a body; SI units.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct Attributes {
    pub(crate) body: usize,
    pub(crate) mass: Option<f64>,
    pub(crate) friction: Option<f64>,
    pub(crate) restitution: Option<f64>,
    pub(crate) active: Option<bool>,
    pub(crate) velocity: Option<[f64; 3]>,
    pub(crate) spin: Option<[f64; 3]>,
    pub(crate) position: Option<[f64; 3]>,
    pub(crate) pose: Option<SentPose>,
}

/// What somebody presses.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct Driven {
    pub(crate) vehicle: usize,
    /// Share of the highest speed, from -1 to 1.
    pub(crate) speed: Option<f64>,
    /// From -1 to 1, to the left.
    pub(crate) turn: Option<f64>,
    pub(crate) gripper: Option<Gripped>,
}

/// What a gripper shall do.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Gripped {
    Open,
    Close,
    Raise,
    Lower,
}

/// Who drives, or shall drive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Controller"))]
pub(crate) enum Driver {
    Wander,
    Collect,
    Keyboard,
    DriveTo([f64; 3]),
    Soccer {
        ball: usize,
        goal: usize,
    },
    /// Only the one that the scene file names.
    Program(Vec<String>),
}

/// What the frames of a page carry beside poses and events.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct Watched {
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) sensors: Vec<usize>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) contacts: bool,
}
