//! Rays against every shape, checked by means that share nothing with how they are found.

use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::ray::{
    FanMemory, Ray, RayError, RayFan, RayScene, ray_any, ray_cast, ray_mesh, ray_mesh_any, ray_mesh_many,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

const SCALES: [f64; 5] = [1e-6, 1e-3, 1.0, 1e3, 1e6];

fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray::new(origin, direction, f64::INFINITY).unwrap()
}

fn solids(random: &mut Random, s: f64) -> Vec<Shape> {
    let size = |r: &mut Random| s * r.range(0.05, 1.0);
    // The six keep the origin inside.
    let six = Vec3::AXES.into_iter().flat_map(|axis| [0.3 * s * axis, -0.3 * s * axis]);
    let points: Vec<Vec3> = (0..20).map(|_| s * random.direction()).chain(six).collect();
    vec![
        Shape::Sphere(Sphere::new(size(random)).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(size(random), size(random), size(random))).unwrap()),
        Shape::Cylinder(Cylinder::new(size(random), size(random)).unwrap()),
        Shape::Capsule(Capsule::new(size(random), size(random)).unwrap()),
        Shape::Capsule(Capsule::new(size(random), 0.0).unwrap()),
        Shape::Cone(Cone::new(size(random), size(random)).unwrap()),
        Shape::Convex(Convex::from_points(&points).unwrap()),
    ]
}

/// A direction that is often along an axis, in a plane of two, or nearly so.
fn direction(random: &mut Random) -> Vec3 {
    let mut d = random.direction();
    for axis in 0..3 {
        match random.below(6) {
            0 => d[axis] = 0.0,
            1 => d[axis] = -0.0,
            2 if random.below(3) == 0 => d[axis] *= 1e-12,
            _ => {}
        }
    }
    if d == Vec3::ZERO { Vec3::X } else { d }
}

/// A convex solid around the origin: the hit lies on its surface, nothing before it is inside, and no part of the
/// solid lies beyond the plane through the hit.
fn check_solid(shape: &Shape, ray: &Ray, s: f64) -> bool {
    let reach = ray.origin().length() + 4.0 * s;
    let steps = 400;
    let sample = |k: usize| ray.at(reach * k as f64 / f64::from(steps));
    let first = (0..=steps as usize).find(|&k| shape.contains(sample(k)) == Some(true));
    let hit = ray_cast(shape, ray);
    assert_eq!(ray_any(shape, ray), hit.is_some());
    let Some(hit) = hit else {
        assert!(first.is_none(), "{shape:?} {ray:?} missed");
        return false;
    };
    assert!(hit.point.distance(ray.at(hit.distance)) <= 1e-12 * reach);
    if let Some(k) = first {
        assert!(
            hit.distance <= reach * k as f64 / f64::from(steps) + 1e-9 * reach,
            "{shape:?} {ray:?} {hit:?}"
        );
    }
    if hit.from_inside {
        assert_eq!((hit.distance, hit.normal), (0.0, -ray.direction()));
        assert_eq!(shape.contains(ray.origin() * (1.0 - 1e-9)), Some(true));
        return true;
    }
    let slack = 1e-9 * reach / s;
    assert_eq!(shape.contains(hit.point * (1.0 - 40.0 * slack)), Some(true), "{shape:?} {ray:?} {hit:?}");
    assert_eq!(shape.contains(hit.point * (1.0 + 40.0 * slack)), Some(false), "{shape:?} {ray:?} {hit:?}");
    assert!((hit.normal.length() - 1.0).abs() < 1e-12);
    assert!(hit.normal.dot(ray.direction()) <= 1e-6, "{shape:?} {ray:?} {hit:?}");
    let farthest = shape.support(hit.normal).unwrap().dot(hit.normal);
    assert!(farthest <= hit.point.dot(hit.normal) + 1e-6 * reach, "{shape:?} {ray:?} {hit:?}");
    // A ray that ends just before misses, one that ends there hits.
    let ends = |max: f64| ray_cast(shape, &Ray::new(ray.origin(), ray.direction(), max).unwrap());
    assert!(ends(hit.distance * (1.0 + 1e-12)).is_some());
    assert_eq!(ends(hit.distance * (1.0 - 1e-12)), None);
    true
}

