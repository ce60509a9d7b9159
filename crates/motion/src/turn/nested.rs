//! How close two bodies come in a full turn if one stays nearer to the axis than the other at all heights: a shaft in its bearing.
//!
//! Then the outer contour f of the inner body and the inner contour g of the outer one are all that matters. With everything below f
//! and above g filled, points at the heights x and y are `√(max(g(y) - f(x), 0)² + (x - y)²)` apart at least; where g(y) is the larger, the two
//! points exist, and a turn brings them that close. Contours are distances of straight lines from the axis, which are
//! convex: chords are not below them, and above them by a sagitta at most, so that halving pieces brackets the least distance.

use super::contour::{ContourPiece, Outline};
use freiraum_geometry::{Vec2, Vec3};
use freiraum_query::elementary::segment_segment;

/// The least distance of two nested bodies in a full turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NestedGap {
    /// They are nowhere closer.
    pub(crate) lower: f64,
    /// Triangles of the inner and of the outer body, points on them in the frame in which the axis is z, and how close a turn
    /// brings them; `None` if no such points were found.
    pub(crate) nearest: Option<([u32; 2], [Vec3; 2], f64)>,
}

/// The least distance of the surfaces, as far as it is below `below`, if `inner` is nearer to the axis than `outer` at all heights;
/// `None` if it is not, or that took too long. `share`: of the distance that may be missed.
pub(crate) fn nested_gap(inner: &Outline, outer: &Outline, below: f64, share: f64) -> Option<NestedGap> {
    let mut search = Search { inner, outer, share, least: below, nearest: None, left: BUDGET };
    let (f, g) = (&inner.outer, &outer.inner);
    let mut first = 0;
    // Pieces are in the order of where they begin; the longest tells how far back one may matter.
    let longest = g.iter().map(|piece| piece.0.heights[1] - piece.0.heights[0]).fold(0.0, f64::max);
    for (i, (a, _)) in f.iter().enumerate() {
        while g.get(first).is_some_and(|(b, _)| b.heights[0] + longest + search.least < a.heights[0]) {
            first += 1;
        }
        let near = g[first..].iter().take_while(|(b, _)| b.heights[0] <= a.heights[1] + search.least);
        for (j, (b, _)) in (first..).zip(near.collect::<Vec<_>>()) {
            if !search.pieces(*a, *b, [i, j]) {
                return None;
            }
        }
    }
    Some(NestedGap { lower: search.least * (1.0 - share), nearest: search.nearest() })
}

/// Halvings at most.
const BUDGET: u32 = 4_000_000;

struct Search<'o> {
    inner: &'o Outline,
    outer: &'o Outline,
    share: f64,
    /// Nothing is closer than this less the share, so far.
    least: f64,
    /// Pieces and heights of the closest points.
    nearest: Option<([usize; 2], [f64; 2], f64)>,
    left: u32,
}

impl Search<'_> {
    /// Looks at two pieces; false if they are not nested, or the budget ended.
    fn pieces(&mut self, a: ContourPiece, b: ContourPiece, pair: [usize; 2]) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let ([a0, a1], [b0, b1]) = (chord(&a), chord(&b));
            let sagitta = sagitta(&b);
            let apart = (a.heights[0] - b.heights[1]).max(b.heights[0] - a.heights[1]).max(0.0);
            let lift = |p: Vec2| Vec3::new(p.x, p.y, 0.0);
            let chords = segment_segment([lift(a0), lift(a1)], [lift(b0), lift(b1)]);
            let mut lower = chords.distance() - sagitta;
            // A point of a farther out than one of b: only the heights tell them apart.
            let may_pass = a0.x.max(a1.x) >= b0.x.min(b1.x) - sagitta;
            if may_pass {
                lower = lower.min(apart);
            }
            if lower >= self.least * (1.0 - self.share) {
                continue;
            }
            for p in [a0, a1] {
                for q in [b0, b1] {
                    let distance = Vec2::new((q.x - p.x).max(0.0), q.y - p.y).length();
                    if distance < self.least {
                        self.least = distance;
                        self.nearest = (q.x > p.x).then_some((pair, [p.y, q.y], distance));
                    }
                }
            }
            if self.left == 0 || self.least == 0.0 {
                return false;
            }
            self.left -= 1;
            // Half of the longer one.
            let (long_a, long_b) = (a0.distance(a1), b0.distance(b1));
            let middle = |piece: &ContourPiece| 0.5 * (piece.heights[0] + piece.heights[1]);
            if long_a >= long_b {
                let m = middle(&a);
                if !(a.heights[0] < m && m < a.heights[1]) {
                    self.least = self.least.min(lower);
                    continue;
                }
                open.extend([(a.part(a.heights[0], m), b), (a.part(m, a.heights[1]), b)]);
            } else {
                let m = middle(&b);
                if !(b.heights[0] < m && m < b.heights[1]) {
                    self.least = self.least.min(lower);
                    continue;
                }
                open.extend([(a, b.part(b.heights[0], m)), (a, b.part(m, b.heights[1]))]);
            }
        }
        true
    }

    fn nearest(&self) -> Option<([u32; 2], [Vec3; 2], f64)> {
        let (pair, heights, distance) = self.nearest?;
        let sources = [self.inner.outer[pair[0]].1, self.outer.inner[pair[1]].1];
        let points = [0, 1].map(|k| {
            let [p, q] = sources[k].ends;
            let share = (heights[k] - p.z) / (q.z - p.z);
            if share.is_finite() { p.lerp(q, share.clamp(0.0, 1.0)) } else { p }
        });
        Some((sources.map(|source| source.triangle), points, distance))
    }
}

/// The ends of a piece as (distance, height).
fn chord(piece: &ContourPiece) -> [Vec2; 2] {
    let at = |k: usize| Vec2::new(piece.squares[2 * k].max(0.0).sqrt(), piece.heights[k]);
    [at(0), at(1)]
}

/// How far below its chord a piece is at most.
fn sagitta(piece: &ContourPiece) -> f64 {
    let [a, b, c] = piece.squares;
    // Seen as |p + s v|: |v|² = a - 2 b + c, the least square is a - (a - b)² / |v|² where that lies between the ends, and the second derivative
    // with respect to s is (a c - b²) / d³.
    let v = a - 2.0 * b + c;
    let foot = (a - b) / v;
    let least = if foot > 0.0 && foot < 1.0 { a - (a - b) * foot } else { a.min(c) };
    let rounding = 8.0 * f64::EPSILON * a.max(c);
    let least = (least - rounding).max(0.0).sqrt();
    let bent = ((a * c - b * b).max(0.0) + rounding * a.max(c)) / (8.0 * least * least * least);
    let most = a.max(c).sqrt() - least;
    if bent < most { bent } else { most.max(0.0) }
}
