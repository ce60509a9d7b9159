//! Cylinders and cones against boxes and each other where the distance is known: rims, mantles, caps, tips and generators, apart, touching
//! and overlapping, in any place and size. Published shortcuts look at the nearest points of the axes and miss several of these.

use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::FRAC_PI_2;

fn cylinder(radius: f64, height: f64) -> Shape {
    Shape::Cylinder(Cylinder::new(radius, height).unwrap())
}

fn cone(radius: f64, height: f64) -> Shape {
    Shape::Cone(Cone::new(radius, height).unwrap())
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn turned(axis: Vec3, angle: f64) -> Pose {
    Pose::from_axis_angle(axis, angle).unwrap()
}

fn scaled(shape: &Shape, scale: f64) -> Shape {
    match shape {
        Shape::Cuboid(s) => Shape::Cuboid(Cuboid::new(2.0 * scale * s.half()).unwrap()),
        Shape::Cylinder(s) => cylinder(scale * s.radius(), scale * s.height()),
        Shape::Cone(s) => cone(scale * s.radius(), scale * s.height()),
        Shape::Capsule(s) => Shape::Capsule(Capsule::new(scale * s.radius(), scale * s.height()).unwrap()),
        other => other.clone(),
    }
}

/// A pair with a pose at which the bodies just touch, the direction that b leaves in, and how deep b may be pushed back so that
/// this is still the shortest way out.
struct Touching {
    name: &'static str,
    a: Shape,
    b: Shape,
    pose: Pose,
    away: Vec3,
    deepest: f64,
}

fn touching() -> Vec<Touching> {
    let plate = cuboid(4.0, 4.0, 1.0);
    let case = |name: &'static str, a: &Shape, b: Shape, pose: Pose, away: Vec3, deepest: f64| Touching {
        name,
        a: a.clone(),
        b,
        pose,
        away,
        deepest,
    };
    let lying = turned(Vec3::X, FRAC_PI_2);
    let mut list = vec![
        case("cap on face", &plate, cylinder(0.5, 1.0), at(0.3, 0.2, 1.0), Vec3::Z, 0.3),
        case("mantle on face", &plate, cylinder(0.5, 1.0), at(0.3, 0.2, 1.0) * lying, Vec3::Z, 0.3),
        case("cap on edge of the plate", &plate, cylinder(0.5, 1.0), at(2.0, 0.0, 1.0), Vec3::Z, 0.3),
        case("cap beside the face", &plate, cylinder(0.5, 1.0), at(2.3, 0.0, 1.0), Vec3::Z, 0.1),
        case("cone on its base", &plate, cone(0.5, 1.0), at(0.3, 0.2, 1.0), Vec3::Z, 0.3),
        case(
            "cone on its tip",
            &plate,
            cone(0.5, 1.0),
            at(0.3, 0.2, 1.0) * turned(Vec3::X, 2.0 * FRAC_PI_2),
            Vec3::Z,
            0.3,
        ),
        case(
            "crossed cylinders",
            &cylinder(0.5, 4.0),
            cylinder(0.3, 4.0),
            at(0.8, 0.0, 0.0) * lying,
            Vec3::X,
            0.3,
        ),
        case("parallel cylinders", &cylinder(0.5, 4.0), cylinder(0.3, 4.0), at(0.8, 0.0, 0.5), Vec3::X, 0.3),
        case("coaxial cylinders", &cylinder(0.5, 1.0), cylinder(0.3, 1.0), at(0.0, 0.0, 1.0), Vec3::Z, 0.3),
        case(
            "cap on mantle",
            &cylinder(0.5, 4.0),
            cylinder(0.3, 1.0),
            at(1.0, 0.0, 0.0) * turned(Vec3::Y, FRAC_PI_2),
            Vec3::X,
            0.2,
        ),
        case(
            "tip on tip",
            &cone(0.5, 1.0),
            cone(0.5, 1.0),
            at(0.0, 0.0, 1.0) * turned(Vec3::X, 2.0 * FRAC_PI_2),
            Vec3::Z,
            0.0,
        ),
        case(
            "tip on cap",
            &cylinder(0.5, 1.0),
            cone(0.5, 1.0),
            at(0.1, 0.1, 1.0) * turned(Vec3::X, 2.0 * FRAC_PI_2),
            Vec3::Z,
            0.3,
        ),
        case(
            "capsule on mantle",
            &Shape::Capsule(Capsule::new(0.3, 2.0).unwrap()),
            cylinder(0.5, 4.0),
            at(0.8, 0.0, 0.0) * lying,
            Vec3::X,
            0.3,
        ),
        // An edge of the box, turned to the mantle, and no corner or face near.
        case(
            "edge on mantle",
            &cylinder(0.5, 2.0),
            cuboid(1.0, 1.0, 6.0),
            at(0.5 + 0.5f64.sqrt(), 0.0, 0.0) * turned(Vec3::Z, 0.5 * FRAC_PI_2),
            Vec3::X,
            0.2,
        ),
        case(
            "edge across the mantle",
            &cylinder(0.5, 4.0),
            cuboid(1.0, 6.0, 1.0),
            at(0.5 + 0.5f64.sqrt(), 0.0, 0.0) * turned(Vec3::Y, 0.5 * FRAC_PI_2),
            Vec3::X,
            0.2,
        ),
        // The cap's plane on an edge that runs across it.
        case(
            "cap on an edge",
            &cuboid(1.0, 6.0, 1.0),
            cylinder(0.5, 1.0),
            turned(Vec3::Y, 0.5 * FRAC_PI_2) * at(0.0, 0.0, 0.0),
            Vec3::Z,
            0.1,
        ),
    ];
    // The edge stands up after a turn: the box is given in its own frame, so that the cylinder is turned against it.
    if let Some(last) = list.last_mut() {
        let up = Vec3::new(1.0, 0.0, 1.0) * 0.5f64.sqrt();
        last.pose = Pose::from_translation(up * (0.5f64.sqrt() + 0.5)) * turned(Vec3::Y, 0.5 * FRAC_PI_2);
        last.away = up;
    }
    for angle in [0.1f64, 0.7, 1.3] {
        let low = 0.5 * angle.cos() + 0.5 * angle.sin();
        list.push(case(
            "rim on face",
            &plate,
            cylinder(0.5, 1.0),
            at(0.1, 0.2, 0.5 + low) * turned(Vec3::Y, angle),
            Vec3::Z,
            0.05,
        ));
    }
    // A cone on its side: the generator lies on the face.
    let slope = 0.5f64.atan2(1.0);
    let side = 0.5 * 1.0 * slope.sin();
    let on_side = at(0.1, 0.2, 0.5 + side) * turned(Vec3::Y, FRAC_PI_2 + slope);
    list.push(case("cone on its side", &plate, cone(0.5, 1.0), on_side, Vec3::Z, 0.1));
    list
}

