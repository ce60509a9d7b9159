//! Penetration depth of convex bodies against the hull of all differences of corners, and known depths.

use crate::convex_oracle::{brute_depth, depth_of_hull, ellipsoid, placed, random_pose};
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, Sphere, Support};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::Closest;
use freiraum_query::convex::{
    ConvexBody, ConvexGraph, NO_VERTEX, PenetrationWorkspace, Points, penetration_by_sliding,
    penetration_convex,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn scale_of<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(a: &A, b: &B, a_from_b: &Pose) -> f64 {
    a.reach() + b.reach() + a_from_b.translation().length() + a.radius() + b.radius()
}

/// The farthest coordinate of a grown body along a unit vector.
fn extent<A: ConvexBody + ?Sized>(a: &A, direction: Vec3) -> f64 {
    a.farthest(direction, NO_VERTEX).point.dot(direction) + a.radius()
}

/// The depth with everything that must hold for it whatever it is: the plane supports, both points lie on it and in
/// their bodies, and the order of the bodies does not matter.
fn depth<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
    tolerance: f64,
) -> Closest {
    let mut workspace = PenetrationWorkspace::new();
    let found = penetration_convex(a, b, a_from_b, &mut workspace);
    let scale = scale_of(a, b, a_from_b);
    let close = |x: f64, y: f64| (x - y).abs() <= tolerance * scale;
    assert!((found.normal.length() - 1.0).abs() < 1e-14, "{found:?}");
    assert!((found.point_on_a + found.distance * found.normal - found.point_on_b).length() <= 1e-14 * scale);
    let b_from_a = a_from_b.inverse();
    let (n, back) = (found.normal, b_from_a.rotate(-found.normal));
    let on_b = b_from_a.transform_point(found.point_on_b);
    assert!(close(found.point_on_a.dot(n), extent(a, n)), "{found:?}");
    assert!(close(on_b.dot(back), extent(b, back)), "{found:?}");
    let again = penetration_convex(a, b, a_from_b, &mut workspace);
    assert!(close(again.distance, found.distance), "{again:?} {found:?}");
    let swapped = penetration_convex(b, a, &b_from_a, &mut workspace);
    assert!(close(swapped.distance, found.distance), "{swapped:?} {found:?}");
    found
}

#[test]
fn polyhedra_agree_with_the_hull_of_all_differences() {
    let mut random = Random::new(31);
    let mut deep = 0;
    for case in 0..cases(300) {
        let scale = [1.0, 1e-6, 1e6, 1.0][case % 4];
        let (n, m) = (4 + random.below(22), 4 + random.below(22));
        let (a, b) = (ellipsoid(n, scale, &mut random), ellipsoid(m, scale, &mut random));
        let pose = random_pose(scale * random.range(0.0, 0.8), &mut random);
        let expected = brute_depth(&a, &b, &pose).unwrap();
        if expected > 0.0 {
            deep += 1;
            let (ga, gb) = (ConvexGraph::new(a.clone()), ConvexGraph::new(b.clone()));
            let found = depth(&ga, &gb, &pose, 1e-12);
            assert!((found.distance + expected).abs() <= 1e-12 * scale, "{} {expected}", found.distance);
            assert!(a.contains(found.point_on_a.lerp(ga.center(), 1e-12)));
        }
    }
    assert!(deep > cases(300) / 4);
}

/// Corners on a coarse grid: faces and edges of both bodies are parallel all the time.
#[test]
fn grid_polyhedra_agree_with_the_hull_of_all_differences() {
    let mut random = Random::new(32);
    let mut deep = 0;
    let body = |random: &mut Random| loop {
        let points: Vec<Vec3> =
            (0..8).map(|_| Vec3::from(std::array::from_fn(|_| random.below(4) as f64))).collect();
        if let Ok(body) = Convex::from_points(&points) {
            return body;
        }
    };
    for case in 0..cases(600) {
        let (a, b) = (body(&mut random), body(&mut random));
        let shift = Vec3::from(std::array::from_fn(|_| random.below(5) as f64 - 2.0));
        let quarter =
            Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2 * (case % 4) as f64).unwrap();
        let pose = Pose::new(quarter.rotation(), shift).unwrap();
        let expected = brute_depth(&a, &b, &pose).unwrap();
        let found = depth(&a, &b, &pose, 1e-9);
        if expected >= -1e-12 {
            deep += 1;
            assert!((found.distance + expected).abs() <= 1e-9, "{} {expected} {case}", found.distance);
        } else {
            assert!(found.distance > 0.0);
        }
    }
    assert!(deep > cases(600) / 4);
}

