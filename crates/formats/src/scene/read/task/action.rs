//! One thing that a robot does.

use super::super::body::pose;
use super::super::names::{Named, Names};
use super::super::node::{Entry, Kind, Node};
use super::super::reader::Reader;
use super::super::robot::joints::{self, Known};
use super::super::step::MAX_SECONDS;
use super::Cast;
use crate::notation::point_of_json;
use crate::scene::keys::Keys;
use crate::scene::robot_keys;
use freiraum_robot::inverse::Wanted;
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_scene::{Action, ActionKind, JointEnd, LINE_SPEED, LineEnd, PlacedRobot, Target};

/// How joints share the time, and what that is called.
pub(in crate::scene) const MODES: [(&str, Mode); 3] = [
    ("synchronous", Mode::Synchronous),
    ("simultaneous", Mode::Simultaneous),
    ("sequential", Mode::Sequential),
];

/// How the speed changes along a way, and what that is called.
pub(in crate::scene) const PROFILES: [(&str, Profile); 3] =
    [("constant", Profile::Constant), ("ramp", Profile::Ramp), ("smooth", Profile::Smooth)];

/// The smallest share of the full speed, and the slowest line in metres per second: what is slower never arrives.
const SLOWEST: f64 = f64::EPSILON;

/// Who acts, and on what.
pub(super) struct Scope<'s> {
    pub(super) cast: &'s Cast<'s>,
    pub(super) robot: &'s PlacedRobot,
    pub(super) names: &'s Names,
}

/// The action that an entry of a table says.
pub(super) fn read(node: &Node, entry: &Entry, scope: &Scope<'_>, reader: &mut Reader<'_>) -> Option<Action> {
    if entry.key != "path" {
        let is_stray = |other: &&Entry| ["to", "speed"].contains(&other.key.as_str());
        if let Some(stray) = node.entries()?.iter().find(is_stray) {
            let message = format!("{:?} beside {:?}", stray.key, entry.key);
            let help = match stray.key.as_str() {
                "speed" => "the speed goes into the motion, such as ptp = { joints_deg = […], speed = 0.5 }",
                _ => "`to` says where path = \"plan\" leads; ptp and lin say it themselves",
            };
            reader.problem_with_help(stray.place(), message, help);
            return None;
        }
    }
    let value = &entry.value;
    let kind = match entry.key.as_str() {
        "ptp" => point_to_point(value, scope.robot, reader)?,
        "lin" => line(value, reader)?,
        "joint" => joint(value, scope.robot, reader)?,
        "path" => plan(node, entry, scope.robot, reader)?,
        "grasp" => grasp(value, scope, reader)?,
        "release" => ActionKind::Release { body: held(value, "released", scope, reader)? },
        "wait" => wait(value, reader)?,
        _ => ActionKind::Sync(reader.name(value)?.to_owned()),
    };
    Some(Action { kind, place: entry.place() })
}

fn point_to_point(node: &Node, robot: &PlacedRobot, reader: &mut Reader<'_>) -> Option<ActionKind> {
    let to = target(node, &robot_keys::PTP, robot, reader);
    let mode = match node.get("mode") {
        Some(mode) => self::mode(mode, reader),
        None => Some(Mode::default()),
    };
    let speed = node.get("speed").map_or(Some(1.0), |speed| share(speed, reader));
    let profile = profile(node, reader);
    Some(ActionKind::PointToPoint { to: to?, mode: mode?, speed: speed?, profile: profile? })
}

