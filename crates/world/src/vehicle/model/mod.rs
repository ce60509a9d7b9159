//! What vehicles are made of, as data: parts, joints, and where sensors sit.
//!
//! **Frames.** Everything is in the frame of the vehicle: x forward, y left, z up, the origin on the ground below its middle.

mod car;
mod khepera;
mod pioneer;
mod volksbot;

use super::steering::Running;
use freiraum_geometry::shape::{Cuboid, Cylinder, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{Color, VehicleModel};
use std::f64::consts::FRAC_PI_2;

/// A vehicle or robot as it is built.
#[derive(Clone, Debug)]
pub struct Model {
    /// The first one is the main part; others come after the part that they sit on.
    pub parts: Vec<Part>,
    /// Those of one part in order, from what it sits on outwards.
    pub joints: Vec<PlannedJoint>,
    /// Where sensors of these names sit: `vehicle_from_sensor`, looking along x.
    pub seats: Vec<(&'static str, Pose)>,
    /// What it moves on.
    pub running: Running,
}

/// A part of a vehicle: one body of the scene.
#[derive(Clone, Debug)]
pub struct Part {
    /// The body is named after the vehicle and this: `truck/chassis`.
    pub name: &'static str,
    /// What it looks like. Wheels are cylinders about y of the vehicle.
    pub shape: Shape,
    /// Where it is when all joints are at 0: `vehicle_from_part`.
    pub pose: Pose,
    /// In kilograms.
    pub mass: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// For pictures.
    pub color: Color,
    /// The part that it sits on.
    pub on: usize,
    /// True for wheels, castors and feet: they collide even if the rest of the vehicle does not.
    pub is_ground: bool,
}

/// What a joint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// A wheel that turns without end, by a motor or as it rolls.
    Roll,
    /// The steering of a wheel.
    Steer,
    /// A wheel that moves up and down on a spring.
    Suspension,
    /// A castor that turns as the vehicle moves.
    Swivel,
    /// Turns to where it is told.
    Turn,
    /// Slides to where it is told.
    Slide,
}

/// A joint between a part and what it sits on.
#[derive(Clone, Copy, Debug)]
pub struct PlannedJoint {
    /// Commands name it.
    pub name: &'static str,
    /// What it does.
    pub kind: JointKind,
    /// The part that it moves.
    pub part: usize,
    /// A point of its axis when all joints are at 0.
    pub at: Vec3,
    /// Unit vector; turns are right-handed about it. Wheels roll forward about +y.
    pub axis: Vec3,
    /// Where it may be, in radians or metres.
    pub limits: [f64; 2],
    /// How fast it gets where it is told, in radians or metres per second.
    pub speed: f64,
    /// Its largest torque or force, in newton metres or newtons.
    pub most: f64,
}

impl Model {
    /// How a vehicle is built; `None` if nobody knows yet.
    #[must_use]
    pub fn of(model: VehicleModel) -> Option<Model> {
        Some(match model {
            VehicleModel::Pioneer => pioneer::pioneer(),
            VehicleModel::Volksbot => volksbot::volksbot(),
            VehicleModel::MonsterTruck => car::monster_truck(),
            VehicleModel::StretchLimousine => car::stretch_limousine(),
            VehicleModel::Khepera => khepera::khepera(false),
            VehicleModel::KheperaGripper => khepera::khepera(true),
            VehicleModel::Hr18 => super::humanoid::planned(),
        })
    }

    /// Where all parts are for these positions of the joints: `vehicle_from_part`.
    #[must_use]
    pub fn placed(&self, positions: &[f64]) -> Vec<Pose> {
        let mut moves: Vec<Pose> = Vec::with_capacity(self.parts.len());
        for (number, part) in self.parts.iter().enumerate() {
            let mut moved = if number == 0 { Pose::IDENTITY } else { moves[part.on] };
            let own = self.joints.iter().zip(positions).filter(|(joint, _)| joint.part == number);
            for (joint, position) in own {
                moved = moved * joint.moved(*position);
            }
            moves.push(moved);
        }
        moves.iter().zip(&self.parts).map(|(moved, part)| *moved * part.pose).collect()
    }

    /// The number of a joint.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The number of a part.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<usize> {
        self.parts.iter().position(|part| part.name == name)
    }

    /// The mass of all parts, in kilograms.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.parts.iter().map(|part| part.mass).sum()
    }

    /// Whether a part is held by the main part and nothing moves it.
    #[must_use]
    pub fn is_rigid(&self, part: usize) -> bool {
        part != 0
            && self.joints.iter().all(|joint| joint.part != part)
            && (self.parts[part].on == 0 || self.is_rigid(self.parts[part].on))
    }

    /// Adds a part that sits on the main part, and tells its number.
    fn add(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }
}

impl PlannedJoint {
    /// What the joint does to its part at a position.
    fn moved(&self, position: f64) -> Pose {
        if position == 0.0 {
            return Pose::IDENTITY;
        }
        match self.kind {
            JointKind::Suspension | JointKind::Slide => Pose::from_translation(position * self.axis),
            _ => Pose::from_rotation_about(self.at, self.axis, position).unwrap_or(Pose::IDENTITY),
        }
    }

    fn new(name: &'static str, kind: JointKind, part: usize, at: Vec3, axis: Vec3) -> PlannedJoint {
        let limits = [f64::NEG_INFINITY, f64::INFINITY];
        PlannedJoint { name, kind, part, at, axis, limits, speed: f64::INFINITY, most: f64::INFINITY }
    }
}

impl Part {
    fn new(name: &'static str, shape: Shape, at: Vec3, mass: f64, color: [u8; 3]) -> Part {
        let pose = Pose::from_translation(at);
        Part { name, shape, pose, mass, friction: 0.6, color: Color(color), on: 0, is_ground: false }
    }

    /// A wheel: a cylinder about y.
    fn wheel(name: &'static str, radius: f64, width: f64, at: Vec3, mass: f64) -> Part {
        let pose = Pose::from_zyx_euler(-FRAC_PI_2, 0.0, 0.0, at).unwrap_or(Pose::IDENTITY);
        let mut part = Part::new(name, cylinder(radius, width), at, mass, TYRE);
        (part.pose, part.friction, part.is_ground) = (pose, 1.0, true);
        part
    }
}

const TYRE: [u8; 3] = [38, 38, 42];

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).expect("sizes of models are positive"))
}

fn cylinder(radius: f64, height: f64) -> Shape {
    Shape::Cylinder(Cylinder::new(radius, height).expect("sizes of models are positive"))
}

fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).expect("sizes of models are positive"))
}
