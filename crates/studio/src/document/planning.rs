//! Looking for a way, or for an order in which everything comes apart, beside everything else.

use super::Told;
use super::ask::{no_body, placement};
use super::edit::planner;
use super::proposal::{Proposal, Proposed};
use super::robot::{self, Situation};
use super::snapshot::Snapshot;
use super::stages::{first_of, place_of, step_of};
use crate::protocol::{
    At, NewPlan, PlannedEvent, PlannedVerdict, PlanningTask, Preview, PreviewStage, ProgressEvent, Refusal,
    received,
};
use freiraum_check::{Timeline, words};
use freiraum_geometry::Pose;
use freiraum_motion::CancelToken;
use freiraum_planning::disassemble::{DisassembleOptions, disassemble_until};
use freiraum_planning::path::{
    CompleteOptions, FindOptions, Found, Outcome, Progress, StepFound, complete_until, name,
};
use freiraum_scene::{Action, ActionKind, Move, Place, Scene, Step, Travel};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// So often it is told how far a search is.
const PAUSE: Duration = Duration::from_millis(100);

/// What is being looked for.
pub(super) enum Task {
    /// A way for the bodies of a step, which is in the plan or is to be added.
    Way { scene: Box<Scene>, target: Target, find: FindOptions },
    /// The ways that the only robot of a step leaves open; pages know the step by its stage. The first actions take what it holds before.
    Robot { scene: Box<Scene>, step: usize, stage: usize, taken: usize, find: FindOptions },
    /// An order.
    Order,
}

/// Where a way belongs.
#[derive(Clone)]
pub(super) enum Target {
    /// Into the only move of this step of the file; pages know it by its stage.
    Fill { step: usize, stage: usize },
    /// Into a new step with this number; `is_moved` if the leading body was put by hand to where it starts.
    Add { index: usize, bodies: Vec<usize>, start: Pose, is_moved: bool },
}

impl Target {
    fn step(&self) -> Option<usize> {
        match self {
            Target::Fill { stage, .. } => Some(*stage),
            Target::Add { .. } => None,
        }
    }
}

