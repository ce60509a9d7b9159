//! Joints, against closed forms.

#![expect(clippy::print_stdout, reason = "measured errors and orders of convergence are shown")]

use crate::common;
use crate::common::*;
use freiraum_geometry::{Mat3, Pose, Vec3};
use freiraum_world::dynamics::{
    Axis, BodyDescription, BodyId, Engine, Joint, Kind, Mass, Motor, Range, Spring,
};

/// A point mass on a massless rod of 1 m that hangs from the origin, let go at an angle from below.
fn pendulum(angle: f64, is_hinge: bool) -> (Engine, BodyId) {
    let mut world = engine();
    let anchor = world.add(BodyDescription::new(Kind::Fixed, Pose::IDENTITY, Vec::new())).unwrap();
    let place = Vec3::new(angle.sin(), 0.0, -angle.cos());
    let mut bob = BodyDescription::new(Kind::Dynamic, at(place), Vec::new());
    let moment = 1e-6;
    bob.mass =
        Mass::Given { mass: 2.0, center: Vec3::ZERO, inertia: Mat3::from_diagonal(Vec3::splat(moment)) };
    let bob = world.add(bob).unwrap();
    // Axis of the hinge along y.
    let turned = Pose::from_axis_angle(Vec3::X, -std::f64::consts::FRAC_PI_2).unwrap();
    let frames = [turned, at(-place) * turned];
    let joint =
        if is_hinge { Joint::hinge([anchor, bob], frames) } else { Joint::ball([anchor, bob], frames) };
    world.add_joint(joint).unwrap();
    (world, bob)
}

/// Arithmetic-geometric mean, for the period of a pendulum of any amplitude: 2 pi sqrt(l / g) / agm(1, cos(angle / 2)).
fn period(angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::TAU / GRAVITY.sqrt() / a
}

/// After ten swings and a quarter a pendulum is at its lowest point, whatever the amplitude.
#[test]
fn pendulum_swings_with_its_period() {
    for is_hinge in [false, true] {
        for angle in [0.1, 1.5, 3.0] {
            let t = period(angle);
            let errors = [400, 800, 1600].map(|steps| {
                let (mut world, bob) = pendulum(angle, is_hinge);
                world.settings_mut().longest_substep = 1.0;
                let energy = world.energy();
                let step = t / f64::from(steps);
                for _ in 0..41 * steps / 4 {
                    world.step(step);
                    assert!((world.center(bob).length() - 1.0).abs() < 1e-12);
                    // Up and down with the square of the step: not more than a fall of half a step.
                    let gained = (world.energy() - energy) / (2.0 * GRAVITY);
                    assert!(gained < 0.125 * GRAVITY * step * step, "{gained:e} m at {step}");
                }
                world.center(bob).x.abs()
            });
            println!("pendulum at {angle}, hinge {is_hinge}: errors {errors:?}, order {:.2}", order(&errors));
            assert!(errors[2] < 0.005 && order(&errors) > 1.9, "{errors:?}");
        }
    }
}

