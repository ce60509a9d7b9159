//! Ways that the programs of robots leave open.

use super::fits::{Fits, Touching, fits};
use super::{
    Fault, JointOptions, JointOutcome, JointTask, JointsFound, LinkPart, Obstacle, OwnPair, find_until,
};
use crate::path::{FindOptions, Found, Outcome, Progress, StepFound};
use freiraum_assets::ShapeCache;
use freiraum_check::words::{degrees, length};
use freiraum_check::{CheckMemory, CheckOptions, FindingKind, Timeline, check};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::CancelToken;
use freiraum_query::Prepared;
use freiraum_robot::Limits;
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_scene::{Action, ActionKind, PlacedRobot, PlannerChoice, Problem, Scene, Step, Target, Task};
use std::ops::ControlFlow;

/// The scene with a list of `ptp` in place of every way that was found, and what was found.
pub(in crate::path) fn fill(
    scene: &Scene,
    parts: &ShapeCache,
    options: &FindOptions,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(&str, &Progress) -> ControlFlow<()>,
) -> Result<(Scene, Vec<StepFound>), Vec<Problem>> {
    let (mut scene, mut steps, mut problems) = (scene.clone(), Vec::new(), Vec::new());
    let memory = CheckMemory::default();
    for index in 0..scene.steps.len() {
        let tasks = &scene.steps[index].tasks;
        let open = |task: &Task| task.actions.iter().find(|one| is_open(one)).map(|action| action.place);
        if tasks.iter().all(|task| open(task).is_none()) {
            continue;
        }
        if tasks.len() > 1 {
            // Where the others are meanwhile depends on how long the way takes that is to be found.
            for (task, place) in tasks.iter().filter_map(|task| Some((task, open(task)?))) {
                let said = format!(
                    "the way of {:?} cannot be planned: in this step another robot does something at the same time",
                    scene.robots[task.robot].name
                );
                problems.push(Problem::new(place, said).help(
                    "plan it in a step in which no other robot does anything; `freiraum plan` writes it down as `ptp`, which may then stand in `parallel`",
                ));
            }
            continue;
        }
        let mut from = 0;
        while let Some(at) = next_open(&scene, index, from) {
            let name = scene.steps[index].name.clone();
            from = at + 1;
            let mut tries = 0;
            let found = loop {
                let mut options = *options;
                options.seed = options.seed.wrapping_add(index as u64).wrapping_add(tries << 32);
                let found =
                    plan(&scene, parts, [index, at], &options, cancel, &mut |now| progress(&name, now))?;
                if !matches!(found.outcome, Outcome::Path(_)) {
                    break found;
                }
                let (filled, count) = filled(&scene, [index, at], &found.joints);
                let refused = refused(&filled, parts, &memory, [index, at, count], cancel);
                let Some(Refused { pair, is_inside_unknown }) = refused else {
                    if cancel.is_cancelled() {
                        break Found::nothing(Outcome::GaveUp("stopped".to_owned()), found.checks);
                    }
                    (scene, from) = (filled, at + count);
                    break found;
                };
                let [a, b] = pair.map(|body| &scene.bodies[body].name);
                if is_inside_unknown {
                    let said = format!(
                        "whether one of {a:?} and {b:?} is inside of the other cannot be told, since a surface of them bounds no solid: no way is proven to be free"
                    );
                    break Found::nothing(Outcome::GaveUp(said), found.checks);
                }
                tries += 1;
                if tries == TRIES {
                    let said = format!(
                        "{a:?} and {b:?} touch at the start or at the goal, and the ways that were found do not keep their clearance beyond the approach; a [[pair]] rule with a smaller clearance or a longer approach would let them"
                    );
                    break Found::nothing(Outcome::GaveUp(said), found.checks);
                }
            };
            steps.push(StepFound { index, name, found });
        }
    }
    if problems.is_empty() { Ok((scene, steps)) } else { Err(problems) }
}

/// How often a way is looked for that keeps the clearance of what touches by design.
const TRIES: u64 = 3;

