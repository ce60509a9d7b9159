use super::edge::Prover;
use super::space::{Memory, Space};
use super::*;
use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_motion::CancelToken;
use freiraum_query::{distance, intersects};
use freiraum_robot::dh::{Convention, Row, robot};
use freiraum_robot::{JointKind, Limits};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale;
use std::ops::ControlFlow;
use std::sync::Arc;

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn shape(random: &mut Random) -> Shape {
    let mut size = || random.range(0.05, 0.3);
    let (a, b, c) = (size(), size(), size());
    match random.below(6) {
        0 => Shape::Sphere(Sphere::new(a).unwrap()),
        1 => Shape::Capsule(Capsule::new(0.5 * a, b).unwrap()),
        2 => Shape::Cylinder(Cylinder::new(a, b).unwrap()),
        3 => Shape::Mesh(Arc::new(mesh(a, b, c))),
        4 => {
            let part = |shape: Shape, x: f64| CompoundPart {
                compound_from_part: Pose::from_translation(Vec3::new(x, 0.0, 0.1)),
                shape,
            };
            let ball = |r: f64| Shape::Sphere(Sphere::new(r).unwrap());
            Shape::Compound(Compound::new(vec![part(ball(a), 0.2), part(ball(b), -0.1)]).unwrap())
        }
        _ => cuboid(a, b, c),
    }
}

fn mesh(a: f64, b: f64, c: f64) -> Mesh {
    let vertices = vec![Vec3::ZERO, a * Vec3::X, b * Vec3::Y, c * Vec3::Z];
    Mesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap()
}

fn pose(random: &mut Random, far: f64) -> Pose {
    Pose::new(random.rotation(), random.in_cube(far)).unwrap()
}

fn random_robot(random: &mut Random) -> Robot {
    let rows: Vec<Row> = (0..4)
        .map(|_| Row {
            alpha: random.range(-3.0, 3.0),
            l: random.range(-0.5, 0.5),
            d: random.range(-0.5, 0.5),
            kind: if random.below(4) == 0 { JointKind::Prismatic } else { JointKind::Revolute },
            limits: Limits { lower: -2.0, upper: 2.0 },
            ..Row::default()
        })
        .collect();
    robot("arm", &rows, Convention::Modified).unwrap()
}

/// A random robot with parts on its links, among obstacles.
fn random_task<'r>(robot: &'r Robot, random: &mut Random, clearance: f64) -> JointTask<'r> {
    let parts: Vec<LinkPart> = (0..5)
        .map(|_| LinkPart {
            link: random.below(robot.links().len()),
            link_from_part: pose(random, 0.3),
            body: Prepared::new(shape(random)),
        })
        .collect();
    let mut obstacles: Vec<Obstacle> = (0..4)
        .map(|_| Obstacle { world_from_body: pose(random, 1.5), body: Prepared::new(shape(random)) })
        .collect();
    let floor = Shape::HalfSpace(HalfSpace::new(random.in_cube(1.0), -1.5).unwrap());
    obstacles.push(Obstacle { world_from_body: Pose::IDENTITY, body: Prepared::new(floor) });
    let values = |random: &mut Random| (0..4).map(|_| random.range(-2.0, 2.0)).collect::<Vec<f64>>();
    let own_pairs = own_pairs(robot, &parts, clearance, |_| false);
    JointTask {
        robot,
        base: pose(random, 0.2),
        start: values(random),
        goals: vec![values(random)],
        ranges: Vec::new(),
        clearances: vec![vec![Some(clearance); obstacles.len()]; parts.len()],
        own_pairs,
        parts,
        obstacles,
        has_fits: false,
    }
}

