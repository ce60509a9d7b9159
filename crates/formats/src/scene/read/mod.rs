//! From the text of a scene file to a [`Scene`]; everything that is wrong is told at once.

mod body;
mod color;
mod group;
mod mesh_file;
mod names;
mod node;
mod pair;
mod places;
mod reader;
pub(super) mod robot;
mod state;
mod step;
mod syntax;
pub(super) mod task;
pub(super) mod travel;
mod world;

use super::keys;
use super::words::nearest;
use freiraum_files::{Digests, Reach};
use freiraum_geometry::Unit;
use freiraum_scene::{Place, PlacedRobot, Problem, Scene, Step};
use node::Node;
pub(super) use places::Places;
use reader::Reader;
use robot::Models;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use task::Cast;

/// What a file says.
pub(super) struct Reading {
    pub(super) scene: Scene,
    pub(super) title: Option<String>,
    /// The files that each robot was read from.
    pub(super) robot_files: Vec<Vec<PathBuf>>,
    /// Tables of lasers.
    pub(super) table_files: Vec<PathBuf>,
    /// Digests of both, of what was read.
    pub(super) digests: Digests,
    /// What was passed over or taken otherwise in files of robots, for people.
    pub(super) notes: Vec<String>,
}

/// The scene of a text; mesh files are looked for in `folder`. Else all problems, in the order of the text.
/// Files that the reach does not contain are not looked at, let alone opened.
pub(super) fn scene(
    text: &str,
    folder: &Path,
    reach: &Reach,
    models: &mut Models,
) -> Result<Reading, Vec<Problem>> {
    let document = toml_edit::Document::parse(text).map_err(|first| syntax::problems(text, &first))?;
    let root = Node::of_document(document.as_table());
    let mut reader = Reader::new(text, folder, reach, models);
    let mut reading = whole(&root, &mut reader);
    reading.robot_files = reader.robot_files;
    reading.table_files = reader.table_files;
    reading.digests = reader.digests;
    let mut problems = reader.problems;
    if problems.is_empty() {
        return Ok(reading);
    }
    problems.sort_by_key(|problem| problem.place);
    Err(problems)
}

/// The steps of a program in JSON for a scene, whose lengths are in `units`; else all problems, which have no places.
pub(super) fn steps_of_json(
    steps: &[Json],
    units: Unit,
    scene: &Scene,
    models: &mut Models,
) -> Result<Vec<Step>, Vec<Problem>> {
    let reach = Reach::everything();
    let mut reader = Reader::new("", Path::new(""), &reach, models);
    reader.dialect.units = units;
    let mut names = names::of_scene(scene);
    let robots: Vec<Option<PlacedRobot>> = scene.robots.iter().cloned().map(Some).collect();
    let cast = Cast { bodies: &scene.bodies, robots: &robots };
    let (mut found, mut told) = (Vec::with_capacity(steps.len()), 0);
    for (i, step) in steps.iter().enumerate() {
        match Node::of_json(step) {
            Some(node) => found.extend(step::read(&node, i, &cast, &mut names, &mut reader)),
            None => reader.problem(Place::default(), "null has no place in a program"),
        }
        for problem in &mut reader.problems[told..] {
            let name =
                step.get("name").and_then(Json::as_str).map_or(String::new(), |name| format!(" {name:?}"));
            problem.message = format!("step {}{name}: {}", i + 1, problem.message);
        }
        told = reader.problems.len();
    }
    if reader.problems.is_empty() { Ok(found) } else { Err(reader.problems) }
}

/// A unit by its name.
pub(super) fn unit_of(name: &str) -> Result<Unit, String> {
    name.parse().map_err(|_| format!("{name:?} is no unit of length"))
}

