//! Convex polygons in the plane of translations; every decision about them is made by exact predicates.

use freiraum_geometry::Vec2;
use freiraum_geometry::math::predicates::side_of_line;
use std::cmp::Ordering::{Equal, Greater, Less};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A convex polygon: its corners counter-clockwise, no three of them on one line. One corner is a point, two are a segment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polygon {
    corners: Vec<Vec2>,
    /// The least coordinates of the corners.
    pub(super) min: Vec2,
    /// The largest coordinates of the corners.
    pub(super) max: Vec2,
}

/// On which side of a round border the corners of its polygon lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    /// The polygon holds all that is round.
    Around,
    /// It lies within.
    Within,
}

impl Polygon {
    /// The hull of points; `None` if there are none.
    pub(super) fn hull(mut points: Vec<Vec2>) -> Option<Polygon> {
        points.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
        points.dedup();
        let mut corners: Vec<Vec2> = Vec::with_capacity(points.len() + 1);
        let mut chain = |points: &mut dyn Iterator<Item = Vec2>| {
            let start = corners.len();
            for p in points {
                while let [.., a, b] = corners[start..]
                    && side_of_line(a, b, p) != Greater
                {
                    corners.pop();
                }
                corners.push(p);
            }
            corners.pop();
        };
        match points[..] {
            [] => return None,
            [point] => corners.push(point),
            _ => {
                chain(&mut points.iter().copied());
                chain(&mut points.iter().rev().copied());
            }
        }
        let min = corners.iter().copied().reduce(Vec2::min)?;
        let max = corners.iter().copied().reduce(Vec2::max)?;
        Some(Polygon { corners, min, max })
    }

