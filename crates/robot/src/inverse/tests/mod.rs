//! Arms of all kinds against forward kinematics, and against a dense numeric search.

mod arms;

use super::*;
use crate::model::{JointKind, Limits};
use arms::*;
use freiraum_geometry::Vec3;
use freiraum_testkit::random::Random;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn last(robot: &Robot) -> usize {
    robot.links().len() - 1
}

fn tool(random: &mut Random) -> Pose {
    Pose::new(random.rotation(), random.in_cube(0.3)).unwrap()
}

/// Difference of two joint values, full turns aside for those that turn.
fn apart(robot: &Robot, a: &[f64], b: &[f64]) -> f64 {
    let one = |k: usize| {
        let d = a[k] - b[k];
        if robot.joints()[robot.freedoms()[k]].kind.turns() {
            (d - TAU * (d / TAU).round()).abs()
        } else {
            d.abs()
        }
    };
    (0..a.len()).map(one).fold(0.0, f64::max)
}

/// What a series of random poses showed.
#[derive(Debug, Default)]
struct Series {
    poses: usize,
    misses: usize,
    solutions: usize,
    most: usize,
    position: f64,
    angle: f64,
    joints: f64,
}

/// Random joint values within limits: they must be among the solutions for the pose they make.
fn series(robot: &Robot, random: &mut Random, poses: usize, method: Method, sum: &mut Series) {
    let options = Options { closed_form: true, ..Options::default() };
    let link = last(robot);
    let link_from_tool = tool(random);
    let base = Pose::new(random.rotation(), random.in_cube(2.0)).unwrap();
    for _ in 0..poses {
        let values: Vec<f64> = (0..robot.freedoms().len())
            .map(|freedom| {
                let range = robot.range(freedom);
                random.range(range.lower.max(-PI), range.upper.min(PI))
            })
            .collect();
        let current: Vec<f64> = values.iter().map(|_| random.range(-0.1, 0.1)).collect();
        let target = robot.place(&base, &values).links[link] * link_from_tool;
        let found = inverse(robot, link, &link_from_tool, &target, &base, &current, &options);
        assert_eq!(found.method, method);
        let nearest =
            found.solutions.iter().map(|s| apart(robot, &s.values, &values)).fold(f64::INFINITY, f64::min);
        sum.poses += 1;
        sum.solutions += found.solutions.len();
        sum.most = sum.most.max(found.solutions.len());
        if nearest > 1e-5 {
            sum.misses += 1;
            let joints: Vec<Pose> = robot.joints().iter().map(|joint| joint.parent_from_child).collect();
            eprintln!("missed by {nearest}: {values:?} {joints:?} {:?}", found.reason);
        }
        sum.joints = sum.joints.max(nearest);
        for (number, solution) in found.solutions.iter().enumerate() {
            let at = robot.place(&base, &solution.values).links[link] * link_from_tool;
            let left = residual(&at, &target);
            sum.position = sum.position.max(left.position);
            sum.angle = sum.angle.max(left.angle);
            assert!(robot.outside_limits(&solution.values).is_empty());
            assert_eq!(solution.nearest, number == 0);
            for other in &found.solutions[..number] {
                assert!(
                    apart(robot, &other.values, &solution.values) > 1e-7,
                    "twice: {solution:?} {other:?}"
                );
            }
        }
    }
}

#[test]
fn known_arms_give_back_the_values_that_made_the_pose() {
    let mut random = Random::new(7001);
    for (robot, method) in [
        (thesis(), Method::SphericalWrist),
        (puma(), Method::SphericalWrist),
        (fanuc(), Method::SphericalWrist),
        (ur5(), Method::ThreeParallel),
        (scara(0), Method::Scara),
        (scara(1), Method::Scara),
        (scara(2), Method::Scara),
        (scara(3), Method::Scara),
    ] {
        let mut sum = Series::default();
        series(&robot, &mut random, freiraum_testkit::scale::cases(1000), method, &mut sum);
        assert_eq!(sum.misses, 0, "{method} {sum:?}");
        assert!(sum.most <= 8 && sum.position < 1e-13 && sum.angle < 1e-13, "{method} {sum:?}");
    }
}

