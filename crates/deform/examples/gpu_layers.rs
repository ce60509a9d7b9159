//! Layered images on a graphics processor: times of every stage, and whether the answers are those of the software.
//!
//! `cargo run --release -p freiraum-deform --features gpu --example gpu_layers -- [hardware|software|auto] [series] [million] [hard]`
#![expect(clippy::print_stdout, reason = "prints a table")]

use freiraum_deform::gpu::GpuLayers;
use freiraum_deform::shapes::{PlaneStack, Solid};
use freiraum_deform::{Axis, Layers, Surface, View};
use freiraum_geometry::Vec3;
use freiraum_gpu::Choice;
use std::error::Error;
use std::f64::consts::TAU;
use std::time::Instant;

/// Frames that are timed, after some that are not.
const FRAMES: usize = 51;
const WARM_UP: usize = 20;
/// Different surfaces, one after the other.
const WAVES: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let choice = words.first().map_or(Ok(Choice::Auto), |word| word.parse::<Choice>())?;
    let wants = |name: &str| words.len() < 2 || words[1..].iter().any(|w| w == name);
    let start = Instant::now();
    let mut gpu = GpuLayers::open(choice)?;
    println!("{}: open after {:.0} ms", gpu.renderer().gpu().name(), start.elapsed().as_secs_f64() * 1e3);
    println!(
        "{} threads on this side; medians of {FRAMES} frames, milliseconds\n",
        rayon::current_num_threads()
    );
    if wants("series") {
        println!("8 planes, 128 x 128");
        for vertices in [5_000, 10_000, 20_000, 50_000, 100_000] {
            stack(&mut gpu, 8, vertices, 128)?;
        }
        println!("\n10 000 vertices, 128 x 128");
        for planes in [2, 4, 8, 12, 16, 20] {
            stack(&mut gpu, planes, 10_000, 128)?;
        }
    }
    if wants("million") {
        println!("\na million triangles, 16 planes");
        for size in [256, 1024, 2048] {
            stack(&mut gpu, 16, 500_000, size)?;
        }
    }
    if wants("hard") {
        println!("\n200 planes of two triangles, then of many");
        for (vertices, size) in [(800, 512), (100_000, 512)] {
            stack(&mut gpu, 200, vertices, size)?;
        }
        println!("\nall in one pixel");
        stack(&mut gpu, 2_000, 8_000, 1)?;
    }
    Ok(())
}

/// A stack of planes that fills the image.
fn stack(gpu: &mut GpuLayers, planes: u32, vertices: u32, size: u32) -> Result<(), Box<dyn Error>> {
    let solid = PlaneStack::by_vertices(planes, vertices).solid()?;
    let view = View { axis: Some(Axis::Z), size: [size; 2], threaded: true };
    let name = format!(
        "{planes:>4} planes, {:>6} vertices, {:>7} triangles, {size:>4}²",
        solid.vertices.len(),
        solid.faces.len()
    );
    measure(gpu, &name, &solid, &view)
}

fn measure(gpu: &mut GpuLayers, name: &str, solid: &Solid, view: &View) -> Result<(), Box<dyn Error>> {
    // Made before, so that the processor does not fall asleep between the frames.
    let waves: Vec<Vec<Vec3>> = (0..WAVES).map(|k| wave(&solid.vertices, 0.3 * k as f64)).collect();
    let mut vertices = &waves[0];
    let start = Instant::now();
    gpu.set_faces(&solid.faces)?;
    gpu.renderer().gpu().wait()?;
    let faces = start.elapsed().as_secs_f64() * 1e3;
    let (mut times, mut stages) = (Vec::new(), Vec::new());
    let mut answer = None;
    for k in 0..WARM_UP + FRAMES {
        vertices = &waves[k % WAVES];
        let start = Instant::now();
        answer = Some(gpu.self_collision(vertices, view)?);
        if k >= WARM_UP {
            let m = gpu.milliseconds;
            times.push([start.elapsed().as_secs_f64() * 1e3, m.bounds, m.upload, m.answer]);
            stages.push(gpu.renderer().stages()?);
        }
    }
    let [total, bounds, upload, wait] = [0, 1, 2, 3].map(|k| median(times.iter().map(|t| t[k])));
    println!(
        "{name}: {total:.3} (box {bounds:.3}, snap and upload {upload:.3}, answer {wait:.3}; faces once {faces:.2})"
    );
    let mut sum = 0.0;
    let mut line = String::new();
    for k in 0..stages[0].len() {
        let time = median(stages.iter().map(|s| s[k].1.as_secs_f64() * 1e3));
        sum += time;
        line += &format!(" {} {time:.3}", stages[0][k].0);
    }
    println!("      on the processor {sum:.3}:{line}");
    let mut cpu = Layers::default();
    let surface = Surface { vertices, faces: &solid.faces };
    let mut software = Vec::new();
    let mut expected = None;
    for _ in 0..if solid.faces.len() > 500_000 { 2 } else { 5 } {
        expected = Some(cpu.self_collision(surface, view)?);
        software.push(cpu.milliseconds.total());
    }
    let answers = format!("{answer:?}") == format!("{expected:?}");
    let sums = gpu.found.sums == cpu.occupancy.sums;
    let involved =
        cpu.involved(surface).0.iter().enumerate().all(|(f, &is)| gpu.found.is_involved(f as u32) == is);
    let verdict = if answers && sums && involved { "the same answer" } else { "ANOTHER ANSWER" };
    let layers = expected.map_or(0, |a| a.layers_max);
    println!("      software {:.3}: {verdict}, {layers} layers", median(software.into_iter()));
    if !(answers && sums && involved) {
        println!("      {answer:?}\n      {expected:?}");
    }
    Ok(())
}

/// Moves what is within the squares of side 1 about the z-axis, so that edges have all directions; their rims stay, and walls stay
/// along z.
fn wave(rest: &[Vec3], phase: f64) -> Vec<Vec3> {
    let moved = |p: &Vec3| {
        let (x, y) = (TAU * p.x, TAU * p.y);
        *p + 0.03 * Vec3::new(x.sin() * (y + phase).cos(), y.sin() * (x - phase).cos(), 0.0)
    };
    rest.iter().map(moved).collect()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
