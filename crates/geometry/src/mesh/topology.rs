//! Who is next to whom: edges with their faces, faces round a vertex, components, folds.

use super::Mesh;
use super::radial::is_opposite;
use crate::math::UnionFind;
use crate::math::Vec3;
use crate::math::predicates::side_of_plane;
use crate::tolerance::COPLANAR_FOLD_ANGLE;
use std::cmp::Ordering;

/// Edges and neighbours of a mesh, all by index into the mesh it was built from.
///
/// A face that names one vertex twice has no edges and belongs to no star and no component: it is nowhere. A face with
/// three vertices on one line is a face like any other here. **Cost.** Built in O(n) for meshes whose vertices have
/// bounded degree, O(n log n) at worst; about 55 bytes per face are kept. The same mesh gives the same numbering on every run.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    edges: Vec<[u32; 2]>,
    edge_starts: Vec<u32>,
    edge_uses: Vec<EdgeUse>,
    edge_kinds: Vec<EdgeKind>,
    face_edges: Vec<[u32; 3]>,
    star_starts: Vec<u32>,
    star_faces: Vec<u32>,
    components: Vec<u32>,
    component_count: u32,
    /// Empty when there is no edge of more than two faces: then every component is one shell.
    shells: Vec<u32>,
    shell_count: u32,
}

/// Marks faces that are nowhere.
pub(super) const NOWHERE: u32 = u32::MAX;

/// One face at an edge, with the direction in which it runs along the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeUse(u32);

impl EdgeUse {
    fn new(face: usize, forward: bool) -> EdgeUse {
        EdgeUse((face as u32) << 1 | u32::from(forward))
    }

    /// Index of the face.
    pub fn face(self) -> u32 {
        self.0 >> 1
    }

    /// True if the face runs from the smaller vertex index of the edge to the larger.
    pub fn is_forward(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What the surface does at an edge, seen from the side the normals point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// Two faces in one plane: folded by no more than [`COPLANAR_FOLD_ANGLE`], or exactly coplanar. Not a feature.
    Flat,
    /// Two faces that fall away from the edge, as on a box. A pair folded back onto itself counts as convex.
    Convex,
    /// Two faces that rise from the edge, as in a notch.
    Concave,
    /// One face alone.
    Open,
    /// More than two faces, or two that run along the edge in the same direction.
    Irregular,
}

impl Topology {
    /// The topology of a mesh.
    pub fn of(mesh: &Mesh) -> Topology {
        let faces = mesh.faces();
        let (edges, edge_starts, edge_uses, face_edges) = edges(mesh);
        let (star_starts, star_faces) = stars(mesh);
        let mut topology = Topology {
            edges,
            edge_starts,
            edge_uses,
            edge_kinds: Vec::new(),
            face_edges,
            star_starts,
            star_faces,
            components: Vec::new(),
            component_count: 0,
            shells: Vec::new(),
            shell_count: 0,
        };
        (topology.components, topology.component_count) = topology.joined(faces.len(), |_| true);
        topology.shell_count = topology.component_count;
        if (0..topology.edges.len()).any(|e| topology.edge_uses(e).len() > 2) {
            (topology.shells, topology.shell_count) = topology.joined(faces.len(), |uses| uses == 2);
        }
        topology.edge_kinds = edge_kinds(mesh, &topology);
        topology
    }

    /// The vertices of every edge, smaller index first; edges in ascending order.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The edge between two vertices, whichever order; `None` if no face has it. **Cost.** O(log n).
    pub fn edge_between(&self, a: u32, b: u32) -> Option<u32> {
        self.edges.binary_search(&[a.min(b), a.max(b)]).ok().map(|edge| edge as u32)
    }

    /// The faces at an edge, ascending. Two in opposite directions on a proper surface. Panics if there is no such edge.
    pub fn edge_uses(&self, edge: usize) -> &[EdgeUse] {
        &self.edge_uses[self.edge_starts[edge] as usize..self.edge_starts[edge + 1] as usize]
    }

    /// What the surface does at an edge. Panics if there is no such edge.
    ///
    /// **Guarantee.** Convex or concave is exact. Flat within [`COPLANAR_FOLD_ANGLE`]; where a face is too thin to have a
    /// normal, only exactly coplanar neighbours are flat, so an edge is rather called a feature than lost.
    pub fn edge_kind(&self, edge: usize) -> EdgeKind {
        self.edge_kinds[edge]
    }

    /// The edges that are features, ascending: all but the flat ones.
    pub fn feature_edges(&self) -> impl Iterator<Item = u32> {
        let kinds = self.edge_kinds.iter().zip(0..);
        kinds.filter(|(kind, _)| **kind != EdgeKind::Flat).map(|(_, edge)| edge)
    }

