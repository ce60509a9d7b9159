//! Overlaps with known ends.

use super::*;
use crate::sweep::MotionWorkspace;
use freiraum_geometry::path::{Axis, Sequence, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Compound, Cone, Cuboid, Cylinder, HalfSpace, Part, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::PI;
use std::sync::Arc;

fn cuboid(x: f64, y: f64, z: f64) -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()))
}

/// The intervals; all of them exact.
fn ask(a: &Movable, motion_a: &dyn Motion, b: &Movable, motion_b: &dyn Motion) -> Vec<[f64; 2]> {
    let memory = &mut MotionWorkspace::default();
    let found = overlap_intervals(a, motion_a, b, motion_b, &OverlapRequest::default(), memory).unwrap();
    let of = |interval: &OverlapInterval| {
        assert!(interval.is_decided && interval.unseen == 0.0, "{interval:?}");
        assert!(interval.error.into_iter().all(|error| (0.0..1e-12).contains(&error)), "{interval:?}");
        interval.time
    };
    found.iter().map(of).collect()
}

fn check(a: &Movable, b: &Movable, motion: UniformMotion, expected: &[[f64; 2]]) {
    let still = UniformMotion::still(Pose::IDENTITY);
    let found = ask(a, &still, b, &motion);
    let near = |x: &[f64; 2], y: &[f64; 2]| (x[0] - y[0]).abs() < 1e-12 && (x[1] - y[1]).abs() < 1e-12;
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(|(x, y)| near(x, y)),
        "{found:?} instead of {expected:?}"
    );
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

