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
        if robot.joints()[robot.freedoms()[k]].kind.turns() { (d - TAU * (d / TAU).round()).abs() } else { d.abs() }
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
        assert_eq!(found.method, method, "{values:?} {:?}", robot.joints().iter().map(|j| j.parent_from_child).collect::<Vec<_>>());
        let nearest = found.solutions.iter().map(|s| apart(robot, &s.values, &values)).fold(f64::INFINITY, f64::min);
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
            if left.position > 1e-12 {eprintln!("POOR {left:?} {:#?} {values:?}", found.solutions);}
            sum.position = sum.position.max(left.position);
            sum.angle = sum.angle.max(left.angle);
            assert!(robot.outside_limits(&solution.values).is_empty());
            assert_eq!(solution.nearest, number == 0);
            for other in &found.solutions[..number] {
                assert!(apart(robot, &other.values, &solution.values) > 1e-7, "twice: {solution:?} {other:?}");
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
        eprintln!("{method:?} {sum:?}");
        assert_eq!(sum.misses, 0);
        assert!(sum.position < 1e-11 && sum.angle < 1e-11, "{sum:?}");
    }
}

#[test]
fn skew_arms_give_back_the_values_that_made_the_pose() {
    let mut random = Random::new(7002);
    for kind in [6,8,9,7] {
        let mut sum = Series::default();
        for _ in 0..freiraum_testkit::scale::cases(100) {
            let robot = skew(&mut random, kind);
            series(&robot, &mut random, 20, Method::SphericalWrist, &mut sum);
        }
        eprintln!("{kind} {sum:?}");
        assert_eq!(sum.misses, 0);
    }
}
