//! Standing with forces: every body has its mass, and springs in the joints hold them where they shall be. It falls when it is pushed.

use super::JOINT_SPEED;
use super::model::{BODIES, JOINTS, Link, Model, TORSO};
use super::walker::standing;
use crate::rigid::{Axis, BodyId, Bytes, Engine, Joint, JointId, Mass, Range, Spring, State};
use freiraum_geometry::{Pose, Vec3};

/// Springs of the joints that carry it: legs and waist. As a pendulum about its ankles it needs 9 N m/rad to stand; these give ten times that.
const STRONG: Spring = Spring { rest: 0.0, stiffness: 300.0, damping: 6.0 };
/// Springs of the others.
const WEAK: Spring = Spring { rest: 0.0, stiffness: 20.0, damping: 0.3 };

/// A robot that is held up by its joints.
pub(super) struct Doll {
    model: Model,
    bodies: Vec<BodyId>,
    /// Of all links; none if all mass is that of the torso, and everything is one with it.
    joints: Vec<JointId>,
    /// `torso_from_part` when it stands.
    torso_from_parts: [Pose; BODIES],
    /// `torso_from_vehicle` when it stands.
    torso_from_vehicle: Pose,
    /// Where joints are, as measured after the last step.
    angles: [f64; JOINTS],
    /// Where springs rest right now.
    rests: [f64; JOINTS],
    /// Where they shall get.
    aims: [f64; JOINTS],
}

impl Doll {
    pub(super) fn new(engine: &mut Engine, model: Model, bodies: &[BodyId], is_single: bool) -> Doll {
        let (parts, angles) = standing(&model);
        for (k, a) in bodies.iter().enumerate() {
            bodies[k + 1..].iter().for_each(|b| engine.ignore_pair(*a, *b));
        }
        let torso_from_vehicle = parts[TORSO].inverse();
        let torso_from_parts = parts.map(|part| torso_from_vehicle * part);
        let mut joints = Vec::new();
        if is_single {
            if let Some(solid) = model.parts[TORSO].shape.mass_properties() {
                let mass = model.mass();
                let inertia = mass / solid.volume * solid.inertia;
                // The numbers of the model are fine.
                let _ = engine.set_mass(bodies[TORSO], Mass::Given { mass, center: solid.centroid, inertia });
            }
            bodies[1..].iter().for_each(|body| engine.carry(*body, bodies[TORSO]));
        } else {
            for link in &model.links {
                let joint = joint_of(&model, link, bodies, &angles);
                joints.push(engine.add_joint(joint).expect("parts of one robot are different bodies"));
            }
        }
        Doll {
            bodies: bodies.to_vec(),
            joints,
            torso_from_parts,
            torso_from_vehicle,
            aims: angles,
            rests: angles,
            angles,
            model,
        }
    }

    pub(super) fn aim(&mut self, joint: usize, position: f64) -> Result<(), String> {
        if self.joints.is_empty() {
            return Err("all its mass is in one body: its joints are stiff".to_owned());
        }
        self.aims[joint] = position;
        Ok(())
    }

    /// Moves the springs of joints that are on their way.
    pub(super) fn before(&mut self, engine: &mut Engine, step: f64) {
        if self.rests == self.aims {
            return;
        }
        let most = JOINT_SPEED * step;
        let before = self.rests;
        for (rest, aim) in self.rests.iter_mut().zip(&self.aims) {
            *rest += (aim - *rest).clamp(-most, most);
        }
        for (link, id) in self.model.links.iter().zip(&self.joints) {
            let own = link.first..link.first + link.count;
            if before[own.clone()] != self.rests[own] {
                *engine.joint_mut(*id) = joint_of(&self.model, link, &self.bodies, &self.rests);
            }
        }
    }

    /// Looks where joints are, or takes parts without mass along.
    pub(super) fn after(&mut self, engine: &mut Engine) {
        if self.joints.is_empty() {
            let world_from_torso = engine.pose(self.bodies[TORSO]);
            for (body, torso_from_part) in self.bodies.iter().zip(&self.torso_from_parts).skip(1) {
                engine.set_pose(*body, world_from_torso * *torso_from_part);
            }
        }
        for (link, id) in self.model.links.iter().zip(&self.joints) {
            let at = engine.joint_position(*id);
            for joint in link.first..link.first + link.count {
                let turn = at[3 + self.model.hinges[joint].axis];
                // Those of two axes are told from where they shall be.
                self.angles[joint] = if link.count == 1 { turn } else { self.rests[joint] + turn };
            }
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
        self.rests.put(out);
        self.aims.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        self.angles = State::get(from)?;
        self.rests = State::get(from)?;
        self.aims = State::get(from)?;
        Some(())
    }
}

/// The joint of a link whose springs rest at these positions.
fn joint_of(model: &Model, link: &Link, bodies: &[BodyId], angles: &[f64; JOINTS]) -> Joint {
    let mut first = Pose::from_translation(link.on_parent);
    let second = Pose::from_translation(-link.to_child);
    if link.count > 1 {
        // Springs of two axes are for small turns: the first half is where the second shall be.
        first = model.turned(&first, link, angles);
    }
    let mut joint = Joint::fixed([bodies[link.parent], bodies[link.child]], [first, second]);
    for number in link.first..link.first + link.count {
        let spring = if is_strong(model.hinges[number].name) { STRONG } else { WEAK };
        let rest = if link.count == 1 { angles[number] } else { 0.0 };
        joint.rotation[model.hinges[number].axis] =
            Axis { range: Range::Free, motor: None, spring: Some(Spring { rest, ..spring }) };
    }
    joint
}

fn is_strong(joint: &str) -> bool {
    ["hip", "knee", "ankle", "waist"].iter().any(|word| joint.contains(word))
}
