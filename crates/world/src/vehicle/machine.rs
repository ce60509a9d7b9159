//! A vehicle in an engine.

use super::command::Command;
use super::humanoid::Humanoid;
use super::model::{JointKind, Model};
use super::steering::Running;
use super::wheeled::Wheeled;
use crate::dynamics::{BodyId, Bytes, Engine};
use crate::event::Event;
use crate::sensors::odometry::Track;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Vehicle, VehicleModel};

/// A vehicle whose parts are bodies of an engine: it carries out commands in every step.
///
/// **Determinism.** Its state follows from the scene, the commands and the engine; [`Machine::save`] and [`Machine::resume`] keep it bit for bit.
pub struct Machine {
    works: Works,
}

/// Kinds of machines.
enum Works {
    /// On wheels.
    Wheeled(Box<Wheeled>),
    /// On legs.
    Legged(Box<Humanoid>),
}

/// A joint that commands may name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub kind: JointKind,
    /// Where it may be, in radians or metres.
    pub limits: [f64; 2],
    /// Where it is: wheels have all turns added up.
    pub position: f64,
}

/// Where a sensor of this name sits on a model: `vehicle_from_sensor`, looking along x.
#[must_use]
pub fn seat(model: VehicleModel, sensor: &str) -> Option<Pose> {
    let model = Model::of(model)?;
    model.seats.iter().find(|(name, _)| *name == sensor).map(|(_, pose)| *pose)
}

impl Machine {
    /// A vehicle whose parts were added to the engine as [`expanded`](super::expanded) says: adds joints, and sets up what parts meet.
    /// `number` is that of the vehicle in the scene, `bodies` are its parts in order.
    ///
    /// **Panics.** If the bodies are not those of the model.
    #[must_use]
    pub fn new(engine: &mut Engine, vehicle: &Vehicle, number: usize, bodies: &[BodyId]) -> Machine {
        let model = Model::of(vehicle.model).expect("`expanded` refuses what nobody can build");
        assert_eq!(model.parts.len(), bodies.len(), "the parts of {:?}", vehicle.name);
        if model.running == Running::Legs {
            return Machine { works: Works::Legged(Box::new(Humanoid::new(engine, vehicle, bodies))) };
        }
        Machine { works: Works::Wheeled(Box::new(Wheeled::new(engine, vehicle, number, model, bodies))) }
    }

    /// Takes a command; it holds until the next one of its kind.
    ///
    /// **Errors.** Words for people, about commands that the vehicle cannot carry out; then nothing has changed.
    pub fn command(&mut self, command: &Command) -> Result<(), String> {
        match &mut self.works {
            Works::Wheeled(it) => it.command(command),
            Works::Legged(it) => it.command(command),
        }
    }

    /// Before the engine does a step of this many seconds.
    pub fn before(&mut self, engine: &mut Engine, step: f64) {
        match &mut self.works {
            Works::Wheeled(it) => it.before(engine, step),
            Works::Legged(it) => it.before(engine, step),
        }
    }

    /// After it; what it has to tell goes to the events.
    pub fn after(&mut self, engine: &mut Engine, step: f64, events: &mut Vec<Event>) {
        match &mut self.works {
            Works::Wheeled(it) => it.after(engine, step, events),
            Works::Legged(it) => it.after(engine, step),
        }
    }

    /// `world_from_vehicle`.
    #[must_use]
    pub fn pose(&self, engine: &Engine) -> Pose {
        match &self.works {
            Works::Wheeled(it) => it.pose(engine),
            Works::Legged(it) => it.pose(engine),
        }
    }

    /// The direction of the world that is up in the vehicle.
    pub(crate) fn up(&self, engine: &Engine) -> Vec3 {
        match &self.works {
            Works::Wheeled(it) => it.up(engine),
            Works::Legged(it) => it.pose(engine).rotate(Vec3::Z),
        }
    }

    /// Speed of its origin forward in metres per second, and turn to the left in radians per second.
    #[must_use]
    pub fn speed(&self, engine: &Engine) -> [f64; 2] {
        match &self.works {
            Works::Wheeled(it) => it.speed(engine),
            Works::Legged(it) => it.speed(engine),
        }
    }

    /// Where the wheels say that its origin is, from where it stood at the start.
    #[must_use]
    pub fn track(&self) -> Track {
        match &self.works {
            Works::Wheeled(it) => it.track(),
            Works::Legged(it) => it.track(),
        }
    }

    /// The body that its gripper holds.
    #[must_use]
    pub fn holds(&self) -> Option<BodyId> {
        match &self.works {
            Works::Wheeled(it) => it.holds(),
            Works::Legged(_) => None,
        }
    }

    /// All joints, in the order of the model.
    #[must_use]
    pub fn joints(&self) -> Vec<JointInfo> {
        match &self.works {
            Works::Wheeled(it) => it.joints(),
            Works::Legged(it) => it.joints(),
        }
    }

    /// The parts, the main part first.
    #[must_use]
    pub fn bodies(&self) -> &[BodyId] {
        match &self.works {
            Works::Wheeled(it) => &it.bodies,
            Works::Legged(it) => it.bodies(),
        }
    }

    /// Its state as bytes; that of its bodies and joints is the engine's.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match &self.works {
            Works::Wheeled(it) => it.put(out),
            Works::Legged(it) => it.put(out),
        }
    }

    /// Goes on from a state; `None` if the bytes are none, and then it is of no use any more.
    pub(crate) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        match &mut self.works {
            Works::Wheeled(it) => it.get(from),
            Works::Legged(it) => it.get(from),
        }
    }

    /// Its state as bytes, to be kept with that of the engine.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// Goes on from a state that it saved; false if the bytes are none.
    pub fn resume(&mut self, state: &[u8]) -> bool {
        let mut from = Bytes(state);
        self.get(&mut from).is_some() && from.0.is_empty()
    }
}
