//! What all pages are told.

use super::scene::{BodyInfo, GroupInfo, RobotEnd, RobotInfo, Stage, StepInfo, Track};
use super::{CommandError, Contact, ContactDocument, ContactFeature, FindingDocument, SentPose};
use freiraum_check::PlanVerdict;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What is sent to all pages: a message with a key `event`.
pub(crate) trait Event: Serialize {}

impl Event for SceneEvent {}
impl Event for VerdictEvent {}
impl Event for ProgressEvent {}
impl Event for PlannedEvent {}
impl Event for WorldGoneEvent {}
impl Event for DiskEvent {}
impl Event for ErrorEvent {}

/// The first one that a page gets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct HelloEvent<'h> {
    #[cfg_attr(test, ts(type = "\"hello\""))]
    pub(crate) event: &'static str,
    pub(crate) version: &'static str,
    /// Names of scenes to start with.
    pub(crate) examples: &'h [&'static str],
    pub(crate) unsaved: Option<UnsavedWork>,
    /// The newest `scene` event.
    #[cfg_attr(test, ts(as = "Option<SceneEvent>"))]
    pub(crate) scene: Option<&'h RawValue>,
    /// The newest `verdict` event.
    #[cfg_attr(test, ts(as = "Option<VerdictEvent>"))]
    pub(crate) verdict: Option<&'h RawValue>,
}

/// Work of an earlier session that was not saved.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct UnsavedWork {
    pub(crate) name: String,
    /// Seconds since 1970.
    pub(crate) when: u64,
}

/// The scene that is open. Steps are stages of the plan.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SceneEvent {
    #[cfg_attr(test, ts(type = "\"scene\""))]
    pub(crate) event: &'static str,
    pub(crate) revision: u64,
    pub(crate) name: String,
    pub(crate) title: String,
    /// The symbol of the unit in which the page shows lengths.
    pub(crate) units: &'static str,
    /// The file says something that matters in time alone.
    pub(crate) world: bool,
    /// Metres.
    pub(crate) clearance: f64,
    /// Metres.
    pub(crate) allowance: f64,
    pub(crate) bodies: Vec<BodyInfo>,
    pub(crate) groups: Vec<GroupInfo>,
    pub(crate) steps: Vec<StepInfo>,
    pub(crate) stages: Vec<Stage>,
    /// Poses of all bodies after the last stage.
    pub(crate) end: Vec<SentPose>,
    pub(crate) robots: Vec<RobotInfo>,
    pub(crate) robots_end: Option<Vec<RobotEnd>>,
    /// What can be undone.
    pub(crate) undo: Option<String>,
    /// What can be done again.
    pub(crate) redo: Option<String>,
    /// Not saved.
    pub(crate) dirty: bool,
    /// As seen from the folder of the studio.
    pub(crate) path: Option<String>,
}

/// What a check has found so far: the report as `freiraum check --json` writes it, lengths in metres, and how
/// far the check is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct VerdictEvent {
    #[serde(flatten)]
    pub(crate) report: ReportDocument,
    /// Another name for `missed_goals`.
    pub(crate) missed: Vec<String>,
    #[cfg_attr(test, ts(type = "\"verdict\""))]
    pub(crate) event: &'static str,
    pub(crate) revision: u64,
    pub(crate) running: bool,
    /// Steps that are checked.
    pub(crate) done: usize,
    /// All steps.
    pub(crate) total: usize,
    /// Why nothing could be checked.
    pub(crate) error: Option<CommandError>,
}

/// A report as the crate of checks writes it.
#[derive(Debug, Serialize)]
pub(crate) struct ReportDocument(Map<String, Value>);

impl ReportDocument {
    /// Of a document, which is an object.
    pub(crate) fn of(document: Value) -> ReportDocument {
        ReportDocument(object(document))
    }

    /// The same while the check runs: null for the steps that are not done, and for what only the whole check
    /// knows.
    pub(crate) fn so_far(document: Value, is_done: impl Fn(usize) -> bool) -> ReportDocument {
        let mut report = ReportDocument::of(document);
        let steps = report.0.get_mut("steps").and_then(Value::as_array_mut);
        for (number, step) in steps.into_iter().flatten().enumerate() {
            if !is_done(number) {
                *step = Value::Null;
            }
        }
        for key in ["verdict", "pairs_tested", "pairs_remembered", "pairs_apart", "pairs_measured"] {
            report.0.insert(key.to_owned(), Value::Null);
        }
        report
    }

