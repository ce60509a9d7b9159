//! Cylinders and cones, pair by pair of features, with times and clearances that follow from a sketch on paper.

use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::{Cone, Cuboid, Cylinder, HalfSpace, Sphere};
use freiraum_geometry::{Pose, Quat, Shape, Vec3};
use freiraum_motion::{
    ClearanceRequest, Feature, Limits, MotionWorkspace, Movable, Verdict, clearance, time_of_contact,
};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_6, PI};

fn cylinder(radius: f64, height: f64) -> Movable {
    Movable::new(Shape::Cylinder(Cylinder::new(radius, height).unwrap()))
}

fn cone(radius: f64, height: f64) -> Movable {
    Movable::new(Shape::Cone(Cone::new(radius, height).unwrap()))
}

fn cuboid(x: f64, y: f64, z: f64) -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()))
}

fn ball(radius: f64) -> Movable {
    Movable::new(Shape::Sphere(Sphere::new(radius).unwrap()))
}

fn floor(height: f64) -> Movable {
    Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, height).unwrap()))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn turned(x: f64, y: f64, z: f64, axis: Vec3, angle: f64) -> Pose {
    Pose::new(Quat::from_axis_angle(axis, angle), Vec3::new(x, y, z)).unwrap()
}

/// b moves, a stands; then with a and b exchanged; then both placed anywhere, and from metres to micrometres and megametres away.
fn check(a: &Movable, pose_a: Pose, b: &Movable, by_b: &dyn Fn(Pose) -> UniformMotion, time: f64) {
    let anywhere =
        Pose::new(Quat::from_axis_angle(Vec3::new(2.0, -1.0, 2.0) / 3.0, 0.7), Vec3::new(0.3, -0.2, 0.5));
    for world in [Pose::IDENTITY, anywhere.unwrap()] {
        let (still, moving) = (UniformMotion::still(world * pose_a), by_b(world));
        for exchanged in [false, true] {
            let mut memory = MotionWorkspace::default();
            let limits = Limits::default();
            let verdict = if exchanged {
                time_of_contact(b, &moving, a, &still, &limits, &mut memory).unwrap()
            } else {
                time_of_contact(a, &still, b, &moving, &limits, &mut memory).unwrap()
            };
            let Verdict::Contact(contact) = verdict else { panic!("{verdict:?} for {time}") };
            let off = (contact.time - time).abs();
            assert!(off <= contact.time_error + 1e-12 && contact.time_error < 1e-11, "{time} {contact:?}");
            assert!((contact.normal.length() - 1.0).abs() < 1e-12, "{contact:?}");
        }
    }
}

fn translated(a: &Movable, pose_a: Pose, b: &Movable, pose_b: Pose, by: Vec3, time: f64) {
    let motion = |world: Pose| UniformMotion::translation(world * pose_b, world.rotate(by));
    check(a, pose_a, b, &motion, time);
}

/// About the z axis.
fn rotated(a: &Movable, pose_a: Pose, b: &Movable, pose_b: Pose, angle: f64, time: f64) {
    rotated_about(Vec3::Z, a, pose_a, b, pose_b, angle, time);
}

fn rotated_about(axis: Vec3, a: &Movable, pose_a: Pose, b: &Movable, pose_b: Pose, angle: f64, time: f64) {
    let motion = |world: Pose| {
        let axis = Axis::new(world.translation(), world.rotate(axis)).unwrap();
        UniformMotion::rotation(world * pose_b, axis, angle)
    };
    check(a, pose_a, b, &motion, time);
}

