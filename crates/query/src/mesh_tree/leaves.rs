//! How far the triangles of two leaves are apart at least, eight pairs at a time.

use super::node::{LEAF_SIZE, WIDTH};
use super::oriented::{Triple, dot, load};
use super::simd::{Kernel, Lanes, dispatch};
use freiraum_geometry::Vec3;
use freiraum_geometry::glam::Vec3A;

/// Corners of eight triangles, relative to some point near by: of each corner x, y and z of all lanes.
type Corners = [[[f32; WIDTH]; 3]; 3];

/// The triangles of two leaves, side by side.
pub(super) struct LeafPairs {
    a: Corners,
    /// The triangles of leaf b two by two.
    b: [Corners; LEAF_SIZE / 2],
    a_len: usize,
    b_len: usize,
}

impl LeafPairs {
    /// Takes one to four triangles of each leaf, in one frame, and the number of tree units per metre.
    pub(super) fn new(a: &[[Vec3; 3]], b: &[[Vec3; 3]], scale: f64) -> LeafPairs {
        let origin = a[0][0];
        let mut out = LeafPairs {
            a: [[[0.0; WIDTH]; 3]; 3],
            b: [[[[0.0; WIDTH]; 3]; 3]; LEAF_SIZE / 2],
            a_len: a.len(),
            b_len: b.len(),
        };
        let near = |p: Vec3| ((p - origin) * scale).as_vec3().to_array();
        // Lanes without a triangle of their own repeat the last one.
        for i in 0..LEAF_SIZE {
            for (corner, p) in a[i.min(a.len() - 1)].iter().enumerate() {
                for (axis, x) in near(*p).into_iter().enumerate() {
                    out.a[corner][axis][i] = x;
                    out.a[corner][axis][i + LEAF_SIZE] = x;
                }
            }
        }
        for j in 0..LEAF_SIZE {
            for (corner, p) in b[j.min(b.len() - 1)].iter().enumerate() {
                for (axis, x) in near(*p).into_iter().enumerate() {
                    let first = (j % 2) * LEAF_SIZE;
                    out.b[j / 2][corner][axis][first..first + LEAF_SIZE].fill(x);
                }
            }
        }
        out
    }

    /// Lower bounds of the distances, in tree units, for every pair, with the direction from a to b on which the shadows of the
    /// triangles are that far apart: `found([i, j], bound, direction)`. Triangles that cross each other may get any bound;
    /// the caller has excluded them.
    #[inline]
    pub(super) fn bounds(&self, mut found: impl FnMut([usize; 2], f32, Vec3A)) {
        for (half, b) in self.b.iter().enumerate().take(self.b_len.div_ceil(2)) {
            let (bounds, [x, y, z]) = dispatch(TriangleGaps { a: &self.a, b });
            for (lane, bound) in bounds.into_iter().enumerate() {
                let (i, j) = (lane % LEAF_SIZE, 2 * half + lane / LEAF_SIZE);
                if i < self.a_len && j < self.b_len {
                    found([i, j], bound, Vec3A::new(x[lane], y[lane], z[lane]));
                }
            }
        }
    }
}

/// The closest points of two triangles lie on an edge each, or on a corner and a face. The vector between them is found
/// among all these, as well as single precision can; the gap between the shadows of the triangles on its direction is
/// then a lower bound of their distance, however good the direction is.
struct TriangleGaps<'q> {
    a: &'q Corners,
    b: &'q Corners,
}

#[inline(always)]
fn sub<L: Lanes>(p: Triple<L>, q: Triple<L>) -> Triple<L> {
    [p[0].sub(q[0]), p[1].sub(q[1]), p[2].sub(q[2])]
}

#[inline(always)]
fn cross<L: Lanes>(p: Triple<L>, q: Triple<L>) -> Triple<L> {
    [
        p[1].mul(q[2]).sub(p[2].mul(q[1])),
        p[2].mul(q[0]).sub(p[0].mul(q[2])),
        p[0].mul(q[1]).sub(p[1].mul(q[0])),
    ]
}

