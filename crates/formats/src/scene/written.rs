//! Scenes as text: numbers, poses, motions and steps the way a person would write them.

use super::read::travel::PLANNERS;
use super::written_task;
use freiraum_geometry::{Pose, Unit, Vec3};
use freiraum_scene::{Move, Piece, Scene, Step, Travel};
use toml_edit::{Array, InlineTable, Item, Table, Value};

/// How long a step takes that does not say so.
const SECONDS: f64 = 1.0;

/// As many significant digits tell any number from its neighbours.
const MOST_DIGITS: usize = 17;

/// How far entries of lists stand in.
pub(super) const INDENT: &str = "    ";

/// The number with the fewest digits near `x` that `means` the same; `x` itself if none does.
fn shortest(x: f64, means: impl Fn(f64) -> bool) -> f64 {
    let mut tried = (0..MOST_DIGITS).filter_map(|digits| format!("{x:.digits$e}").parse::<f64>().ok());
    tried
        .find(|short| means(*short))
        .or_else(|| [x.next_up(), x.next_down()].into_iter().find(|near| means(*near)))
        .unwrap_or(x)
}

/// A number without needless digits: `5`, `0.25`, `1e-9`.
pub(super) fn number(x: f64) -> Value {
    // Also takes the sign from -0.
    if x == 0.0 {
        return Value::from(0);
    }
    // Integers up to here are exact in f64.
    const WHOLE: f64 = 9.0e15;
    if x.fract() == 0.0 && x.abs() <= WHOLE {
        return Value::from(x as i64);
    }
    // With an exponent where that is shorter.
    format!("{x:?}").parse().unwrap_or_else(|_| Value::from(x))
}

/// A length in metres, in the unit of the file.
pub(super) fn length(metres: f64, unit: Unit) -> Value {
    number(shortest(unit.from_metres(metres), |x| unit.to_metres(x) == metres))
}

/// An angle in radians, in degrees.
pub(super) fn degrees(angle: f64) -> Value {
    number(shortest(angle.to_degrees(), |x| x.to_radians() == angle))
}

pub(super) fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect::<Array>())
}

pub(super) fn point(p: Vec3, unit: Unit) -> Value {
    list(p.to_array().map(|x| length(x, unit)))
}

pub(super) fn table(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut table = InlineTable::new();
    for (key, value) in entries {
        table.insert(key, value);
    }
    Value::InlineTable(table)
}

/// A pose: three numbers without rotation; else with angles if these say exactly the same, else with a quaternion.
pub(super) fn pose(pose: &Pose, unit: Unit) -> Value {
    let position = point(pose.translation(), unit);
    let rotation = pose.rotation();
    if rotation == Pose::IDENTITY.rotation() {
        return position;
    }
    let (roll, pitch, yaw) = pose.to_zyx_euler();
    // Angles that somebody wrote have few digits.
    let [roll, pitch, yaw] = [roll, pitch, yaw].map(|angle| {
        let decimals = 9;
        format!("{:.decimals$}", angle.to_degrees()).parse::<f64>().unwrap_or(0.0)
    });
    let [r, p, y] = [roll, pitch, yaw].map(f64::to_radians);
    let again = Pose::from_zyx_euler(r, p, y, Vec3::ZERO).map(|again| again.rotation());
    if again == Some(rotation) || again == Some(-rotation) {
        return table([("position", position), ("rpy_deg", list([roll, pitch, yaw].map(number)))]);
    }
    let quaternion = list(rotation.to_array().map(number));
    table([("position", position), ("quaternion", quaternion)])
}

/// The keys of a motion and their values; a path in `depth` lists is indented more.
pub(super) fn travel(travel: &Travel, unit: Unit, depth: usize) -> Vec<(&'static str, Value)> {
    match travel {
        Travel::Translate(by) => vec![("translate", point(*by, unit))],
        Travel::Turn { axis, angle, advance } => {
            let direction = list(axis.direction.to_array().map(number));
            let mut entries =
                vec![("point", point(axis.point, unit)), ("axis", direction), ("deg", degrees(*angle))];
            if *advance == 0.0 {
                return vec![("rotate", table(entries))];
            }
            entries.push(("advance", length(*advance, unit)));
            vec![("screw", table(entries))]
        }
        Travel::To(end) => vec![("to", pose(end, unit))],
        Travel::Path(pieces) => vec![("path", path(pieces, unit, depth))],
        Travel::Plan { to, planner } => {
            let mut entries = vec![("path", Value::from("plan")), ("to", pose(to, unit))];
            let name = PLANNERS.iter().find(|(_, choice)| Some(*choice) == *planner);
            entries.extend(name.map(|(name, _)| ("planner", Value::from(*name))));
            entries
        }
    }
}

