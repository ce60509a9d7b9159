//! Dynamic drive.

use super::road::*;
use freiraum_geometry::Vec3;
use freiraum_scene::{Drive, MassModel, Vehicle, VehicleModel};
use freiraum_world::vehicle::Command;
use freiraum_world::vehicle::model::{JointKind, Model};
use freiraum_world::vehicle::steering::Running;

fn radius_of(model: VehicleModel) -> f64 {
    match Model::of(model).unwrap().running {
        Running::Sides(sides) => sides.radius,
        Running::Cars(axles) => axles.radius,
        Running::Legs => unreachable!(),
    }
}

#[test]
fn speeds_are_reached() {
    for (model, speed) in [
        (VehicleModel::Pioneer, 0.8),
        (VehicleModel::Volksbot, 1.0),
        (VehicleModel::MonsterTruck, 2.0),
        (VehicleModel::StretchLimousine, 2.0),
        (VehicleModel::Khepera, 0.2),
        (VehicleModel::KheperaGripper, 0.2),
    ] {
        for masses in [MassModel::Distributed, MassModel::Single] {
            let mut road = Road::with(Vehicle { masses, ..vehicle(model, Drive::Dynamic) });
            road.tell(Command::Drive { speed, turn: 0.0 });
            road.run(2.0);
            let start = road.pose().translation().x;
            let rolls = |road: &Road| -> Vec<f64> {
                let joints = road.machines[0].joints();
                joints.iter().filter(|j| j.kind == JointKind::Roll).map(|j| j.position).collect()
            };
            let before = rolls(&road);
            road.run(1.0);
            let place = road.pose().translation();
            let [found, turn] = road.speed();
            // Wheels roll without slipping; the odometry says so.
            let radius = radius_of(model);
            let rolled = radius * (rolls(&road)[0] - before[0]);
            assert!((rolled / (place.x - start) - 1.0).abs() < 0.005, "{model:?} {masses:?} {rolled}");
            // Wheels spin when it starts.
            assert!((road.machines[0].track().x / place.x - 1.0).abs() < 0.05);
            println!("{model:?} {masses:?}: {found} m/s of {speed}, turn {turn:e}, at {place:?}");
            assert!((found / speed - 1.0).abs() < 0.01 && place.y.abs() < 0.01 * place.x, "{model:?}");
        }
    }
}

/// Where a vehicle drives round, and on which circle: from three points of the way of its axle.
fn circle(road: &mut Road, ahead: f64, seconds: f64) -> f64 {
    let mut places = Vec::new();
    for _ in 0..3 {
        road.run(seconds / 3.0);
        let pose = road.pose();
        places.push(pose.transform_point(-ahead * freiraum_geometry::Vec3::X).truncate());
    }
    let [a, b, c] = [places[0], places[1], places[2]];
    let area = 0.5 * (b - a).perp_dot(c - a);
    (b - a).length() * (c - b).length() * (a - c).length() / (4.0 * area)
}

#[test]
fn circles_of_cars() {
    for (model, base, speed) in
        [(VehicleModel::MonsterTruck, 0.34, 0.5), (VehicleModel::StretchLimousine, 0.66, 0.5)]
    {
        for angle in [0.3f64, -0.3, 0.5] {
            for (masses, step, limit) in [
                (MassModel::Distributed, 0.002, 0.005),
                (MassModel::Distributed, 0.001, 0.002),
                (MassModel::Distributed, 0.0005, 0.001),
                (MassModel::Single, 0.001, 0.01),
            ] {
                let mut road = Road::with(Vehicle { masses, ..vehicle(model, Drive::Dynamic) });
                road.step = step;
                road.tell(Command::Steer { speed, angle });
                road.run(1.5);
                let found = circle(&mut road, 0.5 * base, 3.0);
                let expected = base / angle.tan();
                let off = found / expected - 1.0;
                println!(
                    "{model:?} {masses:?} {angle} at {step}: radius {found:.4} of {expected:.4}, {:.2} %",
                    100.0 * off
                );
                assert!(off.abs() < limit);
            }
        }
    }
}

#[test]
fn circles_of_differential_drives() {
    let mut bad: Vec<String> = Vec::new();
    for (model, track, speeds, limit) in [
        (VehicleModel::Pioneer, 0.32, [0.3, 0.5], 0.005),
        (VehicleModel::Khepera, 0.053, [0.08, 0.12], 0.01),
        // Its wheels slide sideways: see `Sides::effective_track`. Patches of contact of wide wheels resist turns less than points.
        (VehicleModel::Volksbot, 0.694, [0.3, 0.5], 0.06),
    ] {
        for masses in [MassModel::Distributed, MassModel::Single] {
            for [left, right] in [speeds, [speeds[1], speeds[0]]] {
                let mut road = Road::with(Vehicle { masses, ..vehicle(model, Drive::Dynamic) });
                road.tell(Command::Wheels { left, right });
                road.run(1.0);
                let found = circle(&mut road, 0.0, 3.0);
                let expected = 0.5 * track * (right + left) / (right - left);
                let [speed, turn] = road.speed();
                let off = found / expected - 1.0;
                assert!(off.abs() < limit, "{model:?} {masses:?} {off}");
                println!(
                    "{model:?} {masses:?}: radius {found:.4} of {expected:.4}, {:.2} %, {speed} {turn} of {}",
                    100.0 * off,
                    (right - left) / track
                );
            }
            let mut road = Road::with(Vehicle { masses, ..vehicle(model, Drive::Dynamic) });
            road.tell(Command::Wheels { left: -speeds[1], right: speeds[1] });
            road.run(1.0);
            let start = road.pose();
            road.run(3.0);
            let moved = (road.pose().translation() - start.translation()).length();
            let [_, turn] = road.speed();
            let expected = 2.0 * speeds[1] / track;
            println!("{model:?} {masses:?} on the spot: moves {moved:e}, turns {turn} of {expected}");
            if !(moved < 0.01 * track && (turn / expected - 1.0).abs() < limit) {
                bad.push(format!("{model:?} {masses:?} on the spot"));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Big wheels climb a step of a third or half of their radius, small ones do not climb the same one.
#[test]
fn big_wheels_climb() {
    for (model, height, climbs) in [
        (VehicleModel::MonsterTruck, 0.073 / 3.0, true),
        (VehicleModel::Khepera, 0.073 / 3.0, false),
        (VehicleModel::Volksbot, 0.055, true),
        (VehicleModel::Pioneer, 0.055, false),
        (VehicleModel::StretchLimousine, 0.055, false),
    ] {
        for masses in [MassModel::Distributed, MassModel::Single] {
            let mut scene = flat();
            add(&mut scene, "step", cuboid(4.0, 4.0, height), Vec3::new(2.6, 0.0, 0.5 * height), None);
            scene.world.vehicles.push(Vehicle { masses, ..vehicle(model, Drive::Dynamic) });
            let mut road = Road::new(&scene);
            road.tell(Command::Drive { speed: 0.5, turn: 0.0 });
            road.run(4.0);
            let place = road.pose().translation();
            println!("{model:?} {masses:?} at a step of {height:.3}: at {place}");
            assert_eq!(place.x > 1.2, climbs, "{model:?} {masses:?}");
            assert!(!climbs || (place.z - height).abs() < 0.002);
        }
    }
}
