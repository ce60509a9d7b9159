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
        for (mine, other) in self.vector.iter_mut().zip(vector) {
            *mine = square.select_less(self.square, other, *mine);
        }
        self.square = square.min(self.square);
    }
}

/// Edge against edge: from the point at s u of the first to that at w + t v of the second.
#[inline(always)]
fn edges<L: Lanes>(best: &mut Shortest<L>, [u, v, w]: [Triple<L>; 3], [uu, vv, uv]: [L; 3]) {
    let least = L::splat(f32::MIN_POSITIVE);
    let (uw, vw) = (dot(u, w), dot(v, w));
    let sine = uu.mul(vv).sub(uv.mul(uv)).max(least);
    let s = unit_range(uw.mul(vv).sub(vw.mul(uv)).div(sine));
    let t = unit_range(s.mul(uv).sub(vw).div(vv.max(least)));
    let s = unit_range(t.mul(uv).add(uw).div(uu.max(least)));
    let at = |k: usize| w[k].add(t.mul(v[k])).sub(s.mul(u[k]));
    let d = [at(0), at(1), at(2)];
    best.offer(dot(d, d), d);
}

/// The corners `points` over the face `t`; `sign` is that of the vector from the face to a corner.
#[inline(always)]
fn faces<L: Lanes>(
    best: &mut Shortest<L>,
    t: &[Triple<L>; 3],
    u: &[Triple<L>; 3],
    points: &[Triple<L>; 3],
    sign: f32,
) {
    let normal = cross(u[0], u[1]);
    let nn = dot(normal, normal).max(L::splat(f32::MIN_POSITIVE));
    let inwards = [cross(normal, u[0]), cross(normal, u[1]), cross(normal, u[2])];
    for p in points {
        let from = [sub(*p, t[0]), sub(*p, t[1]), sub(*p, t[2])];
        let inside = dot(from[0], inwards[0]).min(dot(from[1], inwards[1])).min(dot(from[2], inwards[2]));
        let height = dot(from[0], normal);
        let share = height.mul(L::splat(sign)).div(nn);
        let d = [normal[0].mul(share), normal[1].mul(share), normal[2].mul(share)];
        // Not over the face: out of the race.
        let square = inside.select_less(L::splat(0.0), L::splat(f32::INFINITY), dot(d, d));
        best.offer(square, d);
    }
}

impl Kernel for TriangleGaps<'_> {
    type Output = ([f32; WIDTH], [[f32; WIDTH]; 3]);

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let a: [Triple<L>; 3] = [load(&self.a[0]), load(&self.a[1]), load(&self.a[2])];
        let b: [Triple<L>; 3] = [load(&self.b[0]), load(&self.b[1]), load(&self.b[2])];
        let u = [sub(a[1], a[0]), sub(a[2], a[1]), sub(a[0], a[2])];
        let v = [sub(b[1], b[0]), sub(b[2], b[1]), sub(b[0], b[2])];
        let uu = [dot(u[0], u[0]), dot(u[1], u[1]), dot(u[2], u[2])];
        let vv = [dot(v[0], v[0]), dot(v[1], v[1]), dot(v[2], v[2])];
        let w = sub(b[0], a[0]);
        let mut best = Shortest { square: L::splat(f32::INFINITY), vector: w };
        for i in 0..3 {
            for j in 0..3 {
                edges(&mut best, [u[i], v[j], sub(b[j], a[i])], [uu[i], vv[j], dot(u[i], v[j])]);
            }
        }
        faces(&mut best, &a, &u, &b, 1.0);
        faces(&mut best, &b, &v, &a, -1.0);

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
