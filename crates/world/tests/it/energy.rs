//! Energy never grows by itself, whatever the step.

#![expect(clippy::print_stdout, reason = "what was measured is shown")]

use crate::common::{at, ball, cuboid, describe, engine, fixed, material, plane, run, weightless};
use crate::scenes::{body, ground, simulation, vehicle};
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Mass, MassModel, Physics, Scene, VehicleModel};
use freiraum_testkit::random::Random;
use freiraum_world::dynamics::Kind;

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
                if most > 1.03 * start || far > 0.1 {
                    bad.push(told);
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}

/// A body that tumbles free of forces keeps its velocity, however often others bounce somewhere else.
#[test]
fn what_bounces_elsewhere_takes_nothing() {
    let mut world = weightless();
    for x in [-0.05, 0.55] {
        fixed(&mut world, cuboid(Vec3::new(0.1, 1.0, 1.0)), at(x * Vec3::X), material(0.0, 1.0));
    }
    let mut bouncing = describe(Kind::Dynamic, ball(0.05), at(0.25 * Vec3::X), material(0.0, 1.0));
    bouncing.linear_velocity = 20.0 * Vec3::X;
    let bouncing = world.add(bouncing).unwrap();
    let size = Vec3::new(0.1, 0.3, 1.0);
    let mut thing =
        describe(Kind::Dynamic, cuboid(size), at(Vec3::new(0.25, 100.0, 0.0)), material(0.5, 0.5));
    thing.linear_velocity = Vec3::Y;
    thing.angular_velocity = Vec3::new(40.0, 40.0, 30.0);
    let thing = world.add(thing).unwrap();
    let start = world.kinetic_energy(thing);
    run(&mut world, 5.0, 0.001);
    let (velocity, energy) = (world.linear_velocity(thing), world.kinetic_energy(thing) / start);
    println!("velocity off by {:e}, {energy} of its energy", (velocity - Vec3::Y).length());
    assert!((velocity - Vec3::Y).length() < 1e-12, "{velocity}");
    assert!((energy - 1.0).abs() < 1e-3, "{energy}");
    assert!((world.linear_velocity(bouncing).length() - 20.0).abs() < 1e-6);
}

/// A force acts for the whole of a step, whether a vehicle is somewhere or not.
#[test]
fn forces_act_for_the_whole_step() {
    let pushed = |has_vehicle: bool| {
        let mut scene = Scene::default();
        scene.world.settings.step = 0.05;
        scene.world.settings.gravity = Vec3::ZERO;
        let physics = Physics { mass: Mass::Kilograms(2.0), ..Physics::of_unsaid(false) };
        let thing = body(&mut scene, "thing", cuboid(Vec3::splat(0.3)), 50.0 * Vec3::Z, physics);
        if has_vehicle {
            vehicle(&mut scene, VehicleModel::Khepera, Pose::IDENTITY, None);
        }
        let mut world = simulation(&scene);
        let id = world.body(thing);
        world.engine_mut().apply_wrench(id, 8.0 * Vec3::X, Vec3::ZERO);
        world.step();
        world.engine().linear_velocity(id).x
    };
    let [alone, beside] = [false, true].map(pushed);
    assert!((alone - 0.2).abs() < 1e-12 && (beside - alone).abs() < 1e-12, "{alone} {beside}");
}
