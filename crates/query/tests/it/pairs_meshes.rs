//! Meshes and height fields in contact: solids told apart, regions counted and measured, ways out that work.

use crate::pairs_common::box_mesh;
use freiraum_geometry::shape::{Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::contact::Contact;
use freiraum_query::contact::regions::contact_regions;
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect};
use std::f64::consts::TAU;
use std::sync::Arc;

fn mesh(mesh: Mesh) -> Prepared {
    Prepared::new(Shape::Mesh(Arc::new(mesh)))
}

fn cuboid(x: f64, y: f64, z: f64) -> Prepared {
    Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// Several meshes as one.
fn joined(parts: &[(Mesh, Pose)]) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (part, pose) in parts {
        let first = vertices.len() as u32;
        vertices.extend(part.vertices().iter().map(|&p| pose.transform_point(p)));
        faces.extend(part.faces().iter().map(|f| f.map(|i| i + first)));
    }
    Mesh::new(vertices, faces).unwrap()
}

/// A closed ring surface about z: a circle of radius `r` swept round at radius `big`.
fn torus(big: f64, r: f64, around: u32, across: u32) -> Mesh {
    let mut vertices = Vec::new();
    for i in 0..around {
        let u = TAU * f64::from(i) / f64::from(around);
        for j in 0..across {
            let v = TAU * f64::from(j) / f64::from(across);
            let out = big + r * v.cos();
            vertices.push(Vec3::new(out * u.cos(), out * u.sin(), r * v.sin()));
        }
    }
    grid_faces(vertices, around, across)
}

/// A closed grid, both ways round, as triangles.
fn grid_faces(vertices: Vec<Vec3>, around: u32, across: u32) -> Mesh {
    let mut faces = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Mesh::new(vertices, faces).unwrap()
}

/// A body of revolution about z whose profile (radius, z) runs counter-clockwise and is closed.
fn revolved(profile: &[(f64, f64)], around: u32) -> Mesh {
    let mut vertices = Vec::new();
    for i in 0..around {
        let u = TAU * f64::from(i) / f64::from(around);
        vertices.extend(profile.iter().map(|&(r, z)| Vec3::new(r * u.cos(), r * u.sin(), z)));
    }
    grid_faces(vertices, around, profile.len() as u32)
}

/// The contact, after checks that hold for every contact of solids.
fn checked(a: &Prepared, b: &Prepared, pose: &Pose) -> Contact {
    let found = contact(a, b, pose).unwrap();
    assert_eq!(found.intersects, intersect(a, b, pose).unwrap().intersects());
    assert_eq!(found.points.len(), found.regions, "{found:?}");
    let moved = |t: Vec3| distance(a, b, &(Pose::from_translation(-t) * *pose)).unwrap().distance;
    let translation = found.translation.unwrap();
    if found.depth > 1e-6 {
        assert!(moved(translation * (1.0 + 1e-9)) > 0.0, "{found:?}");
        assert!(moved(translation) < 1e-8, "leaves {}: {found:?}", moved(translation));
        assert!(moved(translation * 0.99) < 0.01 * found.depth + 1e-9, "{found:?}");
    }
    found
}

/// A plate with prongs that hang down into the ground.
fn comb(prongs: u32) -> Mesh {
    let mut parts = vec![(box_mesh(Vec3::new(12.0, 1.0, 1.0)), at(0.0, 0.0, 2.0))];
    for i in 0..prongs {
        parts.push((box_mesh(Vec3::new(0.6, 0.6, 2.0)), at(2.0 * f64::from(i) - 4.0, 0.0, 0.9)));
    }
    joined(&parts)
}

