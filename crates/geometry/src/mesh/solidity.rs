//! Which parts of a mesh bound a solid, judged shell by shell from the whole surface.
//!
//! **Definition.** *A shell is a set of faces that hang together through edges; vertices with equal coordinates are one. It is sound if
//! it is closed and consistently wound: every edge is run along as often in the one direction as in the other.* What keeps a surface from
//! being sound although a person would call it a solid is mended first, for the question of inside and outside alone:
//!
//! 1. Faces that cancel (the same corners, opposite winding) are taken out. They bound nothing, and are judged as an open surface.
//! 2. Cracks and T-junctions are closed, at open edges only: up to [`CRACK_RELATIVE`] times the diagonal of the open pieces that lie near each other, and
//!    no wider than [`LOCAL_CRACK_RELATIVE`] times that of each of the connected pieces at its rims. What else the mesh has does not matter.
//! 3. Faces beside a solid that hang on it by an edge (fins) are told from it: they are an open surface of their own.
//! 4. Where a shell is not balanced, faces that repeat another one are left out; then faces that are turned against their neighbours
//!    are turned, if that can be done without contradiction.
//! 5. A sound shell that is wound inwards and is no cavity of a shell around it is turned round.
//!    A shell inside of another one may be a cavity or a solid if the outer one was turned, or if faces of the inner one were turned. It is an
//!    open surface then.
//! 6. A shell that is thinner on average than a crack, or has no volume, is a surface that was written twice, and bounds nothing. So is a solid that is
//!    hollow up to a wall thinner than a crack.
//!
//! What is sound after that has a winding number. The rest is an open surface: *points in the convex hull of a connected piece of it may
//! be inside of the body that was meant; points outside of all hulls are not.* Pieces that lie near each other, by no more than the smaller
//! one is large, are one piece, so that walls with gaps between them do not pass for separate sheets.

use super::{Mesh, nesting, weld};
use crate::math::UnionFind;
use crate::math::{Aabb, Vec3};
use crate::shape::Convex;
use crate::tolerance::{CRACK_RELATIVE, LOCAL_CRACK_RELATIVE};

/// What a mesh bounds; see the [definition](self).
#[derive(Clone, Debug)]
pub struct Solidity {
    /// The shell of each face of the sound surface.
    shells: Vec<u32>,
    /// Whether the sound shells, in the order of their numbers, are wound as cavities.
    cavities: Vec<bool>,
    /// Whether no edge of the sound shells has more than two faces.
    manifold: Vec<bool>,
    surface: SoundSurface,
    pieces: Vec<OpenPiece>,
    /// The largest gap that was closed, in metres.
    closed_gap: f64,
    patches: Vec<Patch>,
    turned_shells: usize,
    turned_faces: usize,
    /// True if no crack was closed and no face with an area left out.
    is_only_turned: bool,
    /// True if no crack was closed, and no face turned, left out or told from a solid.
    is_as_written: bool,
}

/// The faces that bound solids.
#[derive(Clone, Debug, PartialEq)]
pub enum SoundSurface {
    /// All faces of the mesh as they are; or all of them turned round, which is the same to whoever asks whether a winding number is 0.
    Whole,
    /// These: closed, and wound so that solids have positive winding numbers and cavities take away from what is around them.
    Part(Box<Mesh>),
    /// There is none.
    None,
}

/// A face of a sound surface that is not where the mesh has it, because a crack was closed beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Its corners among those of the mesh.
    pub corners: [u32; 3],
    /// The face of the mesh that it is, or is a part of.
    pub written: u32,
}

/// Why a piece of surface bounds no solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolidityFault {
    /// It has edges of one face.
    Open,
    /// Its faces come in pairs of opposite winding.
    Doubled,
    /// It cannot be wound consistently: faces are turned against each other whichever way they are turned, or more than two meet at
    /// edges so that inside and outside cannot be told.
    Winding,
}

impl SolidityFault {
    /// The name for machines, which does not change: `open`, `doubled`, `winding`.
    pub fn name(self) -> &'static str {
        match self {
            SolidityFault::Open => "open",
            SolidityFault::Doubled => "doubled",
            SolidityFault::Winding => "winding",
        }
    }

    /// What is wrong, as a phrase: "its surface ...".
    pub fn words(self) -> &'static str {
        match self {
            SolidityFault::Open => "is open",
            SolidityFault::Doubled => "has faces twice, with opposite winding",
            SolidityFault::Winding => "is wound so that inside and outside cannot be told",
        }
    }
}

