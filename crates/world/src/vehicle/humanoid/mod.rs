//! HR18, a small humanoid of our own design: 0.55 m high, 3.3 kg, 22 bodies, 24 joints.
//!
//! Kinematic, it walks: one foot stands, the other goes on, as high as the ground is there, and it stops before what it cannot push. Dynamic, it is one rigid
//! body in the pose of its joints: it stands until somebody pushes it over, and does not walk.

mod around;
mod doll;
mod gait;
mod leg;
mod model;
mod walker;

pub use around::KEPT;
pub use gait::{MOST_CLIMB, MOST_SPEED, MOST_TURN, STEP_TIME};
pub use model::{BODIES, JOINTS};

use crate::dynamics::{BodyId, Bytes, Engine};
use crate::sensors::odometry::Track;
use crate::vehicle::model::{JointKind, Model as Planned, Part, PlannedJoint};
use crate::vehicle::steering::Running;
use crate::vehicle::{Command, JointInfo};
use doll::Doll;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Color, Drive, MassModel, Vehicle};
use model::{Hinge, Model};
use walker::Walker;

/// How it is built, standing.
pub(crate) fn planned() -> Planned {
    let model = Model::new();
    let (poses, _) = walker::standing(&model);
    let part = |(number, part): (usize, &model::Part)| Part {
        name: part.name,
        shape: part.shape.clone(),
        pose: poses[number],
        mass: part.mass,
        friction: part.friction,
        color: Color(part.color),
        on: model.links.iter().find(|link| link.child == number).map_or(0, |link| link.parent),
        is_ground: model::FEET.contains(&number),
    };
    let parts: Vec<Part> = model.parts.iter().enumerate().map(part).collect();
    let mut joints = Vec::new();
    for link in &model.links {
        for hinge in &model.hinges[link.first..][..link.count] {
            joints.push(PlannedJoint {
                name: hinge.name,
                kind: JointKind::Turn,
                part: link.child,
                at: poses[link.parent].transform_point(link.on_parent),
                axis: poses[link.parent].rotate(Vec3::AXES[hinge.axis]),
                limits: hinge.limits,
                speed: JOINT_SPEED,
                most: f64::INFINITY,
            });
        }
    }
    let seat = |part: usize| poses[part].shifted(Vec3::new(0.01, 0.0, 0.0));
    let seats = vec![("camera", seat(4)), ("head camera", seat(4)), ("chest camera", seat(5))];
    Planned { parts, joints, seats, running: Running::Legs }
}

/// How fast joints get where they are told, in radians per second.
const JOINT_SPEED: f64 = 3.0;

/// A humanoid in an engine.
pub(crate) struct Humanoid {
    bodies: Vec<BodyId>,
    model: Model,
    is_active: bool,
    works: Works,
}

enum Works {
    /// On rails.
    Walks(Box<Walker>),
    /// Held by its joints.
    Stands(Box<Doll>),
}

impl Humanoid {
    /// Of these bodies, in the order of the model, where the vehicle stands at the start.
    pub(crate) fn new(engine: &mut Engine, vehicle: &Vehicle, bodies: &[BodyId]) -> Humanoid {
        let model = Model::new();
        let works = match vehicle.drive {
            Drive::Kinematic => {
                Works::Walks(Box::new(Walker::new(engine, model.clone(), &vehicle.pose, bodies)))
            }
            Drive::Dynamic => {
                let is_single = vehicle.masses == MassModel::Single;
                Works::Stands(Box::new(Doll::new(engine, model.clone(), bodies, is_single)))
            }
        };
        Humanoid { bodies: bodies.to_vec(), model, is_active: vehicle.is_active, works }
    }

    /// Walks or moves a joint from now on.
    pub(crate) fn command(&mut self, command: &Command) -> Result<(), String> {
        match (command, &mut self.works) {
            (Command::Drive { speed, turn }, Works::Walks(it)) => {
                if !(speed.is_finite() && turn.is_finite()) {
                    return Err("speed and turn must be finite".to_owned());
                }
                it.want(*speed, *turn);
                Ok(())
            }
            (Command::Drive { speed: 0.0, turn: 0.0 }, Works::Stands(_)) => Ok(()),
            (Command::Drive { .. }, Works::Stands(_)) => {
                Err("a humanoid walks if its drive is kinematic; this one only stands".to_owned())
            }
            (Command::Joint { name, position }, works) => {
                let joint =
                    self.model.joint(name).ok_or_else(|| format!("a humanoid has no joint {name:?}"))?;
                if !position.is_finite() {
                    return Err(format!("the position of {name:?} must be finite"));
                }
                let [low, high] = self.model.hinges[joint].limits;
                let position = position.clamp(low, high);
                match works {
                    Works::Walks(it) => it.aim(joint, position),
                    Works::Stands(it) => {
                        it.aim(joint, position);
                        Ok(())
                    }
                }
            }
            (Command::Wheels { .. } | Command::Steer { .. }, _) => {
                Err("a humanoid has no wheels; it walks with `drive`".to_owned())
            }
            (Command::Gripper(_), _) => Err("a humanoid has no gripper".to_owned()),
        }
    }

    /// Before a step of the engine.
    pub(crate) fn before(&mut self, engine: &mut Engine, step: f64) {
        match &mut self.works {
            Works::Walks(it) if self.is_active => it.before(engine, step),
            Works::Stands(it) if self.is_active => it.before(engine, step),
            _ => {}
        }
    }

    /// After it.
    pub(crate) fn after(&mut self, engine: &mut Engine, step: f64) {
        match &mut self.works {
            Works::Walks(it) => it.after(engine, step),
            Works::Stands(it) => it.after(engine),
        }
    }

    /// `world_from_vehicle`.
    pub(crate) fn pose(&self, engine: &Engine) -> Pose {
        match &self.works {
            Works::Walks(it) => it.pose(),
            Works::Stands(it) => it.pose(engine),
        }
    }

    /// Forward in m/s, and to the left in rad/s.
    pub(crate) fn speed(&self, engine: &Engine) -> [f64; 2] {
        match &self.works {
            Works::Walks(it) => it.speed(),
            Works::Stands(it) => it.speed(engine),
        }
    }

    /// Where its steps say that it is, seen from where it started.
    pub(crate) fn track(&self) -> Track {
        match &self.works {
            Works::Walks(it) => it.track(),
            Works::Stands(_) => Track::default(),
        }
    }

    /// Names, limits and positions of all joints.
    pub(crate) fn joints(&self) -> Vec<JointInfo> {
        let angles = match &self.works {
            Works::Walks(it) => it.angles(),
            Works::Stands(it) => it.angles(),
        };
        let info = |(hinge, angle): (&Hinge, &f64)| JointInfo {
            name: hinge.name,
            kind: JointKind::Turn,
            limits: hinge.limits,
            position: *angle,
        };
        self.model.hinges.iter().zip(angles).map(info).collect()
    }

    /// All bodies, the torso first.
    pub(crate) fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    /// Its state as bytes.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match &self.works {
            Works::Walks(it) => it.put(out),
            Works::Stands(it) => it.put(out),
        }
    }

    /// Goes on from a state; `None` if it is none.
    pub(crate) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        match &mut self.works {
            Works::Walks(it) => it.get(from),
            Works::Stands(it) => it.get(from),
        }
    }
}
