//! Kinematic drive: as the wheels roll, without forces. It follows the ground, pushes what is lighter than itself, and stops at everything else.

use super::Gear;
use super::ground::Ground;
use super::wheel::trailing;
use crate::rigid::{BodyId, Bytes, ColliderId, Engine, Kind, State};
use crate::sensor::odometry::Track;
use freiraum_geometry::{AxisBox, Pose, Quat, Vec3};
use freiraum_motion::MotionWorkspace;

/// Where a kinematic vehicle is.
pub(super) struct Kinematic {
    /// `world_from_vehicle`.
    pose: Pose,
    /// Forward, and turn to the left, in the last step.
    speed: [f64; 2],
    /// Whether it has found the ground at the start.
    is_settled: bool,
    /// Where the joints are: those of the gear may be blocked.
    positions: Vec<f64>,
    ground: Ground,
    /// Its shapes, one for each part; none for those that touch nothing.
    colliders: Vec<Option<ColliderId>>,
    mass: f64,
    near: Vec<ColliderId>,
    memory: MotionWorkspace,
}

impl Kinematic {
    pub(super) fn new(engine: &Engine, gear: &Gear, bodies: &[BodyId], pose: Pose) -> Kinematic {
        let collider = |body: &BodyId| {
            let first = engine.colliders(*body).next()?;
            engine.meets_anything(first).then_some(first)
        };
        Kinematic {
            pose,
            speed: [0.0; 2],
            is_settled: false,
            positions: gear.positions.clone(),
            ground: Ground::new(&gear.model),
            colliders: bodies.iter().map(collider).collect(),
            mass: gear.model.mass(),
            near: Vec::new(),
            memory: MotionWorkspace::default(),
        }
    }

    pub(super) fn pose(&self) -> Pose {
        self.pose
    }

    pub(super) fn speed(&self) -> [f64; 2] {
        self.speed
    }

    pub(super) fn before(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId], step: f64) {
        gear.reach(step);
        if !self.is_settled {
            self.is_settled = true;
            self.settle_first(engine, gear, bodies);
        }
        let wanted = gear.speed();
        let mut share = 1.0;
        for attempt in 0..=ATTEMPTS {
            if attempt == ATTEMPTS {
                share = 0.0;
            }
            match self.attempt(engine, gear, bodies, wanted.map(|v| share * v), step) {
                Ok(()) => return,
                Err(free) => share *= (0.9 * free).min(0.5),
            }
        }
        // Nothing can move, not even a joint.
        self.speed = [0.0; 2];
        gear.positions.clone_from(&self.positions);
        bodies.iter().for_each(|body| engine.set_velocity(*body, Vec3::ZERO, Vec3::ZERO));
    }

    /// Moves with this speed and turn if that is free; else tells which share of the way is.
    fn attempt(
        &mut self,
        engine: &mut Engine,
        gear: &mut Gear,
        bodies: &[BodyId],
        speed: [f64; 2],
        step: f64,
    ) -> Result<(), f64> {
        let mut positions = gear.positions.clone();
        let rolled = roll(gear, &mut positions, speed, step);
        let flat = self.pose * arc(gear, speed[0] * step, speed[1] * step);
        if speed == [0.0; 2] && positions == self.positions {
            self.speed = speed;
            bodies.iter().for_each(|body| engine.set_velocity(*body, Vec3::ZERO, Vec3::ZERO));
            return Ok(());
        }
        let travel = (speed[0].abs() + speed[1].abs() * self.ground.reach()) * step;
        let Some(pose) =
            self.ground.follow(engine, gear, &mut positions, bodies, &flat, travel, &mut self.memory)
        else {
            return Err(0.0);
        };
        let placed = gear.model.placed(&positions);
        let free = self.free(engine, gear, bodies, &pose, &positions, step);
        if free < 1.0 {
            return Err(free);
        }
        self.pose = pose;
        self.speed = speed;
        gear.positions.clone_from(&positions);
        self.positions = positions;
        gear.count(|wheel| rolled[wheel.number]);
        for (body, vehicle_from_part) in bodies.iter().zip(placed) {
            send(engine, *body, pose * vehicle_from_part, step);
        }
        Ok(())
    }

    /// Puts the vehicle on the ground that is near at the start.
    fn settle_first(&mut self, engine: &mut Engine, gear: &Gear, bodies: &[BodyId]) {
        let mut positions = gear.positions.clone();
        let far = 2.0 * self.ground.reach();
        let found =
            self.ground.follow(engine, gear, &mut positions, bodies, &self.pose, far, &mut self.memory);
        if let Some(pose) = found {
            self.pose = pose;
            let placed = gear.model.placed(&positions);
            for (body, vehicle_from_part) in bodies.iter().zip(placed) {
                engine.set_pose(*body, pose * vehicle_from_part);
            }
        }
    }

    /// Which share of the way of all parts to a place touches nothing that cannot be pushed.
    fn free(
        &mut self,
        engine: &Engine,
        gear: &Gear,
        bodies: &[BodyId],
        pose: &Pose,
        positions: &[f64],
        step: f64,
    ) -> f64 {
        // Wheels are round: their roll does not matter.
        let [start, end] = [&self.positions[..], positions].map(|p| self.ground.unrolled(gear, p));
        let mut free = 1.0f64;
        // From where the vehicle is now: the pose of its main part tells.
        let now = engine.pose(bodies[0]) * gear.model.parts[0].pose.inverse();
        for (part, collider) in self.colliders.iter().enumerate() {
            let Some(collider) = *collider else { continue };
            let way = [now * start[part], *pose * end[part]];
            let bounds = way.map(|at| engine.bounds_at(collider, &at));
            let [Some(a), Some(b)] = bounds else { continue };
            engine.within(&AxisBox { min: a.min.min(b.min), max: a.max.max(b.max) }, &mut self.near);
            for other in self.near.iter().copied() {
                let body = engine.body_of(other);
                if bodies.contains(&body) || engine.is_ignored(body, bodies[part]) {
                    continue;
                }
                let share = match engine.kind(body) {
                    Kind::Dynamic if engine.mass(body) <= self.mass => {
                        engine.free_depth(collider, way, other, self.ground.depth())
                    }
                    Kind::Driven => {
                        let stands = engine.free_share(collider, way, other, 0.0, &mut self.memory);
                        stands.min(engine.free_share(collider, way, other, step, &mut self.memory))
                    }
                    Kind::Fixed | Kind::Dynamic => {
                        engine.free_share(collider, way, other, 0.0, &mut self.memory)
                    }
                };
                free = free.min(share);
                if free == 0.0 {
                    return 0.0;
                }
            }
        }
        free
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.pose.put(out);
        self.speed.put(out);
        self.is_settled.put(out);
        self.positions.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        let count = self.positions.len();
        self.pose = State::get(from)?;
        self.speed = State::get(from)?;
        self.is_settled = State::get(from)?;
        self.positions = State::get(from)?;
        (self.positions.len() == count).then_some(())
    }
}

