//! Vehicles become bodies of the scene.

use super::model::Model;
use super::steering::Running;
use freiraum_geometry::Vec3;
use freiraum_query::Prepared;
use freiraum_scene::{
    Body, Contacts, Drive, Geometry, Kind, Mass, MassModel, Physics, Problem, Scene, Vehicle, VehicleModel,
};
use std::ops::Range;

/// A scene with the parts of its vehicles as bodies.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The scene; the parts of all vehicles come after its own bodies.
    pub scene: Scene,
    /// The shapes of all bodies.
    pub shapes: Vec<Prepared>,
    /// The parts of each vehicle, the main part first.
    pub vehicles: Vec<Range<usize>>,
}

/// The scene with the parts of all vehicles as bodies, named `vehicle/part`, where they are at the start. `shapes` are those of its bodies.
///
/// **Errors.** Vehicles that nobody can build yet, parts with the name of a body.
pub fn expanded(scene: &Scene, shapes: &[Prepared]) -> Result<Expanded, Vec<Problem>> {
    let mut found = Expanded { scene: scene.clone(), shapes: shapes.to_vec(), vehicles: Vec::new() };
    let mut problems = Vec::new();
    for vehicle in &scene.world.vehicles {
        let first = found.scene.bodies.len();
        match Model::of(vehicle.model) {
            Some(model) => add(&mut found, vehicle, &model, &mut problems),
            None => {
                let message = format!("the vehicle {:?} is not simulated yet", vehicle.name);
                problems.push(Problem::new(vehicle.place, message).help("leave it out"));
            }
        }
        found.vehicles.push(first..found.scene.bodies.len());
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

fn add(found: &mut Expanded, vehicle: &Vehicle, model: &Model, problems: &mut Vec<Problem>) {
    let paint = model.parts[0].color;
    for (number, part) in model.parts.iter().enumerate() {
        let name = format!("{}/{}", vehicle.name, part.name);
        if found.scene.body(&name).is_some() {
            let message = format!("{name:?} is a part of the vehicle {:?} and a body", vehicle.name);
            problems.push(Problem::new(vehicle.place, message).help("rename the body or the vehicle"));
            continue;
        }
        let body = found.scene.bodies.len();
        found.scene.bodies.push(Body {
            name,
            geometry: Geometry::Shape(part.shape.clone()),
            is_fixed: false,
            color: vehicle.color.filter(|_| part.color == paint).or(Some(part.color)),
            pose: vehicle.pose * part.pose,
            goal: None,
            place: vehicle.place,
        });
        found.scene.world.physics.push((body, physics(vehicle, model, number)));
        found.shapes.push(Prepared::new(part.shape.clone()));
    }
}

/// What moves a part.
fn physics(vehicle: &Vehicle, model: &Model, number: usize) -> Physics {
    let part = &model.parts[number];
    let is_heavy = match (vehicle.drive, vehicle.masses) {
        (Drive::Kinematic, _) => false,
        (Drive::Dynamic, MassModel::Single) => number == 0,
        // The servos of legs and arms are stiff: they move masses, but bear everything.
        (Drive::Dynamic, MassModel::Distributed) if model.running == Running::Legs => number == 0,
        (Drive::Dynamic, MassModel::Distributed) => !model.is_rigid(number),
    };
    Physics {
        kind: if is_heavy { Kind::Movable } else { Kind::Kinematic },
        mass: Mass::Kilograms(part.mass),
        friction: part.friction,
        restitution: 0.0,
        contacts: Contacts::Impulses,
        is_active: true,
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
    }
}

/// How many bodies and joints a vehicle has; `None` if nobody can build it.
#[must_use]
pub fn counted(model: VehicleModel) -> Option<[usize; 2]> {
    let model = Model::of(model)?;
    Some([model.parts.len(), model.joints.len()])
}
