//! Vehicles on wheels: what the commands want of the wheels, and three ways to carry it out.

mod angle;
mod distributed;
mod grip;
mod ground;
mod kinematic;
mod mass;
mod single;
mod wheel;

use super::command::Command;
use super::gripper::Gripper;
use super::machine::JointInfo;
use super::model::{JointKind, Model};
use super::steering::{Axles, Running, Sides};
use crate::dynamics::{BodyId, Bytes, Engine, Filter, State};
use crate::event::Event;
use crate::sensors::odometry::Track;
use distributed::Distributed;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Drive, MassModel, Vehicle};
use kinematic::Kinematic;
use single::Single;
use wheel::Wheel;

/// A vehicle on wheels.
pub(super) struct Wheeled {
    name: String,
    pub(super) bodies: Vec<BodyId>,
    gear: Gear,
    way: Way,
    gripper: Option<Gripper>,
    /// What is up in the vehicle, in the frame of its main part.
    main_up: Vec3,
}

/// What all ways to drive share: what is wanted, and where the joints are.
struct Gear {
    model: Model,
    wheels: Vec<Wheel>,
    is_active: bool,
    /// See [`Sides::effective_track`].
    turning_track: f64,
    /// Speeds of the rims on the left and on the right, or speed and turn per metre of the middle of the rear axle.
    wanted: [f64; 2],
    /// Angle of a wheel in the middle of the front axle, now.
    steering: f64,
    /// What was wanted when the steering had got there: nothing more to do until something else is.
    settled: Option<[f64; 2]>,
    /// Of all joints; wheels with all turns added up.
    positions: Vec<f64>,
    /// Where those that turn or slide to a place shall go.
    targets: Vec<f64>,
    /// What the wheels say of where the middle of the driven or rear axle is.
    track: Track,
}

/// Ways to drive.
enum Way {
    Kinematic(Box<Kinematic>),
    Distributed(Distributed),
    Single(Single),
}

impl Wheeled {
    pub(super) fn new(
        engine: &mut Engine,
        vehicle: &Vehicle,
        number: usize,
        model: Model,
        bodies: &[BodyId],
    ) -> Wheeled {
        for (at, a) in bodies.iter().enumerate() {
            bodies[at + 1..].iter().for_each(|b| engine.ignore_pair(*a, *b));
        }
        if !vehicle.full_collision {
            // The wheels of a single mass are springs, which thin walls pass: its heavy body stops it.
            let is_single = vehicle.drive == Drive::Dynamic && vehicle.masses == MassModel::Single;
            let parts = bodies.iter().zip(&model.parts).skip(usize::from(is_single));
            for (body, _) in parts.filter(|(_, part)| !part.is_ground) {
                let colliders: Vec<_> = engine.colliders(*body).collect();
                for collider in colliders {
                    engine.set_filter(collider, Filter { groups: 0, meets: 0 });
                }
            }
        }
        let gear = Gear::new(model, vehicle.is_active);
        let is_kinematic = vehicle.drive == Drive::Kinematic;
        // Before its shapes are put together.
        let gripper = Gripper::of(engine, &gear.model, number, bodies, is_kinematic);
        let way = match vehicle.drive {
            Drive::Kinematic => Way::Kinematic(Box::new(Kinematic::new(engine, &gear, bodies, vehicle.pose))),
            Drive::Dynamic if vehicle.masses == MassModel::Single => {
                Way::Single(Single::new(engine, &gear, bodies))
            }
            Drive::Dynamic => Way::Distributed(Distributed::new(engine, &gear, bodies)),
        };
        let main_up = gear.model.parts[0].pose.inverse().rotate(Vec3::Z);
        Wheeled { name: vehicle.name.clone(), bodies: bodies.to_vec(), gear, way, gripper, main_up }
    }

    pub(super) fn command(&mut self, command: &Command) -> Result<(), String> {
        if let (Command::Gripper(command), Some(gripper), true) =
            (command, &mut self.gripper, self.gear.is_active)
        {
            gripper.command(*command, &mut self.gear.targets);
            return Ok(());
        }
        if let (Command::Joint { name, .. }, Some(gripper)) = (command, &self.gripper)
            && self.gear.model.joint(name).is_some_and(|joint| gripper.moves(joint))
        {
            return Err(format!("{}: the joint {name:?} is the gripper's: say open or close", self.name));
        }
        self.gear.command(command).map_err(|why| format!("{}: {why}", self.name))
    }

