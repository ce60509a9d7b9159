//! Faces that should not be there: without area, or there twice.

use super::topology::{Topology, repeats_vertex};
use super::{Mesh, topology::NOWHERE};
use crate::math::UnionFind;
use crate::math::Vec3;
use crate::math::predicates::are_collinear;
use std::collections::{BTreeSet, HashMap};

/// True if the face names a vertex twice or its corners lie exactly on one line.
pub(super) fn has_no_area(mesh: &Mesh, face: usize) -> bool {
    repeats_vertex(mesh.faces()[face]) || is_flat(mesh.triangle(face))
}

fn is_flat([a, b, c]: [Vec3; 3]) -> bool {
    are_collinear(a, b, c)
}

/// Groups of two or more faces with the same three vertices, each ascending, in the order of their vertices.
/// Faces that name a vertex twice are in no group.
pub(super) fn same_vertices(mesh: &Mesh, topology: &Topology) -> Vec<Vec<u32>> {
    let key = |face: u32| {
        let mut corners = mesh.faces()[face as usize];
        corners.sort_unstable();
        corners
    };
    // Faces with the same vertices share every edge; so one edge of each face is enough to find the candidates.
    let may_repeat = |face: &u32| {
        let Some([edge, ..]) = topology.face_edges(*face as usize) else { return false };
        match topology.edge_uses(edge as usize) {
            [_] => false,
            [f, g] => key(f.face()) == key(g.face()),
            _ => true,
        }
    };
    let mut candidates: Vec<([u32; 3], u32)> =
        (0..mesh.faces().len() as u32).filter(may_repeat).map(|face| (key(face), face)).collect();
    candidates.sort_unstable();
    let groups = candidates.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|(_, face)| *face).collect()).collect()
}

/// True if the corners are the ascending ones in cyclic order.
fn is_even([a, b, c]: [u32; 3]) -> bool {
    (a < b) as u8 + (b < c) as u8 + (c < a) as u8 == 2
}

/// Which faces to drop so that none is there twice, ascending. Call again until nothing is left to drop.
///
/// Of faces with one winding in the majority, one of those stays. Where as many run one way as the other, they
/// enclose nothing: connected ones among them that are a wall between solids, or a fin on one, go altogether, if that leaves no
/// edge open which was not; else (a hole covered twice, a sheet with two sides) the first of each stays.
pub(super) fn surplus(mesh: &Mesh, topology: &Topology) -> Vec<u32> {
    let faces = mesh.faces();
    let groups = same_vertices(mesh, topology);
    let mut drop: Vec<u32> = Vec::new();
    let mut balanced: Vec<&[u32]> = Vec::new();
    for group in &groups {
        let even = group.iter().filter(|&&f| is_even(faces[f as usize])).count();
        if 2 * even == group.len() {
            balanced.push(group);
            continue;
        }
        let wanted = 2 * even > group.len();
        let kept = group.iter().find(|&&f| is_even(faces[f as usize]) == wanted);
        drop.extend(group.iter().filter(|f| Some(*f) != kept));
    }
    // The balanced ones are judged by what is around them, so the others must have gone before.
    if drop.is_empty() && !balanced.is_empty() {
        drop = surplus_balanced(mesh, topology, &balanced);
    }
    drop.sort_unstable();
    drop
}

fn surplus_balanced(mesh: &Mesh, topology: &Topology, groups: &[&[u32]]) -> Vec<u32> {
    let mut group_of_face = vec![NOWHERE; mesh.faces().len()];
    for (group, number) in groups.iter().zip(0..) {
        group.iter().for_each(|&face| group_of_face[face as usize] = number);
    }
    // Groups that share an edge belong together. Each edge is looked at once: there may be very many faces at it.
    let mut sets = UnionFind::new(groups.len());
    let mut edges: Vec<(u32, usize)> = Vec::new();
    for edge in 0..topology.edges().len() {
        let at_edge = topology.edge_uses(edge).iter().map(|u| group_of_face[u.face() as usize]);
        let Some(first) = at_edge.clone().find(|&g| g != NOWHERE) else { continue };
        at_edge.clone().filter(|&g| g != NOWHERE).for_each(|g| {
            sets.join(first, g);
        });
        edges.push((first, at_edge.filter(|&g| g == NOWHERE).count()));
    }
    let (labels, count) = sets.labels(|_| true);
    let (mut closes, mut stands_on) = (vec![false; count as usize], vec![false; count as usize]);
    for (group, other_faces) in edges {
        let set = labels[group as usize] as usize;
        closes[set] |= other_faces % 2 == 1;
        stands_on[set] |= other_faces > 0;
    }
    let dropped = |(group, &set): (&&[u32], &u32)| {
        let goes = stands_on[set as usize] && !closes[set as usize];
        group[usize::from(!goes)..].to_vec()
    };
    groups.iter().zip(&labels).flat_map(dropped).collect()
}

/// What [`remove_flat`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FlatFaces {
    /// Faces dropped at the border of the surface.
    pub(super) dropped: usize,
    /// Faces removed by turning the edge they share with a neighbour.
    pub(super) turned: usize,
}

