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
/// `None` if it is not, or that took too long, or they are as close as `enough`. `share`: of the distance that may be missed.
pub(crate) fn nested_gap(
    inner: &Outline,
    outer: &Outline,
    below: f64,
    enough: f64,
    share: f64,
) -> Option<NestedGap> {
    let mut search = Search { inner, outer, share, enough, least: below, nearest: None, left: BUDGET };
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
    /// What is as close as this ends the search.
    enough: f64,
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
            if self.left == 0 || self.least <= self.enough {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::RotationChart;
    use freiraum_geometry::path::Axis;
    use freiraum_geometry::{Mesh, Pose};
    use freiraum_query::mesh_tree::MeshTree;
    use freiraum_testkit::random::Random;
    use freiraum_testkit::scale;
    use std::f64::consts::TAU;

    /// A wall around z with this radius at each angle and height, and noise on all coordinates.
    fn wall(
        n: usize,
        heights: &[f64],
        radius: impl Fn(f64) -> f64,
        noise: f64,
        random: &mut Random,
    ) -> MeshTree {
        let mut vertices = Vec::new();
        for z in heights {
            for i in 0..n {
                let angle = TAU * i as f64 / n as f64;
                let r = radius(*z);
                let off = random.in_cube(noise);
                vertices.push(Vec3::new(r * angle.cos(), r * angle.sin(), *z) + off);
            }
        }
        let index = |i: usize, j: usize| (j * n + i % n) as u32;
        let mut faces = Vec::new();
        for j in 0..heights.len() - 1 {
            for i in 0..n {
                faces.push([index(i, j), index(i + 1, j), index(i + 1, j + 1)]);
                faces.push([index(i, j), index(i + 1, j + 1), index(i, j + 1)]);
            }
        }
        MeshTree::build(Mesh::new(vertices, faces).unwrap())
    }

    fn samples(tree: &MeshTree) -> Vec<Vec2> {
        let steps = 6;
        let mut out = Vec::new();
        for t in tree.triangles() {
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let (u, v) = (f64::from(i) / f64::from(steps), f64::from(j) / f64::from(steps));
                    let p = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
                    out.push(Vec2::new(p.x.hypot(p.y), p.z));
                }
            }
        }
        out
    }

    #[test]
    fn no_points_of_nested_bodies_come_closer() {
        let mut random = Random::new(17);
        let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
        let chart = RotationChart::new(RotationChart::axes(&axis), Vec3::ZERO, &Pose::IDENTITY, 0.0);
        let mut found = 0;
        for case in 0..scale::cases(60) {
            let noise = [0.0, 1e-9, 1e-2][case % 3];
            let (slope, bulge) = (random.range(-0.3, 0.3), random.range(0.0, 0.2));
            let shape = |r: f64| move |z: f64| r + slope * z + bulge * (3.0 * z).sin();
            let gap = random.range(0.02, 0.3);
            let levels = |low: f64, high: f64, n: usize| -> Vec<f64> {
                (0..=n).map(|k| low + (high - low) * k as f64 / n as f64).collect()
            };
            let [n, m] = [5 + random.below(9), 5 + random.below(9)];
            let shaft = wall(n, &levels(-0.7, 0.7, 1 + random.below(5)), shape(1.0), noise, &mut random);
            let room = (1.0 + gap) / (TAU / (2 * m) as f64).cos();
            let low = random.range(-1.0, 0.9);
            let bearing =
                wall(m, &levels(low, low + 0.6, 1 + random.below(5)), shape(room), noise, &mut random);
            let outlines = [&shaft, &bearing].map(|tree| Outline::of(tree, &chart));
            let share = 1e-9;
            let Some(nested) = nested_gap(&outlines[0], &outlines[1], f64::INFINITY, 0.0, share) else {
                continue;
            };
            // Nested the other way round they are only if they are beside each other.
            let (on_shaft, on_bearing) = (samples(&shaft), samples(&bearing));
            let seen = on_shaft.iter().flat_map(|p| on_bearing.iter().map(move |q| p.distance(*q)));
            let seen = seen.fold(f64::INFINITY, f64::min);
            assert!(nested.lower <= seen + 1e-14, "case {case}: {nested:?} {seen}");
            let Some((triangles, points, distance)) = nested.nearest else { continue };
            found += 1;
            assert!(nested.lower >= distance * (1.0 - 2.0 * share), "case {case}: {nested:?}");
            let [p, q] = points.map(|p| Vec2::new(p.x.hypot(p.y), p.z));
            assert!((p.distance(q) - distance).abs() < 1e-12, "case {case}: {nested:?}");
            for ((tree, triangle), point) in [&shaft, &bearing].into_iter().zip(triangles).zip(points) {
                let corners = tree.triangles()[triangle as usize].map(|p| chart.point(p));
                let off = freiraum_query::elementary::point_triangle(point, corners).distance();
                assert!(off < 1e-12, "case {case}: {off:e}");
            }
        }
        assert!(found > scale::cases(30), "{found}");
    }
}
