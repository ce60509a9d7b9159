//! The search for the least distance through two mesh trees, most promising pair of parts first.
//!
//! Every pair of parts gets a lower bound of its distance during the motion. The pair with the smallest bound is next: the larger of
//! the two is opened; two triangles are solved. The search ends when no bound is below the best answer.

use crate::cancel::CancelToken;
use crate::chart::{Chart, ChartBox};
use freiraum_geometry::Vec3;
use freiraum_geometry::glam::DAffine3 as Affine;
use freiraum_query::elementary::point_triangle;
use freiraum_query::mesh_tree::{MeshTree, WIDTH};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A tree in the coordinates of the motion.
pub(super) struct Side<'t, C> {
    pub(super) tree: &'t MeshTree,
    pub(super) chart: C,
    /// From the frame of the tree to that with axes along and across the motion.
    pub(super) place: Affine,
}

impl<C> Side<'_, C> {
    /// A triangle in the frame along the motion.
    pub(super) fn triangle(&self, i: u32) -> [Vec3; 3] {
        self.tree.triangles()[i as usize].map(|p| self.place.transform_point3(p))
    }
}

/// Memory that searches use again.
#[derive(Debug, Default)]
pub(crate) struct ClearanceMemory {
    heap: BinaryHeap<Reverse<Candidate>>,
    boxes: [Boxes; 2],
    /// Stretches of a motion that are open.
    pub(super) open: Vec<[f64; 2]>,
    pub(crate) cancel: CancelToken,
}

/// A pair of parts with its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    bound: f64,
    /// What it is ordered by: the bound, or what is known to be enough if that is larger.
    turn: f64,
    /// How many have been opened to get there.
    level: u32,
    parts: [u32; 2],
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        // The smallest parts first among equals; numbers break ties, so that the order does not depend on how the heap was filled.
        let order = self.turn.total_cmp(&other.turn).then_with(|| other.level.cmp(&self.level));
        order.then_with(|| self.parts.cmp(&other.parts))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The parts that have been met so far, in the coordinates of the motion; the first is the whole tree.
#[derive(Debug, Default)]
struct Boxes {
    parts: Vec<Part>,
}

/// A part of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) around: ChartBox,
    /// Its middle in the frame along the motion.
    pub(super) center: Vec3,
    /// From the middle to the faces of its box, or to the corners of the triangle.
    spread: [Vec3; 3],
    /// Distance of the middle from the z axis of that frame.
    pub(super) from_axis: f64,
    /// Unit vector away from that axis, to the middle of a box or the nearest point of a triangle; zero on the axis.
    pub(super) outwards: Vec3,
    /// Length of the diagonal of its box, in metres.
    size: f64,
    holds: Holds,
    /// Its first part and how many there are, once it has been opened.
    opened: Option<(u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
enum Holds {
    Node(u32),
    Leaf { first: u32, count: u32 },
    Triangle(u32),
}

impl Part {
    fn new(around: ChartBox, center: Vec3, spread: [Vec3; 3], size: f64, holds: Holds) -> Part {
        let flat = |p: Vec3| Vec3::new(p.x, p.y, 0.0);
        let towards = match holds {
            Holds::Triangle(_) => point_triangle(Vec3::ZERO, spread.map(|v| flat(center + v))).point_on_b,
            _ => flat(center),
        };
        let outwards = towards.normalize_or_zero();
        Part { around, center, spread, from_axis: flat(center).length(), outwards, size, holds, opened: None }
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self) -> Option<[Vec3; 3]> {
        matches!(self.holds, Holds::Triangle(_)).then(|| self.spread.map(|v| self.center + v))
    }

    /// How far it reaches from its middle to either side in a direction.
    #[inline]
    pub(super) fn extent(&self, n: Vec3) -> [f64; 2] {
        let [x, y, z] = self.spread.map(|v| n.dot(v));
        match self.holds {
            Holds::Triangle(_) => [-x.min(y).min(z), x.max(y).max(z)],
            _ => [x.abs() + y.abs() + z.abs(); 2],
        }
    }
}

impl Boxes {
    fn begin(&mut self) {
        self.parts.clear();
        // The whole tree is opened first whatever its size is.
        let nowhere = ChartBox { min: [0.0; 3], max: [0.0; 3] };
        let holds = Holds::Node(0);
        self.parts.push(Part::new(nowhere, Vec3::ZERO, [Vec3::ZERO; 3], f64::INFINITY, holds));
    }

    fn open<C: Chart>(&mut self, side: &Side<C>, part: u32) -> (u32, u32) {
        if let Some(opened) = self.parts[part as usize].opened {
            return opened;
        }
        let first = self.parts.len() as u32;
        match self.parts[part as usize].holds {
            Holds::Node(number) => {
                let node = &side.tree.nodes()[number as usize];
                let grid = side.tree.grid();
                let length = 1.0 / grid.scale;
                for lane in 0..node.len as usize {
                    let corner = |v: &[[f32; WIDTH]; 3]| {
                        Vec3::new(v[0][lane].into(), v[1][lane].into(), v[2][lane].into())
                    };
                    let (min, max) = (corner(&node.min), corner(&node.max));
                    let half = (0.5 * length) * (max - min);
                    // Sums and differences of single precision numbers are exact here or far below the slack of the chart.
                    let center = grid.center + (0.5 * length) * (min + max);
                    let around = side.chart.chart_box(center, half);
                    // The box that follows the surface is thin where that is flat.
                    let thin = side.tree.oriented_part(number, lane);
                    let spread = thin.spread.map(|v| side.place.transform_vector3(v));
                    let center = side.place.transform_point3(thin.center);
                    let holds = match node.count[lane] {
                        0 => Holds::Node(node.child[lane]),
                        count => Holds::Leaf { first: node.child[lane], count: count.into() },
                    };
                    let size = 2.0 * half.length();
                    self.parts.push(Part::new(around, center, spread, size, holds));
                }
            }
            Holds::Leaf { first, count } => {
                for k in first..first + count {
                    let around = side.chart.triangle_box(side.tree.triangles()[k as usize]);
                    let corners = side.triangle(k);
                    let center = (corners[0] + corners[1] + corners[2]) / 3.0;
                    let (spread, holds) = (corners.map(|p| p - center), Holds::Triangle(k));
                    self.parts.push(Part::new(around, center, spread, 0.0, holds));
                }
            }
            Holds::Triangle(_) => unreachable!("two triangles are solved"),
        }
        let opened = (first, self.parts.len() as u32 - first);
        self.parts[part as usize].opened = Some(opened);
        opened
    }
}

/// How long to search.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Pairs that are looked at, at most.
    pub(super) steps: u64,
    /// There is no need to find anything below this: all that may be so close is as good.
    pub(super) enough: f64,
}

