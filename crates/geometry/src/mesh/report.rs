//! What is wrong with a mesh, and where. Faces that cross each other are not looked for.

use super::faces::{has_no_area, same_vertices};
use super::nesting;
use super::topology::{Topology, corner_of};
use super::{Mesh, weld};
use crate::math::UnionFind;
use crate::math::Vec3;
use std::fmt;

/// The defects of a mesh with all their places, and some facts that are no defects.
///
/// **Guarantee.** The same mesh gives the same report, places in ascending order. Every decision is exact except
/// [`DefectKind::InsideOut`] and [`DefectKind::NoVolume`], which see.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshReport {
    defects: Vec<Defect>,
    /// Borders of the surface, the one with the most edges first.
    pub holes: Vec<Hole>,
    /// Number of edges.
    pub edges: usize,
    /// Number of components: faces connected through edges.
    pub components: usize,
    /// Vertices that no face uses. Not a defect.
    pub unused_vertices: usize,
    /// Vertices at exactly the position of one before them. Not a defect, but where edges are open it often is the reason:
    /// the file stores every triangle on its own, and welding would close them.
    pub repeated_vertices: usize,
    is_closed: bool,
}

/// One kind of defect with every place where it was found: never empty, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Defect {
    /// What is wrong.
    pub kind: DefectKind,
    /// Where; one entry per defect.
    pub places: Vec<Place>,
}

/// What can be wrong with a mesh, in the order of reporting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefectKind {
    /// Edges of one face only.
    OpenEdges,
    /// Edges of more than two faces.
    NonManifoldEdges,
    /// Vertices where two or more separate fans of faces meet.
    NonManifoldVertices,
    /// Edges that their two faces run along in the same direction: one of them is turned over.
    InconsistentWinding,
    /// Closed shells whose normals point into the material.
    ///
    /// A shell wound the other way inside a solid is a cavity, not a defect; a shell wound as a solid inside a solid
    /// is taken for a second solid. A body whose shells are all turned over is found out as a whole. Decided by
    /// signed volumes and by exact lines of sight between shells; it can be wrong where shells cross each other.
    InsideOut,
    /// Closed shells whose volume is not more than the rounding of their coordinates over their area: flat ones, and
    /// a face with its reverse. They bound no solid.
    NoVolume,
    /// Faces with the three vertices of an earlier face, in whichever order.
    DuplicateFaces,
    /// Faces that name a vertex twice, or whose corners lie exactly on one line.
    DegenerateFaces,
}

impl DefectKind {
    /// All kinds in the order of reporting.
    pub const ALL: [DefectKind; 8] = [
        DefectKind::OpenEdges,
        DefectKind::NonManifoldEdges,
        DefectKind::NonManifoldVertices,
        DefectKind::InconsistentWinding,
        DefectKind::InsideOut,
        DefectKind::NoVolume,
        DefectKind::DuplicateFaces,
        DefectKind::DegenerateFaces,
    ];

    /// The name for machines, which does not change: `open_edges`, `inside_out` and so on.
    pub fn name(self) -> &'static str {
        match self {
            DefectKind::OpenEdges => "open_edges",
            DefectKind::NonManifoldEdges => "non_manifold_edges",
            DefectKind::NonManifoldVertices => "non_manifold_vertices",
            DefectKind::InconsistentWinding => "inconsistent_winding",
            DefectKind::InsideOut => "inside_out",
            DefectKind::NoVolume => "no_volume",
            DefectKind::DuplicateFaces => "duplicate_faces",
            DefectKind::DegenerateFaces => "degenerate_faces",
        }
    }

    /// So many defects of this kind, in words: "1 open edge", "12 open edges".
    pub fn describe(self, count: usize) -> String {
        let (one, many) = match self {
            DefectKind::OpenEdges => ("open edge", "open edges"),
            DefectKind::NonManifoldEdges => ("edge of more than two faces", "edges of more than two faces"),
            DefectKind::NonManifoldVertices => {
                ("vertex where separate surfaces meet", "vertices where separate surfaces meet")
            }
            DefectKind::InconsistentWinding => {
                ("edge between faces of opposite winding", "edges between faces of opposite winding")
            }
            DefectKind::InsideOut => ("shell inside out", "shells inside out"),
            DefectKind::NoVolume => ("shell without volume", "shells without volume"),
            DefectKind::DuplicateFaces => ("duplicate face", "duplicate faces"),
            DefectKind::DegenerateFaces => ("face without area", "faces without area"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }
}

/// Where a defect is, by index into the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// An edge by its two vertices, the smaller index first.
    Edge([u32; 2]),
    /// A vertex.
    Vertex(u32),
    /// A face.
    Face(u32),
    /// A shell of so many faces, by the first of them.
    Shell {
        /// Its face of smallest index.
        first_face: u32,
        /// Number of its faces.
        faces: u32,
    },
}

