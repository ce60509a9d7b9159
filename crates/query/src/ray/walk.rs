//! Down a tree of wide nodes along a ray, nearest boxes first.
//!
//! Boxes are tested in single precision, widened so that nothing that the ray hits is left out: the origin is bracketed
//! by two f32 numbers, of which each plane takes the one that widens the box, and the far end is rounded up by more
//! than the three roundings of each plane distance. With AVX2, found when the program runs, a node is tested in one
//! go; the plain loop beside it gives the same bits.

#![allow(unsafe_code)] // AVX2 behind run-time detection; nothing else here is unsafe.

use super::Ray;
use crate::mesh_tree::{Grid, Node, WIDTH};
use freiraum_geometry::Vec3;

/// A ray in tree coordinates, moved along itself to where the tree is.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxRay {
    /// The origin seen from the planes where the ray enters, moved against the ray by more than rounding, and seen from
    /// those where it leaves, moved along it.
    from_near: [f32; 3],
    from_far: [f32; 3],
    inverse: [f32; 3],
    /// Larger by more than the rounding of two plane distances.
    widened: [f32; 3],
    /// For each axis 0 if the ray enters by the planes of least coordinate, 1 if by those of largest.
    side: [usize; 3],
    /// Metres along the ray at which the moved ray starts, tree units per metre, and a bound on what both are off.
    start: f64,
    scale: f64,
    slack: f64,
}

/// Instead of 1 / 0, so that no product is NaN: beyond any box at any distance that differs from zero in f32.
const STEEP: f32 = (1u128 << 100) as f32;

/// More than the rounding of two plane distances: a component of the direction, its reciprocal, a difference and a product
/// each, half an EPSILON at most.
const WIDEN: f32 = 1.0 + 8.0 * f32::EPSILON;

impl BoxRay {
    pub(super) fn new(ray: &Ray, grid: &Grid) -> BoxRay {
        let origin = grid.tree_from_mesh(ray.origin);
        // The mesh lies within 2 of the tree's origin: the ray may start 4 before the point next to that origin.
        let shift = (-origin.dot(ray.direction) - 4.0).max(0.0);
        let moved = origin + shift * ray.direction;
        let slack = 64.0 * f64::EPSILON * (4.0 + origin.abs().max_element());
        let mut side = [0; 3];
        let (mut from_near, mut from_far, mut inverses) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            // Rounding to f32 moves by half an EPSILON at most, and by far less than the slack where that is denormal.
            let step = slack + f64::from(f32::EPSILON) * moved[axis].abs();
            let (above, below) = ((moved[axis] + step) as f32, (moved[axis] - step) as f32);
            let inverse = (1.0 / ray.direction[axis] as f32).clamp(-STEEP, STEEP);
            let is_back = inverse < 0.0;
            (from_near[axis], from_far[axis]) = if is_back { (below, above) } else { (above, below) };
            side[axis] = usize::from(is_back);
            inverses[axis] = inverse;
        }
        BoxRay {
            from_near,
            from_far,
            inverse: inverses,
            widened: inverses.map(|inverse| inverse * WIDEN),
            side,
            start: shift / grid.scale,
            scale: grid.scale,
            slack,
        }
    }

    /// A distance in metres in tree units along the moved ray, not rounded down.
    #[inline(always)]
    pub(super) fn limit(&self, distance: f64) -> f32 {
        let reach = (distance - self.start) * self.scale + self.slack;
        (reach + f64::from(f32::EPSILON) * reach.abs()) as f32 * WIDEN
    }

    /// The distances at which the ray enters the boxes of a node, and a bit for each lane that it hits up to `limit`.
    #[inline(always)]
    pub(super) fn enter(&self, node: &Node, limit: f32) -> ([f32; WIDTH], u32) {
        let mut near = [0.0f32; WIDTH];
        let mut mask = 0;
        let [x, y, z] = [0, 1, 2].map(|axis| self.planes(node, axis));
        let first = |lane: usize, axis: usize, plane: &[f32; WIDTH]| {
            (plane[lane] - self.from_near[axis]) * self.inverse[axis]
        };
        let second = |lane: usize, axis: usize, plane: &[f32; WIDTH]| {
            (plane[lane] - self.from_far[axis]) * self.widened[axis]
        };
        for (lane, near) in near.iter_mut().enumerate() {
            *near =
                larger(larger(first(lane, 0, x.0), first(lane, 1, y.0)), larger(first(lane, 2, z.0), 0.0));
            let far = smaller(
                smaller(second(lane, 0, x.1), second(lane, 1, y.1)),
                smaller(second(lane, 2, z.1), limit),
            );
            mask |= u32::from(*near <= far) << lane;
        }
        (near, mask)
    }

    /// Where the ray enters and where it leaves the slabs of an axis. Those of empty lanes are infinite, the wrong way round.
    #[inline(always)]
    fn planes<'n>(&self, node: &'n Node, axis: usize) -> (&'n [f32; WIDTH], &'n [f32; WIDTH]) {
        if self.side[axis] == 0 {
            (&node.min[axis], &node.max[axis])
        } else {
            (&node.max[axis], &node.min[axis])
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl BoxRay {
    /// [`BoxRay::enter`], lane by lane the same operations.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn enter_avx2(&self, node: &Node, limit: f32) -> ([f32; WIDTH], u32) {
        use std::arch::x86_64::{
            _CMP_LE_OQ, _mm256_cmp_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps,
            _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps, _mm256_sub_ps,
        };
        let planes = |axis: usize| {
            // SAFETY: the node begins with `min` and `max`, 24 numbers each; sides are 0 or 1.
            let (first, second) = unsafe {
                let planes = std::ptr::from_ref(node).cast::<f32>().add(WIDTH * axis);
                (
                    _mm256_loadu_ps(planes.add(3 * WIDTH * self.side[axis])),
                    _mm256_loadu_ps(planes.add(3 * WIDTH - 3 * WIDTH * self.side[axis])),
                )
            };
            let first = _mm256_sub_ps(first, _mm256_set1_ps(self.from_near[axis]));
            let second = _mm256_sub_ps(second, _mm256_set1_ps(self.from_far[axis]));
            (
                _mm256_mul_ps(first, _mm256_set1_ps(self.inverse[axis])),
                _mm256_mul_ps(second, _mm256_set1_ps(self.widened[axis])),
            )
        };
        let [x, y, z] = [planes(0), planes(1), planes(2)];
        let near = _mm256_max_ps(_mm256_max_ps(x.0, y.0), _mm256_max_ps(z.0, _mm256_setzero_ps()));
        let far = _mm256_min_ps(_mm256_min_ps(x.1, y.1), _mm256_min_ps(z.1, _mm256_set1_ps(limit)));
        let mask = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(near, far)) as u32;
        let mut out = [0.0; WIDTH];
        // SAFETY: the array holds eight numbers.
        unsafe { _mm256_storeu_ps(out.as_mut_ptr(), near) };
        (out, mask)
    }
}

