//! Impacts, against closed forms.

#![expect(clippy::print_stdout, reason = "measured errors and orders of convergence are shown")]

use crate::common::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;
use freiraum_world::dynamics::{BodyId, Engine, EventKind, Kind};

/// A ball let go at rest: the n-th bounce is at t0 (1 + 2 e + ... + 2 e^n), and rises to e^(2 n) of the height.
#[test]
fn bouncing_ball_rises_as_high_as_it_must() {
    for (restitution, step) in [(0.8, 0.001), (0.8, 0.01), (0.5, 0.0137), (1.0, 0.01), (0.9, 0.1)] {
        let mut world = engine();
        fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
        let height = 1.3;
        let thing =
            dynamic(&mut world, ball(0.1), at(Vec3::new(0.0, 0.0, height + 0.1)), material(0.5, restitution));
        let first = (2.0 * height / GRAVITY).sqrt();
        let energy = world.energy();
        let (mut last, mut worst) = (first, 0.0f64);
        for bounce in 1..5 {
            let speed = GRAVITY * first * f64::powi(restitution, bounce);
            // To the top after this bounce.
            let top = last + speed / GRAVITY;
            while world.time() + step < top {
                world.step(step);
                assert!(world.energy() <= energy * (1.0 + 1e-9), "energy grew");
            }
            world.step(top - world.time());
            let found = world.center(thing).z - 0.1;
            worst = worst.max((found - height * f64::powi(restitution, 2 * bounce)).abs());
            last += 2.0 * speed / GRAVITY;
        }
        println!("restitution {restitution}, step {step}: heights off by at most {worst:e} m");
        assert!(worst < 1e-5, "{restitution} {step}: {worst:e}");
    }
}

fn row(masses: &[f64], restitution: f64, gap: f64) -> (Engine, Vec<BodyId>) {
    let mut world = weightless();
    let balls = masses
        .iter()
        .enumerate()
        .map(|(i, mass)| {
            let place = Vec3::new(i as f64 * (0.2 + gap), 0.0, 0.0);
            let mut one = describe(Kind::Dynamic, ball(0.1), at(place), material(0.0, restitution));
            one.mass = freiraum_world::dynamics::Mass::Total(*mass);
            world.add(one).unwrap()
        })
        .collect();
    (world, balls)
}

#[test]
fn two_balls_exchange_what_they_must() {
    for (m1, m2, e) in [(1.0, 1.0, 1.0), (1.0, 3.0, 1.0), (5.0, 0.5, 1.0), (1.0, 2.0, 0.5), (1.0, 1.0, 0.0)] {
        let (mut world, balls) = row(&[m1, m2], e, 0.5);
        world.set_velocity(balls[0], Vec3::new(3.0, 0.0, 0.0), Vec3::ZERO);
        world.set_velocity(balls[1], Vec3::new(-1.0, 0.0, 0.0), Vec3::ZERO);
        run(&mut world, 1.0, 0.01);
        let impulse = (1.0 + e) * 4.0 / (1.0 / m1 + 1.0 / m2);
        let expected = [3.0 - impulse / m1, -1.0 + impulse / m2];
        let found = [0, 1].map(|i| world.linear_velocity(balls[i]).x);
        println!("masses {m1} and {m2}, restitution {e}: {found:?}, expected {expected:?}");
        assert!((found[0] - expected[0]).abs() < 1e-9 && (found[1] - expected[1]).abs() < 1e-9);
    }
}

