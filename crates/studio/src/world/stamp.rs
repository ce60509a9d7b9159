//! Whether the scene is still the one that a world was made of.

use crate::document::Snapshot;
use freiraum_scene::{Controller, Vehicle};
use freiraum_world::write_content;

/// Stands for all of a scene that a world is made of, and for how its vehicles look, wherever in its file
/// that is said.
pub(super) fn stamp(snapshot: &Snapshot) -> [u8; 32] {
    let scene = snapshot.scene();
    let mut hasher = blake3::Hasher::new();
    let mut shape = |body: usize, sink: &mut dyn FnMut(&[u8])| {
        // Shapes that cannot be read have no world.
        if let Ok(digest) = snapshot.parts.digest(body) {
            sink(&digest);
        }
    };
    write_content(scene, &mut shape, &mut |bytes| {
        hasher.update(bytes);
    });
    scene.world.vehicles.iter().for_each(|vehicle| add_surroundings(vehicle, &mut hasher));
    *hasher.finalize().as_bytes()
}

/// What a world shows or runs and a simulation does not compute with: the colour of a vehicle and the folder
/// of its program.
fn add_surroundings(vehicle: &Vehicle, hasher: &mut blake3::Hasher) {
    hasher.update(&[u8::from(vehicle.color.is_some())]);
    if let Some(color) = vehicle.color {
        hasher.update(&color.0);
    }
    if let Some(Controller::Program { folder, .. }) = &vehicle.controller {
        let folder = folder.as_os_str().as_encoded_bytes();
        hasher.update(&(folder.len() as u64).to_le_bytes()).update(folder);
    }
}