/// As the machine instructions do it, without the care for NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// What to do after a leaf.
pub(super) enum Next {
    /// Nothing new.
    Continue,
    /// Only what is nearer matters from now on, in tree units.
    Nearer(f32),
    /// The question is answered.
    Stop,
}

/// Children that wait at most before the walk goes on below a node with a stack of its own: nine levels of full nodes,
/// more than half a million triangles have.
pub(super) const WAITING: usize = 64;

/// A child that the ray enters: the distance at which it does as bits of an f32 that is not negative, which are ordered
/// like the numbers, above its place, eight times the node plus the lane.
pub(super) type Entry = u64;

/// Calls `leaf` with the first item and the number of items of the leaves that the ray hits up to `limit`, roughly in
/// the order of their distance; before that `expect` with the first item of those that will be, unless something nearer is
/// found.
///
/// No allocation: where the stack would overflow, in trees much deeper than those of real meshes, the function calls
/// itself for the part below.
#[inline(always)]
pub(super) fn walk(
    nodes: &[Node],
    ray: &BoxRay,
    limit: f32,
    expect: impl Fn(usize),
    mut leaf: impl FnMut(usize, usize) -> Next,
) {
    // The first node of a mesh tree has one child; its box is that of the eight below it.
    let top = &nodes[0];
    let start = if top.len == 1 && top.count[0] == 0 { top.child[0] } else { 0 };
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        unsafe { walk_avx2(nodes, start, ray, limit, &expect, &mut leaf) };
        return;
    }
    walk_plain(nodes, start, ray, limit, &expect, &mut leaf);
}