#[test]
fn solids_are_hit_on_their_surface_and_nowhere_before() {
    let mut random = Random::new(1);
    let mut hits = 0;
    for case in 0..cases(400) {
        let s = SCALES[case % SCALES.len()];
        for shape in solids(&mut random, s) {
            let d = direction(&mut random);
            let aim = random.in_cube(0.6 * s);
            let back = s * [0.0, 0.1, 1.0, 3.0, 1000.0][random.below(5)];
            hits += usize::from(check_solid(&shape, &ray(aim - back * d, d), s));
        }
    }
    assert!(hits > cases(400));
}

#[test]
fn rays_along_the_features_of_solids() {
    let cylinder = Shape::Cylinder(Cylinder::new(1.0, 2.0).unwrap());
    let cone = Shape::Cone(Cone::new(1.0, 2.0).unwrap());
    let cuboid = Shape::Cuboid(Cuboid::new(Vec3::new(2.0, 4.0, 6.0)).unwrap());
    let capsule = Shape::Capsule(Capsule::new(1.0, 2.0).unwrap());
    let sphere = Shape::Sphere(Sphere::new(1.0).unwrap());
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 1.0).unwrap());
    let check = |shape: &Shape, o: [f64; 3], d: [f64; 3], expected: Option<f64>| {
        let found = ray_cast(shape, &ray(o.into(), d.into())).map(|h| h.distance);
        let is_same = match (found, expected) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-14,
            (a, b) => a == b,
        };
        assert!(is_same, "{:?} {o:?} {d:?}: {found:?}, not {expected:?}", shape.kind());
    };
    // In through one end and out through the other; along the axis; along the side; past it.
    check(&cylinder, [0.0, 0.0, 5.0], [0.0, 0.0, -2.0], Some(4.0));
    check(&cylinder, [1.0, 0.0, 5.0], [0.0, 0.0, -1.0], Some(4.0));
    check(&cylinder, [1.0f64.next_up(), 0.0, 5.0], [0.0, 0.0, -1.0], None);
    check(&cylinder, [0.1, 0.0, 3.0], [0.05, 0.0, -1.0], Some(2.0 * (1.0f64 + 0.0025).sqrt()));
    check(&cylinder, [-3.0, 0.0, 1.0], [1.0, 0.0, 0.0], Some(2.0));
    check(&cylinder, [-3.0, 1.0, 0.0], [1.0, 0.0, 0.0], Some(3.0));
    check(&cone, [0.0, 0.0, 5.0], [0.0, 0.0, -1.0], Some(4.0));
    check(&cone, [-3.0, 0.0, 1.0], [1.0, 0.0, 0.0], Some(3.0));
    check(&cone, [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0], Some(2.5));
    check(&cone, [0.5, 0.0, -5.0], [0.0, 0.0, 1.0], Some(4.0));
    check(&cone, [0.0, 0.0, 3.0], [1.0, 0.0, 0.0], None);
    check(&cone, [0.0, 0.0, 2.0], [0.0, 0.0, 1.0], None);
    check(&cone, [3.0, 0.0, 7.0], [-1.0, 0.0, -2.0], Some(6.0 / 2.0 * 5.0f64.sqrt()));
    check(&cuboid, [-3.0, 2.0, 3.0], [1.0, 0.0, 0.0], Some(2.0));
    check(&cuboid, [-3.0, 2.0f64.next_up(), 3.0], [1.0, -0.0, 0.0], None);
    check(&cuboid, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], Some(0.0));
    check(&cuboid, [1.0f64.next_up(), 0.0, 0.0], [1.0, 0.0, 0.0], None);
    check(&cuboid, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], Some(0.0));
    check(&capsule, [0.0, 0.0, 5.0], [0.0, 0.0, -1.0], Some(3.0));
    check(&capsule, [-3.0, 0.0, 1.0], [1.0, 0.0, 0.0], Some(2.0));
    check(&capsule, [-3.0, 1.0, 0.0], [1.0, 0.0, 0.0], Some(3.0));
    check(&capsule, [1.0, 0.0, 9.0], [0.0, 0.0, -1.0], Some(8.0));
    check(&sphere, [-3.0, 1.0, 0.0], [1e-200, 0.0, 0.0], Some(3.0));
    check(&sphere, [-3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], None);
    check(&sphere, [-1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], Some(0.0));
    check(&floor, [0.0, 0.0, 3.0], [0.0, 0.0, -1.0], Some(2.0));
    check(&floor, [0.0, 0.0, 3.0], [1.0, 0.0, 0.0], None);
    check(&floor, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], Some(0.0));
    check(&floor, [0.0, 0.0, -5.0], [0.0, 0.0, 1.0], Some(0.0));
}