#[inline(always)]
fn unit_range<L: Lanes>(x: L) -> L {
    x.max(L::splat(0.0)).min(L::splat(1.0))
}

/// The shortest vector so far, with its square.
#[derive(Clone, Copy)]
struct Shortest<L> {
    square: L,
    vector: Triple<L>,
}

impl<L: Lanes> Shortest<L> {
    /// Takes another one where it is shorter.
    #[inline(always)]
    fn offer(&mut self, square: L, vector: Triple<L>) {
        for (old, new) in self.vector.iter_mut().zip(vector) {
            *old = square.select_less(self.square, new, *old);
        }
        self.square = square.min(self.square);
    }
}

/// One edge of each triangle with square and inverse square of its length.
#[derive(Clone, Copy)]
struct Edge<L> {
    vector: Triple<L>,
    square: L,
    inverse: L,
}

impl<L: Lanes> Edge<L> {
    #[inline(always)]
    fn new(vector: Triple<L>) -> Edge<L> {
        let square = dot(vector, vector);
        Edge { vector, square, inverse: L::splat(1.0).div(square.max(L::splat(f32::MIN_POSITIVE))) }
    }
}

/// Edge against edge: from the point at s u of the first to that at w + t v of the second.
#[inline(always)]
fn edges<L: Lanes>(best: &mut Shortest<L>, first: &Edge<L>, second: &Edge<L>, w: Triple<L>) {
    let (u, v) = (first.vector, second.vector);
    let (uu, vv, uv) = (first.square, second.square, dot(u, v));
    let (uw, vw) = (dot(u, w), dot(v, w));
    let sine = uu.mul(vv).sub(uv.mul(uv)).max(L::splat(f32::MIN_POSITIVE));
    let s = unit_range(uw.mul(vv).sub(vw.mul(uv)).div(sine));
    let t = unit_range(s.mul(uv).sub(vw).mul(second.inverse));
    let s = unit_range(t.mul(uv).add(uw).mul(first.inverse));
    let d = [
        w[0].add(t.mul(v[0])).sub(s.mul(u[0])),
        w[1].add(t.mul(v[1])).sub(s.mul(u[1])),
        w[2].add(t.mul(v[2])).sub(s.mul(u[2])),
    ];
    best.offer(dot(d, d), d);
}

/// The corners `points` over the face `t`; `sign` is that of the vector from the face to a corner.
#[inline(always)]
fn faces<L: Lanes>(
    best: &mut Shortest<L>,
    t: &[Triple<L>; 3],
    u: &[Edge<L>; 3],
    points: &[Triple<L>; 3],
    sign: f32,
) {
    let normal = cross(u[0].vector, u[1].vector);
    let nn = dot(normal, normal);
    let inverse = L::splat(sign).div(nn.max(L::splat(f32::MIN_POSITIVE)));
    let inwards = [cross(normal, u[0].vector), cross(normal, u[1].vector), cross(normal, u[2].vector)];
    // The normal of a face without area is noise; its edges are all there is of it.
    let noise = L::splat(64.0 * f32::EPSILON * 64.0 * f32::EPSILON).mul(u[0].square.mul(u[1].square));
    for p in points {
        let from = [sub(*p, t[0]), sub(*p, t[1]), sub(*p, t[2])];
        let inside = dot(from[0], inwards[0]).min(dot(from[1], inwards[1])).min(dot(from[2], inwards[2]));
        let share = dot(from[0], normal).mul(inverse);
        let d = [normal[0].mul(share), normal[1].mul(share), normal[2].mul(share)];
        // Not over the face: out of the race.
        let (zero, out) = (L::splat(0.0), L::splat(f32::INFINITY));
        let square = inside.select_less(zero, out, dot(d, d));
        best.offer(noise.select_less(nn, square, out), d);
    }
}

