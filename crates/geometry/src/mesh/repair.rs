//! Making a broken mesh a proper solid, as far as that is possible without inventing surface.

use super::faces::{remove_flat, surplus};
use super::radial::pairs_round_material;
use super::topology::{EdgeUse, Topology, repeats_vertex};
use super::{DefectKind, Mesh, MeshReport, nesting, weld};
use crate::math::UnionFind;
use crate::tolerance::WELD_RELATIVE;
use std::fmt;

/// How far [`repair`] may go. The default is what most files need.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RepairOptions {
    /// Vertices on open edges are welded over at most this distance in metres; 0 welds equal positions only. `None`:
    /// [`WELD_RELATIVE`] times the diagonal of the mesh's box.
    pub weld_distance: Option<f64>,
}

/// A repaired mesh and what was done to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The mesh; the same as before, to the bit, where there was nothing to repair.
    pub mesh: Mesh,
    /// What was changed.
    pub log: RepairLog,
}

/// What [`repair`] changed, and what is still wrong. Its text form is one line such as
/// "24 vertices welded, 2 duplicate faces dropped".
#[derive(Clone, Debug, PartialEq)]
pub struct RepairLog {
    /// Vertices merged into another one.
    pub vertices_welded: usize,
    /// Faces dropped because they named a vertex twice, mostly after welding, or had no area at an open edge.
    pub degenerate_faces_dropped: usize,
    /// Faces without area that were removed by splitting their neighbour; the number of faces stays.
    pub degenerate_faces_split: usize,
    /// Faces dropped because another one has the same vertices.
    pub duplicate_faces_dropped: usize,
    /// Faces turned over to agree with their neighbours.
    pub faces_turned: usize,
    /// Closed shells turned over because they were inside out.
    pub shells_turned: usize,
    /// Vertices dropped because no face uses them (any more), other than by welding.
    pub unused_vertices_dropped: usize,
    /// Vertices added to separate solids that touch in a vertex or along an edge.
    pub vertices_split: usize,
    /// Shells such as a Möbius strip, whose faces cannot agree; they were left as they are.
    pub one_sided_shells: usize,
    /// What is still wrong.
    pub remaining: MeshReport,
}

/// Why there is no repaired mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// All faces were degenerate.
    #[error("nothing is left of the mesh: none of its {0} triangles has an area")]
    NothingLeft(usize),
    /// The distance is negative or not a number.
    #[error("the welding distance is {0}; expected a length in metres, at least 0")]
    BadWeldDistance(f64),
}

/// Repairs what can be repaired: welds vertices on open edges, drops or splits away faces without area, drops duplicate faces
/// and unused vertices, makes windings agree, turns shells that are inside out, and gives shells that merely touch vertices of
/// their own.
///
/// **Guarantee.** A sound mesh comes back unchanged, to the bit, and the number of defects never grows: where a step would
/// make things worse the mesh stays as it was before. No hole is filled, no surface is moved by more than the welding
/// distance. Vertices that stay keep their positions and their order; so do faces. Vertices join the nearest one, not
/// the next one in a row, so a fine edge does not collapse. Where the faces of a shell disagree the smaller number is turned.
/// **Not repaired:** holes, fins and walls of one face, T-junctions, crossing faces.
/// **Cost.** A few times [`MeshReport::of`].
pub fn repair(mesh: &Mesh, options: &RepairOptions) -> Result<Repaired, RepairError> {
    let distance = options.weld_distance.unwrap_or_else(|| WELD_RELATIVE * mesh.aabb().size().length());
    if distance.is_nan() || distance < 0.0 {
        return Err(RepairError::BadWeldDistance(distance));
    }
    let before = MeshReport::of(mesh);
    let defects = before.defect_count();
    let unchanged = Repaired { mesh: mesh.clone(), log: RepairLog::unchanged(before) };
    if defects == 0 {
        return Ok(unchanged);
    }
    let exact = attempt(mesh, 0.0)?;
    let is_sound = exact.log.remaining.is_sound();
    // Welding over a distance is tried only where edges stay open without, and kept only if it helps.
    let welded = if distance > 0.0 && !is_sound { attempt(mesh, distance).ok() } else { None };
    let attempts = [Some(unchanged), Some(exact), welded];
    let best = attempts.into_iter().flatten().min_by_key(|a| a.log.remaining.defect_count());
    best.ok_or(RepairError::NothingLeft(mesh.faces().len()))
}