#[test]
fn skew_arms_give_back_the_values_that_made_the_pose() {
    let mut random = Random::new(7002);
    for kind in 0..10 {
        let mut sum = Series::default();
        for _ in 0..freiraum_testkit::scale::cases(60) {
            let robot = skew(&mut random, kind);
            series(&robot, &mut random, 20, Method::SphericalWrist, &mut sum);
        }
        assert_eq!(sum.misses, 0, "{kind} {sum:?}");
        assert!(sum.most <= 8 && sum.position < 1e-12 && sum.angle < 1e-12, "{kind} {sum:?}");
    }
}

#[test]
fn axes_that_are_not_quite_as_they_should_be_are_made_up_for() {
    let mut random = Random::new(7008);
    for (robot, method) in
        [(ur5_with(90.00021_f64.to_radians()), Method::ThreeParallel), (worn_puma(), Method::SphericalWrist)]
    {
        let mut sum = Series::default();
        series(&robot, &mut random, freiraum_testkit::scale::cases(500), method, &mut sum);
        // Some of a thousand for the wrist (6 of 5000, 3 of 500), where solutions fall together; none for parallel axes.
        assert!(sum.misses * 100 <= sum.poses, "{method} {sum:?}");
        assert!(sum.most <= 8 && sum.position < 1e-9 && sum.angle < 1e-9, "{method} {sum:?}");
    }
}

/// The same arm the other way round: the first three axes meet, or three parallel ones come third to fifth.
fn reversed(robot: &Robot) -> Robot {
    let count = robot.joints().len();
    let placed = robot.place(&Pose::IDENTITY, &vec![0.0; count]).links;
    let mut turned = robot.joints().to_vec();
    for (k, joint) in turned.iter_mut().enumerate() {
        // The joint frames in reverse order; the first is where the last was.
        let old = count - k;
        let before = if k == 0 { Pose::IDENTITY } else { placed[old + 1] };
        joint.parent_from_child = before.inverse() * placed[old];
        joint.axis = -robot.joints()[old - 1].axis;
    }
    Robot::new("reversed", robot.links().to_vec(), turned).unwrap()
}

#[test]
fn arms_the_other_way_round_are_solved_too() {
    let mut random = Random::new(7003);
    for (robot, method) in [
        (reversed(&puma()), Method::SphericalShoulder),
        (reversed(&ur5()), Method::ThreeParallelReversed),
        (reversed(&skew(&mut random, 0)), Method::SphericalShoulder),
    ] {
        let mut sum = Series::default();
        series(&robot, &mut random, freiraum_testkit::scale::cases(200), method, &mut sum);
        assert_eq!(sum.misses, 0, "{method} {sum:?}");
        assert!(sum.most <= 8 && sum.most >= 4 && sum.position < 1e-12, "{method} {sum:?}");
    }
}

/// The same arm with all lengths multiplied.
fn sized(robot: &Robot, factor: f64) -> Robot {
    let joints = robot.joints().iter().cloned().map(|mut joint| {
        let at = joint.parent_from_child;
        joint.parent_from_child = Pose::new(at.rotation(), factor * at.translation()).unwrap();
        if joint.kind == JointKind::Prismatic {
            joint.limits = Limits { lower: factor * joint.limits.lower, upper: factor * joint.limits.upper };
        }
        joint
    });
    Robot::new("sized", robot.links().to_vec(), joints.collect()).unwrap()
}

#[test]
fn size_and_place_change_nothing() {
    let mut random = Random::new(7004);
    for robot in [thesis(), puma(), fanuc(), ur5(), scara(2), skew(&mut random, 0)] {
        for (factor, far) in [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e5), (1e-3, 1e3)] {
            let large = sized(&robot, factor);
            let link = last(&robot);
            for _ in 0..30 {
                let draw = |freedom: usize| {
                    let range = robot.range(freedom);
                    random.range(range.lower.max(-3.0), range.upper.min(3.0))
                };
                let values: Vec<f64> = (0..robot.freedoms().len()).map(draw).collect();
                let unit =
                    |k: usize| if robot.joints()[robot.freedoms()[k]].kind.turns() { 1.0 } else { factor };
                let scaled: Vec<f64> = values.iter().enumerate().map(|(k, x)| x * unit(k)).collect();
                let base = Pose::new(random.rotation(), random.in_cube(far)).unwrap();
                let options = Options::default();
                let ask = |robot: &Robot, base: &Pose, values: &[f64]| {
                    let target = robot.place(base, values).links[link];
                    inverse(robot, link, &Pose::IDENTITY, &target, base, values, &options)
                };
                let (small, large_found) =
                    (ask(&robot, &Pose::IDENTITY, &values), ask(&large, &base, &scaled));
                assert_eq!(small.method, large_found.method);
                assert_eq!(
                    small.solutions.len(),
                    large_found.solutions.len(),
                    "{factor} {far} {small:?} {large_found:?}"
                );
                let nearest = &large_found.solutions[0];
                assert!(nearest.nearest && apart(&robot, &nearest.values, &scaled) < 1e-6 * factor.max(1.0));
                assert!(nearest.residual.position <= 1e-9 * factor + 1e-15 * far * 8.0);
            }
        }
    }
}

