//! Filling in what is missing in a scene: steps that a planner has to find, goals without steps, states with nothing between them.

use super::find::{FindOptions, Found, Progress, Terms, find_with};
use super::way;
use super::{InsideDoubt, Outcome, Placed, Rule, Task};
use freiraum_assets::ShapeCache;
use freiraum_check::{PlannedStep, PlannerAnswer, Timeline, words};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::SAME_POSE;
use freiraum_motion::CancelToken;
use freiraum_scene::{Action, ActionKind, Group, Move, Place, PlannerChoice, Problem, Scene, Step, Travel};
use std::ops::ControlFlow;

/// How to fill in what is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompleteOptions {
    /// How to look for each way; a step that names a planner gets that one, unless one is chosen here.
    pub find: FindOptions,
}

/// A scene whose ways are found, as far as they were.
#[derive(Clone, Debug)]
pub struct Completed {
    /// With a path in every step for which one was found; the others are as before.
    pub scene: Scene,
    /// What was found for the steps that had to be planned, in their order.
    pub steps: Vec<StepFound>,
}

/// What was found for a step.
#[derive(Clone, Debug)]
pub struct StepFound {
    /// The number of the step in the scene, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// What was found.
    pub found: Found,
}

impl StepFound {
    /// The same for the report of a check.
    #[must_use]
    pub fn planned(&self) -> PlannedStep {
        let answer = match &self.found.outcome {
            Outcome::Path(_) => PlannerAnswer::Path(self.found.by()),
            Outcome::NoPath(why) => PlannerAnswer::NoPath(why.clone()),
            Outcome::GaveUp(why) => {
                PlannerAnswer::GaveUp { why: why.clone(), is_doubted: self.found.doubt.is_some() }
            }
        };
        PlannedStep { index: self.index, answer }
    }
}

/// The numbers of the steps that leave a way open, from 0.
#[must_use]
pub fn open_steps(scene: &Scene) -> Vec<usize> {
    let is_move_open = |one: &Move| matches!(one.travel, Travel::Plan { .. });
    let is_action_open = |one: &Action| matches!(one.kind, ActionKind::Plan { .. });
    let is_open = |step: &Step| {
        step.moves.iter().any(is_move_open)
            || step.tasks.iter().any(|task| task.actions.iter().any(is_action_open))
    };
    scene.steps.iter().enumerate().filter(|(_, step)| is_open(step)).map(|(number, _)| number).collect()
}

/// Finds the ways that a scene leaves open.
///
/// Of a scene with steps, those that are to be planned, each at its place in the plan with all other bodies where they are then. Of a
/// scene with goals and no steps, one step per body, in the order of the file as far as that works; of a scene with states,
/// one step per body or group that moves from each to the next. `progress` is told the name of the step and how far it is, and may end the search.
/// **Errors.** Files that cannot be read; a step that moves something else beside what is to be planned.
pub fn complete(
    scene: &Scene,
    parts: &ShapeCache,
    options: &CompleteOptions,
    progress: &mut dyn FnMut(&str, &Progress) -> ControlFlow<()>,
) -> Result<Completed, Vec<Problem>> {
    complete_until(scene, parts, options, &CancelToken::default(), progress)
}

/// As [`complete`]; ends when the token is cancelled, which is asked in all inner loops: ways that were not found by then are given up.
pub fn complete_until(
    scene: &Scene,
    parts: &ShapeCache,
    options: &CompleteOptions,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(&str, &Progress) -> ControlFlow<()>,
) -> Result<Completed, Vec<Problem>> {
    parts.load(scene)?;
    let mut work = Work { scene, parts, options, cancel, progress };
    if !scene.states.is_empty() {
        return work.states();
    }
    if !scene.steps.is_empty() {
        return work.steps();
    }
    let poses: Vec<Pose> = scene.bodies.iter().map(|body| body.pose).collect();
    let mut jobs = Vec::new();
    for (number, body) in scene.bodies.iter().enumerate() {
        if let Some(goal) = body.goal
            && !body.is_fixed
            && !is_same(&body.pose, &goal)
        {
            jobs.push(Job {
                step: format!("move {}", body.name),
                subject: body.name.clone(),
                bodies: vec![number],
                to: goal,
                place: body.place,
            });
        }
    }
    let (steps, found, _) = work.jobs(jobs, poses, 0)?;
    Ok(Completed { scene: Scene { steps, ..scene.clone() }, steps: found })
}

