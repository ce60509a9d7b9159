//! Changes of a scene file that keep comments, order and formatting of everything else.
//!
//! The text is changed as a document and read again, so that text and scene always agree; a change that would make the file
//! wrong is refused, and the file stays as it was.

use super::errors::SceneErrors;
use super::file::SceneFile;
use super::restate::restate;
use super::written;
use freiraum_geometry::Pose;
use freiraum_scene::{Action, ActionKind, Color, Geometry, Problem, Scene, Step, Travel};
use std::path::{Component, Path};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, RawString, Table, TableLike, Value};

/// All keys that say how something moves.
const TRAVEL: [&str; 6] = ["translate", "rotate", "screw", "to", "path", "planner"];

impl SceneFile {
    /// Changes how a move goes: the one with number `one` (0 unless the step is parallel) of a step, both counted from 0.
    ///
    /// Numbers are written in the unit of the file, as short as they can be while they mean the same; orientations that no three short
    /// angles describe become quaternions, whose last digit may change. That holds for all changes.
    pub fn set_travel(&mut self, step: usize, one: usize, travel: &Travel) -> Result<(), SceneErrors> {
        let unit = self.scene.units;
        if self.scene.steps.get(step).is_none_or(|step| one >= step.moves.len()) {
            return self.refuse(format!("there is no move {one} in step {step}"));
        }
        self.change(|document| {
            let table = entry(document, "step", step)?;
            let is_parallel = table.contains_key("parallel");
            let table = if is_parallel { nested(table.get_mut("parallel")?, one)? } else { table };
            replace(table, &TRAVEL, written::travel(travel, unit, usize::from(is_parallel)));
            Some(())
        })
    }

    /// Adds a step after the last one.
    pub fn push_step(&mut self, step: &Step) -> Result<(), SceneErrors> {
        self.insert_step(self.scene.steps.len(), step)
    }

    /// Adds a step that will have the number `index`, from 0.
    pub fn insert_step(&mut self, index: usize, step: &Step) -> Result<(), SceneErrors> {
        if index > self.scene.steps.len() {
            return self.refuse(format!("there is no place for a step {index}"));
        }
        let Some(table) = written::step(step, &self.scene) else {
            return self.refuse("the step speaks of a robot or body that is not there".to_owned());
        };
        self.change(|document| insert(document, index, Item::Table(table)))
    }

    /// Removes a step, with the comments before it.
    pub fn remove_step(&mut self, index: usize) -> Result<(), SceneErrors> {
        self.change(|document| take(document, index).map(drop))
    }

    /// Moves a step, with the comments before it, so that it has the number `to` afterwards.
    pub fn move_step(&mut self, from: usize, to: usize) -> Result<(), SceneErrors> {
        if to >= self.scene.steps.len() {
            return self.refuse(format!("there is no place for a step {to}"));
        }
        if from == to {
            return Ok(());
        }
        self.change(|document| {
            let step = take(document, from)?;
            insert(document, to, step)
        })
    }

    /// Gives a step another name.
    pub fn rename_step(&mut self, index: usize, name: &str) -> Result<(), SceneErrors> {
        self.change(|document| {
            let table = entry(document, "step", index)?;
            replace(table, &["name"], vec![("name", Value::from(name))]);
            Some(())
        })
    }

