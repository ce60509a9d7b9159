use super::*;
use crate::dh::{Convention, Row, robot};
use crate::model::{JointKind, Limits};
use crate::trajectory::{Deviation, Line, line};
use freiraum_geometry::Pose;
use freiraum_testkit::random::Random;

/// Three joints: two that turn with 2 and 1 rad/s, and a slide with 0.5 m/s.
fn arm() -> Robot {
    let row = |l: f64, kind: JointKind, velocity: f64| {
        let limits = Limits { lower: -3.0, upper: 3.0 };
        Row { l, kind, limits, velocity: Some(velocity), ..Row::default() }
    };
    let rows = [
        row(0.0, JointKind::Revolute, 2.0),
        row(0.5, JointKind::Revolute, 1.0),
        row(0.4, JointKind::Prismatic, 0.5),
    ];
    robot("arm", &rows, Convention::Modified).unwrap().with_accelerations(Some(4.0), Some(1.0))
}

fn check_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} instead of {expected}");
}

#[test]
fn times_and_peaks_in_closed_form() {
    let check = |profile: Profile, speed: f64, acceleration: f64, seconds: f64, peak: f64, most: f64| {
        let law = Law::new(profile, speed, acceleration);
        check_close(law.seconds(), seconds);
        check_close(law.peak_speed(), peak);
        check_close(law.peak_acceleration(), most);
        assert_eq!((law.share(0.0), law.share(law.seconds())), (0.0, 1.0));
        check_close(law.share(0.5 * law.seconds()), 0.5);
    };
    // A trapezoid: way over speed, and once the time to get there.
    check(Profile::Ramp, 0.5, 2.0, 2.0 + 0.25, 0.5, 2.0);
    // A triangle: it has to brake before it is at full speed.
    check(Profile::Ramp, 10.0, 4.0, 1.0, 2.0, 4.0);
    check(Profile::Smooth, 0.5, 2.0, 2.0 + 0.5, 0.5, 2.0);
    check(Profile::Smooth, 10.0, 8.0, 1.0, 2.0, 8.0);
    assert_eq!(Law::new(Profile::Constant, 0.5, 2.0).seconds(), 2.0);
}

/// Speed and acceleration by differences: never above the limits; those of the S-curve change by little in little time.
#[test]
fn laws_keep_their_limits() {
    let mut random = Random::new(41);
    for _ in 0..200 {
        let (speed, acceleration) = (random.range(0.1, 5.0), random.range(0.1, 20.0));
        for profile in [Profile::Ramp, Profile::Smooth] {
            let law = Law::new(profile, speed, acceleration);
            let h = law.seconds() / 2000.0;
            let share = |k: usize| law.share(k as f64 * h);
            let second = |k: usize| (share(k + 1) - 2.0 * share(k) + share(k - 1)) / (h * h);
            let rounding = 1e-14 / (h * h);
            for k in 1..2000 {
                let rate = (share(k) - share(k - 1)) / h;
                assert!(rate >= 0.0 && rate <= speed * (1.0 + 1e-9) + 1e-13 / h, "{law:?} at {k}");
                assert!(second(k).abs() <= acceleration * (1.0 + 1e-9) + rounding, "{law:?} at {k}");
                if profile == Profile::Smooth && k > 1 {
                    // The squared sine grows by no more than pi over the time that it takes.
                    let jump = (second(k) - second(k - 1)).abs();
                    let most = acceleration * std::f64::consts::PI * h / law.gather;
                    assert!(jump <= most * 1.01 + 2.0 * rounding, "{law:?} at {k}: {jump} above {most}");
                }
            }
            for _ in 0..10 {
                let wanted = random.range(0.0, 1.0);
                assert!((law.share(law.time(wanted)) - wanted).abs() < 1e-12, "{law:?} {wanted}");
            }
        }
    }
}

