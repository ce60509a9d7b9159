//! Tasks side by side, in seconds.

use crate::words::{decimals, length};
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::{Pose, Unit};
use freiraum_robot::trajectory::{
    JointPath, Mode, SHORTEST_SECONDS, SHORTEST_SHARE, Timed, paced, paced_point_to_point, point_to_point,
};
use freiraum_scene::{Action, ActionKind, JointEnd, Place, PlacedRobot, Problem, Scene, Step, Target, Task};
use std::f64::consts::TAU;

/// What all robots of a step do.
pub(super) struct Schedule {
    /// One per task.
    pub(super) tracks: Vec<Track>,
    /// In the order of their times; those of one robot in the order of its task.
    pub(super) events: Vec<Event>,
    /// How long all of it takes.
    pub(super) seconds: f64,
}

/// The joint values of one robot.
pub(super) struct Track {
    pub(super) robot: usize,
    /// Seconds and values; linear in between. Each is later than the one before by a tick or more.
    knots: Vec<(f64, Vec<f64>)>,
    /// What the clock tells apart, in seconds.
    tick: f64,
    /// From when to when a planner has still to find the way.
    open: Vec<[f64; 2]>,
    /// From when to when each of its actions is carried out.
    pub(super) spans: Vec<[f64; 2]>,
    pub(super) place: Place,
}

/// Something that is taken or left.
#[derive(Clone, Copy)]
pub(super) struct Event {
    pub(super) time: f64,
    pub(super) robot: usize,
    pub(super) body: usize,
    pub(super) is_grasp: bool,
    /// How deep the gripper may overlap what it grasps, in metres.
    pub(super) depth: Option<f64>,
    pub(super) place: Place,
}

impl Track {
    fn new(robot: usize, values: &[f64], tick: f64, place: Place) -> Track {
        let knots = vec![(0.0, values.to_vec())];
        Track { robot, knots, tick, open: Vec::new(), spans: Vec::new(), place }
    }

    fn now(&self) -> f64 {
        self.knots.last().map_or(0.0, |knot| knot.0)
    }

    fn values(&self) -> &[f64] {
        self.knots.last().map_or(&[], |knot| &knot.1)
    }

    /// Stays until a time; if it is not yet past, for a tick at least.
    fn wait_until(&mut self, time: f64) {
        let now = self.now();
        if time > now {
            self.knots.push((time.max(now + self.tick), self.values().to_vec()));
        }
    }

    /// Goes on along a path. What is shorter than a tick takes a tick, and all that follows is later: whatever the speeds, every knot has its time.
    fn go(&mut self, timed: &Timed) {
        let (start, mut late) = (self.now(), 0.0);
        for (number, share) in timed.path.times().iter().enumerate().skip(1) {
            let values = timed.path.knot(number);
            let time = start + late + share * timed.seconds;
            let least = self.now() + self.tick;
            if time < least && self.values() == values {
                continue;
            }
            late += (least - time).max(0.0);
            self.knots.push((time.max(least), values.to_vec()));
        }
    }

    /// The joint values from `start` to `end`, as a path over [0, 1].
    pub(super) fn part(&self, start: f64, end: f64) -> JointPath {
        let at = |time: f64| -> Vec<f64> {
            let next = self.knots.partition_point(|knot| knot.0 <= time);
            match (self.knots.get(next.wrapping_sub(1)), self.knots.get(next)) {
                (Some((t0, a)), Some((t1, b))) => {
                    let share = (time - t0) / (t1 - t0);
                    a.iter().zip(b).map(|(a, b)| a + share * (b - a)).collect()
                }
                (Some((_, last)), None) | (None, Some((_, last))) => last.clone(),
                (None, None) => Vec::new(),
            }
        };
        let mut knots = vec![(0.0, at(start))];
        if end > start {
            let inner = self.knots.iter().filter(|knot| start < knot.0 && knot.0 < end);
            for (time, values) in inner {
                let share = (time - start) / (end - start);
                knots.push((share.max(knots[knots.len() - 1].0 + APART), values.clone()));
            }
            // Another robot may take or leave something so shortly after or before a knot that shares of the time cannot tell: none is lost for that.
            let mut next = 1.0;
            for (share, _) in knots.iter_mut().skip(1).rev() {
                next = share.min(next - APART);
                *share = next;
            }
            knots.push((1.0, at(end)));
        }
        if knots.iter().all(|knot| knot.1 == knots[0].1) {
            return JointPath::still(&knots[0].1);
        }
        JointPath::new(knots).expect("finite values at ascending shares of the time")
    }

    /// True if a planner has still to find something of the way in this time.
    pub(super) fn is_open(&self, start: f64, end: f64) -> bool {
        self.open.iter().any(|[from, to]| *from < end && start < *to)
    }
}

/// Knots of a stage are at least so far apart, in shares of its time.
const APART: f64 = power_of_two(-45);