    pub(super) fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// Its edges from corner to corner; a segment has two, there and back, a point one of length 0.
    pub(super) fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().copied().zip(next.copied())
    }

    /// Its area up to rounding.
    pub(super) fn area(&self) -> f64 {
        0.5 * self.edges().map(|(a, b)| (a - self.corners[0]).perp_dot(b - self.corners[0])).sum::<f64>()
    }

    /// True if the point lies in it or on its border.
    pub(super) fn contains(&self, p: Vec2) -> bool {
        let in_box = p.cmpge(self.min).all() && p.cmple(self.max).all();
        in_box && self.edges().all(|(a, b)| side_of_line(a, b, p) != Less)
    }

    /// True if the point lies in it and not on its border.
    pub(super) fn holds_inside(&self, p: Vec2) -> bool {
        let in_box = p.cmpgt(self.min).all() && p.cmplt(self.max).all();
        in_box && self.edges().all(|(a, b)| side_of_line(a, b, p) == Greater)
    }

    /// Distance of a point, in metres; 0 if it is in it.
    pub(super) fn distance(&self, p: Vec2) -> f64 {
        if self.contains(p) {
            return 0.0;
        }
        let from_edge = |(a, b): (Vec2, Vec2)| {
            let along = b - a;
            let share = (p - a).dot(along) / along.length_squared();
            p.distance(if share.is_finite() { a + share.clamp(0.0, 1.0) * along } else { a })
        };
        self.edges().map(from_edge).fold(f64::INFINITY, f64::min)
    }

    /// True if the segment from `a` to `b` has a point inside of it; running along its border is not enough.
    pub(super) fn blocks(&self, a: Vec2, b: Vec2) -> bool {
        if a.max(b).cmple(self.min).any() || a.min(b).cmpge(self.max).any() {
            return false;
        }
        let (mut left, mut right) = (false, false);
        for (p, q) in self.edges() {
            if side_of_line(p, q, a) != Greater && side_of_line(p, q, b) != Greater {
                return false;
            }
            match side_of_line(a, b, p) {
                Greater => left = true,
                Less => right = true,
                Equal => {}
            }
        }
        left && right
    }

    /// A point of both, borders included: exact if it is a corner, else rounded; `None` if they are apart.
    pub(super) fn common_point(&self, other: &Polygon) -> Option<Vec2> {
        if self.max.cmplt(other.min).any() || other.max.cmplt(self.min).any() {
            return None;
        }
        let is_beyond = |one: &Polygon, other: &Polygon| {
            one.edges().any(|(a, b)| other.corners.iter().all(|&p| side_of_line(a, b, p) == Less))
        };
        if is_beyond(self, other) || is_beyond(other, self) {
            return None;
        }
        let corner_in =
            |one: &Polygon, other: &Polygon| one.corners.iter().copied().find(|&p| other.contains(p));
        corner_in(self, other).or_else(|| corner_in(other, self)).or_else(|| {
            let mut crossings =
                self.edges().flat_map(|edge| other.edges().filter_map(move |other| crossing(edge, other)));
            crossings.next()
        })
    }

    /// What both have in common, up to rounding.
    pub(super) fn clipped(&self, other: &Polygon) -> Option<Polygon> {
        let mut corners = self.corners.clone();
        for (a, b) in other.edges() {
            let normal = (b - a).perp();
            let height = |p: Vec2| normal.dot(p - a);
            let mut kept = Vec::with_capacity(corners.len() + 1);
            for (i, &p) in corners.iter().enumerate() {
                let q = corners[(i + 1) % corners.len()];
                let (hp, hq) = (height(p), height(q));
                if hp >= 0.0 {
                    kept.push(p);
                }
                if (hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0) {
                    kept.push(p + hp / (hp - hq) * (q - p));
                }
            }
            corners = kept;
        }
        Polygon::hull(corners)
    }

    /// All points within `radius`, up to rounding; where the border is round it turns by at most `step` at a corner.
    pub(super) fn grown(&self, radius: f64, step: f64, border: Border) -> Polygon {
        let count = self.corners.len();
        let mut points = Vec::with_capacity(2 * count);
        for (i, &corner) in self.corners.iter().enumerate() {
            let before = corner - self.corners[(i + count - 1) % count];
            let after = self.corners[(i + 1) % count] - corner;
            let (from, turn) = match count {
                1 => (0.0, TAU),
                2 => (before.to_angle() - FRAC_PI_2, PI),
                // Never to the right; rounding may say so where it hardly turns.
                _ => {
                    (before.to_angle() - FRAC_PI_2, before.perp_dot(after).atan2(before.dot(after)).max(0.0))
                }
            };
            let parts = (turn / step).ceil().max(1.0);
            let (first, steps, reach) = match border {
                Border::Around => (0.5, parts as usize, radius / (0.5 * turn / parts).cos()),
                Border::Within => (0.0, parts as usize + 1, radius),
            };
            points.extend(
                (0..steps)
                    .map(|k| corner + reach * Vec2::from_angle(from + (first + k as f64) * turn / parts)),
            );
        }
        Polygon::hull(points).expect("a polygon has corners")
    }

    /// A part of it all points of which are at least `depth` from its border; `None` if there is none that is well inside.
    pub(super) fn shrunk(&self, depth: f64) -> Option<Polygon> {
        if self.corners.len() < 3 {
            return None;
        }
        let center = self.corners.iter().copied().sum::<Vec2>() / self.corners.len() as f64;
        let height = |(a, b): (Vec2, Vec2)| (b - a).perp_dot(center - a) / (b - a).length();
        let least = self.edges().map(height).fold(f64::INFINITY, f64::min);
        if !(least > 4.0 * depth) {
            return None;
        }
        // All lines of edges come nearer to the centre by this share of their distance, which is the depth or more.
        let scale = 1.0 - depth / least;
        Polygon::hull(self.corners.iter().map(|&p| center + scale * (p - center)).collect())
    }
}

