//! Which pixels does a triangle cover, and how deep is it there? The one arithmetic of all renderers.
//!
//! **Coverage.** A ray passes through a pixel's centre p, moved by (e, e²) for an e > 0 that is smaller than everything: no ray
//! ever meets an edge or a vertex. For an edge with the direction (du, dv), the interior on its left, the moved centre lies inside
//! if E(p) > 0, or if E(p) = 0 and du e² - dv e > 0, that is dv < 0, or dv = 0 and du > 0. This is all there is to
//! the rule, and it does not ask which way the triangle faces. So the rays are in general position to every
//! surface; the faces of a closed surface, taken with the signs of their areas, cover each point in general position
//! in the plane zero times in sum (their boundary is empty, and so is the one of their shadow); hence every ray meets as many
//! fronts as backs. Triangles without area meet no ray.
//!
//! **Whole numbers.** E is exact in 64 bits at the first centre of the triangle's box. Centres are 2^bits apart, so
//! E(i, j) - bias = 2^bits (a i + b j + c) + rest with c = floor((E(0, 0) - bias) / 2^bits) and 0 <= rest < 2^bits, and its sign
//! is that of a i + b j + c. Twice the area of two corners and a point of a triangle's box is at most the area of the
//! box, which the grid keeps below 2^(31 + bits): wrapping 32 bits hold the exact value on every centre of the box.
//!
//! **Depth.** The weights of two corners are E / D, exact up to the rounding of f32, so that no sliver is badly conditioned: the
//! depth is off by less than [`DEPTH_ERROR`] steps of that of the snapped triangle. Only additions and products of f32 occur,
//! each rounded to nearest, in the order written in [`Triangle::depth`] and [`reciprocal`]; fused ones would differ.

use crate::grid::Grid;
use crate::snap::Snapped;

/// By how many steps a depth may differ from the exact one of the snapped triangle. The sum of all roundings: seven of 2^-24 of
/// the triangle's range of depth, which has at most 2^23 steps, one of the sum, half a step of the last one.
pub const DEPTH_ERROR: u32 = 5;

/// A triangle ready to be drawn: its box of pixels, three edges, and a plane of depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// First column, and one behind the last.
    pub columns: [u32; 2],
    /// First row, and one behind the last.
    pub rows: [u32; 2],
    /// What each edge gains per column.
    pub a: [i32; 3],
    /// What each edge gains per row.
    pub b: [i32; 3],
    /// Each edge at the first column and row. Covered: none of the three is negative.
    pub c: [i32; 3],
    /// Whether a ray enters here.
    pub front: bool,
    /// Depth of the first corner.
    pub base: f32,
    /// What the whole numbers of edges 1 and 2 lack: (rest + bias) / 2^bits.
    pub rest: [f32; 2],
    /// Depth per whole number of the edges 1 and 2.
    pub gain: [f32; 2],
    /// Least and largest depth of the corners.
    pub range: [f32; 2],
}

impl Triangle {
    /// Prepares a triangle with these corners, in the order of the face. `None` if it covers no pixel of the grid.
    #[must_use]
    pub fn new(corners: [Snapped; 3], grid: &Grid) -> Option<Triangle> {
        Triangle::prepare(corners, grid)
    }