#[test]
fn a_box_that_passes_through_another_is_inside_for_a_while() {
    // It enters at x = -1.5 and leaves at 1.5; between -0.5 and 0.5 it is all inside.
    let pass = UniformMotion::translation(at(-5.0, 0.0, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&cuboid(2.0, 2.0, 2.0), &cuboid(1.0, 1.0, 1.0), pass, &[[0.35, 0.65]]);
    check(&cuboid(1.0, 1.0, 1.0), &cuboid(2.0, 2.0, 2.0), pass, &[[0.35, 0.65]]);
    let beside = UniformMotion::translation(at(-5.0, 1.6, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&cuboid(2.0, 2.0, 2.0), &cuboid(1.0, 1.0, 1.0), beside, &[]);
    // Sliding along the side touches.
    let along = UniformMotion::translation(at(-5.0, 1.5, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&cuboid(2.0, 2.0, 2.0), &cuboid(1.0, 1.0, 1.0), along, &[[0.35, 0.65]]);
}

#[test]
fn a_turning_bar_meets_a_post_twice_in_a_turn() {
    let bar = cuboid(4.0, 0.2, 0.2);
    let post = cuboid(0.2, 0.2, 1.0);
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let start = Pose::from_axis_angle(Vec3::Z, PI / 2.0).unwrap();
    // The post is at x = 1.5: a corner (1.4, ±0.1) is met by the side of the bar at height 0.1.
    let post_motion = UniformMotion::still(at(1.5, 0.0, 0.0));
    let turn = UniformMotion::rotation(start, axis, 2.0 * PI);
    let found = ask(&post, &post_motion, &bar, &turn);
    let reach = 2.0 * (0.1f64 / 1.4).atan();
    let quarter = 0.25;
    let half = reach / (2.0 * PI);
    assert_eq!(found.len(), 2, "{found:?}");
    for (span, middle) in found.iter().zip([quarter, 3.0 * quarter]) {
        assert!(
            (span[0] - (middle - half)).abs() < 1e-12 && (span[1] - (middle + half)).abs() < 1e-12,
            "{found:?}"
        );
    }
    // Three turns: six times.
    let turns = UniformMotion::rotation(start, axis, 6.0 * PI);
    let found = ask(&post, &post_motion, &bar, &turns);
    assert_eq!(found.len(), 6, "{found:?}");
}

fn ball(radius: f64) -> Movable {
    Movable::new(Shape::Sphere(Sphere::new(radius).unwrap()))
}

fn table() -> Movable {
    Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()))
}

#[test]
fn round_bodies_have_one_interval_on_a_straight_way() {
    let pass = |y: f64| UniformMotion::translation(at(-5.0, y, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&ball(1.0), &ball(1.0), pass(0.0), &[[0.3, 0.7]]);
    // 1.2² + 1.6² = 2².
    check(&ball(1.0), &ball(1.0), pass(1.6), &[[0.38, 0.62]]);
    check(&ball(1.0), &ball(1.0), pass(2.1), &[]);
    // All inside for a while.
    check(&cuboid(4.0, 4.0, 4.0), &ball(1.0), pass(0.0), &[[0.2, 0.8]]);
    let capsule = Movable::new(Shape::Capsule(Capsule::new(0.5, 2.0).unwrap()));
    check(&capsule, &ball(0.5), pass(0.0), &[[0.4, 0.6]]);
    check(&capsule, &cuboid(1.0, 1.0, 1.0), pass(0.0), &[[0.4, 0.6]]);
}

#[test]
fn the_side_of_a_plane_is_known_exactly() {
    let down = UniformMotion::translation(at(0.0, 0.0, 3.0), Vec3::new(1.0, 0.0, -4.0));
    check(&table(), &ball(1.0), down, &[[0.5, 1.0]]);
    check(&table(), &cuboid(2.0, 2.0, 2.0), down, &[[0.5, 1.0]]);
    let up = UniformMotion::translation(at(0.0, 0.0, -1.0), Vec3::new(1.0, 0.0, 4.0));
    check(&table(), &ball(1.0), up, &[[0.0, 0.5]]);
    // A ball on a circle of radius 2 about an axis 1.5 above the plane: below it where 2 sin < -1.5 + 0.5.
    let axis = Axis::new(Vec3::new(0.0, 0.0, 1.5), Vec3::NEG_Y).unwrap();
    let turns = UniformMotion::rotation(at(2.0, 0.0, 1.5), axis, 4.0 * PI);
    let [from, to] = [7.0 / 24.0, 11.0 / 24.0];
    check(&table(), &ball(0.5), turns, &[[from, to], [from + 0.5, to + 0.5]]);
    // Between a table and a body that only slides on it there is always contact.
    let slide = UniformMotion::translation(at(0.0, 0.0, 1.0), Vec3::X);
    check(&table(), &cuboid(2.0, 2.0, 2.0), slide, &[[0.0, 1.0]]);
}

/// As `check`, for methods by steps: ends within the stated errors, which are small, and unseen gaps no longer than the resolution.
fn check_near(a: &Movable, b: &Movable, motion: &dyn Motion, expected: &[[f64; 2]]) {
    let still = UniformMotion::still(Pose::IDENTITY);
    for (a, motion_a, b, motion_b) in [(a, &still as &dyn Motion, b, motion), (b, motion, a, &still)] {
        let memory = &mut MotionWorkspace::default();
        let found = overlap_intervals(a, motion_a, b, motion_b, &OverlapRequest::default(), memory).unwrap();
        assert_eq!(found.len(), expected.len(), "{found:?} instead of {expected:?}");
        for (interval, expected) in found.iter().zip(expected) {
            assert!(interval.is_decided && interval.unseen <= 1.0 / 1024.0, "{interval:?}");
            for k in 0..2 {
                let off = (interval.time[k] - expected[k]).abs();
                assert!(
                    off <= interval.error[k] + 1e-8 && interval.error[k] < 1e-6,
                    "{found:?} {expected:?}"
                );
            }
        }
    }
}

#[test]
fn steps_find_the_ends_of_overlaps() {
    let cylinder = Movable::new(Shape::Cylinder(Cylinder::new(0.5, 2.0).unwrap()));
    let cone = Movable::new(Shape::Cone(Cone::new(0.5, 2.0).unwrap()));
    let pass = UniformMotion::translation(at(-5.0, 0.0, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check_near(&cylinder, &ball(0.5), &pass, &[[0.4, 0.6]]);
    check_near(&cylinder, &cuboid(1.0, 1.0, 1.0), &pass, &[[0.4, 0.6]]);
    // The cone is 0.25 wide at the middle of the ball, whose side is leaning.
    let fall = UniformMotion::translation(at(0.0, 0.0, 4.0), Vec3::new(0.0, 0.0, -10.0));
    check_near(&table(), &cone, &fall, &[[0.3, 1.0]]);
    // A post that a ball on an arm of length 3 meets once in a turn: the chord 2 · 3 sin(φ/2) is 1.
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let turn = UniformMotion::rotation(at(-3.0, 0.0, 0.0), axis, 2.0 * PI);
    let half = 2.0 * (1.0f64 / 6.0).asin() / (2.0 * PI);
    let post = |shape: Shape| {
        let part = Part { compound_from_part: at(3.0, 0.0, 0.0), shape };
        Movable::new(Shape::Compound(Compound::new(vec![part]).unwrap()))
    };
    for shape in
        [Shape::Cylinder(Cylinder::new(0.5, 2.0).unwrap()), Shape::Capsule(Capsule::new(0.5, 1.0).unwrap())]
    {
        check_near(&post(shape), &ball(0.5), &turn, &[[0.5 - half, 0.5 + half]]);
    }
    // A screw through a plate: the ball is beside it before and after.
    let plate = cuboid(10.0, 10.0, 0.2);
    let screw = UniformMotion::screw(at(1.0, 0.0, -2.0), axis, 4.0 * PI, 4.0);
    check_near(&plate, &ball(0.3), &screw, &[[0.4, 0.6]]);
    check_near(&plate, &cuboid(0.6, 0.6, 0.6), &screw, &[[0.4, 0.6]]);
    // There and back again, with a rest inside: one after the other.
    let inside = at(0.0, 0.0, 0.0);
    let path = Sequence::new(vec![
        (0.25, Arc::new(UniformMotion::translation(at(-5.0, 0.0, 0.0), Vec3::new(5.0, 0.0, 0.0)))),
        (0.25, Arc::new(UniformMotion::still(inside))),
        (0.25, Arc::new(Straight::new(inside, Pose::from_axis_angle(Vec3::Z, 1.0).unwrap()))),
        (0.25, Arc::new(Straight::new(Pose::from_axis_angle(Vec3::Z, 1.0).unwrap(), at(5.0, 0.0, 0.0)))),
    ])
    .unwrap();
    check_near(&ball(0.5), &ball(0.5), &path, &[[0.2, 0.8]]);
    check_near(&cylinder, &ball(0.5), &path, &[[0.2, 0.8]]);
}

#[test]
fn contacts_of_one_instant_are_intervals() {
    // Each of the four corners of a turning box just reaches the wall.
    let wall = cuboid(1.0, 10.0, 1.0);
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let reach = (1.0f64 + 0.25).sqrt();
    let wall_at = UniformMotion::still(at(reach + 0.5, 0.0, 0.0));
    let turn = UniformMotion::rotation(Pose::IDENTITY, axis, 2.0 * PI);
    let (request, memory) = (OverlapRequest::default(), &mut MotionWorkspace::default());
    let found = overlap_intervals(&wall, &wall_at, &cuboid(2.0, 1.0, 1.0), &turn, &request, memory).unwrap();
    assert_eq!(found.len(), 4, "{found:?}");
    let corner = 0.5f64.atan2(1.0) / (2.0 * PI);
    for (interval, t) in found.iter().zip([corner, 0.5 - corner, 0.5 + corner, 1.0 - corner]) {
        let [from, to] = interval.outer();
        assert!(interval.unseen == 0.0 && from <= t && t <= to && to - from < 1e-6, "{found:?} {t}");
    }
    // At the start and at the end.
    check(&ball(1.0), &ball(1.0), UniformMotion::translation(at(2.0, 0.0, 0.0), Vec3::X), &[[0.0, 0.0]]);
    check(&ball(1.0), &ball(1.0), UniformMotion::translation(at(-3.0, 0.0, 0.0), Vec3::X), &[[1.0, 1.0]]);
}

#[test]
fn what_a_budget_leaves_open_is_listed() {
    let still = UniformMotion::still(Pose::IDENTITY);
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let screw = UniformMotion::screw(at(1.0, 0.0, -2.0), axis, 4.0 * PI, 4.0);
    let (plate, cube) = (cuboid(10.0, 10.0, 0.2), cuboid(0.6, 0.6, 0.6));
    let limits = crate::Limits { budget: 1, ..Default::default() };
    let request = OverlapRequest { limits, resolution: 1.0 / 64.0 };
    let found =
        overlap_intervals(&plate, &still, &cube, &screw, &request, &mut MotionWorkspace::default()).unwrap();
    let open: f64 = found.iter().filter(|i| !i.is_decided).map(|i| i.time[1] - i.time[0]).sum();
    assert!(open > 1e-4, "{found:?}");
    for free in free_between(&found) {
        assert!(free[1] <= 0.4 + 1e-9 || free[0] >= 0.6 - 1e-9, "{found:?}");
    }
    assert!(found.iter().any(|i| i.is_decided && i.time[0] < 0.5 && i.time[1] > 0.5), "{found:?}");
}

#[test]
fn what_no_interval_reaches_is_free() {
    let interval = |from: f64, to: f64, error: f64| OverlapInterval {
        time: [from, to],
        error: [error; 2],
        unseen: 0.0,
        is_decided: true,
    };
    assert_eq!(free_between(&[]), [[0.0, 1.0]]);
    assert_eq!(free_between(&[interval(0.0, 1.0, 0.0)]), [] as [[f64; 2]; 0]);
    let some = [interval(0.5, 0.625, 0.125), interval(0.125, 0.25, 0.0), interval(0.0, 0.0, 0.0)];
    assert_eq!(free_between(&some), [[0.0, 0.125], [0.25, 0.375], [0.75, 1.0]]);
}

/// What lasts for all turns is one interval, found in the first turn; memory does not grow with a thousand
/// looks for each turn.
#[test]
fn overlaps_of_many_turns_are_those_of_one() {
    let mut memory = MotionWorkspace::default();
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let request = OverlapRequest::default();
    let disc = Movable::new(Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()));
    let (still, base) = (UniformMotion::still(Pose::IDENTITY), cuboid(1.0, 1.0, 1.0));
    let mut ask = |start: Pose, turns: f64| {
        let turn = UniformMotion::rotation(start, axis, 2.0 * PI * turns);
        overlap_intervals(&disc, &turn, &base, &still, &request, &mut memory).unwrap()
    };
    let found = ask(at(0.0, 0.0, 0.9999), 100_000.0);
    assert_eq!(found.len(), 1, "{:?}", &found[..2]);
    assert!(found[0].is_decided && found[0].outer() == [0.0, 1.0] && found[0].unseen <= 1.1e-8, "{found:?}");
    // Beside the axis the disc meets the corners of the box again and again.
    let start = at(1.15, 0.0, 0.5);
    let (once, often) = (ask(start, 1.0), ask(start, 50.0));
    assert!(once.len() >= 4, "{once:?}");
    let inner = |found: &[OverlapInterval]| found.iter().map(|i| i.time[1] - i.time[0]).sum::<f64>();
    assert!((inner(&once) - inner(&often)).abs() < 1e-4, "{once:?}");
    for interval in &often {
        let phase = (interval.time[0] * 50.0).fract();
        let near = once.iter().map(|one| (one.time[0] - phase).abs().min((one.time[1] - phase).abs()));
        assert!(near.fold(1.0, f64::min) < 1e-3 || phase < 1e-6, "{phase} {once:?}");
    }
}