    pub(super) fn before(&mut self, engine: &mut Engine, step: f64) {
        self.gear.steer(step);
        if let Some(gripper) = &mut self.gripper {
            let Gear { model, positions, targets, .. } = &mut self.gear;
            gripper.before(engine, model, positions, targets);
        }
        match &mut self.way {
            Way::Kinematic(it) => it.before(engine, &mut self.gear, &self.bodies, step),
            Way::Distributed(it) => it.before(engine, &mut self.gear, &self.bodies, step),
            Way::Single(it) => it.before(engine, &mut self.gear, &self.bodies, step),
        }
    }

    pub(super) fn after(&mut self, engine: &mut Engine, step: f64, events: &mut Vec<Event>) {
        match &mut self.way {
            Way::Kinematic(it) => it.after(engine, events),
            Way::Distributed(it) => it.after(engine, &mut self.gear, &self.bodies),
            Way::Single(it) => it.after(engine, &mut self.gear, &self.bodies, step),
        }
        if let Some(gripper) = &mut self.gripper {
            let Gear { positions, targets, .. } = &mut self.gear;
            gripper.after(engine, step, positions, targets, events);
        }
    }

    pub(super) fn pose(&self, engine: &Engine) -> Pose {
        match &self.way {
            Way::Kinematic(it) => it.pose(),
            Way::Distributed(_) | Way::Single(_) => {
                engine.pose(self.bodies[0]) * self.gear.model.parts[0].pose.inverse()
            }
        }
    }

    pub(super) fn up(&self, engine: &Engine) -> Vec3 {
        match &self.way {
            Way::Kinematic(it) => it.pose().rotate(Vec3::Z),
            Way::Distributed(_) | Way::Single(_) => engine.state(self.bodies[0]).rotation * self.main_up,
        }
    }

    pub(super) fn speed(&self, engine: &Engine) -> [f64; 2] {
        match &self.way {
            Way::Kinematic(it) => it.speed(),
            Way::Distributed(_) | Way::Single(_) => {
                let pose = self.pose(engine);
                let velocity = engine.velocity_at(self.bodies[0], pose.translation());
                let spin = engine.angular_velocity(self.bodies[0]);
                [velocity.dot(pose.rotate(Vec3::X)), spin.dot(pose.rotate(Vec3::Z))]
            }
        }
    }

    pub(super) fn track(&self) -> Track {
        // From the axle to the origin of the vehicle, which is ahead of it.
        let Track { x, y, heading } = self.gear.track;
        let ahead = self.gear.ahead();
        Track { x: x + ahead * (heading.cos() - 1.0), y: y + ahead * heading.sin(), heading }
    }

    pub(super) fn joints(&self) -> Vec<JointInfo> {
        let infos = self.gear.model.joints.iter().zip(&self.gear.positions);
        infos
            .map(|(joint, position)| JointInfo {
                name: joint.name,
                kind: joint.kind,
                limits: joint.limits,
                position: *position,
            })
            .collect()
    }

    /// The body that its gripper holds.
    pub(super) fn holds(&self) -> Option<BodyId> {
        self.gripper.as_ref().and_then(Gripper::holds)
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.gear.put(out);
        self.gripper.iter().for_each(|gripper| gripper.put(out));
        match &self.way {
            Way::Kinematic(it) => it.put(out),
            Way::Distributed(_) => {}
            Way::Single(it) => it.put(out),
        }
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        self.gear.get(from)?;
        if let Some(gripper) = &mut self.gripper {
            gripper.get(from)?;
        }
        match &mut self.way {
            Way::Kinematic(it) => it.get(from),
            Way::Distributed(_) => Some(()),
            Way::Single(it) => it.get(from),
        }
    }
}