/// The mean speed and acceleration from knot to knot keep the limits of the joints.
fn check_limits(robot: &Robot, timed: &Timed, speed: f64, slack: f64) {
    let times: Vec<f64> = timed.path.times().iter().map(|time| time * timed.seconds).collect();
    for freedom in 0..robot.freedoms().len() {
        let value = |k: usize| timed.path.knot(k)[freedom];
        let rate = |k: usize| (value(k + 1) - value(k)) / (times[k + 1] - times[k]);
        let (most, hardest) = (full_speed(robot, freedom), full_acceleration(robot, freedom));
        for k in 0..times.len() - 1 {
            assert!(rate(k).abs() <= speed * most * (1.0 + 1e-6), "joint {freedom}, knot {k}: {}", rate(k));
        }
        for k in 1..times.len() - 1 {
            let mean = (rate(k) - rate(k - 1)) / (0.5 * (times[k + 1] - times[k - 1]));
            assert!(
                mean.abs() <= hardest * (1.0 + slack),
                "joint {freedom}, knot {k}: {mean} above {hardest}"
            );
        }
    }
}

#[test]
fn joints_follow_their_laws() {
    let robot = arm();
    let mut random = Random::new(42);
    for _ in 0..100 {
        let mut values = || -> Vec<f64> { (0..3).map(|_| random.range(-2.5, 2.5)).collect() };
        let (from, mut to) = (values(), values());
        if random.below(3) == 0 {
            to[1] = from[1];
        }
        let speed = random.range(0.05, 1.0);
        for profile in [Profile::Ramp, Profile::Smooth] {
            for mode in [Mode::Synchronous, Mode::Simultaneous, Mode::Sequential] {
                let timed = paced_point_to_point(&robot, &from, &to, mode, speed, profile);
                check_limits(&robot, &timed, speed, 1e-4);
                assert_eq!((timed.path.values(0.0), timed.path.values(1.0)), (from.clone(), to.clone()));
                let plain = point_to_point(&robot, &from, &to, mode, speed);
                assert!(timed.seconds > plain.seconds, "getting up to speed takes time");
                let law = |freedom: usize| {
                    let way = (to[freedom] - from[freedom]).abs();
                    let [v, a] = [full_speed(&robot, freedom), full_acceleration(&robot, freedom)];
                    (way > 0.0).then(|| Law::new(profile, speed * v / way, a / way))
                };
                let mut start = 0.0;
                let alone: Vec<Option<(f64, Law)>> = (0..3)
                    .map(|freedom| {
                        let law = law(freedom)?;
                        let at = start;
                        if mode == Mode::Sequential {
                            start += law.seconds();
                        }
                        Some((at, law))
                    })
                    .collect();
                for k in 0..=300 {
                    let t = f64::from(k) / 300.0;
                    let found = timed.path.values(t);
                    let share = |freedom: usize| {
                        let way = to[freedom] - from[freedom];
                        (way != 0.0).then(|| (found[freedom] - from[freedom]) / way)
                    };
                    if mode == Mode::Synchronous {
                        let shares: Vec<f64> = (0..3).filter_map(share).collect();
                        assert!(shares.iter().all(|x| (x - shares[0]).abs() < 1e-12), "{shares:?}");
                        continue;
                    }
                    for (freedom, one) in alone.iter().enumerate() {
                        let Some((at, law)) = one else { continue };
                        let right = law.share(t * timed.seconds - at);
                        let right = from[freedom] + right * (to[freedom] - from[freedom]);
                        let off = (found[freedom] - right).abs();
                        assert!(off <= deviation(&robot, freedom) * (1.0 + 1e-6), "{off} at {t}");
                    }
                }
            }
        }
    }
}

