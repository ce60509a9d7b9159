//! Kinematic drive: as the wheels roll, without forces.

use super::Gear;
use super::wheel::trailing;
use crate::rigid::{BodyId, Bytes, Engine, State};
use crate::vehicle::steering::Running;
use freiraum_geometry::{Pose, Quat, Vec3};

/// Where a kinematic vehicle is.
pub(super) struct Kinematic {
    /// `world_from_vehicle`.
    pose: Pose,
    /// Forward, and turn to the left, in the last step.
    speed: [f64; 2],
}

impl Kinematic {
    pub(super) fn new(pose: Pose) -> Kinematic {
        Kinematic { pose, speed: [0.0; 2] }
    }

    pub(super) fn pose(&self) -> Pose {
        self.pose
    }

    pub(super) fn speed(&self) -> [f64; 2] {
        self.speed
    }

    pub(super) fn before(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId], step: f64) {
        gear.reach(step);
        self.speed = gear.speed();
        let [speed, turn] = self.speed;
        self.pose = self.pose * arc(gear, speed * step, turn * step);
        roll(gear, self.speed, step);
        let placed = gear.model.placed(&gear.positions);
        for (body, vehicle_from_part) in bodies.iter().zip(placed) {
            send(engine, *body, self.pose * vehicle_from_part, step);
        }
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.pose.put(out);
        self.speed.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        self.pose = State::get(from)?;
        self.speed = State::get(from)?;
        Some(())
    }
}

/// What a vehicle does that moves by this length and turn on an arc: seen from where it was.
fn arc(gear: &Gear, length: f64, turn: f64) -> Pose {
    let ahead = gear.ahead();
    let track = crate::sensor::odometry::Track::default().after_arc(length, turn);
    let axle = Pose::from_zyx_euler(0.0, 0.0, turn, Vec3::new(track.x, track.y, 0.0));
    let ahead = Pose::from_translation(Vec3::new(ahead, 0.0, 0.0));
    ahead.inverse() * axle.unwrap_or(Pose::IDENTITY) * ahead
}

/// Lets all wheels roll for a step in which the vehicle moves with this speed and turn.
fn roll(gear: &mut Gear, [speed, turn]: [f64; 2], step: f64) {
    let wanted = gear.speed();
    // A vehicle that is stopped stops its wheels.
    let share = if wanted == [speed, turn] { 1.0 } else { 0.0 };
    let is_car = matches!(gear.model.running, Running::Cars(_));
    let mut rolled = vec![0.0; gear.wheels.len()];
    for wheel in &gear.wheels {
        if let Some(swivel) = wheel.swivel {
            let joint = &gear.model.joints[swivel];
            let velocity = Vec3::new(speed - turn * joint.at.y, turn * joint.at.x, 0.0);
            let trail = (wheel.at - joint.at).truncate().length();
            let angle = trailing(gear.positions[swivel], velocity, turn, trail, step);
            gear.positions[swivel] = angle;
            let along = velocity.x * angle.cos() + velocity.y * angle.sin();
            rolled[wheel.number] = along * step / wheel.radius;
        } else {
            debug_assert!(wheel.is_driven || !is_car);
            rolled[wheel.number] = share * gear.rim(wheel) * step / wheel.radius;
        }
        gear.positions[wheel.roll] += rolled[wheel.number];
    }
    gear.count(|wheel| rolled[wheel.number]);
}

/// Gives a driven body the velocities with which it gets to a place in one step.
fn send(engine: &mut Engine, body: BodyId, world_from_part: Pose, step: f64) {
    let now = engine.state(body);
    let linear = (world_from_part.translation() - now.center) / step;
    let turn: Quat = world_from_part.rotation() * now.rotation.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let size = turn.xyz().length();
    let angular =
        if size == 0.0 { Vec3::ZERO } else { turn.xyz() * (2.0 * size.atan2(turn.w) / (size * step)) };
    engine.set_velocity(body, linear, angular);
}
