//! The test object of layered depth images: parallel squares, half of them entered and half of them left.

use super::cuboid::lattice;
use super::{Solid, SolidError, count, length, whole};
use freiraum_geometry::Vec3;

/// n parallel squares one over the other along z; the lower n/2 face down, the upper n/2 face up. A ray along z enters n/2
/// times before it leaves for the first time, so that n/2 volumes lie in each other in the middle.
///
/// To be closed, the k-th square from below and the k-th from above are the ends of one box; its walls run along z, add no
/// vertices, and have no area seen along z. The boxes lie in each other like dolls of one width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneStack {
    /// How many squares: even, at least 2.
    pub planes: u32,
    /// Cells along the side of a square, at least 1.
    pub cells: u32,
    /// Side of a square in metres.
    pub side: f64,
    /// From the lowest to the highest square in metres. Above `side`, z is the longest axis of the box.
    pub height: f64,
}

impl PlaneStack {
    /// Squares of side 1 in a stack 1.25 high, with about `vertices` vertices together.
    #[must_use]
    pub fn by_vertices(planes: u32, vertices: u32) -> PlaneStack {
        let on_a_side = (f64::from(vertices) / f64::from(planes.max(1))).sqrt();
        PlaneStack { planes, cells: whole(on_a_side - 1.0, 1), side: 1.0, height: 1.25 }
    }

    /// The surface: planes (cells + 1)² vertices. It stands on the xy-plane about the z-axis.
    pub fn solid(&self) -> Result<Solid, SolidError> {
        if self.planes < 2 || self.planes % 2 == 1 {
            return Err(SolidError::OddPlanes(self.planes));
        }
        let (side, height) = (length("the side", self.side)?, length("the height", self.height)?);
        let cells = self.cells.max(1);
        let on_a_side = u64::from(cells) + 1;
        count(on_a_side.max(u64::from(self.planes)))?;
        count(on_a_side * on_a_side)?;
        count(u64::from(self.planes) * (on_a_side * on_a_side))?;
        let flat = lattice([cells, cells, 1])?;
        let level = |k: u32| height * f64::from(k) / f64::from(self.planes - 1);
        let mut solid = Solid::default();
        for k in 0..self.planes / 2 {
            let (low, high) = (level(k), level(self.planes - 1 - k));
            let mut doll = flat.clone();
            for p in &mut doll.vertices {
                *p = Vec3::new(0.5 * side * p.x, 0.5 * side * p.y, if p.z < 0.0 { low } else { high });
            }
            solid.append(&doll, Vec3::ZERO);
        }
        Ok(solid)
    }

    /// The volume where at least two lie in each other: the second doll, in cubic metres.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        let gaps = f64::from(self.planes.max(2) - 1);
        self.side * self.side * self.height * ((gaps - 2.0) / gaps).max(0.0)
    }
}
