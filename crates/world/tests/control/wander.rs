//! Wanders without hitting anything, where it can see.

use crate::built::{bumps, fence, infrared, plain, run, sensor, simulation, vehicle, wall};
use freiraum_geometry::Vec3;
use freiraum_scene::{Beams, Controller, Scene, SensorKind, VehicleModel};
use std::f64::consts::PI;

/// 1.2 m by 0.8 m with walls in it, as for text 003.
fn maze() -> Scene {
    let mut scene = plain(0.005);
    fence(&mut scene, [1.2, 0.8], 0.02, 0.06);
    wall(&mut scene, [-0.3, 0.15], [0.02, 0.5], 0.06);
    wall(&mut scene, [0.0, -0.15], [0.02, 0.5], 0.06);
    wall(&mut scene, [0.3, 0.2], [0.02, 0.4], 0.06);
    wall(&mut scene, [0.42, 0.0], [0.22, 0.02], 0.06);
    scene
}

/// Cells of 10 cm that a vehicle got to.
fn cells(at: Vec3, size: f64) -> (i64, i64) {
    ((at.x / size).floor() as i64, (at.y / size).floor() as i64)
}

#[test]
fn a_khepera_in_a_maze_hits_nothing_and_gets_around() {
    for seed in 0..3 {
        let mut scene = maze();
        scene.world.settings.seed = seed;
        vehicle(&mut scene, VehicleModel::Khepera, [-0.45, 0.0, 0.3], Controller::Wander);
        infrared(&mut scene, 0, 0.1);
        let mut world = simulation(&scene);
        let mut seen = std::collections::BTreeSet::new();
        let events = run(&mut world, 60.0, |world| {
            seen.insert(cells(world.vehicle_pose(0).translation(), 0.1));
            false
        });
        assert_eq!(bumps(&world, &events), [], "seed {seed}");
        assert!(seen.len() >= 25, "seed {seed}: {} cells", seen.len());
    }
}
