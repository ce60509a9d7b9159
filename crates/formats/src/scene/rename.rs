//! Another name for a body, wherever the file speaks of it.

use super::edit::entry;
use super::errors::SceneErrors;
use super::file::SceneFile;
use toml_edit::{Array, DocumentMut, Item, Key, TableLike, Value};

impl SceneFile {
    /// Gives a body another name; groups, pairs, states, tools of robots, sensors, goals and steps that name it follow. Links of robots have the names of their model.
    pub fn rename_body(&mut self, body: usize, name: &str) -> Result<(), SceneErrors> {
        let Some(old) = self.scene.bodies.get(body).map(|body| body.name.clone()) else {
            return self.refuse(format!("there is no body {body}"));
        };
        if old == name {
            return Ok(());
        }
        // Else it would join those that have the name already.
        if self.scene.named(name).is_some() {
            return self.refuse(format!("the name {name:?} is used already"));
        }
        let groups = self.scene.groups.len();
        let states = self.scene.states.len();
        self.change(|document| {
            say(entry(document, "body", body)?.get_mut("name")?, &old, name);
            // Robots have pairs that are not in the file.
            let pairs = count(document, "pair");
            for (key, list, count) in [("group", "members", groups), ("pair", "bodies", pairs)] {
                for k in 0..count {
                    let names = entry(document, key, k)?.get_mut(list).and_then(Item::as_array_mut)?;
                    names.iter_mut().for_each(|value| say_value(value, &old, name));
                }
            }
            for state in 0..states {
                if let Some(poses) =
                    entry(document, "state", state)?.get_mut("poses").and_then(Item::as_table_like_mut)
                {
                    rename_key(poses, &old, name);
                }
            }
            for robot in 0..count(document, "robot") {
                let tool = entry(document, "robot", robot)?.get_mut("tool").and_then(Item::as_table_like_mut);
                let names = tool.and_then(|tool| tool.get_mut("bodies")).and_then(Item::as_array_mut);
                names.into_iter().flat_map(Array::iter_mut).for_each(|value| say_value(value, &old, name));
            }
            for sensor in 0..count(document, "sensor") {
                let table = entry(document, "sensor", sensor)?;
                say_key(table, "on", &old, name);
                let blind = table.get_mut("blind_to").and_then(Item::as_array_mut);
                blind.into_iter().flat_map(Array::iter_mut).for_each(|value| say_value(value, &old, name));
            }
            for goal in 0..count(document, "goal") {
                let table = entry(document, "goal", goal)?;
                say_key(table, "body", &old, name);
                say_key(table, "ball", &old, name);
            }
            for vehicle in 0..count(document, "vehicle") {
                let controller = entry(document, "vehicle", vehicle)?.get_mut("controller");
                let controller = controller.and_then(Item::as_table_like_mut);
                let soccer = controller.and_then(|table| table.get_mut("soccer")?.as_table_like_mut());
                soccer.into_iter().for_each(|table| say_key(table, "ball", &old, name));
            }
            for step in 0..count(document, "step") {
                let table = entry(document, "step", step)?;
                say_in(table, &old, name);
                each(table.get_mut("parallel"), &mut |one| say_in(one, &old, name));
            }
            Some(())
        })
    }
}

/// How many tables of this kind the file has.
fn count(document: &DocumentMut, key: &str) -> usize {
    match document.get(key) {
        Some(Item::ArrayOfTables(tables)) => tables.len(),
        Some(Item::Value(Value::Array(array))) => array.len(),
        _ => 0,
    }
}

/// All names in a step, an entry of `parallel` or an action.
fn say_in(table: &mut dyn TableLike, old: &str, new: &str) {
    for key in ["move", "grasp", "release"] {
        let Some(item) = table.get_mut(key) else { continue };
        match item.as_table_like_mut().map(|inner| inner.get_mut("body")) {
            Some(Some(body)) => say(body, old, new),
            Some(None) => {}
            None => say(item, old, new),
        }
    }
    each(table.get_mut("do"), &mut |action| say_in(action, old, new));
}

/// Every table of a list of them.
fn each(item: Option<&mut Item>, with: &mut dyn FnMut(&mut dyn TableLike)) {
    match item {
        Some(Item::ArrayOfTables(tables)) => tables.iter_mut().for_each(|table| with(table)),
        Some(Item::Value(Value::Array(array))) => {
            array.iter_mut().filter_map(Value::as_inline_table_mut).for_each(|table| with(table));
        }
        _ => {}
    }
}

fn say_key(table: &mut dyn TableLike, key: &str, old: &str, new: &str) {
    table.get_mut(key).into_iter().for_each(|item| say(item, old, new));
}

fn say(item: &mut Item, old: &str, new: &str) {
    if let Some(value) = item.as_value_mut() {
        say_value(value, old, new);
    }
}

/// Another text with the blanks and comments of the old one.
fn say_value(value: &mut Value, old: &str, new: &str) {
    if value.as_str() == Some(old) {
        let decor = value.decor().clone();
        *value = Value::from(new);
        *value.decor_mut() = decor;
    }
}

/// Another key at the same place.
fn rename_key(table: &mut dyn TableLike, old: &str, new: &str) {
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    let Some(first) = keys.iter().position(|key| key == old) else { return };
    let mut behind = Vec::new();
    for key in &keys[first..] {
        let written = table.key(key).cloned();
        if let (Some(written), Some(item)) = (written, table.remove(key)) {
            let is_it = key == old;
            let key = if is_it {
                Key::new(new)
                    .with_leaf_decor(written.leaf_decor().clone())
                    .with_dotted_decor(written.dotted_decor().clone())
            } else {
                written
            };
            behind.push((key, item));
        }
    }
    for (key, item) in behind {
        table.entry_format(&key).or_insert(item);
    }
}
