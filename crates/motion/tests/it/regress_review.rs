//! Cases that once went wrong.

use crate::common;
use crate::common::{at, cuboid, movable, peg};
use freiraum_geometry::path::{Axis, Motion, Sequence, SequenceError, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Cylinder, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::one_to_many::{Moving, all_contacts};
use freiraum_motion::{
    ClearanceRequest, Limits, MotionWorkspace, Movable, OverlapRequest, Verdict, clearance,
    overlap_intervals, time_of_contact,
};
use freiraum_testkit::random::Random;
use std::f64::consts::TAU;
use std::sync::Arc;

fn arc(motion: impl Motion + 'static) -> Arc<dyn Motion> {
    Arc::new(motion)
}

/// A piece without any time would be a jump, and what is met on the way would be missed.
#[test]
fn a_path_never_jumps() {
    let there = UniformMotion::translation(at(-5.0, 0.0, 0.0), Vec3::new(10.0, 0.0, 0.0));
    let stay = |t: f64| arc(UniformMotion::still(there.pose(t)));
    for share in [1e-17, 1e-20, 1e-300] {
        let error = Sequence::new(vec![(1.0, stay(0.0)), (share, arc(there)), (1.0, stay(1.0))]).err();
        assert_eq!(error, Some(SequenceError::BadShare { index: 1, share }));
        // At the end, too.
        assert!(Sequence::new(vec![(1.0, stay(0.0)), (share, arc(there))]).is_err());
    }
    let inner = Sequence::new(vec![(1.0, stay(0.0)), (1e-9, arc(there)), (1.0, stay(1.0))]).unwrap();
    assert!(Sequence::new(vec![(1.0, stay(0.0)), (1e-9, arc(inner.clone())), (1.0, stay(1.0))]).is_err());
    let (a, b) = (Movable::new(cuboid(1.0, 1.0, 1.0)), Movable::new(cuboid(1.0, 1.0, 1.0)));
    let still = UniformMotion::still(Pose::IDENTITY);
    let mut memory = MotionWorkspace::default();
    let found = time_of_contact(&a, &still, &b, &inner, &Limits::default(), &mut memory).unwrap();
    assert!(matches!(found, Verdict::Contact(_)), "{found:?}");
}

/// Far from the origin of the world, steps cannot resolve a billionth of the distance: the search went on where it was until it gave
/// up, after minutes and without a bound.
#[test]
fn clearances_far_from_the_origin_are_bounded() {
    let ring = movable(peg(12, 0.5, [-0.2, 0.2], 0.1));
    let bar = Movable::new(cuboid(1.0, 0.2, 0.3));
    let cylinder = Movable::new(Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()));
    let mut memory = MotionWorkspace::default();
    let home = Vec3::new(6e5, -7e5, 4e5);
    for b in [&bar, &cylinder] {
        let at = |home: Vec3| {
            let start = Pose::from_translation(home + Vec3::new(2.0, -1.0, 0.3));
            let turn = Pose::from_axis_angle(Vec3::new(0.3, 0.5, 0.8), 2.0).unwrap();
            let end = Pose::from_translation(home + Vec3::new(1.5, 2.0, 0.1)) * turn;
            (UniformMotion::still(Pose::from_translation(home)), Straight::new(start, end))
        };
        let mut ask = |home: Vec3| {
            let (still, moving) = at(home);
            clearance(&ring, &still, b, &moving, &ClearanceRequest::default(), &mut memory).unwrap()
        };
        let (near, far) = (ask(Vec3::ZERO), ask(home));
        assert!(near.distance > 0.1 && near.error < 1e-4, "{near:?}");
        assert!((far.distance - near.distance).abs() < 1e-4 && far.error < 1e-3, "{far:?}, {near:?}");
    }
}

/// Two pairs of faces that could not be moved on waited for each other until the budget ended.
#[test]
fn what_times_cannot_tell_is_undecided_at_once() {
    let ring = movable(peg(40, 0.5, [-0.2, 0.2], 0.1));
    let start = at(3.0, 0.1, 0.0);
    let turn = Pose::from_axis_angle(Vec3::new(0.3, 0.5, 0.8), 2.0).unwrap();
    let through = Straight::new(start, at(-3.0, 0.2, 0.1) * turn);
    let stay = |t: f64| arc(UniformMotion::still(through.pose(t)));
    // The way takes some twenty thousand of the last digits of time.
    let path = Sequence::new(vec![(1.0, stay(0.0)), (1e-12, arc(through)), (1.0, stay(1.0))]).unwrap();
    let still = UniformMotion::still(Pose::IDENTITY);
    let limits = Limits { budget: 200_000, ..Limits::default() };
    let found =
        time_of_contact(&ring, &still, &ring, &path, &limits, &mut MotionWorkspace::default()).unwrap();
    match found {
        Verdict::Contact(contact) => assert!((contact.time - 0.5).abs() < 1e-11),
        Verdict::Undecided { open } => assert!(open[0] < 0.5 + 1e-11),
        other => panic!("{other:?}"),
    }
}

