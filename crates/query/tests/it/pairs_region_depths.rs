//! The depth of every region of contact against shifting the bodies along its normal, step by step, with exact tests of triangles.

use crate::pairs_common::box_mesh;
use freiraum_geometry::shape::{Capsule, Compound, Cone, Convex, Cuboid, Cylinder, Part, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::contact::regions::{Region, contact_regions};
use freiraum_query::elementary::triangles_intersect;
use freiraum_query::{Prepared, contact, distance, intersects};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::models::{cells, sheet, torus};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::sync::Arc;

fn mesh((vertices, faces): Surface) -> Prepared {
    Prepared::new(Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap())))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// The pose after a is shifted by `s` against `normal`.
fn shifted(pose: &Pose, normal: Vec3, s: f64) -> Pose {
    Pose::from_translation(s * normal) * *pose
}

/// Nothing less than `depth` along the normal separates the bodies, tried at many shares of it.
fn check_not_too_deep(a: &Prepared, b: &Prepared, pose: &Pose, normal: Vec3, depth: f64) {
    for k in 0..20 {
        let share = (f64::from(k) + 0.999) / 20.0;
        let less = shifted(pose, normal, share * depth);
        assert!(intersects(a, b, &less).unwrap(), "{share} of {depth} along {normal} is enough");
    }
}

fn triangles(body: &Prepared, pose: &Pose) -> Vec<[Vec3; 3]> {
    let mesh = body.mesh_tree().unwrap().mesh();
    mesh.triangles().map(|t| t.map(|p| pose.transform_point(p))).collect()
}

/// Faces that share a corner with each face, itself too.
fn neighbours(body: &Prepared) -> Vec<BTreeSet<u32>> {
    let faces = body.mesh_tree().unwrap().mesh().faces();
    let touch = |f: &[u32; 3], g: &[u32; 3]| f.iter().any(|v| g.contains(v));
    faces
        .iter()
        .map(|f| (0..faces.len() as u32).filter(|g| touch(f, &faces[*g as usize])).collect())
        .collect()
}

/// All pairs of faces that cross after the shift; every pair is tested.
fn crossing(a: &[[Vec3; 3]], b: &[[Vec3; 3]], shift: Vec3) -> BTreeSet<[u32; 2]> {
    let mut found = BTreeSet::new();
    for (t, i) in a.iter().zip(0..) {
        let t = t.map(|p| p - shift);
        let (low, high) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
        for (u, j) in b.iter().zip(0..) {
            let apart =
                u[0].min(u[1]).min(u[2]).cmpgt(high).any() || u[0].max(u[1]).max(u[2]).cmplt(low).any();
            if !apart && triangles_intersect(t, *u) {
                found.insert([i, j]);
            }
        }
    }
    found
}

/// Follows the crossing faces of a region while a is shifted in small steps, and tells the first shift at which none is left.
fn followed(a: &Prepared, b: &Prepared, pose: &Pose, region: &Region, step: f64, most: f64) -> f64 {
    let normal = region.normal.unwrap();
    let (ta, tb) = (triangles(a, &Pose::IDENTITY), triangles(b, pose));
    let (near_a, near_b) = (neighbours(a), neighbours(b));
    let is_near = |p: &[u32; 2], q: &[u32; 2]| {
        near_a[p[0] as usize].contains(&q[0]) && near_b[p[1] as usize].contains(&q[1])
    };
    let mut last: BTreeSet<[u32; 2]> = crossing(&ta, &tb, Vec3::ZERO);
    last.retain(|[i, j]| region.faces_a.contains(i) && region.faces_b.contains(j));
    let mut s = 0.0;
    while s < most {
        s += step;
        let mut open = crossing(&ta, &tb, s * normal);
        // What hangs together with what was there before.
        let mut stack: Vec<[u32; 2]> = last.iter().copied().collect();
        let mut now = BTreeSet::new();
        while let Some(pair) = stack.pop() {
            let joined: Vec<[u32; 2]> = open.iter().copied().filter(|p| is_near(&pair, p)).collect();
            for p in joined {
                open.remove(&p);
                now.insert(p);
                stack.push(p);
            }
        }
        if now.is_empty() {
            return s;
        }
        last = now;
    }
    f64::INFINITY
}

