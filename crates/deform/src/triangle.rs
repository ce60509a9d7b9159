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
        let (columns, rows) = Triangle::pixels(&corners, grid)?;
        let area = Triangle::doubled_area(&corners);
        (area != 0).then(|| Triangle::prepare(corners, area, columns, rows, grid))
    }

    /// Columns and rows of its box: from the first to one behind the last.
    #[inline(always)]
    pub(crate) fn pixels(corners: &[Snapped; 3], grid: &Grid) -> Option<([u32; 2], [u32; 2])> {
        let [p, q, r] = corners;
        let columns = span([p.u, q.u, r.u], grid.size[0], grid.bits);
        let rows = span([p.v, q.v, r.v], grid.size[1], grid.bits);
        (columns[0] < columns[1] && rows[0] < rows[1]).then_some((columns, rows))
    }

    /// Twice the area, in square units; negative if a ray enters.
    #[inline(always)]
    pub(crate) fn doubled_area([p, q, r]: &[Snapped; 3]) -> i64 {
        i64::from(q.u - p.u) * i64::from(r.v - p.v) - i64::from(r.u - p.u) * i64::from(q.v - p.v)
    }

    /// The rest of it, in the registers of whoever calls.
    #[inline(always)]
    pub(crate) fn prepare(
        [p0, p1, p2]: [Snapped; 3],
        area: i64,
        columns: [u32; 2],
        rows: [u32; 2],
        grid: &Grid,
    ) -> Triangle {
        // The plane's third direction is that of view: a normal against it turns clockwise.
        let front = area < 0;
        let (p1, p2) = if front { (p2, p1) } else { (p1, p2) };
        let area = area.abs();
        let bits = grid.bits;
        let half = (1_i64 << bits) >> 1;
        let first = [(i64::from(columns[0]) << bits) + half, (i64::from(rows[0]) << bits) + half];
        // Edge k lies opposite to corner k.
        let e0 = Edge::new(p1, p2, first, bits);
        let e1 = Edge::new(p2, p0, first, bits);
        let e2 = Edge::new(p0, p1, first, bits);
        let unit = (1_u32 << bits) as f32;
        let per_unit = reciprocal(area as f32) * unit;
        let low = if p1.w < p2.w { p1.w } else { p2.w };
        let high = if p1.w > p2.w { p1.w } else { p2.w };
        Triangle {
            columns,
            rows,
            a: [e0.a, e1.a, e2.a],
            b: [e0.b, e1.b, e2.b],
            c: [e0.c, e1.c, e2.c],
            front,
            base: p0.w,
            rest: [e1.rest * (1.0 / unit), e2.rest * (1.0 / unit)],
            gain: [(p1.w - p0.w) * per_unit, (p2.w - p0.w) * per_unit],
            range: [if p0.w < low { p0.w } else { low }, if p0.w > high { p0.w } else { high }],
        }
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

/// An edge from one corner to the next, in numbers of the first centre.
struct Edge {
    a: i32,
    b: i32,
    c: i32,
    /// What is left of 2^bits, with the bias.
    rest: f32,
}

impl Edge {
    #[inline(always)]
    fn new(from: Snapped, to: Snapped, first: [i64; 2], bits: u32) -> Edge {
        let (du, dv) = (to.u - from.u, to.v - from.v);
        let e =
            i64::from(du) * (first[1] - i64::from(from.v)) - i64::from(dv) * (first[0] - i64::from(from.u));
        let bias = i64::from(!(dv < 0 || (dv == 0 && du > 0)));
        let c = (e - bias) >> bits;
        let rest = ((e - bias) & ((1 << bits) - 1)) + bias;
        Edge { a: -dv, b: du, c: c as i32, rest: rest as i32 as f32 }
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
fn span([x, y, z]: [i32; 3], size: u32, bits: u32) -> [u32; 2] {
    let up = |x: i32| ((x + (1 << bits >> 1) - 1) >> bits).clamp(0, size as i32) as u32;
    [up(x.min(y).min(z)), up(x.max(y).max(z))]
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