impl Place {
    /// A point there: the middle of the edge, the vertex, the middle of the (first) face. In the frame of the mesh, metres.
    pub fn position(&self, mesh: &Mesh) -> Vec3 {
        let vertex = |v: u32| mesh.vertices()[v as usize];
        let middle = |face: u32| {
            let [a, b, c] = mesh.triangle(face as usize);
            a + ((b - a) + (c - a)) / 3.0
        };
        match *self {
            Place::Edge([a, b]) => 0.5 * vertex(a) + 0.5 * vertex(b),
            Place::Vertex(v) => vertex(v),
            Place::Face(face) => middle(face),
            Place::Shell { first_face, .. } => middle(first_face),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Edge([a, b]) => write!(f, "edge {a}-{b}"),
            Place::Vertex(v) => write!(f, "vertex {v}"),
            Place::Face(face) => write!(f, "face {face}"),
            Place::Shell { first_face, faces } => write!(f, "shell of {faces} faces, the first {first_face}"),
        }
    }
}

/// A border of the surface: open edges connected through the faces along it. Mostly one loop round a hole, or the rim
/// of a sheet. Holes that meet in a vertex are one border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hole {
    /// Number of open edges.
    pub edges: usize,
    /// Their first edge: the two vertices, the smaller index first.
    pub first_edge: [u32; 2],
    /// The mean of the middles of the edges, in metres.
    pub center: Vec3,
    /// The length of all edges in metres.
    pub length: f64,
}

impl MeshReport {
    /// Inspects a mesh.
    ///
    /// **Cost.** O(n log n) at worst, about the cost of [`Topology::of`] and once more for the vertices.
    pub fn of(mesh: &Mesh) -> MeshReport {
        MeshReport::with_topology(mesh, &Topology::of(mesh))
    }

    /// The same for whoever has the topology of the mesh already.
    pub fn with_topology(mesh: &Mesh, topology: &Topology) -> MeshReport {
        let fans = topology.fans(mesh, |edge| topology.all_connected(edge));
        let shells = nesting::shell_faults(mesh, topology);
        let edges = topology.edges();
        let edges_where = |is_bad: &dyn Fn(usize) -> bool| {
            (0..edges.len()).filter(|&e| is_bad(e)).map(|e| Place::Edge(edges[e])).collect::<Vec<_>>()
        };
        let places = |kind: DefectKind| match kind {
            DefectKind::OpenEdges => edges_where(&|e| topology.edge_uses(e).len() == 1),
            DefectKind::NonManifoldEdges => edges_where(&|e| topology.edge_uses(e).len() > 2),
            DefectKind::NonManifoldVertices => split_vertices(mesh, topology, &fans),
            DefectKind::InconsistentWinding => edges_where(&|e| match topology.edge_uses(e) {
                [f, g] => f.is_forward() == g.is_forward(),
                _ => false,
            }),
            DefectKind::InsideOut => shell_places(mesh, topology, &shells.inside_out),
            DefectKind::NoVolume => shell_places(mesh, topology, &shells.without_volume),
            DefectKind::DuplicateFaces => {
                let mut later: Vec<u32> =
                    same_vertices(mesh, topology).iter().flat_map(|group| &group[1..]).copied().collect();
                later.sort_unstable();
                later.into_iter().map(Place::Face).collect()
            }
            DefectKind::DegenerateFaces => {
                let flat = (0..mesh.faces().len()).filter(|&f| has_no_area(mesh, f));
                flat.map(|f| Place::Face(f as u32)).collect()
            }
        };
        let found = DefectKind::ALL.map(|kind| Defect { kind, places: places(kind) });

        let mut is_used = vec![false; mesh.vertices().len()];
        mesh.faces().iter().flatten().for_each(|&v| is_used[v as usize] = true);
        let welded = weld::exact(mesh.vertices(), |_| true);
        MeshReport {
            holes: holes(mesh, topology, &fans),
            edges: edges.len(),
            components: topology.component_count(),
            unused_vertices: is_used.iter().filter(|used| !**used).count(),
            repeated_vertices: (0..).zip(&welded).filter(|(v, first)| v != *first).count(),
            is_closed: !edges.is_empty()
                && (0..edges.len()).all(|e| match topology.edge_uses(e) {
                    [f, g] => f.is_forward() != g.is_forward(),
                    _ => false,
                }),
            defects: found.into_iter().filter(|defect| !defect.places.is_empty()).collect(),
        }
    }