fn attempt(mesh: &Mesh, distance: f64) -> Result<Repaired, RepairError> {
    let nothing_left = |_| RepairError::NothingLeft(mesh.faces().len());
    let with_faces = |faces: Vec<[u32; 3]>| Mesh::new(mesh.vertices().to_vec(), faces).map_err(nothing_left);
    let mut now = mesh.clone();
    let mut is_welded = vec![false; mesh.vertices().len()];
    let mut weld_to = |now: &Mesh, to: Vec<u32>| {
        let faces = now.faces().iter().map(|f| f.map(|v| to[v as usize]));
        is_welded.iter_mut().zip(0..).for_each(|(welded, v)| *welded |= to[v as usize] != v);
        faces.filter(|f| !repeats_vertex(*f)).collect::<Vec<_>>()
    };

    let loose = weldable(&now, &Topology::of(&now));
    let to = weld::exact(now.vertices(), |v| loose[v]);
    now = with_faces(weld_to(&now, to))?;
    if distance > 0.0 {
        let loose = weldable(&now, &Topology::of(&now));
        let to = weld::within(now.vertices(), distance, |v| loose[v]);
        now = with_faces(weld_to(&now, to))?;
    }
    let mut degenerate_faces_dropped = mesh.faces().len() - now.faces().len();

    let mut duplicate_faces_dropped = 0;
    let mut topology = Topology::of(&now);
    loop {
        let dropped = surplus(&now, &topology);
        if dropped.is_empty() {
            break;
        }
        duplicate_faces_dropped += dropped.len();
        let kept = (0..).zip(now.faces()).filter(|(face, _)| dropped.binary_search(face).is_err());
        now = with_faces(kept.map(|(_, f)| *f).collect())?;
        topology = Topology::of(&now);
    }

    let (turned, one_sided_shells) = disagreeing(&now, &topology);
    let faces_turned = turned.len();
    if faces_turned > 0 {
        now = with_faces(turn(&now, &turned))?;
        topology = Topology::of(&now);
    }

    let mut faces = now.faces().to_vec();
    let flat = remove_flat(&now, &topology, &mut faces);
    degenerate_faces_dropped += flat.dropped;
    if flat.dropped + flat.turned > 0 {
        now = with_faces(faces)?;
        topology = Topology::of(&now);
    }

    let inside_out = nesting::shell_faults(&now, &topology).inside_out;
    if !inside_out.is_empty() {
        let is_in = |face: &u32| {
            topology.shell(*face as usize).is_some_and(|shell| inside_out.binary_search(&shell).is_ok())
        };
        now = with_faces(turn(&now, &(0..now.faces().len() as u32).filter(is_in).collect::<Vec<_>>()))?;
    }

    let vertices_welded = is_welded.iter().filter(|w| **w).count();
    let vertices_before = now.vertices().len();
    let mut now = without_unused(now).map_err(nothing_left)?;
    let unused_vertices_dropped = vertices_before - now.vertices().len() - vertices_welded;
    let mut remaining = MeshReport::of(&now);
    let mut vertices_split = 0;
    let is_irregular = |kind| !remaining.places(kind).is_empty();
    if is_irregular(DefectKind::NonManifoldEdges) || is_irregular(DefectKind::NonManifoldVertices) {
        let apart = cut_apart(&now, &Topology::of(&now)).map_err(nothing_left)?;
        let report = MeshReport::of(&apart);
        if report.defect_count() < remaining.defect_count() {
            vertices_split = apart.vertices().len() - now.vertices().len();
            (now, remaining) = (apart, report);
        }
    }
    let log = RepairLog {
        vertices_welded,
        degenerate_faces_dropped,
        degenerate_faces_split: flat.turned,
        duplicate_faces_dropped,
        faces_turned,
        shells_turned: inside_out.len(),
        unused_vertices_dropped,
        vertices_split,
        one_sided_shells,
        remaining,
    };
    Ok(Repaired { mesh: now, log })
}

