//! Do closed convex polygons part the plane between two points?
//!
//! Polygons that touch form a graph. Two points lie in different parts of what is left of the plane exactly if some closed walk in
//! this graph goes round one of them and not round the other, that is, crosses the segment between the points an odd number of
//! times: the polygons and their pairwise intersections are convex, so the walks in the graph stand for all closed curves in the
//! union, and how often a way within a polygon crosses the segment does not depend on the way, but for an even number. So every
//! polygon gets a reference point and every touching pair the parity of the crossings on the way from one reference point to
//! the other; a union-find structure with parities tells whether all closed walks are even.
//!
//! No point of the arrangement is constructed: rounding of a point in which two polygons meet adds an even number of crossings.

use super::boxes::Boxes;
use super::polygon::Polygon;
use freiraum_geometry::Vec2;
use freiraum_geometry::math::UnionFind;
use freiraum_geometry::math::predicates::side_of_line;
use freiraum_motion::CancelToken;
use rayon::prelude::*;
use std::cmp::Ordering::{Greater, Less};

/// Polygons that cover a part of the plane.
pub(super) struct Cover {
    pub(super) polygons: Vec<Polygon>,
    /// How many of the first polygons stand for half planes: those meet at infinity.
    pub(super) endless: usize,
    pub(super) boxes: Boxes,
}

impl Cover {
    /// The first `endless` polygons stand for half planes. Polygons that lie in another one are left out. `None` if nobody waits for it.
    pub(super) fn new(polygons: Vec<Polygon>, endless: usize, cancel: &CancelToken) -> Option<Cover> {
        let boxes = Boxes::of(&polygons);
        // Large ones first; of equal ones the first is kept.
        let areas: Vec<f64> = polygons.iter().map(Polygon::area).collect();
        let is_needless = |&i: &usize| {
            let polygon = &polygons[i];
            boxes.any([polygon.corners()[0]; 2], |k| {
                (areas[k] > areas[i] || (areas[k] == areas[i] && k < i))
                    && polygon.corners().iter().all(|&corner| polygons[k].contains(corner))
            })
        };
        let judge = |i: usize| (!cancel.is_cancelled()).then(|| i >= endless && is_needless(&i));
        let needless: Vec<bool> = (0..polygons.len()).into_par_iter().map(judge).collect::<Option<_>>()?;
        let kept = polygons.into_iter().zip(needless).filter(|(_, needless)| !needless);
        let polygons: Vec<Polygon> = kept.map(|(polygon, _)| polygon).collect();
        let boxes = Boxes::of(&polygons);
        Some(Cover { polygons, endless, boxes })
    }

    /// Whether a point is in a polygon or on its border.
    pub(super) fn contains(&self, p: Vec2) -> bool {
        self.boxes.any([p; 2], |i| self.polygons[i].contains(p))
    }

    /// Whether every way from `s` to `t` meets a polygon; both must be outside. `None` if more than `budget` pairs of polygons
    /// would have to be looked at, or nobody waits for it.
    pub(super) fn separates(&self, s: Vec2, t: Vec2, budget: u64, cancel: &CancelToken) -> Option<bool> {
        let may_cross: Vec<bool> = self.polygons.iter().map(|polygon| may_cross(polygon, s, t)).collect();
        let mut sets = UnionFind::new(self.polygons.len());
        for other in 1..self.endless as u32 {
            sets.join(0, other);
        }
        let mut looked_at = 0;
        for (i, polygon) in self.polygons.iter().enumerate() {
            if cancel.is_cancelled() {
                return None;
            }
            let ends = self.boxes.any([polygon.min, polygon.max], |k| {
                if k >= i {
                    return false;
                }
                looked_at += 1;
                looked_at > budget || {
                    let crosses = may_cross[i] || may_cross[k];
                    // Far from the segment a pair that is known to belong together evenly tells nothing new.
                    let is_known = !crosses && sets.parity(i as u32, k as u32) == Some(false);
                    !is_known
                        && polygon.common_point(&self.polygons[k]).is_some_and(|x| {
                            let way = [polygon.corners()[0], x, self.polygons[k].corners()[0]];
                            let odd = crosses
                                && is_crossed(way[0], way[1], s, t) != is_crossed(way[1], way[2], s, t);
                            !sets.join_turned(i as u32, k as u32, odd)
                        })
                }
            });
            if ends {
                return (looked_at <= budget).then_some(true);
            }
        }
        Some(false)
    }
}

/// False only if a way within the polygon cannot cross the segment.
fn may_cross(polygon: &Polygon, s: Vec2, t: Vec2) -> bool {
    let is_far = s.max(t).cmplt(polygon.min).any() || polygon.max.cmplt(s.min(t)).any();
    let all = |side| polygon.corners().iter().all(|&p| side_of_line(s, t, p) == side);
    !is_far && !all(Greater) && !all(Less)
}