#[test]
fn boxes_by_hand() {
    let unit = Cuboid::new(Vec3::ONE).unwrap();
    let plate = Cuboid::new(Vec3::new(4.0, 3.0, 0.1)).unwrap();
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    let check = |a: &Cuboid, b: &Cuboid, pose: Pose, expected: f64, normal: Option<Vec3>| {
        let found = depth(a, b, &pose, 1e-14);
        assert!((found.distance + expected).abs() <= 1e-14, "{pose:?}: {found:?}");
        if let Some(normal) = normal {
            assert!((found.normal - normal).length() < 1e-12, "{found:?}");
        }
    };
    check(&unit, &unit, at(0.9, 0.0, 0.0), 0.1, Some(Vec3::X));
    check(&unit, &unit, at(0.2, -0.75, 0.1), 0.25, Some(-Vec3::Y));
    check(&unit, &unit, at(1.0, 0.0, 0.0), 0.0, Some(Vec3::X));
    check(&unit, &unit, at(1.0, 1.0, 1.0), 0.0, None);
    check(&unit, &unit, at(1.0, 1.0, 0.3), 0.0, None);
    check(&unit, &unit, Pose::IDENTITY, 1.0, None);
    check(&plate, &plate, Pose::IDENTITY, 0.1, None);
    check(&plate, &unit, at(1.0, 0.5, 0.0), 0.55, None);
    check(&plate, &unit, at(1.0, 0.5, 0.1), 0.45, Some(Vec3::Z));
    check(&plate, &unit, at(1.0, 0.5, -0.55), 0.0, Some(-Vec3::Z));
}

#[test]
fn spheres_and_capsules_by_hand() {
    let (ball, capsule) = (Sphere::new(0.3).unwrap(), Capsule::new(0.2, 1.0).unwrap());
    let cube = Cuboid::new(Vec3::ONE).unwrap();
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    let close =
        |found: Closest, expected: f64| assert!((found.distance - expected).abs() < 1e-14, "{found:?}");
    close(depth(&ball, &ball, &at(0.0, 0.3, 0.4), 1e-14), -0.1);
    close(depth(&ball, &ball, &at(0.0, 3.0, 4.0), 1e-14), 4.4);
    close(depth(&ball, &ball, &Pose::IDENTITY, 1e-14), -0.6);
    close(depth(&cube, &ball, &at(0.7, 0.1, 0.0), 1e-14), -0.1);
    close(depth(&cube, &ball, &at(0.4, 0.1, 0.0), 1e-14), -0.4);
    close(depth(&cube, &ball, &Pose::IDENTITY, 1e-14), -0.8);
    // Crossing axes: the cores meet in a point and span a plane.
    let across = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap();
    let crossed = depth(&capsule, &capsule, &across, 1e-14);
    close(crossed, -0.4);
    assert!(crossed.normal.x.abs() > 1.0 - 1e-12, "{crossed:?}");
    close(depth(&capsule, &capsule, &Pose::IDENTITY, 1e-14), -0.4);
    close(depth(&capsule, &capsule, &at(0.0, 0.0, 0.9), 1e-14), -0.4);
    close(depth(&capsule, &capsule, &at(0.1, 0.0, 0.9), 1e-14), -0.3);
}

#[test]
fn flat_bodies_have_no_depth() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let triangle = Points(&corners);
    let found = depth(&triangle, &triangle, &Pose::from_translation(Vec3::new(0.2, 0.2, 0.0)), 1e-14);
    assert_eq!(found.distance.abs(), 0.0);
    assert!(found.normal.z.abs() > 1.0 - 1e-14);
    let segment = Points(&corners[..2]);
    assert_eq!(depth(&segment, &segment, &Pose::IDENTITY, 1e-14).distance.abs(), 0.0);
    let point = Points(&corners[..1]);
    assert_eq!(depth(&point, &point, &Pose::IDENTITY, 1e-14).distance.abs(), 0.0);
    // A triangle through a box: flat, but the difference is not.
    let cube = Cuboid::new(Vec3::ONE).unwrap();
    let found = depth(&cube, &triangle, &Pose::from_translation(Vec3::new(-0.2, -0.2, 0.4)), 1e-14);
    assert!((found.distance + 0.1).abs() < 1e-15, "{found:?}");
}