#[test]
fn separate_regions_are_counted_and_measured() {
    let ground = mesh(box_mesh(Vec3::new(20.0, 20.0, 4.0)));
    for prongs in [1, 2, 5] {
        // Prongs of square section reach 0.1 into the ground, whose top is at z = 0.
        let found = checked(&mesh(comb(prongs)), &ground, &at(0.0, 0.0, -2.0));
        assert_eq!(found.regions, prongs as usize, "{found:?}");
        assert!((found.depth - 0.1).abs() < 1e-8, "{found:?}");
        assert!((found.translation.unwrap() - Vec3::Z * 0.1).length() < 1e-8, "{found:?}");
        for (i, p) in found.points.iter().enumerate() {
            assert!((p.normal + Vec3::Z).length() < 1e-12, "{found:?}");
            assert!((p.depth - 0.1).abs() < 1e-12 && p.region == i, "{found:?}");
            assert!(p.point.y.abs() < 1e-12 && p.point.z.abs() < 1e-12, "{found:?}");
        }
        let mut along: Vec<f64> = found.points.iter().map(|p| p.point.x).collect();
        along.sort_by(f64::total_cmp);
        for (i, x) in along.iter().enumerate() {
            assert!((x - (2.0 * i as f64 - 4.0)).abs() < 1e-12, "{found:?}");
        }
        // The ground as a box, as a half space and the other way round.
        let solid = checked(&cuboid(20.0, 20.0, 4.0), &mesh(comb(prongs)), &at(0.0, 0.0, 2.0));
        assert_eq!(solid.regions, prongs as usize, "{solid:?}");
        assert!((solid.translation.unwrap() + Vec3::Z * 0.1).length() < 1e-8, "{solid:?}");
        let plane = Prepared::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()));
        let half = contact(&mesh(comb(prongs)), &plane, &Pose::IDENTITY).unwrap();
        assert_eq!((half.regions, half.is_exact), (prongs as usize, true), "{half:?}");
        assert!(
            (half.depth - 0.1).abs() < 1e-12 && half.points.iter().all(|p| (p.depth - 0.1).abs() < 1e-12)
        );
        let turned = checked(&ground, &mesh(comb(prongs)), &at(0.0, 0.0, 2.0));
        assert_eq!(turned.regions, prongs as usize);
    }
}

#[test]
fn nested_tori_are_separate_until_they_touch() {
    let chain = mesh(torus(1.0, 0.2, 48, 24));
    let link = Pose::from_axis_angle(Vec3::X, TAU / 4.0).unwrap();
    // Linked like a chain, free.
    let free = at(1.0, 0.0, 0.0) * link;
    assert_eq!(intersect(&chain, &chain, &free).unwrap().relation, Relation::Separate);
    assert!((distance(&chain, &chain, &free).unwrap().distance - 0.6).abs() < 0.01);
    // Pulled tight: the inner sides meet in one place.
    let found = checked(&chain, &chain, &(at(1.62, 0.0, 0.0) * link));
    assert_eq!(found.regions, 1, "{found:?}");
    assert!(found.points[0].normal.x.abs() > 0.99 && (found.depth - 0.02).abs() < 0.01, "{found:?}");
    // One torus in the hole of another, in one plane: free, and touching at one side when moved.
    let small = mesh(torus(0.5, 0.1, 48, 24));
    assert_eq!(intersect(&chain, &small, &Pose::IDENTITY).unwrap().relation, Relation::Separate);
    let found = checked(&chain, &small, &at(0.22, 0.0, 0.0));
    assert_eq!(found.regions, 1, "{found:?}");
    assert!((found.depth - 0.02).abs() < 0.01, "{found:?}");
    // A thin torus inside the tube of the other: contained.
    let wire = mesh(torus(1.0, 0.05, 48, 24));
    assert_eq!(intersect(&wire, &chain, &Pose::IDENTITY).unwrap().relation, Relation::AInsideB);
    assert_eq!(intersect(&chain, &wire, &Pose::IDENTITY).unwrap().relation, Relation::BInsideA);
    assert_eq!(distance(&chain, &wire, &Pose::IDENTITY).unwrap().distance, 0.0);
}

#[test]
fn a_cup_in_a_cup() {
    // An upright cup: outer radius 1, wall 0.1, bottom 0.1, height 2.
    let cup = mesh(revolved(&[(1e-3, 0.0), (1.0, 0.0), (1.0, 2.0), (0.9, 2.0), (0.9, 0.1), (1e-3, 0.1)], 64));
    let small =
        mesh(revolved(&[(1e-3, 0.0), (0.8, 0.0), (0.8, 2.0), (0.7, 2.0), (0.7, 0.1), (1e-3, 0.1)], 64));
    let free = at(0.0, 0.0, 0.2);
    assert_eq!(intersect(&cup, &small, &free).unwrap().relation, Relation::Separate);
    assert!((distance(&cup, &small, &free).unwrap().distance - 0.1).abs() < 0.005);
    // Standing on the bottom 0.02 too deep.
    let found = checked(&cup, &small, &at(0.0, 0.0, 0.08));
    assert!((found.depth - 0.02).abs() < 1e-6, "{found:?}");
    assert!((found.translation.unwrap() + Vec3::Z * 0.02).length() < 1e-6, "{found:?}");
    // A ball in the cup is separate from it: the cup is not its hull.
    let ball = Prepared::new(Shape::Sphere(Sphere::new(0.5).unwrap()));
    assert_eq!(intersect(&ball, &cup, &at(0.0, 0.0, -1.0)).unwrap().relation, Relation::Separate);
    let pin = Prepared::new(Shape::Cylinder(Cylinder::new(0.3, 1.0).unwrap()));
    assert_eq!(intersect(&pin, &cup, &at(0.0, 0.0, -1.0)).unwrap().relation, Relation::Separate);
}