/// Whether the segment from `p` to `q` crosses that from `s` to `t`, which is shifted a little to the right where a point lies on it.
fn is_crossed(p: Vec2, q: Vec2, s: Vec2, t: Vec2) -> bool {
    let is_left = |a, b, p| side_of_line(a, b, p) != Less;
    is_left(s, t, p) != is_left(s, t, q) && is_left(p, q, s) != is_left(p, q, t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn rectangle(x: [f64; 2], y: [f64; 2]) -> Polygon {
        Polygon::hull(vec![
            Vec2::new(x[0], y[0]),
            Vec2::new(x[1], y[0]),
            Vec2::new(x[1], y[1]),
            Vec2::new(x[0], y[1]),
        ])
        .unwrap()
    }

    fn check(polygons: &[Polygon], endless: usize, [s, t]: [[f64; 2]; 2], expected: bool) {
        let cover = Cover::new(polygons.to_vec(), endless, &CancelToken::default()).unwrap();
        assert_eq!(
            cover.separates(s.into(), t.into(), u64::MAX, &CancelToken::new()),
            Some(expected),
            "{s:?} {t:?}"
        );
        assert_eq!(
            cover.separates(t.into(), s.into(), u64::MAX, &CancelToken::new()),
            Some(expected),
            "{t:?} {s:?}"
        );
    }

    #[test]
    fn a_ring_separates_if_it_is_closed_to_the_last_bit() {
        let ring = |end: f64| {
            vec![
                rectangle([0.0, 3.0], [0.0, 1.0]),
                rectangle([0.0, 3.0], [2.0, 3.0]),
                rectangle([0.0, 1.0], [0.0, 3.0]),
                rectangle([2.0, 3.0], [0.5, end]),
            ]
        };
        let (inside, outside, above) = ([1.5, 1.5], [5.0, 1.5], [1.5, 4.0]);
        for other in [outside, above, [-3.0, -7.0]] {
            check(&ring(2.0), 0, [inside, other], true);
            check(&ring(2.0f64.next_down()), 0, [inside, other], false);
        }
        check(&ring(2.0), 0, [outside, above], false);
        check(&ring(2.0), 0, [inside, [1.25, 1.75]], false);
    }

    #[test]
    fn half_planes_meet_at_infinity() {
        let far = 1e3;
        let mut corridor = vec![rectangle([-far, far], [-far, 0.0]), rectangle([-far, far], [1.0, far])];
        corridor.push(rectangle([0.0, 0.1], [-1.0, 2.0]));
        check(&corridor, 2, [[-1.0, 0.5], [1.0, 0.5]], true);
        check(&corridor[..2], 2, [[-1.0, 0.5], [1.0, 0.5]], false);
        check(&corridor, 0, [[-1.0, 0.5], [1.0, 0.5]], false);
    }

    /// Rectangles on a grid of whole numbers against a flood fill of the cells between them, at half-steps so that touching closes.
    #[test]
    fn random_rectangles_separate_as_a_flood_fill_says() {
        const N: usize = 12;
        let mut random = Random::new(11);
        let mut separated = 0;
        for _ in 0..1000 {
            let mut polygons = Vec::new();
            // Points of the grid at multiples of one half: even numbers are borders.
            let mut is_covered = [[false; 2 * N + 1]; 2 * N + 1];
            for _ in 0..20 {
                let mut span = |most: usize| {
                    let from = random.below(N);
                    [from, (from + random.below(most)).min(N - 1)]
                };
                // One of the two may be a segment, or both a point.
                let (x, y) = if polygons.len() % 2 == 0 { (span(12), span(2)) } else { (span(2), span(12)) };
                let wide = |s: [usize; 2]| s.map(|v| v as f64);
                polygons.push(rectangle(wide(x), wide(y)));
                for column in &mut is_covered[2 * x[0] + 1..=2 * x[1] + 1] {
                    column[2 * y[0] + 1..=2 * y[1] + 1].fill(true);
                }
            }
            let mut label = [[0; 2 * N + 1]; 2 * N + 1];
            let mut count = 0;
            for start in 0..(2 * N + 1) * (2 * N + 1) {
                let mut open = vec![(start / (2 * N + 1), start % (2 * N + 1))];
                count += 1;
                while let Some((i, k)) = open.pop() {
                    if is_covered[i][k] || label[i][k] != 0 {
                        continue;
                    }
                    label[i][k] = count;
                    open.extend([(i + 1, k), (i, k + 1)].into_iter().filter(|&(i, k)| i.max(k) <= 2 * N));
                    open.extend(
                        [(i.wrapping_sub(1), k), (i, k.wrapping_sub(1))]
                            .into_iter()
                            .filter(|&(i, k)| i.max(k) <= 2 * N),
                    );
                }
            }
            for _ in 0..6 {
                let mut cell = || [random.below(2 * N + 1), random.below(2 * N + 1)];
                let (a, b) = (cell(), cell());
                if is_covered[a[0]][a[1]] || is_covered[b[0]][b[1]] {
                    continue;
                }
                let place = |c: [usize; 2]| c.map(|v| 0.5 * (v as f64 - 1.0));
                let expected = label[a[0]][a[1]] != label[b[0]][b[1]];
                separated += usize::from(expected);
                check(&polygons, 0, [place(a), place(b)], expected);
            }
        }
        assert!(separated > 50, "{separated}");
    }
}
