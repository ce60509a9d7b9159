//! Driving on floors that are no planes.

use super::road::*;
use freiraum_geometry::Vec3;
use freiraum_scene::{Drive, VehicleModel};
use freiraum_world::vehicle::Command;

/// At full speed on a floor that is a box, at several steps: nobody gets faster than told, and all get as far as at the shortest step.
#[test]
fn full_speed_on_a_box() {
    let models =
        [VehicleModel::Pioneer, VehicleModel::Volksbot, VehicleModel::MonsterTruck, VehicleModel::Khepera];
    for model in models {
        let parts = freiraum_world::vehicle::model::Model::of(model).unwrap().parts;
        let mass: f64 = parts.iter().map(|p| p.mass).sum();
        for thick in [0.001, 0.1] {
            let (mut usual, mut way) = (0.0, 0.0);
            for step in [0.001, 0.002, 0.005, 0.01] {
                let mut scene = empty();
                add(&mut scene, "ground", cuboid(40.0, 40.0, thick), Vec3::new(0.0, 0.0, -0.5 * thick), None);
                scene.world.vehicles.push(vehicle(model, Drive::Dynamic));
                let mut road = Road::new(&scene);
                road.step = step;
                let start = road.engine.energy();
                road.tell(Command::Drive { speed: 5.0, turn: 0.0 });
                let mut most = 0.0f64;
                for _ in 0..(3.0 / step) as usize {
                    road.step();
                    most = most.max(road.engine.energy() - start);
                }
                let at = road.pose().translation();
                let speed = (2.0 * most / mass).sqrt();
                println!("{model:?}, floor of {thick} m, step {step}: {speed:.2} m/s, at {at:.3}");
                if step == 0.001 {
                    (usual, way) = (speed, at.x);
                }
                assert!(speed < 1.05 * usual && at.z.abs() < 0.01, "{model:?} {thick} {step}: {speed} {at}");
                let is_far = (at.x - way).abs() < 0.02 * way && at.y.abs() < 0.05 * way;
                assert!(is_far, "{model:?} {thick} {step}: {at}");
            }
        }
    }
}
