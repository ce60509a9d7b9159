//! A soft body that does not pass through itself: penalty forces where layered images see it overlap.

use super::{SoftBody, Surroundings};
use crate::grid::LayerError;
use crate::layers::{Answer, Layers, Surface, View};
use crate::response::{Contact, Within, penalty_forces};
use freiraum_geometry::Vec3;

/// How a body resists itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// Pixels each way of the images. A pixel well below the thickness of the body's parts is fine enough.
    pub resolution: u32,
    /// Steps from one look to the next; forces stay between them.
    pub steps: u32,
    /// The share of an overlap that forces push out until the next look, were the vertices free: below 1 it does not build up.
    pub push: f64,
    /// The share of the speed of approach that they take until then.
    pub damping: f64,
    /// Metres: what is deeper is pushed as if it were as deep as this. A third of the thickness of the body's parts keeps
    /// single vertices that are seen too deep from being thrown out.
    pub deepest: f64,
}

impl Default for Resistance {
    fn default() -> Resistance {
        Resistance { resolution: 64, steps: 4, push: 0.5, damping: 0.5, deepest: f64::INFINITY }
    }
}

/// A body's contacts with itself. Keeps its storage: nothing is allocated once it has grown.
///
/// **What it can keep apart.** Parts that get into each other by less than half their thickness between two looks, and loads that
/// an overlap of that depth holds: the mass of a vertex times `push` times the depth over the square of the time between looks, per
/// vertex in contact. What is deeper is pushed out the wrong side.
#[derive(Debug)]
pub struct SelfContact {
    resistance: Resistance,
    layers: Layers,
    within: Within,
    contacts: Vec<Contact>,
    forces: Vec<Vec3>,
    steps_left: u32,
    /// What the last look saw.
    pub last: Option<Answer>,
}

impl SelfContact {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(resistance: Resistance) -> SelfContact {
        SelfContact {
            resistance,
            layers: Layers::default(),
            within: Within::default(),
            contacts: Vec::new(),
            forces: Vec::new(),
            steps_left: 0,
            last: None,
        }
    }

    /// The contacts of the last look.
    #[must_use]
    pub fn within(&self) -> &Within {
        &self.within
    }

    /// One step of a body that resists itself; looks first, if it is time to.
    pub fn step(&mut self, body: &mut SoftBody, dt: f64, around: &Surroundings) -> Result<(), LayerError> {
        if self.steps_left == 0 {
            self.look(body, dt * f64::from(self.resistance.steps.max(1)))?;
            self.steps_left = self.resistance.steps.max(1);
        }
        self.steps_left -= 1;
        for (vertex, &force) in (0..).zip(&self.forces) {
            body.push(vertex, force);
        }
        body.step(dt, around);
        Ok(())
    }

    /// Forces for the next `time` seconds.
    fn look(&mut self, body: &SoftBody, time: f64) -> Result<(), LayerError> {
        let surface = Surface { vertices: body.positions(), faces: body.faces() };
        self.last = Some(self.layers.self_collision(surface, &View::new(self.resistance.resolution))?);
        self.within.find(surface, &self.layers);
        self.contacts.clear();
        self.contacts.extend(self.within.contacts.iter().map(|contact| {
            // Behind the face, not beside it: next to the rim of an overlap the nearest point may lie far to the side.
            let behind = (contact.point - surface.vertices[contact.vertex as usize]).dot(contact.normal);
            Contact { depth: behind.clamp(0.0, self.resistance.deepest), ..*contact }
        }));
        self.forces.clear();
        self.forces.resize(surface.vertices.len(), Vec3::ZERO);
        let mass = body.masses().iter().copied().fold(f64::INFINITY, f64::min);
        let stiffness = self.resistance.push * mass / (time * time);
        penalty_forces(&self.contacts, &[surface], stiffness, &mut [&mut self.forces]);
        self.damp(body, self.resistance.damping * mass / time);
        Ok(())
    }

    /// Takes from the speed at which vertices go deeper, `damping` newtons per metre and second.
    fn damp(&mut self, body: &SoftBody, damping: f64) {
        let velocities = body.velocities();
        for contact in &self.contacts {
            let corners = body.faces()[contact.face as usize];
            let other: Vec3 =
                corners.iter().zip(contact.weights).map(|(&v, w)| w * velocities[v as usize]).sum();
            let approach = (other - velocities[contact.vertex as usize]).dot(contact.push).max(0.0);
            let force = damping * approach * contact.push;
            self.forces[contact.vertex as usize] += force;
            for (&corner, weight) in corners.iter().zip(contact.weights) {
                self.forces[corner as usize] -= weight * force;
            }
        }
    }
}
