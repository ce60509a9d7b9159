//! Worlds of the older simulator, one core: how many times as fast as real time?

use freiraum_benches::{Goal, Stopwatch, is_quick};
use freiraum_formats::scene::SceneFile;
use freiraum_query::Prepared;
use freiraum_scene::{Geometry, Scene};
use freiraum_testkit::random::Random;
use freiraum_world::{Measured, Simulation};
use std::fmt::Write;
use std::path::Path;

/// A city with eight trucks that wander, each with a scanner of 160 x 120 rays, five times per second.
pub(super) fn city() {
    let mut random = Random::new(8);
    let mut text = ground(0.001);
    let blocks = 8;
    for k in 0..blocks * blocks {
        let place = |k: usize| 12.0 * (k as f64 - 0.5 * (blocks - 1) as f64);
        let (x, y, tall) = (place(k % blocks), place(k / blocks), random.range(3.0, 15.0));
        let _ = write!(
            text,
            "[[body]]\nname = \"house {k}\"\nshape = {{ box = {{ size = [5, 5, {tall}] }} }}\npose = [{x}, {y}, {}]\nfixed = true\n",
            0.5 * tall
        );
    }
    for k in 0..8 {
        // In the middle of streets that cross.
        let (x, y) = (12 * (k % 4) - 24, 12 * (k / 4) - 12);
        let _ = write!(
            text,
            "[[vehicle]]\nname = \"truck {k}\"\nmodel = \"monster truck\"\npose = [{x}, {y}, 0, 0, 0, {}]\ncontroller = \"wander\"\n\
             [[sensor]]\nname = \"scanner {k}\"\non = \"truck {k}\"\nkind = \"laser\"\nrate = 5\nrange = 20\npose = [0, 0, 0.6]\n\
             grid = {{ size = [160, 120], field_deg = [90, 60] }}\n",
            45 * k
        );
    }
    run("city: 64 houses, 8 trucks, 8 scanners of 160 x 120 rays at 5 Hz, steps of 1 ms", &text, 20.0);
}

/// Ten humanoids that stand, and a Volksbot that drives into them.
pub(super) fn bowling() {
    let mut text = ground(0.001);
    let mut count = 0;
    for row in 0..4 {
        for place in 0..=row {
            let (x, y) = (2.0 + 0.5 * f64::from(row), 0.5 * (f64::from(place) - 0.5 * f64::from(row)));
            count += 1;
            let _ = write!(
                text,
                "[[vehicle]]\nname = \"humanoid {count}\"\nmodel = \"hr18\"\npose = [{x}, {y}, 0, 0, 0, 180]\n"
            );
        }
    }
    text.push_str(
        "[[vehicle]]\nname = \"volksbot\"\nmodel = \"volksbot\"\npose = [-1, 0, 0]\ncontroller = { drive_to = [8, 0, 0] }\n",
    );
    run("bowling: a Volksbot and 10 humanoids, steps of 1 ms", &text, 10.0);
}

fn ground(step: f64) -> String {
    format!(
        "[world]\nstep = {step}\n[[body]]\nname = \"ground\"\nshape = {{ plane = {{ normal = [0, 0, 1], offset = 0 }} }}\nfixed = true\nphysics = {{ friction = 1 }}\n"
    )
}

fn run(name: &str, text: &str, target: f64) {
    let file = SceneFile::parse(text, Path::new(""), name).expect("a good scene");
    let shapes: Vec<Prepared> = file
        .scene()
        .bodies
        .iter()
        .map(|body| match &body.geometry {
            Geometry::Shape(shape) => Prepared::new(shape.clone()),
            Geometry::File { .. } => unreachable!("no files here"),
        })
        .collect();
    // Sensors share their work among the threads of a pool: one core is a pool of one.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| watch(name, file.scene(), &shapes, target));
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn watch(name: &str, scene: &Scene, shapes: &[Prepared], target: f64) {
    let mut world = Simulation::new(scene, shapes).expect("a world");
    let seconds = if is_quick() { 2.0 } else { 10.0 };
    let (mut rays, mut events) = (0, 0);
    let start = Stopwatch::start();
    while world.time() < seconds {
        world.step();
        events += world.take_events().len();
        for (_, reading) in world.new_readings() {
            if let Measured::Distances(found) = &reading.value {
                rays += found.len();
            }
        }
    }
    let spent = start.elapsed().as_secs_f64();
    let totals = world.totals();
    println!(
        "\n{name}\n  {seconds} s of the world in {spent:.2} s: {:.0} steps per second, {:.1} pairs and {:.1} points of contact per step, {rays} rays, {events} events",
        totals.steps as f64 / spent,
        totals.pairs as f64 / totals.steps as f64,
        totals.points as f64 / totals.steps as f64,
    );
    Goal::faster("worlds: times real time", target).judge(name, "real time", seconds / spent);
}