/// Runs the tasks of a step; `values` are the joint values of all robots before it.
///
/// Whatever is done takes [`SHORTEST_SECONDS`] and half of [`SHORTEST_SHARE`] of the whole step at least: what the clock cannot resolve would be lost.
pub(super) fn schedule(scene: &Scene, step: &Step, values: &[Vec<f64>]) -> Result<Schedule, Vec<Problem>> {
    let mut tick = SHORTEST_SECONDS;
    loop {
        let found = run(scene, step, values, tick)?;
        if !found.seconds.is_finite() {
            let message = "this takes longer than can be counted in seconds";
            return Err(vec![Problem::new(step.place, message).help("wait less, or move faster")]);
        }
        if 0.5 * SHORTEST_SHARE * found.seconds <= tick {
            return Ok(found);
        }
        tick = SHORTEST_SHARE * found.seconds;
    }
}

/// The same with a clock that tells times apart that differ by a tick, in seconds.
fn run(scene: &Scene, step: &Step, values: &[Vec<f64>], tick: f64) -> Result<Schedule, Vec<Problem>> {
    let new = |task: &Task| Track::new(task.robot, &values[task.robot], tick, task.place);
    let mut tracks: Vec<Track> = step.tasks.iter().map(new).collect();
    let (mut events, mut problems) = (Vec::new(), Vec::new());
    for track in &tracks {
        few_turns(&scene.robots[track.robot], track.values(), track.place)
            .map_err(|problem| vec![problem])?;
    }
    let mut next = vec![0; tracks.len()];
    loop {
        for (number, task) in step.tasks.iter().enumerate() {
            let track = &mut tracks[number];
            while let Some(action) = task.actions.get(next[number]) {
                if matches!(action.kind, ActionKind::Sync(_)) {
                    break;
                }
                next[number] += 1;
                let from = track.now();
                match perform(&scene.robots[task.robot], action, track, scene.units) {
                    Ok(event) => events.extend(event),
                    Err(problem) => problems.push(problem),
                }
                track.spans.push([from, track.now()]);
            }
        }
        let waiting = |number: usize| {
            let action = step.tasks[number].actions.get(next[number])?;
            let ActionKind::Sync(name) = &action.kind else { return None };
            Some((name, action.place))
        };
        let all: Vec<(usize, &String, Place)> =
            (0..tracks.len()).filter_map(|n| waiting(n).map(|(name, place)| (n, name, place))).collect();
        if all.is_empty() {
            break;
        }
        let Some(met) = all.iter().map(|(_, name, _)| *name).find(|name| is_met(step, &next, name)) else {
            let (number, name, place) = all[0];
            problems.push(stuck(scene, step, &next, number, name, place));
            break;
        };
        let there: Vec<usize> = all.iter().filter(|(_, name, _)| *name == met).map(|(n, ..)| *n).collect();
        let time = meeting(there.iter().map(|n| &tracks[*n]), tick);
        for number in there {
            let from = tracks[number].now();
            tracks[number].wait_until(time);
            tracks[number].spans.push([from, time]);
            next[number] += 1;
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let seconds = meeting(tracks.iter(), tick);
    for track in &mut tracks {
        track.wait_until(seconds);
    }
    events.sort_by(|x: &Event, y: &Event| x.time.total_cmp(&y.time));
    Ok(Schedule { tracks, events, seconds })
}

/// When all of them are done: nobody waits for less than a tick for another one.
fn meeting<'t>(tracks: impl Iterator<Item = &'t Track> + Clone, tick: f64) -> f64 {
    let last = tracks.clone().map(Track::now).fold(0.0, f64::max);
    let is_short = |track: &Track| track.now() < last && last - track.now() < tick;
    if tracks.clone().any(is_short) { last + tick } else { last }
}

/// True if every robot that still has a point with this name waits at it.
fn is_met(step: &Step, next: &[usize], name: &str) -> bool {
    let has = |action: &Action| matches!(&action.kind, ActionKind::Sync(other) if other == name);
    let mut count = 0;
    for (number, task) in step.tasks.iter().enumerate() {
        let rest = &task.actions[next[number]..];
        let Some(at) = rest.iter().position(has) else { continue };
        if at > 0 {
            return false;
        }
        count += 1;
    }
    count > 1
}

fn stuck(scene: &Scene, step: &Step, next: &[usize], number: usize, name: &str, place: Place) -> Problem {
    let robot = &scene.robots[step.tasks[number].robot].name;
    let has = |action: &Action| matches!(&action.kind, ActionKind::Sync(other) if other == name);
    let later = (0..step.tasks.len())
        .find(|other| *other != number && step.tasks[*other].actions[next[*other]..].iter().any(has));
    match later {
        None => Problem::new(
            place,
            format!("{robot:?} waits at {name:?}, but no other robot of this step comes there"),
        )
        .help("name the same point in the task of another robot, or leave it out"),
        Some(other) => {
            let other = &scene.robots[step.tasks[other].robot].name;
            Problem::new(
                place,
                format!("{robot:?} waits for {other:?} at {name:?}, and {other:?} waits for it elsewhere"),
            )
            .help("write the points in the same order for both robots")
        }
    }
}

/// Carries out an action: moves on the track, or something is taken or left.
fn perform(
    robot: &PlacedRobot,
    action: &Action,
    track: &mut Track,
    units: Unit,
) -> Result<Option<Event>, Problem> {
    let event = |body, is_grasp, depth, time| Event {
        time,
        robot: track.robot,
        body,
        is_grasp,
        depth,
        place: action.place,
    };
    match &action.kind {
        ActionKind::Grasp { body, depth } => return Ok(Some(event(*body, true, *depth, track.now()))),
        ActionKind::Release { body } => return Ok(Some(event(*body, false, None, track.now()))),
        ActionKind::Wait(seconds) => track.wait_until(track.now() + seconds),
        ActionKind::Sync(_) => {}
        ActionKind::PointToPoint { to, mode, speed, profile } => {
            let to = values_of(robot, to, track.values(), units, action.place)?;
            inside_limits(robot, &to, units, action.place)?;
            track.go(&paced_point_to_point(&robot.model, track.values(), &to, *mode, *speed, *profile));
        }
        ActionKind::Plan { to, speed } => {
            let to = values_of(robot, to, track.values(), units, action.place)?;
            inside_limits(robot, &to, units, action.place)?;
            let start = track.now();
            track.go(&point_to_point(&robot.model, track.values(), &to, Mode::Synchronous, *speed));
            track.open.push([start, track.now()]);
        }
        ActionKind::Joint { freedom, to, speed, profile } => {
            let mut values = track.values().to_vec();
            values[*freedom] = match to {
                JointEnd::To(value) => *value,
                JointEnd::By(by) => values[*freedom] + by,
            };
            inside_limits(robot, &values, units, action.place)?;
            let mode = Mode::Synchronous;
            track.go(&paced_point_to_point(&robot.model, track.values(), &values, mode, *speed, *profile));
        }
        ActionKind::Line { to, speed, profile } => {
            let line = super::line::line(robot, to, *speed, track.values(), units, action.place)?;
            track.go(&paced(&robot.model, &line, *profile));
        }
    }
    Ok(None)
}

/// The joint values of a target, seen from those before.
fn values_of(
    robot: &PlacedRobot,
    to: &Target,
    before: &[f64],
    units: Unit,
    place: Place,
) -> Result<Vec<f64>, Problem> {
    match to {
        Target::Joints(values) => {
            Ok(values.iter().zip(before).map(|(value, before)| value.unwrap_or(*before)).collect())
        }
        Target::Tool(pose) => super::line::nearest_values(robot, pose, None, before, units, place),
        Target::Configured(pose, wanted) => {
            super::line::nearest_values(robot, pose, Some(wanted), before, units, place)
        }
    }
}

/// Joints that turn without end are not turned farther than this from 0, in turns: an angle that is much larger is not known well enough to tell where a long arm is.
const MOST_TURNS: f64 = 1000.0;

/// That no joint has turned so often that its angle is not known well.
fn few_turns(robot: &PlacedRobot, values: &[f64], place: Place) -> Result<(), Problem> {
    for (number, joint) in robot.model.joints().iter().enumerate().filter(|(_, joint)| joint.kind.turns()) {
        let value = robot.model.joint_value(number, values);
        // Not finite is too far as well.
        if value.is_nan() || value.abs() > MOST_TURNS * TAU {
            let message = format!(
                "joint {:?} of {:?} would be at {}°, which is more than {MOST_TURNS} turns",
                joint.name,
                robot.name,
                decimals(value.to_degrees(), 4)
            );
            return Err(Problem::new(place, message).help("leave out whole turns"));
        }
    }
    Ok(())
}

fn inside_limits(robot: &PlacedRobot, values: &[f64], units: Unit, place: Place) -> Result<(), Problem> {
    few_turns(robot, values, place)?;
    let Some((_, joint, value)) = robot.model.outside_limits(values).first().copied() else { return Ok(()) };
    let joint = &robot.model.joints()[joint];
    let (lower, upper) = (joint.limits.lower, joint.limits.upper);
    let show = |x: f64| {
        // With as many places as it takes to see the difference.
        if joint.kind.turns() { format!("{}°", decimals(x.to_degrees(), 4)) } else { length(x, units) }
    };
    let message = format!(
        "joint {:?} of {:?} would go to {}; its limits are {} and {}",
        joint.name,
        robot.name,
        show(value),
        show(lower),
        show(upper)
    );
    Err(Problem::new(place, message))
}

/// Where the tool centre point of a robot is.
pub(super) fn tool(robot: &PlacedRobot, values: &[f64]) -> Pose {
    robot.model.place(&robot.base, values).links[robot.flange] * robot.flange_from_tool
}
