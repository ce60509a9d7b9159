//! Vehicles of a world: who drives them, and what pages get to know of them.

use super::open::Open;
use crate::protocol::{
    Assigned, Done, Driven, Driver, Gripped, Refusal, VehicleCommand, VehicleJoint, VehicleNow, WorldVehicle,
    sent,
};
use freiraum_geometry::Vec3;
use freiraum_scene::{Controller, Scene};
use freiraum_world::Simulation;
use freiraum_world::control::{Keyboard, KeyboardHandle, Keys};
use freiraum_world::vehicle::model::Model;
use freiraum_world::vehicle::steering::Running;
use freiraum_world::vehicle::{Command, GripperCommand};

/// Who drives a vehicle.
#[derive(Default)]
pub(super) struct Seat {
    /// As pages know it.
    who: Option<Driver>,
    /// If it is somebody at the keys.
    keys: Option<KeyboardHandle>,
    pressed: Keys,
}

/// The drivers that the scene names; those at the keys can be told what is pressed.
pub(super) fn seats(simulation: &mut Simulation) -> Vec<Seat> {
    let mut seats = Vec::new();
    for number in 0..simulation.vehicles().len() {
        let vehicle = &simulation.vehicles()[number];
        let mut seat = Seat::default();
        if let Some(controller) = vehicle.controller.as_ref().filter(|_| vehicle.is_active) {
            seat.who = Some(named(controller));
            if matches!(controller, Controller::Keyboard) {
                seat.keys = Some(with_keys(simulation, number));
            }
        }
        seats.push(seat);
    }
    seats
}

fn with_keys(simulation: &mut Simulation, vehicle: usize) -> KeyboardHandle {
    let handle = KeyboardHandle::default();
    simulation.set_controller(vehicle, Some(Box::new(Keyboard::new(&handle))));
    handle
}

fn named(controller: &Controller) -> Driver {
    match controller {
        Controller::Wander => Driver::Wander,
        Controller::Collect => Driver::Collect,
        Controller::Keyboard => Driver::Keyboard,
        Controller::DriveTo(to) => Driver::DriveTo(to.to_array()),
        Controller::Soccer { ball, goal } => Driver::Soccer { ball: *ball, goal: *goal },
        Controller::Program { command, .. } => Driver::Program(command.clone()),
    }
}

fn program(scene: &Scene, vehicle: usize) -> Option<(&Controller, &[String])> {
    match &scene.world.vehicles[vehicle].controller {
        Some(said @ Controller::Program { command, .. }) => Some((said, command)),
        _ => None,
    }
}

fn no_vehicle(vehicle: usize) -> Refusal {
    Refusal::new("request", format!("there is no vehicle {vehicle}"))
}

impl Open {
    /// Takes what somebody presses. A vehicle that nobody drives is driven from then on.
    pub(super) fn drive(&mut self, new: &Driven) -> Result<Done, Refusal> {
        let simulation = &mut self.simulation;
        let seat = self.seats.get_mut(new.vehicle).ok_or_else(|| no_vehicle(new.vehicle))?;
        if seat.keys.is_none() {
            if seat.who.is_some() {
                let name = &simulation.vehicles()[new.vehicle].name;
                let refusal = Refusal::new("request", format!("somebody else drives {name:?}"));
                return Err(refusal.help("assign it to the keyboard first"));
            }
            let keys = Some(with_keys(simulation, new.vehicle));
            *seat = Seat { who: Some(Driver::Keyboard), keys, pressed: Keys::default() };
        }
        let Some(handle) = &seat.keys else { return Err(Refusal::internal()) };
        seat.pressed.speed = new.speed.unwrap_or(seat.pressed.speed);
        seat.pressed.turn = new.turn.unwrap_or(seat.pressed.turn);
        handle.press(seat.pressed);
        if let Some(gripper) = new.gripper {
            handle.grip(match gripper {
                Gripped::Open => GripperCommand::Open,
                Gripped::Close => GripperCommand::Close,
                Gripped::Raise => GripperCommand::Raise,
                Gripped::Lower => GripperCommand::Lower,
            });
        }
        Ok(Done {})
    }

