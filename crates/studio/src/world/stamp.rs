//! Whether the scene is still the one that a world was made of.

use crate::document::Snapshot;
use freiraum_scene::Place;
use std::fmt::Write;

/// Stands for all of a scene that a world is made of, wherever in its file that is said.
pub(super) fn stamp(snapshot: &Snapshot) -> [u8; 32] {
    let scene = snapshot.scene();
    let mut hasher = blake3::Hasher::new();
    let mut text = String::new();
    for (number, body) in scene.bodies.iter().enumerate() {
        // A string takes everything; the debugging text has all numbers to the last bit.
        let _ = write!(text, "{:?} {:?} {:?};", body.name, body.pose, scene.physics(number));
        // Shapes that cannot be read have no world.
        if let Ok(digest) = snapshot.parts.digest(number) {
            hasher.update(&digest);
        }
    }
    for rule in scene.pairs.iter().filter(|rule| rule.ignore.is_some()) {
        let _ = write!(text, "{:?};", rule.bodies);
    }
    let mut world = scene.world.clone();
    world.physics.clear();
    world.settings.place = Place::default();
    world.vehicles.iter_mut().for_each(|vehicle| vehicle.place = Place::default());
    world.sensors.iter_mut().for_each(|sensor| sensor.place = Place::default());
    world.goals.iter_mut().for_each(|goal| goal.place = Place::default());
    let _ = write!(text, "{world:?}");
    hasher.update(text.as_bytes());
    *hasher.finalize().as_bytes()
}
