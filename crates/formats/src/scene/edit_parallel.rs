//! One more robot in a step.

use super::edit::{entry, replace};
use super::errors::SceneErrors;
use super::file::SceneFile;
use super::written::{INDENT, table};
use super::{robot_keys, written_task};
use freiraum_scene::Task;
use toml_edit::{Array, Item, Value};

impl SceneFile {
    /// Adds what one more robot does at the same time to a step of robots; the step becomes `parallel`.
    pub fn add_task(&mut self, step: usize, task: &Task) -> Result<(), SceneErrors> {
        let Some(old) = self.scene.steps.get(step).filter(|step| !step.tasks.is_empty()) else {
            return self.refuse(format!("step {step} is none that robots do"));
        };
        let written = |task: &Task| {
            let mut value = table(written_task::task(task, &self.scene, 1)?);
            value.decor_mut().set_prefix(format!("\n{INDENT}"));
            Some(value)
        };
        let (Some(new), Some(old)) =
            (written(task), old.tasks.iter().map(written).collect::<Option<Vec<Value>>>())
        else {
            return self.refuse("the task speaks of a robot or body that is not there".to_owned());
        };
        let mut keys: Vec<&str> = robot_keys::ACTION.known.to_vec();
        keys.extend(["robot", "do"]);
        self.change(|document| {
            let table = entry(document, "step", step)?;
            if let Some(parallel) = table.get_mut("parallel").and_then(Item::as_array_mut) {
                parallel.push_formatted(new);
                return Some(());
            }
            let mut array = Array::new();
            old.into_iter().chain([new]).for_each(|value| array.push_formatted(value));
            array.set_trailing("\n");
            array.set_trailing_comma(true);
            replace(table, &keys, vec![("parallel", Value::Array(array))]);
            Some(())
        })
    }
}
