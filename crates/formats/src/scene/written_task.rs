//! What robots do, as text.

use super::read::task::action::{MODES, PROFILES};
use super::written::{INDENT, degrees, length, number, point, pose, table};
use freiraum_geometry::Unit;
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_scene::{ActionKind, JointEnd, LINE_SPEED, LineEnd, PlacedRobot, Scene, Target, Task};
use toml_edit::{Array, InlineTable, Value};

/// The keys of a task and their values, in `depth` lists; `None` if it speaks of a robot or body that is not there.
pub(super) fn task(task: &Task, scene: &Scene, depth: usize) -> Option<Vec<(&'static str, Value)>> {
    let robot = scene.robots.get(task.robot)?;
    let mut entries = vec![("robot", Value::from(robot.name.as_str()))];
    entries.extend(actions(task, scene, depth)?);
    Some(entries)
}

/// The keys for what a robot does: a motion and what follows it, or a list.
pub(super) fn actions(task: &Task, scene: &Scene, depth: usize) -> Option<Vec<(&'static str, Value)>> {
    let robot = scene.robots.get(task.robot)?;
    let written: Option<Vec<_>> =
        task.actions.iter().map(|action| self::action(&action.kind, robot, scene)).collect();
    let written = written?;
    let mut ranks = task.actions.iter().map(|action| rank(&action.kind));
    if !written.is_empty() && ranks.clone().is_sorted_by(|a, b| a < b) && ranks.all(|rank| rank < SYNC) {
        return Some(written.into_iter().flatten().collect());
    }
    let mut array = Array::new();
    for entries in written {
        let mut value = table(entries);
        value.decor_mut().set_prefix(format!("\n{}", INDENT.repeat(depth + 1)));
        array.push_formatted(value);
    }
    array.set_trailing(format!("\n{}", INDENT.repeat(depth)));
    array.set_trailing_comma(true);
    Some(vec![("do", Value::Array(array))])
}

/// Points to wait at are written in lists alone.
const SYNC: u8 = 3;

/// The place of an action among those that stand beside each other in a step.
fn rank(kind: &ActionKind) -> u8 {
    match kind {
        ActionKind::PointToPoint { .. }
        | ActionKind::Line { .. }
        | ActionKind::Joint { .. }
        | ActionKind::Plan { .. } => 0,
        ActionKind::Grasp { .. } | ActionKind::Release { .. } => 1,
        ActionKind::Wait(_) => 2,
        ActionKind::Sync(_) => SYNC,
    }
}

/// One action: its key and those that belong to it.
fn action(kind: &ActionKind, robot: &PlacedRobot, scene: &Scene) -> Option<Vec<(&'static str, Value)>> {
    let unit = scene.units;
    let name = |body: usize| Some(Value::from(scene.bodies.get(body)?.name.as_str()));
    Some(match kind {
        ActionKind::PointToPoint { to, mode, speed, profile } => {
            let mut entries = target(to, robot, unit)?;
            if let Some((name, _)) = MODES.iter().find(|(_, m)| m == mode && *mode != Mode::default()) {
                entries.push(("mode", Value::from(*name)));
            }
            entries.extend(share(*speed));
            entries.extend(pace(*profile));
            vec![("ptp", table(entries))]
        }
        ActionKind::Line { to, speed, profile } => {
            let mut entries = vec![match to {
                LineEnd::Pose(to) => ("pose", pose(to, unit)),
                LineEnd::By(by) => ("by", point(*by, unit)),
            }];
            if *speed != LINE_SPEED {
                entries.push(("speed", length(*speed, unit)));
            }
            entries.extend(pace(*profile));
            vec![("lin", table(entries))]
        }
        ActionKind::Joint { freedom, to, speed, profile } => {
            if *freedom >= robot.start.len() {
                return None;
            }
            let (value, keys) = match to {
                JointEnd::To(value) => (value, ["to_deg", "to"]),
                JointEnd::By(value) => (value, ["by_deg", "by"]),
            };
            let key = keys[usize::from(!robot.turns(*freedom))];
            let mut entries = vec![
                ("name", Value::from(robot.joint_name(*freedom))),
                (key, joint_value(*value, *freedom, robot, unit)),
            ];
            entries.extend(share(*speed));
            entries.extend(pace(*profile));
            vec![("joint", table(entries))]
        }
        ActionKind::Plan { to, speed } => {
            let mut entries = vec![("path", Value::from("plan")), ("to", table(target(to, robot, unit)?))];
            entries.extend(share(*speed));
            entries
        }
        ActionKind::Grasp { body, depth: None } => vec![("grasp", name(*body)?)],
        ActionKind::Grasp { body, depth: Some(depth) } => {
            vec![("grasp", table([("body", name(*body)?), ("depth", length(*depth, unit))]))]
        }
        ActionKind::Release { body } => vec![("release", name(*body)?)],
        ActionKind::Wait(seconds) => vec![("wait", number(*seconds))],
        ActionKind::Sync(name) => vec![("sync", Value::from(name.as_str()))],
    })
}

fn share(speed: f64) -> Option<(&'static str, Value)> {
    (speed != 1.0).then(|| ("speed", number(speed)))
}

fn pace(profile: Profile) -> Option<(&'static str, Value)> {
    let name = PROFILES.iter().find(|(_, known)| *known == profile && profile != Profile::default());
    name.map(|(name, _)| ("profile", Value::from(*name)))
}

fn target(to: &Target, robot: &PlacedRobot, unit: Unit) -> Option<Vec<(&'static str, Value)>> {
    match to {
        Target::Tool(to) => Some(vec![("pose", pose(to, unit))]),
        Target::Configured(to, wanted) => {
            Some(vec![("pose", pose(to, unit)), ("configuration", Value::from(wanted.to_string()))])
        }
        Target::Joints(values) => {
            if values.len() != robot.start.len() {
                return None;
            }
            let state = robot.states.iter().find(|state| state.values == *values);
            Some(vec![match state {
                Some(state) => ("state", Value::from(state.name.as_str())),
                None => ("joints_deg", joint_values(values, robot, unit)),
            }])
        }
    }
}

/// Joint values: a list of all, or a table of those that are said.
pub(super) fn joint_values(values: &[Option<f64>], robot: &PlacedRobot, unit: Unit) -> Value {
    if values.iter().all(Option::is_some) {
        let all = values.iter().enumerate();
        let all = all.map(|(freedom, value)| joint_value(value.unwrap_or(0.0), freedom, robot, unit));
        return Value::Array(all.collect());
    }
    let mut some = InlineTable::new();
    for (freedom, value) in values.iter().enumerate() {
        if let Some(value) = value {
            some.insert(robot.joint_name(freedom), joint_value(*value, freedom, robot, unit));
        }
    }
    Value::InlineTable(some)
}

fn joint_value(value: f64, freedom: usize, robot: &PlacedRobot, unit: Unit) -> Value {
    if robot.turns(freedom) { degrees(value) } else { length(value, unit) }
}
