//! All pairs of faces of one mesh that pass through each other.

use crate::pair::double;
use freiraum_benches::{Goal, Pass, Role, Stopwatch, Table, is_quick, runner};
use freiraum_geometry::Mesh;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, self_intersections};
use parry3d_f64::math::Pose as ParryPose;
use parry3d_f64::partitioning::BvhWorkspace;
use parry3d_f64::query::intersection_test;
use parry3d_f64::shape::TriMesh;

const GOAL: Goal = Goal::faster("self-intersections", 3.0);

/// The answer is the number of pairs without a common corner; parry3d-f64 walks its tree with itself and tests those.
pub(crate) fn compare(title: &str, mesh: &Mesh) {
    let tree = MeshTree::build(mesh.clone());
    let theirs = double::tree(mesh);
    let mut workspace = MeshWorkspace::default();
    let mut pairs = Vec::new();
    let share = |f: u32, g: u32| {
        let (f, g) = (mesh.faces()[f as usize], mesh.faces()[g as usize]);
        f.iter().any(|v| g.contains(v))
    };
    let apart = |pairs: &[[u32; 2]]| pairs.iter().filter(|[f, g]| !share(*f, *g)).count();
    let by_parry = |theirs: &TriMesh| {
        let here = ParryPose::IDENTITY;
        let mut found = 0;
        let mut workspace = BvhWorkspace::default();
        theirs.bvh().traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
            let meet = || intersection_test(&here, &theirs.triangle(i), &here, &theirs.triangle(j));
            found += usize::from(!share(i, j) && meet().is_ok_and(|r| r.intersecting));
        });
        found
    };
    let runners = vec![
        runner("freiraum", Role::Ours, || {
            let start = Stopwatch::start();
            self_intersections(&tree, &mut workspace, &mut pairs);
            let done = start.elapsed();
            Pass { batches: vec![done], answers: vec![apart(&pairs) as f64] }
        }),
        runner("parry3d f64, tree with itself", Role::Peer, || {
            let start = Stopwatch::start();
            let answers = vec![by_parry(&theirs) as f64];
            Pass { batches: vec![start.elapsed()], answers }
        }),
        runner("freiraum, with the build", Role::Ours, || {
            let mesh = mesh.clone();
            let start = Stopwatch::start();
            let (mut workspace, mut pairs) = (MeshWorkspace::default(), Vec::new());
            self_intersections(&MeshTree::build(mesh), &mut workspace, &mut pairs);
            let done = start.elapsed();
            Pass { batches: vec![done], answers: vec![apart(&pairs) as f64] }
        }),
        runner("parry3d f64, with the build", Role::Aside, || {
            let start = Stopwatch::start();
            let answers = vec![by_parry(&double::tree(mesh)) as f64];
            Pass { batches: vec![start.elapsed()], answers }
        }),
    ];
    let rounds = if is_quick() { 3 } else { 5 };
    Table { title, rounds, tolerance: 0.0, goal: Some(GOAL) }.run(runners);
}
