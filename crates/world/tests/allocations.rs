//! Once warm, a step of bodies that lie, slide, roll and fall does not allocate.

#[path = "it/common/mod.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod common;

use common::*;
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_testkit::counting::{Counting, allocations};
use freiraum_world::dynamics::{Engine, Settings};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many steps of these allocate, and how often all of them together.
fn allocating(world: &mut Engine, steps: usize) -> (usize, usize) {
    let (mut count, mut sum) = (0, 0);
    for _ in 0..steps {
        let before = allocations();
        world.step(0.002);
        let more = allocations() - before;
        count += usize::from(more > 0);
        sum += more;
    }
    (count, sum)
}

/// Walls of boxes, balls between them and a box that slides: all in contact, none asleep.
fn heap() -> Engine {
    let mut world = Engine::new(Settings { sleeping: false, ..Settings::default() });
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
    for k in 0..24 {
        let (column, row) = (f64::from(k % 6), f64::from(k / 6));
        let place = Vec3::new(0.21 * column, 0.0, 0.1 + 0.2 * row);
        dynamic(&mut world, cuboid(Vec3::splat(0.2)), at(place), material(0.5, 0.0));
        let place = Vec3::new(0.21 * column, 1.0 + 0.21 * row, 0.1);
        dynamic(&mut world, ball(0.1), at(place), material(0.5, 0.0));
    }
    let sliding = dynamic(
        &mut world,
        cuboid(Vec3::new(0.4, 0.3, 0.1)),
        Pose::new(Quat::IDENTITY, Vec3::new(-2.0, -2.0, 0.05)).unwrap(),
        material(0.1, 0.0),
    );
    world.set_velocity(sliding, Vec3::new(1.0, 0.0, 0.0), Vec3::ZERO);
    world
}

#[test]
fn bodies_in_contact_do_not_allocate() {
    let mut world = heap();
    run(&mut world, 0.5, 0.002);
    assert!(world.statistics().contacts > 24, "{:?}", world.statistics());
    let (count, sum) = allocating(&mut world, 250);
    assert_eq!((count, sum), (0, 0), "{count} of 250 steps allocate, {sum} times");
}

/// Bodies that are so fast that they are followed on their way, far from everything.
#[test]
fn fast_bodies_in_free_flight_do_not_allocate() {
    let mut world = Engine::new(Settings { sleeping: false, ..Settings::default() });
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
    for k in 0..8 {
        let bullet =
            dynamic(&mut world, ball(0.01), at(Vec3::new(0.0, f64::from(k), 1000.0)), material(0.5, 0.0));
        world.set_velocity(bullet, Vec3::new(100.0, 0.0, 0.0), Vec3::ZERO);
    }
    run(&mut world, 0.2, 0.002);
    let (count, sum) = allocating(&mut world, 100);
    assert_eq!((count, sum), (0, 0), "{count} of 100 steps allocate, {sum} times");
    // The count counts.
    let before = allocations();
    drop(std::hint::black_box(vec![1, 2, 3]));
    assert!(allocations() > before);
}
