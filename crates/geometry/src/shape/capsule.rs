//! The cylinder with round ends.

use super::error::{check_radius, check_size};
use super::icosphere;
use super::tessellation::{Builder, Fineness};
use super::{ShapeError, Support, TessellationError};
use crate::math::{rounding, unit};
use crate::tolerance::MAX_COORDINATE;
use crate::{Aabb, MassProperties, Mat3, Mesh, Vec3};
use std::f64::consts::PI;

/// All points within `radius` of a segment on the z axis, which is centred: from z = -height/2 to z = +height/2.
///
/// The whole capsule is `height + 2 radius` long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    radius: f64,
    height: f64,
}

impl Capsule {
    /// A capsule of the given radius, positive, and height of its straight part, in metres.
    ///
    /// **Degenerate input.** A height of zero is accepted: the capsule is a ball.
    pub fn new(radius: f64, height: f64) -> Result<Capsule, ShapeError> {
        let radius = check_radius("capsule radius", radius)?;
        let height = check_size("capsule height", height, 0.0, MAX_COORDINATE)?;
        check_size("capsule length from end to end", height + 2.0 * radius, 0.0, MAX_COORDINATE)?;
        Ok(Capsule { radius, height })
    }

    /// The radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The height of the straight part in metres.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The smallest axis-parallel box in the frame of the capsule, exact, its ends rounded outward.
    pub fn aabb(&self) -> Aabb {
        let max = Vec3::new(self.radius, self.radius, rounding::add_up(0.5 * self.height, self.radius));
        Aabb { min: -max, max }
    }

    /// True if `point` lies in the closed capsule; within rounding of the surface it may be either.
    pub fn contains(&self, point: Vec3) -> bool {
        let beyond = (point.z.abs() - 0.5 * self.height).max(0.0);
        point.with_z(beyond).length() <= self.radius
    }

    /// Surface area in square metres.
    pub fn area(&self) -> f64 {
        2.0 * PI * self.radius * (self.height + 2.0 * self.radius)
    }

    /// Volume, centre and inertia in closed form: a cylinder and two half balls.
    pub fn mass_properties(&self) -> MassProperties {
        let (r, h) = (self.radius, self.height);
        let (straight, round) = (PI * r * r * h, 4.0 / 3.0 * PI * r * r * r);
        let along = straight * r * r / 2.0 + round * 0.4 * r * r;
        // A half ball has its centre 3/8 r beyond its flat side; the parallel-axis terms are collected here.
        let across =
            straight * (r * r / 4.0 + h * h / 12.0) + round * (0.4 * r * r + h * h / 4.0 + 3.0 / 8.0 * r * h);
        MassProperties {
            volume: straight + round,
            centroid: Vec3::ZERO,
            inertia: Mat3::from_diagonal(Vec3::new(across, across, along)),
        }
    }

    /// The parts of an edge of the icosahedron; see `icosphere`.
    fn frequency(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        let deviation = fineness.without_rounding(0.5 * self.height + self.radius)?.left;
        // An even number, because the sphere is cut apart along its middle row. The chords of that row belong to
        // triangles of the sphere, so the straight part is as close as they are.
        Ok(2.0 * (0.5 * icosphere::frequency(self.radius, deviation)).ceil())
    }

    pub(super) fn triangle_count(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        self.frequency(fineness).map(|n| 20.0 * n * n + 10.0 * n)
    }

    pub(super) fn tessellate(&self, fineness: &Fineness) -> Result<Mesh, TessellationError> {
        let n = self.frequency(fineness)? as usize;
        let mut mesh = Builder::default();
        let middle = 3 * n / 2;
        let mut above = 0;
        for row in 0..icosphere::row_count(n) {
            let first = mesh.vertices.len();
            icosphere::push_row(&mut mesh.vertices, n, row);
            if row > 0 {
                icosphere::join_rows(&mut mesh, n, row - 1, above, first);
            }
            above = first;
            if row == middle && self.height > 0.0 {
                // The middle row once more, for the lower half.
                let again = mesh.vertices.len();
                mesh.vertices.extend_from_within(first..);
                mesh.band(first, again, icosphere::row_length(n, row));
                above = again;
            }
        }
        // The first half of the vertices is the upper half of the capsule.
        let upper = mesh.vertices.len() / 2;
        for (i, p) in mesh.vertices.iter_mut().enumerate() {
            *p *= self.radius;
            p.z += if i < upper { 0.5 * self.height } else { -0.5 * self.height };
        }
        Ok(mesh.finish())
    }
}

impl Support for Capsule {
    fn support(&self, direction: Vec3) -> Vec3 {
        let mut p = self.radius * unit(direction).unwrap_or(Vec3::Z);
        p.z += if direction.z < 0.0 { -0.5 * self.height } else { 0.5 * self.height };
        p
    }
}
