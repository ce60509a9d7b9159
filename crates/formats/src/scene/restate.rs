//! Another pose in the form in which the old one was written.

use super::edit;
use super::written;
use freiraum_geometry::{Pose, Unit};
use toml_edit::{Array, Item, TableLike, Value};

/// Rewrites a pose in place: a list of as many numbers, or a table with the same keys; what does not change stays as it was written. False if that form
/// cannot say it.
pub(super) fn restate(item: Option<&mut Item>, old: Option<&Pose>, new: &Pose, unit: Unit) -> bool {
    let (Some(item), Some(old)) = (item, old) else { return false };
    let is_turned = old.rotation() != new.rotation();
    if let Some(table) = item.as_table_like_mut() {
        if old.translation() != new.translation() {
            put(table, "position", written::point(new.translation(), unit));
        }
        return !is_turned || turn(table, new, unit);
    }
    let Some(numbers) = item.as_array_mut() else { return false };
    let Some(rotation) = rotation(new, unit, numbers.len()) else { return false };
    let position = written::point(new.translation(), unit);
    let values = position.as_array().into_iter().chain(rotation.as_ref().and_then(Value::as_array));
    let values: Vec<Value> = values.flatten().cloned().collect();
    if values.len() != numbers.len() {
        return false;
    }
    let is_kept = |k: usize| match k {
        0..3 => old.translation()[k] == new.translation()[k],
        _ => !is_turned,
    };
    for (k, value) in values.into_iter().enumerate().filter(|(k, _)| !is_kept(*k)) {
        replace(numbers, k, value);
    }
    true
}

/// The rotation for a list of so many numbers; `None` if there is none.
fn rotation(pose: &Pose, unit: Unit, count: usize) -> Option<Option<Value>> {
    match (count, short(pose, unit)) {
        (3, Rotation::None) => Some(None),
        (6, Rotation::None) => Some(Some(written::list([0, 0, 0].map(Value::from)))),
        (6, Rotation::Angles(angles)) => Some(Some(angles)),
        (7, _) => Some(Some(written::list(pose.rotation().to_array().map(written::number)))),
        _ => None,
    }
}

/// Says a rotation in a table, by the key that is there where possible.
fn turn(table: &mut dyn TableLike, pose: &Pose, unit: Unit) -> bool {
    let quaternion = || written::list(pose.rotation().to_array().map(written::number));
    let (key, other, value) = match short(pose, unit) {
        _ if table.contains_key("quaternion") => ("quaternion", "rpy_deg", quaternion()),
        Rotation::None => ("rpy_deg", "quaternion", written::list([0, 0, 0].map(Value::from))),
        Rotation::Angles(angles) => ("rpy_deg", "quaternion", angles),
        Rotation::Quaternion => ("quaternion", "rpy_deg", quaternion()),
    };
    if table.contains_key(other) {
        edit::replace(table, &[other], vec![(key, value)]);
    } else {
        put(table, key, value);
    }
    true
}

/// How a rotation is written best.
enum Rotation {
    None,
    Angles(Value),
    Quaternion,
}

fn short(pose: &Pose, unit: Unit) -> Rotation {
    match written::pose(pose, unit) {
        Value::InlineTable(table) => match table.get("rpy_deg") {
            Some(angles) => Rotation::Angles(angles.clone()),
            None => Rotation::Quaternion,
        },
        _ => Rotation::None,
    }
}

/// Sets a list; numbers that stay the same keep their form.
fn put(table: &mut dyn TableLike, key: &str, value: Value) {
    let old = table.get_mut(key).and_then(Item::as_array_mut);
    match (old, value) {
        (Some(old), Value::Array(new)) if old.len() == new.len() => {
            for (k, value) in new.into_iter().enumerate() {
                if number(old, k) != value.as_float().or(value.as_integer().map(|x| x as f64)) {
                    replace(old, k, value);
                }
            }
        }
        (_, mut value) => {
            // What closed the line of the last entry closes the new one.
            if let Some((_, Item::Value(last))) = table.iter_mut().last()
                && let Some(suffix) = last.decor().suffix().cloned()
                && suffix.as_str().is_some_and(|text| text.chars().all(|c| c == ' '))
            {
                last.decor_mut().set_suffix("");
                value.decor_mut().set_prefix(" ");
                value.decor_mut().set_suffix(suffix);
            }
            table.insert(key, Item::Value(value));
        }
    }
}

fn number(list: &Array, k: usize) -> Option<f64> {
    let value = list.get(k)?;
    value.as_float().or(value.as_integer().map(|x| x as f64))
}

/// Another value with the blanks and comments of the old one.
fn replace(list: &mut Array, k: usize, mut value: Value) {
    if let Some(old) = list.get(k) {
        *value.decor_mut() = old.decor().clone();
    }
    list.replace_formatted(k, value);
}
