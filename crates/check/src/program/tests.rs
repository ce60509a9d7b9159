mod json;
mod pace;

use super::doubtful_grasps;
use crate::checker::{CheckMemory, CheckOptions, FindingKind, PlanVerdict, Report, check};
use crate::{Course, Timeline, words};
use freiraum_assets::ShapeCache;
use freiraum_geometry::shape::{Cuboid, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_robot::dh::{self, Convention, Row};
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_robot::{JointKind, Limits, Link, LinkShape, Robot};
use freiraum_scene::{
    Action, ActionKind, Body, Geometry, JointEnd, LineEnd, PairRule, Place, PlacedRobot, RobotSource, Scene,
    Step, Target, Task,
};
use std::sync::Arc;

/// Turns about z, reaches half a metre out, slides up and down: the hand is a small box at the end.
fn crane() -> Arc<Robot> {
    let limits = |lower, upper| Limits { lower, upper };
    let rows = [
        Row { limits: limits(-3.0, 3.0), velocity: Some(1.0), ..Row::default() },
        Row {
            l: 0.5,
            kind: JointKind::Prismatic,
            limits: limits(-0.4, 0.4),
            velocity: Some(0.1),
            ..Row::default()
        },
    ];
    let plain = dh::robot("crane", &rows, Convention::Modified).unwrap();
    let shapes = [
        None,
        Some((Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.5, 0.04, 0.04))),
        Some((Vec3::ZERO, Vec3::splat(0.1))),
    ];
    let links = plain.links().iter().zip(shapes).map(|(link, shape)| Link {
        collision: shape.map_or(Vec::new(), |(at, size)| {
            let shape = Shape::Cuboid(Cuboid::new(size).unwrap());
            vec![LinkShape { link_from_shape: Pose::from_translation(at), shape }]
        }),
        ..link.clone()
    });
    Arc::new(Robot::new("crane", links.collect(), plain.joints().to_vec()).unwrap())
}

fn body(name: &str, shape: Shape, pose: Pose) -> Body {
    Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose,
        goal: None,
        place: Place::default(),
    }
}

fn cube(size: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::splat(size)).unwrap())
}

/// Adds a crane; its bodies are `name/link1` and `name/link2`.
fn add(scene: &mut Scene, name: &str, base: Vec3, start: [f64; 2]) {
    add_at(scene, name, Pose::from_translation(base), start);
}

fn add_at(scene: &mut Scene, name: &str, base: Pose, start: [f64; 2]) {
    let model = crane();
    let placed = model.place(&base, &start);
    let mut links = vec![None];
    for link in [1, 2] {
        let LinkShape { link_from_shape, shape } = &model.links()[link].collision[0];
        let parts = vec![freiraum_geometry::shape::Part {
            compound_from_part: *link_from_shape,
            shape: shape.clone(),
        }];
        let shape = Shape::Compound(freiraum_geometry::shape::Compound::new(parts).unwrap());
        links.push(Some(scene.bodies.len()));
        scene.bodies.push(body(&format!("{name}/link{link}"), shape, placed.links[link]));
    }
    let rule = |a: usize, b: usize| PairRule {
        bodies: [vec![a], vec![b]],
        clearance: None,
        allowance: None,
        approach: None,
        ignore: Some("neighbours".to_owned()),
        place: Place::default(),
    };
    scene.pairs.push(rule(links[1].unwrap(), links[2].unwrap()));
    scene.robots.push(PlacedRobot {
        name: name.to_owned(),
        model,
        source: RobotSource::Table,
        base,
        start: start.to_vec(),
        links,
        flange: 2,
        flange_from_tool: Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)),
        tools: Vec::new(),
        states: Vec::new(),
        place: Place::default(),
    });
}

fn actions(kinds: Vec<ActionKind>) -> Vec<Action> {
    kinds.into_iter().map(|kind| Action { kind, place: Place::default() }).collect()
}

fn step(tasks: Vec<(usize, Vec<ActionKind>)>) -> Step {
    let tasks = tasks.into_iter().map(|(robot, kinds)| Task {
        robot,
        actions: actions(kinds),
        place: Place::default(),
    });
    let place = Place::default();
    Step { name: "go".to_owned(), moves: Vec::new(), tasks: tasks.collect(), seconds: 1.0, place }
}

