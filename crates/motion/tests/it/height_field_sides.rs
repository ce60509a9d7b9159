//! What moves beside and below a height field, against the same field as a closed mesh: surface, walls and a bottom far below.

use freiraum_geometry::path::{Axis, Motion, Straight, UniformMotion};
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::one_to_many::{Moving, all_contacts};
use freiraum_motion::turn::{full_turn, slide};
use freiraum_motion::{
    ClearanceRequest, Feature, Limits, MotionWorkspace, Movable, OverlapRequest, Verdict, clearance,
    distance_curve, fit::time_of_contact_with_allowance, overlap_intervals, time_of_contact,
};
use freiraum_query::intersect::{Relation, intersect};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::TAU;
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
fn closed(field: &HeightField, floor: f64) -> Shape {
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
    Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
}

const FLOOR: f64 = -60.0;

/// Spheres, boxes, capsules, convex bodies, meshes, cylinders, cones and compounds, about a metre large.
fn body(kind: usize, random: &mut Random) -> Shape {
    let mut size = || random.range(0.1, 0.8);
    let cuboid = |v: Vec3| Cuboid::new(v).unwrap();
    match kind % 8 {
        0 => Shape::Sphere(Sphere::new(size()).unwrap()),
        1 => Shape::Cuboid(cuboid(Vec3::new(size(), size(), size()))),
        2 => Shape::Capsule(Capsule::new(size(), size()).unwrap()),
        3 => {
            let points: Vec<Vec3> = (0..10).map(|_| 0.6 * random.direction()).collect();
            Shape::Convex(Convex::from_points(&points).unwrap())
        }
        4 => {
            let block = Shape::Cuboid(cuboid(Vec3::new(size(), size(), size())));
            Shape::Mesh(Arc::new(block.tessellate(1.0).unwrap()))
        }
        5 => Shape::Cylinder(Cylinder::new(size(), size()).unwrap()),
        6 => Shape::Cone(Cone::new(size(), size()).unwrap()),
        _ => {
            let part = |shape: Shape, x: f64| Part {
                compound_from_part: Pose::from_translation(x * Vec3::X),
                shape,
            };
            let parts = vec![
                part(Shape::Sphere(Sphere::new(0.3).unwrap()), -0.4),
                part(Shape::Cuboid(cuboid(Vec3::splat(0.4))), 0.5),
            ];
            Shape::Compound(Compound::new(parts).unwrap())
        }
    }
}

fn place(random: &mut Random, field: &HeightField) -> Pose {
    let [x, y] = field.size().map(|s| 0.5 * s);
    let deep = [0.5, 2.0, 10.0][random.below(3)];
    let z = random.range(-deep, 0.5);
    let mut along = |half: f64| random.range(-half - 2.5, half + 2.5);
    let at = Vec3::new(along(x), along(y), z);
    Pose::new(random.rotation(), at).unwrap()
}

/// A motion that stays within some metres of the field.
fn motion(random: &mut Random, kind: usize, start: Pose, end: Pose) -> Box<dyn Motion> {
    let axis = Axis::new(random.in_cube(3.0) - 2.0 * Vec3::Z, random.direction()).unwrap();
    match kind % 4 {
        0 => Box::new(UniformMotion::translation(start, end.translation() - start.translation())),
        1 => Box::new(UniformMotion::rotation(start, axis, random.range(-4.0, 4.0))),
        2 => Box::new(UniformMotion::screw(start, axis, random.range(-4.0, 4.0), random.range(-2.0, 2.0))),
        _ => Box::new(Straight::new(start, end)),
    }
}

/// A field, the same as a closed mesh, a body and the motions of field and body.
struct Case {
    name: String,
    field: Movable,
    solid: Movable,
    body: Movable,
    of_field: Box<dyn Motion>,
    of_body: Box<dyn Motion>,
}

