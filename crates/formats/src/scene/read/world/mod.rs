//! What only a simulation needs: `[world]`, physics of bodies, `[[vehicle]]`, `[[sensor]]`, `[[goal]]`.

mod physics;
mod sensor;
mod vehicle;

use super::names::Names;
use super::node::{Kind, Node};
use super::reader::Reader;
use super::{keys, tables};
use crate::notation::json::shown;
use crate::scene::world_keys;
use freiraum_geometry::Vec3;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_scene::limits::{FASTEST, LONGEST_STEP, MOST_DRAG, SHORTEST_STEP, STRONGEST_GRAVITY};
use freiraum_scene::{Body, Goal, World, WorldSettings};

/// All of it; what is wrong was told.
pub(super) fn read(
    root: &Node,
    bodies: &[Body],
    body_nodes: &[Node],
    names: &Names,
    reader: &mut Reader<'_>,
) -> World {
    let settings = root.get("world").map_or(WorldSettings::default(), |node| settings(node, reader));
    let physics = physics::read(bodies, body_nodes, reader);
    let vehicle_nodes = tables(root, "vehicle", reader);
    let goal_nodes = tables(root, "goal", reader);
    let goal_names: Vec<&str> = goal_nodes.iter().map(name_of).collect();
    let vehicles = vehicle::read(vehicle_nodes, &goal_names, names, reader);
    let sensors = sensor::read(tables(root, "sensor", reader), &vehicles, names, reader);
    let goals = goals(goal_nodes, names, reader);
    World { settings, physics, vehicles, sensors, goals }
}

fn settings(node: &Node, reader: &mut Reader<'_>) -> WorldSettings {
    let mut found = WorldSettings { place: node.place, ..WorldSettings::default() };
    if reader.table(node, &world_keys::WORLD).is_none() {
        return found;
    }
    if let Some(gravity) = node.get("gravity").and_then(|node| gravity(node, reader)) {
        found.gravity = gravity;
    }
    let step = node.get("step").and_then(|node| {
        let expected = "a number of seconds from a nanosecond to 1; 0.001 is usual";
        number(node, expected, |x| (SHORTEST_STEP..=LONGEST_STEP).contains(&x), reader)
    });
    found.step = step.unwrap_or(found.step);
    let drag = node.get("drag").and_then(|node| {
        number(node, "a share per second from 0 to 1e9", |x| (0.0..=MOST_DRAG).contains(&x), reader)
    });
    found.drag = drag.unwrap_or(found.drag);
    if let Some(node) = node.get("seed") {
        match node.kind {
            Kind::Integer(seed) if seed >= 0 => found.seed = seed as u64,
            _ => wrong(node, "a whole number that is 0 or more", reader),
        }
    }
    found
}

/// Along any direction, or a number downwards.
fn gravity(node: &Node, reader: &mut Reader<'_>) -> Option<Vec3> {
    let units = reader.dialect.units;
    if let Some(down) = node.number() {
        if down >= 0.0 {
            let down = reader.coordinate(node)?;
            return not_above(node, Vec3::new(0.0, 0.0, -down), STRONGEST_GRAVITY, "/s²", reader);
        }
        let message = format!("found {}, expected how strong gravity pulls downwards", node.describe());
        let help = format!("write gravity = {} or gravity = [0, 0, {down}]", -down);
        reader.problem_with_help(node.place, message, help);
        return None;
    }
    let found =
        lengths(node, &format!("three numbers [x, y, z] in {units}/s², or one for downwards"), reader)?;
    not_above(node, found, STRONGEST_GRAVITY, "/s²", reader)
}

/// A velocity, in m/s.
fn velocity(node: &Node, reader: &mut Reader<'_>) -> Option<Vec3> {
    let found = lengths(node, &format!("three numbers in {}/s", reader.dialect.units), reader)?;
    not_above(node, found, FASTEST, "/s", reader)
}

/// A vector in metres per `per` that is no longer than that.
fn not_above(node: &Node, found: Vec3, most: f64, per: &str, reader: &mut Reader<'_>) -> Option<Vec3> {
    if found.length() <= most {
        return Some(found);
    }
    let units = reader.dialect.units;
    wrong(node, &format!("at most {} {units}{per}", shown(units.from_metres(most))), reader);
    None
}

