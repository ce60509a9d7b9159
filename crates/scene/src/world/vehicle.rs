//! Vehicles and small robots of the simulator, and who drives them.

use crate::{Color, Place};
use freiraum_geometry::{Pose, Vec3};
use std::path::PathBuf;

/// A vehicle or robot that the simulator knows how to build.
#[derive(Clone, Debug)]
pub struct Vehicle {
    /// Unique among bodies, groups, robots and vehicles.
    pub name: String,
    /// Which one.
    pub model: VehicleModel,
    /// Where it stands at the start: x forward, y left, z up, the origin on the ground below its middle.
    pub pose: Pose,
    /// How it moves.
    pub drive: Drive,
    /// How its mass is spread; for dynamic drives only.
    pub masses: MassModel,
    /// True if all of its bodies collide, false if only wheels or feet do, and the heavy body of a single mass on wheels.
    pub full_collision: bool,
    /// A vehicle that is not active does not drive.
    pub is_active: bool,
    /// Who drives; nobody if there is none.
    pub controller: Option<Controller>,
    /// Of its body and of all parts that are painted like it; that of the model if there is none.
    pub color: Option<Color>,
    /// Where the file says so.
    pub place: Place,
}

/// The models of the simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VehicleModel {
    /// Two driven wheels, a castor, a gripper and a camera.
    Pioneer,
    /// Three wheels on each side.
    Volksbot,
    /// Four driven wheels, Ackermann steering, camera and laser scanner.
    MonsterTruck,
    /// A long car with Ackermann steering.
    StretchLimousine,
    /// A humanoid with 18 driven joints and more.
    Hr18,
    /// A small round robot with infrared sensors.
    Khepera,
    /// The same with a gripper.
    KheperaGripper,
}

impl VehicleModel {
    /// All of them with their names in files.
    pub const NAMES: [(&'static str, VehicleModel); 7] = [
        ("pioneer", VehicleModel::Pioneer),
        ("volksbot", VehicleModel::Volksbot),
        ("monster truck", VehicleModel::MonsterTruck),
        ("stretch limousine", VehicleModel::StretchLimousine),
        ("hr18", VehicleModel::Hr18),
        ("khepera", VehicleModel::Khepera),
        ("khepera with gripper", VehicleModel::KheperaGripper),
    ];

    /// What files call it.
    pub fn name(self) -> &'static str {
        VehicleModel::NAMES.iter().find(|(_, model)| *model == self).map_or("", |(name, _)| name)
    }
}

/// How a vehicle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// As its wheels roll, without forces; it stops at what it cannot push.
    Kinematic,
    /// By torques of its wheels, friction and gravity.
    Dynamic,
}

/// How the mass of a vehicle is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassModel {
    /// One heavy body, all other parts without mass.
    Single,
    /// Every part has its own; the centre of gravity moves with them.
    Distributed,
}

/// Who drives.
#[derive(Clone, Debug, PartialEq)]
pub enum Controller {
    /// Straight on, away from what is near.
    Wander,
    /// To a point in the frame of the world.
    DriveTo(Vec3),
    /// Looks for things that fit into the gripper, takes them, leaves them where others are.
    Collect,
    /// Plays the ball towards a goal.
    Soccer {
        /// The number of the body that is the ball.
        ball: usize,
        /// The number of the goal that it plays to.
        goal: usize,
    },
    /// What somebody presses in the studio.
    Keyboard,
    /// Another program, one line of JSON per step on its standard input and output.
    Program {
        /// The program and its arguments.
        command: Vec<String>,
        /// How long one answer may take, in seconds of real time.
        timeout: f64,
        /// How often it is asked, per second of the world; 0 for every step.
        rate: f64,
        /// The folder that it runs in: that of the file which names it.
        folder: PathBuf,
    },
}