impl Effort {
    /// As long as it takes.
    pub(super) const ALL: Effort = Effort { steps: u64::MAX, enough: f64::NEG_INFINITY };
}

/// Finds the best answer below `limit`. `bound(a, b, best)`: a lower bound for everything in two boxes, or anything from `best`
/// on if it is not below; `solve`: looks at two triangles (numbers in the order of the leaves, and their boxes) and gives the
/// distance that is still to be beaten. False if the steps ended before.
pub(super) fn search<C: Chart>(
    a: &Side<C>,
    b: &Side<C>,
    limit: f64,
    Effort { steps, enough }: Effort,
    memory: &mut ClearanceMemory,
    bound: impl Fn(&Part, &Part, f64) -> f64,
    mut solve: impl FnMut([u32; 2], [&ChartBox; 2], &mut Vec<[f64; 2]>) -> f64,
) -> bool {
    let ClearanceMemory { heap, boxes: [boxes_a, boxes_b], open, cancel } = memory;
    heap.clear();
    boxes_a.begin();
    boxes_b.begin();
    let mut best = limit;
    // Both roots are opened at once: they have no boxes.
    let (roots_a, roots_b) = (boxes_a.open(a, 0), boxes_b.open(b, 0));
    let each = |(first, count): (u32, u32)| first..first + count;
    for i in each(roots_a) {
        for j in each(roots_b) {
            let bound = bound(&boxes_a.parts[i as usize], &boxes_b.parts[j as usize], best);
            if bound < best {
                heap.push(Reverse(Candidate { bound, turn: bound.max(enough), level: 0, parts: [i, j] }));
            }
        }
    }
    let mut left = steps;
    while let Some(Reverse(candidate)) = heap.pop() {
        if !(candidate.bound < best) {
            // Those whose turn it is with what is enough may promise more.
            if candidate.turn > enough || best == f64::NEG_INFINITY {
                break;
            }
            continue;
        }
        if left == 0 || cancel.is_cancelled() {
            return false;
        }
        left -= 1;
        let [i, j] = candidate.parts;
        let (part_a, part_b) = (boxes_a.parts[i as usize], boxes_b.parts[j as usize]);
        if let (Holds::Triangle(m), Holds::Triangle(n)) = (part_a.holds, part_b.holds) {
            best = solve([m, n], [&part_a.around, &part_b.around], open).min(best);
            continue;
        }
        let mut offer = |a: &Part, b: &Part, parts: [u32; 2]| {
            // Nothing in a part is closer than in the whole.
            let bound = bound(a, b, best).max(candidate.bound);
            if bound < best {
                let level = candidate.level + 1;
                heap.push(Reverse(Candidate { bound, turn: bound.max(enough), level, parts }));
            }
        };
        if part_a.size >= part_b.size {
            for k in each(boxes_a.open(a, i)) {
                offer(&boxes_a.parts[k as usize], &part_b, [k, j]);
            }
        } else {
            for k in each(boxes_b.open(b, j)) {
                offer(&part_a, &boxes_b.parts[k as usize], [i, k]);
            }
        }
    }
    true
}