/// No direction may need a shorter translation than the one found.
#[test]
fn round_bodies_need_no_less_in_any_direction() {
    let mut random = Random::new(33);
    let shapes: [(&dyn ConvexBody, &dyn Support); 3] = [
        (&Cylinder::new(0.4, 1.0).unwrap(), &Cylinder::new(0.4, 1.0).unwrap()),
        (&Cone::new(0.5, 1.2).unwrap(), &Cone::new(0.5, 1.2).unwrap()),
        (&Cuboid::new(Vec3::new(0.5, 0.7, 0.9)).unwrap(), &Cuboid::new(Vec3::new(0.5, 0.7, 0.9)).unwrap()),
    ];
    let mut directions: Vec<Vec3> = (0..4000).map(|_| random.direction()).collect();
    directions.extend([Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]);
    let (mut settled, mut total) = (0, 0);
    for case in 0..cases(60) {
        let (a, b) = (shapes[case % 3], shapes[(case / 3) % 2]);
        let pose = random_pose(random.range(0.0, 0.5), &mut random);
        let found = depth(a.0, b.0, &pose, 1e-6);
        if found.distance > 0.0 {
            continue;
        }
        // No direction needs less; and from the best of many directions sliding finds no less either.
        let b_from_a = pose.inverse();
        let needed = |n: Vec3| {
            let b_far = pose.transform_point(b.1.support(b_from_a.rotate(-n)));
            a.1.support(n).dot(n) - b_far.dot(n)
        };
        let best = directions.iter().copied().min_by(|x, y| needed(*x).total_cmp(&needed(*y))).unwrap();
        // Where the curvatures nearly fit it creeps and does not settle.
        let slid = penetration_by_sliding(a.0, b.0, &pose, best);
        settled += usize::from(slid.is_some());
        assert!(needed(best) >= -found.distance - 1e-9, "{case}");
        assert!(slid.is_none_or(|s| s.distance <= found.distance + 1e-6), "{case}: {slid:?} {found:?}");
        total += 1;
    }
    assert!(settled * 10 >= total * 9, "{settled} of {total}");
}

#[test]
fn sliding_agrees_where_it_finds_the_least() {
    let mut random = Random::new(34);
    let (mut agreed, mut total) = (0, 0);
    for _ in 0..cases(200) {
        let (a, b) = (ellipsoid(20, 1.0, &mut random), ellipsoid(20, 1.0, &mut random));
        let pose = random_pose(random.range(0.1, 0.5), &mut random);
        let exact = depth(&a, &b, &pose, 1e-12);
        if exact.distance >= 0.0 {
            continue;
        }
        total += 1;
        let slid = penetration_by_sliding(&a, &b, &pose, exact.normal).unwrap();
        assert!((slid.distance - exact.distance).abs() < 1e-12, "{slid:?} {exact:?}");
        let slid = penetration_by_sliding(&a, &b, &pose, pose.translation()).unwrap();
        assert!(slid.distance <= exact.distance + 1e-12, "{slid:?} {exact:?}");
        agreed += usize::from(slid.distance >= exact.distance - 1e-9);
        // Along the normal the bodies then touch.
        let apart = Pose::new(pose.rotation(), pose.translation() - slid.distance * slid.normal).unwrap();
        assert!(penetration_convex(&a, &b, &apart, &mut PenetrationWorkspace::new()).distance.abs() < 1e-12);
    }
    assert!(2 * agreed > total, "{agreed} of {total}");
    assert_eq!(
        penetration_by_sliding(
            &ellipsoid(9, 1.0, &mut random),
            &ellipsoid(9, 1.0, &mut random),
            &Pose::from_translation(3.0 * Vec3::X),
            Vec3::X
        ),
        None
    );
}

/// A box whose faces carry many points that lie in one plane only up to rounding: the exact hull keeps them as corners.
#[test]
fn nearly_flat_faces() {
    let mut random = Random::new(35);
    for _ in 0..cases(10) {
        let turn = random.rotation();
        let grid: Vec<Vec3> = (0..216)
            .map(|i| turn * Vec3::new((i % 6) as f64, (i / 6 % 6) as f64, (i / 36) as f64 * 0.5))
            .collect();
        let rough = ConvexGraph::new(Convex::from_points(&grid).unwrap());
        let small = ConvexGraph::new(
            Convex::from_points(&grid.iter().map(|p| 0.3 * *p).collect::<Vec<_>>()).unwrap(),
        );
        for (x, y, z, expected) in [(1.0, 1.0, 2.4, 0.1), (1.0, 2.0, 2.0, 0.5), (2.0, 4.0, 1.0, 1.0)] {
            let pose = Pose::from_translation(turn * Vec3::new(x, y, z));
            let found = depth(&rough, &small, &pose, 1e-12);
            assert!((found.distance + expected).abs() < 1e-11, "{x} {y} {z}: {found:?}");
        }
        let identical = depth(&rough, &rough, &Pose::IDENTITY, 1e-12);
        assert!((identical.distance + 2.5).abs() < 1e-11, "{identical:?}");
    }
}

