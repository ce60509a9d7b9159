//! Planners on small tasks, over several seeds.

use freiraum_geometry::path::{Motion, UniformMotion};
use freiraum_geometry::shape::Cuboid;
use freiraum_geometry::{Mesh, Pose, Shape, Vec3};
use freiraum_motion::Movable;
use freiraum_planning::path::{FindOptions, Found, Outcome, Placed, Rule, Task, find};
use freiraum_scene::{PlannerChoice, Travel};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::puzzles::{self, Puzzle};
use freiraum_testkit::scale;
use std::ops::ControlFlow;
use std::sync::Arc;

fn body(surface: &Surface) -> Movable {
    Movable::new(Shape::Mesh(Arc::new(Mesh::new(surface.0.clone(), surface.1.clone()).unwrap())))
}

fn task(puzzle: &Puzzle) -> Task {
    let obstacles: Vec<Placed> =
        puzzle.obstacles.iter().map(|surface| Placed { body: body(surface), pose: Pose::IDENTITY }).collect();
    let pose = |(rotation, position)| Pose::new(rotation, position).unwrap();
    Task {
        moving: vec![Placed { body: body(&puzzle.moving), pose: Pose::IDENTITY }],
        rules: vec![vec![Rule::default(); obstacles.len()]],
        obstacles,
        start: pose(puzzle.start),
        goal: pose(puzzle.goal),
    }
}

fn run(task: &Task, planner: Option<PlannerChoice>, seed: u64, budget: u64) -> Found {
    let options = FindOptions { planner, seed, budget, plane: None };
    find(task, &options, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// All seeds find a way; says how.
fn check(puzzle: &Puzzle, planner: Option<PlannerChoice>, seeds: usize) {
    let task = task(puzzle);
    for seed in 0..scale::cases(seeds) as u64 {
        let found = run(&task, planner, seed, 400_000);
        let Outcome::Path(travels) = &found.outcome else {
            panic!("{} with seed {seed}: {:?}", puzzle.name, found.outcome);
        };
        assert_eq!(travels.len(), found.pieces.len());
        assert!(travels.len() <= 30, "{} with seed {seed}: {} pieces", puzzle.name, travels.len());
        prove(&task, travels);
    }
}

/// Looks at places all along the way with the queries for one pose: an oracle that knows nothing of motions.
fn prove(task: &Task, travels: &[Travel]) {
    let mut pose = task.start;
    for travel in travels {
        let motion = match travel {
            Travel::Translate(by) => UniformMotion::translation(pose, *by),
            Travel::Turn { axis, angle, advance } => UniformMotion::screw(pose, *axis, *angle, *advance),
            other => panic!("{other:?}"),
        };
        for k in 0..=64 {
            let here = motion.pose(f64::from(k) / 64.0);
            for obstacle in &task.obstacles {
                let [a, b] = [&task.moving[0].body, &obstacle.body].map(Movable::prepared);
                let a_from_b = here.inverse() * obstacle.pose;
                // What lies on each other by design may overlap by rounding.
                let depth = freiraum_query::contact(a, b, &a_from_b).unwrap().depth;
                assert!(depth < 1e-6, "{depth} m deep on the way");
            }
        }
        pose = motion.pose(1.0);
    }
    let (a, b) = (pose.translation(), task.goal.translation());
    assert!(a.distance(b) < 1e-9 && (pose.rotation().dot(task.goal.rotation()).abs() - 1.0).abs() < 1e-12);
}

#[test]
fn the_same_seed_finds_the_same_way_on_any_number_of_threads() {
    let task = task(&puzzles::peg_in_hole());
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let [one, four] = [1, 4].map(|threads| pool(threads).install(|| run(&task, None, 5, 400_000)));
    assert_eq!(one.checks, four.checks);
    assert_eq!(format!("{:?}", one.outcome), format!("{:?}", four.outcome));
}

#[test]
fn clearances_and_overlaps_at_the_ends() {
    let mut tight = task(&puzzles::peg_in_hole());
    // At the goal there are 50 mm on all sides.
    tight.rules[0].fill(Rule { clearance: 0.04, ..Rule::default() });
    let found = run(&tight, None, 0, 400_000);
    assert!(matches!(found.outcome, Outcome::Path(_)), "{:?}", found.outcome);
    assert!(found.clearance.unwrap() >= 0.04 * (1.0 - 1e-6));
    tight.rules[0].fill(Rule { clearance: 0.06, ..Rule::default() });
    let said = |task: &Task| match run(task, None, 0, 1_000).outcome {
        Outcome::NoPath(said) => said,
        other => panic!("{other:?}"),
    };
    assert_eq!(said(&tight), "at the goal it is 0.05 m from obstacle 1; 0.06 m is required");
    // 0.3 m deep in the wall, which an allowance of that much lets pass at the goal.
    let deep = |allowance: f64| Task {
        goal: Pose::from_translation(Vec3::new(0.7, 0.0, 0.0)),
        ..towards_a_wall(Rule { allowance, ..Rule::default() })
    };
    assert_eq!(
        said(&deep(0.0)),
        "at the goal it overlaps obstacle 1: a shift of 0.3 m takes them apart; the allowance is 0 m, one of about 0.3 m lets it stand there"
    );
    assert!(matches!(run(&deep(0.301), None, 0, 1_000).outcome, Outcome::Path(_)));
}

/// A cube of 1 m whose wall to the right begins 0.4 m beside its start.
fn towards_a_wall(rule: Rule) -> Task {
    let cube = |x: f64| Placed {
        body: Movable::new(Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap())),
        pose: Pose::from_translation(x * Vec3::X),
    };
    Task {
        moving: vec![cube(0.0)],
        obstacles: vec![cube(1.4)],
        rules: vec![vec![rule]],
        start: Pose::IDENTITY,
        goal: Pose::IDENTITY,
    }
}

/// A box of 1 m beside a wall, to go along it.
fn along_a_wall(gap: f64, rule: Rule) -> Task {
    let place = |x: f64, y: f64| Pose::from_translation(Vec3::new(x, y, 0.0));
    let cuboid = |x: f64, y: f64| Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, 1.0)).unwrap()));
    let y = 0.1 + 0.5 + gap;
    Task {
        moving: vec![Placed { body: cuboid(1.0, 1.0), pose: Pose::IDENTITY }],
        obstacles: vec![Placed { body: cuboid(10.0, 0.2), pose: place(0.0, 0.0) }],
        rules: vec![vec![rule]],
        start: place(-3.0, y),
        goal: place(3.0, y),
    }
}