/// Removes faces whose corners lie exactly on one line, where that can be done without opening an edge.
///
/// Such a face has its middle corner on its longest edge. If that edge is open, or two edges are, the face goes. Else the
/// neighbour across the longest edge is split at the middle corner, which changes neither surface nor volume. Faces at
/// irregular edges, and those whose neighbour is flat too and cannot be helped, stay. It ends because every turned edge
/// leaves one flat face less, or flat faces with shorter edges.
pub(super) fn remove_flat(mesh: &Mesh, topology: &Topology, faces: &mut Vec<[u32; 3]>) -> FlatFaces {
    let vertices = mesh.vertices();
    let corners = |face: [u32; 3]| face.map(|v| vertices[v as usize]);
    let mut waiting: Vec<u32> =
        (0..faces.len() as u32).rev().filter(|&f| is_flat(corners(faces[f as usize]))).collect();
    let mut done = FlatFaces::default();
    let mut is_dropped = vec![false; if waiting.is_empty() { 0 } else { faces.len() }];
    let mut neighbours = Neighbours { topology, known: HashMap::new() };
    while let Some(f) = waiting.pop() {
        let face = faces[f as usize];
        if is_dropped[f as usize] || repeats_vertex(face) || !is_flat(corners(face)) {
            continue;
        }
        // Two corners in one place are for welding to solve.
        let Some([a, b, c]) = middle_second(vertices, face) else { continue };
        let sides = [[a, b], [b, c], [c, a]];
        let open = sides.map(|[p, q]| neighbours.at(p, q).len() == 1);
        if open[2] || (open[0] && open[1]) {
            for [p, q] in sides {
                neighbours.at(p, q).remove(&f);
                waiting.extend(neighbours.helped(p, q));
            }
            is_dropped[f as usize] = true;
            done.dropped += 1;
            continue;
        }
        // The neighbour runs from a to c, as this face runs from c to a.
        let across = neighbours.at(a, c);
        let Some(&g) = across.iter().find(|&&g| g != f).filter(|_| across.len() == 2) else { continue };
        let neighbour = faces[g as usize];
        let Some(k) = (0..3).find(|&k| neighbour[k] == a && neighbour[(k + 1) % 3] == c) else { continue };
        let d = neighbour[(k + 2) % 3];
        // Two flat faces on either side of their longest edge make two with shorter ones; a flat neighbour that lies
        // otherwise has to be helped first.
        let is_ready = !is_flat(corners(neighbour))
            || vertices[b as usize] != vertices[d as usize]
                && middle_second(vertices, neighbour).is_some_and(|[_, middle, _]| middle == d);
        if d == b || !is_ready || !neighbours.at(b, d).is_empty() {
            continue;
        }
        faces[f as usize] = [a, b, d];
        faces[g as usize] = [b, c, d];
        neighbours.at(a, c).clear();
        neighbours.at(b, d).extend([f, g]);
        for (p, q, from, to) in [(b, c, f, g), (d, a, g, f)] {
            neighbours.at(p, q).remove(&from);
            neighbours.at(p, q).insert(to);
        }
        for [p, q] in [[a, b], [b, c], [c, d], [d, a]] {
            waiting.extend(neighbours.helped(p, q));
        }
        done.turned += 1;
    }
    let mut index = 0;
    faces.retain(|_| {
        index += 1;
        !is_dropped.get(index - 1).is_some_and(|d| *d)
    });
    done
}

/// The corners of a face on a line, rotated so that the second lies between the others; `None` if two are in one place.
fn middle_second(vertices: &[Vec3], face: [u32; 3]) -> Option<[u32; 3]> {
    // On a line, comparing the coordinates one after the other sorts the points.
    let before = |p: u32, q: u32| vertices[p as usize].to_array() < vertices[q as usize].to_array();
    let [p, q, r] = face;
    let rotations = [[p, q, r], [q, r, p], [r, p, q]];
    rotations.into_iter().find(|&[a, b, c]| (before(a, b) && before(b, c)) || (before(c, b) && before(b, a)))
}

/// The faces at each edge while faces change.
struct Neighbours<'t> {
    topology: &'t Topology,
    /// Those that were asked for. Sets, because an edge may have very many faces.
    known: HashMap<[u32; 2], BTreeSet<u32>>,
}

impl Neighbours<'_> {
    fn at(&mut self, p: u32, q: u32) -> &mut BTreeSet<u32> {
        self.known.entry([p.min(q), p.max(q)]).or_insert_with(|| {
            let uses = self.topology.edge_between(p, q).map(|e| self.topology.edge_uses(e as usize));
            uses.into_iter().flatten().map(|u| u.face()).collect()
        })
    }

    /// The faces that a change at this edge may help: none where many are left.
    fn helped(&mut self, p: u32, q: u32) -> impl Iterator<Item = u32> {
        let faces = self.at(p, q);
        let count = if faces.len() <= 2 { faces.len() } else { 0 };
        faces.iter().take(count).copied()
    }
}