/// A connected piece of surface that bounds no solid.
#[derive(Clone, Debug)]
pub struct OpenPiece {
    /// What is wrong with it; the first that applies.
    pub fault: SolidityFault,
    /// Around it.
    pub bounds: Aabb,
    /// Its convex hull; `None` for a flat piece, in which nothing can be.
    pub hull: Option<Convex>,
    /// The ends of some edges where it is wrong, at most [`MAX_PLACES`]; of doubled faces their edges.
    pub places: Vec<[Vec3; 2]>,
    /// How many such edges there are.
    pub place_count: usize,
}

/// How many places an [`OpenPiece`] names.
pub const MAX_PLACES: usize = 16;

/// More pieces than this are taken together as one, so that comparing them costs nothing.
pub const MOST_PIECES: usize = 256;

/// A face while it is judged.
#[derive(Clone, Copy)]
struct Face {
    corners: [u32; 3],
    /// How far its corners were moved, or other corners lie beside its edges.
    gap: f64,
    /// The face of the mesh that it is, or is a part of.
    written: u32,
}

/// One use of an edge: smaller vertex, larger one, twice the face plus one if it runs from the smaller to the larger.
type Use = (u32, u32, u32);

fn face_of(edge_use: &Use) -> usize {
    (edge_use.2 >> 1) as usize
}

fn is_forward(edge_use: &Use) -> bool {
    edge_use.2 & 1 == 1
}

/// The uses of all edges of the faces that count, sorted.
fn edge_uses(faces: &[Face], counts: impl Fn(usize) -> bool) -> Vec<Use> {
    let mut uses = Vec::with_capacity(3 * faces.len());
    for (i, face) in faces.iter().enumerate() {
        if counts(i) {
            let [a, b, c] = face.corners;
            let number = (i as u32) << 1;
            uses.extend(
                [(a, b), (b, c), (c, a)].map(|(v, w)| (v.min(w), v.max(w), number | u32::from(v < w))),
            );
        }
    }
    uses.sort_unstable();
    uses
}

fn edges(uses: &[Use]) -> impl Iterator<Item = &[Use]> {
    uses.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1))
}

fn is_balanced(edge: &[Use]) -> bool {
    2 * edge.iter().filter(|e| is_forward(e)).count() == edge.len()
}

impl Solidity {
    /// Judges a mesh. **Cost.** O(n log n). **Degenerate input.** Faces that name a corner twice, exactly welded, do not count.
    pub fn of(mesh: &Mesh) -> Solidity {
        Judge::new(mesh).judge()
    }

    /// The faces that bound solids.
    pub fn surface(&self) -> &SoundSurface {
        &self.surface
    }

    /// The sound shell of each face of the sound surface, numbered as there; `None` for faces that do not count.
    pub fn shell(&self, face: u32) -> Option<u32> {
        Some(self.shells[face as usize]).filter(|s| *s != NOWHERE)
    }

    /// The number of sound shells.
    pub fn shell_count(&self) -> usize {
        self.cavities.len()
    }

    /// True if a sound shell is wound as a cavity.
    pub fn is_cavity(&self, shell: u32) -> bool {
        self.cavities[shell as usize]
    }

    /// True if no edge of a sound shell has more than two faces. Where edges have more, shells may be wound against each other,
    /// so that a point between them has the winding number 0.
    pub fn is_manifold(&self, shell: u32) -> bool {
        self.manifold[shell as usize]
    }

    /// The pieces that bound no solid.
    pub fn pieces(&self) -> &[OpenPiece] {
        &self.pieces
    }

    /// True if every face belongs to a sound shell, perhaps after cracks were closed and faces turned.
    pub fn is_sound(&self) -> bool {
        self.pieces.is_empty() && self.surface != SoundSurface::None
    }

    /// True if the faces bound solids just as they are written, so that whatever passes through them enters as often as it leaves: every edge is
    /// run along as often in the one direction as in the other, and faces that cancel lie in planes, as walls between solids do. Shells may be inside out.
    pub fn is_closed_as_written(&self) -> bool {
        let is_wall = |piece: &OpenPiece| piece.hull.is_none();
        self.is_as_written && self.surface != SoundSurface::None && self.pieces.iter().all(is_wall)
    }

    /// True if the sound surface has every face of the mesh that has an area, and each where it is written, though some may be turned round.
    pub fn is_only_turned(&self) -> bool {
        self.is_only_turned
    }

    /// The largest crack that was closed, in metres; 0 if there was none.
    pub fn closed_gap(&self) -> f64 {
        self.closed_gap
    }

    /// The faces beside cracks that were closed, as the closed surface has them: together with the faces as
    /// they are written they leave no way in.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// How many sound shells were turned round because they are inside out.
    pub fn turned_shells(&self) -> usize {
        self.turned_shells
    }

    /// How many faces were turned because they are wound against their neighbours.
    pub fn turned_faces(&self) -> usize {
        self.turned_faces
    }
}

