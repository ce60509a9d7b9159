//! A ring.

use super::sweep::{Ring, endless};
use super::{Solid, SolidError, count, length, whole};
use freiraum_geometry::Vec3;
use std::f64::consts::TAU;

/// A torus about the z-axis. With `tube` above `radius` it runs through itself at the axis, and its faces there are inside out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    /// From the axis to the middle of the tube, in metres.
    pub radius: f64,
    /// Radius of the tube in metres.
    pub tube: f64,
    /// Vertices around the axis, at least 3.
    pub along: u32,
    /// Vertices around the tube, at least 3.
    pub around: u32,
}

impl Torus {
    /// A torus with about `vertices` vertices.
    #[must_use]
    pub fn by_vertices(radius: f64, tube: f64, vertices: u32) -> Torus {
        let around = whole((f64::from(vertices) * tube / radius).sqrt(), 3);
        Torus { radius, tube, along: whole(f64::from(vertices) / f64::from(around), 3), around }
    }

    /// The surface: along x around vertices, all on the torus.
    pub fn solid(&self) -> Result<Solid, SolidError> {
        let (radius, tube) =
            (length("the radius", self.radius)?, length("the radius of the tube", self.tube)?);
        let along = self.along.max(3);
        let around = self.around.max(3);
        count(u64::from(along) * u64::from(around))?;
        let rings: Vec<Ring> = (0..along)
            .map(|k| {
                let (sin, cos) = (TAU * f64::from(k) / f64::from(along)).sin_cos();
                let outwards = Vec3::new(cos, sin, 0.0);
                Ring { centre: radius * outwards, first: outwards, second: -Vec3::Z, radius: tube }
            })
            .collect();
        endless(&rings, around)
    }
}
