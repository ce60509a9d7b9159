//! A mesh that was read, and what became of it.

use super::super::Failure;
use super::super::mesh_file::Input;
use freiraum::deform::Surface;
use freiraum::deform::deformation::{Deformation, Frame};
use freiraum::geometry::mesh::{Solidity, SolidityFault, Topology};
use freiraum::geometry::{Mesh, Vec3, tolerance};
use freiraum::mesh_io::{MeshFormat, Unit};
use std::path::Path;

/// A mesh, as it is now.
pub(super) struct Body {
    /// As on the command line.
    pub(super) name: String,
    pub(super) format: MeshFormat,
    /// In the unit of the file, as all lengths here.
    pub(super) vertices: Vec<Vec3>,
    pub(super) faces: Vec<[u32; 3]>,
    /// Edges that faces pass more often one way than the other: no volume is bounded there.
    pub(super) ill_edges: Vec<IllEdge>,
    /// True if it bounds solids as it is written.
    pub(super) is_closed: bool,
    /// Places where faces cancel, which no edge shows: a face has the same corners as another one, and the opposite winding.
    pub(super) doubled: Doubled,
}

/// Faces that come twice with opposite winding, and bound nothing.
#[derive(Default)]
pub(super) struct Doubled {
    /// How many edges they have.
    pub(super) count: usize,
    /// In the middle of some of these.
    pub(super) places: Vec<Vec3>,
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

/// An edge at which the surface ends, or turns inside out.
pub(super) struct IllEdge {
    pub(super) kind: EdgeKind,
    pub(super) vertices: [u32; 2],
    /// One of its faces.
    pub(super) face: u32,
}

/// What is wrong with an edge.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum EdgeKind {
    /// A face has no other one there.
    Open,
    /// Its faces are as many as they should be, but not wound alike.
    OppositeWinding,
}

impl EdgeKind {
    /// As a key, for programs.
    pub(super) fn key(self) -> &'static str {
        match self {
            EdgeKind::Open => "open_edge",
            EdgeKind::OppositeWinding => "opposite_winding",
        }
    }
}

impl Body {
    pub(super) fn read(file: &Path, units: Option<Unit>) -> Result<Body, Failure> {
        let (mesh, format) = Input::of(file.to_owned(), units).read()?;
        let name = file.display().to_string();
        if mesh.faces().is_empty() {
            let message = format!("{name}: the mesh has no faces; expected a closed surface of triangles");
            return Err(Failure { place: vec![("file", name.into())], ..Failure::new("mesh", message) });
        }
        let ill_edges = ill_edges(&mesh);
        let solidity = Solidity::of(&mesh);
        let (is_closed, doubled) = (solidity.is_closed_as_written(), Doubled::of(&solidity));
        let (mut vertices, faces) = mesh.into_parts();
        gather_unused(&mut vertices, &faces);
        Ok(Body { name, format, vertices, faces, ill_edges, is_closed, doubled })
    }

    /// Changes its form, one deformation after the other, all in the frame of the box that it has now.
    pub(super) fn deform(&mut self, steps: &[Deformation], axis: Option<usize>) -> Result<(), Failure> {
        if steps.is_empty() {
            return Ok(());
        }
        let Some(frame) = Frame::of(&self.vertices, axis) else {
            let message = format!(
                "{}: the mesh has no extent along the axis of the deformation; choose another one with --along",
                self.name
            );
            return Err(self.failure("mesh", message));
        };
        let mut next = vec![Vec3::ZERO; self.vertices.len()];
        for step in steps {
            step.apply(&frame, &self.vertices, &self.faces, &mut next);
            std::mem::swap(&mut self.vertices, &mut next);
        }
        let limit = tolerance::MAX_COORDINATE;
        let is_far = |p: &Vec3| p.to_array().iter().any(|x| !(x.abs() <= limit));
        match self.vertices.iter().position(is_far) {
            None => Ok(()),
            Some(vertex) => {
                let message = format!(
                    "{}: the deformation is too strong: it moves vertex {vertex} farther out than {limit:e}",
                    self.name
                );
                Err(self.failure("deformation", message))
            }
        }
    }

    pub(super) fn surface(&self) -> Surface<'_> {
        Surface { vertices: &self.vertices, faces: &self.faces }
    }

    /// How many edges are ill in this way.
    pub(super) fn count(&self, kind: EdgeKind) -> usize {
        self.ill_edges.iter().filter(|edge| edge.kind == kind).count()
    }

    /// The middle of an edge.
    pub(super) fn middle(&self, edge: &IllEdge) -> Vec3 {
        let [a, b] = edge.vertices.map(|v| self.vertices[v as usize]);
        0.5 * (a + b)
    }

    /// Something about this file.
    pub(super) fn failure(&self, code: &'static str, message: impl ToString) -> Failure {
        Failure { place: vec![("file", self.name.clone().into())], ..Failure::new(code, message) }
    }
}

/// Puts vertices that no face has to one that is there: they would widen the box that is looked at. Their numbers stay.
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
