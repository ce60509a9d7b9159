//! Kinematic drive.

use super::road::*;
use freiraum_geometry::shape::{HeightField, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::{distance, intersects};
use freiraum_scene::{Drive, Vehicle, VehicleModel};
use freiraum_world::dynamics::{BodyId, Kind, Mass};
use freiraum_world::event::EventKind;
use freiraum_world::vehicle::Command;

/// Where something at `(x, y)` is after it turned about a centre to its left.
fn turned(radius: f64, angle: f64, ahead: f64) -> Vec3 {
    let (sine, cosine) = angle.sin_cos();
    Vec3::new(radius * sine + ahead * (cosine - 1.0), radius * (1.0 - cosine) + ahead * sine, 0.0)
}

#[test]
fn circles_are_exact() {
    for step in [0.001, 0.01, 0.05] {
        for angle in [0.4f64, -0.4] {
            let base = 0.34;
            let mut road = Road::with(vehicle(VehicleModel::MonsterTruck, Drive::Kinematic));
            road.step = step;
            // The steering turns first.
            road.tell(Command::Steer { speed: 0.0, angle });
            road.run(0.5);
            let start = road.pose();
            assert!(start.translation().truncate().length() < 1e-12);
            road.tell(Command::Steer { speed: 1.0, angle });
            road.run(4.0);
            let radius = base / angle.tan();
            let expected = turned(radius, 4.0 / radius, 0.5 * base);
            let found = road.pose().translation();
            let off = (found - expected).truncate().length();
            println!("truck at {step}, {angle}: off by {off:.1e} m after 4 m");
            assert!(off < 1e-9, "{found} {expected}");
            // Odometry says the same.
            let track = road.machines[0].track();
            assert!(
                (track.x - found.x).hypot(track.y - found.y) < 1e-9
                    && (track.heading - 4.0 / radius).abs() < 1e-9
            );
            assert!((road.speed()[0] - 1.0).abs() < 1e-12 && (road.speed()[1] - 1.0 / radius).abs() < 1e-12);
        }
        for (model, track) in [(VehicleModel::Pioneer, 0.32), (VehicleModel::Khepera, 0.053)] {
            let mut road = Road::with(vehicle(model, Drive::Kinematic));
            road.step = step;
            road.tell(Command::Wheels { left: 0.05, right: 0.07 });
            road.run(3.0);
            let radius = 0.5 * track * 6.0;
            let expected = turned(radius, 0.18 / radius, 0.0);
            let off = (road.pose().translation() - expected).truncate().length();
            println!("{model:?} at {step}: off by {off:.1e} m");
            assert!(off < 1e-9);
            // On the spot.
            let place = road.pose();
            road.tell(Command::Wheels { left: -0.05, right: 0.05 });
            road.run(2.0);
            let now = road.pose();
            assert!((now.translation() - place.translation()).length() < 1e-12);
            let heading = |pose: &Pose| pose.to_zyx_euler().2;
            let turn = (heading(&now) - heading(&place) - 0.2 / track).rem_euclid(std::f64::consts::TAU);
            assert!(turn.min(std::f64::consts::TAU - turn) < 1e-9, "{turn}");
        }
    }
}

#[test]
fn wheels_turn_as_they_roll() {
    let mut road = Road::with(vehicle(VehicleModel::Pioneer, Drive::Kinematic));
    road.tell(Command::Wheels { left: 0.5, right: 0.5 });
    road.run(2.0);
    for joint in road.machines[0].joints() {
        let expected = match joint.name {
            "left roll" | "right roll" => 1.0 / 0.0825,
            "castor roll" => 1.0 / 0.0375,
            _ => continue,
        };
        assert!((joint.position - expected).abs() < 1e-9, "{joint:?}");
    }
    // The body of the wheel is where the joint says.
    let wheel = road.scene.body("it/left wheel").unwrap();
    let pose = road.engine.pose(BodyId(wheel as u32));
    assert!((pose.translation().x - 1.0).abs() < 1e-9);
}

/// No part of a vehicle is in anything fixed.
#[track_caller]
fn is_outside(road: &Road) {
    let parts: Vec<usize> =
        (0..road.scene.bodies.len()).filter(|b| road.scene.bodies[*b].name.starts_with("it/")).collect();
    for other in (0..road.scene.bodies.len()).filter(|b| road.scene.bodies[*b].is_fixed) {
        for part in &parts {
            let [a, b] = [*part, other].map(|body| road.engine.pose(BodyId(body as u32)));
            let meets = intersects(&road.shapes[*part], &road.shapes[other], &(a.inverse() * b)).unwrap();
            assert!(
                !meets,
                "{} in {} by {:?} at {}",
                road.scene.bodies[*part].name,
                road.scene.bodies[other].name,
                distance(&road.shapes[*part], &road.shapes[other], &(a.inverse() * b)),
                road.engine.time()
            );
        }
    }
}

/// A plain generator of random numbers.
struct Dice(u64);

impl Dice {
    fn throw(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn never_into_a_wall() {
    for model in [VehicleModel::MonsterTruck, VehicleModel::Pioneer, VehicleModel::Volksbot] {
        let mut dice = Dice(7);
        let mut scene = flat();
        for k in 0..60 {
            let (x, y) = (f64::from(k % 8) - 3.5, f64::from(k / 8) - 3.5);
            let at = Vec3::new(1.3 * x + 0.4 * dice.throw(), 1.3 * y + 0.4 * dice.throw(), 0.4);
            if at.truncate().length() > 1.0 {
                let turned = Pose::from_zyx_euler(0.0, 0.0, dice.throw(), at).unwrap();
                add_at(&mut scene, &format!("block {k}"), cuboid(0.3, 0.4, 0.8), turned, None);
            }
        }
        scene.world.vehicles.push(vehicle(model, Drive::Kinematic));
        let mut road = Road::new(&scene);
        road.step = 0.01;
        let mut stopped = 0;
        for k in 0..800 {
            if k % 40 == 0 {
                let (speed, turn) = (3.0 * dice.throw() - 1.2, 6.0 * dice.throw() - 3.0);
                road.tell(Command::Drive { speed, turn });
            }
            road.step();
            is_outside(&road);
            stopped += usize::from(road.speed() == [0.0; 2]);
        }
        let far = road.pose().translation();
        println!("{model:?}: stopped in {stopped} of 800 steps, at {far}");
        assert!(stopped > 5 && stopped < 780);
    }
}

#[test]
fn pushes_what_is_light_and_stops_at_what_is_heavy() {
    for (mass, moves) in [(1.0, true), (100.0, false)] {
        let mut scene = flat();
        let crate_ = add(&mut scene, "crate", cuboid(0.3, 0.3, 0.3), Vec3::new(1.0, 0.0, 0.15), Some(mass));
        scene.world.vehicles.push(vehicle(VehicleModel::MonsterTruck, Drive::Kinematic));
        let mut road = Road::new(&scene);
        road.tell(Command::Drive { speed: 0.5, turn: 0.0 });
        road.run(4.0);
        let at = road.engine.center(BodyId(crate_ as u32)).x;
        let truck = road.pose().translation().x;
        println!("crate of {mass} kg: at {at}, truck at {truck}");
        assert_eq!(at > 1.5, moves);
        assert!(truck < at - 0.3);
    }
    // A light one with a wall behind it.
    let mut scene = flat();
    let crate_ = add(&mut scene, "crate", cuboid(0.3, 0.3, 0.3), Vec3::new(1.0, 0.0, 0.15), Some(1.0));
    add(&mut scene, "wall", cuboid(0.1, 4.0, 1.0), Vec3::new(1.5, 0.0, 0.5), None);
    scene.world.vehicles.push(vehicle(VehicleModel::MonsterTruck, Drive::Kinematic));
    let mut road = Road::new(&scene);
    road.tell(Command::Drive { speed: 0.5, turn: 0.0 });
    road.run(4.0);
    let at = road.engine.center(BodyId(crate_ as u32));
    let truck = road.pose().translation().x;
    println!("crate before a wall: {at}, truck at {truck}");
    assert!(at.x > 1.25 && at.x < 1.31 && truck < 0.915);
}

#[test]
fn follows_slopes_and_hills() {
    // A ramp that begins at x = 1; the gripper of the Pioneer would run into a steep one.
    for (model, degrees) in [
        (VehicleModel::MonsterTruck, 15f64),
        (VehicleModel::Pioneer, 6.0),
        (VehicleModel::StretchLimousine, 10.0),
        (VehicleModel::Volksbot, 15.0),
    ] {
        let slope = degrees.to_radians();
        let ramp = Pose::from_zyx_euler(0.0, -slope, 0.0, Vec3::new(1.0, 0.0, 0.0)).unwrap();
        let mut scene = flat();
        let shifted = ramp * Pose::from_translation(Vec3::new(5.0, 0.0, -0.5));
        add_at(&mut scene, "ramp", cuboid(10.0, 4.0, 1.0), shifted, None);
        scene.world.vehicles.push(vehicle(model, Drive::Kinematic));
        let mut road = Road::new(&scene);
        road.step = 0.005;
        road.tell(Command::Drive { speed: 1.0, turn: 0.0 });
        for _ in 0..800 {
            road.step();
            is_outside(&road);
        }
        let pose = road.pose();
        let (_, pitch, _) = pose.to_zyx_euler();
        let above = ramp.inverse().transform_point(pose.translation());
        println!("{model:?} on a ramp: pitch {:.6} deg, {:.2e} m above it", -pitch.to_degrees(), above.z);
        assert!((pitch + slope).abs() < 2e-3 && above.x > 2.0 && above.z.abs() < 1e-3, "{model:?} {pose:?}");
    }
    // A hill.
    let heights: Vec<Vec<f64>> = (0..61)
        .map(|i| (0..61).map(|j| 0.15 * (0.2 * f64::from(i)).sin() * (0.25 * f64::from(j)).cos()).collect())
        .collect();
    let field = HeightField::new([12.0, 12.0], &heights).unwrap();
    let mut scene = empty();
    add(&mut scene, "hills", Shape::HeightField(field), Vec3::ZERO, None);
    let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.4));
    scene.world.vehicles.push(Vehicle { pose: at, ..vehicle(VehicleModel::MonsterTruck, Drive::Kinematic) });
    let mut road = Road::new(&scene);
    road.step = 0.01;
    road.tell(Command::Steer { speed: 1.0, angle: 0.1 });
    let start = road.pose();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..600 {
        road.step();
        let z = road.pose().translation().z;
        (low, high) = (low.min(z), high.max(z));
        is_outside(&road);
    }
    let moved = (road.pose().translation() - start.translation()).length();
    println!("hills: {moved} m away, heights {low} to {high}");
    assert!(moved > 1.0 && high - low > 0.1);
}

#[test]
fn tells_what_stops_it_once_and_backs_off() {
    let mut scene = flat();
    let wall = add(&mut scene, "wall", cuboid(0.1, 4.0, 1.0), Vec3::new(1.0, 0.0, 0.5), None);
    scene.world.vehicles.push(vehicle(VehicleModel::Volksbot, Drive::Kinematic));
    let mut road = Road::new(&scene);
    road.tell(Command::Drive { speed: 0.5, turn: 0.0 });
    let mut told = Vec::new();
    for k in 0..4000 {
        if k == 3000 {
            road.tell(Command::Drive { speed: -0.5, turn: 0.0 });
        }
        road.machines[0].before(&mut road.engine, road.step);
        road.engine.step(road.step);
        road.machines[0].after(&mut road.engine, road.step, &mut told);
    }
    assert_eq!(told.len(), 1, "{told:?}");
    let EventKind::Collision { bodies, normal, .. } = told[0].kind else { panic!("{told:?}") };
    // From the wall, which has the smaller number, to the vehicle.
    assert!(bodies[0] == wall && bodies[1] > wall && (normal + Vec3::X).length() < 1e-9, "{told:?}");
    assert!((road.speed()[0] + 0.5).abs() < 1e-12 && road.pose().translation().x < 0.2);
}

/// A small robot with long steps plays a light ball.
#[test]
fn a_khepera_pushes_a_ball() {
    let mut scene = flat();
    let sphere = Shape::Sphere(freiraum_geometry::shape::Sphere::new(0.02).unwrap());
    let ball = add(&mut scene, "ball", sphere, Vec3::new(0.1, 0.0, 0.02), Some(0.01));
    scene.world.vehicles.push(vehicle(VehicleModel::Khepera, Drive::Kinematic));
    let mut road = Road::new(&scene);
    road.step = 0.005;
    road.tell(Command::Drive { speed: 0.33, turn: 0.0 });
    road.run(1.0);
    let (robot, ball) = (road.pose().translation().x, road.engine.center(BodyId(ball as u32)).x);
    println!("Khepera at {robot}, ball at {ball}");
    assert!((robot - 0.33).abs() < 1e-9 && ball > robot + 0.03);
}

/// Whoever has pushed something against a wall gets straight back from it, even after a turn has wedged it in between.
#[test]
fn gets_away_from_what_it_has_pushed_to_a_wall() {
    for (speed, turn) in [(-0.3, 0.0), (-0.3, 1.2), (0.0, 1.0), (0.0, -1.0)] {
        let mut scene = flat();
        let sphere = Shape::Sphere(freiraum_geometry::shape::Sphere::new(0.1).unwrap());
        let ball = add(&mut scene, "ball", sphere, Vec3::new(0.8, 0.0, 0.1), Some(0.2));
        add(&mut scene, "wall", cuboid(0.1, 4.0, 1.0), Vec3::new(1.5, 0.0, 0.5), None);
        scene.world.vehicles.push(vehicle(VehicleModel::Pioneer, Drive::Kinematic));
        let mut road = Road::new(&scene);
        road.step = 0.002;
        road.tell(Command::Drive { speed: 0.5, turn: 0.0 });
        road.run(4.0);
        let before = road.pose();
        let at = road.engine.center(BodyId(ball as u32));
        assert!(at.x > 1.3 && road.speed()[0].abs() < 0.01, "ball at {at}, speed {:?}", road.speed());
        road.tell(Command::Drive { speed, turn });
        road.run(1.0);
        is_outside(&road);
        let turned = before.inverse() * road.pose();
        println!("{speed} {turn}: by {} and {:?}", turned.translation(), turned.to_zyx_euler());
        assert!(turned.to_zyx_euler().2 * turn >= 0.0);
        road.tell(Command::Drive { speed: -0.3, turn: 0.0 });
        road.run(0.5);
        assert_eq!(road.speed(), [-0.3, 0.0]);
        is_outside(&road);
    }
}

/// Fixed bodies that appear before a vehicle that looked far ahead stop it, too.
#[test]
fn sees_fixed_bodies_that_appear() {
    for is_put in [false, true] {
        let mut scene = flat();
        // Switched off it is as good as a wall: where it stands, or where it is put.
        let at = if is_put { 5.0 } else { 0.47 };
        let crate_ = add(&mut scene, "crate", cuboid(0.1, 0.4, 0.4), Vec3::new(at, 0.0, 0.2), Some(1.0));
        scene.world.vehicles.push(vehicle(VehicleModel::Pioneer, Drive::Kinematic));
        let mut road = Road::new(&scene);
        let crate_ = BodyId(crate_ as u32);
        road.tell(Command::Drive { speed: 0.5, turn: 0.0 });
        road.run(0.2);
        road.engine.set_kind(crate_, Kind::Fixed, &Mass::Total(1.0)).unwrap();
        if is_put {
            road.run(0.1);
            road.engine.set_pose(crate_, Pose::from_translation(Vec3::new(0.52, 0.0, 0.2)));
        }
        road.scene.bodies[crate_.0 as usize].is_fixed = true;
        for _ in 0..1500 {
            road.step();
            is_outside(&road);
        }
        let front = road.pose().translation().x;
        println!("crate that is put: {is_put}, vehicle at {front}");
        assert!(front > 0.1 && front < 0.2, "{front}");
    }
}

/// What a vehicle touches with its side does not hold it: it drives along it and away from it, but not into it.
#[test]
fn drives_along_what_it_touches() {
    for (speed, turn, goes) in [(0.5, 0.0, true), (-0.5, 0.0, true), (0.0, 1.0, false), (0.5, 0.5, false)] {
        let mut scene = flat();
        // Above its wheels, at the left side of its body, which ends at 0.17 m.
        add(&mut scene, "beam", cuboid(0.1, 0.2, 0.2), Vec3::new(0.0, 0.27, 0.35), None);
        scene.world.vehicles.push(vehicle(VehicleModel::Volksbot, Drive::Kinematic));
        let mut road = Road::new(&scene);
        road.tell(Command::Drive { speed, turn });
        road.run(1.0);
        let pose = road.pose();
        println!("{speed} {turn}: at {}, heading {}", pose.translation(), pose.to_zyx_euler().2);
        let wanted = speed.abs().max(turn.abs() * 0.5);
        let done = pose.translation().truncate().length().max(pose.to_zyx_euler().2.abs() * 0.5);
        assert_eq!((done / wanted - 1.0).abs() < 1e-9, goes, "{speed} {turn}");
    }
}
