//! Two overlapping boxes: exact depth by separating axes.
//!
//! Letters: `k` a unit axis in the frame of a, `h` half edge lengths, `m` the centre of b.

use crate::Closest;
use crate::contact::polygon::Polygon;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Cuboid;
use freiraum_geometry::{Pose, Vec3};

/// Depth of the overlap of two boxes, or `None` if an axis separates them.
///
/// **Guarantee.** The distance is the negative of the least translation that separates, exact up to rounding.
/// **Degenerate input.** Concentric boxes: the direction is one of two equally good ones.
pub(crate) fn overlap_cuboid_cuboid(a: &Cuboid, b: &Cuboid, a_from_b: &Pose) -> Option<Closest> {
    let m = a_from_b.translation();
    let axes_b = [Vec3::X, Vec3::Y, Vec3::Z].map(|e| a_from_b.rotate(e));
    let axes_a = [Vec3::X, Vec3::Y, Vec3::Z];
    let reach_of = |k: Vec3| {
        let from_a = (a.half() * k.abs()).element_sum();
        from_a + (0..3).map(|i| b.half()[i] * axes_b[i].dot(k).abs()).sum::<f64>()
    };
    let mut best: Option<(f64, Vec3)> = None;
    let mut consider = |k: Vec3| {
        let (along, reach) = (k.dot(m), reach_of(k));
        let depth = reach - along.abs();
        if best.is_none_or(|(least, _)| depth < least) {
            best = Some((depth, if along < 0.0 { -k } else { k }));
        }
        depth >= 0.0
    };
    for k in axes_a.into_iter().chain(axes_b) {
        if !consider(k) {
            return None;
        }
    }
    for ea in axes_a {
        for eb in axes_b {
            // Edges so nearly parallel that rounding decides on their common normal: the axis adds nothing that the
            // face axes do not have, to within that angle.
            let cross = ea.cross(eb);
            if cross.length_squared() < f64::EPSILON {
                continue;
            }
            if !unit(cross).is_none_or(&mut consider) {
                return None;
            }
        }
    }
    let (depth, normal) = best?;
    let (point_on_a, point_on_b) = witnesses(a, b, a_from_b, normal, depth);
    Some(Closest { distance: -depth, point_on_a, point_on_b, normal })
}

/// Points of both boxes, `depth` apart along the normal: where the features that touch after separation meet.
fn witnesses(a: &Cuboid, b: &Cuboid, a_from_b: &Pose, normal: Vec3, depth: f64) -> (Vec3, Vec3) {
    let feature_a = feature(a, normal);
    let feature_b = feature(b, a_from_b.inverse().rotate(-normal)).map(|p| a_from_b.transform_point(p));
    // What is on b, where the two features lie over each other.
    let on_b = match (feature_a.len(), feature_b.len()) {
        (4, _) => feature_b.within(&feature_a.sorted_around(normal), normal).mean_or(&feature_b),
        (_, 4) => {
            let on_a = feature_a.within(&feature_b.sorted_around(normal), normal).mean_or(&feature_a);
            on_a - depth * normal
        }
        (2, 2) => crossing(&feature_a, &feature_b),
        (1, _) => feature_a[0] - depth * normal,
        _ => feature_b[0],
    };
    (on_b + depth * normal, on_b)
}

/// The corners of a box that lie farthest in a unit direction, up to the rounding of that direction: 1, 2 or 4.
fn feature(cuboid: &Cuboid, direction: Vec3) -> Polygon {
    let both = |i: usize| direction[i].abs() <= 64.0 * f64::EPSILON;
    let mut corners = Polygon::EMPTY;
    for code in 0..8 {
        let sign = |i: usize| if code >> i & 1 == 1 { 1.0 } else { -1.0 };
        if (0..3).all(|i| both(i) || sign(i) * direction[i] > 0.0) {
            corners.push(cuboid.half() * Vec3::new(sign(0), sign(1), sign(2)));
        }
    }
    corners
}

/// The point on segment b nearest to the line of segment a; their common middle if they are parallel.
fn crossing(a: &Polygon, b: &Polygon) -> Vec3 {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let determinant = uu * vv - uv * uv;
    if determinant > f64::EPSILON * uu * vv {
        let t = (uu * v.dot(w) - uv * u.dot(w)) / determinant;
        return b[0] + t.clamp(0.0, 1.0) * v;
    }
    let [from, to] = [a[0], a[1]].map(|p| ((p - b[0]).dot(v) / vv).clamp(0.0, 1.0));
    b[0] + 0.5 * (from + to) * v
}

