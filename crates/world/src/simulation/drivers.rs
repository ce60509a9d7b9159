//! Who drives the vehicles, and what drivers get to know.

use super::sensing::due;
use crate::control::{Controller, Seen, SeenReading};
use crate::event::{Event, EventKind};
use crate::reading::Reading;
use crate::vehicle::Command;
use freiraum_geometry::Pose;
use freiraum_scene::{Controller as Said, Mount, Scene};

/// The drivers of all vehicles.
pub(super) struct Drivers {
    pub(super) all: Vec<Option<Driver>>,
    commands: Vec<Command>,
    notes: Vec<String>,
}

/// Who drives one of them.
pub(super) struct Driver {
    pub(super) controller: Box<dyn Controller>,
    /// Questions per second of the world; 0 for every step.
    rate: f64,
    /// Numbers of the sensors of the vehicle.
    sensors: Vec<usize>,
    /// Which of them measured since it was asked last.
    pub(super) is_new: Vec<bool>,
    /// What happened since then.
    pub(super) events: Vec<Event>,
}

/// What all drivers may know.
pub(super) struct Known<'k> {
    pub(super) scene: &'k Scene,
    pub(super) number: u64,
    pub(super) readings: &'k [Option<Reading>],
    pub(super) poses: &'k [Pose],
}

/// What one driver may know of its vehicle.
pub(super) struct Own {
    pub(super) pose: Pose,
    pub(super) speed: [f64; 2],
    pub(super) holds: Option<usize>,
}

/// Built-in drivers are asked so often per second of the world: they see ten times a second or less, and no vehicle gets far in a hundredth.
const OWN_RATE: f64 = 100.0;

impl Drivers {
    /// Nobody drives.
    pub(super) fn new(count: usize) -> Drivers {
        let all = std::iter::repeat_with(|| None).take(count).collect();
        Drivers { all, commands: Vec::new(), notes: Vec::new() }
    }

    /// Puts somebody behind a wheel, or nobody; `said` is what the scene says of it.
    pub(super) fn put(
        &mut self,
        scene: &Scene,
        vehicle: usize,
        controller: Option<Box<dyn Controller>>,
        said: Option<&Said>,
    ) {
        let sensors = scene.world.sensors.iter().enumerate();
        let sensors: Vec<usize> =
            sensors.filter(|(_, sensor)| sensor.mount == Mount::Vehicle(vehicle)).map(|(k, _)| k).collect();
        let rate = match said {
            Some(Said::Program { rate, .. }) => *rate,
            Some(_) => OWN_RATE,
            None => 0.0,
        };
        self.all[vehicle] = controller.map(|controller| Driver {
            controller,
            rate,
            is_new: vec![false; sensors.len()],
            sensors,
            events: Vec::new(),
        });
    }

    /// True if somebody wants to know where everything is before this step.
    pub(super) fn are_asked(&self, step: f64, number: u64) -> bool {
        (0..self.all.len()).any(|vehicle| self.is_asked(vehicle, step, number))
    }

    /// Tells everybody what happened in a step.
    pub(super) fn hear(&mut self, scene: &Scene, events: &[Event], is_own: impl Fn(usize, usize) -> bool) {
        for (vehicle, driver) in self.all.iter_mut().enumerate() {
            let Some(driver) = driver else { continue };
            let concerns = |event: &&Event| {
                matches!(event.kind, EventKind::Goal { .. })
                    || event.vehicle() == Some(vehicle)
                    || event.bodies(scene).iter().any(|body| is_own(vehicle, *body))
            };
            driver.events.extend(events.iter().filter(concerns).cloned());
        }
    }

    /// Notes which measurements are new.
    pub(super) fn note(&mut self, is_new: &[bool]) {
        for driver in self.all.iter_mut().flatten() {
            for (seen, sensor) in driver.is_new.iter_mut().zip(&driver.sensors) {
                *seen |= is_new[*sensor];
            }
        }
    }

    /// Whether a vehicle has a driver whose time it is.
    pub(super) fn is_asked(&self, vehicle: usize, step: f64, number: u64) -> bool {
        self.all[vehicle].as_ref().is_some_and(|driver| due(driver.rate, step, number).is_some())
    }

    /// Asks the driver of a vehicle, if there is one; `then` hears commands and notes.
    pub(super) fn ask(
        &mut self,
        vehicle: usize,
        known: &Known,
        own: Own,
        mut then: impl FnMut(&[Command], &[String]),
    ) {
        let step = known.scene.world.settings.step;
        let Some(driver) = &mut self.all[vehicle] else { return };
        let seen = driver.sensors.iter().zip(&driver.is_new);
        let readings: Vec<SeenReading> = seen
            .filter_map(|(sensor, is_new)| {
                let reading = known.readings[*sensor].as_ref()?;
                Some(SeenReading { sensor: *sensor, is_new: *is_new, reading })
            })
            .collect();
        let Own { pose, speed, holds } = own;
        self.commands.clear();
        self.notes.clear();
        driver.controller.step(
            &Seen {
                scene: known.scene,
                vehicle,
                time: known.number as f64 * step,
                step: if driver.rate == 0.0 { step } else { (1.0 / driver.rate).max(step) },
                pose,
                speed,
                holds,
                poses: known.poses,
                readings: &readings,
                events: &driver.events,
            },
            &mut self.commands,
            &mut self.notes,
        );
        driver.events.clear();
        driver.is_new.fill(false);
        then(&self.commands, &self.notes);
    }
}
