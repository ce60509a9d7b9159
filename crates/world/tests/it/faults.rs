//! A question that has no answer stops the world; it never counts as "apart". And a scene starts no program that was not allowed.

use crate::scenes::{ball, body, run, simulation, try_simulation};
use freiraum_geometry::shape::{Capsule, Cuboid, HalfSpace};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{Controller, Drive, Goal, MassModel, Physics, Place, Scene, Vehicle, VehicleModel};
use freiraum_world::Simulation;
use freiraum_world::control::Programs;
use freiraum_world::event::EventKind;
use freiraum_world::sensors::depth::Renderer;

/// From here to there is farther than coordinates reach, although both are within it.
const FAR: f64 = 0.9e50;

fn plane_at(scene: &mut Scene, at: Vec3) {
    let plane = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    body(scene, "ground", plane, at, Physics::of_unsaid(true));
}

#[track_caller]
fn stands_still(scene: &Scene, bodies: &[usize]) {
    let mut world = simulation(scene);
    let events = run(&mut world, 20);
    let failure = world.failure().expect("the world goes on").clone();
    assert_eq!(failure.bodies, bodies, "{failure}");
    for number in bodies {
        assert!(failure.message.contains(&format!("{:?}", scene.bodies[*number].name)), "{failure}");
    }
    let told = |kind: &EventKind| matches!(kind, EventKind::Warning { message, .. } if *message == failure.to_string());
    assert_eq!(events.iter().filter(|event| told(&event.kind)).count(), 1, "{events:?}");
    // And it stays so.
    let (steps, hash) = (world.steps(), world.state_hash());
    run(&mut world, 5);
    assert_eq!((world.steps(), world.state_hash()), (steps, hash));
}

/// Before, the capsule fell through the ground.
#[test]
fn a_contact_that_cannot_be_found_stops_the_world() {
    let mut scene = Scene::default();
    plane_at(&mut scene, Vec3::new(FAR, 0.0, 0.0));
    let capsule = Shape::Capsule(Capsule::new(0.1, 0.3).unwrap());
    body(&mut scene, "capsule", capsule, Vec3::new(-FAR, 0.0, 0.3), Physics::of_unsaid(false));
    stands_still(&scene, &[0, 1]);
}

/// Before, it was no goal.
#[test]
fn a_goal_that_cannot_be_decided_stops_the_world() {
    let mut scene = Scene::default();
    let area = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let area = body(&mut scene, "area", area, Vec3::new(FAR, 0.0, 0.0), Physics::of_unsaid(true));
    let ball = ball(&mut scene, "ball", Vec3::new(-FAR, 0.0, 0.0), Vec3::ZERO);
    let name = "goal".to_owned();
    scene.world.goals.push(Goal { name, body: area, ball, resets: false, place: Place::default() });
    stands_still(&scene, &[0, 1]);
}

/// Before, the robot had no ground below it.
#[test]
fn ground_that_cannot_be_seen_stops_the_world() {
    let mut scene = driven_by(&[], "");
    scene.bodies[0].pose = Pose::from_translation(Vec3::new(FAR, 0.0, 0.0));
    let robot = &mut scene.world.vehicles[0];
    robot.model = VehicleModel::Hr18;
    robot.pose = Pose::from_translation(Vec3::new(-FAR, 0.0, 0.0));
    robot.controller = None;
    let mut world = simulation(&scene);
    run(&mut world, 1);
    let failure = world.failure().expect("the world goes on");
    assert!(failure.message.contains("below a foot") && failure.bodies.contains(&0), "{failure}");
}

#[test]
fn a_body_that_leaves_the_world_stops_it() {
    let mut scene = Scene::default();
    plane_at(&mut scene, Vec3::ZERO);
    ball(&mut scene, "comet", Vec3::Z, Vec3::new(0.0, 0.0, 1e53));
    stands_still(&scene, &[1]);
}

#[test]
fn worlds_in_which_everything_can_be_answered_go_on() {
    let mut scene = Scene::default();
    plane_at(&mut scene, Vec3::ZERO);
    let capsule = Shape::Capsule(Capsule::new(0.1, 0.3).unwrap());
    body(&mut scene, "capsule", capsule, Vec3::new(0.0, 0.0, 0.3), Physics::of_unsaid(false));
    ball(&mut scene, "ball", Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, 1e4));
    let mut world = simulation(&scene);
    run(&mut world, 100);
    assert!(world.failure().is_none() && world.steps() == 100);
}

fn driven_by(command: &[&str], folder: &str) -> Scene {
    let mut scene = Scene::default();
    plane_at(&mut scene, Vec3::ZERO);
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    scene.world.vehicles.push(Vehicle {
        name: "robot".to_owned(),
        model: VehicleModel::Khepera,
        pose: Pose::IDENTITY,
        drive: Drive::Kinematic,
        masses: MassModel::Distributed,
        full_collision: true,
        is_active: true,
        controller: Some(Controller::Program { command, timeout: 1.0, rate: 0.0, folder: folder.into() }),
        color: None,
        place: Place::default(),
    });
    scene
}

#[test]
fn programs_start_only_if_they_are_allowed() {
    let scene = driven_by(&["no-such-program", "a"], "");
    let problems = try_simulation(&scene).map(drop).unwrap_err();
    assert!(problems[0].message.contains("may not run") && problems[0].message.contains("no-such-program"));
    let build = |scene: &Scene, programs: &Programs| {
        let shapes = [freiraum_query::Prepared::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()))];
        Simulation::with_programs(scene, &shapes, &Renderer::default(), programs).map(drop)
    };
    let allowed = Programs::of(&scene);
    build(&scene, &allowed).unwrap();
    // The same folder by another name is the same; another word, order or folder is another program.
    build(&driven_by(&["no-such-program", "a"], "."), &allowed).unwrap();
    for other in [
        driven_by(&["no-such-program"], ""),
        driven_by(&["no-such-program", "a", ""], ""),
        driven_by(&["a", "no-such-program"], ""),
        driven_by(&["no-such-program", "a"], ".."),
        driven_by(&["no-such-program a"], ""),
    ] {
        build(&other, &allowed).unwrap_err();
    }
    // One that does not drive can be told to drive later.
    let mut idle = driven_by(&["other"], "");
    idle.world.vehicles[0].is_active = false;
    build(&idle, &allowed).unwrap_err();
}