fn whole(root: &Node, reader: &mut Reader<'_>) -> Reading {
    reader.table(root, &keys::TOP);
    let units = root.get("units").and_then(|node| units(node, reader)).unwrap_or_default();
    reader.dialect.units = units;
    let title = root.get("name").and_then(|node| reader.name(node)).map(str::to_owned);
    if let Some(node) = root.get("description") {
        reader.text(node, "a text in quotes");
    }
    let mut scene = Scene { units, ..Scene::default() };
    if let Some(check) = root.get("check").filter(|node| reader.table(node, &keys::CHECK_TABLE).is_some()) {
        let mut length = |key| check.get(key).and_then(|node| reader.length(node));
        scene.clearance = length("clearance").unwrap_or(0.0);
        scene.allowance = length("allowance").unwrap_or(0.0);
        scene.approach = length("approach");
    }
    let bodies = tables(root, "body", reader);
    let robots = tables(root, "robot", reader);
    let has_any = root.get("body").is_some() || root.get("robot").is_some();
    if !has_any && !reader.is_misspelt(root, &keys::TOP, &["body", "robot"]) {
        let help = "add at least one: [[body]] with name = \"…\" and mesh = \"….stl\" or shape = { … }";
        reader.problem_with_help(Place::default(), "the scene has no bodies", help);
    }
    let groups = tables(root, "group", reader);
    let mut names = names::collect([bodies, groups, robots], reader);
    scene.bodies = bodies.iter().map(|node| body::read(node, reader)).collect();
    let read = scene.bodies.iter().zip(bodies).enumerate();
    scene.sheets =
        read.filter(|(_, (body, node))| body::is_sheet(node, body, reader)).map(|(i, _)| i).collect();
    let mut rules = [Vec::new(), Vec::new()];
    let mut placed = Vec::with_capacity(robots.len());
    for (i, node) in robots.iter().enumerate() {
        let robot = robot::read(node, i, &mut scene.bodies, &mut names, &mut rules, reader);
        scene.sheets.extend(robot.iter().flat_map(|robot| robot::sheets(node, robot, reader)));
        placed.push(robot);
    }
    scene.sheets.sort_unstable();
    scene.sheets.dedup();
    scene.groups = group::read(groups, &mut names, reader);
    for node in tables(root, "pair", reader) {
        scene.pairs.extend(pair::read(node, &mut names, reader));
    }
    scene.world = world::read(root, &scene.bodies, bodies, &names, reader);
    let (states, steps) = (tables(root, "state", reader), tables(root, "step", reader));
    if let (Some(state), Some(step)) = (states.first(), steps.first()) {
        let message = "a scene has states or steps, not both";
        let help = format!(
            "the first step is in line {}; write the start as the poses of the bodies, or the steps as states",
            reader.lines.line(step.place.start)
        );
        reader.problem_with_help(state.place, message, help);
    }
    let cast = Cast { bodies: &scene.bodies, robots: &placed };
    for (i, node) in states.iter().enumerate() {
        scene.states.extend(state::read(node, i, &cast, &names, reader));
    }
    for (i, node) in steps.iter().enumerate() {
        scene.steps.extend(step::read(node, i, &cast, &mut names, reader));
    }
    // What the file says of pairs stands behind what follows from robots, so that it holds where both speak.
    let [following, stated] = rules;
    let mut rules = robot::look_again(following, &scene.pairs);
    rules.extend(stated);
    scene.grasps = task::grasp_rules(&scene.steps, &placed);
    rules.append(&mut scene.pairs);
    scene.pairs = rules;
    scene.robots = placed.into_iter().flatten().collect();
    let mut notes = std::mem::take(&mut reader.notes);
    // Robots of the same model say the same.
    let mut told = std::collections::BTreeSet::new();
    notes.retain(|note| told.insert(note.clone()));
    Reading { scene, title, robot_files: Vec::new(), table_files: Vec::new(), digests: Digests::new(), notes }
}

/// The tables of an array of tables.
fn tables<'n>(root: &'n Node, key: &str, reader: &mut Reader<'_>) -> &'n [Node] {
    let Some(node) = root.get(key) else { return &[] };
    if let Some(list) = node.list() {
        return list;
    }
    let message = format!("found {}, expected tables [[{key}]]", node.describe());
    reader.problem_with_help(node.place, message, format!("write [[{key}]] with two brackets on each side"));
    &[]
}

fn units(node: &Node, reader: &mut Reader<'_>) -> Option<Unit> {
    let text =
        reader.text(node, "a unit in quotes: \"m\", \"dm\", \"cm\", \"mm\", \"um\", \"in\" or \"ft\"")?;
    if let Ok(unit) = text.parse() {
        return Some(unit);
    }
    const NAMES: [&str; 21] = [
        "m",
        "dm",
        "cm",
        "mm",
        "um",
        "in",
        "ft",
        "metre",
        "meter",
        "decimetre",
        "decimeter",
        "centimetre",
        "centimeter",
        "millimetre",
        "millimeter",
        "micrometre",
        "micrometer",
        "inch",
        "inches",
        "foot",
        "feet",
    ];
    let meant = nearest(text, NAMES).and_then(|meant| meant.parse::<Unit>().ok());
    let help = match meant {
        Some(unit) => format!("did you mean \"{unit}\"?"),
        None => "write \"m\", \"cm\", \"mm\", \"um\", \"in\" or \"ft\"".to_owned(),
    };
    reader.problem_with_help(node.place, format!("{text:?} is no unit of length"), help);
    None
}

/// A text as JSON, for tests against the schema.
#[cfg(test)]
pub(super) fn json_of(text: &str) -> serde_json::Value {
    let document = toml_edit::Document::parse(text).expect("valid TOML");
    Node::of_document(document.as_table()).json().unwrap_or_else(|node| panic!("{}", node.describe()))
}

/// The names of colours.
#[cfg(test)]
pub(super) fn color_names() -> impl Iterator<Item = &'static str> {
    color::NAMES.iter().map(|(name, _)| *name)
}
