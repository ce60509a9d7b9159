//! How fast, and the same every time.

use crate::road::*;
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

#[test]
fn trucks_in_a_city() {
    for (masses, drive) in [(MassModel::Distributed, Drive::Dynamic)] {
        let mut road = city(masses, drive);
        let start = cpu_time();
        let seconds = 5.0;
        road.run(seconds);
        println!("{:?}", road.engine.statistics());
        let spent = cpu_time() - start;
        println!(
            "8 trucks, {masses:?} {drive:?}: {:.1} times real time, {:.1} us per truck and step",
            seconds / spent,
            spent / (8.0 * seconds) * 1e3
        );
    }
}
