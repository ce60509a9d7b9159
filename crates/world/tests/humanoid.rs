//! The humanoid: what it is made of, how it walks, stands and falls.

#[path = "vehicles/road.rs"]
mod road;

use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Drive, MassModel, VehicleModel};
use freiraum_world::vehicle::{Command, counted};
use road::{Road, vehicle};

#[test]
fn has_22_bodies_and_24_joints() {
    assert_eq!(counted(VehicleModel::Hr18), Some([22, 24]));
}

#[test]
fn probe_stand() {
    for masses in [MassModel::Distributed, MassModel::Single] {
        let mut it = vehicle(VehicleModel::Hr18, Drive::Dynamic);
        it.masses = masses;
        let mut road = Road::with(it);
        for k in 0..10000 {
            if k % 1000 == 0 || (k < 500 && k % 100 == 0) {
                let at = road.pose();
                println!("{k} {:?} tilt {:.5} speed {:?}", at.translation(), at.rotate(Vec3::Z).z.min(1.0).acos(), road.speed());
            }
            road.step();
        }
    }
}

#[test]
fn probe_walk() {
    let mut road = Road::with(vehicle(VehicleModel::Hr18, Drive::Kinematic));
    road.tell(Command::Drive { speed: 0.2, turn: 0.0 });
    road.run(5.0);
    println!("{:?} {:?} {:?}", road.pose(), road.speed(), road.machines[0].track());
}

#[test]
fn probe_time() {
    let mut scene = road::flat();
    for k in 0..10 {
        let mut it = vehicle(VehicleModel::Hr18, Drive::Dynamic);
        it.name = format!("pin {k}");
        it.pose = Pose::from_translation(Vec3::new(0.0, 0.5 * f64::from(k), 0.0));
        scene.world.vehicles.push(it);
    }
    let mut road = Road::new(&scene);
    road.run(0.1);
    let t = std::time::Instant::now();
    road.run(1.0);
    println!("{:?} per step and humanoid", t.elapsed() / 10000);
}