#[test]
fn bad_rays_are_refused() {
    let bad = f64::NAN;
    for d in [Vec3::ZERO, Vec3::new(bad, 0.0, 1.0), Vec3::new(f64::INFINITY, 0.0, 0.0)] {
        assert!(matches!(Ray::new(Vec3::ZERO, d, 1.0), Err(RayError::BadDirection(_))));
    }
    for o in [Vec3::new(0.0, bad, 0.0), Vec3::new(0.0, bad, 1.0), Vec3::splat(1e51)] {
        assert!(matches!(Ray::new(o, Vec3::X, 1.0), Err(RayError::BadOrigin(_))));
    }
    for max in [bad, -1.0, f64::NEG_INFINITY] {
        assert!(matches!(Ray::new(Vec3::ZERO, Vec3::X, max), Err(RayError::BadRange(_))));
    }
    let d = ray(Vec3::ZERO, Vec3::new(1e-300, -1e-300, 0.0)).direction();
    assert!((d - Vec3::new(0.5f64.sqrt(), -(0.5f64.sqrt()), 0.0)).length() < 1e-15);
    let ray = Ray::new(Vec3::ZERO, Vec3::X, 1.0).unwrap();
    for far in [1e51, -1e300] {
        let pose = Pose::from_translation(Vec3::new(0.0, far, 0.0));
        let error = ray.seen_from(&pose).unwrap_err();
        assert!(matches!(error, RayError::BadOrigin(_)));
        assert!(error.to_string().len() < 120, "{error}");
    }
    let near = Pose::from_translation(Vec3::new(0.0, 1e49, 0.0));
    assert_eq!(ray.seen_from(&near).unwrap().origin(), Vec3::new(0.0, 1e49, 0.0));
}

fn ball(s: f64, offset: Vec3) -> Mesh {
    let sphere = Shape::Sphere(Sphere::new(s).unwrap());
    let pose = Pose::new(freiraum_geometry::Quat::IDENTITY, offset).unwrap();
    sphere.tessellate(0.01 * s).unwrap().placed(&pose).unwrap()
}

/// A point of the mesh: a corner, a point on an edge, or one within a face.
fn point_on(mesh: &Mesh, random: &mut Random) -> Vec3 {
    let [a, b, c] = mesh.triangle(random.below(mesh.faces().len()));
    let t = random.unit();
    match random.below(4) {
        0 => a,
        1 => 0.5 * (a + b),
        2 => a + t * (b - a),
        _ => a + 0.5 * t * (b - a) + 0.5 * random.unit() * (c - a),
    }
}

#[test]
fn no_ray_from_inside_a_closed_mesh_gets_out() {
    let mut random = Random::new(2);
    for (s, offset) in [
        (1.0, Vec3::ZERO),
        (1e-6, Vec3::ZERO),
        (1e6, Vec3::ZERO),
        (1.0, Vec3::new(1e6, -2e6, 3e5)),
        (1e-3, Vec3::splat(1e3)),
    ] {
        let mesh = ball(s, offset);
        let tree = MeshTree::build(mesh.clone());
        for _ in 0..cases(4000) {
            let origin = offset + random.in_cube(0.4 * s) * random.below(2) as f64;
            let d = if random.below(4) == 0 {
                direction(&mut random)
            } else {
                point_on(&mesh, &mut random) - origin
            };
            let r = ray(origin, d);
            let hit = ray_mesh(&tree, &r).unwrap_or_else(|| panic!("{r:?} slipped through"));
            assert!(ray_mesh_any(&tree, &r));
            assert!(hit.from_inside);
            assert!(hit.distance > 0.5 * s * 0.5 && hit.distance < 2.0 * s);
            let out = (hit.point - offset).length();
            assert!((0.98 * s..=s * (1.0 + 1e-9) + 1e-9 * offset.length()).contains(&out));
            assert!(hit.normal.dot(hit.point - offset) > 0.9 * s);
        }
    }
}

