//! The `verdict` event: what a check has found so far.

use super::snapshot::Snapshot;
use crate::protocol::{CommandError, FindingDocument, ReportDocument, VerdictEvent};
use freiraum_check::{Finding, Report, StepResult, words};
use freiraum_geometry::Unit;

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
        Known::All(report) => {
            let document = ReportDocument::of(report.json_in(Unit::Metre));
            return told(snapshot, document, report.steps.len());
        }
        Known::Steps { running, steps } => (*running, None, *steps),
        Known::Error { steps, error } => (false, Some(error.clone()), *steps),
    };
    let filled = steps.iter().map(|step| step.clone().unwrap_or_default()).collect();
    let report =
        Report::of_findings(snapshot.scene(), &snapshot.timeline, Vec::new(), filled, Some(&snapshot.file));
    let is_done = |step: usize| steps.get(step).is_none_or(Option::is_some);
    let report = ReportDocument::so_far(report.json_in(Unit::Metre), is_done);
    VerdictEvent { running, error, ..told(snapshot, report, steps.iter().flatten().count()) }
}

/// A report as an event.
fn told(snapshot: &Snapshot, report: ReportDocument, done: usize) -> VerdictEvent {
    VerdictEvent {
        missed: report.missed_goals(),
        event: "verdict",
        revision: snapshot.revision,
        running: false,
        done,
        total: report.step_count(),
        error: None,
        report,
    }
}

/// What is wrong with where bodies were put, as in `start` of the event.
pub(super) fn misplaced(snapshot: &Snapshot, findings: Vec<Finding>) -> Vec<FindingDocument> {
    let words: Vec<String> =
        findings.iter().map(|one| words::placement_sentence(snapshot.scene(), one)).collect();
    let documents = in_metres(snapshot, findings).into_iter().zip(words);
    documents.map(|(finding, words)| finding.with_message(Some(words))).collect()
}

/// Findings about one placement as `freiraum check --json` tells those of the start, lengths in metres.
pub(super) fn in_metres(snapshot: &Snapshot, findings: Vec<Finding>) -> Vec<FindingDocument> {
    if findings.is_empty() {
        return Vec::new();
    }
    // They are no findings about the file: they have no place in it.
    let report = Report::of_findings(snapshot.scene(), &snapshot.timeline, findings, Vec::new(), None);
    ReportDocument::of(report.json_in(Unit::Metre)).into_start()
}
