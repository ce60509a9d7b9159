//! Distance of convex bodies against all pairs of features, and what must not change it.

use crate::convex_oracle::{brute_distance, ellipsoid, random_pose};
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, Sphere};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::Closest;
use freiraum_query::convex::{
    ConvexBody, ConvexCache, ConvexDistance, ConvexGraph, NO_VERTEX, Points, Supported, distance_convex,
    intersects_convex,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn distance<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
) -> Option<Closest> {
    let mut cache = ConvexCache::new();
    let found = match distance_convex(a, b, a_from_b, &mut cache) {
        ConvexDistance::Separated(closest) => Some(closest),
        ConvexDistance::Overlapping => None,
    };
    // The answer from its own cache, and from nothing with the bodies exchanged.
    let again = distance_convex(a, b, a_from_b, &mut cache);
    let swapped = distance_convex(b, a, &a_from_b.inverse(), &mut ConvexCache::new());
    let scale = a.reach() + b.reach() + a_from_b.translation().length() + a.radius() + b.radius();
    match found {
        Some(found) => {
            check_closest(&found, scale);
            let ConvexDistance::Separated(again) = again else { panic!("overlap from the cache") };
            assert!((again.distance - found.distance).abs() <= 1e-13 * scale, "{again:?} {found:?}");
            let ConvexDistance::Separated(swapped) = swapped else { panic!("overlap when swapped") };
            assert!((swapped.distance - found.distance).abs() <= 1e-13 * scale, "{swapped:?} {found:?}");
        }
        None => {
            assert_eq!(again, ConvexDistance::Overlapping);
            assert_eq!(swapped, ConvexDistance::Overlapping);
        }
    }
    assert_eq!(intersects_convex(a, b, a_from_b, &mut ConvexCache::new()), found.is_none());
    assert_eq!(intersects_convex(a, b, a_from_b, &mut cache), found.is_none());
    found
}

fn check_closest(found: &Closest, scale: f64) {
    assert!((found.normal.length() - 1.0).abs() < 1e-14, "{found:?}");
    let off = found.point_on_a + found.distance * found.normal - found.point_on_b;
    assert!(off.length() <= 1e-14 * scale, "{found:?}");
}

#[test]
fn polyhedra_agree_with_all_pairs_of_features() {
    let mut random = Random::new(21);
    let mut apart = 0;
    for case in 0..cases(400) {
        let (n, m) = (4 + random.below(20), 4 + random.below(20));
        let scale = [1.0, 1e-6, 1e6, 1.0][case % 4];
        let (a, b) = (ellipsoid(n, scale, &mut random), ellipsoid(m, scale, &mut random));
        let pose = random_pose(scale * random.range(0.2, 2.0), &mut random);
        let (ga, gb) = (ConvexGraph::new(a.clone()), ConvexGraph::new(b.clone()));
        let expected = brute_distance(&a, &b, &pose);
        let found = distance(&ga, &gb, &pose);
        match (found, expected) {
            (None, None) => {}
            (Some(found), Some(expected)) => {
                apart += 1;
                assert!((found.distance - expected).abs() <= 1e-12 * scale, "{} {expected}", found.distance);
                let plain = distance(&a, &b, &pose).unwrap();
                assert!((plain.distance - expected).abs() <= 1e-12 * scale);
            }
            _ => panic!("{found:?} {expected:?}"),
        }
    }
    assert!(apart > cases(400) / 4);
}

#[test]
fn boxes_in_line() {
    let unit = Cuboid::new(Vec3::ONE).unwrap();
    let turn = Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_4).unwrap().rotation();
    let root = 0.5f64.sqrt();
    let at = |rotation: Quat, x: f64, y: f64, z: f64| Pose::new(rotation, Vec3::new(x, y, z)).unwrap();
    for gap in [1e-12, 1e-9, 1e-3, 1.0, 1e3] {
        let check = |pose: Pose, what: &str| {
            let found = distance(&unit, &unit, &pose).unwrap_or_else(|| panic!("{what} {gap}"));
            assert!((found.distance - gap).abs() <= 1e-15 * (1.0 + gap) * 4.0, "{what} {gap}: {found:?}");
        };
        check(at(Quat::IDENTITY, 1.0 + gap, 0.0, 0.0), "face to face");
        check(at(Quat::IDENTITY, 0.25, -1.0 - gap, 0.5), "face to face, shifted");
        check(at(turn, 0.5 + root + gap, 0.0, 0.0), "edge to face");
        let out = gap * root;
        check(at(Quat::IDENTITY, 1.0 + out, 1.0 + out, 0.0), "edge to edge, parallel");
        let out = gap / 3f64.sqrt();
        check(at(Quat::IDENTITY, 1.0 + out, -1.0 - out, 1.0 + out), "corner to corner");
    }
    for pose in [
        at(Quat::IDENTITY, 1.0, 0.0, 0.0),
        at(Quat::IDENTITY, 1.0, 1.0, 0.0),
        at(Quat::IDENTITY, 1.0, 1.0, 1.0),
        at(turn, 0.5 + root, 0.0, 0.0),
        Pose::IDENTITY,
        at(turn, 0.0, 0.0, 0.0),
    ] {
        assert_eq!(distance(&unit, &unit, &pose), None, "{pose:?}");
    }
}

