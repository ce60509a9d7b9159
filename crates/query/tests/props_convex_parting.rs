//! The widest plane between two bodies: its gap and the distance of two points meet.

use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::convex::{ConvexBody, ConvexCache, ConvexDistance, Points, distance_convex, part_convex};
use freiraum_testkit::random::Random;

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
    let mut worst: f64 = 0.0;
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            let mut of_pair = [0.0f64; 2];
            let mut count = 0;
            for i in 0..400 {
                let a_from_b = pose(&mut random, i % 4);
                let ConvexDistance::Separated(found) =
                    distance_convex(&**a, &**b, &a_from_b, &mut ConvexCache::new())
                else {
                    continue;
                };
                let (mut normal, mut point, mut a_from_b) = (found.normal, found.point_on_a, a_from_b);
                for gap in [1e-4, 1e-7, 1e-10, 1e-12, 1e-13, -1e-12] {
                    let parted = part_convex(&**a, &**b, &a_from_b, normal, point);
                    let open = parted.upper - parted.lower.max(0.0);
                    if open > 1e-13 && count < 3 {
                        println!(
                            "{name_a} {name_b} kind {} next gap {gap:e}: {:.3e} lower {:.3e} {:?}",
                            i % 4,
                            open,
                            parted.lower,
                            parted.normal
                        );
                        count += 1;
                    }
                    of_pair[0] = of_pair[0].max(open);
                    assert!(parted.point_on_a.is_finite());
                    worst = worst.max(open);
                    // Almost touching.
                    a_from_b = Pose::from_translation(-(parted.lower - gap) * parted.normal) * a_from_b;
                    (normal, point) = (parted.normal, parted.point_on_a);
                }
            }
            if of_pair[0].max(of_pair[1]) > 1e-12 {
                println!("{name_a} {name_b} {of_pair:?}");
            }
        }
    }
    println!("worst {worst:e}");
}
