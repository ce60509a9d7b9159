//! A soft body: masses at the vertices of a closed surface, springs along its edges and across its inside.
//!
//! - [`SoftBody`]: masses and springs, from a surface and a [`Material`] or as given; it falls, swings, lies on a floor
//! - [`SelfContact`]: keeps it from passing through itself
//! - [`truss`]: the springs that make a closed surface a body
//!
//! **Method.** Small steps, each solved once: velocities from forces, places from velocities, then every spring and the volume
//! push the places towards rest by what their stiffness allows (extended position-based dynamics; Macklin, Müller,
//! Chentanez 2016). **Guarantee.** Springs conserve momentum up to rounding and angular momentum up to the step, and no stiffness or
//! step makes them unstable; steps too long for a stiffness make a body softer than told, never wilder. The same calls give the same bits.
//! **Units.** Metres, kilograms, seconds, newtons.

mod contact;
mod step;
pub mod truss;

pub use contact::{Resistance, SelfContact};
pub use step::Surroundings;

use crate::shapes::{self, Solid};
use freiraum_geometry::Vec3;

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Kilograms per cubic metre.
    pub density: f64,
    /// Young's modulus in pascals; a truss has it to within a third where its springs point all ways.
    pub stiffness: f64,
    /// Seconds: springs resist being stretched by 1 / s as much as this share of a stretch by 1.
    pub relaxation: f64,
    /// Pascals that resist a change of volume, per share of it; 0: volumes are free.
    pub pressure: f64,
}

impl Default for Material {
    /// Soft foam.
    fn default() -> Material {
        Material { density: 100.0, stiffness: 2e5, relaxation: 0.01, pressure: 2e5 }
    }
}

/// A spring between two vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Its ends.
    pub ends: [u32; 2],
    /// Length at rest in metres.
    pub length: f64,
    /// Newtons per metre.
    pub stiffness: f64,
}

/// Why a body cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SoftError {
    /// Lists that do not fit together, or a place, mass or stiffness that is none.
    #[error("{0}")]
    Bad(&'static str),
    /// The surface encloses nothing, or is inside out.
    #[error("the surface encloses {0} cubic metres; a body needs a closed surface with normals outwards")]
    NoVolume(f64),
}

/// Masses, springs, and how they move.
#[derive(Clone, Debug)]
pub struct SoftBody {
    faces: Vec<[u32; 3]>,
    links: Vec<Link>,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// 1 / kg; 0 for what does not move by itself.
    inverse_masses: Vec<f64>,
    masses: Vec<f64>,
    /// Newtons of the next step, then cleared.
    forces: Vec<Vec3>,
    /// Places at the start of a step.
    before: Vec<Vec3>,
    relaxation: f64,
    rest_volume: f64,
    pressure: f64,
    /// Derivatives of the volume.
    slopes: Vec<Vec3>,
    /// Of every spring, for the step they were made for: what its damper and its stiffness give for a rate and a stretch of 1.
    gains: Vec<[f64; 2]>,
    /// That step in seconds; 0 if they are to be made anew.
    gains_step: f64,
}

impl SoftBody {
    /// The body of a closed surface: its mass spread over the vertices by area, springs by [`truss::links`].
    pub fn of_solid(solid: &Solid, material: &Material) -> Result<SoftBody, SoftError> {
        let volume = solid.volume();
        if !(volume > 0.0) || !volume.is_finite() {
            return Err(SoftError::NoVolume(volume));
        }
        let mut area = vec![0.0; solid.vertices.len()];
        for face in &solid.faces {
            let [a, b, c] = face.map(|v| solid.vertices[v as usize]);
            let share = (b - a).cross(c - a).length();
            for v in face {
                area[*v as usize] += share;
            }
        }
        let density = material.density * volume / area.iter().sum::<f64>();
        let masses = area.iter().map(|a| density * a).collect();
        let links = truss::links(solid, material.stiffness);
        let mut body = SoftBody::of_links(solid.clone(), masses, links, material.relaxation)?;
        if !(material.pressure >= 0.0) || !material.pressure.is_finite() {
            return Err(SoftError::Bad("a pressure is 0 or more"));
        }
        body.pressure = material.pressure;
        Ok(body)
    }

