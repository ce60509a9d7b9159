//! What a robot is told, as the scene has it.

use super::no_joints;
use crate::document::ask::no_body;
use crate::protocol::{ActionInfo, ActionName, NewAction, Refusal, SentPose, received};
use freiraum_check::Timeline;
use freiraum_formats::scene::program;
use freiraum_geometry::Vec3;
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_scene::{
    Action, ActionKind, JointEnd, LINE_SPEED, LineEnd, Place, PlacedRobot, Scene, Step, Target, Task,
};

/// The slowest speed: what is slower never arrives.
const SLOWEST: f64 = f64::EPSILON;

/// How joints share the time.
const MODES: [(&str, Mode); 3] = [
    ("synchronous", Mode::Synchronous),
    ("simultaneous", Mode::Simultaneous),
    ("sequential", Mode::Sequential),
];

/// How motions gather and lose speed.
const PROFILES: [(&str, Profile); 3] =
    [("constant", Profile::Constant), ("ramp", Profile::Ramp), ("smooth", Profile::Smooth)];

fn wrong<T>(message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new("request", message))
}

/// The task of a robot: one action after the other.
pub(in crate::document) fn task(scene: &Scene, robot: usize, new: &[NewAction]) -> Result<Task, Refusal> {
    let placed = super::robot(scene, robot)?;
    if new.is_empty() {
        return wrong("what does it do? `actions` is empty");
    }
    let one = |new| Ok(Action { kind: kind(scene, placed, new)?, place: Place::default() });
    let actions = new.iter().map(one).collect::<Result<Vec<_>, Refusal>>()?;
    Ok(Task { robot, actions, place: Place::default() })
}

/// One action.
pub(in crate::document) fn kind(
    scene: &Scene,
    robot: &PlacedRobot,
    new: &NewAction,
) -> Result<ActionKind, Refusal> {
    Ok(match new {
        NewAction::Ptp(new) => ActionKind::PointToPoint {
            to: target(robot, new.joints.as_deref(), new.pose.as_ref())?,
            mode: new.mode.as_deref().map_or(Ok(Mode::default()), mode)?,
            speed: share(new.speed)?,
            profile: profile(new.profile.as_deref())?,
        },
        NewAction::Plan(new) => ActionKind::Plan {
            to: target(robot, new.joints.as_deref(), new.pose.as_ref())?,
            speed: share(new.speed)?,
        },
        NewAction::Lin(new) => {
            let to = match (&new.pose, new.by) {
                (Some(pose), None) => LineEnd::Pose(received(pose)?),
                (None, Some(by)) if Vec3::from_array(by).is_finite() => LineEnd::By(Vec3::from_array(by)),
                (None, Some(_)) => return wrong("`by` is three finite numbers"),
                _ => return wrong("a line needs one of `pose` and `by`"),
            };
            let speed = new.speed.unwrap_or(LINE_SPEED);
            if !(speed.is_finite() && speed >= SLOWEST) {
                return wrong("the speed of a line is above 0, in metres per second");
            }
            ActionKind::Line { to, speed, profile: profile(new.profile.as_deref())? }
        }
        NewAction::Joint(new) => {
            if new.freedom >= robot.start.len() {
                return wrong(format!("{:?} has no joint {}", robot.name, new.freedom));
            }
            if !new.to.is_finite() {
                return wrong("a joint goes to a finite value");
            }
            ActionKind::Joint {
                freedom: new.freedom,
                to: JointEnd::To(new.to),
                speed: share(new.speed)?,
                profile: profile(new.profile.as_deref())?,
            }
        }
        NewAction::Grasp { body, depth } => {
            if depth.is_some_and(|depth| !(depth.is_finite() && depth >= 0.0)) {
                return wrong("the depth of a grasp is 0 or more, in metres");
            }
            ActionKind::Grasp { body: known(scene, *body)?, depth: *depth }
        }
        NewAction::Release { body } => ActionKind::Release { body: known(scene, *body)? },
        NewAction::Wait(seconds) if seconds.is_finite() && *seconds > 0.0 => ActionKind::Wait(*seconds),
        NewAction::Wait(_) => return wrong("a robot waits for so many seconds, above 0"),
        NewAction::Sync(name) => ActionKind::Sync(name.clone()),
    })
}

