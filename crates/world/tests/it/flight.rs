//! Bodies in flight, against closed forms.

#![expect(clippy::print_stdout, reason = "measured errors and orders of convergence are shown")]

use crate::common::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_world::dynamics::{BodyDescription, ColliderDescription, Drag, Engine, Kind, Mass};

/// Steps are not cut into parts, so that their length shows.
fn uncut() -> Engine {
    let mut world = engine();
    world.settings_mut().longest_substep = 1.0;
    world
}

#[test]
fn free_fall_is_exact_for_every_step() {
    for step in [0.0005, 0.001, 0.01, 0.037, 0.1] {
        let mut world = engine();
        let mut thrown =
            describe(Kind::Dynamic, ball(0.1), at(Vec3::new(1.0, 2.0, 50.0)), material(0.5, 0.0));
        thrown.linear_velocity = Vec3::new(3.0, -2.0, 4.0);
        let thing = world.add(thrown).unwrap();
        let count = (2.0 / step) as usize;
        (0..count).for_each(|_| world.step(step));
        let t = count as f64 * step;
        let expected =
            Vec3::new(1.0, 2.0, 50.0) + t * Vec3::new(3.0, -2.0, 4.0) - 0.5 * GRAVITY * t * t * Vec3::Z;
        assert!((world.center(thing) - expected).length() < 1e-11, "step {step}");
        assert!((world.linear_velocity(thing).z - (4.0 - GRAVITY * t)).abs() < 1e-11);
    }
}

/// Straight down with quadratic drag: v = vt tanh(g t / vt), z = vt²/g ln cosh(g t / vt). Thrown straight with linear drag alone:
/// x = v0 (1 - exp(-c t)) / c.
#[test]
fn falling_with_drag_converges_with_second_order() {
    let (k, t) = (0.02f64, 3.0f64);
    let vt = (GRAVITY / k).sqrt();
    let z = vt * vt / GRAVITY * (GRAVITY * t / vt).cosh().ln();
    let fall = |steps: usize| {
        let mut world = uncut();
        let mut thing = describe(Kind::Dynamic, ball(0.1), Pose::IDENTITY, material(0.5, 0.0));
        thing.drag = Drag { quadratic: k, ..Drag::default() };
        let thing = world.add(thing).unwrap();
        (0..steps).for_each(|_| world.step(t / steps as f64));
        (world.center(thing).z + z).abs()
    };
    let errors = [300, 600, 1200].map(fall);
    println!("fall with drag: errors {errors:?}, order {:.2}", order(&errors));
    assert!(errors[2] < 2e-5 && order(&errors) > 1.9, "{errors:?}");
}

