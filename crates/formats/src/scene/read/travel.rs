//! How something moves: translate, rotate, screw, to, path.

use super::body::pose;
use super::node::{Entry, Kind, Node};
use super::reader::Reader;
use crate::notation::{
    Angle, MotionGrammar, MotionKind, MotionPiece, MotionText, degrees_of_json, point_of_json,
    shares_of_json, turn_axis_of_json,
};
use crate::scene::keys::{self, Keys};
use freiraum_scene::{Body, Place, PlannerChoice, Travel};

/// What scene files have of the grammar of motions.
const GRAMMAR: MotionGrammar = MotionGrammar::SCENE;

/// The planners and what they are called.
pub(in crate::scene) const PLANNERS: [(&str, PlannerChoice); 3] = [
    ("plane", PlannerChoice::Plane),
    ("detours", PlannerChoice::Detours),
    ("sampling", PlannerChoice::Sampling),
];

/// How a move goes, and where the file says so; `lead` is the first body of what moves.
pub(super) fn of_move(node: &Node, lead: Option<&Body>, reader: &mut Reader<'_>) -> Option<(Travel, Place)> {
    let (text, place) = written(node, lead, reader)?;
    Some((text.travel()?, place))
}

fn written(node: &Node, lead: Option<&Body>, reader: &mut Reader<'_>) -> Option<(MotionText, Place)> {
    let planner = node.entry("planner");
    if let Some(path) = node.entry("path").filter(|entry| entry.value.text().is_some()) {
        return planned(node, path, planner, lead, reader);
    }
    if let Some(planner) = planner {
        let message = "a planner is only asked with path = \"plan\"";
        reader.problem_with_help(planner.place(), message, "add path = \"plan\", or remove the planner");
    }
    let entry = one_of(node, &keys::STEP, &MotionKind::names(GRAMMAR.kinds), reader)?;
    let text = match entry.key.as_str() {
        "path" => path(&entry.value, reader),
        _ => simple(entry, reader),
    };
    Some((text?, entry.place()))
}

/// The one way of several that is written.
fn one_of<'n>(node: &'n Node, keys: &Keys, kinds: &[&str], reader: &mut Reader<'_>) -> Option<&'n Entry> {
    let found: Vec<&Entry> = node.entries()?.iter().filter(|e| kinds.contains(&e.key.as_str())).collect();
    match found.as_slice() {
        [one] => Some(one),
        [] => {
            if !reader.is_misspelt(node, keys, kinds) {
                let message = "this does not say how it moves";
                let help = format!("add one of {}, such as translate = [0, 0, 1]", kinds.join(", "));
                let place = node.entry("move").map_or(node.place, Entry::place);
                reader.problem_with_help(place, message, help);
            }
            None
        }
        [first, second, ..] => {
            let message = format!("{:?} beside {:?}: expected one of them", second.key, first.key);
            let help = "write two steps, or path = [ { … }, { … } ] for one after the other; a screw turns and shifts at once";
            reader.problem_with_help(second.place(), message, help);
            None
        }
    }
}

/// Everything but paths.
fn simple(entry: &Entry, reader: &mut Reader<'_>) -> Option<MotionText> {
    let node = &entry.value;
    match entry.key.as_str() {
        "translate" => {
            let by = reader.read_json(node, |json, dialect| point_of_json(json, "", dialect));
            by.map(MotionText::Translate)
        }
        "to" => pose(node, reader).map(MotionText::To),
        kind => turn(node, kind == "screw", reader),
    }
}

