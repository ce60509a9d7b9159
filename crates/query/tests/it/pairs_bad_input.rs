//! Input that is no input, or hardly: every pair and every question answers as documented or says what is wrong, and never
//! panics or says a wrong "no".

use crate::pairs_common;
use crate::pairs_common::{random_pose, sample};
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Kind, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::contact::regions::contact_regions;
use freiraum_query::intersect::Relation;
use freiraum_query::ray::Ray;
use freiraum_query::{Prepared, QueryError, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use std::sync::Arc;

const BAD: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e51, -1e300, f64::MAX];

/// Asks every question; all of them answer, or all of them refuse.
fn ask_all(a: &Prepared, b: &Prepared, pose: &Pose) -> Result<bool, QueryError> {
    let meets = intersects(a, b, pose);
    let all = [
        distance(a, b, pose).map(|d| d.distance <= 0.0 && !d.distance.is_nan()),
        intersect(a, b, pose).map(|r| r.intersects()),
        contact(a, b, pose).map(|c| c.intersects),
    ];
    match meets {
        Ok(meets) => {
            for (i, answer) in all.into_iter().enumerate() {
                let answer = answer.unwrap();
                // Bodies that touch within rounding may be a hair apart.
                assert!(
                    i == 0 || answer == meets,
                    "question {i}: {answer}, {meets}\n{:?}\n{:?}\n{pose:?}",
                    a.shape(),
                    b.shape()
                );
            }
        }
        Err(_) => assert!(all.into_iter().all(|a| a.is_err())),
    }
    meets
}

fn each_pair(mut check: impl FnMut(Kind, Kind)) {
    Kind::ALL.iter().for_each(|&a| Kind::ALL.iter().for_each(|&b| check(a, b)));
}

#[test]
fn poses_that_are_no_poses() {
    // A pose is checked when it is made; a translation is not.
    for bad in BAD {
        assert!(Pose::new(Quat::from_xyzw(bad, 0.0, 0.0, 1.0), Vec3::ZERO).is_none() || bad.is_finite());
    }
    assert!(Pose::new(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO).is_none());
    each_pair(|ka, kb| {
        let (a, b) = (Prepared::new(sample(ka, 1.0)), Prepared::new(sample(kb, 1.0)));
        for bad in BAD {
            for axis in 0..3 {
                let mut t = Vec3::new(0.1, 0.2, 0.3);
                t[axis] = bad;
                let pose = Pose::from_translation(t);
                let error = ask_all(&a, &b, &pose).unwrap_err();
                assert!(
                    matches!(error, QueryError::BadPose(_)) && error.to_string().contains("pose"),
                    "{error}"
                );
                assert!(contact_regions(&a, &b, &pose).is_err());
            }
        }
    });
}

#[test]
fn shapes_that_are_no_shapes() {
    for bad in BAD.into_iter().chain([0.0, -1.0, -0.0]) {
        assert!(Sphere::new(bad).is_err(), "{bad}");
        assert!(Cylinder::new(bad, 1.0).is_err() && Cylinder::new(1.0, bad).is_err(), "{bad}");
        assert!(Cone::new(bad, 1.0).is_err() && Cone::new(1.0, bad).is_err(), "{bad}");
        assert!(Capsule::new(bad, 1.0).is_err(), "{bad}");
        for axis in 0..3 {
            let mut size = Vec3::ONE;
            size[axis] = bad;
            assert!(Cuboid::new(size).is_err(), "{bad}");
        }
        if bad != 0.0 && bad != -1.0 {
            assert!(Capsule::new(1.0, bad).is_err(), "{bad}");
            assert!(HalfSpace::new(Vec3::Z, bad).is_err(), "{bad}");
            assert!(
                Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::new(0.0, bad, 0.0)], vec![[0, 1, 2]]).is_err(),
                "{bad}"
            );
            assert!(Convex::from_points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z * bad]).is_err(), "{bad}");
            assert!(HeightField::new([1.0, 1.0], &[vec![0.0, bad], vec![0.0, 0.0]]).is_err(), "{bad}");
        }
    }
    assert!(HalfSpace::new(Vec3::ZERO, 1.0).is_err() && HalfSpace::new(Vec3::NAN, 1.0).is_err());
    assert!(Mesh::new(Vec::new(), Vec::new()).is_err() && Mesh::new(vec![Vec3::ZERO], Vec::new()).is_err());
    assert!(Convex::from_points(&[]).is_err());
    assert!(Compound::new(Vec::new()).is_err());
    assert!(HeightField::new([0.0, 1.0], &[vec![0.0, 0.0], vec![0.0, 0.0]]).is_err());
}

