//! The smallest sphere: every point inside, and its support proves that no smaller one exists.

use freiraum_geometry::Vec3;
use freiraum_geometry::enclose::{EnclosingSphere, smallest_sphere, sphere_of_two_spheres};
use freiraum_testkit::random::Random;
use freiraum_testkit::{points, scale};

/// A radius that no sphere around the points can go below, whatever the weights are: for weights that are positive
/// and add up to 1, the squared radius is at least the weighted scatter about the weighted mean.
fn proven_radius(carriers: &[Vec3], center: Vec3) -> f64 {
    let offsets: Vec<Vec3> = carriers.iter().map(|&p| p - center).collect();
    let weights = convex_weights(&offsets);
    let mean: Vec3 = offsets.iter().zip(&weights).map(|(&p, &w)| p * w).sum();
    offsets.iter().zip(&weights).map(|(p, w)| w * (*p - mean).length_squared()).sum::<f64>().sqrt()
}

/// Weights, not negative, sum 1, that bring the weighted mean of the points near the origin (Cramer's rule).
fn convex_weights(p: &[Vec3]) -> Vec<f64> {
    let raw = match *p {
        [_] => vec![1.0],
        [a, b] => vec![b.length(), a.length()],
        [a, b, c] => {
            let normal = (b - a).cross(c - a);
            vec![b.cross(c).dot(normal), c.cross(a).dot(normal), a.cross(b).dot(normal)]
        }
        [a, b, c, d] => {
            let volume = |x: Vec3, y: Vec3, z: Vec3| x.dot(y.cross(z));
            vec![volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)]
        }
        _ => panic!("one to four carriers, not {}", p.len()),
    };
    let sign = if raw.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let clamped: Vec<f64> = raw.iter().map(|w| (sign * w).max(0.0)).collect();
    let total: f64 = clamped.iter().sum();
    clamped.iter().map(|w| w / total).collect()
}

/// Checks containment and the proof of optimality.
fn check(points: &[Vec3]) -> EnclosingSphere {
    let sphere = smallest_sphere(points).expect("points");
    for p in points {
        assert!(sphere.contains(*p), "{p} outside {sphere:?}");
    }
    let carriers: Vec<Vec3> = sphere.support.iter().map(|&i| points[i as usize]).collect();
    let reach = sphere.center.abs().max_element();
    let slack = 32.0 * f64::EPSILON * sphere.radius + 4.0 * f64::EPSILON * reach;
    let proven = proven_radius(&carriers, sphere.center);
    // Weights that are slightly off cost the proof only their square, so it must hold to rounding.
    assert!(
        sphere.radius <= proven + slack,
        "{sphere:?} is {:e} above what is proven",
        sphere.radius - proven
    );
    assert!(sphere.support.is_sorted() && sphere.support.len() <= 4);
    sphere
}

#[test]
fn random_clouds() {
    let mut random = Random::new(1);
    for i in 0..scale::cases(300) {
        let n = [1, 2, 3, 4, 5, 8, 30, 200, 3000][i % 9];
        let seed = random.bits();
        for cloud in [points::gauss(n, seed), points::cube(n, seed), points::sphere(n, seed)] {
            check(&cloud);
        }
    }
}

