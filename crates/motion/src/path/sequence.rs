//! Motions one after the other.

use super::{Ball, Motion, Twist, Uniform};
use freiraum_geometry::Pose;
use std::sync::Arc;

/// Motions carried out one after the other, each with its share of the time.
#[derive(Clone)]
pub struct Sequence {
    /// Each with the time at which it ends; the last ends at 1.
    pieces: Vec<(f64, Arc<dyn Motion>)>,
}

/// Why there is no such sequence.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SequenceError {
    /// There is no motion in it.
    #[error("a path needs at least one motion")]
    Empty,
    /// A share of time is not a positive number.
    #[error("motion {index} of the path has the share {share}; expected a number above 0")]
    BadShare {
        /// Which motion, from 0.
        index: usize,
        /// Its share.
        share: f64,
    },
}

impl Sequence {
    /// Each motion with its share of the time (any positive numbers, they are scaled to the sum 1). The caller sees to it
    /// that each starts where the one before ends.
    pub fn new(motions: Vec<(f64, Arc<dyn Motion>)>) -> Result<Sequence, SequenceError> {
        if motions.is_empty() {
            return Err(SequenceError::Empty);
        }
        let total: f64 = motions.iter().map(|(share, _)| share).sum();
        for (index, (share, _)) in motions.iter().enumerate() {
            if !(*share > 0.0 && share / total > 0.0) {
                return Err(SequenceError::BadShare { index, share: *share });
            }
        }
        let last = motions.len() - 1;
        let mut end = 0.0;
        let pieces = motions.into_iter().enumerate().map(|(index, (share, motion))| {
            end += share / total;
            (if index == last { 1.0 } else { end }, motion)
        });
        Ok(Sequence { pieces: pieces.collect() })
    }

    /// The piece at t with its start and end; at a break the later one.
    fn piece(&self, t: f64) -> (f64, f64, &dyn Motion) {
        let last = self.pieces.len() - 1;
        let index = self.pieces.partition_point(|(end, _)| *end <= t).min(last);
        let start = if index == 0 { 0.0 } else { self.pieces[index - 1].0 };
        (start, self.pieces[index].0, &*self.pieces[index].1)
    }

    /// Calls `f` with every piece that [t0, t1] overlaps: its length in t, its motion, and the part in its own time.
    fn each(&self, t0: f64, t1: f64, mut f: impl FnMut(f64, &dyn Motion, f64, f64)) {
        let mut start = 0.0;
        for (end, motion) in &self.pieces {
            let (from, to) = (t0.max(start), t1.min(*end));
            if from < to {
                let length = end - start;
                f(length, &**motion, ((from - start) / length).max(0.0), ((to - start) / length).min(1.0));
            }
            start = *end;
        }
    }
}

impl Motion for Sequence {
    fn pose(&self, t: f64) -> Pose {
        let (start, end, motion) = self.piece(t);
        motion.pose((t - start) / (end - start))
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let mut sum = 0.0;
        self.each(t0, t1, |_, motion, from, to| sum += motion.travel(ball, from, to));
        sum
    }

    fn breaks(&self, out: &mut Vec<f64>) {
        let mut start = 0.0;
        for (end, motion) in &self.pieces {
            let first = out.len();
            motion.breaks(out);
            for inner in &mut out[first..] {
                *inner = start + *inner * (end - start);
            }
            if *end < 1.0 {
                out.push(*end);
            }
            start = *end;
        }
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        let (start, end, motion) = self.piece(t);
        let length = end - start;
        let twist = motion.twist((t - start) / length)?;
        Some(Twist { linear: twist.linear / length, angular: twist.angular / length })
    }

    fn acceleration(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let mut largest: f64 = 0.0;
        self.each(t0, t1, |length, motion, from, to| {
            largest = largest.max(motion.acceleration(ball, from, to) / (length * length));
        });
        largest
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        let (mut found, mut count) = (None, 0);
        self.each(t0, t1, |_, motion, from, to| {
            count += 1;
            found = motion.uniform(from, to);
        });
        // Rounding at a break may leave a sliver of the neighbour; then this piece is not reported as uniform.
        found.filter(|_| count == 1)
    }
}
