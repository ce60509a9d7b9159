//! The three scenes of text 000, section 5.5.3: tests of bodies and of bounding volumes per step, with and without trees.
//!
//! Counts do not depend on the machine. The times beside them are whole steps: placing, refitting, finding, testing.

#[path = "../../crates/query/tests/it/scenes.rs"]
mod scenes;

use freiraum_benches::{Goal, contender, is_quick, side_by_side};
use freiraum_geometry::{Aabb, Vec3};
use freiraum_query::broad_phase::BroadPhaseKind;
use freiraum_query::set::Settings;
use freiraum_query::tree::build::{BottomUp, Builder, Insertion, Median, SurfaceArea};
use freiraum_query::tree::descend::{Alternate, Both, LargerFirst, OneFully, Rule};
use freiraum_query::tree::volume::{Ball, Dop, SweptRectangle, TurnedBox};
use freiraum_query::tree::{Counts, Volume};
use freiraum_testkit::random::Random;
use freiraum_testkit::scenarios::{self, Scenario};
use scenes::Stage;
use std::time::Instant;

/// Fewer than the text has, bodies and volumes each.
const GOAL: Goal = Goal::at_most("tests per step, share of those in the text", 1.0);

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn main() {
    // `cargo bench --bench sets -- city` runs the scenes with that word in their name.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for scenario in scenarios::all() {
        if !wanted.is_empty() && !wanted.iter().any(|w| scenario.name.contains(w.as_str())) {
            continue;
        }
        println!("\n{}: {} steps, per step on average (most)", scenario.name, scenario.steps);
        println!(
            "  {:<76} {:>13} {:>15} {:>9} {:>9} {:>9}",
            "", "object tests", "volume tests", "skipped", "contacts", "µs"
        );
        let (objects, volumes) = scenario.text;
        println!("  {:<76} {objects:>13} {volumes:>15}", "text 000, spheres");
        plain(&scenario);
        compare(&scenario);
    }
    if wanted.is_empty() && !is_quick() || wanted.iter().any(|w| "broad".contains(w.as_str())) {
        for (count, rounds) in [(10, 2001), (100, 501), (1000, 101), (10_000, 21)] {
            broad_phases(count, rounds, 1.0);
            broad_phases(count, rounds, 0.05);
        }
    }
}

/// All methods on the same boxes, a share of which moves a little in every step.
fn broad_phases(count: usize, rounds: usize, share: f64) {
    let title = format!("broad phases, {count} boxes, {:.0} % move", 100.0 * share);
    let mut random = Random::new(7);
    // Three or four overlaps per box.
    let spread = 0.7 * (count as f64).cbrt();
    let homes: Vec<(Vec3, Vec3)> =
        (0..count).map(|_| (random.in_cube(spread), 0.3 + random.in_cube(0.5).abs())).collect();
    let at = move |i: usize, step: usize| {
        let (home, half) = homes[i];
        let phase = 0.05 * step as f64 + i as f64;
        let center = home + 0.5 * Vec3::new(phase.sin(), phase.cos(), (0.7 * phase).sin());
        Aabb { min: center - half, max: center + half }
    };
    let moving = ((share * count as f64) as usize).max(1);
    let contenders = BroadPhaseKind::ALL.into_iter().map(|method| {
        let mut phase = method.start();
        (0..count).for_each(|i| phase.set(i as u32, at(i, 0)));
        let (mut pairs, mut step, at) = (Vec::new(), 0, at.clone());
        let name: &'static str = match method {
            BroadPhaseKind::BruteForce => "brute force",
            BroadPhaseKind::SweepAndPrune => "sweep and prune",
            BroadPhaseKind::Grid => "grid",
            BroadPhaseKind::Octree => "octree",
            BroadPhaseKind::KdTree => "k-d tree",
            BroadPhaseKind::DynamicTree => "dynamic tree",
        };
        contender(name, move || {
            step += 1;
            (0..moving).for_each(|i| phase.set(i as u32, at(i, step)));
            let mut counts = Counts::default();
            phase.pairs(&mut pairs, &mut counts);
            format!("{} pairs, {} tests", pairs.len(), counts.volume_tests)
        })
    });
    side_by_side(&title, rounds, contenders.collect());
}

