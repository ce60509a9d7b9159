//! Joint values: all in a list, some by name, or a named state.

use super::super::node::{Kind, Node};
use super::super::reader::Reader;
use crate::notation::degrees_of_json;
use freiraum_geometry::Unit;
use freiraum_robot::{Limits, Robot};
use freiraum_scene::{NamedJoints, PlacedRobot};

/// How many names are listed in a message.
const LISTED: usize = 12;

/// What is known of a robot whose joints are spoken of.
pub(in super::super) struct Known<'r> {
    pub(in super::super) model: &'r Robot,
    pub(in super::super) states: &'r [NamedJoints],
    pub(in super::super) name: &'r str,
}

impl<'r> Known<'r> {
    pub(in super::super) fn of(robot: &'r PlacedRobot) -> Known<'r> {
        Known { model: &robot.model, states: &robot.states, name: &robot.name }
    }

    fn joint(&self, freedom: usize) -> &'r freiraum_robot::Joint {
        &self.model.joints()[self.model.freedoms()[freedom]]
    }

    fn names(&self) -> String {
        let count = self.model.freedoms().len();
        let names: Vec<&str> =
            (0..count.min(LISTED)).map(|freedom| self.joint(freedom).name.as_str()).collect();
        format!("{}{}", names.join(", "), if count > LISTED { ", …" } else { "" })
    }
}

/// Joint values within their limits: a list of all, or a table of some by name; `None` in it for those that are not named.
pub(in super::super) fn values(
    node: &Node,
    known: &Known<'_>,
    reader: &mut Reader<'_>,
) -> Option<Vec<Option<f64>>> {
    let count = known.model.freedoms().len();
    match &node.kind {
        Kind::List(list) => {
            if list.len() != count {
                let (found, has) = (counted(list.len(), "joint value"), counted(count, "joint"));
                let message = format!("found {found}, but {:?} has {has}", known.name);
                let help = format!("in this order: {}", known.names());
                reader.problem_with_help(node.place, message, help);
                return None;
            }
            let values: Vec<Option<f64>> =
                list.iter().enumerate().map(|(freedom, node)| value(node, freedom, known, reader)).collect();
            // One that is wrong is told, and must not become one that stays.
            values.iter().all(Option::is_some).then_some(values)
        }
        Kind::Table(entries) => {
            let (mut values, mut is_ok) = (vec![None; count], true);
            for entry in entries {
                let found = self::freedom(&entry.key, entry.key_place, known, reader)
                    .and_then(|freedom| Some((freedom, value(&entry.value, freedom, known, reader)?)));
                match found {
                    Some((freedom, value)) => values[freedom] = Some(value),
                    None => is_ok = false,
                }
            }
            is_ok.then_some(values)
        }
        _ => {
            let message = format!("found {}, expected {}", node.describe(), counted(count, "joint value"));
            reader.problem_with_help(node.place, message, format!("a list in this order: {}", known.names()));
            None
        }
    }
}

/// The joint values with a name.
pub(in super::super) fn state(
    node: &Node,
    known: &Known<'_>,
    reader: &mut Reader<'_>,
) -> Option<Vec<Option<f64>>> {
    let name = reader.text(node, "the name of a state in quotes")?;
    let Some(state) = known.states.iter().find(|state| state.name == name) else {
        let help = match known.states {
            [] => format!("{:?} has no states; name them in an SRDF file: srdf = \"….srdf\"", known.name),
            states => {
                reader.suggestion(name, states.iter().map(|state| state.name.as_str())).unwrap_or_else(|| {
                    let names: Vec<&str> =
                        states.iter().take(LISTED).map(|state| state.name.as_str()).collect();
                    format!("there are {}", names.join(", "))
                })
            }
        };
        reader.problem_with_help(node.place, format!("{:?} has no state {name:?}", known.name), help);
        return None;
    };
    for (freedom, value) in state.values.iter().enumerate() {
        let range = known.model.range(freedom);
        if let Some(value) = value.filter(|value| !range.contain(*value)) {
            let unit = reader.dialect.units;
            let joint = known.joint(freedom);
            let message = format!(
                "the state {name:?} has {} for joint {:?}, which reaches {}",
                shown(value, joint.kind.turns(), unit),
                joint.name,
                reach(range, joint.kind.turns(), unit),
            );
            reader.problem_with_help(node.place, message, "change the state in the SRDF file");
            return None;
        }
    }
    Some(state.values.clone())
}

