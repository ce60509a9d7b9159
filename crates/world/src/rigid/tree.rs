//! A tree of boxes that is changed in place: which boxes overlap a given one.
//!
//! Unlike the broad phases of `freiraum_query`, it is asked for the neighbours of the few boxes that changed, so that a step in
//! which hardly anything moved costs hardly anything.

use freiraum_geometry::{AxisBox, Vec3};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) bounds: AxisBox,
    pub(crate) parent: u32,
    /// Of an inner node; the first is [`NONE`] for a leaf.
    pub(crate) children: [u32; 2],
    /// What the caller knows the leaf by.
    pub(crate) key: u32,
}

/// Boxes with keys, none of them empty or endless.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) free: Vec<u32>,
    pub(crate) root: u32,
    pub(crate) stack: Vec<u32>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { nodes: Vec::new(), free: Vec::new(), root: NONE, stack: Vec::new() }
    }
}

#[inline]
pub(crate) fn overlap(a: &AxisBox, b: &AxisBox) -> bool {
    (a.min.cmple(b.max) & b.min.cmple(a.max)).all()
}

#[inline]
fn area(b: &AxisBox) -> f64 {
    let s = b.max - b.min;
    s.x * s.y + s.y * s.z + s.z * s.x
}

impl Tree {
    /// Adds a box; the answer is the name of its leaf.
    pub(crate) fn insert(&mut self, key: u32, bounds: AxisBox) -> u32 {
        let leaf = self.take(Node { bounds, parent: NONE, children: [NONE; 2], key });
        self.attach(leaf);
        leaf
    }

    /// Gives a leaf another box.
    pub(crate) fn change(&mut self, leaf: u32, bounds: AxisBox) {
        self.detach(leaf);
        self.nodes[leaf as usize].bounds = bounds;
        self.attach(leaf);
    }

    /// Takes a leaf out.
    pub(crate) fn remove(&mut self, leaf: u32) {
        self.detach(leaf);
        self.free.push(leaf);
    }

    /// Calls `found` with the key of every leaf whose box overlaps `bounds`, in the order of the tree.
    pub(crate) fn overlapping(&mut self, bounds: &AxisBox, mut found: impl FnMut(u32)) {
        if self.root == NONE {
            return;
        }
        self.stack.clear();
        self.stack.push(self.root);
        while let Some(at) = self.stack.pop() {
            let node = &self.nodes[at as usize];
            if !overlap(&node.bounds, bounds) {
                continue;
            }
            if node.children[0] == NONE {
                found(node.key);
            } else {
                self.stack.extend(node.children);
            }
        }
    }