/// The limit after the walk; `None` if it was stopped.
fn walk_plain<E: Fn(usize), L: FnMut(usize, usize) -> Next>(
    nodes: &[Node],
    start: u32,
    ray: &BoxRay,
    limit: f32,
    expect: &E,
    leaf: &mut L,
) -> Option<f32> {
    let enter = |node: &Node, limit: f32| ray.enter(node, limit);
    let below = |start: u32, limit: f32, leaf: &mut L| walk_plain(nodes, start, ray, limit, expect, leaf);
    walk_with(nodes, start, limit, enter, below, expect, leaf)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn walk_avx2<E: Fn(usize), L: FnMut(usize, usize) -> Next>(
    nodes: &[Node],
    start: u32,
    ray: &BoxRay,
    limit: f32,
    expect: &E,
    leaf: &mut L,
) -> Option<f32> {
    let enter = |node: &Node, limit: f32| ray.enter_avx2(node, limit);
    let below = |start: u32, limit: f32, leaf: &mut L| walk_avx2(nodes, start, ray, limit, expect, leaf);
    walk_with(nodes, start, limit, enter, below, expect, leaf)
}

#[inline(always)]
fn walk_with<L: FnMut(usize, usize) -> Next>(
    nodes: &[Node],
    start: u32,
    mut limit: f32,
    enter: impl Fn(&Node, f32) -> ([f32; WIDTH], u32),
    below: impl Fn(u32, f32, &mut L) -> Option<f32>,
    expect: impl Fn(usize),
    leaf: &mut L,
) -> Option<f32> {
    let mut stack = [0; WAITING];
    let mut len = 0;
    let mut open = start;
    loop {
        let node = &nodes[open as usize];
        prefetch(&node.child);
        let (near, mut mask) = enter(node, limit);
        let mut lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        if mask != 0 {
            let entry = |lane: u32| {
                let lane = lane as usize % WIDTH;
                if node.count[lane] == 0 {
                    nodes.get(node.child[lane] as usize).map(prefetch);
                } else {
                    expect(node.child[lane] as usize);
                }
                (Entry::from(near[lane].to_bits()) << 32) | Entry::from(open * WIDTH as u32 + lane as u32)
            };
            let mut nearest = entry(lane);
            // The others go on the stack, the farthest lowest.
            let base = len;
            while mask != 0 {
                let next = entry(mask.trailing_zeros());
                mask &= mask - 1;
                let farther = nearest.max(next);
                nearest = nearest.min(next);
                let mut place = len;
                while place > base && stack[place - 1] < farther {
                    stack[place] = stack[place - 1];
                    place -= 1;
                }
                stack[place] = farther;
                len += 1;
            }
            lane = nearest as u32 % WIDTH as u32;
        }
        let mut place = (open * WIDTH as u32 + lane) as usize;
        let mut is_any = lane < WIDTH as u32;
        // Leaves, until a node comes up.
        loop {
            if !is_any {
                loop {
                    if len == 0 {
                        return Some(limit);
                    }
                    len -= 1;
                    if f32::from_bits((stack[len] >> 32) as u32) <= limit {
                        break;
                    }
                }
                place = stack[len] as u32 as usize;
            }
            is_any = false;
            let (node, lane) = (&nodes[place / WIDTH], place % WIDTH);
            let count = usize::from(node.count[lane]);
            if count == 0 {
                open = node.child[lane];
                if len + WIDTH <= WAITING {
                    break;
                }
                limit = below(open, limit, leaf)?;
            } else {
                match leaf(node.child[lane] as usize, count) {
                    Next::Continue => {}
                    Next::Nearer(new_limit) => limit = new_limit,
                    Next::Stop => return None,
                }
            }
        }
    }
}

/// Asks for data that will soon be read, where the processor can.
#[inline(always)]
pub(super) fn prefetch<T>(data: &T) {
    #[cfg(target_arch = "x86_64")]
    for offset in (0..size_of::<T>()).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: within the data; and a prefetch has no effect but on speed.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(data).cast::<i8>().add(offset)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = data;
}

/// The grid of a scene within a box; see [`Grid`].
pub(super) fn grid_of(center: Vec3, reach: f64) -> Grid {
    // The power of two at or above the reach, from the exponent.
    let exponent = if reach > 0.0 { ((reach.to_bits() >> 52) as i32 - 1022).clamp(-500, 500) } else { 0 };
    Grid { center, scale: f64::from_bits(((1023 - exponent) as u64) << 52) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn wide_and_plain_nodes_agree_bit_for_bit() {
        if !std::arch::is_x86_feature_detected!("avx2") {
            return;
        }
        let mut random = Random::new(1);
        let grid = grid_of(Vec3::ZERO, 1.0);
        let mut hits = 0;
        for case in 0..20000 {
            let mut coordinate = || (random.range(-1.0, 1.0) * 4.0).round() as f32 / 4.0;
            let mut node = Node {
                min: [[f32::INFINITY; WIDTH]; 3],
                max: [[f32::NEG_INFINITY; WIDTH]; 3],
                child: [0; WIDTH],
                count: [1; WIDTH],
                len: (1 + case % WIDTH) as u8,
            };
            for lane in 0..usize::from(node.len) {
                for axis in 0..3 {
                    let (a, b) = (coordinate(), coordinate());
                    (node.min[axis][lane], node.max[axis][lane]) = (a.min(b), a.max(b));
                }
            }
            let far = [1.0, 1e9, 1e60][case % 3];
            let mut d = random.direction();
            d[case % 3] *= [0.0, -0.0, 1.0, 1.0][case % 4];
            let Ok(ray) = Ray::new(far * random.in_cube(1.0).clamp(-Vec3::ONE, Vec3::ONE), d, 1.0) else {
                continue;
            };
            let boxes = BoxRay::new(&ray, &grid);
            let limit = [f32::INFINITY, 1.0][case % 2];
            // SAFETY: the processor has AVX2, as asked above.
            let wide = unsafe { boxes.enter_avx2(&node, limit) };
            let plain = boxes.enter(&node, limit);
            assert_eq!((wide.0.map(f32::to_bits), wide.1), (plain.0.map(f32::to_bits), plain.1));
            hits += wide.1.count_ones();
        }
        assert!(hits > 1000);
    }
}
