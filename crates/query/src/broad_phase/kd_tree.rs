//! Space cut in halves of equally many boxes.

use super::cell_lists::CellLists;
use super::{FinitePairs, Registry};
use crate::tree::Counts;
use freiraum_geometry::{Aabb, Vec3};

/// Each box is listed in all leaves it meets. Together the leaves cover all space, so the cuts stay right while boxes
/// move; they are chosen anew after as many moves as four times the number of boxes.
#[derive(Debug, Default)]
pub(super) struct KdTree {
    nodes: Vec<Node>,
    lists: CellLists,
    /// The part of space of each leaf, open at its upper side.
    regions: Vec<Aabb>,
    built_for: usize,
    changes: usize,
    count: usize,
    is_built: bool,
    open: Vec<u32>,
    /// Memory of building.
    keys: Vec<u32>,
    tasks: Vec<Task>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// What begins before `at` along the axis is in the first child, what ends at it or behind in the second.
    Cut {
        axis: usize,
        at: f64,
        children: [u32; 2],
    },
    Leaf(u32),
}

#[derive(Clone, Copy, Debug)]
struct Task {
    node: u32,
    start: usize,
    region: Aabb,
    depth: u32,
}

/// Leaves with so many boxes are not cut.
const FEW: usize = 6;

/// Never more cuts than this one after the other.
const DEEPEST: u32 = 40;

impl KdTree {
    /// Collects in `open` the leaves that a box meets.
    fn find_leaves(&mut self, bounds: &Aabb) -> usize {
        self.open.clear();
        self.keys.clear();
        self.open.push(0);
        while let Some(node) = self.open.pop() {
            match self.nodes[node as usize] {
                Node::Leaf(leaf) => self.keys.push(leaf),
                Node::Cut { axis, at, children } => {
                    if bounds.max[axis] >= at {
                        self.open.push(children[1]);
                    }
                    if bounds.min[axis] < at {
                        self.open.push(children[0]);
                    }
                }
            }
        }
        self.keys.len()
    }

    fn add(&mut self, key: u32, bounds: &Aabb) {
        for i in 0..self.find_leaves(bounds) {
            self.lists.add(self.keys[i] as usize, key);
        }
    }

    fn take_out(&mut self, key: u32, bounds: &Aabb) {
        for i in 0..self.find_leaves(bounds) {
            self.lists.remove(self.keys[i] as usize, key);
        }
    }

    fn rebuild(&mut self, boxes: &Registry) {
        self.nodes.clear();
        self.regions.clear();
        self.keys.clear();
        self.keys.extend_from_slice(boxes.keys());
        // The keys of the task on top of the stack are the last ones in `keys`.
        let everywhere = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        self.nodes.push(Node::Leaf(0));
        self.tasks.push(Task { node: 0, start: 0, region: everywhere, depth: 0 });
        while let Some(task) = self.tasks.pop() {
            if !self.cut(task, boxes) {
                self.nodes[task.node as usize] = Node::Leaf(self.regions.len() as u32);
                self.regions.push(task.region);
                self.keys.truncate(task.start);
            }
        }
        self.lists.reset(self.regions.len());
        for &key in boxes.keys() {
            self.add(key, boxes.get(key));
        }
        (self.built_for, self.changes, self.is_built) = (boxes.keys().len(), 0, true);
    }

    /// Cuts a part if that helps; the keys of both halves take the place of its keys.
    fn cut(&mut self, task: Task, boxes: &Registry) -> bool {
        let part = &mut self.keys[task.start..];
        let count = part.len();
        if count <= FEW || task.depth >= DEEPEST {
            return false;
        }
        let center = |key: &u32, axis: usize| boxes.get(*key).center()[axis];
        let spread = part.iter().fold(Aabb::EMPTY, |b, &k| b.grown(boxes.get(k).center()));
        let axis = spread.size().max_position();
        part.select_nth_unstable_by(count / 2, |a, b| center(a, axis).total_cmp(&center(b, axis)));
        let at = center(&part[count / 2], axis);
        let is_first = |key: &u32| boxes.get(*key).min[axis] < at;
        let is_second = |key: &u32| boxes.get(*key).max[axis] >= at;
        let (first, second) =
            (part.iter().filter(|k| is_first(k)).count(), part.iter().filter(|k| is_second(k)).count());
        // Boxes on both sides are listed twice: a cut through most of them is no gain.
        if first + second > count + count / 2 || first == count || second == count {
            return false;
        }
        // Second half first, so that the first half ends up on top of the stack.
        let end = self.keys.len();
        for i in task.start..end {
            let key = self.keys[i];
            if is_second(&key) {
                self.keys.push(key);
            }
        }
        for i in task.start..end {
            let key = self.keys[i];
            if is_first(&key) {
                self.keys.push(key);
            }
        }
        self.keys.drain(task.start..end);
        let children = [self.nodes.len() as u32, self.nodes.len() as u32 + 1];
        self.nodes[task.node as usize] = Node::Cut { axis, at, children };
        self.nodes.extend([Node::Leaf(0); 2]);
        let (mut below, mut above) = (task.region, task.region);
        below.max[axis] = at;
        above.min[axis] = at;
        let depth = task.depth + 1;
        self.tasks.push(Task { node: children[1], start: task.start, region: above, depth });
        self.tasks.push(Task { node: children[0], start: task.start + second, region: below, depth });
        true
    }
}

impl FinitePairs for KdTree {
    fn insert(&mut self, key: u32, bounds: &Aabb) {
        self.count += 1;
        if self.is_built {
            self.add(key, bounds);
        }
    }

    fn update(&mut self, key: u32, old: &Aabb, new: &Aabb) {
        if self.is_built {
            self.changes += 1;
            self.take_out(key, old);
            self.add(key, new);
        }
    }

    fn remove(&mut self, key: u32, old: &Aabb) {
        self.count -= 1;
        if self.is_built {
            self.take_out(key, old);
        }
    }

    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        let changed = self.count > 2 * self.built_for || 4 * self.count < self.built_for;
        if !self.is_built || changed || self.changes > 4 * self.count {
            self.rebuild(boxes);
        }
        for (leaf, region) in self.regions.iter().enumerate() {
            self.keys.clear();
            self.keys.extend(self.lists.iter(leaf));
            self.keys.sort_unstable();
            for (i, &key) in self.keys.iter().enumerate() {
                let bounds = boxes.get(key);
                for &other in &self.keys[i + 1..] {
                    // Two boxes may share many leaves: the one with the lowest corner of what they share speaks.
                    let corner = bounds.min.max(boxes.get(other).min);
                    if (corner.cmpge(region.min) & corner.cmplt(region.max)).all() {
                        counts.volume_tests += 1;
                        if bounds.intersects(boxes.get(other)) {
                            pairs.push((key, other));
                        }
                    }
                }
            }
        }
    }
}
