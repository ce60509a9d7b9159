//! Rigid bodies that fall into a heap, beside rapier, in one run: steps per second, and how far bodies are in each other.
//!
//! Loose cubes of 10, 100 and 1000 boxes and balls of half a metre above a plane, friction 0.5, three seconds, nobody sleeps.
//! Before them worlds with vehicles, against real time. Arguments choose: `city`, `bowling`, `10`, `100`, `1000`.

mod cases;
mod heap;
mod ours;
mod overlap;
mod theirs;

use freiraum_benches::{Goal, Stopwatch, is_quick};
use freiraum_geometry::Pose;
use heap::{Thing, heap};
use overlap::{Overlap, overlap};

/// A contender: where everything is after each step.
trait World {
    fn step(&mut self);
    fn poses(&self) -> Vec<Pose>;
}

struct Outcome {
    /// Steps per second over the whole run, and over its last third.
    rate: f64,
    settled: f64,
    /// Of all samples taken in the last two thirds.
    overlap: Overlap,
    lowest: f64,
    /// Mean height at the end: a heap that has spread or sunk shows.
    height: f64,
}

const SECONDS: f64 = 3.0;
/// Overlaps are measured this often.
const SAMPLES: usize = 30;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    for (name, case) in [("city", cases::city as fn()), ("bowling", cases::bowling)] {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            case();
        }
    }
    for count in [10, 100, 1000] {
        if count == 1000 && is_quick() {
            continue;
        }
        for time in [0.001, 0.01] {
            let name = format!("{count} bodies, {} ms", 1000.0 * time);
            if wanted.is_empty() || wanted.iter().any(|w| name.starts_with(&format!("{w} "))) {
                compare(&name, count, time);
            }
        }
    }
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn compare(name: &str, count: usize, time: f64) {
    let things = heap(count);
    let rounds = if count == 1000 || is_quick() { 1 } else { 5 };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(run(&mut ours::Ours::new(&things, time), &things, time));
        theirs.push(run(&mut theirs::Theirs::new(&things, time), &things, time));
    }
    let best = |mut runs: Vec<Outcome>| {
        runs.sort_by(|a, b| a.rate.total_cmp(&b.rate));
        runs.swap_remove(runs.len() / 2)
    };
    let (ours, theirs) = (best(ours), best(theirs));
    println!("\n{name}");
    println!(
        "  {:<10} {:>10} {:>10} {:>12} {:>12} {:>9} {:>9}",
        "", "steps/s", "settled", "deepest mm", "mean mm", "lowest", "height"
    );
    for (who, o) in [("freiraum", &ours), ("rapier3d", &theirs)] {
        println!(
            "  {who:<10} {:>10.0} {:>10.0} {:>12.4} {:>12.4} {:>9.4} {:>9.4}",
            o.rate,
            o.settled,
            1000.0 * o.overlap.deepest,
            1000.0 * o.overlap.mean,
            o.lowest,
            o.height
        );
    }
    Goal::faster("heap: steps per second", 1.0).judge(name, "rapier3d", ours.rate / theirs.rate);
    Goal::at_most("heap: mean overlap", 1.0).judge(name, "rapier3d", ours.overlap.mean / theirs.overlap.mean);
    Goal::at_most("heap: deepest overlap", 1.0).judge(
        name,
        "rapier3d",
        ours.overlap.deepest / theirs.overlap.deepest,
    );
}

fn run(world: &mut dyn World, things: &[Thing], time: f64) -> Outcome {
    let steps = (SECONDS / time).round() as usize;
    let mut times = Vec::with_capacity(SAMPLES);
    let mut samples = Vec::new();
    for sample in 0..SAMPLES {
        let start = Stopwatch::start();
        for _ in 0..steps / SAMPLES {
            world.step();
        }
        times.push(start.elapsed().as_secs_f64());
        if sample >= SAMPLES / 3 {
            samples.push(overlap(things, &world.poses()));
        }
    }
    let per = (steps / SAMPLES) as f64;
    let rate = |times: &[f64]| per * times.len() as f64 / times.iter().sum::<f64>();
    let poses = world.poses();
    let heights = poses.iter().map(|p| p.translation().z);
    Outcome {
        rate: rate(&times),
        settled: rate(&times[2 * SAMPLES / 3..]),
        overlap: Overlap {
            deepest: samples.iter().map(|o| o.deepest).fold(0.0, f64::max),
            mean: samples.iter().map(|o| o.mean).sum::<f64>() / samples.len() as f64,
        },
        lowest: heights.clone().fold(f64::INFINITY, f64::min),
        height: heights.sum::<f64>() / poses.len() as f64,
    }
}
