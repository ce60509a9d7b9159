//! The round cone.

use super::error::{check_length, check_radius};
use super::tessellation::{Builder, Fineness, circle_segments};
use super::{ShapeError, Support, TessellationError};
use crate::math::unit;
use crate::{Aabb, MassProperties, Mat3, Mesh, Vec3};
use std::f64::consts::PI;

/// A solid cone about the z axis, centred half way up: the base at z = -height/2, the tip at z = +height/2.
///
/// The origin is the middle of its box, as for the cylinder; its centre of volume lies at z = -height/4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    radius: f64,
    height: f64,
}

impl Cone {
    /// A cone of the given base radius and height in metres, both positive.
    pub fn new(radius: f64, height: f64) -> Result<Cone, ShapeError> {
        Ok(Cone {
            radius: check_radius("cone radius", radius)?,
            height: check_length("cone height", height)?,
        })
    }

    /// The radius of the base in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The height in metres, from base to tip.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The smallest axis-parallel box in the frame of the cone, exact.
    pub fn aabb(&self) -> Aabb {
        let max = Vec3::new(self.radius, self.radius, 0.5 * self.height);
        Aabb { min: -max, max }
    }

    /// True if `point` lies in the closed cone; within rounding of the side it may be either.
    pub fn contains(&self, point: Vec3) -> bool {
        let (below_tip, half) = (0.5 * self.height - point.z, 0.5 * self.height);
        point.z.abs() <= half && point.truncate().length() <= self.radius * (below_tip / self.height)
    }

    /// Surface area in square metres, base included.
    pub fn area(&self) -> f64 {
        PI * self.radius * (self.radius + self.radius.hypot(self.height))
    }

    /// Volume, centre and inertia in closed form.
    pub fn mass_properties(&self) -> MassProperties {
        let (r, h) = (self.radius, self.height);
        let volume = PI * r * r * h / 3.0;
        let across = volume * (3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h);
        let along = volume * 0.3 * r * r;
        MassProperties {
            volume,
            centroid: Vec3::new(0.0, 0.0, -0.25 * h),
            inertia: Mat3::from_diagonal(Vec3::new(across, across, along)),
        }
    }

    /// The number of chords round the axis.
    fn segments(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        // At every height the section is a circle no larger than the base, with chords of the same angle.
        let deviation = fineness.without_rounding(self.radius)?.left;
        Ok(circle_segments(self.radius, deviation))
    }

    pub(super) fn triangle_count(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        self.segments(fineness).map(|n| 2.0 * n - 2.0)
    }

    pub(super) fn tessellate(&self, fineness: &Fineness) -> Result<Mesh, TessellationError> {
        let count = self.segments(fineness)? as usize;
        let mut mesh = Builder::default();
        mesh.ring(self.radius, -0.5 * self.height, count);
        mesh.vertices.push(Vec3::new(0.0, 0.0, 0.5 * self.height));
        for i in 0..count {
            mesh.face([i, (i + 1) % count, count]);
        }
        mesh.polygon_from_below(0, count);
        Ok(mesh.finish())
    }
}

impl Support for Cone {
    fn support(&self, direction: Vec3) -> Vec3 {
        let tip = Vec3::new(0.0, 0.0, 0.5 * self.height);
        let Some(d) = unit(direction) else { return tip };
        // The rim's share in the direction is r |d across| - h/2 d.z, the tip's h/2 d.z.
        if d.z * self.height >= self.radius * d.truncate().length() {
            return tip;
        }
        let rim = self.radius * unit(d.with_z(0.0)).unwrap_or(Vec3::ZERO);
        rim.with_z(-0.5 * self.height)
    }
}