impl Gear {
    fn new(model: Model, is_active: bool) -> Gear {
        let count = model.joints.len();
        let turning_track =
            if let Running::Sides(sides) = &model.running { sides.effective_track() } else { 0.0 };
        Gear {
            turning_track,
            wheels: wheel::wheels(&model),
            model,
            is_active,
            wanted: [0.0; 2],
            steering: 0.0,
            settled: None,
            positions: vec![0.0; count],
            targets: vec![0.0; count],
            track: Track::default(),
        }
    }

    /// How far the origin of the vehicle is ahead of the point that odometry follows.
    fn ahead(&self) -> f64 {
        if let Running::Cars(axles) = &self.model.running { 0.5 * axles.base } else { 0.0 }
    }

    fn command(&mut self, command: &Command) -> Result<(), String> {
        if !self.is_active {
            return Err("is not active and does not drive".to_owned());
        }
        match (command, &self.model.running) {
            (Command::Wheels { left, right }, Running::Sides(sides)) => {
                self.wanted = both([*left, *right])?.map(|v| v.clamp(-sides.most_speed, sides.most_speed));
            }
            (Command::Steer { speed, angle }, Running::Cars(axles)) => {
                let [speed, angle] = both([*speed, *angle])?;
                let angle = angle.clamp(-STEEPEST, STEEPEST);
                self.wanted = of_car(axles, speed, axles.curvature(angle));
            }
            (Command::Drive { speed, turn }, running) => {
                let [speed, turn] = both([*speed, *turn])?;
                self.wanted = match running {
                    Running::Sides(sides) => of_sides(sides, self.turning_track, speed, turn),
                    Running::Cars(axles) => {
                        // Without speed a car cannot turn; its wheels go where they would have to.
                        let curvature = if turn == 0.0 { 0.0 } else { turn / speed };
                        let curvature =
                            if curvature.is_finite() { curvature } else { turn.signum() / axles.base };
                        of_car(axles, speed, curvature)
                    }
                    Running::Legs => [0.0; 2],
                };
            }
            (Command::Joint { name, position }, _) => self.joint_command(name, *position)?,
            (Command::Wheels { .. }, _) => {
                return Err("has no wheels on two sides to drive; say steer or drive".to_owned());
            }
            (Command::Steer { .. }, _) => return Err("has no steering; say wheels or drive".to_owned()),
            (Command::Gripper(_), _) => return Err("has no gripper".to_owned()),
        }
        Ok(())
    }

    fn joint_command(&mut self, name: &str, position: f64) -> Result<(), String> {
        let moved = |kind: JointKind| matches!(kind, JointKind::Turn | JointKind::Slide);
        let Some(number) = self.model.joint(name) else {
            let names: Vec<_> =
                self.model.joints.iter().filter(|j| moved(j.kind)).map(|j| format!("{:?}", j.name)).collect();
            let known = if names.is_empty() { "it has none".to_owned() } else { names.join(", ") };
            return Err(format!("there is no joint {name:?}; those that can be told: {known}"));
        };
        let joint = &self.model.joints[number];
        if !moved(joint.kind) {
            return Err(format!("the joint {name:?} cannot be told where to go; say wheels, steer or drive"));
        }
        if !position.is_finite() {
            return Err("a number is not finite".to_owned());
        }
        self.targets[number] = position.clamp(joint.limits[0], joint.limits[1]);
        Ok(())
    }

    /// Turns the steering, and moves what has a place to go to, for one step: where that is told, not where forces are in the way.
    fn steer(&mut self, step: f64) {
        if self.settled == Some(self.wanted) {
            return;
        }
        let before = self.steering;
        if let Running::Cars(axles) = &self.model.running {
            let wanted = axles.angle(self.wanted[1]);
            let most = axles.steering_speed * step;
            self.steering += (wanted - self.steering).clamp(-most, most);
            let angles = axles.front_angles(axles.curvature(self.steering));
            for wheel in &self.wheels {
                if let Some(joint) = wheel.steer {
                    self.positions[joint] = angles[usize::from(wheel.at.y < 0.0)];
                }
            }
        }
        self.settled = (before == self.steering).then_some(self.wanted);
    }