/// The task that a page asks for.
pub(super) fn task(snapshot: &Snapshot, new: &NewPlan) -> Result<Task, Refusal> {
    let wanted = new.planner.as_deref().map(planner).transpose()?.flatten();
    let find = FindOptions { planner: wanted, seed: new.seed, ..FindOptions::default() };
    let scene = snapshot.scene();
    let alone = |poses: &[Pose], step: Step| {
        let mut alone = Scene { steps: vec![step], states: Vec::new(), ..scene.clone() };
        for (body, pose) in alone.bodies.iter_mut().zip(poses) {
            body.pose = *pose;
        }
        Box::new(alone)
    };
    if let Some(stage) = new.step {
        let index = step_of(&snapshot.timeline, stage)?;
        let step = scene.steps.get(index).ok_or_else(|| {
            let refusal = Refusal::new("request", "the scene has states, and no steps");
            refusal.help("a way is found for a step of the file")
        })?;
        if !step.tasks.is_empty() {
            return of_robot(snapshot, index, stage, find);
        }
        let poses = &snapshot.timeline.stages[stage].before.to_vec();
        let mut step = step.clone();
        for one in &mut step.moves {
            // A way that is there already is looked for anew.
            let to = snapshot.timeline.after(stage)[one.bodies[0]];
            one.travel = Travel::Plan { to, planner: wanted };
        }
        if step.moves.len() != 1 {
            let refusal = Refusal::new("request", "several bodies move on their own in this step");
            return Err(refusal.help("a way is found for a step with one move"));
        }
        let target = Target::Fill { step: index, stage };
        return Ok(Task::Way { scene: alone(poses, step), target, find });
    }
    let to = new
        .to
        .as_ref()
        .ok_or_else(|| Refusal::new("request", "where to? `to` is missing"))
        .and_then(received)?;
    if new.bodies.is_empty() {
        return Err(Refusal::new("request", "which bodies? `bodies` is empty"));
    }
    for (k, body) in new.bodies.iter().enumerate() {
        let found = scene.bodies.get(*body).ok_or_else(|| no_body(*body))?;
        if found.is_fixed {
            return Err(Refusal::new("request", format!("{:?} is fixed", found.name)));
        }
        if new.bodies[..k].contains(body) {
            return Err(Refusal::new("request", format!("{:?} is named twice", found.name)));
        }
    }
    // Where the step will stand, and the state that it starts from: between two steps.
    let count = snapshot.timeline.stages.len();
    let stage = match new.at {
        None => Some(count).filter(|_| new.poses.is_empty()),
        Some(At { step, t }) => Some(if t > 0.0 && step < count { step + 1 } else { step }),
    };
    let index = stage.map_or(Ok(0), |stage| place_of(&snapshot.timeline, stage))?;
    let at = stage.map(|_| At { step: first_of(&snapshot.timeline, index), t: 0.0 });
    let poses = placement(snapshot, at, &new.poses)?;
    let now = robot::situation(snapshot, at)?;
    let holder = |body: &usize| now.robots.iter().position(|robot| robot.held.contains(body));
    if let Some((body, robot)) = new.bodies.iter().find_map(|body| Some((body, holder(body)?))) {
        let (body, robot) = (&scene.bodies[*body].name, &scene.robots[robot].name);
        return Err(Refusal::new("request", format!("{robot:?} holds {body:?}")).help("plan for the robot"));
    }
    let target = Target::Add {
        index,
        bodies: new.bodies.clone(),
        start: poses[new.bodies[0]],
        is_moved: new.poses.iter().any(|(body, _)| new.bodies.contains(body)),
    };
    let travel = Travel::Plan { to, planner: wanted };
    let one = Move { subject: String::new(), bodies: new.bodies.clone(), travel, place: Place::default() };
    let step = Step {
        name: "plan".to_owned(),
        moves: vec![one],
        tasks: Vec::new(),
        seconds: 1.0,
        place: Place::default(),
    };
    Ok(Task::Way { scene: alone(&poses, step), target, find })
}

/// The ways that the program of a robot leaves open in a step.
fn of_robot(snapshot: &Snapshot, index: usize, stage: usize, find: FindOptions) -> Result<Task, Refusal> {
    let scene = snapshot.scene();
    let step = &scene.steps[index];
    if step.tasks.len() != 1 {
        let refusal = Refusal::new("request", "several robots work in this step");
        return Err(refusal.help("a way is found for a step with one robot"));
    }
    let is_open = |action: &Action| matches!(action.kind, ActionKind::Plan { .. });
    if !step.tasks[0].actions.iter().any(is_open) {
        let refusal = Refusal::new("request", format!("no way is left open in {:?}", step.name));
        return Err(refusal.help("a planner finds the way of an action `plan`"));
    }
    let now: Situation =
        robot::situation(snapshot, Some(At { step: first_of(&snapshot.timeline, index), t: 0.0 }))?;
    let (alone, taken) = robot::alone(scene, &now, step);
    Ok(Task::Robot { scene: Box::new(alone), step: index, stage, taken: taken[0], find })
}

/// How the pages call it, and the step that is planned.
pub(super) fn name_of(task: &Task) -> (PlanningTask, Option<usize>) {
    match task {
        Task::Way { target, .. } => (PlanningTask::Plan, target.step()),
        Task::Robot { stage, .. } => (PlanningTask::Plan, Some(*stage)),
        Task::Order => (PlanningTask::Disassemble, None),
    }
}

/// What became of a search.
pub(super) struct Ended {
    /// What is proposed.
    pub(super) proposal: Option<Proposal>,
    /// What pages are told.
    pub(super) event: PlannedEvent,
    /// What planners answered for steps of the file: an input of the check.
    pub(super) answers: Vec<StepFound>,
}

