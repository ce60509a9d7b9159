//! `[[step]]`: one motion, or several at the same time.

use super::names::Names;
use super::node::Node;
use super::reader::Reader;
use super::travel;
use crate::scene::keys;
use freiraum_scene::{Body, Move, Step};
use std::collections::BTreeMap;

/// How long a step takes that does not say so.
const SECONDS: f64 = 1.0;

/// Longer steps are a slip: ten years.
const MAX_SECONDS: f64 = 3.2e8;

/// A step, the one with number `index` from 0; `None` if it is wrong, which was told.
pub(super) fn read(
    node: &Node,
    index: usize,
    bodies: &[Body],
    names: &mut Names,
    reader: &mut Reader<'_>,
) -> Option<Step> {
    reader.table(node, &keys::STEP)?;
    let name = match node.get("name") {
        Some(name) => reader.name(name).unwrap_or_default().to_owned(),
        None => format!("step {}", index + 1),
    };
    let seconds = node.get("seconds").and_then(|node| seconds(node, reader)).unwrap_or(SECONDS);
    if has_robot(node, reader) {
        return None;
    }
    let single: Vec<&str> = keys::MOVE.known.iter().copied().filter(|key| node.get(key).is_some()).collect();
    let Some(parallel) = node.get("parallel") else {
        if single.is_empty() {
            if reader.is_misspelt(node, &keys::STEP, &keys::MOVE.known[..7]) {
                return None;
            }
            let help = "add move = \"…\" with translate = [x, y, z], rotate, screw, to or path";
            reader.problem_with_help(node.place, "nothing moves in this step", help);
            return None;
        }
        let one = a_move(node, bodies, names, reader)?;
        return Some(Step { name, moves: vec![one], tasks: Vec::new(), seconds, place: node.place });
    };
    if let Some(entry) = single.first().and_then(|key| node.entry(key)) {
        let message = format!("{:?} beside `parallel`", entry.key);
        let help = "put every motion into the list: parallel = [ { move = …, translate = … }, … ]";
        reader.problem_with_help(entry.place(), message, help);
    }
    let items = reader.list(parallel, "a list of moves { move = …, … }")?;
    if items.is_empty() {
        let help = "add { move = \"…\", translate = [x, y, z] } or the like";
        reader.problem_with_help(parallel.place, "nothing moves in this step", help);
    }
    let mut moves = Vec::with_capacity(items.len());
    for item in items {
        if reader.table(item, &keys::MOVE).is_some() && !has_robot(item, reader) {
            moves.extend(a_move(item, bodies, names, reader).map(|one| (item, one)));
        }
    }
    let mut seen = BTreeMap::new();
    for (item, one) in &moves {
        for body in &one.bodies {
            let earlier = seen.insert(*body, &one.subject);
            if let (Some(earlier), Some(subject)) = (earlier, item.get("move")) {
                let message = format!("the body {:?} moves twice in this step", bodies[*body].name);
                let help =
                    format!("it moves with {earlier:?} already; moves of one step happen at the same time");
                reader.problem_with_help(subject.place, message, help);
                break;
            }
        }
    }
    let moves: Vec<Move> = moves.into_iter().map(|(_, one)| one).collect();
    (!moves.is_empty()).then_some(Step { name, moves, tasks: Vec::new(), seconds, place: node.place })
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

/// Tells of everything that needs a robot.
fn has_robot(node: &Node, reader: &mut Reader<'_>) -> bool {
    let Some(entry) = node
        .entries()
        .and_then(|entries| entries.iter().find(|entry| keys::ROBOT.contains(&entry.key.as_str())))
    else {
        return false;
    };
    let help = "write the motion of the body itself, with move = \"…\"";
    reader.problem_with_help(entry.place(), "robots are not supported yet", help);
    true
}

/// One move: of a step, or in the list of a parallel one.
fn a_move(node: &Node, bodies: &[Body], names: &mut Names, reader: &mut Reader<'_>) -> Option<Move> {
    let subject = subject(node, bodies, names, reader);
    let lead = subject.as_ref().and_then(|(_, moved)| moved.first()).map(|lead| &bodies[*lead]);
    let travel = travel::of_move(node, lead, reader);
    let ((subject, bodies), (travel, place)) = (subject?, travel?);
    Some(Move { subject, bodies, travel, place })
}

/// Who moves.
fn subject(
    node: &Node,
    bodies: &[Body],
    names: &mut Names,
    reader: &mut Reader<'_>,
) -> Option<(String, Vec<usize>)> {
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
    if let Some(fixed) = moved.iter().map(|body| &bodies[*body]).find(|body| body.is_fixed) {
        let message = format!("{:?} is fixed and cannot be moved", fixed.name);
        let help = "remove fixed = true from the body, or take it out of the step";
        reader.problem_with_help(subject.place, message, help);
        return None;
    }
    Some((subject.text().unwrap_or_default().to_owned(), moved))
}