fn soup(count: usize, random: &mut Random, s: f64, offset: Vec3, on_grid: bool) -> Mesh {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let middle = random.in_cube(1.0);
        for _ in 0..3 {
            let p = middle + random.in_cube(0.2);
            let p = if on_grid { (p * 4.0).round() / 4.0 } else { p };
            vertices.push(offset + s * p);
        }
    }
    Mesh::new(vertices, (0..count as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect()).unwrap()
}

/// An independent distance: Cramer's rule on the plane through the corners.
fn plain_distance(ray: &Ray, [a, b, c]: [Vec3; 3]) -> f64 {
    let n = (b - a).cross(c - a);
    n.dot(a - ray.origin()) / n.dot(ray.direction())
}

#[test]
fn a_tree_answers_as_all_faces_do() {
    let mut random = Random::new(3);
    let mut hit_count = 0;
    for case in 0..cases(60) {
        let s = SCALES[case % SCALES.len()];
        let offset = [Vec3::ZERO, Vec3::new(3.0, -1e3, 1e5) * s][case / 5 % 2];
        let count = [1, 3, 50, 700][case % 4];
        let mesh = soup(count, &mut random, s, offset, case % 3 == 0);
        let tree = MeshTree::build(mesh.clone());
        let shape = Shape::Mesh(tree.mesh().clone());
        let rays: Vec<Ray> = (0..100)
            .map(|_| {
                let d = direction(&mut random);
                let target = match random.below(3) {
                    0 => offset + random.in_cube(s),
                    _ => point_on(&mesh, &mut random),
                };
                let back = s * [0.0, 0.3, 5.0, 1e4, 1e7][random.below(5)];
                let max = [f64::INFINITY, 2.0 * s, 5.0 * s][random.below(3)];
                Ray::new(target - back * d, d, max).unwrap()
            })
            .collect();
        let mut many = Vec::new();
        ray_mesh_many(&tree, &rays, &mut many);
        for (r, from_many) in rays.iter().zip(&many) {
            let expected = ray_cast(&shape, r);
            assert_eq!(ray_mesh(&tree, r), expected, "{r:?}");
            assert_eq!(*from_many, expected);
            assert_eq!(ray_mesh_any(&tree, r), expected.is_some());
            assert_eq!(ray_any(&shape, r), expected.is_some());
            let Some(hit) = expected else { continue };
            hit_count += 1;
            let slope = hit.normal.dot(r.direction()).abs();
            let [a, b, c] = mesh.triangle(hit.face.unwrap() as usize);
            if slope > 1e-3 && (b - a).cross(c - a) != Vec3::ZERO {
                assert_eq!(hit.from_inside, hit.normal.dot(r.direction()) > 0.0);
                let plain = plain_distance(r, [a, b, c]);
                let reach = s + offset.length() + r.origin().length();
                assert!((plain - hit.distance).abs() < 1e-10 * reach, "{plain} {hit:?}");
            }
        }
    }
    assert!(hit_count > cases(60) * 20);
}

#[test]
fn rays_at_points_of_faces_hit_at_or_before_them() {
    let mut random = Random::new(4);
    for s in SCALES {
        let mesh = soup(200, &mut random, s, Vec3::ZERO, false);
        let tree = MeshTree::build(mesh.clone());
        for _ in 0..cases(300) {
            let [a, b, c] = mesh.triangle(random.below(200));
            let target = (a + b + c) / 3.0;
            let origin = target + s * random.range(0.1, 50.0) * random.direction();
            let hit = ray_mesh(&tree, &ray(origin, target - origin)).expect("the middle of a face is hit");
            assert!(hit.distance <= origin.distance(target) + 1e-11 * s * 50.0);
        }
    }
}

