//! Trees of joint values.

use super::space::Space;

/// Joint values, each but the roots with one that it is connected with by a free line.
pub(super) struct Tree {
    freedoms: usize,
    values: Vec<f64>,
    parents: Vec<Option<usize>>,
    /// Random joint values that are farther away than this are of no use to a node; grows and shrinks with its luck.
    pub(super) reaches: Vec<f64>,
}

impl Tree {
    pub(super) fn new(freedoms: usize) -> Tree {
        Tree { freedoms, values: Vec::new(), parents: Vec::new(), reaches: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn add(&mut self, values: &[f64], parent: Option<usize>) -> usize {
        self.values.extend(values);
        self.parents.push(parent);
        self.reaches.push(f64::INFINITY);
        self.parents.len() - 1
    }

    pub(super) fn values(&self, node: usize) -> &[f64] {
        &self.values[node * self.freedoms..(node + 1) * self.freedoms]
    }

    /// The node nearest to joint values, and how far it is.
    pub(super) fn nearest(&self, space: &Space, to: &[f64]) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for (node, values) in self.values.chunks_exact(self.freedoms).enumerate() {
            let mut sum = 0.0;
            for ((a, b), scale) in values.iter().zip(to).zip(&space.scales) {
                let by = (a - b) * scale;
                sum += by * by;
            }
            if sum < best.1 {
                best = (node, sum);
            }
        }
        (best.0, best.1.sqrt())
    }

    /// The joint values from a node back to its root.
    pub(super) fn way_back(&self, node: usize) -> Vec<Vec<f64>> {
        std::iter::successors(Some(node), |node| self.parents[*node])
            .map(|node| self.values(node).to_vec())
            .collect()
    }
}
