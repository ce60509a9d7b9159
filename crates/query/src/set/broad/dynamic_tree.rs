//! A tree of boxes with some room to move, changed in place.

use super::{FinitePairs, Registry, ordered, overlap};
use crate::tree::Counts;
use freiraum_geometry::AxisBox;

/// A box that stays within its room costs nothing in the tree; the pairs of rooms that overlap are kept from step to
/// step, and only boxes that left their room are sought anew.
#[derive(Debug)]
pub(super) struct DynamicTree {
    nodes: Vec<Node>,
    root: u32,
    free: Vec<u32>,
    /// Leaf of each key.
    leaf_of: Vec<u32>,
    /// Keys with a new room since the last call of `pairs`, and the same as a flag for each key.
    fresh: Vec<u32>,
    is_fresh: Vec<bool>,
    /// Pairs of overlapping rooms, without those of fresh keys.
    near: Vec<(u32, u32)>,
    open: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: AxisBox,
    parent: u32,
    /// Of inner nodes; `[NONE, key]` for a leaf.
    children: [u32; 2],
}

const NONE: u32 = u32::MAX;

/// Room on each side, as a share of the longest edge of the box.
const ROOM: f64 = 0.1;

impl Default for DynamicTree {
    fn default() -> DynamicTree {
        DynamicTree {
            nodes: Vec::new(),
            root: NONE,
            free: Vec::new(),
            leaf_of: Vec::new(),
            fresh: Vec::new(),
            is_fresh: Vec::new(),
            near: Vec::new(),
            open: Vec::new(),
        }
    }
}

impl DynamicTree {
    fn is_leaf(&self, at: u32) -> bool {
        self.nodes[at as usize].children[0] == NONE
    }

    fn bounds(&self, at: u32) -> &AxisBox {
        &self.nodes[at as usize].bounds
    }

    fn new_node(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    fn add(&mut self, key: u32, bounds: &AxisBox) {
        let room = ROOM * bounds.size().max_element();
        let wide = AxisBox { min: bounds.min - room, max: bounds.max + room };
        let leaf = self.new_node(Node { bounds: wide, parent: NONE, children: [NONE, key] });
        if self.leaf_of.len() <= key as usize {
            self.leaf_of.resize(key as usize + 1, NONE);
            self.is_fresh.resize(key as usize + 1, false);
        }
        self.leaf_of[key as usize] = leaf;
        if !std::mem::replace(&mut self.is_fresh[key as usize], true) {
            self.fresh.push(key);
        }
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.best_sibling(&wide);
        let parent = self.nodes[sibling as usize].parent;
        let joined = self.bounds(sibling).union(&wide);
        let join = self.new_node(Node { bounds: joined, parent, children: [sibling, leaf] });
        self.replace_child(parent, sibling, join);
        self.nodes[sibling as usize].parent = join;
        self.nodes[leaf as usize].parent = join;
        self.fit_upwards(parent);
    }

    /// Goes down to the node beside which a box costs least.
    fn best_sibling(&self, wide: &AxisBox) -> u32 {
        let mut at = self.root;
        while !self.is_leaf(at) {
            let here = half_area(&self.bounds(at).union(wide));
            let growth = here - half_area(self.bounds(at));
            let children = self.nodes[at as usize].children;
            let below = children.map(|child| {
                let joined = half_area(&self.bounds(child).union(wide));
                growth + if self.is_leaf(child) { joined } else { joined - half_area(self.bounds(child)) }
            });
            if here < below[0] && here < below[1] {
                break;
            }
            at = children[usize::from(below[1] < below[0])];
        }
        at
    }

    /// Puts `new` where `old` was below `parent`, or at the root.
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        children[usize::from(children[1] == old)] = new;
    }

    fn fit_upwards(&mut self, mut at: u32) {
        while at != NONE {
            self.rotate(at);
            let [a, b] = self.nodes[at as usize].children;
            self.nodes[at as usize].bounds = self.bounds(a).union(self.bounds(b));
            at = self.nodes[at as usize].parent;
        }
    }