/// Balls at rest that touch, hit by one or two at the end: as many leave at the other end.
#[test]
fn five_balls_hand_the_hit_on() {
    for gap in [0.0, 1e-4] {
        for hitting in [1, 2] {
            let (mut world, balls) = row(&[1.0; 5], 1.0, gap);
            for ball in &balls[..hitting] {
                let place = world.center(*ball) - Vec3::new(0.3, 0.0, 0.0);
                world.set_pose(*ball, at(place));
                world.set_velocity(*ball, Vec3::X, Vec3::ZERO);
            }
            let energy = world.energy();
            run(&mut world, 1.0, 0.01);
            let found: Vec<f64> = balls.iter().map(|b| world.linear_velocity(*b).x).collect();
            println!("gap {gap}, {hitting} balls hit: {found:?}");
            for (i, v) in found.iter().enumerate() {
                let expected = if i >= 5 - hitting { 1.0 } else { 0.0 };
                assert!((v - expected).abs() < 1e-9, "{found:?}");
            }
            assert!((world.energy() / energy - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn flat_box_bounces_without_turning() {
    let mut world = engine();
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
    let thing = dynamic(
        &mut world,
        cuboid(Vec3::new(0.4, 0.3, 0.2)),
        at(Vec3::new(0.0, 0.0, 1.1)),
        material(0.5, 0.7),
    );
    let first = (2.0f64 / GRAVITY).sqrt();
    world.step(first);
    world.step(0.7 * first);
    let height = world.center(thing).z - 0.1;
    println!("flat box: rises to {height} of 0.49, turns with {:e}", world.angular_velocity(thing).length());
    assert!((height - 0.49).abs() < 1e-5);
    assert!(world.angular_velocity(thing).length() < 1e-9);
}

/// A ball that spins about a level axis leaves the ground sideways: friction acts in the impact, at most mu times the normal impulse.
#[test]
fn spinning_ball_kicks_off() {
    let mut world = engine();
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.1, 0.0));
    let mut thing = describe(Kind::Dynamic, ball(0.1), at(Vec3::new(0.0, 0.0, 1.1)), material(0.1, 1.0));
    thing.angular_velocity = Vec3::new(0.0, 100.0, 0.0);
    let thing = world.add(thing).unwrap();
    let fall = (2.0 / GRAVITY).sqrt();
    world.step(1.5 * fall);
    // Normal impulse 2 m v; sideways 0.1 of it.
    let expected = 0.1 * 2.0 * GRAVITY * fall;
    let found = world.linear_velocity(thing).x;
    println!("sideways speed {found}, expected {expected}");
    assert!((found - expected).abs() < 1e-6);
}

#[test]
fn energy_never_grows_in_a_box_of_bouncing_things() {
    let mut random = Random::new(3);
    for restitution in [0.0, 0.6, 1.0] {
        let mut world = engine();
        for normal in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
            fixed(&mut world, plane(normal), at(-normal), material(0.3, restitution));
        }
        for i in 0..12_i32 {
            // Apart from each other and from the walls.
            let cell = Vec3::new(f64::from(i % 3) - 1.0, f64::from(i / 3 % 2) - 0.5, f64::from(i / 6) - 0.5);
            let place = 0.6 * cell + random.in_cube(0.05);
            let shape = if i % 2 == 0 { ball(0.1) } else { cuboid(Vec3::splat(0.15)) };
            let pose = Pose::new(random.rotation(), place).unwrap();
            let thing = dynamic(&mut world, shape, pose, material(0.3, restitution));
            world.set_velocity(thing, random.in_cube(3.0), random.in_cube(5.0));
        }
        let start = world.energy();
        let mass: f64 = world.bodies().map(|b| world.mass(b)).sum();
        let mut most = f64::NEG_INFINITY;
        let mut last = start;
        for _ in 0..1000 {
            world.step(0.004);
            let now = world.energy();
            most = most.max((now - last) / (mass * GRAVITY));
            last = now;
        }
        println!(
            "restitution {restitution}: from {start:.1} to {last:.1} J, largest gain in a step {most:e} m of height"
        );
        // What gets into each other in an impact is pushed apart, and that lifts: by less than a tenth of a millimetre of all bodies in a step.
        assert!(last <= start && most < 1e-4, "{most:e}");
    }
}

#[test]
fn contacts_begin_and_end() {
    let mut world = engine();
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
    let thing = dynamic(&mut world, ball(0.1), at(Vec3::new(0.3, 0.0, 0.6)), material(0.5, 0.5));
    run(&mut world, 0.5, 0.01);
    let events = world.take_events();
    let begin = events.iter().find(|e| e.kind == EventKind::Begin).unwrap();
    let impact = (2.0 * 0.5 / GRAVITY).sqrt();
    assert!((begin.time - impact).abs() < 1e-6, "{} {impact}", begin.time);
    assert!((begin.impulse / (1.5 * world.mass(thing) * GRAVITY * impact) - 1.0).abs() < 1e-6);
    assert!((begin.point - Vec3::new(0.3, 0.0, 0.0)).length() < 1e-6, "{}", begin.point);
    assert!(events.iter().any(|e| e.kind == EventKind::End));
    // What has rested leaves from where it was.
    let rests = dynamic(&mut world, ball(0.1), at(Vec3::new(3.0, 1.0, 0.1)), material(0.5, 0.0));
    run(&mut world, 0.5, 0.01);
    world.take_events();
    world.set_velocity(rests, Vec3::Z, Vec3::ZERO);
    run(&mut world, 0.05, 0.01);
    let events = world.take_events();
    let end = events.iter().find(|e| e.kind == EventKind::End && e.bodies.contains(&rests)).unwrap();
    assert!((end.point - Vec3::new(3.0, 1.0, 0.0)).length() < 1e-3, "{}", end.point);
}