/// A minute of swinging: never higher than at the start, and hardly lower.
#[test]
fn long_swings_neither_gain_nor_lose() {
    for (step, bound) in [(0.001, 2e-6), (0.01, 2e-5)] {
        let (mut world, bob) = pendulum(1.0, true);
        let energy = world.energy();
        let (mut most, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..(60.0 / step) as usize {
            world.step(step);
            let height = (world.energy() - energy) / (2.0 * GRAVITY);
            (most, least) = (most.max(height), least.min(height));
        }
        println!(
            "a minute of swinging at {step}: energy from {least:e} to {most:e} m above that of the start"
        );
        assert!(most < 1e-12 && least > -bound, "{least:e} {most:e}");
        assert!((world.center(bob).length() - 1.0).abs() < 1e-12);
    }
}

/// Bodies with a long way to go in every direction: chains of boxes on balls and hinges keep their energy and hold together.
#[test]
fn swinging_chains_keep_their_energy() {
    for is_hinge in [false, true] {
        let drift = |step: f64| {
            let mut world = engine();
            let mut last = world.add(BodyDescription::new(Kind::Fixed, Pose::IDENTITY, Vec::new())).unwrap();
            let (mut frame, mut joints) = (Pose::IDENTITY, Vec::new());
            for i in 0..4 {
                let mut link = BodyDescription::new(
                    Kind::Dynamic,
                    at(Vec3::new(0.25 + 0.5 * f64::from(i), 0.0, 0.0)),
                    Vec::new(),
                );
                let inertia = Mat3::from_diagonal(Vec3::new(0.001, 0.02, 0.021));
                link.mass = Mass::Given { mass: 1.0, center: Vec3::ZERO, inertia };
                let link = world.add(link).unwrap();
                // Hinges in turn about two axes.
                let axis = if i % 2 == 0 { Vec3::X } else { Vec3::Y };
                let turned = Pose::from_axis_angle(axis, 1.0).unwrap();
                let frames = [frame * turned, at(Vec3::new(-0.25, 0.0, 0.0)) * turned];
                let joint = if is_hinge { Joint::hinge } else { Joint::ball };
                joints.push(world.add_joint(joint([last, link], frames)).unwrap());
                (last, frame) = (link, at(Vec3::new(0.25, 0.0, 0.0)));
            }
            let energy = world.energy();
            let mut off = 0.0f64;
            for _ in 0..(5.0 / step) as usize {
                world.step(step);
                off = off.max((world.energy() - energy).abs());
                for joint in &joints {
                    let p = world.joint_position(*joint);
                    assert!(p[..3].iter().all(|x| x.abs() < 1e-9), "{p:?}");
                }
            }
            // As a height of all four links.
            off / (4.0 * GRAVITY)
        };
        let errors = [0.002, 0.001, 0.0005].map(drift);
        println!("chain, hinges {is_hinge}: energy off by at most {errors:?} m, order {:.2}", order(&errors));
        assert!(errors[1] < 1e-3 && order(&errors) > 1.5, "{errors:?}");
    }
}

/// A heavy top whose tip is held precesses steadily at the rate W with I1 cos(a) W² - I3 s W + m g l = 0.
#[test]
fn top_precesses_at_its_rate() {
    let (mass, length, across, along) = (2.0, 0.3, 0.02, 0.03);
    let (tilt, spin) = (0.5f64, 100.0);
    // About the tip.
    let i1 = across + mass * length * length;
    let (a, b, c) = (i1 * tilt.cos(), -along * spin, mass * GRAVITY * length);
    let rate = 2.0 * c / (-b + (b * b - 4.0 * a * c).sqrt());
    let errors = [0.002, 0.001, 0.0005].map(|step| {
        let mut world = engine();
        world.settings_mut().longest_substep = 1.0;
        let base = world.add(BodyDescription::new(Kind::Fixed, Pose::IDENTITY, Vec::new())).unwrap();
        let lean = Pose::from_axis_angle(Vec3::Y, tilt).unwrap();
        let axis = lean.rotate(Vec3::Z);
        let mut top = BodyDescription::new(Kind::Dynamic, lean * at(length * Vec3::Z), Vec::new());
        let inertia = Mat3::from_diagonal(Vec3::new(across, across, along));
        top.mass = Mass::Given { mass, center: Vec3::ZERO, inertia };
        // Spin about the axis, the share of the precession about it included.
        top.angular_velocity = (spin - rate * tilt.cos()) * axis + rate * Vec3::Z;
        top.linear_velocity = top.angular_velocity.cross(length * axis);
        let top = world.add(top).unwrap();
        world.add_joint(Joint::ball([base, top], [Pose::IDENTITY, at(-length * Vec3::Z)])).unwrap();
        run(&mut world, 1.0, step);
        let expected = Pose::from_axis_angle(Vec3::Z, rate).unwrap().rotate(axis);
        (world.center(top) / length - expected).length()
    });
    println!("top: axis off by {errors:?}, order {:.2}", order(&errors));
    assert!(errors[1] < 1e-3 && order(&errors) > 1.9, "{errors:?}");
}

fn arm(
    kind: impl Fn([BodyId; 2], [Pose; 2]) -> Joint,
) -> (Engine, BodyId, freiraum_world::dynamics::JointId) {
    let mut world = weightless();
    let base = world.add(BodyDescription::new(Kind::Fixed, Pose::IDENTITY, Vec::new())).unwrap();
    let thing = dynamic(
        &mut world,
        cuboid(Vec3::new(1.0, 0.2, 0.2)),
        at(Vec3::new(0.5, 0.0, 0.0)),
        material(0.5, 0.0),
    );
    let joint =
        world.add_joint(kind([base, thing], [Pose::IDENTITY, at(Vec3::new(-0.5, 0.0, 0.0))])).unwrap();
    (world, thing, joint)
}

#[test]
fn motor_reaches_its_speed_with_its_torque() {
    let (mut world, thing, joint) = arm(Joint::hinge);
    let inertia = world.mass(thing) * ((1.0 + 0.04) / 12.0 + 0.25);
    let most = 10.0;
    world.joint_mut(joint).rotation[2].motor = Some(Motor { speed: 2.0, most });
    run(&mut world, 1.0, 0.001);
    let found = world.joint_speed(joint)[5];
    println!("motor: {found} rad/s of {} after a second", most / inertia);
    assert!((found / (most / inertia) - 1.0).abs() < 0.01);
    run(&mut world, 40.0, 0.002);
    assert!((world.joint_speed(joint)[5] - 2.0).abs() < 1e-3);
    assert!(
        world.joint_position(joint)[..5].iter().all(|x| x.abs() < 1e-4),
        "{:?}",
        world.joint_position(joint)
    );
}

#[test]
fn limits_hold() {
    let (mut world, thing, joint) = arm(Joint::hinge);
    world.joint_mut(joint).rotation[2].range = Range::Between(-0.5, 0.7);
    world.set_velocity(thing, Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 2.0));
    let mut most = 0.0f64;
    for _ in 0..2000 {
        world.step(0.001);
        most = most.max(world.joint_position(joint)[5]);
    }
    println!("limit 0.7: at most {most}");
    assert!((0.69..0.705).contains(&most));
}

