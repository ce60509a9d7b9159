//! The humanoid: what it is made of, how it walks, stands and falls.

mod stand;

use crate::vehicles::road::{Road, add, cuboid, flat, vehicle};
use freiraum_geometry::shape::{HeightField, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::{Prepared, distance};
use freiraum_scene::{Drive, Geometry, Mass, Scene, Vehicle, VehicleModel};
use freiraum_world::dynamics::BodyId;
use freiraum_world::vehicle::humanoid::{MOST_SPEED, MOST_TURN, STEP_TIME};
use freiraum_world::vehicle::{Command, counted};

fn hr18(drive: Drive) -> Vehicle {
    vehicle(VehicleModel::Hr18, drive)
}

fn walk(speed: f64, turn: f64) -> Command {
    Command::Drive { speed, turn }
}

fn body(road: &Road, name: &str) -> BodyId {
    let at = road.scene.bodies.iter().position(|body| body.name == name).unwrap();
    BodyId(at as u32)
}

fn feet(road: &Road) -> [Pose; 2] {
    ["it/left foot", "it/right foot"].map(|name| road.engine.pose(body(road, name)))
}

/// The lowest point of a foot: half of its thickness below its middle.
fn sole(foot: &Pose) -> f64 {
    foot.translation().z - 0.01
}

#[test]
fn has_22_bodies_and_24_joints() {
    assert_eq!(counted(VehicleModel::Hr18), Some([22, 24]));
    for drive in [Drive::Kinematic, Drive::Dynamic] {
        let road = Road::with(hr18(drive));
        assert_eq!((road.machines[0].bodies().len(), road.machines[0].joints().len()), (22, 24));
        let mass = |body: usize| match road.scene.physics(body).mass {
            Mass::Kilograms(mass) => mass,
            Mass::Density(_) => f64::NAN,
        };
        let total: f64 = (1..23).map(mass).sum();
        assert!((total - 3.3).abs() < 1e-12, "{total}");
        let tops = (1..23).map(|at| {
            let body = &road.scene.bodies[at];
            let Geometry::Shape(shape) = &body.geometry else { unreachable!() };
            let bounds = Prepared::new(shape.clone()).bounds().unwrap();
            // Upright bodies but for legs, which are lower.
            body.pose.translation().z + bounds.max.z
        });
        let top = tops.fold(0.0, f64::max);
        assert!((top - 0.55).abs() < 1e-9, "{top}");
    }
}

/// What is on the ground does not move: not by a rounding error.
#[test]
fn the_foot_that_stands_stays() {
    for [speed, turn] in [[0.3, 0.0], [-0.2, 0.5], [0.1, -0.8], [0.0, 0.8]] {
        let mut road = Road::with(hr18(Drive::Kinematic));
        road.tell(walk(speed, turn));
        let mut last = feet(&road);
        let mut lifted: [f64; 2] = [0.0; 2];
        let (mut exchanges, mut stood) = (0, [true; 2]);
        for step in 0..4000 {
            road.step();
            let now = feet(&road);
            let mut stands = [false; 2];
            for foot in 0..2 {
                let [before, after] = [sole(&last[foot]), sole(&now[foot])];
                lifted[foot] = lifted[foot].max(after);
                assert!(after > -1e-12, "{step} {after:e}");
                // A foot that is lifted by less than a micrometre at both ends of a step has not been away.
                stands[foot] = before < 1e-6 && after < 1e-6;
                if stands[foot] {
                    let off = (now[foot].translation() - last[foot].translation()).length();
                    let turned = (now[foot].rotation() * last[foot].rotation().conjugate()).xyz().length();
                    assert!(off < 1e-6 && turned < 1e-6, "{step} {off:e} {turned:e}");
                }
                if stood[foot] && stands[foot] && before < 1e-13 && after < 1e-13 {
                    let off = (now[foot].translation() - last[foot].translation()).length();
                    assert!(off < 1e-9, "{step} {off:e}");
                }
            }
            // One foot is on the ground at least, but for the step in which they change.
            exchanges += usize::from(stands != stood);
            assert!(stands != [false; 2] || stood != [false; 2], "{step} in the air");
            (last, stood) = (now, stands);
        }
        assert!(lifted[0] > 0.025 && lifted[1] > 0.025, "{lifted:?}");
        assert!(exchanges > 14, "{exchanges}");
    }
}

#[test]
fn walks_as_far_and_turns_as_much_as_it_shall() {
    for [speed, turn] in [[0.3, 0.0], [0.15, 0.4], [-0.2, -0.3], [0.0, 0.7]] {
        let mut road = Road::with(hr18(Drive::Kinematic));
        road.tell(walk(speed, turn));
        let seconds = 8.0;
        road.run(seconds);
        let track = road.machines[0].track();
        let pose = road.pose();
        let length: f64 = speed * seconds;
        // An arc of that length and turn.
        let angle = turn * seconds;
        let chord = if angle == 0.0 { length } else { 2.0 * speed / turn * (0.5 * angle).sin() };
        let wanted = chord * Vec3::new((0.5 * angle).cos(), (0.5 * angle).sin(), 0.0);
        let off = (pose.translation() - wanted).length();
        assert!(off <= speed.abs() * STEP_TIME + 1e-9, "{speed} {turn}: {off}");
        assert!((track.heading - angle).abs() <= turn.abs() * STEP_TIME + 1e-9);
        assert!((Vec3::new(track.x, track.y, 0.0) - pose.translation()).length() < 1e-9);
        assert_eq!(road.speed(), [speed, turn]);
        // It comes to rest with both feet on the ground, its middle between them.
        road.tell(walk(0.0, 0.0));
        road.run(2.0);
        let [left, right] = feet(&road);
        let middle = 0.5
            * (left.transform_point(Vec3::new(-0.01, 0.0, -0.01))
                + right.transform_point(Vec3::new(-0.01, 0.0, -0.01)));
        assert!((middle - road.pose().translation()).length() < 1e-9);
        assert!((left.translation().distance(right.translation()) - 0.09).abs() < 1e-9);
        assert_eq!(road.speed(), [0.0, 0.0]);
    }
}

#[test]
fn joints_and_limits() {
    let mut road = Road::with(hr18(Drive::Kinematic));
    let it = &mut road.machines[0];
    assert!(it.command(&Command::Joint { name: "left elbow".to_owned(), position: -9.0 }).is_ok());
    assert!(it.command(&Command::Joint { name: "neck pan".to_owned(), position: 0.5 }).is_ok());
    for wrong in [
        Command::Joint { name: "left knee".to_owned(), position: 1.0 },
        Command::Joint { name: "tail".to_owned(), position: 1.0 },
        Command::Joint { name: "neck pan".to_owned(), position: f64::NAN },
        Command::Wheels { left: 1.0, right: 1.0 },
        Command::Steer { speed: 1.0, angle: 0.0 },
        Command::Gripper(freiraum_world::vehicle::GripperCommand::Open),
        walk(f64::INFINITY, 0.0),
    ] {
        assert!(it.command(&wrong).is_err(), "{wrong:?}");
    }
    road.tell(walk(9.0, 9.0));
    road.run(3.0);
    let joints = road.machines[0].joints();
    let at = |name: &str| joints.iter().find(|joint| joint.name == name).unwrap().position;
    assert!((at("left elbow") + 2.3).abs() < 1e-12 && (at("neck pan") - 0.5).abs() < 1e-12);
    assert!(at("left knee") > 0.1, "knees are bent");
    let [speed, turn] = road.speed();
    assert_eq!([speed, turn], [MOST_SPEED, MOST_TURN]);
    // The head looks aside: its camera is where pan and heading say.
    let head = road.engine.pose(body(&road, "it/head camera")).rotate(Vec3::X);
    let heading = road.machines[0].track().heading + 0.5;
    assert!((head - Vec3::new(heading.cos(), heading.sin(), 0.0)).length() < 1e-9);
}

/// The least distance of all parts from a body.
fn gap(road: &Road, other: usize) -> f64 {
    let mut least = f64::INFINITY;
    let other_pose = road.engine.pose(BodyId(other as u32));
    for part in road.machines[0].bodies() {
        let shape = &road.shapes[part.0 as usize];
        let found = distance(&road.shapes[other], shape, &(other_pose.inverse() * road.engine.pose(*part)));
        least = least.min(found.unwrap().distance);
    }
    least
}

#[test]
fn never_enters_walls() {
    // Thick and thin ones, straight and aslant, in short and long steps.
    for (thickness, yaw, step) in
        [(0.2, 0.0, 0.001), (0.001, 0.3, 0.001), (0.001, -0.6, 0.05), (0.1, 0.9, 0.02)]
    {
        for speed in [0.3, -0.3] {
            let mut scene = flat();
            let wall = add(&mut scene, "wall", cuboid(thickness, 3.0, 1.0), Vec3::ZERO, None);
            let away = 0.6 * f64::signum(speed);
            scene.bodies[wall].pose = Pose::from_zyx_euler(0.0, 0.0, yaw, Vec3::new(away, 0.0, 0.5)).unwrap();
            scene.world.vehicles.push(hr18(Drive::Kinematic));
            let mut road = Road::new(&scene);
            road.step = step;
            road.tell(walk(speed, 0.0));
            let mut least = f64::INFINITY;
            for _ in 0..(6.0 / step) as usize {
                road.step();
                let gap = gap(&road, wall);
                assert!(gap > 0.0, "{gap} {thickness} {yaw} {step}");
                least = least.min(gap);
            }
            assert!(least < 0.04, "stops {least} away: {thickness} {yaw} {step} {speed}");
            assert_eq!(road.speed(), [0.0, 0.0]);
            // It can go back, and turn around.
            let before = road.pose();
            road.tell(walk(-speed, 0.0));
            road.run(2.0);
            let back = before.inverse().transform_point(road.pose().translation()).x;
            assert!(back * speed < 0.0 && back.abs() > 0.3, "{back} {thickness} {yaw} {step} {speed}");
            road.tell(walk(0.0, 0.8));
            road.run(1.0);
            assert!(gap(&road, wall) > 0.0);
        }
    }
}

#[test]
fn kicks_balls_and_pushes_boxes() {
    let mut scene = flat();
    let sphere = Shape::Sphere(Sphere::new(0.07).unwrap());
    let ball = add(&mut scene, "ball", sphere, Vec3::new(0.4, 0.03, 0.07), Some(0.3));
    let heavy = add(&mut scene, "safe", cuboid(0.3, 0.3, 0.3), Vec3::new(3.0, 0.0, 0.15), Some(50.0));
    scene.world.vehicles.push(hr18(Drive::Kinematic));
    let mut road = Road::new(&scene);
    road.tell(walk(0.25, 0.0));
    road.run(4.0);
    let ball_at = road.engine.pose(BodyId(ball as u32)).translation();
    let velocity = road.engine.linear_velocity(BodyId(ball as u32));
    assert!(ball_at.x > 1.1 && velocity.x > 0.25, "{ball_at} {velocity}");
    assert!(gap(&road, ball) > -0.001);
    // A box lighter than itself is pushed as fast as it walks; a heavy one stops it.
    road.run(16.0);
    let safe = road.engine.pose(BodyId(heavy as u32)).translation();
    assert!((safe.x - 3.0).abs() < 0.01 && gap(&road, heavy) > 0.0, "{safe}");
    assert!(road.pose().translation().x > 2.5);
}

#[test]
fn does_not_press_things_into_walls() {
    let mut scene = flat();
    let wall = add(&mut scene, "wall", cuboid(0.2, 3.0, 1.0), Vec3::new(1.0, 0.0, 0.5), None);
    let crate_ = add(&mut scene, "crate", cuboid(0.2, 0.4, 0.3), Vec3::new(0.6, 0.0, 0.15), Some(1.0));
    scene.world.vehicles.push(hr18(Drive::Kinematic));
    let mut road = Road::new(&scene);
    road.tell(walk(0.2, 0.0));
    for _ in 0..8000 {
        road.step();
        let crate_pose = road.engine.pose(BodyId(crate_ as u32));
        let wall_pose = road.engine.pose(BodyId(wall as u32));
        let found =
            distance(&road.shapes[wall], &road.shapes[crate_], &(wall_pose.inverse() * crate_pose)).unwrap();
        assert!(
            found.distance > -0.005 && gap(&road, crate_) > -0.01,
            "{} {}",
            found.distance,
            gap(&road, crate_)
        );
    }
    let pushed = road.engine.pose(BodyId(crate_ as u32)).translation().x;
    assert!((pushed - 0.8).abs() < 0.01, "{pushed}");
}

/// What it pushes against a plate of a millimetre stops it, whatever the step.
#[test]
fn presses_nothing_through_a_plate() {
    for step in [0.001, 0.005, 0.05] {
        for (shape, height, mass) in [
            (cuboid(0.2, 0.4, 0.3), 0.15, 1.0),
            (cuboid(0.01, 0.4, 0.4), 0.2, 0.3),
            (Shape::Sphere(Sphere::new(0.1).unwrap()), 0.1, 0.2),
        ] {
            let mut scene = flat();
            add(&mut scene, "plate", cuboid(0.001, 3.0, 1.0), Vec3::new(0.9, 0.0, 0.5), None);
            let thing = add(&mut scene, "thing", shape, Vec3::new(0.5, 0.0, height), Some(mass));
            scene.world.vehicles.push(hr18(Drive::Kinematic));
            let mut road = Road::new(&scene);
            road.step = step;
            road.tell(walk(0.2, 0.0));
            road.run(8.0);
            let [it, thing] = [road.pose().translation(), road.engine.center(BodyId(thing as u32))];
            assert!(thing.x < 0.9 && thing.z > 0.0 && it.x < 0.9, "{step}: it at {it}, the thing at {thing}");
        }
    }
}

#[test]
fn steps_up_and_stops_at_edges() {
    let mut scene = Scene::default();
    // A floor that ends at x = 3, with a low and then a high step.
    add(&mut scene, "floor", cuboid(6.0, 4.0, 1.0), Vec3::new(0.0, 0.0, -0.5), None);
    add(&mut scene, "low", cuboid(1.0, 4.0, 0.02), Vec3::new(1.0, 0.0, 0.01), None);
    scene.world.vehicles.push(hr18(Drive::Kinematic));
    let mut road = Road::new(&scene);
    road.tell(walk(0.2, 0.0));
    road.run(5.5);
    assert!((road.pose().translation().z - 0.02).abs() < 1e-9, "{}", road.pose().translation());
    for foot in feet(&road) {
        assert!(sole(&foot) > 0.02 - 1e-9);
    }
    road.run(15.0);
    let at = road.pose().translation();
    assert!(at.z.abs() < 1e-9 && at.x > 2.7 && at.x < 3.05, "{at}");
    assert!(feet(&road).iter().all(|foot| foot.translation().x < 3.0));
}

#[test]
fn follows_the_landscape() {
    let height = |x: f64, y: f64| 0.05 * (1.5 * x).sin() + 0.03 * y.cos();
    let count = 101;
    let spacing = 10.0 / f64::from(count - 1);
    let at = |k: i32| -5.0 + spacing * f64::from(k);
    let rows: Vec<Vec<f64>> =
        (0..count).map(|row| (0..count).map(|column| height(at(column), at(row))).collect()).collect();
    let field = HeightField::new([10.0, 10.0], &rows).unwrap();
    let mut scene = Scene::default();
    add(&mut scene, "hills", Shape::HeightField(field), Vec3::ZERO, None);
    let mut it = hr18(Drive::Kinematic);
    it.pose = Pose::from_translation(Vec3::new(0.0, 0.0, height(0.0, 0.0)));
    scene.world.vehicles.push(it);
    let mut road = Road::new(&scene);
    road.tell(walk(0.25, 0.1));
    let mut worst: f64 = 0.0;
    for _ in 0..6000 {
        road.step();
        let now = road.pose().translation();
        worst = worst.max((now.z - height(now.x, now.y)).abs());
        for foot in feet(&road) {
            let under = height(foot.translation().x, foot.translation().y);
            assert!(sole(&foot) > under - 0.003, "{} {under}", sole(&foot));
        }
    }
    assert!(worst < 0.02, "{worst}");
    assert!(road.pose().translation().x > 1.0);
}

#[test]
fn same_every_time_and_resumed_bit_for_bit() {
    let build = || {
        let mut scene = flat();
        let sphere = Shape::Sphere(Sphere::new(0.05).unwrap());
        add(&mut scene, "ball", sphere, Vec3::new(0.3, 0.03, 0.05), Some(0.2));
        add(&mut scene, "wall", cuboid(0.1, 3.0, 1.0), Vec3::new(0.9, 0.0, 0.5), None);
        scene.world.vehicles.push(hr18(Drive::Kinematic));
        let mut pin = hr18(Drive::Dynamic);
        pin.name = "pin".to_owned();
        pin.pose = Pose::from_translation(Vec3::new(0.5, 0.3, 0.0));
        scene.world.vehicles.push(pin);
        Road::new(&scene)
    };
    let tell = |road: &mut Road| {
        road.machines[0].command(&walk(0.25, 0.2)).unwrap();
        let joint = Command::Joint { name: "left shoulder pitch".to_owned(), position: -1.5 };
        road.machines.iter_mut().for_each(|machine| machine.command(&joint).unwrap());
    };
    let [mut one, mut two] = [build(), build()];
    tell(&mut one);
    tell(&mut two);
    one.run(1.3);
    two.run(1.3);
    assert_eq!(one.engine.state_hash(), two.engine.state_hash());
    // Only the machine is taken back here; the engine goes on.
    let saved: Vec<Vec<u8>> = one.machines.iter().map(|machine| machine.save()).collect();
    let mut third = build();
    assert!(third.machines.iter_mut().zip(&saved).all(|(machine, state)| machine.resume(state)));
    third.engine = one.engine.clone();
    one.run(2.0);
    third.run(2.0);
    assert_eq!(one.engine.state_hash(), third.engine.state_hash());
    let again: Vec<Vec<u8>> = third.machines.iter().map(|machine| machine.save()).collect();
    assert_eq!(again, one.machines.iter().map(|machine| machine.save()).collect::<Vec<_>>());
    assert!(!third.machines[0].resume(&saved[0][..10]));
}
