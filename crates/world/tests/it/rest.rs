//! Bodies that rest, slide, tip and roll.

#![expect(clippy::print_stdout, reason = "measured errors and orders of convergence are shown")]

use crate::common::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_world::dynamics::{BodyId, Engine};

/// A world whose ground is level and whose gravity is tilted by `angle` about y: a slope down towards +x.
fn slope(angle: f64, friction: f64) -> (Engine, BodyId) {
    let mut world = engine();
    world.settings_mut().gravity = GRAVITY * Vec3::new(angle.sin(), 0.0, -angle.cos());
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(friction, 0.0));
    let block = dynamic(
        &mut world,
        cuboid(Vec3::new(0.4, 0.3, 0.1)),
        at(Vec3::new(0.0, 0.0, 0.05)),
        material(friction, 0.0),
    );
    (world, block)
}

#[test]
fn block_below_the_friction_angle_rests_for_a_minute() {
    let friction = 0.5f64;
    for (share, step) in [(0.5, 0.001), (0.9, 0.002), (0.99, 0.01), (0.999, 0.001), (0.99, 1.0 / 60.0)] {
        let (mut world, block) = slope(share * friction.atan(), friction);
        // Near the friction angle it takes a while to lose the little speed of the first step.
        run(&mut world, 5.0, step);
        let start = world.center(block);
        run(&mut world, 60.0, step);
        let creep = (world.center(block) - start).length();
        println!("share {share} of the friction angle, step {step}: creep in a minute {creep:e} m");
        assert!(creep < 1e-9, "{share}, {step}: {creep:e}");
    }
}

#[test]
fn block_above_the_friction_angle_slides_with_the_right_acceleration() {
    let friction = 0.5f64;
    for (share, step) in [(1.001, 0.001), (1.01, 0.001), (1.2, 0.002), (1.5, 0.01)] {
        let angle = share * friction.atan();
        let (mut world, block) = slope(angle, friction);
        run(&mut world, 0.5, step);
        let (x, v) = (world.center(block).x, world.linear_velocity(block).x);
        run(&mut world, 2.0, step);
        let expected = GRAVITY * (angle.sin() - friction * angle.cos());
        let gained = world.linear_velocity(block).x - v;
        let way = world.center(block).x - x - 2.0 * v;
        println!("share {share}: acceleration {} of {expected}, by way {}", gained / 2.0, way / 2.0);
        assert!((gained / 2.0 / expected - 1.0).abs() < 1e-3, "{share}: {}", gained / 2.0);
        assert!((way / 2.0 / expected - 1.0).abs() < 0.02, "{share}: {}", way / 2.0);
    }
}

#[test]
fn sliding_block_stops_where_it_must() {
    // v² / (2 mu g)
    let mut world = engine();
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.4, 0.0));
    let block =
        dynamic(&mut world, cuboid(Vec3::splat(0.2)), at(Vec3::new(0.0, 0.0, 0.1)), material(0.4, 0.0));
    world.set_velocity(block, Vec3::new(2.0, 1.0, 0.0), Vec3::ZERO);
    run(&mut world, 3.0, 0.001);
    let way = world.center(block).with_z(0.0);
    let expected = 5.0 / (2.0 * 0.4 * GRAVITY);
    println!("stops after {} of {expected} m", way.length());
    assert!((way.length() / expected - 1.0).abs() < 0.01);
    assert!(way.cross(Vec3::new(2.0, 1.0, 0.0)).length() < 1e-3, "sideways");
    assert!(world.linear_velocity(block).length() < 1e-9);
}