fn to(values: [f64; 2]) -> ActionKind {
    let to = Target::Joints(values.map(Some).to_vec());
    ActionKind::PointToPoint { to, mode: Mode::Synchronous, speed: 1.0, profile: Profile::Constant }
}

fn sync(name: &str) -> ActionKind {
    ActionKind::Sync(name.to_owned())
}

fn grasp(body: usize) -> ActionKind {
    ActionKind::Grasp { body, depth: None }
}

/// Two cranes two metres apart and a part in the hand of the first.
fn pair_of_cranes() -> (Scene, usize) {
    let mut scene = Scene::default();
    add(&mut scene, "left", Vec3::ZERO, [0.0, 0.0]);
    add(&mut scene, "right", Vec3::new(2.0, 0.0, 0.0), [3.0, 0.0]);
    let part = scene.bodies.len();
    scene.bodies.push(body("part", cube(0.05), Pose::from_translation(Vec3::new(0.5, 0.0, -0.075))));
    (scene, part)
}

fn problem(scene: &Scene) -> String {
    let problems = Timeline::of(scene).err().expect("something is wrong");
    problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("\n")
}

fn checked(scene: &Scene) -> (Timeline, Report) {
    let timeline = Timeline::of(scene).unwrap();
    let options = CheckOptions::default();
    let result = check(scene, &timeline, &ShapeCache::of(scene), &CheckMemory::default(), &options).unwrap();
    (timeline, result)
}

#[test]
fn what_is_held_moves_with_the_hand_and_stays_where_it_is_left() {
    let (mut scene, part) = pair_of_cranes();
    let release = ActionKind::Release { body: part };
    scene.steps = vec![step(vec![(
        0,
        vec![grasp(part), to([1.0, 0.2]), release, ActionKind::Wait(0.5), to([0.0, 0.0])],
    )])];
    let timeline = Timeline::of(&scene).unwrap();
    let names: Vec<&str> = timeline.stages.iter().map(|stage| stage.name.as_str()).collect();
    assert_eq!(names, ["go (1 of 2)", "go (2 of 2)"]);
    let [first, second] = [&timeline.stages[0], &timeline.stages[1]];
    assert_eq!([first.step, second.step], [0, 0]);
    // A turn of one radian, and a slide of 0.2 m at 0.1 m/s: two seconds. Then half a second of waiting before the way back.
    assert!((first.seconds - 2.0).abs() < 1e-12 && (second.seconds - 2.5).abs() < 1e-12);
    assert_eq!(first.mover_of(part), first.mover_of(scene.body("left/link2").unwrap()));
    assert_eq!(second.mover_of(part), None);
    // Half of the way: half a radian, a tenth of a metre up.
    let at = first.motion(part).pose(0.5).translation();
    let expected = Vec3::new(0.5 * 0.5f64.cos(), 0.5 * 0.5f64.sin(), -0.075 + 0.1);
    assert!(at.distance(expected) < 1e-12, "{at}");
    let end = Vec3::new(0.5 * 1f64.cos(), 0.5 * 1f64.sin(), 0.125);
    assert!(timeline.end[part].translation().distance(end) < 1e-12);
    let hand = second.motion(scene.body("left/link2").unwrap());
    assert!(hand.pose(0.2).translation().distance(hand.pose(0.0).translation()) < 1e-12);
    assert!(hand.pose(1.0).translation().distance(Vec3::new(0.5, 0.0, 0.0)) < 1e-12);
}

#[test]
fn robots_wait_for_each_other() {
    let (mut scene, _) = pair_of_cranes();
    let left = vec![to([1.0, 0.0]), sync("here"), to([0.0, 0.0])];
    let right = vec![ActionKind::Wait(4.0), sync("here"), to([2.0, 0.0])];
    scene.steps = vec![step(vec![(0, left), (1, right)])];
    let timeline = Timeline::of(&scene).unwrap();
    let [stage] = &timeline.stages[..] else { panic!("one stage") };
    assert!((stage.seconds - 5.0).abs() < 1e-12, "{}", stage.seconds);
    let hands = ["left", "right"].map(|robot| scene.body(&format!("{robot}/link2")).unwrap());
    let at = |hand: usize, seconds: f64| stage.motion(hands[hand]).pose(seconds / 5.0).translation();
    // The left one is there after a second and waits until four; the right one does not move before.
    assert!(at(0, 1.0).distance(at(0, 4.0)) < 1e-12 && at(0, 1.0).distance(at(0, 0.0)) > 0.4);
    assert!(at(1, 0.0).distance(at(1, 4.0)) < 1e-12 && at(1, 5.0).distance(at(1, 4.0)) > 0.4);
    assert!(at(0, 5.0).distance(Vec3::new(0.5, 0.0, 0.0)) < 1e-12);
}

