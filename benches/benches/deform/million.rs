//! A million triangles, 16 layers, 2048 x 2048 pixels: frames of a graphics processor with upload and answer.

use crate::series::median;
use freiraum_benches::{Goal, is_quick};
use freiraum_deform::View;
use freiraum_deform::gpu::GpuLayers;
use freiraum_deform::shapes::PlaneStack;
use std::time::Instant;

const FRAME: Goal = Goal::at_most("ms for a million triangles on a graphics processor", 5.0);

/// Prints the stages; only a real processor is held to the goal.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
pub(crate) fn run(rounds: usize, pool: &rayon::ThreadPool, gpu: &mut GpuLayers) {
    let is_real = !gpu.renderer().gpu().is_software();
    let (vertices, resolution) = if is_real { (500_000, 2048) } else { (20_000, 256) };
    if !is_real && is_quick() {
        return;
    }
    let stack = PlaneStack::by_vertices(16, vertices);
    let solid = stack.solid().expect("a good stack");
    let view = View { threaded: true, ..View::new(resolution) };
    gpu.set_faces(&solid.faces).expect("a processor that works");
    let (mut stages, mut times) = (Vec::new(), Vec::new());
    // The first frames grow buffers.
    for round in 0..rounds + 2 {
        let start = Instant::now();
        let answer =
            pool.install(|| gpu.self_collision(&solid.vertices, &view)).expect("a processor that works");
        let time = start.elapsed().as_secs_f64() * 1e3;
        assert_eq!(answer.max_overlap, 8);
        assert_eq!(answer.layers_max, 16);
        if round >= 2 {
            times.push(time);
            stages.push(gpu.milliseconds);
        }
    }
    let title = format!("{} triangles, 16 layers, {resolution} x {resolution}", solid.faces.len());
    let stage =
        |read: fn(&freiraum_deform::gpu::GpuMilliseconds) -> f64| median(stages.iter().map(read).collect());
    println!(
        "\n{title}: {:.3} ms (box {:.3}, upload {:.3}, answer {:.3})",
        median(times.clone()),
        stage(|m| m.bounds),
        stage(|m| m.upload),
        stage(|m| m.answer)
    );
    if is_real {
        FRAME.judge(&title, "milliseconds", median(times));
    }
}