/// Where joints go.
fn target(node: &Node, keys: &Keys, robot: &PlacedRobot, reader: &mut Reader<'_>) -> Option<Target> {
    if let Kind::List(_) | Kind::Text(_) = node.kind {
        let message = format!("found {}, expected a table that says where the robot goes", node.describe());
        let help = match &node.kind {
            Kind::Text(name) => format!("write {{ state = {name:?} }}"),
            _ => "write { joints_deg = […] }, or { pose = … } for the tool centre point".to_owned(),
        };
        reader.problem_with_help(node.place, message, help);
        return None;
    }
    let entries = reader.table(node, keys)?;
    let ways = ["joints_deg", "pose", "state"];
    let found: Vec<&Entry> = entries.iter().filter(|entry| ways.contains(&entry.key.as_str())).collect();
    let known = Known::of(robot);
    let configuration = node.entry("configuration");
    if let (Some(configuration), [entry]) = (configuration, found.as_slice())
        && entry.key != "pose"
    {
        let message = format!("\"configuration\" beside {:?}", entry.key);
        let help = "a configuration chooses among the joint values for a `pose`; remove it";
        reader.problem_with_help(configuration.place(), message, help);
        return None;
    }
    let wanted = configuration.map(|entry| self::configuration(&entry.value, reader));
    match found.as_slice() {
        [entry] => match entry.key.as_str() {
            "joints_deg" => joints::values(&entry.value, &known, reader).map(Target::Joints),
            "state" => joints::state(&entry.value, &known, reader).map(Target::Joints),
            _ => {
                let pose = pose(&entry.value, reader);
                match wanted {
                    None => pose.map(Target::Tool),
                    Some(wanted) => Some(Target::Configured(pose?, wanted?)),
                }
            }
        },
        [] => {
            if !reader.is_misspelt(node, keys, &ways) {
                let help = "add joints_deg = […], pose = … or state = \"…\"";
                reader.problem_with_help(node.place, "this does not say where the robot goes", help);
            }
            None
        }
        [first, second, ..] => {
            let message = format!("{:?} beside {:?}: expected one of them", second.key, first.key);
            reader.problem(second.place(), message);
            None
        }
    }
}

/// Sides of an arm by name.
fn configuration(node: &Node, reader: &mut Reader<'_>) -> Option<Wanted> {
    let text = reader.text(node, "a configuration such as \"front up noflip\"")?;
    match text.parse() {
        Ok(wanted) => Some(wanted),
        Err(error) => {
            let help = "write some of front or back (right or left), up or down, noflip or flip; `freiraum robot ik` tells them";
            reader.problem_with_help(node.place, error.to_string(), help);
            None
        }
    }
}

/// How the motion of a table gathers speed.
fn profile(node: &Node, reader: &mut Reader<'_>) -> Option<Profile> {
    let Some(node) = node.get("profile") else { return Some(Profile::default()) };
    let found = node.text().and_then(|text| PROFILES.iter().find(|(name, _)| *name == text));
    if found.is_none() {
        let message = format!("{} is no profile of speed", node.quoted());
        let meant =
            node.text().and_then(|text| reader.suggestion(text, PROFILES.iter().map(|(name, _)| *name)));
        let help = meant.unwrap_or_else(|| {
            "write \"constant\" (full speed at once), \"ramp\" (even acceleration) or \"smooth\" (no jump of acceleration)"
                .to_owned()
        });
        reader.problem_with_help(node.place, message, help);
    }
    found.map(|(_, profile)| *profile)
}

fn mode(node: &Node, reader: &mut Reader<'_>) -> Option<Mode> {
    let found = node.text().and_then(|text| MODES.iter().find(|(name, _)| *name == text));
    if found.is_none() {
        let message = format!("{} is no mode", node.quoted());
        let meant = node.text().and_then(|text| reader.suggestion(text, MODES.iter().map(|(name, _)| *name)));
        let help = meant.unwrap_or_else(|| {
            "write \"synchronous\" (all arrive together), \"simultaneous\" (all at full speed) or \"sequential\" (one after the other)"
                .to_owned()
        });
        reader.problem_with_help(node.place, message, help);
    }
    found.map(|(_, mode)| *mode)
}