#[test]
fn every_planner_keeps_the_clearance_all_along_the_way() {
    let cuboid =
        |x: f64, y: f64, z: f64| Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()));
    let place = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0));
    let pillar = Placed { body: cuboid(1.0, 2.0, 4.0), pose: Pose::IDENTITY };
    let task = |clearance: f64| Task {
        moving: vec![Placed { body: cuboid(1.0, 1.0, 1.0), pose: Pose::IDENTITY }],
        obstacles: vec![pillar.clone()],
        rules: vec![vec![Rule { clearance, ..Rule::default() }]],
        start: place(-3.0),
        goal: place(3.0),
    };
    for planner in [PlannerChoice::Plane, PlannerChoice::Detours, PlannerChoice::Sampling] {
        let lengths = [0.0, 0.4].map(|clearance| {
            let task = task(clearance);
            let found = run(&task, Some(planner), 0, 50_000);
            let Outcome::Path(travels) = &found.outcome else { panic!("{planner:?}: {:?}", found.outcome) };
            let mut pose = task.start;
            for travel in travels {
                let motion = match travel {
                    Travel::Translate(by) => UniformMotion::translation(pose, *by),
                    Travel::Turn { axis, angle, advance } => {
                        UniformMotion::screw(pose, *axis, *angle, *advance)
                    }
                    other => panic!("{other:?}"),
                };
                for k in 0..=256 {
                    let a_from_b = motion.pose(f64::from(k) / 256.0).inverse() * pillar.pose;
                    let [a, b] = [&task.moving[0].body, &pillar.body].map(Movable::prepared);
                    let distance = freiraum_query::distance(a, b, &a_from_b).unwrap().distance;
                    assert!(distance >= clearance * (1.0 - 1e-6), "{planner:?}: {distance} of {clearance}");
                }
                pose = motion.pose(1.0);
            }
            assert!(found.clearance.unwrap() >= clearance * (1.0 - 1e-6));
            found.length
        });
        // Keeping away costs a longer way: the clearance is what makes it so.
        assert!(lengths[1] > lengths[0], "{planner:?}: {lengths:?}");
    }
}