/// The case that was found: two tori side by side cross in two places; the hulls of the pieces are 0.211 deep.
#[test]
fn regions_of_tori_are_as_deep_as_the_shift_that_separates_them() {
    let round = torus(1.0, 0.2, 32, 16);
    let a = mesh(round);
    let mut random = Random::new(91);
    let mut seen = 0;
    for case in 0..cases(12) {
        let pose = match case {
            0 => at(1.2, 0.0, 0.0),
            1 => at(1.2, 0.0, 0.05) * Pose::from_axis_angle(Vec3::Z, 0.1).unwrap(),
            2 => at(0.0, 0.0, 0.3),
            3 => at(1.0, 0.0, 0.0) * Pose::from_axis_angle(Vec3::Y, TAU / 4.0).unwrap(),
            _ => Pose::new(random.rotation(), random.in_cube(1.0)).unwrap(),
        };
        for region in contact_regions(&a, &a, &pose).unwrap() {
            let Some(normal) = region.normal else { continue };
            check_not_too_deep(&a, &a, &pose, normal, region.depth);
            let step = region.depth / 24.0;
            let gone = followed(&a, &a, &pose, &region, step, 3.0 * region.depth);
            assert!(gone > region.depth - step, "{case}: gone at {gone}: {region:?}");
            assert!(gone < region.depth + 2.0 * step, "{case}: gone at {gone}: {region:?}");
            seen += 1;
        }
    }
    assert!(seen >= cases(12), "{seen}");
}

#[test]
fn a_shift_that_separates_tori_side_by_side_is_no_less_than_the_depth() {
    let a = mesh(torus(1.0, 0.25, 48, 24));
    for x in [0.9, 1.2, 1.5] {
        let pose = at(x, 0.0, 0.0);
        let found = contact(&a, &a, &pose).unwrap();
        assert!(!found.points.is_empty());
        for point in &found.points {
            let mut least = 0.0;
            while intersects(&a, &a, &shifted(&pose, point.normal, least)).unwrap() {
                least += 1e-3;
            }
            assert!(point.depth <= least, "{x}: {point:?}, but {least} is enough");
        }
    }
}

/// Meshes of convex bodies: one region, and its depth is the whole way along the normal.
#[test]
fn convex_meshes_are_left_by_the_depth() {
    let mut random = Random::new(92);
    let mut bodies =
        vec![mesh(cells([1, 1, 1], Vec3::ONE, |_| true)), mesh(cells([3, 1, 2], Vec3::ONE, |_| true))];
    for count in [4, 8, 30] {
        let points: Vec<Vec3> = (0..count).map(|_| random.direction()).collect();
        let hull = Convex::from_points(&points).unwrap();
        bodies.push(Prepared::new(Shape::Mesh(Arc::new(hull.surface().clone()))));
    }
    let mut seen = 0;
    for _ in 0..cases(300) {
        let (a, b) = (&bodies[random.below(5)], &bodies[random.below(5)]);
        let pose = Pose::new(random.rotation(), random.in_cube(2.0)).unwrap();
        for region in contact_regions(a, b, &pose).unwrap() {
            let Some(normal) = region.normal else { continue };
            check_not_too_deep(a, b, &pose, normal, region.depth);
            let left = shifted(&pose, normal, region.depth + 1e-9);
            assert!(!intersects(a, b, &left).unwrap(), "{region:?}");
            seen += 1;
        }
    }
    assert!(seen > cases(60), "{seen}");
}

/// All kinds of bodies in random poses: no depth is more than what separates the bodies along its normal, points lie on both
/// bodies within the depth, and one region alone is left by it.
#[test]
fn depths_and_points_of_all_kinds() {
    let part = |shape: Shape, x: f64| Part { compound_from_part: at(x, 0.0, 0.0), shape };
    let mut random = Random::new(93);
    let cloud: Vec<Vec3> = (0..20).map(|_| random.direction()).collect();
    let sphere = Shape::Sphere(Sphere::new(0.7).unwrap());
    let cuboid = Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 0.6, 1.4)).unwrap());
    let ring =
        Shape::Mesh(Arc::new(Mesh::new(torus(1.0, 0.3, 24, 12).0, torus(1.0, 0.3, 24, 12).1).unwrap()));
    let kinds: Vec<Prepared> = [
        sphere.clone(),
        cuboid.clone(),
        Shape::Cylinder(Cylinder::new(0.5, 1.2).unwrap()),
        Shape::Capsule(Capsule::new(0.4, 1.0).unwrap()),
        Shape::Cone(Cone::new(0.6, 1.2).unwrap()),
        Shape::Convex(Convex::from_points(&cloud).unwrap()),
        Shape::Mesh(Arc::new(box_mesh(Vec3::new(1.2, 1.0, 0.8)))),
        ring.clone(),
        Shape::Compound(Compound::new(vec![part(sphere, -0.5), part(cuboid, 0.5)]).unwrap()),
        Shape::Compound(Compound::new(vec![part(ring, 0.0)]).unwrap()),
    ]
    .into_iter()
    .map(Prepared::new)
    .collect();
    let (mut seen, mut alone) = (0, 0);
    for a in &kinds {
        for b in &kinds {
            for _ in 0..cases(6) {
                let pose = Pose::new(random.rotation(), random.in_cube(1.0)).unwrap();
                let found = contact(a, b, &pose).unwrap();
                for p in &found.points {
                    let name = format!("{} {} {pose:?} {p:?}", a.shape().kind(), b.shape().kind());
                    assert!(p.depth.is_finite() && p.depth >= 0.0, "{name}");
                    let dot = Prepared::new(Shape::Sphere(Sphere::new(1e-9).unwrap()));
                    let off = |body: &Prepared, at: Vec3| {
                        distance(body, &dot, &Pose::from_translation(at)).unwrap().distance
                    };
                    let slack = p.depth + 1e-6;
                    assert!(off(a, p.point) <= slack, "{name} is beside a by {}", off(a, p.point));
                    let in_b = pose.inverse().transform_point(p.point);
                    assert!(off(b, in_b) <= slack, "{name} is beside b by {}", off(b, in_b));
                    for share in [0.3, 0.6, 0.9, 0.999] {
                        let less = shifted(&pose, p.normal, share * p.depth - 1e-6);
                        assert!(intersects(a, b, &less).unwrap(), "{name}: {share} of the depth is enough");
                    }
                    seen += 1;
                }
                let deepest = found.points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth));
                let Some(p) = deepest.filter(|_| found.regions == 1) else { continue };
                // A convex body that one region holds is free of it; rings may meet it elsewhere.
                let left = shifted(&pose, p.normal, p.depth + 1e-5);
                alone += usize::from(!intersects(a, b, &left).unwrap());
            }
        }
    }
    eprintln!("{seen} points; {alone} single regions are left");
    assert!(seen > 200 && alone > 100);
}