#[test]
fn round_bodies_whose_distance_is_known() {
    let mut random = Random::new(81);
    let (mut worst_gap, mut worst_depth, mut asked) = ((0.0f64, ""), (0.0f64, ""), 0);
    for round in 0..cases(3) {
        for case in touching() {
            for gap in [-1.0, -0.3, -1e-2, -1e-4, -1e-5, 0.0, 1e-8, 1e-6, 1e-3, 0.1, 3.0] {
                let gap: f64 = if gap <= -0.3 { gap * case.deepest } else { gap };
                if -gap > case.deepest {
                    continue;
                }
                asked += 1;
                let scale = [1.0, 1e-6, 1e6][round % 3];
                let turn = if round == 0 {
                    Pose::IDENTITY
                } else {
                    Pose::new(random.rotation(), Vec3::ZERO).unwrap()
                };
                // Spinning a round body about its own axis changes nothing.
                let spin = if matches!(case.b, Shape::Cuboid(_)) { 0.0 } else { random.range(-3.0, 3.0) };
                let relative = Pose::from_translation(gap * case.away) * case.pose * turned(Vec3::Z, spin);
                // Both frames are turned, too: the pose is what reaches the question.
                let world = turn * relative;
                let a_from_b = turn.inverse() * world;
                let a_from_b = Pose::new(a_from_b.rotation(), scale * a_from_b.translation()).unwrap();
                let (a, b) = (Prepared::new(scaled(&case.a, scale)), Prepared::new(scaled(&case.b, scale)));
                let what = format!("{} at {gap} times {scale}", case.name);
                let found = distance(&a, &b, &a_from_b).unwrap();
                let error = (found.distance / scale - gap).abs();
                let worst = if gap > 0.0 { &mut worst_gap } else { &mut worst_depth };
                if error > worst.0 {
                    *worst = (error, case.name);
                }
                assert!(error < if gap > 0.0 { 1e-8 } else { 1e-6 }, "{what}: {found:?}");
                let meets = intersects(&a, &b, &a_from_b).unwrap();
                if gap >= 1e-7 {
                    assert!(!meets, "{what}");
                } else if gap <= 0.0 {
                    assert!(meets, "{what} {found:?}");
                }
                let relation = intersect(&a, &b, &a_from_b).unwrap().relation;
                if gap == 0.0 {
                    assert_eq!(relation, Relation::Touching, "{what}");
                } else if gap < -2e-5 {
                    assert_eq!(relation, Relation::Overlapping, "{what}");
                }
                let touch = contact(&a, &b, &a_from_b).unwrap();
                assert_eq!(touch.intersects, meets, "{what}");
                if gap < 0.0 {
                    assert!((touch.depth / scale + gap).abs() < 1e-6, "{what}: {touch:?}");
                }
            }
        }
    }
    eprintln!("{asked} asked; worst gap {worst_gap:?}, worst depth {worst_depth:?}");
}
