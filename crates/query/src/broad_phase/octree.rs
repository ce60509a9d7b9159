//! Cells within cells.

use super::cell_lists::CellLists;
use super::{FinitePairs, Registry};
use crate::tree::Counts;
use freiraum_geometry::{Aabb, Vec3};

/// Each box stands in one cell: the smallest that is not smaller than the box and holds its centre (a loose octree).
///
/// A node knows the box of all that was put into it or below it, so nothing depends on the exact place of its cell.
#[derive(Debug, Default)]
pub(super) struct Octree {
    nodes: Vec<Node>,
    lists: CellLists,
    /// Node of each key.
    node_of: Vec<u32>,
    center: Vec3,
    half: f64,
    built_for: usize,
    strays: usize,
    count: usize,
    is_built: bool,
    open: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    children: [u32; 8],
    parent: u32,
    /// Everything in this node and below since it was last empty.
    bounds: Aabb,
    /// Boxes in this node and below.
    count: u32,
}

const NONE: u32 = u32::MAX;

/// Cells are halved at most so often.
const DEEPEST: u32 = 20;

impl Octree {
    fn new_node(&mut self, parent: u32) -> u32 {
        self.nodes.push(Node { children: [NONE; 8], parent, bounds: Aabb::EMPTY, count: 0 });
        self.nodes.len() as u32 - 1
    }

    /// The node for a box, made where it is missing.
    fn place(&mut self, bounds: &Aabb) -> u32 {
        let (size, middle) = (bounds.size().max_element(), bounds.center());
        let (mut at, mut center, mut half) = (0, self.center, self.half);
        for _ in 0..DEEPEST {
            // The cells of the next level have the edge `half`.
            if size > half {
                break;
            }
            let side = middle.cmpge(center);
            let child = side.bitmask() as usize;
            half *= 0.5;
            center += Vec3::select(side, Vec3::splat(half), Vec3::splat(-half));
            let next = self.nodes[at as usize].children[child];
            at = if next == NONE {
                let new = self.new_node(at);
                self.nodes[at as usize].children[child] = new;
                new
            } else {
                next
            };
        }
        at
    }

    fn add(&mut self, key: u32, bounds: &Aabb) {
        let place = self.place(bounds);
        if self.node_of.len() <= key as usize {
            self.node_of.resize(key as usize + 1, NONE);
        }
        self.node_of[key as usize] = place;
        self.lists.ensure(self.nodes.len());
        self.lists.add(place as usize, key);
        let mut at = place;
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            node.bounds = if node.count == 0 { *bounds } else { node.bounds.union(bounds) };
            node.count += 1;
            at = node.parent;
        }
    }

    fn take_out(&mut self, key: u32) {
        let place = self.node_of[key as usize];
        self.lists.remove(place as usize, key);
        let mut at = place;
        while at != NONE {
            self.nodes[at as usize].count -= 1;
            at = self.nodes[at as usize].parent;
        }
    }

    fn rebuild(&mut self, boxes: &Registry) {
        let bounds = boxes.bounds();
        self.nodes.clear();
        self.node_of.clear();
        (self.center, self.half) = (Vec3::ZERO, 0.0);
        if !boxes.keys().is_empty() && bounds.size().is_finite() {
            (self.center, self.half) = (bounds.center(), 0.5 * bounds.size().max_element());
        }
        self.new_node(NONE);
        self.lists.reset(1);
        for &key in boxes.keys() {
            self.add(key, boxes.get(key));
        }
        (self.built_for, self.strays, self.is_built) = (boxes.keys().len(), 0, true);
    }
}

impl FinitePairs for Octree {
    fn insert(&mut self, key: u32, bounds: &Aabb) {
        self.count += 1;
        if self.is_built {
            self.add(key, bounds);
        }
    }

    fn update(&mut self, key: u32, _old: &Aabb, new: &Aabb) {
        if !self.is_built {
            return;
        }
        self.strays += usize::from((new.center() - self.center).abs().max_element() > self.half);
        self.take_out(key);
        self.add(key, new);
    }

    fn remove(&mut self, key: u32, _old: &Aabb) {
        self.count -= 1;
        if self.is_built {
            self.take_out(key);
        }
    }

    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        let changed = self.count > 2 * self.built_for || 4 * self.count < self.built_for;
        // Boxes on the move leave empty cells behind.
        let is_littered = self.nodes.len() > 2 * (self.count + 1) * (DEEPEST as usize + 1);
        if !self.is_built || changed || is_littered || 4 * self.strays > self.count {
            self.rebuild(boxes);
        }
        for &key in boxes.keys() {
            let bounds = boxes.get(key);
            self.open.clear();
            self.open.push(0);
            while let Some(at) = self.open.pop() {
                let node = &self.nodes[at as usize];
                for other in self.lists.iter(at as usize).filter(|&other| other > key) {
                    counts.volume_tests += 1;
                    if bounds.intersects(boxes.get(other)) {
                        pairs.push((key, other));
                    }
                }
                for child in node.children.into_iter().filter(|&c| c != NONE) {
                    let below = &self.nodes[child as usize];
                    if below.count > 0 {
                        counts.volume_tests += 1;
                        if bounds.intersects(&below.bounds) {
                            self.open.push(child);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BroadPhase, Phase};
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn wandering_boxes_do_not_fill_the_memory() {
        let mut random = Random::new(4);
        let mut phase: Phase<Octree> = Phase::default();
        let point = |p: Vec3| Aabb { min: p, max: p + 1e-6 };
        phase.set(0, point(Vec3::splat(-1.0)));
        phase.set(1, point(Vec3::splat(1.0)));
        for _ in 0..3000 {
            phase.set(2, point(random.in_cube(1.0)));
            phase.pairs(&mut Vec::new(), &mut Counts::default());
        }
        assert!(phase.method.nodes.len() < 300, "{}", phase.method.nodes.len());
    }
}
