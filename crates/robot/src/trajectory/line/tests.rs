use super::*;
use crate::dh::{Convention, Row, robot};
use crate::model::{JointKind, Limits};
use freiraum_geometry::Vec3;
use freiraum_testkit::random::Random;

/// An arm with a wrist whose axes meet, joints from -2.8 to 2.8.
fn arm() -> Robot {
    let row = |alpha: f64, l, d| Row {
        alpha: alpha.to_radians(),
        l,
        d,
        limits: Limits { lower: -2.8, upper: 2.8 },
        velocity: Some(2.0),
        ..Row::default()
    };
    let rows = [
        row(0.0, 0.0, 0.4),
        row(-90.0, 0.1, 0.0),
        row(0.0, 0.7, 0.0),
        row(-90.0, 0.1, 0.6),
        row(90.0, 0.0, 0.0),
        row(-90.0, 0.0, 0.1),
    ];
    robot("arm", &rows, Convention::Modified).unwrap()
}

fn of<'l>(from: &'l [f64], to: Pose) -> Line<'l> {
    Line {
        link: 6,
        link_from_tool: Pose::from_translation(Vec3::new(0.0, 0.02, 0.15)),
        base: Pose::IDENTITY,
        from,
        to,
        speed: 0.2,
        deviation: Deviation::default(),
    }
}

fn tool(robot: &Robot, asked: &Line, values: &[f64]) -> Pose {
    robot.place(&asked.base, values).links[asked.link] * asked.link_from_tool
}

/// The largest distance from the line in units of what is allowed, at many times.
fn worst(robot: &Robot, asked: &Line, found: &Timed) -> f64 {
    let start = tool(robot, asked, asked.from);
    let mut worst = 0.0_f64;
    let times = found.path.times();
    for piece in times.windows(2) {
        for k in 0..=8 {
            let t = piece[0] + (piece[1] - piece[0]) * f64::from(k) / 8.0;
            let values = found.path.values(t);
            assert!(robot.outside_limits(&values).is_empty());
            let is = tool(robot, asked, &values);
            let should = start.interpolated(&asked.to, t);
            let shift = is.translation().distance(should.translation());
            let turn = is.rotation().angle_between(should.rotation());
            let allowed = asked.deviation;
            worst = worst.max(shift / allowed.position).max(turn / allowed.angle);
            if k == 0 || k == 8 {
                assert!(shift < 1e-8 && turn < 1e-6, "{shift} {turn}");
            }
        }
    }
    worst
}

#[test]
fn tools_stay_on_their_lines() {
    let robot = arm();
    let mut random = Random::new(91);
    let (mut done, mut nearest, mut knots) = (0, 0.0_f64, 0);
    for case in 0..200 {
        let from: Vec<f64> = (0..6).map(|_| random.range(-2.0, 2.0)).collect();
        let to: Vec<f64> = from.iter().map(|x| x + random.range(-0.4, 0.4)).collect();
        let mut asked = of(&from, Pose::IDENTITY);
        asked.base = Pose::new(random.rotation(), random.in_cube(1.0)).unwrap();
        asked.to = tool(&robot, &asked, &to);
        if case % 2 == 0 {
            let turned = tool(&robot, &asked, &from);
            asked.to = Pose::new(turned.rotation(), asked.to.translation()).unwrap();
        }
        asked.deviation.position = [1e-3, 1e-4, 1e-5][case % 3];
        let Ok(found) = line(&robot, &asked) else { continue };
        let worst = worst(&robot, &asked, &found);
        assert!(worst <= 1.0, "case {case}: {worst}");
        // Never faster than told, and never a joint faster than it can.
        let start = tool(&robot, &asked, &from);
        let length = start.translation().distance(asked.to.translation());
        assert!(found.seconds >= length / asked.speed * (1.0 - 1e-12));
        for (number, piece) in found.path.times().windows(2).enumerate() {
            let [a, b] = [found.path.knot(number), found.path.knot(number + 1)];
            let fastest = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(fastest <= 2.0 * (piece[1] - piece[0]) * found.seconds * (1.0 + 1e-9));
        }
        (done, nearest, knots) = (done + 1, nearest.max(worst), knots + found.path.times().len());
    }
    println!("{done} lines, {} knots each, up to {nearest:.2} of what is allowed", knots / done);
    assert!(done > 150 && nearest > 0.1, "{done} {nearest}");
}

#[test]
fn a_line_that_goes_nowhere_takes_no_time() {
    let robot = arm();
    let from = [0.3, -0.5, 0.4, 0.1, 0.8, 0.0];
    let mut asked = of(&from, Pose::IDENTITY);
    asked.to = tool(&robot, &asked, &from);
    assert_eq!(line(&robot, &asked).unwrap(), Timed { path: JointPath::still(&from), seconds: 0.0 });
    // Turning in place: a second per radian, and the point stays.
    let turn = Pose::from_axis_angle(Vec3::Z, 0.5).unwrap();
    asked.to = Pose::new(turn.rotation() * asked.to.rotation(), asked.to.translation()).unwrap();
    let found = line(&robot, &asked).unwrap();
    assert!((found.seconds - 0.5).abs() < 1e-9, "{}", found.seconds);
    assert!(worst(&robot, &asked, &found) <= 1.0);
}