#[test]
fn degenerate_clouds() {
    for k in 2..7 {
        let sphere = check(&points::grid(k, 0.1));
        let expected = 0.05 * (k - 1) as f64 * 3.0f64.sqrt();
        assert!((sphere.radius - expected).abs() < 1e-15, "grid of {k}");
    }
    assert_eq!(check(&[Vec3::ONE]).radius, 0.0);
    assert_eq!(check(&[Vec3::ONE; 5]).radius, 0.0);
    let line: Vec<Vec3> = (0..9).map(|i| Vec3::new(1.0, -2.0, 0.5) * f64::from(i)).collect();
    assert_eq!(check(&line).support, [0, 8]);
    let circle: Vec<Vec3> = (0..360)
        .map(|i| Vec3::from_array([f64::from(i).to_radians().cos(), f64::from(i).to_radians().sin(), 0.0]))
        .collect();
    assert!((check(&circle).radius - 1.0).abs() < 1e-14);
    // A thin triangle and one more point almost on its circle: the centre moves far more than the radius grows.
    for nudge in [1e-4, 1e-8, 1e-12, 1e-15] {
        check(&[Vec3::X, -Vec3::X, Vec3::Y * (1.0 + nudge), Vec3::new(0.0, -1.0, nudge)]);
        check(&[Vec3::X, -Vec3::X, Vec3::new(1.0 - nudge, nudge, 0.0), Vec3::new(0.3, 0.2, nudge)]);
    }
}

#[test]
fn nearly_degenerate_clouds() {
    let mut random = Random::new(2);
    for i in 0..scale::cases(2000) {
        // Few distinct places plus noise of every size: nearly equal, collinear, coplanar and cospherical points.
        let noise = 10f64.powi(-(i as i32 % 17));
        let n = 4 + random.below(12);
        let whole = |r: &mut Random| (r.below(3) as f64) - 1.0;
        let cloud: Vec<Vec3> = (0..n)
            .map(|_| {
                Vec3::new(whole(&mut random), whole(&mut random), whole(&mut random)) + random.in_cube(noise)
            })
            .collect();
        check(&cloud);
    }
}

#[test]
fn size_and_place_do_not_matter() {
    let mut random = Random::new(3);
    for _ in 0..scale::cases(50) {
        let cloud = points::gauss(100, random.bits());
        let original = check(&cloud);
        for unit in [1e-6, 1e6, 1e-30, 1e30] {
            let scaled: Vec<Vec3> = cloud.iter().map(|p| *p * unit).collect();
            let sphere = check(&scaled);
            assert!((sphere.radius / unit - original.radius).abs() < 1e-14 * original.radius);
            assert_eq!(sphere.support, original.support);
        }
        let rotation = random.rotation();
        let far = Vec3::new(1e6, -3e6, 2e6);
        let moved: Vec<Vec3> = cloud.iter().map(|p| rotation * *p + far).collect();
        assert!((check(&moved).radius - original.radius).abs() < 1e-8);
    }
}

#[test]
fn no_points_and_numbers_that_are_none() {
    assert_eq!(smallest_sphere(&[]), None);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(smallest_sphere(&[Vec3::X, Vec3::new(0.0, bad, 0.0), Vec3::Z]), None);
        assert_eq!(smallest_sphere(&[Vec3::splat(bad)]), None);
    }
}

#[test]
fn two_spheres() {
    let mut random = Random::new(4);
    for i in 0..scale::cases(2000) {
        let size = 10f64.powi(i as i32 % 13 - 6);
        let mut sphere = || (random.in_cube(size), random.unit().powi(3) * size);
        let (a, b) = (sphere(), sphere());
        let (center, radius) = sphere_of_two_spheres(a, b);
        for (c, r) in [a, b] {
            assert!(center.distance(c) + r <= radius * (1.0 + 4.0 * f64::EPSILON));
        }
        // The smallest possible: half of the farthest distance of two points, or the larger sphere.
        let least = (0.5 * (a.0.distance(b.0) + a.1 + b.1)).max(a.1).max(b.1);
        assert!(radius <= least * (1.0 + 1e-14) + 1e-15 * size);
        assert_eq!(sphere_of_two_spheres(a, a), a);
        assert_eq!(sphere_of_two_spheres(a, (a.0, 2.0 * a.1)), (a.0, 2.0 * a.1));
    }
    let (center, radius) = sphere_of_two_spheres((Vec3::ZERO, 1.0), (Vec3::X * 4.0, 2.0));
    assert!(center.distance(Vec3::X * 2.5) < 1e-15 && (radius - 3.5).abs() < 1e-14);
}
