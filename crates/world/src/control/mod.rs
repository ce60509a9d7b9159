//! Who drives: a trait for controllers, those that are built in, and other programs.
//!
//! - [`of`]: the controller that a scene names
//! - [`Wander`], [`DriveTo`], [`Collect`], [`Soccer`]: built in
//! - [`Keyboard`]: somebody at the keys
//! - [`Program`]: any program, over lines of JSON; [`Programs`]: which of them may be started

mod body;
mod chance;
mod collect;
mod drive_to;
mod fleet;
mod ground;
mod heap;
mod keyboard;
mod pilot;
mod program;
mod soccer;
mod touch;
mod wander;

pub use collect::Collect;
pub use drive_to::DriveTo;
pub use keyboard::{Keyboard, KeyboardHandle, Keys};
pub use program::{Answer, LONGEST_ANSWER, Program, Programs, parse_answer};
pub use soccer::Soccer;
pub use wander::Wander;

use crate::dynamics::{Bytes, State};
use crate::event::Event;
use crate::reading::Reading;
use crate::vehicle::Command;
use freiraum_geometry::Pose;
use freiraum_scene::{self as scene, Scene};

/// The controller that a scene names.
#[must_use]
pub fn of(controller: &scene::Controller) -> Box<dyn Controller> {
    match controller {
        scene::Controller::Wander => Box::new(Wander::default()),
        scene::Controller::DriveTo(target) => Box::new(DriveTo::new(*target)),
        scene::Controller::Collect => Box::new(Collect::default()),
        scene::Controller::Soccer { ball, goal } => Box::new(Soccer::new(*ball, *goal)),
        scene::Controller::Keyboard => Box::new(Keyboard::default()),
        scene::Controller::Program { command, timeout, folder, .. } => {
            Box::new(Program::new(command, *timeout, folder))
        }
    }
}

/// A state that a controller saved, whole; false if it is none.
fn resumed<T: State>(controller: &mut T, state: &[u8]) -> bool {
    let mut bytes = Bytes(state);
    let Some(found) = T::get(&mut bytes).filter(|_| bytes.0.is_empty()) else { return false };
    *controller = found;
    true
}

/// Drives one vehicle. Same inputs must give same commands: no clock, no random numbers but those of a seed.
pub trait Controller: Send {
    /// What the vehicle shall do from now on, given what can be known before a step. Commands go to `commands`, what people should know
    /// to `notes`: it becomes a warning.
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, notes: &mut Vec<String>);
    /// Its state, for a saved world.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    /// Goes on from a state that it saved; false if it is none.
    fn resume(&mut self, state: &[u8]) -> bool {
        state.is_empty()
    }
}

/// What a controller can know before a step. Lengths in metres, frames as in a [`Scene`].
pub struct Seen<'s> {
    /// The scene, with the parts of all vehicles as bodies.
    pub scene: &'s Scene,
    /// The number of its vehicle.
    pub vehicle: usize,
    /// Seconds since the start.
    pub time: f64,
    /// Seconds until it is asked again.
    pub step: f64,
    /// `world_from_vehicle`: x forward, z up, the origin on the ground below its middle.
    pub pose: Pose,
    /// Speed forward in metres per second and turn to the left in radians per second.
    pub speed: [f64; 2],
    /// The body that its gripper holds.
    pub holds: Option<usize>,
    /// Where all bodies of the scene are: `world_from_body`. Programs do not get to know it.
    pub poses: &'s [Pose],
    /// The newest measurement of every sensor of the vehicle: its number in the scene, and whether it is new since the last step.
    pub readings: &'s [SeenReading<'s>],
    /// What happened since it was asked last, as far as its vehicle is concerned.
    pub events: &'s [Event],
}

/// A measurement that a controller sees.
pub struct SeenReading<'s> {
    /// The number of the sensor in the scene.
    pub sensor: usize,
    /// True if it was measured since the last step.
    pub is_new: bool,
    /// What was measured.
    pub reading: &'s Reading,
}
