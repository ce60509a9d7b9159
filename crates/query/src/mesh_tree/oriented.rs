//! Oriented boxes of all children, fitted to the surface below, and how far two of them are apart at least.
//!
//! A patch of a surface is thin across; an axis-parallel box round it is not. Boxes that follow the patch keep the
//! number of pairs that have to be opened per level about constant, however fine the meshes are.

use super::node::{Grid, Node, WIDTH};
use super::simd::{Kernel, Lanes, dispatch};
use freiraum_geometry::glam::{Mat3A, Vec3A};
use freiraum_geometry::{Mat3, Vec3};

/// The oriented boxes of the children of one node, in tree coordinates. Lanes without a child hold a point.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct OrientedNode {
    pub(super) center: [[f32; WIDTH]; 3],
    /// Unit axes, the first across the surface.
    pub(super) axes: [[[f32; WIDTH]; 3]; 3],
    pub(super) half: [[f32; WIDTH]; 3],
}

impl OrientedNode {
    const POINTS: OrientedNode =
        OrientedNode { center: [[0.0; WIDTH]; 3], axes: [[[0.0; WIDTH]; 3]; 3], half: [[0.0; WIDTH]; 3] };

    /// The box in one lane.
    #[inline]
    pub(super) fn lane(&self, lane: usize) -> OrientedBox {
        let vector = |v: &[[f32; WIDTH]; 3]| Vec3A::new(v[0][lane], v[1][lane], v[2][lane]);
        OrientedBox {
            center: vector(&self.center),
            axes: self.axes.each_ref().map(vector),
            half: vector(&self.half),
        }
    }

    fn set(&mut self, lane: usize, b: &OrientedBox) {
        for k in 0..3 {
            self.center[k][lane] = b.center[k];
            self.half[k][lane] = b.half[k];
            for axis in 0..3 {
                self.axes[axis][k][lane] = b.axes[axis][k];
            }
        }
    }
}

/// One oriented box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OrientedBox {
    pub(super) center: Vec3A,
    pub(super) axes: [Vec3A; 3],
    pub(super) half: Vec3A,
}

pub(super) type Triple<L> = [L; 3];

#[inline(always)]
pub(super) fn dot<L: Lanes>(a: Triple<L>, b: Triple<L>) -> L {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

/// v - s w
#[inline(always)]
fn minus<L: Lanes>(v: Triple<L>, s: L, w: Triple<L>) -> Triple<L> {
    [v[0].sub(s.mul(w[0])), v[1].sub(s.mul(w[1])), v[2].sub(s.mul(w[2]))]
}

#[inline(always)]
pub(super) fn load<L: Lanes>(v: &[[f32; WIDTH]; 3]) -> Triple<L> {
    [L::load(&v[0]), L::load(&v[1]), L::load(&v[2])]
}

#[inline(always)]
fn splat<L: Lanes>(v: Vec3A) -> Triple<L> {
    [L::splat(v.x), L::splat(v.y), L::splat(v.z)]
}

/// Of a point at `v` from the centre of a box, what is left to the nearest point of the box.
#[inline(always)]
fn beyond<L: Lanes>(v: Triple<L>, along: Triple<L>, axes: &[Triple<L>; 3], half: Triple<L>) -> Triple<L> {
    let zero = L::splat(0.0);
    let mut left = minus(v, along[0].min(half[0]).max(zero.sub(half[0])), axes[0]);
    left = minus(left, along[1].min(half[1]).max(zero.sub(half[1])), axes[1]);
    minus(left, along[2].min(half[2]).max(zero.sub(half[2])), axes[2])
}

#[inline(always)]
fn along<L: Lanes>(v: Triple<L>, axes: &[Triple<L>; 3]) -> Triple<L> {
    [dot(v, axes[0]), dot(v, axes[1]), dot(v, axes[2])]
}

/// How far a box reaches from its centre in a direction.
#[inline(always)]
fn reach<L: Lanes>(u: Triple<L>, axes: &[Triple<L>; 3], half: Triple<L>) -> L {
    let [x, y, z] = along(u, axes);
    x.abs().mul(half[0]).add(y.abs().mul(half[1])).add(z.abs().mul(half[2]))
}

/// Gaps between the shadows of the boxes of a node and one more box on three directions.
///
/// For every direction the gap between the shadows of two bodies on it is a lower bound of their distance. Three
/// directions are tried: across either box, and between points of the two that alternating projections have brought
/// close to each other.
struct Shadows<L> {
    across_lane: L,
    across_other: L,
    between: L,
    /// From the centre of the lane's box to that of the other one, and its parts along both first axes.
    along_lane: L,
    along_other: L,
    /// The third direction.
    u: Triple<L>,
    /// The first two.
    lane_axis: Triple<L>,
    other_axis: Triple<L>,
}

#[inline(always)]
fn shadows<L: Lanes>(node: &OrientedNode, other: &OrientedBox) -> Shadows<L> {
    let c: Triple<L> = load(&node.center);
    let a = [load(&node.axes[0]), load(&node.axes[1]), load(&node.axes[2])];
    let h = load(&node.half);
    let b = [splat(other.axes[0]), splat(other.axes[1]), splat(other.axes[2])];
    let g = splat(other.half);
    let center: Triple<L> = splat(other.center);

    // From the centre of the lane's box to that of the other one.
    let delta = [center[0].sub(c[0]), center[1].sub(c[1]), center[2].sub(c[2])];
    // From the point of the lane's box next to the centre of the other box to that centre.
    let delta_along = along(delta, &a);
    let r = beyond(delta, delta_along, &a, h);
    // From the centre of the lane's box to the point of the other box next to the one just found.
    let e = plus_difference(delta, beyond(r, along(r, &b), &b, g), r);
    // And from the point of the lane's box next to this one to it.
    let d = beyond(e, along(e, &a), &a, h);
    // Where d vanishes the direction is shorter than a unit, which makes the bound lower, not wrong.
    let length = dot(d, d).sqrt().max(L::splat(f32::MIN_POSITIVE));
    let inverse = L::splat(1.0).div(length);
    let u = [d[0].mul(inverse), d[1].mul(inverse), d[2].mul(inverse)];
    let along_other = dot(delta, b[0]);
    Shadows {
        across_lane: delta_along[0].abs().sub(h[0]).sub(reach(a[0], &b, g)),
        across_other: along_other.abs().sub(g[0]).sub(reach(b[0], &a, h)),
        between: dot(delta, u).sub(reach(u, &a, h)).sub(reach(u, &b, g)),
        along_lane: delta_along[0],
        along_other,
        u,
        lane_axis: a[0],
        other_axis: b[0],
    }
}

struct Gaps<'q> {
    node: &'q OrientedNode,
    other: &'q OrientedBox,
}

