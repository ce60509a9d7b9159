//! Configurations by name and profiles of speed in programs.

use super::*;
use crate::program::{line, schedule};

/// Puma: six axes, the last three meet; all of its solutions are within the limits.
fn puma(limits: Limits) -> Scene {
    use std::f64::consts::FRAC_PI_2;
    let row = |alpha: f64, l: f64, d: f64| Row { alpha, l, d, limits, velocity: Some(2.0), ..Row::default() };
    let rows = [
        row(0.0, 0.0, 0.0),
        row(-FRAC_PI_2, 0.0, 0.0),
        row(0.0, 0.4318, 0.15),
        row(-FRAC_PI_2, 0.0203, 0.4318),
        row(FRAC_PI_2, 0.0, 0.0),
        row(-FRAC_PI_2, 0.0, 0.0),
    ];
    let model = Arc::new(dh::robot("puma", &rows, Convention::Modified).unwrap());
    let mut scene = Scene::default();
    scene.robots.push(PlacedRobot {
        name: "puma".to_owned(),
        source: RobotSource::Table,
        base: Pose::from_translation(Vec3::new(0.3, -0.2, 0.1)),
        start: vec![0.1, -0.4, 0.3, 0.2, 0.5, -0.1],
        links: vec![None; model.links().len()],
        flange: 6,
        flange_from_tool: Pose::from_translation(Vec3::new(0.0, 0.0, 0.1)),
        tools: Vec::new(),
        states: Vec::new(),
        place: Place::default(),
        model,
    });
    scene
}

/// Where the tool of the only robot is at joint values.
fn tool_at(scene: &Scene, values: &[f64]) -> Pose {
    schedule::tool(&scene.robots[0], values)
}

/// The joint values after a program.
fn values_after(scene: &Scene, kinds: Vec<ActionKind>) -> Result<(Vec<f64>, f64), String> {
    let starts: Vec<Vec<f64>> = scene.robots.iter().map(|robot| robot.start.clone()).collect();
    let found = schedule::schedule(scene, &step(vec![(0, kinds)]), &starts)
        .map_err(|problems| problems[0].message.clone())?;
    Ok((found.tracks[0].part(0.0, found.seconds).values(1.0), found.seconds))
}

#[test]
fn configurations_by_name() {
    let scene = puma(Limits { lower: -6.3, upper: 6.3 });
    let start = scene.robots[0].start.clone();
    let target = tool_at(&scene, &[0.4, -0.9, 0.8, 0.3, 0.7, 0.2]);
    let mut seen: Vec<Vec<f64>> = Vec::new();
    for words in
        ["front up noflip", "front up flip", "front down noflip", "front down flip"].into_iter().chain([
            "back up noflip",
            "back up flip",
            "back down noflip",
            "shoulder back, elbow down, wrist flip",
        ])
    {
        let to = Target::Configured(target, words.parse().unwrap());
        let kind =
            ActionKind::PointToPoint { to, mode: Mode::Synchronous, speed: 1.0, profile: Profile::Smooth };
        let (values, _) = values_after(&scene, vec![kind]).unwrap();
        let off = tool_at(&scene, &values).translation().distance(target.translation());
        assert!(off < 1e-8, "{words}: {off}");
        let found = line::nearest_values(
            &scene.robots[0],
            &target,
            None,
            &values,
            freiraum_geometry::Unit::Metre,
            Place::default(),
        );
        let far = |other: &[f64]| other.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far(&found.unwrap()) < 1e-9, "the nearest is the one where it is");
        // A line keeps it.
        let by = ActionKind::Line {
            to: LineEnd::By(Vec3::new(0.01, 0.0, 0.01)),
            speed: 0.1,
            profile: Profile::Ramp,
        };
        let to = Target::Configured(target, words.parse().unwrap());
        let go =
            ActionKind::PointToPoint { to, mode: Mode::Synchronous, speed: 1.0, profile: Profile::Constant };
        let (moved, _) = values_after(&scene, vec![go, by]).unwrap();
        assert!(far(&moved) < 0.3, "{words}: {values:?} {moved:?}");
        assert!(seen.iter().all(|other| far(other) > 0.01), "{words}");
        seen.push(values);
    }
    assert_eq!(seen.len(), 8);
    // One side alone: the nearest of those on it.
    let up = Target::Configured(target, "down".parse().unwrap());
    let kind =
        ActionKind::PointToPoint { to: up, mode: Mode::Synchronous, speed: 1.0, profile: Profile::Constant };
    let (values, _) = values_after(&scene, vec![kind]).unwrap();
    let way = |values: &[f64]| values.iter().zip(&start).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let down = seen.iter().enumerate().filter(|(k, _)| [2, 3, 6, 7].contains(k)).map(|(_, values)| values);
    let nearest = down.min_by(|a, b| way(a).total_cmp(&way(b))).unwrap();
    assert_eq!(&values, nearest);
}