/// A path, every piece on a line of its own.
fn path(pieces: &[Piece], unit: Unit, depth: usize) -> Value {
    let is_even = pieces.iter().all(|piece| piece.share == pieces[0].share);
    let mut array = Array::new();
    for piece in pieces {
        let mut entries = travel(&piece.travel, unit, depth + 1);
        if !is_even {
            entries.push(("share", number(piece.share)));
        }
        let mut value = table(entries);
        value.decor_mut().set_prefix(format!("\n{}", INDENT.repeat(depth + 1)));
        array.push_formatted(value);
    }
    array.set_trailing(format!("\n{}", INDENT.repeat(depth)));
    array.set_trailing_comma(true);
    Value::Array(array)
}

fn moved(one: &Move, unit: Unit, depth: usize) -> Vec<(&'static str, Value)> {
    let mut entries = vec![("move", Value::from(one.subject.as_str()))];
    entries.extend(travel(&one.travel, unit, depth));
    entries
}

/// A step as a table; `None` if it speaks of robots or bodies that are not in the scene.
pub(super) fn step(step: &Step, scene: &Scene) -> Option<Table> {
    let unit = scene.units;
    let mut table = Table::new();
    table.insert("name", Item::Value(Value::from(step.name.as_str())));
    if step.seconds != SECONDS && step.tasks.is_empty() {
        table.insert("seconds", Item::Value(number(step.seconds)));
    }
    let one = match (step.moves.as_slice(), step.tasks.as_slice()) {
        ([one], []) => moved(one, unit, 0),
        ([], [one]) => written_task::task(one, scene, 0)?,
        (moves, tasks) => {
            let all = moves.iter().map(|one| Some(moved(one, unit, 1)));
            let all = all.chain(tasks.iter().map(|one| written_task::task(one, scene, 1)));
            let mut array = Array::new();
            for entries in all {
                let mut value = self::table(entries?);
                value.decor_mut().set_prefix(format!("\n{INDENT}"));
                array.push_formatted(value);
            }
            array.set_trailing("\n");
            array.set_trailing_comma(true);
            vec![("parallel", Value::Array(array))]
        }
    };
    for (key, value) in one {
        table.insert(key, Item::Value(value));
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        let check = |metres: f64, unit: Unit, expected: &str| {
            let written = length(metres, unit).to_string();
            assert_eq!(written, expected);
            assert_eq!(unit.to_metres(written.parse().unwrap()), metres);
        };
        check(0.062671, Unit::Millimetre, "62.671");
        check(0.0, Unit::Millimetre, "0");
        check(-0.0, Unit::Millimetre, "0");
        check(-0.12, Unit::Millimetre, "-120");
        check(0.1 + 0.2, Unit::Metre, "0.30000000000000004");
        check(1.0e-12, Unit::Metre, "1e-12");
        check(0.0254, Unit::Inch, "1");
        check(1.0e30, Unit::Metre, "1e30");
        assert_eq!(degrees(std::f64::consts::FRAC_PI_2).to_string(), "90");
        assert_eq!(degrees(-0.1f64.to_radians()).to_string(), "-0.1");
    }

    #[test]
    fn poses_are_short_where_they_can_be() {
        let check = |position: [f64; 3], rpy: [f64; 3], expected: &str| {
            let [r, p, y] = rpy.map(f64::to_radians);
            let found = Pose::from_zyx_euler(r, p, y, Vec3::from_array(position)).unwrap();
            assert_eq!(pose(&found, Unit::Millimetre).to_string().trim(), expected);
        };
        check([0.001, 0.0, 0.12], [0.0; 3], "[1, 0, 120]");
        check([0.001, 0.0, 0.12], [0.0, 90.0, 0.0], "{ position = [1, 0, 120], rpy_deg = [0, 90, 0] }");
        check([0.0; 3], [10.0, 20.5, -30.25], "{ position = [0, 0, 0], rpy_deg = [10, 20.5, -30.25] }");
    }
}
