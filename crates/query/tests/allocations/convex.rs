//! Questions about convex pairs take no memory once they are warm.

use freiraum_geometry::shape::{Convex, Cylinder};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::convex::{
    ConvexBody, ConvexCache, ConvexGraph, FeatureCache, PenetrationWorkspace, distance_convex,
    intersects_convex, penetration_convex, track_features,
};
use freiraum_testkit::counting::allocations;
use freiraum_testkit::points;
use freiraum_testkit::random::Random;

#[test]
fn warm_questions_do_not_allocate() {
    let mut random = Random::new(51);
    let hull = |seed: u64| ConvexGraph::new(Convex::from_points(&points::sphere(300, seed)).unwrap());
    let (a, b) = (hull(1), hull(2));
    let round = Cylinder::new(0.7, 1.5).unwrap();
    let poses: Vec<Pose> = (0..200)
        .map(|_| Pose::new(random.rotation(), random.range(0.0, 3.0) * random.direction()).unwrap())
        .collect();
    let (mut cache, mut features) = (ConvexCache::new(), FeatureCache::new());
    let mut workspace = PenetrationWorkspace::new();
    let mut ask = || {
        let mut sum = 0.0;
        for pose in &poses {
            for body in [&b as &dyn ConvexBody, &round] {
                distance_convex(&a, body, pose, &mut cache);
                intersects_convex(&a, body, pose, &mut cache);
                sum += penetration_convex(&a, body, pose, &mut workspace).distance;
            }
            track_features(&a, &b, pose, &mut features);
        }
        sum
    };
    let first = ask();
    let before = allocations();
    assert!(before > 0, "the counter counts");
    let second = ask();
    assert_eq!(allocations(), before);
    assert!((first - second).abs() < 1e-6);
    assert!(a.vertex(0).is_some_and(Vec3::is_finite));
}
