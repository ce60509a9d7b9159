//! Other models of contact, resistance against rolling, sleep.

#![expect(clippy::print_stdout, reason = "measured errors and orders of convergence are shown")]

use crate::common::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_world::dynamics::{ContactModel, Kind, Material};

/// A box on springs sinks in by m g / (4 k), swings about that place at its frequency, and comes to rest.
#[test]
fn springs_give_by_what_the_weight_needs() {
    let mut world = engine();
    let springy = Material { stiffness: 40_000.0, damping: 400.0, friction: 0.5, ..Material::default() };
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, springy);
    let mut thing = describe(Kind::Dynamic, cuboid(Vec3::splat(0.4)), at(Vec3::new(0.0, 0.0, 0.25)), springy);
    thing.contact = ContactModel::Penalty;
    let thing = world.add(thing).unwrap();
    run(&mut world, 4.0, 0.002);
    // Two springs in a row per corner: half as stiff.
    let expected = 0.2 - world.mass(thing) * GRAVITY / (4.0 * 20_000.0);
    let found = world.center(thing).z;
    println!("springs: rests at {found}, expected {expected}");
    assert!((found - expected).abs() < 1e-6);
    assert!(world.linear_velocity(thing).length() < 1e-6);
}

#[test]
fn springs_hold_on_a_slope_and_let_slide() {
    let friction = 0.5f64;
    for (share, slides) in [(0.9, false), (1.2, true)] {
        let angle = share * friction.atan();
        let mut world = engine();
        world.settings_mut().gravity = GRAVITY * Vec3::new(angle.sin(), 0.0, -angle.cos());
        let springy = material(friction, 0.0);
        fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, springy);
        let mut thing =
            describe(Kind::Dynamic, cuboid(Vec3::new(0.4, 0.4, 0.1)), at(Vec3::new(0.0, 0.0, 0.05)), springy);
        thing.contact = ContactModel::Penalty;
        let thing = world.add(thing).unwrap();
        run(&mut world, 3.0, 0.002);
        let (x, v) = (world.center(thing).x, world.linear_velocity(thing).x);
        run(&mut world, 1.0, 0.002);
        if slides {
            let expected = GRAVITY * (angle.sin() - friction * angle.cos());
            let found = world.linear_velocity(thing).x - v;
            println!("on springs: acceleration {found}, expected {expected}");
            assert!((found / expected - 1.0).abs() < 0.01);
        } else {
            assert!((world.center(thing).x - x).abs() < 1e-7, "{}", world.center(thing).x - x);
        }
    }
}

/// Rolling resistance with lever f slows a ball by 5/7 g f / r.
#[test]
fn rolling_ball_stops_where_it_must() {
    let mut world = engine();
    let rough = Material { rolling_friction: 0.002, friction: 0.8, ..Material::default() };
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, rough);
    let thing = dynamic(&mut world, ball(0.1), at(Vec3::new(0.0, 0.0, 0.1)), rough);
    world.set_velocity(thing, Vec3::X, Vec3::new(0.0, 10.0, 0.0));
    let slowing = 5.0 / 7.0 * GRAVITY * 0.002 / 0.1;
    run(&mut world, 2.0, 0.001);
    let found = 1.0 - world.linear_velocity(thing).x;
    println!("rolling resistance: slowed by {found} of {}", 2.0 * slowing);
    assert!((found / (2.0 * slowing) - 1.0).abs() < 0.01);
    run(&mut world, 8.0, 0.001);
    let way = world.center(thing).x;
    assert!((way * 2.0 * slowing - 1.0).abs() < 0.01, "{way}");
    assert!(world.linear_velocity(thing).length() < 1e-9);
}

#[test]
fn what_rests_falls_asleep_and_wakes_when_it_is_touched() {
    let mut world = engine();
    world.settings_mut().sleeping = true;
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
    let stack: Vec<_> = (0..3)
        .map(|i| {
            let place = at(Vec3::new(0.0, 0.0, 0.2 + 0.4 * f64::from(i)));
            dynamic(&mut world, cuboid(Vec3::splat(0.4)), place, material(0.5, 0.0))
        })
        .collect();
    run(&mut world, 3.0, 0.005);
    assert!(stack.iter().all(|b| world.is_asleep(*b)));
    let place = world.center(stack[2]);
    run(&mut world, 10.0, 0.005);
    assert_eq!(world.center(stack[2]), place);
    // A ball on the top wakes all three.
    dynamic(&mut world, ball(0.1), at(Vec3::new(0.05, 0.0, 1.5)), material(0.5, 0.0));
    run(&mut world, 0.3, 0.005);
    assert!(stack.iter().all(|b| !world.is_asleep(*b)));
    run(&mut world, 8.0, 0.005);
    assert!(stack.iter().all(|b| world.is_asleep(*b)));
    // The lowest is taken away: the others fall.
    world.remove(stack[0]);
    run(&mut world, 1.0, 0.005);
    assert!((world.center(stack[1]).z - 0.2).abs() < 0.01, "{}", world.center(stack[1]));
}

#[test]
fn driven_bodies_carry_others() {
    let mut world = engine();
    let belt = describe(
        Kind::Driven,
        cuboid(Vec3::new(4.0, 1.0, 0.2)),
        at(Vec3::new(0.0, 0.0, -0.1)),
        material(0.5, 0.0),
    );
    let belt = world.add(belt).unwrap();
    let thing =
        dynamic(&mut world, cuboid(Vec3::splat(0.2)), at(Vec3::new(0.0, 0.0, 0.1)), material(0.5, 0.0));
    world.set_velocity(belt, Vec3::new(0.5, 0.0, 0.0), Vec3::ZERO);
    run(&mut world, 2.0, 0.002);
    assert!((world.linear_velocity(thing).x - 0.5).abs() < 1e-6);
    assert!((world.center(belt).x - 1.0).abs() < 1e-9);
}