    /// The turn per metre that the wheels are set to: for differential drives that of speed and turn.
    fn rim(&self, wheel: &Wheel) -> f64 {
        match &self.model.running {
            Running::Sides(_) => self.wanted[usize::from(wheel.at.y < 0.0)],
            Running::Cars(axles) => {
                self.wanted[0] * axles.rim_speeds(axles.curvature(self.steering))[wheel.number]
            }
            Running::Legs => 0.0,
        }
    }

    /// Of a car those of all wheels at once.
    fn rims(&self) -> Option<[f64; 4]> {
        let Running::Cars(axles) = &self.model.running else { return None };
        Some(axles.rim_speeds(axles.curvature(self.steering)).map(|share| self.wanted[0] * share))
    }

    /// Speed and turn that wheels have together when they roll with the speeds that are wanted.
    fn speed(&self) -> [f64; 2] {
        match &self.model.running {
            Running::Sides(_) => {
                let [left, right] = self.wanted;
                [0.5 * (left + right), (right - left) / self.turning_track]
            }
            Running::Cars(axles) => [self.wanted[0], self.wanted[0] * axles.curvature(self.steering)],
            Running::Legs => [0.0; 2],
        }
    }

    /// Adds to the track what the driven or rear wheels turned since they had these angles.
    fn count(&mut self, turned: impl Fn(&Wheel) -> f64) {
        let mut sums = [[0.0; 2]; 2];
        for wheel in self.wheels.iter().filter(|wheel| wheel.is_counted) {
            let side = &mut sums[usize::from(wheel.at.y < 0.0)];
            side[0] += wheel.radius * turned(wheel);
            side[1] += 1.0;
        }
        let [left, right] = sums.map(|[sum, count]| if count > 0.0 { sum / count } else { 0.0 });
        let length = 0.5 * (left + right);
        let turn = match &self.model.running {
            Running::Sides(_) => (right - left) / self.turning_track,
            Running::Cars(axles) => length * axles.curvature(self.steering),
            Running::Legs => 0.0,
        };
        self.track = self.track.after_arc(length, turn);
    }

    /// Moves what turns or slides to a place, for ways without forces.
    fn reach(&mut self, step: f64) {
        for (number, joint) in self.model.joints.iter().enumerate() {
            if matches!(joint.kind, JointKind::Turn | JointKind::Slide) {
                let most = joint.speed * step;
                self.positions[number] += (self.targets[number] - self.positions[number]).clamp(-most, most);
            }
        }
    }

    fn put(&self, out: &mut Vec<u8>) {
        self.wanted.put(out);
        self.steering.put(out);
        self.positions.put(out);
        self.targets.put(out);
        [self.track.x, self.track.y, self.track.heading].put(out);
    }

    fn get(&mut self, from: &mut Bytes) -> Option<()> {
        let count = self.positions.len();
        self.settled = None;
        self.wanted = State::get(from)?;
        self.steering = State::get(from)?;
        self.positions = State::get(from)?;
        self.targets = State::get(from)?;
        let [x, y, heading] = State::get(from)?;
        self.track = Track { x, y, heading };
        (self.positions.len() == count && self.targets.len() == count).then_some(())
    }
}

/// Angles of steering beyond this, in radians, are taken for it: no front wheel gets there.
const STEEPEST: f64 = 1.5;

fn both(numbers: [f64; 2]) -> Result<[f64; 2], String> {
    if numbers.iter().all(|n| n.is_finite()) { Ok(numbers) } else { Err("a number is not finite".to_owned()) }
}

fn of_sides(sides: &Sides, track: f64, speed: f64, turn: f64) -> [f64; 2] {
    let across = 0.5 * turn * track;
    let wanted = [speed - across, speed + across];
    // Slower, on the same circle, if a wheel would have to be too fast.
    let most = wanted[0].abs().max(wanted[1].abs());
    if most > sides.most_speed { wanted.map(|v| v * (sides.most_speed / most)) } else { wanted }
}

fn of_car(axles: &Axles, speed: f64, curvature: f64) -> [f64; 2] {
    [speed.clamp(-axles.most_speed, axles.most_speed), axles.reachable(curvature)]
}