fn goals(nodes: &[Node], names: &Names, reader: &mut Reader<'_>) -> Vec<Goal> {
    let mut goals: Vec<Goal> = Vec::with_capacity(nodes.len());
    for (number, node) in nodes.iter().enumerate() {
        reader.table(node, &world_keys::GOAL);
        let name = match node.get("name") {
            Some(name) => reader.name(name).unwrap_or_default().to_owned(),
            None => format!("goal {}", number + 1),
        };
        if goals.iter().any(|goal| goal.name == name) {
            let place = node.get("name").map_or(node.place, |name| name.place);
            reader.problem_with_help(
                place,
                format!("the goal {name:?} is there twice"),
                "give it another name",
            );
        }
        let mut body = |key: &str, help: &str| match node.get(key) {
            Some(node) => {
                let name = reader.text(node, "the name of a body")?;
                names.body(name, node.place, reader)
            }
            None => {
                if !reader.is_misspelt(node, &world_keys::GOAL, &[key]) {
                    reader.problem_with_help(node.place, format!("this goal has no {key}"), help);
                }
                None
            }
        };
        let area = body("body", "add body = \"…\", the body whose shape is the goal");
        let ball = body("ball", "add ball = \"…\", the body that has to get there");
        if let (Some(area), true) = (node.get("body"), area.is_some() && area == ball) {
            reader.problem_with_help(
                area.place,
                "a body cannot get into itself",
                "name two different bodies",
            );
        }
        let resets = node.get("resets").and_then(|flag| reader.flag(flag)).unwrap_or(false);
        // Its number stays also if it is wrong, for soccer players.
        let (body, ball) = (area.unwrap_or(0), ball.unwrap_or(0));
        goals.push(Goal { name, body, ball, resets, place: node.place });
    }
    goals
}

/// The name that a table has, or nothing.
fn name_of(node: &Node) -> &str {
    node.get("name").and_then(Node::text).unwrap_or_default()
}

fn wrong(node: &Node, expected: &str, reader: &mut Reader<'_>) {
    reader.problem(node.place, format!("found {}, expected {expected}", node.describe()));
}

fn not_below_0(x: f64) -> bool {
    x >= 0.0
}

/// A finite number within bounds.
fn number(node: &Node, expected: &str, is_ok: fn(f64) -> bool, reader: &mut Reader<'_>) -> Option<f64> {
    let found = reader.number(node, expected)?;
    if !is_ok(found) {
        wrong(node, expected, reader);
        return None;
    }
    Some(found)
}

/// A length above 0, in metres.
fn distance(node: &Node, reader: &mut Reader<'_>) -> Option<f64> {
    let found = reader.length(node)?;
    if found == 0.0 {
        wrong(node, &format!("a length in {} above 0", reader.dialect.units), reader);
        return None;
    }
    Some(found)
}

/// So many numbers.
fn numbers<const N: usize>(node: &Node, expected: &str, reader: &mut Reader<'_>) -> Option<[f64; N]> {
    let found: Option<Vec<f64>> = node
        .list()
        .and_then(|list| list.iter().map(|item| item.number().filter(|x| x.is_finite())).collect());
    let found = found.and_then(|list| <[f64; N]>::try_from(list).ok());
    if found.is_none() {
        wrong(node, expected, reader);
    }
    found
}

/// Three lengths (or lengths per second, …), in metres.
fn lengths(node: &Node, expected: &str, reader: &mut Reader<'_>) -> Option<Vec3> {
    let units = reader.dialect.units;
    let found = numbers::<3>(node, expected, reader)?.map(|x| units.to_metres(x));
    if found.iter().any(|x| x.abs() > MAX_COORDINATE) {
        wrong(node, &format!("at most {:.0e} {units}", units.from_metres(MAX_COORDINATE)), reader);
        return None;
    }
    Some(Vec3::from_array(found))
}

/// One of some words.
fn word<T: Copy>(node: &Node, what: &str, words: &[(&str, T)], reader: &mut Reader<'_>) -> Option<T> {
    let all = || words.iter().map(|(word, _)| format!("{word:?}")).collect::<Vec<_>>().join(", ");
    let text = reader.text(node, &format!("{what}: {}", all()))?;
    let plain = |text: &str| text.to_lowercase().replace(['_', '-'], " ");
    if let Some((_, found)) = words.iter().find(|(word, _)| *word == plain(text)) {
        return Some(*found);
    }
    let help = reader.suggestion(text, words.iter().map(|(word, _)| *word));
    let help = help.unwrap_or_else(|| format!("there are {}", all()));
    reader.problem_with_help(node.place, format!("{text:?} is no {what}"), help);
    None
}

/// The name of a table that must have one.
fn named<'n>(node: &'n Node, what: &str, keys: &keys::Keys, reader: &mut Reader<'_>) -> &'n str {
    match node.get("name") {
        Some(name) => reader.name(name).unwrap_or_default(),
        None => {
            if !reader.is_misspelt(node, keys, &["name"]) {
                let help = "add name = \"…\"; events and messages use it";
                reader.problem_with_help(node.place, format!("this {what} has no name"), help);
            }
            ""
        }
    }
}
