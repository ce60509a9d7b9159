//! What a simulation needs to know beside bodies: their physics, vehicles, sensors, who drives, and when a goal is scored.

pub mod limits;
mod physics;
mod sensor;
mod vehicle;

pub use physics::{Contacts, Kind, Mass, Physics};
pub use sensor::{Beams, Laser, Mount, Noise, Sensor, SensorKind};
pub use vehicle::{Controller, Drive, MassModel, Vehicle, VehicleModel};

use crate::Place;
use freiraum_geometry::Vec3;

/// What a simulation needs to know of a scene beside its bodies.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// How it runs.
    pub settings: WorldSettings,
    /// What moves bodies, by their numbers in rising order; the others have [`Physics::of_unsaid`].
    pub physics: Vec<(usize, Physics)>,
    /// Vehicles and small robots.
    pub vehicles: Vec<Vehicle>,
    /// What measures.
    pub sensors: Vec<Sensor>,
    /// What counts.
    pub goals: Vec<Goal>,
}

/// How a world runs.
#[derive(Clone, Debug)]
pub struct WorldSettings {
    /// In metres per second squared, in the frame of the world.
    pub gravity: Vec3,
    /// Length of a step, in seconds.
    pub step: f64,
    /// What the air takes off the speed of every movable body, per second: `dv/dt = -drag v`.
    pub drag: f64,
    /// Every random number of sensors and controllers follows from it.
    pub seed: u64,
    /// Where the file says so.
    pub place: Place,
}

impl Default for WorldSettings {
    /// Earth, a thousand steps per second, no air.
    fn default() -> WorldSettings {
        WorldSettings {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            step: 0.001,
            drag: 0.0,
            seed: 0,
            place: Place::default(),
        }
    }
}

/// A place that counts when something gets there: the middle of a body inside of the shape of another one.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Unique among goals.
    pub name: String,
    /// The number of the body whose shape is the goal; things pass through it.
    pub body: usize,
    /// The number of the body that has to get there.
    pub ball: usize,
    /// True if the ball goes back to its start afterwards.
    pub resets: bool,
    /// Where the file says so.
    pub place: Place,
}
