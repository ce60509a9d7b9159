//! Questions about meshes allocate nothing once their workspace has grown.

use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::mesh_tree::{
    MeshDistanceCache, MeshTree, MeshWorkspace, all_intersections, any_intersection, closest_point, locate,
    relation, self_intersections, surface_distance,
};
use freiraum_testkit::bumpy;
use freiraum_testkit::counting::allocations;
use freiraum_testkit::random::Random;

#[test]
fn warm_questions_allocate_nothing() {
    let tree = |(v, f): bumpy::Surface| MeshTree::build(Mesh::new(v, f).unwrap());
    let (a, b) = (tree(bumpy::torus(40, 40)), tree(bumpy::sphere(9)));
    let twisted = tree(bumpy::twisted_tube(50, 20));
    let mut random = Random::new(1);
    let poses: Vec<Pose> = (0..50)
        .map(|_| Pose::new(random.rotation(), random.range(0.0, 4.0) * random.direction()).unwrap())
        .collect();
    let mut workspace = MeshWorkspace::default();
    let mut cache = MeshDistanceCache::default();
    let mut pairs = Vec::new();
    let mut sum = 0.0;
    let mut ask = || {
        for pose in &poses {
            sum += f64::from(u8::from(any_intersection(&a, &b, pose, &mut workspace).is_some()));
            all_intersections(&a, &b, pose, &mut workspace, &mut pairs);
            sum += surface_distance(&a, &b, pose, &mut workspace, &mut cache).closest.distance;
            sum += f64::from(relation(&a, &b, pose, &mut workspace).a_is_solid);
            let p: Vec3 = pose.translation();
            sum += f64::from(locate(&a, p, &mut workspace) as u8);
            sum += closest_point(&a, p, &mut workspace).unwrap().distance;
        }
        self_intersections(&twisted, &mut workspace, &mut pairs);
        sum
    };
    ask();
    let before = allocations();
    assert!(before > 0);
    ask();
    assert_eq!(allocations(), before);
}
