//! How far a body must be shifted until a region of contact is gone.
//!
//! While a is shifted against the normal by s, the curves in which the surfaces cross change with s: they sweep a surface in the space of
//! positions and shifts. The depth of a region is the largest shift on the connected piece of that surface that starts with the rings of the
//! region. The piece is walked pair of faces by pair of faces. For one pair the set of all (position, shift) is convex and bounded by what the
//! edges of the one do with the face of the other, so that neighbouring pairs are those across an edge whose own set is not
//! empty, and the largest shift is found at corners: a corner over a face, or an edge over an edge, seen along the normal.

use super::rings::Side;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::Vec2;
use freiraum_geometry::math::predicates::side_of_line;
use std::cmp::Ordering;
use std::collections::HashSet;

/// The bodies are thought to be smaller by this many times the rounding of their coordinates, so that sides that lie flush along
/// the shift do not count as contact.
const THINNER: f64 = 4.0;

/// Memory for the walk.
#[derive(Debug, Default)]
pub(super) struct Leaving {
    seen: HashSet<[u32; 2]>,
    stack: Vec<[u32; 2]>,
}

/// A corner seen along the normal.
#[derive(Clone, Copy)]
struct Corner {
    at: Vec2,
    height: f64,
}

/// How corners are seen.
struct View {
    normal: Vec3,
    across: [Vec3; 2],
    thinner: f64,
}

impl View {
    fn triangle(&self, side: &Side, face: u32) -> [Corner; 3] {
        side.corners(face).map(|v| {
            let p = side.vertex(v);
            let q = p - self.thinner * side.outward(v);
            Corner { at: Vec2::new(q.dot(self.across[0]), q.dot(self.across[1])), height: p.dot(self.normal) }
        })
    }
}

impl Leaving {
    /// The smallest shift of a against the unit vector `normal` from which on the surfaces that cross at the pairs `start` cross no more; `None` if
    /// they do not cross but by rounding. `slack`: the rounding of the coordinates.
    ///
    /// **Guarantee.** Up to rounding, the surfaces meet for all smaller shifts: no smaller one separates the bodies.
    pub(super) fn shift(
        &mut self,
        [a, b]: &[Side; 2],
        start: &[[u32; 2]],
        normal: Vec3,
        slack: f64,
    ) -> Option<f64> {
        let (first, second) = normal.any_orthonormal_pair();
        let view = View { normal, across: [first, second], thinner: THINNER * slack };
        self.seen.clear();
        self.stack.clear();
        self.seen.extend(start);
        self.stack.extend(start);
        let mut most: Option<f64> = None;
        while let Some([fa, fb]) = self.stack.pop() {
            let edges = meeting_edges(&view.triangle(a, fa), &view.triangle(b, fb));
            for (k, shift) in edges.into_iter().enumerate() {
                let Some(shift) = shift.filter(|s| *s >= -slack) else { continue };
                most = Some(most.map_or(shift, |m| m.max(shift)));
                let mut go_on = |pair: [u32; 2]| {
                    if self.seen.insert(pair) {
                        self.stack.push(pair);
                    }
                };
                if k < 3 {
                    a.beyond(fa, k).for_each(|f| go_on([f, fb]));
                } else {
                    b.beyond(fb, k - 3).for_each(|f| go_on([fa, f]));
                }
            }
        }
        most.map(|m| m.max(0.0))
    }
}

