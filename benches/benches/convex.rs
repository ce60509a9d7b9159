//! Distance and penetration depth of convex polyhedra beside parry3d-f64 and, with `--all-peers`, Coal and FCL, on the same
//! hulls and poses.
//!
//! Hulls of 20, 200 and 2000 points on an ellipsoid with half axes 0.5, 0.35 and 0.25 m. Random poses 1.05 to 2 m
//! apart, a coherent sequence (0.2 degrees and about 1 mm per step), shallow overlaps (0.01 to 0.04 m past first
//! contact) and deep ones. Times are per query. FCL runs with libccd as its solver; its depths
//! are those of MPR, which are not the least ones, and do not count.
#![allow(clippy::print_stdout, reason = "a bench prints its table")]

use freiraum_benches::peer::Peer;
use freiraum_benches::{Goal, Role, Runner, Table, is_quick, pass, runner};
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

const RANDOM: Goal = Goal::faster("convex distance, random (no target set: 1)", 1.0);
const COHERENT: Goal = Goal::faster("convex distance, coherent", 1.5);
const DEPTH: Goal = Goal::faster("exact convex depth", 1.5);
const BOOLEAN: Goal = Goal::faster("convex boolean (no target set: 1)", 1.0);
/// Questions per reading of the clock, which takes some 0.3 us.
const BATCH: usize = 50;
/// Answers farther apart than this differ, in metres: Coal stops at 1e-6.
const TOLERANCE: f64 = 2e-6;

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

fn ours<'w>(name: &'static str, count: usize, mut ask: impl FnMut(usize) -> f64 + 'w) -> Runner<'w> {
    runner(name, Role::Ours, move || pass(count, BATCH, &mut ask))
}

fn peer<'w>(name: &'static str, count: usize, mut ask: impl FnMut(usize) -> f64 + 'w) -> Runner<'w> {
    runner(name, Role::Peer, move || pass(count, BATCH, &mut ask))
}

/// The C++ peers that are loaded with the hulls, on one class: `(peer, name in the table, question)`.
fn others<'w>(
    peers: &'w [Peer],
    class: &Class,
    questions: &[(&str, &'static str, &'static str)],
) -> Vec<Runner<'w>> {
    let mut out = Vec::new();
    for (of, name, question) in questions.iter().copied() {
        let Some(peer) = peers.iter().find(|p| p.name == of) else { continue };
        let file = peer.poses(&class.ours);
        out.push(runner(name, Role::Peer, move || peer.pass(question, &file, BATCH)));
    }
    out
}

fn table(title: String, goal: Goal, runners: Vec<Runner<'_>>) {
    let rounds = if is_quick() { 3 } else { 9 };
    Table { title: &title, rounds, tolerance: TOLERANCE, goal: Some(goal) }.run(runners);
}

fn main() {
    let peers = Peer::all();
    for count in [20, 200, 2000] {
        compare(count, &peers);
    }
}

