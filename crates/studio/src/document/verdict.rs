//! The `verdict` event: what a check has found so far.

use super::snapshot::Snapshot;
use crate::protocol::{CommandError, ReportDocument, VerdictEvent};
use freiraum_check::{Finding, Report, StepResult, words};
use freiraum_geometry::Unit;
use serde_json::{Map, Value};

/// What is known of a plan: the whole report, or the steps that are done so far.
pub(super) enum Known<'k> {
    /// The check runs, or was stopped.
    Steps { running: bool, steps: &'k [Option<StepResult>] },
    /// The check failed.
    Error { steps: &'k [Option<StepResult>], error: CommandError },
    /// The check is done.
    All(&'k Report),
}

/// The event: all that `freiraum check --json` says, lengths in metres; sentences for people are in the unit of the scene. The keys are the same while it runs.
pub(super) fn event(snapshot: &Snapshot, known: &Known) -> VerdictEvent {
    let (running, error, steps) = match known {
        Known::All(report) => return told(snapshot, report.json_in(Unit::Metre), report.steps.len()),
        Known::Steps { running, steps } => (*running, None, *steps),
        Known::Error { steps, error } => (false, Some(error.clone()), *steps),
    };
    let filled = steps.iter().map(|step| step.clone().unwrap_or_default()).collect();
    let report =
        Report::of_findings(snapshot.scene(), &snapshot.timeline, Vec::new(), filled, Some(&snapshot.file));
    let mut event = told(snapshot, report.json_in(Unit::Metre), steps.iter().flatten().count());
    let values = event.report.0["steps"].as_array_mut().into_iter().flatten().zip(steps);
    let values: Vec<Value> =
        values.map(|(value, step)| if step.is_some() { value.take() } else { Value::Null }).collect();
    event.report.0["steps"] = Value::Array(values);
    for key in ["verdict", "pairs_tested", "pairs_remembered", "pairs_apart", "pairs_measured"] {
        // Not known yet.
        event.report.0[key] = Value::Null;
    }
    VerdictEvent { running, error, ..event }
}

/// A report as an event.
fn told(snapshot: &Snapshot, report: Value, done: usize) -> VerdictEvent {
    let report = object(report);
    VerdictEvent {
        missed: report["missed_goals"].clone(),
        event: "verdict",
        revision: snapshot.revision,
        running: false,
        done,
        total: report["steps"].as_array().map_or(0, Vec::len),
        error: None,
        report: ReportDocument(report),
    }
}

/// The keys of a document; none if it is no object.
fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(keys) => keys,
        _ => Map::new(),
    }
}

/// What is wrong with where bodies were put, as in `start` of the event.
pub(super) fn misplaced(snapshot: &Snapshot, findings: Vec<Finding>) -> Vec<Map<String, Value>> {
    let words: Vec<String> =
        findings.iter().map(|one| words::placement_sentence(snapshot.scene(), one)).collect();
    let mut told = in_metres(snapshot, findings);
    for (finding, words) in told.iter_mut().zip(words) {
        finding["message"] = Value::String(words);
    }
    told
}

/// Findings about one placement as `freiraum check --json` tells those of the start, lengths in metres.
pub(super) fn in_metres(snapshot: &Snapshot, findings: Vec<Finding>) -> Vec<Map<String, Value>> {
    if findings.is_empty() {
        return Vec::new();
    }
    // They are no findings about the file: they have no place in it.
    let report = Report::of_findings(snapshot.scene(), &snapshot.timeline, findings, Vec::new(), None);
    match report.json_in(Unit::Metre)["start"].take() {
        Value::Array(list) => list.into_iter().map(object).collect(),
        _ => Vec::new(),
    }
}