    /// A body of given masses (one per vertex, in kilograms) and springs, at rest; `relaxation` as in [`Material`]. Its volume is free.
    pub fn of_links(
        solid: Solid,
        masses: Vec<f64>,
        links: Vec<Link>,
        relaxation: f64,
    ) -> Result<SoftBody, SoftError> {
        let Solid { vertices, faces } = solid;
        let count = vertices.len();
        let is_vertex = |v: &u32| (*v as usize) < count;
        if masses.len() != count || !masses.iter().all(|m| *m > 0.0 && m.is_finite()) {
            return Err(SoftError::Bad("every vertex needs a mass above 0"));
        }
        if !vertices.iter().all(|p| p.is_finite()) {
            return Err(SoftError::Bad("a vertex is nowhere"));
        }
        if !faces.iter().flatten().all(is_vertex) || !links.iter().flat_map(|l| &l.ends).all(is_vertex) {
            return Err(SoftError::Bad("a face or spring names a vertex that is not there"));
        }
        let is_spring = |l: &Link| {
            l.ends[0] != l.ends[1]
                && l.length >= 0.0
                && l.length.is_finite()
                && l.stiffness > 0.0
                && l.stiffness.is_finite()
        };
        if !links.iter().all(is_spring) || !(relaxation >= 0.0) || !relaxation.is_finite() {
            return Err(SoftError::Bad(
                "a spring needs two ends, a length, a stiffness above 0 and a relaxation",
            ));
        }
        Ok(SoftBody {
            rest_volume: shapes::volume(&vertices, &faces),
            velocities: vec![Vec3::ZERO; count],
            inverse_masses: masses.iter().map(|m| 1.0 / m).collect(),
            masses,
            forces: vec![Vec3::ZERO; count],
            before: vertices.clone(),
            slopes: vec![Vec3::ZERO; count],
            positions: vertices,
            faces,
            links,
            relaxation,
            pressure: 0.0,
            gains: Vec::new(),
            gains_step: 0.0,
        })
    }

    /// Where the vertices are, in metres.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// How fast they move, in metres per second.
    #[must_use]
    pub fn velocities(&self) -> &[Vec3] {
        &self.velocities
    }

    /// The faces; they never change.
    #[must_use]
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// The springs.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Kilograms per vertex.
    #[must_use]
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Sets how fast a vertex moves.
    pub fn set_velocity(&mut self, vertex: u32, velocity: Vec3) {
        self.velocities[vertex as usize] = velocity;
    }

    /// Holds a vertex where it is; what it hangs on is as heavy as it needs to be.
    pub fn fix(&mut self, vertex: u32) {
        self.inverse_masses[vertex as usize] = 0.0;
        self.gains_step = 0.0;
        self.velocities[vertex as usize] = Vec3::ZERO;
    }

    /// Lets a fixed vertex go.
    pub fn release(&mut self, vertex: u32) {
        self.inverse_masses[vertex as usize] = 1.0 / self.masses[vertex as usize];
        self.gains_step = 0.0;
    }

    /// Puts a fixed vertex somewhere else; a vertex that is not fixed is put there with the velocity it has.
    pub fn place(&mut self, vertex: u32, position: Vec3) {
        self.positions[vertex as usize] = position;
    }

    /// Adds a force in newtons to the next step.
    pub fn push(&mut self, vertex: u32, force: Vec3) {
        self.forces[vertex as usize] += force;
    }

    /// Energy of motion and of the springs in joules; that of the volume and of gravity is not in it.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let motion: f64 =
            self.velocities.iter().zip(&self.masses).map(|(v, m)| 0.5 * m * v.length_squared()).sum();
        let springs: f64 = self
            .links
            .iter()
            .map(|link| {
                let [a, b] = link.ends.map(|v| self.positions[v as usize]);
                0.5 * link.stiffness * (a.distance(b) - link.length).powi(2)
            })
            .sum();
        motion + springs
    }
}
