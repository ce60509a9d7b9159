//! Vehicles and sensors of a world, for those who look at them or drive them.

use super::Simulation;
use crate::control::Controller;
use crate::reading::Reading;
use crate::vehicle::{Command, Machine};
use freiraum_geometry::Pose;
use freiraum_scene::Vehicle;
use std::ops::Range;

impl Simulation {
    /// The vehicles, as the scene says.
    #[must_use]
    pub fn vehicles(&self) -> &[Vehicle] {
        &self.scene.world.vehicles
    }

    /// A vehicle at work.
    #[must_use]
    pub fn machine(&self, vehicle: usize) -> &Machine {
        &self.machines[vehicle]
    }

    /// The numbers of its parts among the bodies of the scene; the first is the main one.
    #[must_use]
    pub fn vehicle_bodies(&self, vehicle: usize) -> Range<usize> {
        self.vehicles[vehicle].clone()
    }

    /// The vehicle that a body is a part of.
    #[must_use]
    pub fn vehicle_of(&self, body: usize) -> Option<usize> {
        self.vehicles.iter().position(|parts| parts.contains(&body))
    }

    /// `world_from_vehicle`: x forward, y left, z up, the origin on the ground below its middle.
    #[must_use]
    pub fn vehicle_pose(&self, vehicle: usize) -> Pose {
        self.machines[vehicle].pose(&self.engine)
    }

    /// Metres per second forward, and radians per second to the left.
    #[must_use]
    pub fn vehicle_speed(&self, vehicle: usize) -> [f64; 2] {
        self.machines[vehicle].speed(&self.engine)
    }

    /// The body that its gripper holds.
    #[must_use]
    pub fn holds(&self, vehicle: usize) -> Option<usize> {
        self.machines[vehicle].holds().and_then(|id| self.number(id))
    }

    /// What a vehicle shall do from the next step on; its driver may say something else then.
    ///
    /// **Errors.** What it cannot do, in words.
    pub fn command(&mut self, vehicle: usize, command: &Command) -> Result<(), String> {
        self.machines[vehicle].command(command)
    }

    /// Somebody else drives from the next step on, asked before every step; with `None` nobody, and the last commands hold.
    pub fn set_controller(&mut self, vehicle: usize, controller: Option<Box<dyn Controller>>) {
        self.drivers.put(&self.scene, vehicle, controller, None);
    }

    /// A driver as a scene names them drives from the next step on, asked as often as it says.
    pub fn assign(&mut self, vehicle: usize, said: &freiraum_scene::Controller) {
        self.drivers.put(&self.scene, vehicle, Some(crate::control::of(said)), Some(said));
    }

    /// True if somebody drives.
    #[must_use]
    pub fn has_controller(&self, vehicle: usize) -> bool {
        self.drivers.all[vehicle].is_some()
    }

    /// The newest measurement of every sensor of the scene, in their order. Those before the first step are made by it.
    #[must_use]
    pub fn readings(&self) -> &[Option<Reading>] {
        &self.sensing.readings
    }

    /// The measurements of the last step, with the numbers of their sensors.
    pub fn new_readings(&self) -> impl Iterator<Item = (usize, &Reading)> {
        let all = self.sensing.readings.iter().enumerate();
        all.filter(|(k, _)| self.sensing.is_new[*k]).filter_map(|(k, reading)| Some((k, reading.as_ref()?)))
    }

    /// What draws the pictures of cameras and depth buffers, for people; `None` if there are none.
    #[must_use]
    pub fn renderer(&self) -> Option<&str> {
        self.sensing.renderer.as_ref().map(|renderer| renderer.name())
    }
}
