//! Planners on small tasks, over several seeds.

use freiraum_geometry::{Mesh, Pose, Shape};
use freiraum_motion::Movable;
use freiraum_plan::path::{FindOptions, Found, Outcome, Placed, Rule, Task, find};
use freiraum_scene::PlannerChoice;
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
        let start = std::time::Instant::now();
        let found = run(&task, planner, seed, 400_000);
        eprintln!(
            "{} seed {seed}: {:?} {} pieces, {:.2} m, clearance {:?}, {} checks, {:.3} s",
            puzzle.name, found.planner, found.pieces.len(), found.length, found.clearance, found.checks, start.elapsed().as_secs_f64()
        );
        if !matches!(found.outcome, Outcome::Path(_)) {
            panic!("{} with seed {seed}: {:?}", puzzle.name, found.outcome);
        };
    }
}

#[test]
fn out_of_a_bug_trap() {
    check(&puzzles::bug_trap(), Some(PlannerChoice::Sampling), 4);
}

#[test]
fn through_two_walls_by_detours_and_by_sampling() {
    check(&puzzles::two_walls(), Some(PlannerChoice::Detours), 4);
    check(&puzzles::two_walls(), Some(PlannerChoice::Sampling), 4);
}

#[test]
fn a_bar_turns_to_get_into_a_slot() {
    check(&puzzles::peg_in_hole(), None, 4);
}

#[test]
fn a_ring_comes_off_a_hook() {
    check(&puzzles::ring_on_hook(), None, 4);
}

#[test]
fn interlocked_pieces_slide_apart_along_y() {
    check(&puzzles::interlocked(), Some(PlannerChoice::Detours), 4);
    check(&puzzles::interlocked(), Some(PlannerChoice::Sampling), 4);
}

#[test]
fn nobody_leaves_a_prison() {
    let start = std::time::Instant::now();
    let found = run(&task(&puzzles::prison()), None, 1, 20_000);
    eprintln!("prison {:?}, {} checks {:?}", found.outcome, found.checks, start.elapsed());
    assert!(matches!(found.outcome, Outcome::GaveUp(_)), "{:?}", found.outcome);
    assert!(found.checks >= 20_000);
}