/// A ball on a floor beside a wall, one mesh: the contact with the floor is right below the middle of the ball.
#[test]
fn a_ball_beside_a_wall_touches_the_floor_below_its_middle() {
    // A floor with a step: the wall is the side of the step at x = 1.
    let step = mesh(cells([2, 1, 2], Vec3::new(1.0, 4.0, 1.0), |[x, _, z]| x == 1 || z == 0));
    let ball = Prepared::new(Shape::Sphere(Sphere::new(0.3).unwrap()));
    for (gap, deep) in [(0.01, 0.02), (-0.01, 0.02), (-0.005, 0.1), (0.2, 0.001)] {
        let center = Vec3::new(1.0 - 0.3 - gap, 2.0, 1.0 + 0.3 - deep);
        for (found, to_step) in [
            (contact(&ball, &step, &Pose::from_translation(-center)).unwrap(), center),
            (contact(&step, &ball, &Pose::from_translation(center)).unwrap(), Vec3::ZERO),
        ] {
            let floor: Vec<_> = found.points.iter().filter(|p| p.normal.z.abs() > 0.9).collect();
            assert_eq!((floor.len(), found.regions), (1, 1 + usize::from(gap < 0.0)), "{gap}: {found:?}");
            let point = floor[0].point + to_step;
            assert!((point - center.with_z(1.0)).length() < 1e-6, "{gap}: {point} for {center}");
            assert!((floor[0].depth - deep).abs() < 1e-6, "{gap}: {found:?}");
            let wall = found.points.iter().find(|p| p.normal.x.abs() > 0.9);
            assert!(wall.is_none_or(|p| (p.depth + gap).abs() < 1e-6), "{gap}: {found:?}");
        }
    }
}

/// Points on open surfaces too, and bodies that slide along a flush wall are left by the depth of the floor alone.
#[test]
fn flush_walls_do_not_count() {
    let step = mesh(cells([2, 1, 2], Vec3::ONE, |[x, _, z]| x == 1 || z == 0));
    for body in [
        Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::splat(0.5)).unwrap())),
        Prepared::new(Shape::Mesh(Arc::new(box_mesh(Vec3::splat(0.5))))),
    ] {
        let pose = at(0.75, 0.5, 1.25 - 0.125);
        let found = contact(&step, &body, &pose).unwrap();
        // The wall that touches turns the normal, but it holds nothing back.
        for p in &found.points {
            assert!((p.depth * p.normal.z - 0.125).abs() < 1e-8, "{found:?}");
        }
    }
    let flat = mesh(sheet(4.0, 8));
    let ball = Prepared::new(Shape::Sphere(Sphere::new(0.5).unwrap()));
    let found = contact(&ball, &flat, &at(0.1, 0.05, -0.3)).unwrap();
    assert!(found.points.len() == 1 && (found.points[0].depth - 0.2).abs() < 1e-6, "{found:?}");
    assert!((found.points[0].point - Vec3::new(0.0, 0.0, -0.3)).length() < 1e-6, "{found:?}");
}
