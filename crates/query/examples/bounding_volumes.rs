//! Which bounding volume, which builder, which descent rule, which broad phase? Tests of objects and of volumes per step on
//! the three scenes of the thesis (section 5.5.3: a city, a house of many rooms, robots as bowling pins), with and without
//! hierarchy: minimum, mean and maximum over all steps.
//!
//! ```console
//! cargo run --release --example bounding_volumes              # all three, some seconds
//! cargo run --release --example bounding_volumes -- city
//! ```
//!
//! Counts are exact and the same on every machine; times are in `docs/performance/sets.md`.

#[path = "../tests/it/scenes.rs"]
#[expect(dead_code, reason = "tests hold the contacts against testing all pairs, which this does not")]
mod scenes;

use freiraum_geometry::{Aabb, Pose};
use freiraum_query::QueryError;
use freiraum_query::broad_phase::BroadPhaseKind;
use freiraum_query::set::{BodyId, Bounds, Settings};
use freiraum_query::tree::build::{BottomUp, Builder, Insertion, Median, SurfaceArea};
use freiraum_query::tree::descend::{Alternate, Both, LargerFirst, OneFully, Rule};
use freiraum_query::tree::volume::{Ball, Dop, SweptRectangle, TurnedBox};
use freiraum_query::tree::{Counts, Volume};
use freiraum_testkit::scenarios::{self, Scenario};
use scenes::Stage;

fn main() -> Result<(), QueryError> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let scenarios = scenarios::all();
    let known = |name: &String| scenarios.iter().any(|scenario| scenario.name == name);
    if let Some(name) = wanted.iter().find(|name| !known(name)) {
        let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name).collect();
        say(&format!("there is no scene {name:?}; expected some of {}", names.join(", ")));
        std::process::exit(2);
    }
    for scenario in &scenarios {
        if wanted.is_empty() || wanted.iter().any(|name| name == scenario.name) {
            tables(scenario)?;
        }
    }
    Ok(())
}

/// All comparisons on one scene.
fn tables(scenario: &Scenario) -> Result<(), QueryError> {
    let bodies: usize = scenario.crews.iter().map(|crew| crew.solids.len()).sum();
    say(&format!(
        "\n{}: {} groups with {bodies} bodies, {} pairs that may meet, {} steps",
        scenario.name,
        scenario.crews.len(),
        scenario.plain,
        scenario.steps
    ));

    head("Bounding volumes (surface area, larger first, dynamic tree)");
    row("all pairs, no volumes", &[Counts { object_tests: scenario.plain as u64, ..Counts::default() }]);
    volume::<Ball>(scenario, "sphere")?;
    volume::<Aabb>(scenario, "AABB")?;
    volume::<TurnedBox>(scenario, "OBB")?;
    volume::<Dop>(scenario, "18-DOP")?;
    volume::<SweptRectangle>(scenario, "rectangle swept sphere")?;

    head("Builders (OBB, every step)");
    let builders: [(&str, Box<dyn Builder>); 4] = [
        ("median", Box::new(Median)),
        ("surface area", Box::new(SurfaceArea)),
        ("bottom up", Box::new(BottomUp)),
        ("insertion", Box::new(Insertion)),
    ];
    for (name, builder) in builders {
        row(name, &run::<TurnedBox>(scenario, Settings { builder, skips: false, ..Settings::default() })?);
    }

    head("Descent rules (OBB, every step)");
    let rules: [(&str, Box<dyn Rule>); 4] = [
        ("larger first", Box::new(LargerFirst)),
        ("both", Box::new(Both)),
        ("alternate", Box::new(Alternate)),
        ("one fully", Box::new(OneFully)),
    ];
    for (name, rule) in rules {
        row(name, &run::<TurnedBox>(scenario, Settings { rule, skips: false, ..Settings::default() })?);
    }

    head("Broad phases between groups (OBB, kept fronts)");
    for broad in BroadPhaseKind::ALL {
        let name = match broad {
            BroadPhaseKind::BruteForce => "brute force",
            BroadPhaseKind::SweepAndPrune => "sweep and prune",
            BroadPhaseKind::Grid => "grid",
            BroadPhaseKind::Octree => "octree",
            BroadPhaseKind::KdTree => "k-d tree",
            BroadPhaseKind::DynamicTree => "dynamic tree",
        };
        row(name, &run::<TurnedBox>(scenario, Settings { broad, ..Settings::default() })?);
    }
    Ok(())
}