/// A projectile with quadratic drag has no closed form: held against a Runge-Kutta integration of fourth order with tiny steps.
#[test]
fn projectile_with_drag_converges_with_second_order() {
    let k = 0.01;
    let start = Vec3::new(30.0, 0.0, 30.0);
    let acceleration = |v: Vec3| -GRAVITY * Vec3::Z - k * v.length() * v;
    let (mut x, mut v) = (Vec3::ZERO, start);
    let (n, t) = (20_000, 4.0);
    let h = t / f64::from(n);
    for _ in 0..n {
        let (k1, l1) = (v, acceleration(v));
        let (k2, l2) = (v + 0.5 * h * l1, acceleration(v + 0.5 * h * l1));
        let (k3, l3) = (v + 0.5 * h * l2, acceleration(v + 0.5 * h * l2));
        let (k4, l4) = (v + h * l3, acceleration(v + h * l3));
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    let fly = |steps: usize| {
        let mut world = uncut();
        let mut thing = describe(Kind::Dynamic, ball(0.1), Pose::IDENTITY, material(0.5, 0.0));
        thing.linear_velocity = start;
        thing.drag = Drag { quadratic: k, ..Drag::default() };
        let thing = world.add(thing).unwrap();
        (0..steps).for_each(|_| world.step(t / steps as f64));
        (world.center(thing) - x).length()
    };
    let errors = [400, 800, 1600].map(fly);
    println!("projectile with drag: errors {errors:?}, order {:.2}", order(&errors));
    assert!(errors[2] < 1e-4 && order(&errors) > 1.9, "{errors:?}");
}

fn spinning(moments_of: Vec3, angular: Vec3, steps: usize, t: f64) -> (f64, f64, Vec3) {
    let mut world = weightless();
    let mut thing = BodyDescription::new(
        Kind::Dynamic,
        Pose::IDENTITY,
        vec![ColliderDescription::new(cuboid(moments_of))],
    );
    thing.angular_velocity = angular;
    let thing = world.add(thing).unwrap();
    let (energy, momentum) = (world.energy(), world.angular_momentum(thing));
    let mut off = (0.0f64, 0.0f64);
    for _ in 0..steps {
        world.step(t / steps as f64);
        off.0 = off.0.max((world.energy() / energy - 1.0).abs());
        off.1 = off.1.max((world.angular_momentum(thing) - momentum).length() / momentum.length());
    }
    (off.0, off.1, world.pose(thing).rotate(Vec3::X))
}

/// The unstable axis: a body that turns over and over keeps its momentum to rounding, its energy nearly, and converges.
#[test]
fn spinning_body_keeps_momentum_and_energy() {
    let (size, angular) = (Vec3::new(0.1, 0.4, 1.0), Vec3::new(0.01, 5.0, 0.02));
    let runs = [4000, 8000, 16_000, 32_000].map(|n| spinning(size, angular, n, 10.0));
    for (energy, momentum, _) in runs {
        assert!(momentum < 1e-11, "momentum off by {momentum:e}");
        assert!(energy < 1e-3, "energy off by {energy:e}");
    }
    let errors = [0, 1, 2].map(|i| (runs[i].2 - runs[i + 1].2).length());
    println!("spinning body: differences {errors:?}, order {:.2}", order(&errors));
    assert!(order(&errors) > 1.9, "{errors:?}");
    // Energy stays where it is for a long time.
    let (energy, momentum, _) = spinning(size, angular, 100_000, 1000.0);
    println!("after 1000 s: energy off by {energy:e}, momentum by {momentum:e}");
    assert!(energy < 0.01 && momentum < 1e-10);
}

/// A symmetric top: its axis goes round the angular momentum at |L| / I.
#[test]
fn symmetric_top_precesses() {
    let mut world = weightless();
    let mut top = BodyDescription::new(Kind::Dynamic, Pose::IDENTITY, Vec::new());
    let inertia = freiraum_geometry::Mat3::from_diagonal(Vec3::new(2.0, 2.0, 3.0));
    top.mass = Mass::Given { mass: 1.0, center: Vec3::ZERO, inertia };
    top.angular_velocity = Vec3::new(1.0, 0.0, 4.0);
    let top = world.add(top).unwrap();
    let momentum = world.angular_momentum(top);
    let rate = momentum.length() / 2.0;
    run(&mut world, 3.0, 0.0005);
    let expected = Pose::from_axis_angle(momentum, rate * 3.0).unwrap().rotate(Vec3::Z);
    let found = world.pose(top).rotate(Vec3::Z);
    println!("symmetric top: axis off by {:e}", (found - expected).length());
    assert!((found - expected).length() < 1e-4);
}

/// A ball turns as it should to rounding, whatever the step.
#[test]
fn free_ball_turns_exactly() {
    let mut world = weightless();
    let mut thing = describe(Kind::Dynamic, ball(0.3), Pose::IDENTITY, material(0.5, 0.0));
    thing.angular_velocity = Vec3::new(0.0, 3.0, 4.0);
    let thing = world.add(thing).unwrap();
    run(&mut world, 7.0, 0.1);
    let expected = Pose::from_axis_angle(Vec3::new(0.0, 3.0, 4.0), 35.0).unwrap();
    let off = (world.pose(thing).rotate(Vec3::X) - expected.rotate(Vec3::X)).length();
    assert!(off < 1e-12, "{off:e}");
}
