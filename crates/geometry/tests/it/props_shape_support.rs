//! Support points and boxes against tessellations, which know nothing of either.

use crate::shape_oracle::twofold::{Twofold, place, point};
use crate::shape_oracle::{
    radius, random_convex, random_primitive, random_primitive_of_size, signed_distance,
};
use freiraum_geometry::shape::{Compound, HalfSpace, HeightField, Part};
use freiraum_geometry::{Aabb, Pose, Shape, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

/// Directions anywhere, along axes, in coordinate planes, nearly so, and of extreme length.
fn directions(random: &mut Random) -> Vec<Vec3> {
    let mut all = vec![random.direction(), random.direction()];
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        all.extend([axis, -axis, axis.any_orthogonal_vector() - axis]);
        let d = random.direction();
        all.extend([d.reject_from_normalized(axis), axis + 1e-9 * d, axis + 1e-17 * d, axis + 1e-300 * d]);
    }
    all
}

#[test]
fn support_points_are_farthest() {
    let mut random = Random::new(1);
    for i in 0..cases(300) {
        let shape = if i % 6 == 5 {
            let size = 10f64.powf(random.range(-6.0, 6.0));
            random_convex(&mut random, size)
        } else {
            random_primitive(&mut random, i % 6)
        };
        let max_deviation = 0.02 * radius(&shape);
        let mesh = shape.tessellate(max_deviation).unwrap();
        let reach = shape.aabb().unwrap().reach();
        let rounding = 16.0 * f64::EPSILON * reach;
        for direction in directions(&mut random) {
            let farthest = mesh.vertices().iter().map(|p| p.dot(direction)).fold(f64::NEG_INFINITY, f64::max);
            let slack = (rounding + 1e-15 * reach) * direction.length();
            for length in [1.0, 1e-300, 1e-160, 1e160, 1e290] {
                let point = shape.support(length * direction).unwrap();
                let found = point.dot(direction);
                let name = || format!("{shape:?} along {direction} * {length:e}: {point}");
                assert!(found >= farthest - slack, "{}: {found} < {farthest}", name());
                // Not beyond the true shape either: it is within the deviation of its vertices.
                assert!(found <= farthest + max_deviation * direction.length() + slack, "{}", name());
                if i % 6 != 5 {
                    assert!(
                        signed_distance(&shape, point).abs() <= rounding,
                        "{} is off the surface",
                        name()
                    );
                }
            }
        }
        for direction in [Vec3::ZERO, -Vec3::ZERO, Vec3::NAN, Vec3::INFINITY, Vec3::NEG_INFINITY] {
            let point = shape.support(direction).unwrap();
            assert!(
                point.is_finite() && point.length() <= 2.0 * reach,
                "{shape:?} along {direction}: {point}"
            );
        }
    }
}

fn check_box(shape: &Shape, found: &Aabb, points: &[Vec3], max_deviation: f64, rounding: f64) {
    let tight = Aabb::of_points(points);
    assert!(
        found.min.cmple(tight.min).all() && found.max.cmpge(tight.max).all(),
        "{shape:?}: {found:?} {tight:?}"
    );
    let loose = Vec3::splat(max_deviation + 4.0 * rounding);
    assert!((tight.min - loose).cmple(found.min).all(), "{shape:?}: {found:?} is larger than {tight:?}");
    assert!((tight.max + loose).cmpge(found.max).all(), "{shape:?}: {found:?} is larger than {tight:?}");
}

/// A shape of any kind that has an end, of size about one.
fn random_shape(random: &mut Random, i: usize, depth: usize) -> Shape {
    match i % 9 {
        kind @ 0..5 => random_primitive_of_size(random, kind, 1.0, 0.5),
        5 => random_convex(random, 1.0),
        6 => Shape::Mesh(Arc::new(random_convex(random, 1.0).tessellate(1.0).unwrap())),
        7 => {
            let rows: Vec<Vec<f64>> = (0..3).map(|_| (0..4).map(|_| random.unit()).collect()).collect();
            Shape::HeightField(HeightField::new([2.0, 1.0], &rows).unwrap())
        }
        _ => {
            let parts = (0..1 + random.below(3)).map(|_| {
                let inner = if depth > 3 { random.below(8) } else { random.below(9) };
                let shape = random_shape(random, inner, depth + 1);
                let compound_from_part = Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
                Part { compound_from_part, shape }
            });
            Shape::Compound(Compound::new(parts.collect()).unwrap())
        }
    }
}

