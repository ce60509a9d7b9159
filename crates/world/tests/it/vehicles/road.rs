//! Worlds to drive in.

use freiraum_geometry::shape::{Cuboid, HalfSpace, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_scene::{
    Body, Drive, Geometry, Kind as Moved, Mass as Weight, MassModel, Physics, Place, Scene, Vehicle,
    VehicleModel,
};
use freiraum_world::dynamics::{
    BodyDescription, BodyId, ColliderDescription, Engine, Filter, Kind, Mass, Material, Rule, Settings,
};
use freiraum_world::vehicle::{Command, Machine, expanded};

/// A world with machines in it.
pub(crate) struct Road {
    pub(crate) scene: Scene,
    pub(crate) shapes: Vec<Prepared>,
    pub(crate) engine: Engine,
    pub(crate) machines: Vec<Machine>,
    pub(crate) step: f64,
}

pub(crate) fn plane(normal: Vec3) -> Shape {
    Shape::HalfSpace(HalfSpace::new(normal, 0.0).unwrap())
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

/// A scene without anything.
pub(crate) fn empty() -> Scene {
    Scene::default()
}

/// A scene with a ground of friction 1: pairs have the friction of the other one.
pub(crate) fn flat() -> Scene {
    let mut scene = empty();
    add(&mut scene, "ground", plane(Vec3::Z), Vec3::ZERO, None);
    scene
}

/// Adds a body, fixed or of a mass; friction 1.
pub(crate) fn add(scene: &mut Scene, name: &str, shape: Shape, at: Vec3, mass: Option<f64>) -> usize {
    add_at(scene, name, shape, Pose::from_translation(at), mass)
}

pub(crate) fn add_at(scene: &mut Scene, name: &str, shape: Shape, pose: Pose, mass: Option<f64>) -> usize {
    let number = scene.bodies.len();
    scene.bodies.push(Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: mass.is_none(),
        color: None,
        pose,
        goal: None,
        place: Place::default(),
    });
    let mut physics = Physics { friction: 1.0, ..Physics::of_unsaid(mass.is_none()) };
    if let Some(mass) = mass {
        physics.mass = Weight::Kilograms(mass);
    }
    scene.world.physics.push((number, physics));
    number
}

/// A vehicle at the origin.
pub(crate) fn vehicle(model: VehicleModel, drive: Drive) -> Vehicle {
    Vehicle {
        name: "it".to_owned(),
        model,
        pose: Pose::IDENTITY,
        drive,
        masses: MassModel::Distributed,
        full_collision: true,
        is_active: true,
        controller: None,
        color: None,
        place: Place::default(),
    }
}

impl Road {
    pub(crate) fn new(scene: &Scene) -> Road {
        let own: Vec<Prepared> = scene
            .bodies
            .iter()
            .map(|body| match &body.geometry {
                Geometry::Shape(shape) => Prepared::new(shape.clone()),
                Geometry::File { .. } => unreachable!(),
            })
            .collect();
        let expanded = expanded(scene, &own).unwrap();
        let mut engine = Engine::new(Settings {
            gravity: scene.world.settings.gravity,
            friction_rule: Rule::Product,
            restitution_rule: Rule::Minimum,
            ..Settings::default()
        });
        for (number, (body, shape)) in expanded.scene.bodies.iter().zip(&expanded.shapes).enumerate() {
            let physics = expanded.scene.physics(number);
            let kind = match physics.kind {
                Moved::Fixed => Kind::Fixed,
                Moved::Movable => Kind::Dynamic,
                Moved::Kinematic => Kind::Driven,
            };
            let material = Material {
                friction: physics.friction,
                restitution: physics.restitution,
                ..Material::default()
            };
            let collider = ColliderDescription {
                shape: shape.clone(),
                body_from_shape: Pose::IDENTITY,
                material,
                filter: Filter::ALL,
            };
            let mass = match physics.mass {
                Weight::Kilograms(mass) => Mass::Total(mass),
                Weight::Density(density) => Mass::Density(density),
            };
            engine
                .add(BodyDescription { mass, ..BodyDescription::new(kind, body.pose, vec![collider]) })
                .unwrap();
        }
        let machines = expanded
            .vehicles
            .iter()
            .enumerate()
            .map(|(number, range)| {
                let bodies: Vec<BodyId> = range.clone().map(|at| BodyId(at as u32)).collect();
                Machine::new(&mut engine, &scene.world.vehicles[number], number, &bodies)
            })
            .collect();
        Road { scene: expanded.scene, shapes: expanded.shapes, engine, machines, step: 0.001 }
    }

    /// A vehicle on flat ground.
    pub(crate) fn with(vehicle: Vehicle) -> Road {
        let mut scene = flat();
        scene.world.vehicles.push(vehicle);
        Road::new(&scene)
    }

    pub(crate) fn tell(&mut self, command: Command) {
        for machine in &mut self.machines {
            machine.command(&command).unwrap();
        }
    }

    pub(crate) fn step(&mut self) {
        let mut events = Vec::new();
        self.machines.iter_mut().for_each(|m| m.before(&mut self.engine, self.step));
        self.engine.step(self.step);
        self.machines.iter_mut().for_each(|m| m.after(&mut self.engine, self.step, &mut events));
    }

    pub(crate) fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.step).round() as usize {
            self.step();
        }
    }

    pub(crate) fn pose(&self) -> Pose {
        self.machines[0].pose(&self.engine)
    }

    pub(crate) fn speed(&self) -> [f64; 2] {
        self.machines[0].speed(&self.engine)
    }
}
