//! Attributes of bodies that are changed while the world runs, and kept in the scene.

use super::described::attributes;
use super::open::Open;
use crate::document::Kept;
use crate::protocol::{Attributes, BodyValues, Refusal, received};
use freiraum_formats::scene::PhysicsChange;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Kind as Moved, Mass as Weight, limits};
use freiraum_world::dynamics::{Kind, Mass};

/// What was changed of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Change {
    pub(super) physics: PhysicsChange,
    pub(super) pose: Option<Pose>,
}

fn wrong(message: impl Into<String>) -> Refusal {
    Refusal::new("request", message)
}

/// A number that is as it must be.
fn number(x: Option<f64>, what: &str, is_good: impl Fn(f64) -> bool) -> Result<Option<f64>, Refusal> {
    match x {
        Some(x) if !x.is_finite() || !is_good(x) => Err(wrong(format!("expected {what}, found {x}"))),
        x => Ok(x),
    }
}

/// In SI units, no longer than `most`.
fn vector(x: Option<[f64; 3]>, what: &str, most: f64) -> Result<Option<Vec3>, Refusal> {
    let x = x.map(Vec3::from_array);
    // What is not a number fails too.
    if x.is_some_and(|x| !(x.length() <= most)) {
        return Err(wrong(format!("expected three numbers for the {what}, together no more than {most:e}")));
    }
    Ok(x)
}

/// Whether it puts a body elsewhere, or makes it move.
fn moves(new: &Attributes) -> bool {
    new.velocity.is_some() || new.spin.is_some() || new.position.is_some() || new.pose.is_some()
}

impl Open {
    /// Changes attributes of a body in the running world, all of them or none.
    pub(super) fn set(&mut self, new: &Attributes) -> Result<BodyValues, Refusal> {
        let body = new.body;
        if body >= self.physics.len() {
            return Err(wrong(format!("there is no body {body}")));
        }
        let name = self.simulation.scene().bodies[body].name.clone();
        if self.simulation.vehicle_of(body).is_some()
            && (new.mass.is_some() || new.active.is_some() || moves(new))
        {
            let refusal = wrong(format!("{name:?} is part of a vehicle"));
            return Err(refusal.help("its model says how heavy it is; drive it to move it"));
        }
        let is_free = self.moving.binary_search(&body).is_ok();
        if (moves(new) || new.mass.is_some() || new.active.is_some()) && !is_free {
            let refusal = wrong(format!("{name:?} is fixed"));
            return Err(refusal.help("make it movable in the scene, and reset the world"));
        }
        let masses = format!("a mass in kilograms from {:e} to {:e}", limits::LIGHTEST, limits::HEAVIEST);
        let change = PhysicsChange {
            mass: number(new.mass, &masses, |x| (limits::LIGHTEST..=limits::HEAVIEST).contains(&x))?,
            friction: number(new.friction, "a friction from 0 to 1e6", |x| {
                (0.0..=limits::MOST_FRICTION).contains(&x)
            })?,
            restitution: number(new.restitution, "a restitution from 0 to 1", |x| (0.0..=1.0).contains(&x))?,
            is_active: new.active,
            velocity: vector(new.velocity, "velocity", limits::FASTEST)?,
            spin: vector(new.spin, "spin", limits::FASTEST_SPIN_DEG.to_radians())?,
        };
        let old = self.simulation.pose(body);
        let position = vector(new.position, "position", MAX_COORDINATE)?;
        let pose = match (&new.pose, position) {
            (Some(pose), _) => Some(received(pose)?),
            (None, Some(at)) => Pose::new(old.rotation(), at),
            (None, None) => None,
        };
        if change.mass.is_some() && self.physics[body].kind != Moved::Movable {
            return Err(wrong(format!("{name:?} moves on its own: its mass does not matter")));
        }
        if change.is_active.is_some() && self.is_recording() {
            let refusal = Refusal::new("busy", "a recording is being made of the bodies that can move");
            return Err(refusal.help("end the recording first"));
        }
        self.carry_out(body, &change, pose).map_err(|e| wrong(format!("{name:?}: {e}")))?;
        self.note(body, &change, pose);
        Ok(attributes(&self.simulation, body, &self.physics[body]))
    }

    fn carry_out(
        &mut self,
        body: usize,
        change: &PhysicsChange,
        pose: Option<Pose>,
    ) -> Result<(), freiraum_world::dynamics::BodyError> {
        let mut physics = self.physics[body].clone();
        physics.mass = change.mass.map_or(physics.mass, Weight::Kilograms);
        physics.friction = change.friction.unwrap_or(physics.friction);
        physics.restitution = change.restitution.unwrap_or(physics.restitution);
        physics.is_active = change.is_active.unwrap_or(physics.is_active);
        let id = self.simulation.body(body);
        let engine = self.simulation.engine_mut();
        if change.mass.is_some() || change.is_active.is_some() {
            let kind = match physics.kind {
                _ if !physics.is_active => Kind::Fixed,
                Moved::Fixed => Kind::Fixed,
                Moved::Movable => Kind::Dynamic,
                Moved::Kinematic => Kind::Driven,
            };
            let mass = match physics.mass {
                Weight::Kilograms(mass) => Mass::Total(mass),
                Weight::Density(density) => Mass::Density(density),
            };
            engine.set_kind(id, kind, &mass)?;
        }
        if change.friction.is_some() || change.restitution.is_some() {
            let colliders: Vec<_> = engine.colliders(id).collect();
            for collider in colliders {
                let mut material = *engine.material(collider);
                (material.friction, material.restitution) = (physics.friction, physics.restitution);
                engine.set_material(collider, material);
            }
        }
        if let Some(pose) = pose {
            engine.set_pose(id, pose);
        }
        if change.velocity.is_some() || change.spin.is_some() {
            let linear = change.velocity.unwrap_or(engine.linear_velocity(id));
            let angular = change.spin.unwrap_or(engine.angular_velocity(id));
            engine.set_velocity(id, linear, angular);
        }
        self.physics[body] = physics;
        Ok(())
    }

    /// Remembers it, to be kept.
    fn note(&mut self, body: usize, change: &PhysicsChange, pose: Option<Pose>) {
        let scene = self.snapshot.scene();
        // Parts of vehicles and robots are not in the file: only this world knows of it.
        if body >= scene.bodies.len() || scene.robot_of(body).is_some() {
            return;
        }
        let noted = self.changes.entry(body).or_default();
        let all = &mut noted.physics;
        all.mass = change.mass.or(all.mass);
        all.friction = change.friction.or(all.friction);
        all.restitution = change.restitution.or(all.restitution);
        all.is_active = change.is_active.or(all.is_active);
        all.velocity = change.velocity.or(all.velocity);
        all.spin = change.spin.or(all.spin);
        noted.pose = pose.or(noted.pose);
    }

    /// What is to be kept in the scene.
    pub(super) fn to_keep(&self) -> Vec<Kept> {
        let kept = |(body, change): (&usize, &Change)| {
            let name = self.simulation.scene().bodies[*body].name.clone();
            Kept { name, physics: change.physics, pose: change.pose }
        };
        self.changes.iter().map(kept).collect()
    }

    /// It was kept: what was not changed again since is as the scene says.
    pub(super) fn kept(&mut self, kept: &[Kept]) {
        let scene = self.simulation.scene();
        self.changes.retain(|body, change| {
            let same =
                Kept { name: scene.bodies[*body].name.clone(), physics: change.physics, pose: change.pose };
            !kept.contains(&same)
        });
    }
}
