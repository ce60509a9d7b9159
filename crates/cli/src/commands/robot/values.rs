//! Joint values as people write and read them: degrees for joints that turn, metres for those that slide.

use super::model::{Files, finite};
use crate::commands::Failure;
use crate::commands::output::{number, number_at_scale};
use freiraum::robot::{Limits, Robot};
use serde_json::{Map, Value, json};

/// Joint values on the command line.
#[derive(clap::Args)]
pub(super) struct Values {
    /// Joint values in order, degrees or metres: "0,-45,0"; or by name: "elbow=-45,lift=0.1" [default: 0 or the limit nearest to it]
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    joints: Option<String>,
    /// Named joint values of the SRDF file; --joints by name changes some of them
    #[arg(long, value_name = "NAME", requires = "srdf")]
    state: Option<String>,
}

/// The joint of a freedom.
fn joint(robot: &Robot, freedom: usize) -> &freiraum::robot::Joint {
    &robot.joints()[robot.freedoms()[freedom]]
}

/// What people write of a value.
pub(super) fn shown_value(turns: bool, value: f64) -> f64 {
    if turns { value.to_degrees() } else { value }
}

impl Values {
    /// One value per freedom; a list may also have one per freedom that moves `link`.
    pub(super) fn read(&self, files: &Files, link: Option<usize>) -> Result<Vec<f64>, Failure> {
        let robot = &files.robot;
        let at_rest = |freedom: usize| {
            let Limits { lower, upper } = robot.range(freedom);
            0.0_f64.max(lower).min(upper)
        };
        let mut values: Vec<f64> = (0..robot.freedoms().len()).map(at_rest).collect();
        if let Some(name) = &self.state {
            // A name may stand for several groups; together they are the state.
            let mut known = files.srdf.states.iter().filter(|state| state.name == *name).peekable();
            if known.peek().is_none() {
                let mut names: Vec<&str> = files.srdf.states.iter().map(|s| s.name.as_str()).collect();
                names.dedup();
                let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                return Err(Failure::new(
                    "state",
                    format!("the SRDF file has no state named '{name}'; it has {has}"),
                ));
            }
            for state in known {
                state.values.iter().for_each(|(freedom, value)| values[*freedom] = *value);
            }
        }
        if let Some(text) = &self.joints {
            if text.contains('=') {
                by_name(robot, text, &mut values)?
            } else {
                in_order(robot, text, link, &mut values)?
            }
        }
        Ok(values)
    }
}

fn one(robot: &Robot, freedom: usize, text: &str) -> Result<f64, Failure> {
    let joint = joint(robot, freedom);
    let expected = if joint.kind.turns() { "degrees" } else { "metres" };
    let value = text.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let value = value.ok_or_else(|| {
        Failure::new(
            "joints",
            format!(
                "--joints: '{}' for joint '{}' is no number; expected {expected}",
                text.trim(),
                joint.name
            ),
        )
    })?;
    Ok(if joint.kind.turns() { value.to_radians() } else { value })
}

fn in_order(robot: &Robot, text: &str, link: Option<usize>, values: &mut [f64]) -> Result<(), Failure> {
    let given: Vec<&str> = text.split(',').collect();
    let all: Vec<usize> = (0..values.len()).collect();
    let moving = link.map_or(all.clone(), |link| robot.freedoms_between(0, link));
    let meant = [all, moving].into_iter().find(|freedoms| freedoms.len() == given.len());
    let meant = meant.ok_or_else(|| {
        let names: Vec<&str> = (0..values.len()).map(|freedom| joint(robot, freedom).name.as_str()).collect();
        let message = format!(
            "--joints has {} values; expected {}, for {} (or some of them by name: {}=0)",
            given.len(),
            names.len(),
            names.join(", "),
            names.first().unwrap_or(&"joint"),
        );
        Failure::new("joints", message)
    })?;
    for (freedom, text) in meant.into_iter().zip(given) {
        values[freedom] = one(robot, freedom, text)?;
    }
    Ok(())
}

