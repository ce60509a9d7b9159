//! Another name for a body, wherever the file speaks of it.

use super::edit::{entry, nested};
use super::errors::SceneErrors;
use super::file::SceneFile;
use toml_edit::{DocumentMut, Item, Key, TableLike, Value};

impl SceneFile {
    /// Gives a body another name; groups, pairs, states and steps that name it follow.
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
        let moves: Vec<usize> = self.scene.steps.iter().map(|step| step.moves.len()).collect();
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
            for (step, count) in moves.iter().enumerate() {
                let table = entry(document, "step", step)?;
                if let Some(one) = table.get_mut("move") {
                    say(one, &old, name);
                }
                for k in 0..*count {
                    let one = table.get_mut("parallel").and_then(|parallel| nested(parallel, k));
                    if let Some(subject) = one.and_then(|one| one.get_mut("move")) {
                        say(subject, &old, name);
                    }
                }
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