/// A box on a slope with enough friction tips over if its centre of mass leaves its support: tan(angle) = width / height. It is put down all at once: contacts give a
/// little under the edge that carries it, and the speed with which they do tips it a little too early, in proportion to the step.
#[test]
fn box_tips_at_its_tipping_angle() {
    let tips = |angle: f64, step: f64| {
        let mut world = engine();
        world.settings_mut().gravity = GRAVITY * Vec3::new(angle.sin(), 0.0, -angle.cos());
        fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(2.0, 0.0));
        let size = Vec3::new(0.2, 0.3, 0.6);
        let thing = dynamic(&mut world, cuboid(size), at(Vec3::new(0.0, 0.0, 0.3)), material(2.0, 0.0));
        run(&mut world, 5.0, step);
        world.pose(thing).rotate(Vec3::Z).z < 0.9
    };
    let expected = (0.2f64 / 0.6).atan();
    let errors = [0.002, 0.001, 0.0005].map(|step| {
        let (mut stands, mut falls) = (0.98 * expected, 1.02 * expected);
        assert!(!tips(stands, step) && tips(falls, step));
        for _ in 0..9 {
            let middle = 0.5 * (stands + falls);
            if tips(middle, step) { falls = middle } else { stands = middle }
        }
        println!("step {step}: tips between {stands} and {falls}, expected {expected}");
        (0.5 * (stands + falls) / expected - 1.0).abs()
    });
    println!("tipping angle: off by {errors:?} of it, order {:.2}", order(&errors));
    assert!(errors[0] < 0.005 && errors[1] < 0.0025 && errors[2] < 0.0015, "{errors:?}");
}

/// A ball that is thrown without spin slides first and then rolls with 5/7 of its speed, after 2 v / (7 mu g).
#[test]
fn ball_comes_to_roll_without_slipping() {
    let mut world = engine();
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.3, 0.0));
    let thing = dynamic(&mut world, ball(0.1), at(Vec3::new(0.0, 0.0, 0.1)), material(0.3, 0.0));
    world.set_velocity(thing, Vec3::new(3.5, 0.0, 0.0), Vec3::ZERO);
    let until = 2.0 * 3.5 / (7.0 * 0.3 * GRAVITY);
    run(&mut world, 0.9 * until, until / 1000.0);
    let slip = world.velocity_at(thing, world.center(thing) - 0.1 * Vec3::Z).x;
    assert!(slip > 0.1, "still slides: {slip}");
    run(&mut world, 2.0, until / 1000.0);
    let v = world.linear_velocity(thing).x;
    let slip = world.velocity_at(thing, world.center(thing) - 0.1 * Vec3::Z).x;
    println!("rolls with {v}, expected 2.5; slip {slip:e}");
    assert!((v - 2.5).abs() < 0.005 && slip.abs() < 1e-4);
}

/// A ball rolls down a slope with 5/7 g sin(angle).
#[test]
fn ball_rolls_down_a_slope() {
    let angle = 0.3f64;
    let mut world = engine();
    world.settings_mut().gravity = GRAVITY * Vec3::new(angle.sin(), 0.0, -angle.cos());
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.8, 0.0));
    let thing = dynamic(&mut world, ball(0.1), at(Vec3::new(0.0, 0.0, 0.1)), material(0.8, 0.0));
    let errors = [0.002, 0.001, 0.0005].map(|step| {
        let mut world = world.clone();
        run(&mut world, 2.0, step);
        (world.center(thing).x - 5.0 / 14.0 * GRAVITY * angle.sin() * 4.0).abs()
    });
    println!("rolling down: errors {errors:?}, order {:.2}", order(&errors));
    assert!(errors[2] < 0.01 && order(&errors) > 0.9, "{errors:?}");
}

#[test]
fn stack_of_ten_boxes_stands_for_a_minute() {
    for step in [0.001, 0.002, 0.01, 1.0 / 60.0] {
        let mut world = engine();
        fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
        let boxes: Vec<_> = (0..10)
            .map(|i| {
                let place = Vec3::new(0.0, 0.0, 0.25 + 0.5 * f64::from(i));
                dynamic(&mut world, cuboid(Vec3::splat(0.5)), at(place), material(0.5, 0.0))
            })
            .collect();
        run(&mut world, 60.0, step);
        let sunk = (0..10).map(|i| 0.25 + 0.5 * f64::from(i) - world.center(boxes[i as usize]).z);
        let deepest = sunk.fold(0.0, f64::max);
        let aside = boxes.iter().map(|b| world.center(*b).with_z(0.0).length()).fold(0.0, f64::max);
        println!("stack, step {step}: sunk {deepest:e}, aside {aside:e}");
        let speed = boxes.iter().map(|b| world.linear_velocity(*b).length()).fold(0.0, f64::max);
        // Ten contacts give by what their springs need: in all 11 mm of 5 m at the longest parts of a step.
        assert!(deepest < 0.012 && aside < 1e-4 && speed < 1e-6, "{step}: {deepest} {aside} {speed}");
    }
}

