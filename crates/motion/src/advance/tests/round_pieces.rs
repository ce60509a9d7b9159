//! Round pieces and half spaces, against steps on the distance.

use super::*;
use freiraum_geometry::path::Straight;
use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Sphere};

fn shapes() -> Vec<Movable> {
    let shapes = [
        Shape::Sphere(Sphere::new(0.4).unwrap()),
        Shape::Capsule(Capsule::new(0.2, 1.0).unwrap()),
        Shape::Cylinder(Cylinder::new(0.3, 0.9).unwrap()),
        Shape::Cone(Cone::new(0.4, 0.8).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(0.8, 0.6, 0.4)).unwrap()),
    ];
    shapes.into_iter().map(Movable::new).collect()
}

#[test]
fn round_pieces_under_straight_motions_and_screws() {
    let mut random = Random::new(2);
    let shapes = shapes();
    let mut found = [0, 0];
    for a in &shapes {
        for b in &shapes {
            let mut done = 0;
            while done < cases(6) {
                let pose = |random: &mut Random| Pose::new(random.rotation(), random.in_cube(1.2)).unwrap();
                let (p, q, r) = (pose(&mut random), pose(&mut random), pose(&mut random));
                let by_a =
                    UniformMotion::rotation(p, Axis::new(Vec3::ZERO, random.direction()).unwrap(), 1.5);
                let by_b = Straight::new(q, r);
                let scene = Scene { a, by_a: &by_a, b, by_b: &by_b };
                if scene.distance(0.0) < 0.01 {
                    continue;
                }
                done += 1;
                found[usize::from(scene.check(200))] += 1;
            }
        }
    }
    assert!(found[0] > 10 && found[1] > 10, "{found:?}");
}

#[test]
fn half_spaces_that_stand() {
    let mut random = Random::new(3);
    let floor = Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::new(0.1, 0.2, 1.0), -0.8).unwrap()));
    let mut found = [0, 0];
    for body in shapes().iter().chain([&movable(bumpy::sphere(4))]) {
        let mut done = 0;
        while done < cases(10) {
            let pose = |random: &mut Random| Pose::new(random.rotation(), random.in_cube(1.2)).unwrap();
            let by_a = UniformMotion::still(Pose::new(random.rotation(), Vec3::ZERO).unwrap());
            let (p, q) = (pose(&mut random), pose(&mut random));
            let by_b = Straight::new(p, q);
            let scene = Scene { a: &floor, by_a: &by_a, b: body, by_b: &by_b };
            if scene.distance(0.0) < 0.01 {
                continue;
            }
            done += 1;
            let contact = scene.check(200);
            found[usize::from(contact)] += 1;
            let swapped = Scene { a: body, by_a: &by_b, b: &floor, by_b: &by_a };
            match (scene.advance(0.0), swapped.advance(0.0)) {
                (Advanced::Contact(x), Advanced::Contact(y)) => {
                    assert_eq!((x.time, x.error, x.normal), (y.time, y.error, -y.normal));
                }
                (x, y) => assert_eq!(x, y),
            }
        }
    }
    assert!(found[0] > 5 && found[1] > 5, "{found:?}");
}

/// A wall that turns about its edge comes down on a body: the time follows from the distance of the body from the plane.
#[test]
fn half_spaces_that_turn() {
    let mut random = Random::new(6);
    let wall = Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()));
    let mut contacts = 0;
    for body in shapes().iter().chain([&movable(bumpy::sphere(4))]) {
        for has_twist in [true, true, true, false] {
            let chain = Chain {
                start: Pose::new(random.rotation(), random.in_cube(0.5)).unwrap(),
                arms: vec![Vec3::ZERO],
                axes: vec![random.direction()],
                speeds: vec![random.range(1.0, 3.0)],
                has_twist,
            };
            let at =
                chain.start.transform_point(Vec3::new(random.range(-2.0, 2.0), random.range(-2.0, 2.0), 1.0));
            let by_b = UniformMotion::rotation(
                Pose::new(random.rotation(), at).unwrap(),
                Axis::new(at, random.direction()).unwrap(),
                1.0,
            );
            let scene = Scene { a: &wall, by_a: &chain, b: body, by_b: &by_b };
            if scene.distance(0.0) < 0.01 {
                continue;
            }
            let sampled = scene.sampled(2000);
            match scene.advance(0.0) {
                Advanced::Contact(contact) => {
                    contacts += 1;
                    let first = contact.time - contact.error;
                    assert!(scene.distance(first) < 1e-7, "{contact:?}");
                    assert!(
                        sampled.is_none_or(|t| t >= first && t <= first + 1e-3),
                        "{contact:?} {sampled:?}"
                    );
                }
                Advanced::Free { .. } => assert!(sampled.is_none()),
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(contacts > 5, "{contacts}");
}

/// A ball that turns about its own centre is the same as one that does not.
#[test]
fn spinning_balls_make_long_steps() {
    let ball = Movable::new(Shape::Sphere(Sphere::new(0.5).unwrap()));
    let axis = Axis::new(Vec3::new(2.0, 0.0, 0.0), Vec3::Z).unwrap();
    let by_a = UniformMotion::rotation(Pose::IDENTITY, Axis { point: Vec3::ZERO, ..axis }, 1000.0);
    let by_b = Straight::new(Pose::from_translation(Vec3::new(2.0, 0.0, 0.0)), Pose::IDENTITY);
    match (Scene { a: &ball, by_a: &by_a, b: &ball, by_b: &by_b }).advance(0.0) {
        Advanced::Contact(contact) => {
            assert!((contact.time - 0.5).abs() <= contact.error + 1e-12, "{contact:?}")
        }
        other => panic!("{other:?}"),
    }
}
