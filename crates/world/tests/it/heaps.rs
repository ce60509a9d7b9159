//! Many bodies: they stay where they must, and the same on every number of threads.

#![expect(clippy::print_stdout, reason = "measured errors and orders of convergence are shown")]

use crate::common::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use freiraum_world::dynamics::{BodyId, Engine};

fn heap(count: usize) -> (Engine, Vec<BodyId>) {
    let mut random = Random::new(9);
    let mut world = engine();
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
    let things = (0..count)
        .map(|k| {
            let (i, j, l) = (k % 5, k / 5 % 5, k / 25);
            let place = Vec3::new(0.9 * i as f64, 0.9 * j as f64, 0.6 + 0.9 * l as f64) + random.in_cube(0.1);
            let shape = if k % 2 == 0 { ball(0.25) } else { cuboid(Vec3::new(0.5, 0.4, 0.6)) };
            let bounce = if k % 7 == 0 { 0.5 } else { 0.0 };
            dynamic(&mut world, shape, Pose::new(random.rotation(), place).unwrap(), material(0.5, bounce))
        })
        .collect();
    (world, things)
}

/// The same fingerprint after ten seconds on 1, 2 and 8 threads, and in two runs.
#[test]
fn same_state_on_every_number_of_threads() {
    let steps = cases(1000);
    let hashes: Vec<u64> = [1, 2, 8, 1]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut world, _) = heap(150);
                (0..steps).for_each(|_| world.step(0.01));
                assert!(
                    world.statistics().pairs > 300,
                    "too few pairs to be shared: {:?}",
                    world.statistics()
                );
                world.state_hash()
            })
        })
        .collect();
    println!("fingerprints {hashes:x?}");
    assert!(hashes.iter().all(|h| *h == hashes[0]));
}

/// A clone goes on like the original.
#[test]
fn clones_go_on_alike() {
    let (mut world, _) = heap(40);
    (0..80).for_each(|_| world.step(0.01));
    let mut copy = world.clone();
    for _ in 0..40 {
        world.step(0.01);
        copy.step(0.01);
        assert_eq!(world.state_hash(), copy.state_hash());
    }
}

/// A world that is saved half way and built again goes on exactly like the one that was saved.
#[test]
fn saved_worlds_go_on_alike() {
    let (mut world, things) = heap(40);
    (0..60).for_each(|_| world.step(0.01));
    world.forget_contacts();
    let (mut again, same) = heap(40);
    assert_eq!(things, same);
    for thing in &things {
        again.set_state(*thing, &world.state(*thing));
    }
    again.set_time(world.time());
    again.forget_contacts();
    assert_eq!(world.state_hash(), again.state_hash());
    for _ in 0..60 {
        world.step(0.01);
        again.step(0.01);
        assert_eq!(world.state_hash(), again.state_hash());
    }
}

/// Boxes poured into a box stay inside and come to rest.
#[test]
fn poured_boxes_stay_inside_and_come_to_rest() {
    let count = cases(500).min(2000);
    let mut random = Random::new(1);
    let mut world = engine();
    world.settings_mut().sleeping = true;
    let stuff = material(0.4, 0.1);
    let (width, wall) = (2.0, 0.05);
    fixed(&mut world, cuboid(Vec3::new(width, width, wall)), at(Vec3::new(0.0, 0.0, -0.5 * wall)), stuff);
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let off = 0.5 * (width + wall);
        let size = Vec3::new(if x == 0.0 { width } else { wall }, if y == 0.0 { width } else { wall }, 40.0);
        fixed(&mut world, cuboid(size), at(Vec3::new(off * x, off * y, 20.0)), stuff);
    }
    let mut things = Vec::new();
    for k in 0..count {
        let size = Vec3::new(random.range(0.1, 0.3), random.range(0.1, 0.3), random.range(0.1, 0.3));
        let place = Vec3::new(random.range(-0.7, 0.7), random.range(-0.7, 0.7), 0.5 + 0.07 * k as f64);
        things.push(dynamic(&mut world, cuboid(size), Pose::new(random.rotation(), place).unwrap(), stuff));
    }
    let is_inside = |world: &Engine| {
        things.iter().all(|b| {
            let p = world.center(*b);
            p.x.abs() < 0.5 * width && p.y.abs() < 0.5 * width && p.z > 0.0
        })
    };
    let mut seconds = 0.0;
    while seconds < 20.0 {
        run(&mut world, 1.0, 0.008);
        seconds += 1.0;
        assert!(is_inside(&world), "something is outside after {seconds} s");
        if things.iter().all(|b| world.is_asleep(*b)) {
            break;
        }
    }
    let awake = things.iter().filter(|b| !world.is_asleep(**b)).count();
    let fastest = things.iter().map(|b| world.linear_velocity(*b).length()).fold(0.0, f64::max);
    println!("{count} boxes: {awake} awake after {seconds} s, fastest {fastest:e} m/s");
    assert!(fastest < 0.05, "{fastest}");
}
