//! Kinematic drive: as the wheels roll, without forces. It follows the ground, pushes what is lighter than itself, and stops at everything else.

use super::Gear;
use super::ground::{Ground, Way, unrolled};
use super::wheel::trailing;
use crate::dynamics::{BodyId, Bytes, ColliderId, Engine, Kind, Pusher, State, farthest, length};
use crate::event::{Event, EventKind};
use crate::sensors::odometry::Track;
use freiraum_geometry::path::{Motion, Straight};
use freiraum_geometry::{Aabb, Pose, Quat, Vec3};
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
    /// So far any point of it may move before it can touch something fixed but the ground.
    room: f64,
    /// What carried it when that was found out, and what had happened to fixed bodies until then.
    carriers: Vec<ColliderId>,
    changes: (usize, u64),
    /// What stops it, and what was told of: a shape of its own and another one.
    stopped: Option<[ColliderId; 2]>,
    told: Option<[u32; 2]>,
    ground: Ground,
    /// Its shapes, one for each part; none for those that touch nothing.
    colliders: Vec<Option<ColliderId>>,
    /// How far the farthest point of each is from its origin.
    reaches: Vec<f64>,
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
        let colliders: Vec<Option<ColliderId>> = bodies.iter().map(collider).collect();
        let reach = |collider: &Option<ColliderId>| {
            collider.and_then(|c| engine.shape(c).0.bounds()).map_or(0.0, |bounds| farthest(&bounds))
        };
        Kinematic {
            pose,
            speed: [0.0; 2],
            is_settled: false,
            positions: gear.positions.clone(),
            room: 0.0,
            carriers: Vec::new(),
            changes: engine.fixed_changes(),
            stopped: None,
            told: None,
            ground: Ground::new(&gear.model, &colliders),
            reaches: colliders.iter().map(reach).collect(),
            colliders,
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
        self.stopped = None;
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

    /// Tells when something begins to be in the way.
    pub(super) fn after(&mut self, engine: &Engine, events: &mut Vec<Event>) {
        let Some([own, other]) = self.stopped else {
            self.told = None;
            return;
        };
        let pair = [own, other].map(|collider| engine.body_of(collider).0);
        if self.told == Some(pair) {
            return;
        }
        self.told = Some(pair);
        let (_, place) = engine.shape(own);
        let Some(closest) = engine.closest(own, &place, other) else { return };
        let [a, b] = pair.map(|body| body as usize);
        let (bodies, normal) = if a < b { ([a, b], closest.normal) } else { ([b, a], -closest.normal) };
        let kind = EventKind::Collision { bodies, point: closest.point_on_b, normal, impulse: 0.0 };
        events.push(Event { time: engine.time(), kind });
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
        if speed == [0.0; 2] && positions == self.positions {
            self.speed = speed;
            bodies.iter().for_each(|body| engine.set_velocity(*body, Vec3::ZERO, Vec3::ZERO));
            return Ok(());
        }
        let flat = self.pose * arc(gear, speed[0] * step, speed[1] * step);
        let travel = (speed[0].abs() + speed[1].abs() * self.ground.reach()) * step;
        let way = Way { engine, gear };
        let Some(pose) = self.ground.follow(&way, &mut positions, bodies, &flat, travel) else {
            self.stopped = self.ground.obstacle;
            return Err(0.0);
        };
        let free = self.free(engine, gear, bodies, &pose, &positions, step);
        if free < 1.0 {
            self.room = 0.0;
            return Err(free);
        }
        let placed = gear.model.placed(&positions);
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
    fn settle_first(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId]) {
        let mut positions = gear.positions.clone();
        let far = 2.0 * self.ground.reach();
        let way = Way { engine, gear };
        if let Some(pose) = self.ground.follow(&way, &mut positions, bodies, &self.pose, far) {
            self.pose = pose;
            let placed = gear.model.placed(&positions);
            for (body, vehicle_from_part) in bodies.iter().zip(placed) {
                engine.set_pose(*body, pose * vehicle_from_part);
            }
            gear.positions.clone_from(&positions);
            self.positions = positions;
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
        let [start, end] = [&self.positions[..], positions].map(|p| unrolled(gear, p));
        // From where the vehicle is now: the pose of its main part tells.
        let now = engine.pose(bodies[0]) * gear.model.parts[0].pose.inverse();
        let ways: Vec<[Pose; 2]> =
            start.iter().zip(&end).map(|(from, to)| [now * *from, *pose * *to]).collect();
        let longest =
            ways.iter().zip(&self.reaches).map(|(way, reach)| length(way, *reach)).fold(0.0, f64::max);
        let changes = engine.fixed_changes();
        let looks_far =
            longest >= self.room || self.carriers != self.ground.carriers || self.changes != changes;
        let far = if looks_far { self.ground.reach() } else { 0.0 };
        let mut boxes = Vec::with_capacity(ways.len());
        let mut all: Option<Aabb> = None;
        for (way, collider) in ways.iter().zip(&self.colliders) {
            let ends = way.map(|at| collider.and_then(|c| engine.bounds_at(c, &at)));
            let bounds = if let [Some(a), Some(b)] = ends { Some(a.union(&b)) } else { None };
            all = all.map_or(bounds, |all| Some(bounds.map_or(all, |own| all.union(&own))));
            boxes.push(bounds);
        }
        let Some(all) = all else { return 1.0 };
        engine.within(&all.inflated(far), &mut self.near);
        let (mut free, mut room) = (1.0f64, far);
        for other in self.near.iter().copied() {
            let body = engine.body_of(other);
            let kind = engine.kind(body);
            if bodies.contains(&body) || (kind == Kind::Fixed && !looks_far) {
                continue;
            }
            let room_here = if kind == Kind::Fixed { far } else { 0.0 };
            for (part, bounds) in boxes.iter().enumerate() {
                let (Some(bounds), Some(collider)) = (bounds, self.colliders[part]) else { continue };
                if !engine.is_near(other, &bounds.inflated(room_here))
                    || engine.is_ignored(body, bodies[part])
                {
                    continue;
                }
                let way = ways[part];
                let share = match kind {
                    // What carries a wheel is below it, and apart, as the ground found.
                    Kind::Fixed if self.ground.is_support(part) && self.ground.carriers.contains(&other) => {
                        1.0
                    }
                    Kind::Fixed => {
                        let gap = engine.gap(collider, &way[0], other);
                        room = room.min(gap);
                        if gap > longest {
                            1.0
                        } else {
                            engine.free_share(collider, way, other, 0.0, &mut self.memory)
                        }
                    }
                    Kind::Dynamic if engine.mass(body) <= self.mass => {
                        let pusher = Pusher { own: bodies, mass: self.mass, time: step };
                        let share = pushed(engine, collider, way, other, &pusher, &mut self.memory);
                        share.min(engine.free_depth(collider, way, other, self.ground.depth()))
                    }
                    Kind::Driven => {
                        let stands = engine.free_share(collider, way, other, 0.0, &mut self.memory);
                        stands.min(engine.free_share(collider, way, other, step, &mut self.memory))
                    }
                    Kind::Dynamic => engine.free_share(collider, way, other, 0.0, &mut self.memory),
                };
                if share < free {
                    free = share;
                    self.stopped = Some([collider, other]);
                }
                if free == 0.0 {
                    return 0.0;
                }
            }
        }
        self.room = if looks_far { room } else { self.room } - longest;
        if looks_far {
            self.carriers.clone_from(&self.ground.carriers);
            self.changes = changes;
        }
        free
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.pose.put(out);
        self.speed.put(out);
        self.is_settled.put(out);
        self.positions.put(out);
        self.told.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        let count = self.positions.len();
        self.pose = State::get(from)?;
        self.speed = State::get(from)?;
        self.is_settled = State::get(from)?;
        self.positions = State::get(from)?;
        self.told = State::get(from)?;
        // Found out again.
        self.room = 0.0;
        (self.positions.len() == count).then_some(())
    }
}

/// Which share of its way a shape can go and push another one ahead that gives way, as far as that has room.
fn pushed(
    engine: &Engine,
    collider: ColliderId,
    way: [Pose; 2],
    other: ColliderId,
    pusher: &Pusher,
    memory: &mut MotionWorkspace,
) -> f64 {
    let free = engine.free_share(collider, way, other, 0.0, memory);
    if free >= 1.0 {
        return 1.0;
    }
    let at = Straight::new(way[0], way[1]).pose(free);
    let Some(touch) = engine.closest(collider, &at, other) else { return 0.0 };
    // Where it is touched gets so far; other points may get deeper.
    let goes = (way[1] * at.inverse()).transform_point(touch.point_on_a) - touch.point_on_a;
    let far = goes.dot(touch.normal).max(-engine.gap(collider, &way[1], other));
    if far <= 0.0 {
        return 1.0;
    }
    let squeezed = (-engine.gap(collider, &way[0], other)).max(0.0);
    let room = engine.room_ahead(engine.body_of(other), touch.normal, [far, squeezed], pusher, memory);
    free + (1.0 - free) * room / far
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
