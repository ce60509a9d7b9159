//! The widest plane between two bodies: its gap and the distance of two points meet.

use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Sphere};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::convex::{ConvexBody, ConvexCache, ConvexDistance, Points, distance_convex, part_convex};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::FRAC_PI_2;

fn pose(random: &mut Random, kind: usize) -> Pose {
    let shift = random.in_cube(3.0);
    match kind {
        0 => Pose::new(random.rotation(), shift).unwrap(),
        1 => Pose::from_translation(shift),
        2 => Pose::from_translation(Vec3::new(0.0, 0.0, shift.z)),
        _ => Pose::from_translation(Vec3::new(shift.x, 0.0, 0.0)),
    }
}

#[test]
fn bounds_meet() {
    let mut random = Random::new(7);
    let triangle: [Vec3; 3] = std::array::from_fn(|_| random.in_cube(1.0));
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let bodies: Vec<(&str, Box<dyn ConvexBody + '_>)> = vec![
        ("sphere", Box::new(Sphere::new(0.4).unwrap())),
        ("capsule", Box::new(Capsule::new(0.2, 1.0).unwrap())),
        ("cylinder", Box::new(Cylinder::new(0.5, 1.0).unwrap())),
        ("disc", Box::new(Cylinder::new(1.0, 1e-3).unwrap())),
        ("needle", Box::new(Cylinder::new(1e-3, 2.0).unwrap())),
        ("cone", Box::new(Cone::new(0.5, 1.0).unwrap())),
        ("spike", Box::new(Cone::new(0.01, 2.0).unwrap())),
        ("hat", Box::new(Cone::new(1.0, 0.05).unwrap())),
        ("cuboid", Box::new(Cuboid::new(Vec3::new(0.8, 0.6, 0.4)).unwrap())),
        ("triangle", Box::new(Points(&triangle))),
        ("flat", Box::new(Points(&flat))),
    ];
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            for i in 0..cases(120) {
                let a_from_b = pose(&mut random, i % 4);
                let ConvexDistance::Separated(found) =
                    distance_convex(&**a, &**b, &a_from_b, &mut ConvexCache::new())
                else {
                    continue;
                };
                let (mut normal, mut point, mut a_from_b) = (found.normal, found.point_on_a, a_from_b);
                // The bodies come nearer and nearer, and touch in the end.
                for gap in [1e-4, 1e-7, 1e-10, 1e-12, 0.0, -1e-12] {
                    let parted = part_convex(&**a, &**b, &a_from_b, normal, point);
                    let open = parted.upper - parted.lower.max(0.0);
                    assert!(open <= 2e-13, "{name_a} {name_b} {gap} {open:e} {parted:?}");
                    // The bounds are what they say: points of the bodies, and a plane between them.
                    let in_b = a_from_b.inverse().transform_point(parted.point_on_b);
                    let off_a = a.nearest(parted.point_on_a).distance(parted.point_on_a);
                    let off_b = b.nearest(in_b).distance(in_b);
                    assert!(off_a <= a.radius() + 1e-14 && off_b <= b.radius() + 1e-14);
                    let between = parted.point_on_a.distance(parted.point_on_b);
                    assert!((between - parted.upper).abs() <= 1e-14, "{parted:?}");
                    assert!((parted.normal.length() - 1.0).abs() <= 1e-15);
                    a_from_b = Pose::from_translation(-(parted.lower - gap) * parted.normal) * a_from_b;
                    (normal, point) = (parted.normal, parted.point_on_a);
                }
            }
        }
    }
}

/// Distances that follow from a sketch: a tilted cylinder over a plane, its rim beside an edge, a tip beside a mantle.
#[test]
fn known_distances() {
    let can = Cylinder::new(0.5, 1.0).unwrap();
    let check = |a: &dyn ConvexBody, b: &dyn ConvexBody, a_from_b: &Pose, expected: f64| {
        let ConvexDistance::Separated(found) = distance_convex(a, b, a_from_b, &mut ConvexCache::new())
        else {
            panic!("apart by {expected}");
        };
        let parted = part_convex(a, b, a_from_b, found.normal, found.point_on_a);
        assert!((parted.lower - expected).abs() <= 4e-15, "{parted:?} {expected}");
        assert!((parted.upper - expected).abs() <= 4e-15, "{parted:?} {expected}");
    };
    let tilted = Pose::new(Quat::from_axis_angle(Vec3::Y, 0.3), Vec3::new(0.1, 0.2, 2.0)).unwrap();
    let (sin, cos) = 0.3f64.sin_cos();
    let table = Cuboid::new(Vec3::new(5.0, 5.0, 1.0)).unwrap();
    check(&table, &can, &tilted, 1.5 - 0.5 * cos - 0.5 * sin);
    let beside = Pose::from_translation(Vec3::new(1.3, 0.0, 1.4));
    check(&can, &Cuboid::new(Vec3::ONE).unwrap(), &beside, 0.3f64.hypot(0.4));
    let tip = Pose::new(Quat::from_axis_angle(Vec3::Y, -FRAC_PI_2), Vec3::new(2.5, 0.3, 0.1)).unwrap();
    check(&can, &Cone::new(0.2, 1.0).unwrap(), &tip, 2f64.hypot(0.3) - 0.5);
    let across = Pose::new(Quat::from_axis_angle(Vec3::X, 0.9), Vec3::new(1.7, 0.0, 0.1)).unwrap();
    check(&can, &can, &across, 0.7);
}
