//! Where a surface sticks out: its convex and its open edges. Over all others faces meet without a step that anything could catch on.

use freiraum_geometry::math::unit;
use freiraum_query::mesh_tree::MeshTree;
use std::collections::HashMap;
use std::sync::Arc;

/// For each triangle, in the order of the leaves of the tree, a bit per edge: bit k for the edge from corner k to the next.
pub(crate) type Ridges = Arc<[u8]>;

/// Faces whose other corner is not farther below the plane than this share of the edge's length lie in one plane with it.
const FLAT: f64 = 1.0 / 1024.0;

/// Finds the edges that stick out.
pub(crate) fn ridges(tree: &MeshTree) -> Ridges {
    let mesh = tree.mesh();
    let (faces, vertices) = (mesh.faces(), mesh.vertices());
    // The corner opposite to each directed edge. Only looked up, never gone through.
    let mut opposite: HashMap<(u32, u32), u32> = HashMap::with_capacity(3 * faces.len());
    for face in faces {
        for k in 0..3 {
            opposite.insert((face[k], face[(k + 1) % 3]), face[(k + 2) % 3]);
        }
    }
    tree.faces()
        .iter()
        .map(|number| {
            let face = faces[*number as usize];
            let [p, q, r] = face.map(|v| vertices[v as usize]);
            let Some(normal) = unit((q - p).cross(r - p)) else { return 0 };
            (0..3)
                .filter(|k| {
                    let (from, to) = (face[*k], face[(*k + 1) % 3]);
                    // The neighbour runs along the edge the other way.
                    let Some(corner) = opposite.get(&(to, from)) else { return true };
                    let length = vertices[from as usize].distance(vertices[to as usize]);
                    normal.dot(vertices[*corner as usize] - p) < -FLAT * length
                })
                .fold(0, |bits, k| bits | 1 << k)
        })
        .collect()
}
