//! Small convex polygons without allocation, and clipping them.

use freiraum_geometry::Vec3;
use freiraum_geometry::math::unit;
use std::ops::Deref;

/// How many corners a [`Polygon`] holds.
pub(crate) const CAPACITY: usize = 64;

/// A point, a segment or a convex polygon in space: up to [`CAPACITY`] corners, in order round it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polygon {
    corners: [Vec3; CAPACITY],
    count: usize,
}

impl Polygon {
    pub(crate) const EMPTY: Polygon = Polygon { corners: [Vec3::ZERO; CAPACITY], count: 0 };

    pub(crate) fn of(corners: impl IntoIterator<Item = Vec3>) -> Polygon {
        let mut polygon = Polygon::EMPTY;
        corners.into_iter().for_each(|p| polygon.push(p));
        polygon
    }

    /// Adds a corner; beyond the capacity corners are left out, which makes the polygon smaller, never larger.
    pub(crate) fn push(&mut self, corner: Vec3) {
        if self.count < CAPACITY {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// The polygon with every corner changed.
    pub(crate) fn map(&self, change: impl Fn(Vec3) -> Vec3) -> Polygon {
        let mut changed = *self;
        changed.corners[..self.count].iter_mut().for_each(|p| *p = change(*p));
        changed
    }

    /// The mean of the corners; the origin for none.
    pub(crate) fn mean(&self) -> Vec3 {
        let Some(&first) = self.first() else { return Vec3::ZERO };
        first + self.iter().map(|&p| p - first).sum::<Vec3>() / self.count as f64
    }

    /// The centroid of the area; `None` for polygons without area. `normal`: a unit normal of the polygon, either way.
    pub(crate) fn centroid(&self, normal: Vec3) -> Option<Vec3> {
        let first = *self.first()?;
        let (mut total, mut moment) = (0.0, Vec3::ZERO);
        for two in self[1..].windows(2) {
            let [p, q] = [two[0] - first, two[1] - first];
            let area = p.cross(q).dot(normal);
            total += area;
            moment += area * (p + q) / 3.0;
        }
        (total != 0.0).then(|| first + moment / total).filter(|c| c.is_finite())
    }

    /// The points in order round their mean, as seen against `normal`: for corners of a convex polygon in any order.
    pub(crate) fn sorted_around(&self, normal: Vec3) -> Polygon {
        let middle = self.mean();
        let Some(e1) = unit(normal.any_orthogonal_vector()) else { return *self };
        let e2 = normal.cross(e1);
        let angle = |p: &Vec3| (*p - middle).dot(e2).atan2((*p - middle).dot(e1));
        let mut sorted = *self;
        sorted.corners[..self.count].sort_unstable_by(|p, q| angle(p).total_cmp(&angle(q)));
        sorted
    }

    /// What lies on the inner side of a plane, given by a point on it and its outward normal.
    pub(crate) fn below(&self, on_plane: Vec3, outward: Vec3) -> Polygon {
        let height = |p: Vec3| (p - on_plane).dot(outward);
        let mut kept = Polygon::EMPTY;
        for (i, &p) in self.iter().enumerate() {
            let (here, next) = (height(p), self[(i + 1) % self.count]);
            let there = height(next);
            if here <= 0.0 {
                kept.push(p);
            }
            // A segment has one edge, not two.
            let crosses = (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0);
            if crosses && !(self.count == 2 && i == 1) {
                kept.push(p + here / (here - there) * (next - p));
            }
        }
        kept
    }

    /// What lies within the prism over a convex polygon, whose corners run counter-clockwise seen against `normal`.
    pub(crate) fn within(&self, prism: &Polygon, normal: Vec3) -> Polygon {
        (0..prism.len()).fold(*self, |rest, i| {
            let (from, to) = (prism[i], prism[(i + 1) % prism.len()]);
            rest.below(from, (to - from).cross(normal))
        })
    }
}

impl Deref for Polygon {
    type Target = [Vec3];
    fn deref(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64, z: f64) -> Polygon {
        Polygon::of(
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| Vec3::new(half * x, half * y, z)),
        )
    }

    #[test]
    fn clipping_a_square_by_a_turned_square_leaves_an_octagon() {
        let turned = square(1.2, 0.0).map(|p| Vec3::new(p.x - p.y, p.x + p.y, 0.0) / 2f64.sqrt());
        let octagon = square(1.0, 3.0).within(&turned, Vec3::Z);
        assert_eq!(octagon.len(), 8);
        assert!(octagon.iter().all(|p| p.z == 3.0 && p.x.abs() <= 1.0 + 1e-15 && p.y.abs() <= 1.0 + 1e-15));
        assert!(octagon.iter().all(|p| (p.x.abs() + p.y.abs() - 1.2 * 2f64.sqrt()).abs() < 1e-12));
    }

    #[test]
    fn segments_and_points_are_clipped_too() {
        let prism = square(1.0, 0.0);
        let check = |corners: &[Vec3], left: usize| {
            assert_eq!(
                Polygon::of(corners.iter().copied()).within(&prism, Vec3::Z).len(),
                left,
                "{corners:?}"
            );
        };
        check(&[Vec3::new(-3.0, 0.0, 1.0), Vec3::new(3.0, 0.5, 1.0)], 2);
        check(&[Vec3::new(0.0, 0.0, 1.0), Vec3::new(3.0, 0.5, 1.0)], 2);
        check(&[Vec3::new(1.0, 0.0, 1.0), Vec3::new(3.0, 0.5, 1.0)], 1);
        check(&[Vec3::new(2.0, 0.0, 1.0), Vec3::new(3.0, 0.5, 1.0)], 0);
        check(&[Vec3::new(0.5, 0.5, 9.0)], 1);
        check(&[Vec3::new(0.5, 1.5, 9.0)], 0);
        check(&[], 0);
    }

    #[test]
    fn corners_in_any_order_are_sorted_round() {
        let mixed = square(1.0, 2.0);
        let mixed = Polygon::of([mixed[2], mixed[0], mixed[3], mixed[1]]).sorted_around(Vec3::Z);
        for i in 0..4 {
            let (a, b, c) = (mixed[i], mixed[(i + 1) % 4], mixed[(i + 2) % 4]);
            assert!((b - a).cross(c - b).z > 0.0);
        }
    }
}