/// A share of the full speed.
fn share(node: &Node, reader: &mut Reader<'_>) -> Option<f64> {
    let expected = "a share of the full speed above 0 and up to 1";
    let speed = reader.number(node, expected)?;
    if (SLOWEST..=1.0).contains(&speed) {
        return Some(speed);
    }
    let message = format!("found {}, expected {expected}", node.describe());
    if speed > 1.0 && speed <= 100.0 {
        let help = format!("for {speed} % write {}", speed / 100.0);
        reader.problem_with_help(node.place, message, help);
    } else {
        reader.problem(node.place, message);
    }
    None
}

fn line(node: &Node, reader: &mut Reader<'_>) -> Option<ActionKind> {
    reader.table(node, &robot_keys::LIN)?;
    let to = match (node.get("pose"), node.entry("by")) {
        (Some(_), Some(by)) => {
            let message = "\"by\" beside \"pose\": expected one of them";
            reader.problem(by.place(), message);
            None
        }
        (Some(to), None) => pose(to, reader).map(LineEnd::Pose),
        (None, Some(by)) => {
            reader.read_json(&by.value, |json, dialect| point_of_json(json, "", dialect)).map(LineEnd::By)
        }
        (None, None) => {
            if !reader.is_misspelt(node, &robot_keys::LIN, &["pose", "by"]) {
                let help = "add pose = …, or by = [x, y, z]";
                reader.problem_with_help(node.place, "this does not say where the line leads", help);
            }
            None
        }
    };
    let speed = match node.get("speed") {
        Some(node) => {
            let speed = reader.coordinate(node)?;
            if speed < SLOWEST {
                let units = reader.dialect.units;
                let message = format!("found {}, expected a speed above 0 in {units}/s", node.describe());
                reader.problem(node.place, message);
                return None;
            }
            speed
        }
        None => LINE_SPEED,
    };
    let profile = profile(node, reader);
    Some(ActionKind::Line { to: to?, speed, profile: profile? })
}

fn joint(node: &Node, robot: &PlacedRobot, reader: &mut Reader<'_>) -> Option<ActionKind> {
    let entries = reader.table(node, &robot_keys::JOINT)?;
    let known = Known::of(robot);
    let freedom = match node.get("name") {
        Some(name) => {
            let text = reader.text(name, "the name of a joint");
            text.and_then(|text| joints::freedom(text, name.place, &known, reader))
        }
        None => {
            if !reader.is_misspelt(node, &robot_keys::JOINT, &["name"]) {
                let help = "write { name = \"…\", to_deg = … }";
                reader.problem_with_help(node.place, "this does not say which joint", help);
            }
            None
        }
    };
    let speed = node.get("speed").map_or(Some(1.0), |speed| share(speed, reader));
    let ways = ["to_deg", "by_deg", "to", "by"];
    let found: Vec<&Entry> = entries.iter().filter(|entry| ways.contains(&entry.key.as_str())).collect();
    let freedom = freedom?;
    let turns = robot.turns(freedom);
    let [entry] = found.as_slice() else {
        let (place, message) = match found.as_slice() {
            [first, second, ..] => {
                (second.place(), format!("{:?} beside {:?}: expected one of them", second.key, first.key))
            }
            _ if reader.is_misspelt(node, &robot_keys::JOINT, &ways) => return None,
            _ => (node.place, "this does not say where the joint goes".to_owned()),
        };
        let help = if turns { "add to_deg = … or by_deg = …" } else { "add to = … or by = …" };
        reader.problem_with_help(place, message, help);
        return None;
    };
    if entry.key.ends_with("_deg") != turns {
        let (how, wanted) = if turns {
            ("turns", format!("write `{}_deg`, in degrees", entry.key))
        } else {
            let unit = reader.dialect.units;
            ("slides", format!("write `{}`, in {unit}", entry.key.trim_end_matches("_deg")))
        };
        let message = format!("{:?} for joint {:?}, which {how}", entry.key, robot.joint_name(freedom));
        reader.problem_with_help(entry.place(), message, wanted);
        return None;
    }
    let to = if entry.key.starts_with("to") {
        joints::checked(&entry.value, freedom, &known, reader).map(JointEnd::To)
    } else {
        joints::amount(&entry.value, turns, reader).map(JointEnd::By)
    };
    let profile = profile(node, reader);
    Some(ActionKind::Joint { freedom, to: to?, speed: speed?, profile: profile? })
}