/// True if all that is looked at is apart; parts that nothing moves are not looked at.
fn is_apart(task: &JointTask, values: &[f64]) -> bool {
    let links = task.robot.place(&task.base, values).links;
    let part = |number: usize| {
        let part = &task.parts[number];
        (links[part.link] * part.link_from_part, &part.body)
    };
    let meet =
        |a: (Pose, &Prepared), b: (Pose, &Prepared)| intersects(a.1, b.1, &(a.0.inverse() * b.0)).unwrap();
    let moves = |number: usize| !task.robot.way_to(task.parts[number].link).is_empty();
    let numbers = (0..task.parts.len()).filter(|number| moves(*number));
    let with_obstacles = numbers.flat_map(|i| task.obstacles.iter().map(move |one| (i, one)));
    !with_obstacles.into_iter().any(|(i, one)| meet(part(i), (one.world_from_body, &one.body)))
        && !task.own_pairs.iter().any(|pair| meet(part(pair.parts[0]), part(pair.parts[1])))
}

fn between(a: &[f64], b: &[f64], t: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + t * (b - a)).collect()
}

/// What is said to be free is free in samples, from single looks and from whole lines.
#[test]
fn what_is_proven_free_is_free() {
    let mut random = Random::new(731);
    let (mut some, mut lines, mut blocked) = (0, 0, 0);
    for _ in 0..scale::cases(150) {
        let robot = random_robot(&mut random);
        let task = random_task(&robot, &mut random, 0.0);
        let space = Space::new(&task).unwrap();
        let mut memory = Memory::default();
        memory.values.clone_from(&task.start);
        let along: Vec<f64> = task.goals[0].iter().zip(&task.start).map(|(to, from)| to - from).collect();
        let share = space.free_share(&mut memory, &along, 1.0);
        if share > 0.0 {
            some += usize::from(share < 1.0);
            let at = |t: f64| between(&task.start, &task.goals[0], t);
            for k in -20..=20 {
                assert!(is_apart(&task, &at(share * f64::from(k) / 20.0)), "{share}");
            }
        }
        assert_eq!(share > 0.0, space.fault(&mut memory, &task.start).is_none());
        let near = between(&task.start, &task.goals[0], 0.2);
        let mut prover = Prover::new(&space, &CancelToken::new());
        if prover.is_free(&task.start, &near) {
            lines += 1;
            assert!((0..=400).all(|k| is_apart(&task, &between(&task.start, &near, f64::from(k) / 400.0))));
        } else {
            blocked += 1;
        }
    }
    assert!(some > 5 && lines > 5 && blocked > 5, "{some} {lines} {blocked}");
}

/// An arm of two bars of 1 m in the plane z = 0, with a wall of some thickness that the hand must get around.
fn planar(links: &Robot) -> JointTask<'_> {
    let parts: Vec<LinkPart> = (1..3)
        .map(|link| LinkPart {
            link,
            link_from_part: Pose::from_translation(Vec3::new(0.5, 0.0, 0.0)),
            body: Prepared::new(cuboid(1.0, 0.1, 0.1)),
        })
        .collect();
    let wall = Obstacle {
        world_from_body: Pose::from_translation(Vec3::new(1.7, 0.0, 0.0)),
        body: Prepared::new(cuboid(1.0, 0.1, 0.4)),
    };
    JointTask {
        robot: links,
        base: Pose::IDENTITY,
        start: vec![0.8, 0.0],
        goals: vec![vec![-0.8, 0.0]],
        ranges: Vec::new(),
        parts,
        obstacles: vec![wall],
        clearances: vec![vec![Some(0.0)]; 2],
        own_pairs: Vec::new(),
        has_fits: false,
    }
}

fn two_bars() -> Robot {
    let limits = Limits { lower: -2.8, upper: 2.8 };
    let rows = [Row { limits, ..Row::default() }, Row { l: 1.0, limits, ..Row::default() }];
    robot("bars", &rows, Convention::Modified).unwrap()
}

