//! Distances with what the last question has left are those without it, whatever was asked before.

use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::{PairCache, Prepared, distance, distance_tracked, intersect};
use freiraum_testkit::random::Random;

fn stone(random: &mut Random, count: usize) -> Prepared {
    let points: Vec<Vec3> = (0..count).map(|_| random.direction()).collect();
    Prepared::new(Shape::Convex(Convex::from_points(&points).unwrap()))
}

/// The pose of a body on a walk round another one, in and out.
fn on_the_way(i: usize) -> Pose {
    let t = i as f64 * 0.01;
    let far = 1.5 + 1.5 * (0.37 * t).sin().abs();
    let turn = Quat::from_axis_angle(Vec3::new(2.0, 3.0, 6.0) / 7.0, t);
    Pose::new(turn, far * Vec3::new(t.cos(), t.sin(), 0.3 * (2.0 * t).sin())).unwrap()
}

#[test]
fn the_same_with_and_without_the_last_answer() {
    let mut random = Random::new(8);
    let shapes = [
        stone(&mut random, 40),
        stone(&mut random, 300),
        Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 2.0, 0.5)).unwrap())),
        Prepared::new(Shape::Cylinder(Cylinder::new(0.5, 1.5).unwrap())),
        Prepared::new(Shape::Cone(Cone::new(0.7, 1.5).unwrap())),
        Prepared::new(Shape::Capsule(Capsule::new(0.4, 1.0).unwrap())),
        Prepared::new(Shape::Sphere(Sphere::new(0.8).unwrap())),
        Prepared::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, -2.0).unwrap())),
        Prepared::new(Shape::Mesh(
            Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()).tessellate(1.0).unwrap().into(),
        )),
    ];
    // One cache for a pair all the way, and one that pairs take turns with.
    let mut shared = PairCache::default();
    for a in &shapes {
        for b in &shapes {
            let mut own = PairCache::default();
            for i in 0..120 {
                let a_from_b = on_the_way(5 * i);
                let expected = distance(a, b, &a_from_b).unwrap();
                for cache in [&mut own, &mut shared] {
                    let found = distance_tracked(a, b, &a_from_b, cache).unwrap();
                    let off = (found.closest.distance - expected.distance).abs();
                    // Depths of round bodies are iterated.
                    let most = if expected.distance < 0.0 { 1e-9 } else { 1e-12 };
                    assert!(
                        off <= most,
                        "{:?} {:?}: {found:?} {expected:?}",
                        a.shape().kind(),
                        b.shape().kind()
                    );
                    let is_met = intersect(a, b, &a_from_b).unwrap().intersects();
                    assert!(!(found.is_apart && is_met), "{found:?}");
                }
            }
        }
    }
}
