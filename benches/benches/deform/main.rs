//! Layered depth images of stacks of parallel squares, as in the two series of text 002, 5.3: about 10 000 vertices in 2 to 20
//! planes, and 5 000 to 100 000 vertices in eight planes, at 128 x 128 pixels. Milliseconds per stage on one thread (processor time in
//! total), on all, and on a graphics processor; how they grow, by least squares of logarithms.
//!
//! `ROUNDS` in the environment is the number of rounds, 61 if it is not set.

mod million;
mod series;

use freiraum_benches::{cpus, is_quick};
use freiraum_deform::gpu::GpuLayers;
use freiraum_gpu::Choice;

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn main() {
    let rounds =
        std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(if is_quick() { 9 } else { 61 });
    let pool = cpus::all_cores();
    println!(
        "layered depth images on {} ({}), {} threads in all",
        cpus::name(),
        cpus::vectors(),
        pool.current_num_threads()
    );
    let choice = std::env::var("FREIRAUM_GPU").ok().and_then(|c| c.parse().ok()).unwrap_or(Choice::Auto);
    let mut gpu = match GpuLayers::open(choice) {
        Ok(mut gpu) => {
            let processor = gpu.renderer().gpu();
            let note = if processor.is_software() { ", a program on this very processor" } else { "" };
            println!("graphics processor: {}{note}", processor.name());
            Some(gpu)
        }
        Err(error) => {
            println!("graphics processor: none, {error}");
            None
        }
    };
    series::run(rounds, &pool, gpu.as_mut());
    if let Some(gpu) = &mut gpu {
        million::run(rounds.min(21), &pool, gpu);
    }
}
