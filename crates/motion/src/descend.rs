//! The search through two mesh trees, most promising pair of parts first.
//!
//! Every pair of parts gets a lower bound of what is asked for (a time, a distance), computed from its boxes in the
//! coordinates of the motion. The pair with the smallest bound is opened next; when it is a pair of triangles, they are
//! solved. The search ends when no bound is below the best answer found: nothing else can be better, which is the proof.

use crate::chart::{Chart, ChartBox};
use freiraum_geometry::Vec3;
use freiraum_query::mesh_tree::{MeshTree, WIDTH};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// One of the two bodies in the search.
pub(crate) struct Side<'t, C> {
    pub(crate) tree: &'t MeshTree,
    pub(crate) chart: C,
}

/// Scratch memory of a search, kept between calls so that they allocate nothing.
#[derive(Debug, Default)]
pub(crate) struct SearchMemory {
    heap: BinaryHeap<Reverse<Candidate>>,
    boxes: [Boxes; 2],
}

/// A pair of parts with its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    bound: f64,
    /// Children of nodes: `node * WIDTH + lane`.
    parts: [u32; 2],
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        // Parts break ties, so that the order does not depend on how the heap was filled.
        self.bound.total_cmp(&other.bound).then_with(|| self.parts.cmp(&other.parts))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The boxes of the nodes met so far, in the coordinates of the motion.
#[derive(Debug, Default)]
struct Boxes {
    /// Per node of the tree: which search last asked for it, and where its boxes are.
    slots: Vec<(u64, u32)>,
    search: u64,
    boxes: Vec<[ChartBox; WIDTH]>,
}

impl Boxes {
    fn begin(&mut self, tree: &MeshTree) {
        self.search += 1;
        self.boxes.clear();
        if self.slots.len() < tree.nodes().len() {
            self.slots.resize(tree.nodes().len(), (0, 0));
        }
    }

    fn of<C: Chart>(&mut self, side: &Side<C>, node: u32) -> usize {
        let slot = &mut self.slots[node as usize];
        if slot.0 != self.search {
            *slot = (self.search, self.boxes.len() as u32);
            self.boxes.push(boxes(side, node));
        }
        slot.1 as usize
    }
}

/// Boxes of the children of a node; lanes without a child hold a copy of the first one.
fn boxes<C: Chart>(side: &Side<C>, node: u32) -> [ChartBox; WIDTH] {
    let node = &side.tree.nodes()[node as usize];
    let grid = side.tree.grid();
    let length = 1.0 / grid.scale;
    std::array::from_fn(|lane| {
        let lane = if lane < node.len as usize { lane } else { 0 };
        let corner = |v: &[[f32; WIDTH]; 3]| Vec3::new(v[0][lane].into(), v[1][lane].into(), v[2][lane].into());
        let (min, max) = (corner(&node.min), corner(&node.max));
        // Sums and differences of single precision numbers are exact here or far below the slack of the chart.
        side.chart.chart_box(grid.center + (0.5 * length) * (min + max), (0.5 * length) * (max - min))
    })
}

/// Finds the best answer. `bound`: a lower bound for all triangles in two boxes; `solve`: looks at two triangles (numbers in the
/// order of the leaves) with the bound of their leaves, and gives the best answer so far, below which the search goes on.
pub(crate) fn best_first<C: Chart>(
    a: &Side<C>,
    b: &Side<C>,
    limit: f64,
    memory: &mut SearchMemory,
    bound: impl Fn(&ChartBox, &ChartBox) -> f64,
    mut solve: impl FnMut(u32, u32, f64) -> f64,
) {
    let SearchMemory { heap, boxes: [boxes_a, boxes_b] } = memory;
    heap.clear();
    boxes_a.begin(a.tree);
    boxes_b.begin(b.tree);
    let mut best = limit;
    let (root_a, root_b) = (boxes_a.of(a, 0), boxes_b.of(b, 0));
    let first = bound(&boxes_a.boxes[root_a][0], &boxes_b.boxes[root_b][0]);
    if first < best {
        heap.push(Reverse(Candidate { bound: first, parts: [0, 0] }));
    }
    while let Some(Reverse(candidate)) = heap.pop() {
        if !(candidate.bound < best) {
            break;
        }
        let (part_a, part_b) = (Part::of(a.tree, candidate.parts[0]), Part::of(b.tree, candidate.parts[1]));
        if let (Part::Leaf { first: fa, count: na }, Part::Leaf { first: fb, count: nb }) = (&part_a, &part_b) {
            for i in *fa..fa + na {
                for j in *fb..fb + nb {
                    best = solve(i, j, candidate.bound).min(best);
                }
            }
            continue;
        }
        let lanes_a = Lanes::of(a, boxes_a, &part_a, candidate.parts[0]);
        let lanes_b = Lanes::of(b, boxes_b, &part_b, candidate.parts[1]);
        for i in 0..lanes_a.count {
            for j in 0..lanes_b.count {
                let bound = bound(&lanes_a.boxes[i], &lanes_b.boxes[j]);
                if bound < best {
                    // Nothing below is earlier than the pair itself.
                    let bound = bound.max(candidate.bound);
                    heap.push(Reverse(Candidate { bound, parts: [lanes_a.code + i as u32, lanes_b.code + j as u32] }));
                }
            }
        }
    }
}

/// What a child of a node is.
enum Part {
    Inner(u32),
    Leaf { first: u32, count: u32 },
}

impl Part {
    fn of(tree: &MeshTree, code: u32) -> Part {
        let (node, lane) = (&tree.nodes()[code as usize / WIDTH], code as usize % WIDTH);
        match node.count[lane] {
            0 => Part::Inner(node.child[lane]),
            count => Part::Leaf { first: node.child[lane], count: count.into() },
        }
    }
}

/// The boxes to go on with: the children of an inner part, or the leaf itself.
struct Lanes<'m> {
    boxes: &'m [ChartBox],
    count: usize,
    /// Code of the first of them.
    code: u32,
}

impl<'m> Lanes<'m> {
    fn of<C: Chart>(side: &Side<C>, boxes: &'m mut Boxes, part: &Part, code: u32) -> Lanes<'m> {
        match *part {
            Part::Inner(node) => {
                let slot = boxes.of(side, node);
                let count = side.tree.nodes()[node as usize].len as usize;
                Lanes { boxes: &boxes.boxes[slot], count, code: node * WIDTH as u32 }
            }
            Part::Leaf { .. } => {
                let (node, lane) = (code / WIDTH as u32, code as usize % WIDTH);
                let slot = boxes.of(side, node);
                Lanes { boxes: &boxes.boxes[slot][lane..lane + 1], count: 1, code }
            }
        }
    }
}
