//! Worlds in which most things never move: those cost nothing.

#![expect(clippy::print_stdout, reason = "measured numbers are shown")]

use crate::common::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_world::dynamics::{BodyId, Engine};

/// A few balls rolling among many fixed houses on a plane.
fn city(houses: usize) -> (Engine, Vec<BodyId>) {
    let mut world = engine();
    let stuff = material(0.5, 0.0);
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, stuff);
    for k in 0..houses {
        let (i, j) = (k % 20, k / 20);
        let place = Vec3::new(10.0 * i as f64, 10.0 * j as f64, 2.0);
        fixed(&mut world, cuboid(Vec3::new(6.0, 6.0, 4.0)), at(place), stuff);
    }
    let balls = (0..4)
        .map(|k| {
            let ball = dynamic(&mut world, ball(0.5), at(Vec3::new(5.0, 10.0 * f64::from(k), 0.5)), stuff);
            world.set_velocity(ball, Vec3::new(0.0, 3.0, 0.0), Vec3::new(-6.0, 0.0, 0.0));
            ball
        })
        .collect();
    (world, balls)
}

/// Balls are paired with what is near them, not with the whole city.
#[test]
fn pairs_are_those_that_are_near() {
    let (mut world, balls) = city(200);
    run(&mut world, 1.0, 0.01);
    let pairs = world.statistics().pairs;
    println!("200 houses, 4 balls: {pairs} pairs");
    assert!(pairs <= 4 * 3, "{pairs}");
    for ball in &balls {
        assert!((world.linear_velocity(*ball).y - 3.0).abs() < 1e-3);
    }
}

/// Fixed bodies that are put elsewhere, changed or taken out while the world runs are seen where they are.
#[test]
fn moved_houses_are_seen() {
    let (mut world, balls) = city(40);
    run(&mut world, 0.5, 0.01);
    let house = world.bodies().nth(7).unwrap();
    // Into the way of the first ball, which stops there.
    world.set_pose(house, at(Vec3::new(5.0, 6.0, 2.0)));
    run(&mut world, 1.0, 0.01);
    let y = world.center(balls[0]).y;
    println!("stopped at {y}");
    assert!((y - 2.5).abs() < 0.5 && world.linear_velocity(balls[0]).y < 0.1, "{y}");
    let late = dynamic(&mut world, ball(0.5), at(Vec3::new(5.0, 6.0, 5.0)), material(0.5, 0.0));
    run(&mut world, 1.0, 0.01);
    assert!((world.center(late).z - 4.5).abs() < 0.01, "lies on the roof: {}", world.center(late).z);
    world.remove(house);
    run(&mut world, 2.0, 0.01);
    assert!((world.center(late).z - 0.5).abs() < 0.01, "falls to the ground: {}", world.center(late).z);
}