fn by_name(robot: &Robot, text: &str, values: &mut [f64]) -> Result<(), Failure> {
    for part in text.split(',') {
        let Some((name, value)) = part.split_once('=') else {
            return Err(Failure::new(
                "joints",
                format!("--joints: '{part}' has no name; write all values by name or none"),
            ));
        };
        let name = name.trim();
        let freedom = (0..values.len()).find(|freedom| joint(robot, *freedom).name == name);
        let freedom = freedom.ok_or_else(|| {
            let names: Vec<&str> = (0..values.len()).map(|f| joint(robot, f).name.as_str()).collect();
            let why = match robot.joint(name) {
                Some(_) => format!("joint '{name}' is fixed or follows another one"),
                None => format!("the robot has no joint named '{name}'"),
            };
            Failure::new(
                "joints",
                format!("--joints: {why}; those with a value of their own are {}", names.join(", ")),
            )
        })?;
        values[freedom] = one(robot, freedom, value)?;
    }
    Ok(())
}

/// The values for people, in order.
pub(super) fn people(robot: &Robot, values: &[f64]) -> String {
    let one = |(freedom, value): (usize, &f64)| {
        let turns = joint(robot, freedom).kind.turns();
        number_at_scale(rounded(shown_value(turns, *value)), 360.0)
    };
    let all: Vec<String> = values.iter().enumerate().map(one).collect();
    all.join(", ")
}

/// Enough digits for people and for a program that takes them back.
fn rounded(x: f64) -> f64 {
    const STEPS: f64 = 10_000.0;
    (x * STEPS).round() / STEPS
}

/// `{"name":…,"value_deg":…}` or, for joints that slide, `{"name":…,"value":…}`, of every freedom.
pub(super) fn document(robot: &Robot, values: &[f64]) -> Value {
    let one = |(freedom, value): (usize, &f64)| {
        let joint = joint(robot, freedom);
        let mut map = Map::new();
        map.insert("name".to_owned(), json!(joint.name));
        put(&mut map, "value", joint.kind.turns(), *value);
        Value::Object(map)
    };
    values.iter().enumerate().map(one).collect()
}

/// Adds a joint value under its key, with the suffix of degrees where it is an angle; null if it is infinite.
pub(super) fn put(map: &mut Map<String, Value>, key: &str, turns: bool, value: f64) {
    let key = if turns { format!("{key}_deg") } else { key.to_owned() };
    map.insert(key, json!(finite(shown_value(turns, value))));
}

/// Limits for people.
pub(super) fn range(turns: bool, limits: Limits) -> String {
    let end = |x: f64| number(rounded(shown_value(turns, x)));
    match (limits.lower.is_finite(), limits.upper.is_finite()) {
        (false, false) => "any".to_owned(),
        (true, false) => format!("from {}", end(limits.lower)),
        (false, true) => format!("up to {}", end(limits.upper)),
        (true, true) => format!("{} to {}", end(limits.lower), end(limits.upper)),
    }
}

/// Which joints are outside of their limits, for people and programs.
pub(super) fn outside(robot: &Robot, values: &[f64]) -> (Vec<String>, Value) {
    let found = robot.outside_limits(values);
    let sentence = |(_, joint, value): &(usize, usize, f64)| {
        let joint = &robot.joints()[*joint];
        let turns = joint.kind.turns();
        let shown = number(rounded(shown_value(turns, *value)));
        format!(
            "{} is at {shown}; its limits are {} {}",
            joint.name,
            range(turns, joint.limits),
            super::model::unit(joint.kind)
        )
    };
    let entry = |(_, joint, value): &(usize, usize, f64)| {
        let joint = &robot.joints()[*joint];
        let turns = joint.kind.turns();
        let mut map = Map::new();
        map.insert("name".to_owned(), json!(joint.name));
        put(&mut map, "value", turns, *value);
        put(&mut map, "lower", turns, joint.limits.lower);
        put(&mut map, "upper", turns, joint.limits.upper);
        Value::Object(map)
    };
    (found.iter().map(sentence).collect(), found.iter().map(entry).collect())
}
