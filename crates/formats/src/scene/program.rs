//! What robots do, as JSON for other programs and as a listing for people.
//!
//! - [`to_json`], [`from_json`]: all steps, with the keys of the scene file
//! - [`listing`]: numbered lines as a robot programmer writes them

use super::errors::SceneErrors;
use super::file::SceneFile;
use super::{read, written};
use freiraum_geometry::{Pose, Unit};
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_scene::{
    ActionKind, JointEnd, LineEnd, Move, PlacedRobot, Problem, Scene, Step, Target, Task, Travel,
};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write as _;
use toml_edit::{Item, Value};

/// The steps of a scene as JSON: `{ "units": …, "robots": [ { "name": …, "joints": […] } ], "steps": […] }`.
///
/// A step has the keys that it has in a scene file, in the unit of that file. What the robots are is not said, only the names of their joints in the order of joint values.
pub fn to_json(scene: &Scene) -> Json {
    let robots: Vec<Json> =
        scene.robots.iter().map(|robot| json!({ "name": robot.name, "joints": joints(robot) })).collect();
    let steps = scene.steps.iter().filter_map(|step| written::step(step, scene));
    let steps: Vec<Json> = steps.map(|table| object(table.iter())).collect();
    json!({ "units": scene.units.to_string(), "robots": robots, "steps": steps })
}

fn joints(robot: &PlacedRobot) -> Vec<&str> {
    (0..robot.start.len()).map(|freedom| robot.joint_name(freedom)).collect()
}

fn object<'t>(entries: impl Iterator<Item = (&'t str, &'t Item)>) -> Json {
    let pairs = entries.filter_map(|(key, item)| Some((key.to_owned(), value(item.as_value()?))));
    Json::Object(pairs.collect::<Map<String, Json>>())
}

fn value(value: &Value) -> Json {
    match value {
        Value::String(text) => Json::from(text.value().as_str()),
        Value::Integer(number) => Json::from(*number.value()),
        Value::Float(number) => Json::from(*number.value()),
        Value::Boolean(flag) => Json::from(*flag.value()),
        Value::Datetime(date) => Json::from(date.to_string()),
        Value::Array(array) => array.iter().map(self::value).collect(),
        Value::InlineTable(table) => {
            let pairs = table.iter().map(|(key, value)| (key.to_owned(), self::value(value)));
            Json::Object(pairs.collect::<Map<String, Json>>())
        }
    }
}

/// Adds the steps of a program as [`to_json`] writes them after the last step of a file; how many they are.
///
/// Lengths are in the unit that the program states, else in that of the file; `robots` may be left out. **Errors.** All problems at once, each with the number of its step; the file then stays as it was.
pub fn from_json(file: &mut SceneFile, program: &Json) -> Result<usize, SceneErrors> {
    // Places in the scene file mean nothing here.
    let told = |problems: Vec<Problem>| SceneErrors::new(file.name(), "", problems);
    let fail = |message: String| Err(told(vec![Problem::new(Default::default(), message)]));
    let Some(map) = program.as_object() else {
        return fail("a program is an object with \"steps\"".to_owned());
    };
    if let Some(key) = map.keys().find(|key| !["units", "robots", "steps"].contains(&key.as_str())) {
        return fail(format!("unknown key {key:?} in a program: its keys are units, robots, steps"));
    }
    let units = match map.get("units") {
        None => Ok(file.scene().units),
        Some(Json::String(name)) => read::unit_of(name),
        Some(_) => Err("the unit of a program is a string such as \"mm\"".to_owned()),
    };
    let units: Unit = match units {
        Ok(units) => units,
        Err(message) => return fail(message),
    };
    let Some(steps) = map.get("steps").and_then(Json::as_array) else {
        return fail("a program needs \"steps\", a list".to_owned());
    };
    let mut models = file.models.clone();
    let steps = read::steps_of_json(steps, units, file.scene(), &mut models).map_err(told)?;
    let mut changed = file.clone();
    for step in &steps {
        changed.push_step(step)?;
    }
    *file = changed;
    Ok(steps.len())
}

/// The program as a robot programmer reads it: numbered lines, angles in degrees, lengths in the unit of the file.
pub fn listing(scene: &Scene) -> String {
    let mut out = String::new();
    for robot in &scene.robots {
        let start: Vec<Option<f64>> = robot.start.iter().copied().map(Some).collect();
        let _ = writeln!(out, "ROBOT {}  START {}", robot.name, joint_values(robot, &start, scene.units));
    }
    let mut line = 0;
    for (number, step) in scene.steps.iter().enumerate() {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "STEP {} {}", number + 1, step.name);
        let rows = rows(scene, step);
        let width = rows.iter().map(|(who, _)| who.chars().count()).max().unwrap_or(0);
        for (who, what) in rows {
            line += 1;
            let _ = writeln!(out, "{line:>5}  {who:width$}  {what}");
        }
    }
    out
}

/// One action as it stands in a [`listing`], without its number and its robot.
pub fn action(kind: &ActionKind, robot: &PlacedRobot, scene: &Scene) -> String {
    line(kind, robot, scene)
}

/// Who does what; several at the same time one after the other.
fn rows<'s>(scene: &'s Scene, step: &'s Step) -> Vec<(&'s str, String)> {
    let moves = step.moves.iter().map(|one| (one.subject.as_str(), moved(one, scene.units)));
    let tasks = step.tasks.iter().filter_map(|task| Some((task, scene.robots.get(task.robot)?)));
    let of_task = |(task, robot): (&'s Task, &'s PlacedRobot)| {
        let lines =
            task.actions.iter().map(move |action| (robot.name.as_str(), line(&action.kind, robot, scene)));
        lines.collect::<Vec<_>>()
    };
    moves.chain(tasks.flat_map(of_task)).collect()
}

