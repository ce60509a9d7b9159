//! Triangle meshes: the checked container, and what can be asked about it.
//!
//! - [`Topology`]: edges with their faces, faces round each vertex, feature edges, components
//! - [`MeshReport`]: is it a proper solid, and where not?
//! - [`repair`]: weld, drop, orient; says what it changed
//! - [`weld`]: which vertices are one
//! - [`solidity`]: which shells bound a solid, for the question what is inside
//! - [`Mesh::mass_properties`], [`Mesh::area`], [`Mesh::surface_centroid`]
//!
//! Crossing faces (self-intersection) and T-junctions are neither reported nor repaired.

mod faces;
mod mass;
mod nesting;
mod radial;
mod repair;
mod report;
pub mod solidity;
mod topology;
pub mod weld;

pub use repair::{RepairError, RepairLog, RepairOptions, Repaired, repair};
pub use report::{Defect, DefectKind, Hole, MeshReport, Place};
pub use solidity::{OpenPiece, Patch, Solidity, SolidityFault, SoundSurface};
pub use topology::{EdgeKind, EdgeUse, Topology};

use crate::math::{Aabb, Pose, Vec3};
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
pub(crate) const MAX_FACES: usize = (u32::MAX / 3) as usize;

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
        // Good meshes are the rule: one pass without branches decides, a second one finds the culprit.
        let is_good = |x: f64| x.abs() <= MAX_COORDINATE;
        if !vertices.iter().fold(true, |good, p| good & is_good(p.x) & is_good(p.y) & is_good(p.z)) {
            let values = vertices.iter().enumerate().flat_map(|(i, p)| p.to_array().map(|x| (i, x)));
            if let Some((vertex, value)) = values.into_iter().find(|(_, x)| !is_good(*x)) {
                return Err(MeshError::BadCoordinate { vertex, value });
            }
        }
        let largest = faces.as_flattened().iter().fold(0, |largest, &i| i.max(largest));
        if largest as usize >= vertices.len() {
            let is_bad = |i: &&u32| **i as usize >= vertices.len();
            let found = faces.iter().enumerate().find_map(|(face, f)| Some((face, *f.iter().find(is_bad)?)));
            if let Some((face, index)) = found {
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
    pub fn aabb(&self) -> Aabb {
        self.triangles().fold(Aabb::EMPTY, |bounds, [a, b, c]| bounds.grown(a).grown(b).grown(c))
    }

    /// The mesh in another frame. Fails only where that takes a coordinate beyond [`MAX_COORDINATE`].
    pub fn placed(&self, a_from_b: &Pose) -> Result<Mesh, MeshError> {
        let vertices = self.vertices.iter().map(|&p| a_from_b.transform_point(p)).collect();
        Mesh::new(vertices, self.faces.clone())
    }

    /// The parts of the mesh, for whoever wants to change them and call [`Mesh::new`] again.
    pub fn into_parts(self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        (self.vertices, self.faces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    #[test]
    fn what_is_no_mesh_is_refused() {
        let check = |vertices: &[Vec3], faces: &[[u32; 3]], message: &str| {
            assert_eq!(Mesh::new(vertices.to_vec(), faces.to_vec()).unwrap_err().to_string(), message);
        };
        check(&CORNERS, &[], "the mesh has no triangles");
        let message = "face 1 refers to vertex 3, but there are only 3 vertices (counted from 0)";
        check(&CORNERS, &[[0, 1, 2], [2, 3, u32::MAX]], message);
        check(&[], &[[0; 3]], "face 0 refers to vertex 0, but there are only 0 vertices (counted from 0)");
        for (bad, name) in [(f64::NAN, "NaN"), (f64::NEG_INFINITY, "-inf"), (2e300, "2e300")] {
            let vertices = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, bad, 0.0)];
            let Err(MeshError::BadCoordinate { vertex, value }) = Mesh::new(vertices.to_vec(), vec![[0; 3]])
            else {
                panic!("{name} was accepted")
            };
            assert!(vertex == 2 && value.to_bits() == bad.to_bits(), "{name}");
        }
    }

    #[test]
    fn placing_keeps_what_a_mesh_guarantees() {
        let mesh = Mesh::new(CORNERS.to_vec(), vec![[0, 1, 2]]).unwrap();
        let placed = mesh.placed(&Pose::from_translation(Vec3::splat(2.0))).unwrap();
        assert_eq!(placed.triangle(0), CORNERS.map(|p| p + 2.0));
        for far in [2.0 * MAX_COORDINATE, f64::MAX] {
            let refused = mesh.placed(&Pose::from_translation(Vec3::new(0.0, far, 0.0)));
            assert_eq!(refused, Err(MeshError::BadCoordinate { vertex: 0, value: far }));
        }
    }

    #[test]
    fn the_box_is_that_of_the_faces() {
        let vertices = [&CORNERS[..], &[Vec3::splat(9.0)]].concat();
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).unwrap();
        assert_eq!(mesh.aabb(), Aabb { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) });
    }
}
