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
    /// Not below the origin, for the planes of least coordinate.
    above: [f32; 3],
    /// Not above it, for those of largest.
    below: [f32; 3],
    inverse: [f32; 3],
    /// Metres along the ray at which the moved ray starts, tree units per metre, and a bound on what both are off.
    start: f64,
    scale: f64,
    slack: f64,
}

/// Instead of 1 / 0, so that no product is NaN: beyond any box at any distance that differs from zero in f32.
const STEEP: f64 = (1u128 << 100) as f64;

/// More than the rounding of two plane distances: a difference, a reciprocal and a product each.
const WIDEN: f32 = 1.0 + 8.0 * f32::EPSILON;

impl BoxRay {
    pub(super) fn new(ray: &Ray, grid: &Grid) -> BoxRay {
        let origin = grid.tree_from_mesh(ray.origin);
        // The mesh lies within 2 of the tree's origin: the ray may start 4 before the point next to that origin.
        let shift = (-origin.dot(ray.direction) - 4.0).max(0.0);
        let moved = origin + shift * ray.direction;
        let slack = 64.0 * f64::EPSILON * (4.0 + origin.abs().max_element());
        let around = |x: f64, step: f64| (x + step) as f32;
        let inverse = |d: f64| (1.0 / d).clamp(-STEEP, STEEP);
        BoxRay {
            above: moved.to_array().map(|x| around(x, slack).next_up()),
            below: moved.to_array().map(|x| around(x, -slack).next_down()),
            inverse: ray.direction.to_array().map(|d| inverse(d) as f32),
            start: shift / grid.scale,
            scale: grid.scale,
            slack,
        }
    }

    /// A distance in metres in tree units along the moved ray, not rounded down.
    #[inline(always)]
    pub(super) fn limit(&self, distance: f64) -> f32 {
        (((distance - self.start) * self.scale + self.slack) as f32).next_up() * WIDEN
    }

    /// The distances at which the ray enters the boxes of a node, and a bit for each lane that it hits up to `limit`.
    #[inline(always)]
    fn enter(&self, node: &Node, limit: f32) -> ([f32; WIDTH], u32) {
        let mut near = [0.0f32; WIDTH];
        let mut far = [limit; WIDTH];
        for axis in 0..3 {
            let inverse = self.inverse[axis];
            let (above, below) = (self.above[axis], self.below[axis]);
            let (min, max) = (&node.min[axis], &node.max[axis]);
            if inverse >= 0.0 {
                for lane in 0..WIDTH {
                    near[lane] = larger((min[lane] - above) * inverse, near[lane]);
                    far[lane] = smaller((max[lane] - below) * inverse, far[lane]);
                }
            } else {
                for lane in 0..WIDTH {
                    near[lane] = larger((max[lane] - below) * inverse, near[lane]);
                    far[lane] = smaller((min[lane] - above) * inverse, far[lane]);
                }
            }
        }
        let mut mask = 0;
        for lane in 0..WIDTH {
            mask |= u32::from(near[lane] <= far[lane] * WIDEN) << lane;
        }
        (near, mask & ((1 << node.len) - 1))
    }
}