/// The scene with a list of `ptp` in place of an open way, and how many they are.
fn filled(scene: &Scene, [step, at]: [usize; 2], joints: &[Vec<f64>]) -> (Scene, usize) {
    let mut scene = scene.clone();
    let actions = &mut scene.steps[step].tasks[0].actions;
    let ActionKind::Plan { speed, .. } = actions[at].kind else { return (scene, 1) };
    let place = actions[at].place;
    let go = |values: &Vec<f64>| Action {
        kind: ActionKind::PointToPoint {
            to: Target::Joints(values.iter().copied().map(Some).collect()),
            mode: Mode::Synchronous,
            speed,
            profile: Profile::Constant,
        },
        place,
    };
    let new: Vec<Action> = joints.iter().skip(1).map(go).collect();
    let count = new.len();
    actions.splice(at..=at, new);
    (scene, count)
}

/// A pair for which a check does not take a way that the planner takes for free.
struct Refused {
    pair: [usize; 2],
    /// One of the two may be inside of the other; otherwise they touch by design, and come too close.
    is_inside_unknown: bool,
}

/// A pair that a check refuses on a way, the actions of a step from `at` on, `count` of them: it touches by
/// design and is too close elsewhere, or it cannot be told what is inside of it, which the distances of a
/// planner do not see. The check itself reports what cannot be checked.
fn refused(
    scene: &Scene,
    parts: &ShapeCache,
    memory: &CheckMemory,
    [step, at, count]: [usize; 3],
    cancel: &CancelToken,
) -> Option<Refused> {
    let has_clearance =
        scene.clearance > 0.0 || scene.pairs.iter().any(|rule| rule.clearance.is_some_and(|c| c > 0.0));
    let is_doubtful = |body: usize| parts.movable(body).is_ok_and(|one| one.prepared().is_doubtful());
    if !has_clearance && !(0..scene.bodies.len()).any(is_doubtful) {
        return None;
    }
    // The way in a step of its own: what comes before and after it in the step is not the planner's.
    let mut alone = scene.clone();
    let whole = alone.steps.remove(step);
    let actions = &whole.tasks[0].actions;
    let cut = [&actions[..at], &actions[at..at + count], &actions[at + count..]];
    let steps = cut.into_iter().filter(|some| !some.is_empty()).map(|some| {
        let task = Task { actions: some.to_vec(), ..whole.tasks[0].clone() };
        Step { tasks: vec![task], ..whole.clone() }
    });
    let steps: Vec<Step> = steps.collect();
    alone.steps.splice(step..step, steps);
    let number = step + usize::from(at > 0);
    let timeline = Timeline::of(&alone).ok()?;
    let options = CheckOptions { cancel: Some(cancel), ..CheckOptions::default() };
    let report = check(&alone, &timeline, parts, memory, &options).ok()?;
    let stages = timeline.stages.iter().zip(&report.steps).filter(|(stage, _)| stage.step == number);
    let mut findings = stages.flat_map(|(_, result)| &result.findings);
    findings.find_map(|finding| match finding.kind {
        FindingKind::InsideUnknown { .. } => Some(Refused { pair: finding.pair, is_inside_unknown: true }),
        FindingKind::TooClose { is_fit: true, .. } => {
            Some(Refused { pair: finding.pair, is_inside_unknown: false })
        }
        _ => None,
    })
}

fn is_open(action: &Action) -> bool {
    matches!(action.kind, ActionKind::Plan { .. })
}

fn next_open(scene: &Scene, step: usize, from: usize) -> Option<usize> {
    let actions = &scene.steps[step].tasks[0].actions;
    (from..actions.len()).find(|at| is_open(&actions[*at]))
}

/// Where everything is before an action of the only task of a step.
pub(super) struct Situation {
    pub(super) poses: Vec<Pose>,
    /// Joint values of the robot.
    pub(super) values: Vec<f64>,
    /// Bodies that the robot holds.
    held: Vec<usize>,
}