/// Every turn used to repeat every pair of faces, and the times of late turns were sums of rounding.
#[test]
fn many_turns_take_no_more_memory_than_their_intervals() {
    let gear = movable(peg(24, 1.0, [-0.2, 0.2], 0.0));
    let bar = Movable::new(cuboid(0.2, 3.0, 0.1));
    let axis = Axis::new(Vec3::new(2.0, 0.0, 0.0), Vec3::Z).unwrap();
    let turns = 10_000.0;
    let still = UniformMotion::still(Pose::IDENTITY);
    let mut memory = MotionWorkspace::default();
    let mut ask = |turns: f64| {
        let turning = UniformMotion::rotation(at(2.0, 0.0, 0.0), axis, TAU * turns);
        overlap_intervals(&gear, &still, &bar, &turning, &OverlapRequest::default(), &mut memory)
    };
    let (one, many) = (ask(1.0).unwrap(), ask(turns).unwrap());
    assert_eq!(many.len(), one.len() * turns as usize);
    for (span, expected) in many[many.len() - one.len()..].iter().zip(&one) {
        for k in 0..2 {
            let expected = (turns - 1.0 + expected.time[k]) / turns;
            assert!((span.time[k] - expected).abs() < 1e-14, "{} {expected}", span.time[k]);
        }
    }
    assert!(ask(1e8).is_err());
}

/// What counts as touching in a pair must not be sorted out before.
#[test]
fn near_misses_within_the_tolerance_are_found_among_many() {
    let pill = Movable::new(Shape::Capsule(Capsule::new(0.5, 0.2).unwrap()));
    let can = Movable::new(Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()));
    // Past each other with a gap of nearly a millimetre, and a tolerance of two; a screw of something that is not round about its axis, as translations are exact.
    let axis = Axis::new(Vec3::new(0.0, 1.001, 0.0), Vec3::X).unwrap();
    let askew = at(-3.0, 1.001, 0.0) * Pose::from_axis_angle(Vec3::X, -0.5).unwrap();
    let past = UniformMotion::screw(askew, axis, 1.0, 6.0);
    let still = UniformMotion::still(Pose::IDENTITY);
    let limits = Limits { tolerance: 2e-3, ..Limits::default() };
    let alone =
        time_of_contact(&pill, &past, &can, &still, &limits, &mut MotionWorkspace::default()).unwrap();
    let (pill, can) = (Moving { body: &pill, motion: &past }, Moving { body: &can, motion: &still });
    let many = all_contacts(&[pill], &[can], 0.0, &limits).unwrap();
    assert_eq!(many.first().map_or(Verdict::Free, |found| found.verdict), alone);
    assert!(matches!(alone, Verdict::Contact(_)), "{alone:?}");
}

/// Far from the origin the pose of one body as seen from the other is no better than the poses in the world: corners that meet up
/// to that were told to be free.
#[test]
fn corners_that_meet_far_from_the_origin_are_found() {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-7, 0.0)];
    let sliver = movable(Mesh::new(corners, vec![[0, 1, 2]]).unwrap());
    let mut random = Random::new(11);
    let mut memory = MotionWorkspace::default();
    for case in 0..200 {
        let home = 1e6 * random.direction();
        let a = Pose::new(random.rotation(), home).unwrap();
        let start = Pose::new(random.rotation(), home + 3.0 * random.direction()).unwrap();
        // The corner of b goes through that of a.
        let by = 2.0 * (home - start.translation());
        let (still, moving) = (UniformMotion::still(a), UniformMotion::translation(start, by));
        let found =
            time_of_contact(&sliver, &still, &sliver, &moving, &Limits::default(), &mut memory).unwrap();
        assert!(matches!(found, Verdict::Contact(_)), "case {case}: {found:?}");
    }
}