/// A block that is put down on a slope, just touching it, sticks from the first step on.
#[test]
fn block_sticks_from_the_first_step() {
    let friction = 0.5f64;
    for share in [0.5, 0.9, 0.99] {
        for step in [0.0005f64, 0.001, 0.01] {
            let angle = share * friction.atan();
            let (mut world, block) = slope(angle, friction);
            // What it would slip without friction while the first part lasts.
            let part = step.min(0.0025);
            let free = 0.5 * GRAVITY * angle.sin() * part * part;
            run(&mut world, 0.5, step);
            let slip = world.center(block).x;
            println!("share {share}, step {step}: slips by {slip:e} m, {:.3} of a free part", slip / free);
            assert!(slip / free < 0.5, "{share}, {step}: {}", slip / free);
        }
    }
}

/// A cylinder rolls down a slope with 2/3 g sin(angle), a hollow one slower: here with the inertia of a thin tube, 1/2 g sin(angle).
#[test]
fn cylinders_roll_down_a_slope() {
    use freiraum_geometry::Mat3;
    use freiraum_geometry::shape::{Cylinder, Shape};
    use freiraum_world::dynamics::{Kind, Mass};
    let angle = 0.3f64;
    for (share, lever) in [(2.0 / 3.0, 0.5), (0.5, 1.0)] {
        let errors = [0.002, 0.001, 0.0005].map(|step| {
            let mut world = engine();
            world.settings_mut().gravity = GRAVITY * Vec3::new(angle.sin(), 0.0, -angle.cos());
            fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.8, 0.0));
            let lying = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap();
            let shape = Shape::Cylinder(Cylinder::new(0.1, 0.3).unwrap());
            let mut thing =
                describe(Kind::Dynamic, shape, at(Vec3::new(0.0, 0.0, 0.1)) * lying, material(0.8, 0.0));
            let inertia = Mat3::from_diagonal(Vec3::new(0.02, 0.02, lever * 2.0 * 0.01));
            thing.mass = Mass::Given { mass: 2.0, center: Vec3::ZERO, inertia };
            let thing = world.add(thing).unwrap();
            run(&mut world, 1.0, step);
            assert!(world.center(thing).y.abs() < 1e-3, "sideways");
            (world.center(thing).x - 0.5 * share * GRAVITY * angle.sin()).abs()
        });
        // Points of contact go along with the body for 1/128 of its thickness before they are found anew: that stays, however short the step.
        println!("cylinder with {share}: errors {errors:?} m of {}", 0.5 * share * GRAVITY * angle.sin());
        assert!(errors.iter().all(|e| *e < 0.003), "{errors:?}");
    }
}

/// A sheet of a tenth of a millimetre falls onto the ground and stays there: what is held where it touches must not keep the speed that gravity gives it in every step.
#[test]
fn thin_sheets_gain_no_energy_on_the_ground() {
    for step in [0.005, 0.02, 0.05] {
        let mut world = engine();
        fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
        let pose =
            Pose::from_zyx_euler(10f64.to_radians(), 20f64.to_radians(), 0.5, Vec3::new(0.0, 0.0, 0.3))
                .unwrap();
        let sheet = dynamic(&mut world, cuboid(Vec3::new(0.4, 0.4, 1e-4)), pose, material(0.5, 0.0));
        let start = world.energy();
        for _ in 0..(4.0 / step) as usize {
            world.step(step);
            assert!(world.energy() <= start * 1.001, "step {step}: {} of {start}", world.energy());
        }
        let at = world.center(sheet);
        assert!(at.z > 0.0 && at.z < 0.1, "step {step}: {at}");
    }
}
