use super::*;
use crate::dh::{Convention, Row, robot};
use crate::model::{Joint, JointKind, Limits, Mimic, Robot};
use freiraum_geometry::path::{Ball, Motion, Uniform};
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;
use std::sync::Arc;

/// Six joints that turn or slide, one of them perhaps following another.
fn random_robot(random: &mut Random) -> Robot {
    let rows: Vec<Row> = (0..6)
        .map(|_| Row {
            alpha: random.range(-3.0, 3.0),
            l: random.range(-1.0, 1.0),
            d: random.range(-1.0, 1.0),
            kind: if random.below(4) == 0 { JointKind::Prismatic } else { JointKind::Revolute },
            limits: Limits { lower: -3.0, upper: 3.0 },
            ..Row::default()
        })
        .collect();
    let made = robot("arm", &rows, Convention::Classic).unwrap();
    if random.below(2) == 0 {
        return made;
    }
    let mut joints: Vec<Joint> = made.joints().to_vec();
    joints[8].mimic = Some(Mimic { joint: 2, factor: -0.5, offset: 0.25 });
    joints[8].limits = Limits::NONE;
    Robot::new("arm", made.links().to_vec(), joints).unwrap()
}

fn random_path(robot: &Robot, random: &mut Random) -> JointPath {
    let mut values = || -> Vec<f64> { robot.freedoms().iter().map(|_| random.range(-2.0, 2.0)).collect() };
    let (a, b, mut c) = (values(), values(), values());
    // One joint alone at the end.
    let last = c[1];
    c = b.clone();
    c[1] = last;
    JointPath::new(vec![(0.0, a), (0.3, b), (1.0, c)]).unwrap()
}

struct Case {
    motion: LinkMotion,
    ball: Ball,
    point: Vec3,
}

fn random_case(random: &mut Random) -> Case {
    let robot = random_robot(random);
    let path = Arc::new(random_path(&robot, random));
    let link = random.below(robot.links().len());
    let base = Pose::new(random.rotation(), random.in_cube(1.0)).unwrap();
    let way = robot.way_to(link);
    let from = if way.is_empty() { link } else { robot.joints()[way[random.below(way.len())]].parent };
    let motion = LinkMotion::between(&robot, from, link, base, path);
    let ball = Ball { center: random.in_cube(0.5), radius: random.range(0.0, 0.5) };
    let point = ball.center + ball.radius * random.direction();
    Case { motion, ball, point }
}

#[test]
fn nothing_travels_farther_than_the_bound() {
    let mut random = Random::new(73);
    let mut sharpest = 0.0_f64;
    for _ in 0..400 {
        let Case { motion, ball, point } = random_case(&mut random);
        let t0 = random.unit();
        let t1 = t0 + (1.0 - t0) * random.unit();
        let at = |t: f64| motion.pose(t).transform_point(point);
        let steps = 400;
        let time = |k: usize| t0 + (t1 - t0) * k as f64 / f64::from(steps);
        let length: f64 = (0..steps as usize).map(|k| at(time(k)).distance(at(time(k + 1)))).sum();
        let bound = motion.travel(&ball, t0, t1);
        assert!(length <= bound + 1e-13, "{length} {bound}");
        if bound > 0.0 {
            sharpest = sharpest.max(length / bound);
        }
        // Over a short time the bound for a single point is as long as its way, unless joints work against each other.
        let fast = motion.twist(t0).unwrap().velocity(at(t0)).length();
        let accelerated = motion.acceleration(&ball, t0, t0 + 1e-6 * (1.0 - t0));
        assert!(fast.is_finite() && accelerated.is_finite());
    }
    assert!(sharpest > 0.99, "{sharpest}");
}

#[test]
fn twists_and_accelerations_are_those_of_the_poses() {
    let mut random = Random::new(74);
    let step = 1e-5;
    for _ in 0..400 {
        let Case { motion, ball, point } = random_case(&mut random);
        let t = random.range(0.01, 0.99);
        if (t - 0.3).abs() < 1e-3 {
            continue;
        }
        let at = |t: f64| motion.pose(t).transform_point(point);
        let velocity = (at(t + step) - at(t - step)) / (2.0 * step);
        let found = motion.twist(t).unwrap().velocity(at(t));
        assert!(found.distance(velocity) < 1e-7 * (1.0 + velocity.length()), "{found} {velocity}");
        let acceleration = (at(t + 1e-4) - 2.0 * at(t) + at(t - 1e-4)).length() / 1e-8;
        let bound = motion.acceleration(&ball, t - 1e-4, t + 1e-4);
        assert!(acceleration <= bound * (1.0 + 1e-6) + 1e-5, "{acceleration} {bound}");
    }
}