/// Answers under the number that their step has in the file.
fn answers(step: usize, found: &[StepFound]) -> Vec<StepFound> {
    found.iter().map(|one| StepFound { index: step, ..one.clone() }).collect()
}

/// Does it.
pub(super) fn run(snapshot: &Snapshot, task: Task, cancel: &CancelToken, told: &Arc<Told>) -> Ended {
    let last = Mutex::new(Instant::now());
    let go_on = |event: &dyn Fn() -> ProgressEvent| {
        let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            told.say(&event());
        }
        if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (task_name, step) = name_of(&task);
    let failed = |problems| {
        let error = Refusal::from(snapshot.file.errors(problems)).error();
        let event = PlannedEvent::new(task_name, PlannedVerdict::Error, Some(error.message.clone()));
        (None, PlannedEvent { step: Some(step), error: Some(error), ..event })
    };
    let ways = |scene: &Scene, find: FindOptions| {
        let mut progress = |_: &str, now: &Progress| {
            go_on(&|| ProgressEvent {
                event: "progress",
                task: PlanningTask::Plan,
                step,
                planner: Some(name(now.planner)),
                done: now.checks,
                total: now.budget,
            })
        };
        complete_until(scene, &snapshot.parts, &CompleteOptions { find }, cancel, &mut progress)
    };
    let (mut answered, mut found) = (Vec::new(), Vec::new());
    let (proposal, event) = match task {
        Task::Way { scene, target, find } => match ways(&scene, find) {
            Ok(mut completed) if !completed.steps.is_empty() => {
                found = answers(0, &completed.steps);
                if let Target::Fill { step, .. } = &target {
                    answered = answers(*step, &found);
                }
                way(snapshot, &completed.scene, target, completed.steps.swap_remove(0).found)
            }
            Ok(_) => {
                let message = Some("there is nothing to plan".to_owned());
                let event = PlannedEvent::new(PlanningTask::Plan, PlannedVerdict::GaveUp, message);
                (None, PlannedEvent { step: Some(step), ..event })
            }
            Err(problems) => failed(problems),
        },
        Task::Robot { scene, step, stage, taken, find } => match ways(&scene, find) {
            Ok(completed) => {
                answered = answers(step, &completed.steps);
                found.clone_from(&answered);
                robot_way(snapshot, &completed.scene, [step, taken], stage, &completed.steps)
            }
            Err(problems) => failed(problems),
        },
        Task::Order => {
            let progress = |done: usize, total: usize, now: Option<&Progress>| {
                go_on(&|| ProgressEvent {
                    event: "progress",
                    task: PlanningTask::Disassemble,
                    step: None,
                    planner: now.map(|now| name(now.planner)),
                    done: done as u64,
                    total: total as u64,
                })
            };
            let options = DisassembleOptions::default();
            match disassemble_until(snapshot.scene(), &snapshot.parts, &options, cancel, &progress) {
                Ok(apart) => order(snapshot, apart),
                Err(problems) => failed(problems),
            }
        }
    };
    // They go with what they found when it is accepted.
    let proposal = proposal.map(|proposal| proposal.answered(found));
    Ended { proposal, event, answers: answered }
}

fn way(snapshot: &Snapshot, scene: &Scene, target: Target, found: Found) -> (Option<Proposal>, PlannedEvent) {
    let step = target.step();
    let (verdict, message) = match &found.outcome {
        Outcome::Path(_) => (PlannedVerdict::Free, None),
        Outcome::NoPath(why) => (PlannedVerdict::NoPath, Some(why.clone())),
        Outcome::GaveUp(why) => (PlannedVerdict::GaveUp, Some(why.clone())),
    };
    let is_found = message.is_none();
    let preview = Timeline::of(scene).ok().filter(|_| is_found);
    let preview = preview.and_then(|timeline| {
        Some(Preview { tracks: snapshot.tracks(timeline.stages.first()?), stages: None })
    });
    let event = PlannedEvent {
        step: Some(step),
        length: Some(is_found.then_some(found.length)),
        clearance: Some(found.clearance),
        pieces: Some(found.pieces.len()),
        planner: Some(is_found.then(|| found.by())),
        preview: Some(preview),
        ..PlannedEvent::new(PlanningTask::Plan, verdict, message)
    };
    let proposal = Proposal::new(snapshot, Proposed::Way(target, found.pieces));
    (is_found.then_some(proposal), event)
}

