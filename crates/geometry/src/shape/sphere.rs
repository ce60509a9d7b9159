//! The ball.

use super::error::check_radius;
use super::icosphere;
use super::tessellation::{Builder, Fineness};
use super::{ShapeError, Support, TessellationError};
use crate::math::unit;
use crate::{Aabb, MassProperties, Mat3, Mesh, Vec3};
use std::f64::consts::PI;

/// A solid ball, centred at the origin of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A ball of the given radius in metres, which is positive.
    pub fn new(radius: f64) -> Result<Sphere, ShapeError> {
        Ok(Sphere { radius: check_radius("sphere radius", radius)? })
    }

    /// The radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The smallest axis-parallel box in the frame of the sphere, exact.
    pub fn aabb(&self) -> Aabb {
        Aabb { min: Vec3::splat(-self.radius), max: Vec3::splat(self.radius) }
    }

    /// True if `point` lies in the closed ball; within rounding of the surface it may be either.
    pub fn contains(&self, point: Vec3) -> bool {
        point.length() <= self.radius
    }

    /// Surface area in square metres.
    pub fn area(&self) -> f64 {
        4.0 * PI * self.radius * self.radius
    }

    /// Volume, centre and inertia in closed form.
    pub fn mass_properties(&self) -> MassProperties {
        let r = self.radius;
        let volume = 4.0 / 3.0 * PI * r * r * r;
        let moment = 0.4 * volume * r * r;
        MassProperties { volume, centroid: Vec3::ZERO, inertia: Mat3::from_diagonal(Vec3::splat(moment)) }
    }

    /// The parts of an edge of the icosahedron; see `icosphere`.
    fn frequency(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        let deviation = fineness.without_rounding(self.radius)?.left;
        Ok(icosphere::frequency(self.radius, deviation))
    }

    pub(super) fn triangle_count(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        self.frequency(fineness).map(|n| 20.0 * n * n)
    }

    pub(super) fn tessellate(&self, fineness: &Fineness) -> Result<Mesh, TessellationError> {
        let n = self.frequency(fineness)? as usize;
        let mut mesh = Builder::default();
        let mut above = 0;
        for row in 0..icosphere::row_count(n) {
            let first = mesh.vertices.len();
            icosphere::push_row(&mut mesh.vertices, n, row);
            if row > 0 {
                icosphere::join_rows(&mut mesh, n, row - 1, above, first);
            }
            above = first;
        }
        mesh.vertices.iter_mut().for_each(|p| *p *= self.radius);
        Ok(mesh.finish())
    }
}

impl Support for Sphere {
    fn support(&self, direction: Vec3) -> Vec3 {
        self.radius * unit(direction).unwrap_or(Vec3::Z)
    }
}