/// The task of moving some bodies to where the first one is at `goal`, past all others at their poses.
pub(crate) fn task(
    scene: &Scene,
    parts: &ShapeCache,
    poses: &[Pose],
    moving: &[usize],
    others: &[usize],
    goal: &Pose,
) -> Result<Task, Problem> {
    let body = |number: usize| {
        parts.movable(number).cloned().map_err(|e| Problem::new(scene.bodies[number].place, e.to_string()))
    };
    let lead_from_world = poses[moving[0]].inverse();
    let mut group = Vec::with_capacity(moving.len());
    for &number in moving {
        let pose = if number == moving[0] { Pose::IDENTITY } else { lead_from_world * poses[number] };
        group.push(Placed { body: body(number)?, pose });
    }
    let mut obstacles = Vec::with_capacity(others.len());
    for &number in others {
        obstacles.push(Placed { body: body(number)?, pose: poses[number] });
    }
    let rule = |a: usize, b: usize| {
        let required = scene.requirement(a, b);
        Rule {
            clearance: required.clearance,
            approach: Some(required.approach),
            is_explicit: required.is_explicit,
            allowance: required.allowance,
            if_thin: freiraum_check::if_thin(scene, [a, b]),
            is_ignored: required.ignore.is_some(),
        }
    };
    let rules = moving.iter().map(|&a| others.iter().map(|&b| rule(a, b)).collect()).collect();
    Ok(Task { moving: group, obstacles, rules, start: poses[moving[0]], goal: *goal })
}

/// What has to be moved where.
struct Job {
    step: String,
    subject: String,
    bodies: Vec<usize>,
    to: Pose,
    place: Place,
}

struct Work<'w> {
    scene: &'w Scene,
    parts: &'w ShapeCache,
    options: &'w CompleteOptions,
    cancel: &'w CancelToken,
    progress: &'w mut dyn FnMut(&str, &Progress) -> ControlFlow<()>,
}

impl Work<'_> {
    fn steps(&mut self) -> Result<Completed, Vec<Problem>> {
        // Robots first: where they end, and what they hold, may depend on the way.
        let (scene, steps) = super::joints::program::fill(
            self.scene,
            self.parts,
            &self.options.find,
            self.cancel,
            self.progress,
        )?;
        let timeline = Timeline::of(&scene)?;
        let mut completed = Completed { scene, steps };
        let mut problems = Vec::new();
        for stage in &timeline.stages {
            let index = stage.step;
            let step = &mut completed.scene.steps[index];
            let is_alone = step.moves.len() == 1;
            let Some(open) = step.moves.iter_mut().find(|one| matches!(one.travel, Travel::Plan { .. }))
            else {
                continue;
            };
            if !is_alone {
                let said = "a path can be planned only for a step in which nothing else moves";
                problems.push(Problem::new(open.place, said).help("make it a step of its own"));
                continue;
            }
            let Travel::Plan { to, planner } = open.travel else { continue };
            let found =
                self.find(&stage.before.to_vec(), &open.bodies, &to, planner, &step.name, index as u64, 1);
            match found {
                Ok(found) => {
                    if matches!(found.outcome, Outcome::Path(_)) {
                        open.travel = path(&found, &to);
                    }
                    completed.steps.push(StepFound { index, name: step.name.clone(), found });
                }
                Err(problem) => problems.push(problem),
            }
        }
        completed.steps.sort_by_key(|step| step.index);
        if problems.is_empty() { Ok(completed) } else { Err(problems) }
    }

    fn states(&mut self) -> Result<Completed, Vec<Problem>> {
        let mut poses: Vec<Pose> = self.scene.bodies.iter().map(|body| body.pose).collect();
        for (body, pose) in &self.scene.states[0].poses {
            poses[*body] = *pose;
        }
        let start = poses.clone();
        let (mut steps, mut all) = (Vec::new(), Vec::new());
        let mut groups = self.scene.groups.clone();
        for state in &self.scene.states[1..] {
            let mut jobs: Vec<(Pose, Job)> = Vec::new();
            for (body, to) in &state.poses {
                if is_same(&poses[*body], to) {
                    continue;
                }
                // Bodies that move alike move as one.
                let change = *to * poses[*body].inverse();
                if let Some((_, job)) = jobs.iter_mut().find(|(other, _)| is_same(other, &change)) {
                    job.bodies.push(*body);
                    continue;
                }
                let subject = self.scene.bodies[*body].name.clone();
                let step = format!("to {}: {subject}", state.name);
                jobs.push((change, Job { step, subject, bodies: vec![*body], to: *to, place: state.place }));
            }
            let mut jobs: Vec<Job> = jobs.into_iter().map(|(_, job)| job).collect();
            for job in &mut jobs {
                job.bodies.sort_unstable();
                // The first body leads.
                let to = state.poses.iter().find(|(body, _)| *body == job.bodies[0]);
                job.to = to.map_or(job.to, |(_, to)| *to);
                job.subject = subject(&mut groups, self.scene, &job.bodies);
            }
            let (more, found, end) = self.jobs(jobs, poses, steps.len())?;
            steps.extend(more);
            all.extend(found);
            poses = end;
        }
        let mut scene = Scene { steps, groups, states: Vec::new(), ..self.scene.clone() };
        for (body, pose) in scene.bodies.iter_mut().zip(start) {
            body.pose = pose;
        }
        Ok(Completed { scene, steps: all })
    }

    /// Does one job after the other; what is in the way now may be out of it later.
    #[allow(
        clippy::type_complexity,
        reason = "steps, what was found for them, and where the bodies are then"
    )]
    fn jobs(
        &mut self,
        mut jobs: Vec<Job>,
        mut poses: Vec<Pose>,
        first: usize,
    ) -> Result<(Vec<Step>, Vec<StepFound>, Vec<Pose>), Vec<Problem>> {
        let (mut steps, mut all) = (Vec::new(), Vec::new());
        // Early ones are not worth the whole budget while others may clear the way.
        let mut shares = if jobs.len() > 1 { vec![1, 16] } else { vec![1] };
        while !jobs.is_empty() {
            let share = *shares.last().unwrap_or(&1);
            let mut left = Vec::new();
            let before = jobs.len();
            for job in jobs {
                let number = first + steps.len();
                let found = self
                    .find(&poses, &job.bodies, &job.to, None, &job.step, number as u64, share)
                    .map_err(|problem| vec![problem])?;
                if !matches!(found.outcome, Outcome::Path(_)) {
                    left.push((job, found));
                    continue;
                }
                let change = job.to * poses[job.bodies[0]].inverse();
                steps.push(step(&job, path(&found, &job.to)));
                for body in &job.bodies {
                    poses[*body] = change * poses[*body];
                }
                all.push(StepFound { index: number, name: job.step, found });
            }
            if left.len() == before && (shares.pop(), shares.is_empty()).1 {
                for (job, found) in left {
                    steps.push(step(&job, Travel::Plan { to: job.to, planner: None }));
                    let index = first + steps.len() - 1;
                    all.push(StepFound { index, name: job.step, found });
                }
                break;
            }
            jobs = left.into_iter().map(|(job, _)| job).collect();
        }
        Ok((steps, all, poses))
    }

    #[allow(clippy::too_many_arguments, reason = "a step at its place in the plan")]
    fn find(
        &mut self,
        poses: &[Pose],
        bodies: &[usize],
        to: &Pose,
        planner: Option<PlannerChoice>,
        step: &str,
        number: u64,
        share: u64,
    ) -> Result<Found, Problem> {
        let others: Vec<usize> = (0..poses.len()).filter(|body| !bodies.contains(body)).collect();
        let task = task(self.scene, self.parts, poses, bodies, &others, to)?;
        let mut options = self.options.find;
        options.planner = options.planner.or(planner);
        options.seed = options.seed.wrapping_add(number);
        options.budget /= share;
        let progress = &mut *self.progress;
        let name_of = |obstacle: usize| self.scene.bodies[others[obstacle]].name.clone();
        let terms = Terms { name_of: &name_of, units: self.scene.units };
        let found = find_with(&task, &options, self.parts.erosion(), &terms, self.cancel, &mut |now| {
            progress(step, now)
        });
        let mut found = found.map_err(|e| Problem::new(self.scene.bodies[bodies[0]].place, e.to_string()))?;
        if let (Outcome::GaveUp(why), Some(doubt)) = (&mut found.outcome, found.doubt) {
            let InsideDoubt { pair: [i, k], open, places } = doubt;
            let said = words::inside_unknown(self.scene, [bodies[i], others[k]], open, &places);
            *why = format!("{said}; {why}");
        }
        Ok(found)
    }
}

