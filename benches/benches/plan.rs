//! Planners on puzzles over 20 seeds: how often they find a way, with how many checks, and how fast (processor time of all threads).

use freiraum_assets::ShapeCache;
use freiraum_benches::clock::process_time;
use freiraum_benches::is_quick;
use freiraum_demo as demo;
use freiraum_geometry::{Mesh, Pose, Shape};
use freiraum_motion::Movable;
use freiraum_planning::path::{FindOptions, Outcome, Placed, Rule, Task, find, name};
use freiraum_scene::PlannerChoice;
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::puzzles::{self, Puzzle};
use std::ops::ControlFlow;
use std::sync::Arc;

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn main() {
    let seeds = if is_quick() { 3 } else { 20 };
    println!("planners on puzzles, {seeds} seeds, {} threads", rayon_threads());
    println!(
        "{:<14} {:<9} {:>7} {:>10} {:>10} {:>10} {:>8} {:>9}",
        "puzzle", "planner", "found", "median", "worst", "checks", "pieces", "length"
    );
    use PlannerChoice::{Detours, Plane, Sampling};
    row("piano", &piano(), Plane, seeds);
    let cases: [(Puzzle, &[PlannerChoice]); 6] = [
        (puzzles::two_walls(), &[Detours, Sampling]),
        (puzzles::interlocked(), &[Detours, Sampling]),
        (puzzles::bug_trap(), &[Sampling]),
        (puzzles::peg_in_hole(), &[Sampling]),
        (puzzles::ring_on_hook(), &[Sampling]),
        (puzzles::prison(), &[Plane, Detours]),
    ];
    for (puzzle, planners) in cases {
        let task = task(&puzzle);
        for planner in planners {
            row(puzzle.name, &task, *planner, seeds);
        }
    }
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn row(puzzle: &str, task: &Task, planner: PlannerChoice, seeds: u64) {
    let (mut times, mut checks, mut found, mut pieces, mut length, mut none) =
        (Vec::new(), Vec::new(), 0, 0, 0.0, 0);
    for seed in 0..seeds {
        let budget = if puzzle == "prison" { 20_000 } else { FindOptions::default().budget };
        let options = FindOptions { planner: Some(planner), seed, budget, plane: None };
        let before = process_time();
        let answer = find(task, &options, &mut |_| ControlFlow::Continue(())).expect("poses are finite");
        times.push((process_time() - before).as_secs_f64());
        checks.push(answer.checks);
        match answer.outcome {
            Outcome::Path(_) => {
                found += 1;
                pieces += answer.pieces.len();
                length += answer.length;
            }
            Outcome::NoPath(_) => none += 1,
            Outcome::GaveUp(_) => {}
        }
    }
    times.sort_by(f64::total_cmp);
    checks.sort_unstable();
    let middle = times.len() / 2;
    let mean = |sum: f64| sum / f64::from(found.max(1));
    let told = if none > 0 { format!("none {none}") } else { format!("{found}/{seeds}") };
    println!(
        "{:<14} {:<9} {told:>7} {:>8.3} s {:>8.3} s {:>10} {:>8.1} {:>7.2} m",
        puzzle,
        name(planner),
        times[middle],
        times[times.len() - 1],
        checks[middle],
        mean(pieces as f64),
        mean(length),
    );
}

fn rayon_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The group of the demo, from where it stands to its goal.
fn piano() -> Task {
    let scene = demo::piano();
    let parts = ShapeCache::of(&scene);
    let moving = &scene.groups[0].members;
    let lead = &scene.bodies[moving[0]];
    let place = |body: usize, frame_from_world: Pose| Placed {
        body: parts.movable(body).expect("a shape").clone(),
        pose: frame_from_world * scene.bodies[body].pose,
    };
    let others: Vec<usize> = (0..scene.bodies.len()).filter(|body| !moving.contains(body)).collect();
    Task {
        moving: moving.iter().map(|body| place(*body, lead.pose.inverse())).collect(),
        obstacles: others.iter().map(|body| place(*body, Pose::IDENTITY)).collect(),
        rules: vec![vec![Rule::default(); others.len()]; moving.len()],
        start: lead.pose,
        goal: lead.goal.expect("the piano has a goal"),
    }
}

fn task(puzzle: &Puzzle) -> Task {
    let body = |surface: &Surface| {
        let mesh = Mesh::new(surface.0.clone(), surface.1.clone()).expect("finite");
        Movable::new(Shape::Mesh(Arc::new(mesh)))
    };
    let pose = |(rotation, position)| Pose::new(rotation, position).expect("finite");
    let obstacles: Vec<Placed> =
        puzzle.obstacles.iter().map(|surface| Placed { body: body(surface), pose: Pose::IDENTITY }).collect();
    Task {
        moving: vec![Placed { body: body(&puzzle.moving), pose: Pose::IDENTITY }],
        rules: vec![vec![Rule::default(); obstacles.len()]],
        obstacles,
        start: pose(puzzle.start),
        goal: pose(puzzle.goal),
    }
}