#[test]
fn spheres_and_capsules_are_exact() {
    let mut random = Random::new(4);
    let ball = Sphere::new(0.3).unwrap();
    let capsule = Capsule::new(0.2, 1.0).unwrap();
    let cube = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    for _ in 0..cases(300) {
        let p = random.in_cube(3.0);
        let pose = Pose::new(random.rotation(), p).unwrap();
        let found = distance(&ball, &ball, &pose).map_or(0.0, |c| c.distance);
        assert!((found - (p.length() - 0.6).max(0.0)).abs() < 1e-15 * 20.0);
        let beyond = (p.z.abs() - 0.5).max(0.0);
        let found = distance(&capsule, &ball, &pose).map_or(0.0, |c| c.distance);
        assert!((found - (p.with_z(beyond).length() - 0.5).max(0.0)).abs() < 1e-15 * 20.0);
        let outside = (p.abs() - cube.half()).max(Vec3::ZERO);
        let found = distance(&cube, &ball, &pose).map_or(0.0, |c| c.distance);
        assert!((found - (outside.length() - 0.3).max(0.0)).abs() < 1e-15 * 20.0);
    }
}

#[test]
fn flat_bodies_and_points() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let triangle = Points(&corners);
    let point = Points(&corners[..1]);
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    let check = |pose: Pose, expected: f64| {
        let found = distance(&triangle, &point, &pose).map_or(0.0, |c| c.distance);
        assert!((found - expected).abs() < 1e-15, "{pose:?}: {found}");
    };
    check(at(0.2, 0.2, 0.5), 0.5);
    check(at(0.2, 0.2, -0.5), 0.5);
    check(at(0.2, 0.2, 0.0), 0.0);
    check(at(0.5, 0.5, 0.0), 0.0);
    check(at(1.0, 1.0, 0.0), 0.5f64.sqrt());
    check(at(-3.0, 0.0, 4.0), 5.0);
    check(at(0.0, 0.0, 0.0), 0.0);
    assert_eq!(distance(&triangle, &triangle, &Pose::IDENTITY), None);
    assert_eq!(distance(&triangle, &triangle, &at(0.4, 0.4, 0.0)), None);
    assert!((distance(&triangle, &triangle, &at(0.4, 0.4, 1e-9)).unwrap().distance - 1e-9).abs() < 1e-15);
    let same = [Vec3::ONE; 5];
    assert_eq!(distance(&Points(&same), &Points(&same), &Pose::IDENTITY), None);
    assert!(
        (distance(&Points(&same), &Points(&same), &at(3.0, 4.0, 0.0)).unwrap().distance - 5.0).abs() < 1e-14
    );
}

#[test]
fn the_cache_of_another_pair_does_no_harm() {
    let mut random = Random::new(9);
    let bodies: Vec<ConvexGraph> =
        (0..6).map(|k| ConvexGraph::new(ellipsoid(4 + 30 * k, 1.0, &mut random))).collect();
    let mut cache = ConvexCache::new();
    for _ in 0..cases(2000) {
        let (a, b) = (&bodies[random.below(6)], &bodies[random.below(6)]);
        let pose = random_pose(random.range(0.0, 2.0), &mut random);
        let cold = distance_convex(a, b, &pose, &mut ConvexCache::new());
        match (cold, distance_convex(a, b, &pose, &mut cache)) {
            (ConvexDistance::Separated(x), ConvexDistance::Separated(y)) => {
                assert!((x.distance - y.distance).abs() < 1e-13);
                assert!((x.normal - y.normal).length() < 1e-9);
            }
            (x, y) => assert_eq!(x, y),
        }
    }
}

