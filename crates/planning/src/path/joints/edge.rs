//! Straight lines of joint values, proven free.

use super::space::{Memory, Space};
use freiraum_geometry::math::power_of_two;
use freiraum_motion::CancelToken;

/// Proves lines free.
pub(super) struct Prover<'p, 's> {
    pub(super) space: &'p Space<'s>,
    memory: Memory,
    along: Vec<f64>,
    open: std::collections::VecDeque<[f64; 2]>,
    /// How many lines were looked at, and how many of them are proven.
    pub(super) edges: [u64; 2],
    cancel: CancelToken,
}

/// Joint values that are looked at on a line of length 1 before it is taken for blocked.
const LOOKS: f64 = 400.0;

/// The same for short lines.
const LEAST_LOOKS: f64 = 100.0;

/// The same where something touches at an end of it, where stretches become shorter by a constant factor.
const LEAST_LOOKS_OF_FITS: f64 = 400.0;

/// Stretches that are shorter than this share of the line are not cut any further; than its square, where something touches.
const SHORTEST: f64 = power_of_two(-16);

impl<'p, 's> Prover<'p, 's> {
    pub(super) fn new(space: &'p Space<'s>, cancel: &CancelToken) -> Prover<'p, 's> {
        Prover {
            space,
            memory: Memory::default(),
            along: Vec::new(),
            open: Default::default(),
            edges: [0; 2],
            cancel: cancel.clone(),
        }
    }

    /// How many joint values were looked at.
    pub(super) fn looks(&self) -> u64 {
        self.memory.looks
    }

    /// Whether nobody waits for more: then no line is free.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// True if the line between two joint values is proven free; false if it is not, or would take too long.
    ///
    /// The middle is looked at first, then the middles of what is left on both sides, so that obstacles are soon found.
    pub(super) fn is_free(&mut self, from: &[f64], to: &[f64]) -> bool {
        self.edges[0] += 1;
        let is_free = self.prove(from, to);
        self.edges[1] += u64::from(is_free);
        is_free
    }

    /// How much of each freedom takes a part straight away from what it touches at joint values, per metre, for each such place.
    pub(super) fn ways_out(&mut self, values: &[f64]) -> Vec<Vec<f64>> {
        let ways = self.space.ways_out(&mut self.memory, values);
        ways.into_iter().map(|(part, way)| self.space.along(&self.memory, part, way)).collect()
    }

    /// The same along all axes of the last part that moves; none if nothing touches by design.
    pub(super) fn ways_along_the_hand(&mut self, values: &[f64]) -> Vec<Vec<f64>> {
        let ways = self.space.axes_of_the_hand(&mut self.memory, values);
        ways.into_iter().map(|(part, way)| self.space.along(&self.memory, part, way)).collect()
    }

    fn prove(&mut self, from: &[f64], to: &[f64]) -> bool {
        self.along.clear();
        self.along.extend(from.iter().zip(to).map(|(from, to)| to - from));
        let has_fits = self.space.has_fits;
        let least = if has_fits { LEAST_LOOKS_OF_FITS } else { LEAST_LOOKS };
        let most = self.memory.looks + (LOOKS * self.space.distance(from, to)).max(least) as u64;
        let shortest = if has_fits { SHORTEST * SHORTEST } else { SHORTEST };
        self.open.clear();
        self.open.push_back([0.0, 1.0]);
        while let Some([start, end]) = self.open.pop_front() {
            if self.is_cancelled() {
                return false;
            }
            let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
            self.memory.values.clear();
            self.memory.values.extend(from.iter().zip(&self.along).map(|(from, by)| from + middle * by));
            let share = self.space.free_share(&mut self.memory, &self.along, half);
            if share >= half {
                continue;
            }
            if share < shortest || self.memory.looks >= most {
                return false;
            }
            self.open.push_back([start, middle - share]);
            self.open.push_back([middle + share, end]);
        }
        true
    }
}
