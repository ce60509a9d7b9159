//! Convex hulls of one to four points that are flat, in line, or nearly so, against exact arithmetic: needles and slivers
//! are what real meshes are full of.

use freiraum_geometry::shape::{Cone, Cylinder};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::convex::{
    ConvexBody, ConvexCache, ConvexDistance, PenetrationWorkspace, Points, distance_convex,
    intersects_convex, penetration_convex,
};
use freiraum_testkit::exact_distance::hull_distance;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// Corners of a triangle, segment, tetrahedron or point: thin in one of many ways.
fn thin_points(scale: f64, random: &mut Random) -> Vec<Vec3> {
    let (along, aside) = (random.direction(), random.direction());
    let shift = scale * [0.0, 1.0, 1000.0][random.below(3)] * random.in_cube(1.0);
    let kind = random.below(7);
    let point = |random: &mut Random| {
        let s = random.range(-1.0, 1.0);
        let steps = Vec3::from_array([0, 1, 2].map(|_| random.below(3) as f64 - 1.0));
        match kind {
            0 => random.in_cube(1.0),
            1 => steps,
            2 => steps.with_z(0.0),
            3 => steps * Vec3::new(1.0, 1.0, 1e-14),
            4 => along * s,
            5 => along * s + random.in_cube(1e-9),
            _ => along * s + aside * random.range(-1.0, 1.0) + random.in_cube(1e-12),
        }
    };
    (0..1 + random.below(4)).map(|_| scale * point(random) + shift).collect()
}

/// A pose that lays a corner of b onto a corner of a, or near it.
fn close_pose(a: &[Vec3], b: &[Vec3], scale: f64, random: &mut Random) -> Pose {
    let quarter = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap().rotation();
    let rotation = [random.rotation(), Pose::IDENTITY.rotation(), quarter][random.below(3)];
    let gap = scale * [0.0, 1e-12, 1e-9, 1e-3, 1.0][random.below(5)] * random.in_cube(1.0);
    let (p, q) = (a[random.below(a.len())], b[random.below(b.len())]);
    Pose::new(rotation, p - rotation * q + gap).unwrap()
}

#[test]
fn thin_bodies_agree_with_exact_arithmetic() {
    let mut random = Random::new(31);
    // The caches go from pair to pair: whatever they hold must not change an answer.
    let (mut warm, mut warm_test) = (ConvexCache::new(), ConvexCache::new());
    let mut workspace = PenetrationWorkspace::new();
    let mut touching = 0;
    for case in 0..cases(2000) {
        let scale = [1.0, 1e-6, 1e6][case % 3];
        let a = thin_points(scale, &mut random);
        let b = if random.below(4) == 0 { a.clone() } else { thin_points(scale, &mut random) };
        let pose = close_pose(&a, &b, scale, &mut random);
        let placed: Vec<Vec3> = b.iter().map(|p| pose.rotation_matrix() * *p + pose.translation()).collect();
        let exact = hull_distance(&a, &placed);
        touching += usize::from(exact == 0.0);
        let (x, y) = (Points(&a), Points(&b));
        let reach = x.reach() + y.reach() + pose.translation().length();
        let slack = 16.0 * f64::EPSILON * reach;
        let case = format!("case {case}: {a:?} {placed:?}, exactly {exact:e}");
        for cache in [&mut ConvexCache::new(), &mut warm] {
            match distance_convex(&x, &y, &pose, cache) {
                ConvexDistance::Separated(found) => {
                    assert!((found.distance - exact).abs() <= 1e-11 * reach, "{} {case}", found.distance);
                    let off = hull_distance(&a, &[found.point_on_a]);
                    let off = off.max(hull_distance(&placed, &[found.point_on_b]));
                    assert!(off <= 1e-12 * reach, "{off} off the bodies, {case}");
                }
                ConvexDistance::Overlapping => assert!(exact <= 2.0 * slack, "overlapping, {case}"),
            }
        }
        for cache in [&mut ConvexCache::new(), &mut warm_test] {
            let found = intersects_convex(&x, &y, &pose, cache);
            assert!(if found { exact <= 2.0 * slack } else { exact > 0.5 * slack }, "{found}, {case}");
        }
        let depth = penetration_convex(&x, &y, &pose, &mut workspace).distance;
        assert!(if exact > 2.0 * slack { depth > 0.0 } else { depth <= 2.0 * slack }, "{depth}, {case}");
    }
    assert!(touching > cases(2000) / 20, "{touching}");
}

#[test]
fn round_bodies_moved_to_a_triangle_touch_it() {
    let mut random = Random::new(32);
    for case in 0..cases(20_000) {
        let scale = [1.0, 1e-6, 1e6][case % 3];
        let cylinder = Cylinder::new(0.5 * scale, scale).unwrap();
        let cone = Cone::new(0.5 * scale, scale).unwrap();
        let body: &dyn ConvexBody = if random.below(2) == 0 { &cylinder } else { &cone };
        let corners = [(); 3].map(|()| scale * random.in_cube(1.0));
        let triangle = Points(&corners);
        let pose = Pose::new(random.rotation(), 3.0 * scale * random.direction()).unwrap();
        let distance = |pose: &Pose| distance_convex(body, &triangle, pose, &mut ConvexCache::new());
        let ConvexDistance::Separated(apart) = distance(&pose) else { continue };
        let shift = pose.translation() - apart.distance * apart.normal;
        if let ConvexDistance::Separated(left) = distance(&Pose::new(pose.rotation(), shift).unwrap()) {
            assert!(
                left.distance <= 2e-9 * scale,
                "case {case}: {:e} {corners:?} {pose:?}",
                left.distance / scale
            );
        }
    }
}

#[test]
fn a_cylinder_that_lies_on_the_end_of_another_touches_it() {
    let mut random = Random::new(34);
    let on_side = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap();
    for case in 0..cases(5000) {
        let mut length = || random.range(0.3, 3.0);
        let (lower, upper) = (Cylinder::new(length(), length()), Cylinder::new(length(), length()));
        let (lower, upper) = (lower.unwrap(), upper.unwrap());
        let turn = Pose::from_axis_angle(Vec3::Z, random.range(-3.0, 3.0)).unwrap() * on_side;
        let place = 0.6 * lower.radius() * random.in_cube(1.0).with_z(0.0);
        let height = 0.5 * lower.height() + upper.radius();
        let pose = Pose::new(turn.rotation(), place + height * Vec3::Z).unwrap();
        for found in [
            distance_convex(&lower, &upper, &pose, &mut ConvexCache::new()),
            distance_convex(&upper, &lower, &pose.inverse(), &mut ConvexCache::new()),
        ] {
            if let ConvexDistance::Separated(apart) = found {
                assert!(apart.distance < 1e-9, "case {case}: {:e} {lower:?} {upper:?}", apart.distance);
            }
        }
    }
}
