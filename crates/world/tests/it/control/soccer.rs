//! Two against two.

use super::built::{body, infrared, plain, run, simulation, vehicle, wall};
use freiraum_geometry::shape::{Cuboid, Sphere};
use freiraum_geometry::{Shape, Vec3};
use freiraum_scene::{Controller, Goal, Mass, Physics, Place, Scene, VehicleModel};
use freiraum_world::event::EventKind;

/// A field of 1.2 m by 0.8 m with goals of 0.3 m behind its ends, and a ball of 4 cm.
fn field(seed: u64) -> Scene {
    let mut scene = plain(0.005);
    scene.world.settings.seed = seed;
    let (length, width, mouth, depth, thick, height) = (1.2, 0.8, 0.3, 0.1, 0.02, 0.06);
    for side in [-1.0, 1.0] {
        wall(
            &mut scene,
            [0.0, side * 0.5 * (width + thick)],
            [length + 2.0 * (depth + thick), thick],
            height,
        );
        wall(&mut scene, [side * (0.5 * length + depth + 0.5 * thick), 0.0], [thick, width], height);
        for half in [-1.0, 1.0] {
            let size = 0.5 * (width - mouth);
            wall(
                &mut scene,
                [side * 0.5 * (length + depth), half * 0.5 * (mouth + size)],
                [depth, size],
                height,
            );
        }
    }
    let physics =
        Physics { mass: Mass::Kilograms(0.01), friction: 0.5, restitution: 0.5, ..Physics::of_unsaid(false) };
    let ball = body(
        &mut scene,
        "ball",
        Shape::Sphere(Sphere::new(0.02).unwrap()),
        Vec3::new(0.0, 0.0, 0.02),
        physics,
    );
    scene.world.settings.drag = 0.3;
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let net = Shape::Cuboid(Cuboid::new(Vec3::new(depth - 0.02, mouth, height)).unwrap());
        let at = Vec3::new(side * (0.5 * length + 0.5 * depth + 0.01), 0.0, 0.5 * height);
        let net = body(&mut scene, &format!("{name} net"), net, at, Physics::of_unsaid(true));
        scene.world.goals.push(Goal {
            name: name.to_owned(),
            body: net,
            ball,
            resets: true,
            place: Place::default(),
        });
    }
    for (goal, side) in [(1, -1.0), (0, 1.0)] {
        for (x, y) in [(0.2, 0.1), (0.45, -0.1)] {
            let heading = if side < 0.0 { 0.0 } else { std::f64::consts::PI };
            let at = [side * x, side * y, heading];
            let number = vehicle(&mut scene, VehicleModel::Khepera, at, Controller::Soccer { ball, goal });
            infrared(&mut scene, number, 0.05);
        }
    }
    scene
}

#[test]
fn goals_are_scored_and_again_the_same() {
    let play = |seed: u64| {
        let scene = field(seed);
        let mut world = simulation(&scene);
        let events = run(&mut world, 60.0, |_| false);
        let goals: Vec<(f64, usize)> = events
            .iter()
            .filter_map(|event| match event.kind {
                EventKind::Goal { goal, .. } => Some((event.time, goal)),
                _ => None,
            })
            .collect();
        eprintln!("seed {seed}: {:?} {goals:?}", world.scores());
        (world.scores().to_vec(), world.state_hash())
    };
    let games = [0, 1, 2].map(play);
    assert_eq!(play(0), games[0]);
    let total: u64 = games.iter().flat_map(|(scores, _)| scores).sum();
    assert!(total >= 4, "{total} goals in three minutes");
}

#[test]
fn a_saved_game_goes_on_as_if_nothing_had_been() {
    let scene = field(3);
    let mut world = simulation(&scene);
    run(&mut world, 7.0, |_| false);
    let saved = world.save();
    let mut again = simulation(&scene);
    again.resume(&saved).unwrap();
    for world in [&mut world, &mut again] {
        run(world, 5.0, |_| false);
    }
    assert_eq!(world.state_hash(), again.state_hash());
    assert_eq!(world.scores(), again.scores());
}
