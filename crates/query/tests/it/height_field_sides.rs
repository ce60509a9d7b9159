//! Height fields are solid below, sides and all, against the same bodies as closed meshes: surface, walls and a bottom far below.

use crate::pairs_common;
use crate::pairs_common::sample;
use freiraum_geometry::shape::{Compound, HeightField, Kind, Part, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

/// A field of some metres with a few hills.
fn field(random: &mut Random) -> HeightField {
    let (rows, columns) = (2 + random.below(4), 2 + random.below(4));
    let hill = [0.0, 0.05, 0.3, 1.0][random.below(4)];
    let heights: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..columns).map(|_| random.range(-hill, hill)).collect()).collect();
    HeightField::new([random.range(1.0, 4.0), random.range(1.0, 4.0)], &heights).unwrap()
}

/// All that is below the field down to a floor, as a closed mesh.
fn closed(field: &HeightField, floor: f64) -> Mesh {
    let (rows, columns) = (field.rows(), field.columns());
    let at = |row: usize, column: usize| (row * columns + column) as u32;
    let top = (0..rows).flat_map(|row| (0..columns).map(move |column| field.vertex(row, column)));
    let mut vertices: Vec<Vec3> = top.collect();
    let lower = vertices.len() as u32;
    vertices.extend(vertices.clone().iter().map(|p| p.with_z(floor)));
    let mut faces = Vec::new();
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let [a, b, c, d] =
                [at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)];
            faces.extend([[a, b, c], [a, c, d]]);
            faces.extend([[a, c, b], [a, d, c]].map(|face| face.map(|i| i + lower)));
        }
    }
    let mut wall = |a: u32, b: u32| faces.extend([[a + lower, b + lower, b], [a + lower, b, a]]);
    for column in 1..columns {
        wall(at(0, column - 1), at(0, column));
        wall(at(rows - 1, column), at(rows - 1, column - 1));
    }
    for row in 1..rows {
        wall(at(row - 1, columns - 1), at(row, columns - 1));
        wall(at(row, 0), at(row - 1, 0));
    }
    Mesh::new(vertices, faces).unwrap()
}

const FLOOR: f64 = -60.0;

const BODIES: [Kind; 8] = [
    Kind::Sphere,
    Kind::Cuboid,
    Kind::Cylinder,
    Kind::Capsule,
    Kind::Cone,
    Kind::Convex,
    Kind::Mesh,
    Kind::Compound,
];

/// A place beside, in, above or below the field, mostly near a side of it.
fn place(random: &mut Random, field: &HeightField, size: f64) -> Pose {
    let [x, y] = field.size().map(|s| 0.5 * s);
    let deep = [0.5, 2.0, 10.0][random.below(3)];
    let beyond = size + [0.1, 2.0][random.below(2)];
    let z = random.range(-deep, 0.3);
    let mut along = |half: f64| random.range(-half - beyond, half + beyond);
    let at = Vec3::new(along(x), along(y), z);
    Pose::new(random.rotation(), at).unwrap()
}

#[test]
fn sides_are_those_of_a_closed_mesh() {
    let mut random = Random::new(71);
    let (mut seen, mut sided) = ([0; 3], 0);
    for case in 0..cases(12_000) {
        let height_field = field(&mut random);
        let scale = random.range(0.1, 1.2);
        let body = Prepared::new(sample(BODIES[case % BODIES.len()], scale));
        let field = Prepared::new(Shape::HeightField(height_field.clone()));
        let solid = Prepared::new(Shape::Mesh(Arc::new(closed(&height_field, FLOOR))));
        // One in four is a part of a compound.
        let [field, solid] = [field, solid].map(|part| match case / BODIES.len() % 4 {
            0 => {
                let pose = Pose::from_translation(0.25 * Vec3::ONE);
                let part = Part { compound_from_part: pose, shape: part.shape().clone() };
                Prepared::new(Shape::Compound(Compound::new(vec![part]).unwrap()))
            }
            _ => part,
        });
        let body_from_field = place(&mut random, &height_field, scale).inverse();
        let name = format!("{case} {}", body.shape().kind());
        let found = distance(&body, &field, &body_from_field).unwrap();
        let expected = distance(&body, &solid, &body_from_field).unwrap();
        // Cylinders and cones are iterated.
        assert!((found.distance - expected.distance).abs() < 1e-8, "{name}: {found:?} {expected:?}");
        let off = found.point_on_a + found.distance * found.normal - found.point_on_b;
        assert!(found.distance == 0.0 || off.length() < 1e-9, "{name} {found:?}");
        let back = distance(&field, &body, &body_from_field.inverse()).unwrap();
        assert!((found.distance - back.distance).abs() < 1e-8, "{name}");
        let is_met = intersects(&body, &solid, &body_from_field).unwrap();
        assert_eq!(intersects(&body, &field, &body_from_field).unwrap(), is_met, "{name}");
        assert_eq!(found.distance == 0.0, is_met, "{name}");
        let relation = intersect(&body, &field, &body_from_field).unwrap().relation;
        let expected = intersect(&body, &solid, &body_from_field).unwrap().relation;
        assert_eq!(relation, expected, "{name}");
        let swapped = intersect(&field, &body, &body_from_field.inverse()).unwrap().relation;
        assert_eq!(swapped.swapped(), expected, "{name}");
        if case % 16 == 0 {
            assert_eq!(contact(&body, &field, &body_from_field).unwrap().intersects, is_met, "{name}");
        }
        let surface = distance(&body, &field.as_sheet(), &body_from_field).unwrap();
        assert!(surface.distance >= found.distance - 1e-9, "{name}");
        sided += usize::from(surface.distance > found.distance + 1e-6 && !is_met);
        seen[match relation {
            Relation::Separate => 0,
            Relation::Overlapping => 1,
            _ => 2,
        }] += 1;
    }
    assert!(seen.iter().all(|n| *n > 200) && sided > 200, "{seen:?} {sided}");
}

