//! A disc 0.3 mm deep in a block turned once: overlap. It turned 100 000 times: free. What bodies are allowed depends on them, not on the length of their motion.

use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::{Cuboid, Cylinder, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict};
use freiraum_testkit::models::prism;
use std::f64::consts::TAU;
use std::sync::Arc;

const TURNS: [f64; 7] = [1.0, 2.5, 100.0, 1e3, 1e4, 1e5, 1e6];

/// A disc about y, 100 mm wide and 10 mm thick, as a cylinder and as a prism of 48 sides with a corner below.
fn discs() -> [Shape; 2] {
    let outline: Vec<(f64, f64)> = (0..48)
        .map(|k| TAU * f64::from(k) / 48.0)
        .map(|angle| (0.05 * angle.cos(), 0.05 * angle.sin()))
        .collect();
    let (vertices, faces) = prism(&outline, 0.01);
    let vertices = vertices.into_iter().map(|p| p - 0.005 * Vec3::Z).collect();
    [
        Shape::Cylinder(Cylinder::new(0.05, 0.01).unwrap()),
        Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap())),
    ]
}

fn block() -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap()))
}

/// On its rim, its lowest point at the height z, its axis along y.
fn upright(z: f64) -> Pose {
    Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.05 + z))
        * Pose::from_axis_angle(Vec3::X, 90f64.to_radians()).unwrap()
}

fn ask(disc: &Shape, motion: &dyn Motion) -> Verdict {
    let still = UniformMotion::still(Pose::IDENTITY);
    let (a, b) = (Movable::new(disc.clone()), block());
    let mut memory = MotionWorkspace::default();
    time_of_contact_with_allowance(&a, motion, &b, &still, 0.0, &Limits::default(), &mut memory).unwrap()
}

fn is_blocked(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::OverlapAtStart | Verdict::Contact(_))
}

#[test]
fn the_rim_deep_in_the_block_overlaps_however_often_it_turns() {
    for depth in [1e-5, 1e-4, 3e-4, 1e-3] {
        for disc in &discs() {
            for turns in TURNS {
                let start = upright(-depth);
                let axis = Axis::new(start.translation(), Vec3::Y).unwrap();
                let verdict = ask(disc, &UniformMotion::rotation(start, axis, turns * TAU));
                assert!(is_blocked(verdict), "{depth} m deep, {turns} turns: {verdict:?}");
                let screw = UniformMotion::screw(start, axis, turns * TAU, 0.01);
                let verdict = ask(disc, &screw);
                assert!(is_blocked(verdict), "{depth} m deep, {turns} turns of a screw: {verdict:?}");
            }
        }
    }
}

#[test]
fn a_disc_that_lies_deep_in_the_block_overlaps_however_often_it_turns() {
    for disc in &discs() {
        for turns in TURNS {
            let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.005 - 3e-4));
            let axis = Axis::new(start.translation(), Vec3::Z).unwrap();
            let verdict = ask(disc, &UniformMotion::rotation(start, axis, turns * TAU));
            assert!(is_blocked(verdict), "{turns} turns: {verdict:?}");
        }
    }
}

/// A long way does not make room either.
#[test]
fn a_disc_that_travels_far_overlaps_all_the_same() {
    for disc in &discs() {
        for length in [1.0, 1e3, 1e6] {
            let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.005 - 3e-4));
            let verdict = ask(disc, &UniformMotion::translation(start, length * Vec3::Z));
            assert!(is_blocked(verdict), "up by {length} m: {verdict:?}");
        }
    }
}

/// What lies on the block turns on it, and does not touch it a second time.
#[test]
fn a_disc_that_lies_on_the_block_turns_as_often_as_it_likes() {
    for disc in &discs() {
        for turns in TURNS {
            let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.005));
            let axis = Axis::new(start.translation(), Vec3::Z).unwrap();
            let verdict = ask(disc, &UniformMotion::rotation(start, axis, turns * TAU));
            assert_eq!(verdict, Verdict::Free, "{turns} turns");
        }
    }
}
