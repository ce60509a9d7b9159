//! Bodies made smaller lie inside themselves, and their faces move by what was asked for.

use crate::common::{boxes, cuboid, movable, peg, ring, teeth};
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::Movable;
use freiraum_motion::fit::ShrinkError;
use freiraum_query::intersect::Relation;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn shrunk(shape: &Shape, depth: f64) -> Shape {
    Movable::new(shape.clone()).shrunk(depth).unwrap().prepared().shape().clone()
}

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() < 1e-12
}

/// The planes of a surface: unit outward normal and a point.
fn planes(mesh: &Mesh) -> Vec<(Vec3, Vec3)> {
    let plane = |face: &[u32; 3]| {
        let [p, q, r] = face.map(|i| mesh.vertices()[i as usize]);
        (q - p).cross(r - p).try_normalize().map(|n| (n, p))
    };
    mesh.faces().iter().filter_map(plane).collect()
}

/// The least and the largest depth below its old place of any corner of any face.
fn depths(before: &Mesh, after: &Mesh) -> [f64; 2] {
    assert_eq!(before.faces(), after.faces());
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for (face, (normal, point)) in before.faces().iter().zip(planes(before)) {
        for i in face {
            let depth = normal.dot(point - after.vertices()[*i as usize]);
            range = [range[0].min(depth), range[1].max(depth)];
        }
    }
    range
}

#[test]
fn primitives_lose_the_depth_on_all_sides() {
    let depth = 0.03;
    let Shape::Cuboid(smaller) = shrunk(&cuboid(1.0, 2.0, 3.0), depth) else { panic!() };
    assert!(smaller.size().distance(Vec3::new(0.94, 1.94, 2.94)) < 1e-12);
    let Shape::Sphere(smaller) = shrunk(&Shape::Sphere(Sphere::new(0.5).unwrap()), depth) else { panic!() };
    assert!(close(smaller.radius(), 0.47));
    let Shape::Cylinder(smaller) = shrunk(&Shape::Cylinder(Cylinder::new(0.5, 2.0).unwrap()), depth) else {
        panic!()
    };
    assert!(close(smaller.radius(), 0.47) && close(smaller.height(), 1.94));
    let Shape::Capsule(smaller) = shrunk(&Shape::Capsule(Capsule::new(0.5, 2.0).unwrap()), depth) else {
        panic!()
    };
    assert!(close(smaller.radius(), 0.47) && close(smaller.height(), 2.0));
    let ground = Shape::HalfSpace(HalfSpace::new(Vec3::new(0.0, 3.0, 4.0), 2.0).unwrap());
    let (Shape::HalfSpace(before), Shape::HalfSpace(after)) = (&ground, &shrunk(&ground, depth)) else {
        panic!()
    };
    assert!(before.normal() == after.normal() && close(before.offset() - after.offset(), depth));
    let field = HeightField::new([2.0, 2.0], &[vec![0.0, 1.0], vec![2.0, 3.0]]).unwrap();
    let Shape::HeightField(lower) = shrunk(&Shape::HeightField(field.clone()), depth) else { panic!() };
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (before, after) = (field.vertex(row, column), lower.vertex(row, column));
        assert!(close(before.z - after.z, depth) && before.truncate() == after.truncate());
    }
}

#[test]
fn a_cone_keeps_its_flanks_parallel() {
    let (radius, height, depth) = (0.5, 2.0, 0.03);
    let Shape::Compound(found) = shrunk(&Shape::Cone(Cone::new(radius, height).unwrap()), depth) else {
        panic!()
    };
    let Shape::Cone(smaller) = &found.parts()[0].shape else { panic!() };
    let z = found.parts()[0].compound_from_part.translation().z;
    // The base and the flank, whose outward normal leans up by radius over height, both by the depth.
    assert!(close(z - 0.5 * smaller.height(), -0.5 * height + depth));
    let normal = Vec3::new(height, 0.0, radius) / height.hypot(radius);
    let (old_rim, new_rim) =
        (Vec3::new(radius, 0.0, -0.5 * height), Vec3::new(smaller.radius(), 0.0, z - 0.5 * smaller.height()));
    let (old_tip, new_tip) = (0.5 * height * Vec3::Z, (z + 0.5 * smaller.height()) * Vec3::Z);
    assert!(close(normal.dot(old_rim - new_rim), depth) && close(normal.dot(old_tip - new_tip), depth));
}