#[cfg(target_arch = "x86_64")]
impl BoxRay {
    /// [`BoxRay::enter`], lane by lane the same operations.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn enter_avx2(&self, node: &Node, limit: f32) -> ([f32; WIDTH], u32) {
        use std::arch::x86_64::{
            _CMP_LE_OQ, _mm256_cmp_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps,
            _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps, _mm256_sub_ps,
        };
        let mut near = _mm256_setzero_ps();
        let mut far = _mm256_set1_ps(limit);
        for axis in 0..3 {
            let inverse = _mm256_set1_ps(self.inverse[axis]);
            // SAFETY: both arrays hold eight numbers.
            let (min, max) = unsafe {
                (_mm256_loadu_ps(node.min[axis].as_ptr()), _mm256_loadu_ps(node.max[axis].as_ptr()))
            };
            let low = _mm256_mul_ps(_mm256_sub_ps(min, _mm256_set1_ps(self.above[axis])), inverse);
            let high = _mm256_mul_ps(_mm256_sub_ps(max, _mm256_set1_ps(self.below[axis])), inverse);
            let (first, second) = if self.inverse[axis] >= 0.0 { (low, high) } else { (high, low) };
            near = _mm256_max_ps(first, near);
            far = _mm256_min_ps(second, far);
        }
        let far = _mm256_mul_ps(far, _mm256_set1_ps(WIDEN));
        let mask = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(near, far)) as u32;
        let mut out = [0.0; WIDTH];
        // SAFETY: the array holds eight numbers.
        unsafe { _mm256_storeu_ps(out.as_mut_ptr(), near) };
        (out, mask & ((1 << node.len) - 1))
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

/// Children that wait on the fixed part of the stack; more go to a list that allocates, which only trees
/// much deeper than those of real meshes need.
const WAITING: usize = 64;

#[derive(Clone, Copy)]
struct Waiting {
    near: f32,
    child: u32,
    /// 0 for a node.
    count: u32,
}

/// Calls `leaf` with the first item and the number of items of the leaves that the ray hits up to `limit`, roughly in
/// the order of their distance.
#[inline(always)]
pub(super) fn walk(nodes: &[Node], ray: &BoxRay, limit: f32, leaf: impl FnMut(usize, usize) -> Next) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        unsafe { walk_avx2(nodes, ray, limit, leaf) };
        return;
    }
    walk_with(nodes, limit, |node, limit| ray.enter(node, limit), leaf);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn walk_avx2(nodes: &[Node], ray: &BoxRay, limit: f32, leaf: impl FnMut(usize, usize) -> Next) {
    walk_with(nodes, limit, |node, limit| ray.enter_avx2(node, limit), leaf);
}

#[inline(always)]
fn walk_with(
    nodes: &[Node],
    mut limit: f32,
    enter: impl Fn(&Node, f32) -> ([f32; WIDTH], u32),
    mut leaf: impl FnMut(usize, usize) -> Next,
) {
    let mut stack = [Waiting { near: 0.0, child: 0, count: 0 }; WAITING];
    let mut more: Vec<Waiting> = Vec::new();
    let mut len = 0;
    let mut current = Waiting { near: 0.0, child: 0, count: 0 };
    loop {
        if current.count > 0 {
            match leaf(current.child as usize, current.count as usize) {
                Next::Continue => {}
                Next::Nearer(new_limit) => limit = new_limit,
                Next::Stop => return,
            }
        } else {
            let node = &nodes[current.child as usize];
            let (near, mut mask) = enter(node, limit);
            let take = |lane: usize| Waiting {
                near: near[lane],
                child: node.child[lane],
                count: u32::from(node.count[lane]),
            };
            if mask != 0 {
                let first = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let mut nearest = take(first);
                // The others go on the stack, the farthest lowest.
                let base = len;
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let mut next = take(lane);
                    if next.near < nearest.near {
                        std::mem::swap(&mut next, &mut nearest);
                    }
                    if len == WAITING {
                        more.extend_from_slice(&stack);
                        len = 0;
                    }
                    let mut place = len;
                    while place > base.min(len) && stack[place - 1].near < next.near {
                        stack[place] = stack[place - 1];
                        place -= 1;
                    }
                    stack[place] = next;
                    len += 1;
                }
                current = nearest;
                continue;
            }
        }
        // The next one that is still near enough.
        loop {
            if len == 0 {
                if more.is_empty() {
                    return;
                }
                let kept = more.len() - WAITING;
                stack.copy_from_slice(&more[kept..]);
                more.truncate(kept);
                len = WAITING;
            }
            len -= 1;
            if stack[len].near <= limit {
                current = stack[len];
                break;
            }
        }
    }
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
