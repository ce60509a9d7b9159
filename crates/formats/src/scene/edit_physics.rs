//! Changes of the physics of bodies.

use super::edit::{entry, replace};
use super::errors::SceneErrors;
use super::file::SceneFile;
use super::written;
use freiraum_geometry::Vec3;
use toml_edit::{InlineTable, Item, Value};

/// A key and its value.
type Entry = (&'static str, Value);

/// What is to be different about the physics of a body; `None` stays. SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhysicsChange {
    /// In kilograms, instead of a density too.
    pub mass: Option<f64>,
    /// Coulomb's coefficient.
    pub friction: Option<f64>,
    /// From 0 to 1.
    pub restitution: Option<f64>,
    /// Whether it can move.
    pub is_active: Option<bool>,
    /// At the start, in metres per second.
    pub velocity: Option<Vec3>,
    /// At the start, in radians per second.
    pub spin: Option<Vec3>,
}

impl SceneFile {
    /// Changes the physics of a body of the file. What is as if it were not said is no longer said: active, at rest.
    pub fn set_physics(&mut self, body: usize, change: &PhysicsChange) -> Result<(), SceneErrors> {
        let unit = self.scene().units;
        let PhysicsChange { mass, friction, restitution, is_active, velocity, spin } = *change;
        let some = |x: Option<f64>, key: &'static str| x.map(|x| vec![(key, written::number(x))]);
        let vector = |v: Option<Vec3>, key: &'static str, value: &dyn Fn(f64) -> Value| {
            let written = |v: Vec3| vec![(key, written::list(v.to_array().map(value)))];
            v.map(|v| if v == Vec3::ZERO { Vec::new() } else { written(v) })
        };
        let active = is_active.map(|is| if is { Vec::new() } else { vec![("active", Value::from(false))] });
        let changes: [(&[&str], Option<Vec<Entry>>); 6] = [
            (&["mass", "density"], some(mass, "mass")),
            (&["friction"], some(friction, "friction")),
            (&["restitution"], some(restitution, "restitution")),
            (&["active"], active),
            (&["velocity"], vector(velocity, "velocity", &|x| written::length(x, unit))),
            (&["spin_deg"], vector(spin, "spin_deg", &written::degrees)),
        ];
        if changes.iter().all(|(_, new)| new.is_none()) {
            return Ok(());
        }
        self.change(|document| {
            let table = entry(document, "body", body)?;
            if !table.contains_key("physics") {
                table.insert("physics", Item::Value(Value::InlineTable(InlineTable::new())));
            }
            let physics = table.get_mut("physics")?.as_table_like_mut()?;
            for (old, new) in changes {
                if let Some(new) = new {
                    replace(physics, old, new);
                }
            }
            let is_empty = physics.is_empty();
            if let Item::Value(Value::InlineTable(inline)) = table.get_mut("physics")? {
                inline.fmt();
            }
            if is_empty {
                table.remove("physics");
            }
            Some(())
        })
    }
}
