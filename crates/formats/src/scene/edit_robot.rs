//! Changes of what robots are and do, in the style of all other changes of scene files.

use super::edit::{entry, nested, path_from, replace};
use super::errors::SceneErrors;
use super::file::SceneFile;
use super::restate::restate;
use super::{robot_keys, written, written_task};
use freiraum_geometry::Pose;
use freiraum_scene::{Step, Task};
use std::path::Path;
use toml_edit::{DocumentMut, Item, TableLike, Value};

impl SceneFile {
    /// Adds a step that robots do, which will have the number `index`, from 0.
    pub fn add_task_step(&mut self, index: usize, name: &str, tasks: &[Task]) -> Result<(), SceneErrors> {
        if tasks.is_empty() {
            return self.refuse("the step has no tasks".to_owned());
        }
        let (name, tasks) = (name.to_owned(), tasks.to_vec());
        let step = Step { name, moves: Vec::new(), tasks, seconds: 1.0, place: Default::default() };
        self.insert_step(index, &step)
    }

    /// Changes what a robot does: the task with number `one` (0 unless the step is parallel) of a step, both counted from 0. The robot stays the same.
    pub fn set_task(&mut self, step: usize, one: usize, task: &Task) -> Result<(), SceneErrors> {
        let Some(old) = self.scene.steps.get(step).and_then(|step| step.tasks.get(one)) else {
            return self.refuse(format!("there is no task {one} in step {step}"));
        };
        if old.robot != task.robot {
            return self.refuse("the task is for another robot".to_owned());
        }
        let is_parallel = self.scene.steps[step].tasks.len() > 1;
        let Some(entries) = written_task::actions(task, &self.scene, usize::from(is_parallel)) else {
            return self.refuse("the task speaks of a body that is not there".to_owned());
        };
        let mut keys: Vec<&str> = robot_keys::ACTION.known.to_vec();
        keys.push("do");
        self.change(|document| {
            let table = entry(document, "step", step)?;
            let is_parallel = table.contains_key("parallel");
            let table = if is_parallel { nested(table.get_mut("parallel")?, one)? } else { table };
            replace(table, &keys, entries);
            Some(())
        })
    }

    /// Says where the joints of a robot are at the start, in radians or metres; its tool goes with it.
    pub fn set_start_joints(&mut self, robot: usize, values: &[f64]) -> Result<(), SceneErrors> {
        let Some(placed) = self.scene.robots.get(robot) else {
            return self.refuse(format!("there is no robot {robot}"));
        };
        if values.len() != placed.start.len() || values.iter().any(|value| !value.is_finite()) {
            return self.refuse(format!("{:?} has {} joints", placed.name, placed.start.len()));
        }
        let values: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        let value = written_task::joint_values(&values, placed, self.scene.units);
        self.change(|document| {
            let table = entry(document, "robot", robot)?;
            replace(table, &["start_deg", "start"], vec![("start_deg", value)]);
            Some(())
        })
    }

    /// Puts the root link of a robot somewhere else; a list stays a list, and a table a table, where they can say it.
    pub fn set_robot_pose(&mut self, robot: usize, pose: &Pose) -> Result<(), SceneErrors> {
        let (unit, old) = (self.scene.units, self.scene.robots.get(robot).map(|robot| robot.base));
        self.change(|document| {
            let table = entry(document, "robot", robot)?;
            if !restate(table.get_mut("pose"), old.as_ref(), pose, unit) {
                replace(table, &["pose"], vec![("pose", written::pose(pose, unit))]);
            }
            Some(())
        })
    }
}

/// Changes the paths of robot files and beam tables so that they lead from another folder to the same files.
pub(super) fn lead_from(document: &mut DocumentMut, old: &Path, new: &Path) {
    let mut number = 0;
    while let Some(table) = entry(document, "robot", number) {
        number += 1;
        for key in ["model", "srdf", "mesh"] {
            lead(table, key, old, new);
        }
        if let Some(rows) = table.get_mut("dh") {
            let mut row = 0;
            while let Some(table) = nested(rows, row) {
                lead(table, "mesh", old, new);
                row += 1;
            }
        }
        if let Some(packages) = table.get_mut("packages").and_then(Item::as_table_like_mut) {
            let names: Vec<String> = packages.iter().map(|(name, _)| name.to_owned()).collect();
            names.iter().for_each(|name| lead(packages, name, old, new));
        }
    }
    number = 0;
    while let Some(table) = entry(document, "sensor", number) {
        number += 1;
        if let Some(rows) = table.get_mut("rows").and_then(Item::as_table_like_mut) {
            lead(rows, "table", old, new);
        }
    }
}

fn lead(table: &mut dyn TableLike, key: &str, old: &Path, new: &Path) {
    let written = table.get(key).and_then(Item::as_str).map(str::to_owned);
    let Some(written) = written.filter(|written| !Path::new(written).is_absolute()) else { return };
    if let Some(path) = path_from(new, &old.join(written)) {
        replace(table, &[key], vec![(key, Value::from(path))]);
    }
}