    fn take(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        }
    }

    /// Hangs a leaf in beside the node where it adds the least area.
    fn attach(&mut self, leaf: u32) {
        if self.root == NONE {
            self.root = leaf;
            self.nodes[leaf as usize].parent = NONE;
            return;
        }
        let bounds = self.nodes[leaf as usize].bounds;
        let mut at = self.root;
        loop {
            let node = self.nodes[at as usize];
            if node.children[0] == NONE {
                break;
            }
            let own = area(&node.bounds);
            let joined = area(&node.bounds.union(&bounds));
            // A new parent here costs the joined box; going down costs what this box grows by, and then the same below.
            let here = 2.0 * joined;
            let grown = 2.0 * (joined - own);
            let below = |child: u32| {
                let child = &self.nodes[child as usize];
                let union = area(&child.bounds.union(&bounds));
                if child.children[0] == NONE { union + grown } else { union - area(&child.bounds) + grown }
            };
            let costs = node.children.map(below);
            if here <= costs[0] && here <= costs[1] {
                break;
            }
            at = if costs[0] <= costs[1] { node.children[0] } else { node.children[1] };
        }
        let old_parent = self.nodes[at as usize].parent;
        let joined = self.nodes[at as usize].bounds.union(&bounds);
        let parent = self.take(Node { bounds: joined, parent: old_parent, children: [at, leaf], key: NONE });
        self.nodes[at as usize].parent = parent;
        self.nodes[leaf as usize].parent = parent;
        self.replace_child(old_parent, at, parent);
        self.refit(old_parent);
    }

    fn detach(&mut self, leaf: u32) {
        let parent = self.nodes[leaf as usize].parent;
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { children, parent: above, .. } = self.nodes[parent as usize];
        let sibling = if children[0] == leaf { children[1] } else { children[0] };
        self.nodes[sibling as usize].parent = above;
        self.replace_child(above, parent, sibling);
        self.free.push(parent);
        self.refit(above);
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        let at = usize::from(children[1] == old);
        children[at] = new;
    }

    /// Makes all boxes from here to the root right, and swaps a child with a grandchild where that makes boxes smaller.
    fn refit(&mut self, mut at: u32) {
        while at != NONE {
            self.rotate(at);
            let [first, second] = self.nodes[at as usize].children;
            let bounds = self.nodes[first as usize].bounds.union(&self.nodes[second as usize].bounds);
            self.nodes[at as usize].bounds = bounds;
            at = self.nodes[at as usize].parent;
        }
    }

    /// Of the four swaps of a child with a grandchild on the other side, the one that shrinks the other child most.
    fn rotate(&mut self, at: u32) {
        let children = self.nodes[at as usize].children;
        let mut best: Option<(f64, usize, usize)> = None;
        for side in 0..2 {
            let (aunt, other) = (children[side], children[1 - side]);
            let grandchildren = self.nodes[other as usize].children;
            if grandchildren[0] == NONE {
                continue;
            }
            let before = area(&self.bounds_of(grandchildren[0]).union(&self.bounds_of(grandchildren[1])));
            for which in 0..2 {
                let after = area(&self.bounds_of(aunt).union(&self.bounds_of(grandchildren[1 - which])));
                let gain = before - after;
                if gain > 0.0 && best.is_none_or(|(found, ..)| gain > found) {
                    best = Some((gain, side, which));
                }
            }
        }
        let Some((_, side, which)) = best else { return };
        let (aunt, other) = (children[side], children[1 - side]);
        let niece = self.nodes[other as usize].children[which];
        self.nodes[at as usize].children[side] = niece;
        self.nodes[niece as usize].parent = at;
        self.nodes[other as usize].children[which] = aunt;
        self.nodes[aunt as usize].parent = other;
        let [first, second] = self.nodes[other as usize].children;
        self.nodes[other as usize].bounds = self.bounds_of(first).union(&self.bounds_of(second));
    }

    fn bounds_of(&self, node: u32) -> AxisBox {
        self.nodes[node as usize].bounds
    }
}

/// The box grown by a length on every side.
pub(crate) fn widened(b: &AxisBox, by: f64) -> AxisBox {
    AxisBox { min: b.min - Vec3::splat(by), max: b.max + Vec3::splat(by) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn finds_what_all_against_all_finds() {
        let mut random = Random::new(7);
        let mut tree = Tree::default();
        let mut boxes: Vec<Option<(u32, AxisBox)>> = Vec::new();
        let any_box = |random: &mut Random| {
            let center = random.in_cube(10.0);
            widened(&AxisBox { min: center, max: center }, random.range(0.0, 2.0))
        };
        for round in 0..400 {
            if round % 3 != 0 || boxes.is_empty() {
                let bounds = any_box(&mut random);
                let leaf = tree.insert(boxes.len() as u32, bounds);
                boxes.push(Some((leaf, bounds)));
            } else {
                let at = random.below(boxes.len());
                if let Some((leaf, _)) = boxes[at] {
                    let bounds = any_box(&mut random);
                    if round % 2 == 0 {
                        tree.change(leaf, bounds);
                        boxes[at] = Some((leaf, bounds));
                    } else {
                        tree.remove(leaf);
                        boxes[at] = None;
                    }
                }
            }
            let question = any_box(&mut random);
            let mut found = Vec::new();
            tree.overlapping(&question, |key| found.push(key));
            found.sort_unstable();
            let expected: Vec<u32> = (0..boxes.len() as u32)
                .filter(|i| boxes[*i as usize].is_some_and(|(_, b)| overlap(&b, &question)))
                .collect();
            assert_eq!(found, expected, "round {round}");
        }
    }
}
