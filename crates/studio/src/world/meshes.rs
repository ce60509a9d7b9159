//! Shapes of a world as the page draws them: those of the scene have the names that they have there.

use crate::document::{Snapshot, Surroundings};
use freiraum_geometry::Pose;
use freiraum_query::Prepared;
use freiraum_world::Simulation;
use std::collections::BTreeMap;

/// A shape to be drawn.
#[derive(Clone)]
pub(crate) struct Drawn {
    pub(crate) shape: Prepared,
    /// `world_from_body` at the start: shapes without end are cut off near the middle of the scene.
    pub(crate) pose: Pose,
    pub(crate) surroundings: Surroundings,
}

/// The names of the meshes of all bodies, and what they are.
pub(super) fn of(
    snapshot: &Snapshot,
    simulation: &Simulation,
    shapes: &[Prepared],
) -> (Vec<String>, BTreeMap<String, Drawn>) {
    let mut drawn = BTreeMap::new();
    let mut names = Vec::with_capacity(shapes.len());
    for ((number, body), shape) in simulation.scene().bodies.iter().enumerate().zip(shapes) {
        let name = match snapshot.mesh_name(number) {
            Some(name) => name.to_owned(),
            // A part of a vehicle.
            None => blake3::hash(format!("{:?}", shape.shape()).as_bytes()).to_hex()[..32].to_owned(),
        };
        let surroundings = snapshot.surroundings;
        drawn.entry(name.clone()).or_insert_with(|| Drawn {
            shape: shape.clone(),
            pose: body.pose,
            surroundings,
        });
        names.push(name);
    }
    (names, drawn)
}
