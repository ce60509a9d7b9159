//! Worlds to drive in.

use freiraum_geometry::shape::{Cuboid, HalfSpace};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_query::Prepared;
use freiraum_scene::{
    Body, Controller, Drive, Geometry, MassModel, Mount, Noise, Physics, Place, Scene, Sensor, SensorKind,
    Vehicle, VehicleModel,
};
use freiraum_world::event::{Event, EventKind};
use freiraum_world::sensors::depth::Renderer;
use freiraum_world::{Simulation, control};

pub(crate) fn body(scene: &mut Scene, name: &str, shape: Shape, at: Vec3, physics: Physics) -> usize {
    let number = scene.bodies.len();
    scene.bodies.push(Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: physics.kind == freiraum_scene::Kind::Fixed,
        color: None,
        pose: Pose::from_translation(at),
        goal: None,
        place: Place::default(),
    });
    scene.world.physics.push((number, physics));
    number
}

/// A plain with steps of this many seconds.
pub(crate) fn plain(step: f64) -> Scene {
    let mut scene = Scene::default();
    scene.world.settings.step = step;
    let plane = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    body(&mut scene, "ground", plane, Vec3::ZERO, Physics { friction: 1.0, ..Physics::of_unsaid(true) });
    scene
}

/// A fixed block on the ground: middle and size from above, and height.
pub(crate) fn wall(scene: &mut Scene, at: [f64; 2], size: [f64; 2], height: f64) -> usize {
    let name = format!("wall {}", scene.bodies.len());
    let shape = Shape::Cuboid(Cuboid::new(Vec3::new(size[0], size[1], height)).unwrap());
    body(scene, &name, shape, Vec3::new(at[0], at[1], 0.5 * height), Physics::of_unsaid(true))
}

/// Four walls around a field.
pub(crate) fn fence(scene: &mut Scene, size: [f64; 2], thick: f64, height: f64) {
    for side in [-1.0, 1.0] {
        wall(scene, [side * 0.5 * (size[0] + thick), 0.0], [thick, size[1] + 2.0 * thick], height);
        wall(scene, [0.0, side * 0.5 * (size[1] + thick)], [size[0], thick], height);
    }
}

pub(crate) fn vehicle(scene: &mut Scene, model: VehicleModel, at: [f64; 3], controller: Controller) -> usize {
    let number = scene.world.vehicles.len();
    scene.world.vehicles.push(Vehicle {
        name: format!("robot {number}"),
        model,
        pose: Pose::from_zyx_euler(0.0, 0.0, at[2], Vec3::new(at[0], at[1], 0.0)).unwrap(),
        drive: Drive::Kinematic,
        masses: MassModel::Distributed,
        full_collision: true,
        is_active: true,
        controller: Some(controller),
        color: None,
        place: Place::default(),
    });
    number
}

/// A sensor on a vehicle, looking to this side.
pub(crate) fn sensor(scene: &mut Scene, vehicle: usize, kind: SensorKind, at: Vec3, yaw: f64, rate: f64) {
    let name = format!("sensor {}", scene.world.sensors.len());
    scene.world.sensors.push(Sensor {
        name,
        mount: Mount::Vehicle(vehicle),
        mount_from_sensor: Pose::from_zyx_euler(0.0, 0.0, yaw, at).unwrap(),
        kind,
        rate,
        blind_to: Vec::new(),
        blind_to_vehicles: Vec::new(),
        sees_itself: false,
        noise: Noise::default(),
        place: Place::default(),
    });
}

/// The eight infrared sensors of a Khepera.
pub(crate) fn infrared(scene: &mut Scene, vehicle: usize, range: f64) {
    for degrees in [-90.0_f64, -45.0, -15.0, 15.0, 45.0, 90.0, 165.0, -165.0] {
        let turn = degrees.to_radians();
        let at = Vec3::new(0.026 * turn.cos(), 0.026 * turn.sin(), 0.015);
        sensor(scene, vehicle, SensorKind::Infrared { range }, at, turn, 50.0);
    }
}

pub(crate) fn simulation(scene: &Scene) -> Simulation {
    let shapes: Vec<Prepared> = scene
        .bodies
        .iter()
        .map(|body| match &body.geometry {
            Geometry::Shape(shape) => Prepared::new(shape.clone()),
            Geometry::File { .. } => panic!("no files here"),
        })
        .collect();
    let (renderer, programs) = (Renderer::default(), control::Programs::of(scene));
    let world = Simulation::with_programs(scene, &shapes, &renderer, &programs);
    let mut world = world.unwrap_or_else(|problems| panic!("{problems:?}"));
    for (number, vehicle) in scene.world.vehicles.iter().enumerate() {
        world.set_controller(number, vehicle.controller.as_ref().map(control::of));
    }
    world
}

/// What happens within some seconds; `each` sees the world after every step and may end it.
pub(crate) fn run(
    world: &mut Simulation,
    seconds: f64,
    mut each: impl FnMut(&Simulation) -> bool,
) -> Vec<Event> {
    let end = world.time() + seconds;
    let mut events = Vec::new();
    while world.time() < end {
        world.step();
        events.extend(world.take_events());
        if each(world) {
            break;
        }
    }
    events
}

/// Collisions of vehicles with things beside them, by their names.
pub(crate) fn bumps(world: &Simulation, events: &[Event]) -> Vec<(f64, String, String)> {
    let name = |body: usize| world.scene().bodies[body].name.clone();
    let found = events.iter().filter_map(|event| match event.kind {
        EventKind::Collision { bodies: [a, b], normal, .. } if normal.z.abs() < 0.7 => {
            let [one, other] = [a, b].map(|body| world.vehicle_of(body));
            (one != other).then(|| (event.time, name(a), name(b)))
        }
        _ => None,
    });
    found.collect()
}