    /// Exchanges a child with a child of its sibling where that makes the sibling smaller.
    fn rotate(&mut self, at: u32) {
        let [a, b] = self.nodes[at as usize].children;
        let mut best = (0.0, NONE, NONE, NONE);
        for (outer, inner) in [(a, b), (b, a)] {
            if self.is_leaf(inner) {
                continue;
            }
            let [c, d] = self.nodes[inner as usize].children;
            for (up, stays) in [(c, d), (d, c)] {
                let joined = self.bounds(stays).union(self.bounds(outer));
                let gain = half_area(self.bounds(inner)) - half_area(&joined);
                if gain > best.0 {
                    best = (gain, outer, inner, up);
                }
            }
        }
        let (_, outer, inner, up) = best;
        if outer == NONE {
            return;
        }
        self.replace_child(at, outer, up);
        self.replace_child(inner, up, outer);
        self.nodes[up as usize].parent = at;
        self.nodes[outer as usize].parent = inner;
        let [c, d] = self.nodes[inner as usize].children;
        self.nodes[inner as usize].bounds = self.bounds(c).union(self.bounds(d));
    }

    fn take_out(&mut self, key: u32) {
        let leaf = std::mem::replace(&mut self.leaf_of[key as usize], NONE);
        let parent = self.nodes[leaf as usize].parent;
        self.free.push(leaf);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { parent: above, children, .. } = self.nodes[parent as usize];
        let sibling = children[usize::from(children[0] == leaf)];
        self.replace_child(above, parent, sibling);
        self.nodes[sibling as usize].parent = above;
        self.free.push(parent);
        self.fit_upwards(above);
    }

    /// Brings the pairs of overlapping rooms up to date.
    fn find_near(&mut self, counts: &mut Counts) {
        if self.fresh.is_empty() {
            return;
        }
        let is_fresh = &self.is_fresh;
        self.near.retain(|&(a, b)| !is_fresh[a as usize] && !is_fresh[b as usize]);
        for &key in &self.fresh {
            let leaf = self.leaf_of[key as usize];
            // Removed since.
            if leaf == NONE {
                continue;
            }
            let room = *self.bounds(leaf);
            self.open.clear();
            self.open.push(self.root);
            while let Some(at) = self.open.pop() {
                if at == leaf {
                    continue;
                }
                let Node { bounds, children, .. } = self.nodes[at as usize];
                counts.volume_tests += 1;
                if !overlap(&bounds, &room) {
                    continue;
                }
                match children {
                    [NONE, other] => {
                        // Of two fresh keys the smaller one finds the pair.
                        if !(self.is_fresh[other as usize] && other < key) {
                            self.near.push(ordered(key, other));
                        }
                    }
                    [a, b] => self.open.extend([a, b]),
                }
            }
        }
        for key in self.fresh.drain(..) {
            self.is_fresh[key as usize] = false;
        }
    }
}

impl FinitePairs for DynamicTree {
    fn insert(&mut self, key: u32, bounds: &AxisBox) {
        self.add(key, bounds);
    }

    fn update(&mut self, key: u32, _old: &AxisBox, new: &AxisBox) {
        let room = self.bounds(self.leaf_of[key as usize]);
        let is_inside = room.contains(new.min) && room.contains(new.max);
        // A room that is far too large for its box finds pairs that are none.
        let is_fitting = room.size().max_element() <= 2.0 * new.size().max_element();
        if !(is_inside && is_fitting) {
            self.take_out(key);
            self.add(key, new);
        }
    }

    fn remove(&mut self, key: u32, _old: &AxisBox) {
        self.take_out(key);
        if !std::mem::replace(&mut self.is_fresh[key as usize], true) {
            self.fresh.push(key);
        }
    }

    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        self.find_near(counts);
        counts.volume_tests += self.near.len() as u64;
        pairs.extend(self.near.iter().filter(|&&(a, b)| overlap(boxes.get(a), boxes.get(b))));
    }
}

fn half_area(bounds: &AxisBox) -> f64 {
    let size = bounds.size();
    size.x * size.y + size.y * size.z + size.z * size.x
}