fn moved(one: &Move, unit: Unit) -> String {
    match &one.travel {
        Travel::Translate(by) => format!("MOVE  BY {}", vector(*by, unit)),
        Travel::Turn { angle, advance, .. } if *advance == 0.0 => {
            format!("MOVE  TURN {}", angle_text(*angle))
        }
        Travel::Turn { angle, advance, .. } => {
            format!("MOVE  SCREW {} {}", angle_text(*angle), length(*advance, unit))
        }
        Travel::To(to) => format!("MOVE  TO {}", pose(to, unit)),
        Travel::Path(pieces) => format!("MOVE  PATH of {} pieces", pieces.len()),
        Travel::Plan { to, .. } => format!("MOVE  PLAN TO {}", pose(to, unit)),
    }
}

fn line(kind: &ActionKind, robot: &PlacedRobot, scene: &Scene) -> String {
    let unit = scene.units;
    let body = |number: &usize| scene.bodies.get(*number).map_or("?", |body| body.name.as_str());
    match kind {
        ActionKind::PointToPoint { to, mode, speed, profile } => {
            let mode = match mode {
                Mode::Synchronous => "",
                Mode::Simultaneous => "  SIMULTANEOUS",
                Mode::Sequential => "  SEQUENTIAL",
            };
            format!("PTP      {}  {}{mode}{}", target(to, robot, unit), percent(*speed), pace(*profile))
        }
        ActionKind::Line { to, speed, profile } => {
            let to = match to {
                LineEnd::Pose(to) => pose(to, unit),
                LineEnd::By(by) => format!("BY {}", vector(*by, unit)),
            };
            format!("LIN      {to}  {}/s{}", length(*speed, unit), pace(*profile))
        }
        ActionKind::Joint { freedom, to, speed, profile } => {
            let (by, value) = match to {
                JointEnd::To(value) => ("", value),
                JointEnd::By(value) => ("BY ", value),
            };
            let value = joint_value(robot, *freedom, *value, unit);
            let (name, pace) = (robot.joint_name(*freedom), pace(*profile));
            format!("JOINT    {name} {by}{value}  {}{pace}", percent(*speed))
        }
        ActionKind::Plan { to, speed } => {
            format!("PLAN     {}  {}", target(to, robot, unit), percent(*speed))
        }
        ActionKind::Grasp { body: grasped, depth } => {
            let depth = depth.map_or(String::new(), |depth| format!("  DEPTH {}", length(depth, unit)));
            format!("GRASP    {}{depth}", body(grasped))
        }
        ActionKind::Release { body: released } => format!("RELEASE  {}", body(released)),
        ActionKind::Wait(seconds) => format!("WAIT     {} s", short(*seconds)),
        ActionKind::Sync(name) => format!("SYNC     {name}"),
    }
}

fn pace(profile: Profile) -> &'static str {
    match profile {
        Profile::Constant => "",
        Profile::Ramp => "  RAMP",
        Profile::Smooth => "  SMOOTH",
    }
}

fn target(to: &Target, robot: &PlacedRobot, unit: Unit) -> String {
    match to {
        Target::Tool(to) => pose(to, unit),
        Target::Configured(to, wanted) => {
            format!("{}  CONFIGURATION {}", pose(to, unit), wanted.to_string().to_uppercase())
        }
        Target::Joints(values) => match robot.states.iter().find(|state| state.values == *values) {
            Some(state) => format!("STATE {}", state.name),
            None => joint_values(robot, values, unit),
        },
    }
}

/// The values of all joints that are said, by their number from 1: `J1 10° J2 -20°`.
fn joint_values(robot: &PlacedRobot, values: &[Option<f64>], unit: Unit) -> String {
    let said = values.iter().enumerate().filter_map(|(freedom, value)| Some((freedom, (*value)?)));
    let said: Vec<String> = said
        .map(|(freedom, value)| format!("J{} {}", freedom + 1, joint_value(robot, freedom, value, unit)))
        .collect();
    if said.is_empty() { "as it is".to_owned() } else { said.join("  ") }
}

fn joint_value(robot: &PlacedRobot, freedom: usize, value: f64, unit: Unit) -> String {
    if freedom < robot.start.len() && robot.turns(freedom) { angle_text(value) } else { length(value, unit) }
}

fn pose(pose: &Pose, unit: Unit) -> String {
    let [x, y, z] = pose.translation().to_array().map(|x| length(x, unit));
    let (roll, pitch, yaw) = pose.to_zyx_euler();
    if pose.rotation() == Pose::IDENTITY.rotation() {
        return format!("X {x}  Y {y}  Z {z}");
    }
    let [roll, pitch, yaw] = [roll, pitch, yaw].map(angle_text);
    format!("X {x}  Y {y}  Z {z}  ROLL {roll}  PITCH {pitch}  YAW {yaw}")
}

fn vector(by: freiraum_geometry::Vec3, unit: Unit) -> String {
    let [x, y, z] = by.to_array().map(|x| length(x, unit));
    format!("X {x}  Y {y}  Z {z}")
}

fn length(metres: f64, unit: Unit) -> String {
    format!("{} {unit}", short(unit.from_metres(metres)))
}

fn angle_text(radians: f64) -> String {
    format!("{}°", short(radians.to_degrees()))
}

fn percent(share: f64) -> String {
    format!("{} %", short(100.0 * share))
}

/// As many digits as people read.
fn short(x: f64) -> String {
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