fn turn(node: &Node, is_screw: bool, reader: &mut Reader<'_>) -> Option<MotionText> {
    let keys = if is_screw { &keys::SCREW } else { &keys::ROTATE };
    reader.table(node, keys)?;
    // `degrees`, as motions of questions have it, means the same as `deg`.
    let [name, other] = [0, 1].map(|i| GRAMMAR.angle[i]);
    let angle = match (node.get(name), node.get(other)) {
        (Some(_), Some(twice)) => {
            let message = "found both deg and degrees, which mean the same".to_owned();
            reader.problem_with_help(twice.place, message, "leave one of them out".to_owned());
            return None;
        }
        (one, other) => one.or(other),
    };
    let is_missing = |key: &&str| match *key {
        "degrees" => false,
        "deg" => angle.is_none() && !reader.is_misspelt(node, keys, &["deg", "degrees"]),
        _ => node.get(key).is_none() && !reader.is_misspelt(node, keys, &[*key]),
    };
    let missing: Vec<&str> = keys.known.iter().copied().filter(is_missing).collect();
    if !missing.is_empty() {
        let message = format!("missing in {}: {}", keys.what, missing.join(", "));
        let example = if is_screw { "deg = 360, advance = 1" } else { "deg = 90" };
        let help = format!("write {{ point = [x, y, z], axis = [0, 0, 1], {example} }}");
        reader.problem_with_help(node.place, message, help);
    }
    let angle = angle.and_then(|deg| reader.read_json(deg, |json, _| degrees_of_json(json, "")));
    let axis = match (node.get("point"), node.get("axis")) {
        (Some(_), Some(_)) => reader
            .read_json(node, |json, dialect| turn_axis_of_json(&json["point"], &json["axis"], "", dialect)),
        _ => None,
    };
    let advance = match node.get("advance").filter(|_| is_screw) {
        Some(node) => {
            let units = reader.dialect.units;
            let expected = format!("a length in {units}");
            let advance = reader.number(node, &expected).map(|advance| units.to_metres(advance));
            if advance.is_some_and(|advance| advance.abs() > freiraum_geometry::tolerance::MAX_COORDINATE) {
                let most = units.from_metres(freiraum_geometry::tolerance::MAX_COORDINATE);
                let message = format!("found {}, expected at most {most:.0e} {units}", node.describe());
                reader.problem(node.place, message);
                return None;
            }
            advance
        }
        None => Some(0.0),
    };
    let (axis, angle, advance) = (axis?, Angle::Degrees(angle?), advance?);
    Some(if is_screw { MotionText::Screw(axis, angle, advance) } else { MotionText::Rotate(axis, angle) })
}

fn path(node: &Node, reader: &mut Reader<'_>) -> Option<MotionText> {
    let items = reader.list(node, "\"plan\", or a list of motions { translate = … }, …")?;
    if items.is_empty() {
        let help = "write path = [ { translate = [x, y, z] }, … ], or path = \"plan\"";
        reader.problem_with_help(node.place, "this path is empty", help);
        return None;
    }
    let kinds = MotionKind::names(GRAMMAR.in_paths);
    let mut motions = Vec::with_capacity(items.len());
    for item in items {
        let entry = reader.table(item, &keys::PIECE).and_then(|_| one_of(item, &keys::PIECE, &kinds, reader));
        motions.push(entry.and_then(|entry| simple(entry, reader)));
    }
    let shares =
        reader.read_json(node, |json, _| shares_of_json(json.as_array().map_or(&[], Vec::as_slice), ""))?;
    let pieces =
        motions.into_iter().zip(shares).map(|(motion, share)| Some(MotionPiece { motion: motion?, share }));
    pieces.collect::<Option<_>>().map(MotionText::Path)
}

/// `path = "plan"`.
fn planned(
    node: &Node,
    path: &Entry,
    planner: Option<&Entry>,
    lead: Option<&Body>,
    reader: &mut Reader<'_>,
) -> Option<(MotionText, Place)> {
    if path.value.text() != Some("plan") {
        let message = format!("found {}, expected \"plan\" or a list of motions", path.value.describe());
        let help = "path = \"plan\" lets a planner find the way";
        reader.problem_with_help(path.value.place, message, help);
        return None;
    }
    let others = MotionKind::names(&[MotionKind::Translate, MotionKind::Rotate, MotionKind::Screw]);
    if let Some(other) = node.entries()?.iter().find(|e| others.contains(&e.key.as_str())) {
        let message = format!("{:?} beside path = \"plan\": the planner finds the way", other.key);
        reader.problem_with_help(other.place(), message, "say only where it goes: to = pose");
        return None;
    }
    let planner = match planner {
        Some(entry) => Some(planner_of(&entry.value, reader)?),
        None => None,
    };
    let to = match node.get("to") {
        Some(to) => pose(to, reader)?,
        None => {
            // Without a body there is another problem already.
            let lead = lead?;
            let Some(goal) = lead.goal else {
                let message = "this does not say where the path leads";
                let help = format!("add to = pose here, or goal = pose to the body {:?}", lead.name);
                reader.problem_with_help(path.place(), message, help);
                return None;
            };
            goal
        }
    };
    Some((MotionText::Plan(to, planner), path.place()))
}

fn planner_of(node: &Node, reader: &mut Reader<'_>) -> Option<PlannerChoice> {
    let known = node.text().and_then(|text| PLANNERS.iter().find(|(name, _)| *name == text));
    if known.is_none() {
        let message = format!("{} is no planner", node.quoted());
        let meant = match &node.kind {
            Kind::Text(text) => reader.suggestion(text, PLANNERS.iter().map(|(name, _)| *name)),
            _ => None,
        };
        let help = meant.unwrap_or_else(|| {
            "write \"plane\" (two translations), \"detours\" (three) or \"sampling\" (with rotations); or leave it out"
                .to_owned()
        });
        reader.problem_with_help(node.place, message, help);
    }
    known.map(|(_, planner)| *planner)
}