#[test]
fn spring_swings_and_rests_where_it_must() {
    let (mut world, thing, joint) = arm(Joint::slider);
    let mass = world.mass(thing);
    let stiffness = 4.0 * mass * std::f64::consts::PI * std::f64::consts::PI;
    world.joint_mut(joint).translation[2] =
        Axis { spring: Some(Spring { rest: 0.0, stiffness, damping: 0.0 }), ..Axis::FREE };
    world.set_velocity(thing, Vec3::Z, Vec3::ZERO);
    // One swing per second, amplitude 1 / (2 pi): after ten swings and an eighth at the root of a half of it.
    let expected = 0.5f64.sqrt() / std::f64::consts::TAU;
    let errors = [0.002, 0.001, 0.0005].map(|step| {
        let mut world = world.clone();
        let energy = world.kinetic_energy(thing);
        run(&mut world, 10.125, step);
        let found = world.joint_position(joint)[2];
        let left = world.kinetic_energy(thing) + 0.5 * stiffness * found * found;
        assert!((left / energy - 1.0).abs() < 1e-4, "{}", left / energy - 1.0);
        (found - expected).abs()
    });
    println!("ten swings on a spring: errors {errors:?}, order {:.2}", order(&errors));
    assert!(errors[1] < 1e-3 && order(&errors) > 1.9, "{errors:?}");
    world.joint_mut(joint).translation[2].spring =
        Some(Spring { rest: 0.1, stiffness, damping: 10.0 * mass });
    run(&mut world, 5.0, 0.001);
    assert!((world.joint_position(joint)[2] - 0.1).abs() < 1e-6);
}

#[test]
fn chain_holds_together() {
    let mut world = engine();
    let mut last = world.add(BodyDescription::new(Kind::Fixed, Pose::IDENTITY, Vec::new())).unwrap();
    let mut frame = Pose::IDENTITY;
    let mut joints = Vec::new();
    for i in 0..10 {
        let place = Vec3::new(0.1 + 0.2 * f64::from(i), 0.0, 0.0);
        let link = dynamic(&mut world, cuboid(Vec3::new(0.16, 0.05, 0.05)), at(place), material(0.5, 0.0));
        joints.push(
            world.add_joint(Joint::ball([last, link], [frame, at(Vec3::new(-0.1, 0.0, 0.0))])).unwrap(),
        );
        (last, frame) = (link, at(Vec3::new(0.1, 0.0, 0.0)));
    }
    let mut widest = 0.0f64;
    for _ in 0..3000 {
        world.step(0.002);
        for joint in &joints {
            let p = world.joint_position(*joint);
            widest = widest.max(Vec3::new(p[0], p[1], p[2]).length());
        }
    }
    println!("chain of ten: joints open by at most {widest:e} m");
    assert!(widest < 0.01);
}