/// For each edge of the upper triangle, then of the lower one: the largest height of the upper one above the lower one along that edge, negative
/// where it is below; `None` where the edge is not over the other triangle at all.
fn meeting_edges(upper: &[Corner; 3], lower: &[Corner; 3]) -> [Option<f64>; 6] {
    let side =
        |of: &[Corner; 3], edge: usize, p: Corner| side_of_line(of[edge].at, of[(edge + 1) % 3].at, p.at);
    let signs = |of: &[Corner; 3], p: &[Corner; 3]| p.map(|p| [0, 1, 2].map(|edge| side(of, edge, p)));
    let (of_upper, of_lower) = (signs(lower, upper), signs(upper, lower));
    let mut most = [None; 6];
    let mut add = |edge: usize, height: f64| {
        let old: &mut Option<f64> = &mut most[edge];
        *old = Some(old.map_or(height, |h| h.max(height)));
    };
    for k in 0..3 {
        // The corner k ends the edges k and k - 1.
        if is_in(&of_upper[k]) && side(lower, 0, lower[2]).is_ne() {
            let height = upper[k].height - height_at(lower, upper[k].at);
            add(k, height);
            add((k + 2) % 3, height);
        }
        if is_in(&of_lower[k]) && side(upper, 0, upper[2]).is_ne() {
            let height = height_at(upper, lower[k].at) - lower[k].height;
            add(3 + k, height);
            add(3 + (k + 2) % 3, height);
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let of_i = [of_upper[i][j], of_upper[(i + 1) % 3][j]];
            let of_j = [of_lower[j][i], of_lower[(j + 1) % 3][i]];
            let is_beside = |[p, q]: [Ordering; 2]| p == q && p.is_ne();
            if is_beside(of_i) || is_beside(of_j) {
                continue;
            }
            let (p, q) = ([upper[i], upper[(i + 1) % 3]], [lower[j], lower[(j + 1) % 3]]);
            if of_i.iter().chain(&of_j).all(|s| s.is_eq()) {
                for height in in_line(p, q).into_iter().flatten() {
                    add(i, height);
                    add(3 + j, height);
                }
            } else {
                let height = between(p, share(q, p)) - between(q, share(p, q));
                add(i, height);
                add(3 + j, height);
            }
        }
    }
    most
}

/// True if a point lies in a triangle with area, by its sides of the three edges.
fn is_in(signs: &[Ordering; 3]) -> bool {
    !(signs.contains(&Ordering::Less) && signs.contains(&Ordering::Greater))
}

fn double_area(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The height of a triangle at a point in it: between the heights of its corners, however thin it is.
fn height_at(t: &[Corner; 3], p: Vec2) -> f64 {
    let weights = [0, 1, 2].map(|k: usize| double_area(t[(k + 1) % 3].at, t[(k + 2) % 3].at, p).abs());
    let total: f64 = weights.iter().sum();
    if total > 0.0 {
        t.iter().zip(weights).map(|(c, w)| c.height * (w / total)).sum()
    } else {
        t.iter().map(|c| c.height / 3.0).sum()
    }
}

/// Where a segment crosses the line of another, as a share of its length.
fn share(line: [Corner; 2], segment: [Corner; 2]) -> f64 {
    let [from, to] = segment.map(|p| double_area(line[0].at, line[1].at, p.at));
    if from == to { 0.5 } else { (from / (from - to)).clamp(0.0, 1.0) }
}

fn between([p, q]: [Corner; 2], share: f64) -> f64 {
    p.height + share * (q.height - p.height)
}

/// The heights of p over q at the ends of what two segments in one line have in common.
fn in_line(p: [Corner; 2], q: [Corner; 2]) -> [Option<f64>; 4] {
    // The share of `segment` at which a point lies on it.
    let on = |segment: [Corner; 2], x: Corner| {
        let along = segment[1].at - segment[0].at;
        let length = along.length_squared();
        if length == 0.0 {
            return (x.at == segment[0].at).then_some(0.5);
        }
        let share = (x.at - segment[0].at).dot(along) / length;
        (0.0..=1.0).contains(&share).then_some(share)
    };
    let over = |x: Corner| on(q, x).map(|s| x.height - between(q, s));
    let under = |x: Corner| on(p, x).map(|s| between(p, s) - x.height);
    [over(p[0]), over(p[1]), under(q[0]), under(q[1])]
}
