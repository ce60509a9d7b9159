//! Timing side by side: the same work for Freiraum and a peer in one run, interleaved, as a ratio.

pub mod city;
pub mod clock;
pub mod cpus;
mod goal;
pub mod peer;
pub mod pictures;
mod table;

pub use clock::Stopwatch;
pub use goal::{Bound, Goal};
pub use table::{Pass, Role, Runner, Table, pass, runner};

use std::time::Duration;

/// Whether a short run is wanted (`FREIRAUM_BENCH_QUICK` is set): no large inputs, few rounds.
#[must_use]
pub fn is_quick() -> bool {
    std::env::var_os("FREIRAUM_BENCH_QUICK").is_some()
}

/// What one contender does: returns a short digest of its answer (printed, so that a faster wrong answer shows), and
/// its time where it takes the time itself (a peer in another process).
pub type Work<'w> = Box<dyn FnMut() -> (Option<Duration>, String) + 'w>;

/// One contender: its name and its work.
pub struct Contender<'w> {
    /// Name in the table.
    pub name: &'static str,
    /// The timed work.
    pub work: Work<'w>,
}

/// A contender from a name and a closure.
pub fn contender<'w>(name: &'static str, mut work: impl FnMut() -> String + 'w) -> Contender<'w> {
    Contender { name, work: Box::new(move || (None, work())) }
}

/// A contender that measures its own time, as a peer in another process does.
pub fn self_timed<'w>(
    name: &'static str,
    mut work: impl FnMut() -> (Duration, String) + 'w,
) -> Contender<'w> {
    let work = move || {
        let (time, digest) = work();
        (Some(time), digest)
    };
    Contender { name, work: Box::new(work) }
}

/// Runs all contenders in turn, `rounds` times, and prints the median times and the ratio of each to the first; gives the medians.
///
/// Interleaving spreads the disturbances of a shared machine over all of them. A ratio above 1 means that the
/// contender takes longer than the first one.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
pub fn side_by_side(title: &str, rounds: usize, mut contenders: Vec<Contender<'_>>) -> Vec<Duration> {
    let mut times = vec![Vec::new(); contenders.len()];
    let mut digests = vec![String::new(); contenders.len()];
    for _ in 0..rounds.max(1) {
        for (i, c) in contenders.iter_mut().enumerate() {
            let start = Stopwatch::start();
            let (own_time, digest) = (c.work)();
            times[i].push(own_time.unwrap_or_else(|| start.elapsed()));
            digests[i] = digest;
        }
    }
    let medians: Vec<Duration> = times
        .into_iter()
        .map(|mut t| {
            t.sort();
            t[t.len() / 2]
        })
        .collect();
    println!("\n{title}");
    println!("  {:<34} {:>12} {:>8}  answer", "", "median", "ratio");
    for ((c, median), digest) in contenders.iter().zip(&medians).zip(&digests) {
        let ratio = median.as_secs_f64() / medians[0].as_secs_f64();
        println!("  {:<34} {:>12} {ratio:>8.2}  {digest}", c.name, format!("{median:.3?}"));
    }
    medians
}
