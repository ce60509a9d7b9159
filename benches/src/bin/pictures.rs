//! The part of the bench `sensors` that needs no peers, small enough to carry to a machine with a graphics processor.
//!
//! `ROUNDS` in the environment is the number of rounds, 5 if it is not set; `FREIRAUM_GPU` the processor: `auto` (the default), `hardware`, `software`.

fn main() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(5);
    freiraum_benches::pictures::run(rounds);
}
