//! How fast, and the same every time.

use super::road::*;
use freiraum_geometry::shape::{HeightField, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Drive, MassModel, Vehicle, VehicleModel};
use freiraum_world::vehicle::Command;

/// Seconds of processor time of this thread, where the system tells it; else of real time.
fn cpu_time() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    run.map_or_else(|| now.map_or(0.0, |now| now.as_secs_f64()), |run| run / 1e9)
}

/// Eight trucks among houses that drive in circles.
fn city(masses: MassModel, drive: Drive) -> Road {
    let mut scene = flat();
    for k in 0..52 {
        let (x, y) = (f64::from(k % 8) - 3.5, f64::from(k / 8) - 3.5);
        add(&mut scene, &format!("house {k}"), cuboid(1.0, 1.0, 2.0), Vec3::new(4.0 * x, 4.0 * y, 1.0), None);
    }
    for k in 0..8 {
        let at = Vec3::new(4.0 * (f64::from(k % 4) - 2.0), 4.0 * (f64::from(k / 4) - 1.0), 0.0);
        scene.world.vehicles.push(Vehicle {
            name: format!("truck {k}"),
            pose: Pose::from_translation(at),
            masses,
            ..vehicle(VehicleModel::MonsterTruck, drive)
        });
    }
    let mut road = Road::new(&scene);
    road.tell(Command::Steer { speed: 1.0, angle: 0.45 });
    road
}

fn measure(masses: MassModel, drive: Drive) {
    let mut road = city(masses, drive);
    let start = cpu_time();
    let seconds = 0.5;
    road.run(seconds);
    let spent = cpu_time() - start;
    println!(
        "8 trucks, {masses:?} {drive:?}: {:.1} times real time, {:.1} us per truck and step",
        seconds / spent,
        spent / (8.0 * seconds) * 1e3
    );
}

#[test]
fn distributed_trucks_in_a_city() {
    measure(MassModel::Distributed, Drive::Dynamic);
}

#[test]
fn trucks_of_single_masses_in_a_city() {
    measure(MassModel::Single, Drive::Dynamic);
}

#[test]
fn kinematic_trucks_in_a_city() {
    measure(MassModel::Distributed, Drive::Kinematic);
}

/// A long car and a truck on hills, without anybody looking.
#[test]
fn on_hills() {
    for (model, drive) in [
        (VehicleModel::StretchLimousine, Drive::Kinematic),
        (VehicleModel::MonsterTruck, Drive::Kinematic),
        (VehicleModel::MonsterTruck, Drive::Dynamic),
    ] {
        let height = |i: i32, j: i32| 0.15 * (0.3 * f64::from(i)).sin() * (0.4 * f64::from(j)).cos();
        let heights: Vec<Vec<f64>> = (0..41).map(|i| (0..41).map(|j| height(i, j)).collect()).collect();
        let field = HeightField::new([12.0, 12.0], &heights).unwrap();
        let mut scene = empty();
        add(&mut scene, "hills", Shape::HeightField(field), Vec3::ZERO, None);
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2));
        scene.world.vehicles.push(Vehicle { pose: at, ..vehicle(model, drive) });
        let mut road = Road::new(&scene);
        road.tell(Command::Steer { speed: 0.6, angle: 0.2 });
        let start = cpu_time();
        let seconds = 2.0;
        road.run(seconds);
        let spent = cpu_time() - start;
        let moved = road.pose().translation().length();
        println!("{model:?} {drive:?} on hills: {:.1} times real time, {moved:.2} m away", seconds / spent);
        assert!(moved > 0.3);
    }
}