#[test]
fn rays_in_the_plane_of_a_face() {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let tree = MeshTree::build(mesh);
    let check = |o: [f64; 3], d: [f64; 3], expected: Option<f64>| {
        let found = ray_mesh(&tree, &ray(o.into(), d.into())).map(|h| h.distance);
        assert_eq!(found, expected, "{o:?} {d:?}");
    };
    check([-1.0, 0.25, 0.0], [1.0, 0.0, 0.0], Some(1.0));
    check([0.25, 0.25, 0.0], [1.0, 0.0, 0.0], Some(0.0));
    check([2.0, 0.25, 0.0], [1.0, 0.0, 0.0], None);
    check([2.0, 0.25, 0.0], [-1.0, 0.0, 0.0], Some(1.25));
    check([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], Some(1.0));
    check([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0], Some(1.0));
    check([-1.0, 1.5, 0.0], [1.0, 0.0, 0.0], None);
    check([0.25, 0.25, 1.0], [0.0, 0.0, -1.0], Some(1.0));
    check([0.25, 0.25, 0.0], [0.0, 0.0, -1.0], Some(0.0));
    check([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], Some(1.0));
    check([0.5, 0.5, 1.0], [0.0, 0.0, -1.0], Some(1.0));
    check([0.5, 0.75, 1.0], [0.0, 0.0, -1.0], None);
}

#[test]
fn height_fields_answer_as_their_triangles() {
    let mut random = Random::new(5);
    let mut hit_count = 0;
    for case in 0..cases(150) {
        let s = SCALES[case % SCALES.len()];
        let (rows, columns) = (2 + random.below(9), 2 + random.below(30));
        let heights: Vec<Vec<f64>> =
            (0..rows).map(|_| (0..columns).map(|_| s * random.range(-0.2, 0.2)).collect()).collect();
        let size = [s * random.range(0.5, 2.0), s * random.range(0.5, 2.0)];
        let field = HeightField::new(size, &heights).unwrap();
        let shape = Shape::HeightField(field);
        let mesh = shape.tessellate(s).unwrap();
        let triangles = Shape::Mesh(mesh.clone().into());
        for _ in 0..60 {
            let d = direction(&mut random);
            let back = s * [0.0, 0.3, 5.0, 1e4][random.below(4)];
            let target = match random.below(2) {
                0 => random.in_cube(s),
                _ => point_on(&mesh, &mut random),
            };
            let max = [f64::INFINITY, 2.0 * s][random.below(2)];
            let r = Ray::new(target - back * d, d, max).unwrap();
            let expected = ray_cast(&triangles, &r);
            assert_eq!(ray_cast(&shape, &r), expected, "{rows} x {columns} {size:?} {r:?}");
            hit_count += usize::from(expected.is_some());
        }
    }
    assert!(hit_count > cases(150) * 10);
}

