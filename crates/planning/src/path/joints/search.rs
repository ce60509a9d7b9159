//! Two trees that grow towards each other.

use super::edge::Prover;
use super::tree::Tree;
use freiraum_geometry::math::random::Random;

/// The longest line that is tried, as a distance of joint values.
const RANGE: f64 = 1.0;

/// Nodes that could not be extended are tried only for joint values within this many times the range, at first.
const FIRST_REACH: f64 = 4.0;

/// A search that can be continued.
pub(super) struct Search {
    /// From the start and from the goals.
    trees: [Tree; 2],
    random: Random,
    goal: Vec<f64>,
    /// Random joint values in a row that were too far from the nearest node.
    passed: usize,
}

/// So many of them, and the next one is taken: few are near a node where there are many joints.
const PATIENCE: usize = 16;

impl Search {
    pub(super) fn new(start: &[f64], goals: &[Vec<f64>], seed: u64) -> Search {
        let mut trees = [Tree::new(start.len()), Tree::new(start.len())];
        trees[0].add(start, None);
        for goal in goals {
            trees[1].add(goal, None);
        }
        Search { trees, random: Random::new(seed), goal: Vec::new(), passed: 0 }
    }

    /// Joint values that are connected with the start, and with each of the goals.
    pub(super) fn add(&mut self, leaving: &[Vec<f64>], coming: &[Vec<Vec<f64>>]) {
        for values in leaving {
            self.trees[0].add(values, Some(0));
        }
        for (goal, values) in coming.iter().enumerate().flat_map(|(k, all)| all.iter().map(move |v| (k, v))) {
            self.trees[1].add(values, Some(goal));
        }
    }

    /// Goes on until a way is found or the prover has looked at so many joint values.
    pub(super) fn run(&mut self, prover: &mut Prover, until: u64) -> Option<Vec<Vec<f64>>> {
        while prover.looks() < until && !prover.is_cancelled() {
            // The smaller tree grows.
            let side = usize::from(self.trees[1].len() < self.trees[0].len());
            let space = prover.space;
            let range = |limits: &freiraum_robot::Limits| self.random.range(limits.lower, limits.upper);
            self.goal.clear();
            self.goal.extend(space.limits.iter().map(range));
            let (near, distance) = self.trees[side].nearest(space, &self.goal);
            if distance > self.trees[side].reaches[near] && self.passed < PATIENCE {
                self.passed += 1;
                continue;
            }
            self.passed = 0;
            let new = step(self.trees[side].values(near), &self.goal, distance);
            if !prover.is_free(self.trees[side].values(near), &new) {
                let reach = &mut self.trees[side].reaches[near];
                *reach = if reach.is_finite() { (*reach * 0.9).max(RANGE) } else { FIRST_REACH * RANGE };
                continue;
            }
            self.trees[side].reaches[near] *= 1.1;
            let node = self.trees[side].add(&new, Some(near));
            if let Some(met) = self.connect(prover, 1 - side, &new) {
                let ends = if side == 0 { [node, met] } else { [met, node] };
                let mut way = self.trees[0].way_back(ends[0]);
                way.reverse();
                let rest = self.trees[1].way_back(ends[1]);
                way.extend(rest);
                way.dedup();
                return Some(way);
            }
        }
        None
    }

    /// Grows a tree straight to joint values; the node that is connected with them.
    fn connect(&mut self, prover: &mut Prover, side: usize, to: &[f64]) -> Option<usize> {
        let (mut near, _) = self.trees[side].nearest(prover.space, to);
        loop {
            let from = self.trees[side].values(near).to_vec();
            let distance = prover.space.distance(&from, to);
            let new = step(&from, to, distance);
            if !prover.is_free(&from, &new) {
                return None;
            }
            near = self.trees[side].add(&new, Some(near));
            if distance <= RANGE {
                return Some(near);
            }
        }
    }
}

/// Joint values no farther than the range.
fn step(from: &[f64], to: &[f64], distance: f64) -> Vec<f64> {
    if distance <= RANGE {
        return to.to_vec();
    }
    from.iter().zip(to).map(|(from, to)| from + RANGE / distance * (to - from)).collect()
}