impl Kernel for Gaps<'_> {
    type Output = [f32; WIDTH];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [f32; WIDTH] {
        let s: Shadows<L> = shadows(self.node, self.other);
        // NaN, from numbers beyond f32, must stay: it compares as "not far enough".
        s.across_lane.max(s.across_other).max(s.between).store()
    }
}

/// How far each box of a node and one more box are apart at least, negative where the boxes may overlap; before rounding.
#[inline]
pub(super) fn gaps(node: &OrientedNode, other: &OrientedBox) -> [f32; WIDTH] {
    dispatch(Gaps { node, other })
}

struct DirectedGaps<'q> {
    node: &'q OrientedNode,
    other: &'q OrientedBox,
}

impl Kernel for DirectedGaps<'_> {
    type Output = ([f32; WIDTH], [[f32; WIDTH]; 3]);

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let s: Shadows<L> = shadows(self.node, self.other);
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let lane_sign = s.along_lane.select_less(zero, zero.sub(one), one);
        let other_sign = s.along_other.select_less(zero, zero.sub(one), one);
        let across = s.across_lane.max(s.across_other);
        let direction = |k: usize| {
            let (x, y) = (s.lane_axis[k].mul(lane_sign), s.other_axis[k].mul(other_sign));
            across.select_less(s.between, s.u[k], s.across_other.select_less(s.across_lane, x, y)).store()
        };
        (across.max(s.between).store(), [direction(0), direction(1), direction(2)])
    }
}

/// The same as [`gaps`], with the directions from the node's boxes to the other one on which they were found.
#[inline]
pub(super) fn directed_gaps(node: &OrientedNode, other: &OrientedBox) -> ([f32; WIDTH], [[f32; WIDTH]; 3]) {
    dispatch(DirectedGaps { node, other })
}

/// v + (w - r)
#[inline(always)]
fn plus_difference<L: Lanes>(v: Triple<L>, w: Triple<L>, r: Triple<L>) -> Triple<L> {
    [v[0].add(w[0].sub(r[0])), v[1].add(w[1].sub(r[1])), v[2].add(w[2].sub(r[2]))]
}

/// What the boxes are fitted from: sums over the triangles, which add up from the leaves to the root.
#[derive(Clone, Copy)]
struct Sums {
    /// Vector area and area, doubled.
    normal: Vec3,
    area: f64,
    count: f64,
    sum: Vec3,
    /// Of the products xx, yy, zz and xy, yz, zx.
    squares: Vec3,
    products: Vec3,
    start: usize,
    end: usize,
}

