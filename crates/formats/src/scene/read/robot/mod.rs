//! `[[robot]]`: a robot and where it stands. Its links become bodies of the scene.

mod bodies;
pub(super) mod joints;
mod model;
mod table;

pub(super) use bodies::look_again;
pub(in crate::scene) use model::Models;

use super::names::Names;
use super::node::{Entry, Node};
use super::reader::Reader;
use super::{body, color};
use crate::notation::degrees_of_json;
use crate::robot::srdf::{self, Srdf};
use crate::scene::robot_keys;
use freiraum_files::witnessed;
use freiraum_geometry::Pose;
use freiraum_robot::Robot;
use freiraum_scene::{Body, NamedJoints, PairRule, Place, PlacedRobot, can_be_sheet};
use std::sync::Arc;

/// The bodies of the links that are declared sheets: `solid = { link = false }`.
pub(super) fn sheets(node: &Node, robot: &PlacedRobot, reader: &mut Reader<'_>) -> Vec<usize> {
    let Some(solid) = node.get("solid") else { return Vec::new() };
    let Some(entries) = solid.entries() else {
        let help = "write solid = { link = false } for links of which only the surface counts";
        reader.problem_with_help(solid.place, "`solid` of a robot is a table of links", help);
        return Vec::new();
    };
    let mut sheets = Vec::new();
    for entry in entries {
        let link = robot.model.links().iter().position(|link| link.name == entry.key);
        if link.is_none() {
            let help = "`freiraum robot info` lists the links";
            reader.problem_with_help(entry.place(), format!("this robot has no link {:?}", entry.key), help);
        }
        if reader.flag(&entry.value) == Some(false) {
            let shapes = link.map_or(&[][..], |link| &robot.model.links()[link].collision);
            if link.is_some() && !shapes.iter().any(|shape| can_be_sheet(&shape.shape)) {
                let message = format!(
                    "the link {:?} has no mesh and is always a solid: it cannot be a sheet",
                    entry.key
                );
                reader.problem_with_help(entry.place(), message, "remove it from `solid`");
                continue;
            }
            sheets.extend(link.and_then(|link| robot.links[link]));
        }
    }
    sheets
}

/// The robot with number `index`, whose links are added to the bodies; `None` if it is wrong, which was told.
///
/// `rules` gets the pairs that are not looked at: those that follow from the robot and its SRDF file, and in the second list those that the scene file states.
pub(super) fn read(
    node: &Node,
    index: usize,
    all: &mut Vec<Body>,
    names: &mut Names,
    rules: &mut [Vec<PairRule>; 2],
    reader: &mut Reader<'_>,
) -> Option<PlacedRobot> {
    reader.table(node, &robot_keys::ROBOT);
    reader.robot_files.push(Vec::new());
    let name = match node.get("name") {
        Some(name) => reader.name(name),
        None => {
            if !reader.is_misspelt(node, &robot_keys::ROBOT, &["name"]) {
                let help = "add name = \"…\"; steps and messages use it";
                reader.problem_with_help(node.place, "this robot has no name", help);
            }
            None
        }
    };
    let base = node.get("pose").map_or(Some(Pose::IDENTITY), |pose| body::pose(pose, reader));
    let color = node.get("color").and_then(|node| color::read(node, reader));
    let found = model::read(node, name.unwrap_or("robot"), reader);
    // Without a model the bodies of the tool can still be looked for.
    let tool = node.get("tool").and_then(|node| tool(node, names, reader));
    let accelerations = accelerations(node, reader);
    let (source, mut model) = found?;
    let [turning, sliding] = accelerations?;
    if turning.is_some() || sliding.is_some() {
        model = Arc::new(Robot::clone(&model).with_accelerations(turning, sliding));
    }
    let place = node.entry("model").or_else(|| node.entry("dh")).map_or(node.place, Entry::place);
    let srdf = read_srdf(node, &model, reader);
    let states = srdf.as_ref().map_or(Vec::new(), |srdf| states(&model, srdf));
    let start = start(node, &model, &states, name.unwrap_or_default(), reader);
    let flange = match node.get("flange") {
        Some(flange) => bodies::link(flange, &model, reader),
        None => Some(bodies::end(&model)),
    };
    let ignored = ignored(node, &model, reader);
    let (flange_from_tool, tools) = tool.unwrap_or((Pose::IDENTITY, Vec::new()));
    let mut robot = PlacedRobot {
        name: name?.to_owned(),
        model,
        source,
        base: base?,
        start: start?,
        links: Vec::new(),
        flange: flange?,
        flange_from_tool,
        tools: Vec::new(),
        states,
        place,
    };
    robot.tools = place_tools(&tools, &robot, all, reader);
    let first = all.len();
    if let Err(message) = bodies::add(&mut robot, index, color, all) {
        reader.problem(place, message);
        return None;
    }
    let links = all[first..].iter().enumerate().map(|(k, body)| (body.name.as_str(), first + k));
    names.add_robot(index, links, robot.bodies().collect(), place, reader);
    let ignore = |links: [usize; 2], reason: String, place: Place| {
        let [Some(a), Some(b)] = links.map(|link| robot.links[link]) else { return None };
        let bodies = [vec![a], vec![b]];
        Some(PairRule {
            bodies,
            clearance: None,
            allowance: None,
            approach: None,
            ignore: Some(reason),
            place,
        })
    };
    let [following, stated] = rules;
    following.extend(bodies::rules(&robot));
    for pair in srdf.iter().flat_map(|srdf| &srdf.disabled) {
        let place = node.entry("srdf").map_or(place, Entry::place);
        following.extend(ignore(pair.links, format!("SRDF: {}", pair.reason), place));
    }
    stated.extend(ignored.into_iter().filter_map(|(links, reason, place)| ignore(links, reason, place)));
    Some(robot)
}

