//! How far a body has come: the bound behind every test that is not made.

use super::body::Bounds;
use freiraum_geometry::math::rounding::{add_up, coordinate};
use freiraum_geometry::{Pose, Vec3};

/// A bound in metres on how far any point of a body moved between two poses; infinite for an endless body that turns.
///
/// With c a point fixed in the body and r its distance from the farthest point of the body, a point p moves by
/// (c' - c) + (R' - R)(p - c). The first part has the length |c' - c|, the second at most 2 sin(angle / 2) r <= angle r,
/// and 2 sin(angle / 2) is twice the vector part of the quaternion that leads from one rotation to the other.
/// Rounded up; exactly zero for equal poses only.
pub(super) fn travel(bounds: &Bounds, old: &Pose, new: &Pose) -> f64 {
    if old == new {
        return 0.0;
    }
    let (center, radius) = match bounds {
        Bounds::Limited(extent) => (extent.center, extent.radius),
        // Points without end: a turn moves some of them any distance, a shift all of them alike.
        Bounds::HalfSpace(_) | Bounds::Unlimited => (Vec3::ZERO, f64::INFINITY),
    };
    let shift = new.transform_point(center).distance(old.transform_point(center));
    // q and -q turn alike: the vector part is the same up to its sign.
    let half_turn = (new.rotation() * old.rotation().conjugate()).xyz().length();
    let turn = if new.rotation() == old.rotation() { 0.0 } else { 2.0 * half_turn + 8.0 * f64::EPSILON };
    let turned = if turn > 0.0 { turn * radius } else { 0.0 };
    let reach = 2.0 * center.length() + old.translation().length().max(new.translation().length());
    let slack = 4.0 * coordinate(reach) + f64::MIN_POSITIVE;
    add_up(add_up(shift, turned), add_up(slack, coordinate(shift + turned)))
}

/// How far something came since a mark, rounded up; both are sums of travels that were rounded up.
pub(super) fn since(mark: f64, now: f64) -> f64 {
    if now > mark { (now - mark).next_up() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Extent;
    use freiraum_geometry::Aabb;
    use freiraum_geometry::shape::HalfSpace;
    use freiraum_testkit::random::Random;

    fn corners(b: &Aabb) -> impl Iterator<Item = Vec3> {
        let (min, max) = (b.min, b.max);
        (0..8).map(move |i| {
            let pick = |bit: usize, axis: usize| if i & bit == 0 { min[axis] } else { max[axis] };
            Vec3::new(pick(1, 0), pick(2, 1), pick(4, 2))
        })
    }

    #[test]
    fn no_corner_moves_farther_than_the_bound() {
        let mut random = Random::new(1);
        let mut tightest = f64::INFINITY;
        for round in 0..3000 {
            let size = [1.0, 1e-6, 1e4][round % 3];
            let min = size * random.in_cube(1.0);
            let bounds = Aabb { min, max: min + size * random.in_cube(1.0).abs() };
            let limited = Bounds::Limited(Extent::of_box(bounds).unwrap());
            let old = Pose::new(random.rotation(), random.in_cube(100.0)).unwrap();
            let small = random.range(0.0, 1.0).powi(8);
            let turn = Pose::from_axis_angle(random.direction(), 7.0 * small).unwrap();
            let shift = small * size * random.in_cube(1.0);
            let new = Pose::new(turn.rotation() * old.rotation(), old.translation() + shift).unwrap();
            let moved = corners(&bounds)
                .map(|p| new.transform_point(p).distance(old.transform_point(p)))
                .fold(0.0, f64::max);
            let bound = travel(&limited, &old, &new);
            assert!(bound >= moved, "{bound} < {moved}");
            if moved > 1e-3 * size {
                tightest = tightest.min(bound / moved);
            }
        }
        assert!(tightest < 1.05, "the bound is reached nearly: {tightest}");
    }

    #[test]
    fn nothing_moves_nothing_and_planes_must_not_turn() {
        let pose = Pose::from_zyx_euler(0.1, 0.2, 0.3, Vec3::ONE).unwrap();
        let plane = Bounds::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
        assert_eq!(travel(&plane, &pose, &pose), 0.0);
        let shifted = Pose::new(pose.rotation(), pose.translation() + Vec3::X).unwrap();
        let bound = travel(&plane, &pose, &shifted);
        assert!((1.0..1.0 + 1e-12).contains(&bound), "{bound}");
        let turned = Pose::from_zyx_euler(0.1, 0.2, 0.31, Vec3::ONE).unwrap();
        assert_eq!(travel(&plane, &pose, &turned), f64::INFINITY);
        assert_eq!((since(1.0, 1.0), since(1.0, 3.0)), (0.0, 2.0f64.next_up()));
    }
}
