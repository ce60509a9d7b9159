//! A torus and a sphere: build, any intersection, distance from cold and along a path.

use crate::placing::{self, CLASSES, SIZE};
use freiraum_benches::peer::Peer;
use freiraum_benches::{Goal, Pass, Role, Runner, Stopwatch, Table, is_quick, pass, runner};
use freiraum_geometry::{Mesh, Pose};
use freiraum_query::mesh_tree::{
    MeshDistanceCache, MeshTree, MeshWorkspace, any_intersection, surface_distance,
};
use std::time::Duration;

const BUILD: Goal = Goal::faster("mesh tree build", 1.5);
const READY: Goal = Goal::faster("mesh tree build, ready for two meshes", 1.5);
const MEET: Goal = Goal::faster("mesh intersection", 2.0);
const COLD: Goal = Goal::faster("mesh distance, cold", 3.0);
const COHERENT: Goal = Goal::faster("mesh distance, coherent", 20.0);
/// Questions per reading of the clock, which takes some 0.3 us.
const BATCH: usize = 10;
/// How often the poses of the far class are asked for intersections: that takes no longer than reading the clock.
const REPEATS: usize = 50;

macro_rules! parry {
    ($name:ident, $crate_name:ident, $real:ty) => {
        pub(crate) mod $name {
            use super::{Mesh, Pass, Pose, Stopwatch, pass};
            use $crate_name::bounding_volume::BoundingVolume;
            use $crate_name::math::{Pose as ParryPose, Rotation, Vector};
            use $crate_name::partitioning::BvhNode;
            use $crate_name::query::intersection_test;
            use $crate_name::shape::{TriMesh, Triangle};

            fn vertices(mesh: &Mesh) -> Vec<Vector> {
                let vector = |p: [f64; 3]| Vector::new(p[0] as $real, p[1] as $real, p[2] as $real);
                mesh.vertices().iter().map(|p| vector(p.to_array())).collect()
            }

            pub(crate) fn tree(mesh: &Mesh) -> TriMesh {
                TriMesh::new(vertices(mesh), mesh.faces().to_vec()).expect("a proper surface")
            }

            /// Both trees from ready arrays.
            pub(crate) fn build(a: &Mesh, b: &Mesh) -> Pass {
                let meshes = [a, b].map(|m| (vertices(m), m.faces().to_vec()));
                let start = Stopwatch::start();
                let trees = meshes.map(|(vertices, faces)| TriMesh::new(vertices, faces));
                let time = start.elapsed();
                Pass { batches: vec![time], answers: vec![trees.iter().filter(|t| t.is_ok()).count() as f64] }
            }

            pub(crate) fn poses(poses: &[Pose]) -> Vec<ParryPose> {
                let place = |pose: &Pose| {
                    let (q, t) = (pose.rotation(), pose.translation());
                    let [x, y, z, w] = [q.x, q.y, q.z, q.w].map(|c| c as $real);
                    let to = Vector::new(t.x as $real, t.y as $real, t.z as $real);
                    ParryPose::from_parts(to, Rotation::from_xyzw(x, y, z, w))
                };
                poses.iter().map(place).collect()
            }

            /// The trees walked together, its test on every pair of leaves: the plain way to use it well.
            pub(crate) fn meet(a: &TriMesh, b: &TriMesh, poses: &[ParryPose], batch: usize) -> Pass {
                pass(poses.len(), batch, |i| {
                    let pose = &poses[i];
                    let overlap =
                        |n: &BvhNode, m: &BvhNode| n.aabb().intersects(&m.aabb().transform_by(pose));
                    let found = a.bvh().leaf_pairs(b.bvh(), overlap).any(|(i, j)| {
                        let u = b.triangle(j);
                        let u = Triangle::new(*pose * u.a, *pose * u.b, *pose * u.c);
                        intersection_test(&ParryPose::IDENTITY, &a.triangle(i), &ParryPose::IDENTITY, &u)
                            .is_ok_and(|r| r.intersecting)
                    });
                    f64::from(u8::from(found))
                })
            }
        }
    };
}
parry!(single, parry3d, f32);
parry!(double, parry3d_f64, f64);

