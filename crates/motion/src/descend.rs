//! The search through two mesh trees, most promising pair of parts first.
//!
//! Every pair of parts gets a lower bound of what is asked for (a time, a distance), computed from its boxes in the
//! coordinates of the motion. The pair with the smallest bound is opened next; when it is a pair of triangles, they are
//! solved. The search ends when no bound is below the best answer found: nothing else can be better, which is the proof.

use crate::cancel::CancelToken;
use crate::chart::{Chart, ChartBox, Patch};
use freiraum_geometry::Vec3;
use freiraum_query::mesh_tree::{LEAF_SIZE, MeshTree, WIDTH};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Which triangles of a body are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Facing {
    /// All of them.
    Any,
    /// Those whose normals do not point against the motion of b.
    Along,
    /// Those whose normals do not point along with the motion of b.
    Against,
}

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
    pub(crate) cancel: CancelToken,
}

/// A pair of parts with its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    bound: f64,
    parts: [Code; 2],
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        // Parts break ties, so that the order does not depend on how the heap was filled: triangles first, they decide.
        self.bound.total_cmp(&other.bound).then_with(|| other.parts.cmp(&self.parts))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Names a part: the child of a node as `node * WIDTH + lane`, or, with the highest bit set, a triangle.
type Code = u32;

const TRIANGLE: Code = 1 << 31;

/// What a part is made of.
enum Part {
    Inner(u32),
    Leaf { first: u32, count: u32 },
    Triangle(u32),
}

impl Part {
    fn of(tree: &MeshTree, code: Code) -> Part {
        if code & TRIANGLE != 0 {
            return Part::Triangle(code & !TRIANGLE);
        }
        let (node, lane) = (&tree.nodes()[code as usize / WIDTH], code as usize % WIDTH);
        match node.count[lane] {
            0 => Part::Inner(node.child[lane]),
            count => Part::Leaf { first: node.child[lane], count: count.into() },
        }
    }
}

/// The boxes of the parts of the parts met so far, in the coordinates of the motion.
#[derive(Debug, Default)]
struct Boxes {
    /// Per part: which search last opened it, and where its boxes are.
    slots: Vec<(u64, u32)>,
    search: u64,
    boxes: Vec<Piece>,
}

/// A part in the coordinates of the motion.
#[derive(Clone, Copy, Debug)]
struct Piece {
    around: ChartBox,
    patch: Patch,
    /// A triangle that is not looked at.
    is_left_out: bool,
}

impl Boxes {
    fn begin(&mut self, tree: &MeshTree) {
        self.search += 1;
        self.boxes.clear();
        let parts = tree.nodes().len() * WIDTH;
        if self.slots.len() < parts {
            self.slots.resize(parts, (0, 0));
        }
    }

    /// Boxes of the parts of an inner part or a leaf, and how many there are.
    fn of<C: Chart>(&mut self, side: &Side<C>, facing: Facing, part: &Part, code: Code) -> (&[Piece], Code) {
        let slot = &mut self.slots[code as usize];
        let is_new = slot.0 != self.search;
        if is_new {
            *slot = (self.search, self.boxes.len() as u32);
        }
        let slot = slot.1 as usize;
        match *part {
            Part::Inner(node) => {
                let count = side.tree.nodes()[node as usize].len as usize;
                if is_new {
                    self.boxes.extend((0..count).map(|lane| child(side, node, lane)));
                }
                (&self.boxes[slot..slot + count], node * WIDTH as Code)
            }
            Part::Leaf { first, count } => {
                let count = count as usize;
                if is_new {
                    let triangles = &side.tree.triangles()[first as usize..first as usize + count];
                    self.boxes.extend(triangles.iter().map(|triangle| {
                        let patch = side.chart.triangle_patch(*triangle);
                        let is_left_out = match facing {
                            Facing::Any => false,
                            Facing::Along => side.chart.looks_along(*triangle, -1.0),
                            Facing::Against => side.chart.looks_along(*triangle, 1.0),
                        };
                        Piece { around: side.chart.box_of(&patch), patch, is_left_out }
                    }));
                }
                (&self.boxes[slot..slot + count], first | TRIANGLE)
            }
            Part::Triangle(_) => unreachable!("a triangle is met by triangles only"),
        }
    }
}

const _: () = assert!(LEAF_SIZE <= WIDTH, "the triangles of a leaf fill the lanes of a node");