#[test]
fn a_turn_in_place_is_one_piece() {
    let mut task = along_a_wall(3.0, Rule::default());
    task.goal = task.start * Pose::from_zyx_euler(0.0, 0.0, 1.0, Vec3::ZERO).unwrap();
    let found = run(&task, None, 0, 1_000);
    assert_eq!((found.pieces.len(), found.length), (1, 0.0), "{:?}", found.outcome);
}

#[test]
fn a_clearance_that_is_just_kept_is_enough() {
    // Sums are rounded: some of the gaps are less than the clearance by a few bits.
    for gap in [0.1, 0.3, 0.7, 0.01, 0.003] {
        let task = along_a_wall(gap, Rule { clearance: gap, ..Rule::default() });
        for planner in [None, Some(PlannerChoice::Sampling)] {
            let found = run(&task, planner, 0, 2_000);
            assert!(matches!(found.outcome, Outcome::Path(_)), "{gap}: {:?}", found.outcome);
        }
    }
}

#[test]
fn a_clearance_of_a_pair_holds_even_where_it_touches() {
    let rule = Rule { clearance: 0.01, ..Rule::default() };
    // Sliding along the wall is a fit, unless the pair itself has a clearance.
    assert!(matches!(run(&along_a_wall(0.0, rule), None, 0, 1_000).outcome, Outcome::Path(_)));
    let strict = along_a_wall(0.0, Rule { is_explicit: true, ..rule });
    for planner in [None, Some(PlannerChoice::Plane)] {
        assert!(matches!(run(&strict, planner, 0, 1_000).outcome, Outcome::NoPath(_)));
    }
}

#[test]
fn budgets_are_kept() {
    let shut = task(&puzzles::prison());
    for budget in [0, 100, 1_000, 5_000] {
        let found = run(&shut, Some(PlannerChoice::Sampling), 0, budget);
        // A round of a search that has begun is finished.
        assert!(found.checks <= budget + 800, "{budget}: {}", found.checks);
    }
}

#[test]
fn a_search_can_be_stopped() {
    let mut calls = 0;
    let found = find(&task(&puzzles::prison()), &FindOptions::default(), &mut |_| {
        calls += 1;
        if calls > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(found.unwrap().outcome, Outcome::GaveUp(_)));
    assert_eq!(calls, 3);
}

#[test]
fn out_of_a_bug_trap() {
    check(&puzzles::bug_trap(), Some(PlannerChoice::Sampling), 1);
}

#[test]
fn through_two_walls_by_detours_and_by_sampling() {
    check(&puzzles::two_walls(), Some(PlannerChoice::Detours), 2);
    check(&puzzles::two_walls(), Some(PlannerChoice::Sampling), 2);
}

#[test]
fn a_bar_turns_to_get_into_a_slot() {
    check(&puzzles::peg_in_hole(), None, 2);
}

#[test]
fn a_ring_comes_off_a_hook() {
    check(&puzzles::ring_on_hook(), None, 2);
}

#[test]
fn interlocked_pieces_slide_apart_along_y() {
    check(&puzzles::interlocked(), Some(PlannerChoice::Detours), 2);
    check(&puzzles::interlocked(), Some(PlannerChoice::Sampling), 2);
}

#[test]
fn nobody_leaves_a_prison() {
    let found = run(&task(&puzzles::prison()), Some(PlannerChoice::Detours), 1, 20_000);
    assert!(matches!(found.outcome, Outcome::GaveUp(_)), "{:?}", found.outcome);
    assert!(found.checks >= 20_000);
    // In the plane it is certain.
    let found = run(&task(&puzzles::prison()), Some(PlannerChoice::Plane), 1, 20_000);
    assert!(matches!(found.outcome, Outcome::NoPath(_)), "{:?}", found.outcome);
}