/// Fits the boxes of all nodes. **Cost.** O(n log n), a few nanoseconds per triangle and level.
pub(super) fn fit(nodes: &[Node], triangles: &[[Vec3; 3]], grid: &Grid) -> Vec<OrientedNode> {
    let points: Vec<Vec3A> =
        triangles.as_flattened().iter().map(|p| grid.tree_from_mesh(*p).as_vec3a()).collect();
    let mut out = vec![OrientedNode::POINTS; nodes.len()];
    fit_node(nodes, &points, 0, &mut out);
    out
}

fn fit_node(nodes: &[Node], points: &[Vec3A], index: usize, out: &mut [OrientedNode]) -> Sums {
    let node = &nodes[index];
    let mut total: Option<Sums> = None;
    for lane in 0..usize::from(node.len) {
        let child = node.child[lane] as usize;
        let sums = match usize::from(node.count[lane]) {
            0 => fit_node(nodes, points, child, out),
            count => leaf_sums(points, child, child + count),
        };
        out[index].set(lane, &fit_box(&sums, &points[3 * sums.start..3 * sums.end]));
        total = Some(match total {
            None => sums,
            Some(t) => Sums {
                normal: t.normal + sums.normal,
                area: t.area + sums.area,
                count: t.count + sums.count,
                sum: t.sum + sums.sum,
                squares: t.squares + sums.squares,
                products: t.products + sums.products,
                start: t.start,
                end: sums.end,
            },
        });
    }
    total.unwrap_or_else(|| leaf_sums(points, 0, 0))
}

fn leaf_sums(points: &[Vec3A], start: usize, end: usize) -> Sums {
    let mut sums = Sums {
        normal: Vec3::ZERO,
        area: 0.0,
        count: 3.0 * (end - start) as f64,
        sum: Vec3::ZERO,
        squares: Vec3::ZERO,
        products: Vec3::ZERO,
        start,
        end,
    };
    for corners in points[3 * start..3 * end].chunks_exact(3) {
        let [a, b, c] = [corners[0], corners[1], corners[2]].map(|p| p.as_dvec3());
        let normal = (b - a).cross(c - a);
        sums.normal += normal;
        sums.area += normal.length();
        for p in [a, b, c] {
            sums.sum += p;
            sums.squares += p * p;
            sums.products += p * Vec3::new(p.y, p.z, p.x);
        }
    }
    sums
}

/// A box round the points with its first axis across the surface.
fn fit_box(sums: &Sums, points: &[Vec3A]) -> OrientedBox {
    let [x, y, z] = axes(sums).map(|v| v.as_vec3a());
    // One product gives the coordinates along all three axes.
    let turn = Mat3A::from_cols(x, y, z).transpose();
    let (mut min, mut max) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
    for &p in points {
        let q = turn * p;
        min = min.min(q);
        max = max.max(q);
    }
    let middle = 0.5 * (min + max);
    // Points and axes are rounded to f32 (half a unit each, also against orthogonality), a coordinate takes five
    // roundings of numbers up to the root of three, the centre as many: together below 12 units.
    let half = 0.5 * (max - min) * (1.0 + 4.0 * f32::EPSILON) + 12.0 * f32::EPSILON;
    OrientedBox { center: x * middle.x + y * middle.y + z * middle.z, axes: [x, y, z], half }
}

/// Unit axes: across the surface, along its longer and its shorter side.
fn axes(sums: &Sums) -> [Vec3; 3] {
    let mean = sums.sum / sums.count;
    let var = sums.squares / sums.count - mean * mean;
    let cov = sums.products / sums.count - mean * Vec3::new(mean.y, mean.z, mean.x);
    let covariance = Mat3::from_cols(
        Vec3::new(var.x, cov.x, cov.z),
        Vec3::new(cov.x, var.y, cov.y),
        Vec3::new(cov.z, cov.y, var.z),
    );
    // A patch that looks mostly one way has a normal; what curves back on itself is measured by its spread.
    let across = if sums.normal.length() > 0.5 * sums.area { sums.normal.try_normalize() } else { None };
    let across = across.unwrap_or_else(|| least_spread(&covariance));
    let (e, f) = across.any_orthonormal_pair();
    let (ce, cf) = (covariance * e, covariance * f);
    let (ee, ef, ff) = (e.dot(ce), e.dot(cf), f.dot(cf));
    // The direction of the larger spread in the plane of e and f: half the angle of (ee - ff, 2 ef).
    let (x, y) = (ee - ff, 2.0 * ef);
    let length = (x * x + y * y).sqrt();
    let long = if length > 0.0 {
        let cosine = (0.5 * (1.0 + x / length)).max(0.0).sqrt();
        let sine = (0.5 * (1.0 - x / length)).max(0.0).sqrt();
        e * cosine + f * if y < 0.0 { -sine } else { sine }
    } else {
        e
    };
    [across, long, across.cross(long)]
}