/// A gear with square teeth, as a prism of height 1 about z.
fn gear(teeth: u32, inner: f64, outer: f64) -> Vec<(f64, f64)> {
    let step = TAU / f64::from(4 * teeth);
    (0..4 * teeth)
        .map(|i| {
            let r = if i % 4 < 2 { outer } else { inner };
            (r * (f64::from(i) * step).cos(), r * (f64::from(i) * step).sin())
        })
        .collect()
}

/// A prism about z from z = 0 to 1, its outline counter-clockwise and visible from the origin.
fn prism(outline: &[(f64, f64)]) -> Mesh {
    let n = outline.len() as u32;
    let mut vertices: Vec<Vec3> = outline.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect();
    vertices.extend(outline.iter().map(|&(x, y)| Vec3::new(x, y, 1.0)));
    vertices.extend([Vec3::ZERO, Vec3::Z]);
    let mut faces = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        faces.extend([[i, j, j + n], [i, j + n, i + n], [j, i, 2 * n], [i + n, j + n, 2 * n + 1]]);
    }
    Mesh::new(vertices, faces).unwrap()
}

#[test]
fn gears_that_mesh_and_gears_that_jam() {
    // Turned so that a tooth points along x.
    let wheel = prism(&gear(12, 1.0, 1.2)).placed(&Pose::from_axis_angle(Vec3::Z, -TAU / 96.0).unwrap());
    let wheel = mesh(wheel.unwrap());
    let beside = |angle: f64| at(2.3, 0.0, 0.0) * Pose::from_axis_angle(Vec3::Z, angle).unwrap();
    // A tooth of one in the gap of the other.
    assert_eq!(intersect(&wheel, &wheel, &beside(TAU / 24.0)).unwrap().relation, Relation::Separate);
    // Tooth on tooth.
    let found = checked(&wheel, &wheel, &beside(0.0));
    assert_eq!(found.regions, 1, "{found:?}");
    assert!(found.depth < 0.11 && found.depth > 0.05, "{found:?}");
    // Turned by half of that, two teeth jam.
    let found = checked(&wheel, &wheel, &beside(TAU / 48.0 + 0.03));
    assert!(found.regions >= 1 && found.depth < 0.1, "{found:?}");
    // A small gear in the hole of a ring is free, and inside a full wheel it is contained.
    let ring = mesh(revolved(&[(0.9, 0.0), (1.1, 0.0), (1.1, 1.0), (0.9, 1.0)], 96));
    let small = mesh(prism(&gear(8, 0.6, 0.8)));
    assert_eq!(intersect(&small, &ring, &Pose::IDENTITY).unwrap().relation, Relation::Separate);
    let thin = mesh(Mesh::new(small_thin(), prism(&gear(8, 0.6, 0.8)).faces().to_vec()).unwrap());
    assert_eq!(intersect(&thin, &wheel, &Pose::IDENTITY).unwrap().relation, Relation::AInsideB);
}

/// The small gear, half as high and off the ends.
fn small_thin() -> Vec<Vec3> {
    let squeezed = |p: &Vec3| p.with_z(0.25 + 0.5 * p.z);
    prism(&gear(8, 0.6, 0.8)).vertices().iter().map(squeezed).collect()
}