/// Where the golden section over the whole time missed the next minimum, the distance went down by its accuracy at a time.
#[test]
fn clearances_of_general_motions_take_few_steps() {
    let star = movable(peg(5, 0.8, [-0.1, 0.1], 0.3));
    let mut random = Random::new(12);
    let mut memory = MotionWorkspace::default();
    // Steps for one descent after the other; thousands of descents would need far more.
    let limits = Limits { budget: 20_000, ..Limits::default() };
    let request = ClearanceRequest { limits, ..ClearanceRequest::default() };
    for case in 0..40 {
        let pose = |random: &mut Random| Pose::new(random.rotation(), 2.5 * random.direction()).unwrap();
        let (p, q, r) = (pose(&mut random), pose(&mut random), pose(&mut random));
        let path =
            Sequence::new(vec![(1.0, arc(Straight::new(p, q))), (1.0, arc(Straight::new(q, r)))]).unwrap();
        let axis = Axis::new(random.in_cube(0.3), random.direction()).unwrap();
        let turning = UniformMotion::rotation(Pose::IDENTITY, axis, 3.0);
        let found = clearance(&star, &turning, &star, &path, &request, &mut memory).unwrap();
        assert!(found.error <= 1e-8 * found.distance.max(1e-3), "case {case}: {found:?}");
        for k in 0..=300 {
            let t = f64::from(k) / 300.0;
            let a_from_b = turning.pose(t).inverse() * path.pose(t);
            let distance =
                freiraum_query::distance(star.prepared(), star.prepared(), &a_from_b).unwrap().distance;
            assert!(distance.max(0.0) >= found.lower() - 1e-12, "case {case}: {found:?}, {distance} at {t}");
        }
    }
}

/// A motion that ends where the bodies touch, up to rounding, touches: whichever way the rounding goes.
#[test]
fn translations_that_end_in_contact_touch() {
    let (a, b) = (Movable::new(cuboid(1.0, 1.0, 1.0)), Movable::new(cuboid(0.3, 0.2, 0.7)));
    let mut random = Random::new(13);
    let mut memory = MotionWorkspace::default();
    for case in 0..200 {
        let home = Pose::new(random.rotation(), random.in_cube(10.0)).unwrap();
        let end = home * at(0.65, random.range(-0.5, 0.5), random.range(-0.5, 0.5));
        let by = home.rotate(Vec3::new(-random.range(0.1, 5.0), random.range(-1.0, 1.0), 0.0));
        let moving = UniformMotion::translation(Pose::from_translation(-by) * end, by);
        let still = UniformMotion::still(home);
        let found = time_of_contact(&a, &still, &b, &moving, &Limits::default(), &mut memory).unwrap();
        match found {
            Verdict::Contact(contact) => {
                assert!((contact.time - 1.0).abs() < 1e-12, "case {case}: {found:?}")
            }
            other => panic!("case {case}: {other:?}"),
        }
    }
}

/// Faces that are parallel when they meet are together for an instant only; the stated error must still hold the true time.
#[test]
fn parallel_faces_under_a_general_motion_have_a_true_error() {
    let boxes = [2.0, 0.2].map(|size| Movable::new(common::cuboid(size, size, size)));
    let turned = |start: Pose| {
        let half = (15f64).to_radians();
        let end = Pose::new(
            freiraum_geometry::Quat::from_xyzw(0.0, 0.0, half.sin(), half.cos()),
            Vec3::new(0.0, 0.0, 5.0),
        );
        Straight::new(start, end.unwrap())
    };
    let (by_a, by_b) = (turned(Pose::IDENTITY), turned(common::at(1.2, 0.0, 0.0)));
    let mut memory = MotionWorkspace::default();
    let verdict =
        time_of_contact(&boxes[0], &by_a, &boxes[1], &by_b, &Limits::default(), &mut memory).unwrap();
    let Verdict::Contact(contact) = verdict else { panic!("{verdict:?}") };
    // 1.2 (1 - t) cos(30° t) = 1.1, by Newton's method.
    let mut t: f64 = 0.08;
    for _ in 0..20 {
        let angle = 30f64.to_radians();
        let f = 1.2 * (1.0 - t) * (angle * t).cos() - 1.1;
        let slope = -1.2 * (angle * t).cos() - 1.2 * (1.0 - t) * angle * (angle * t).sin();
        t -= f / slope;
    }
    assert!((contact.time - t).abs() <= contact.time_error && contact.time_error < 1e-8, "{contact:?} {t}");
}