    /// The kinds of defects that were found, in the order of [`DefectKind::ALL`].
    pub fn defects(&self) -> &[Defect] {
        &self.defects
    }

    /// The places of one kind of defect; empty if there is none.
    pub fn places(&self, kind: DefectKind) -> &[Place] {
        self.defects.iter().find(|d| d.kind == kind).map_or(&[], |d| &d.places)
    }

    /// The number of defects of all kinds together.
    pub fn defect_count(&self) -> usize {
        self.defects.iter().map(|d| d.places.len()).sum()
    }

    /// True if every edge has exactly two faces, which run along it in opposite directions.
    ///
    /// A yes proves that the surface has no holes and that its volume is well defined. It does not say that the
    /// normals point outwards or that the faces do not cross. Faces that name a vertex twice do not count.
    pub fn is_watertight(&self) -> bool {
        self.is_closed
    }

    /// True if there is no defect of any kind: then the mesh is the closed boundary of solids, normals outwards, as far
    /// as that can be said without looking for faces that cross.
    pub fn is_sound(&self) -> bool {
        self.defects.is_empty()
    }
}

/// Vertices with more than one fan.
fn split_vertices(mesh: &Mesh, topology: &Topology, fans: &[u32]) -> Vec<Place> {
    let mut fan_count = vec![0u32; mesh.vertices().len()];
    for (face, corners) in mesh.faces().iter().enumerate() {
        if topology.face_edges(face).is_some() {
            for (k, &v) in corners.iter().enumerate() {
                let corner = 3 * face + k;
                fan_count[v as usize] += u32::from(fans[corner] as usize == corner);
            }
        }
    }
    fan_count.iter().zip(0..).filter(|(n, _)| **n > 1).map(|(_, v)| Place::Vertex(v)).collect()
}

fn shell_places(mesh: &Mesh, topology: &Topology, numbers: &[u32]) -> Vec<Place> {
    if numbers.is_empty() {
        return Vec::new();
    }
    // First face and number of faces of every shell.
    let mut facts = vec![(u32::MAX, 0u32); topology.shell_count()];
    for face in 0..mesh.faces().len() {
        if let Some(shell) = topology.shell(face) {
            let (first, count) = &mut facts[shell as usize];
            *first = (*first).min(face as u32);
            *count += 1;
        }
    }
    let place = |&shell: &u32| {
        let (first_face, faces) = facts[shell as usize];
        Place::Shell { first_face, faces }
    };
    numbers.iter().map(place).collect()
}

fn holes(mesh: &Mesh, topology: &Topology, fans: &[u32]) -> Vec<Hole> {
    let open: Vec<u32> =
        (0..topology.edges().len()).filter(|&e| topology.edge_uses(e).len() == 1).map(|e| e as u32).collect();
    if open.is_empty() {
        return Vec::new();
    }
    // Two open edges belong together if a fan has them both at its borders.
    let mut edge_of_fan = vec![u32::MAX; fans.len()];
    let mut sets = UnionFind::new(open.len());
    for (i, &edge) in (0..).zip(&open) {
        let face = topology.edge_uses(edge as usize)[0].face();
        for end in topology.edges()[edge as usize] {
            let fan = fans[corner_of(mesh.faces(), face, end) as usize] as usize;
            if edge_of_fan[fan] == u32::MAX {
                edge_of_fan[fan] = i;
            } else {
                sets.join(edge_of_fan[fan], i);
            }
        }
    }
    let (labels, count) = sets.labels(|_| true);
    let mut holes =
        vec![Hole { edges: 0, first_edge: [0; 2], center: Vec3::ZERO, length: 0.0 }; count as usize];
    for (&label, &edge) in labels.iter().zip(&open) {
        let hole = &mut holes[label as usize];
        let ends = topology.edges()[edge as usize];
        let [a, b] = ends.map(|v| mesh.vertices()[v as usize]);
        if hole.edges == 0 {
            hole.first_edge = ends;
        }
        hole.edges += 1;
        hole.length += a.distance(b);
        // A running mean, which keeps its digits far from the origin.
        hole.center += (0.5 * a + 0.5 * b - hole.center) / hole.edges as f64;
    }
    holes.sort_by_key(|hole| std::cmp::Reverse(hole.edges));
    holes
}
