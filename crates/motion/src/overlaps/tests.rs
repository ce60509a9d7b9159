//! Overlaps with known ends.

use super::*;
use crate::path::{Axis, UniformMotion};
use crate::sweep::MotionWorkspace;
use freiraum_geometry::shape::{Cuboid, Shape};
use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::PI;

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
