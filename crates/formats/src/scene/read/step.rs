//! `[[step]]`: one motion, or several at the same time.

use super::names::Names;
use super::node::Node;
use super::reader::Reader;
use super::task::{self, Cast};
use super::travel;
use crate::scene::keys;
use freiraum_scene::{Move, Step, Task};
use std::collections::BTreeMap;

/// How long a step takes that does not say so.
const SECONDS: f64 = 1.0;

/// Longer steps are a slip: ten years.
pub(super) const MAX_SECONDS: f64 = 3.2e8;

/// A step, the one with number `index` from 0; `None` if it is wrong, which was told.
pub(super) fn read(
    node: &Node,
    index: usize,
    cast: &Cast<'_>,
    names: &mut Names,
    reader: &mut Reader<'_>,
) -> Option<Step> {
    reader.table(node, &keys::STEP)?;
    let name = match node.get("name") {
        Some(name) => reader.name(name).unwrap_or_default().to_owned(),
        None => format!("step {}", index + 1),
    };
    let seconds = node.get("seconds").and_then(|node| seconds(node, reader)).unwrap_or(SECONDS);
    let mut step = Step { name, moves: Vec::new(), tasks: Vec::new(), seconds, place: node.place };
    let Some(parallel) = node.get("parallel") else {
        let has_move = keys::MOVE.known.iter().any(|key| node.get(key).is_some());
        if task::key_of_robots(node).is_some() {
            step.tasks.push(task::read(node, cast, names, reader)?);
        } else if has_move {
            step.moves.push(a_move(node, cast, names, reader)?);
        } else {
            if !reader.is_misspelt(node, &keys::STEP, keys::MOVE.known) {
                let help = "add move = \"…\" with translate = [x, y, z], rotate, screw, to or path";
                reader.problem_with_help(node.place, "nothing moves in this step", help);
            }
            return None;
        }
        is_timed(node, &step, reader);
        return Some(step);
    };
    let own = |key: &&str| keys::MOVE.known.contains(key) || keys::TASK.known.contains(key);
    let own = node.entries()?.iter().find(|entry| own(&entry.key.as_str()));
    if let Some(entry) = own {
        let message = format!("{:?} beside `parallel`", entry.key);
        let help = "put every motion into the list: parallel = [ { move = …, translate = … }, … ]";
        reader.problem_with_help(entry.place(), message, help);
    }
    let items = reader.list(parallel, "a list of moves { move = …, … }")?;
    if items.is_empty() {
        let help = "add { move = \"…\", translate = [x, y, z] } or the like";
        reader.problem_with_help(parallel.place, "nothing moves in this step", help);
    }
    if items.iter().any(|item| task::key_of_robots(item).is_some()) {
        step.tasks = tasks(items, cast, names, reader);
        is_timed(node, &step, reader);
    } else {
        step.moves = moves(items, cast, names, reader);
    }
    (!step.moves.is_empty() || !step.tasks.is_empty()).then_some(step)
}

/// How long robots take follows from their speeds.
fn is_timed(node: &Node, step: &Step, reader: &mut Reader<'_>) {
    if let (Some(entry), false) = (node.entry("seconds"), step.tasks.is_empty()) {
        let message = "how long a robot takes follows from its speed";
        let help = "remove `seconds`, and write a `speed` into the motions, or a `wait`";
        reader.problem_with_help(entry.place(), message, help);
    }
}

/// Robots that work at the same time.
fn tasks(items: &[Node], cast: &Cast<'_>, names: &Names, reader: &mut Reader<'_>) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::with_capacity(items.len());
    for item in items {
        if task::key_of_robots(item).is_none() && item.get("move").is_some() {
            let message = "bodies that move by themselves beside robots in one step";
            let help = "write a step of its own for them";
            reader.problem_with_help(item.place, message, help);
            continue;
        }
        if reader.table(item, &keys::TASK).is_none() {
            continue;
        }
        let Some(task) = task::read(item, cast, names, reader) else { continue };
        if tasks.iter().any(|other| other.robot == task.robot) {
            let place = item.get("robot").map_or(item.place, |robot| robot.place);
            let name = cast.robots[task.robot].as_ref().map_or("", |robot| robot.name.as_str());
            let message = format!("the robot {name:?} has two tasks in this step");
            let help = "tasks of one step happen at the same time; put all of its actions into one list";
            reader.problem_with_help(place, message, help);
            continue;
        }
        tasks.push(task);
    }
    tasks
}