#[test]
fn thin_bodies() {
    let mut random = Random::new(36);
    for _ in 0..cases(100) {
        let thin = 10f64.powf(random.range(-9.0, -1.0));
        let points = |random: &mut Random| -> Vec<Vec3> {
            (0..10).map(|_| random.in_cube(1.0) * Vec3::new(1.0, 1.0, thin)).collect()
        };
        let a = Convex::from_points(&points(&mut random)).unwrap();
        let b = Convex::from_points(&points(&mut random)).unwrap();
        let pose = random_pose(random.range(0.0, 0.3), &mut random);
        let vb = placed(&b, &pose);
        let differences: Vec<Vec3> =
            a.vertices().iter().flat_map(|p| vb.iter().map(move |q| *p - *q)).collect();
        let expected = depth_of_hull(&differences).unwrap();
        let found = depth(&a, &b, &pose, 1e-9);
        assert!((found.distance + expected).abs() < 1e-9 || expected < 0.0, "{thin}: {found:?} {expected}");
    }
    let needle = Cuboid::new(Vec3::new(1e-6, 1e-6, 1e6)).unwrap();
    let across = Pose::new(Quat::from_rotation_x(1.0), Vec3::ZERO).unwrap();
    assert!((depth(&needle, &needle, &across, 1e-12).distance + 1e-6).abs() < 1e-12);
}

/// From the least to the largest size that shapes may have.
#[test]
fn every_size_is_ordinary() {
    for scale in [1e-49, 1e-40, 1e-6, 1e6, 1e40, 1e49] {
        let cube = Cuboid::new(scale * Vec3::ONE).unwrap();
        for (x, expected) in [(0.75, 0.25), (0.25, 0.75), (0.0, 1.0), (1.0, 0.0)] {
            let pose = Pose::from_translation(scale * Vec3::new(x, 0.1 * x, 0.0));
            let found = depth(&cube, &cube, &pose, 1e-14);
            assert!((found.distance / scale + expected).abs() < 1e-14, "{scale} {x}: {found:?}");
        }
    }
}

/// Small round bodies that touch large flat ones, or nearly: whatever rounding makes of it, the points are on both bodies. Bounds of depths of large bodies are wider than
/// small ones are thick.
#[test]
fn small_round_bodies_touch_large_flat_ones() {
    let mut random = Random::new(38);
    let mut touching = 0;
    for case in 0..cases(2000) {
        let size = [0.1, 2.0, 20.0, 200.0][case % 4];
        let [p, q, r] =
            [(-1.0, -1.0), (1.0, -1.0), (-0.3, 1.0)].map(|(x, y)| 0.5 * size * Vec3::new(x, y, 0.0));
        let radius = random.range(0.002, 0.02);
        let height = radius * random.range(0.1, 3.0);
        let tilt = [0.0, std::f64::consts::FRAC_PI_2, random.range(0.0, 3.0), 1e-7, 1e-4][random.below(5)];
        let turn = Quat::from_rotation_z(random.range(0.0, 6.0)) * Quat::from_rotation_x(tilt);
        let bodies: [&dyn ConvexBody; 4] = [
            &Cylinder::new(radius, height).unwrap(),
            &Cone::new(radius, height).unwrap(),
            &Capsule::new(radius, height).unwrap(),
            &Sphere::new(radius).unwrap(),
        ];
        let body = bodies[random.below(4)];
        let lowest = extent(body, turn.conjugate() * -Vec3::Z);
        let gap = [0.0, 0.0, 1e-18, -1e-18, 1e-15, -1e-15, -1e-12, -1e-9][random.below(8)];
        let place = 0.2 * size * Vec3::new(random.range(-1.0, 1.0), random.range(-1.0, 0.5), 0.0);
        let flat_from_body = Pose::new(turn, place + (lowest + gap) * Vec3::Z).unwrap();
        let found = if case % 2 == 0 {
            depth(body, &Points(&[p, q, r]), &flat_from_body.inverse(), 1e-6)
        } else {
            let slab = Cuboid::new(Vec3::new(size, size, 0.1 * size)).unwrap();
            let top = Pose::from_translation(-0.05 * size * Vec3::Z);
            depth(&slab, body, &(top.inverse() * flat_from_body), 1e-6)
        };
        touching += usize::from(found.distance.abs() < 1e-14 * size);
        if let Some(slid) =
            penetration_by_sliding(body, &Points(&[p, q, r]), &flat_from_body.inverse(), found.normal)
        {
            assert!(slid.distance <= 0.0, "{slid:?}");
        }
    }
    assert!(touching * 3 > cases(2000), "{touching}");
}