#[test]
fn one_joint_alone_is_a_uniform_motion() {
    let mut random = Random::new(75);
    let mut kinds = [0; 2];
    for _ in 0..300 {
        let Case { motion, point, .. } = random_case(&mut random);
        let t0 = random.range(0.3, 1.0);
        let t1 = random.range(t0, 1.0);
        let Some(uniform) = motion.uniform(t0, t1) else { continue };
        kinds[usize::from(matches!(uniform, Uniform::Screw { .. }))] += 1;
        for s in [0.0, 0.4, 1.0] {
            let expected = motion.pose(t0 + s * (t1 - t0)).transform_point(point);
            let found = (uniform.at(s) * motion.pose(t0)).transform_point(point);
            assert!(expected.distance(found) < 1e-13 * 50.0);
        }
    }
    assert!(kinds[0] > 20 && kinds[1] > 20, "{kinds:?}");
    // Several at once are none.
    let robot = robot("arm", &[Row { l: 1.0, ..Row::default() }; 2], Convention::Modified).unwrap();
    let path = Arc::new(JointPath::new(vec![(0.0, vec![0.0, 0.0]), (1.0, vec![1.0, 1.0])]).unwrap());
    assert_eq!(LinkMotion::new(&robot, 2, Pose::IDENTITY, path.clone()).uniform(0.0, 1.0), None);
    assert!(LinkMotion::new(&robot, 1, Pose::IDENTITY, path).uniform(0.0, 1.0).is_some());
}

#[test]
fn the_example_of_the_thesis() {
    let row = |alpha: f64, l, d| Row { alpha: alpha.to_radians(), l, d, ..Row::default() };
    let rows = [
        row(0.0, 0.0, 0.0),
        row(-90.0, 0.0, 0.0),
        row(0.0, 0.7, 0.0),
        row(90.0, 0.0, 0.49),
        row(-90.0, 0.0, 0.0),
        row(90.0, 0.0, 0.0),
    ];
    let robot = robot("arm", &rows, Convention::Modified).unwrap();
    let bound = |order| derivative_bound(&robot, 6, 0.01, &[1.0; 6], order);
    assert!((bound(2) - 7.57).abs() < 1e-12);
    let printed = |order| 0.5 * 3.0_f64.sqrt() * bound(order);
    assert_eq!([printed(2), printed(3)].map(|x| (10.0 * x).round() / 10.0), [6.6, 18.2]);
}

#[test]
fn derivatives_stay_below_the_bound_of_the_lemma() {
    let mut random = Random::new(76);
    for _ in 0..200 {
        let robot = random_robot(&mut random);
        let speeds: Vec<f64> = robot.freedoms().iter().map(|_| random.range(0.1, 1.0)).collect();
        let start: Vec<f64> = robot.freedoms().iter().map(|_| random.range(-2.0, 2.0)).collect();
        let end = start.iter().zip(&speeds).map(|(x, v)| x + v).collect();
        let path = Arc::new(JointPath::new(vec![(0.0, start), (1.0, end)]).unwrap());
        let link = robot.links().len() - 1;
        let motion = LinkMotion::new(&robot, link, Pose::IDENTITY, path);
        let point = random.in_cube(0.5);
        let at = |t: f64| motion.pose(t).transform_point(point);
        let bound = |order| derivative_bound(&robot, link, point.length(), &speeds, order);
        let t = 0.5;
        assert!(motion.twist(t).unwrap().velocity(at(t)).length() <= bound(1) * (1.0 + 1e-12));
        let second = (at(t + 1e-4) - 2.0 * at(t) + at(t - 1e-4)).length() / 1e-8;
        assert!(second <= bound(2) * (1.0 + 1e-6) + 1e-5);
    }
}

#[test]
fn joints_share_the_time_as_told() {
    let row = |velocity| Row { velocity: Some(velocity), ..Row::default() };
    let arm = robot("arm", &[row(1.0), row(2.0), Row::default()], Convention::Modified).unwrap();
    let (from, to) = ([0.0, 0.0, 0.5], [1.0, -1.0, 0.5]);
    let go = |mode, speed| point_to_point(&arm, &from, &to, mode, speed);
    let all = go(Mode::Synchronous, 1.0);
    assert_eq!((all.seconds, all.path.values(0.5)), (1.0, vec![0.5, -0.5, 0.5]));
    let each = go(Mode::Simultaneous, 0.5);
    assert_eq!((each.seconds, each.path.times()), (2.0, &[0.0, 0.5, 1.0][..]));
    assert_eq!(each.path.values(0.25), [0.25, -0.5, 0.5]);
    assert_eq!(each.path.values(0.75), [0.75, -1.0, 0.5]);
    let one = go(Mode::Sequential, 1.0);
    assert_eq!(one.seconds, 1.5);
    assert_eq!(one.path.values(2.0 / 3.0), [1.0, 0.0, 0.5]);
    assert_eq!(one.path.values(1.0), to);
    assert_eq!(point_to_point(&arm, &to, &to, Mode::Sequential, 1.0).seconds, 0.0);
}