/// All solutions by damped least squares from many starts, without limits and without the closed form.
fn searched(robot: &Robot, target: &Pose, starts: usize) -> Vec<Vec<f64>> {
    let options = Options { closed_form: false, solutions: 100, starts, ..Options::default() };
    let zero = vec![0.0; robot.freedoms().len()];
    let found = inverse(robot, last(robot), &Pose::IDENTITY, target, &Pose::IDENTITY, &zero, &options);
    found.solutions.into_iter().map(|solution| solution.values).collect()
}

#[test]
fn a_dense_search_finds_the_same_solutions() {
    let mut random = Random::new(7005);
    let (mut compared, mut found_too) = (0, 0);
    for case in 0..freiraum_testkit::scale::cases(24) {
        let robot = match case % 4 {
            0 => puma(),
            1 => thesis(),
            _ => skew(&mut random, case % 10),
        };
        let values: Vec<f64> = (0..6).map(|_| random.range(-PI, PI)).collect();
        let target = robot.place(&Pose::IDENTITY, &values).links[last(&robot)];
        let zero = [0.0; 6];
        let closed = inverse(
            &robot,
            last(&robot),
            &Pose::IDENTITY,
            &target,
            &Pose::IDENTITY,
            &zero,
            &Options::default(),
        );
        let searched = searched(&robot, &target, 600);
        for values in &searched {
            let is_known = closed.solutions.iter().any(|s| apart(&robot, &s.values, values) < 1e-3);
            assert!(is_known, "not found by the closed form: {values:?} {closed:?}");
        }
        for solution in &closed.solutions {
            compared += 1;
            let is_known = searched.iter().any(|values| apart(&robot, &solution.values, values) < 1e-3);
            found_too += usize::from(is_known);
        }
    }
    // The search gets lost in the narrow valleys near singularities.
    assert!(compared > 60 && found_too * 100 >= compared * 97, "{found_too} of {compared}");
}

fn ask(robot: &Robot, target: &Pose, current: &[f64]) -> Inverse {
    inverse(robot, last(robot), &Pose::IDENTITY, target, &Pose::IDENTITY, current, &Options::default())
}

fn pose_of(robot: &Robot, values: &[f64]) -> Pose {
    robot.place(&Pose::IDENTITY, values).links[last(robot)]
}

#[test]
fn a_wrist_in_line_keeps_its_first_joint() {
    let robot = thesis();
    let target = pose_of(&robot, &[0.3, -0.5, 1.0, 0.4, 0.0, 0.7]);
    let found = ask(&robot, &target, &[0.0, 0.0, 0.0, 0.9, 0.0, 0.0]);
    assert_eq!(found.singular, [Singularity::Wrist]);
    let lined: Vec<&Solution> = found.solutions.iter().filter(|s| !s.singular.is_empty()).collect();
    // The forearm is the same with the arm turned round and the elbow on the other side.
    assert_eq!(lined.len(), 2, "{found:?}");
    assert!((lined[0].values[3] - 0.9).abs() < 1e-9 && (lined[0].values[5] - 0.2).abs() < 1e-9, "{lined:?}");
    assert!(lined[0].notes.contains(&Note::Kept { freedom: 3, because: Singularity::Wrist }));
    assert_eq!(found.solutions.len(), 6, "{found:?}");
    // The last joint cannot do its share of the turn: the fourth does it.
    let mut joints = robot.joints().to_vec();
    joints[5].limits = Limits { lower: 0.6, upper: 0.8 };
    let tight = Robot::new("tight", robot.links().to_vec(), joints).unwrap();
    let found = ask(&tight, &target, &[0.0, 0.0, 0.0, 0.9, 0.0, 0.0]);
    let lined: Vec<&Solution> = found.solutions.iter().filter(|s| !s.singular.is_empty()).collect();
    assert!((lined[0].values[3] - 0.5).abs() < 1e-9 && (lined[0].values[5] - 0.6).abs() < 1e-9, "{lined:?}");
}

