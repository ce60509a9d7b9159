//! The two series.

use freiraum_benches::{Goal, Stopwatch, is_quick};
use freiraum_deform::gpu::GpuLayers;
use freiraum_deform::layers::Milliseconds;
use freiraum_deform::shapes::{PlaneStack, Solid};
use freiraum_deform::{Layers, Surface, View};
use std::time::Instant;

const WHOLE: Goal = Goal::at_most("ms for 8 planes, 10 000 vertices, one core", 1.5);
const GROWTH: Goal = Goal::at_most("growth of layered images", 1.1);

const RESOLUTION: u32 = 128;

/// Milliseconds of one body.
#[derive(Clone, Copy)]
struct Times {
    /// Of the stages on one thread, by the wall clock.
    stages: Milliseconds,
    /// All of it on one thread, in processor time.
    one: f64,
    /// All of it on all threads, by the wall clock.
    all: f64,
    /// All of it on the graphics processor with upload and answer, by the wall clock; `None` without one.
    gpu: Option<f64>,
}

/// Both series, with the bar and the exponents.
pub(crate) fn run(rounds: usize, pool: &rayon::ThreadPool, mut gpu: Option<&mut GpuLayers>) {
    let planes: Vec<u32> = if is_quick() { vec![2, 8, 20] } else { (1..=10).map(|k| 2 * k).collect() };
    let first: Vec<PlaneStack> = planes.iter().map(|&n| PlaneStack::by_vertices(n, 10_000)).collect();
    let title = "about 10 000 vertices, 2 to 20 planes";
    let with = With { rounds, pool };
    series(title, "layers", &first, |stack| stack.planes, &with, gpu.as_deref_mut());
    let thousands: &[u32] = if is_quick() { &[5, 10, 30] } else { &[5, 10, 15, 20, 30, 40, 50, 70, 100] };
    let second: Vec<PlaneStack> = thousands.iter().map(|&n| PlaneStack::by_vertices(8, 1000 * n)).collect();
    let title = "eight planes, 5 000 to 100 000 vertices";
    series(title, "vertices", &second, |stack| 8 * (stack.cells + 1).pow(2), &with, gpu);
}

/// How often, and with which threads.
struct With<'w> {
    rounds: usize,
    pool: &'w rayon::ThreadPool,
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn series(
    title: &str,
    against: &str,
    stacks: &[PlaneStack],
    size: impl Fn(&PlaneStack) -> u32,
    with: &With<'_>,
    mut gpu: Option<&mut GpuLayers>,
) {
    println!("\n{title}, {RESOLUTION} x {RESOLUTION}, milliseconds (median of {})", with.rounds);
    println!(
        "  {:>6} {:>8} {:>9}  {:>6} {:>7} {:>6} {:>9}  {:>10} {:>11} {:>8}",
        "planes",
        "vertices",
        "triangles",
        "snap",
        "render",
        "sort",
        "occupancy",
        "one thread",
        "all threads",
        "graphics"
    );
    let mut rows = Vec::new();
    for stack in stacks {
        let solid = stack.solid().expect("a good stack");
        let times = measure(stack, &solid, with, gpu.as_deref_mut());
        let stages = times.stages;
        println!(
            "  {:>6} {:>8} {:>9}  {:>6.3} {:>7.3} {:>6.3} {:>9.3}  {:>10.3} {:>11.3} {:>8}",
            stack.planes,
            solid.vertices.len(),
            solid.faces.len(),
            stages.snap,
            stages.render,
            stages.sort,
            stages.occupancy,
            times.one,
            times.all,
            times.gpu.map_or("-".to_owned(), |gpu| format!("{gpu:.3}"))
        );
        if stack.planes == 8 && (9_000..11_000).contains(&solid.vertices.len()) {
            WHOLE.judge(title, "milliseconds", times.one);
        }
        rows.push((f64::from(size(stack)), times));
    }
    type Read = fn(&Times) -> Option<f64>;
    let columns: [(&str, Read); 7] = [
        ("snap", |t| Some(t.stages.snap)),
        ("render", |t| Some(t.stages.render)),
        ("sort", |t| Some(t.stages.sort)),
        ("occupancy", |t| Some(t.stages.occupancy)),
        ("one thread", |t| Some(t.one)),
        ("all threads", |t| Some(t.all)),
        ("graphics", |t| t.gpu),
    ];
    let mut text = Vec::new();
    for (name, read) in columns {
        let points = rows.iter().map(|(size, times)| Some((*size, read(times)?)));
        let Some(points) = points.collect::<Option<Vec<_>>>() else { continue };
        let growth = exponent(&points);
        text.push(format!("{name} {growth:.2}"));
        if name == "one thread" {
            GROWTH.judge(title, against, growth);
        }
    }
    println!("  time grows with {against} to the power of: {}", text.join(", "));
}

fn measure(stack: &PlaneStack, solid: &Solid, with: &With<'_>, gpu: Option<&mut GpuLayers>) -> Times {
    let surface = Surface { vertices: &solid.vertices, faces: &solid.faces };
    let mut layers = Layers::default();
    let (mut stages, mut one, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let mut look = |threaded: bool| {
        let view = View { threaded, ..View::new(RESOLUTION) };
        let answer = layers.self_collision(surface, &view).expect("a good stack");
        assert_eq!(answer.max_overlap, stack.planes / 2, "a fast wrong answer is none");
        assert!((answer.volume.volume - stack.overlap()).abs() <= answer.volume.error + f64::EPSILON);
        (layers.milliseconds, answer)
    };
    // The first rounds fill storage and caches.
    let (_, answer) = look(false);
    with.pool.install(|| look(true));
    for _ in 0..with.rounds.max(1) {
        let start = Stopwatch::start();
        stages.push(look(false).0);
        one.push(start.elapsed().as_secs_f64() * 1e3);
        all.push(with.pool.install(|| {
            let start = Instant::now();
            look(true);
            start.elapsed().as_secs_f64() * 1e3
        }));
    }
    let gpu = gpu.map(|gpu| {
        let view = View { threaded: true, ..View::new(RESOLUTION) };
        gpu.set_faces(&solid.faces).expect("a processor that works");
        let times = (0..=with.rounds).map(|_| {
            with.pool.install(|| {
                let start = Instant::now();
                let other = gpu.self_collision(&solid.vertices, &view).expect("a processor that works");
                assert_eq!(other, answer, "the same on both");
                start.elapsed().as_secs_f64() * 1e3
            })
        });
        median(times.skip(1).collect())
    });
    let stage = |read: fn(&Milliseconds) -> f64| median(stages.iter().map(read).collect());
    Times {
        stages: Milliseconds {
            snap: stage(|m| m.snap),
            render: stage(|m| m.render),
            sort: stage(|m| m.sort),
            occupancy: stage(|m| m.occupancy),
        },
        one: median(one),
        all: median(all),
        gpu,
    }
}

pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The slope of log(time) over log(size) by least squares.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(size, time)| (size.ln(), time.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) =
        (logs.iter().map(|l| l.0).sum::<f64>() / count, logs.iter().map(|l| l.1).sum::<f64>() / count);
    let above: f64 = logs.iter().map(|l| (l.0 - x) * (l.1 - y)).sum();
    above / logs.iter().map(|l| (l.0 - x) * (l.0 - x)).sum::<f64>()
}
