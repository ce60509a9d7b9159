//! Rays where it is tight: through edges and corners, in planes, on borders, at the end of their range, in solids.

use freiraum_geometry::shape::{Convex, Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::Prepared;
use freiraum_query::mesh_tree::{Closure, MeshTree};
use freiraum_query::ray::{
    Ray, RayScene, ray_any, ray_cast, ray_mesh, ray_mesh_any, ray_mesh_many, ray_mesh_solid,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray::new(origin, direction, f64::INFINITY).unwrap()
}

/// A box as twelve triangles: everything about it is known.
fn box_mesh(size: Vec3) -> Mesh {
    Shape::Cuboid(Cuboid::new(size).unwrap()).tessellate(1.0).unwrap()
}

/// All ways to ask about a mesh as a solid agree; the distance.
fn solid_distance(tree: &MeshTree, ray: &Ray) -> Option<f64> {
    let shape = Shape::Mesh(tree.mesh().clone());
    let found = ray_mesh_solid(tree, ray);
    assert_eq!(ray_cast(&shape, ray), found, "{ray:?}");
    assert_eq!(Prepared::new(shape.clone()).ray_cast(ray), found);
    assert_eq!(ray_any(&shape, ray), found.is_some());
    let scene = RayScene::new([(Pose::IDENTITY, shape)]);
    assert_eq!(scene.any(ray), found.is_some());
    let in_scene = scene.cast(ray).map(|h| h.hit);
    assert_eq!(in_scene.map(|h| (h.distance, h.face)), found.map(|h| (h.distance, h.face)));
    if let Some(hit) = found.filter(|h| h.from_inside && tree.closure() != Closure::Open) {
        assert_eq!((hit.distance, hit.normal, hit.face), (0.0, -ray.direction(), None));
    }
    found.map(|h| h.distance)
}

#[test]
fn a_box_answers_as_its_mesh_on_a_lattice() {
    // Origins on faces, edges, corners, in their planes, inside and outside; directions along axes and diagonals.
    let size = Vec3::new(2.0, 4.0, 2.0);
    for scale in [1.0, f64::powi(2.0, -20), f64::powi(2.0, 20)] {
        let solid = Shape::Cuboid(Cuboid::new(size * scale).unwrap());
        let tree = MeshTree::build(box_mesh(size * scale));
        let mut hits = 0;
        for i in 0..5 * 5 * 5 {
            let at = [i % 5, i / 5 % 5, i / 25].map(|k| f64::from(k) - 2.0);
            let origin = Vec3::from(at) * Vec3::new(1.0, 2.0, 1.0) * scale;
            for k in 0..27 {
                let d = Vec3::new(f64::from(k % 3) - 1.0, f64::from(k / 3 % 3) - 1.0, f64::from(k / 9) - 1.0);
                if d == Vec3::ZERO {
                    continue;
                }
                // Both signs of zero.
                for d in [d, d + Vec3::ZERO, -(-d)] {
                    let r = ray(origin, d);
                    let expected = ray_cast(&solid, &r).map(|h| h.distance);
                    let found = solid_distance(&tree, &r);
                    let is_same = match (found, expected) {
                        (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * scale,
                        (a, b) => a == b,
                    };
                    assert!(is_same, "{r:?}: {found:?}, not {expected:?}");
                    hits += usize::from(found.is_some());
                }
            }
        }
        assert!(hits > 3000, "{hits}");
    }
}

#[test]
fn rays_through_shared_edges_and_corners_of_a_closed_mesh_hit() {
    let mut random = Random::new(1);
    let shape = Shape::Sphere(Sphere::new(1.0).unwrap());
    for (scale, offset) in [(1.0, 0.0), (1e-6, 0.0), (1e6, 0.0), (1.0, 1e7), (1e-20, 0.0), (1e20, 0.0)] {
        let pose = Pose::new(Quat::IDENTITY, scale * offset * Vec3::new(1.0, -0.3, 0.7)).unwrap();
        let ball = shape.tessellate(0.02).unwrap();
        let scaled = ball.vertices().iter().map(|v| scale * *v).collect();
        let mesh = Mesh::new(scaled, ball.faces().to_vec()).unwrap().placed(&pose).unwrap();
        let tree = MeshTree::build(mesh.clone());
        let all = Shape::Mesh(tree.mesh().clone());
        for _ in 0..cases(1500) {
            let [a, b, _] = mesh.triangle(random.below(mesh.faces().len()));
            let target = [a, b, 0.5 * (a + b), a + random.unit() * (b - a)][random.below(4)];
            // From outside towards a point of an edge that faces this way, and on to the other side.
            let out = (target - pose.translation()) / scale;
            let tilt = random.direction();
            let from = if tilt.dot(out) > 0.2 { tilt } else { out + 0.1 * tilt };
            let origin = target + scale * from * [1.0, 30.0][random.below(2)];
            let r = ray(origin, target - origin);
            let hit = ray_mesh(&tree, &r).unwrap_or_else(|| panic!("{r:?} slips through"));
            assert!(ray_mesh_any(&tree, &r));
            assert_eq!(ray_cast(&all, &r), Some(hit));
            let way = origin.distance(target);
            let slack = 1e-9 * (way + scale * offset);
            assert!(hit.distance <= way + 20.0 * slack, "{hit:?} behind {way}");
            assert!(hit.distance >= way - 0.2 * scale - slack);
            // The range ends exactly at the hit, and just before it.
            let ends = |max: f64| ray_mesh(&tree, &Ray::new(origin, target - origin, max).unwrap());
            assert_eq!(ends(hit.distance), Some(hit));
            assert!(ends(hit.distance.next_down()).is_none_or(|h| h.distance < hit.distance));
        }
    }
}

#[test]
fn one_rule_for_the_inside_of_all_solids() {
    let mut random = Random::new(2);
    let points: Vec<Vec3> = (0..40).map(|_| random.direction()).collect();
    for shape in [
        Shape::Sphere(Sphere::new(1.0).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap()),
        Shape::Cylinder(Cylinder::new(1.0, 2.0).unwrap()),
        Shape::Convex(Convex::from_points(&points).unwrap()),
    ] {
        let mesh = Shape::Mesh(shape.tessellate(1e-3).unwrap().into());
        let tree = MeshTree::build(shape.tessellate(1e-3).unwrap());
        for _ in 0..cases(100) {
            let r = ray(random.in_cube(0.2), random.direction());
            for solid in [&shape, &mesh] {
                let hit = ray_cast(solid, &r).expect("a ray from inside hits");
                assert!(hit.from_inside);
                assert_eq!((hit.distance, hit.point, hit.face), (0.0, r.origin(), None));
                assert_eq!(hit.normal, -r.direction());
                // Even with no range at all.
                assert!(ray_any(solid, &Ray::new(r.origin(), r.direction(), 0.0).unwrap()));
            }
            assert_eq!(solid_distance(&tree, &r), Some(0.0));
            // As a surface, it is hit where the ray leaves.
            assert!(ray_mesh(&tree, &r).is_some_and(|h| h.from_inside && h.distance > 0.0));
        }
    }
}

#[test]
fn cavities_overlapping_parts_and_open_meshes() {
    let place = |size: f64, x: f64| {
        let pose = Pose::new(Quat::IDENTITY, Vec3::new(x, 0.0, 0.0)).unwrap();
        box_mesh(Vec3::splat(size)).placed(&pose).unwrap()
    };
    let join = |a: &Mesh, b: &Mesh, turned: bool| {
        let first = a.vertices().len() as u32;
        let turn = |[i, j, k]: [u32; 3]| if turned { [i, k, j] } else { [i, j, k] };
        let more = b.faces().iter().map(|f| turn(f.map(|v| v + first)));
        Mesh::new([a.vertices(), b.vertices()].concat(), a.faces().iter().copied().chain(more).collect())
            .unwrap()
    };
    let check = |tree: &MeshTree, x: f64, expected: Option<f64>| {
        let found = solid_distance(tree, &ray(Vec3::new(x, 0.1, 0.2), Vec3::X));
        let is_same = found.zip(expected).map_or(found == expected, |(a, b)| (a - b).abs() < 1e-14);
        assert!(is_same, "{x}: {found:?}, not {expected:?}");
    };
    // A box with a box-shaped cavity: outside, wall, cavity.
    let hollow = MeshTree::build(join(&place(4.0, 0.0), &place(2.0, 0.0), true));
    check(&hollow, -5.0, Some(3.0));
    check(&hollow, -1.5, Some(0.0));
    check(&hollow, 0.25, Some(0.75));
    check(&hollow, -2.0, Some(0.0));
    check(&hollow, 2.5, None);
    // One box in the other, both outwards: a start between them is inside though the next face is seen from its front.
    let double = MeshTree::build(join(&place(4.0, 0.0), &place(2.0, 0.0), false));
    check(&double, -1.5, Some(0.0));
    check(&double, 0.0, Some(0.0));
    // Without one face it is a surface.
    let closed = place(2.0, 0.0);
    let open = MeshTree::build(Mesh::new(closed.vertices().to_vec(), closed.faces()[1..].to_vec()).unwrap());
    let found = (0..6).filter_map(|k| {
        let d = [1.0, -1.0][k % 2] * Vec3::AXES[k / 2];
        solid_distance(&open, &ray(Vec3::new(0.1, 0.2, 0.3), d))
    });
    let found: Vec<f64> = found.collect();
    assert!(found.len() >= 5 && found.iter().all(|d| *d > 0.5), "{found:?}");
}

#[test]
fn rays_on_the_borders_of_boxes_of_the_tree() {
    // A plate of unit squares: borders of boxes, edges and rays coincide, and zero components make slabs without width.
    let n = 12;
    let vertices =
        (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(f64::from(i), f64::from(j), 0.0))).collect();
    let at = |i: i32, j: i32| (i * (n + 1) + j) as u32;
    let square = |i: i32, j: i32| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let faces = (0..n).flat_map(|i| (0..n).flat_map(move |j| square(i, j))).collect();
    let mesh = Mesh::new(vertices, faces).unwrap();
    let tree = MeshTree::build(mesh);
    let mut rays = Vec::new();
    for i in -1..=n + 1 {
        for j in -1..=n + 1 {
            let (x, y) = (f64::from(i), f64::from(j));
            let is_over = (0..=n).contains(&i) && (0..=n).contains(&j);
            for zero in [0.0, -0.0] {
                let down = ray(Vec3::new(x, y, 2.0), Vec3::new(zero, -zero, -1.0));
                assert_eq!(ray_mesh(&tree, &down).map(|h| h.distance), is_over.then_some(2.0), "{down:?}");
                let up = ray(Vec3::new(x, y, 0.0), Vec3::new(zero, zero, 1.0));
                assert_eq!(ray_mesh(&tree, &up).map(|h| h.distance), is_over.then_some(0.0));
                // In the plane, along a row of edges.
                let along = ray(Vec3::new(-3.0, y, 0.0), Vec3::new(1.0, zero, zero));
                let expected = (0..=n).contains(&j).then_some(3.0);
                assert_eq!(ray_mesh(&tree, &along).map(|h| h.distance), expected, "{along:?}");
                rays.extend([down, up, along]);
            }
        }
    }
    let mut many = Vec::new();
    ray_mesh_many(&tree, &rays, &mut many);
    assert!(rays.iter().zip(&many).all(|(r, hit)| ray_mesh(&tree, r) == *hit));
}