    /// The edges of a face, from corner 0 to 1, 1 to 2 and 2 to 0; `None` if the face names a vertex twice. Panics if there
    /// is no such face.
    pub fn face_edges(&self, face: usize) -> Option<[u32; 3]> {
        Some(self.face_edges[face]).filter(|e| e[0] != NOWHERE)
    }

    /// The faces round a vertex, ascending; empty for an unused vertex. Panics if there is no such vertex.
    pub fn vertex_faces(&self, vertex: usize) -> &[u32] {
        &self.star_faces[self.star_starts[vertex] as usize..self.star_starts[vertex + 1] as usize]
    }

    /// The number of components: faces connected through shared edges.
    pub fn component_count(&self) -> usize {
        self.component_count as usize
    }

    /// The component of a face, counted in the order of their first faces; `None` if the face names a vertex twice.
    /// Panics if there is no such face.
    pub fn component(&self, face: usize) -> Option<u32> {
        Some(self.components[face]).filter(|&c| c != NOWHERE)
    }

    /// The number of shells: faces connected through edges of exactly two faces. As many as components, or more
    /// where edges have more than two faces.
    pub fn shell_count(&self) -> usize {
        self.shell_count as usize
    }

    /// The shell of a face, counted in the order of their first faces; `None` if the face names a vertex twice. Panics if
    /// there is no such face.
    pub fn shell(&self, face: usize) -> Option<u32> {
        let of_faces = if self.shells.is_empty() { &self.components } else { &self.shells };
        Some(of_faces[face]).filter(|&s| s != NOWHERE)
    }

    /// For every corner (three per face) the smallest corner of its fan: corners of one vertex whose faces are connected
    /// through edges at that vertex. A proper vertex has one fan. At an edge of more than two faces, `pairs` says which of
    /// them are connected.
    pub(super) fn fans(&self, mesh: &Mesh, pairs: impl Fn(usize) -> Vec<[u32; 2]>) -> Vec<u32> {
        let faces = mesh.faces();
        let mut sets = UnionFind::new(3 * faces.len());
        for (e, ends) in self.edges.iter().enumerate() {
            let mut join = |f: u32, g: u32| {
                for end in ends {
                    sets.join(corner_of(faces, f, *end), corner_of(faces, g, *end));
                }
            };
            match self.edge_uses(e) {
                [_] => {}
                [f, g] => join(f.face(), g.face()),
                _ => pairs(e).into_iter().for_each(|[f, g]| join(f, g)),
            }
        }
        (0..3 * faces.len() as u32).map(|c| sets.root(c)).collect()
    }

    /// For [`Topology::fans`]: all faces at an edge are connected.
    pub(super) fn all_connected(&self, edge: usize) -> Vec<[u32; 2]> {
        self.edge_uses(edge).windows(2).map(|pair| [pair[0].face(), pair[1].face()]).collect()
    }

