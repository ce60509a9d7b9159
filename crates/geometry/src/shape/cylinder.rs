//! The round cylinder.

use super::error::{check_length, check_radius};
use super::tessellation::{Builder, Fineness, circle_segments};
use super::{ShapeError, Support, TessellationError};
use crate::math::unit;
use crate::{Aabb, MassProperties, Mat3, Mesh, Vec3};
use std::f64::consts::PI;

/// A solid cylinder about the z axis, centred: from z = -height/2 to z = +height/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    radius: f64,
    height: f64,
}

impl Cylinder {
    /// A cylinder of the given radius and height in metres, both positive.
    pub fn new(radius: f64, height: f64) -> Result<Cylinder, ShapeError> {
        Ok(Cylinder {
            radius: check_radius("cylinder radius", radius)?,
            height: check_length("cylinder height", height)?,
        })
    }

    /// The radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The height in metres, from end to end.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The smallest axis-parallel box in the frame of the cylinder, exact.
    pub fn aabb(&self) -> Aabb {
        let max = Vec3::new(self.radius, self.radius, 0.5 * self.height);
        Aabb { min: -max, max }
    }

    /// True if `point` lies in the closed cylinder; within rounding of the side it may be either.
    pub fn contains(&self, point: Vec3) -> bool {
        point.z.abs() <= 0.5 * self.height && point.truncate().length() <= self.radius
    }

    /// Surface area in square metres, ends included.
    pub fn area(&self) -> f64 {
        2.0 * PI * self.radius * (self.radius + self.height)
    }

    /// Volume, centre and inertia in closed form.
    pub fn mass_properties(&self) -> MassProperties {
        let (r, h) = (self.radius, self.height);
        let volume = PI * r * r * h;
        let across = volume * (r * r / 4.0 + h * h / 12.0);
        let moments = Vec3::new(across, across, volume * r * r / 2.0);
        MassProperties { volume, centroid: Vec3::ZERO, inertia: Mat3::from_diagonal(moments) }
    }

    /// The number of chords round the axis.
    fn segments(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        let deviation = fineness.without_rounding(self.radius)?.left;
        Ok(circle_segments(self.radius, deviation))
    }

    pub(super) fn triangle_count(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        self.segments(fineness).map(|n| 4.0 * n - 4.0)
    }

    pub(super) fn tessellate(&self, fineness: &Fineness) -> Result<Mesh, TessellationError> {
        let count = self.segments(fineness)? as usize;
        let mut mesh = Builder::default();
        mesh.ring(self.radius, 0.5 * self.height, count);
        mesh.ring(self.radius, -0.5 * self.height, count);
        mesh.band(0, count, count);
        mesh.polygon(0, count);
        mesh.polygon_from_below(count, count);
        Ok(mesh.finish())
    }
}

impl Support for Cylinder {
    fn support(&self, direction: Vec3) -> Vec3 {
        let across = Vec3::new(direction.x, direction.y, 0.0);
        let rim = self.radius * unit(across).unwrap_or(Vec3::ZERO);
        let z = if direction.z < 0.0 { -0.5 * self.height } else { 0.5 * self.height };
        rim.with_z(z)
    }
}