const NOWHERE: u32 = u32::MAX;

/// What becomes of a face.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Counts,
    /// Has no area even before rounding, or repeats another one.
    Dropped,
    Open(SolidityFault),
}

struct Judge<'m> {
    mesh: &'m Mesh,
    faces: Vec<Face>,
    fates: Vec<Fate>,
    /// True if the faces are no longer those of the mesh, one by one.
    is_changed: bool,
    /// Whether each face was turned against how it is written; empty if none was.
    turned: Vec<bool>,
}

impl Judge<'_> {
    fn new(mesh: &Mesh) -> Judge<'_> {
        let welded = weld::exact(mesh.vertices(), |_| true);
        let faces: Vec<Face> = mesh
            .faces()
            .iter()
            .zip(0..)
            .map(|(face, written)| Face { corners: face.map(|v| welded[v as usize]), gap: 0.0, written })
            .collect();
        let fates = faces.iter().map(|f| if is_pointed(f.corners) { Fate::Dropped } else { Fate::Counts });
        Judge { mesh, fates: fates.collect(), faces, is_changed: false, turned: Vec::new() }
    }

    fn counts(&self, face: usize) -> bool {
        self.fates[face] == Fate::Counts
    }

    fn judge(mut self) -> Solidity {
        let mut uses = edge_uses(&self.faces, |i| self.counts(i));
        if edges(&uses).any(|edge| edge.len() > 2) && self.cancel() {
            uses = edge_uses(&self.faces, |i| self.counts(i));
        }
        if edges(&uses).any(|edge| edge.len() % 2 == 1) && self.close_cracks(&uses) {
            self.cancel();
            uses = edge_uses(&self.faces, |i| self.counts(i));
        }
        if edges(&uses).any(|edge| edge.len() % 2 == 1) {
            self.peel(&uses);
            uses = edge_uses(&self.faces, |i| self.counts(i));
        }
        if edges(&uses).any(|edge| !is_balanced(edge)) {
            uses = self.balance(uses);
        }
        self.finish(&uses)
    }

    /// Takes out pairs of faces with the same corners and opposite winding; true if there are any.
    fn cancel(&mut self) -> bool {
        let mut found = false;
        for same in self.repeated() {
            // Face by face with the winding; as many of the one as of the other are taken out.
            let (ahead, back): (Vec<_>, Vec<_>) = same.into_iter().partition(|(_, is_even)| *is_even);
            for ((f, _), (g, _)) in ahead.into_iter().zip(back) {
                self.fates[f as usize] = Fate::Open(SolidityFault::Doubled);
                self.fates[g as usize] = Fate::Open(SolidityFault::Doubled);
                found = true;
            }
        }
        // The winding number is the same with them and without.
        found
    }

    /// The groups of faces that have the same corners, each with whether it is an even permutation of them ascending.
    fn repeated(&self) -> Vec<Vec<(u32, bool)>> {
        let mut keys: Vec<([u32; 3], u32, bool)> = Vec::new();
        for (i, face) in self.faces.iter().enumerate().filter(|(i, _)| self.counts(*i)) {
            let [a, b, c] = face.corners;
            let is_even = (a < b) ^ (b < c) ^ (c < a);
            let mut sorted = face.corners;
            sorted.sort_unstable();
            keys.push((sorted, i as u32, is_even));
        }
        keys.sort_unstable();
        let groups = keys.chunk_by(|k, l| k.0 == l.0).filter(|group| group.len() > 1);
        groups.map(|group| group.iter().map(|k| (k.1, k.2)).collect()).collect()
    }

    /// Closes gaps at open edges: corners that lie together become one, and corners beside an edge are put into it. True if something
    /// changed.
    fn close_cracks(&mut self, uses: &[Use]) -> bool {
        let vertices = self.mesh.vertices();
        let reach = self.crack_widths(uses);
        let border: Vec<u32> = (0..vertices.len() as u32).filter(|v| reach[*v as usize] > 0.0).collect();
        let (points, widths): (Vec<Vec3>, Vec<f64>) =
            border.iter().map(|v| (vertices[*v as usize], reach[*v as usize])).unzip();
        let mut welded: Vec<u32> = (0..vertices.len() as u32).collect();
        for (from, to) in border.iter().zip(weld::within_reach(&points, &widths, MOST_LOOKS)) {
            welded[*from as usize] = border[to as usize];
        }
        let mut has_moved = false;
        for (face, fate) in self.faces.iter_mut().zip(&mut self.fates) {
            for corner in &mut face.corners {
                let to = welded[*corner as usize];
                if to != *corner {
                    face.gap = face.gap.max(vertices[*corner as usize].distance(vertices[to as usize]));
                    *corner = to;
                    has_moved = true;
                }
            }
            if *fate == Fate::Counts && is_pointed(face.corners) {
                *fate = Fate::Dropped;
            }
        }
        let again;
        let uses = if has_moved {
            again = edge_uses(&self.faces, |i| self.counts(i));
            &again
        } else {
            uses
        };
        let is_changed = self.split_at_junctions(uses, &reach) || has_moved;
        self.is_changed |= is_changed;
        is_changed
    }

    /// How wide a crack may be at each corner of an open edge, in metres; 0 for all other corners.
    fn crack_widths(&self, uses: &[Use]) -> Vec<f64> {
        let vertices = self.mesh.vertices();
        let mut sets = UnionFind::new(vertices.len());
        for edge in edges(uses) {
            sets.join(edge[0].0, edge[0].1);
        }
        let mut is_border = vec![false; vertices.len()];
        let mut is_open = vec![false; vertices.len()];
        for edge in edges(uses).filter(|edge| edge.len() % 2 == 1) {
            [edge[0].0, edge[0].1].iter().for_each(|v| is_border[*v as usize] = true);
            is_open[sets.root(edge[0].0) as usize] = true;
        }
        let is_of_open: Vec<bool> =
            (0..vertices.len() as u32).map(|v| is_open[sets.root(v) as usize]).collect();
        let (pieces, count) = sets.labels(|v| is_of_open[v]);
        let mut boxes = vec![Aabb::EMPTY; count as usize];
        for (v, piece) in pieces.iter().enumerate().filter(|(_, piece)| **piece != NOWHERE) {
            boxes[*piece as usize] = boxes[*piece as usize].grown(vertices[v]);
        }
        let (groups, group_count) = near_groups(&boxes);
        let mut around = vec![Aabb::EMPTY; group_count];
        for (bounds, group) in boxes.iter().zip(&groups) {
            around[*group as usize] = around[*group as usize].union(bounds);
        }
        let width = |piece: u32| {
            let own = boxes[piece as usize].size().length();
            let all = around[groups[piece as usize] as usize].size().length();
            (LOCAL_CRACK_RELATIVE * own).min(CRACK_RELATIVE * all)
        };
        let of_corner = |(v, piece): (usize, &u32)| if is_border[v] { width(*piece) } else { 0.0 };
        pieces.iter().enumerate().map(of_corner).collect()
    }

    /// Puts corners of the border that lie on open edges into them, as far as cracks may be wide there.
    fn split_at_junctions(&mut self, uses: &[Use], reach: &[f64]) -> bool {
        let vertices = self.mesh.vertices();
        let open: Vec<&[Use]> = edges(uses).filter(|edge| edge.len() % 2 == 1).collect();
        let mut border: Vec<u32> = open.iter().flat_map(|edge| [edge[0].0, edge[0].1]).collect();
        border.sort_unstable();
        border.dedup();
        // Along the longest side of the box, so that few of them have to be looked at for an edge.
        let bounds = border.iter().fold(Aabb::EMPTY, |all, v| all.grown(vertices[*v as usize]));
        let size = bounds.size();
        let axis = (0..3).max_by(|&i, &j| size[i].total_cmp(&size[j])).unwrap_or(0);
        let along = |v: u32| vertices[v as usize][axis];
        border.sort_by(|v, w| along(*v).total_cmp(&along(*w)).then(v.cmp(w)));
        // (smaller vertex, larger vertex) -> corners between, from the smaller to the larger.
        let mut between: std::collections::BTreeMap<[u32; 2], Vec<(f64, u32, f64)>> = Default::default();
        let mut looks = 0usize;
        for edge in &open {
            let (v, w) = (edge[0].0, edge[0].1);
            let (p, q) = (vertices[v as usize], vertices[w as usize]);
            let width = reach[v as usize].min(reach[w as usize]);
            let (low, high) = (p[axis].min(q[axis]) - width, p[axis].max(q[axis]) + width);
            let from = border.partition_point(|u| along(*u) < low);
            let length = p.distance(q);
            let way = (q - p) / length;
            for &u in border[from..].iter().take_while(|u| along(**u) <= high) {
                looks += 1;
                let r = vertices[u as usize];
                let at = way.dot(r - p);
                let off = (r - (p + at * way)).length();
                let distance = width.min(reach[u as usize]);
                if u != v && u != w && off <= distance && at > distance && at < length - distance {
                    between.entry([v, w]).or_default().push((at, u, off));
                }
            }
            if looks > MOST_LOOKS {
                break;
            }
        }
        if between.is_empty() {
            return false;
        }
        for list in between.values_mut() {
            list.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        }
        let (mut faces, mut fates) = (Vec::new(), Vec::new());
        for (face, fate) in self.faces.iter().zip(&self.fates) {
            if *fate != Fate::Counts {
                faces.push(*face);
                fates.push(*fate);
                continue;
            }
            // The outline with the corners put in.
            let mut parts = vec![*face];
            for k in 0..3 {
                let (from, to) = (face.corners[k], face.corners[(k + 1) % 3]);
                let Some(list) = between.get(&[from.min(to), from.max(to)]) else { continue };
                // Exactly one part has this edge: those that an earlier edge made keep the others.
                let has = |part: &Face| {
                    (0..3).find(|&j| part.corners[j] == from && part.corners[(j + 1) % 3] == to)
                };
                let Some((i, j)) = parts.iter().enumerate().find_map(|(i, part)| Some((i, has(part)?)))
                else {
                    continue;
                };
                let part = parts.swap_remove(i);
                let tip = part.corners[(j + 2) % 3];
                let gap = list.iter().fold(part.gap, |most, entry| most.max(entry.2));
                let mut chain: Vec<u32> = list.iter().map(|entry| entry.1).filter(|u| *u != tip).collect();
                if from > to {
                    chain.reverse();
                }
                let mut last = from;
                for next in chain.into_iter().chain([to]) {
                    parts.push(Face { corners: [last, next, tip], gap, ..part });
                    last = next;
                }
            }
            fates.extend(parts.iter().map(|p| if is_pointed(p.corners) { Fate::Dropped } else { *fate }));
            faces.extend(parts);
        }
        (self.faces, self.fates) = (faces, fates);
        true
    }

    /// Takes out what hangs on something else and has an open edge: sheets that end at a solid, and all that is open.
    fn peel(&mut self, uses: &[Use]) {
        let mut sets = UnionFind::new(self.faces.len());
        for edge in edges(uses).filter(|edge| edge.len() == 2) {
            sets.join(face_of(&edge[0]) as u32, face_of(&edge[1]) as u32);
        }
        let (patches, count) = sets.labels(|i| self.counts(i));
        let count = count as usize;
        // Edges by patch: (patch, first use of the edge).
        let starts: Vec<&[Use]> = edges(uses).collect();
        let mut of_patch: Vec<(u32, u32)> = Vec::new();
        let mut left: Vec<u32> = starts.iter().map(|edge| edge.len() as u32).collect();
        let mut is_gone = vec![false; count];
        let mut queue = Vec::new();
        for (number, edge) in starts.iter().enumerate() {
            if edge.len() != 2 {
                of_patch.extend(edge.iter().map(|u| (patches[face_of(u)], number as u32)));
            }
            if edge.len() == 1 {
                queue.push(patches[face_of(&edge[0])]);
            }
        }
        of_patch.sort_unstable();
        while let Some(patch) = queue.pop() {
            if std::mem::replace(&mut is_gone[patch as usize], true) {
                continue;
            }
            let from = of_patch.partition_point(|entry| entry.0 < patch);
            for &(_, number) in of_patch[from..].iter().take_while(|entry| entry.0 == patch) {
                left[number as usize] -= 1;
                if left[number as usize] == 1 {
                    let last = starts[number as usize].iter().map(|u| patches[face_of(u)]);
                    queue.extend(last.filter(|p| !is_gone[*p as usize]));
                }
            }
        }
        for (i, patch) in patches.iter().enumerate() {
            if *patch != NOWHERE && is_gone[*patch as usize] {
                self.fates[i] = Fate::Open(SolidityFault::Open);
                self.is_changed = true;
            }
        }
    }

    /// Makes shells balanced by leaving out repeated faces and turning others, where that can be done; the others are not sound. Returns the
    /// uses of edges afterwards.
    fn balance(&mut self, uses: Vec<Use>) -> Vec<Use> {
        let bad = self.unbalanced(&uses);
        for same in self.repeated() {
            // Opposite ones have been taken out: these all repeat the first.
            for (f, _) in same.into_iter().skip(1) {
                if bad[f as usize] {
                    self.fates[f as usize] = Fate::Dropped;
                    self.is_changed = true;
                }
            }
        }
        let uses = edge_uses(&self.faces, |i| self.counts(i));
        let bad = self.unbalanced(&uses);
        if !bad.iter().any(|b| *b) {
            return uses;
        }
        // Neighbours that run along an edge in the same direction are turned against each other.
        let mut sets = UnionFind::new(self.faces.len());
        let mut contradicts = Vec::new();
        for edge in edges(&uses).filter(|edge| edge.len() == 2 && bad[face_of(&edge[0])]) {
            let [f, g] = [&edge[0], &edge[1]];
            if !sets.join_turned(face_of(f) as u32, face_of(g) as u32, is_forward(f) == is_forward(g)) {
                contradicts.push(face_of(f));
            }
        }
        // Of each patch the lesser area is turned.
        let mut areas = vec![[0.0; 2]; self.faces.len()];
        for (i, face) in self.faces.iter().enumerate().filter(|(i, _)| bad[*i]) {
            let [p, q, r] = face.corners.map(|v| self.mesh.vertices()[v as usize]);
            let (root, is_turned) = sets.find(i as u32);
            areas[root as usize][usize::from(is_turned)] += (q - p).cross(r - p).length();
        }
        let before: Vec<Face> = self.faces.clone();
        let mut turned = vec![false; self.faces.len()];
        for i in (0..self.faces.len()).filter(|i| bad[*i]) {
            let (root, is_turned) = sets.find(i as u32);
            let [straight, other] = areas[root as usize];
            if is_turned == (straight >= other) {
                self.faces[i].corners.swap(1, 2);
                turned[i] = true;
            }
        }
        let uses = edge_uses(&self.faces, |i| self.counts(i));
        let mut bad = self.unbalanced(&uses);
        let mut is_contradicted = vec![false; self.faces.len()];
        contradicts.into_iter().for_each(|f| is_contradicted[f] = true);
        self.spread(&uses, &mut is_contradicted);
        bad.iter_mut().zip(&is_contradicted).for_each(|(bad, more)| *bad |= more);
        for (i, is_bad) in bad.iter().enumerate() {
            if *is_bad {
                self.faces[i] = before[i];
                self.fates[i] = Fate::Open(SolidityFault::Winding);
                self.is_changed = true;
                turned[i] = false;
            } else if turned[i] {
                self.is_changed = true;
            }
        }
        self.turned = turned;
        edge_uses(&self.faces, |i| self.counts(i))
    }

    /// The faces of shells that have an edge that is not balanced.
    fn unbalanced(&self, uses: &[Use]) -> Vec<bool> {
        let mut marked = vec![false; self.faces.len()];
        for edge in edges(uses).filter(|edge| !is_balanced(edge)) {
            edge.iter().for_each(|u| marked[face_of(u)] = true);
        }
        self.spread(uses, &mut marked);
        marked
    }

    /// Marks all faces of shells that have a marked one.
    fn spread(&self, uses: &[Use], marked: &mut [bool]) {
        let (shells, count) = self.shells(uses);
        let mut of_shell = vec![false; count];
        for (shell, _) in shells.iter().zip(marked.iter()).filter(|(s, m)| **s != NOWHERE && **m) {
            of_shell[*shell as usize] = true;
        }
        for (shell, mark) in shells.iter().zip(marked).filter(|(s, _)| **s != NOWHERE) {
            *mark = of_shell[*shell as usize];
        }
    }

    /// The shell of each face that counts, and how many there are.
    fn shells(&self, uses: &[Use]) -> (Vec<u32>, usize) {
        let mut sets = UnionFind::new(self.faces.len());
        for edge in edges(uses) {
            for u in &edge[1..] {
                sets.join(face_of(&edge[0]) as u32, face_of(u) as u32);
            }
        }
        let (shells, count) = sets.labels(|i| self.counts(i));
        (shells, count as usize)
    }

    /// All that counts is closed and balanced now.
    fn finish(mut self, uses: &[Use]) -> Solidity {
        let (mut shells, count) = self.shells(uses);
        let mut corners: Vec<Vec<[u32; 3]>> = vec![Vec::new(); count];
        for (face, shell) in self.faces.iter().zip(&shells).filter(|(_, s)| **s != NOWHERE) {
            corners[*shell as usize].push(face.corners);
        }
        let mut has_turned = vec![false; count];
        for (shell, _) in shells.iter().zip(&self.turned).filter(|(s, turned)| **s != NOWHERE && **turned) {
            has_turned[*shell as usize] = true;
        }
        let mut manifold = vec![true; count];
        for edge in edges(uses).filter(|edge| edge.len() > 2) {
            manifold[shells[face_of(&edge[0])] as usize] = false;
        }
        let orientation = nesting::orientation(self.mesh, corners, &has_turned);
        for (face, shell) in shells.iter_mut().enumerate().filter(|(_, s)| **s != NOWHERE) {
            let number = *shell as usize;
            if orientation.is_doubled[number] || orientation.is_ambiguous[number] {
                let is_doubled = orientation.is_doubled[number];
                *shell = NOWHERE;
                self.fates[face] =
                    Fate::Open(if is_doubled { SolidityFault::Doubled } else { SolidityFault::Winding });
                self.is_changed = true;
            }
        }
        let turned_shells = orientation.is_turned.iter().filter(|t| **t).count();
        let mut closed_gap = 0.0f64;
        for (face, shell) in self.faces.iter_mut().zip(&shells).filter(|(_, s)| **s != NOWHERE) {
            closed_gap = closed_gap.max(face.gap);
            if orientation.is_turned[*shell as usize] {
                face.corners.swap(1, 2);
            }
        }
        let sound = self.faces.iter().zip(&shells).filter(|(f, s)| **s != NOWHERE && f.gap > 0.0);
        let patches = sound.map(|(f, _)| Patch { corners: f.corners, written: f.written }).collect();
        let turned_faces = self.turned.iter().zip(&shells).filter(|(t, s)| **t && **s != NOWHERE).count();
        let pieces = self.open_pieces();
        let has_all_faces =
            self.faces.iter().zip(&shells).all(|(f, s)| *s != NOWHERE || is_pointed(f.corners));
        let is_only_turned = has_all_faces && closed_gap == 0.0;
        let is_whole = !self.is_changed && (turned_shells == 0 || turned_shells == count);
        let (surface, shells) = if shells.iter().all(|shell| *shell == NOWHERE) {
            (SoundSurface::None, Vec::new())
        } else if is_whole {
            (SoundSurface::Whole, shells)
        } else {
            let kept = self.faces.iter().zip(&shells).filter(|(_, s)| **s != NOWHERE);
            let (faces, shells): (Vec<_>, Vec<u32>) = kept.map(|(f, s)| (f.corners, *s)).unzip();
            let mesh = Mesh::new(self.mesh.vertices().to_vec(), faces);
            (SoundSurface::Part(Box::new(mesh.expect("faces of a mesh over its vertices"))), shells)
        };
        let is_as_written = !self.is_changed;
        let cavities = orientation.is_cavity;
        Solidity {
            shells,
            cavities,
            manifold,
            surface,
            pieces,
            closed_gap,
            patches,
            turned_shells,
            turned_faces,
            is_only_turned,
            is_as_written,
        }
    }

    /// The pieces of the faces that were taken out.
    fn open_pieces(&self) -> Vec<OpenPiece> {
        let fault = |i: usize| match self.fates[i] {
            Fate::Open(fault) => Some(fault),
            _ => None,
        };
        let open: Vec<usize> = (0..self.faces.len()).filter(|i| fault(*i).is_some()).collect();
        if open.is_empty() {
            return self.nothing_at_all();
        }
        let vertices = self.mesh.vertices();
        let mut sets = UnionFind::new(vertices.len());
        let mut is_used = vec![false; vertices.len()];
        for &i in &open {
            let [a, b, c] = self.faces[i].corners;
            sets.join(a, b);
            sets.join(b, c);
            [a, b, c].iter().for_each(|v| is_used[*v as usize] = true);
        }
        let (mut labels, count) = sets.labels(|v| is_used[v]);
        let mut boxes = vec![Aabb::EMPTY; count as usize];
        for (v, label) in labels.iter().enumerate().filter(|(_, label)| **label != NOWHERE) {
            boxes[*label as usize] = boxes[*label as usize].grown(vertices[v]);
        }
        let groups = near_groups(&boxes);
        labels.iter_mut().filter(|label| **label != NOWHERE).for_each(|l| *l = groups.0[*l as usize]);
        let mut pieces: Vec<OpenPiece> = (0..groups.1)
            .map(|_| OpenPiece {
                fault: SolidityFault::Winding,
                bounds: Aabb::EMPTY,
                hull: None,
                places: Vec::new(),
                place_count: 0,
            })
            .collect();
        let mut points: Vec<Vec<Vec3>> = vec![Vec::new(); groups.1];
        // Corners that were moved may have been anywhere around.
        let mut moved = vec![0.0f64; vertices.len()];
        for &i in open.iter().filter(|i| self.faces[**i].gap > 0.0) {
            let Face { corners, gap, .. } = self.faces[i];
            corners.iter().for_each(|v| moved[*v as usize] = moved[*v as usize].max(gap));
        }
        for (v, label) in labels.iter().enumerate().filter(|(_, label)| **label != NOWHERE) {
            points[*label as usize].push(vertices[v]);
            if moved[v] > 0.0 {
                let steps = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|d| [d, -d]);
                // The octahedron around the ball of where it may have been.
                points[*label as usize].extend(steps.map(|d| vertices[v] + 3f64.sqrt() * moved[v] * d));
            }
            let piece = &mut pieces[*label as usize];
            piece.bounds = piece.bounds.grown(vertices[v]);
        }
        for (piece, points) in pieces.iter_mut().zip(&points) {
            piece.hull = Convex::from_points(points).ok();
            piece.bounds = points.iter().fold(piece.bounds, |bounds, p| bounds.grown(*p));
        }
        let piece_of = |i: usize| labels[self.faces[i].corners[0] as usize] as usize;
        for &i in &open {
            let piece = &mut pieces[piece_of(i)];
            piece.fault = piece.fault.min(fault(i).unwrap_or(piece.fault));
        }
        // Where something is wrong: among these faces alone.
        let is_open = |i: usize| fault(i).is_some();
        for edge in edges(&edge_uses(&self.faces, is_open)) {
            let first = face_of(&edge[0]);
            if is_balanced(edge) && fault(first) != Some(SolidityFault::Doubled) {
                continue;
            }
            let piece = &mut pieces[piece_of(first)];
            piece.place_count += 1;
            if piece.places.len() < MAX_PLACES {
                piece.places.push([vertices[edge[0].0 as usize], vertices[edge[0].1 as usize]]);
            }
        }
        // Walls between solids that lie on each other are inside of both together, and bound nothing that is not theirs.
        let mut is_wall = vec![true; pieces.len()];
        for &i in &open {
            let number = piece_of(i);
            is_wall[number] = is_wall[number]
                && pieces[number].fault == SolidityFault::Doubled
                && self.is_amid(i, open.len());
        }
        let mut walls = is_wall.into_iter();
        pieces.retain(|_| !walls.next().unwrap_or(false));
        pieces
    }

    /// True if a face is in the solids of the sound faces or on their surface, told by the solid angles at its middle, its corners and the middles of its edges; false where
    /// that would cost too much.
    fn is_amid(&self, face: usize, count: usize) -> bool {
        if count.saturating_mul(7 * self.faces.len()) > MOST_LOOKS {
            return false;
        }
        let corners = |i: usize| self.faces[i].corners.map(|v| self.mesh.vertices()[v as usize]);
        let angle_at = |p: Vec3| -> f64 {
            let angle = |i: usize| {
                let [a, b, c] = corners(i).map(|corner| corner - p);
                let [x, y, z] = [a.length(), b.length(), c.length()];
                2.0 * a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
            };
            (0..self.faces.len()).filter(|i| self.counts(*i)).map(angle).sum()
        };
        let [p, q, r] = corners(face);
        // A full sphere is 4π; on a face it is half of that, on an edge or at a corner less, and outside it is nothing.
        let is_in = angle_at((p + q + r) / 3.0) > 3.0 * std::f64::consts::PI;
        is_in
            && [p, q, r, 0.5 * (p + q), 0.5 * (q + r), 0.5 * (r + p)]
                .into_iter()
                .all(|p| angle_at(p) > CORNER_ANGLE)
    }

    /// A mesh none of whose faces has three corners is an open surface too.
    fn nothing_at_all(&self) -> Vec<OpenPiece> {
        if self.fates.contains(&Fate::Counts) {
            return Vec::new();
        }
        let bounds = self.mesh.aabb();
        vec![OpenPiece {
            fault: SolidityFault::Open,
            bounds,
            hull: None,
            places: vec![[bounds.min, bounds.max]],
            place_count: 1,
        }]
    }
}

