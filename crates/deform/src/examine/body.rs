//! A mesh made ready to be deformed and examined, with the places where its surface is not closed.

use crate::layers::Surface;
use freiraum_geometry::mesh::{Solidity, SolidityFault, Topology};
use freiraum_geometry::{Mesh, Vec3};

/// A mesh whose vertices may move, and what its faces alone say of its surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// In metres. One that no face uses lies where one of the first face does, so that it does not widen the
    /// box.
    pub vertices: Vec<Vec3>,
    /// Counter-clockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// Edges that faces pass more often one way than the other: no volume is bounded there.
    pub ill_edges: Vec<IllEdge>,
    /// True if the faces bound solids as they are written.
    pub is_closed: bool,
    /// Places where faces cancel, which no edge shows: a face has the same corners as another one, and the
    /// opposite winding.
    pub doubled: Doubled,
}

/// Faces that come twice with opposite winding, and bound nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doubled {
    /// How many edges they have.
    pub count: usize,
    /// The middles of some of these, in metres.
    pub places: Vec<Vec3>,
}

/// An edge at which the surface ends, or turns inside out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllEdge {
    /// What is wrong with it.
    pub kind: EdgeKind,
    /// Its ends.
    pub vertices: [u32; 2],
    /// One of its faces.
    pub face: u32,
}

/// What is wrong with an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// A face has no other one there.
    Open,
    /// The number of its faces is even, but they are not wound alike.
    OppositeWinding,
}

impl EdgeKind {
    /// The kind as a key, for programs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            EdgeKind::Open => "open_edge",
            EdgeKind::OppositeWinding => "opposite_winding",
        }
    }
}

impl Body {
    /// Of a mesh. **Cost.** Every test of whether the mesh is solid is made here, once; frames cost nothing
    /// of it.
    #[must_use]
    pub fn of(mesh: Mesh) -> Body {
        let ill_edges = ill_edges(&mesh);
        let solidity = Solidity::of(&mesh);
        let (is_closed, doubled) = (solidity.is_closed_as_written(), Doubled::of(&solidity));
        let (mut vertices, faces) = mesh.into_parts();
        gather_unused(&mut vertices, &faces);
        Body { vertices, faces, ill_edges, is_closed, doubled }
    }

    /// As it is now.
    #[must_use]
    pub fn surface(&self) -> Surface<'_> {
        Surface { vertices: &self.vertices, faces: &self.faces }
    }

    /// The number of edges that are invalid in this way.
    #[must_use]
    pub fn count(&self, kind: EdgeKind) -> usize {
        self.ill_edges.iter().filter(|edge| edge.kind == kind).count()
    }

    /// The middle of an edge.
    #[must_use]
    pub fn middle(&self, edge: &IllEdge) -> Vec3 {
        let [a, b] = edge.vertices.map(|v| self.vertices[v as usize]);
        0.5 * (a + b)
    }
}

impl Doubled {
    /// Of a mesh that is not closed because of them.
    fn of(solidity: &Solidity) -> Doubled {
        let pieces = solidity.pieces().iter();
        let mut found = Doubled::default();
        for piece in pieces.filter(|piece| piece.fault == SolidityFault::Doubled && piece.hull.is_some()) {
            found.count += piece.place_count;
            found.places.extend(piece.places.iter().map(|[a, b]| 0.5 * (*a + *b)));
        }
        found
    }
}

/// Moves vertices that no face uses to one that a face does. Their numbers stay.
fn gather_unused(vertices: &mut [Vec3], faces: &[[u32; 3]]) {
    let mut is_used = vec![false; vertices.len()];
    faces.iter().flatten().for_each(|&v| is_used[v as usize] = true);
    let Some(there) = faces.first().map(|face| vertices[face[0] as usize]) else { return };
    vertices.iter_mut().zip(is_used).filter(|(_, used)| !used).for_each(|(vertex, _)| *vertex = there);
}

/// A surface is closed if every edge is passed as often one way as the other, however many faces it has.
fn ill_edges(mesh: &Mesh) -> Vec<IllEdge> {
    let topology = Topology::of(mesh);
    let illness = |edge: usize| {
        let uses = topology.edge_uses(edge);
        let forward = uses.iter().filter(|one| one.is_forward()).count();
        let is_odd = uses.len() % 2 == 1;
        (2 * forward != uses.len()).then(|| IllEdge {
            kind: if is_odd { EdgeKind::Open } else { EdgeKind::OppositeWinding },
            vertices: topology.edges()[edge],
            face: uses.first().map_or(0, |one| one.face()),
        })
    };
    (0..topology.edges().len()).filter_map(illness).collect()
}