impl Kernel for TriangleGaps<'_> {
    type Output = ([f32; WIDTH], [[f32; WIDTH]; 3]);

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let a: [Triple<L>; 3] = [load(&self.a[0]), load(&self.a[1]), load(&self.a[2])];
        let b: [Triple<L>; 3] = [load(&self.b[0]), load(&self.b[1]), load(&self.b[2])];
        let firsts = [Edge::new(sub(a[1], a[0])), Edge::new(sub(a[2], a[1])), Edge::new(sub(a[0], a[2]))];
        let seconds = [Edge::new(sub(b[1], b[0])), Edge::new(sub(b[2], b[1])), Edge::new(sub(b[0], b[2]))];
        let mut best = Shortest { square: L::splat(f32::INFINITY), vector: sub(b[0], a[0]) };
        for i in 0..3 {
            for j in 0..3 {
                edges(&mut best, &firsts[i], &seconds[j], sub(b[j], a[i]));
            }
        }
        faces(&mut best, &a, &firsts, &b, 1.0);
        faces(&mut best, &b, &seconds, &a, -1.0);

        let d = best.vector;
        let inverse = L::splat(1.0).div(dot(d, d).sqrt().max(L::splat(f32::MIN_POSITIVE)));
        let n = [d[0].mul(inverse), d[1].mul(inverse), d[2].mul(inverse)];
        let low = dot(n, b[0]).min(dot(n, b[1])).min(dot(n, b[2]));
        let high = dot(n, a[0]).max(dot(n, a[1])).max(dot(n, a[2]));
        // Coordinates are rounded once (half a unit), the direction and the products take five more roundings each, on
        // sums up to the root of three times the largest coordinate.
        let mut reach = L::splat(0.0);
        for p in [a[0], a[1], a[2], b[0], b[1], b[2]] {
            reach = p[0].abs().max(p[1].abs()).max(p[2].abs()).max(reach);
        }
        let gaps = low.sub(high).sub(reach.mul(L::splat(32.0 * f32::EPSILON)));
        (gaps.store(), [n[0].store(), n[1].store(), n[2].store()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::{triangle_triangle, triangles_intersect};
    use crate::mesh_tree::simd::Plain;
    use freiraum_testkit::random::Random;

    #[test]
    fn bounds_are_close_to_the_distance_and_never_above() {
        let mut random = Random::new(1);
        let mut seen = 0;
        for round in 0..2000 {
            let mut leaf = |count: usize, center: Vec3, flat: bool| -> Vec<[Vec3; 3]> {
                (0..count)
                    .map(|_| {
                        let mut t = [0; 3].map(|_: i32| random.in_cube(1.0));
                        if flat {
                            t[2] = t[0] + 0.3 * (t[1] - t[0]);
                        }
                        t.map(|p| center + p)
                    })
                    .collect()
            };
            let far = Vec3::new([0.5, 2.0, 5.0, 100.0][round % 4], 0.7, -0.2);
            let (a, b) = (
                leaf(1 + round % 4, Vec3::ZERO, round % 7 == 0),
                leaf(1 + round / 4 % 4, far, round % 11 == 0),
            );
            let mut count = 0;
            let leaves = LeafPairs::new(&a, &b, 0.5);
            leaves.bounds(|[i, j], bound, n| {
                count += 1;
                if triangles_intersect(a[i], b[j]) {
                    return;
                }
                seen += 1;
                let distance = 0.5 * triangle_triangle(a[i], b[j]).distance();
                assert!(f64::from(bound) <= distance, "{bound} {distance}");
                assert!(f64::from(bound) >= distance - 1e-3 - 1e-4 * distance, "{bound} {distance}");
                assert!((n.length() - 1.0).abs() < 1e-6);
            });
            assert_eq!(count, a.len() * b.len());
            for b in &leaves.b {
                let plain = TriangleGaps { a: &leaves.a, b }.run::<Plain>();
                assert_eq!(dispatch(TriangleGaps { a: &leaves.a, b }), plain);
            }
        }
        assert!(seen > 5000, "{seen}");
    }
}