/// The vertices that may be welded: those on an open edge or on an edge of length zero. The others are part of a
/// closed surface that welding could only damage, where two bodies touch.
fn weldable(mesh: &Mesh, topology: &Topology) -> Vec<bool> {
    let mut is_loose = vec![false; mesh.vertices().len()];
    for (edge, ends) in topology.edges().iter().enumerate() {
        let [a, b] = ends.map(|v| mesh.vertices()[v as usize]);
        if topology.edge_uses(edge).len() == 1 || a == b {
            ends.iter().for_each(|&v| is_loose[v as usize] = true);
        }
    }
    is_loose
}

/// The faces to be turned so that every shell is consistently wound, ascending, and the number of shells where that is impossible.
fn disagreeing(mesh: &Mesh, topology: &Topology) -> (Vec<u32>, usize) {
    let mut sets = UnionFind::new(mesh.faces().len());
    let mut is_one_sided = vec![false; topology.shell_count()];
    for edge in 0..topology.edges().len() {
        if let [f, g] = topology.edge_uses(edge) {
            let agrees = sets.join_turned(f.face(), g.face(), f.is_forward() == g.is_forward());
            if let (false, Some(shell)) = (agrees, topology.shell(f.face() as usize)) {
                is_one_sided[shell as usize] = true;
            }
        }
    }
    // Per shell: faces wound as its first face minus the others.
    let mut balance = vec![0i64; topology.shell_count()];
    let shell_of = |face: u32| topology.shell(face as usize).map(|s| s as usize);
    for face in 0..mesh.faces().len() as u32 {
        if let Some(shell) = shell_of(face) {
            balance[shell] += if sets.find(face).1 { -1 } else { 1 };
        }
    }
    let mut must_turn = |face: &u32| {
        let Some(shell) = shell_of(*face) else { return false };
        !is_one_sided[shell] && sets.find(*face).1 == (balance[shell] >= 0)
    };
    let turned = (0..mesh.faces().len() as u32).filter(|face| must_turn(face)).collect();
    (turned, is_one_sided.iter().filter(|one_sided| **one_sided).count())
}

/// All faces, those listed (ascending) turned over.
fn turn(mesh: &Mesh, turned: &[u32]) -> Vec<[u32; 3]> {
    let mut faces = mesh.faces().to_vec();
    for &face in turned {
        faces[face as usize].swap(1, 2);
    }
    faces
}

/// The mesh with a vertex of its own for every fan of faces, where faces at an edge of more than two are connected only in
/// pairs: solids that touch in a vertex or along an edge come apart, in place. The first fan keeps the vertex, the others
/// get new ones at the end.
fn cut_apart(mesh: &Mesh, topology: &Topology) -> Result<Mesh, super::MeshError> {
    let fans = topology.fans(mesh, |edge| {
        let uses = topology.edge_uses(edge);
        pairs_by_shell(topology, uses)
            .unwrap_or_else(|| pairs_round_material(mesh, topology.edges()[edge], uses))
    });
    let (mut vertices, mut faces) = mesh.clone().into_parts();
    let mut is_taken = vec![false; vertices.len()];
    let mut vertex_of_fan = vec![u32::MAX; fans.len()];
    for (vertex, &fan) in faces.iter_mut().flatten().zip(&fans) {
        let of_fan = &mut vertex_of_fan[fan as usize];
        if *of_fan == u32::MAX {
            *of_fan = *vertex;
            if std::mem::replace(&mut is_taken[*vertex as usize], true) {
                *of_fan = vertices.len() as u32;
                vertices.push(vertices[*vertex as usize]);
            }
        }
        *vertex = *of_fan;
    }
    Mesh::new(vertices, faces)
}