fn situation(scene: &Scene, [step, action]: [usize; 2]) -> Result<Situation, Vec<Problem>> {
    let mut before = scene.clone();
    before.steps.truncate(step + 1);
    before.steps[step].tasks[0].actions.truncate(action);
    let robot = before.steps[step].tasks[0].robot;
    if action == 0 {
        before.steps.truncate(step);
    }
    let mut timeline = Timeline::of(&before)?;
    // The last entry is what is left when all is done; joints that move no body are in it too.
    let now = timeline.robots.pop().and_then(|robots| robots.into_iter().nth(robot));
    let (values, held) = now.map_or_else(
        || (scene.robots[robot].start.clone(), Vec::new()),
        |now| (now.path.values(1.0), now.held),
    );
    Ok(Situation { poses: timeline.end, values, held })
}

fn plan(
    scene: &Scene,
    parts: &ShapeCache,
    at: [usize; 2],
    options: &FindOptions,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Found, Vec<Problem>> {
    if cancel.is_cancelled() {
        return Ok(Found::nothing(Outcome::GaveUp("stopped".to_owned()), 0));
    }
    let now = situation(scene, at)?;
    let task = &scene.steps[at[0]].tasks[0];
    let (number, action) = (task.robot, &task.actions[at[1]]);
    let robot = &scene.robots[number];
    let ActionKind::Plan { to, .. } = &action.kind else {
        return Ok(Found::nothing(Outcome::GaveUp("there is nothing to plan".to_owned()), 0));
    };
    // A search that did not find all joint values of a pose proves nothing by what it did not find.
    let mut is_complete = true;
    let goals: Vec<Vec<f64>> = match to {
        Target::Joints(values) => {
            vec![values.iter().zip(&now.values).map(|(value, before)| value.unwrap_or(*before)).collect()]
        }
        Target::Tool(pose) | Target::Configured(pose, _) => {
            let (flange, tool) = (robot.flange, &robot.flange_from_tool);
            let options = freiraum_robot::inverse::Options::default();
            let found =
                freiraum_robot::inverse(&robot.model, flange, tool, pose, &robot.base, &now.values, &options);
            is_complete = found.method.is_complete();
            let mut found = found;
            if let Target::Configured(_, wanted) = to {
                found.solutions.retain(|solution| wanted.admits(solution));
            }
            if found.solutions.is_empty() {
                let why = found.reason.map_or(String::new(), |reason| format!(": {reason}"));
                let said = format!("the tool of {:?} cannot get to the goal{why}", robot.name);
                let outcome = if is_complete { Outcome::NoPath(said) } else { Outcome::GaveUp(said) };
                return Ok(Found::nothing(outcome, 0));
            }
            found.solutions.into_iter().map(|solution| solution.values).collect()
        }
    };
    let setting = Setting::new(scene, number, &now, &goals);
    let is_end = ends_a_stage(&task.actions[at[1] + 1..]);
    let groups =
        groups(scene, parts, &setting, &now, goals, is_end, cancel).map_err(|problem| vec![problem])?;
    let budget = options.budget.div_ceil(groups.len().max(1) as u64);
    let mut answer: Option<(JointsFound, Outcome)> = None;
    let mut looks = 0;
    for (fits, goals) in groups {
        let (setting, task) =
            setting.task(scene, parts, &now, goals, &fits).map_err(|problem| vec![problem])?;
        let joint_options = JointOptions { seed: options.seed, budget, ..JointOptions::default() };
        let found = find_until(&task, &joint_options, cancel, &mut |now| {
            let (planner, checks) = (PlannerChoice::Sampling, looks + now.looks);
            progress(&Progress { planner, checks, budget: options.budget.max(checks) })
        });
        let found = found.map_err(|error| vec![Problem::new(action.place, error.to_string())])?;
        looks += found.looks;
        let outcome = match outcome(scene, &setting, &found) {
            Outcome::NoPath(why) if !is_complete && matches!(found.outcome, JointOutcome::BadGoal(_)) => {
                Outcome::GaveUp(format!("{why} with all joint values that were found; there may be others"))
            }
            outcome => outcome,
        };
        // What may still be found says more than a goal that is none.
        let is_better = match &answer {
            None => true,
            Some((_, Outcome::NoPath(_))) => !matches!(outcome, Outcome::NoPath(_)),
            Some(_) => matches!(outcome, Outcome::Path(_)),
        };
        let is_last = matches!(found.outcome, JointOutcome::Path(_) | JointOutcome::BadStart(_));
        if is_better {
            answer = Some((found, outcome));
        }
        if is_last {
            break;
        }
    }
    let Some((found, outcome)) = answer else {
        return Ok(Found::nothing(Outcome::GaveUp("there is nothing to plan".to_owned()), 0));
    };
    let joints = if let JointOutcome::Path(way) = found.outcome { way } else { Vec::new() };
    let length = tool_length(robot, &joints);
    Ok(Found { joints, length, ..Found::nothing(outcome, looks) })
}

/// There is no path if an end of it is faulty for certain.
fn refusal(fault: &Fault, why: String) -> Outcome {
    match fault {
        Fault::Limits { .. }
        | Fault::Obstacle { is_certain: true, .. }
        | Fault::Own { is_certain: true, .. } => Outcome::NoPath(why),
        Fault::Obstacle { .. } | Fault::Own { .. } => Outcome::GaveUp(why),
    }
}

fn outcome(scene: &Scene, setting: &Setting, found: &JointsFound) -> Outcome {
    match &found.outcome {
        JointOutcome::Path(_) => Outcome::Path(Vec::new()),
        JointOutcome::BadStart(fault) => {
            let more = if matches!(fault, Fault::Limits { .. }) { "" } else { "; move away from it first" };
            refusal(fault, format!("at the start {}{more}", setting.words(scene, fault)))
        }
        JointOutcome::BadGoal(fault) => {
            refusal(fault, format!("at the goal {}", setting.words(scene, fault)))
        }
        JointOutcome::GaveUp => Outcome::GaveUp(format!(
            "joints: {} joint values were looked at, and {} of {} straight lines are free",
            found.looks, found.proven, found.edges
        )),
    }
}

/// True if nothing moves after an action until something is taken or left, or the step ends: what touches then is a fit, as a check has it; on the way it would be a collision.
fn ends_a_stage(after: &[Action]) -> bool {
    let next = after.iter().find(|one| !matches!(one.kind, ActionKind::Wait(_) | ActionKind::Sync(_)));
    next.is_none_or(|one| matches!(one.kind, ActionKind::Grasp { .. } | ActionKind::Release { .. }))
}

/// What touches by design at the start or at these goals, and the goals.
type Goals = (Fits, Vec<Vec<f64>>);

/// The goals, together with those at which the same pairs touch by design; what touches at the start is in all of them. `is_end` says whether things may come to rest at the goals.
fn groups(
    scene: &Scene,
    parts: &ShapeCache,
    setting: &Setting,
    now: &Situation,
    goals: Vec<Vec<f64>>,
    is_end: bool,
    cancel: &CancelToken,
) -> Result<Vec<Goals>, Problem> {
    let at_start = fits(scene, parts, setting, now, &now.values, cancel)?;
    let mut groups: Vec<Goals> = Vec::new();
    for goal in goals {
        let all = if is_end { fits(scene, parts, setting, now, &goal, cancel)? } else { at_start.clone() };
        match groups.iter_mut().find(|(fits, _)| fits.keys().eq(all.keys())) {
            Some((_, goals)) => goals.push(goal),
            None => groups.push((all, vec![goal])),
        }
    }
    Ok(groups)
}

/// Which bodies move with a robot, and which stand still.
#[derive(Clone)]
pub(super) struct Setting {
    pub(super) robot: usize,
    /// Bodies with the link that carries them and where they are on it.
    pub(super) moving: Vec<(usize, usize, Pose)>,
    pub(super) others: Vec<usize>,
    /// Where the freedoms may be.
    ranges: Vec<Limits>,
}

impl Setting {
    fn new(scene: &Scene, number: usize, now: &Situation, goals: &[Vec<f64>]) -> Setting {
        let robot = &scene.robots[number];
        let ranges = ranges(robot, &now.values, goals);
        let links = robot.links.iter().enumerate();
        let mut moving: Vec<(usize, usize, Pose)> =
            links.filter_map(|(link, body)| Some((((*body)?), link, Pose::IDENTITY))).collect();
        moving.extend(robot.tools.iter().map(|(body, pose)| (*body, robot.flange, *pose)));
        let flange_from_world = robot.model.place(&robot.base, &now.values).links[robot.flange].inverse();
        moving
            .extend(now.held.iter().map(|body| (*body, robot.flange, flange_from_world * now.poses[*body])));
        let is_other = |body: &usize| moving.iter().all(|(own, ..)| own != body);
        let others = (0..scene.bodies.len()).filter(is_other).collect();
        Setting { robot: number, moving, others, ranges }
    }

    /// Pairs of parts of the robot that move against each other and are looked at.
    pub(super) fn own_pairs(&self, scene: &Scene) -> Vec<[usize; 2]> {
        let robot = &scene.robots[self.robot];
        let is_kept = |freedom: &usize| self.ranges[*freedom].lower == self.ranges[*freedom].upper;
        let mut pairs = Vec::new();
        for (i, (a, link_a, _)) in self.moving.iter().enumerate() {
            for (k, (b, link_b, _)) in self.moving.iter().enumerate().skip(i + 1) {
                let is_still = robot.model.freedoms_between(*link_a, *link_b).iter().all(is_kept);
                let is_ignored = scene.requirement(*a, *b).ignore.is_some();
                if !(is_still || is_ignored) {
                    pairs.push([i, k]);
                }
            }
        }
        pairs
    }

    /// The task, and the setting with its parts and obstacles: bodies of fits are there twice, as they are and made smaller for each fit.
    fn task<'s>(
        &self,
        scene: &'s Scene,
        parts: &ShapeCache,
        now: &Situation,
        goals: Vec<Vec<f64>>,
        fits: &Fits,
    ) -> Result<(Setting, JointTask<'s>), Problem> {
        let robot = &scene.robots[self.robot];
        let body = |body: usize| {
            let found = parts.movable(body).map(|movable| movable.prepared().clone());
            found.map_err(|e| Problem::new(scene.bodies[body].place, e.to_string()))
        };
        let mut own = Vec::with_capacity(self.moving.len());
        for (number, link, link_from_part) in &self.moving {
            own.push(LinkPart { link: *link, link_from_part: *link_from_part, body: body(*number)? });
        }
        let mut obstacles = Vec::with_capacity(self.others.len());
        for number in &self.others {
            obstacles.push(Obstacle { world_from_body: now.poses[*number], body: body(*number)? });
        }
        let rule = |a: usize, b: usize| {
            let required = scene.requirement(a, b);
            required.ignore.is_none().then_some(required.clearance)
        };
        let rules = |a: usize| self.others.iter().map(|b| rule(a, *b)).collect();
        let mut clearances: Vec<Vec<Option<f64>>> =
            self.moving.iter().map(|(body, ..)| rules(*body)).collect();
        let mut own_pairs = Vec::new();
        for [i, k] in self.own_pairs(scene) {
            if !fits.contains_key(&Touching::Own(i, k)) {
                let clearance = scene.requirement(self.moving[i].0, self.moving[k].0).clearance;
                own_pairs.push(OwnPair { parts: [i, k], clearance });
            }
        }
        let mut setting = self.clone();
        let mut smaller = |part: usize, body: &Prepared, setting: &mut Setting| {
            setting.moving.push(self.moving[part]);
            own.push(LinkPart { body: body.clone(), ..own[part].clone() });
            own.len() - 1
        };
        for (pair, bodies) in fits {
            match *pair {
                Touching::Obstacle(part, obstacle) => {
                    smaller(part, &bodies[0], &mut setting);
                    setting.others.push(self.others[obstacle]);
                    obstacles.push(Obstacle { body: bodies[1].clone(), ..obstacles[obstacle].clone() });
                    clearances[part][obstacle] = None;
                    let mut only = vec![None; obstacles.len()];
                    only[obstacles.len() - 1] = Some(0.0);
                    clearances.push(only);
                }
                Touching::Own(i, k) => {
                    let pair = [smaller(i, &bodies[0], &mut setting), smaller(k, &bodies[1], &mut setting)];
                    own_pairs.push(OwnPair { parts: pair, clearance: 0.0 });
                    clearances.extend([Vec::new(), Vec::new()]);
                }
            }
        }
        clearances.iter_mut().for_each(|rules| rules.resize(obstacles.len(), None));
        let task = JointTask {
            robot: &robot.model,
            base: robot.base,
            start: now.values.clone(),
            goals,
            ranges: self.ranges.clone(),
            parts: own,
            obstacles,
            clearances,
            own_pairs,
            has_fits: !fits.is_empty(),
        };
        Ok((setting, task))
    }

    /// What is wrong with joint values, in words.
    fn words(&self, scene: &Scene, fault: &Fault) -> String {
        let near = |a: usize, b: usize, distance: f64, is_certain: bool| {
            let [a, b] = [a, b].map(|body| &scene.bodies[body].name);
            if distance <= 0.0 {
                return format!("{a:?} touches {b:?}");
            }
            let more = if is_certain {
                "nearer than required"
            } else {
                "and rounding hides whether that is as far as required"
            };
            format!("{a:?} is {} from {b:?}, {more}", length(distance, scene.units))
        };
        match fault {
            Fault::Limits { joint, value } => {
                let joint = &scene.robots[self.robot].model.joints()[*joint];
                let value = if joint.kind.turns() { degrees(*value) } else { length(*value, scene.units) };
                format!("joint {:?} is outside of its limits, at {value}", joint.name)
            }
            Fault::Obstacle { part, obstacle, distance, is_certain } => {
                near(self.moving[*part].0, self.others[*obstacle], *distance, *is_certain)
            }
            Fault::Own { parts, distance, is_certain } => {
                near(self.moving[parts[0]].0, self.moving[parts[1]].0, *distance, *is_certain)
            }
        }
    }
}

