//! Every way that the planner finds for a robot is free in a check, whatever its fingers hold.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, Finding, FindingKind, PlanVerdict, Timeline, check};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::shape::{Compound, Cuboid, Cylinder, Part, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_planning::path::{CompleteOptions, FindOptions, Outcome, complete};
use freiraum_robot::trajectory::Profile;
use freiraum_robot::{Joint, JointKind, Limits, Link, LinkShape, Mimic, Robot};
use freiraum_scene::{
    Action, ActionKind, Body, Geometry, JointEnd, PairRule, Place, PlacedRobot, RobotSource, Scene, Step,
    Target, Task,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

/// The link that carries the fingers.
const HAND: usize = 4;
/// The freedom of the fingers: half of what they are open.
const FINGERS: usize = 4;

/// Two joints that turn about z, one that slides down, a wrist, and two fingers of which one follows the other.
fn arm(random: &mut Random) -> Robot {
    let link = |name: &str, shape: Shape, pose: Pose| Link {
        name: name.to_owned(),
        collision: vec![LinkShape { link_from_shape: pose, shape }],
        visual: Vec::new(),
    };
    let links = vec![
        link("base", cuboid(0.1, 0.1, 0.4), at(0.0, 0.0, 0.2)),
        link("upper", cuboid(0.3, 0.05, 0.05), at(0.15, 0.0, 0.0)),
        link("lower", cuboid(0.25, 0.05, 0.05), at(0.125, 0.0, 0.0)),
        link("rod", cuboid(0.03, 0.03, 0.36), at(0.0, 0.0, 0.125)),
        link("hand", cuboid(0.13, 0.03, 0.02), at(0.0, 0.0, -0.015)),
        link("left", cuboid(0.01, 0.03, 0.06), at(0.005, 0.0, -0.03)),
        link("right", cuboid(0.01, 0.03, 0.06), at(-0.005, 0.0, -0.03)),
    ];
    let joint = |name: &str, parent: usize, child: usize, pose: Pose, kind: JointKind, axis: Vec3| {
        let limits = match kind {
            JointKind::Prismatic => Limits { lower: 0.0, upper: 0.3 },
            _ => Limits { lower: -2.6, upper: 2.6 },
        };
        Joint {
            name: name.to_owned(),
            parent,
            child,
            parent_from_child: pose,
            axis,
            kind,
            limits,
            velocity: Some(1.0),
            mimic: None,
        }
    };
    let wrist = [Vec3::Z, Vec3::X][random.below(2)];
    let (turn, slide) = (JointKind::Revolute, JointKind::Prismatic);
    let mut joints = vec![
        joint("shoulder", 0, 1, at(0.0, 0.0, 0.45), turn, Vec3::Z),
        joint("elbow", 1, 2, at(0.3, 0.0, 0.06), turn, Vec3::Z),
        joint("lift", 2, 3, at(0.25, 0.0, 0.0), slide, Vec3::NEG_Z),
        joint("wrist", 3, 4, at(0.0, 0.0, -0.055), turn, wrist),
        joint("fingers", 4, 5, at(0.0, 0.0, -0.026), slide, Vec3::X),
        joint("follower", 4, 6, at(0.0, 0.0, -0.026), slide, Vec3::NEG_X),
    ];
    joints[4].limits = Limits { lower: 0.0, upper: 0.055 };
    joints[5].limits = joints[4].limits;
    joints[5].mimic = Some(Mimic { joint: 4, factor: 1.0, offset: 0.0 });
    Robot::new("arm", links, joints).unwrap()
}

fn body(name: &str, shape: Shape, pose: Pose) -> Body {
    let (geometry, name) = (Geometry::Shape(shape), name.to_owned());
    Body { name, geometry, is_fixed: false, color: None, pose, goal: None, place: Place::default() }
}

fn rule(a: usize, b: usize, allowance: Option<f64>) -> PairRule {
    let ignore = allowance.is_none().then(|| "by design".to_owned());
    PairRule {
        bodies: [vec![a], vec![b]],
        clearance: None,
        allowance,
        approach: None,
        ignore,
        place: Place::default(),
    }
}

/// Something `width` wide along x, with the upper end at z = 0.
fn part(random: &mut Random, width: f64) -> (Shape, f64) {
    let height = random.range(0.03, 0.12);
    let below = |shape: Shape, x: f64, z: f64| Part { compound_from_part: at(x, 0.0, z), shape };
    let shape = match random.below(4) {
        0 => Shape::Cylinder(Cylinder::new(0.5 * width, height).unwrap()),
        1 => cuboid(width, random.range(0.02, 0.3), height),
        2 => Shape::Sphere(Sphere::new(0.5 * width).unwrap()),
        // Wider below the fingers than between them.
        _ => {
            let (wide, low) = (random.range(0.05, 0.3), 0.5 * height + 0.06);
            let parts = vec![
                below(cuboid(width, 0.03, height), 0.0, 0.0),
                below(cuboid(wide, 0.02, 0.12), random.range(-0.05, 0.05), -low),
            ];
            Shape::Compound(Compound::new(parts).unwrap())
        }
    };
    let upper = if let Shape::Sphere(ball) = &shape { ball.radius() } else { 0.5 * height };
    (shape, upper)
}

fn scene(random: &mut Random) -> Scene {
    let (mut scene, model) = (Scene::default(), Arc::new(arm(random)));
    let open = random.range(0.01, 0.04);
    let mut start =
        vec![random.range(-1.5, 1.5), random.range(-1.5, 1.5), random.range(0.05, 0.25), 0.0, open];
    let links = model.place(&Pose::IDENTITY, &start).links;
    for (number, link) in model.links().iter().enumerate() {
        let LinkShape { link_from_shape, shape } = link.collision[0].clone();
        let part = Part { compound_from_part: link_from_shape, shape };
        scene.bodies.push(body(
            &link.name,
            Shape::Compound(Compound::new(vec![part]).unwrap()),
            links[number],
        ));
    }
    for [a, b] in [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [4, 6]] {
        scene.pairs.push(rule(a, b, None));
    }
    // Held as it is, a bit too tight, or loosely; and sometimes too tight for what is allowed.
    let inside = [0.0, 0.0, 1e-4, -0.002][random.below(4)];
    let (shape, upper) = part(random, 2.0 * (open + inside));
    let gap = [0.0, 0.002, 0.01][random.below(3)];
    let held = scene.bodies.len();
    scene.bodies.push(body("part", shape, links[HAND] * at(0.0, 0.0, -0.025 - upper - gap)));
    let is_allowed = inside > 0.0 && random.below(4) != 0;
    for finger in [5, 6].into_iter().filter(|_| is_allowed) {
        scene.pairs.push(rule(finger, held, Some(3e-4)));
    }
    for number in 0..random.below(4) {
        let size = |random: &mut Random| random.range(0.04, 0.3);
        let shape = match random.below(3) {
            0 => Shape::Sphere(Sphere::new(0.5 * size(random)).unwrap()),
            1 => Shape::Cylinder(Cylinder::new(0.4 * size(random), size(random)).unwrap()),
            _ => cuboid(size(random), size(random), size(random)),
        };
        let place = Vec3::new(random.range(-0.6, 0.6), random.range(-0.6, 0.6), random.range(0.0, 0.5));
        let pose = Pose::new(random.rotation(), place).unwrap();
        scene.bodies.push(body(&format!("obstacle {number}"), shape, pose));
    }
    scene.clearance = [0.0, 0.0, 0.001][random.below(3)];
    let name = "arm".to_owned();
    scene.robots.push(PlacedRobot {
        name,
        model,
        source: RobotSource::Table,
        base: Pose::IDENTITY,
        start: start.clone(),
        links: (0..7).map(Some).collect(),
        flange: HAND,
        flange_from_tool: at(0.0, 0.0, -0.06),
        tools: Vec::new(),
        states: Vec::new(),
        place: Place::default(),
    });
    let mut go = |random: &mut Random| {
        start = vec![
            random.range(-2.0, 2.0),
            random.range(-2.0, 2.0),
            random.range(0.0, 0.25),
            random.range(-1.0, 1.0),
            start[FINGERS],
        ];
        let mut to: Vec<Option<f64>> = start.iter().copied().map(Some).collect();
        match random.below(5) {
            // With the fingers opened or closed on the way.
            0 => to[FINGERS] = Some(open + random.range(-0.002, 0.01)),
            1 | 2 => to[FINGERS] = None,
            _ => {}
        }
        ActionKind::Plan { to: Target::Joints(to), speed: 1.0 }
    };
    let mut programs: Vec<Vec<ActionKind>> = Vec::new();
    if random.below(4) == 0 {
        programs.push(vec![go(random)]);
    } else {
        let mut first = vec![ActionKind::Grasp { body: held, depth: None }, go(random)];
        if random.below(3) == 0 {
            first.push(go(random));
        }
        first.push(ActionKind::Release { body: held });
        if random.below(2) == 0 {
            first.push(go(random));
        }
        programs.push(first);
        let to = JointEnd::To((open + 0.012).min(0.055));
        let (speed, profile) = (1.0, Profile::Constant);
        programs.push(vec![ActionKind::Joint { freedom: FINGERS, to, speed, profile }]);
        programs.push(vec![go(random)]);
    }
    for actions in programs {
        let action = |kind| Action { kind, place: Place::default() };
        let actions: Vec<Action> = actions.into_iter().map(action).collect();
        let task = Task { robot: 0, actions, place: Place::default() };
        scene.steps.push(Step {
            name: format!("step {}", scene.steps.len()),
            moves: Vec::new(),
            tasks: vec![task],
            seconds: 1.0,
            place: Place::default(),
        });
    }
    scene
}

/// Whether a step has nothing but planned motions.
fn is_planned(step: &Step) -> bool {
    step.tasks[0].actions.iter().all(|action| !matches!(action.kind, ActionKind::Joint { .. }))
}

#[test]
fn planned_ways_are_free_in_a_check() {
    let mut random = Random::new(1207);
    let (mut found, mut held, mut free) = (0, 0, 0);
    let find = FindOptions { budget: 4_000, ..FindOptions::default() };
    for case in 0..scale::cases(150) {
        let scene = scene(&mut random);
        let parts = ShapeCache::of(&scene);
        let go_on = &mut |_: &str, _: &_| ControlFlow::Continue(());
        let planned = complete(&scene, &parts, &CompleteOptions { find }, go_on).unwrap();
        let timeline = Timeline::of(&planned.scene).unwrap();
        let result =
            check(&planned.scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default())
                .unwrap();
        for (stage, result) in timeline.stages.iter().zip(&result.steps) {
            let step = &planned.scene.steps[stage.step];
            let is_wrong = |finding: &&Finding| !matches!(finding.kind, FindingKind::NoPath);
            let wrong: Vec<&Finding> = result.findings.iter().filter(is_wrong).collect();
            if is_planned(step) {
                free += usize::from(result.findings.is_empty());
                assert!(wrong.is_empty(), "{case}, {}: {wrong:#?}\n{:#?}", stage.name, step.tasks[0].actions);
            }
        }
        for step in planned.steps.iter().filter(|step| matches!(step.found.outcome, Outcome::Path(_))) {
            found += 1;
            let way = &step.found.joints;
            let ends = [way[0][FINGERS], way[way.len() - 1][FINGERS]];
            held += usize::from(way.len() > 2 && ends[0] == ends[1]);
            // Fingers go no farther than they have to.
            let range = ends[0].min(ends[1])..=ends[0].max(ends[1]);
            assert!(way.iter().all(|values| range.contains(&values[FINGERS])), "{case}: {way:?}");
        }
    }
    eprintln!("{found} ways, {held} around something with fingers that stay; {free} stages free");
    assert!(found > 50 && held > 10 && free > 50, "{found} {held} {free}");
}

/// The cell of the examples: an arm carries a lid around the other one, the fingers closed.
#[test]
fn the_cell_carries_its_lid() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cell/cell-plan.toml");
    let scene = SceneFile::read(&path).unwrap_or_else(|e| panic!("{}", e.render(false))).scene().clone();
    let parts = ShapeCache::of(&scene);
    let go_on = &mut |_: &str, _: &_| ControlFlow::Continue(());
    let planned = complete(&scene, &parts, &CompleteOptions::default(), go_on).unwrap();
    assert_eq!(planned.steps.len(), 2);
    for step in &planned.steps {
        assert!(matches!(step.found.outcome, Outcome::Path(_)), "{:?}", step.found.outcome);
    }
    let timeline = Timeline::of(&planned.scene).unwrap();
    let result =
        check(&planned.scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
    assert_eq!(result.verdict, PlanVerdict::Free, "{result:?}");
}