    /// Puts a body somewhere else at the start; a list stays a list, and a table a table, where they can say it.
    pub fn set_pose(&mut self, body: usize, pose: &Pose) -> Result<(), SceneErrors> {
        if let Some((robot, _)) = self.scene.link_of(body) {
            let robot = &self.scene.robots[robot].name;
            return self.refuse(format!("this is a link of the robot {robot:?}: its joints say where it is"));
        }
        let (unit, mut old) = (self.scene.units, self.scene.bodies.get(body).map(|body| body.pose));
        let mut pose = *pose;
        // What is fixed to a robot is written as seen from the flange.
        if let Some(robot) = self.scene.robot_of(body).map(|robot| &self.scene.robots[robot]) {
            old = robot
                .tools
                .iter()
                .find(|(tool, _)| *tool == body)
                .map(|(_, flange_from_body)| *flange_from_body);
            let flange = robot.flange_at_start();
            pose = match old {
                Some(old) if self.scene.bodies[body].pose == pose => old,
                Some(old) => {
                    tidied(&(flange.inverse() * pose), &old, flange.translation().abs().max_element())
                }
                None => pose,
            };
        }
        self.change(|document| {
            let table = entry(document, "body", body)?;
            if !restate(table.get_mut("pose"), old.as_ref(), &pose, unit) {
                replace(table, &["pose"], vec![("pose", written::pose(&pose, unit))]);
            }
            Some(())
        })
    }

    /// Says where a body should be in the end, or no longer.
    pub fn set_goal(&mut self, body: usize, goal: Option<&Pose>) -> Result<(), SceneErrors> {
        let (unit, old) = (self.scene.units, self.scene.bodies.get(body).and_then(|body| body.goal));
        self.change(|document| {
            let table = entry(document, "body", body)?;
            if !goal.is_some_and(|goal| restate(table.get_mut("goal"), old.as_ref(), goal, unit)) {
                let value = goal.map(|goal| ("goal", written::pose(goal, unit)));
                replace(table, &["goal"], value.into_iter().collect());
            }
            Some(())
        })
    }

    /// Says how long a step takes, in seconds.
    pub fn set_seconds(&mut self, index: usize, seconds: f64) -> Result<(), SceneErrors> {
        self.change(|document| {
            let table = entry(document, "step", index)?;
            replace(table, &["seconds"], vec![("seconds", written::number(seconds))]);
            Some(())
        })
    }

    /// Gives a body another colour.
    pub fn set_color(&mut self, body: usize, color: Color) -> Result<(), SceneErrors> {
        let Color([r, g, b]) = color;
        let value = Value::from(format!("#{r:02x}{g:02x}{b:02x}"));
        self.change(|document| {
            replace(entry(document, "body", body)?, &["color"], vec![("color", value)]);
            Some(())
        })
    }

    /// Says whether steps may move a body.
    pub fn set_fixed(&mut self, body: usize, is_fixed: bool) -> Result<(), SceneErrors> {
        let value = is_fixed.then(|| ("fixed", Value::from(true)));
        self.change(|document| {
            replace(entry(document, "body", body)?, &["fixed"], value.into_iter().collect());
            Some(())
        })
    }

    /// Adds a body with a mesh file, which is named as seen from the folder of the scene, after the last one.
    pub fn push_body(&mut self, name: &str, mesh: &str) -> Result<(), SceneErrors> {
        let mut table = Table::new();
        table.insert("name", Item::Value(Value::from(name)));
        table.insert("mesh", Item::Value(Value::from(mesh)));
        self.change(|document| {
            let bodies = document.entry("body").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
            match bodies {
                Item::Value(Value::Array(array)) => array.push(table.into_inline_table()),
                bodies => bodies.as_array_of_tables_mut()?.push(table),
            }
            Some(())
        })
    }

    /// Makes the file say what a planned scene says: poses, goals, groups and steps. Steps that keep their place and name are changed,
    /// with all that is written around them, unless all steps are new (`is_new`), as those of an order found anew are.
    pub fn take_plan(&mut self, scene: &Scene, is_new: bool) -> Result<(), SceneErrors> {
        let mut changed = self.clone();
        changed.take_plan_or_half(scene, is_new)?;
        *self = changed;
        Ok(())
    }

