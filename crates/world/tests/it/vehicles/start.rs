//! What vehicles are made of.

use super::road::*;
use freiraum_scene::{Drive, MassModel, VehicleModel};
use freiraum_world::vehicle::{Command, GripperCommand, counted};

pub(crate) const MODELS: [VehicleModel; 6] = [
    VehicleModel::Pioneer,
    VehicleModel::Volksbot,
    VehicleModel::MonsterTruck,
    VehicleModel::StretchLimousine,
    VehicleModel::Khepera,
    VehicleModel::KheperaGripper,
];

#[test]
fn bodies_and_joints_as_in_text_000() {
    for (model, expected) in [
        (VehicleModel::Pioneer, [8, 8]),
        (VehicleModel::Volksbot, [7, 6]),
        (VehicleModel::MonsterTruck, [7, 10]),
        (VehicleModel::StretchLimousine, [7, 8]),
        (VehicleModel::Khepera, [5, 2]),
        (VehicleModel::KheperaGripper, [8, 5]),
    ] {
        assert_eq!(counted(model), Some(expected), "{model:?}");
        let road = Road::with(vehicle(model, Drive::Dynamic));
        assert_eq!(road.machines[0].joints().len(), expected[1]);
        assert_eq!(road.scene.bodies.len(), 1 + expected[0]);
        assert!(road.scene.bodies[1].name.starts_with("it/"));
    }
}

#[test]
fn commands_that_make_no_sense_are_refused() {
    let mut truck = Road::with(vehicle(VehicleModel::MonsterTruck, Drive::Dynamic));
    let mut robot = Road::with(vehicle(VehicleModel::Volksbot, Drive::Kinematic));
    let [truck, robot] = [&mut truck.machines[0], &mut robot.machines[0]];
    assert!(truck.command(&Command::Wheels { left: 1.0, right: 1.0 }).is_err());
    assert!(robot.command(&Command::Steer { speed: 1.0, angle: 0.0 }).is_err());
    assert!(robot.command(&Command::Drive { speed: f64::NAN, turn: 0.0 }).is_err());
    assert!(truck.command(&Command::Gripper(GripperCommand::Open)).is_err());
    let said = truck.command(&Command::Joint { name: "rear left roll".into(), position: 1.0 }).unwrap_err();
    assert!(said.contains("cannot be told"), "{said}");
    assert!(truck.command(&Command::Joint { name: "nose".into(), position: 1.0 }).is_err());
}

/// All models stand still for ten seconds, in both mass models.
#[test]
fn all_stand_still() {
    for model in MODELS {
        for masses in [MassModel::Distributed, MassModel::Single] {
            let mut it = vehicle(model, Drive::Dynamic);
            it.masses = masses;
            let mut road = Road::with(it);
            road.run(2.0);
            let start = road.pose();
            road.run(8.0);
            let moved = (road.pose().translation() - start.translation()).length();
            let height = start.translation().z;
            println!("{model:?} {masses:?}: stands at {height:.2e} m, moves {moved:.2e} m in 8 s");
            let [speed, turn] = road.speed();
            assert!(speed.abs() < 1e-3 && turn.abs() < 1e-2);
            assert!(moved < 1e-9 && height.abs() < 1e-3, "{model:?} {masses:?} {moved} {height}");
        }
    }
}
