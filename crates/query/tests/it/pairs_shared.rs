//! Where meshes and compounds overlap something, the distance is 0 at a point of both.

use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, Part, Shape, Sphere,
};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::{Prepared, distance, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

fn convex(random: &mut Random) -> Shape {
    let size = |random: &mut Random| random.range(0.02, 1.0);
    match random.below(6) {
        0 => Shape::Sphere(Sphere::new(size(random)).unwrap()),
        1 => Shape::Capsule(Capsule::new(size(random), size(random)).unwrap()),
        2 => Shape::Cylinder(Cylinder::new(size(random), size(random)).unwrap()),
        3 => Shape::Cone(Cone::new(size(random), size(random)).unwrap()),
        4 => Shape::Cuboid(Cuboid::new(Vec3::new(size(random), size(random), size(random))).unwrap()),
        _ => {
            let points: Vec<Vec3> = (0..8).map(|_| random.in_cube(1.0)).collect();
            Shape::Convex(Convex::from_points(&points).unwrap())
        }
    }
}

fn pose(random: &mut Random, far: f64) -> Pose {
    Pose::new(random.rotation(), random.direction() * random.range(0.0, far)).unwrap()
}

fn compound(random: &mut Random) -> Shape {
    let part = |random: &mut Random| Part { compound_from_part: pose(random, 1.0), shape: convex(random) };
    Shape::Compound(Compound::new((0..3).map(|_| part(random)).collect()).unwrap())
}

fn mesh(random: &mut Random) -> Shape {
    Shape::Mesh(Arc::new(convex(random).tessellate(0.05).unwrap()))
}

/// How far a point is outside of a body, from above: a ball around it that reaches the body.
fn is_in(body: &Prepared, point: Vec3, off: f64) -> bool {
    let ball = Prepared::new(Shape::Sphere(Sphere::new(off).unwrap()));
    intersects(body, &ball, &Pose::from_translation(point)).unwrap()
}

fn check(random: &mut Random, mut other: impl FnMut(&mut Random) -> Shape, count: usize) {
    let mut met = 0;
    for case in 0..count {
        let (a, b) = (other(random), if case % 2 == 0 { convex(random) } else { other(random) });
        let (a, b) = (Prepared::new(a), Prepared::new(b));
        let a_from_b = pose(random, 1.2);
        for (a, b, a_from_b) in [(&a, &b, a_from_b), (&b, &a, a_from_b.inverse())] {
            let found = distance(a, b, &a_from_b).unwrap();
            if found.distance > 0.0 {
                continue;
            }
            met += 1;
            assert_eq!((found.distance, found.point_on_a), (0.0, found.point_on_b));
            let p = found.point_on_a;
            let in_b = a_from_b.inverse().transform_point(p);
            let off = 1e-9;
            assert!(is_in(a, p, off) && is_in(b, in_b, off), "case {case} {:?} {:?}", a.shape(), b.shape());
        }
    }
    assert!(met > count / 4, "{met}");
}

#[test]
fn points_of_both() {
    let mut random = Random::new(41);
    check(&mut random, compound, cases(300));
    check(&mut random, mesh, cases(300));
}

#[test]
fn compounds_below_planes() {
    let mut random = Random::new(42);
    for _ in 0..cases(100) {
        let floor = HalfSpace::new(random.direction(), random.range(-0.5, 0.5)).unwrap();
        let (floor, body) = (Prepared::new(Shape::HalfSpace(floor)), Prepared::new(compound(&mut random)));
        let place = pose(&mut random, 1.0);
        let found = distance(&floor, &body, &place).unwrap();
        if found.distance <= 0.0 {
            let p = found.point_on_a;
            assert!(is_in(&floor, p, 1e-9) && is_in(&body, place.inverse().transform_point(p), 1e-9));
        }
    }
}
