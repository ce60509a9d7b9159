//! Looking for a way, or for an order in which everything comes apart, beside everything else.

use super::Told;
use super::ask::{no_body, no_step, placement};
use super::edit::planner;
use super::snapshot::Snapshot;
use crate::protocol::{NewPlan, Refusal, received};
use freiraum_plan::Timeline;
use freiraum_plan::disassemble::{DisassembleOptions, disassemble};
use freiraum_plan::path::{CompleteOptions, FindOptions, Found, Outcome, Progress, complete, name};
use freiraum_scene::{Move, Piece, Place, Scene, Step, Travel};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// So often it is told how far a search is.
const PAUSE: Duration = Duration::from_millis(100);

/// What is being looked for.
pub(super) enum Task {
    /// A way for the bodies of a step, which is in the plan or is to be added.
    Way { scene: Box<Scene>, step: Option<usize>, bodies: Vec<usize>, find: FindOptions },
    /// An order.
    Order,
}

/// What was found and waits for somebody to accept it.
pub(super) enum Proposal {
    /// Fill in this step.
    Fill { step: usize, pieces: Vec<Piece> },
    /// Add a step.
    Add { bodies: Vec<usize>, pieces: Vec<Piece> },
    /// Take over poses, goals and steps.
    Whole(Box<Scene>),
}

/// The task that a page asks for.
pub(super) fn task(snapshot: &Snapshot, new: &NewPlan) -> Result<Task, Refusal> {
    let wanted = new.planner.as_deref().map(planner).transpose()?.flatten();
    let find = FindOptions { planner: wanted, seed: new.seed, ..FindOptions::default() };
    let scene = snapshot.scene();
    let alone = |poses: &[freiraum_geometry::Pose], step: Step| {
        let mut alone = Scene { steps: vec![step], states: Vec::new(), ..scene.clone() };
        for (body, pose) in alone.bodies.iter_mut().zip(poses) {
            body.pose = *pose;
        }
        Box::new(alone)
    };
    if let Some(index) = new.step {
        let step = scene.steps.get(index).ok_or_else(|| no_step(index))?;
        let poses = &snapshot.timeline.stages[index].before;
        let mut step = step.clone();
        for one in &mut step.moves {
            // A way that is there already is looked for anew.
            let to = snapshot.timeline.after(index)[one.bodies[0]];
            one.travel = Travel::Plan { to, planner: wanted };
        }
        let bodies = step.moves.first().map(|one| one.bodies.clone()).unwrap_or_default();
        return Ok(Task::Way { scene: alone(poses, step), step: Some(index), bodies, find });
    }
    let to = new
        .to
        .as_ref()
        .ok_or_else(|| Refusal::new("request", "where to? `to` is missing"))
        .and_then(received)?;
    if new.bodies.is_empty() {
        return Err(Refusal::new("request", "which bodies? `bodies` is empty"));
    }
    if let Some(body) = new.bodies.iter().find(|body| **body >= scene.bodies.len()) {
        return Err(no_body(*body));
    }
    let mut poses = placement(snapshot, new.at, &new.poses)?;
    if new.at.is_none() && new.poses.is_empty() {
        // The step is added after the last one.
        poses.clone_from(&snapshot.timeline.end);
    }
    let travel = Travel::Plan { to, planner: wanted };
    let one = Move { subject: String::new(), bodies: new.bodies.clone(), travel, place: Place::default() };
    let step = Step { name: "plan".to_owned(), moves: vec![one], seconds: 1.0, place: Place::default() };
    Ok(Task::Way { scene: alone(&poses, step), step: None, bodies: new.bodies.clone(), find })
}

