//! A tree of poses that are reached from its root by free motions.

use crate::path::space::Space;
use crate::path::way::Leg;
use freiraum_geometry::{Pose, Vec3};

pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Metres per radian.
    weight: f64,
    center: Vec3,
}

struct Node {
    pose: Pose,
    /// Where the middle of the group is.
    middle: Vec3,
    parent: usize,
    /// From the parent to here.
    legs: Vec<Leg>,
    /// How often it was chosen as the nearest and led nowhere.
    failures: u32,
}

impl Tree {
    pub(super) fn new(root: Pose, space: &Space) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), weight: space.weight(), center: space.center };
        tree.push(root, 0, Vec::new());
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn pose(&self, node: usize) -> &Pose {
        &self.nodes[node].pose
    }

    pub(super) fn push(&mut self, pose: Pose, parent: usize, legs: Vec<Leg>) -> usize {
        let middle = pose.transform_point(self.center);
        self.nodes.push(Node { pose, middle, parent, legs, failures: 0 });
        self.nodes.len() - 1
    }

    /// The extension of a node failed: it is chosen less from now on.
    pub(super) fn blame(&mut self, node: usize) {
        self.nodes[node].failures += 1;
    }

    /// The node nearest to a pose; those that often led nowhere count as farther away.
    pub(super) fn nearest(&self, pose: &Pose) -> usize {
        let (middle, rotation) = (pose.transform_point(self.center), pose.rotation());
        let mut best = (f64::INFINITY, 0);
        for (number, node) in self.nodes.iter().enumerate() {
            let shift = node.middle.distance_squared(middle);
            if shift >= best.0 {
                continue;
            }
            // The square of the angle, nearly: angle² ≈ 8 (1 - cos(angle / 2)).
            let turn = 8.0 * (1.0 - node.pose.rotation().dot(rotation).abs());
            let patience = 1.0 + f64::from(node.failures) * IMPATIENCE;
            let distance = (shift + self.weight * self.weight * turn) * patience;
            if distance < best.0 {
                best = (distance, number);
            }
        }
        best.1
    }

    /// The way from the root to a node.
    pub(super) fn way(&self, mut node: usize) -> Vec<Leg> {
        let mut pieces = Vec::new();
        while node != 0 {
            pieces.push(&self.nodes[node].legs);
            node = self.nodes[node].parent;
        }
        pieces.into_iter().rev().flatten().cloned().collect()
    }
}

/// By how much of itself the square of a distance grows with each failure.
const IMPATIENCE: f64 = 0.25;