/// The largest accelerations of joints that turn and of those that slide, as far as they are stated.
fn accelerations(node: &Node, reader: &mut Reader<'_>) -> Option<[Option<f64>; 2]> {
    // What is slower never gets anywhere.
    let least = f64::EPSILON;
    let mut found = [None; 2];
    for (k, key) in ["acceleration_deg_s2", "acceleration"].into_iter().enumerate() {
        let Some(node) = node.get(key) else { continue };
        let value = match k {
            0 => reader.read_json(node, |json, _| degrees_of_json(json, "")).map(f64::to_radians),
            _ => reader.coordinate(node),
        }?;
        if value < least {
            reader
                .problem(node.place, format!("found {}, expected an acceleration above 0", node.describe()));
            return None;
        }
        found[k] = Some(value);
    }
    Some(found)
}

/// The SRDF file of a robot; all its problems are told where it is named.
fn read_srdf(node: &Node, model: &Robot, reader: &mut Reader<'_>) -> Option<Srdf> {
    let node = node.get("srdf")?;
    let written = reader.text(node, "the name of an SRDF file in quotes")?;
    let path = model::found(node, written, "srdf", reader)?;
    model::note(reader, [path.clone()]);
    let (found, digests) = witnessed(|| srdf::read(path, model));
    reader.digests.extend(digests);
    match found {
        Ok(found) => Some(found),
        Err(errors) => {
            model::tell(node, written, &errors, reader);
            None
        }
    }
}

/// Named joint values; those of several groups with one name are one.
fn states(model: &Robot, srdf: &Srdf) -> Vec<NamedJoints> {
    let mut found: Vec<NamedJoints> = Vec::new();
    for state in &srdf.states {
        let at = found.iter().position(|other| other.name == state.name).unwrap_or_else(|| {
            let values = vec![None; model.freedoms().len()];
            found.push(NamedJoints { name: state.name.clone(), values });
            found.len() - 1
        });
        for (freedom, value) in &state.values {
            found[at].values[*freedom] = Some(*value);
        }
    }
    found
}