#[test]
fn a_wrist_over_the_first_axis_keeps_the_first_joint() {
    let robot = thesis();
    // The triangle of 0.7 and 0.49 with the wrist straight above the base.
    for (q3, tilt) in [(2.0_f64, 0.4), (1.0, -0.3)] {
        // Where the wrist is in the plane of the arm for q2 = 0; q2 turns it upright.
        let centre = pose_of(&robot, &[0.0, 0.0, q3, 0.0, 0.0, 0.0]).translation();
        let q2 = -(FRAC_PI_2 + centre.z.atan2(-centre.x)) + PI;
        let upright = |q2: f64| pose_of(&robot, &[0.0, q2, q3, 0.0, 0.0, 0.0]).translation();
        let q2 = (0..4)
            .map(|k| q2 + f64::from(k) * FRAC_PI_2)
            .min_by(|a, b| upright(*a).x.abs().total_cmp(&upright(*b).x.abs()));
        let q2 = q2.unwrap();
        // Newton's method on the distance from the axis, whatever the sign conventions.
        let q2 = (0..50)
            .fold(q2, |q2, _| q2 - upright(q2).x / ((upright(q2 + 1e-6).x - upright(q2 - 1e-6).x) / 2e-6));
        let target = pose_of(&robot, &[0.8, q2, q3, 0.3, tilt, 0.1]);
        assert!(target.translation().x.hypot(target.translation().y) < 1e-12);
        let found = ask(&robot, &target, &[0.25, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert!(found.singular.contains(&Singularity::Shoulder), "{found:?}");
        assert!(!found.solutions.is_empty());
        for solution in &found.solutions {
            assert!((solution.values[0] - 0.25).abs() < 1e-9, "{solution:?}");
            assert!(solution.notes.contains(&Note::Kept { freedom: 0, because: Singularity::Shoulder }));
        }
    }
}

#[test]
fn at_the_edge_of_the_reach() {
    for robot in [thesis(), puma(), fanuc()] {
        // Where the arm is stretched: the third joint value with the wrist farthest from axis 2.
        let centre = |q3: f64| {
            let placed = robot.place(&Pose::IDENTITY, &[0.0, 0.2, q3, 0.0, 0.0, 0.0]).links;
            placed[5].translation().distance(placed[2].translation())
        };
        let best = (0..6283)
            .map(|k| f64::from(k) / 1000.0 - PI)
            .max_by(|a, b| centre(*a).total_cmp(&centre(*b)))
            .unwrap();
        let slope = |q: f64| centre(q + 1e-5) - centre(q - 1e-5);
        let (mut lo, mut hi) = (best - 0.01, best + 0.01);
        for _ in 0..60 {
            let middle = 0.5 * (lo + hi);
            (lo, hi) = if slope(middle) > 0.0 { (middle, hi) } else { (lo, middle) };
        }
        let stretched = [0.3, 0.2, lo, 0.4, 0.9, 0.2];
        let target = pose_of(&robot, &stretched);
        let found = ask(&robot, &target, &stretched);
        assert_eq!(found.singular, [Singularity::Elbow], "{found:?}");
        assert!(apart(&robot, &found.solutions[0].values, &stretched) < 1e-4, "{found:?}");
        let placed = robot.place(&Pose::IDENTITY, &stretched).links;
        let out = placed[5].translation() - placed[2].translation();
        for by in [1e-6, 1e-3, 0.1, 10.0] {
            let farther = Pose::from_translation(out * (by / out.length())) * target;
            let found = ask(&robot, &farther, &stretched);
            assert!(found.solutions.is_empty());
            let Some(Reason::OutOfReach { by: told }) = found.reason else { panic!("{found:?}") };
            // The shortest way to the region that is reached is at most `by`, and not much less near it.
            assert!(told <= by * 1.0001 && told > 0.2 * by, "{by} {told}");
        }
        let nearer = Pose::from_translation(out * (-1e-5 / out.length())) * target;
        assert!(ask(&robot, &nearer, &stretched).solutions.len() >= 2);
    }
}

#[test]
fn limits_choose_and_are_named() {
    let robot = fanuc();
    let values = [0.5, -0.4, -1.2, 0.6, 0.7, 0.2];
    let target = pose_of(&robot, &values);
    let all = Options { keep_limits: false, ..Options::default() };
    let ask_with = |robot: &Robot, current: &[f64], options: &Options| {
        inverse(robot, last(robot), &Pose::IDENTITY, &target, &Pose::IDENTITY, current, options)
    };
    let inside = ask_with(&robot, &values, &Options::default());
    let free = ask_with(&robot, &values, &all);
    assert_eq!(free.solutions.len(), 8, "{free:#?}");
    assert_eq!(inside.solutions.len() + inside.outside_limits, 8);
    assert!(inside.outside_limits > 0 && inside.solutions[0].nearest);
    let marked =
        free.solutions.iter().filter(|s| s.notes.iter().any(|n| matches!(n, Note::OutsideLimits(_))));
    assert_eq!(marked.count(), inside.outside_limits);
    // The last joint can turn almost twice: the turn near the current value, the other one told.
    let turned = ask_with(&robot, &[0.5, -0.4, -1.2, 0.6, 0.7, -6.0], &Options::default());
    let same = turned.solutions.iter().find(|s| apart(&robot, &s.values, &values) < 1e-6).unwrap();
    assert!((same.values[5] - (0.2 - TAU)).abs() < 1e-9, "{same:?}");
    assert!(same.notes.contains(&Note::OtherTurns(vec![5])));
    // Limits that leave nothing.
    let mut joints = robot.joints().to_vec();
    joints[1].limits = Limits { lower: 2.0, upper: 2.1 };
    let tight = Robot::new("tight", robot.links().to_vec(), joints).unwrap();
    let found = ask_with(&tight, &[0.0, 2.0, 0.0, 0.0, 0.0, 0.0], &Options::default());
    let Some(Reason::OutsideLimits { solutions: 8, joints }) = &found.reason else { panic!("{found:?}") };
    assert_eq!(joints[0], ("joint2".to_owned(), 8));
    let told = found.reason.unwrap().to_string();
    assert!(told.starts_with("none of 8 solutions is within the joint limits: 'joint2' (8)"), "{told}");
    // Exactly at its limits a value is inside, whatever rounding says.
    let [upper, lower] = [robot.range(0).upper, robot.range(1).lower];
    let at_limit = [upper, lower, 0.4, robot.range(3).upper, 0.7, 0.2];
    let found = ask(&robot, &pose_of(&robot, &at_limit), &at_limit);
    assert!(apart(&robot, &found.solutions[0].values, &at_limit) < 1e-9, "{found:?}");
    assert!(robot.outside_limits(&found.solutions[0].values).is_empty());
}

#[test]
fn what_a_scara_cannot_do() {
    let robot = scara(2);
    let values = [0.4, -0.7, 0.1, 0.3];
    let target = pose_of(&robot, &values);
    let tilted = target * Pose::from_axis_angle(Vec3::X, 0.2).unwrap();
    let Some(Reason::Orientation { by }) = ask(&robot, &tilted, &values).reason else { panic!() };
    assert!((by - 0.2).abs() < 1e-9);
    let far = Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)) * target;
    let expected = (target.translation() + Vec3::new(3.0, 0.0, 0.0)).truncate().length() - 0.55;
    let Some(Reason::OutOfReach { by }) = ask(&robot, &far, &values).reason else { panic!() };
    assert!((by - expected).abs() < 1e-9, "{by} {expected}");
    let low = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5)) * target;
    let Some(Reason::OutsideLimits { solutions: 2, joints }) = ask(&robot, &low, &values).reason else {
        panic!()
    };
    assert_eq!(joints, [("joint3".to_owned(), 2)]);
}

