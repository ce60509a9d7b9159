//! Boxes round parts of a mesh, and for how long two of them stay apart.

use super::instant::{Instant, Mover};
use super::step::{first_order, first_zero};
use freiraum_geometry::{Mat3, Vec3};
use freiraum_query::mesh_tree::{LEAF_SIZE, MeshTree, WIDTH};

/// An axis-parallel box in the frame of its piece, and how strongly its points are accelerated at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartBox {
    pub(super) center: Vec3,
    pub(super) half: Vec3,
    /// Radius of the ball round it.
    pub(super) radius: f64,
    pub(super) acceleration: f64,
}

impl PartBox {
    pub(super) fn new(center: Vec3, half: Vec3, mover: &Mover, span: [f64; 2]) -> PartBox {
        let radius = half.length() * (1.0 + 4.0 * f64::EPSILON);
        PartBox { center, half, radius, acceleration: mover.acceleration(center, radius, span) }
    }

    fn of_triangle(corners: [Vec3; 3], mover: &Mover, span: [f64; 2]) -> PartBox {
        let [a, b, c] = corners;
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        PartBox::new(0.5 * (min + max), 0.5 * (max - min), mover, span)
    }
}

/// Names a part: the child of a node as `node * WIDTH + lane`, or, with the highest bit set, a triangle.
pub(super) type Code = u32;

pub(super) const TRIANGLE: Code = 1 << 31;

/// A part with the place of its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) code: Code,
    pub(super) slot: u32,
}

/// The boxes met so far in one search.
#[derive(Debug, Default)]
pub(super) struct Boxes {
    /// Per part: which search last opened it, and where the boxes of its parts are.
    slots: Vec<(u64, u32)>,
    search: u64,
    pub(super) boxes: Vec<PartBox>,
}

impl Boxes {
    /// Forgets everything; `root` gets slot 0.
    pub(super) fn begin(&mut self, tree: Option<&MeshTree>, root: PartBox) {
        self.search += 1;
        self.boxes.clear();
        self.boxes.push(root);
        let parts = tree.map_or(0, |tree| tree.nodes().len() * WIDTH);
        if self.slots.len() < parts {
            self.slots.resize(parts, (0, 0));
        }
    }

    /// The parts of an inner part or a leaf: the first one and how many; they follow each other.
    pub(super) fn open(&mut self, tree: &MeshTree, code: Code, mover: &Mover, span: [f64; 2]) -> (Part, u32) {
        let (node, lane) = (&tree.nodes()[code as usize / WIDTH], code as usize % WIDTH);
        let (child, count) = (node.child[lane], u32::from(node.count[lane]));
        let is_leaf = count > 0;
        let count = if is_leaf { count } else { tree.nodes()[child as usize].len.into() };
        let first = if is_leaf { child | TRIANGLE } else { child * WIDTH as Code };
        let slot = &mut self.slots[code as usize];
        if slot.0 != self.search {
            *slot = (self.search, self.boxes.len() as u32);
            for i in 0..count {
                self.boxes.push(if is_leaf {
                    PartBox::of_triangle(tree.triangles()[(child + i) as usize], mover, span)
                } else {
                    child_box(tree, child, i as usize, mover, span)
                });
            }
        }
        (Part { code: first, slot: slot.1 }, count)
    }
}

const _: () = assert!(LEAF_SIZE <= WIDTH, "the triangles of a leaf fill the lanes of a node");

/// Box of a child of a node.
pub(super) fn child_box(tree: &MeshTree, node: u32, lane: usize, mover: &Mover, span: [f64; 2]) -> PartBox {
    let node = &tree.nodes()[node as usize];
    let grid = tree.grid();
    let length = 1.0 / grid.scale;
    let corner = |v: &[[f32; WIDTH]; 3]| Vec3::new(v[0][lane].into(), v[1][lane].into(), v[2][lane].into());
    let (min, max) = (corner(&node.min), corner(&node.max));
    // Sums and differences of single precision numbers are exact here or far below the rounding of coordinates.
    PartBox::new(grid.center + (0.5 * length) * (min + max), (0.5 * length) * (max - min), mover, span)
}

/// How far two boxes are apart at least, and for how long they stay so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Apart {
    /// Metres beyond what is asked for; not positive if nothing is known.
    pub(super) gap: f64,
    pub(super) step: f64,
}

/// What all pairs of boxes at one instant share: the directions of the axes of both.
pub(super) struct BoxView {
    /// Rows: how far a unit of each half axis of b reaches along the axes of a.
    reach: Mat3,
    reach_back: Mat3,
    /// Rows: by how much the velocity along the axes of a (of b) changes per unit along the axes of a and of b.
    spin_a: [Mat3; 2],
    spin_b: [Mat3; 2],
}

