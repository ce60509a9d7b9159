//! Standing with forces: all parts are one body with the mass, the centre of mass and the inertia that they have together where the joints are right now. It falls when it is
//! pushed, and when it leans too far.
//!
//! This is the newer algorithm of text 000 (masses of all parts, their centre found anew in every step); the older one has all the mass in the torso. Servos get where they are
//! told, whatever pulls at them.

use super::JOINT_SPEED;
use super::model::{BODIES, JOINTS, Model, TORSO};
use super::walker::standing;
use crate::dynamics::{BodyId, Bytes, ColliderId, Engine, Mass, State};
use freiraum_geometry::mass::point_mass_inertia;
use freiraum_geometry::{MassProperties, Mat3, Pose, Vec3};

/// A robot with forces.
pub(super) struct Doll {
    model: Model,
    bodies: Vec<BodyId>,
    /// The shapes of the parts, all on the torso by now.
    shapes: Vec<ColliderId>,
    /// `torso_from_vehicle` when it stands.
    torso_from_vehicle: Pose,
    /// All the mass is in the torso.
    is_single: bool,
    /// `torso_from_part` now.
    torso_from_parts: [Pose; BODIES],
    /// Where joints are.
    angles: [f64; JOINTS],
    /// Where they shall get.
    aims: [f64; JOINTS],
}

impl Doll {
    pub(super) fn new(engine: &mut Engine, model: Model, bodies: &[BodyId], is_single: bool) -> Doll {
        let (parts, angles) = standing(&model);
        let torso_from_vehicle = parts[TORSO].inverse();
        let torso_from_parts = parts.map(|part| torso_from_vehicle * part);
        let shapes: Vec<ColliderId> = bodies.iter().flat_map(|body| engine.colliders(*body)).collect();
        bodies[1..].iter().for_each(|body| engine.carry(*body, bodies[TORSO]));
        let doll = Doll {
            model,
            bodies: bodies.to_vec(),
            shapes,
            torso_from_vehicle,
            is_single,
            torso_from_parts,
            aims: angles,
            angles,
        };
        doll.arrange(engine);
        doll
    }

    pub(super) fn aim(&mut self, joint: usize, position: f64) {
        self.aims[joint] = position;
    }

    /// Moves joints that are on their way.
    pub(super) fn before(&mut self, engine: &mut Engine, step: f64) {
        if self.angles == self.aims {
            return;
        }
        let most = JOINT_SPEED * step;
        for (angle, aim) in self.angles.iter_mut().zip(&self.aims) {
            *angle += (aim - *angle).clamp(-most, most);
        }
        self.torso_from_parts = self.model.torso_from_parts(&self.angles);
        self.arrange(engine);
    }

    /// Puts shapes and mass where the parts are.
    fn arrange(&self, engine: &mut Engine) {
        let places: Vec<(ColliderId, Pose)> =
            self.shapes.iter().copied().zip(self.torso_from_parts).collect();
        let parts = if self.is_single { 1 } else { BODIES };
        let mut solids = Vec::new();
        for (part, torso_from_part) in self.model.parts.iter().zip(&self.torso_from_parts).take(parts) {
            let mass = if self.is_single { self.model.mass() } else { part.mass };
            solids.extend(part.shape.mass_properties().map(|solid| (mass, solid.placed(torso_from_part))));
        }
        // The numbers of the model are fine.
        let _ = engine.rearrange(self.bodies[TORSO], together(&solids), &places);
    }

    /// Takes the parts along.
    pub(super) fn after(&mut self, engine: &mut Engine) {
        let torso = self.bodies[TORSO];
        let world_from_torso = engine.pose(torso);
        let spin = engine.angular_velocity(torso);
        for (body, torso_from_part) in self.bodies.iter().zip(&self.torso_from_parts).skip(1) {
            let pose = world_from_torso * *torso_from_part;
            engine.place_along(*body, pose, engine.velocity_at(torso, pose.translation()), spin);
        }
    }

    /// `world_from_vehicle`.
    pub(super) fn pose(&self, engine: &Engine) -> Pose {
        engine.pose(self.bodies[TORSO]) * self.torso_from_vehicle
    }

    pub(super) fn speed(&self, engine: &Engine) -> [f64; 2] {
        let torso = self.bodies[TORSO];
        let forward = engine.pose(torso).rotate(Vec3::X);
        [engine.linear_velocity(torso).dot(forward), engine.angular_velocity(torso).z]
    }

    /// Where the joints are.
    pub(super) fn angles(&self) -> &[f64; JOINTS] {
        &self.angles
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.angles.put(out);
        self.aims.put(out);
        self.torso_from_parts.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        self.angles = State::get(from)?;
        self.aims = State::get(from)?;
        self.torso_from_parts = State::get(from)?;
        Some(())
    }
}

/// The mass of solids together; the kilograms of each come with it.
fn together(solids: &[(f64, MassProperties)]) -> Mass {
    let mass: f64 = solids.iter().map(|(mass, _)| mass).sum();
    let center = solids.iter().map(|(mass, solid)| *mass * solid.centroid).sum::<Vec3>() / mass;
    let inertia = solids.iter().fold(Mat3::ZERO, |sum, (mass, solid)| {
        sum + *mass / solid.volume * solid.inertia + point_mass_inertia(*mass, solid.centroid - center)
    });
    Mass::Given { mass, center, inertia }
}