#[test]
fn regions_tell_area_and_force() {
    let ground = mesh(box_mesh(Vec3::new(20.0, 20.0, 4.0)));
    let found = contact_regions(&mesh(comb(2)), &ground, &at(0.0, 0.0, -2.0)).unwrap();
    assert_eq!(found.len(), 2);
    for region in &found {
        assert!((region.area - 0.36).abs() < 1e-12 && (region.depth - 0.1).abs() < 1e-12, "{region:?}");
        assert!((region.spring_force(1000.0) - Vec3::Z * 36.0).length() < 1e-9, "{region:?}");
        // Four sides of two triangles each, against the top.
        assert_eq!(region.faces_a.len(), 8, "{region:?}");
    }
    assert!(contact_regions(&ground, &ground, &at(30.0, 0.0, 0.0)).unwrap().is_empty());
    assert!(contact_regions(&ground, &cuboid(1.0, 1.0, 1.0), &Pose::IDENTITY).is_err());
    assert!(contact_regions(&ground, &ground, &at(f64::NAN, 0.0, 0.0)).is_err());
}

#[test]
fn solids_are_solids_and_surfaces_are_surfaces() {
    let relation = |a: &Prepared, b: &Prepared, pose: Pose| intersect(a, b, &pose).unwrap();
    let (big, small) = (mesh(box_mesh(Vec3::splat(4.0))), mesh(box_mesh(Vec3::splat(1.0))));
    assert_eq!(relation(&small, &big, Pose::IDENTITY).relation, Relation::AInsideB);
    assert_eq!(relation(&small, &big, at(2.5, 0.0, 0.0)).relation, Relation::Touching);
    assert_eq!(relation(&small, &big, at(2.4, 0.0, 0.0)).relation, Relation::Overlapping);
    assert_eq!(relation(&small, &big, at(2.6, 0.0, 0.0)).relation, Relation::Separate);
    assert_eq!(relation(&small, &big, at(1.5, 0.0, 0.0)).relation, Relation::AInsideB);
    // The same with a box, a ball and a cylinder in place of the small mesh.
    for body in [cuboid(1.0, 1.0, 1.0), Prepared::new(Shape::Sphere(Sphere::new(0.5).unwrap()))] {
        assert_eq!(relation(&body, &big, Pose::IDENTITY).relation, Relation::AInsideB);
        assert_eq!(relation(&body, &big, at(2.5, 0.0, 0.0)).relation, Relation::Touching);
        assert_eq!(relation(&body, &big, at(2.4, 0.0, 0.0)).relation, Relation::Overlapping);
        assert_eq!(relation(&body, &big, at(2.6, 0.0, 0.0)).relation, Relation::Separate);
        assert_eq!(relation(&body, &big, at(1.5, 0.0, 0.0)).relation, Relation::AInsideB);
        assert_eq!(relation(&cuboid(9.0, 9.0, 9.0), &big, Pose::IDENTITY).relation, Relation::BInsideA);
    }
    // Without a lid it bounds no solid: what is in its hull may be inside.
    let open = {
        let lidless = box_mesh(Vec3::splat(4.0));
        mesh(Mesh::new(lidless.vertices().to_vec(), lidless.faces()[2..].to_vec()).unwrap())
    };
    let found = relation(&small, &open, Pose::IDENTITY);
    assert_eq!((found.relation, found.a_is_open, found.b_is_open), (Relation::Unknown, false, true));
    assert_eq!(relation(&cuboid(1.0, 1.0, 1.0), &open, Pose::IDENTITY).relation, Relation::Unknown);
    assert_eq!(relation(&small, &open.as_sheet(), Pose::IDENTITY).relation, Relation::Separate);
    assert_eq!(
        relation(&cuboid(1.0, 1.0, 1.0), &open.as_sheet(), Pose::IDENTITY).relation,
        Relation::Separate
    );
    assert_eq!(relation(&small, &open, at(2.6, 0.0, 0.0)).relation, Relation::Separate);
    assert_eq!(relation(&cuboid(9.0, 9.0, 9.0), &open, Pose::IDENTITY).relation, Relation::BInsideA);
    // A cavity: a body in it is separate, one that fills more than it is not.
    let hollow = {
        let inner = box_mesh(Vec3::splat(2.0));
        let turned: Vec<[u32; 3]> = inner.faces().iter().map(|&[a, b, c]| [a, c, b]).collect();
        let cavity = Mesh::new(inner.vertices().to_vec(), turned).unwrap();
        mesh(joined(&[(box_mesh(Vec3::splat(4.0)), Pose::IDENTITY), (cavity, Pose::IDENTITY)]))
    };
    assert_eq!(relation(&small, &hollow, Pose::IDENTITY).relation, Relation::Separate);
    assert_eq!(distance(&small, &hollow, &Pose::IDENTITY).unwrap().distance, 0.5);
    assert_eq!(relation(&cuboid(1.0, 1.0, 1.0), &hollow, Pose::IDENTITY).relation, Relation::Separate);
    assert_eq!(relation(&cuboid(0.2, 0.2, 0.2), &hollow, at(-1.5, 0.0, 0.0)).relation, Relation::AInsideB);
    assert_eq!(relation(&cuboid(2.5, 2.5, 2.5), &hollow, Pose::IDENTITY).relation, Relation::Overlapping);
    // Several bodies in one mesh.
    let two = mesh(joined(&[
        (box_mesh(Vec3::splat(1.0)), at(-3.0, 0.0, 0.0)),
        (box_mesh(Vec3::splat(1.0)), at(3.0, 0.0, 0.0)),
    ]));
    assert_eq!(relation(&two, &big, at(-3.0, 0.0, 0.0)).relation, Relation::Overlapping);
    assert_eq!(relation(&two, &big, Pose::IDENTITY).relation, Relation::Separate);
}