/// The joint values at the start: those that are not said are 0, or as near to it as the limits allow.
fn start(
    node: &Node,
    model: &Arc<Robot>,
    states: &[NamedJoints],
    name: &str,
    reader: &mut Reader<'_>,
) -> Option<Vec<f64>> {
    if let (Some(_), Some(second)) = (node.entry("start_deg"), node.entry("start")) {
        let message = "\"start\" beside \"start_deg\": expected one of them";
        reader.problem(second.place(), message);
        return None;
    }
    let known = joints::Known { model, states, name };
    let said = match (node.get("start_deg"), node.get("start")) {
        (Some(values), _) => joints::values(values, &known, reader)?,
        (None, Some(state)) => joints::state(state, &known, reader)?,
        (None, None) => vec![None; model.freedoms().len()],
    };
    let value = |(freedom, said): (usize, Option<f64>)| {
        let range = model.range(freedom);
        said.unwrap_or_else(|| 0.0f64.max(range.lower).min(range.upper))
    };
    Some(said.into_iter().enumerate().map(value).collect())
}

/// Where the tool centre point is, and the bodies of the tool with where they are named.
fn tool(node: &Node, names: &Names, reader: &mut Reader<'_>) -> Option<(Pose, Vec<(usize, Place)>)> {
    reader.table(node, &robot_keys::TOOL_TABLE)?;
    let pose = node.get("pose").map_or(Some(Pose::IDENTITY), |pose| body::pose(pose, reader));
    let mut found: Vec<(usize, Place)> = Vec::new();
    if let Some(list) = node.get("bodies") {
        for item in reader.list(list, "a list of names of bodies")? {
            let Some(name) = reader.text(item, "the name of a body") else { continue };
            let Some(body) = names.body(name, item.place, reader) else { continue };
            if found.iter().any(|(other, _)| *other == body) {
                reader.problem(item.place, format!("{} is listed twice", item.quoted()));
            } else {
                found.push((body, item.place));
            }
        }
    }
    Some((pose?, found))
}

/// Puts the bodies of a tool on the flange; their poses in the file are relative to it.
fn place_tools(
    tools: &[(usize, Place)],
    robot: &PlacedRobot,
    all: &mut [Body],
    reader: &mut Reader<'_>,
) -> Vec<(usize, Pose)> {
    let world_from_flange = robot.flange_at_start();
    let mut found = Vec::with_capacity(tools.len());
    for (number, place) in tools {
        let body = &mut all[*number];
        let flange_from_body = body.pose;
        if body.goal.is_some() {
            let message = format!("{:?} is fixed to a robot and cannot have a goal", body.name);
            reader.problem_with_help(*place, message, "remove the goal of the body");
        }
        if reader.tools.contains(number) {
            let message = format!("{:?} is the tool of another robot already", body.name);
            reader.problem_with_help(*place, message, "every robot needs bodies of its own for its tool");
            continue;
        }
        reader.tools.push(*number);
        body.pose = world_from_flange * flange_from_body;
        body.is_fixed = true;
        found.push((*number, flange_from_body));
    }
    found
}

/// Pairs of links that the file says need not be looked at.
fn ignored(node: &Node, model: &Robot, reader: &mut Reader<'_>) -> Vec<([usize; 2], String, Place)> {
    let Some(list) = node.get("ignore") else { return Vec::new() };
    let expected = "a list of pairs of links, such as [[\"link3\", \"link5\"]]";
    let mut found = Vec::new();
    for item in reader.list(list, expected).unwrap_or_default() {
        match item.list() {
            Some([a, b]) => {
                let links = [a, b].map(|name| bodies::link(name, model, reader));
                if let [Some(a), Some(b)] = links {
                    found.push(([a, b], "the robot says so".to_owned(), item.place));
                }
            }
            Some([a, b, reason]) => {
                let links = [a, b].map(|name| bodies::link(name, model, reader));
                let reason = reader.text(reason, "the reason why the pair is not looked at");
                if let ([Some(a), Some(b)], Some(reason)) = (links, reason) {
                    found.push(([a, b], reason.to_owned(), item.place));
                }
            }
            _ => {
                let message = format!("found {}, expected two names of links", item.describe());
                reader.problem_with_help(
                    item.place,
                    message,
                    "write [\"…\", \"…\"], or a reason as a third text",
                );
            }
        }
    }
    found
}
