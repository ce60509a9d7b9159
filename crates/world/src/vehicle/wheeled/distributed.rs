//! Dynamic drive with a mass for every part: wheels are bodies on joints with motors, and friction moves the vehicle.

use super::wheel::{Wheel, first_half, follow};
use super::{Gear, angle, mass};
use crate::dynamics::{Axis, BodyId, Engine, Joint, JointId, Mass, Motor, Range, Spring};
use crate::vehicle::model::{JointKind, Model, PlannedJoint};
use crate::vehicle::steering::Running;
use freiraum_geometry::math::unit;
use freiraum_geometry::{Pose, Quat, Vec3};

/// The joints of a vehicle in the engine.
pub(super) struct Distributed {
    /// Of the wheels, in their order.
    wheels: Vec<JointId>,
    /// Numbers of joints of the model that turn or slide to a place, and theirs in the engine.
    servos: Vec<(usize, JointId)>,
    /// What the gear had settled for when steering and motors were set.
    set_for: Option<[f64; 2]>,
    /// How far wheels turned in the last step.
    turned: Vec<f64>,
    /// Parts that nothing moves against the main part, and where they are on it.
    rigid: Vec<(BodyId, Pose)>,
}

impl Distributed {
    pub(super) fn new(engine: &mut Engine, gear: &Gear, bodies: &[BodyId]) -> Distributed {
        let model = &gear.model;
        let main_from_vehicle = model.parts[0].pose.inverse();
        let is_rigid = |part: &usize| model.is_rigid(*part);
        let mut rigid = Vec::new();
        let whole = mass::gathered(model, std::iter::once(0).chain((1..bodies.len()).filter(is_rigid)));
        // Masses of models are fine.
        let _ = engine.set_mass(bodies[0], whole);
        for part in (1..bodies.len()).filter(is_rigid) {
            engine.carry(bodies[part], bodies[0]);
            rigid.push((bodies[part], main_from_vehicle * model.parts[part].pose));
        }
        let gravity = engine.settings().gravity.length();
        let mut add =
            |joint: Joint| engine.add_joint(joint).expect("parts of one vehicle are different bodies");
        let wheels = gear.wheels.iter().map(|wheel| add(axle(gear, wheel, bodies, gravity))).collect();
        let moved = |joint: &PlannedJoint| matches!(joint.kind, JointKind::Turn | JointKind::Slide);
        let servos = (0..)
            .zip(&model.joints)
            .filter(|(_, joint)| moved(joint))
            .map(|(number, joint)| (number, add(servo(model, joint, bodies))))
            .collect();
        Distributed { wheels, servos, set_for: None, turned: vec![0.0; gear.wheels.len()], rigid }
    }

    pub(super) fn before(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId], step: f64) {
        let is_set = gear.settled.is_some() && self.set_for == gear.settled;
        self.set_for = gear.settled;
        let rims = if is_set { None } else { gear.rims() };
        for (wheel, id) in gear.wheels.iter().zip(&self.wheels) {
            if is_set && wheel.swivel.is_none() {
                continue;
            }
            if let Some(swivel) = wheel.swivel {
                gear.positions[swivel] = follow(engine, gear, wheel, swivel, bodies[0], step);
            }
            let now = engine.joint(*id);
            let is_turned = wheel.steer.is_some() || wheel.swivel.is_some();
            let frame = if is_turned { first_half(gear, wheel) } else { now.frames[0] };
            let motor = wheel.is_driven.then(|| Motor {
                speed: rims.map_or_else(|| gear.rim(wheel), |rims| rims[wheel.number]) / wheel.radius,
                most: gear.model.joints[wheel.roll].most,
            });
            if now.frames[0] != frame || now.rotation[1].motor != motor {
                let joint = engine.joint_mut(*id);
                joint.frames[0] = frame;
                joint.rotation[1].motor = motor;
            }
        }
        for (number, id) in &self.servos {
            let joint = &gear.model.joints[*number];
            let speed =
                ((gear.targets[*number] - gear.positions[*number]) / step).clamp(-joint.speed, joint.speed);
            let motor = Some(Motor { speed, most: joint.most });
            let is_slider = joint.kind == JointKind::Slide;
            let axis =
                |joint: &Joint| if is_slider { joint.translation[2].motor } else { joint.rotation[2].motor };
            if axis(engine.joint(*id)) != motor {
                let joint = engine.joint_mut(*id);
                let axis = if is_slider { &mut joint.translation[2] } else { &mut joint.rotation[2] };
                axis.motor = motor;
            }
        }
    }

    pub(super) fn after(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId]) {
        let world_from_main = engine.pose(bodies[0]);
        for (wheel, id) in gear.wheels.iter().zip(&self.wheels) {
            let (half, height) = rolled(engine, engine.joint(*id), &world_from_main);
            let change = angle::change(half, gear.positions[wheel.roll]);
            self.turned[wheel.number] = change;
            gear.positions[wheel.roll] += change;
            if let Some(suspension) = wheel.suspension {
                gear.positions[suspension] = height;
            }
        }
        gear.count(|wheel| self.turned[wheel.number]);
        for (number, id) in &self.servos {
            let found = engine.joint_position(*id);
            let is_slider = gear.model.joints[*number].kind == JointKind::Slide;
            gear.positions[*number] = if is_slider { found[2] } else { found[5] };
        }
        if self.rigid.is_empty() {
            return;
        }
        for (body, main_from_part) in &self.rigid {
            engine.set_pose(*body, world_from_main * *main_from_part);
        }
    }
}

