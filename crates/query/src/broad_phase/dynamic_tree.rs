//! Dynamic AABB tree: a bounding volume hierarchy that is changed in place.
//!
//! **Method.** Branch-and-bound insertion by the surface area heuristic and rotations of a child with a child of its
//! sibling on the way back to the root: the dynamic tree of Box2D (E. Catto, *Dynamic Bounding Volume Hierarchies*, GDC
//! 2019; rotations after A. Kensler, *Tree Rotations for Improving Bounding Volume Hierarchies*, 2008). Goldsmith and
//! Salmon (1987) introduced insertion by area.
//!
//! **Guarantee.** A query reports exactly the leaves whose closed boxes have a point in common with the question. The
//! tree is a function of the sequence of its changes alone, ties included, so that a simulation that is saved and
//! resumed, or run again, goes on bit for bit.
//!
//! **Cost.** Insertion, change and removal go down or up one path, O(log n) in practice; there is no global rebalancing
//! and no proven bound. A query costs in proportion to the nodes that overlap it. No allocation once warm.

use freiraum_geometry::Aabb;

/// In place of the number of a node where there is none.
const NONE: u32 = u32::MAX;

/// The name of a leaf, valid from its insertion to its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf(pub u32);

/// A node of a [`DynamicTree`]. Nodes name each other by their numbers; `u32::MAX` stands for none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The box of a leaf, or the union of the boxes of both children.
    pub bounds: Aabb,
    /// The node above; none for the root.
    pub parent: u32,
    /// Of an inner node; the first is none for a leaf.
    pub children: [u32; 2],
    /// What the caller knows a leaf by; none for inner nodes.
    pub key: u32,
}

impl Node {
    #[inline]
    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

/// All that a [`DynamicTree`] consists of, to be saved and resumed from bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicTreeState<N = Vec<Node>, F = Vec<u32>> {
    /// All nodes, those that are free among them.
    pub nodes: N,
    /// Numbers of nodes that are used next, the last one first.
    pub free: F,
    /// The number of the root; `u32::MAX` for an empty tree.
    pub root: u32,
}

/// A dynamic AABB tree: which of many changing boxes overlap a given one. The method: Catto, Box2D.
///
/// **Frame.** Any, the same for all boxes. **Degenerate input.** Boxes without size and identical boxes are ordinary;
/// boxes must not be empty, infinite or NaN ([`BroadPhase`](super::BroadPhase) takes care of those).
#[derive(Clone, Debug)]
pub struct DynamicTree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    /// Of queries, kept for its memory.
    stack: Vec<u32>,
}

impl Default for DynamicTree {
    fn default() -> DynamicTree {
        DynamicTree { nodes: Vec::new(), free: Vec::new(), root: NONE, stack: Vec::new() }
    }
}

impl DynamicTree {
    /// Adds a box under a key of the caller's choice.
    pub fn insert(&mut self, key: u32, bounds: Aabb) -> Leaf {
        let leaf = self.take(Node { bounds, parent: NONE, children: [NONE; 2], key });
        self.attach(leaf);
        Leaf(leaf)
    }

    /// Gives a leaf another box.
    pub fn change(&mut self, leaf: Leaf, bounds: Aabb) {
        self.detach(leaf.0);
        self.nodes[leaf.0 as usize].bounds = bounds;
        self.attach(leaf.0);
    }

    /// Takes a leaf out; its name may be given to a new one.
    pub fn remove(&mut self, leaf: Leaf) {
        self.detach(leaf.0);
        self.free.push(leaf.0);
    }

    /// The box of a leaf.
    pub fn bounds(&self, leaf: Leaf) -> &Aabb {
        &self.nodes[leaf.0 as usize].bounds
    }

    /// Calls `found` with the key of every leaf whose box overlaps `bounds`, in the order of the tree. Returns how many
    /// boxes were tested.
    pub fn overlapping(&mut self, bounds: &Aabb, mut found: impl FnMut(u32)) -> u64 {
        let mut tests = 0;
        if self.root == NONE {
            return tests;
        }
        self.stack.clear();
        self.stack.push(self.root);
        while let Some(at) = self.stack.pop() {
            let node = &self.nodes[at as usize];
            tests += 1;
            if !node.bounds.intersects(bounds) {
                continue;
            }
            if node.is_leaf() {
                found(node.key);
            } else {
                self.stack.extend(node.children);
            }
        }
        tests
    }

    /// What the tree consists of.
    pub fn state(&self) -> DynamicTreeState<&[Node], &[u32]> {
        DynamicTreeState { nodes: &self.nodes, free: &self.free, root: self.root }
    }