#[test]
fn redundant_arms_are_searched() {
    let robot = panda();
    let mut random = Random::new(7006);
    let (mut reached, count) = (0, freiraum_testkit::scale::cases(60));
    for _ in 0..count {
        let draw = |freedom: usize| random.range(robot.range(freedom).lower, robot.range(freedom).upper);
        let values: Vec<f64> = (0..7).map(draw).collect();
        let middle: Vec<f64> = (0..7).map(|k| 0.5 * (robot.range(k).lower + robot.range(k).upper)).collect();
        let target = pose_of(&robot, &values);
        let found = ask(&robot, &target, &middle);
        assert_eq!(found.method, Method::Numeric);
        reached += usize::from(found.solutions.len() > 1);
        for solution in &found.solutions {
            assert!(robot.outside_limits(&solution.values).is_empty());
            let left = residual(&pose_of(&robot, &solution.values), &target);
            assert!(left.position < 2e-9 && left.angle < 1e-9);
        }
        assert_eq!(found, ask(&robot, &target, &middle), "the same every time");
    }
    assert_eq!(reached, count, "more than one way to hold it");
    let far = Pose::from_translation(Vec3::new(2.0, 0.0, 0.5));
    let Some(Reason::NotReached { best, starts: 64 }) =
        ask(&robot, &far, &[0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0]).reason
    else {
        panic!()
    };
    assert!(best.position > 0.8 && best.position < 2.0, "{best:?}");
}

