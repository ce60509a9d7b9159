//! The `verdict` event: what a check has found so far.

use super::snapshot::Snapshot;
use freiraum_geometry::Unit;
use freiraum_plan::check::{CheckResult, Finding, PlanVerdict, StepResult};
use freiraum_plan::{report, words};
use freiraum_scene::Scene;
use serde_json::{Value, json};

/// What is known of a plan: its findings before the first step, and those steps that are done.
pub(super) struct Known<'k> {
    pub(super) running: bool,
    pub(super) verdict: Option<PlanVerdict>,
    pub(super) start: &'k [Finding],
    pub(super) steps: &'k [Option<StepResult>],
    pub(super) missed: &'k [usize],
    pub(super) error: Option<Value>,
}

/// The event, lengths in metres; sentences for people are in the unit of the scene.
pub(super) fn event(snapshot: &Snapshot, known: &Known) -> Value {
    let nothing = || StepResult {
        verdict: PlanVerdict::Undecided,
        moving: Vec::new(),
        closest: None,
        findings: Vec::new(),
        fit_gaps: Vec::new(),
        fits: Vec::new(),
    };
    let result = CheckResult {
        open: Vec::new(),
        verdict: known.verdict.unwrap_or(PlanVerdict::Undecided),
        start: known.start.to_vec(),
        steps: known.steps.iter().map(|step| step.clone().unwrap_or_else(nothing)).collect(),
        missed: known.missed.to_vec(),
        pairs_tested: 0,
        pairs_remembered: 0,
        pairs_apart: 0,
        pairs_measured: 0,
    };
    let mut found = in_metres(snapshot, &result);
    let steps: Vec<Value> = found["steps"]
        .as_array_mut()
        .into_iter()
        .flatten()
        .zip(known.steps)
        .map(|(value, step)| if step.is_some() { value.take() } else { Value::Null })
        .collect();
    let names = |body: &usize| snapshot.scene().bodies[*body].name.clone();
    json!({
        "event": "verdict", "revision": snapshot.revision, "running": known.running,
        "done": known.steps.iter().flatten().count(), "total": known.steps.len(),
        "verdict": known.verdict.map(PlanVerdict::name), "units": "m", "start": found["start"].take(), "steps": steps,
        "missed": known.missed.iter().map(names).collect::<Vec<_>>(), "error": known.error,
    })
}

/// What is wrong with where bodies were put, as in `start` of the event.
pub(super) fn misplaced(snapshot: &Snapshot, findings: Vec<Finding>) -> Value {
    if findings.is_empty() {
        return json!([]);
    }
    let scene = snapshot.scene();
    let words: Vec<String> = findings.iter().map(|one| words::placement_sentence(scene, one)).collect();
    let result = CheckResult {
        verdict: PlanVerdict::Free,
        start: findings,
        steps: Vec::new(),
        missed: Vec::new(),
        open: Vec::new(),
        pairs_tested: 0,
        pairs_remembered: 0,
        pairs_apart: 0,
        pairs_measured: 0,
    };
    let mut told = in_metres(snapshot, &result)["start"].take();
    for (finding, words) in told.as_array_mut().into_iter().flatten().zip(words) {
        finding["message"] = json!(words);
    }
    told
}

/// What `freiraum check --json` says, lengths in metres.
pub(super) fn in_metres(snapshot: &Snapshot, result: &CheckResult) -> Value {
    let scene = Scene { units: Unit::Metre, ..snapshot.scene().clone() };
    let mut found = report::json(&scene, &snapshot.timeline, result, None);
    let spoken = report::json(snapshot.scene(), &snapshot.timeline, result, None);
    copy_words(&mut found, &spoken);
    found
}

/// Takes sentences from another copy of the same document.
fn copy_words(to: &mut Value, from: &Value) {
    match (to, from) {
        (Value::Array(to), Value::Array(from)) => {
            to.iter_mut().zip(from).for_each(|(to, from)| copy_words(to, from))
        }
        (Value::Object(to), Value::Object(from)) => {
            for (key, to) in to.iter_mut() {
                match (key.as_str(), from.get(key)) {
                    ("message" | "action", Some(words)) => *to = words.clone(),
                    (_, Some(from)) => copy_words(to, from),
                    (_, None) => {}
                }
            }
        }
        _ => {}
    }
}
