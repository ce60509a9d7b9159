//! Rays allocate nothing once warm, however deep the tree.

use freiraum_geometry::shape::{Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::ray::{
    Ray, RayScene, ray_any, ray_cast, ray_mesh, ray_mesh_any, ray_mesh_many, ray_mesh_solid,
};
use freiraum_testkit::counting::allocations;
use freiraum_testkit::random::Random;

/// Asks twice; the second time nothing may be allocated.
fn check(what: &str, mut ask: impl FnMut()) {
    ask();
    let before = allocations();
    ask();
    assert_eq!(allocations() - before, 0, "{what} allocates");
}

/// Triangles around the origin, each set twice as large as the one before: rays through the origin meet all their boxes, and
/// the tree is far deeper than as many triangles need.
fn nested(count: u32, random: &mut Random) -> Mesh {
    let corner = |i: u32, r: &mut Random| r.in_cube(1.0) * f64::powi(2.0, (i / 15) as i32 % 145 - 100);
    let vertices = (0..3 * count).map(|i| corner(i, random)).collect();
    Mesh::new(vertices, (0..count).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect()).unwrap()
}

#[test]
fn warm_rays_allocate_nothing() {
    let mut random = Random::new(1);
    let ball = Shape::Sphere(Sphere::new(1.0).unwrap());
    let closed = MeshTree::build(ball.tessellate(0.001).unwrap());
    let deep = MeshTree::build(nested(9000, &mut random));
    assert!(deep.depth() > 15, "{}: deep enough for the stack to overflow", deep.depth());
    let rays: Vec<Ray> = (0..200)
        .map(|_| {
            let d = random.direction();
            let origin = random.in_cube(1.0) * [0.0, 0.5, 3.0][random.below(3)];
            Ray::new(origin, d, [f64::INFINITY, 2.0][random.below(2)]).unwrap()
        })
        .collect();
    let mut hits = Vec::new();
    for (name, tree) in [("closed", &closed), ("deep", &deep)] {
        check(name, || {
            for ray in &rays {
                let hit = ray_mesh(tree, ray);
                assert_eq!(ray_mesh_any(tree, ray), hit.is_some());
                ray_mesh_solid(tree, ray);
            }
            ray_mesh_many(tree, &rays, &mut hits);
        });
        // The overflow of the stack changes no answer.
        let mesh = Shape::Mesh(tree.mesh().clone());
        for ray in rays.iter().take(8) {
            assert_eq!(ray_mesh_solid(tree, ray), ray_cast(&mesh, ray));
        }
    }
    let points: Vec<Vec3> = (0..60).map(|_| random.direction()).collect();
    let heights = vec![vec![0.0, 0.3, 0.1], vec![0.2, 0.0, 0.1]];
    let shapes = [
        ball.clone(),
        Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()),
        Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()),
        Shape::Cone(Cone::new(0.5, 1.0).unwrap()),
        Shape::HalfSpace(HalfSpace::new(Vec3::Z, -3.0).unwrap()),
        Shape::Convex(Convex::from_points(&points).unwrap()),
        Shape::HeightField(HeightField::new([2.0, 2.0], &heights).unwrap()),
    ];
    for shape in &shapes {
        check("a shape", || {
            for ray in &rays {
                assert_eq!(ray_any(shape, ray), ray_cast(shape, ray).is_some());
            }
        });
    }
    let shapes = shapes.into_iter().chain([Shape::Mesh(closed.mesh().clone())]);
    let scene = RayScene::new(
        shapes
            .cycle()
            .take(80)
            .map(|shape| (Pose::new(random.rotation(), random.in_cube(4.0)).unwrap(), shape)),
    );
    let mut found = Vec::new();
    check("a scene", || {
        for ray in &rays {
            assert_eq!(scene.any(ray), scene.cast(ray).is_some());
        }
        scene.cast_many(&rays, &mut found);
    });
}