/// One joint alone: the time is that of the closed form, and the slowest joint rules the others.
#[test]
fn seconds_of_a_motion() {
    let robot = arm();
    let check = |to: [f64; 3], profile: Profile, mode: Mode, expected: f64| {
        let found = paced_point_to_point(&robot, &[0.0; 3], &to, mode, 1.0, profile).seconds;
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    };
    // 2 rad at 2 rad/s and 4 rad/s²: half a second up, half a second down, half a radian each.
    check([2.0, 0.0, 0.0], Profile::Ramp, Mode::Synchronous, 1.5);
    check([2.0, 0.0, 0.0], Profile::Smooth, Mode::Synchronous, 2.0);
    // The slide: 1 m at 0.5 m/s and 1 m/s².
    check([0.0, 0.0, 1.0], Profile::Ramp, Mode::Simultaneous, 2.5);
    check([2.0, 0.0, 1.0], Profile::Ramp, Mode::Sequential, 4.0);
    check([2.0, 0.0, 1.0], Profile::Ramp, Mode::Simultaneous, 2.5);
    // Too short to get up to speed: 2 sqrt(way / acceleration).
    check([0.25, 0.0, 0.0], Profile::Ramp, Mode::Synchronous, 0.5);
    check([0.0; 3], Profile::Smooth, Mode::Synchronous, 0.0);
    // Ways that are next to nothing.
    for to in [[f64::MIN_POSITIVE, 0.0, 1e-300], [f64::from_bits(1), 0.0, 0.0], [1e-17, 2.0, 0.0]] {
        for mode in [Mode::Synchronous, Mode::Simultaneous, Mode::Sequential] {
            let found = paced_point_to_point(&robot, &[0.0; 3], &to, mode, 1.0, Profile::Smooth);
            assert!(found.seconds.is_finite() && found.path.values(1.0) == to);
        }
    }
}

/// What is not stated follows from the speed.
#[test]
fn accelerations_that_are_not_stated() {
    let robot = arm().with_accelerations(None, None);
    let found: Vec<f64> = (0..3).map(|freedom| full_acceleration(&robot, freedom)).collect();
    assert_eq!(found, [2.0 / RAMP_SECONDS, 1.0 / RAMP_SECONDS, 0.5 / RAMP_SECONDS]);
}

/// A line with a profile goes through the same joint values in the same order, keeps the accelerations and the straight line.
#[test]
fn lines_keep_their_way() {
    let limits = Limits { lower: -3.0, upper: 3.0 };
    let row = |l: f64, kind: JointKind| Row { l, kind, limits, velocity: Some(1.0), ..Row::default() };
    let turn = JointKind::Revolute;
    let rows = [row(0.0, turn), row(0.5, turn), row(0.4, JointKind::Prismatic), row(0.0, turn)];
    let robot = robot("scara", &rows, Convention::Modified).unwrap().with_accelerations(Some(3.0), Some(2.0));
    let from = [0.3, 1.2, 0.1, 0.2];
    let tool = |values: &[f64]| robot.place(&Pose::IDENTITY, values).links[4];
    let start = tool(&from);
    let to = tool(&[0.7, 0.8, 0.3, 0.1]);
    let asked = Line {
        link: 4,
        link_from_tool: Pose::IDENTITY,
        base: Pose::IDENTITY,
        from: &from,
        to,
        speed: 0.5,
        deviation: Deviation::default(),
    };
    let Ok(plain) = line(&robot, &asked) else { panic!("the line can be followed") };
    for profile in [Profile::Ramp, Profile::Smooth] {
        let found = paced(&robot, &plain, profile);
        assert!(found.seconds > plain.seconds);
        // Where the way bends at a knot, short pieces beside it measure more.
        check_limits(&robot, &found, 1.0, 0.05);
        let along = |values: &[f64]| {
            let way = to.translation() - start.translation();
            (tool(values).translation() - start.translation()).dot(way) / way.length_squared()
        };
        let mut before = -1.0;
        for k in 0..=400 {
            let values = found.path.values(f64::from(k) / 400.0);
            let share = along(&values);
            assert!(share >= before - 1e-9, "never back");
            before = share;
            let on: Vec<f64> = plain.path.values(share.clamp(0.0, 1.0));
            let off = on.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 2e-3, "{off} beside the way");
            let point = start.translation() + share * (to.translation() - start.translation());
            assert!(point.distance(tool(&values).translation()) <= Deviation::default().position * 1.01);
        }
        assert_eq!(found.path.values(1.0), plain.path.values(1.0));
    }
    let still = Timed { path: JointPath::still(&from), seconds: 0.0 };
    assert_eq!(paced(&robot, &still, Profile::Smooth), still);
    assert_eq!(paced(&robot, &plain, Profile::Constant), plain);
}