/// Does it; what is proposed, and the event that says so.
pub(super) fn run(
    snapshot: &Snapshot,
    task: Task,
    is_cancelled: &AtomicBool,
    told: &Arc<Told>,
) -> (Option<Proposal>, Value) {
    let last = Mutex::new(Instant::now());
    let go_on = |event: &dyn Fn() -> Value| {
        let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            told.say(&event());
        }
        if is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let failed = |problems| {
        let error = Refusal::from(snapshot.file.errors(problems)).json();
        (None, json!({ "event": "planned", "verdict": "error", "message": error["message"], "error": error }))
    };
    match task {
        Task::Way { scene, step, bodies, find } => {
            let mut progress = |_: &str, now: &Progress| {
                go_on(
                    &|| json!({ "event": "progress", "task": "plan", "step": step, "planner": name(now.planner), "done": now.checks, "total": now.budget }),
                )
            };
            match complete(&scene, &snapshot.parts, &CompleteOptions { find }, &mut progress) {
                Ok(completed) => match completed.steps.into_iter().next() {
                    Some(found) => way(snapshot, &completed.scene, step, bodies, found.found),
                    None => (
                        None,
                        json!({ "event": "planned", "verdict": "gave_up", "message": "there is nothing to plan" }),
                    ),
                },
                Err(problems) => failed(problems),
            }
        }
        Task::Order => {
            let progress = |done: usize, total: usize, now: Option<&Progress>| {
                go_on(&|| {
                    let planner = now.map(|now| name(now.planner));
                    json!({ "event": "progress", "task": "disassemble", "step": null, "planner": planner, "done": done, "total": total })
                })
            };
            match disassemble(snapshot.scene(), &snapshot.parts, &DisassembleOptions::default(), &progress) {
                Ok(found) => order(snapshot, found),
                Err(problems) => failed(problems),
            }
        }
    }
}

fn way(
    snapshot: &Snapshot,
    scene: &Scene,
    step: Option<usize>,
    bodies: Vec<usize>,
    found: Found,
) -> (Option<Proposal>, Value) {
    let (verdict, message) = match &found.outcome {
        Outcome::Path(_) => ("free", None),
        Outcome::NoPath(why) => ("no_path", Some(why.clone())),
        Outcome::GaveUp(why) => ("gave_up", Some(why.clone())),
    };
    let is_found = message.is_none();
    let preview = Timeline::of(scene).ok().filter(|_| is_found);
    let preview =
        preview.and_then(|timeline| Some(json!({ "tracks": snapshot.tracks(timeline.stages.first()?) })));
    let event = json!({
        "event": "planned", "task": "plan", "step": step, "verdict": verdict, "message": message,
        "length": is_found.then_some(found.length), "clearance": found.clearance, "pieces": found.pieces.len(),
        "planner": is_found.then(|| found.planner.map_or("straight", name)), "preview": preview,
    });
    let proposal = match step {
        Some(step) => Proposal::Fill { step, pieces: found.pieces },
        None => Proposal::Add { bodies, pieces: found.pieces },
    };
    (is_found.then_some(proposal), event)
}

fn order(snapshot: &Snapshot, found: freiraum_plan::disassemble::Disassembly) -> (Option<Proposal>, Value) {
    let names = |bodies: &[usize]| {
        bodies.iter().map(|body| snapshot.scene().bodies[*body].name.clone()).collect::<Vec<_>>()
    };
    let message = if !found.overlaps.is_empty() {
        Some(format!("{} overlap when assembled", names(&found.overlaps[0]).join(" and ")))
    } else if !found.blocked.is_empty() {
        Some(format!("no way out was found for {}", names(&found.blocked).join(", ")))
    } else {
        None
    };
    let stages = Timeline::of(&found.assembly).map(|timeline| {
        let stages = timeline
            .stages
            .iter()
            .map(|stage| json!({ "name": stage.name, "tracks": snapshot.tracks(stage) }));
        stages.collect::<Vec<_>>()
    });
    let event = json!({
        "event": "planned", "task": "disassemble", "verdict": found.verdict.name(), "message": message,
        "length": null, "clearance": null, "pieces": found.removals.len(),
        "blocked": names(&found.blocked), "preview": { "tracks": [], "stages": stages.unwrap_or_default() },
    });
    let proposal = (!found.removals.is_empty()).then(|| Proposal::Whole(Box::new(found.assembly)));
    (proposal, event)
}