#[test]
fn scenes_and_compounds_answer_as_their_shapes_do() {
    let mut random = Random::new(6);
    let mut hit_count = 0;
    for case in 0..cases(40) {
        let mut items: Vec<(Pose, Shape)> = Vec::new();
        for _ in 0..[0, 1, 2, 12][case % 4] {
            for shape in solids(&mut random, 1.0) {
                items.push((Pose::new(random.rotation(), random.in_cube(10.0)).unwrap(), shape));
            }
            let points: Vec<Vec3> = (0..40).map(|_| random.direction()).collect();
            let mesh = Shape::Mesh(ball(1.0, Vec3::ZERO).into());
            for shape in [Shape::Convex(Convex::from_points(&points).unwrap()), mesh] {
                items.push((Pose::new(random.rotation(), random.in_cube(10.0)).unwrap(), shape));
            }
        }
        if case % 5 == 1 {
            items.push((
                Pose::new(random.rotation(), random.in_cube(10.0)).unwrap(),
                Shape::HalfSpace(HalfSpace::new(Vec3::Z, -20.0).unwrap()),
            ));
        }
        let scene = RayScene::new(items.clone());
        let nested = (!items.is_empty()).then(|| {
            let part =
                |(pose, shape): &(Pose, Shape)| Part { compound_from_part: *pose, shape: shape.clone() };
            Shape::Compound(Compound::new(items.iter().map(part).collect()).unwrap())
        });
        let pose = Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
        let outer = RayScene::new(nested.iter().map(|c| (pose, c.clone())));
        let mut rays = Vec::new();
        for _ in 0..100 {
            let max = [f64::INFINITY, 10.0][random.below(2)];
            rays.push(Ray::new(random.in_cube(15.0), direction(&mut random), max).unwrap());
        }
        let mut many = Vec::new();
        scene.cast_many(&rays, &mut many);
        // Items that are elsewhere, and items that are not there.
        let places: Vec<Pose> =
            items.iter().map(|_| Pose::new(random.rotation(), random.in_cube(10.0)).unwrap()).collect();
        let is_there = |item: u32| !item.is_multiple_of(3);
        let elsewhere: Vec<(Pose, Shape)> = items
            .iter()
            .zip(0..)
            .map(|((pose, shape), i)| (if is_there(i) { places[i as usize] } else { *pose }, shape.clone()))
            .collect();
        let mut moved = scene.clone();
        moved.place(|item| is_there(item).then(|| places[item as usize]));
        let anew = RayScene::new(elsewhere.clone());
        let rest =
            RayScene::new(elsewhere.into_iter().zip(0..).filter(|(_, i)| is_there(*i)).map(|(item, _)| item));
        for r in &rays {
            assert_eq!(moved.cast(r), anew.cast(r));
            let found = moved.cast_where(r, is_there);
            assert_eq!(found.map(|f| f.hit), rest.cast(r).map(|f| f.hit));
            assert_eq!(moved.any_where(r, is_there), found.is_some());
            assert_eq!(moved.distance_where(r, is_there), found.map(|f| (f.item, f.hit.distance)));
            assert_eq!(Ray::along(r.origin(), r.direction(), r.max()), Ok(*r));
            let longer = Ray::along(r.origin(), 2.0 * r.direction(), r.max()).unwrap();
            assert!(longer.direction().distance(r.direction()) < 1e-15);
            assert!(
                Ray::along(Vec3::NAN, r.direction(), 1.0).is_err()
                    && Ray::along(r.origin(), Vec3::X, -1.0).is_err()
            );
            assert!(found.is_none_or(|f| is_there(f.item)));
        }
        for (r, found) in rays.iter().zip(&many) {
            let one = |(pose, shape): &(Pose, Shape)| ray_cast(shape, &r.seen_from(&pose.inverse()).unwrap());
            let nearest = items.iter().map(one).zip(0u32..).filter_map(|(h, i)| Some((h?.distance, i)));
            let nearest = nearest.min_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            assert_eq!(found.is_some(), nearest.is_some(), "{r:?}");
            assert_eq!(scene.any(r), nearest.is_some());
            let placed = r.seen_from(&pose).unwrap();
            let in_compound = nested.as_ref().and_then(|c| ray_cast(c, r));
            let in_outer = outer.cast(&placed);
            assert_eq!(in_compound.is_some(), nearest.is_some());
            assert_eq!(in_outer.is_some(), nearest.is_some());
            let (Some(found), Some((distance, item))) = (found, nearest) else { continue };
            hit_count += 1;
            // The floor is hit at any angle: twenty metres away as well as thousands.
            let slack = 1e-11 * (1.0 + distance * distance);
            assert!((found.hit.distance - distance).abs() < slack, "{found:?} {distance}");
            assert!(found.item == item || distance == 0.0);
            assert!(found.hit.point.distance(r.at(distance)) < slack);
            assert!((in_compound.unwrap().distance - distance).abs() < slack);
            let outer_hit = in_outer.unwrap().hit;
            assert!((outer_hit.distance - distance).abs() < slack);
            assert!(pose.rotate(found.hit.normal).distance(outer_hit.normal) < 1e-6);
        }
    }
    assert!(hit_count > cases(40) * 5);
}

