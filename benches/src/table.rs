//! Tables of questions with answers: times per question, ratios, differences of the answers, and the goal.

use crate::Goal;
use crate::clock::Stopwatch;
use std::time::Duration;

/// One pass over all questions: the time of each batch, and all answers.
#[derive(Debug, Clone, Default)]
pub struct Pass {
    /// Times of the batches, in order.
    pub batches: Vec<Duration>,
    /// Answers in order; booleans are 0 and 1.
    pub answers: Vec<f64>,
}

/// Asks `count` questions in batches of `batch`.
pub fn pass(count: usize, batch: usize, mut ask: impl FnMut(usize) -> f64) -> Pass {
    let mut out = Pass { batches: Vec::new(), answers: vec![0.0; count] };
    for from in (0..count).step_by(batch.max(1)) {
        let start = Stopwatch::start();
        for i in from..(from + batch).min(count) {
            out.answers[i] = ask(i);
        }
        out.batches.push(start.elapsed());
    }
    out
}

/// Who runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// This engine; the first one is what peers are compared with.
    Ours,
    /// A peer: counts for the ratio when its answers are right.
    Peer,
    /// Shown, does not count: asked only some of the questions.
    Aside,
}

/// A contender with answers.
pub struct Runner<'w> {
    name: &'static str,
    role: Role,
    work: Box<dyn FnMut() -> Pass + 'w>,
}

impl Runner<'_> {
    /// Its name in tables.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One pass over all questions.
    pub fn ask(&mut self) -> Pass {
        (self.work)()
    }
}

/// A runner from its parts.
pub fn runner<'w>(name: &'static str, role: Role, work: impl FnMut() -> Pass + 'w) -> Runner<'w> {
    Runner { name, role, work: Box::new(work) }
}

/// What is compared.
#[derive(Debug, Clone)]
pub struct Table<'t> {
    /// Title, also the case in the summary.
    pub title: &'t str,
    /// How often all runners are run, in turn.
    pub rounds: usize,
    /// Answers farther apart than this differ. A peer with more than one in a hundred that differ counts as wrong.
    pub tolerance: f64,
    /// The goal, where there is one.
    pub goal: Option<Goal>,
}

impl Table<'_> {
    /// Runs all in turn, `rounds` times, prints the table, and gives the time of the first per question.
    ///
    /// The time of a runner is the sum over its batches of the median over the rounds.
    #[expect(clippy::print_stdout, reason = "a bench prints its table")]
    pub fn run(&self, mut runners: Vec<Runner<'_>>) -> Duration {
        let mut passes: Vec<Vec<Pass>> = vec![Vec::new(); runners.len()];
        for _ in 0..self.rounds.max(1) {
            for (runner, passes) in runners.iter_mut().zip(&mut passes) {
                passes.push((runner.work)());
            }
        }
        println!("\n{}", self.title);
        let Some(answers) = passes[0].first().map(|pass| pass.answers.clone()) else { return Duration::ZERO };
        let ours = per_question(&passes[0]);
        let mut best: Option<(&str, f64)> = None;
        for (runner, passes) in runners.iter().zip(&passes) {
            let time = per_question(passes);
            let ratio = time / ours;
            let (text, right) = self.differences(&answers, &passes[0].answers);
            let note = match runner.role {
                Role::Peer if !right => "; wrong, does not count",
                Role::Aside => "; does not count",
                _ => "",
            };
            println!("  {:<34} {:>12} {ratio:>8.2}  {text}{note}", runner.name, readable(time));
            if runner.role == Role::Peer && right && best.is_none_or(|(_, least)| ratio < least) {
                best = Some((runner.name, ratio));
            }
        }
        if let (Some(goal), Some((name, ratio))) = (self.goal, best) {
            goal.judge(self.title, name, ratio);
        }
        Duration::from_secs_f64(ours)
    }

    /// What the answers say, and whether they are right as far as ours are.
    fn differences(&self, ours: &[f64], theirs: &[f64]) -> (String, bool) {
        let (mut larger, mut smaller, mut worst) = (0usize, 0usize, 0.0f64);
        for (x, y) in ours.iter().zip(theirs) {
            let difference = y - x;
            if !(difference.abs() <= self.tolerance) {
                if difference < 0.0 {
                    smaller += 1
                } else {
                    larger += 1
                }
                worst = worst.max(difference.abs());
            }
        }
        let (count, sum) = (theirs.len(), theirs.iter().sum::<f64>());
        let some = if count < ours.len() { format!(" (first {count})") } else { String::new() };
        let text = if larger + smaller == 0 {
            format!("sum {sum:.6}{some}")
        } else {
            format!(
                "sum {sum:.6}{some}, {larger} larger and {smaller} smaller than ours, by up to {worst:.1e}"
            )
        };
        (text, 100 * (larger + smaller) <= count)
    }
}

/// Seconds per question.
fn per_question(passes: &[Pass]) -> f64 {
    let Some(first) = passes.first() else { return f64::NAN };
    let total: f64 = (0..first.batches.len())
        .map(|k| {
            let mut times: Vec<f64> = passes.iter().map(|p| p.batches[k].as_secs_f64()).collect();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
        .sum();
    total / first.answers.len().max(1) as f64
}

/// Three digits and a unit.
fn readable(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "us"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$} {unit}")
}
