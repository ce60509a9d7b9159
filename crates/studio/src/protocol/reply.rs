//! What a page is answered.

use super::running::{BodyValues, RunningBody, SharedEvent, WorldInfo, WorldState};
use super::{Driver, SentPose, UnsavedWork};
use serde::Serialize;
use serde_json::{Map, Value};

/// The whole message: what is answered, or why not.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Answer<'a> {
    Done {
        #[serde(flatten)]
        reply: &'a Reply,
        id: &'a Value,
        /// True.
        ok: bool,
    },
    Refused {
        id: &'a Value,
        error: CommandError,
    },
}

/// The same to a request that came by itself.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RefusedRequest {
    pub(crate) error: CommandError,
}

/// Why something was not done.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CommandError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// In the scene file, from 1.
    pub(crate) line: Option<usize>,
    /// In characters, from 1.
    pub(crate) column: Option<usize>,
    /// What to do about it.
    pub(crate) help: Option<String>,
    /// All problems, if a scene file is wrong.
    pub(crate) problems: Option<Vec<SceneProblem>>,
}

/// A problem of a scene file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SceneProblem {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) end_line: usize,
    /// Of the first character after it.
    pub(crate) end_column: usize,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Declares [`Reply`], and that every kind of answer is one.
macro_rules! replies {
    ($($kind:ident),* $(,)?) => {
        /// What is answered to a command; [`REPLIES`] says which kind to which.
        #[derive(Debug, Serialize)]
        #[serde(untagged)]
        pub(crate) enum Reply {
            $($kind(Box<$kind>),)*
        }

        impl Reply {
            /// The name of its type.
            pub(crate) fn kind(&self) -> &'static str {
                match self {
                    $(Reply::$kind(_) => stringify!($kind),)*
                }
            }
        }

        /// All kinds.
        #[cfg(test)]
        pub(super) fn visit(visitor: &mut impl ts_rs::TypeVisitor) {
            $(visitor.visit::<$kind>();)*
        }

        $(impl From<$kind> for Reply {
            fn from(reply: $kind) -> Reply {
                Reply::$kind(Box::new(reply))
            }
        })*
    };
}

replies![
    Done,
    Changed,
    Opened,
    Saved,
    SceneList,
    Text,
    Poses,
    Curve,
    Slid,
    Turned,
    Probed,
    RobotAt,
    Solutions,
    WorkspacePoints,
    Trail,
    Tried,
    WorldState,
    WorldInfo,
    WorldBodies,
    BodyValues,
    Assigned,
    Recorded,
    WorldEvents,
];

/// Commands, and the type of their answer. The page gets to know it from here; debug builds hold every answer
/// against it.
pub(crate) const REPLIES: [(&str, &str); 55] = [
    ("open", "Opened"),
    ("save", "Saved"),
    ("save_as", "Saved"),
    ("reload", "Changed"),
    ("undo", "Changed"),
    ("redo", "Changed"),
    ("set_pose", "Changed"),
    ("set_goal", "Changed"),
    ("set_color", "Changed"),
    ("set_fixed", "Changed"),
    ("rename_body", "Changed"),
    ("set_text", "Changed"),
    ("get_text", "Text"),
    ("add_step", "Changed"),
    ("update_step", "Changed"),
    ("remove_step", "Changed"),
    ("move_step", "Changed"),
    ("duplicate_step", "Changed"),
    ("rename_step", "Changed"),
    ("add_body", "Changed"),
    ("check", "Done"),
    ("cancel", "Done"),
    ("poses", "Poses"),
    ("curve", "Curve"),
    ("slide", "Slid"),
    ("turn", "Turned"),
    ("probe", "Probed"),
    ("robot_at", "RobotAt"),
    ("robot_ik", "Solutions"),
    ("robot_workspace", "WorkspacePoints"),
    ("robot_trail", "Trail"),
    ("robot_try", "Tried"),
    ("robot_step", "Changed"),
    ("robot_start", "Changed"),
    ("robot_base", "Changed"),
    ("plan", "Done"),
    ("accept_plan", "Changed"),
    ("discard_plan", "Done"),
    ("disassemble", "Done"),
    ("recover", "Changed"),
    ("list", "SceneList"),
    ("world_open", "WorldInfo"),
    ("world_close", "Done"),
    ("world_run", "WorldState"),
    ("world_pause", "WorldState"),
    ("world_step", "WorldState"),
    ("world_reset", "WorldState"),
    ("world_bodies", "WorldBodies"),
    ("world_set", "BodyValues"),
    ("world_keep", "Changed"),
    ("world_drive", "Done"),
    ("world_assign", "Assigned"),
    ("world_watch", "Done"),
    ("world_events", "WorldEvents"),
    ("world_record", "Recorded"),
];

/// It was done.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Done {}

/// The scene was changed, or needed no change.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Changed {
    /// A new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) body: Option<usize>,
    pub(crate) revision: u64,
    /// A new one, or the one that was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) step: Option<usize>,
}

/// Another scene is open.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Opened {
    pub(crate) revision: u64,
    pub(crate) unsaved: Option<UnsavedWork>,
}

/// The scene is on the disk.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Saved {
    pub(crate) revision: u64,
    /// As seen from the folder of the studio.
    pub(crate) path: Option<String>,
}

/// What can be opened.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SceneList {
    pub(crate) files: Vec<SceneFileInfo>,
    /// The name of the folder of the studio.
    pub(crate) folder: Option<String>,
    pub(crate) examples: Vec<&'static str>,
}