/// How many comparisons of corners and edges are made when T-junctions are looked for, and of faces when walls are: a mesh with a border of many thousand edges along one
/// another is no solid with a few cracks.
const MOST_LOOKS: usize = 20_000_000;

/// The least solid angle of a corner of solids at which a wall between them may end: that of a cube has 1.57.
const CORNER_ANGLE: f64 = 0.25;

/// True if a face names a corner twice.
fn is_pointed([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// Puts boxes together that are no farther apart than the smaller one is large: the group of each, and how many groups there are. More than
/// [`MOST_PIECES`] boxes are one group.
pub fn near_groups(boxes: &[Aabb]) -> (Vec<u32>, usize) {
    if boxes.len() > MOST_PIECES {
        return (vec![0; boxes.len()], 1);
    }
    let mut sets = UnionFind::new(boxes.len());
    // A group that has grown may be near others.
    let mut grown = boxes.to_vec();
    loop {
        let mut is_changed = false;
        for i in 0..boxes.len() {
            for j in 0..i {
                let [a, b] = [i, j].map(|k| sets.root(k as u32));
                let (p, q) = (&grown[a as usize], &grown[b as usize]);
                let gap = (p.min - q.max).max(q.min - p.max).max(Vec3::ZERO).length();
                if a != b && gap <= p.size().length().min(q.size().length()) {
                    sets.join(a, b);
                    let both = p.union(q);
                    grown[sets.root(a) as usize] = both;
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            break;
        }
    }
    let (labels, count) = sets.labels(|_| true);
    (labels, count as usize)
}
