//! Vehicles drive things against a thin wall: nothing gets through, and nothing comes from nothing.

#![expect(clippy::print_stdout, reason = "what was measured is shown")]

mod scenes;

use freiraum_geometry::shape::{Cuboid, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{Mass, Physics, Scene, VehicleModel};
use freiraum_world::Simulation;
use freiraum_world::vehicle::Command;
use scenes::{body, ground, simulation, vehicle};

const MODELS: [VehicleModel; 3] = [VehicleModel::Pioneer, VehicleModel::Volksbot, VehicleModel::MonsterTruck];

/// Where a thing starts that a vehicle drives against the wall.
const THING: f64 = 1.0;

fn cuboid(size: Vec3) -> Shape {
    Shape::Cuboid(Cuboid::new(size).unwrap())
}

/// A vehicle before a thing before a wall of one millimetre, its middle at x = 2; all but the vehicle only if `has_wall`.
fn world(model: VehicleModel, thing: &Shape, mass: f64, step: f64, has_wall: bool) -> Simulation {
    let mut scene = Scene::default();
    scene.world.settings.step = step;
    ground(&mut scene);
    if has_wall {
        body(
            &mut scene,
            "wall",
            cuboid(Vec3::new(0.001, 8.0, 2.0)),
            Vec3::new(2.0, 0.0, 1.0),
            Physics::of_unsaid(true),
        );
        let height = match thing {
            Shape::Sphere(it) => it.radius(),
            Shape::Cuboid(it) => 0.5 * it.size().z,
            _ => 0.0,
        };
        let physics = Physics { mass: Mass::Kilograms(mass), ..Physics::of_unsaid(false) };
        body(&mut scene, "thing", thing.clone(), Vec3::new(THING, 0.0, height), physics);
    }
    vehicle(&mut scene, model, Pose::from_translation(Vec3::new(-1.0, 0.0, 0.0)), None);
    simulation(&scene)
}

#[test]
fn vehicles_press_nothing_through_a_wall() {
    let things = [
        ("ball", Shape::Sphere(Sphere::new(0.1).unwrap())),
        ("board", cuboid(Vec3::new(0.01, 0.4, 0.4))),
        ("box", cuboid(Vec3::splat(0.3))),
    ];
    let mut bad = Vec::new();
    for model in MODELS {
        for step in [0.005, 0.05] {
            let steps = (3.0 / step) as usize;
            let drive = Command::Drive { speed: 5.0, turn: 0.0 };
            let mut free = world(model, &things[0].1, 1.0, step, false);
            let mut most = 0.0f64;
            for _ in 0..steps {
                free.command(0, &drive).unwrap();
                free.step();
                most = most.max(free.energy());
            }
            for (name, shape) in &things {
                for mass in [1.0, 0.01] {
                    let mut jam = world(model, shape, mass, step, true);
                    let start = jam.energy();
                    let (mut energy, mut far, mut low) = (0.0f64, 0.0f64, f64::INFINITY);
                    let mut cuts = 0;
                    for _ in 0..steps {
                        jam.command(0, &drive).unwrap();
                        jam.step();
                        let place = jam.pose(2).translation();
                        if place.y.abs() < 3.5 && place.z < 1.5 {
                            far = far.max(place.x);
                        }
                        low = low.min(place.z);
                        energy = energy.max(jam.energy());
                        cuts += jam.engine().statistics().interruptions;
                    }
                    let at = jam.vehicle_pose(0).translation();
                    // What is lifted on the way may add to the energy of driving.
                    let allowed = 1.1 * most + mass * 20.0;
                    let is_bad = far > 2.0 || low < 0.0 || at.x > 2.0 || energy > allowed;
                    let told = format!(
                        "{model:?} {name} {mass} kg step {step}: {far:.4} {low:.4}, vehicle {at:.3}, energy {start:.2} -> {energy:.2} of {allowed:.2}, cuts {cuts}"
                    );
                    println!("{}{told}", if is_bad { "BAD " } else { "" });
                    if is_bad {
                        bad.push(told);
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}
