//! Bodies whose surfaces bound no solid.

use freiraum_geometry::mesh::SolidityFault;
use freiraum_query::Prepared;
use freiraum_scene::{Scene, solid_remedy};
use std::collections::BTreeMap;

/// Bodies of one shape whose surface bounds no solid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoSolid {
    /// Their numbers, ascending.
    pub bodies: Vec<usize>,
    /// A sentence without its full stop: what is wrong, what follows from it, and what can be done.
    pub message: String,
}

/// The bodies of a scene whose surfaces bound no solid and are not declared sheets, those of one mesh together, in the order of their numbers.
pub(super) fn no_solid(scene: &Scene, shapes: &[Prepared]) -> Vec<NoSolid> {
    let mut groups: Vec<(Vec<usize>, Option<SolidityFault>)> = Vec::new();
    // What was found of a mesh, by where its tree is: `None` if it is sound.
    let mut known: BTreeMap<(usize, bool), Option<usize>> = BTreeMap::new();
    for (body, shape) in shapes.iter().enumerate().take(scene.bodies.len()) {
        let key = shape.mesh_tree().map(|tree| (std::sync::Arc::as_ptr(tree) as usize, shape.is_sheet()));
        let group = key.and_then(|key| known.get(&key).copied()).unwrap_or_else(|| {
            (shape.bounds_no_solid() || shape.is_doubtful()).then(|| {
                groups.push((Vec::new(), shape.open_pieces().first().map(|piece| piece.fault)));
                groups.len() - 1
            })
        });
        known.extend(key.map(|key| (key, group)));
        if let Some(group) = group {
            groups[group].0.push(body);
        }
    }
    groups
        .into_iter()
        .map(|(bodies, fault)| NoSolid { message: message(scene, &bodies, fault), bodies })
        .collect()
}

fn message(scene: &Scene, bodies: &[usize], fault: Option<SolidityFault>) -> String {
    let body = &scene.bodies[bodies[0]];
    let more = match bodies.len() - 1 {
        0 => String::new(),
        more => format!(" (and of {more} more of its shape)"),
    };
    let wrong =
        fault.map_or("crosses itself, so that inside and outside cannot be told,", SolidityFault::words);
    format!(
        "the surface of {}{more} {wrong} and bounds no solid: what is inside of it is not pushed out; {}",
        body.name,
        solid_remedy(scene, bodies[0], fault)
    )
}