/// A child of a node.
fn child<C: Chart>(side: &Side<C>, index: u32, lane: usize) -> Piece {
    let node = &side.tree.nodes()[index as usize];
    let grid = side.tree.grid();
    let length = 1.0 / grid.scale;
    let corner = |v: &[[f32; WIDTH]; 3]| Vec3::new(v[0][lane].into(), v[1][lane].into(), v[2][lane].into());
    let (min, max) = (corner(&node.min), corner(&node.max));
    let patch = side.chart.patch(&side.tree.oriented_part(index, lane));
    // Sums and differences of single precision numbers are exact here or far below the slack of the chart.
    let center = grid.center + (0.5 * length) * (min + max);
    let around = side.chart.box_of_both(&patch, center, (0.5 * length) * (max - min));
    Piece { around, patch, is_left_out: false }
}

/// Finds the best answer below `limit`. `bound`: a lower bound for everything in two boxes, infinite if there is nothing to
/// be found; `solve`: looks at two triangles (numbers in the order of the leaves) with their bound, and gives the best answer
/// so far.
pub(crate) fn best_first<C: Chart>(
    a: &Side<C>,
    b: &Side<C>,
    limit: f64,
    memory: &mut SearchMemory,
    bound: impl Fn(&ChartBox, &ChartBox) -> f64,
    solve: impl FnMut(u32, u32, f64) -> f64,
) {
    best_first_by([a, b], [Facing::Any; 2], limit, memory, bound, |_, _, bound| bound, solve);
}

/// As [`best_first`]; `facing`: which triangles are looked at; `sharpen`: a better bound for two patches, given one.
pub(crate) fn best_first_by<C: Chart>(
    [a, b]: [&Side<C>; 2],
    facing: [Facing; 2],
    limit: f64,
    memory: &mut SearchMemory,
    bound: impl Fn(&ChartBox, &ChartBox) -> f64,
    sharpen: impl Fn(&Patch, &Patch, f64) -> f64,
    mut solve: impl FnMut(u32, u32, f64) -> f64,
) {
    let SearchMemory { heap, boxes: [boxes_a, boxes_b], cancel } = memory;
    heap.clear();
    boxes_a.begin(a.tree);
    boxes_b.begin(b.tree);
    let mut best = limit;
    let mut next = Some(Candidate { bound: f64::NEG_INFINITY, parts: [0, 0] });
    while let Some(candidate) = next {
        // What was found by then is no answer, and is not used: see `MotionWorkspace::unless_cancelled`.
        if cancel.is_cancelled() {
            return;
        }
        let parts = (Part::of(a.tree, candidate.parts[0]), Part::of(b.tree, candidate.parts[1]));
        if let (Part::Triangle(i), Part::Triangle(j)) = parts {
            best = solve(i, j, candidate.bound).min(best);
        } else {
            let whole =
                |side: &Side<C>, code: Code| [child(side, code / WIDTH as Code, code as usize % WIDTH)];
            let (whole_a, whole_b);
            // A leaf waits until its partner is a leaf too.
            let (on_a, on_b) = match parts {
                (Part::Leaf { .. }, Part::Inner(_)) => {
                    whole_a = whole(a, candidate.parts[0]);
                    (
                        (&whole_a[..], candidate.parts[0]),
                        boxes_b.of(b, facing[1], &parts.1, candidate.parts[1]),
                    )
                }
                (Part::Inner(_), Part::Leaf { .. }) => {
                    whole_b = whole(b, candidate.parts[1]);
                    (
                        boxes_a.of(a, facing[0], &parts.0, candidate.parts[0]),
                        (&whole_b[..], candidate.parts[1]),
                    )
                }
                _ => (
                    boxes_a.of(a, facing[0], &parts.0, candidate.parts[0]),
                    boxes_b.of(b, facing[1], &parts.1, candidate.parts[1]),
                ),
            };
            for (code_a, part_a) in (on_a.1..).zip(on_a.0).filter(|(_, part)| !part.is_left_out) {
                for (code_b, part_b) in (on_b.1..).zip(on_b.0).filter(|(_, part)| !part.is_left_out) {
                    // Nothing is found earlier in a part than in the whole.
                    let mut bound = bound(&part_a.around, &part_b.around).max(candidate.bound);
                    if bound < best {
                        bound = sharpen(&part_a.patch, &part_b.patch, bound).max(bound);
                    }
                    if bound < best {
                        heap.push(Reverse(Candidate { bound, parts: [code_a, code_b] }));
                    }
                }
            }
        }
        next = heap.pop().map(|Reverse(candidate)| candidate).filter(|candidate| candidate.bound < best);
    }
}