#[test]
fn boxes_hold_the_placed_shape_and_no_more() {
    let mut random = Random::new(2);
    for i in 0..cases(900) {
        let shape = random_shape(&mut random, i, 0);
        let max_deviation = 0.01;
        let mesh = shape.tessellate(max_deviation).unwrap();
        let own = shape.aabb().unwrap();
        let inexact = if shape.kind() <= freiraum_geometry::shape::Kind::Capsule { 0.0 } else { 1e-14 };
        check_box(&shape, &own, mesh.vertices(), max_deviation, inexact + 1e-15);
        let far = 10f64.powf(random.range(-3.0, 6.0));
        let pose = Pose::new(random.rotation(), random.in_cube(far)).unwrap();
        let placed = shape.aabb_placed(&pose).unwrap();
        let rounding = 16.0 * f64::EPSILON * (far + 40.0);
        check_box(&shape, &placed, mesh.placed(&pose).unwrap().vertices(), max_deviation, 2.0 * rounding);
    }
}

#[test]
fn compounds_hold_what_their_parts_hold() {
    let mut random = Random::new(3);
    for _ in 0..cases(200) {
        let parts: Vec<Part> = (0..3)
            .map(|i| Part {
                compound_from_part: Pose::new(random.rotation(), random.in_cube(1.0)).unwrap(),
                shape: random_primitive_of_size(&mut random, i, 1.0, 0.3),
            })
            .collect();
        let compound = Compound::new(parts.clone()).unwrap();
        for _ in 0..20 {
            let p = random.in_cube(3.0);
            let distances = parts.iter().map(|part| {
                signed_distance(&part.shape, part.compound_from_part.inverse().transform_point(p))
            });
            let expected = distances.fold(f64::INFINITY, f64::min) <= 0.0;
            assert_eq!(compound.contains(p), Some(expected), "{compound:?} at {p}");
        }
    }
}

#[test]
fn solids_hold_points_as_the_distance_says() {
    let mut random = Random::new(4);
    for i in 0..cases(2_000) {
        let shape = random_primitive(&mut random, i);
        let size = shape.aabb().unwrap();
        for _ in 0..10 {
            let p = 0.6 * size.size() * (random.in_cube(1.0));
            let distance = signed_distance(&shape, p);
            if distance.abs() > 16.0 * f64::EPSILON * size.reach() {
                assert_eq!(shape.contains(p), Some(distance < 0.0), "{shape:?} at {p}: {distance}");
            }
        }
    }
}

#[test]
fn half_spaces_hold_what_is_below() {
    let mut random = Random::new(5);
    for _ in 0..cases(1_000) {
        let (normal, offset) = (random.direction(), random.range(-2.0, 2.0));
        let length = 10f64.powf(random.range(-300.0, 300.0));
        let shape = HalfSpace::new(length * normal, offset).unwrap();
        assert!((shape.normal() - normal).length() < 1e-15 && shape.offset() == offset);
        let p = random.in_cube(3.0);
        assert_eq!(shape.contains(p), p.dot(normal) <= offset);
    }
}

#[test]
fn boxes_hold_the_shape_without_rounding() {
    let mut random = Random::new(6);
    for _ in 0..cases(5_000) {
        let far = 10f64.powf(random.range(-3.0, 3.0));
        let mut pose = || Pose::new(random.rotation(), random.in_cube(far)).unwrap();
        let (a_from_compound, compound_from_part) = (pose(), pose());
        let shape = random_primitive_of_size(&mut random, 1, 1.0, 1.0);
        let corners = shape.tessellate(1.0).unwrap();
        let check = |found: &Aabb, place: &dyn Fn(Vec3) -> [Twofold; 3]| {
            for &corner in corners.vertices() {
                for (i, x) in place(corner).into_iter().enumerate() {
                    let inside = Twofold::from(found.min[i]) <= x && x <= Twofold::from(found.max[i]);
                    assert!(inside, "{shape:?} at {a_from_compound:?} {compound_from_part:?}");
                }
            }
        };
        check(&shape.aabb_placed(&a_from_compound).unwrap(), &|p| place(&a_from_compound, point(p)));
        let part = Part { compound_from_part, shape: shape.clone() };
        let compound = Shape::Compound(Compound::new(vec![part]).unwrap());
        check(&compound.aabb_placed(&a_from_compound).unwrap(), &|p| {
            place(&a_from_compound, place(&compound_from_part, point(p)))
        });
        check(&compound.aabb().unwrap(), &|p| place(&compound_from_part, point(p)));
    }
}
