//! Poses that free motions connect: parts that grow together.

use crate::path::space::Space;
use crate::path::way::{self, Leg};
use freiraum_geometry::{Pose, Vec3};
use std::collections::VecDeque;

/// Poses and the free motions between them, in parts that are not connected with each other yet.
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// The nodes of every part; parts that were joined to another are empty.
    parts: Vec<Vec<usize>>,
    /// Metres per radian.
    weight: f64,
    center: Vec3,
}

struct Node {
    pose: Pose,
    /// Where the middle of the group is.
    middle: Vec3,
    part: usize,
    edges: Vec<Edge>,
    /// How often it was chosen as the nearest and led nowhere.
    failures: u32,
}

struct Edge {
    to: usize,
    /// From the node that the edge belongs to; `None` if it is that of the other end backwards.
    legs: Option<Vec<Leg>>,
}

impl Graph {
    pub(super) fn new(space: &Space) -> Graph {
        Graph { nodes: Vec::new(), parts: Vec::new(), weight: space.weight(), center: space.center }
    }

    /// A pose that is connected with nothing; a new part.
    pub(super) fn root(&mut self, pose: Pose) -> usize {
        let part = self.parts.len();
        self.parts.push(Vec::new());
        self.add(pose, part)
    }

    fn add(&mut self, pose: Pose, part: usize) -> usize {
        let middle = pose.transform_point(self.center);
        self.nodes.push(Node { pose, middle, part, edges: Vec::new(), failures: 0 });
        let node = self.nodes.len() - 1;
        self.parts[part].push(node);
        node
    }

    /// A pose at the end of free motions from another one.
    pub(super) fn branch(&mut self, from: usize, legs: Vec<Leg>) -> usize {
        let pose = legs.last().map_or(self.nodes[from].pose, |leg| leg.to);
        let node = self.add(pose, self.nodes[from].part);
        self.connect(from, node, legs);
        node
    }

    /// Free motions lead from one node to another, perhaps of another part: both parts are one then.
    pub(super) fn connect(&mut self, from: usize, to: usize, legs: Vec<Leg>) {
        self.nodes[from].edges.push(Edge { to, legs: Some(legs) });
        self.nodes[to].edges.push(Edge { to: from, legs: None });
        let (a, b) = (self.nodes[from].part, self.nodes[to].part);
        let (kept, gone) = if a <= b { (a, b) } else { (b, a) };
        if kept != gone {
            for node in std::mem::take(&mut self.parts[gone]) {
                self.nodes[node].part = kept;
                self.parts[kept].push(node);
            }
        }
    }

    pub(super) fn pose(&self, node: usize) -> &Pose {
        &self.nodes[node].pose
    }

    pub(super) fn part(&self, node: usize) -> usize {
        self.nodes[node].part
    }

    /// The nodes of a part, oldest first as long as it was not joined.
    pub(super) fn members(&self, part: usize) -> &[usize] {
        &self.parts[part]
    }

    /// Numbers of all parts that hold something.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.parts.len()).filter(|part| !self.parts[*part].is_empty())
    }

    /// The motion from a node failed: it is chosen less from now on.
    pub(super) fn blame(&mut self, node: usize) {
        self.nodes[node].failures += 1;
    }

    /// The node of a part nearest to a pose and the square of its distance; those that often led nowhere count as farther away.
    pub(super) fn nearest(&self, part: usize, pose: &Pose) -> (usize, f64) {
        let (middle, rotation) = (pose.transform_point(self.center), pose.rotation());
        let mut best = (self.parts[part][0], f64::INFINITY);
        for &number in &self.parts[part] {
            let node = &self.nodes[number];
            let shift = node.middle.distance_squared(middle);
            if shift >= best.1 {
                continue;
            }
            // The square of the angle, nearly: angle² ≈ 8 (1 - cos(angle / 2)).
            let turn = 8.0 * (1.0 - node.pose.rotation().dot(rotation).abs());
            let patience = 1.0 + f64::from(node.failures) * IMPATIENCE;
            let distance = (shift + self.weight * self.weight * turn) * patience;
            if distance < best.1 {
                best = (number, distance);
            }
        }
        best
    }

    /// The way with the fewest edges between two nodes of one part.
    pub(super) fn way(&self, from: usize, to: usize) -> Vec<Leg> {
        let mut before = vec![usize::MAX; self.nodes.len()];
        let mut queue = VecDeque::from([from]);
        before[from] = from;
        while let Some(node) = queue.pop_front() {
            for edge in &self.nodes[node].edges {
                if before[edge.to] == usize::MAX {
                    before[edge.to] = node;
                    queue.push_back(edge.to);
                }
            }
        }
        let (mut pieces, mut node) = (Vec::new(), to);
        while node != from && before[node] != usize::MAX {
            pieces.push(self.legs(before[node], node));
            node = before[node];
        }
        pieces.into_iter().rev().flatten().collect()
    }

    fn legs(&self, from: usize, to: usize) -> Vec<Leg> {
        let edge = |from: usize, to: usize| {
            self.nodes[from].edges.iter().filter(|edge| edge.to == to).find_map(|edge| edge.legs.as_ref())
        };
        match edge(from, to) {
            Some(legs) => legs.clone(),
            None => edge(to, from).map_or_else(Vec::new, |legs| way::reversed(legs)),
        }
    }
}

/// By how much of itself the square of a distance grows with each failure.
const IMPATIENCE: f64 = 0.25;