fn case(number: usize, random: &mut Random) -> Case {
    let shape = field(random);
    let body = Movable::new(body(number, random));
    let (start, end) = (place(random, &shape), place(random, &shape));
    let kind = number / 8;
    let of_body = motion(random, kind, start, end);
    // The field moves in some cases, alone or with the body.
    let tilted = Pose::new(random.rotation(), Vec3::ZERO).unwrap();
    let (of_field, of_body): (Box<dyn Motion>, Box<dyn Motion>) = match kind % 3 {
        0 => (Box::new(UniformMotion::still(Pose::IDENTITY)), of_body),
        1 => {
            let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
            let turning = UniformMotion::rotation(Pose::IDENTITY, axis, random.range(-1.0, 1.0));
            (Box::new(turning), of_body)
        }
        _ => {
            let by = random.in_cube(2.0);
            let moving = UniformMotion::translation(tilted, by);
            let (start, end) = (tilted * start, tilted * end);
            (Box::new(moving), motion(random, kind, start, end))
        }
    };
    let name = format!("{number} {} {}", body.prepared().shape().kind(), kind % 12);
    let solid = Movable::new(closed(&shape, FLOOR));
    Case { name, field: Movable::new(Shape::HeightField(shape)), solid, body, of_field, of_body }
}

#[test]
fn first_contacts_are_those_with_a_closed_mesh() {
    let mut random = Random::new(31);
    let mut memory = MotionWorkspace::default();
    let limits = Limits { budget: 400_000, ..Limits::default() };
    let (mut seen, mut at_sides, mut open) = ([0; 3], 0, 0);
    for number in 0..cases(2400) {
        let Case { name, field, solid, body, of_field, of_body } = case(number, &mut random);
        let mut ask =
            |of: &Movable| time_of_contact(of, &*of_field, &body, &*of_body, &limits, &mut memory).unwrap();
        let (found, expected) = (ask(&field), ask(&solid));
        let swapped = time_of_contact(&body, &*of_body, &field, &*of_field, &limits, &mut memory).unwrap();
        match (found, expected) {
            (Verdict::Free, Verdict::Free) => seen[0] += 1,
            (Verdict::OverlapAtStart, Verdict::OverlapAtStart) => seen[1] += 1,
            (Verdict::Contact(found), Verdict::Contact(expected)) => {
                let error = found.time_error + expected.time_error + 1e-7;
                assert!((found.time - expected.time).abs() <= error, "{name}: {found:?} {expected:?}");
                let triangles = field.prepared().mesh_tree().unwrap().triangles().len() as u32;
                if let Feature::Face(face) = found.feature_a
                    && face >= triangles
                {
                    assert!(face < triangles + 4, "{name}: {found:?}");
                    let pose = of_field.pose(found.time);
                    let out = [-Vec3::Y, Vec3::X, Vec3::Y, -Vec3::X][(face - triangles) as usize];
                    let Shape::HeightField(shape) = field.prepared().shape() else { unreachable!() };
                    let half = 0.5 * Vec3::new(shape.size()[0], shape.size()[1], 0.0);
                    let beyond = out.dot(pose.inverse().transform_point(found.point)) - out.abs().dot(half);
                    assert!(beyond.abs() < 1e-4, "{name}: {found:?}");
                    at_sides += 1;
                }
                seen[2] += 1;
            }
            (Verdict::Undecided { .. }, _) | (_, Verdict::Undecided { .. }) => open += 1,
            _ => panic!("{name}: {found:?} {expected:?}"),
        }
        match (found, swapped) {
            (Verdict::Contact(x), Verdict::Contact(y)) => {
                assert!((x.time - y.time).abs() <= x.time_error + y.time_error + 1e-7, "{name} {x:?} {y:?}");
            }
            (Verdict::Undecided { .. }, _) | (_, Verdict::Undecided { .. }) => {}
            _ => assert_eq!(found, swapped, "{name}"),
        }
    }
    assert!(seen.iter().all(|n| *n > 200) && at_sides > 200 && open < 50, "{seen:?} {at_sides} {open}");
}