#[test]
fn translations_of_cylinders() {
    let can = cylinder(0.5, 1.0);
    let down = turned(0.0, 0.0, 2.0, Vec3::X, PI);
    // Corner of a cone on the cap, on the middle of it and beside.
    translated(&can, Pose::IDENTITY, &cone(0.3, 1.0), down, Vec3::new(0.0, 0.0, -2.0), 0.5);
    translated(&can, Pose::IDENTITY, &cone(0.3, 1.0), down, Vec3::new(0.5, 0.25, -2.0), 0.5);
    // The tip on the mantle: it is at x = 2 and goes to x = 0.4 where y is 0.3.
    let tip = turned(2.5, 0.3, 0.1, Vec3::Y, -FRAC_PI_2);
    translated(&can, Pose::IDENTITY, &cone(0.2, 1.0), tip, Vec3::new(-2.0, 0.0, 0.0), 0.8);
    // An edge along y on the mantle, half of the diagonal before the middle of the box.
    let edge = turned(2.0, 0.1, 0.2, Vec3::Y, FRAC_PI_4);
    let half = 0.5 * 2f64.sqrt();
    translated(
        &can,
        Pose::IDENTITY,
        &cuboid(1.0, 3.0, 1.0),
        edge,
        Vec3::new(-2.0, 0.0, 0.0),
        (1.5 - half) / 2.0,
    );
    // The same edge askew: only its distance from the axis counts.
    let askew = Pose::new(
        Quat::from_axis_angle(Vec3::X, 0.4) * Quat::from_axis_angle(Vec3::Y, FRAC_PI_4),
        Vec3::new(2.0, 0.0, 0.0),
    );
    translated(
        &can,
        Pose::IDENTITY,
        &cuboid(1.0, 3.0, 1.0),
        askew.unwrap(),
        Vec3::new(-2.0, 0.0, 0.0),
        (1.5 - half) / 2.0,
    );
    // An edge on the rim: both are in reach at the same time.
    translated(
        &can,
        Pose::IDENTITY,
        &cuboid(1.0, 1.0, 1.0),
        at(2.0, 0.0, 2.0),
        Vec3::new(-2.0, 0.0, -2.0),
        0.5,
    );
    // An edge through the plane of the rim, beside the middle: |y| = 0.3, the edge along x ends at x = 0.4.
    translated(
        &can,
        Pose::IDENTITY,
        &cuboid(1.0, 2.0, 0.2),
        at(1.5, 1.3, 0.0),
        Vec3::new(-1.2, 0.0, 0.0),
        0.5,
    );
    // A face on the rim, from above and from the side.
    let tilted = turned(0.2, 0.1, 2.0, Vec3::Y, FRAC_PI_6);
    let low = 0.5 * 0.75f64.sqrt() + 0.25;
    translated(
        &cuboid(4.0, 4.0, 1.0),
        Pose::IDENTITY,
        &can,
        tilted,
        Vec3::new(0.0, 0.0, -2.0),
        (1.5 - low) / 2.0,
    );
    translated(&floor(0.5), Pose::IDENTITY, &can, tilted, Vec3::new(0.3, 0.0, -2.0), (1.5 - low) / 2.0);
    // Mantle on face: a whole line at once.
    let lying = turned(0.2, 0.1, 2.0, Vec3::X, FRAC_PI_2);
    translated(&cuboid(4.0, 4.0, 1.0), Pose::IDENTITY, &can, lying, Vec3::new(0.0, 0.0, -2.0), 0.5);
    // Parallel axes, shifted by 0.6 across: 0.8 apart along x.
    translated(&can, Pose::IDENTITY, &can, at(2.8, 0.6, 0.3), Vec3::new(-4.0, 0.0, 0.0), 0.5);
    // Coaxial, and cap on cap beside each other.
    translated(&can, Pose::IDENTITY, &can, at(0.0, 0.0, 3.0), Vec3::new(0.0, 0.0, -4.0), 0.5);
    translated(&can, Pose::IDENTITY, &can, at(0.3, 0.2, 3.0), Vec3::new(0.0, 0.0, -4.0), 0.5);
    // Crossed mantles.
    let across = turned(2.0, 0.1, 0.2, Vec3::X, FRAC_PI_2);
    translated(&can, Pose::IDENTITY, &can, across, Vec3::new(-2.0, 0.0, 0.0), 0.5);
    let skew = turned(2.0, 0.05, 0.2, Vec3::X, 0.3);
    translated(&can, Pose::IDENTITY, &can, skew, Vec3::new(-2.0, 0.0, 0.0), 0.5);
    // Rim on rim: in reach across and along at the same time; and across, one below the other, at right angles.
    translated(&can, Pose::IDENTITY, &can, at(2.0, 0.0, 2.0), Vec3::new(-2.0, 0.0, -2.0), 0.5);
    let upright = turned(0.0, 0.0, 2.0, Vec3::X, FRAC_PI_2);
    translated(&can, Pose::IDENTITY, &can, upright, Vec3::new(0.0, 0.0, -2.0), 0.5);
    // A ball on the rim: 0.6 beside it and 0.8 above it when its radius 1 is reached.
    translated(&can, Pose::IDENTITY, &ball(1.0), at(1.1, 0.0, 2.3), Vec3::new(0.0, 0.0, -2.0), 0.5);
}