#[test]
fn configurations_that_do_not_reach() {
    let scene = puma(Limits { lower: -1.5, upper: 1.5 });
    let target = tool_at(&scene, &[0.4, -0.9, 0.8, 0.3, 0.7, 0.2]);
    let go = |words: &str| {
        let to = Target::Configured(target, words.parse().unwrap());
        let kind =
            ActionKind::PointToPoint { to, mode: Mode::Synchronous, speed: 1.0, profile: Profile::Constant };
        values_after(&scene, vec![kind])
    };
    let all = ["front", "back"].iter().flat_map(|a| ["up", "down"].map(|b| (*a, b)));
    let all: Vec<String> =
        all.flat_map(|(a, b)| ["noflip", "flip"].map(|c| format!("{a} {b} {c}"))).collect();
    let (good, bad): (Vec<&String>, Vec<&String>) = all.iter().partition(|words| go(words).is_ok());
    assert!(!good.is_empty() && !bad.is_empty(), "{good:?} {bad:?}");
    for words in bad {
        let message = go(words).unwrap_err();
        let start = format!("no configuration \"{words}\" of \"puma\" reaches the pose at ");
        assert!(message.starts_with(&start) && message.contains("within the limits of joint"), "{message}");
        assert!(good.iter().all(|words| message.contains(words.as_str())), "{message}");
    }
    // The crane is searched numerically.
    let (scene, _) = pair_of_cranes();
    let target = schedule::tool(&scene.robots[0], &[0.3, 0.1]);
    let to = Target::Configured(target, "up".parse().unwrap());
    let kind =
        ActionKind::PointToPoint { to, mode: Mode::Synchronous, speed: 1.0, profile: Profile::Constant };
    let message = values_after(&scene, vec![kind]).unwrap_err();
    assert!(message.contains("has no named configurations"), "{message}");
}

#[test]
fn profiles_take_their_time() {
    let (scene, _) = pair_of_cranes();
    let go = |to: [f64; 2], mode: Mode, profile: Profile| {
        let to = Target::Joints(to.map(Some).to_vec());
        values_after(&scene, vec![ActionKind::PointToPoint { to, mode, speed: 1.0, profile }]).unwrap().1
    };
    // 1 rad/s, at full speed after a quarter of a second.
    assert!((go([2.0, 0.0], Mode::Synchronous, Profile::Constant) - 2.0).abs() < 1e-9);
    assert!((go([2.0, 0.0], Mode::Synchronous, Profile::Ramp) - 2.25).abs() < 1e-9);
    assert!((go([2.0, 0.0], Mode::Synchronous, Profile::Smooth) - 2.5).abs() < 1e-9);
    assert!((go([2.0, 0.1], Mode::Sequential, Profile::Ramp) - 3.5).abs() < 1e-9);
    let line = |profile: Profile| {
        let kind = ActionKind::Line { to: LineEnd::By(Vec3::new(0.0, 0.0, 0.2)), speed: 0.05, profile };
        values_after(&scene, vec![kind]).unwrap().1
    };
    // 0.2 m at 0.05 m/s; the slide gets to 0.1 m/s in a quarter of a second.
    assert!((line(Profile::Constant) - 4.0).abs() < 1e-6);
    assert!((line(Profile::Ramp) - 4.125).abs() < 1e-6, "{}", line(Profile::Ramp));
    assert!((line(Profile::Smooth) - 4.25).abs() < 1e-6);
}

/// A smooth motion is checked like any other: the way is the same, and so is what it touches.
#[test]
fn smooth_motions_are_checked() {
    let mut angles = Vec::new();
    for profile in [Profile::Constant, Profile::Ramp, Profile::Smooth] {
        let mut scene = Scene::default();
        add(&mut scene, "left", Vec3::ZERO, [0.0, 0.0]);
        scene.bodies.push(body("post", cube(0.1), Pose::from_translation(Vec3::new(0.0, 0.5, 0.0))));
        let turn = |to: f64| {
            let to = Target::Joints(vec![Some(to), None]);
            ActionKind::PointToPoint { to, mode: Mode::Synchronous, speed: 1.0, profile }
        };
        scene.steps = vec![step(vec![(0, vec![turn(2.0)])])];
        let (timeline, result) = checked(&scene);
        assert_eq!(result.verdict, PlanVerdict::Collision, "{profile:?}");
        let finding = &result.steps[0].findings[0];
        let hand = timeline.stages[0].motion(scene.body("left/link2").unwrap()).pose(finding.time);
        let at = hand.translation();
        angles.push(at.y.atan2(at.x));
        scene.steps = vec![step(vec![(0, vec![turn(1.2)])])];
        assert_eq!(checked(&scene).1.verdict, PlanVerdict::Free, "{profile:?}");
    }
    // Where the hand is then does not depend on how fast it got there.
    assert!((angles[0] - 1.36).abs() < 0.03, "{angles:?}");
    assert!(angles.iter().all(|angle| (angle - angles[0]).abs() < 1e-5), "{angles:?}");
}

