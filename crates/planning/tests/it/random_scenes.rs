//! Random scenes: what the planners find, the checker calls free, on any number of threads.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Timeline, check};
use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_planning::path::{CompleteOptions, Completed, FindOptions, Outcome, complete};
use freiraum_scene::{Body, Geometry, Group, Move, PairRule, Place, Scene, Step, Travel};
use freiraum_testkit::puzzles;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::ops::ControlFlow;
use std::sync::Arc;

fn shape(random: &mut Random) -> Shape {
    // Halves, so that bodies often touch exactly.
    let mut size = |most: usize| 0.5 * (1 + random.below(most)) as f64;
    let (a, b, c) = (size(4), size(4), size(3));
    match random.below(8) {
        0 => Shape::Sphere(Sphere::new(0.5 * a).unwrap()),
        1 => Shape::Cylinder(Cylinder::new(0.5 * a, b).unwrap()),
        2 => Shape::Capsule(Capsule::new(0.25 * a, b).unwrap()),
        3 => Shape::Cone(Cone::new(0.5 * a, b).unwrap()),
        4 => {
            let (vertices, faces) = puzzles::profile(&["#..", "###"], b);
            Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
        }
        _ => Shape::Cuboid(Cuboid::new(Vec3::new(a, b, c)).unwrap()),
    }
}

fn pose(random: &mut Random, half: f64) -> Pose {
    let at = random.in_cube(half);
    let at = (2.0 * at).round() * 0.5;
    match random.below(4) {
        0 => Pose::new(random.rotation(), at).unwrap(),
        1 => Pose::new(Quat::from_rotation_z(std::f64::consts::FRAC_PI_2), at).unwrap(),
        _ => Pose::from_translation(at),
    }
}

fn body(name: String, shape: Shape, pose: Pose, is_fixed: bool) -> Body {
    let geometry = Geometry::Shape(shape);
    Body { name, geometry, is_fixed, color: None, pose, goal: None, place: Place::default() }
}

fn scene(random: &mut Random) -> Scene {
    let mut scene = Scene::default();
    for k in 0..2 + random.below(5) {
        let (shape, pose) = (shape(random), pose(random, 2.5));
        scene.bodies.push(body(format!("fixed {k}"), shape, pose, true));
    }
    if random.below(3) == 0 {
        let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, -2.0).unwrap());
        scene.bodies.push(body("floor".to_owned(), floor, Pose::IDENTITY, true));
    }
    let first = scene.bodies.len();
    let count = 1 + random.below(2);
    for k in 0..count {
        let (shape, pose) = (shape(random), pose(random, 3.5));
        scene.bodies.push(body(format!("part {k}"), shape, pose, false));
    }
    scene.clearance = [0.0, 0.0, 0.05, 0.25][random.below(4)];
    scene.allowance = [0.0, 0.0, 0.02, 0.1][random.below(4)];
    if random.below(3) == 0 {
        scene.pairs.push(PairRule {
            bodies: [vec![first], vec![random.below(first)]],
            clearance: [None, Some(0.0), Some(0.1)][random.below(3)],
            allowance: [None, Some(0.0), Some(0.05)][random.below(3)],
            approach: None,
            ignore: None,
            place: Place::default(),
        });
    }
    let mut to = pose(random, 3.5);
    if random.below(2) == 0 {
        to = Pose::new(scene.bodies[first].pose.rotation(), to.translation()).unwrap();
    }
    if random.below(2) == 0 {
        let members: Vec<usize> = (first..first + count).collect();
        let (subject, place) = ("all".to_owned(), Place::default());
        scene.groups.push(Group { name: subject.clone(), members: members.clone(), place });
        let moves =
            vec![Move { subject, bodies: members, travel: Travel::Plan { to, planner: None }, place }];
        scene.steps.push(Step { name: "go".to_owned(), moves, tasks: Vec::new(), seconds: 1.0, place });
    } else {
        scene.bodies[first].goal = Some(to);
    }
    scene
}

fn planned(scene: &Scene, seed: u64, threads: usize) -> Completed {
    let options = CompleteOptions { find: FindOptions { seed, budget: 1_500, ..FindOptions::default() } };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| complete(scene, &ShapeCache::of(scene), &options, &mut |_, _| ControlFlow::Continue(())))
        .unwrap()
}

#[test]
fn what_is_found_is_free_for_the_checker() {
    let (mut found, mut none, mut wrong) = (0, 0, Vec::new());
    let rounds = cases(60);
    for round in 0..rounds as u64 {
        let scene = scene(&mut Random::new(round));
        let completed = planned(&scene, round, 2);
        if round % 4 == 0 {
            let again = planned(&scene, round, 1);
            let told = |completed: &Completed| format!("{:?}", completed.steps);
            assert_eq!(told(&completed), told(&again), "round {round}");
        }
        let timeline = Timeline::of(&completed.scene).unwrap();
        let result = check(
            &completed.scene,
            &timeline,
            &ShapeCache::of(&completed.scene),
            &CheckMemory::default(),
            &CheckOptions::default(),
        )
        .unwrap();
        for step in &completed.steps {
            match &step.found.outcome {
                Outcome::Path(_) => {
                    found += 1;
                    let checked = &result.steps[step.index];
                    if checked.verdict != PlanVerdict::Free || !result.missed.is_empty() {
                        wrong.push((round, checked.findings.clone(), result.missed.clone()));
                    }
                }
                Outcome::NoPath(_) => none += 1,
                Outcome::GaveUp(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(rounds < 60 || (found > 10 && none > 10), "{found} {none}");
}