#[test]
fn questions_without_sense_have_a_reason() {
    let robot = thesis();
    let target = Pose::IDENTITY;
    let found = inverse(&robot, 0, &Pose::IDENTITY, &target, &Pose::IDENTITY, &[0.0; 6], &Options::default());
    assert_eq!(found.reason, Some(Reason::NothingMoves("base".to_owned())));
    let found = ask(&robot, &target, &[f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(found.reason, Some(Reason::NotFinite));
    // Fewer joints than a pose has freedoms: reached where it can be.
    let values = [0.3, -0.4, 0.5, 0.0, 0.0, 0.0];
    let placed = robot.place(&Pose::IDENTITY, &values).links[3];
    let found = inverse(&robot, 3, &Pose::IDENTITY, &placed, &Pose::IDENTITY, &[0.0; 6], &Options::default());
    assert_eq!(found.method, Method::Numeric);
    assert!(apart(&robot, &found.solutions[0].values, &values) < 1e-6, "{found:?}");
}

/// Joint values as people write them: right angles, zero, and close to these.
fn special_value(random: &mut Random) -> f64 {
    let at = [0.0, FRAC_PI_2, -FRAC_PI_2, PI, 0.3, -1.1][random.below(6)];
    let off = 10f64.powf(random.range(-17.0, -2.0)) * random.range(-1.0, 1.0).signum();
    if random.below(3) == 0 { at + off } else { at }
}

#[test]
fn special_poses_are_never_lost() {
    let mut random = Random::new(7007);
    let mut family = 0;
    for case in 0..freiraum_testkit::scale::cases(4000) {
        let robot = match case % 7 {
            0 => thesis(),
            1 => puma(),
            2 => fanuc(),
            3 => ur5(),
            4 => reversed(&puma()),
            5 => scara(case / 7 % 4),
            _ => skew(&mut random, case / 7 % 10),
        };
        let values: Vec<f64> = (0..robot.freedoms().len())
            .map(|freedom| {
                let turns = robot.joints()[robot.freedoms()[freedom]].kind.turns();
                if turns { special_value(&mut random) } else { random.range(-0.2, 0.3) }
            })
            .collect();
        let target = pose_of(&robot, &values);
        let current: Vec<f64> = values.iter().map(|_| random.range(-0.1, 0.1)).collect();
        let options = Options { keep_limits: false, ..Options::default() };
        let found =
            inverse(&robot, last(&robot), &Pose::IDENTITY, &target, &Pose::IDENTITY, &current, &options);
        assert!(found.method.is_complete());
        assert!(!found.solutions.is_empty(), "{case} {values:?} {found:?}");
        let nearest =
            found.solutions.iter().map(|s| apart(&robot, &s.values, &values)).fold(f64::INFINITY, f64::min);
        // At a singularity one solution stands for many, near one it is less sharp.
        let is_kept = found.solutions.iter().any(|s| s.notes.iter().any(|n| matches!(n, Note::Kept { .. })));
        family += usize::from(is_kept);
        let slack = if found.singular.is_empty() { 1e-6 } else { 1e-1 };
        // At two at once rounding of one decides what the other leaves open.
        assert!(
            is_kept || found.singular.len() > 1 || nearest < slack,
            "{case} missed by {nearest}: {values:?} {found:?}"
        );
        for solution in &found.solutions {
            let left = residual(&pose_of(&robot, &solution.values), &target);
            assert!(left.position < 2e-8 && left.angle < 2e-8, "{left:?}");
        }
    }
    assert!(family > 100, "{family}");
}

/// Axes 1 and 2 miss each other by half a micrometre, and the pose is so near to where two solutions fall together that Newton's method stops half way between them.
#[test]
fn where_an_arm_nearly_folds_both_solutions_are_found() {
    let robot = table(&[
        [-139.75755103245658, 0.16985361075383862, -0.6039765821074127],
        [159.17994660198218, 5.464255098279373e-07, 0.9425817660790301],
        [-113.21489777056183, 0.1413244019957447, 0.26762924348458106],
        [-12.933330403192967, 0.4791538259498347, -0.43951155906315575],
        [135.2242497467564, 0.0, 0.0],
        [-58.80687365778577, 0.0, -0.5093668226089813],
    ]);
    let values = [
        2.8091153798127726,
        1.304059112712915,
        -1.2060397929802749,
        2.057594890300484,
        -2.419335295324687,
        -1.685643088596722,
    ];
    let found = ask(&robot, &pose_of(&robot, &values), &[0.0; 6]);
    let nearest =
        found.solutions.iter().map(|s| apart(&robot, &s.values, &values)).fold(f64::INFINITY, f64::min);
    assert!(nearest < 1e-6, "{nearest} {found:?}");
}

/// A joint that may have any value keeps its current one only within its limits: the solution must not be told outside of them.
#[test]
fn kept_joints_stay_in_their_limits() {
    use crate::dh::{Convention, Row, robot};
    use std::f64::consts::FRAC_PI_2;
    let row = |alpha: f64, l: f64, d: f64| {
        let limits = crate::model::Limits { lower: -3.0, upper: 3.0 };
        Row { alpha, l, d, limits, ..Row::default() }
    };
    let rows = [
        row(0.0, 0.0, 0.0),
        row(-FRAC_PI_2, 0.0, 0.0),
        row(0.0, 0.4, 0.0),
        row(-FRAC_PI_2, 0.0, 0.4),
        row(FRAC_PI_2, 0.0, 0.0),
        row(-FRAC_PI_2, 0.0, 0.0),
    ];
    let arm = robot("arm", &rows, Convention::Modified).unwrap();
    // The elbow at which the wrist centre is on the first axis, well above the second one.
    let beside =
        |q3: f64| arm.place(&Pose::IDENTITY, &[0.0, -1.0, q3, 0.0, 0.0, 0.0]).links[4].translation().x;
    let steps: Vec<f64> = (-30..-19).map(|k| 0.1 * f64::from(k)).collect();
    let at = steps.windows(2).find(|two| beside(two[0]) * beside(two[1]) < 0.0).expect("it crosses the axis");
    let (mut low, mut high) = (at[0], at[1]);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if beside(low) * beside(middle) <= 0.0 { high = middle } else { low = middle }
    }
    let target = arm.place(&Pose::IDENTITY, &[0.2, -1.0, low, 0.3, 0.8, 0.2]).links[6];
    for first in [5.0, -4.0, 1.0] {
        let current = [first, -1.0, low, 0.3, 0.8, 0.2];
        let found =
            inverse(&arm, 6, &Pose::IDENTITY, &target, &Pose::IDENTITY, &current, &Options::default());
        let kept: Vec<&Solution> = found
            .solutions
            .iter()
            .filter(|one| one.notes.iter().any(|note| matches!(note, Note::Kept { freedom: 0, .. })))
            .collect();
        assert!(!kept.is_empty(), "{first}: {found:?}");
        for one in kept {
            assert!((one.values[0] - first.clamp(-3.0, 3.0)).abs() < 1e-9, "{one:?}");
            assert!(arm.outside_limits(&one.values).is_empty(), "{one:?}");
        }
    }
}