#[test]
fn what_is_in_the_way_is_told() {
    let robot = arm();
    // The elbow up in front of the arm, the tool down.
    let from = [0.0, -1.0, 0.2, 0.0, -0.8, 0.0];
    let mut asked = of(&from, Pose::IDENTITY);
    let start = tool(&robot, &asked, &from);
    let shifted = |by: Vec3| Pose::new(start.rotation(), start.translation() + by).unwrap();
    // Out of reach: the end of the arm is less than two metres away.
    asked.to = shifted(Vec3::new(3.0, 0.0, 0.0));
    let error = line(&robot, &asked).unwrap_err();
    assert!(matches!(error.trouble, LineTrouble::Unreachable(Reason::OutOfReach { .. })), "{error}");
    assert!(error.share > 0.05 && error.share < 0.5, "{error}");
    let at = tool(&robot, &asked, &error.values);
    assert!(at.translation().distance(error.pose.translation()) < 1e-6);
    // A joint limit on the way: the last joint turns with the tool.
    let from = [0.0, -1.0, 0.2, 0.0, -0.8, 2.6];
    let mut asked = of(&from, Pose::IDENTITY);
    let limited = [0.0, -1.0, 0.2, 0.0, -0.8, 3.0];
    asked.to = tool(&robot, &asked, &limited);
    let error = line(&robot, &asked).unwrap_err();
    let LineTrouble::Limit { joint, value } = error.trouble else { panic!("{error}") };
    assert_eq!(joint, 5);
    assert!((value - 2.8).abs() < 1e-3 && (error.share - 0.5).abs() < 1e-3, "{value} {}", error.share);
}

#[test]
fn jumps_are_refused_with_their_place() {
    // Two links of equal length in a plane, and a last one that keeps the direction: on a line close to the base the first joint has to turn by a half in no time.
    let row = |l| Row { l, kind: JointKind::Continuous, ..Row::default() };
    let robot = robot("scara", &[row(0.0), row(1.0), row(1.0)], Convention::Modified).unwrap();
    let bent = 2.0 * (0.5_f64).acos();
    let from = [-0.5 * bent, bent, -0.5 * bent];
    let mut asked = of(&from, Pose::IDENTITY);
    (asked.link, asked.link_from_tool) = (3, Pose::IDENTITY);
    let start = tool(&robot, &asked, &from);
    assert!(start.translation().distance(Vec3::X) < 1e-12, "{start:?}");
    asked.to = Pose::new(start.rotation(), Vec3::new(-1.0, 1e-3, 0.0)).unwrap();
    // Beside the base it is steep, but possible, and takes its time.
    let found = line(&robot, &asked).unwrap();
    assert!(worst(&robot, &asked, &found) <= 1.0);
    assert!(found.seconds > 100.0, "{}", found.seconds);
    // Right through it the arm folds and unfolds on the other side, without any hurry.
    asked.to = Pose::new(start.rotation(), -Vec3::X).unwrap();
    let found = line(&robot, &asked).unwrap();
    assert!(worst(&robot, &asked, &found) <= 1.0);
    assert!((found.seconds - 10.0).abs() < 1e-9, "{}", found.seconds);
    // With a wrist in line the tool cannot tilt across its joints unless the fourth turns by a right angle first.
    let robot = arm();
    let from = [0.0, -1.0, 0.2, 0.0, 0.0, 0.0];
    let mut asked = of(&from, Pose::IDENTITY);
    asked.link_from_tool = Pose::IDENTITY;
    let start = tool(&robot, &asked, &from);
    let placed = robot.place(&Pose::IDENTITY, &from);
    let [across, along] = [5, 6].map(|link: usize| placed.links[link].rotate(Vec3::Z));
    let tilt = Pose::from_axis_angle(across.cross(along), 0.4).unwrap();
    let wrist = placed.links[5].translation();
    let about = |turn: Pose| Pose::from_translation(wrist - turn.rotate(wrist)) * turn;
    asked.to = about(tilt) * start;
    let error = line(&robot, &asked).unwrap_err();
    assert!(error.share < 1e-3, "{error}");
    // The last joint turns as far the other way.
    let LineTrouble::Jump { joint: 3 | 5, from: 0.0, to, singular } = error.trouble else {
        panic!("{error}")
    };
    assert!((to.abs() - 0.5 * std::f64::consts::PI).abs() < 0.1, "{to}");
    assert_eq!(singular, [Singularity::Wrist]);
}