/// Fans of every kind: narrow, all around, along axes and faces, one ray, short last rows.
#[test]
fn fans_answer_as_single_rays_do() {
    let mut random = Random::new(61);
    let mut memory = FanMemory::default();
    let (mut hit_count, mut count) = (0, 0);
    for case in 0..cases(60) {
        let s = SCALES[case % 5];
        let mut items: Vec<(Pose, Shape)> = Vec::new();
        for _ in 0..[0, 1, 12][case % 3] {
            for shape in solids(&mut random, s) {
                let turn = if random.below(3) == 0 { Quat::IDENTITY } else { random.rotation() };
                items.push((Pose::new(turn, random.in_cube(6.0 * s)).unwrap(), shape));
            }
        }
        if case % 2 == 0 {
            let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, -3.0 * s).unwrap());
            items.push((Pose::IDENTITY, floor));
        }
        if case % 3 == 0 {
            // Oblique; its surface goes through its origin, where some fans start.
            let wall = Shape::HalfSpace(HalfSpace::new(random.direction(), 0.0).unwrap());
            items.push((Pose::new(random.rotation(), random.in_cube(4.0 * s)).unwrap(), wall));
        }
        let scene = RayScene::new(items.clone());
        for _ in 0..6 {
            let (columns, rows) = (1 + random.below(40), 1 + random.below(30));
            let width = [0.0, 1e-9, 0.1, 1.0, 6.3][random.below(5)];
            let tall = [0.0, 0.2, 1.5][random.below(3)];
            let turn = if random.below(2) == 0 { Quat::IDENTITY } else { random.rotation() };
            // Often in the plane of a face or inside of a body.
            let origin = match items.is_empty() {
                false if random.below(3) == 0 => items[random.below(items.len())].0.translation(),
                _ => random.in_cube(8.0 * s),
            };
            let cut = random.below(columns);
            let all: Vec<Vec3> = (0..columns * rows)
                .map(|k| {
                    let share = |i: usize, n: usize| i as f64 / n as f64 - 0.5;
                    let (a, e) = (width * share(k % columns, columns), tall * share(k / columns, rows));
                    turn * Vec3::new(e.cos() * a.cos(), e.cos() * a.sin(), e.sin())
                })
                .take(columns * rows - cut)
                .collect();
            let max = [f64::INFINITY, 5.0 * s, 0.0][random.below(3)];
            let is_there = |item: u32| case % 4 != 0 || item % 3 != 1;
            let fan = RayFan::new(all.iter().copied(), columns).unwrap();
            assert_eq!(fan.len(), all.len());
            for turn in [Quat::IDENTITY, random.rotation()] {
                let pose = Pose::new(turn, origin).unwrap();
                let mut found = vec![None; all.len()];
                let answer = |ray: usize, distances: &[f64], items: &[u32]| {
                    for (k, (distance, item)) in distances.iter().zip(items).enumerate() {
                        assert_eq!(*distance == f64::INFINITY, *item == u32::MAX);
                        let hit = (*item != u32::MAX).then_some((*item, *distance));
                        assert!(found[ray + k].replace(hit).is_none(), "answered twice");
                    }
                };
                scene.distances_of_fan(&fan, &pose, max, &mut memory, is_there, answer).unwrap();
                for (direction, found) in all.iter().zip(&found) {
                    let ray = Ray::along(origin, pose.rotation_matrix() * *direction, max).unwrap();
                    assert_eq!(*found, Some(scene.distance_where(&ray, is_there)), "{ray:?}");
                    hit_count += usize::from(found.unwrap().is_some());
                    count += 1;
                }
            }
        }
    }
    assert!(hit_count > count / 5 && hit_count < count, "{hit_count} of {count}");
    assert!(
        RayFan::new([Vec3::NAN].into_iter(), 1).is_err() && RayFan::new([Vec3::ZERO].into_iter(), 1).is_err()
    );
    // Rays that are no units are made so.
    let scene = RayScene::new(vec![(Pose::IDENTITY, Shape::Sphere(Sphere::new(1.0).unwrap()))]);
    let fan = RayFan::new([Vec3::new(-3.0, 0.0, 0.0)].into_iter(), 1).unwrap();
    let from = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0));
    let mut cast = |pose: &Pose, max: f64| {
        let mut found = Vec::new();
        let answer = |_: usize, distances: &[f64], _: &[u32]| found.extend_from_slice(distances);
        scene.distances_of_fan(&fan, pose, max, &mut memory, |_| true, answer).map(|()| found)
    };
    assert_eq!(cast(&from(3.0), 9.0).unwrap(), [2.0]);
    assert!(cast(&from(1e300), 9.0).is_err() && cast(&from(3.0), -1.0).is_err());
    let none = RayFan::new([].into_iter(), 0).unwrap();
    assert!(none.is_empty());
    scene.distances_of_fan(&none, &Pose::IDENTITY, 1.0, &mut memory, |_| true, |_, _, _| panic!()).unwrap();
}