#[test]
fn what_touches_a_side_touches() {
    let heights = [[0.0, 0.1, 0.2], [0.3, 0.4, 0.1], [0.0, 0.1, 0.0]];
    let field = Prepared::new(Shape::HeightField(HeightField::new([2.0, 2.0], &heights).unwrap()));
    let mesh = Prepared::new(Shape::Mesh(Arc::new(pairs_common::box_mesh(Vec3::ONE))));
    let cube = Prepared::new(sample(Kind::Cuboid, 1.0));
    for depth in [1.0, 50.0, 1e4] {
        for (body, half) in [(&cube, 0.5), (&mesh, 0.5)] {
            for (x, relation) in [
                (1.0 + half, Relation::Touching),
                (1.0 + half + 1e-6, Relation::Separate),
                (1.0 + half - 1e-6, Relation::Overlapping),
                (1.0, Relation::Overlapping),
                (1.0 - half, Relation::AInsideB),
            ] {
                let pose = Pose::from_translation(-Vec3::new(x, 0.2, -depth));
                assert_eq!(intersect(body, &field, &pose).unwrap().relation, relation, "{x} {depth}");
                let gap = (x - half - 1.0).max(0.0);
                let found = distance(body, &field, &pose).unwrap().distance;
                assert!((found - gap).abs() < 1e-11, "{found} {gap}");
                let sheet = distance(body, &field.as_sheet(), &pose).unwrap().distance;
                assert!(sheet > 0.25 * depth, "{sheet}");
            }
        }
    }
    // Swallowed, and still without end.
    let large = Prepared::new(sample(Kind::Cuboid, 20.0));
    assert_eq!(intersect(&large, &field, &Pose::IDENTITY).unwrap().relation, Relation::Overlapping);
}

/// Two fields that stand upright are as far apart as the solids below them.
#[test]
fn fields_beside_and_below_each_other() {
    let mut random = Random::new(45);
    let (mut apart, mut met) = (0, 0);
    for number in 0..cases(600) {
        let (a, b) = (field(&mut random), field(&mut random));
        let turn = [0.0, std::f64::consts::FRAC_PI_2, random.range(0.0, 7.0)][number % 3];
        let place = Pose::new(freiraum_geometry::Quat::from_rotation_z(turn), random.in_cube(5.0)).unwrap();
        let solids = [&a, &b].map(|field| Prepared::new(Shape::Mesh(Arc::new(closed(field, -60.0)))));
        let [a, b] = [a, b].map(|field| Prepared::new(Shape::HeightField(field)));
        let found = distance(&a, &b, &place).unwrap();
        let expected = distance(&solids[0], &solids[1], &place).unwrap();
        assert!(
            (found.distance.max(0.0) - expected.distance.max(0.0)).abs() < 1e-9,
            "{number}: {found:?} {expected:?}"
        );
        let is_met = intersects(&solids[0], &solids[1], &place).unwrap();
        assert_eq!(intersects(&a, &b, &place).unwrap(), is_met, "{number}");
        let relation = intersect(&a, &b, &place).unwrap().relation;
        assert_eq!(relation != Relation::Separate, is_met, "{number}: {relation:?}");
        if is_met { met += 1 } else { apart += 1 }
    }
    assert!(apart > 50 && met > 50, "{apart} {met}");
}