    /// The tree that had this state; `None` if numbers are out of range.
    pub fn resume(state: DynamicTreeState) -> Option<DynamicTree> {
        let DynamicTreeState { nodes, free, root } = state;
        let count = nodes.len();
        let is_known = |at: u32| (at as usize) < count;
        let is_sound = |node: &Node| {
            let has_children = if node.is_leaf() { [true; 2] } else { node.children.map(is_known) };
            (node.parent == NONE || is_known(node.parent)) && has_children == [true; 2]
        };
        let is_valid = nodes.iter().all(is_sound)
            && free.iter().all(|at| is_known(*at))
            && (root == NONE || is_known(root));
        is_valid.then(|| DynamicTree { nodes, free, root, stack: Vec::new() })
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
        let sibling = self.best_sibling(&bounds);
        let above = self.nodes[sibling as usize].parent;
        let joined = self.nodes[sibling as usize].bounds.union(&bounds);
        let parent = self.take(Node { bounds: joined, parent: above, children: [sibling, leaf], key: NONE });
        self.nodes[sibling as usize].parent = parent;
        self.nodes[leaf as usize].parent = parent;
        self.replace_child(above, sibling, parent);
        self.refit(above);
    }

    /// Goes down to the node beside which a box costs least. Of equal costs a new parent here wins, then the first child:
    /// saved simulations depend on it.
    fn best_sibling(&self, bounds: &Aabb) -> u32 {
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            if node.is_leaf() {
                return at;
            }
            let own = node.bounds.half_area();
            let joined = node.bounds.union(bounds).half_area();
            // A new parent here costs the joined box; going down costs what this box grows by, and then the same below.
            let here = 2.0 * joined;
            let grown = 2.0 * (joined - own);
            let below = |child: u32| {
                let child = &self.nodes[child as usize];
                let union = child.bounds.union(bounds).half_area();
                if child.is_leaf() { union + grown } else { union - child.bounds.half_area() + grown }
            };
            let costs = node.children.map(below);
            if here <= costs[0] && here <= costs[1] {
                return at;
            }
            at = if costs[0] <= costs[1] { node.children[0] } else { node.children[1] };
        }
    }

    /// Takes a leaf and its parent out of the tree; the number of the leaf stays its own.
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

    /// Puts `new` where `old` was below `parent`, or at the root.
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        let at = usize::from(children[1] == old);
        children[at] = new;
    }

    /// Makes all boxes from here to the root right, and rotates where that makes boxes smaller.
    fn refit(&mut self, mut at: u32) {
        while at != NONE {
            self.rotate(at);
            let [first, second] = self.nodes[at as usize].children;
            let bounds = self.bounds_of(first).union(&self.bounds_of(second));
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
            let before =
                self.bounds_of(grandchildren[0]).union(&self.bounds_of(grandchildren[1])).half_area();
            for which in 0..2 {
                let after = self.bounds_of(aunt).union(&self.bounds_of(grandchildren[1 - which])).half_area();
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

    fn bounds_of(&self, node: u32) -> Aabb {
        self.nodes[node as usize].bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn any_box(random: &mut Random) -> Aabb {
        let (center, half) = (random.in_cube(10.0), random.range(0.0, 2.0));
        Aabb { min: center - half, max: center + half }
    }

    #[test]
    fn finds_what_all_against_all_finds() {
        let mut random = Random::new(7);
        let mut tree = DynamicTree::default();
        let mut boxes: Vec<Option<(Leaf, Aabb)>> = Vec::new();
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
            let tests = tree.overlapping(&question, |key| found.push(key));
            found.sort_unstable();
            let expected: Vec<u32> = (0..boxes.len() as u32)
                .filter(|i| boxes[*i as usize].is_some_and(|(_, b)| b.intersects(&question)))
                .collect();
            assert_eq!(found, expected, "round {round}");
            assert!(tests >= found.len() as u64 && tests < 2 * boxes.len() as u64 + 1, "{tests} tests");
        }
    }

    #[test]
    fn a_resumed_tree_goes_on_alike() {
        let mut random = Random::new(8);
        let mut tree = DynamicTree::default();
        let leaves: Vec<Leaf> = (0..200).map(|key| tree.insert(key, any_box(&mut random))).collect();
        leaves.iter().step_by(3).for_each(|leaf| tree.remove(*leaf));
        let DynamicTreeState { nodes, free, root } = tree.state();
        let state = DynamicTreeState { nodes: nodes.to_vec(), free: free.to_vec(), root };
        let mut resumed = DynamicTree::resume(state.clone()).unwrap();
        for key in 0..100 {
            let bounds = any_box(&mut random);
            assert_eq!(tree.insert(key, bounds), resumed.insert(key, bounds));
        }
        assert_eq!(tree.state(), resumed.state());
        // Numbers that name nothing are refused.
        assert!(DynamicTree::resume(DynamicTreeState { root: 10_000, ..state.clone() }).is_none());
        assert!(DynamicTree::resume(DynamicTreeState { free: vec![10_000], ..state.clone() }).is_none());
        let mut wrong = state;
        wrong.nodes[0].parent = 10_000;
        assert!(DynamicTree::resume(wrong).is_none());
    }
}