/// Bodies that move at the same time.
fn moves(items: &[Node], cast: &Cast<'_>, names: &mut Names, reader: &mut Reader<'_>) -> Vec<Move> {
    let mut moves = Vec::with_capacity(items.len());
    for item in items {
        if reader.table(item, &keys::MOVE).is_some() {
            moves.extend(a_move(item, cast, names, reader).map(|one| (item, one)));
        }
    }
    let mut seen = BTreeMap::new();
    for (item, one) in &moves {
        for body in &one.bodies {
            let earlier = seen.insert(*body, &one.subject);
            if let (Some(earlier), Some(subject)) = (earlier, item.get("move")) {
                let message = format!("the body {:?} moves twice in this step", cast.bodies[*body].name);
                let help =
                    format!("it moves with {earlier:?} already; moves of one step happen at the same time");
                reader.problem_with_help(subject.place, message, help);
                break;
            }
        }
    }
    moves.into_iter().map(|(_, one)| one).collect()
}

fn seconds(node: &Node, reader: &mut Reader<'_>) -> Option<f64> {
    let expected = "a number of seconds above 0";
    let found = reader.number(node, expected)?;
    if !(found > 0.0 && found <= MAX_SECONDS) {
        reader.problem(node.place, format!("found {}, expected {expected}", node.describe()));
        return None;
    }
    Some(found)
}

/// One move: of a step, or in the list of a parallel one.
fn a_move(node: &Node, cast: &Cast<'_>, names: &mut Names, reader: &mut Reader<'_>) -> Option<Move> {
    let subject = subject(node, cast, names, reader);
    let lead = subject.as_ref().and_then(|(_, moved)| moved.first()).map(|lead| &cast.bodies[*lead]);
    let travel = travel::of_move(node, lead, reader);
    let ((subject, bodies), (travel, place)) = (subject?, travel?);
    Some(Move { subject, bodies, travel, place })
}

/// Who moves.
fn subject(
    node: &Node,
    cast: &Cast<'_>,
    names: &mut Names,
    reader: &mut Reader<'_>,
) -> Option<(String, Vec<usize>)> {
    let bodies = cast.bodies;
    let Some(subject) = node.get("move") else {
        let help = match bodies
            .iter()
            .filter(|body| !body.is_fixed)
            .map(|body| body.name.as_str())
            .take(8)
            .collect::<Vec<_>>()
        {
            names if names.is_empty() => "add move = \"…\"".to_owned(),
            names => {
                format!("add move = \"…\", the name of a group or of a body, such as {}", names.join(", "))
            }
        };
        if !reader.is_misspelt(node, &keys::STEP, &["move"]) {
            reader.problem_with_help(node.place, "this does not say what moves", help);
        }
        return None;
    };
    if subject.list().is_some() {
        let message = format!("found {}, expected the name of a body or group", subject.describe());
        let help = "make a [[group]] of them if they move as one, or write parallel = [ { move = … }, … ]";
        reader.problem_with_help(subject.place, message, help);
        return None;
    }
    let named = names.find(subject, reader)?;
    let moved = names.bodies(named, subject.place, reader)?;
    if let Some((body, robot)) = moved.iter().find_map(|body| Some((*body, cast.robot_of(*body)?))) {
        let (body, robot) = (&bodies[body].name, &robot.name);
        let message = format!("{body:?} is part of the robot {robot:?} and cannot be moved by itself");
        let help = format!("write robot = {robot:?} with ptp, lin or joint instead of `move`");
        reader.problem_with_help(subject.place, message, help);
        return None;
    }
    if let Some(fixed) = moved.iter().map(|body| &bodies[*body]).find(|body| body.is_fixed) {
        let message = format!("{:?} is fixed and cannot be moved", fixed.name);
        let help = "remove fixed = true from the body, or take it out of the step";
        reader.problem_with_help(subject.place, message, help);
        return None;
    }
    Some((subject.text().unwrap_or_default().to_owned(), moved))
}