fn plan(node: &Node, path: &Entry, robot: &PlacedRobot, reader: &mut Reader<'_>) -> Option<ActionKind> {
    if path.value.text() != Some("plan") {
        let message = format!("found {}, expected \"plan\"", path.value.describe());
        let help = "a planner finds the way with path = \"plan\"; write ways of your own with do = [ … ]";
        reader.problem_with_help(path.value.place, message, help);
        return None;
    }
    let speed = node.get("speed").map_or(Some(1.0), |speed| share(speed, reader));
    let Some(to) = node.get("to") else {
        let help = "add to = { joints_deg = […] }, to = { pose = … } or to = { state = \"…\" }";
        reader.problem_with_help(path.place(), "this does not say where the path leads", help);
        return None;
    };
    let to = target(to, &robot_keys::TARGET, robot, reader);
    Some(ActionKind::Plan { to: to?, speed: speed? })
}

fn grasp(node: &Node, scope: &Scope<'_>, reader: &mut Reader<'_>) -> Option<ActionKind> {
    if node.entries().is_none() {
        return Some(ActionKind::Grasp { body: held(node, "grasped", scope, reader)?, depth: None });
    }
    reader.table(node, &robot_keys::GRASP)?;
    let depth = node.get("depth").map(|depth| reader.length(depth));
    let Some(body) = node.get("body") else {
        if !reader.is_misspelt(node, &robot_keys::GRASP, &["body"]) {
            let help = "write grasp = { body = \"…\", depth = … }";
            reader.problem_with_help(node.place, "this does not say what is grasped", help);
        }
        return None;
    };
    let body = held(body, "grasped", scope, reader)?;
    match depth {
        Some(None) => None,
        depth => Some(ActionKind::Grasp { body, depth: depth.flatten() }),
    }
}

/// The body that is grasped or released.
fn held(node: &Node, done: &str, scope: &Scope<'_>, reader: &mut Reader<'_>) -> Option<usize> {
    let name = reader.text(node, "the name of a body")?;
    let body = match scope.names.find(node, reader)? {
        Named::Body(body) => body,
        Named::Group(_) => {
            let message = format!("{name:?} is a group and cannot be {done} at once");
            let key = if done == "grasped" { "grasp" } else { "release" };
            let help = format!(
                "name its bodies one after the other: do = [ {{ {key} = \"…\" }}, {{ {key} = \"…\" }} ]"
            );
            reader.problem_with_help(node.place, message, help);
            return None;
        }
        Named::Robot(_) => {
            reader.problem(node.place, format!("{name:?} is a robot and cannot be {done}"));
            return None;
        }
    };
    if let Some(robot) = scope.cast.robot_of(body) {
        let message = format!("{name:?} is part of the robot {:?} and cannot be {done}", robot.name);
        reader.problem_with_help(node.place, message, "name a body that stands free");
        return None;
    }
    if scope.cast.bodies[body].is_fixed {
        let message = format!("{name:?} is fixed and cannot be {done}");
        reader.problem_with_help(node.place, message, "remove fixed = true from the body");
        return None;
    }
    Some(body)
}

fn wait(node: &Node, reader: &mut Reader<'_>) -> Option<ActionKind> {
    let expected = "a number of seconds above 0";
    let seconds = reader.number(node, expected)?;
    if !(seconds > 0.0 && seconds <= MAX_SECONDS) {
        reader.problem(node.place, format!("found {}, expected {expected}", node.describe()));
        return None;
    }
    Some(ActionKind::Wait(seconds))
}