/// The freedom of a joint with this name.
pub(in super::super) fn freedom(
    name: &str,
    place: freiraum_scene::Place,
    known: &Known<'_>,
    reader: &mut Reader<'_>,
) -> Option<usize> {
    let model = known.model;
    if let Some(joint) = model.joint(name) {
        let own = model.freedoms().iter().position(|own| *own == joint);
        if own.is_none() {
            let how = match model.joints()[joint].mimic {
                Some(mimic) => format!("it follows {:?}", model.joints()[mimic.joint].name),
                None => "it is fixed".to_owned(),
            };
            let message = format!("joint {name:?} of {:?} cannot be moved: {how}", known.name);
            reader.problem_with_help(place, message, format!("the joints are {}", known.names()));
        }
        return own;
    }
    let names = (0..model.freedoms().len()).map(|freedom| known.joint(freedom).name.as_str());
    let help = reader.suggestion(name, names).unwrap_or_else(|| format!("the joints are {}", known.names()));
    reader.problem_with_help(place, format!("{:?} has no joint {name:?}", known.name), help);
    None
}

/// A value of a joint within its limits: degrees, or a length.
fn value(node: &Node, freedom: usize, known: &Known<'_>, reader: &mut Reader<'_>) -> Option<f64> {
    let joint = known.joint(freedom);
    let turns = joint.kind.turns();
    let value = amount(node, turns, reader)?;
    let range = known.model.range(freedom);
    if !range.contain(value) {
        let unit = reader.dialect.units;
        let message =
            format!("joint {:?} of {:?} cannot be at {}", joint.name, known.name, shown(value, turns, unit));
        reader.problem_with_help(node.place, message, format!("it reaches {}", reach(range, turns, unit)));
        return None;
    }
    Some(value)
}

/// The value of one joint alone, checked against its limits.
pub(in super::super) fn checked(
    node: &Node,
    freedom: usize,
    known: &Known<'_>,
    reader: &mut Reader<'_>,
) -> Option<f64> {
    value(node, freedom, known, reader)
}

/// An angle in degrees or a length in the unit of the file, of any sign.
pub(in super::super) fn amount(node: &Node, turns: bool, reader: &mut Reader<'_>) -> Option<f64> {
    if turns {
        return reader.read_json(node, |json, _| degrees_of_json(json, "")).map(f64::to_radians);
    }
    reader.coordinate(node)
}

/// A joint value for people.
fn shown(value: f64, turns: bool, unit: Unit) -> String {
    if turns {
        format!("{}°", short(value.to_degrees()))
    } else {
        format!("{} {unit}", short(unit.from_metres(value)))
    }
}

/// The reach of a joint, rounded inwards, so that what is shown is allowed.
fn reach(range: Limits, turns: bool, unit: Unit) -> String {
    let convert = |x: f64| if turns { x.to_degrees() } else { unit.from_metres(x) };
    let scale = 10f64.powi(DECIMALS);
    let lower = (convert(range.lower) * scale - SLACK).ceil() / scale;
    let upper = (convert(range.upper) * scale + SLACK).floor() / scale;
    let unit = if turns { "°".to_owned() } else { format!(" {unit}") };
    format!("from {}{unit} to {}{unit}", short(lower), short(upper))
}

/// Digits after the point in messages.
const DECIMALS: i32 = 4;

/// What rounding a limit that was written in degrees may have added, in units of the last digit shown.
const SLACK: f64 = 1.0 / 1024.0;

fn short(x: f64) -> String {
    let text = format!("{x:.*}", DECIMALS as usize);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