#[test]
fn translations_of_cones() {
    let (hat, table) = (cone(0.5, 1.0), cuboid(4.0, 4.0, 1.0));
    // Tip and base on a face.
    let down = turned(0.1, 0.2, 2.0, Vec3::X, PI);
    translated(&table, Pose::IDENTITY, &hat, down, Vec3::new(0.3, 0.0, -2.0), 0.5);
    translated(&table, Pose::IDENTITY, &hat, at(0.1, 0.2, 2.0), Vec3::new(0.3, 0.0, -2.0), 0.5);
    // The mantle on a face: turned until a line of it is level.
    let lean = (0.5f64).atan();
    let level = turned(0.0, 0.0, 2.0, Vec3::Y, FRAC_PI_2 + lean);
    let tip = level.transform_point(Vec3::new(0.0, 0.0, 0.5)).z;
    translated(&table, Pose::IDENTITY, &hat, level, Vec3::new(0.0, 0.0, -4.0), (tip - 0.5) / 4.0);
    // A ball beside the mantle: a ball of radius 0.25 touches it where the distance from the line is 0.25.
    let slope = 5f64.sqrt() / 2.0;
    translated(
        &hat,
        Pose::IDENTITY,
        &ball(0.25),
        at(2.0, 0.0, 0.0),
        Vec3::new(-2.0, 0.0, 0.0),
        (1.75 - 0.25 * slope) / 2.0,
    );
    // Mantle on mantle, one upside down: lines in parallel.
    let over = turned(2.0, 0.0, 0.0, Vec3::X, PI);
    translated(&hat, Pose::IDENTITY, &hat, over, Vec3::new(-2.0, 0.0, 0.0), 0.75);
    // Base rim on base rim, tip on tip.
    translated(&hat, Pose::IDENTITY, &hat, at(2.0, 0.0, 0.0), Vec3::new(-2.0, 0.0, 0.0), 0.5);
    translated(
        &hat,
        Pose::IDENTITY,
        &hat,
        turned(0.0, 0.0, 3.0, Vec3::X, PI),
        Vec3::new(0.0, 0.0, -4.0),
        0.5,
    );
    // The mantle and a cylinder across: the line that leans by `lean`, and the axis along y at height 0.
    let pipe = turned(2.0, 0.0, 0.0, Vec3::X, FRAC_PI_2);
    translated(
        &hat,
        Pose::IDENTITY,
        &cylinder(0.25, 3.0),
        pipe,
        Vec3::new(-2.0, 0.0, 0.0),
        (1.75 - 0.25 * slope) / 2.0,
    );
}

#[test]
fn rotations() {
    let can = cylinder(0.2, 1.0);
    // The rim of a rod on the floor: from (1.5, -0.1) about the y axis down to -0.5.
    let rod = turned(1.0, 0.0, 0.0, Vec3::Y, FRAC_PI_2);
    let (far, ahead) = (1.5f64.hypot(0.1), (0.1f64).atan2(1.5));
    rotated_about(
        Vec3::Y,
        &floor(-0.5),
        Pose::IDENTITY,
        &cylinder(0.1, 1.0),
        rod,
        1.0,
        (0.5 / far).asin() - ahead,
    );
    rotated_about(
        Vec3::Y,
        &cuboid(6.0, 6.0, 1.0),
        at(0.0, 0.0, -1.0),
        &cylinder(0.1, 1.0),
        rod,
        1.0,
        (0.5 / far).asin() - ahead,
    );
    // The whole mantle at once: its lowest line and the plane go through the axis.
    let rod = turned(1.0, 0.0, 0.1, Vec3::Y, FRAC_PI_2);
    let slope = HalfSpace::new(Vec3::new(0.5f64.sin(), 0.0, 0.5f64.cos()), 0.0).unwrap();
    let slope = Movable::new(Shape::HalfSpace(slope));
    rotated_about(Vec3::Y, &slope, Pose::IDENTITY, &cylinder(0.1, 1.0), rod, 1.0, 0.5);
    let board = turned(1.5, 0.0, 0.0, Vec3::Y, 0.5);
    let board = Pose::new(board.rotation(), board.rotate(Vec3::new(1.5, 0.0, -0.5))).unwrap();
    rotated_about(Vec3::Y, &cuboid(2.0, 2.0, 1.0), board, &cylinder(0.1, 1.0), rod, 1.0, 0.5);
    // Parallel axes on one circle: the chord between them is twice the radius.
    rotated(&can, at(0.0, 1.0, 0.0), &can, at(1.0, 0.0, 0.3), 2.0, (FRAC_PI_2 - 2.0 * (0.2f64).asin()) / 2.0);
    // Mantle on a face: y of the axis and the radius reach 0.8.
    rotated(&cuboid(6.0, 1.0, 3.0), at(0.0, 1.3, 0.0), &can, at(1.0, 0.0, 0.0), 2.0, (0.6f64).asin() / 2.0);
    // The tip of a cone on the mantle: |p - c| = r on the circle of radius 1 about the axis, as before with radius 0.
    let spike = turned(1.0, -0.5, 0.0, Vec3::X, -FRAC_PI_2);
    rotated(&can, at(0.0, 1.0, 0.0), &cone(0.1, 1.0), spike, 2.0, (FRAC_PI_2 - 2.0 * (0.1f64).asin()) / 2.0);
    // Cap on cap: both in a plane of the axis.
    let first = turned(1.0, -0.5, 0.0, Vec3::X, -FRAC_PI_2);
    let second = turned(-0.5, 1.0, 0.0, Vec3::Y, FRAC_PI_2);
    rotated(&can, second, &can, first, 2.0, FRAC_PI_2 / 2.0);
    // Base of a cone on a cap, tip on a cap.
    rotated(&can, second, &cone(0.2, 1.0), turned(1.0, -0.5, 0.0, Vec3::X, FRAC_PI_2), 2.0, FRAC_PI_2 / 2.0);
    rotated(&can, second, &cone(0.2, 1.0), first, 2.0, FRAC_PI_2 / 2.0);
    // A bar across, above another one that passes below: 0.1 apart where they cross.
    let bar = turned(0.0, 0.0, 0.5, Vec3::Y, FRAC_PI_2);
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let below = UniformMotion::rotation(turned(1.0, 0.0, 0.0, Vec3::X, FRAC_PI_2), axis, 6.0);
    apart(&cylinder(0.2, 3.0), &UniformMotion::still(bar), &can, &below, 0.1);
}