#[test]
fn clearances_and_overlaps_are_those_of_a_closed_mesh() {
    let mut random = Random::new(32);
    let mut memory = MotionWorkspace::default();
    let limits = Limits { budget: 400_000, ..Limits::default() };
    let (mut apart, mut parted) = (0, 0);
    for number in 0..cases(600) {
        let Case { name, field, solid, body, of_field, of_body } = case(number, &mut random);
        let request = ClearanceRequest { limits, ..ClearanceRequest::default() };
        let mut ask =
            |of: &Movable| clearance(of, &*of_field, &body, &*of_body, &request, &mut memory).unwrap();
        let (found, expected) = (ask(&field), ask(&solid));
        let error = found.error + expected.error + 1e-8;
        assert!((found.distance - expected.distance).abs() <= error, "{name}: {found:?} {expected:?}");
        apart += usize::from(found.distance > 0.0);
        let request = OverlapRequest { resolution: 1.0 / 64.0, limits };
        let mut ask = |of: &Movable| {
            overlap_intervals(of, &*of_field, &body, &*of_body, &request, &mut memory).unwrap()
        };
        let (found, expected) = (ask(&field), ask(&solid));
        let is_met = |t: f64| {
            let pose = of_field.pose(t).inverse() * of_body.pose(t);
            freiraum_query::intersects(solid.prepared(), body.prepared(), &pose).unwrap()
        };
        // What is said to be free is.
        for k in 0..=200 {
            let t = f64::from(k) / 200.0;
            let is_listed = found.iter().any(|one| one.outer()[0] <= t && t <= one.outer()[1]);
            assert!(is_listed || !is_met(t), "{name} {t}: {found:?} {expected:?}");
        }
        if found.iter().chain(&expected).all(|one| one.is_decided && one.unseen == 0.0) {
            let length = |all: &[freiraum_motion::OverlapInterval]| -> f64 {
                all.iter().map(|one| one.time[1] - one.time[0]).sum()
            };
            assert!((length(&found) - length(&expected)).abs() < 1e-6, "{name}: {found:?} {expected:?}");
            parted += usize::from(!found.is_empty());
        }
        if number % 10 == 0 {
            let curve = |of: &Movable| distance_curve(of, &*of_field, &body, &*of_body, 0.01, 60).unwrap();
            for [t, distance] in curve(&field).points {
                let pose = of_field.pose(t).inverse() * of_body.pose(t);
                let expected = freiraum_query::distance(solid.prepared(), body.prepared(), &pose).unwrap();
                assert!(
                    (distance - expected.distance.max(0.0)).abs() < 1e-8,
                    "{name} {t} {distance} {expected:?}"
                );
            }
        }
    }
    assert!(apart > 50 && parted > 50, "{apart} {parted}");
}

#[test]
fn full_turns_and_slides_meet_the_sides() {
    let mut random = Random::new(33);
    let mut memory = MotionWorkspace::default();
    let mut seen = [0; 4];
    for number in 0..cases(320) {
        let shape = field(&mut random);
        let body = Movable::new(body(number, &mut random));
        let place = place(&mut random, &shape);
        let (solid, far) = (Movable::new(closed(&shape, FLOOR)), Movable::new(closed(&shape, -2000.0)));
        let field = Movable::new(Shape::HeightField(shape));
        let axis = Axis::new(random.in_cube(3.0) - 2.0 * Vec3::Z, random.direction()).unwrap();
        let (found, expected) = (
            full_turn(&field, &body, &place, &axis, &mut memory).unwrap(),
            full_turn(&solid, &body, &place, &axis, &mut memory).unwrap(),
        );
        assert_eq!(found.free, expected.free, "{number} {found:?} {expected:?}");
        let off = (found.clearance_lower - expected.clearance_lower).abs();
        assert!(off <= expected.clearance_lower / 32.0 + 1e-6, "{number} {found:?} {expected:?}");
        seen[usize::from(found.free)] += 1;
        // Not too steep: the closed mesh ends.
        let direction = random.direction();
        if direction.z.abs() < 0.99 {
            let (found, expected) = (
                slide(&field, &body, &place, direction, &mut memory).unwrap(),
                slide(&far, &body, &place, direction, &mut memory).unwrap(),
            );
            assert_eq!(found.free, expected.free, "{number} {found:?} {expected:?}");
            let off = (found.clearance_lower - expected.clearance_lower).abs();
            assert!(off <= expected.clearance_lower / 100.0 + 1e-6, "{number} {found:?} {expected:?}");
            seen[2 + usize::from(found.free)] += 1;
        }
    }
    assert!(seen.iter().all(|n| *n > 30), "{seen:?}");
}