/// Meshes without volume, with repeated corners, of one point; convex bodies without volume.
fn degenerate() -> Vec<Shape> {
    let mesh = |points: &[Vec3], faces: &[[u32; 3]]| {
        Shape::Mesh(Arc::new(Mesh::new(points.to_vec(), faces.to_vec()).unwrap()))
    };
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.5, 0.0, 0.0)];
    let mut list = vec![
        // One triangle; the same from both sides, which is closed; a point; a segment; a corner named twice.
        mesh(&corners, &[[0, 1, 2]]),
        mesh(&corners, &[[0, 1, 2], [0, 2, 1]]),
        mesh(&[Vec3::ZERO; 3], &[[0, 1, 2]]),
        mesh(&corners, &[[0, 3, 1]]),
        mesh(&corners, &[[0, 0, 0], [0, 1, 1]]),
        Shape::Capsule(Capsule::new(0.5, 0.0).unwrap()),
        Shape::HeightField(HeightField::new([1.0, 1.0], &[vec![0.0, 0.0], vec![0.0, 0.0]]).unwrap()),
    ];
    // A self-intersecting closed mesh, and an inside-out one.
    let cube = pairs_common::box_mesh(Vec3::ONE);
    let turned: Vec<[u32; 3]> = cube.faces().iter().map(|&[a, b, c]| [a, c, b]).collect();
    list.push(mesh(cube.vertices(), &turned));
    let (vertices, faces) = freiraum_testkit::bumpy::twisted_tube(24, 8);
    list.push(mesh(&vertices, &faces));
    for points in [vec![Vec3::ZERO], vec![Vec3::ZERO, Vec3::X], vec![Vec3::ZERO, Vec3::X, Vec3::Y]] {
        list.extend(Convex::from_points(&points).ok().map(Shape::Convex));
    }
    // Almost nothing: a needle, a flake, a dot.
    for size in [Vec3::new(1e-9, 1e-9, 1.0), Vec3::new(1.0, 1.0, 1e-12), Vec3::splat(1e-15)] {
        list.push(Shape::Cuboid(Cuboid::new(size).unwrap()));
        list.push(Shape::Cylinder(Cylinder::new(size.x, size.z).unwrap()));
        list.push(Shape::Cone(Cone::new(size.x, size.z).unwrap()));
    }
    list
}

#[test]
fn shapes_of_no_size_are_answered() {
    let mut random = Random::new(61);
    let list = degenerate();
    let part = |shape: &Shape| Part { compound_from_part: Pose::IDENTITY, shape: shape.clone() };
    let all = Shape::Compound(Compound::new(list.iter().take(6).map(part).collect()).unwrap());
    let bodies: Vec<Prepared> = list.into_iter().chain([all]).map(Prepared::new).collect();
    for (i, a) in bodies.iter().enumerate() {
        for b in &bodies[..=i] {
            // All of them hold the origin, or nearly so: centred ones touch those that begin there.
            let meets = ask_all(a, b, &Pose::IDENTITY).unwrap();
            assert_eq!(meets, ask_all(b, a, &Pose::IDENTITY).unwrap(), "{:?}\n{:?}", a.shape(), b.shape());
            for _ in 0..3 {
                let pose = random_pose(&mut random, 0.4);
                let meets = ask_all(a, b, &pose).unwrap();
                let gap = distance(a, b, &pose).unwrap().distance;
                assert!(meets == (gap <= 1e-9), "{gap} {:?}\n{:?}\n{pose:?}", a.shape(), b.shape());
            }
        }
        for kind in Kind::ALL {
            let sample = Prepared::new(sample(kind, 1.0));
            for half in [0.0, 0.3, 2.0] {
                let pose = random_pose(&mut random, half);
                assert_eq!(
                    ask_all(a, &sample, &pose),
                    ask_all(&sample, a, &pose.inverse()),
                    "{:?} {kind}",
                    a.shape()
                );
            }
        }
        // Rays, too.
        for _ in 0..5 {
            let ray = Ray::new(random.in_cube(1.0), random.direction(), f64::INFINITY).unwrap();
            assert!(a.ray_cast(&ray).is_none_or(|hit| hit.distance >= 0.0));
        }
    }
}