/// What was found for the open ways of a robot in a step; all of them, or none.
fn robot_way(
    snapshot: &Snapshot,
    scene: &Scene,
    [step, taken]: [usize; 2],
    stage: usize,
    found: &[StepFound],
) -> (Option<Proposal>, PlannedEvent) {
    let failed = found.iter().find_map(|one| match &one.found.outcome {
        Outcome::Path(_) => None,
        Outcome::NoPath(why) => Some((PlannedVerdict::NoPath, why.clone())),
        Outcome::GaveUp(why) => Some((PlannedVerdict::GaveUp, why.clone())),
    });
    let (verdict, message) =
        failed.map_or((PlannedVerdict::Free, None), |(verdict, why)| (verdict, Some(why)));
    let is_found = message.is_none();
    let preview = Timeline::of(scene).ok().filter(|_| is_found);
    let preview = preview.map(|timeline| Preview { tracks: snapshot.tracks_of_all(&timeline), stages: None });
    let length: f64 = found.iter().map(|one| one.found.length).sum();
    let pieces: usize = found.iter().map(|one| one.found.joints.len().saturating_sub(1)).sum();
    let event = PlannedEvent {
        step: Some(Some(stage)),
        length: Some(is_found.then_some(length)),
        clearance: Some(None),
        pieces: Some(pieces),
        planner: Some(is_found.then_some("joints")),
        preview: Some(preview),
        ..PlannedEvent::new(PlanningTask::Plan, verdict, message)
    };
    let mut task = scene.steps[0].tasks[0].clone();
    // What it holds it has taken before.
    task.actions.drain(..taken);
    (is_found.then(|| Proposal::new(snapshot, Proposed::Task(step, task))), event)
}

fn order(
    snapshot: &Snapshot,
    found: freiraum_planning::disassemble::Disassembly,
) -> (Option<Proposal>, PlannedEvent) {
    let names = |bodies: &[usize]| {
        bodies.iter().map(|body| snapshot.scene().bodies[*body].name.clone()).collect::<Vec<_>>()
    };
    let message = if !found.overlaps.is_empty() {
        let first = found.overlapping.first();
        Some(match first.map(|finding| words::placement_sentence(snapshot.scene(), finding)) {
            Some(said) => format!("when assembled, {said}"),
            None => format!("{} overlap when assembled", names(&found.overlaps[0]).join(" and ")),
        })
    } else if !found.blocked.is_empty() {
        Some(format!("no way out was found for {}", names(&found.blocked).join(", ")))
    } else {
        None
    };
    let stages = Timeline::of(&found.assembly).map(|timeline| {
        let stages = timeline.stages.iter();
        stages
            .map(|stage| PreviewStage { name: stage.name.clone(), tracks: snapshot.tracks(stage) })
            .collect()
    });
    let event = PlannedEvent {
        length: Some(None),
        clearance: Some(None),
        pieces: Some(found.removals.len()),
        blocked: Some(names(&found.blocked)),
        preview: Some(Some(Preview { tracks: Vec::new(), stages: Some(stages.unwrap_or_default()) })),
        ..PlannedEvent::new(PlanningTask::Disassemble, found.verdict.into(), message)
    };
    let proposal = (!found.removals.is_empty())
        .then(|| Proposal::new(snapshot, Proposed::Order(Box::new(found.assembly))));
    (proposal, event)
}