fn flat() -> Movable {
    Movable::new(Shape::HeightField(HeightField::new([4.0, 4.0], &[[0.0, 0.1], [0.1, 0.0]]).unwrap()))
}

fn cube() -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap()))
}

/// However deep: the time is that of the side, and the feature tells which one.
#[test]
fn from_the_side_into_the_depth() {
    let (field, cube, mut memory) = (flat(), cube(), MotionWorkspace::default());
    let still = UniformMotion::still(Pose::IDENTITY);
    for depth in [0.2, 5.0, 1e3, 1e6] {
        for (number, from) in [-Vec3::Y, Vec3::X, Vec3::Y, -Vec3::X].into_iter().enumerate() {
            let motion =
                UniformMotion::translation(Pose::from_translation(5.0 * from - depth * Vec3::Z), -5.0 * from);
            let verdict =
                time_of_contact(&cube, &motion, &field, &still, &Limits::default(), &mut memory).unwrap();
            let Verdict::Contact(contact) = verdict else { panic!("{depth} {from}: {verdict:?}") };
            assert!((contact.time - 0.58).abs() < 1e-12 * (1.0 + depth), "{depth} {contact:?}");
            assert_eq!(contact.feature_b, Feature::Face(2 + number as u32), "{depth}");
            assert_eq!(contact.parts, [0, 0]);
            let found = clearance(&cube, &motion, &field, &still, &ClearanceRequest::default(), &mut memory);
            assert_eq!(found.unwrap().distance, 0.0, "{depth}");
            let bodies = [Moving { body: &cube, motion: &motion }, Moving { body: &field, motion: &still }];
            let all = all_contacts(&bodies[..1], &bodies[1..], 0.0, &Limits::default()).unwrap();
            assert_eq!(all.len(), 1, "{depth}");
        }
        // Past it.
        let beside =
            UniformMotion::translation(Pose::from_translation(Vec3::new(2.5, -9.0, -depth)), 18.0 * Vec3::Y);
        let found =
            clearance(&cube, &beside, &field, &still, &ClearanceRequest::default(), &mut memory).unwrap();
        assert!((found.distance - 0.4).abs() < 1e-9 * (1.0 + depth), "{depth} {found:?}");
        let verdict =
            time_of_contact(&cube, &beside, &field, &still, &Limits::default(), &mut memory).unwrap();
        assert_eq!(verdict, Verdict::Free);
    }
}

/// A body that leans on a side may slide along it and leave it, and not go in.
#[test]
fn leaning_on_a_side_is_a_fit() {
    let (field, cube, mut memory) = (flat(), cube(), MotionWorkspace::default());
    let still = UniformMotion::still(Pose::IDENTITY);
    for depth in [1.0, 50.0] {
        let at = Pose::from_translation(Vec3::new(2.1, 0.3, -depth));
        let mut ask = |by: Vec3, allowance: f64| {
            let motion = UniformMotion::translation(at, by);
            let limits = Limits::default();
            time_of_contact_with_allowance(&cube, &motion, &field, &still, allowance, &limits, &mut memory)
                .unwrap()
        };
        for by in [Vec3::X, Vec3::Y, -Vec3::Z, Vec3::Z] {
            assert_eq!(ask(by, 0.0), Verdict::Free, "{depth} {by}");
        }
        assert!(matches!(ask(-Vec3::X, 0.0), Verdict::Contact(_)), "{depth}");
        // Within an allowance, and beyond it.
        assert_eq!(ask(-0.009 * Vec3::X, 0.01), Verdict::Free, "{depth}");
        let Verdict::Contact(contact) = ask(-0.1 * Vec3::X, 0.01) else { panic!("{depth}") };
        assert!((contact.time - 0.1).abs() < 1e-6, "{depth} {contact:?}");
    }
}