/// All volumes, all broad phases, all builders and all rules, one after the other from the best setting.
fn compare(scenario: &Scenario) {
    let settings = |broad, skips| Settings { broad, skips, ..Settings::default() };
    let best = BroadPhaseKind::DynamicTree;
    for skips in [false, true] {
        run::<Ball>(scenario, "sphere", settings(best, skips));
        run::<Aabb>(scenario, "axis box", settings(best, skips));
        run::<TurnedBox>(scenario, "oriented box", settings(best, skips));
        run::<Dop>(scenario, "k-DOP", settings(best, skips));
        run::<SweptRectangle>(scenario, "rectangle swept sphere", settings(best, skips));
    }
    for broad in BroadPhaseKind::ALL {
        let counts = run::<TurnedBox>(scenario, "oriented box", settings(broad, true));
        if broad == BroadPhaseKind::SweepAndPrune {
            judge(scenario, &counts);
        }
    }
    let builders: [Box<dyn Builder>; 4] =
        [Box::new(Median), Box::new(SurfaceArea), Box::new(BottomUp), Box::new(Insertion)];
    for builder in builders {
        run::<TurnedBox>(scenario, "oriented box", Settings { builder, ..settings(best, false) });
    }
    let rules: [Box<dyn Rule>; 4] =
        [Box::new(LargerFirst), Box::new(Both), Box::new(Alternate), Box::new(OneFully)];
    for rule in rules {
        run::<TurnedBox>(scenario, "oriented box", Settings { rule, ..settings(best, false) });
    }
}

fn judge(scenario: &Scenario, counts: &[Counts]) {
    let steps = counts.len().max(1) as f64;
    let (objects, volumes) = scenario.text;
    for (what, of, text) in [
        ("tests of bodies", (|c| c.object_tests) as fn(&Counts) -> u64, objects),
        ("tests of volumes", |c| c.volume_tests, volumes),
    ] {
        let mean = counts.iter().map(of).sum::<u64>() as f64 / steps;
        GOAL.judge(&format!("{}, {what}", scenario.name), "text 000", mean / text);
    }
}

/// What testing all pairs takes.
fn plain(scenario: &Scenario) {
    let mut stage: Stage<Ball> = Stage::new(scenario, Settings::default());
    let tests = stage.set.allowed_pairs().len();
    let (mut contacts, mut looks) = (0, 0);
    let start = Instant::now();
    for step in (0..scenario.steps).step_by(50) {
        stage.place(scenario, step);
        contacts += stage.brute_force().map_or(0, |found| found.len());
        looks += 1;
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / f64::from(looks);
    let counts = Counts { object_tests: tests as u64, ..Counts::default() };
    row("without trees", &[counts], contacts as f64 / f64::from(looks), micros);
}

fn run<V: Volume>(scenario: &Scenario, volume: &str, settings: Settings) -> Vec<Counts> {
    let skips = if settings.skips { "skipping" } else { "every step" };
    let name =
        format!("{volume}, {:?}, {:?}, {:?}, {skips}", settings.broad, settings.builder, settings.rule);
    let mut stage: Stage<V> = Stage::new(scenario, settings);
    let (mut all, mut contacts) = (Vec::new(), 0);
    let start = Instant::now();
    for step in 0..scenario.steps {
        stage.place(scenario, step);
        if let Ok((touching, counts)) = stage.step() {
            contacts += touching;
            all.push(counts);
        }
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / scenario.steps as f64;
    row(&name, &all, contacts as f64 / scenario.steps as f64, micros);
    all
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn row(name: &str, all: &[Counts], contacts: f64, micros: f64) {
    let column = |of: fn(&Counts) -> u64| {
        let mean = all.iter().map(of).sum::<u64>() as f64 / all.len().max(1) as f64;
        format!("{mean:.1} ({})", all.iter().map(of).max().unwrap_or(0))
    };
    let (objects, volumes) = (column(|c| c.object_tests), column(|c| c.volume_tests));
    let skipped = all.iter().map(|c| c.skipped).sum::<u64>() as f64 / all.len().max(1) as f64;
    println!("  {name:<76} {objects:>13} {volumes:>15} {skipped:>9.1} {contacts:>9.2} {micros:>9.1}");
}