fn apart(a: &Movable, by_a: &dyn Motion, b: &Movable, by_b: &dyn Motion, distance: f64) {
    let mut memory = MotionWorkspace::default();
    let verdict = time_of_contact(a, by_a, b, by_b, &Limits::default(), &mut memory).unwrap();
    assert_eq!(verdict, Verdict::Free);
    let found = clearance(a, by_a, b, by_b, &ClearanceRequest::default(), &mut memory).unwrap();
    assert!((found.distance - distance).abs() <= 1e-9 * distance, "{distance} {found:?}");
    assert!(found.error <= 1.1e-9 * distance && found.lower() <= distance + 1e-13, "{distance} {found:?}");
    for [keeps, least] in [[1.0, 0.999], [0.0, 1.001]] {
        let request = ClearanceRequest::at_least(least * distance);
        let found = clearance(a, by_a, b, by_b, &request, &mut memory).unwrap();
        assert_eq!(found.is_kept, Some(keeps == 1.0), "{distance} {found:?}");
    }
}

#[test]
fn clearances() {
    let can = cylinder(0.5, 1.0);
    let still = UniformMotion::still(Pose::IDENTITY);
    // Past each other: parallel axes, crossed axes, a tip, a rim and an edge.
    apart(
        &can,
        &still,
        &can,
        &UniformMotion::translation(at(-2.0, 1.25, 0.3), Vec3::new(5.0, 0.0, 0.0)),
        0.25,
    );
    let across = turned(1.25, 0.1, -3.0, Vec3::X, FRAC_PI_2);
    apart(&can, &still, &can, &UniformMotion::translation(across, Vec3::new(0.0, 0.0, 5.0)), 0.25);
    let tip = turned(-2.0, 0.0, 1.25, Vec3::X, PI);
    apart(&can, &still, &cone(0.3, 1.0), &UniformMotion::translation(tip, Vec3::new(5.0, 0.0, 0.0)), 0.25);
    let (third, fourth) = (0.3, 0.4);
    let edge = UniformMotion::translation(at(1.0 + third, -3.0, 1.0 + fourth), Vec3::new(0.0, 7.0, 0.0));
    apart(&can, &still, &cuboid(1.0, 1.0, 1.0), &edge, 0.5);
    // Down to a gap, and along a face.
    let down = UniformMotion::translation(at(0.2, 0.0, 3.0), Vec3::new(0.1, 0.0, -1.75));
    apart(&cuboid(4.0, 4.0, 1.0), &still, &can, &down, 0.25);
    apart(&floor(0.5), &still, &can, &down, 0.25);
    let along =
        UniformMotion::translation(turned(0.0, 0.0, 1.25, Vec3::X, FRAC_PI_2), Vec3::new(1.0, 0.3, 0.0));
    apart(&cuboid(9.0, 9.0, 1.0), &still, &can, &along, 0.25);
    // About its own axis, about that of the other, and about one across.
    let own = Axis::new(Vec3::new(1.25, 0.0, 7.0), Vec3::Z).unwrap();
    let spin = UniformMotion::rotation(at(1.25, 0.0, 0.0), own, 100.0);
    apart(&can, &still, &can, &spin, 0.25);
    apart(
        &can,
        &still,
        &cuboid(1.0, 1.0, 1.0),
        &UniformMotion::rotation(at(1.25, 0.0, 0.0), Axis::new(Vec3::ZERO, Vec3::Z).unwrap(), 20.0),
        0.25,
    );
    let about_x = Axis::new(Vec3::new(0.0, 0.2, 0.1), Vec3::X).unwrap();
    apart(&can, &still, &can, &UniformMotion::rotation(at(1.25, 0.0, 0.0), about_x, 3.0), 0.25);
}

