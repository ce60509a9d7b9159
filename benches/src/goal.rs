//! Goals: ratios to the fastest peer that answers right, said at each table and once more at the end of a run.

use std::io::Write;

/// What a table is held to.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    /// Name in the summary; tables of one name are summed up together.
    pub name: &'static str,
    /// The bound.
    pub bound: Bound,
}

/// A bound on a number.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// For ratios: how many times as fast as the peer.
    AtLeast(f64),
    /// For growth and counts.
    AtMost(f64),
}

impl Goal {
    /// At least so many times as fast as the fastest peer that answers right.
    #[must_use]
    pub const fn faster(name: &'static str, times: f64) -> Goal {
        Goal { name, bound: Bound::AtLeast(times) }
    }

    /// No more than that.
    #[must_use]
    pub const fn at_most(name: &'static str, most: f64) -> Goal {
        Goal { name, bound: Bound::AtMost(most) }
    }

    /// Prints whether the goal is reached, and notes it for the summary of the run.
    ///
    /// The notes are lines `name, case, peer, number, bound, reached` with tabs between them, appended to the file that
    /// `FREIRAUM_BENCH_GOALS` names; `cargo xtask bench` sums them up.
    #[expect(clippy::print_stdout, reason = "a bench prints its table")]
    pub fn judge(&self, case: &str, peer: &str, number: f64) {
        let (reached, bound) = match self.bound {
            Bound::AtLeast(bound) => (number >= bound, format!(">= {bound}")),
            Bound::AtMost(bound) => (number <= bound, format!("<= {bound}")),
        };
        let verdict = if reached { "reached" } else { "NOT reached" };
        println!("  -> {number:.2} ({peer}); target {bound}: {verdict}");
        let Some(path) = std::env::var_os("FREIRAUM_BENCH_GOALS") else { return };
        let line = format!("{}\t{case}\t{peer}\t{number:.3}\t{bound}\t{verdict}\n", self.name);
        let noted = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .and_then(|mut file| file.write_all(line.as_bytes()));
        if let Err(error) = noted {
            eprintln!("the summary lacks this goal: {error}");
        }
    }
}
