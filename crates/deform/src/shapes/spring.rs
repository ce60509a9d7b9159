//! A spiral spring.

use super::sweep::{Ring, capped, discs};
use super::{Solid, SolidError, count, length, whole};
use freiraum_geometry::Vec3;
use std::f64::consts::TAU;

/// A round wire wound around the z-axis, with flat ends, its middle at the origin.
///
/// Windings run into each other when the pitch is below the thickness of the wire, and when the spring is pressed together, bent
/// or blown up. With an `end_radius` of its own it narrows like a cone. The middle line is
/// (R cos t, R sin t, pitch t / 2π) with R from `radius` to `end_radius`, linear in t; sections are discs at right angles to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// From the axis to the middle of the wire at the lower end, in metres; above the radius of the wire.
    pub radius: f64,
    /// The same at the upper end.
    pub end_radius: f64,
    /// Radius of the wire in metres.
    pub wire: f64,
    /// Rise of the middle line per winding in metres; 0 is allowed, and negative is wound the other way.
    pub pitch: f64,
    /// Windings, above 0.
    pub windings: f64,
    /// Cells along the wire, at least 1.
    pub along: u32,
    /// Vertices around the wire, at least 3.
    pub around: u32,
}

impl Spring {
    /// A cylindrical spring with about `vertices` vertices.
    #[must_use]
    pub fn by_vertices(radius: f64, wire: f64, pitch: f64, windings: f64, vertices: u32) -> Spring {
        let long = windings * (TAU * radius).hypot(pitch);
        let cell = (TAU * wire * (long + wire) / f64::from(vertices.max(4))).sqrt();
        let around = whole(TAU * wire / cell, 3);
        let on_ends = (2 * discs(around) - 2) * around + 2;
        let rings = f64::from(vertices.saturating_sub(on_ends)) / f64::from(around);
        Spring { radius, end_radius: radius, wire, pitch, windings, along: whole(rings - 1.0, 1), around }
    }

    /// The surface. Ring k is the `around` vertices from [`Spring::first_of_ring`] of k on, all at the wire's radius from
    /// [`Spring::middle`] of k.
    pub fn solid(&self) -> Result<Solid, SolidError> {
        let (radius, end) =
            (length("the radius", self.radius)?, length("the radius at the end", self.end_radius)?);
        let wire = length("the radius of the wire", self.wire)?;
        length("the number of windings", self.windings)?;
        if wire >= radius.min(end) {
            let expected = "less than the radius of the spring";
            return Err(SolidError::BadSize { what: "the radius of the wire", value: wire, expected });
        }
        if !self.pitch.is_finite() {
            return Err(SolidError::BadSize { what: "the pitch", value: self.pitch, expected: "a length" });
        }
        let along = self.along.max(1);
        let around = self.around.max(3);
        count((u64::from(along) + 1) * u64::from(around))?;
        let rings: Vec<Ring> = (0..=along)
            .map(|k| {
                let (sin, cos) = self.turn(k).sin_cos();
                let outwards = Vec3::new(cos, sin, 0.0);
                let narrowing = (self.end_radius - self.radius) / (TAU * self.windings);
                let tangent = narrowing * outwards
                    + self.distance(k) * Vec3::new(-sin, cos, 0.0)
                    + Vec3::new(0.0, 0.0, self.pitch / TAU);
                // Never 0: the middle line keeps away from the axis.
                let tangent = tangent / tangent.length();
                let across = outwards - tangent * tangent.dot(outwards);
                let first = across / across.length();
                Ring { centre: self.middle(k), first, second: tangent.cross(first), radius: wire }
            })
            .collect();
        capped(&rings, around)
    }

    /// The middle of the wire at ring k of 0 to `along`.
    #[must_use]
    pub fn middle(&self, k: u32) -> Vec3 {
        let (sin, cos) = self.turn(k).sin_cos();
        let radius = self.distance(k);
        let height = self.pitch * (self.turn(k) / TAU - 0.5 * self.windings);
        Vec3::new(radius * cos, radius * sin, height)
    }

    /// The first vertex of ring k of 0 to `along`.
    #[must_use]
    pub fn first_of_ring(&self, k: u32) -> u32 {
        let around = self.around.max(3);
        (discs(around) - 1 + k) * around
    }

    fn turn(&self, k: u32) -> f64 {
        TAU * self.windings * f64::from(k) / f64::from(self.along.max(1))
    }

    fn distance(&self, k: u32) -> f64 {
        let share = f64::from(k) / f64::from(self.along.max(1));
        self.radius + (self.end_radius - self.radius) * share
    }
}