#[test]
fn identical_shapes_in_one_place_of_any_size() {
    for scale in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
        for kind in Kind::ALL {
            let body = Prepared::new(sample(kind, scale));
            assert!(ask_all(&body, &body, &Pose::IDENTITY).unwrap(), "{kind} {scale}");
            assert_eq!(
                intersect(&body, &body, &Pose::IDENTITY).unwrap().relation,
                Relation::Same,
                "{kind} {scale}"
            );
            // Turned to and fro: the same up to rounding, and never separate.
            let turn = Pose::new(Quat::from_rotation_x(0.7), Vec3::ZERO).unwrap();
            assert!(ask_all(&body, &body, &(turn.inverse() * turn)).unwrap(), "{kind} {scale}");
        }
    }
    // Very unlike sizes.
    each_pair(|ka, kb| {
        let (a, b) = (Prepared::new(sample(ka, 1e-6)), Prepared::new(sample(kb, 1e6)));
        ask_all(&a, &b, &Pose::IDENTITY).unwrap();
        ask_all(&b, &a, &Pose::IDENTITY).unwrap();
    });
}

/// The same body twice, with rounding in between: as a compound with a flat mesh, and as a box and its mesh.
#[test]
fn the_same_up_to_rounding() {
    let mut random = Random::new(63);
    let flat = &degenerate()[1];
    for _ in 0..100 {
        let size = Vec3::from([0; 3].map(|_| random.range(0.1, 3.0)));
        let shapes = [Shape::Cone(Cone::new(size.x, size.y).unwrap()), flat.clone()];
        let part =
            |shape: &Shape| Part { compound_from_part: random_pose(&mut random, 1.0), shape: shape.clone() };
        let parts = shapes.iter().map(part).collect();
        let compound = Prepared::new(Shape::Compound(Compound::new(parts).unwrap()));
        let pose = random_pose(&mut random, 2.0);
        let found = intersect(&compound, &compound, &(pose.inverse() * pose)).unwrap();
        assert_eq!(found.relation, Relation::Same, "{pose:?}");
        let mesh = pairs_common::box_mesh(size);
        let vertices = mesh.vertices().iter().map(|v| pose.transform_point(*v)).collect();
        let mesh = Mesh::new(vertices, mesh.faces().to_vec()).unwrap();
        let mesh = Prepared::new(Shape::Mesh(Arc::new(mesh)));
        let cuboid = Prepared::new(Shape::Cuboid(Cuboid::new(size).unwrap()));
        assert_eq!(intersect(&mesh, &cuboid, &pose).unwrap().relation, Relation::Same, "{size} {pose:?}");
        assert_eq!(intersect(&cuboid, &mesh, &pose.inverse()).unwrap().relation, Relation::Same);
    }
}

/// Far from the origin the coordinates themselves are rough: shapes whose surfaces are clear of each other by more than that are
/// told right.
#[test]
fn far_from_the_origin() {
    let mut random = Random::new(62);
    each_pair(|ka, kb| {
        if ka == Kind::HalfSpace || kb == Kind::HalfSpace {
            return;
        }
        for far in [1e6, 1e9] {
            // Both bodies far out in their own frames, inside compounds.
            let out = Pose::from_translation(far * Vec3::new(1.0, -0.5, 0.25));
            let moved = |kind: Kind| {
                let part = Part { compound_from_part: out, shape: sample(kind, 1.0) };
                Prepared::new(Shape::Compound(Compound::new(vec![part]).unwrap()))
            };
            let (near_a, near_b) = (Prepared::new(sample(ka, 1.0)), Prepared::new(sample(kb, 1.0)));
            let (a, b) = (moved(ka), moved(kb));
            for _ in 0..2 {
                let shift = Pose::from_translation(random.in_cube(1.5));
                let known = distance(&near_a, &near_b, &shift).unwrap().distance.max(0.0);
                let found = distance(&a, &b, &shift).unwrap().distance.max(0.0);
                let rough = 1e-15 * far * 16.0 + 1e-6;
                assert!((known - found).abs() < rough, "{ka} {kb} {far}: {known} {found}");
                let meets = ask_all(&a, &b, &shift).unwrap();
                if intersects(&near_a, &near_b, &shift).unwrap() {
                    assert!(meets || known > -rough, "{ka} {kb} {far}");
                } else if known > rough {
                    // Round bodies touch within a billionth of the largest coordinate.
                    assert!(!meets || known < 4e-9 * far, "{ka} {kb} {far}: {known}");
                }
            }
        }
    });
}