    /// How many steps it has.
    pub(crate) fn step_count(&self) -> usize {
        self.0.get("steps").and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// Names of the bodies that the plan does not leave at their goals.
    pub(crate) fn missed_goals(&self) -> Vec<String> {
        let names = self.0.get("missed_goals").and_then(Value::as_array).into_iter().flatten();
        names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    }

    /// What is wrong with the start.
    pub(crate) fn into_start(mut self) -> Vec<FindingDocument> {
        match self.0.remove("start") {
            Some(Value::Array(all)) => all.into_iter().map(|one| FindingDocument(object(one))).collect(),
            _ => Vec::new(),
        }
    }
}

impl FindingDocument {
    /// With another sentence, or none.
    pub(crate) fn with_message(mut self, message: Option<String>) -> FindingDocument {
        self.0.insert("message".to_owned(), message.into());
        self
    }
}

impl Contact {
    /// A finding between two bodies, with their numbers.
    pub(crate) fn of(finding: FindingDocument, bodies: [usize; 2]) -> Contact {
        let FindingDocument(mut keys) = finding.with_message(None);
        let names = keys.insert("pair".to_owned(), bodies.to_vec().into());
        let name = |k: usize| names.as_ref().and_then(|all| all[k].as_str()).unwrap_or_default().to_owned();
        let feature = |key: &str| Some(ContactFeature(keys.get(key)?.as_object()?.clone()));
        let (names, features) = ([name(0), name(1)], ["feature_a", "feature_b"].map(feature));
        Contact { finding: ContactDocument(keys), names, features }
    }
}

/// The keys of a document; none if it is no object.
fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(keys) => keys,
        _ => Map::new(),
    }
}

/// What a search is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum PlanningTask {
    Plan,
    Disassemble,
}

/// How far a search is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ProgressEvent {
    #[cfg_attr(test, ts(type = "\"progress\""))]
    pub(crate) event: &'static str,
    pub(crate) task: PlanningTask,
    pub(crate) step: Option<usize>,
    pub(crate) planner: Option<&'static str>,
    pub(crate) done: u64,
    pub(crate) total: u64,
}

/// A search has ended. Keys that make no sense for its end are left out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlannedEvent {
    #[cfg_attr(test, ts(type = "\"planned\""))]
    pub(crate) event: &'static str,
    pub(crate) task: PlanningTask,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) step: Option<Option<usize>>,
    pub(crate) verdict: PlannedVerdict,
    /// Why there is no way; null if there is one.
    pub(crate) message: Option<String>,
    /// Metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) length: Option<Option<f64>>,
    /// Metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) clearance: Option<Option<f64>>,
    /// Of the way; of a disassembly, how many bodies or groups were removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) pieces: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) planner: Option<Option<&'static str>>,
    /// Names of the bodies that a disassembly leaves behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) blocked: Option<Vec<String>>,
    /// Null if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) preview: Option<Option<Preview>>,
    /// If the scene has problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) error: Option<CommandError>,
}

impl PlannedEvent {
    /// With nothing but the keys that every end has.
    pub(crate) fn new(task: PlanningTask, verdict: PlannedVerdict, message: Option<String>) -> PlannedEvent {
        PlannedEvent {
            event: "planned",
            task,
            step: None,
            verdict,
            message,
            length: None,
            clearance: None,
            pieces: None,
            planner: None,
            blocked: None,
            preview: None,
            error: None,
        }
    }
}

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum PlannedVerdict {
    Free,
    NoPath,
    GaveUp,
    Cancelled,
    Error,
    // Those of the plan that a disassembly leads to.
    Undecided,
    TooClose,
    Collision,
    Invalid,
}

impl From<PlanVerdict> for PlannedVerdict {
    fn from(verdict: PlanVerdict) -> PlannedVerdict {
        match verdict {
            PlanVerdict::Free => PlannedVerdict::Free,
            PlanVerdict::Undecided => PlannedVerdict::Undecided,
            PlanVerdict::TooClose => PlannedVerdict::TooClose,
            PlanVerdict::Collision => PlannedVerdict::Collision,
            PlanVerdict::Invalid => PlannedVerdict::Invalid,
        }
    }
}

/// What was found, to be looked at.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Preview {
    /// The way.
    pub(crate) tracks: Vec<Track>,
    /// The stages of a disassembly, one after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) stages: Option<Vec<PreviewStage>>,
}

/// A stage of a disassembly.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PreviewStage {
    pub(crate) name: String,
    pub(crate) tracks: Vec<Track>,
}

/// There is no world any more.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WorldGoneEvent {
    #[cfg_attr(test, ts(type = "\"world_gone\""))]
    pub(crate) event: &'static str,
    pub(crate) reason: String,
}

/// Another program wrote the scene file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DiskEvent {
    #[cfg_attr(test, ts(type = "\"disk\""))]
    pub(crate) event: &'static str,
    pub(crate) changed: bool,
}

/// Something went wrong that no page has asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ErrorEvent {
    #[serde(flatten)]
    pub(crate) error: CommandError,
    #[cfg_attr(test, ts(type = "\"error\""))]
    pub(crate) event: &'static str,
}

impl From<CommandError> for ErrorEvent {
    fn from(error: CommandError) -> ErrorEvent {
        ErrorEvent { error, event: "error" }
    }
}