fn known(scene: &Scene, body: usize) -> Result<usize, Refusal> {
    if body < scene.bodies.len() { Ok(body) } else { Err(no_body(body)) }
}

fn target(
    robot: &PlacedRobot,
    joints: Option<&[Option<f64>]>,
    pose: Option<&SentPose>,
) -> Result<Target, Refusal> {
    match (joints, pose) {
        (Some(values), None) => {
            if values.len() != robot.start.len() || values.iter().flatten().any(|value| !value.is_finite()) {
                return Err(no_joints(robot, values.len()));
            }
            Ok(Target::Joints(values.to_vec()))
        }
        (None, Some(pose)) => Ok(Target::Tool(received(pose)?)),
        _ => wrong("where to? one of `joints` and `pose` is expected"),
    }
}

fn share(speed: Option<f64>) -> Result<f64, Refusal> {
    let speed = speed.unwrap_or(1.0);
    if (SLOWEST..=1.0).contains(&speed) {
        Ok(speed)
    } else {
        wrong("the speed is a share of the full speed, above 0 and up to 1")
    }
}

fn mode(name: &str) -> Result<Mode, Refusal> {
    let found = MODES.iter().find(|(known, _)| *known == name);
    found.map(|(_, mode)| *mode).ok_or_else(|| {
        Refusal::new("request", format!("there is no mode {name:?}"))
            .help("synchronous, simultaneous or sequential")
    })
}

fn profile(name: Option<&str>) -> Result<Profile, Refusal> {
    let Some(name) = name else { return Ok(Profile::default()) };
    let found = PROFILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, profile)| *profile).ok_or_else(|| {
        Refusal::new("request", format!("there is no profile {name:?}")).help("constant, ramp or smooth")
    })
}

/// The actions of a step for the page, in the words of a listing, with when they happen: `first` is the first stage of the step.
pub(in crate::document) fn listed(
    scene: &Scene,
    step: &Step,
    timeline: &Timeline,
    first: usize,
) -> Vec<ActionInfo> {
    let count =
        timeline.stages[first..].iter().take_while(|one| one.step == timeline.stages[first].step).count();
    let of_task = |task: &Task| {
        let robot = &scene.robots[task.robot];
        let one = |(number, action): (usize, &Action)| {
            let text = program::action(&action.kind, robot, scene);
            let mut parts = (first..first + count).flat_map(|stage| {
                let parts = &timeline.robots[stage][task.robot].actions;
                parts.iter().filter(move |part| part.action == number).map(move |part| (stage, part.time))
            });
            let from = parts.next();
            let to = parts.last().or(from);
            ActionInfo {
                robot: task.robot,
                kind: name(&action.kind),
                text,
                from: from.map(|(stage, time)| (stage, time[0])),
                to: to.map(|(stage, time)| (stage, time[1])),
            }
        };
        task.actions.iter().enumerate().map(one).collect::<Vec<_>>()
    };
    step.tasks.iter().flat_map(of_task).collect()
}

fn name(kind: &ActionKind) -> ActionName {
    match kind {
        ActionKind::PointToPoint { .. } => ActionName::Ptp,
        ActionKind::Line { .. } => ActionName::Lin,
        ActionKind::Joint { .. } => ActionName::Joint,
        ActionKind::Plan { .. } => ActionName::Plan,
        ActionKind::Grasp { .. } => ActionName::Grasp,
        ActionKind::Release { .. } => ActionName::Release,
        ActionKind::Wait(_) => ActionName::Wait,
        ActionKind::Sync(_) => ActionName::Sync,
    }
}
