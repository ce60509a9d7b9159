//! Driving on floors that are no planes.

use crate::road::*;
use freiraum_geometry::Vec3;
use freiraum_scene::{Drive, VehicleModel};
use freiraum_world::vehicle::Command;

/// At full speed on a floor that is a box, at several steps: energy is that of driving, and it stays on the ground.
#[test]
fn full_speed_on_a_box() {
    for model in [VehicleModel::Pioneer, VehicleModel::Khepera, VehicleModel::Volksbot, VehicleModel::MonsterTruck, VehicleModel::StretchLimousine] {
        for thick in [0.001, 0.1] {
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
                let mass: f64 = freiraum_world::vehicle::model::Model::of(model).unwrap().parts.iter().map(|p| p.mass).sum();
                let at = road.pose().translation();
                let speed = (2.0 * most.max(0.0) / mass).sqrt();
                println!("{model:?} {thick} {step}: gains {most:.3} J, {speed:.2} m/s at {at:.3}");
            }
        }
    }
}
