//! Closed surfaces with normals outwards, as finely divided as wanted: vertices and faces, nothing else.
//!
//! - [`Cuboid`], [`Ball`], [`Cylinder`], [`Torus`]: bodies whose volumes are known
//! - [`Spring`]: a tube wound around an axis, whose windings may run into each other
//! - [`PlaneStack`]: n parallel squares of which half are entered and half are left, so that n/2 volumes lie in each other
//!
//! **Guarantee.** Every edge belongs to exactly two faces, which use it in opposite directions; no vertex is there twice;
//! `solid()` of equal parameters is equal to the bit.
//! **Resolution.** Counts below the least that makes a body are raised to it. `by_vertices` chooses counts that make about
//! the wished number of vertices with cells about as long as wide.

mod ball;
mod cuboid;
mod cylinder;
mod spring;
mod stack;
mod sweep;
mod torus;

pub use ball::Ball;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use spring::Spring;
pub use stack::PlaneStack;
pub use torus::Torus;

use freiraum_geometry::tolerance::{MAX_COORDINATE, MIN_SIZE};
use freiraum_geometry::{Mesh, MeshError, Vec3};

/// The most vertices a generator makes.
pub const MOST_VERTICES: u64 = 1 << 27;

/// A surface: vertices in metres, faces counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    /// Positions in metres.
    pub vertices: Vec<Vec3>,
    /// Three vertices each.
    pub faces: Vec<[u32; 3]>,
}

/// Why a shape cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolidError {
    /// A length that is none, or one that the body cannot have.
    #[error("{what} is {value}; expected {expected}")]
    BadSize {
        /// The name of the parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// More vertices than [`MOST_VERTICES`].
    #[error("{0} vertices; at most {MOST_VERTICES} are made")]
    TooFine(u64),
    /// A stack needs as many planes that are entered as planes that are left.
    #[error("a stack has an even number of planes, at least 2, not {0}")]
    OddPlanes(u32),
}

impl Solid {
    /// Six times the signed volume is the sum of the determinants of the faces; where parts lie in each other, each counts.
    ///
    /// **Units.** Cubic metres.
    #[must_use]
    pub fn volume(&self) -> f64 {
        volume(&self.vertices, &self.faces)
    }

    /// Adds another surface as a part of its own, moved by `shift`.
    pub fn append(&mut self, other: &Solid, shift: Vec3) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices.iter().map(|&p| p + shift));
        self.faces.extend(other.faces.iter().map(|face| face.map(|v| v + first)));
    }

    /// The mesh of it.
    pub fn into_mesh(self) -> Result<Mesh, MeshError> {
        Mesh::new(self.vertices, self.faces)
    }
}

/// The signed volume that closed faces enclose, in cubic metres; where parts lie in each other, each counts.
#[must_use]
pub fn volume(vertices: &[Vec3], faces: &[[u32; 3]]) -> f64 {
    // About a vertex of the surface, so that a body far from the origin keeps its digits.
    let Some(&base) = vertices.first() else { return 0.0 };
    let sum: f64 = faces
        .iter()
        .map(|face| {
            let [a, b, c] = face.map(|v| vertices[v as usize] - base);
            a.dot(b.cross(c))
        })
        .sum();
    sum / 6.0
}

/// Refuses what is no length of a body.
fn length(what: &'static str, value: f64) -> Result<f64, SolidError> {
    if (MIN_SIZE..=MAX_COORDINATE).contains(&value) {
        Ok(value)
    } else {
        Err(SolidError::BadSize { what, value, expected: "a length above 0" })
    }
}

/// Refuses more vertices than indices can name with ease.
fn count(vertices: u64) -> Result<usize, SolidError> {
    if vertices > MOST_VERTICES { Err(SolidError::TooFine(vertices)) } else { Ok(vertices as usize) }
}

/// The nearest whole number, at least `least`.
fn whole(value: f64, least: u32) -> u32 {
    (value.round() as u32).max(least)
}
