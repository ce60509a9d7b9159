//! A cylinder that can be twisted: with rings of vertices along its length.

use super::sweep::{Ring, capped, discs};
use super::{Solid, SolidError, count, length, whole};
use freiraum_geometry::Vec3;
use std::f64::consts::TAU;

/// A round bar along z about the origin, its sides and its ends divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Metres.
    pub radius: f64,
    /// Metres, along z.
    pub length: f64,
    /// Vertices around, at least 3.
    pub around: u32,
    /// Cells along, at least 1.
    pub along: u32,
}

impl Cylinder {
    /// A cylinder with about `vertices` vertices.
    #[must_use]
    pub fn by_vertices(radius: f64, length: f64, vertices: u32) -> Cylinder {
        let area = TAU * radius * (length + radius);
        let cell = (area / f64::from(vertices.max(4))).sqrt();
        let around = whole(TAU * radius / cell, 3);
        let on_ends = (2 * discs(around) - 2) * around + 2;
        let rings = f64::from(vertices.saturating_sub(on_ends)) / f64::from(around);
        Cylinder { radius, length, around, along: whole(rings - 1.0, 1) }
    }

    /// The surface; the vertices of its rims lie on the cylinder, so its volume is that of a prism.
    pub fn solid(&self) -> Result<Solid, SolidError> {
        let (radius, length) = (length("the radius", self.radius)?, length("the length", self.length)?);
        let along = self.along.max(1);
        let around = self.around.max(3);
        count((u64::from(along) + 1) * u64::from(around))?;
        let rings: Vec<Ring> = (0..=along)
            .map(|k| Ring {
                centre: Vec3::new(0.0, 0.0, 0.5 * length * (2.0 * f64::from(k) / f64::from(along) - 1.0)),
                first: Vec3::X,
                second: Vec3::Y,
                radius,
            })
            .collect();
        capped(&rings, around)
    }
}