/// The faces at an edge in pairs of one shell each, if every shell has two there that run opposite ways.
fn pairs_by_shell(topology: &Topology, uses: &[EdgeUse]) -> Option<Vec<[u32; 2]>> {
    let mut by_shell: Vec<(Option<u32>, EdgeUse)> =
        uses.iter().map(|u| (topology.shell(u.face() as usize), *u)).collect();
    by_shell.sort_unstable();
    let pair = |group: &[(Option<u32>, EdgeUse)]| match group {
        [(_, f), (_, g)] if f.is_forward() != g.is_forward() => Some([f.face(), g.face()]),
        _ => None,
    };
    by_shell.chunk_by(|a, b| a.0 == b.0).map(pair).collect()
}

fn without_unused(mesh: Mesh) -> Result<Mesh, super::MeshError> {
    let (mut vertices, mut faces) = mesh.into_parts();
    let mut new_index = vec![u32::MAX; vertices.len()];
    faces.iter().flatten().for_each(|&v| new_index[v as usize] = 0);
    let used = new_index.iter_mut().filter(|index| **index == 0);
    used.zip(0..).for_each(|(index, new)| *index = new);
    faces.iter_mut().flatten().for_each(|v| *v = new_index[*v as usize]);
    let mut at = 0;
    vertices.retain(|_| {
        at += 1;
        new_index[at - 1] != u32::MAX
    });
    Mesh::new(vertices, faces)
}

impl RepairLog {
    fn unchanged(report: MeshReport) -> RepairLog {
        RepairLog {
            vertices_welded: 0,
            degenerate_faces_dropped: 0,
            degenerate_faces_split: 0,
            duplicate_faces_dropped: 0,
            faces_turned: 0,
            shells_turned: 0,
            unused_vertices_dropped: 0,
            vertices_split: 0,
            one_sided_shells: 0,
            remaining: report,
        }
    }

    /// The changes by name for machines with their counts, in a fixed order, those with count 0 included.
    pub fn changes(&self) -> [(&'static str, usize); 8] {
        [
            ("vertices_welded", self.vertices_welded),
            ("degenerate_faces_dropped", self.degenerate_faces_dropped),
            ("degenerate_faces_split", self.degenerate_faces_split),
            ("duplicate_faces_dropped", self.duplicate_faces_dropped),
            ("faces_turned", self.faces_turned),
            ("shells_turned", self.shells_turned),
            ("unused_vertices_dropped", self.unused_vertices_dropped),
            ("vertices_split", self.vertices_split),
        ]
    }

    /// True if the mesh is the same as before, to the bit.
    pub fn is_unchanged(&self) -> bool {
        self.changes().iter().all(|(_, count)| *count == 0)
    }
}

impl fmt::Display for RepairLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let things = |count: usize, one: &str, many: &str, what: &str| {
            format!("{count} {} {what}", if count == 1 { one } else { many })
        };
        let vertices = |count, what| things(count, "vertex", "vertices", what);
        let phrases = [
            (self.vertices_welded, vertices(self.vertices_welded, "welded")),
            (
                self.degenerate_faces_dropped,
                things(self.degenerate_faces_dropped, "face", "faces", "without area dropped"),
            ),
            (
                self.degenerate_faces_split,
                things(self.degenerate_faces_split, "face", "faces", "without area split away"),
            ),
            (
                self.duplicate_faces_dropped,
                things(self.duplicate_faces_dropped, "duplicate face", "duplicate faces", "dropped"),
            ),
            (
                self.faces_turned,
                things(self.faces_turned, "face", "faces", "turned to agree with their neighbours"),
            ),
            (self.shells_turned, things(self.shells_turned, "shell", "shells", "turned outside out")),
            (self.unused_vertices_dropped, vertices(self.unused_vertices_dropped, "without faces dropped")),
            (self.vertices_split, vertices(self.vertices_split, "added to separate touching shells")),
        ];
        let said: Vec<String> =
            phrases.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
        if said.is_empty() { f.write_str("nothing changed") } else { f.write_str(&said.join(", ")) }
    }
}