/// A scene file in the folder of the studio.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SceneFileInfo {
    pub(crate) path: String,
}

/// The scene file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) revision: u64,
}

/// Where all bodies are.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Poses {
    pub(crate) poses: Vec<SentPose>,
}

/// The distance of two bodies during a step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Curve {
    /// Time from 0 to 1, and metres.
    pub(crate) points: Vec<[f64; 2]>,
    /// Metres.
    pub(crate) required: f64,
}

/// How far bodies go along a direction.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Slid {
    pub(crate) contact: Option<Contact>,
    /// Of all bodies, there.
    pub(crate) poses: Vec<SentPose>,
    /// Metres.
    pub(crate) distance: f64,
}

/// How far bodies turn.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Turned {
    pub(crate) contact: Option<Contact>,
    /// Of all bodies, there.
    pub(crate) poses: Vec<SentPose>,
    /// Radians.
    pub(crate) angle: f64,
}

/// What was met: a finding with numbers in place of names, and without a sentence.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Contact {
    #[serde(flatten)]
    pub(crate) finding: ContactDocument,
    pub(crate) names: [String; 2],
    pub(crate) features: [Option<ContactFeature>; 2],
}

/// A finding as the crate of checks writes it.
#[derive(Debug, Serialize)]
pub(crate) struct FindingDocument(pub(crate) Map<String, Value>);

/// The same, but for the numbers of its bodies.
#[derive(Debug, Serialize)]
pub(crate) struct ContactDocument(pub(crate) Map<String, Value>);

/// A vertex, edge or face, as that crate writes it.
#[derive(Debug, Serialize)]
pub(crate) struct ContactFeature(pub(crate) Map<String, Value>);

/// What overlaps in one placement, and what is closest to each other.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Probed {
    pub(crate) findings: Vec<FindingDocument>,
    pub(crate) closest: Option<ClosestPair>,
}

/// Two bodies that are close to each other, in metres.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClosestPair {
    pub(crate) pair: [String; 2],
    pub(crate) bodies: [usize; 2],
    pub(crate) distance: f64,
    pub(crate) required: f64,
    pub(crate) point_a: [f64; 3],
    pub(crate) point_b: [f64; 3],
}

/// A robot at joint values of its own.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RobotAt {
    /// Of links, tools and what it holds.
    pub(crate) poses: Vec<(usize, SentPose)>,
    /// Of all links.
    pub(crate) frames: Vec<SentPose>,
    /// The tool centre point.
    pub(crate) tool: SentPose,
    /// Freedoms outside of their limits.
    pub(crate) outside: Vec<usize>,
    pub(crate) findings: Vec<FindingDocument>,
    pub(crate) closest: Option<ClosestPair>,
}

/// Joint values that bring the tool somewhere, the nearest first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Solutions {
    /// These are all.
    pub(crate) complete: bool,
    /// Why there is none.
    pub(crate) reason: Option<String>,
    pub(crate) solutions: Vec<Solution>,
}

/// One of them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Solution {
    pub(crate) joints: Vec<f64>,
    pub(crate) nearest: bool,
    /// From the joint values before.
    pub(crate) distance: f64,
    pub(crate) signs: Option<String>,
    pub(crate) singular: Vec<String>,
    /// Nothing is wrong where it stands then.
    pub(crate) free: bool,
    /// What is.
    pub(crate) touches: Option<String>,
}

/// What the tool centre point reaches.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorkspacePoints {
    /// x, y, z, …
    pub(crate) points: Vec<f64>,
    pub(crate) reach: ReachInfo,
}

/// How far it reaches.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReachInfo {
    /// From the base, in metres.
    pub(crate) radius: f64,
    pub(crate) lower: [f64; 3],
    pub(crate) upper: [f64; 3],
    /// An estimate, in cubic metres.
    pub(crate) volume: f64,
}

/// The way of the tool centre point in every stage.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Trail {
    /// x, y, z, …
    pub(crate) stages: Vec<Vec<f64>>,
}

/// How far an action of a robot gets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Tried {
    /// Of the motion that is free.
    pub(crate) share: f64,
    pub(crate) contact: Option<Contact>,
    /// What comes nearer than its clearance on the way.
    pub(crate) too_close: Option<Contact>,
    pub(crate) joints: Vec<f64>,
    /// Of all bodies, there.
    pub(crate) poses: Vec<SentPose>,
    /// That the whole motion takes.
    pub(crate) seconds: f64,
}

/// All bodies of the running world.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldBodies {
    pub(crate) time: f64,
    pub(crate) bodies: Vec<RunningBody>,
}

/// Who drives now.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Assigned {
    pub(crate) controller: Option<Driver>,
}

/// A recording.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Recorded {
    pub(crate) bytes: usize,
}

/// Events of the running world.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldEvents {
    pub(crate) run: u64,
    /// The number of the oldest one that is remembered.
    pub(crate) first: u64,
    /// The number after the last of `events`.
    pub(crate) next: u64,
    /// The number of the next one that will happen.
    pub(crate) total: u64,
    #[cfg_attr(test, ts(as = "Vec<super::report::WorldEvent>"))]
    pub(crate) events: Vec<SharedEvent>,
}

/// A mesh file that was put beside the scene.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Uploaded {
    pub(crate) file: String,
    pub(crate) body: Option<usize>,
}
