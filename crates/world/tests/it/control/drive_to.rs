//! Arrives, whichever way it has to turn.

use super::built::{bumps, plain, run, sensor, simulation, vehicle, wall};
use freiraum_geometry::Vec3;
use freiraum_scene::{Beams, Controller, SensorKind, VehicleModel};

/// All around, near and far.
#[test]
fn every_vehicle_arrives_from_everywhere() {
    let models = [
        (VehicleModel::Khepera, 0.3),
        (VehicleModel::KheperaGripper, 0.3),
        (VehicleModel::Pioneer, 1.5),
        (VehicleModel::Volksbot, 1.5),
        (VehicleModel::MonsterTruck, 3.0),
        (VehicleModel::StretchLimousine, 5.0),
    ];
    for (model, far) in models {
        for share in [0.15, 0.4, 1.0] {
            for k in 0..8 {
                let angle = std::f64::consts::FRAC_PI_4 * f64::from(k);
                let target = Vec3::new(share * far * angle.cos(), share * far * angle.sin(), 0.0);
                let mut scene = plain(0.01);
                vehicle(&mut scene, model, [0.0, 0.0, 0.5], Controller::DriveTo(target));
                let mut world = simulation(&scene);
                let events = run(&mut world, 30.0, |world| {
                    let there = (world.vehicle_pose(0).translation() - target).length() < 0.1 * far;
                    there && world.vehicle_speed(0).map(f64::abs) == [0.0; 2] && world.time() > 1.0
                });
                let at = world.vehicle_pose(0).translation();
                let off = (at - target).length();
                eprintln!("{model:?} {share} {k}: {:.2} s, off by {off:.4}", world.time());
                assert!(
                    off < 0.1 * far && world.time() < 29.0,
                    "{model:?} {share} {k}: {off} after {}",
                    world.time()
                );
                assert_eq!(bumps(&world, &events), []);
                // It stays there.
                run(&mut world, 2.0, |_| false);
                assert!((world.vehicle_pose(0).translation() - at).length() < 0.01 * far);
            }
        }
    }
}

/// A block lies between: only who sees it gets there without touching it.
#[test]
fn simple_things_in_the_way_are_passed() {
    for model in [VehicleModel::Pioneer, VehicleModel::MonsterTruck] {
        for side in [-0.3, 0.0, 0.25] {
            let target = Vec3::new(6.0, 0.0, 0.0);
            let mut scene = plain(0.01);
            vehicle(&mut scene, model, [0.0, 0.0, 0.0], Controller::DriveTo(target));
            wall(&mut scene, [3.0, side], [0.6, 0.8], 0.5);
            let beams = Beams::Rows { elevations: vec![0.0], columns: 91, field: std::f64::consts::PI };
            let laser = SensorKind::Laser { beams, range: 3.0, by_depth_buffer: false };
            sensor(&mut scene, 0, laser, Vec3::new(0.0, 0.0, 0.22), 0.0, 20.0);
            let mut world = simulation(&scene);
            let mut least = f64::INFINITY;
            let events = run(&mut world, 30.0, |world| {
                let at = world.vehicle_pose(0).translation();
                let beside =
                    ((at - Vec3::new(3.0, side, 0.0)).abs() - Vec3::new(0.3, 0.4, 1.0)).max(Vec3::ZERO);
                least = least.min(beside.length());
                at.distance(target) < 0.1
            });
            eprintln!("{model:?} {side}: {:.2} s, nearest {least:.3}", world.time());
            assert!(world.time() < 25.0 && least > 0.2, "{model:?} {side}: {} {least}", world.time());
            assert_eq!(bumps(&world, &events), []);
        }
    }
}
