//! Bounds of travel and acceleration against what points really do, for every kind of motion.

mod random_motions;

use freiraum_geometry::path::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;
use random_motions::{Chain, random_axis, random_pose, random_sequence};
use std::sync::Arc;

/// Measured travel and acceleration never exceed their bounds; twists, breaks and uniform stretches fit the poses. Returns the
/// largest share of the bounds of travel and acceleration that was seen.
fn check(motion: &dyn Motion, random: &mut Random) -> [f64; 2] {
    let mut breaks = Vec::new();
    motion.breaks(&mut breaks);
    assert!(breaks.is_sorted() && breaks.iter().all(|t| *t > 0.0 && *t < 1.0));
    let mut seen = [0.0f64; 2];
    for _ in 0..10 {
        let ball = Ball { center: random.in_cube(1.0), radius: random.range(0.0, 0.5) };
        let point = ball.center + ball.radius * random.direction();
        let at = |t: f64| motion.pose(t).transform_point(point);
        let (x, y) = (random.unit(), random.unit());
        let (t0, t1) = (x.min(y), x.max(y));
        const PARTS: usize = 400;
        let time = |i: usize| t0 + (t1 - t0) * i as f64 / PARTS as f64;
        let length: f64 = (0..PARTS).map(|i| at(time(i)).distance(at(time(i + 1)))).sum();
        let travel = motion.travel(&ball, t0, t1);
        assert!(length <= travel * (1.0 + 1e-9) + 1e-12, "{length} {travel}");
        assert!(motion.travel(&ball, t0, t0) == 0.0);
        if travel > 0.0 {
            seen[0] = seen[0].max(length / travel);
        }
        // At a time away from breaks.
        let h = 1e-4;
        let t = random.range(2.0 * h, 1.0 - 2.0 * h);
        if breaks.iter().any(|at| (at - t).abs() < 2.0 * h) {
            continue;
        }
        let acceleration = motion.acceleration(&ball, t - h, t + h);
        let measured = (at(t + h) - 2.0 * at(t) + at(t - h)).length() / (h * h);
        assert!(measured <= acceleration + 1e-6, "{measured} {acceleration}");
        if acceleration > 0.0 {
            seen[1] = seen[1].max(measured / acceleration);
        }
        if let Some(twist) = motion.twist(t) {
            let velocity = (at(t + h) - at(t - h)) / (2.0 * h);
            assert!(velocity.distance(twist.velocity(at(t))) < 1e-5 * (1.0 + velocity.length()));
        }
        let next = breaks.iter().copied().filter(|at| *at > t).fold(1.0, f64::min);
        if let Some(uniform) = motion.uniform(t, next) {
            let s = random.unit();
            let expected = motion.pose(t + s * (next - t)).transform_point(point);
            let found = (uniform.at(s) * motion.pose(t)).transform_point(point);
            assert!(expected.distance(found) < 1e-12, "{expected} {found}");
        }
    }
    seen
}

/// Checks many motions of a kind, and that the bounds are as good as `tight` says for one of them.
fn check_kind(tight: [f64; 2], mut make: impl FnMut(&mut Random) -> Box<dyn Motion>) {
    let mut random = Random::new(3);
    let mut seen = [0.0f64; 2];
    for _ in 0..100 {
        let motion = make(&mut random);
        let [travel, acceleration] = check(&*motion, &mut random);
        seen = [seen[0].max(travel), seen[1].max(acceleration)];
    }
    assert!(seen[0] >= tight[0] && seen[1] >= tight[1], "{seen:?}");
}

#[test]
fn carried() {
    check_kind([0.5, 0.0], |random| {
        let straight = Straight::new(random_pose(random), random_pose(random));
        Box::new(Carried::new(Arc::new(straight), random_pose(random)))
    });
    check_kind([0.5, 0.0], |random| {
        let screw =
            UniformMotion::screw(random_pose(random), random_axis(random), random.range(-9.0, 9.0), 0.5);
        Box::new(Carried::new(Arc::new(screw), random_pose(random)))
    });
}

#[test]
fn still_and_translation() {
    check_kind([0.0, 0.0], |r| Box::new(UniformMotion::still(random_pose(r))));
    check_kind([0.999, 0.0], |r| Box::new(UniformMotion::translation(random_pose(r), r.in_cube(2.0))));
}