    fn take_plan_or_half(&mut self, scene: &Scene, is_new: bool) -> Result<(), SceneErrors> {
        if !self.scene.states.is_empty() {
            self.remove_states()?;
        }
        for (number, body) in scene.bodies.iter().enumerate() {
            let Some(old) = self.scene.bodies.get(number) else { break };
            let (pose, goal) = (old.pose != body.pose, old.goal != body.goal);
            if pose {
                self.set_pose(number, &body.pose)?;
            }
            if goal {
                self.set_goal(number, body.goal.as_ref())?;
            }
        }
        for group in scene.groups.iter().skip(self.scene.groups.len()) {
            self.push_group(&group.name, &group.members)?;
        }
        let is_same = !is_new
            && self.scene.steps.len() == scene.steps.len()
            && self.scene.steps.iter().zip(&scene.steps).all(|(old, new)| old.name == new.name);
        if is_same {
            for (number, step) in scene.steps.iter().enumerate() {
                for (k, one) in step.moves.iter().enumerate() {
                    if matches!(self.scene.steps[number].moves[k].travel, Travel::Plan { .. }) {
                        self.set_travel(number, k, &one.travel)?;
                    }
                }
                for (k, task) in step.tasks.iter().enumerate() {
                    let old = self.scene.steps[number].tasks.get(k);
                    let is_plan = |action: &Action| matches!(action.kind, ActionKind::Plan { .. });
                    if old.is_some_and(|old| old.actions.iter().any(is_plan)) {
                        self.set_task(number, k, task)?;
                    }
                }
            }
            return Ok(());
        }
        while !self.scene.steps.is_empty() {
            self.remove_step(self.scene.steps.len() - 1)?;
        }
        for step in &scene.steps {
            self.push_step(step)?;
        }
        Ok(())
    }

    /// The text as it has to be in another folder: paths of mesh files lead from there.
    pub(super) fn text_in(&self, folder: &Path) -> String {
        let mut document: DocumentMut = match self.text().parse() {
            Ok(document) => document,
            Err(_) => return self.text().to_owned(),
        };
        for (number, body) in self.scene.bodies.iter().enumerate() {
            let Geometry::File { path, written, .. } = &body.geometry else { continue };
            if Path::new(written).is_absolute() {
                continue;
            }
            if let (Some(table), Some(path)) = (entry(&mut document, "body", number), path_from(folder, path))
            {
                replace(table, &["mesh"], vec![("mesh", Value::from(path))]);
            }
        }
        super::edit_robot::lead_from(&mut document, self.folder(), folder);
        as_before(self.text(), document.to_string())
    }

    /// Removes all states, with the comments before them: a scene has states or steps, not both.
    pub fn remove_states(&mut self) -> Result<(), SceneErrors> {
        self.change(|document| {
            document.remove("state");
            Some(())
        })
    }

    /// Adds a group after the last one.
    pub fn push_group(&mut self, name: &str, members: &[usize]) -> Result<(), SceneErrors> {
        let bodies = &self.scene.bodies;
        let Some(names) =
            members.iter().map(|body| Some(bodies.get(*body)?.name.as_str())).collect::<Option<Vec<_>>>()
        else {
            return self.refuse("there is no body with this number".to_owned());
        };
        let mut table = Table::new();
        table.insert("name", Item::Value(Value::from(name)));
        table.insert("members", Item::Value(Value::Array(Array::from_iter(names))));
        self.change(|document| {
            let groups = document.entry("group").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
            groups.as_array_of_tables_mut()?.push(table);
            Some(())
        })
    }

    /// Changes the document; `None` says that there is no such thing.
    pub(super) fn change(
        &mut self,
        change: impl FnOnce(&mut DocumentMut) -> Option<()>,
    ) -> Result<(), SceneErrors> {
        let parsed = self.text.parse::<DocumentMut>();
        let mut document = match parsed {
            Ok(document) => document,
            Err(e) => return self.refuse(format!("the text is no valid TOML: {}", e.message())),
        };
        if change(&mut document).is_none() {
            return self.refuse("there is no step or body with this number".to_owned());
        }
        self.replace_text(as_before(&self.text, document.to_string()))
    }