fn compare(count: usize, peers: &[Peer]) {
    let mut random = Random::new(11);
    let half = Vec3::new(0.5, 0.35, 0.25);
    let mut cloud = || -> Vec<Vec3> { (0..count).map(|_| half * random.direction()).collect() };
    let points = [cloud(), cloud()];
    let bodies = [0, 1].map(|k| Convex::from_points(&points[k]).unwrap());
    for peer in peers {
        let _ = peer.load_hulls(bodies[0].surface(), bodies[1].surface());
    }
    let [a, b] = bodies.map(ConvexGraph::new);
    let [p, q] = [0, 1].map(|k| {
        let points: Vec<Vector> = points[k].iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        ConvexPolyhedron::from_convex_hull(&points).unwrap()
    });
    let id = ParryPose::IDENTITY;
    let apart = Class::new((0..2000).map(|_| at(random.range(1.05, 2.0), &mut random)).collect());
    let coherent = Class::new(sequence(&mut random));
    let deep = Class::new((0..2000).map(|_| near_center(&mut random)).collect());
    let shallow = Class::new((0..1000).map(|_| shallow(&a, &b, &mut random)).collect());

    let mut runners = vec![
        ours("freiraum, cold", 2000, |i| {
            distance_of(distance_convex(&a, &b, &apart.ours[i], &mut ConvexCache::new()))
        }),
        peer("parry3d-f64, cold", 2000, |i| query::distance(&id, &p, &apart.theirs[i], &q).unwrap().distance),
    ];
    runners.extend(others(
        peers,
        &apart,
        &[
            ("Coal", "Coal, GJK", "hull-distance"),
            ("Coal", "Coal, Polyak", "hull-distance-polyak"),
            ("FCL", "FCL, libccd", "hull-distance"),
        ],
    ));
    table(format!("convex distance, random, {count} points"), RANDOM, runners);

    let mut cache = ConvexCache::new();
    let mut features = FeatureCache::new();
    let mut simplex = VoronoiSimplex::new();
    let mut direction: Option<Vector> = None;
    let mut runners = vec![
        ours("freiraum, warm", 2000, |i| distance_of(distance_convex(&a, &b, &coherent.ours[i], &mut cache))),
        ours("freiraum, features", 2000, |i| {
            distance_of(track_features(&a, &b, &coherent.ours[i], &mut features).distance)
        }),
        ours("freiraum, cold", 2000, |i| {
            distance_of(distance_convex(&a, &b, &coherent.ours[i], &mut ConvexCache::new()))
        }),
        peer("parry3d-f64, warm", 2000, |i| {
            let pose = &coherent.theirs[i];
            let start = direction.unwrap_or(-pose.translation);
            simplex.reset(CsoPoint::from_shapes(pose, &p, &q, start.normalize_or_zero()));
            match closest_points(pose, &p, &q, f64::MAX, true, &mut simplex) {
                GJKResult::ClosestPoints(on_p, on_q, normal) => {
                    direction = Some(normal);
                    (on_p - on_q).length()
                }
                _ => 0.0,
            }
        }),
        peer("parry3d-f64, cold", 2000, |i| {
            query::distance(&id, &p, &coherent.theirs[i], &q).unwrap().distance
        }),
    ];
    runners.extend(others(
        peers,
        &coherent,
        &[
            ("Coal", "Coal, GJK, warm (cached guess)", "hull-distance-warm"),
            ("Coal", "Coal, GJK, cold", "hull-distance"),
            ("FCL", "FCL, libccd", "hull-distance"),
        ],
    ));
    table(format!("convex distance, coherent, {count} points"), COHERENT, runners);

    for (name, class) in [("shallow", &shallow), ("deep", &deep)] {
        let mut workspace = PenetrationWorkspace::new();
        let questions = class.ours.len();
        let mut runners = vec![
            ours("freiraum, cold", questions, |i| {
                workspace.forget();
                -penetration_convex(&a, &b, &class.ours[i], &mut workspace).distance
            }),
            peer("parry3d-f64", questions, |i| {
                query::contact(&id, &p, &class.theirs[i], &q, 0.0).unwrap().map_or(0.0, |c| -c.dist)
            }),
        ];
        let depth = [("Coal", "Coal, GJK and EPA", "hull-depth"), ("FCL", "FCL, libccd (MPR)", "hull-depth")];
        runners.extend(others(peers, class, &depth));
        table(format!("convex depth, {name}, {count} points"), DEPTH, runners);
        let found = |i: usize| {
            let contact = query::contact(&id, &p, &class.theirs[i], &q, 0.0).ok()??;
            Some((-contact.dist, Vec3::from_array(contact.normal1.into())))
        };
        along_own_normals("parry3d-f64", class, &a, &b, found);
        if let Some(coal) = peers.iter().find(|p| p.name == "Coal") {
            let file = coal.poses(&class.ours);
            let [depths, x, y, z] = ["hull-depth", "hull-normal-x", "hull-normal-y", "hull-normal-z"]
                .map(|question| coal.pass(question, &file, BATCH).answers);
            along_own_normals("Coal", class, &a, &b, |i| Some((depths[i], Vec3::new(x[i], y[i], z[i]))));
        }
    }
    let mut runners = vec![
        ours("freiraum, cold", 2000, |i| {
            f64::from(intersects_convex(&a, &b, &deep.ours[i], &mut ConvexCache::new()))
        }),
        peer("parry3d-f64", 2000, |i| {
            f64::from(query::intersection_test(&id, &p, &deep.theirs[i], &q).unwrap().intersecting)
        }),
    ];
    let boolean = [("Coal", "Coal, GJK", "hull-boolean"), ("FCL", "FCL, libccd", "hull-boolean")];
    runners.extend(others(peers, &deep, &boolean));
    table(format!("convex boolean, deep, {count} points"), BOOLEAN, runners);
    worst_difference(count, &a, &b, [&p, &q], [&apart, &coherent, &shallow, &deep]);
}

/// Who is right where depths differ: a depth that is less than how far the bodies overlap along its own normal does not
/// part them.
fn along_own_normals(
    name: &str,
    class: &Class,
    a: &ConvexGraph,
    b: &ConvexGraph,
    found: impl Fn(usize) -> Option<(f64, Vec3)>,
) {
    let (mut short, mut worst) = (0, 0.0f64);
    for (i, pose) in class.ours.iter().enumerate() {
        let Some((depth, normal)) = found(i) else { continue };
        let reach =
            |points: &[Vec3], normal: Vec3| points.iter().map(|p| p.dot(normal)).fold(f64::MIN, f64::max);
        let of_b = reach(b.body().vertices(), pose.rotation().inverse() * -normal);
        let overlap = reach(a.body().vertices(), normal) + of_b - pose.translation().dot(normal);
        if overlap > depth + TOLERANCE {
            short += 1;
            worst = worst.max(overlap - depth);
        }
    }
    if short > 0 {
        println!(
            "  wrong: {short} depths of {name} do not part the bodies along its own normal, short by up to {worst:.1e}"
        );
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
