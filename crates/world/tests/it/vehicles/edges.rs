//! Vehicles among edges: nothing gives them energy but their motors.

use super::road::*;
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_scene::{Drive, VehicleModel};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use freiraum_world::vehicle::Command;

/// Random driving onto a wedge, over a kerb, against blocks, for every small vehicle and steps of 1 to 5 ms: who drives at most so fast and falls
/// from so high is never much faster.
#[test]
fn small_vehicles_gain_nothing_at_edges() {
    for (number, model) in
        [VehicleModel::Khepera, VehicleModel::KheperaGripper, VehicleModel::Pioneer].into_iter().enumerate()
    {
        let (size, top) = if model == VehicleModel::Pioneer { (1.0, 0.8) } else { (0.14, 0.3) };
        for case in 0..cases(9) {
            let mut random = Random::new(31 * number as u64 + case as u64);
            let mut scene = flat();
            let slope = random.range(0.05, 0.5);
            let wedge = Pose::new(Quat::from_rotation_y(-slope), Vec3::new(1.5 * size, 0.0, 0.0)).unwrap();
            add_at(&mut scene, "wedge", cuboid(2.0 * size, 3.0 * size, 0.07 * size), wedge, None);
            add(&mut scene, "kerb", cuboid(size, size, 0.1 * size), Vec3::new(-size, 0.0, 0.0), None);
            let block = Vec3::new(0.2 * size, 1.2 * size, 0.2 * size);
            add(&mut scene, "block", cuboid(0.3 * size, 0.3 * size, 0.4 * size), block, Some(0.2 * size));
            scene.world.vehicles.push(vehicle(model, Drive::Dynamic));
            let mut road = Road::new(&scene);
            road.step = [0.001, 0.002, 0.005][case % 3];
            for _ in 0..20 {
                road.tell(Command::Drive { speed: random.range(-top, top), turn: random.range(-2.0, 2.0) });
                for _ in 0..(1.0 / road.step) as usize {
                    road.step();
                    let speeds = road.engine.bodies().map(|body| road.engine.linear_velocity(body).length());
                    let speed = speeds.fold(0.0_f64, |most, x| if x <= most { most } else { x });
                    let limit = 3.0 * top + (2.0 * 9.81 * 1.5 * size).sqrt();
                    assert!(speed < limit, "{model:?}, case {case}: {speed} at {}", road.engine.time());
                }
            }
        }
    }
}