#[test]
fn knots_that_make_no_path_are_refused() {
    let path =
        |knots: &[(f64, &[f64])]| JointPath::new(knots.iter().map(|(t, q)| (*t, q.to_vec())).collect());
    assert_eq!(path(&[]), Err(JointPathError::Empty));
    assert_eq!(path(&[(0.0, &[1.0]), (1.0, &[1.0, 2.0])]), Err(JointPathError::Count(1)));
    assert_eq!(path(&[(0.0, &[f64::NAN])]), Err(JointPathError::NotFinite(0)));
    assert_eq!(path(&[(0.1, &[1.0])]), Err(JointPathError::Time(0)));
    assert_eq!(path(&[(0.0, &[1.0]), (0.5, &[1.0])]), Err(JointPathError::Time(1)));
    assert_eq!(path(&[(0.0, &[1.0]), (0.0, &[1.0]), (1.0, &[1.0])]), Err(JointPathError::Time(1)));
    let good = path(&[(0.0, &[1.0]), (0.5, &[3.0]), (1.0, &[2.0])]).unwrap();
    assert_eq!([-1.0, 0.25, 0.5, 0.75, 2.0].map(|t| good.value(0, t)), [1.0, 2.0, 3.0, 2.5, 2.0]);
}

/// However fast joints are said to be, and whatever the others do: every joint goes all of its way, and in its turn.
#[test]
fn no_motion_is_too_fast_to_be_seen() {
    let mut random = Random::new(78);
    for round in 0..40 {
        let count = 1 + random.below(4);
        let mut row = || {
            let velocity = Some(10.0_f64.powf(random.range(-12.0, 300.0 / f64::from(1 + round % 8))));
            let limits = Limits { lower: -9.0, upper: 9.0 };
            let kind = if random.below(2) == 0 { JointKind::Prismatic } else { JointKind::Revolute };
            Row { velocity, limits, kind, l: 0.1, ..Row::default() }
        };
        let rows: Vec<Row> = (0..count).map(|_| row()).collect();
        let arm = robot("arm", &rows, Convention::Modified).unwrap();
        let mut values = || -> Vec<f64> { (0..count).map(|_| random.range(-3.0, 3.0)).collect() };
        let (from, to) = (values(), values());
        for profile in [Profile::Constant, Profile::Ramp, Profile::Smooth] {
            for mode in [Mode::Synchronous, Mode::Simultaneous, Mode::Sequential] {
                let timed = paced_point_to_point(&arm, &from, &to, mode, 1.0, profile);
                let (path, last) = (&timed.path, timed.path.times().len() - 1);
                assert!(timed.seconds >= SHORTEST_SECONDS && timed.seconds.is_finite());
                assert_eq!((path.knot(0), path.knot(last)), (&from[..], &to[..]));
                let is_corner = |corner: &[f64]| (0..=last).any(|knot| path.knot(knot) == corner);
                if mode == Mode::Sequential {
                    for done in 0..count {
                        let corner = [&to[..done], &from[done..]].concat();
                        assert!(is_corner(&corner), "{profile:?} {corner:?} {path:?}");
                    }
                }
                if mode == Mode::Simultaneous && profile == Profile::Constant {
                    // Every joint has a knot at which it arrives while slower ones are on their way.
                    let speeds: Vec<f64> = rows.iter().map(|row| row.velocity.unwrap()).collect();
                    let needed = |k: usize| (to[k] - from[k]).abs() / speeds[k];
                    let sum: f64 = (0..count).map(needed).sum();
                    let least = SHORTEST_SECONDS.max(SHORTEST_SHARE * sum);
                    let first = (0..count).min_by(|a, b| needed(*a).total_cmp(&needed(*b))).unwrap();
                    let arrives = (0..=last).find(|knot| path.knot(*knot)[first] == to[first]).unwrap();
                    for other in (0..count).filter(|other| needed(*other) > 4.0 * needed(first).max(least)) {
                        let gone = (path.knot(arrives)[other] - from[other]) / (to[other] - from[other]);
                        assert!(gone < 0.3, "{gone} {path:?}");
                    }
                }
            }
        }
    }
}