impl Polygon {
    /// The mean of the corners, or that of `fallback` if rounding left none.
    fn mean_or(&self, fallback: &Polygon) -> Vec3 {
        if self.is_empty() { fallback.mean() } else { self.mean() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn cuboid(x: f64, y: f64, z: f64) -> Cuboid {
        Cuboid::new(Vec3::new(x, y, z)).unwrap()
    }

    /// Depth and direction of two boxes; b is at `at`, turned about `axis`.
    fn check(a: Cuboid, b: Cuboid, a_from_b: Pose, depth: Option<f64>, normal: Vec3) {
        let found = overlap_cuboid_cuboid(&a, &b, &a_from_b);
        assert_eq!(found.is_some(), depth.is_some(), "{found:?}");
        if let (Some(found), Some(depth)) = (found, depth) {
            assert!((found.distance + depth).abs() < 1e-14, "{found:?}, expected {depth}");
            assert!((found.normal - normal).length() < 1e-14, "{found:?}");
            consistent(&a, &b, &a_from_b, &found);
        }
    }

    fn consistent(a: &Cuboid, b: &Cuboid, a_from_b: &Pose, found: &Closest) {
        let slack = 1e-12;
        let inside = |s: &Cuboid, p: Vec3| (p.abs() - s.half()).max_element() <= slack;
        assert!(inside(a, found.point_on_a), "{a:?} {b:?} {a_from_b:?} {found:?}");
        assert!(
            inside(b, a_from_b.inverse().transform_point(found.point_on_b)),
            "{a:?} {b:?} {a_from_b:?} {found:?}"
        );
        assert!((found.point_on_a + found.distance * found.normal - found.point_on_b).length() <= slack);
    }

    #[test]
    fn known_answers() {
        let unit = cuboid(1.0, 1.0, 1.0);
        let at = |x, y, z| Pose::from_translation(Vec3::new(x, y, z));
        check(unit, unit, at(0.75, 0.0, 0.0), Some(0.25), Vec3::X);
        check(unit, unit, at(0.0, -0.75, 0.1), Some(0.25), -Vec3::Y);
        check(unit, unit, at(1.0, 0.0, 0.0), Some(0.0), Vec3::X);
        check(unit, unit, at(1.0, 1.0, 1.0), Some(0.0), Vec3::X);
        check(unit, unit, at(1.0001, 0.0, 0.0), None, Vec3::X);
        check(unit, unit, at(0.0, 0.0, 0.0), Some(1.0), Vec3::X);
        check(cuboid(9.0, 9.0, 9.0), unit, at(0.0, 3.5, 0.0), Some(1.5), Vec3::Y);
        // An edge of each, crossing at right angles.
        let turned = |axis: Vec3, at: Vec3| {
            Pose::from_translation(at) * Pose::from_axis_angle(axis, std::f64::consts::FRAC_PI_4).unwrap()
        };
        let a_turned = turned(Vec3::Y, Vec3::ZERO).inverse() * turned(Vec3::X, Vec3::Z * (2f64.sqrt() - 0.1));
        let up = turned(Vec3::Y, Vec3::ZERO).inverse().rotate(Vec3::Z);
        check(unit, unit, a_turned, Some(0.1), up);
        check(unit, unit, turned(Vec3::Y, Vec3::ZERO).inverse() * turned(Vec3::X, Vec3::Z * 1.42), None, up);
    }

    #[test]
    fn depth_is_the_least_over_many_directions_and_separates() {
        let mut random = Random::new(3);
        let size = |r: &mut Random| cuboid(r.range(0.2, 2.0), r.range(0.2, 2.0), r.range(0.2, 2.0));
        let mut overlaps = 0;
        for case in 0..400 {
            let (a, b) = (size(&mut random), size(&mut random));
            let quarter = Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2).unwrap();
            let turn =
                if case % 4 == 0 { quarter } else { Pose::new(random.rotation(), Vec3::ZERO).unwrap() };
            let a_from_b = Pose::from_translation(random.in_cube(1.2)) * turn;
            let Some(found) = overlap_cuboid_cuboid(&a, &b, &a_from_b) else { continue };
            overlaps += 1;
            consistent(&a, &b, &a_from_b, &found);
            let shifted = |by: f64| Pose::from_translation(found.normal * by) * a_from_b;
            assert!(overlap_cuboid_cuboid(&a, &b, &shifted(-found.distance + 1e-9)).is_none());
            assert!(overlap_cuboid_cuboid(&a, &b, &shifted(-found.distance - 1e-9)).is_some());
            // No direction does with less.
            use freiraum_geometry::shape::Support;
            let b_from_a = a_from_b.inverse();
            for _ in 0..300 {
                let k = random.direction();
                let lowest = a_from_b.transform_point(b.support(b_from_a.rotate(-k)));
                assert!(k.dot(a.support(k) - lowest) >= -found.distance - 1e-12);
            }
        }
        assert!(overlaps > 150, "{overlaps}");
    }
}
