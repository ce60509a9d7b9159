//! Whether the faces of a mesh are known to look outwards.
//!
//! **Why it matters.** Of two bodies that are apart, the first to touch are faces that move towards each other. Suppose they touch at a
//! point x, and that all faces of b at x move away from where b is going: a line along the motion enters b wherever it crosses
//! such a face, so there is material of b ahead of x, and it came from there: x was inside of b before. It was not at the start, so
//! the surfaces met earlier. With that, faces that move away need not be looked at, if the mesh is the boundary of a solid: closed,
//! nowhere through itself, and with the outside on the side of its normals. Nothing is asked of the other body, which may be a surface.

use freiraum_geometry::Mesh;
use freiraum_geometry::mesh::weld;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, self_intersections};

/// True if the mesh is proven to be the boundary of a solid with its faces to the outside. Meshes of many faces, in which few of them
/// are ever looked at, are not tried.
pub(crate) fn is_outward(tree: &MeshTree) -> bool {
    let mesh = tree.mesh();
    if mesh.faces().len() > MOST || !shells_look_outwards(mesh) {
        return false;
    }
    let mut pairs = Vec::new();
    self_intersections(tree, &mut MeshWorkspace::default(), &mut pairs);
    pairs.is_empty()
}

/// Faces at most: with more of them nothing was won.
const MOST: usize = 1024;

/// True if every edge has two faces, which run along it in opposite directions, and every part has a positive volume.
fn shells_look_outwards(mesh: &Mesh) -> bool {
    let (vertices, faces) = (mesh.vertices(), mesh.faces());
    let welded = weld::exact(vertices, |_| true);
    // Edges with the face that runs along them in this direction, ascending.
    let mut edges = Vec::with_capacity(3 * faces.len());
    for (i, face) in faces.iter().enumerate() {
        let [a, b, c] = face.map(|v| welded[v as usize]);
        edges.extend([(a, b, i), (b, c, i), (c, a, i)]);
    }
    edges.sort_unstable();
    let is_named_twice = |pair: &[(u32, u32, usize)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
    if edges.iter().any(|edge| edge.0 == edge.1) || edges.windows(2).any(is_named_twice) {
        return false;
    }
    let mut is_seen = vec![false; faces.len()];
    for first in 0..faces.len() {
        if is_seen[first] {
            continue;
        }
        is_seen[first] = true;
        let origin = vertices[faces[first][0] as usize];
        let (mut open, mut volume, mut size) = (vec![first], 0.0, 0.0);
        while let Some(face) = open.pop() {
            let [p, q, r] = faces[face].map(|v| vertices[v as usize] - origin);
            volume += p.dot(q.cross(r));
            size += p.length() * q.length() * r.length();
            let [a, b, c] = faces[face].map(|v| welded[v as usize]);
            for edge in [(b, a), (c, b), (a, c)] {
                let Ok(at) = edges.binary_search_by(|other| (other.0, other.1).cmp(&edge)) else {
                    return false;
                };
                let next = edges[at].2;
                if !is_seen[next] {
                    is_seen[next] = true;
                    open.push(next);
                }
            }
        }
        // Rounding of the products and of their sum.
        if !(volume > ROUNDING * faces.len() as f64 * size) {
            return false;
        }
    }
    true
}

/// Relative rounding of a product of three vectors, and more.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Vec3;
    use freiraum_testkit::bumpy::Surface;
    use freiraum_testkit::nasty;
    use freiraum_testkit::random::Random;

    fn check((vertices, faces): Surface, expected: bool) {
        let tree = MeshTree::build(Mesh::new(vertices, faces).unwrap());
        assert_eq!(is_outward(&tree), expected);
    }

    fn both(mut one: Surface, (vertices, faces): Surface, shift: Vec3) -> Surface {
        let first = one.0.len() as u32;
        one.0.extend(vertices.into_iter().map(|p| p + shift));
        one.1.extend(faces.into_iter().map(|f| f.map(|v| v + first)));
        one
    }

    #[test]
    fn solids_only() {
        let plate = || nasty::plate(2.0, 1.0, 1e-5);
        let inside_out =
            |(vertices, faces): Surface| (vertices, faces.iter().map(|[a, b, c]| [*a, *c, *b]).collect());
        check(plate(), true);
        check(nasty::needle(1.0, 1e-4), true);
        check(nasty::star(&mut Random::new(1), 3, 0.3), true);
        check(nasty::hoop(0.5, 1.0, 0.3, 7), true);
        check(inside_out(plate()), false);
        check(both(plate(), plate(), Vec3::Y * 3.0), true);
        check(both(plate(), inside_out(nasty::plate(0.2, 0.1, 0.1)), Vec3::Y * 3.0), false);
        // Through each other, or with an edge or a face in common.
        check(both(plate(), nasty::plate(0.1, 0.1, 0.1), Vec3::ZERO), false);
        check(both(plate(), plate(), Vec3::Y), false);
        check(both(plate(), plate(), Vec3::new(2.0, 1.0, 0.0)), false);
        // Open.
        let (vertices, mut faces) = plate();
        faces.pop();
        check((vertices, faces), false);
        check(nasty::soup(&mut Random::new(1), 5, 0.1), false);
    }

    #[test]
    fn loose_triangles_are_welded() {
        let (vertices, faces) = nasty::plate(2.0, 1.0, 0.1);
        let loose: Vec<Vec3> = faces.iter().flatten().map(|v| vertices[*v as usize]).collect();
        let faces = (0..loose.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        check((loose, faces), true);
    }
}
