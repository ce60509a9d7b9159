//! Screws that turn in holes: next to the wall all the way.

use crate::common;
use crate::common::{at, movable, peg, ring};
use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::{Cone, Cylinder, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{
    ClearanceRequest, Limits, MotionWorkspace, Movable, Verdict, clearance, time_of_contact,
};
use freiraum_query::distance;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::{PI, TAU};

fn hole(n: usize, radius: f64) -> Movable {
    movable(ring(&vec![radius; n], &vec![0.01; n], [0.0, 0.02], 0.0))
}

fn z_axis() -> Axis {
    Axis::new(Vec3::ZERO, Vec3::Z).unwrap()
}

/// The clearance is that of a corner over the middle of a side, proven with a budget that does not reach far by steps.
#[test]
fn a_screw_turns_out_of_its_hole() {
    let mut memory = MotionWorkspace::default();
    let still = UniformMotion::still(Pose::IDENTITY);
    for (n, m, turns) in [(48, 48, 3.0), (31, 48, -2.0)] {
        let (hole, screw) = (hole(m, 0.0026), movable(peg(n, 0.0025, [0.0, 0.02], 0.1)));
        let by = UniformMotion::screw(Pose::IDENTITY, z_axis(), turns * TAU, 0.021);
        let room = 0.0026 * (PI / m as f64).cos() - 0.0025;
        let limits = Limits { budget: 20_000, ..Limits::default() };
        let verdict = time_of_contact(&hole, &still, &screw, &by, &limits, &mut memory).unwrap();
        assert_eq!(verdict, Verdict::Free);
        let limits = Limits { budget: 200_000, ..Limits::default() };
        let request = ClearanceRequest { limits, ..ClearanceRequest::default() };
        let found = clearance(&hole, &still, &screw, &by, &request, &mut memory).unwrap();
        assert!((found.distance - room).abs() < 1e-9 * room + 1e-15, "{found:?} {room}");
        assert!(found.error < 2e-9 * room + 1e-15, "{found:?}");
        // As wide as the hole, with an allowance.
        let tight = self::hole(m, 0.0025);
        let limits = Limits { budget: 20_000, ..Limits::default() };
        let verdict =
            time_of_contact_with_allowance(&tight, &still, &screw, &by, 2e-5, &limits, &mut memory).unwrap();
        assert_eq!(verdict, Verdict::Free);
    }
}

/// A hole that is too narrow half way up stops the screw there.
#[test]
fn a_screw_that_does_not_fit_is_stopped() {
    let mut memory = MotionWorkspace::default();
    let (still, screw) = (UniformMotion::still(Pose::IDENTITY), movable(peg(12, 0.0025, [0.0, 0.02], 0.1)));
    let narrow = movable(ring(&[0.0024; 12], &[0.01; 12], [0.03, 0.04], 0.0));
    let by = UniformMotion::screw(Pose::IDENTITY, z_axis(), 3.0 * TAU, 0.02);
    match time_of_contact(&narrow, &still, &screw, &by, &Limits::default(), &mut memory).unwrap() {
        Verdict::Contact(contact) => assert!((contact.time - 0.5).abs() < 1e-6, "{contact:?}"),
        other => panic!("{other:?}"),
    }
}

/// What is round about the axis of its screw moves straight on for all that can be seen: times are those of the translation, and points
/// are where the bodies are.
#[test]
fn round_bodies_that_turn_about_themselves() {
    let mut random = Random::new(51);
    let mut memory = MotionWorkspace::default();
    let mut contacts = 0;
    for case in 0..cases(60) {
        let round = match case % 2 {
            0 => Shape::Cylinder(Cylinder::new(0.3, 0.8).unwrap()),
            _ => Shape::Cone(Cone::new(0.3, 0.8).unwrap()),
        };
        let (round, block) = (Movable::new(round), Movable::new(common::cuboid(0.5, 0.7, 0.9)));
        let turned = Pose::new(random.rotation(), random.in_cube(1.0)).unwrap();
        let axis = Axis::new(turned.translation(), turned.rotate(Vec3::Z)).unwrap();
        let beside = random.in_cube(0.7);
        let from = turned.translation() + 2.0 * axis.direction + beside
            - beside.dot(axis.direction) * axis.direction;
        let place = Pose::new(random.rotation(), from).unwrap();
        let turns = random.range(-3.0, 3.0) * TAU;
        // Either the round body comes to the block, or the block to the round body.
        let (screw, straight, other) = if case % 4 < 2 {
            let by = 3.0 * axis.direction;
            (
                UniformMotion::screw(turned, axis, turns, 3.0),
                UniformMotion::translation(turned, by),
                UniformMotion::still(place),
            )
        } else {
            let by = -3.0 * axis.direction;
            (
                UniformMotion::screw(place, axis, turns, -3.0),
                UniformMotion::translation(place, by),
                UniformMotion::still(turned),
            )
        };
        let (moving, standing) = if case % 4 < 2 { (&round, &block) } else { (&block, &round) };
        let limits = Limits::default();
        let found = time_of_contact(standing, &other, moving, &screw, &limits, &mut memory).unwrap();
        let expected = time_of_contact(standing, &other, moving, &straight, &limits, &mut memory).unwrap();
        match (found, expected) {
            (Verdict::Contact(found), Verdict::Contact(expected)) => {
                contacts += 1;
                assert!((found.time - expected.time).abs() < 1e-11, "case {case}: {found:?} {expected:?}");
                // The point is on both where they are then.
                for (body, pose) in [(standing, other.pose(found.time)), (moving, screw.pose(found.time))] {
                    let point = at(found.point.x, found.point.y, found.point.z);
                    let dot = Movable::new(common::cuboid(1e-12, 1e-12, 1e-12));
                    let off = distance(body.prepared(), dot.prepared(), &(pose.inverse() * point)).unwrap();
                    assert!(off.distance < 1e-9, "case {case}: {found:?} {off:?}");
                }
            }
            (found, expected) => assert_eq!(found, expected, "case {case}"),
        }
    }
    assert!(contacts > cases(10), "{contacts}");
}