#[test]
fn a_part_is_handed_over() {
    let (mut scene, part) = pair_of_cranes();
    let release = ActionKind::Release { body: part };
    let left = vec![grasp(part), to([0.5, 0.0]), release, sync("mine")];
    let right = vec![sync("mine"), grasp(part), to([2.0, 0.1])];
    scene.steps = vec![step(vec![(0, left), (1, right)])];
    let timeline = Timeline::of(&scene).unwrap();
    assert_eq!(timeline.stages.len(), 2);
    let [first, second] = [&timeline.stages[0], &timeline.stages[1]];
    let robot = |stage: &crate::Stage| match &stage.movers[stage.mover_of(part).unwrap()].course {
        Course::Link(course) => course.robot,
        Course::Travel(_) => panic!("held"),
    };
    assert_eq!([robot(first), robot(second)], [0, 1]);
    assert!((timeline.end[part].translation().z - 0.025).abs() < 1e-12);
}

#[test]
fn every_action_has_its_time() {
    let (mut scene, part) = pair_of_cranes();
    let release = ActionKind::Release { body: part };
    // Two seconds, then the left one waits for one more; the part is left half way of what the right one does.
    let left = vec![grasp(part), to([2.0, 0.0]), sync("here"), release, to([2.0, 0.1])];
    let right = vec![to([3.0, 0.3]), sync("here"), ActionKind::Wait(3.0)];
    let only = vec![grasp(part)];
    scene.steps = vec![step(vec![(0, left), (1, right)]), step(vec![(0, only)])];
    let timeline = Timeline::of(&scene).unwrap();
    let seconds: Vec<f64> = timeline.stages.iter().map(|stage| stage.seconds).collect();
    assert!(seconds.iter().zip([3.0, 3.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{seconds:?}");
    let told = |stage: usize, robot: usize| -> Vec<(usize, [f64; 2])> {
        let near = |t: f64| (t * 1e9).round() / 1e9;
        let parts = &timeline.robots[stage][robot].actions;
        parts.iter().map(|part| (part.action, part.time.map(near))).collect()
    };
    let third = 0.666666667;
    assert_eq!(told(0, 0), [(0, [0.0, 0.0]), (1, [0.0, third]), (2, [third, 1.0]), (3, [1.0, 1.0])]);
    assert_eq!(told(0, 1), [(0, [0.0, 1.0]), (1, [1.0, 1.0])]);
    assert_eq!(told(1, 0), [(4, [0.0, 0.333333333])]);
    assert_eq!(told(1, 1), [(2, [0.0, 1.0])]);
    // A step that takes no time: it holds the part after it.
    assert_eq!(told(2, 0), [(0, [1.0, 1.0])]);
    assert_eq!([&timeline.robots[2][0].held, &timeline.robots[3][0].held], [&vec![], &vec![part]]);
    assert_eq!(timeline.robots.iter().map(|stage| stage[1].actions.len()).collect::<Vec<_>>(), [2, 1, 0, 0]);
}

#[test]
fn wrong_programs_are_told() {
    let fails = |tasks: Vec<(usize, Vec<ActionKind>)>, expected: &str| {
        let (mut scene, _) = pair_of_cranes();
        scene.steps = vec![step(tasks)];
        let message = problem(&scene);
        assert!(message.contains(expected), "{message}");
    };
    let part = pair_of_cranes().1;
    let release = || ActionKind::Release { body: part };
    fails(vec![(0, vec![release()])], "\"left\" cannot release \"part\": nobody holds it");
    fails(
        vec![(0, vec![grasp(part)]), (1, vec![ActionKind::Wait(1.0), grasp(part)])],
        "\"right\" cannot grasp \"part\": \"left\" holds it",
    );
    fails(
        vec![(0, vec![grasp(part), ActionKind::Wait(2.0)]), (1, vec![ActionKind::Wait(1.0), release()])],
        "\"right\" cannot release \"part\": \"left\" holds it",
    );
    fails(
        vec![(0, vec![sync("alone")]), (1, vec![to([2.0, 0.0])])],
        "\"left\" waits at \"alone\", but no other robot of this step comes there",
    );
    fails(
        vec![(0, vec![sync("a"), sync("b")]), (1, vec![sync("b"), sync("a")])],
        "waits for \"right\" at \"a\"",
    );
    fails(
        vec![(0, vec![to([0.0, 0.5])])],
        "joint \"joint2\" of \"left\" would go to 0.5 m; its limits are -0.4 m and 0.4 m",
    );
    let joint =
        ActionKind::Joint { freedom: 0, to: JointEnd::By(4.0), speed: 1.0, profile: Profile::Constant };
    fails(vec![(0, vec![joint])], "would go to 229.1831°; its limits are -171.8873° and 171.8873°");
    // Tool poses and lines that this arm cannot do: it turns about z only.
    let pose = Pose::from_translation(Vec3::new(5.0, 0.0, 0.0));
    let far = ActionKind::PointToPoint {
        to: Target::Tool(pose),
        mode: Mode::Synchronous,
        speed: 1.0,
        profile: Profile::Constant,
    };
    fails(vec![(0, vec![far])], "the tool of \"left\" cannot get to the pose at [5, 0, 0] m");
    let out = ActionKind::Line {
        to: LineEnd::By(Vec3::new(1.0, 0.0, 0.0)),
        speed: 0.1,
        profile: Profile::Constant,
    };
    fails(vec![(0, vec![out])], "the tool of \"left\" gets 0 m of 1 m along the line, to [0.5, 0, -0.05] m");
    let up = ActionKind::Line {
        to: LineEnd::By(Vec3::new(0.0, 0.0, 1.0)),
        speed: 0.1,
        profile: Profile::Constant,
    };
    fails(vec![(0, vec![up])], "and no farther: joint \"joint2\" is at its limit of 0.4 m");
}

#[test]
fn lines_and_tool_poses_move_the_tool_there() {
    let (mut scene, _) = pair_of_cranes();
    let turned = Pose::from_axis_angle(Vec3::Z, 0.7).unwrap();
    let target = turned * Pose::from_translation(Vec3::new(0.5, 0.0, 0.15));
    let there = ActionKind::PointToPoint {
        to: Target::Tool(target),
        mode: Mode::Synchronous,
        speed: 1.0,
        profile: Profile::Constant,
    };
    let down = ActionKind::Line {
        to: LineEnd::By(Vec3::new(0.0, 0.0, -0.3)),
        speed: 0.05,
        profile: Profile::Constant,
    };
    scene.steps = vec![step(vec![(0, vec![there, down])])];
    let timeline = Timeline::of(&scene).unwrap();
    let hand = timeline.end[scene.body("left/link2").unwrap()];
    let tool = hand * scene.robots[0].flange_from_tool;
    let expected = target.translation() - Vec3::new(0.0, 0.0, 0.3);
    assert!(tool.translation().distance(expected) < 1e-8, "{tool:?}");
    // 0.2 m up at 0.1 m/s, 0.3 m down at 0.05 m/s.
    assert!((timeline.stages[0].seconds - 8.0).abs() < 1e-6, "{}", timeline.stages[0].seconds);
}

/// Two cranes that face each other, their hands crossing the line between them in opposite directions, the second `delay` seconds later.
fn crossing(delay: f64) -> Scene {
    let mut scene = Scene::default();
    add(&mut scene, "left", Vec3::ZERO, [-1.2, 0.0]);
    let turned = Pose::from_axis_angle(Vec3::Z, std::f64::consts::PI).unwrap();
    add_at(&mut scene, "right", Pose::from_translation(Vec3::new(0.9, 0.0, 0.0)) * turned, [-1.2, 0.0]);
    let right = vec![ActionKind::Wait(delay), to([1.2, 0.0])];
    scene.steps = vec![step(vec![(0, vec![to([1.2, 0.0])]), (1, right)])];
    scene
}

#[test]
fn robots_that_collide_for_a_moment_are_caught() {
    let scene = crossing(0.0);
    let (timeline, result) = checked(&scene);
    assert_eq!(result.verdict, PlanVerdict::Collision, "{result:?}");
    let finding = &result.steps[0].findings[0];
    let FindingKind::Contact { time_error, .. } = finding.kind else { panic!("{finding:?}") };
    // They meet shortly before the middle, and are apart again soon after it.
    assert!(time_error < 1e-6 && finding.time > 0.4 && finding.time < 0.5, "{finding:?}");
    let hands = ["left/link2", "right/link2"].map(|name| scene.body(name).unwrap());
    // The hand of one meets the arm of the other.
    assert_eq!(finding.pair, [scene.body("left/link1").unwrap(), hands[1]]);
    for t in [0.3, 0.7] {
        let [a, b] = hands.map(|hand| timeline.stages[0].motion(hand).pose(t).translation());
        assert!(a.distance(b) > 0.2, "{a} {b}");
    }
    let sentence = words::sentence(&scene, &timeline, 0, finding);
    let expected = [
        "left can be moved for 1.",
        " s of 2.4 s (joints -",
        "°, 0 m), then ",
        " of left's link1 touches ",
        "of right's link2, which moves too",
    ];
    assert!(expected.iter().all(|part| sentence.contains(part)), "{sentence}");
    let json = result.json_in(scene.units);
    let told = &json["steps"][0]["findings"][0];
    let seconds = told["seconds"].as_f64().unwrap();
    assert!((seconds - 2.4 * finding.time).abs() < 1e-12);
    for robot in ["left", "right"] {
        let joints = told["joints_deg"][robot].as_array().unwrap();
        assert!((joints[0].as_f64().unwrap() - (seconds - 1.2).to_degrees()).abs() < 1e-9, "{told}");
        assert_eq!(joints[1], 0.0);
    }
    assert_eq!(json["steps"][0]["step"], 1);
    // One after the other they pass.
    let scene = crossing(3.0);
    let (_, result) = checked(&scene);
    assert_eq!(result.verdict, PlanVerdict::Free, "{result:?}");
    let json = result.json_in(scene.units);
    let closest = &json["steps"][0]["closest"];
    assert!(closest["seconds"].as_f64().is_some() && closest["joints_deg"]["right"].is_array(), "{closest}");
}

/// A distance to the gripper that cannot be computed is reported, and not passed over.
#[test]
fn grasps_of_unknown_distance_are_told() {
    let (mut scene, part) = pair_of_cranes();
    scene.steps = vec![step(vec![(0, vec![grasp(part), to([1.0, 0.2])])])];
    let mut timeline = Timeline::of(&scene).unwrap();
    let parts = ShapeCache::of(&scene);
    assert_eq!(doubtful_grasps(&scene, &timeline, &parts), []);
    for (x, is_far) in [(0.8, true), (1e300, false)] {
        let mut before = timeline.stages[0].before.to_vec();
        before[part] = Pose::from_translation(Vec3::new(x, 0.0, -0.075));
        timeline.stages[0].before = before[..].into();
        let [told] = &doubtful_grasps(&scene, &timeline, &parts)[..] else { panic!("one grasp") };
        assert!(told.part == part && told.is_far == is_far, "{told:?}");
        assert_eq!(
            told.said.contains("could not be computed: the pose takes the body to"),
            !is_far,
            "{told:?}"
        );
    }
}

/// A gripper may be deeper in what it grasps from the grasp until it has left it again, and not before or after.
#[test]
fn grasps_allow_overlap_while_they_last() {
    let mut scene = Scene::default();
    add(&mut scene, "left", Vec3::ZERO, [0.0, 0.0]);
    scene.bodies.push(body("peg", cube(0.1), Pose::from_translation(Vec3::new(0.5, 0.0, 0.098))));
    let peg = scene.body("peg").unwrap();
    scene.steps = [
        vec![to([-1.0, 0.0])],
        vec![to([0.0, 0.0])],
        vec![ActionKind::Grasp { body: peg, depth: Some(0.005) }, to([1.0, 0.0])],
        vec![to([1.5, 0.0]), ActionKind::Release { body: peg }, to([1.5, -0.2])],
        vec![to([1.5, 0.0])],
    ]
    .map(|kinds| step(vec![(0, kinds)]))
    .to_vec();
    let result = checked(&scene).1;
    let verdicts: Vec<PlanVerdict> = result.steps.iter().map(|step| step.verdict).collect();
    use PlanVerdict::{Collision, Free};
    assert_eq!(verdicts, [Collision, Collision, Free, Free, Free, Collision], "{result:?}");
}
