//! Grippers: what they take, what they miss, how they carry, and when the robot tips over.

use crate::vehicles::road::{Road, add, add_at, cuboid, flat, vehicle};
use freiraum_geometry::shape::{Cylinder, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::distance;
use freiraum_scene::{Drive, MassModel, Scene, Vehicle, VehicleModel};
use freiraum_world::dynamics::BodyId;
use freiraum_world::event::{Event, EventKind, GripperAction};
use freiraum_world::vehicle::gripper::tipping_mass;
use freiraum_world::vehicle::model::Model;
use freiraum_world::vehicle::{Command, GripperCommand};

/// Robots with the middle of their hands, the opening, and a width that fits.
struct Hands {
    model: VehicleModel,
    ahead: f64,
    opening: f64,
}

const KHEPERA: Hands = Hands { model: VehicleModel::KheperaGripper, ahead: 0.046, opening: 0.045 };
const PIONEER: Hands = Hands { model: VehicleModel::Pioneer, ahead: 0.26, opening: 0.21 };

const DRIVES: [(Drive, MassModel); 3] = [
    (Drive::Kinematic, MassModel::Distributed),
    (Drive::Dynamic, MassModel::Distributed),
    (Drive::Dynamic, MassModel::Single),
];

fn robot(hands: &Hands, (drive, masses): (Drive, MassModel)) -> Vehicle {
    let mut it = vehicle(hands.model, drive);
    it.masses = masses;
    it
}

fn step(road: &mut Road, events: &mut Vec<Event>) {
    road.machines.iter_mut().for_each(|machine| machine.before(&mut road.engine, road.step));
    road.engine.step(road.step);
    for machine in &mut road.machines {
        machine.after(&mut road.engine, road.step, events);
    }
}

fn run(road: &mut Road, seconds: f64) -> Vec<(GripperAction, Option<usize>)> {
    let mut events = Vec::new();
    for _ in 0..(seconds / road.step).round() as usize {
        step(road, &mut events);
    }
    let gripper = |event: &Event| match event.kind {
        EventKind::Gripper { body, action, .. } => Some((action, body)),
        _ => None,
    };
    events.iter().filter_map(gripper).collect()
}

fn grip(road: &mut Road, command: GripperCommand) {
    road.tell(Command::Gripper(command));
}

/// A world with a robot and a prism of a width and mass before its hands, a little off the middle.
fn with_prism(hands: &Hands, drive: (Drive, MassModel), width: f64, mass: f64, aside: f64) -> (Road, usize) {
    let mut scene = flat();
    let height = 0.6 * hands.opening;
    let at = Vec3::new(hands.ahead, aside, 0.5 * height);
    let prism = add(&mut scene, "prism", cuboid(0.3 * hands.opening, width, height), at, Some(mass));
    scene.world.vehicles.push(robot(hands, drive));
    (Road::new(&scene), prism)
}

fn up(road: &Road, body: usize) -> Vec3 {
    road.engine.pose(BodyId(body as u32)).rotate(Vec3::Z)
}

fn at(road: &Road, body: usize) -> Vec3 {
    road.engine.pose(BodyId(body as u32)).translation()
}

#[test]
fn grasps_carries_and_releases() {
    for hands in [&KHEPERA, &PIONEER] {
        for drive in DRIVES {
            let model = Model::of(hands.model).unwrap();
            let mass = 0.3 * tipping_mass(&model);
            let (mut road, prism) = with_prism(hands, drive, 0.4 * hands.opening, mass, 0.1 * hands.opening);
            run(&mut road, 0.3);
            let rests = at(&road, prism).z;
            grip(&mut road, GripperCommand::Close);
            let told = run(&mut road, 2.0);
            assert_eq!(told, [(GripperAction::Grasped, Some(prism))], "{:?} {drive:?}", hands.model);
            assert_eq!(road.machines[0].holds(), Some(BodyId(prism as u32)));
            if drive.0 == Drive::Kinematic {
                // In the middle by now: the hands pushed it there. Hands with forces may stop at it.
                assert!(at(&road, prism).y.abs() < 0.02 * hands.opening, "{}", at(&road, prism));
            }
            let held = road.pose().inverse().transform_point(at(&road, prism));
            grip(&mut road, GripperCommand::Raise);
            let mut events = Vec::new();
            let tilt = if drive.0 == Drive::Kinematic { 1e-6 } else { 2e-2 };
            for _ in 0..2000 {
                let off = up(&road, prism).cross(Vec3::Z).length();
                step(&mut road, &mut events);
                assert!(off < tilt, "{off:e} {:?} {drive:?}", hands.model);
            }
            let lift = model.joints[model.joint("lift").unwrap()].limits[1];
            let risen = at(&road, prism).z - rests;
            assert!((risen - lift).abs() < 0.1 * lift, "{risen} {lift} {:?} {drive:?}", hands.model);
            // Away with it, on a curve.
            road.tell(Command::Drive { speed: 0.2, turn: 0.5 });
            for _ in 0..2000 {
                step(&mut road, &mut events);
                let off = up(&road, prism).cross(Vec3::Z).length();
                assert!(off < 2.0 * tilt, "{off:e} {:?} {drive:?}", hands.model);
                let seen = road.pose().inverse().transform_point(at(&road, prism));
                let aside = (seen - held).truncate().length();
                assert!(aside < 0.05 * hands.opening, "{seen}");
            }
            assert!(events.is_empty(), "{events:?}");
            assert!(road.pose().translation().length() > 0.2);
            road.tell(Command::Drive { speed: 0.0, turn: 0.0 });
            run(&mut road, 0.5);
            grip(&mut road, GripperCommand::Lower);
            run(&mut road, 2.0);
            grip(&mut road, GripperCommand::Open);
            assert_eq!(run(&mut road, 1.0), [(GripperAction::Released, Some(prism))]);
            assert_eq!(road.machines[0].holds(), None);
            // It stands where it was put, and stays when the robot leaves.
            assert!(
                (at(&road, prism).z - rests).abs() < 0.01 * hands.opening,
                "{} {rests} {:?} {drive:?} {}",
                at(&road, prism),
                hands.model,
                up(&road, prism)
            );
            let put = at(&road, prism);
            road.tell(Command::Drive { speed: -0.1, turn: 0.0 });
            run(&mut road, 1.0);
            assert!((at(&road, prism) - put).length() < 0.02 * hands.opening, "{} {put}", at(&road, prism));
        }
    }
}

#[test]
fn released_bodies_fall_and_rest() {
    for drive in DRIVES {
        let (mut road, prism) = with_prism(&KHEPERA, drive, 0.02, 0.01, 0.0);
        let rests = at(&road, prism).z;
        grip(&mut road, GripperCommand::Close);
        run(&mut road, 1.0);
        grip(&mut road, GripperCommand::Raise);
        run(&mut road, 1.0);
        let high = at(&road, prism).z;

        assert!(high > rests + 0.02, "{high}");
        grip(&mut road, GripperCommand::Open);
        // Free fall from the step in which the hands open.
        let steps = 30;
        let time = f64::from(steps) * road.step;
        assert_eq!(run(&mut road, time), [(GripperAction::Released, Some(prism))]);
        let fallen = high - at(&road, prism).z;
        // Robots of some grams tremble a little.
        let off = if drive.0 == Drive::Kinematic { 1e-9 } else { 2e-4 };
        assert!((fallen - 0.5 * 9.81 * time * time).abs() < off, "{fallen} {drive:?}");
        run(&mut road, 2.0);
        // Upright as before.
        assert!((at(&road, prism).z - rests).abs() < 1e-3, "{} {drive:?}", at(&road, prism));
        assert!(road.engine.linear_velocity(BodyId(prism as u32)).length() < 1e-3);
    }
}

#[test]
fn misses_what_is_not_there_or_too_wide() {
    for drive in DRIVES {
        // Nothing.
        let mut road = Road::with(robot(&KHEPERA, drive));
        grip(&mut road, GripperCommand::Close);
        assert_eq!(run(&mut road, 2.0), [(GripperAction::Missed, None)], "{drive:?}");
        // Told once, until it is opened and closed again.
        grip(&mut road, GripperCommand::Close);
        assert_eq!(run(&mut road, 1.0), []);
        grip(&mut road, GripperCommand::Open);
        run(&mut road, 1.0);
        grip(&mut road, GripperCommand::Close);
        assert_eq!(run(&mut road, 2.0), [(GripperAction::Missed, None)], "{drive:?}");
        // Wider than the opening: it stands in front of the hands.
        let mut scene = flat();
        let wide = cuboid(0.03, 1.3 * KHEPERA.opening, 0.03);
        let wall = add(&mut scene, "wide", wide, Vec3::new(0.058 + 0.0151, 0.0, 0.015), Some(0.05));
        scene.world.vehicles.push(robot(&KHEPERA, drive));
        let mut road = Road::new(&scene);
        grip(&mut road, GripperCommand::Close);
        assert_eq!(run(&mut road, 2.0), [(GripperAction::Missed, None)], "{drive:?}");
        assert_eq!(road.machines[0].holds(), None);
        let _ = wall;
        // Beside the hands.
        let mut scene = flat();
        add(&mut scene, "beside", cuboid(0.01, 0.01, 0.03), Vec3::new(0.046, 0.04, 0.015), Some(0.01));
        scene.world.vehicles.push(robot(&KHEPERA, drive));
        let mut road = Road::new(&scene);
        grip(&mut road, GripperCommand::Close);
        assert_eq!(run(&mut road, 2.0), [(GripperAction::Missed, None)], "{drive:?}");
    }
}

#[test]
fn round_and_fixed_things() {
    let cylinder = Shape::Cylinder(Cylinder::new(0.008, 0.03).unwrap());
    let mut scene = flat();
    let can = add(&mut scene, "can", cylinder.clone(), Vec3::new(0.046, 0.004, 0.015), Some(0.01));
    scene.world.vehicles.push(robot(&KHEPERA, DRIVES[0]));
    let mut road = Road::new(&scene);
    grip(&mut road, GripperCommand::Close);
    assert_eq!(run(&mut road, 2.0), [(GripperAction::Grasped, Some(can))]);
    // A post in the ground cannot be taken: the hands stop at it.
    let mut scene = flat();
    let post =
        add_at(&mut scene, "post", cylinder, Pose::from_translation(Vec3::new(0.046, 0.0, 0.015)), None);
    scene.world.vehicles.push(robot(&KHEPERA, DRIVES[0]));
    let mut road = Road::new(&scene);
    grip(&mut road, GripperCommand::Close);
    assert_eq!(run(&mut road, 2.0), [(GripperAction::Missed, None)]);
    for hand in ["it/left hand", "it/right hand"] {
        let hand = road.scene.bodies.iter().position(|body| body.name == hand).unwrap();
        let [a, b] = [post, hand].map(|body| road.engine.pose(BodyId(body as u32)));
        let gap = distance(&road.shapes[post], &road.shapes[hand], &(a.inverse() * b)).unwrap().distance;
        assert!(gap > -1e-4, "{gap}");
    }
}

/// A can that stands off the middle is pushed there, whatever holds it to the ground.
#[test]
fn cans_off_the_middle() {
    let mut bad = Vec::new();
    for drive in DRIVES {
        for aside in [0.0, 0.0003, 0.001, -0.001, 0.003] {
            for friction in [0.3, 0.8] {
                let mut scene = flat();
                let shape = Shape::Cylinder(Cylinder::new(0.0125, 0.03).unwrap());
                let can = add(&mut scene, "can", shape, Vec3::new(0.05, aside, 0.015), Some(0.02));
                scene.world.physics[can].1.friction = friction;
                scene.world.vehicles.push(robot(&KHEPERA, drive));
                let mut road = Road::new(&scene);
                grip(&mut road, GripperCommand::Close);
                let told = run(&mut road, 2.0);
                let off = at(&road, can).y;
                if told != [(GripperAction::Grasped, Some(can))] {
                    bad.push(format!(
                        "{drive:?} {aside} m off, friction {friction}: {told:?}, now {off:.4} m off"
                    ));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn kinematic_robots_refuse_what_would_tip_them() {
    for hands in [&KHEPERA, &PIONEER] {
        let most = tipping_mass(&Model::of(hands.model).unwrap());
        assert!(most > 0.0 && most.is_finite());
        for (share, takes) in [(0.99, true), (1.01, false)] {
            let (mut road, prism) = with_prism(hands, DRIVES[0], 0.4 * hands.opening, share * most, 0.0);
            grip(&mut road, GripperCommand::Close);
            let mut events = Vec::new();
            (0..2000).for_each(|_| step(&mut road, &mut events));
            let action = if takes { GripperAction::Grasped } else { GripperAction::Missed };
            let kind = EventKind::Gripper { vehicle: 0, body: Some(prism), action };
            assert_eq!(events[0].kind, kind, "{share}");
            let warns = |event: &Event| matches!(&event.kind, EventKind::Warning { vehicle: Some(0), .. });
            assert_eq!(events[1..].iter().filter(|event| warns(event)).count(), usize::from(!takes));
            assert_eq!(road.machines[0].holds().is_some(), takes);
        }
    }
}

/// How far a dynamic robot leans after it has raised a body of a share of the mass that tips it.
fn lean(hands: &Hands, masses: MassModel, share: f64) -> f64 {
    let most = tipping_mass(&Model::of(hands.model).unwrap());
    let (mut road, prism) =
        with_prism(hands, (Drive::Dynamic, masses), 0.4 * hands.opening, share * most, 0.0);
    run(&mut road, 0.3);
    let before = road.pose().rotate(Vec3::X).z;
    grip(&mut road, GripperCommand::Close);
    assert_eq!(run(&mut road, 2.0), [(GripperAction::Grasped, Some(prism))]);
    grip(&mut road, GripperCommand::Raise);
    run(&mut road, 3.0);
    before - road.pose().rotate(Vec3::X).z
}

#[test]
fn too_heavy_tips_the_robot() {
    for (hands, masses) in [
        (&PIONEER, MassModel::Distributed),
        (&PIONEER, MassModel::Single),
        (&KHEPERA, MassModel::Distributed),
        (&KHEPERA, MassModel::Single),
    ] {
        let [light, heavy] = [0.8, 1.25].map(|share| lean(hands, masses, share));
        assert!(light < 0.06, "{light} {:?} {masses:?}", hands.model);
        assert!(heavy > 0.1, "{heavy} {:?} {masses:?}", hands.model);
    }
}

#[test]
fn commands_that_make_no_sense() {
    let mut road = Road::with(robot(&KHEPERA, DRIVES[0]));
    let hand = Command::Joint { name: "left hand".to_owned(), position: 0.01 };
    assert!(road.machines[0].command(&hand).is_err());
    let lift = Command::Joint { name: "lift".to_owned(), position: 0.01 };
    assert!(road.machines[0].command(&lift).is_ok());
    let mut other = Road::with(vehicle(VehicleModel::Khepera, Drive::Kinematic));
    assert!(other.machines[0].command(&Command::Gripper(GripperCommand::Close)).is_err());
}

#[test]
fn same_every_time_and_resumed_bit_for_bit() {
    for drive in DRIVES {
        let build = || {
            let mut scene: Scene = flat();
            let at = Vec3::new(0.046, 0.003, 0.015);
            add(&mut scene, "prism", cuboid(0.015, 0.02, 0.03), at, Some(0.01));
            scene.world.vehicles.push(robot(&KHEPERA, drive));
            Road::new(&scene)
        };
        let [mut one, mut two] = [build(), build()];
        for road in [&mut one, &mut two] {
            grip(road, GripperCommand::Close);
            run(road, 0.8);
            grip(road, GripperCommand::Raise);
            run(road, 0.2);
        }
        assert_eq!(one.engine.state_hash(), two.engine.state_hash());
        assert!(one.machines[0].holds().is_some());
        let saved = one.machines[0].save();
        let mut third = build();
        assert!(third.machines[0].resume(&saved));
        third.engine = one.engine.clone();
        for road in [&mut one, &mut third] {
            run(road, 0.5);
            grip(road, GripperCommand::Open);
            assert_eq!(run(road, 0.5).len(), 1);
        }
        assert_eq!(one.engine.state_hash(), third.engine.state_hash());
        assert_eq!(one.machines[0].save(), third.machines[0].save());
    }
}