/// Planes meet the surface of a field only, alone or in a compound with what meets its sides; other fields
/// meet the sides too.
#[test]
fn planes_meet_the_surface_only() {
    let mut memory = MotionWorkspace::default();
    let still = UniformMotion::still(Pose::IDENTITY);
    let plane = Shape::HalfSpace(HalfSpace::new(Vec3::Z, -1.0).unwrap());
    let along = UniformMotion::translation(Pose::from_translation(5.0 * Vec3::X), -5.0 * Vec3::X);
    let mut ask = |shape: Shape| {
        let body = Movable::new(shape);
        time_of_contact(&body, &along, &flat(), &still, &Limits::default(), &mut memory).unwrap()
    };
    assert_eq!(ask(plane.clone()), Verdict::Free);
    let lower = Shape::HeightField(HeightField::new([4.0, 4.0], &[[-1.0, -1.0], [-1.0, -1.0]]).unwrap());
    let above = Pose::from_translation(10.0 * Vec3::Z);
    let both = |shape: Shape, pose: Pose| {
        let cube = Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap());
        let part = |shape: Shape, compound_from_part: Pose| Part { compound_from_part, shape };
        let parts = vec![part(shape, Pose::IDENTITY), part(cube, pose)];
        Shape::Compound(Compound::new(parts).unwrap())
    };
    assert_eq!(ask(both(plane.clone(), above)), Verdict::Free);
    let deep = Pose::from_translation(-5.0 * Vec3::Z);
    for (body, time, part) in
        [(both(plane, deep), 0.58, 1), (both(lower.clone(), deep), 0.2, 0), (both(lower, above), 0.2, 0)]
    {
        let verdict = ask(body);
        let Verdict::Contact(contact) = verdict else { panic!("{verdict:?}") };
        assert!((contact.time - time).abs() < 1e-12 && contact.parts == [part, 0], "{contact:?}");
    }
    // A full turn below, and one beside.
    let (field, cube) = (flat(), cube());
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    for (radius, is_free) in [(2.0, false), (2.9, false), (3.0, true)] {
        let pose = Pose::from_translation(Vec3::new(radius, 0.0, -5.0));
        let turn = full_turn(&field, &cube, &pose, &axis, &mut memory).unwrap();
        assert_eq!(turn.free, is_free, "{radius} {turn:?}");
        let motion = UniformMotion::rotation(pose, axis, TAU);
        let verdict =
            time_of_contact(&field, &still, &cube, &motion, &Limits::default(), &mut memory).unwrap();
        assert_eq!(verdict == Verdict::Free, is_free, "{radius}");
    }
}

/// Two fields: one is below the other, or the other below it, as soon as its surface is, whichever way it
/// came there.
#[test]
fn fields_meet_the_sides_of_fields() {
    let mut random = Random::new(34);
    let mut memory = MotionWorkspace::default();
    let limits = Limits { budget: 400_000, ..Limits::default() };
    let still = UniformMotion::still(Pose::IDENTITY);
    let mut seen = [0; 3];
    for number in 0..cases(600) {
        let [a, b] = [(); 2].map(|()| Movable::new(Shape::HeightField(field(&mut random))));
        let mut at = || {
            let turn = if number % 3 == 0 { random.rotation() } else { freiraum_geometry::Quat::IDENTITY };
            Pose::new(turn, random.in_cube(4.0)).unwrap()
        };
        let (start, end) = (at(), at());
        let path = motion(&mut random, number / 3, start, end);
        let verdict = time_of_contact(&a, &still, &b, &*path, &limits, &mut memory).unwrap();
        let is_met = |t: f64| {
            let a_from_b = path.pose(t);
            intersect(a.prepared(), b.prepared(), &a_from_b).unwrap().relation != Relation::Separate
        };
        let first = (0..=200).map(|k| f64::from(k) / 200.0).find(|t| is_met(*t));
        match verdict {
            Verdict::Free => {
                assert_eq!(first, None, "{number}");
                seen[0] += 1;
            }
            Verdict::OverlapAtStart => {
                assert_eq!(first, Some(0.0), "{number}");
                seen[1] += 1;
            }
            Verdict::Contact(contact) => {
                assert!(first.is_none_or(|first| contact.time - contact.time_error <= first), "{number}");
                // Shortly before it they are apart.
                let before = contact.time - contact.time_error - 1e-6;
                assert!(before < 0.0 || !is_met(before), "{number}: {contact:?}");
                seen[2] += 1;
            }
            Verdict::Undecided { .. } => {}
            other => panic!("{number}: {other:?}"),
        }
    }
    assert!(seen.iter().all(|n| *n > 50), "{seen:?}");
}