impl BoxView {
    pub(super) fn new(now: &Instant) -> BoxView {
        let back = now.turn.transpose();
        let [omega_a, omega_b] = now.twists.map(|twist| twist.angular);
        let spin = |n: Vec3, omega: Vec3| n.cross(omega);
        let rows = |f: &dyn Fn(Vec3) -> Vec3, axes: &Mat3| {
            Mat3::from_cols(f(axes.x_axis).abs(), f(axes.y_axis).abs(), f(axes.z_axis).abs()).transpose()
        };
        let (own, other) = (Mat3::IDENTITY, now.turn);
        let on_a = |n: Vec3| spin(n, omega_a);
        let on_b = |n: Vec3| back * spin(n, omega_b);
        BoxView {
            reach: Mat3::from_cols(now.turn.x_axis.abs(), now.turn.y_axis.abs(), now.turn.z_axis.abs()),
            reach_back: Mat3::from_cols(back.x_axis.abs(), back.y_axis.abs(), back.z_axis.abs()),
            spin_a: [rows(&on_a, &own), rows(&on_a, &other)],
            spin_b: [rows(&on_b, &own), rows(&on_b, &other)],
        }
    }

    /// For how long, up to `longest`, two boxes stay farther than `margin` apart, by the best of seven directions; see the module
    /// `advance`.
    #[inline]
    pub(super) fn apart(&self, now: &Instant, a: &PartBox, b: &PartBox, margin: f64, longest: f64) -> Apart {
        let center_b = now.place(b.center);
        let delta = center_b - a.center;
        let speed = now.twists[1].velocity(center_b) - now.twists[0].velocity(a.center);
        let back =
            |v: Vec3| Vec3::new(now.turn.x_axis.dot(v), now.turn.y_axis.dot(v), now.turn.z_axis.dot(v));
        let curve = -0.5 * (a.acceleration + b.acceleration);
        let mut best = Apart { gap: 0.0, step: 0.0 };
        let with = |best: &mut Apart, p: f64, q: f64| {
            if p > 0.0 {
                best.gap = best.gap.max(p);
                // A root is worth its price only where the gap is still open at the end of the best step.
                if p + best.step * (q + best.step * curve) > 0.0 {
                    best.step = best.step.max(first_zero(p, q, curve));
                }
            }
        };
        // Between points of the two that are near each other: from the point of a next to the centre of b to the point of b
        // next to that one, and from there once more to a.
        let on_a = delta.clamp(-a.half, a.half);
        let on_b = delta + now.turn * back(on_a - delta).clamp(-b.half, b.half);
        let between = on_b - on_b.clamp(-a.half, a.half);
        let square = between.length_squared();
        if square > 0.0 {
            let n = between / square.sqrt();
            let [omega_a, omega_b] = now.twists.map(|twist| twist.angular);
            let p = n.dot(delta) - n.abs().dot(a.half) - back(n).abs().dot(b.half) - margin;
            let q =
                n.dot(speed) - n.cross(omega_a).abs().dot(a.half) - back(n.cross(omega_b)).abs().dot(b.half);
            with(&mut best, p, q);
            if best.step >= longest {
                return best;
            }
        }
        // Along the axes of a.
        let p = delta.abs() - a.half - self.reach * b.half - Vec3::splat(margin);
        let q = delta.signum() * speed - self.spin_a[0] * a.half - self.spin_b[0] * b.half;
        for k in 0..3 {
            with(&mut best, p[k], q[k]);
        }
        if best.step >= longest {
            return best;
        }
        // Along the axes of b.
        let (delta_b, speed_b) = (back(delta), back(speed));
        let p = delta_b.abs() - b.half - self.reach_back * a.half - Vec3::splat(margin);
        let q = delta_b.signum() * speed_b - self.spin_a[1] * a.half - self.spin_b[1] * b.half;
        for k in 0..3 {
            with(&mut best, p[k], q[k]);
        }
        best
    }
}

/// The same with bounds of the travel alone.
pub(super) fn apart_first_order(
    apart: Apart,
    boxes: [&PartBox; 2],
    movers: &[Mover; 2],
    now: &Instant,
    last: f64,
) -> Apart {
    let step = first_order(apart.gap, last - now.time, |step| {
        let span = [now.time, now.time + step];
        movers[0].travel(boxes[0].center, boxes[0].radius, span)
            + movers[1].travel(boxes[1].center, boxes[1].radius, span)
    });
    Apart { step, ..apart }
}
