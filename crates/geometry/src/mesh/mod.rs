//! Triangle meshes: the checked container, and what can be asked about it.
//!
//! - [`Topology`]: edges with their faces, faces round each vertex, feature edges, components
//! - [`MeshReport`]: is it a proper solid, and where not?
//! - [`repair`]: weld, drop, orient; says what it changed
//! - [`weld`]: which vertices are one
//! - [`Mesh::mass_properties`], [`Mesh::area`], [`Mesh::surface_centroid`]
//!
//! Crossing faces (self-intersection) and T-junctions are neither reported nor repaired.

mod faces;
mod mass;
mod nesting;
mod radial;
mod repair;
mod report;
mod topology;
mod union_find;
pub mod weld;

pub use repair::{RepairError, RepairLog, RepairOptions, Repaired, repair};
pub use report::{Defect, DefectKind, Hole, MeshReport, Place};
pub use topology::{EdgeKind, EdgeUse, Topology};

use crate::math::{AxisBox, Pose, Vec3};
use crate::tolerance::MAX_COORDINATE;

/// Triangles with shared vertices.
///
/// **Frames.** The frame of the body. **Units.** Metres. Faces are counter-clockwise seen from outside when the
/// mesh is a proper solid; a `Mesh` need not be one: open, inside-out and self-crossing meshes are meshes too, and
/// `MeshReport` tells them apart. **Guarantee.** At least one face, every index in range, every coordinate finite and
/// at most [`MAX_COORDINATE`] in magnitude; so code that takes a `Mesh` need not check again.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}

/// As many faces as leave every corner a number of 32 bits.
const MAX_FACES: usize = (u32::MAX / 3) as usize;

/// Why vertices and faces do not make a [`Mesh`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// There is no triangle at all.
    #[error("the mesh has no triangles")]
    NoFaces,
    /// Vertices are counted with 32 bits.
    #[error("the mesh has {0} vertices, more than the {max} that can be numbered", max = u32::MAX)]
    TooManyVertices(usize),
    /// Corners of faces are counted with 32 bits too.
    #[error("the mesh has {0} triangles, more than the {MAX_FACES} that can be numbered")]
    TooManyFaces(usize),
    /// A coordinate is NaN, infinite or too large.
    #[error(
        "vertex {vertex} has the coordinate {value}; expected a finite number of magnitude at most {MAX_COORDINATE:e}"
    )]
    BadCoordinate {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// The offending value in metres.
        value: f64,
    },
    /// A face refers to a vertex that does not exist.
    #[error("face {face} refers to vertex {index}, but there are only {vertices} vertices (counted from 0)")]
    IndexOutOfRange {
        /// Index of the face, from 0.
        face: usize,
        /// The offending vertex index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
}

impl Mesh {
    /// Builds a mesh, checking every index and every coordinate.
    ///
    /// **Degenerate input.** Faces without area and duplicate faces are accepted; `MeshReport` names them and
    /// `repair` removes them.
    pub fn new(vertices: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Result<Mesh, MeshError> {
        if faces.is_empty() {
            return Err(MeshError::NoFaces);
        }
        if faces.len() > MAX_FACES {
            return Err(MeshError::TooManyFaces(faces.len()));
        }
        if vertices.len() > u32::MAX as usize {
            return Err(MeshError::TooManyVertices(vertices.len()));
        }
        for (vertex, p) in vertices.iter().enumerate() {
            if let Some(value) = p.to_array().into_iter().find(|x| x.is_nan() || x.abs() > MAX_COORDINATE) {
                return Err(MeshError::BadCoordinate { vertex, value });
            }
        }
        let count = vertices.len() as u32;
        for (face, corners) in faces.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&i| i >= count) {
                return Err(MeshError::IndexOutOfRange { face, index, vertices: vertices.len() });
            }
        }
        Ok(Mesh { vertices, faces })
    }

    /// The vertices in metres; some may belong to no face.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Three vertex indices per triangle.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// The three corners of a face, in its winding order. Panics if there is no such face.
    pub fn triangle(&self, face: usize) -> [Vec3; 3] {
        self.faces[face].map(|i| self.vertices[i as usize])
    }

    /// The corners of all faces in order.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [Vec3; 3]> {
        self.faces.iter().map(|f| f.map(|i| self.vertices[i as usize]))
    }

    /// The axis-parallel box of all faces, exact; vertices that no face uses do not count.
    pub fn axis_box(&self) -> AxisBox {
        self.triangles().fold(AxisBox::EMPTY, |bounds, [a, b, c]| bounds.grown(a).grown(b).grown(c))
    }

    /// The mesh in another frame.
    #[must_use]
    pub fn placed(&self, a_from_b: &Pose) -> Mesh {
        let vertices = self.vertices.iter().map(|&p| a_from_b.transform_point(p)).collect();
        Mesh { vertices, faces: self.faces.clone() }
    }

    /// The parts of the mesh, for whoever wants to change them and call [`Mesh::new`] again.
    pub fn into_parts(self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        (self.vertices, self.faces)
    }
}