#[test]
fn rigid_motion_changes_nothing() {
    let mut random = Random::new(14);
    for _ in 0..cases(300) {
        let points: Vec<Vec3> = (0..12).map(|_| random.in_cube(1.0)).collect();
        let (here, there) =
            (random_pose(100.0, &mut random), random_pose(random.range(1.0, 4.0), &mut random));
        let moved: Vec<Vec3> = points.iter().map(|p| here.transform_point(*p)).collect();
        let a = Convex::from_points(&points).unwrap();
        let far = Convex::from_points(&moved).unwrap();
        let b = ellipsoid(30, 1.0, &mut random);
        let near = distance(&a, &b, &there).map_or(0.0, |c| c.distance);
        let far = distance(&far, &b, &(here * there)).map_or(0.0, |c| c.distance);
        assert!((near - far).abs() < 1e-12, "{near} {far}");
    }
}

/// From the least to the largest size that shapes may have.
#[test]
fn every_size_is_ordinary() {
    for scale in [1e-49, 1e-40, 1e-6, 1e6, 1e40, 1e49] {
        let cube = Cuboid::new(scale * Vec3::ONE).unwrap();
        let ball = Sphere::new(scale).unwrap();
        for (place, gap) in [(Vec3::new(1.5, 0.0, 0.0), 0.5), (Vec3::new(4.0, 5.0, 0.0), 5.0)] {
            let pose = Pose::from_translation(scale * place);
            assert!((distance(&cube, &cube, &pose).unwrap().distance / scale - gap).abs() < 1e-14, "{scale}");
            let turned = Pose::new(Quat::from_rotation_y(0.5), scale * place * 4.0).unwrap();
            assert!(distance(&cube, &ball, &turned).is_some(), "{scale}");
        }
        assert_eq!(distance(&cube, &cube, &Pose::from_translation(0.9 * scale * Vec3::X)), None);
        assert_eq!(distance(&cube, &cube, &Pose::from_translation(scale * Vec3::X)), None);
    }
}

/// The planes through both nearest points hold the bodies apart: then there are no nearer points.
#[test]
fn round_bodies_are_proven_apart() {
    let mut random = Random::new(15);
    let (cylinder, cone) = (Cylinder::new(0.4, 1.0).unwrap(), Cone::new(0.5, 1.2).unwrap());
    let (cube, capsule) = (Cuboid::new(Vec3::ONE).unwrap(), Capsule::new(0.2, 1.0).unwrap());
    let bodies: [&dyn ConvexBody; 5] = [&cylinder, &cone, &cube, &capsule, &Supported(&cylinder)];
    let extent = |body: &dyn ConvexBody, direction: Vec3| {
        body.farthest(direction, NO_VERTEX).point.dot(direction) + body.radius()
    };
    let mut cache = ConvexCache::new();
    let mut worst = 0.0f64;
    for case in 0..cases(3000) {
        let (a, b) = (bodies[random.below(5)], bodies[random.below(5)]);
        let rotation =
            if case % 4 == 0 { Quat::from_rotation_x((case % 3) as f64 * 1.5) } else { random.rotation() };
        let pose = Pose::new(rotation, random.range(1.0, 3.0) * random.direction()).unwrap();
        let found = distance_convex(a, b, &pose, &mut cache);
        assert_eq!(
            intersects_convex(a, b, &pose, &mut ConvexCache::new()),
            found == ConvexDistance::Overlapping
        );
        let ConvexDistance::Separated(found) = found else { continue };
        check_closest(&found, 4.0);
        let back = pose.inverse().rotate(-found.normal);
        let on_b = pose.inverse().transform_point(found.point_on_b);
        // By how much the distance may be too large.
        let gap =
            extent(a, found.normal) - found.point_on_a.dot(found.normal) + extent(b, back) - on_b.dot(back);
        worst = worst.max(gap);
    }
    // Where the distance no longer changes within rounding, its direction is known to the root of that.
    assert!(worst < 1e-6, "{worst:e}");
    let ball = Sphere::new(0.1).unwrap();
    for _ in 0..cases(3000) {
        let p = random.in_cube(1.5);
        let pose = Pose::new(random.rotation(), p).unwrap();
        let found = distance_convex(&cylinder, &ball, &pose, &mut cache);
        let expected = (p.truncate().length() - 0.4).max(0.0).hypot((p.z.abs() - 0.5).max(0.0)) - 0.1;
        match found {
            ConvexDistance::Separated(found) => assert!((found.distance - expected).abs() < 1e-12, "{p}"),
            ConvexDistance::Overlapping => assert!(expected < 1e-12, "{p}"),
        }
    }
}