/// How often a shorter way is tried before a vehicle stops.
const ATTEMPTS: usize = 5;

/// What a vehicle does that moves by this length and turn on an arc: seen from where it was.
fn arc(gear: &Gear, length: f64, turn: f64) -> Pose {
    let ahead = gear.ahead();
    let track = Track::default().after_arc(length, turn);
    let axle = Pose::from_zyx_euler(0.0, 0.0, turn, Vec3::new(track.x, track.y, 0.0));
    let ahead = Pose::from_translation(Vec3::new(ahead, 0.0, 0.0));
    ahead.inverse() * axle.unwrap_or(Pose::IDENTITY) * ahead
}

/// Lets all wheels roll for a step in which the vehicle moves with this speed and turn; tells by how much.
fn roll(gear: &Gear, positions: &mut [f64], [speed, turn]: [f64; 2], step: f64) -> Vec<f64> {
    let wanted = gear.speed();
    // Which share of what is wanted it does.
    let share = match wanted {
        [0.0, 0.0] => 0.0,
        [0.0, whole] => turn / whole,
        [whole, _] => speed / whole,
    };
    let mut rolled = vec![0.0; gear.wheels.len()];
    for wheel in &gear.wheels {
        if let Some(swivel) = wheel.swivel {
            let joint = &gear.model.joints[swivel];
            let velocity = Vec3::new(speed - turn * joint.at.y, turn * joint.at.x, 0.0);
            let trail = (wheel.at - joint.at).truncate().length();
            let angle = trailing(positions[swivel], velocity, turn, trail, step);
            positions[swivel] = angle;
            let along = velocity.x * angle.cos() + velocity.y * angle.sin();
            rolled[wheel.number] = along * step / wheel.radius;
        } else {
            rolled[wheel.number] = share * gear.rim(wheel) * step / wheel.radius;
        }
        positions[wheel.roll] += rolled[wheel.number];
    }
    rolled
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
