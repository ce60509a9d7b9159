//! Worlds that are changed while they run, and their clock.

use crate::scenes::{ball, body, ground, run, sensor, simulation, vehicle};
use freiraum_geometry::shape::{Cuboid, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{Goal, Mount, Physics, Place, Scene, SensorKind, VehicleModel};
use freiraum_world::dynamics::{Kind, Mass};
use freiraum_world::event::EventKind;
use freiraum_world::{Measured, Simulation};

/// What an infrared sensor measures in the next step.
fn sees(world: &mut Simulation, eye: usize) -> f64 {
    world.step();
    match world.readings()[eye].as_ref().unwrap().value {
        Measured::Distance(distance) => distance,
        ref other => panic!("{other:?}"),
    }
}

fn straight_down(at: Vec3) -> Pose {
    Pose::from_zyx_euler(0.0, std::f64::consts::FRAC_PI_2, 0.0, at).unwrap()
}

#[test]
fn sensors_see_bodies_that_are_switched_on_and_off() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let asleep = Physics { is_active: false, ..Physics::of_unsaid(false) };
    let shape = Shape::Sphere(Sphere::new(0.5).unwrap());
    let ball = body(&mut scene, "ball", shape, Vec3::new(0.0, 0.0, 5.0), asleep);
    let eye = sensor(&mut scene, Mount::World, SensorKind::Infrared { range: 100.0 });
    scene.world.sensors[eye].mount_from_sensor = straight_down(Vec3::new(0.0, 0.0, 10.0));
    let mut world = simulation(&scene);
    run(&mut world, 100);
    assert!((sees(&mut world, eye) - 4.5).abs() < 1e-9);
    let id = world.body(ball);
    world.engine_mut().set_kind(id, Kind::Dynamic, &Mass::Total(1.0)).unwrap();
    for k in 0..800 {
        let expected = 10.0 - 0.5 - world.pose(ball).translation().z;
        let seen = sees(&mut world, eye);
        assert!((seen - expected).abs() < 1e-9, "after {k} steps it is seen at {seen} instead of {expected}");
    }
    assert!(world.pose(ball).translation().z < 2.5, "it fell");
    world.engine_mut().set_kind(id, Kind::Fixed, &Mass::Total(1.0)).unwrap();
    let rests = 10.0 - 0.5 - world.pose(ball).translation().z;
    run(&mut world, 100);
    assert!((sees(&mut world, eye) - rests).abs() < 1e-9);
    world.engine_mut().set_pose(id, Pose::from_translation(Vec3::new(0.0, 0.0, 7.0)));
    run(&mut world, 3);
    assert!((sees(&mut world, eye) - 2.5).abs() < 1e-9);
}

#[test]
fn sensors_do_not_see_vehicles_that_they_are_blind_to() {
    let mut scene = Scene::default();
    ground(&mut scene);
    for x in [0.0, 4.0] {
        vehicle(&mut scene, VehicleModel::MonsterTruck, Pose::from_translation(Vec3::new(x, 0.0, 0.0)), None);
    }
    for (x, blind) in [(0.0, vec![]), (0.0, vec![0]), (4.0, vec![0]), (4.0, vec![0, 1])] {
        let eye = sensor(&mut scene, Mount::World, SensorKind::Infrared { range: 100.0 });
        scene.world.sensors[eye].mount_from_sensor = straight_down(Vec3::new(x, 0.0, 3.0));
        scene.world.sensors[eye].blind_to_vehicles = blind;
    }
    let mut world = simulation(&scene);
    let seen: [f64; 4] = std::array::from_fn(|eye| sees(&mut world, eye));
    assert!(seen[0] < 2.9 && seen[2] < 2.9, "{seen:?}");
    assert!((seen[1] - 3.0).abs() < 1e-9 && (seen[3] - 3.0).abs() < 1e-9, "{seen:?}");
}

#[test]
fn times_are_numbers_of_steps_to_the_last_bit() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let ball = ball(&mut scene, "ball", Vec3::new(-5.0, 0.0, 30.0), Vec3::X);
    let shape = Shape::Cuboid(Cuboid::new(Vec3::splat(2.0)).unwrap());
    let area = body(&mut scene, "net", shape, Vec3::new(-2.0, 0.0, 1.0), Physics::of_unsaid(true));
    let goal = Goal { name: "net".to_owned(), body: area, ball, resets: true, place: Place::default() };
    scene.world.goals.push(goal);
    let mut world = simulation(&scene);
    let step = scene.world.settings.step;
    let mut goals = Vec::new();
    let mut sum = 0.0;
    for number in 1..=20_000_u64 {
        world.step();
        sum += step;
        assert_eq!((world.time(), world.engine().time()), (number as f64 * step, number as f64 * step));
        for event in world.take_events() {
            if let EventKind::Goal { .. } = event.kind {
                assert_eq!(event.time, number as f64 * step);
                goals.push((number, event.time));
            }
        }
    }
    assert!(goals.len() > 3, "{goals:?}");
    // Adding up would not do.
    assert_ne!(sum, world.time());
}
