//! Energy never grows by itself, whatever the step.

#![expect(clippy::print_stdout, reason = "what was measured is shown")]

mod common;
mod scenes;

use common::{cuboid, describe, engine, fixed, material, plane};
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{MassModel, Physics, Scene, VehicleModel};
use freiraum_testkit::random::Random;
use freiraum_world::rigid::Kind;
use scenes::{body, ground, simulation, vehicle};

/// Boxes that are thrown, hit the ground and a wall and tumble on.
#[test]
fn tumbling_boxes() {
    let mut random = Random::new(7);
    let mut bad = Vec::new();
    for step in [0.05, 0.1, 0.2, 0.5, 1.0] {
        for size in [Vec3::splat(0.3), Vec3::new(0.6, 0.3, 0.2), Vec3::new(1.0, 0.1, 0.05)] {
            let mut worst = 0.0f64;
            for _ in 0..100 {
                let mut world = engine();
                fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
                let wall = Pose::from_translation(3.0 * Vec3::X);
                fixed(&mut world, plane(-Vec3::X), wall, material(0.5, 0.0));
                let pose = Pose::new(random.rotation(), Vec3::Z + random.in_cube(0.3)).unwrap();
                let mut thing = describe(Kind::Dynamic, cuboid(size), pose, material(0.5, 0.0));
                thing.linear_velocity = random.in_cube(6.0);
                thing.angular_velocity = random.in_cube(10.0);
                world.add(thing).unwrap();
                let start = world.energy();
                for _ in 0..(4.0 / step) as usize {
                    world.step(step);
                    worst = worst.max(world.energy() / start);
                }
            }
            let told = format!("{size} at {step} s: {worst} times its energy");
            println!("{told}");
            if worst > 1.001 {
                bad.push(told);
            }
        }
    }
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}

/// What is parked stays where it is.
#[test]
fn parked_vehicles() {
    let models = [
        VehicleModel::Hr18,
        VehicleModel::MonsterTruck,
        VehicleModel::StretchLimousine,
        VehicleModel::Pioneer,
        VehicleModel::Volksbot,
        VehicleModel::Khepera,
    ];
    for masses in [MassModel::Distributed, MassModel::Single] {
        for model in models {
            for step in [0.2, 1.0] {
                let mut scene = Scene::default();
                scene.world.settings.step = step;
                ground(&mut scene);
                vehicle(&mut scene, model, Pose::IDENTITY, None);
                scene.world.vehicles[0].masses = masses;
                let mut world = simulation(&scene);
                let start = world.energy();
                for _ in 0..(10.0 / step) as usize {
                    world.step();
                    let (pose, energy) = (world.vehicle_pose(0), world.energy());
                    let far = pose.translation().length();
                    let told =
                        format!("{masses:?} {model:?} at {step} s: {energy} J of {start} J at {pose:?}");
                    assert!(energy < 1.001 * start && far < 0.002, "{told}");
                }
            }
        }
    }
}

/// A humanoid that starts in a wall gets out of it, or stays; it is not shot away.
#[test]
fn starts_in_a_wall() {
    let mut bad = Vec::new();
    for masses in [MassModel::Distributed, MassModel::Single] {
        for step in [0.001, 0.005, 0.05] {
            for (thick, x) in [(0.001, 0.03), (0.02, 0.05), (0.2, 0.0), (0.2, 0.03), (0.2, 0.05)] {
                let mut scene = Scene::default();
                scene.world.settings.step = step;
                ground(&mut scene);
                let place = Vec3::new(x + 0.5 * thick, 0.0, 1.0);
                let wall = cuboid(Vec3::new(thick, 4.0, 2.0));
                body(&mut scene, "wall", wall, place, Physics::of_unsaid(true));
                vehicle(&mut scene, VehicleModel::Hr18, Pose::IDENTITY, None);
                scene.world.vehicles[0].masses = masses;
                let mut world = simulation(&scene);
                let start = world.energy();
                let (mut most, mut far) = (start, 0.0f64);
                for _ in 0..(1.0 / step) as usize {
                    world.step();
                    most = most.max(world.energy());
                    far = far.max(world.vehicle_pose(0).translation().length());
                }
                let told = format!(
                    "{masses:?} at {step} s, wall of {thick} m at {x} m: {start:.2} to {most:.2} J, {far:.3} m"
                );
                println!("{told}");
                // Pushing it out may lift it.
                if most > start + 1.0 || far > 0.5 {
                    bad.push(told);
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}