/// The direction of the least spread: eigenvector of the smallest eigenvalue, by Jacobi rotations.
fn least_spread(covariance: &Mat3) -> Vec3 {
    let mut m = *covariance;
    let mut basis = Mat3::IDENTITY;
    for _ in 0..4 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (pp, qq, pq) = (m.col(p)[p], m.col(q)[q], m.col(p)[q]);
            if pq == 0.0 {
                continue;
            }
            let theta = (qq - pp) / (2.0 * pq);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            let mut turn = Mat3::IDENTITY;
            turn.col_mut(p)[p] = c;
            turn.col_mut(q)[q] = c;
            turn.col_mut(q)[p] = s;
            turn.col_mut(p)[q] = -s;
            m = turn.transpose() * m * turn;
            basis *= turn;
        }
    }
    let spread = [m.col(0)[0], m.col(1)[1], m.col(2)[2]];
    let least = (0..3).min_by(|&i, &j| spread[i].total_cmp(&spread[j])).unwrap_or(0);
    basis.col(least).try_normalize().unwrap_or(Vec3::Z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_tree::MeshTree;
    use crate::mesh_tree::simd::Plain;
    use freiraum_geometry::Mesh;
    use freiraum_testkit::bumpy;
    use freiraum_testkit::random::Random;

    fn tree((vertices, faces): bumpy::Surface) -> MeshTree {
        MeshTree::build(Mesh::new(vertices, faces).unwrap())
    }

    /// All triangles below a child.
    fn below(tree: &MeshTree, node: usize, lane: usize) -> Vec<[Vec3; 3]> {
        let node = &tree.nodes[node];
        let (child, count) = (node.child[lane] as usize, usize::from(node.count[lane]));
        if count > 0 {
            return tree.triangles[child..child + count].to_vec();
        }
        let lanes = 0..usize::from(tree.nodes[child].len);
        lanes.flat_map(|lane| below(tree, child, lane)).collect()
    }

    #[test]
    fn boxes_hold_their_triangles() {
        for tree in [tree(bumpy::torus(30, 20)), tree(bumpy::sphere(6)), tree(bumpy::twisted_tube(20, 9))] {
            for (index, node) in tree.nodes.iter().enumerate() {
                for lane in 0..usize::from(node.len) {
                    let oriented = tree.oriented()[index].lane(lane);
                    for p in below(&tree, index, lane).as_flattened() {
                        let p = tree.grid.tree_from_mesh(*p) - oriented.center.as_dvec3();
                        for k in 0..3 {
                            assert!(oriented.axes[k].as_dvec3().dot(p).abs() <= f64::from(oriented.half[k]));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn gaps_are_lower_bounds_and_the_same_with_and_without_intrinsics() {
        let mut random = Random::new(1);
        let (a, b) = (tree(bumpy::torus(24, 16)), tree(bumpy::sphere(5)));
        let mut apart = 0;
        for _ in 0..300 {
            let (n, m) = (random.below(a.nodes.len()), random.below(b.nodes.len()));
            let other_lane = random.below(usize::from(b.nodes[m].len));
            let shift = Vec3A::from(random.in_cube(2.0).as_vec3().to_array());
            let mut other = b.oriented()[m].lane(other_lane);
            other.center += shift;
            let found = gaps(&a.oriented()[n], &other);
            assert_eq!(found, Gaps { node: &a.oriented()[n], other: &other }.run::<Plain>());
            let directed = directed_gaps(&a.oriented()[n], &other);
            assert_eq!(directed, DirectedGaps { node: &a.oriented()[n], other: &other }.run::<Plain>());
            assert_eq!(directed.0, found);
            let points = below(&b, m, other_lane);
            let points = points.as_flattened().iter().map(|p| b.grid.tree_from_mesh(*p) + shift.as_dvec3());
            let points: Vec<Vec3> = points.collect();
            for lane in 0..usize::from(a.nodes[n].len) {
                let own = below(&a, n, lane);
                let own = own.as_flattened().iter().map(|p| a.grid.tree_from_mesh(*p));
                // Corners are no closer than the boxes; and on the direction the shadows are that far apart.
                let u = Vec3::from(directed.1.map(|x| f64::from(x[lane])));
                let (mut high, mut nearest) = (f64::NEG_INFINITY, f64::INFINITY);
                for p in own {
                    high = high.max(u.dot(p));
                    nearest = points.iter().fold(nearest, |d, q| d.min(p.distance(*q)));
                }
                let low = points.iter().fold(f64::INFINITY, |low, q| low.min(u.dot(*q)));
                let gap = f64::from(found[lane]);
                assert!(gap <= nearest + 1e-5 && gap <= low - high + 1e-5, "{gap} {nearest}");
                apart += usize::from(gap > 0.5 * nearest);
            }
        }
        assert!(apart > 500, "the bounds are good too: {apart}");
    }
}