/// Where the freedoms may be: those that do not move the flange, such as fingers, only between where they are and where they have to be.
fn ranges(robot: &PlacedRobot, start: &[f64], goals: &[Vec<f64>]) -> Vec<Limits> {
    let moving = robot.model.freedoms_between(0, robot.flange);
    let range = |(freedom, value): (usize, &f64)| {
        if moving.contains(&freedom) {
            return Limits { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        }
        let ends = goals.iter().map(|goal| goal[freedom]);
        let (lower, upper) = ends.fold((*value, *value), |(low, high), x| (low.min(x), high.max(x)));
        Limits { lower, upper }
    };
    start.iter().enumerate().map(range).collect()
}

/// Straight pieces into which each line of joint values is cut for the length of the way of the tool.
const PIECES: usize = 32;

/// How far the tool centre point goes, in metres, up to the roundness of its way.
fn tool_length(robot: &PlacedRobot, way: &[Vec<f64>]) -> f64 {
    let at = |values: &[f64]| -> Vec3 {
        (robot.model.place(&robot.base, values).links[robot.flange] * robot.flange_from_tool).translation()
    };
    let mut sum = 0.0;
    for pair in way.windows(2) {
        let point = |k: usize| {
            let t = k as f64 / PIECES as f64;
            let values: Vec<f64> = pair[0].iter().zip(&pair[1]).map(|(a, b)| a + t * (b - a)).collect();
            at(&values)
        };
        sum += (0..PIECES).map(|k| point(k).distance(point(k + 1))).sum::<f64>();
    }
    sum
}
