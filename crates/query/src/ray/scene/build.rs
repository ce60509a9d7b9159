//! The tree over the boxes of a scene: split top-down by the surface-area heuristic over all cuts.

use crate::mesh_tree::{Grid, Node, WIDTH};
use freiraum_geometry::Aabb;

/// Levels after which parts are simply halved, so that odd inputs make no deep trees.
const CLEVER_LEVELS: usize = 32;

/// The nodes, with one box in each leaf, and the boxes in the order of the leaves. The first node has one child.
pub(super) fn nodes(boxes: &[Aabb], grid: &Grid) -> (Vec<Node>, Vec<u32>) {
    let mut builder = Builder { boxes, grid, nodes: Vec::new(), order: (0..boxes.len() as u32).collect() };
    if !boxes.is_empty() {
        builder.node(0, boxes.len(), 0);
    }
    (builder.nodes, builder.order)
}

struct Builder<'b> {
    boxes: &'b [Aabb],
    grid: &'b Grid,
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Builder<'_> {
    fn bounds(&self, start: usize, end: usize) -> Aabb {
        self.order[start..end].iter().fold(Aabb::EMPTY, |all, &i| all.union(&self.boxes[i as usize]))
    }

    /// Makes the node of a run of boxes and all below; returns its index.
    fn node(&mut self, start: usize, end: usize, level: usize) -> u32 {
        let mut parts = vec![(start, end)];
        while parts.len() < WIDTH {
            let area = |p: &(usize, usize)| self.bounds(p.0, p.1).half_area();
            let candidates = parts.iter().enumerate().filter(|(_, p)| p.1 - p.0 > 1);
            let widest = candidates.max_by(|(i, p), (j, q)| area(p).total_cmp(&area(q)).then(j.cmp(i)));
            let Some((chosen, &(from, to))) = widest else { break };
            let middle = self.split(from, to, level);
            parts[chosen] = (from, middle);
            parts.insert(chosen + 1, (middle, to));
        }
        let index = self.nodes.len();
        self.nodes.push(self.empty());
        for (lane, (from, to)) in parts.into_iter().enumerate() {
            let bounds = self.bounds(from, to);
            let low = self.grid.tree_from_mesh(bounds.min).as_vec3().to_array();
            let high = self.grid.tree_from_mesh(bounds.max).as_vec3().to_array();
            let is_leaf = to - from == 1;
            let child = if is_leaf { from as u32 } else { self.node(from, to, level + 1) };
            let node = &mut self.nodes[index];
            for axis in 0..3 {
                node.min[axis][lane] = low[axis].next_down();
                node.max[axis][lane] = high[axis].next_up();
            }
            node.child[lane] = child;
            node.count[lane] = u8::from(is_leaf);
            node.len += 1;
        }
        index as u32
    }

    fn empty(&self) -> Node {
        Node {
            min: [[f32::INFINITY; WIDTH]; 3],
            max: [[f32::NEG_INFINITY; WIDTH]; 3],
            child: [0; WIDTH],
            count: [0; WIDTH],
            len: 0,
        }
    }

    /// Sorts a run of at least two along the best axis and says where to cut it.
    fn split(&mut self, start: usize, end: usize, level: usize) -> usize {
        let count = end - start;
        let half = count / 2;
        let mut best = (f64::INFINITY, usize::MAX, 0, half);
        for axis in 0..3 {
            self.sort(start, end, axis);
            let run = &self.order[start..end];
            let mut right = vec![0.0; count];
            let mut bounds = Aabb::EMPTY;
            for k in (1..count).rev() {
                bounds = bounds.union(&self.boxes[run[k] as usize]);
                right[k] = bounds.half_area() * (count - k) as f64;
            }
            let mut bounds = Aabb::EMPTY;
            for k in 1..count {
                bounds = bounds.union(&self.boxes[run[k - 1] as usize]);
                let cost = bounds.half_area() * k as f64 + right[k];
                // Of equal cuts the one nearest to the middle.
                let off = k.abs_diff(half);
                let is_allowed = level < CLEVER_LEVELS || off == 0;
                if is_allowed && (cost < best.0 || (cost == best.0 && off < best.1)) {
                    best = (cost, off, axis, k);
                }
            }
        }
        self.sort(start, end, best.2);
        start + best.3
    }

    fn sort(&mut self, start: usize, end: usize, axis: usize) {
        let boxes = self.boxes;
        let key = |i: u32| boxes[i as usize].min[axis] + boxes[i as usize].max[axis];
        self.order[start..end].sort_unstable_by(|&i, &j| key(i).total_cmp(&key(j)).then(i.cmp(&j)));
    }
}
