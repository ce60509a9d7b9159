//! Bodies of several pieces through the question about the time of contact.

use super::*;
use crate::{MotionWorkspace, Verdict, time_of_contact};
use freiraum_geometry::path::Straight;
use freiraum_geometry::shape::{Capsule, Compound, Cuboid, Cylinder, Part, Sphere};

fn placed(x: f64, y: f64, turn: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, 0.1))
        * Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), turn).unwrap()
}

fn bodies() -> [Movable; 2] {
    let a = vec![
        (placed(-0.5, 0.2, 0.5), Shape::Cuboid(Cuboid::new(Vec3::new(0.8, 0.3, 0.5)).unwrap())),
        (placed(0.5, -0.1, 1.5), Shape::Sphere(Sphere::new(0.3).unwrap())),
    ];
    let b = vec![
        (placed(0.4, 0.4, 2.5), Shape::Cylinder(Cylinder::new(0.2, 0.9).unwrap())),
        (placed(-0.4, 0.0, 0.9), Shape::Capsule(Capsule::new(0.15, 0.6).unwrap())),
        (placed(0.0, -0.5, 0.1), Shape::Cuboid(Cuboid::new(Vec3::new(0.2, 0.3, 1.1)).unwrap())),
    ];
    [a, b].map(|parts| {
        let parts = parts.into_iter().map(|(compound_from_part, shape)| Part { compound_from_part, shape });
        Movable::new(Shape::Compound(Compound::new(parts.collect()).unwrap()))
    })
}

#[test]
fn compounds_meet_when_their_pieces_do() {
    let mut random = Random::new(31);
    let [a, b] = bodies();
    let mut memory = MotionWorkspace::default();
    let mut found = [0, 0];
    while found[0] + found[1] < cases(40) {
        let pose = |random: &mut Random| Pose::new(random.rotation(), 1.5 * random.in_cube(1.0)).unwrap();
        let (p, q, r) = (pose(&mut random), pose(&mut random), pose(&mut random));
        let axis = Axis::new(random.in_cube(0.5), random.direction()).unwrap();
        let by_a = UniformMotion::screw(p, axis, random.range(0.2, 2.0), random.range(-0.5, 0.5));
        let by_b = Straight::new(q, r);
        let scene = Scene { a: &a, by_a: &by_a, b: &b, by_b: &by_b };
        if scene.distance(0.0) < 0.01 {
            continue;
        }
        let sampled = scene.sampled(500);
        match time_of_contact(&a, &by_a, &b, &by_b, &Limits::default(), &mut memory).unwrap() {
            Verdict::Contact(contact) => {
                found[1] += 1;
                let first = contact.time - contact.time_error;
                assert!(sampled.is_none_or(|t| t >= first), "{contact:?} {sampled:?}");
                assert!(scene.distance(first.max(0.0)) < 1e-7, "{contact:?}");
                // The point lies on both bodies.
                let point = Movable::new(Shape::Sphere(Sphere::new(1e-9).unwrap()));
                let at = UniformMotion::still(Pose::from_translation(contact.point));
                for (body, motion) in [(&a, &by_a as &dyn Motion), (&b, &by_b)] {
                    let near = Scene { a: body, by_a: motion, b: &point, by_b: &at }.distance(contact.time);
                    assert!(near.abs() < 1e-7, "{near} {contact:?}");
                }
            }
            Verdict::Free => {
                found[0] += 1;
                assert!(sampled.is_none(), "{sampled:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(found[0] > 3 && found[1] > 3, "{found:?}");
}