#[test]
fn touching_from_inside_is_as_deep_as_the_way_out() {
    let big = mesh(box_mesh(Vec3::splat(4.0)));
    for small in [mesh(box_mesh(Vec3::splat(1.0))), cuboid(1.0, 1.0, 1.0)] {
        let found = checked(&small, &big, &at(1.5, 0.0, 0.0));
        assert!((found.depth - 1.0).abs() < 1e-8, "{found:?}");
        assert!((found.translation.unwrap() + Vec3::X).length() < 1e-8, "{found:?}");
        let found = contact(&small, &big, &at(2.5, 0.0, 0.0)).unwrap();
        assert_eq!((found.intersects, found.depth, found.regions), (true, 0.0, 1), "{found:?}");
    }
}

#[test]
fn compounds_find_a_way_out_of_all_parts() {
    use freiraum_geometry::shape::{Compound, Part};
    let part = |shape: &Prepared, pose: Pose| Part { compound_from_part: pose, shape: shape.shape().clone() };
    // A U of three plates, as boxes and as meshes; a box in it that sits 0.1 too deep.
    let plate = cuboid(3.0, 1.0, 0.2);
    let wall = cuboid(0.2, 1.0, 2.0);
    let as_mesh = |x: f64, y: f64, z: f64| mesh(box_mesh(Vec3::new(x, y, z)));
    for (plate, wall) in [(plate, wall), (as_mesh(3.0, 1.0, 0.2), as_mesh(0.2, 1.0, 2.0))] {
        let parts = vec![
            part(&plate, Pose::IDENTITY),
            part(&wall, at(-1.4, 0.0, 1.0)),
            part(&wall, at(1.4, 0.0, 1.0)),
        ];
        let u = Prepared::new(Shape::Compound(Compound::new(parts).unwrap()));
        let found = contact(&cuboid(2.5, 0.5, 1.0), &u, &at(0.0, 0.0, -0.5)).unwrap();
        assert!((found.depth - 0.1).abs() < 1e-8, "{found:?}");
        assert!((found.translation.unwrap() - Vec3::Z * 0.1).length() < 1e-8, "{found:?}");
        // Standing on the plate it touches, and needs no way out, though it is between the walls.
        let found = contact(&cuboid(2.5, 0.5, 1.0), &u, &at(0.0, 0.0, -0.6)).unwrap();
        assert_eq!((found.intersects, found.depth), (true, 0.0), "{found:?}");
        // Two of them in each other: sideways, past walls and plates.
        let found = contact(&u, &u, &at(0.05, 0.0, 0.0)).unwrap();
        let moved = Pose::from_translation(-found.translation.unwrap() * (1.0 + 1e-9)) * at(0.05, 0.0, 0.0);
        assert!(distance(&u, &u, &moved).unwrap().distance >= 0.0 && found.depth < 1.0 + 1e-8, "{found:?}");
    }
}

#[test]
fn a_pipe_through_a_plate_is_one_region() {
    let pipe = mesh(box_mesh(Vec3::new(0.5, 0.5, 4.0)));
    let plate = mesh(box_mesh(Vec3::new(3.0, 3.0, 0.3)));
    let found = checked(&pipe, &plate, &Pose::IDENTITY);
    assert_eq!(found.regions, 1, "{found:?}");
    assert!(found.depth > 1.0 && found.depth <= 1.75 + 1e-6, "{found:?}");
}
