//! Distance and penetration depth of convex polyhedra beside parry3d-f64, on the same hulls and poses.
//!
//! Hulls of 20, 200 and 2000 points on an ellipsoid with half axes 0.5, 0.35 and 0.25 m. Random poses 1.05 to 2 m
//! apart, a coherent sequence (0.2 degrees and about 1 mm per step), shallow overlaps (0.01 to 0.04 m past first
//! contact) and deep ones. Times are per query.
#![allow(clippy::print_stdout, reason = "a bench prints its table")]

use freiraum_benches::{Contender, self_timed, side_by_side};
use freiraum_geometry::shape::Convex;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::convex::{
    ConvexCache, ConvexDistance, ConvexGraph, FeatureCache, PenetrationWorkspace, distance_convex,
    intersects_convex, penetration_convex, track_features,
};
use freiraum_testkit::random::Random;
use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::query;
use parry3d_f64::query::gjk::{CsoPoint, GJKResult, VoronoiSimplex, closest_points};
use parry3d_f64::shape::ConvexPolyhedron;
use std::time::Instant;

const ROUNDS: usize = 15;

/// The placements of one class, for both libraries.
struct Class {
    ours: Vec<Pose>,
    theirs: Vec<ParryPose>,
}

impl Class {
    fn new(ours: Vec<Pose>) -> Class {
        let theirs = ours.iter().map(parry_pose).collect();
        Class { ours, theirs }
    }
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let (q, t) = (pose.rotation(), pose.translation());
    let mut out = ParryPose::from_translation(Vector::new(t.x, t.y, t.z));
    out.rotation.x = q.x;
    out.rotation.y = q.y;
    out.rotation.z = q.z;
    out.rotation.w = q.w;
    out
}

/// Times one pass over all placements in batches of fifty and gives the median batch, per query: a batch is shorter than the
/// time another process gets when it takes the core. The digest is the sum of the answers.
fn contender<'w>(name: &'static str, count: usize, mut ask: impl FnMut(usize) -> f64 + 'w) -> Contender<'w> {
    self_timed(name, move || {
        let mut sum = 0.0;
        let mut times = Vec::new();
        for batch in 0..count / 50 {
            let start = Instant::now();
            for i in 50 * batch..50 * (batch + 1) {
                sum += ask(i);
            }
            times.push(start.elapsed() / 50);
        }
        times.sort();
        (times[times.len() / 2], format!("{sum:.9}"))
    })
}

fn main() {
    for count in [20, 200, 2000] {
        let mut random = Random::new(11);
        let half = Vec3::new(0.5, 0.35, 0.25);
        let mut cloud = || -> Vec<Vec3> { (0..count).map(|_| half * random.direction()).collect() };
        let points = [cloud(), cloud()];
        let [a, b] = [0, 1].map(|k| ConvexGraph::new(Convex::from_points(&points[k]).unwrap()));
        let [p, q] = [0, 1].map(|k| {
            let points: Vec<Vector> = points[k].iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
            ConvexPolyhedron::from_convex_hull(&points).unwrap()
        });
        let id = ParryPose::IDENTITY;
        let apart = Class::new((0..2000).map(|_| at(random.range(1.05, 2.0), &mut random)).collect());
        let coherent = Class::new(sequence(&mut random));
        let deep = Class::new((0..2000).map(|_| near_center(&mut random)).collect());
        let shallow = Class::new((0..1000).map(|_| shallow(&a, &b, &mut random)).collect());

        side_by_side(
            &format!("distance, random, {count} points"),
            ROUNDS,
            vec![
                contender("freiraum, cold", 2000, |i| {
                    distance_of(distance_convex(&a, &b, &apart.ours[i], &mut ConvexCache::new()))
                }),
                contender("parry3d-f64, cold", 2000, |i| {
                    query::distance(&id, &p, &apart.theirs[i], &q).unwrap().distance
                }),
            ],
        );
        let mut cache = ConvexCache::new();
        let mut features = FeatureCache::new();
        let mut simplex = VoronoiSimplex::new();
        let mut direction: Option<Vector> = None;
        side_by_side(
            &format!("distance, coherent, {count} points"),
            ROUNDS,
            vec![
                contender("freiraum, warm", 2000, |i| {
                    distance_of(distance_convex(&a, &b, &coherent.ours[i], &mut cache))
                }),
                contender("freiraum, features", 2000, |i| {
                    distance_of(track_features(&a, &b, &coherent.ours[i], &mut features).distance)
                }),
                contender("freiraum, cold", 2000, |i| {
                    distance_of(distance_convex(&a, &b, &coherent.ours[i], &mut ConvexCache::new()))
                }),
                contender("parry3d-f64, warm", 2000, |i| {
                    let pose = &coherent.theirs[i];
                    let start = direction.unwrap_or(-pose.translation);
                    simplex.reset(CsoPoint::from_shapes(pose, &p, &q, start.try_normalize().unwrap()));
                    match closest_points(pose, &p, &q, f64::MAX, true, &mut simplex) {
                        GJKResult::ClosestPoints(on_p, on_q, normal) => {
                            direction = Some(normal);
                            (on_p - on_q).length()
                        }
                        _ => 0.0,
                    }
                }),
                contender("parry3d-f64, cold", 2000, |i| {
                    query::distance(&id, &p, &coherent.theirs[i], &q).unwrap().distance
                }),
            ],
        );
        for (name, class) in [("shallow", &shallow), ("deep", &deep)] {
            let mut workspace = PenetrationWorkspace::new();
            side_by_side(
                &format!("depth, {name}, {count} points"),
                ROUNDS.min(7),
                vec![
                    contender("freiraum, cold", class.ours.len(), |i| {
                        workspace.forget();
                        -penetration_convex(&a, &b, &class.ours[i], &mut workspace).distance
                    }),
                    contender("parry3d-f64", class.ours.len(), |i| {
                        query::contact(&id, &p, &class.theirs[i], &q, 0.0).unwrap().map_or(0.0, |c| -c.dist)
                    }),
                ],
            );
        }
        side_by_side(
            &format!("boolean, deep, {count} points"),
            ROUNDS,
            vec![
                contender("freiraum, cold", 2000, |i| {
                    f64::from(intersects_convex(&a, &b, &deep.ours[i], &mut ConvexCache::new()))
                }),
                contender("parry3d-f64", 2000, |i| {
                    f64::from(query::intersection_test(&id, &p, &deep.theirs[i], &q).unwrap().intersecting)
                }),
            ],
        );
        worst_difference(count, &a, &b, [&p, &q], [&apart, &coherent, &shallow, &deep]);
    }
}