    /// Labels of the faces joined through those edges whose number of faces `accepts`.
    fn joined(&self, faces: usize, accepts: impl Fn(usize) -> bool) -> (Vec<u32>, u32) {
        let mut sets = UnionFind::new(faces);
        for e in 0..self.edges.len() {
            let uses = self.edge_uses(e);
            if accepts(uses.len()) {
                uses.windows(2).for_each(|pair| {
                    sets.join(pair[0].face(), pair[1].face());
                });
            }
        }
        sets.labels(|face| self.face_edges[face][0] != NOWHERE)
    }
}

/// True if the face names one vertex twice.
pub(super) fn repeats_vertex([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// The number of the corner of `face` at `vertex`.
pub(super) fn corner_of(faces: &[[u32; 3]], face: u32, vertex: u32) -> u32 {
    let corners = faces[face as usize];
    3 * face + if corners[0] == vertex { 0 } else { 1 + u32::from(corners[1] != vertex) }
}

/// Offsets into a list grouped by bucket, from the size of each bucket; one more than there are buckets.
pub(super) fn starts(sizes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut total = 0;
    let mut starts: Vec<u32> = vec![0];
    starts.extend(sizes.map(|size| {
        total += size;
        total
    }));
    starts
}

type Edges = (Vec<[u32; 2]>, Vec<u32>, Vec<EdgeUse>, Vec<[u32; 3]>);

fn edges(mesh: &Mesh) -> Edges {
    let faces = mesh.faces();
    let sides = || {
        let proper = faces.iter().enumerate().filter(|(_, f)| !repeats_vertex(**f));
        proper.flat_map(|(face, &[a, b, c])| [(face, a, b), (face, b, c), (face, c, a)])
    };
    // A counting sort by the smaller vertex; within it, by the larger vertex and the face.
    let mut sizes = vec![0; mesh.vertices().len()];
    sides().for_each(|(_, a, b)| sizes[a.min(b) as usize] += 1);
    let bucket_starts = starts(sizes.into_iter());
    let mut fill = bucket_starts.clone();
    let mut sorted = vec![0u64; bucket_starts[mesh.vertices().len()] as usize];
    for (face, a, b) in sides() {
        let slot = &mut fill[a.min(b) as usize];
        sorted[*slot as usize] = u64::from(a.max(b)) << 32 | u64::from(EdgeUse::new(face, a < b).0);
        *slot += 1;
    }
    drop(fill);

    let mut edges: Vec<[u32; 2]> = Vec::with_capacity(sorted.len() / 2 + 1);
    let mut edge_starts = Vec::with_capacity(sorted.len() / 2 + 2);
    let mut uses = Vec::with_capacity(sorted.len());
    let mut face_edges = vec![[NOWHERE; 3]; faces.len()];
    for (low, range) in (0..).zip(bucket_starts.windows(2)) {
        let bucket = &mut sorted[range[0] as usize..range[1] as usize];
        bucket.sort_unstable();
        for (i, &entry) in bucket.iter().enumerate() {
            let edge = [low, (entry >> 32) as u32];
            if i == 0 || (bucket[i - 1] >> 32) as u32 != edge[1] {
                edges.push(edge);
                edge_starts.push(uses.len() as u32);
            }
            let edge_use = EdgeUse(entry as u32);
            uses.push(edge_use);
            let from = if edge_use.is_forward() { edge[0] } else { edge[1] };
            let corner = corner_of(faces, edge_use.face(), from) % 3;
            face_edges[edge_use.face() as usize][corner as usize] = edges.len() as u32 - 1;
        }
    }
    edge_starts.push(uses.len() as u32);
    (edges, edge_starts, uses, face_edges)
}

fn stars(mesh: &Mesh) -> (Vec<u32>, Vec<u32>) {
    let corners = || {
        let proper = mesh.faces().iter().zip(0u32..).filter(|(f, _)| !repeats_vertex(**f));
        proper.flat_map(|(f, face)| f.map(|v| (v, face)))
    };
    let mut sizes = vec![0; mesh.vertices().len()];
    corners().for_each(|(v, _)| sizes[v as usize] += 1);
    let star_starts = starts(sizes.into_iter());
    let mut fill = star_starts.clone();
    let mut star_faces = vec![0; star_starts[mesh.vertices().len()] as usize];
    for (v, face) in corners() {
        star_faces[fill[v as usize] as usize] = face;
        fill[v as usize] += 1;
    }
    (star_starts, star_faces)
}

fn edge_kinds(mesh: &Mesh, topology: &Topology) -> Vec<EdgeKind> {
    let normals: Vec<Vec3> = mesh.triangles().map(reliable_normal).collect();
    let kind = |edge: usize| match topology.edge_uses(edge) {
        [_] => EdgeKind::Open,
        [f, g] if f.is_forward() != g.is_forward() => {
            let (n, m) = (normals[f.face() as usize], normals[g.face() as usize]);
            let fold = n.cross(m).length().atan2(n.dot(m));
            let has_fold = n != Vec3::ZERO && m != Vec3::ZERO;
            if has_fold && fold <= COPLANAR_FOLD_ANGLE {
                return EdgeKind::Flat;
            }
            exact_kind(mesh, topology.edges()[edge], *f, *g)
        }
        _ => EdgeKind::Irregular,
    };
    (0..topology.edges().len()).map(kind).collect()
}

/// A unit normal, or zero where rounding could turn it by a noticeable part of the fold angle.
fn reliable_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    // The cross product is off by at most a few units in the last place of |u||v|; an eighth of the angle is accepted.
    let noise = 8.0 * f64::EPSILON * u.length() * v.length();
    if normal.length() * COPLANAR_FOLD_ANGLE > 8.0 * noise {
        normal.try_normalize().unwrap_or(Vec3::ZERO)
    } else {
        Vec3::ZERO
    }
}

/// The kind of an edge between two faces that run along it in opposite directions, by exact signs.
fn exact_kind(mesh: &Mesh, edge: [u32; 2], f: EdgeUse, g: EdgeUse) -> EdgeKind {
    let [a, b, c] = mesh.triangle(f.face() as usize);
    let point = |v: u32| mesh.vertices()[v as usize];
    let tip = |u: EdgeUse| {
        let [p, q, r] = mesh.faces()[u.face() as usize];
        point(if !edge.contains(&p) {
            p
        } else if !edge.contains(&q) {
            q
        } else {
            r
        })
    };
    match side_of_plane(a, b, c, tip(g)) {
        Ordering::Less => EdgeKind::Convex,
        Ordering::Greater => EdgeKind::Concave,
        // Coplanar: flat if the tips lie on different sides of the edge.
        Ordering::Equal if is_opposite(edge.map(point), tip(f), tip(g)) => EdgeKind::Flat,
        Ordering::Equal => EdgeKind::Convex,
    }
}
