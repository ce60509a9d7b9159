//! Four robots make one heap of six blocks.

use super::built::{body, fence, plain, run, simulation, vehicle};
use freiraum_geometry::shape::Cuboid;
use freiraum_geometry::{Shape, Vec3};
use freiraum_scene::{Controller, Mass, Physics, Scene, VehicleModel};
use freiraum_world::Simulation;
use freiraum_world::event::{EventKind, GripperAction};

const BLOCKS: [[f64; 2]; 6] =
    [[0.05, 0.0], [0.35, 0.2], [-0.35, 0.25], [-0.3, -0.25], [0.3, -0.25], [0.0, 0.35]];

fn room() -> (Scene, Vec<usize>) {
    let mut scene = plain(0.005);
    fence(&mut scene, [1.4, 1.2], 0.02, 0.06);
    let blocks = BLOCKS.iter().enumerate().map(|(k, [x, y])| {
        let shape = Shape::Cuboid(Cuboid::new(Vec3::new(0.02, 0.02, 0.03)).unwrap());
        let physics = Physics { mass: Mass::Kilograms(0.01), friction: 0.8, ..Physics::of_unsaid(false) };
        body(&mut scene, &format!("block {k}"), shape, Vec3::new(*x, *y, 0.015), physics)
    });
    let blocks = blocks.collect();
    for at in [[-0.5, 0.0, 0.0], [0.5, 0.0, 3.0], [0.0, -0.45, 1.5], [-0.15, 0.45, -1.5]] {
        vehicle(&mut scene, VehicleModel::KheperaGripper, at, Controller::Collect);
    }
    (scene, blocks)
}

/// The largest heap: blocks whose middles are at most this far from another one of it.
fn heap(world: &Simulation, blocks: &[usize], link: f64) -> usize {
    let at: Vec<Vec3> = blocks.iter().map(|block| world.pose(*block).translation().with_z(0.0)).collect();
    let size = |first: usize| {
        let mut members = vec![first];
        let mut k = 0;
        while k < members.len() {
            for other in 0..at.len() {
                if !members.contains(&other) && at[other].distance(at[members[k]]) < link {
                    members.push(other);
                }
            }
            k += 1;
        }
        members.len()
    };
    (0..at.len()).map(size).max().unwrap_or(0)
}

fn collected() -> (usize, f64, u64, usize) {
    let (scene, blocks) = room();
    let mut world = simulation(&scene);
    let mut two_hold_the_same = false;
    let events = run(&mut world, 180.0, |world| {
        let held: Vec<usize> = (0..4).filter_map(|robot| world.holds(robot)).collect();
        two_hold_the_same |= held.iter().enumerate().any(|(k, block)| held[..k].contains(block));
        held.is_empty() && heap(world, &blocks, 0.07) == 6
    });
    assert!(!two_hold_the_same);
    let grasps = events
        .iter()
        .filter(|event| matches!(event.kind, EventKind::Gripper { action: GripperAction::Grasped, .. }));
    let grasps = grasps.count();
    eprintln!("heap of {} after {:.1} s, {grasps} grasps", heap(&world, &blocks, 0.07), world.time());
    for block in blocks.iter() {
        eprintln!("  {:?}", world.pose(*block).translation());
    }
    (heap(&world, &blocks, 0.07), world.time(), world.state_hash(), grasps)
}

#[test]
fn four_robots_make_one_heap_of_six_blocks() {
    let (size, time, hash, grasps) = collected();
    assert_eq!(size, 6);
    assert!(time < 170.0 && grasps >= 5, "{time} {grasps}");
    assert_eq!(collected().2, hash);
}