    pub(super) fn refuse<T>(&self, message: String) -> Result<T, SceneErrors> {
        Err(SceneErrors::new(self.name(), "", vec![Problem::new(Default::default(), message)]))
    }
}

/// A pose without what rounding in a frame so far away has added; a rotation that did not change stays as it was.
fn tidied(pose: &Pose, old: &Pose, distance: f64) -> Pose {
    let at = pose.translation();
    // Some products of poses, each with a few units of rounding.
    let slack = 64.0 * f64::EPSILON;
    let decimals = -(slack * (distance + at.abs().max_element())).log10();
    let decimals = decimals.clamp(0.0, f64::from(u8::MAX)) as usize;
    let at = at.to_array().map(|x| format!("{x:.decimals$}").parse().unwrap_or(x));
    let is_turned = pose.rotation().dot(old.rotation()).abs() < 1.0 - slack;
    let rotation = if is_turned { pose.rotation() } else { old.rotation() };
    Pose::new(rotation, at.into()).unwrap_or(*pose)
}

/// The new text with the line breaks and the mark of the old one, which the document does not keep.
fn as_before(old: &str, new: String) -> String {
    let mut new = new;
    if old.contains("\r\n") {
        new = new.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if old.starts_with('\u{feff}') && !new.starts_with('\u{feff}') {
        new.insert(0, '\u{feff}');
    }
    new
}

/// A table of an array of tables, or of an array in one line.
pub(super) fn entry<'d>(
    document: &'d mut DocumentMut,
    key: &str,
    index: usize,
) -> Option<&'d mut dyn TableLike> {
    nested(document.get_mut(key)?, index)
}

pub(super) fn nested(item: &mut Item, index: usize) -> Option<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables.get_mut(index).map(|table| table as &mut dyn TableLike),
        Item::Value(Value::Array(array)) => match array.get_mut(index)? {
            Value::InlineTable(table) => Some(table as &mut dyn TableLike),
            _ => None,
        },
        _ => None,
    }
}

/// Puts new entries where the first of the old ones was, with its comments; the other old ones go.
pub(super) fn replace(table: &mut dyn TableLike, old: &[&str], new: Vec<(&str, Value)>) {
    // What stands behind the place is taken out and put back.
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    let first = keys.iter().position(|key| old.contains(&key.as_str())).unwrap_or(keys.len());
    let mut behind = Vec::new();
    let (mut key_decor, mut value_decor) = (None, None);
    for key in keys.iter().skip(first) {
        let written = table.key(key).cloned();
        let Some(item) = table.remove(key) else { continue };
        if !old.contains(&key.as_str()) {
            behind.push((written, item));
        } else if let (Item::Value(value), None) = (&item, &value_decor) {
            key_decor = written.map(|key| key.leaf_decor().clone());
            value_decor = Some(value.decor().clone());
        } else if let (Item::Value(value), Some(decor)) = (&item, &mut value_decor) {
            // A comment stays; else what closes the line.
            let has_comment =
                decor.suffix().and_then(RawString::as_str).is_some_and(|text| text.contains('#'));
            if let (Some(suffix), false) = (value.decor().suffix(), has_comment) {
                decor.set_suffix(suffix.clone());
            }
        }
    }
    let last = new.len().saturating_sub(1);
    for (i, (key, mut value)) in new.into_iter().enumerate() {
        if let (Some(decor), true) = (&value_decor, i == last) {
            *value.decor_mut() = decor.clone();
        }
        table.insert(key, Item::Value(value));
        if let (Some(decor), Some(mut key), true) = (&key_decor, table.key_mut(key), i == 0) {
            *key.leaf_decor_mut() = decor.clone();
        }
    }
    for (key, item) in behind {
        if let Some(key) = key {
            table.entry_format(&key).or_insert(item);
        }
    }
}

