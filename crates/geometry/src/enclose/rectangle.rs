//! The smallest rectangle around points in a plane.

use crate::math::predicates::side_of_line;
use crate::math::{Mat3, Quat, Vec2, Vec3};
use std::cmp::Ordering;

/// The orientation whose z axis is `normal` and whose x and y axes carry the smallest rectangle of the points.
pub(super) fn on_plane(points: &[Vec3], normal: Vec3) -> Quat {
    let (x, y) = normal.any_orthonormal_pair();
    let mut projected: Vec<Vec2> = points.iter().map(|p| Vec2::new(x.dot(*p), y.dot(*p))).collect();
    let (along, _) = smallest_rectangle(&hull_of_plane(&mut projected));
    let along = along.x * x + along.y * y;
    Quat::from_mat3(&Mat3::from_cols(along, normal.cross(along), normal)).normalize()
}

/// Direction of one side (unit) and area of the smallest rectangle around a convex polygon.
///
/// One side of a smallest rectangle lies on a side of the polygon: all are tried while the three opposite corners
/// move round (rotating calipers). `corners` counter-clockwise. **Degenerate input.** Fewer than two different
/// corners give the x direction and area 0. **Cost.** Linear.
fn smallest_rectangle(corners: &[Vec2]) -> (Vec2, f64) {
    let n = corners.len();
    let dip = 16.0 * f64::EPSILON * corners.iter().map(|c| c.abs().max_element()).fold(0.0, f64::max);
    let mut best: Option<(Vec2, f64)> = None;
    // Corners farthest along the side, away from it, and against it; each only ever moves forward.
    let (mut ahead, mut opposite, mut behind) = (0, 0, 0);
    for i in 0..n {
        let Some(along) = (corners[(i + 1) % n] - corners[i]).try_normalize() else { continue };
        let across = along.perp();
        let climb = |from: usize, direction: Vec2| {
            // Corners that are on one line but for rounding make small dips, over which the climb goes on.
            let height = |i: usize| direction.dot(corners[i % n]);
            let (mut top, mut highest) = (from, height(from));
            for i in from + 1..from + n {
                let h = height(i);
                if h < highest - dip {
                    break;
                }
                if h >= highest {
                    (top, highest) = (i, h);
                }
            }
            top % n
        };
        if best.is_none() {
            // The first side: from its own start forward the heights rise, then fall.
            ahead = climb(i, along);
            opposite = climb(ahead, across);
            behind = climb(opposite, -along);
        } else {
            ahead = climb(ahead, along);
            opposite = climb(opposite, across);
            behind = climb(behind, -along);
        }
        let length = along.dot(corners[ahead] - corners[behind]);
        let width = across.dot(corners[opposite] - corners[i]);
        let area = length * width;
        if best.is_none_or(|(_, least)| area < least) {
            best = Some((along, area));
        }
    }
    best.unwrap_or((Vec2::X, 0.0))
}

/// The corners of the convex hull of points in a plane, counter-clockwise; exact decisions.
///
/// Sorts `points`. Collinear and coinciding points leave their two ends or their one place.
fn hull_of_plane(points: &mut Vec<Vec2>) -> Vec<Vec2> {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points.clone();
    }
    let mut corners: Vec<Vec2> = Vec::with_capacity(16);
    let extend = |corners: &mut Vec<Vec2>, keep: usize, p: Vec2| {
        while corners.len() > keep
            && side_of_line(corners[corners.len() - 2], corners[corners.len() - 1], p) != Ordering::Greater
        {
            corners.pop();
        }
        corners.push(p);
    };
    for &p in points.iter() {
        extend(&mut corners, 1, p);
    }
    let lower = corners.len();
    for &p in points.iter().rev().skip(1) {
        extend(&mut corners, lower, p);
    }
    corners.pop();
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn check(points: &[(f64, f64)], area: f64) {
        let mut points: Vec<Vec2> = points.iter().map(|&p| Vec2::from(p)).collect();
        let found = smallest_rectangle(&hull_of_plane(&mut points)).1;
        assert!((found - area).abs() <= 1e-12 * area.max(1e-300), "{found} instead of {area}");
    }

    #[test]
    fn known_rectangles() {
        check(&[(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0), (1.0, 0.5)], 2.0);
        check(&[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)], 2.0);
        check(&[(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], 8.0);
        check(&[(0.0, 0.0), (1.0, 1.0), (3.0, 3.0)], 0.0);
        check(&[(5.0, 5.0), (5.0, 5.0)], 0.0);
    }

    #[test]
    fn corners_nearly_on_one_line() {
        let mut random = Random::new(12);
        for i in 0..200 {
            // Rectangles with many points along their sides, turned: rounding makes some of them corners.
            let (sin, cos) = random.range(0.0, 6.0).sin_cos();
            let mut points: Vec<Vec2> = (0..200)
                .map(|k| {
                    let t = random.range(-1.0, 1.0);
                    let p = [
                        Vec2::new(t, 0.1),
                        Vec2::new(t, -0.1),
                        Vec2::new(1.0, 0.1 * t),
                        Vec2::new(-1.0, 0.1 * t),
                    ];
                    p[k % 4].rotate(Vec2::new(cos, sin)) + Vec2::splat(f64::from(i % 3))
                })
                .collect();
            for (x, y) in [(1.0, 0.1), (1.0, -0.1), (-1.0, 0.1), (-1.0, -0.1)] {
                points.push(Vec2::new(x, y).rotate(Vec2::new(cos, sin)) + Vec2::splat(f64::from(i % 3)));
            }
            let (along, area) = smallest_rectangle(&hull_of_plane(&mut points));
            assert!((area - 0.4).abs() < 1e-12, "{area}");
            // Edges between corners that rounding made may be short, and their directions off.
            assert!(
                along.perp_dot(Vec2::new(cos, sin)).abs().min(along.dot(Vec2::new(cos, sin)).abs()) < 1e-9
            );
        }
    }

    #[test]
    fn no_side_of_the_hull_gives_a_smaller_one() {
        let mut random = Random::new(11);
        for n in 3..60 {
            let mut points: Vec<Vec2> =
                (0..n).map(|_| Vec2::new(random.range(-3.0, 3.0), random.normal())).collect();
            let corners = hull_of_plane(&mut points);
            let (_, found) = smallest_rectangle(&corners);
            let extent = |d: Vec2| {
                let heights = || points.iter().map(|p| p.dot(d));
                heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min)
            };
            let mut least = f64::MAX;
            for (i, a) in points.iter().enumerate() {
                for b in &points[..i] {
                    let d = (*a - *b).try_normalize().expect("different points");
                    least = least.min(extent(d) * extent(d.perp()));
                }
            }
            // Every side of the hull joins two of the points, so the loop above sees the optimum.
            assert!(found <= least * (1.0 + 1e-12) && found >= least * (1.0 - 1e-12), "{found} {least}");
        }
    }
}