fn run(task: &JointTask, options: &JointOptions) -> JointsFound {
    find(task, options, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn path(found: JointsFound) -> Vec<Vec<f64>> {
    match found.outcome {
        JointOutcome::Path(way) => way,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_arm_folds_to_get_past_a_wall() {
    let robot = two_bars();
    let mut task = planar(&robot);
    for clearance in [0.0, 0.02] {
        task.clearances = vec![vec![Some(clearance)]; 2];
        let way = path(run(&task, &JointOptions::default()));
        assert!(way.len() > 2);
        assert_eq!([&way[0], &way[way.len() - 1]], [&task.start, &task.goals[0]]);
        let mut least = f64::INFINITY;
        for pair in way.windows(2) {
            for k in 0..=500 {
                let values = between(&pair[0], &pair[1], f64::from(k) / 500.0);
                assert!(robot.outside_limits(&values).is_empty());
                let links = robot.place(&task.base, &values).links;
                for part in &task.parts {
                    let part_from_wall = (links[part.link] * part.link_from_part).inverse()
                        * task.obstacles[0].world_from_body;
                    let gap = distance(&part.body, &task.obstacles[0].body, &part_from_wall).unwrap();
                    least = least.min(gap.distance);
                }
            }
        }
        assert!(least > clearance, "{least}");
    }
    // The same again, and the straight line where nothing is in the way.
    let first = run(&task, &JointOptions::default());
    assert_eq!(first, run(&task, &JointOptions::default()));
    task.clearances = vec![vec![None]; 2];
    assert_eq!(path(run(&task, &JointOptions::default())).len(), 2);
}

#[test]
fn the_nearest_goal_that_is_free_is_taken() {
    let robot = two_bars();
    let mut task = planar(&robot);
    task.goals = vec![vec![0.0, 0.0], vec![-0.8, 0.0], vec![0.9, 0.1]];
    assert_eq!(path(run(&task, &JointOptions::default())), [task.start.clone(), vec![0.9, 0.1]]);
    task.goals = vec![task.start.clone()];
    assert_eq!(path(run(&task, &JointOptions::default())), [task.start.clone(), task.start.clone()]);
}

#[test]
fn what_is_wrong_with_the_ends_is_told() {
    let robot = two_bars();
    let mut task = planar(&robot);
    let outcome = |task: &JointTask| run(task, &JointOptions::default()).outcome;
    task.start = vec![0.0, 0.0];
    assert!(matches!(
        outcome(&task),
        JointOutcome::BadStart(Fault::Obstacle { part: 1, obstacle: 0, distance, is_certain: true }) if distance <= 0.0
    ));
    task.start = vec![0.8, 2.9];
    assert_eq!(outcome(&task), JointOutcome::BadStart(Fault::Limits { joint: 1, value: 2.9 }));
    task.start = vec![0.8, 0.0];
    task.goals = vec![vec![f64::NAN, 0.0]];
    assert!(matches!(outcome(&task), JointOutcome::BadGoal(Fault::Limits { joint: 0, .. })));
    task.goals = vec![vec![-0.8, 0.0]];
    task.own_pairs = vec![OwnPair { parts: [0, 1], clearance: 0.0 }];
    assert!(matches!(outcome(&task), JointOutcome::BadStart(Fault::Own { parts: [0, 1], .. })));
    task.parts[1].body = Prepared::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()));
    assert_eq!(
        find(&task, &JointOptions::default(), &mut |_| ControlFlow::Continue(())),
        Err(EndlessPart(1))
    );
}

#[test]
fn searches_end() {
    let robot = two_bars();
    let mut task = planar(&robot);
    // A wall from the base to beyond the reach, on both sides of it.
    for x in [-1.6, 1.6] {
        task.obstacles.push(Obstacle {
            world_from_body: Pose::from_translation(Vec3::new(x, 0.0, 0.0)),
            body: Prepared::new(cuboid(3.0, 0.01, 0.4)),
        });
    }
    task.parts.remove(0);
    task.clearances = vec![vec![Some(0.0); 3]];
    let options = JointOptions { budget: 20_000, ..JointOptions::default() };
    let found = run(&task, &options);
    assert_eq!(found.outcome, JointOutcome::GaveUp);
    assert!((20_000..40_000).contains(&found.looks), "{}", found.looks);
    let stopped = find(&task, &options, &mut |_| ControlFlow::Break(())).unwrap();
    assert!(stopped.outcome == JointOutcome::GaveUp && stopped.looks < 10_000);
}
