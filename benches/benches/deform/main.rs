//! Layered depth images of stacks of parallel squares, as in the two series of text 002, 5.3: about 10 000 vertices in 2 to 20
//! planes, and 5 000 to 100 000 vertices in eight planes, at 128 x 128 pixels. Milliseconds per stage on one thread (processor time in
//! total), on all, and on a graphics processor; how they grow, by least squares of logarithms.
//!
//! `ROUNDS` in the environment is the number of rounds, 61 if it is not set.

mod series;

use freiraum_benches::{cpus, is_quick};

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
    series::run(rounds, &pool);
}
