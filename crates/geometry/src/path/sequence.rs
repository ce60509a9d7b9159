//! Motions one after the other.

use super::{Ball, Motion, Twist, Uniform};
use crate::Pose;
use std::sync::Arc;

/// Motions carried out one after the other, each with its share of the time.
#[derive(Clone)]
pub struct Sequence {
    pieces: Vec<Piece>,
}

/// A stretch of one of the motions without breaks inside.
///
/// Breaks of a motion in a sequence are ends of pieces, so that rounding never takes a time to the wrong side of one.
#[derive(Clone)]
struct Piece {
    /// From where to where in the time of the sequence; the last ends at 1.
    time: [f64; 2],
    /// The same in the time of the motion.
    local: [f64; 2],
    motion: Arc<dyn Motion>,
}

impl Piece {
    /// Units of the motion's time per unit of that of the sequence.
    fn rate(&self) -> f64 {
        (self.local[1] - self.local[0]) / (self.time[1] - self.time[0])
    }

    /// The time of the motion; exact at both ends.
    fn local(&self, t: f64) -> f64 {
        if t >= self.time[1] {
            return self.local[1];
        }
        let share = (t - self.time[0]) / (self.time[1] - self.time[0]);
        (self.local[0] + share * (self.local[1] - self.local[0])).clamp(self.local[0], self.local[1])
    }
}

/// Why there is no such sequence.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SequenceError {
    /// There is no motion in it.
    #[error("a path needs at least one motion")]
    Empty,
    /// A share of time is not a positive number, or too small a part of the whole for times to tell.
    #[error(
        "motion {index} of the path has the share {share}; expected a number above 0 and not too small beside the sum"
    )]
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
        let (mut pieces, mut start, mut sum) = (Vec::new(), 0.0, 0.0);
        for (index, (share, motion)) in motions.into_iter().enumerate() {
            sum += share / total;
            let end = if index == last { 1.0 } else { sum };
            let mut breaks = Vec::new();
            motion.breaks(&mut breaks);
            breaks.push(1.0);
            let (mut from, mut begin) = (0.0, start);
            for to in breaks {
                let until = if to == 1.0 { end } else { start + to * (end - start) };
                // Without a time of its own a piece would be a jump, and what is met on the way would be missed.
                if !(until > begin) {
                    return Err(SequenceError::BadShare { index, share });
                }
                pieces.push(Piece { time: [begin, until], local: [from, to], motion: motion.clone() });
                (begin, from) = (until, to);
            }
            start = end;
        }
        Ok(Sequence { pieces })
    }

    /// The piece at t; at a break the later one.
    fn piece(&self, t: f64) -> &Piece {
        let last = self.pieces.len() - 1;
        &self.pieces[self.pieces.partition_point(|piece| piece.time[1] <= t).min(last)]
    }

    /// Calls `f` with every piece that [t0, t1] overlaps and with the part of it, in the time of its motion.
    fn each(&self, t0: f64, t1: f64, mut f: impl FnMut(&Piece, f64, f64)) {
        let first = self.pieces.partition_point(|piece| piece.time[1] <= t0);
        for piece in &self.pieces[first..] {
            let (from, to) = (t0.max(piece.time[0]), t1.min(piece.time[1]));
            if from >= to {
                break;
            }
            f(piece, piece.local(from), piece.local(to));
        }
    }
}

impl Motion for Sequence {
    fn pose(&self, t: f64) -> Pose {
        let t = t.clamp(0.0, 1.0);
        let piece = self.piece(t);
        piece.motion.pose(piece.local(t))
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let mut sum = 0.0;
        self.each(t0, t1, |piece, from, to| sum += piece.motion.travel(ball, from, to));
        sum
    }

    fn breaks(&self, out: &mut Vec<f64>) {
        let (_, inner) = self.pieces.split_last().expect("a sequence has motions");
        out.extend(inner.iter().map(|piece| piece.time[1]));
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        let piece = self.piece(t);
        let twist = piece.motion.twist(piece.local(t))?;
        Some(Twist { linear: twist.linear * piece.rate(), angular: twist.angular * piece.rate() })
    }

    fn acceleration(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let mut largest: f64 = 0.0;
        self.each(t0, t1, |piece, from, to| {
            largest = largest.max(piece.motion.acceleration(ball, from, to) * piece.rate() * piece.rate());
        });
        largest
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        let (mut found, mut count) = (None, 0);
        self.each(t0, t1, |piece, from, to| {
            count += 1;
            found = piece.motion.uniform(from, to);
        });
        found.filter(|_| count == 1)
    }
}
