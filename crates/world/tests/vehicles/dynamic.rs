//! Dynamic drive.

use crate::road::*;
use freiraum_scene::{Drive, VehicleModel};
use freiraum_world::vehicle::Command;

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
        let mut road = Road::with(vehicle(model, Drive::Dynamic));
        road.tell(Command::Drive { speed, turn: 0.0 });
        road.run(3.0);
        let place = road.pose().translation();
        let [found, turn] = road.speed();
        println!("{model:?}: {found} m/s of {speed}, turn {turn:e}, at {place:?}");
        assert!((found / speed - 1.0).abs() < 0.01 && place.y.abs() < 0.01 * place.x, "{model:?}");
    }
}
