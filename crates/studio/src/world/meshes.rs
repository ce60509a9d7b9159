//! Shapes of a world as the page draws them: those of the scene have the names that they have there.

use crate::document::{Snapshot, Surroundings};
use freiraum_geometry::Pose;
use freiraum_geometry::shape::CONTENT_VERSION;
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
            None => content_name(shape),
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

/// A name that shapes of the same content share.
fn content_name(shape: &Prepared) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&CONTENT_VERSION.to_le_bytes());
    shape.shape().write_content(&mut |bytes| {
        hasher.update(bytes);
    });
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::content_name;
    use freiraum_geometry::shape::{Shape, Sphere};
    use freiraum_query::Prepared;

    #[test]
    fn the_name_follows_from_the_content_alone() {
        let ball = |radius| content_name(&Prepared::new(Shape::Sphere(Sphere::new(radius).unwrap())));
        assert_eq!(ball(1.5), ball(1.5));
        assert_ne!(ball(1.5), ball(1.5_f64.next_up()));
        // The version and the bytes of the sphere: no name in the source changes it.
        let bytes = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f];
        assert_eq!(ball(1.5), blake3::hash(&bytes).to_hex()[..32]);
    }
}
