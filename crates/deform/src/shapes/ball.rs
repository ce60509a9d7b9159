//! A ball, divided like a cube.

use super::cuboid::lattice;
use super::{Solid, SolidError, length, whole};
use freiraum_geometry::Vec3;
use std::f64::consts::FRAC_PI_4;

/// A ball about the origin whose vertices all lie on the sphere.
///
/// The lattice of a cube, spaced by equal angles and projected: cells differ by less than a factor of two, and there are no poles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Metres.
    pub radius: f64,
    /// Cells along the edges of the cube, at least 1: a quarter of the cells along a great circle.
    pub cells: u32,
}

impl Ball {
    /// A ball with about `vertices` vertices.
    #[must_use]
    pub fn by_vertices(radius: f64, vertices: u32) -> Ball {
        Ball { radius, cells: whole((f64::from(vertices) / 6.0).sqrt(), 1) }
    }

    /// The surface: 6 cells² + 2 vertices.
    pub fn solid(&self) -> Result<Solid, SolidError> {
        let radius = length("the radius", self.radius)?;
        let mut solid = lattice([self.cells; 3])?;
        for p in &mut solid.vertices {
            // Points of the cube are 1 to √3 long.
            let spread = Vec3::new((FRAC_PI_4 * p.x).tan(), (FRAC_PI_4 * p.y).tan(), (FRAC_PI_4 * p.z).tan());
            *p = spread * (radius / spread.length());
        }
        Ok(solid)
    }
}