/// A gripper: a heavy body on the ground, a light lever, a lighter palm, and two hands on it, all driven by motors. Nothing comes from nothing, whatever the step.
#[test]
fn light_links_between_heavier_ones_stay_together() {
    for step in [0.001, 0.002, 0.005, 0.01] {
        let mut world = engine();
        let stuff = material(0.6, 0.0);
        fixed(&mut world, common::plane(Vec3::Z), Pose::IDENTITY, stuff);
        let mut part = |size: Vec3, place: Vec3, mass: f64| {
            let mut body = describe(Kind::Dynamic, cuboid(size), at(place), stuff);
            body.mass = Mass::Total(mass);
            world.add(body).unwrap()
        };
        let base = part(Vec3::new(0.06, 0.06, 0.04), Vec3::new(0.0, 0.0, 0.02), 0.08);
        let lever = part(Vec3::new(0.05, 0.01, 0.005), Vec3::new(0.05, 0.0, 0.05), 0.002);
        let palm = part(Vec3::new(0.01, 0.06, 0.01), Vec3::new(0.08, 0.0, 0.05), 0.006);
        let hands = [-0.02, 0.02].map(|y| part(Vec3::new(0.03, 0.004, 0.01), Vec3::new(0.1, y, 0.05), 0.02));
        let about_y = Pose::from_axis_angle(Vec3::X, -std::f64::consts::FRAC_PI_2).unwrap();
        let mut joints = Vec::new();
        for (a, b, place) in
            [(base, lever, Vec3::new(0.025, 0.0, 0.05)), (lever, palm, Vec3::new(0.075, 0.0, 0.05))]
        {
            let frames = [a, b].map(|body| world.pose(body).inverse() * at(place) * about_y);
            joints.push(world.add_joint(Joint::hinge([a, b], frames)).unwrap());
        }
        for (side, hand) in [-0.02, 0.02].into_iter().zip(hands) {
            let place = Vec3::new(0.085, side, 0.05);
            let frames = [palm, hand].map(|body| world.pose(body).inverse() * at(place) * about_y);
            joints.push(world.add_joint(Joint::slider([palm, hand], frames)).unwrap());
        }
        let (mut fastest, mut widest) = (0.0f64, 0.0f64);
        for k in 0..(4.0 / step) as usize {
            // The lever up and down, the hands to and fro.
            let sign = if (k as f64 * step) % 1.0 < 0.5 { 1.0 } else { -1.0 };
            for (at, joint) in joints.iter().enumerate() {
                let motor = Some(Motor {
                    speed: sign * [2.0, -2.0, 0.02, -0.02][at],
                    most: [0.2, 0.1, 1.0, 1.0][at],
                });
                if at < 2 {
                    world.joint_mut(*joint).rotation[2].motor = motor;
                } else {
                    world.joint_mut(*joint).translation[2].motor = motor;
                }
            }
            world.step(step);
            let bodies = [base, lever, palm, hands[0], hands[1]];
            fastest = bodies.iter().map(|b| world.linear_velocity(*b).length()).fold(fastest, f64::max);
            for joint in &joints {
                let p = world.joint_position(*joint);
                widest = widest.max(Vec3::new(p[0], p[1], 0.0).length());
            }
            assert!(world.energy().is_finite(), "step {step}: not a number after {k} steps");
        }
        println!("gripper, step {step}: fastest {fastest} m/s, joints open by at most {widest:e} m");
        assert!(fastest < 3.0 && widest < 0.01, "{step}: {fastest} {widest}");
    }
}