    /// Somebody else drives, or nobody; then the vehicle stops. Of programs, only the one that the scene file names for this vehicle.
    pub(super) fn assign(&mut self, vehicle: usize, new: Option<&Driver>) -> Result<Assigned, Refusal> {
        let wrong = |message: String| Err(Refusal::new("request", message));
        let scene = self.simulation.scene();
        if vehicle >= self.seats.len() {
            return Err(no_vehicle(vehicle));
        }
        let said = match new {
            None => None,
            Some(Driver::Wander) => Some(Controller::Wander),
            Some(Driver::Collect) => Some(Controller::Collect),
            Some(Driver::Keyboard) => Some(Controller::Keyboard),
            Some(Driver::DriveTo(to)) if to.iter().all(|x| x.is_finite()) => {
                Some(Controller::DriveTo(Vec3::from_array(*to)))
            }
            Some(Driver::DriveTo(_)) => return wrong("a place is three finite numbers".to_owned()),
            Some(Driver::Soccer { ball, goal }) => {
                if *ball >= scene.bodies.len() || *goal >= scene.world.goals.len() {
                    return wrong(format!("there is no body {ball}, or no goal {goal}"));
                }
                Some(Controller::Soccer { ball: *ball, goal: *goal })
            }
            Some(Driver::Program(command)) => match program(scene, vehicle) {
                Some((said, named)) if named == command.as_slice() => Some(said.clone()),
                _ => {
                    let refusal =
                        Refusal::new("request", "the scene file names no such program for this vehicle");
                    return Err(refusal.help("only programs that the scene file names are started"));
                }
            },
        };
        let mut seat = Seat { who: said.as_ref().map(named), ..Seat::default() };
        match &said {
            None => {
                self.simulation.set_controller(vehicle, None);
                // What cannot drive need not stop.
                let _ = self.simulation.command(vehicle, &Command::Drive { speed: 0.0, turn: 0.0 });
            }
            Some(Controller::Keyboard) => seat.keys = Some(with_keys(&mut self.simulation, vehicle)),
            Some(said) => self.simulation.assign(vehicle, said),
        }
        let controller = seat.who.clone();
        self.seats[vehicle] = seat;
        Ok(Assigned { controller })
    }

    /// Of all vehicles, for a frame.
    pub(super) fn vehicles_now(&self) -> Vec<VehicleNow> {
        let simulation = &self.simulation;
        let one = |(number, seat): (usize, &Seat)| {
            let [speed, turn] = simulation.vehicle_speed(number);
            VehicleNow {
                pose: sent(&simulation.vehicle_pose(number)),
                speed,
                turn,
                holds: simulation.holds(number),
                controller: seat.who.clone(),
            }
        };
        self.seats.iter().enumerate().map(one).collect()
    }

    /// Of all vehicles, what does not change.
    pub(super) fn vehicles(&self) -> Vec<WorldVehicle> {
        let simulation = &self.simulation;
        let one = |(number, seat): (usize, &Seat)| {
            let vehicle = &simulation.vehicles()[number];
            let model = Model::of(vehicle.model);
            let parts = simulation.vehicle_bodies(number);
            let grips = model.as_ref().is_some_and(|model| model.part("left hand").is_some());
            let top_speed = model.as_ref().and_then(|model| match &model.running {
                Running::Sides(sides) => Some(sides.most_speed),
                Running::Cars(axles) => Some(axles.most_speed),
                Running::Legs => None,
            });
            let joints = simulation.machine(number).joints();
            let joint = |joint: &freiraum_world::vehicle::JointInfo| {
                let [lower, upper] = joint.limits;
                VehicleJoint { name: joint.name, lower, upper }
            };
            let grip = grips.then_some(VehicleCommand::Gripper);
            WorldVehicle {
                name: vehicle.name.clone(),
                model: vehicle.model.name(),
                bodies: [parts.start, parts.end],
                controller: seat.who.clone(),
                program: program(simulation.scene(), number).map(|(_, command)| command.to_vec()),
                commands: std::iter::once(VehicleCommand::Drive).chain(grip).collect(),
                top_speed,
                joints: joints.iter().map(joint).collect(),
            }
        };
        self.seats.iter().enumerate().map(one).collect()
    }
}
