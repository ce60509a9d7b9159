//! Axis-parallel boxes of a node against one box, all lanes at once.

use super::node::{Node, WIDTH};
use super::simd::{Kernel, Lanes, dispatch};
use freiraum_geometry::Vec3;

/// A box in tree coordinates, in single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

impl Bounds {
    /// The box of a lane.
    #[inline]
    pub(super) fn of_lane(node: &Node, lane: usize) -> Bounds {
        Bounds { min: node.min.map(|x| x[lane]), max: node.max.map(|x| x[lane]) }
    }

    /// A point in f64, rounded outwards.
    #[inline]
    pub(super) fn of_point(point: Vec3) -> Bounds {
        let p = point.as_vec3().to_array();
        Bounds { min: p.map(f32::next_down), max: p.map(f32::next_up) }
    }
}

/// The largest gap along an axis between the box of each lane and `bounds`: above 0 exactly where they have no common
/// point.
#[inline(always)]
pub(super) fn separations<L: Lanes>(node: &Node, bounds: &Bounds) -> L {
    let mut most = L::splat(f32::NEG_INFINITY);
    for axis in 0..3 {
        let low = L::load(&node.min[axis]).sub(L::splat(bounds.max[axis]));
        let high = L::splat(bounds.min[axis]).sub(L::load(&node.max[axis]));
        most = low.max(high).max(most);
    }
    most
}

/// For every lane of `a` a bit for every lane of `b` whose box it meets.
#[inline(always)]
pub(super) fn overlaps<L: Lanes>(a: &Node, b: &Node) -> [u32; WIDTH] {
    let min: [L; 3] = [L::load(&b.min[0]), L::load(&b.min[1]), L::load(&b.min[2])];
    let max: [L; 3] = [L::load(&b.max[0]), L::load(&b.max[1]), L::load(&b.max[2])];
    let mut bits = [0; WIDTH];
    for (lane, bits) in bits.iter_mut().enumerate().take(usize::from(a.len)) {
        // One of the differences is above 0 exactly where there is no common point; empty lanes give infinity.
        let mut most = L::splat(f32::NEG_INFINITY);
        for axis in 0..3 {
            let low = min[axis].sub(L::splat(a.max[axis][lane]));
            let high = L::splat(a.min[axis][lane]).sub(max[axis]);
            most = low.max(high).max(most);
        }
        *bits = most.not_greater(L::splat(0.0));
    }
    bits
}

struct Separations<'q> {
    node: &'q Node,
    bounds: &'q Bounds,
}

impl Kernel for Separations<'_> {
    type Output = [f32; WIDTH];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [f32; WIDTH] {
        separations::<L>(self.node, self.bounds).store()
    }
}

/// See [`separations`], for whoever is not a kernel.
#[inline]
pub(super) fn all_separations(node: &Node, bounds: &Bounds) -> [f32; WIDTH] {
    dispatch(Separations { node, bounds })
}

struct SquaredDistances<'q> {
    node: &'q Node,
    point: [f32; 3],
}

impl Kernel for SquaredDistances<'_> {
    type Output = [f32; WIDTH];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [f32; WIDTH] {
        let mut sum = L::splat(0.0);
        for axis in 0..3 {
            let p = L::splat(self.point[axis]);
            let low = L::load(&self.node.min[axis]).sub(p);
            let high = p.sub(L::load(&self.node.max[axis]));
            let gap = low.max(high).max(L::splat(0.0));
            sum = sum.add(gap.mul(gap));
        }
        sum.store()
    }
}

/// Square of the distance between a point and the box of each lane, before rounding.
#[inline]
pub(super) fn squared_distances(node: &Node, point: [f32; 3]) -> [f32; WIDTH] {
    dispatch(SquaredDistances { node, point })
}