/// Where two segments cross each other inside of both.
fn crossing((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> Option<Vec2> {
    let sides = |a, b, c, d| (side_of_line(a, b, c), side_of_line(a, b, d));
    let is_across = |sides| sides == (Greater, Less) || sides == (Less, Greater);
    if !is_across(sides(a, b, c, d)) || !is_across(sides(c, d, a, b)) {
        return None;
    }
    let (along, other) = (b - a, d - c);
    let share = (c - a).perp_dot(other) / along.perp_dot(other);
    Some(if share.is_finite() { a + share.clamp(0.0, 1.0) * along } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn polygon(points: &[[f64; 2]]) -> Polygon {
        Polygon::hull(points.iter().map(|&p| p.into()).collect()).unwrap()
    }

    fn square(x: f64, y: f64, size: f64) -> Polygon {
        polygon(&[[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x + 0.5 * size, y]])
    }

    #[test]
    fn hulls_keep_corners_only() {
        assert_eq!(square(0.0, 0.0, 1.0).corners().len(), 4);
        assert_eq!(polygon(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]).corners().len(), 2);
        assert_eq!(polygon(&[[1.0, 1.0], [1.0, 1.0]]).corners().len(), 1);
        assert_eq!(Polygon::hull(Vec::new()), None);
    }

    #[test]
    fn borders_belong_to_polygons_and_do_not_block() {
        let unit = square(0.0, 0.0, 1.0);
        let at = Vec2::new;
        for (p, is_in, is_inside) in [
            (at(0.5, 0.5), true, true),
            (at(1.0, 0.5), true, false),
            (at(1.0, 1.0), true, false),
            (at(1.0f64.next_up(), 0.5), false, false),
        ] {
            assert_eq!((unit.contains(p), unit.holds_inside(p)), (is_in, is_inside), "{p}");
        }
        for (a, b, blocks) in [
            (at(-1.0, 0.5), at(2.0, 0.5), true),
            (at(-1.0, 0.0), at(2.0, 0.0), false),
            (at(0.0, 0.0), at(1.0, 1.0), true),
            (at(-1.0, 1.0), at(1.0, -1.0), false),
            (at(-1.0, 0.5), at(0.0, 0.5), false),
            (at(-1.0, 0.5), at(f64::MIN_POSITIVE, 0.5), true),
            (at(0.2, 0.2), at(0.3, 0.3), true),
            (at(2.0, 0.0), at(3.0, 1.0), false),
        ] {
            assert_eq!(unit.blocks(a, b), blocks, "{a} {b}");
            assert_eq!(unit.blocks(b, a), blocks, "{b} {a}");
        }
    }

    #[test]
    fn touching_polygons_have_a_point_in_common() {
        let check = |a: &Polygon, b: &Polygon, meets: bool| {
            for (a, b) in [(a, b), (b, a)] {
                let common = a.common_point(b);
                assert_eq!(common.is_some(), meets, "{a:?} {b:?}");
                assert!(common.is_none_or(|p| a.distance(p) < 1e-12 && b.distance(p) < 1e-12));
            }
        };
        let unit = square(0.0, 0.0, 1.0);
        check(&unit, &square(1.0, 0.25, 0.5), true);
        check(&unit, &square(1.0, 1.0, 0.5), true);
        check(&unit, &square(1.0f64.next_up(), 0.25, 0.5), false);
        check(&unit, &polygon(&[[-1.0, 0.5], [2.0, 0.6]]), true);
        check(&unit, &polygon(&[[-1.0, 0.5], [0.5, 2.5]]), false);
        check(&polygon(&[[0.0, 0.0], [1.0, 1.0]]), &polygon(&[[2.0, 2.0], [3.0, 3.0]]), false);
        check(&polygon(&[[0.0, 0.0], [2.0, 2.0]]), &polygon(&[[1.0, 1.0], [3.0, 3.0]]), true);
        check(&unit, &polygon(&[[0.5, 0.5]]), true);
        // A cross: no corner of either in the other.
        check(
            &polygon(&[[-2.0, 0.4], [2.0, 0.4], [2.0, 0.6], [-2.0, 0.6]]),
            &polygon(&[[0.1, -2.0], [0.2, -2.0], [0.2, 2.0], [0.1, 2.0]]),
            true,
        );
    }

    #[test]
    fn grown_polygons_hold_the_disc_and_shrunk_ones_keep_the_depth() {
        let mut random = Random::new(5);
        for round in 0..300 {
            let count = 1 + random.below(8);
            let points: Vec<Vec2> =
                (0..count).map(|_| Vec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0))).collect();
            let base = Polygon::hull(points).unwrap();
            let (radius, step) = (random.range(0.01, 1.0), [1.75, 0.2][round % 2]);
            let [around, within] =
                [Border::Around, Border::Within].map(|border| base.grown(radius, step, border));
            for &corner in around.corners() {
                assert!(base.distance(corner) > radius * (1.0 - 1e-12));
                assert!(base.distance(corner) < radius / (0.5 * step).cos() + 1e-12);
            }
            for (a, b) in around.edges() {
                assert!(base.distance(0.5 * (a + b)) > radius * (1.0 - 1e-12), "{base:?}");
            }
            assert!(within.corners().iter().all(|&p| base.distance(p) < radius * (1.0 + 1e-12)));
            if let Some(small) = base.shrunk(0.01) {
                let depth = |p: Vec2| {
                    let height = |(a, b): (Vec2, Vec2)| (b - a).perp_dot(p - a) / (b - a).length();
                    base.edges().map(height).fold(f64::INFINITY, f64::min)
                };
                assert!(small.corners().iter().all(|&p| depth(p) > 0.01 * (1.0 - 1e-9)));
            }
        }
    }

    #[test]
    fn clipping_leaves_what_is_in_both() {
        let both = square(0.0, 0.0, 1.0).clipped(&square(0.5, 0.25, 1.0)).unwrap();
        assert_eq!((both.min, both.max), (Vec2::new(0.5, 0.25), Vec2::new(1.0, 1.0)));
        assert_eq!(square(0.0, 0.0, 1.0).clipped(&square(2.0, 0.0, 1.0)), None);
    }
}
