//! Scenes that several tests use.

use freiraum_geometry::shape::{Cuboid, HalfSpace, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_query::Prepared;
use freiraum_scene::{
    Body, Color, Controller, Drive, Geometry, Kind, Mass, MassModel, Mount, Noise, Physics, Place, Problem,
    Scene, Sensor, SensorKind, Vehicle, VehicleModel,
};
use freiraum_world::event::Event;
use freiraum_world::{Reading, Simulation};

pub(crate) fn body(scene: &mut Scene, name: &str, shape: Shape, at: Vec3, physics: Physics) -> usize {
    let number = scene.bodies.len();
    scene.bodies.push(Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: physics.kind == Kind::Fixed,
        color: None,
        pose: Pose::from_translation(at),
        goal: None,
        place: Place::default(),
    });
    scene.world.physics.push((number, physics));
    number
}

pub(crate) fn ground(scene: &mut Scene) -> usize {
    let plane = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let physics = Physics { friction: 1.0, restitution: 1.0, ..Physics::of_unsaid(true) };
    body(scene, "ground", plane, Vec3::ZERO, physics)
}

pub(crate) fn ball(scene: &mut Scene, name: &str, at: Vec3, velocity: Vec3) -> usize {
    let physics = Physics { velocity, mass: Mass::Kilograms(2.0), ..Physics::of_unsaid(false) };
    body(scene, name, Shape::Sphere(Sphere::new(0.1).unwrap()), at, physics)
}

pub(crate) fn boxes(scene: &mut Scene, count: usize) {
    for k in 0..count {
        let shape = Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap());
        let at = Vec3::new(0.03 * (k % 3) as f64, 0.02 * (k % 2) as f64, 0.15 + 0.25 * k as f64);
        body(scene, &format!("box {k}"), shape, at, Physics::of_unsaid(false));
    }
}

pub(crate) fn simulation(scene: &Scene) -> Simulation {
    try_simulation(scene).unwrap_or_else(|problems| panic!("{problems:?}"))
}

pub(crate) fn try_simulation(scene: &Scene) -> Result<Simulation, Vec<Problem>> {
    let shapes: Vec<Prepared> = scene
        .bodies
        .iter()
        .map(|body| match &body.geometry {
            Geometry::Shape(shape) => Prepared::new(shape.clone()),
            Geometry::File { .. } => panic!("no files here"),
        })
        .collect();
    Simulation::new(scene, &shapes)
}

pub(crate) fn run(simulation: &mut Simulation, steps: usize) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..steps {
        simulation.step();
        events.extend(simulation.take_events());
    }
    events
}

/// A sensor at the origin of what it is mounted on.
pub(crate) fn sensor(scene: &mut Scene, mount: Mount, kind: SensorKind) -> usize {
    let number = scene.world.sensors.len();
    scene.world.sensors.push(Sensor {
        name: format!("sensor {number}"),
        mount,
        mount_from_sensor: Pose::IDENTITY,
        kind,
        rate: 0.0,
        blind_to: Vec::new(),
        blind_to_vehicles: Vec::new(),
        sees_itself: false,
        noise: Noise::default(),
        place: Place::default(),
    });
    number
}

pub(crate) fn vehicle(
    scene: &mut Scene,
    model: VehicleModel,
    pose: Pose,
    controller: Option<Controller>,
) -> usize {
    let number = scene.world.vehicles.len();
    scene.world.vehicles.push(Vehicle {
        name: format!("vehicle {number}"),
        model,
        pose,
        drive: Drive::Dynamic,
        masses: MassModel::Distributed,
        full_collision: true,
        is_active: true,
        controller,
        color: None,
        place: Place::default(),
    });
    number
}

pub(crate) fn painted(scene: &mut Scene, body: usize, color: [u8; 3]) {
    scene.bodies[body].color = Some(Color(color));
}

/// All measurements of a sensor in so many steps.
pub(crate) fn measured(world: &mut Simulation, sensor: usize, steps: usize) -> Vec<Reading> {
    let mut found = Vec::new();
    for _ in 0..steps {
        world.step();
        found.extend(world.new_readings().filter(|(k, _)| *k == sensor).map(|(_, reading)| reading.clone()));
    }
    found
}