/// A cart of three wheels: two that motors turn, and a caster whose light fork is between the body and the ground. Its energy is that of driving, whatever the step and the ground.
#[test]
fn cart_drives_with_the_speed_of_its_wheels() {
    use freiraum_geometry::shape::{Cylinder, Shape};
    for step in [0.001, 0.002, 0.005, 0.01] {
        let mut world = engine();
        let stuff = material(0.8, 0.0);
        fixed(&mut world, cuboid(Vec3::new(40.0, 40.0, 1.0)), at(Vec3::new(0.0, 0.0, -0.5)), stuff);
        let wheel_shape = |radius: f64, width: f64| Shape::Cylinder(Cylinder::new(radius, width).unwrap());
        let across = Pose::from_axis_angle(Vec3::X, -std::f64::consts::FRAC_PI_2).unwrap();
        let mut part = |shape: Shape, pose: Pose, mass: f64| {
            let mut body = describe(Kind::Dynamic, shape, pose, stuff);
            body.mass = Mass::Total(mass);
            world.add(body).unwrap()
        };
        let body = part(cuboid(Vec3::new(0.4, 0.3, 0.15)), at(Vec3::new(-0.05, 0.0, 0.2)), 9.0);
        let wheels =
            [-0.18, 0.18].map(|y| part(wheel_shape(0.1, 0.04), at(Vec3::new(0.05, y, 0.1)) * across, 0.5));
        let fork = part(cuboid(Vec3::new(0.03, 0.03, 0.05)), at(Vec3::new(-0.2, 0.0, 0.08)), 0.05);
        let caster = part(wheel_shape(0.04, 0.02), at(Vec3::new(-0.23, 0.0, 0.04)) * across, 0.1);
        let mut join = |a: BodyId, b: BodyId, frame: Pose| {
            let frames = [a, b].map(|body| world.pose(body).inverse() * frame);
            world.add_joint(Joint::hinge([a, b], frames)).unwrap()
        };
        let motors =
            [0, 1].map(|k| join(body, wheels[k], at(Vec3::new(0.05, [-0.18, 0.18][k], 0.1)) * across));
        join(body, fork, at(Vec3::new(-0.2, 0.0, 0.1)));
        join(fork, caster, at(Vec3::new(-0.23, 0.0, 0.04)) * across);
        let (mut fastest, mut highest) = (0.0f64, 0.0f64);
        for k in 0..(10.0 / step) as usize {
            let t = k as f64 * step;
            let turn = if t % 4.0 < 2.0 { 1.0 } else { -2.0 };
            for (side, joint) in [-1.0, 1.0].into_iter().zip(motors) {
                world.joint_mut(joint).rotation[2].motor =
                    Some(Motor { speed: 5.0 + side * turn, most: 4.0 });
            }
            world.step(step);
            fastest = fastest.max(world.linear_velocity(body).length());
            highest = highest.max((world.center(body).z - 0.2).abs());
        }
        println!("cart, step {step}: fastest {fastest} m/s, up or down by {highest} m");
        // Half a metre per second, and what the body adds when the cart turns.
        assert!(fastest < 0.6 && highest < 0.006, "{step}: {fastest} {highest}");
    }
}

/// Linkages of bouncing bodies: a step is interrupted when one of them touches the ground, however short what is left or has passed; joints that do not fit by a hair are not pulled together in no time.
#[test]
fn bouncing_linkages_gain_nothing() {
    use freiraum_testkit::random::Random;
    let mut random = Random::new(8);
    let mut most = 0.0f64;
    for case in 0..freiraum_testkit::scale::cases(60) {
        let step = [0.001, 0.002, 0.005, 0.01][case % 4];
        let mut world = engine();
        let stuff = material(0.7, 1.0);
        fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, stuff);
        let mut last: Option<BodyId> = None;
        let lean = Pose::new(random.rotation(), Vec3::new(0.0, 0.0, random.range(0.3, 0.5))).unwrap();
        for k in 0..4 {
            let place = lean * at(Vec3::new(0.05 * f64::from(k), 0.0, 0.0));
            let mut link = describe(Kind::Dynamic, ball(0.015), place, stuff);
            link.mass = Mass::Total([0.07, 0.004, 0.02, 0.004][k as usize]);
            link.linear_velocity = Vec3::new(random.range(-1.0, 1.0), 0.0, -1.0);
            let link = world.add(link).unwrap();
            if let Some(last) = last {
                let half = Vec3::new(0.025, 0.0, 0.0);
                world.add_joint(Joint::hinge([last, link], [at(half), at(-half)])).unwrap();
            }
            last = Some(link);
        }
        let start = world.energy();
        for _ in 0..(2.0 / step) as usize {
            world.step(step);
            most = most.max(world.energy() / start);
            assert!(
                world.energy() < 1.1 * start,
                "case {case}, step {step}: {} of {start} J",
                world.energy()
            );
        }
    }
    println!("bouncing linkages: energy at most {most} of that of the start");
}
