//! Wanders without hitting anything, where it can see.

use super::built::{bumps, fence, infrared, plain, run, sensor, simulation, vehicle, wall};
use freiraum_geometry::{Shape, Vec3};
use freiraum_scene::{Beams, Controller, Drive, Geometry, Scene, SensorKind, VehicleModel};
use freiraum_testkit::skip::has_python;
use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::path::Path;

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

/// How far a point is from the nearest wall, from above: walls are boxes along the axes.
fn room(scene: &Scene, at: Vec3) -> f64 {
    let walls = scene.bodies.iter().filter(|body| body.name.starts_with("wall"));
    let gaps = walls.map(|wall| {
        let Geometry::Shape(Shape::Cuboid(size)) = &wall.geometry else { panic!("a box") };
        let beside = ((at - wall.pose.translation()).abs() - 0.5 * size.size()).max(Vec3::ZERO);
        beside.x.hypot(beside.y)
    });
    gaps.fold(f64::INFINITY, f64::min)
}

/// Wanders for a minute: the least room about its middle, and how many cells of this size it got to.
fn wander(scene: &Scene, cell: f64) -> (f64, usize, u64) {
    let mut world = simulation(scene);
    let (mut least, mut cells) = (f64::INFINITY, BTreeSet::new());
    let events = run(&mut world, 60.0, |world| {
        let at = world.vehicle_pose(0).translation();
        least = least.min(room(scene, at));
        cells.insert([at.x, at.y].map(|x| (x / cell).floor() as i64));
        false
    });
    assert_eq!(bumps(&world, &events), []);
    (least, cells.len(), world.state_hash())
}

#[test]
fn a_khepera_in_a_maze_hits_nothing_and_gets_around() {
    for seed in 0..4 {
        let mut scene = maze();
        scene.world.settings.seed = seed;
        vehicle(&mut scene, VehicleModel::Khepera, [-0.45, 0.0, 0.3], Controller::Wander);
        infrared(&mut scene, 0, 0.1);
        let (least, cells, hash) = wander(&scene, 0.1);
        eprintln!("seed {seed}: least room {least:.4} m, {cells} cells");
        // It is 55 mm wide.
        assert!(least > 0.0275, "seed {seed}: {least}");
        assert!(cells >= 25, "seed {seed}: {cells} cells");
        assert_eq!(wander(&scene, 0.1).2, hash);
    }
}

#[test]
fn others_wander_by_laser_in_a_hall() {
    for (model, half_width) in [(VehicleModel::Pioneer, 0.18), (VehicleModel::MonsterTruck, 0.21)] {
        for (seed, is_dynamic) in [(0, false), (1, false), (2, true)] {
            let mut scene = plain(if is_dynamic { 0.001 } else { 0.005 });
            scene.world.settings.seed = seed;
            fence(&mut scene, [8.0, 6.0], 0.2, 0.5);
            for at in [[-2.0, 1.0], [0.5, -1.5], [2.0, 1.5]] {
                wall(&mut scene, at, [0.5, 0.5], 0.5);
            }
            vehicle(&mut scene, model, [-1.0, -0.5, 0.3], Controller::Wander);
            if is_dynamic {
                scene.world.vehicles[0].drive = Drive::Dynamic;
            }
            let beams = Beams::Rows { elevations: vec![-0.05, 0.0], columns: 90, field: 1.5 * PI };
            let laser = SensorKind::Laser { beams, range: 4.0, by_depth_buffer: false };
            sensor(&mut scene, 0, laser, Vec3::new(0.0, 0.0, 0.22), 0.0, 10.0);
            let (least, cells, _) = wander(&scene, 0.5);
            eprintln!("{model:?} {seed}: least room {least:.3} m, {cells} cells");
            assert!(least > half_width && cells > 12, "{model:?} {seed}: {least} {cells}");
        }
    }
}

/// Without sensors of distance it notices walls when it hits them, and turns.
#[test]
fn the_blind_wander_too() {
    for (model, size, cell) in [(VehicleModel::Khepera, 0.6, 0.1), (VehicleModel::MonsterTruck, 5.0, 0.5)] {
        let mut scene = plain(0.005);
        fence(&mut scene, [size, size], 0.1 * size, 0.3 * size);
        vehicle(&mut scene, model, [0.0, 0.0, 0.3], Controller::Wander);
        let mut world = simulation(&scene);
        let mut cells = BTreeSet::new();
        let mut late = BTreeSet::new();
        run(&mut world, 60.0, |world| {
            let at = world.vehicle_pose(0).translation();
            let place = [at.x, at.y].map(|x| (x / cell).floor() as i64);
            cells.insert(place);
            if world.time() > 50.0 {
                late.insert(place);
            }
            assert!(at.abs().max_element() < 0.5 * size, "{at}");
            false
        });
        eprintln!("{model:?}: {} cells, {} in the last 10 s", cells.len(), late.len());
        assert!(cells.len() > 12 && late.len() > 2, "{model:?}: {} {}", cells.len(), late.len());
    }
}

/// The example in Python drives a Khepera by infrared and a truck by laser. Needs `python3`.
#[test]
fn the_example_program_wanders() {
    if !has_python() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worlds");
    let command = ["python3", "controllers/wander.py"].map(str::to_owned).to_vec();
    let program = Controller::Program { command, timeout: 10.0, rate: 20.0, folder };
    for is_truck in [false, true] {
        let mut scene = plain(0.05);
        let (size, model) =
            if is_truck { (6.0, VehicleModel::MonsterTruck) } else { (0.8, VehicleModel::Khepera) };
        fence(&mut scene, [size, size], 0.1 * size, 0.1 * size);
        vehicle(&mut scene, model, [0.0, 0.0, 0.3], program.clone());
        if is_truck {
            let beams = Beams::Rows { elevations: vec![0.0], columns: 61, field: PI };
            let laser = SensorKind::Laser { beams, range: 3.0, by_depth_buffer: false };
            sensor(&mut scene, 0, laser, Vec3::new(0.0, 0.0, 0.22), 0.0, 10.0);
        } else {
            infrared(&mut scene, 0, 0.1);
        }
        let mut world = simulation(&scene);
        let (mut least, mut farthest) = (f64::INFINITY, 0.0f64);
        let events = run(&mut world, 30.0, |world| {
            let at = world.vehicle_pose(0).translation();
            (least, farthest) = (least.min(room(&scene, at)), farthest.max(at.length()));
            false
        });
        let warnings: Vec<_> = events.iter().filter(|event| event.kind.name() == "warning").collect();
        assert!(warnings.is_empty(), "{warnings:?}");
        eprintln!("wander.py, truck {is_truck}: least room {least:.4}, farthest {farthest:.3}");
        assert!(least > if is_truck { 0.21 } else { 0.0275 } && farthest > 0.3 * size, "{least} {farthest}");
        assert_eq!(bumps(&world, &events), []);
    }
}
