//! Capsules, rectangle swept spheres and k-DOPs: everything inside, and never worse than the simpler volumes.

use freiraum_geometry::Vec3;
use freiraum_geometry::enclose::{
    EnclosingCapsule, KDop, KDopKind, RectangleSweptSphere, enclosing_capsule, enclosing_swept_rectangle,
    smallest_sphere,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::{points, scale};
use std::f64::consts::PI;

fn check(points: &[Vec3]) -> (EnclosingCapsule, RectangleSweptSphere) {
    let capsule = enclosing_capsule(points).expect("points");
    let swept = enclosing_swept_rectangle(points).expect("points");
    for p in points {
        assert!(capsule.contains(*p), "{p} outside {capsule:?}");
        assert!(swept.contains(*p), "{p} outside {swept:?}");
    }
    let sphere = smallest_sphere(points).expect("points").volume();
    assert!(capsule.volume() <= sphere);
    let reach = points.iter().map(|p| p.distance(points[0])).fold(0.0, f64::max);
    assert!(swept.volume() <= capsule.volume() * (1.0 + 1e-12) + 1e-13 * reach.powi(3));
    (capsule, swept)
}

/// Volume of the capsule about the line between the two points farthest apart, found by looking at all pairs.
fn capsule_about_the_diameter(points: &[Vec3]) -> f64 {
    let mut ends = (points[0], points[0]);
    for p in points {
        for q in points {
            if p.distance_squared(*q) > ends.0.distance_squared(ends.1) {
                ends = (*p, *q);
            }
        }
    }
    let Some(along) = (ends.1 - ends.0).try_normalize() else { return 0.0 };
    let across = |p: Vec3| (p - ends.0).reject_from_normalized(along).length();
    let radius = points.iter().map(|&p| across(p)).fold(0.0, f64::max);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &p in points {
        let reach = (radius * radius - across(p).powi(2)).max(0.0).sqrt();
        let height = along.dot(p - ends.0);
        low = low.min(height + reach);
        high = high.max(height - reach);
    }
    PI * radius * radius * ((high - low).max(0.0) + 4.0 / 3.0 * radius)
}

#[test]
fn random_clouds() {
    let mut random = Random::new(1);
    for i in 0..scale::cases(14) {
        let n = [2, 3, 4, 5, 10, 60, 1000][i % 7];
        let seed = random.bits();
        let stretch = Vec3::new(1.0, random.unit(), random.unit().powi(3));
        for cloud in [points::gauss(n, seed), points::cube(n, seed), points::sphere(n, seed)] {
            check(&cloud);
            let stretched: Vec<Vec3> = cloud.iter().map(|p| *p * stretch).collect();
            let (capsule, _) = check(&stretched);
            if n <= 60 {
                let simple = capsule_about_the_diameter(&stretched);
                assert!(capsule.volume() <= simple * (1.0 + 1e-9) + 1e-12, "{} {simple}", capsule.volume());
            }
        }
    }
}

#[test]
fn turned_capsules_are_found_again() {
    let mut random = Random::new(2);
    for i in 0..scale::cases(6) {
        let length = [0.5, 2.0, 10.0][i % 3];
        for unit in [1.0, 1e-6, 1e6] {
            let (rotation, shift) = (random.rotation(), random.in_cube(2.0));
            let mut surface: Vec<Vec3> = points::sphere(400, random.bits());
            surface.extend([Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z]);
            let cloud: Vec<Vec3> = surface
                .iter()
                .flat_map(|p| [*p + 0.5 * length * Vec3::Z, *p - 0.5 * length * Vec3::Z])
                .map(|p| unit * (rotation * p + shift))
                .collect();
            let true_volume = PI * (length + 4.0 / 3.0) * unit.powi(3);
            let ratio = check(&cloud).0.volume() / true_volume;
            assert!(ratio <= 1.0001 && ratio > 0.97, "{ratio}");
        }
    }
}

#[test]
fn turned_swept_rectangles_are_found_again() {
    let mut random = Random::new(3);
    for _ in 0..scale::cases(4) {
        let (rotation, shift) = (random.rotation(), random.in_cube(2.0));
        let (half_x, half_y) = (random.range(1.0, 4.0), random.range(0.5, 2.0));
        let cloud: Vec<Vec3> = points::sphere(300, random.bits())
            .iter()
            .chain(&[Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z])
            .flat_map(|p| {
                let corner = |x: f64, y: f64| *p + Vec3::new(x * half_x, y * half_y, 0.0);
                [corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)]
            })
            .map(|p| rotation * p + shift)
            .collect();
        let true_volume = 8.0 * half_x * half_y + 2.0 * PI * (half_x + half_y) + 4.0 / 3.0 * PI;
        let ratio = check(&cloud).1.volume() / true_volume;
        assert!(ratio <= 1.02 && ratio > 0.97, "{ratio}");
    }
}

#[test]
fn flat_and_thinner_points() {
    let (capsule, swept) = check(&[Vec3::ONE]);
    assert_eq!((capsule.volume(), swept.volume()), (0.0, 0.0));
    let (capsule, swept) = check(&[Vec3::X, 2.0 * Vec3::X, 5.0 * Vec3::X]);
    assert!(capsule.volume() < 1e-25 && swept.volume() < 1e-25);
    assert!((capsule.a.distance(capsule.b) - 4.0).abs() < 1e-14);
    let (_, swept) = check(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y, 0.5 * Vec3::X]);
    assert!(swept.volume() < 1e-12, "a flat rectangle needs no radius: {swept:?}");
    assert_eq!(enclosing_capsule(&[]), None);
    assert_eq!(enclosing_swept_rectangle(&[]), None);
    assert_eq!(enclosing_capsule(&[Vec3::splat(f64::NAN)]), None);
    assert_eq!(enclosing_swept_rectangle(&[Vec3::splat(f64::INFINITY)]), None);
}

#[test]
fn dops_hold_their_points_wherever_they_are() {
    let mut random = Random::new(4);
    for i in 0..scale::cases(200) {
        let far = 10f64.powi(i as i32 % 9 - 3);
        let shift = random.in_cube(far);
        let cloud: Vec<Vec3> = (0..30).map(|_| random.in_cube(1.0) + shift).collect();
        for kind in KDopKind::ALL {
            let dop = KDop::of_points(kind, &cloud);
            assert!(cloud.iter().all(|&p| dop.contains(p)));
            for (direction, lo, hi) in dop.slabs() {
                // Tight: a point on each plane, but for rounding.
                let heights = || cloud.iter().map(|p| direction.dot(*p));
                let slack = 32.0 * f64::EPSILON * (far + 1.0);
                assert!(heights().any(|h| h - lo <= slack) && heights().any(|h| hi - h <= slack));
            }
            // Separated in any of its directions means no overlap, and overlap is symmetric.
            let other: Vec<Vec3> = cloud.iter().map(|p| *p + random.in_cube(2.0)).collect();
            let other = KDop::of_points(kind, &other);
            assert_eq!(dop.overlaps(&other), other.overlaps(&dop));
            let apart = dop.slabs().zip(other.slabs()).any(|(a, b)| a.1 > b.2 || b.1 > a.2);
            assert_eq!(dop.overlaps(&other), !apart);
        }
    }
}
