//! Feature tracking against the distance from scratch, on coherent and incoherent motion, and the search for
//! farthest vertices against looking at all of them.

use crate::convex_oracle::{ellipsoid, random_pose};
use freiraum_geometry::shape::Convex;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::convex::{
    ConvexBody, ConvexCache, ConvexDistance, ConvexGraph, Feature, FeatureCache, NO_VERTEX, Tracked,
    distance_convex, track_features,
};
use freiraum_testkit::points;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// Tracks one placement and compares with an answer from scratch.
fn check(a: &ConvexGraph, b: &ConvexGraph, pose: &Pose, cache: &mut FeatureCache) -> Tracked {
    let tracked = track_features(a, b, pose, cache);
    let scale = a.reach() + b.reach() + pose.translation().length();
    match (tracked.distance, distance_convex(a, b, pose, &mut ConvexCache::new())) {
        (ConvexDistance::Separated(x), ConvexDistance::Separated(y)) => {
            assert!((x.distance - y.distance).abs() <= 1e-13 * scale, "{tracked:?} {y:?}");
            assert!((x.point_on_a + x.distance * x.normal - x.point_on_b).length() <= 1e-13 * scale);
            assert!(tracked.is_restarted || tracked.features.is_some());
            if let Some([on_a, on_b]) = tracked.features {
                on_feature(a, on_a, x.point_on_a, scale);
                on_feature(b, on_b, pose.inverse().transform_point(x.point_on_b), scale);
            }
        }
        (x, y) => {
            assert_eq!(x, y);
            assert_eq!(tracked.features, None);
        }
    }
    tracked
}

fn on_feature(body: &ConvexGraph, feature: Feature, point: Vec3, scale: f64) {
    let at = |i: u32| body.vertex(i).unwrap();
    let off = match feature {
        Feature::Vertex(i) => (point - at(i)).length(),
        Feature::Edge([i, k]) => {
            let along = (at(k) - at(i)).try_normalize().unwrap();
            (point - at(i)).cross(along).length()
        }
        Feature::Face(k) => {
            let [a, b, c] = body.body().surface().faces()[k as usize].map(at);
            (point - a).dot((b - a).cross(c - a).try_normalize().unwrap()).abs()
        }
    };
    assert!(off <= 1e-12 * scale, "{feature:?} {point}: {off}");
}

#[test]
fn coherent_motion_walks_from_feature_to_feature() {
    let mut random = Random::new(41);
    for count in [4, 20, 200, 1000] {
        let (a, b) = (ellipsoid(count, 1.0, &mut random), ellipsoid(count, 1.0, &mut random));
        let (a, b) = (ConvexGraph::new(a), ConvexGraph::new(b));
        let (start, axis) = (random.rotation(), random.direction());
        let mut cache = FeatureCache::new();
        let (mut steps, mut restarts) = (0, 0);
        let total = cases(1000);
        for k in 0..total {
            let k = k as f64;
            let turn = Pose::from_axis_angle(axis, 0.0035 * k).unwrap().rotation();
            let place =
                Vec3::new(1.1 + 0.1 * (0.003 * k).sin(), 0.2 * (0.005 * k).sin(), 0.2 * (0.004 * k).cos());
            let tracked = check(&a, &b, &Pose::new(turn * start, place).unwrap(), &mut cache);
            steps += tracked.steps;
            restarts += usize::from(tracked.is_restarted);
        }
        assert!(steps < 4 * total, "{count}: {steps} steps");
        assert!(restarts <= 1 + total / 50, "{count}: {restarts} restarts");
    }
}

/// Through each other and out again: the overlap is told, and the walk goes on after it.
#[test]
fn bodies_pass_through_each_other() {
    let mut random = Random::new(42);
    for _ in 0..cases(20) {
        let (a, b) = (ellipsoid(40, 1.0, &mut random), ellipsoid(40, 1.0, &mut random));
        let (a, b) = (ConvexGraph::new(a), ConvexGraph::new(b));
        let (turn, aside) = (random.rotation(), 0.2 * random.direction());
        let mut cache = FeatureCache::new();
        let mut seen = [0, 0];
        for k in -100..=100 {
            let pose = Pose::new(turn, aside + Vec3::X * 0.015 * f64::from(k)).unwrap();
            let tracked = check(&a, &b, &pose, &mut cache);
            seen[usize::from(tracked.distance == ConvexDistance::Overlapping)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 10), "{seen:?}");
    }
}

#[test]
fn jumps_and_other_bodies_do_no_harm() {
    let mut random = Random::new(43);
    let mut bodies: Vec<ConvexGraph> =
        (0..4).map(|k| ConvexGraph::new(ellipsoid(4 + 30 * k, 1.0, &mut random))).collect();
    bodies.push(ConvexGraph::new(Convex::from_points(&points::grid(3, 0.4)).unwrap()));
    let mut cache = FeatureCache::new();
    for _ in 0..cases(3000) {
        let (a, b) = (&bodies[random.below(5)], &bodies[random.below(5)]);
        let pose = random_pose(random.range(0.0, 2.0), &mut random);
        check(a, b, &pose, &mut cache);
    }
}

/// Faces and edges stay parallel all the time.
#[test]
fn boxes_slide_along_each_other() {
    let cube = ConvexGraph::new(Convex::from_points(&points::grid(2, 1.0)).unwrap());
    let quarter = Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_4).unwrap().rotation();
    for turn in [Pose::IDENTITY.rotation(), quarter] {
        for gap in [1e-9, 1e-3, 0.5] {
            let mut cache = FeatureCache::new();
            for k in -40..=40 {
                let place = Vec3::new(0.05 * f64::from(k), 0.03 * f64::from(k), 1.0 + gap);
                let tracked = check(&cube, &cube, &Pose::new(turn, place).unwrap(), &mut cache);
                let ConvexDistance::Separated(found) = tracked.distance else { panic!("{place}") };
                assert!(found.distance >= gap - 1e-15);
            }
        }
    }
}

#[test]
fn farthest_vertices_agree_with_looking_at_all() {
    let mut random = Random::new(44);
    for count in [4, 20, 63, 64, 100, 500, 2000] {
        let mut bodies = vec![ellipsoid(count, 1.0, &mut random)];
        bodies.extend(Convex::from_points(&points::gauss(count, 5)).ok());
        // On a coarse grid, turned: flat facets become rough by rounding.
        let turn = random.rotation();
        let rough: Vec<Vec3> = points::grid(5, 1.0).into_iter().map(|p| turn * p).collect();
        bodies.push(Convex::from_points(&rough).unwrap());
        for body in bodies {
            let graph = ConvexGraph::new(body.clone());
            let size = graph.reach();
            let mut near = 0;
            for k in 0..cases(400) {
                let direction = match k % 3 {
                    0 => random.direction(),
                    1 => turn * [Vec3::X, -Vec3::Y, Vec3::Z, -Vec3::Z][k / 3 % 4],
                    _ => 1e-9 * random.direction() + turn * Vec3::Z,
                };
                let expected = body.farthest(direction, NO_VERTEX).point.dot(direction);
                for start in [NO_VERTEX, near, random.below(body.vertices().len()) as u32] {
                    let found = graph.farthest(direction, start);
                    assert_eq!(graph.vertex(found.number), Some(found.point));
                    let off = expected - found.point.dot(direction);
                    assert!(off <= 1e-13 * size, "{count} {direction} from {start}: {off}");
                    near = found.number;
                }
            }
        }
    }
}