    /// The same, for whoever has wider registers and nothing else to do.
    #[inline(always)]
    pub(crate) fn prepare(corners: [Snapped; 3], grid: &Grid) -> Option<Triangle> {
        let [p0, mut p1, mut p2] = corners;
        let wide = |x: i32| i64::from(x);
        let mut area = wide(p1.u - p0.u) * wide(p2.v - p0.v) - wide(p2.u - p0.u) * wide(p1.v - p0.v);
        if area == 0 {
            return None;
        }
        // The plane's third direction is that of view: a normal against it turns clockwise.
        let front = area < 0;
        if front {
            (p1, p2, area) = (p2, p1, -area);
        }
        let columns = span([p0.u, p1.u, p2.u], grid.size[0], grid.bits)?;
        let rows = span([p0.v, p1.v, p2.v], grid.size[1], grid.bits)?;
        let half = (1_i64 << grid.bits) >> 1;
        let first = [columns[0], rows[0]].map(|k| (i64::from(k) << grid.bits) + half);
        // Edge k lies opposite to corner k.
        let edges = [(p1, p2), (p2, p0), (p0, p1)].map(|(from, to)| {
            let (du, dv) = (to.u - from.u, to.v - from.v);
            let e = wide(du) * (first[1] - wide(from.v)) - wide(dv) * (first[0] - wide(from.u));
            let bias = i64::from(!(dv < 0 || (dv == 0 && du > 0)));
            let c = (e - bias) >> grid.bits;
            let rest = (e - bias) - (c << grid.bits) + bias;
            (-dv, du, c as i32, rest)
        });
        let unit = (1_u32 << grid.bits) as f32;
        let per_unit = reciprocal(area as f32) * unit;
        Some(Triangle {
            columns,
            rows,
            a: edges.map(|e| e.0),
            b: edges.map(|e| e.1),
            c: edges.map(|e| e.2),
            front,
            base: p0.w,
            rest: [1, 2].map(|k| edges[k].3 as f32 * (1.0 / unit)),
            gain: [(p1.w - p0.w) * per_unit, (p2.w - p0.w) * per_unit],
            range: [p0.w.min(p1.w).min(p2.w), p0.w.max(p1.w).max(p2.w)],
        })
    }

    /// The depth in steps where edges 1 and 2 have these values.
    #[inline]
    #[must_use]
    pub fn depth(&self, e1: i32, e2: i32) -> u32 {
        let t1 = (e1 as f32 + self.rest[0]) * self.gain[0];
        let t2 = (e2 as f32 + self.rest[1]) * self.gain[1];
        let w = self.base + (t1 + t2);
        // Plain comparisons: nothing here is NaN. Positive, so that signed numbers do.
        let w = if w > self.range[0] { w } else { self.range[0] };
        let w = if w < self.range[1] { w } else { self.range[1] };
        (w + 0.5) as i32 as u32
    }

    /// Calls back with column, row and key of every pixel that is covered, row by row.
    #[inline]
    pub fn for_each_sample(&self, mut call: impl FnMut(u32, u32, u32)) {
        for row in self.rows[0]..self.rows[1] {
            let j = (row - self.rows[0]) as i32;
            let mut e = [0, 1, 2].map(|k| self.c[k].wrapping_add(self.b[k].wrapping_mul(j)));
            for column in self.columns[0]..self.columns[1] {
                if e[0] | e[1] | e[2] >= 0 {
                    call(column, row, key(self.depth(e[1], e[2]), self.front));
                }
                e = [0, 1, 2].map(|k| e[k].wrapping_add(self.a[k]));
            }
        }
    }
}

/// What layers are sorted by: depth first, at equal depth leaving before entering.
#[inline]
#[must_use]
pub fn key(depth: u32, front: bool) -> u32 {
    depth << 1 | u32::from(front)
}

/// First pixel whose centre is not below the least coordinate, and first one whose centre is not below the largest: centres
/// on the upper border are moved out of the triangle.
#[inline(always)]
fn span(x: [i32; 3], size: u32, bits: u32) -> Option<[u32; 2]> {
    let up = |x: i32| (x - ((1 << bits) >> 1) + ((1 << bits) - 1)) >> bits;
    let first = up(x[0].min(x[1]).min(x[2])).max(0);
    let end = up(x[0].max(x[1]).max(x[2])).min(size as i32);
    (first < end).then_some([first as u32, end as u32])
}

/// 1 / x for x from 1 to 2^43, off by less than two units of the last place: a first guess from the bits, then Newton.
#[inline(always)]
#[must_use]
pub fn reciprocal(x: f32) -> f32 {
    let mut r = f32::from_bits(0x7ef3_11c7 - x.to_bits());
    for _ in 0..3 {
        r = r + r * (1.0 - x * r);
    }
    r
}
