//! The `verdict` event: what a check has found so far.

use super::snapshot::Snapshot;
use freiraum_geometry::Unit;
use freiraum_plan::check::{Finding, Report, StepResult};
use freiraum_plan::words;
use serde_json::{Value, json};

/// What is known of a plan: the whole report, or the steps that are done so far.
pub(super) enum Known<'k> {
    /// The check runs, or was stopped.
    Steps { running: bool, steps: &'k [Option<StepResult>] },
    /// The check failed.
    Error { steps: &'k [Option<StepResult>], error: Value },
    /// The check is done.
    All(&'k Report),
}

/// The event: all that `freiraum check --json` says, lengths in metres; sentences for people are in the unit of the scene. The keys are the same while it runs.
pub(super) fn event(snapshot: &Snapshot, known: &Known) -> Value {
    let (running, error, steps) = match known {
        Known::All(report) => return told(snapshot, report.json_in(Unit::Metre), report.steps.len()),
        Known::Steps { running, steps } => (*running, Value::Null, *steps),
        Known::Error { steps, error } => (false, error.clone(), *steps),
    };
    let filled = steps.iter().map(|step| step.clone().unwrap_or_default()).collect();
    let report =
        Report::of_findings(snapshot.scene(), &snapshot.timeline, Vec::new(), filled, Some(&snapshot.file));
    let mut event = told(snapshot, report.json_in(Unit::Metre), steps.iter().flatten().count());
    let values = event["steps"].as_array_mut().into_iter().flatten().zip(steps);
    let values: Vec<Value> =
        values.map(|(value, step)| if step.is_some() { value.take() } else { Value::Null }).collect();
    event["steps"] = json!(values);
    event["running"] = json!(running);
    event["error"] = error;
    for key in ["verdict", "pairs_tested", "pairs_remembered", "pairs_apart", "pairs_measured"] {
        // Not known yet.
        event[key] = Value::Null;
    }
    event
}

/// A report as an event.
fn told(snapshot: &Snapshot, report: Value, done: usize) -> Value {
    let total = report["steps"].as_array().map_or(0, Vec::len);
    let mut event = report;
    event["missed"] = event["missed_goals"].clone();
    let more = [
        ("event", json!("verdict")),
        ("revision", json!(snapshot.revision)),
        ("running", json!(false)),
        ("done", json!(done)),
        ("total", json!(total)),
        ("error", Value::Null),
    ];
    for (key, value) in more {
        event[key] = value;
    }
    event
}

/// What is wrong with where bodies were put, as in `start` of the event.
pub(super) fn misplaced(snapshot: &Snapshot, findings: Vec<Finding>) -> Value {
    let words: Vec<String> =
        findings.iter().map(|one| words::placement_sentence(snapshot.scene(), one)).collect();
    let mut told = in_metres(snapshot, findings);
    for (finding, words) in told.as_array_mut().into_iter().flatten().zip(words) {
        finding["message"] = json!(words);
    }
    told
}

/// Findings about one placement as `freiraum check --json` tells those of the start, lengths in metres.
pub(super) fn in_metres(snapshot: &Snapshot, findings: Vec<Finding>) -> Value {
    if findings.is_empty() {
        return json!([]);
    }
    // They are no findings about the file: they have no place in it.
    let report = Report::of_findings(snapshot.scene(), &snapshot.timeline, findings, Vec::new(), None);
    report.json_in(Unit::Metre)["start"].take()
}