/// Takes a step out: a table, or a value of an array in one line.
fn take(document: &mut DocumentMut, index: usize) -> Option<Item> {
    number_tables(document);
    let item = document.get_mut("step")?;
    let (step, is_empty) = match item {
        Item::ArrayOfTables(tables) if index < tables.len() => {
            (Item::Table(tables.remove(index)), tables.is_empty())
        }
        Item::Value(Value::Array(array)) if index < array.len() => {
            (Item::Value(array.remove(index)), array.is_empty())
        }
        _ => return None,
    };
    if is_empty {
        document.remove("step");
    }
    Some(step)
}

/// Puts a step in.
fn insert(document: &mut DocumentMut, index: usize, step: Item) -> Option<()> {
    let end = number_tables(document);
    if let Some(Item::Value(Value::Array(array))) = document.get_mut("step") {
        insert_inline(array, index, step.into_value().ok()?);
        return Some(());
    }
    let mut table = step.into_table().ok()?;
    // The tables in it follow it.
    forget_positions(&mut table);
    if table.decor().prefix().is_none() {
        table.decor_mut().set_prefix("\n");
    }
    if document.get("step").is_none() {
        document.insert("step", Item::ArrayOfTables(ArrayOfTables::new()));
    }
    let Some(Item::ArrayOfTables(tables)) = document.get_mut("step") else { return None };
    let position = match index.checked_sub(1).and_then(|before| tables.get(before)) {
        Some(before) => last_position(before) + 1,
        None => tables.get(0).and_then(Table::position).unwrap_or(end + 2) - 1,
    };
    table.set_position(Some(position));
    tables.insert(index, table);
    Some(())
}

/// A step in an array in one line or several, like its neighbour.
fn insert_inline(array: &mut Array, index: usize, mut step: Value) {
    let neighbour = array.get(index.min(array.len().saturating_sub(1)));
    if let Some(decor) = neighbour.map(|neighbour| neighbour.decor().clone()) {
        *step.decor_mut() = decor;
    }
    array.insert_formatted(index, step);
}

/// Numbers all tables in the order in which they stand in the text, with room between them; the number of the last.
fn number_tables(document: &mut DocumentMut) -> isize {
    let mut order = Vec::new();
    let mut last = 0;
    visit(document.as_table_mut(), &mut |table| {
        last = table.position().unwrap_or(last);
        order.push((last, order.len()));
    });
    let mut ranks = vec![0; order.len()];
    order.sort_unstable();
    for (rank, (_, table)) in order.iter().enumerate() {
        ranks[*table] = 4 * rank as isize;
    }
    let mut rank = ranks.iter();
    visit(document.as_table_mut(), &mut |table| table.set_position(rank.next().copied()));
    4 * order.len() as isize
}

fn forget_positions(table: &mut Table) {
    visit(table, &mut |table| table.set_position(None));
}

/// The position of a table and of those in it, the last of them.
fn last_position(table: &Table) -> isize {
    let mut last = table.position().unwrap_or(0);
    for (_, item) in table {
        match item {
            Item::Table(inner) => last = last.max(last_position(inner)),
            Item::ArrayOfTables(tables) => {
                last = tables.iter().map(last_position).fold(last, isize::max);
            }
            _ => {}
        }
    }
    last
}

/// A table and all in it, in the order of the tree.
fn visit(table: &mut Table, with: &mut impl FnMut(&mut Table)) {
    if !table.is_dotted() {
        with(table);
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(inner) => visit(inner, with),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|inner| visit(inner, with)),
            _ => {}
        }
    }
}

/// How a file is called from a folder, with `/` between names; `None` if either is not there.
pub(super) fn path_from(folder: &Path, file: &Path) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (folder, file) = (folder.canonicalize().ok()?, file.canonicalize().ok()?);
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    // On another drive there is no way but the whole one.
    if common == 0 {
        return Some(file.to_str()?.to_owned());
    }
    let up = folder.components().skip(common).map(|_| Some(".."));
    let down = file.components().skip(common).map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(up.chain(down).collect::<Option<Vec<&str>>>()?.join("/"))
}