/// The largest difference of the answers of both libraries, relative to the answer.
fn worst_difference(
    count: usize,
    a: &ConvexGraph,
    b: &ConvexGraph,
    [p, q]: [&ConvexPolyhedron; 2],
    classes: [&Class; 4],
) {
    let mut worst = [0.0f64; 4];
    let mut workspace = PenetrationWorkspace::new();
    for (class, worst) in classes.into_iter().zip(&mut worst) {
        for (ours, theirs) in class.ours.iter().zip(&class.theirs) {
            let ours = penetration_convex(a, b, ours, &mut workspace).distance;
            let theirs = query::contact(&ParryPose::IDENTITY, p, theirs, q, 10.0).unwrap().unwrap().dist;
            *worst = worst.max(((ours - theirs) / ours).abs());
        }
    }
    let [apart, coherent, shallow, deep] = worst;
    println!("\nlargest relative difference to parry3d-f64, {count} points:");
    println!("  random {apart:.1e}, coherent {coherent:.1e}, shallow {shallow:.1e}, deep {deep:.1e}");
}

fn distance_of(found: ConvexDistance) -> f64 {
    match found {
        ConvexDistance::Separated(closest) => closest.distance,
        ConvexDistance::Overlapping => 0.0,
    }
}

fn at(distance: f64, random: &mut Random) -> Pose {
    Pose::new(random.rotation(), distance * random.direction()).unwrap()
}

fn near_center(random: &mut Random) -> Pose {
    let normal = Vec3::new(random.normal(), random.normal(), random.normal());
    Pose::new(random.rotation(), 0.12 * normal).unwrap()
}

fn sequence(random: &mut Random) -> Vec<Pose> {
    let (start, axis) = (random.rotation(), random.direction());
    (0..2000)
        .map(|k| {
            let k = f64::from(k);
            let turn = Pose::from_axis_angle(axis, k * 0.2f64.to_radians()).unwrap().rotation();
            let place =
                Vec3::new(1.1 + 0.1 * (0.003 * k).sin(), 0.2 * (0.005 * k).sin(), 0.2 * (0.004 * k).cos());
            Pose::new(turn * start, place).unwrap()
        })
        .collect()
}

/// Moved together along a line until they touch, and a little farther.
fn shallow(a: &ConvexGraph, b: &ConvexGraph, random: &mut Random) -> Pose {
    let (rotation, direction) = (random.rotation(), random.direction());
    let mut place = 1.5 * direction;
    loop {
        let pose = Pose::new(rotation, place).unwrap();
        match distance_convex(a, b, &pose, &mut ConvexCache::new()) {
            ConvexDistance::Separated(closest) if closest.distance > 1e-5 => {
                place -= closest.distance * direction;
            }
            _ => break,
        }
    }
    Pose::new(rotation, place - random.range(0.01, 0.04) * direction).unwrap()
}