/// Whatever the speeds and waits: every corner of every motion of every robot is in the stages, in order.
#[test]
fn no_motion_is_lost() {
    use freiraum_testkit::random::Random;
    let mut random = Random::new(79);
    for _ in 0..freiraum_testkit::scale::cases(40) {
        let mut scene = Scene::default();
        scene.bodies.push(body("peg", cube(0.1), Pose::from_translation(Vec3::new(9.0, 0.0, 0.0))));
        for name in ["left", "right"] {
            let mut row = || {
                let limits = Limits { lower: -9.0, upper: 9.0 };
                let velocity = Some(10.0_f64.powf(random.range(-12.0, 60.0)));
                Row { limits, velocity, l: 0.1, ..Row::default() }
            };
            let model = Arc::new(dh::robot("arm", &[row(), row()], Convention::Modified).unwrap());
            scene.robots.push(PlacedRobot {
                name: name.to_owned(),
                source: RobotSource::Table,
                base: Pose::IDENTITY,
                start: vec![0.0, 0.0],
                links: vec![None; model.links().len()],
                flange: 2,
                flange_from_tool: Pose::IDENTITY,
                tools: Vec::new(),
                states: Vec::new(),
                place: Place::default(),
                model,
            });
        }
        let (mut tasks, mut corners) = (Vec::new(), vec![Vec::new(); 2]);
        for (robot, corners) in corners.iter_mut().enumerate() {
            let mut kinds = Vec::new();
            let mut before = vec![0.0, 0.0];
            for number in 0..6 {
                let after = vec![random.range(-8.0, 8.0), random.range(-8.0, 8.0)];
                let profile = [Profile::Constant, Profile::Ramp, Profile::Smooth][random.below(3)];
                let mode = [Mode::Synchronous, Mode::Sequential][random.below(2)];
                let to = Target::Joints(after.iter().copied().map(Some).collect());
                kinds.push(ActionKind::PointToPoint { to, mode, speed: 1.0, profile });
                if mode == Mode::Sequential {
                    corners.push(vec![after[0], before[1]]);
                }
                corners.push(after.clone());
                before = after;
                if random.below(2) == 0 {
                    kinds.push(ActionKind::Wait(10.0_f64.powf(random.range(-20.0, 12.0))));
                }
                if number == 2 {
                    kinds.push(ActionKind::Sync("here".to_owned()));
                }
                if robot == 0 && number == 3 {
                    kinds.push(ActionKind::Grasp { body: 0, depth: None });
                }
            }
            tasks.push((robot, kinds));
        }
        scene.steps = vec![step(tasks)];
        let timeline = Timeline::of(&scene).unwrap();
        assert_eq!(timeline.stages.len(), 2);
        for (robot, corners) in corners.iter().enumerate() {
            let mut wanted = corners.iter().peekable();
            for stage in &timeline.robots[..2] {
                let path = &stage[robot].path;
                for knot in 0..path.times().len() {
                    while wanted.next_if(|corner| path.knot(knot) == &corner[..]).is_some() {}
                }
            }
            assert_eq!(wanted.next(), None, "{corners:?}");
        }
    }
}

/// A hand that is said to be nearly as fast as numbers get still sweeps over what it meets.
#[test]
fn the_fastest_hand_still_collides() {
    for velocity in [0.1, 1e9, 3.4e38] {
        let mut scene = Scene::default();
        add(&mut scene, "left", Vec3::ZERO, [0.0, 0.0]);
        let mut joints = scene.robots[0].model.joints().to_vec();
        joints.iter_mut().for_each(|joint| joint.velocity = Some(velocity));
        let links = scene.robots[0].model.links().to_vec();
        scene.robots[0].model = Arc::new(Robot::new("crane", links, joints).unwrap());
        scene.bodies.push(body("post", cube(0.1), Pose::from_translation(Vec3::new(0.0, 0.5, 0.0))));
        scene.steps = vec![step(vec![(0, vec![ActionKind::Wait(1e5), to([2.0, 0.0]), to([0.0, 0.0])])])];
        assert_eq!(checked(&scene).1.verdict, PlanVerdict::Collision, "{velocity}");
    }
}