#[test]
fn features_are_named() {
    let can = cylinder(0.5, 1.0);
    let still = UniformMotion::still(Pose::IDENTITY);
    let mut memory = MotionWorkspace::default();
    let mut feature = |from: Pose, by: Vec3| {
        let motion = UniformMotion::translation(from, by);
        let down = cone(0.1, 1.0);
        match time_of_contact(&can, &still, &down, &motion, &Limits::default(), &mut memory).unwrap() {
            Verdict::Contact(contact) => contact.feature_a,
            other => panic!("{other:?}"),
        }
    };
    let down = |x: f64| turned(x, 0.0, 2.0, Vec3::X, PI);
    assert_eq!(feature(down(0.2), Vec3::new(0.0, 0.0, -2.0)), Feature::Face(2));
    assert_eq!(feature(down(0.5), Vec3::new(0.0, 0.0, -2.0)), Feature::Rim(1));
    assert_eq!(
        feature(turned(2.5, 0.3, 0.1, Vec3::Y, -FRAC_PI_2), Vec3::new(-2.0, 0.0, 0.0)),
        Feature::Face(0)
    );
}

#[test]
fn two_half_spaces() {
    let (below, above) = (floor(0.0), floor(0.0));
    let still = UniformMotion::still(Pose::IDENTITY);
    let over = turned(0.3, 0.0, 1.0, Vec3::X, PI);
    let mut memory = MotionWorkspace::default();
    let mut contact = |by: UniformMotion| {
        time_of_contact(&below, &still, &above, &by, &Limits::default(), &mut memory).unwrap()
    };
    let time = |verdict: Verdict| match verdict {
        Verdict::Contact(contact) => contact.time,
        other => panic!("{other:?}"),
    };
    let down = contact(UniformMotion::translation(over, Vec3::new(5.0, 0.0, -4.0)));
    assert!((time(down) - 0.25).abs() < 1e-15);
    assert_eq!(time(contact(UniformMotion::translation(over, Vec3::new(0.0, 0.0, -1.0)))), 1.0);
    for by in [Vec3::X, Vec3::Z, Vec3::new(3.0, 2.0, -0.75)] {
        assert_eq!(contact(UniformMotion::translation(over, by)), Verdict::Free);
    }
    let spin = UniformMotion::rotation(over, Axis::new(Vec3::X, Vec3::Z).unwrap(), 5.0);
    let tilt = UniformMotion::rotation(over, Axis::new(Vec3::X, Vec3::Y).unwrap(), 0.5);
    assert_eq!(contact(spin), Verdict::Free);
    assert_eq!(time(contact(tilt)), 0.0);
    let sink = UniformMotion::translation(over, Vec3::new(3.0, 2.0, -0.75));
    apart(&below, &still, &above, &sink, 0.25);
    apart(&below, &still, &above, &spin, 1.0);
    let tilted = clearance(&below, &still, &above, &tilt, &ClearanceRequest::default(), &mut memory).unwrap();
    assert_eq!(tilted.distance, 0.0);
}

/// Bodies that reach a half space at the end of the motion, up to rounding, reach it.
#[test]
fn the_end_of_a_motion_on_a_plane() {
    let mut memory = MotionWorkspace::default();
    for body in [cuboid(1.0, 1.0, 1.0), ball(0.5), cylinder(0.5, 1.0), cone(0.5, 1.0)] {
        for height in [0.1, 0.3, 0.7, 1.1] {
            let plane = floor(0.1);
            let by = UniformMotion::translation(at(0.0, 0.0, height + 0.6), Vec3::new(0.0, 0.0, -height));
            let still = UniformMotion::still(Pose::IDENTITY);
            let verdict =
                time_of_contact(&plane, &still, &body, &by, &Limits::default(), &mut memory).unwrap();
            let Verdict::Contact(contact) = verdict else { panic!("{verdict:?} {height}") };
            assert!((contact.time - 1.0).abs() < 1e-13, "{contact:?}");
        }
    }
}
