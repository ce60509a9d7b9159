//! Whether a mesh bounds a solid, and the parts it is made of.

use super::MeshTree;
use freiraum_geometry::Mesh;
use freiraum_geometry::mesh::weld;

/// Whether a mesh has an inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// Every edge is run along equally often in both directions: the mesh bounds a solid.
    Solid,
    /// Every edge has an even number of faces, but some are turned the wrong way: the mesh bounds a solid, though its
    /// normals do not tell on which side.
    Unoriented,
    /// Some edge has an odd number of faces: the mesh is a surface without an inside.
    Open,
}

/// What [`MeshTree`] finds out when it is first asked about the inside.
#[derive(Clone, Debug)]
pub(super) struct Shells {
    pub(super) closure: Closure,
    /// A vertex of each part of the mesh, ascending.
    pub(super) samples: Vec<u32>,
}

impl MeshTree {
    /// Whether the mesh has an inside.
    ///
    /// Vertices with equal coordinates count as one, so the loose triangles of an STL file can be closed too. Faces that
    /// name a corner twice do not count. **Cost.** O(n log n) the first time.
    pub fn closure(&self) -> Closure {
        self.shells().closure
    }

    pub(super) fn shells(&self) -> &Shells {
        self.shells.get_or_init(|| Shells::of(&self.mesh))
    }
}

impl Shells {
    fn of(mesh: &Mesh) -> Shells {
        let welded = weld::exact(mesh.vertices(), |_| true);
        let mut parent: Vec<u32> = (0..mesh.vertices().len() as u32).collect();
        let mut edges = Vec::with_capacity(3 * mesh.faces().len());
        let mut is_used = vec![false; mesh.vertices().len()];
        for face in mesh.faces() {
            let [a, b, c] = face.map(|v| welded[v as usize]);
            [a, b, c].iter().for_each(|&v| is_used[v as usize] = true);
            join(&mut parent, a, b);
            join(&mut parent, b, c);
            if a != b && b != c && c != a {
                edges.extend([(a, b), (b, c), (c, a)].map(|(v, w)| (v.min(w), v.max(w), v < w)));
            }
        }
        edges.sort_unstable();
        let mut closure = Closure::Solid;
        for uses in edges.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)) {
            let forward = uses.iter().filter(|e| e.2).count();
            if uses.len() % 2 == 1 {
                closure = Closure::Open;
                break;
            }
            if 2 * forward != uses.len() {
                closure = Closure::Unoriented;
            }
        }
        if edges.is_empty() {
            closure = Closure::Open;
        }
        let vertices = 0..mesh.vertices().len() as u32;
        let samples = vertices.filter(|&v| is_used[v as usize] && root(&mut parent, v) == v).collect();
        Shells { closure, samples }
    }
}

/// Joins the trees of two vertices, the smaller root on top.
fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

fn root(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        let up = parent[parent[v as usize] as usize];
        parent[v as usize] = up;
        v = up;
    }
    v
}