/// All tables of one size; our times for any intersection and distance in the near class, and for distance on the path.
pub(crate) fn compare(size: &str, ma: &Mesh, mb: &Mesh, peers: &[Peer]) -> [Duration; 3] {
    let rounds = if is_quick() { 3 } else { 5 };
    let counts = format!("{} + {} faces", ma.faces().len(), mb.faces().len());
    build(&format!("tree build, both, {size} ({counts})"), rounds, ma, mb, peers);
    let (a, b) = (MeshTree::build(ma.clone()), MeshTree::build(mb.clone()));
    let (fa, fb) = (single::tree(ma), single::tree(mb));
    let (da, db) = (double::tree(ma), double::tree(mb));
    let mut near = [Duration::ZERO; 3];
    for (class, name) in CLASSES.iter().enumerate() {
        let poses = placing::poses(&a, &b, class, if is_quick() { 40 } else { 100 });
        let mut workspace = MeshWorkspace::default();
        let (repeats, batch) = if *name == "far" { (REPEATS, 10 * BATCH) } else { (1, BATCH) };
        let asked = poses.repeat(repeats);
        let (single_poses, double_poses) = (single::poses(&asked), double::poses(&asked));
        let mut runners = vec![
            runner("freiraum", Role::Ours, || {
                pass(asked.len(), batch, |i| {
                    f64::from(u8::from(any_intersection(&a, &b, &asked[i], &mut workspace).is_some()))
                })
            }),
            runner("parry3d f32, pairs of leaves", Role::Peer, || {
                single::meet(&fa, &fb, &single_poses, batch)
            }),
            runner("parry3d f64, pairs of leaves", Role::Peer, || {
                double::meet(&da, &db, &double_poses, batch)
            }),
        ];
        runners.extend(ask(peers, "collide", &asked, batch));
        let title = format!("any intersection, {size}, {name}");
        let meet = Table { title: &title, rounds, tolerance: 0.0, goal: Some(MEET) }.run(runners);

        let mut runners = vec![runner("freiraum, cold", Role::Ours, || cold(&a, &b, &poses))];
        runners.extend(ask(peers, "distance", &poses, BATCH));
        if size == "5k" {
            let name = "parry3d f64, first 3 poses";
            runners.push(runner(name, Role::Aside, || {
                pass(3, BATCH, |i| {
                    let (here, there) = (parry3d_f64::math::Pose::IDENTITY, &double_poses[i]);
                    parry3d_f64::query::distance(&here, &da, there, &db).map_or(f64::NAN, |d| d.distance)
                })
            }));
        }
        let title = format!("distance, {size}, {name}");
        let tolerance = 1e-9 * SIZE;
        let apart = Table { title: &title, rounds, tolerance, goal: Some(COLD) }.run(runners);
        if *name == "near" {
            near = [meet, apart, Duration::ZERO];
        }
    }
    near[2] = path(&format!("distance on a path of small steps, {size}"), rounds, &a, &b, peers);
    near
}

/// The trees as they are made, and with the oriented boxes that questions about two meshes need.
fn build(title: &str, rounds: usize, ma: &Mesh, mb: &Mesh, peers: &[Peer]) {
    let ours = |for_pairs: bool| {
        let (a, b) = (ma.clone(), mb.clone());
        let start = Stopwatch::start();
        let trees = [MeshTree::build(a), MeshTree::build(b)];
        if for_pairs {
            trees.iter().for_each(MeshTree::prepare_for_pairs);
        }
        Pass { batches: vec![start.elapsed()], answers: vec![2.0] }
    };
    let mut runners = vec![
        runner("freiraum", Role::Ours, || ours(false)),
        runner("parry3d f32", Role::Peer, || single::build(ma, mb)),
        runner("parry3d f64", Role::Peer, || double::build(ma, mb)),
    ];
    for peer in peers {
        let work = || Pass { batches: vec![peer.load(ma, mb)], answers: vec![2.0] };
        runners.push(runner(peer.name, Role::Peer, work));
    }
    Table { title, rounds, tolerance: 0.0, goal: Some(BUILD) }.run(runners);
    let title = format!("{title}, ready for two meshes");
    let runners = vec![
        runner("freiraum, with oriented boxes", Role::Ours, || ours(true)),
        runner("parry3d f32", Role::Peer, || single::build(ma, mb)),
        runner("parry3d f64", Role::Peer, || double::build(ma, mb)),
    ];
    Table { title: &title, rounds, tolerance: 0.0, goal: Some(READY) }.run(runners);
}

fn cold(a: &MeshTree, b: &MeshTree, poses: &[Pose]) -> Pass {
    let mut workspace = MeshWorkspace::default();
    pass(poses.len(), BATCH, |i| {
        let mut nothing = MeshDistanceCache::default();
        surface_distance(a, b, &poses[i], &mut workspace, &mut nothing).closest.distance
    })
}

fn path(title: &str, rounds: usize, a: &MeshTree, b: &MeshTree, peers: &[Peer]) -> Duration {
    let poses = placing::path();
    let mut workspace = MeshWorkspace::default();
    let mut runners = vec![
        runner("freiraum, from the last answer", Role::Ours, || {
            let mut cache = MeshDistanceCache::default();
            pass(poses.len(), BATCH, |i| {
                surface_distance(a, b, &poses[i], &mut workspace, &mut cache).closest.distance
            })
        }),
        runner("freiraum, cold", Role::Ours, || cold(a, b, &poses)),
    ];
    runners.extend(ask(peers, "distance", &poses, BATCH));
    Table { title, rounds, tolerance: 1e-9 * SIZE, goal: Some(COHERENT) }.run(runners)
}

/// The C++ peers, which have the meshes since the table of the build.
fn ask<'w>(peers: &'w [Peer], question: &'static str, poses: &[Pose], batch: usize) -> Vec<Runner<'w>> {
    let asked = |peer: &'w Peer| {
        let file = peer.poses(poses);
        runner(peer.name, Role::Peer, move || peer.pass(question, &file, batch))
    };
    peers.iter().map(asked).collect()
}