/// One volume without a hierarchy, with one, and with fronts that are kept from step to step.
fn volume<V: Volume>(scenario: &Scenario, name: &str) -> Result<(), QueryError> {
    row(&format!("{name}, no hierarchy"), &without_hierarchy::<V>(scenario));
    let settings = |skips| Settings { skips, ..Settings::default() };
    row(&format!("{name}, hierarchy, every step"), &run::<V>(scenario, settings(false))?);
    row(&format!("{name}, hierarchy, kept fronts"), &run::<V>(scenario, settings(true))?);
    Ok(())
}

/// What every step of a scene takes.
fn run<V: Volume>(scenario: &Scenario, settings: Settings) -> Result<Vec<Counts>, QueryError> {
    let mut stage: Stage<V> = Stage::new(scenario, settings);
    let step = |step| {
        stage.place(scenario, step);
        stage.step().map(|(_, counts)| counts)
    };
    (0..scenario.steps).map(step).collect()
}

/// The volumes of all pairs that may meet, and the objects of those whose volumes do.
fn without_hierarchy<V: Volume>(scenario: &Scenario) -> Vec<Counts> {
    let mut stage: Stage<V> = Stage::new(scenario, Settings::default());
    let pairs: Vec<(BodyId, BodyId)> = stage.set.allowed_pairs();
    let bounds: Vec<Bounds> = stage.shapes.iter().map(|shape| Bounds::of_shape(shape.shape())).collect();
    let mut in_step = |step| {
        stage.place(scenario, step);
        let mut placed: Vec<Option<Placed<V>>> = vec![None; bounds.len()];
        for body in pairs.iter().flat_map(|(a, b)| [*a, *b]) {
            let pose = stage.set.pose(body).unwrap_or(Pose::IDENTITY);
            placed[body.index()].get_or_insert_with(|| Placed::new(&bounds[body.index()], &pose));
        }
        let mut counts = Counts::default();
        for (a, b) in &pairs {
            counts.volume_tests += 1;
            let may_touch = match (&placed[a.index()], &placed[b.index()]) {
                (Some(a), Some(b)) => a.may_touch(b),
                _ => true,
            };
            counts.object_tests += u64::from(may_touch);
        }
        counts
    };
    (0..scenario.steps).map(&mut in_step).collect()
}

/// The bounds of a body in the world.
#[derive(Clone)]
enum Placed<V> {
    Limited(V),
    /// Below a plane with this outward normal and offset.
    HalfSpace(freiraum_geometry::Vec3, f64),
    Unlimited,
}

impl<V: Volume> Placed<V> {
    fn new(bounds: &Bounds, world_from_body: &Pose) -> Placed<V> {
        match bounds {
            Bounds::Limited(extent) => Placed::Limited(V::of_extent(extent, world_from_body)),
            Bounds::HalfSpace(plane) => {
                let normal = world_from_body.rotate(plane.normal());
                Placed::HalfSpace(normal, plane.offset() + normal.dot(world_from_body.translation()))
            }
            Bounds::Unlimited => Placed::Unlimited,
        }
    }

    fn may_touch(&self, other: &Placed<V>) -> bool {
        match (self, other) {
            (Placed::Limited(a), Placed::Limited(b)) => a.gap(b) <= 0.0,
            (Placed::Limited(a), Placed::HalfSpace(normal, offset))
            | (Placed::HalfSpace(normal, offset), Placed::Limited(a)) => -a.reach_along(-*normal) <= *offset,
            _ => true,
        }
    }
}

fn head(title: &str) {
    say(&format!("\n  {title}"));
    say(&format!("  {:<46} {:>24}   {:>24}", "", "object tests", "volume tests"));
    let three = format!("{:>7} {:>8} {:>7}", "min", "mean", "max");
    say(&format!("  {:<46} {three}   {three}", "per step"));
}

fn row(name: &str, all: &[Counts]) {
    let three = |of: fn(&Counts) -> u64| {
        let least = all.iter().map(of).min().unwrap_or(0);
        let most = all.iter().map(of).max().unwrap_or(0);
        let mean = all.iter().map(of).sum::<u64>() as f64 / all.len().max(1) as f64;
        format!("{least:>7} {mean:>8.1} {most:>7}")
    };
    say(&format!("  {name:<46} {}   {}", three(|c| c.object_tests), three(|c| c.volume_tests)));
}

#[expect(clippy::print_stdout, reason = "an example prints its tables")]
fn say(line: &str) {
    println!("{line}");
}