/// Sine and cosine of half the angle by which a wheel is turned, times the same number, and how far up its spring is: what `joint_position` says of these two, for less.
fn rolled(engine: &Engine, joint: &Joint, world_from_main: &Pose) -> ([f64; 2], f64) {
    let [main, wheel] = joint.bodies.map(|body| engine.state(body));
    let [first, second] = &joint.frames;
    let axes = main.rotation * first.rotation();
    let seen = axes.conjugate() * (wheel.rotation * second.rotation());
    // The middle of a wheel is its centre of mass, and where its joint is.
    let gap = wheel.center - world_from_main.transform_point(first.translation());
    ([seen.y, seen.w], gap.dot(axes * Vec3::Z))
}

/// A wheel on the main part: on a spring if it has one.
fn axle(gear: &Gear, wheel: &Wheel, bodies: &[BodyId], gravity: f64) -> Joint {
    let model = &gear.model;
    let frames =
        [first_half(gear, wheel), model.parts[wheel.part].pose.inverse() * Pose::from_translation(wheel.at)];
    let mut joint = Joint::fixed([bodies[0], bodies[wheel.part]], frames);
    joint.rotation[1] = Axis::FREE;
    if let (Some(number), Running::Cars(axles)) = (wheel.suspension, &model.running) {
        let [low, high] = model.joints[number].limits;
        let spring = Spring {
            // The wheel is where the model says when the vehicle stands.
            rest: -load(model, wheel, axles.base, gravity) / axles.suspension.stiffness,
            stiffness: axles.suspension.stiffness,
            damping: axles.suspension.damping,
        };
        joint.translation[2] = Axis { range: Range::Between(low, high), motor: None, spring: Some(spring) };
    }
    // More wheels than a plane needs share the weight only if they give a little.
    if gear.wheels.len() > 4 {
        let share = model.parts[0].mass / gear.wheels.len() as f64;
        let give = GIVE * wheel.radius;
        let stiffness = (share * gravity / give).max(1.0);
        let damping = 2.0 * (stiffness * share).sqrt();
        let spring = Spring { rest: -give, stiffness, damping };
        let range = Range::Between(-TRAVEL * give, TRAVEL * give);
        joint.translation[2] = Axis { range, motor: None, spring: Some(spring) };
    }
    joint
}

/// Wheels of vehicles with more than four of them give by this share of their radius under their weight, and by so many times that at most.
const GIVE: f64 = 1.0 / 128.0;
const TRAVEL: f64 = 4.0;

/// The weight that a wheel of a car carries when it stands: front and rear axle share what is not wheels by their levers.
fn load(model: &Model, wheel: &Wheel, base: f64, gravity: f64) -> f64 {
    let is_wheel = |part: usize| model.joints.iter().any(|j| j.part == part && j.kind == JointKind::Roll);
    let carried = (0..model.parts.len()).filter(|part| !is_wheel(*part));
    let Mass::Given { mass, center, .. } = mass::gathered(model, carried) else { return 0.0 };
    let ahead = model.parts[0].pose.transform_point(center).x / base;
    let share = if wheel.at.x > 0.0 { 0.5 + ahead } else { 0.5 - ahead };
    0.5 * mass * gravity * share
}

/// A joint that turns or slides along its axis to where it is told.
fn servo(model: &Model, planned: &PlannedJoint, bodies: &[BodyId]) -> Joint {
    let on = model.parts[planned.part].on;
    let along = unit(planned.axis).unwrap_or(Vec3::Z);
    let frame = Pose::new(Quat::from_rotation_arc(Vec3::Z, along), planned.at).unwrap_or(Pose::IDENTITY);
    let frames = [on, planned.part].map(|part| model.parts[part].pose.inverse() * frame);
    let bodies = [bodies[on], bodies[planned.part]];
    let [low, high] = planned.limits;
    let axis = Axis { range: Range::Between(low, high), ..Axis::FREE };
    if planned.kind == JointKind::Slide {
        let mut joint = Joint::slider(bodies, frames);
        joint.translation[2] = axis;
        joint
    } else {
        let mut joint = Joint::hinge(bodies, frames);
        joint.rotation[2] = axis;
        joint
    }
}