#[test]
fn rotation_and_screw() {
    check_kind([0.99, 0.99], |r| {
        Box::new(UniformMotion::rotation(random_pose(r), random_axis(r), r.range(-7.0, 7.0)))
    });
    check_kind([0.99, 0.99], |r| {
        let (angle, advance) = (r.range(-4.0, 4.0), r.range(-2.0, 2.0));
        Box::new(UniformMotion::screw(random_pose(r), random_axis(r), angle, advance))
    });
    check_kind([0.99, 0.0], |r| {
        Box::new(UniformMotion::screw(random_pose(r), random_axis(r), 0.0, r.range(-2.0, 2.0)))
    });
}

#[test]
fn straight() {
    check_kind([0.8, 0.99], |r| Box::new(Straight::new(random_pose(r), random_pose(r))));
    // Without turning, without moving, and half a turn.
    check_kind([0.999, 0.0], |r| {
        let start = random_pose(r);
        Box::new(Straight::new(start, Pose::from_translation(r.in_cube(1.0)) * start))
    });
    check_kind([0.0, 0.0], |r| {
        let start = random_pose(r);
        Box::new(Straight::new(start, start))
    });
    check_kind([0.99, 0.99], |r| {
        let start = random_pose(r);
        let turn =
            Pose::from_rotation_about(start.translation(), r.direction(), std::f64::consts::PI).unwrap();
        Box::new(Straight::new(start, turn * start))
    });
}

#[test]
fn sequences() {
    check_kind([0.9, 0.9], |r| Box::new(random_sequence(r)));
    // Sequences of sequences.
    check_kind([0.8, 0.8], |r| {
        let first = random_sequence(r);
        let second = Straight::new(first.pose(1.0), random_pose(r));
        Box::new(Sequence::new(vec![(1.0, Arc::new(first)), (0.3, Arc::new(second))]).unwrap())
    });
}

#[test]
fn a_sequence_runs_through_its_motions() {
    let mut random = Random::new(9);
    let sequence = random_sequence(&mut random);
    let mut breaks = Vec::new();
    sequence.breaks(&mut breaks);
    assert_eq!(breaks.len(), 3);
    for t in breaks {
        // Continuous, and the twist is that of what comes.
        let (before, after) = (sequence.pose(t - 1e-12), sequence.pose(t + 1e-12));
        assert!(before.translation().distance(after.translation()) < 1e-10);
        let (at, later) = (sequence.twist(t).unwrap(), sequence.twist(t + 1e-9).unwrap());
        assert!(at.linear.distance(later.linear) < 1e-6 && at.angular.distance(later.angular) < 1e-6);
        assert!(sequence.uniform(t - 0.01, t + 0.01).is_none());
        assert!(sequence.travel(&Ball { center: Vec3::X, radius: 0.0 }, t - 0.01, t + 0.01) > 0.0);
    }
}

/// Breaks of motions in sequences of sequences, at which rounding must not fall back to what went before.
#[test]
fn inner_breaks_belong_to_what_comes() {
    let mut random = Random::new(10);
    for _ in 0..200 {
        let inner = random_sequence(&mut random);
        let (shares, still) =
            ([random.unit() + 0.1, random.unit() + 0.1], UniformMotion::still(inner.pose(0.0)));
        let outer = Sequence::new(vec![
            (shares[0], Arc::new(still) as Arc<dyn Motion>),
            (shares[1], Arc::new(inner)),
        ])
        .unwrap();
        let mut breaks = Vec::new();
        outer.breaks(&mut breaks);
        assert_eq!(breaks.len(), 4);
        for t in breaks {
            let (before, at, after) = (outer.twist(t - 1e-9), outer.twist(t), outer.twist(t + 1e-9));
            let change = |x: Option<Twist>, y: Option<Twist>| x.unwrap().linear.distance(y.unwrap().linear);
            assert!(change(at, after) < 1e-6 * (1.0 + at.unwrap().linear.length()), "{at:?} {after:?}");
            assert!(change(before, at) > 1e-3, "{before:?} {at:?}");
        }
    }
}

#[test]
fn sequences_need_motions_and_shares() {
    assert_eq!(Sequence::new(vec![]).err(), Some(SequenceError::Empty));
    let still: Arc<dyn Motion> = Arc::new(UniformMotion::still(Pose::IDENTITY));
    for share in [0.0, -1.0, f64::NAN] {
        let found = Sequence::new(vec![(1.0, still.clone()), (share, still.clone())]).err();
        assert!(matches!(found, Some(SequenceError::BadShare { .. })), "{share} {found:?}");
    }
    assert!(Sequence::new(vec![(1.0, still.clone()), (f64::INFINITY, still)]).is_err());
}

#[test]
fn chains_of_rotations() {
    for links in 1..7 {
        check_kind([0.2, 0.02], |r| Box::new(Chain::random(r, links)));
    }
}