fn step(job: &Job, travel: Travel) -> Step {
    let one = Move { subject: job.subject.clone(), bodies: job.bodies.clone(), travel, place: job.place };
    Step { name: job.step.clone(), moves: vec![one], tasks: Vec::new(), seconds: 1.0, place: job.place }
}

/// The name for bodies that move as one, in the order of the file: that of the body, of a group that has just these, or of a new group.
pub(crate) fn subject(groups: &mut Vec<Group>, scene: &Scene, bodies: &[usize]) -> String {
    if let [one] = bodies {
        return scene.bodies[*one].name.clone();
    }
    if let Some(group) = groups.iter().find(|group| group.members == bodies) {
        return group.name.clone();
    }
    let names: Vec<&str> = bodies.iter().map(|body| scene.bodies[*body].name.as_str()).collect();
    let mut name = names.join(" + ");
    while scene.body(&name).is_some() || groups.iter().any(|group| group.name == name) {
        name.push('\'');
    }
    groups.push(Group { name: name.clone(), members: bodies.to_vec(), place: Place::default() });
    name
}

/// A found way as a travel; a body that is there already stays.
fn path(found: &Found, to: &Pose) -> Travel {
    if found.pieces.is_empty() { Travel::To(*to) } else { Travel::Path(found.pieces.clone()) }
}

fn is_same(a: &Pose, b: &Pose) -> bool {
    let reach = 1.0_f64.max(a.translation().length());
    way::angle(a, b) <= SAME_POSE && a.translation().distance(b.translation()) <= SAME_POSE * reach
}