#[test]
fn faces_of_gears_rings_and_pegs_move_by_the_depth() {
    let radii = teeth(11, 2.0, 2.3);
    let bodies = [
        ring(&vec![0.5; radii.len()], &radii, [-0.25, 0.25], 0.1),
        ring(&[1.0; 24], &[2.0; 24], [-0.5, 0.5], 0.0),
        peg(24, 1.0, [-1.0, 1.0], 0.2),
    ];
    let pose = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
    for mesh in bodies {
        for mesh in [mesh.placed(&pose).unwrap(), mesh] {
            let body = movable(mesh.clone());
            for depth in [1e-9, 1e-3, 0.05] {
                let smaller = body.shrunk(depth).unwrap();
                let Shape::Mesh(after) = smaller.prepared().shape() else { panic!() };
                let [least, most] = depths(&mesh, after);
                assert!(close(least, depth) && close(most, depth), "{depth}: {least} to {most}");
                let relation =
                    freiraum_query::intersect(smaller.prepared(), body.prepared(), &Pose::IDENTITY)
                        .unwrap()
                        .relation;
                // Rounding may leave what is a billionth smaller touching.
                assert!(relation == Relation::AInsideB || depth < 1e-6, "{depth}: {relation:?}");
            }
        }
    }
}

#[test]
fn convex_bodies_shrink_by_at_most_the_depth_and_lie_inside() {
    let mut random = Random::new(17);
    for _ in 0..cases(200) {
        let points: Vec<Vec3> = (0..5 + random.below(30)).map(|_| random.in_cube(1.0)).collect();
        let Ok(convex) = Convex::from_points(&points) else { continue };
        let depth = 10f64.powf(random.range(-9.0, -2.0));
        let body = Movable::new(Shape::Convex(convex.clone()));
        // Slivers may be thinner than what is taken away.
        let Ok(smaller) = body.shrunk(depth) else { continue };
        let Shape::Convex(after) = smaller.prepared().shape() else { panic!() };
        let corners = after.surface().vertices();
        for (normal, point) in planes(convex.surface()) {
            let lost = corners.iter().map(|p| normal.dot(point - *p)).fold(f64::INFINITY, f64::min);
            // Every face moves inwards, by no more than the depth.
            assert!(lost >= -1e-12 && lost <= depth + 1e-12, "{lost} instead of {depth}");
        }
        assert!(body.shrunk(depth).unwrap().prepared().bounds().is_some());
    }
}

#[test]
fn parts_of_compounds_shrink_each() {
    let parts = vec![
        Part { shape: cuboid(1.0, 1.0, 1.0), compound_from_part: Pose::IDENTITY },
        Part {
            shape: Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()),
            compound_from_part: Pose::from_translation(Vec3::X),
        },
    ];
    let compound = Shape::Compound(Compound::new(parts).unwrap());
    let Shape::Compound(found) = shrunk(&compound, 0.1) else { panic!() };
    let Shape::Cylinder(smaller) = &found.parts()[1].shape else { panic!() };
    assert!(close(smaller.radius(), 0.4) && found.parts()[1].compound_from_part.translation() == Vec3::X);
    assert!(matches!(&found.parts()[0].shape, Shape::Cuboid(s) if close(s.size().x, 0.8)));
}

#[test]
fn what_would_vanish_is_an_error_that_names_the_allowance() {
    let thin = [
        Movable::new(cuboid(1.0, 1.0, 0.1)),
        Movable::new(Shape::Sphere(Sphere::new(0.05).unwrap())),
        Movable::new(Shape::Cylinder(Cylinder::new(1.0, 0.1).unwrap())),
        Movable::new(Shape::Cone(Cone::new(0.05, 1.0).unwrap())),
        boxes(&[([1.0; 3], [0.0; 3]), ([1.0, 1.0, 0.1], [2.0, 0.0, 0.0])]),
        movable(peg(12, 0.05, [-1.0, 1.0], 0.0)),
    ];
    for body in thin {
        assert_eq!(
            body.shrunk(0.06).err(),
            Some(ShrinkError::Thin { allowance: 0.12, lost: 0.12 }),
            "{body:?}"
        );
        assert!(body.shrunk(0.01).is_ok());
    }
    let message = Movable::new(cuboid(1.0, 1.0, 0.1)).shrunk(0.06).unwrap_err().to_string();
    assert!(message.contains("an allowance of 0.12 m is too large"), "{message}");
    assert!(Movable::new(cuboid(1.0, 1.0, 1.0)).shrunk(f64::NAN).is_err());
    // An open surface has no inside: it stays.
    let sheet = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    assert_eq!(
        shrunk(&movable(sheet.clone()).prepared().shape().clone(), 0.1).tessellate(1.0).unwrap(),
        sheet
    );
}
