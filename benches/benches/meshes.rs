//! Two meshes: tree build, any intersection, distance, and one mesh against itself; beside Coal and parry3d.
//!
//! A bumpy torus and a bumpy sphere of about 5 000, 70 000 and 500 000 faces each, in four classes of poses: far (0.5 to
//! 1.5 sizes apart), near (1 % of the size), shallow (pushed 1 % past first contact) and deep; and a path on which the sphere
//! moves along the torus in small steps. Times are per question, the mean over all poses of a class. Beside the times
//! stand the answers. Coal runs in a process of its own; see `coal/mod.rs` for how to get it. parry3d's own distance is a
//! thousand times slower than the others and runs on the smallest meshes and three poses only; its boolean is a loop over
//! the pairs of leaves that its trees give.
//!
//! `cargo bench --bench meshes -- 5k` runs the tables with that word in their title.

mod coal;

use freiraum_benches::{Contender, contender, self_timed, side_by_side};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::mesh_tree::{
    MeshDistanceCache, MeshTree, MeshWorkspace, any_intersection, self_intersections, surface_distance,
};
use freiraum_testkit::bumpy;
use freiraum_testkit::random::Random;
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::intersection_test;
use parry3d_f64::shape::{TriMesh, Triangle};
use std::cell::RefCell;
use std::time::{Duration, Instant};

const POSES: usize = 100;
const CLASSES: [&str; 4] = ["far", "near", "shallow", "deep"];
/// The size that gaps are given in, in metres.
const SIZE: f64 = 2.0;

fn main() {
    // `cargo bench` passes flags of its own.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_wanted = |title: &str| wanted.is_empty() || wanted.iter().any(|w| title.contains(w.as_str()));
    let coal = RefCell::new(coal::Peer::start());
    for (size, [around, across], split) in
        [("5k", [50, 50], 16), ("70k", [264, 132], 59), ("500k", [500, 500], 158)]
    {
        if is_wanted(size) {
            compare_pair(size, &mesh(bumpy::torus(around, across)), &mesh(bumpy::sphere(split)), &coal);
        }
    }
    for (size, along, around) in [("2k", 50, 20), ("20k", 200, 50), ("200k", 800, 125)] {
        let title = format!("self-intersections, tube of {size} faces");
        if is_wanted(&title) {
            compare_self(&title, &mesh(bumpy::twisted_tube(along, around)));
        }
    }
}

fn mesh((vertices, faces): bumpy::Surface) -> Mesh {
    Mesh::new(vertices, faces).expect("a proper surface")
}

fn parry_vertices(mesh: &Mesh) -> Vec<Vector> {
    mesh.vertices().iter().map(|p| p.to_array().into()).collect()
}

fn parry(mesh: &Mesh) -> TriMesh {
    TriMesh::new(parry_vertices(mesh), mesh.faces().to_vec()).expect("a proper surface")
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let (q, t) = (pose.rotation(), pose.translation());
    ParryPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

/// The trees walked together by parry3d, its test on every pair of leaves: the plain way to use it well.
fn parry_meet(a: &TriMesh, b: &TriMesh, pose: &ParryPose) -> bool {
    let overlap = |n: &parry3d_f64::partitioning::BvhNode, m: &parry3d_f64::partitioning::BvhNode| {
        n.aabb().intersects(&m.aabb().transform_by(pose))
    };
    a.bvh().leaf_pairs(b.bvh(), overlap).any(|(i, j)| {
        let u = b.triangle(j);
        let u = Triangle::new(*pose * u.a, *pose * u.b, *pose * u.c);
        intersection_test(&ParryPose::IDENTITY, &a.triangle(i), &ParryPose::IDENTITY, &u)
            .is_ok_and(|r| r.intersecting)
    })
}

/// The time of `work` for all items, per item, and the digest of its answers.
fn per_item<T, A>(
    items: &[T],
    mut work: impl FnMut(&T) -> A,
    digest: impl Fn(&[A]) -> String,
) -> (Duration, String) {
    let start = Instant::now();
    let answers: Vec<A> = items.iter().map(&mut work).collect();
    (start.elapsed() / items.len() as u32, digest(&answers))
}

fn sum(distances: &[f64]) -> String {
    format!("sum of distances {:.9}", distances.iter().sum::<f64>())
}

fn hits(found: &[bool]) -> String {
    format!("{} of {} meet", found.iter().filter(|f| **f).count(), found.len())
}

fn compare_pair(size: &str, ma: &Mesh, mb: &Mesh, coal: &RefCell<Option<coal::Peer>>) {
    let counts = format!("{} + {} faces", ma.faces().len(), mb.faces().len());
    let rounds = if size == "500k" { 3 } else { 7 };
    let mut contenders = vec![
        self_timed("freiraum", || {
            let (a, b) = (ma.clone(), mb.clone());
            let start = Instant::now();
            let trees = (MeshTree::build(a), MeshTree::build(b));
            (start.elapsed(), format!("{} + {} nodes", trees.0.nodes().len(), trees.1.nodes().len()))
        }),
        self_timed("parry3d f64", || {
            let meshes = [ma, mb].map(|m| (parry_vertices(m), m.faces().to_vec()));
            let start = Instant::now();
            let trees = meshes.map(|(vertices, faces)| TriMesh::new(vertices, faces));
            (start.elapsed(), format!("{} built", trees.iter().filter(|t| t.is_ok()).count()))
        }),
        self_timed("parry3d f32", || {
            let vertices = |m: &Mesh| m.vertices().iter().map(|p| p.as_vec3().to_array().into()).collect();
            let meshes = [ma, mb].map(|m| (vertices(m), m.faces().to_vec()));
            let start = Instant::now();
            let trees = meshes.map(|(vertices, faces)| parry3d::shape::TriMesh::new(vertices, faces));
            (start.elapsed(), format!("{} built", trees.iter().filter(|t| t.is_ok()).count()))
        }),
    ];
    if coal.borrow().is_some() {
        contenders.push(self_timed("Coal OBBRSS", || {
            let time = coal.borrow_mut().as_mut().map_or(Duration::ZERO, |c| c.load(ma, mb));
            (time, String::new())
        }));
    }
    side_by_side(&format!("build both trees, {size} ({counts})"), rounds, contenders);

    let (a, b) = (MeshTree::build(ma.clone()), MeshTree::build(mb.clone()));
    let (pa, pb) = (parry(ma), parry(mb));
    for (class, name) in CLASSES.iter().enumerate() {
        let poses = poses(&a, &b, class);
        compare_boolean(&format!("any intersection, {size}, {name}"), &a, &b, &pa, &pb, &poses, coal);
        compare_distance(
            &format!("distance, {size}, {name}"),
            &a,
            &b,
            (size == "5k").then_some((&pa, &pb)),
            &poses,
            coal,
        );
    }
    compare_path(&format!("distance on a path of small steps, {size}"), &a, &b, coal);
}

fn compare_boolean(
    title: &str,
    a: &MeshTree,
    b: &MeshTree,
    pa: &TriMesh,
    pb: &TriMesh,
    poses: &[Pose],
    coal: &RefCell<Option<coal::Peer>>,
) {
    let mut workspace = MeshWorkspace::default();
    let theirs: Vec<ParryPose> = poses.iter().map(parry_pose).collect();
    let mut contenders = vec![
        self_timed("freiraum", || {
            per_item(poses, |pose| any_intersection(a, b, pose, &mut workspace).is_some(), hits)
        }),
        self_timed("parry3d f64, pairs of leaves", || {
            per_item(&theirs, |pose| parry_meet(pa, pb, pose), hits)
        }),
    ];
    push_coal(&mut contenders, coal, "collide", poses, |answers| {
        hits(&answers.iter().map(|x| *x > 0.0).collect::<Vec<_>>())
    });
    side_by_side(title, 7, contenders);
}

fn compare_distance(
    title: &str,
    a: &MeshTree,
    b: &MeshTree,
    parry: Option<(&TriMesh, &TriMesh)>,
    poses: &[Pose],
    coal: &RefCell<Option<coal::Peer>>,
) {
    let mut workspace = MeshWorkspace::default();
    let mut contenders = vec![self_timed("freiraum, cold", || {
        let cold = |pose: &Pose| {
            surface_distance(a, b, pose, &mut workspace, &mut MeshDistanceCache::default()).closest.distance
        };
        per_item(poses, cold, sum)
    })];
    push_coal(&mut contenders, coal, "distance", poses, sum);
    let few: Vec<ParryPose> = poses[..3].iter().map(parry_pose).collect();
    if let Some((pa, pb)) = parry {
        contenders.push(self_timed("parry3d f64, first 3 poses", move || {
            let theirs = |pose: &ParryPose| {
                parry3d_f64::query::distance(&ParryPose::IDENTITY, pa, pose, pb)
                    .map_or(f64::NAN, |d| d.distance)
            };
            per_item(&few, theirs, sum)
        }));
    }
    side_by_side(title, 5, contenders);
}

/// The sphere goes round the torus close to it, turning: steps of 0.2 degrees and about a millimetre.
fn compare_path(title: &str, a: &MeshTree, b: &MeshTree, coal: &RefCell<Option<coal::Peer>>) {
    let mut random = Random::new(3);
    let (start, axis) = (random.rotation(), random.direction());
    let poses: Vec<Pose> = (0..300)
        .filter_map(|k| {
            let s = f64::from(k);
            let turn = Pose::from_axis_angle(axis, s * 0.2f64.to_radians())?;
            let place = Vec3::new(2.35 + 0.05 * (s * 0.02).sin(), s * 1e-3, 0.1 * (s * 0.01).cos());
            Pose::new(turn.rotation() * start, place)
        })
        .collect();
    let mut workspace = MeshWorkspace::default();
    let mut cold_workspace = MeshWorkspace::default();
    let mut contenders = vec![
        self_timed("freiraum, from the last answer", || {
            let mut cache = MeshDistanceCache::default();
            per_item(
                &poses,
                |pose| surface_distance(a, b, pose, &mut workspace, &mut cache).closest.distance,
                sum,
            )
        }),
        self_timed("freiraum, cold", || {
            let cold = |pose: &Pose| {
                surface_distance(a, b, pose, &mut cold_workspace, &mut MeshDistanceCache::default())
                    .closest
                    .distance
            };
            per_item(&poses, cold, sum)
        }),
    ];
    push_coal(&mut contenders, coal, "distance", &poses, sum);
    side_by_side(title, 5, contenders);
}

fn push_coal<'w>(
    contenders: &mut Vec<Contender<'w>>,
    coal: &'w RefCell<Option<coal::Peer>>,
    question: &'static str,
    poses: &[Pose],
    digest: impl Fn(&[f64]) -> String + 'w,
) {
    let Some(file) = coal.borrow().as_ref().map(|c| c.poses("bench", poses)) else { return };
    let count = poses.len() as u32;
    contenders.push(self_timed("Coal OBBRSS", move || {
        let mut coal = coal.borrow_mut();
        let Some(coal) = coal.as_mut() else { return (Duration::ZERO, String::new()) };
        let (time, answers) = coal.question(question, &file);
        (time / count, digest(&answers))
    }));
}

/// Poses of one class; the same for everybody.
fn poses(a: &MeshTree, b: &MeshTree, class: usize) -> Vec<Pose> {
    let mut random = Random::new(7 + class as u64);
    let mut workspace = MeshWorkspace::default();
    let mut found = Vec::new();
    while found.len() < POSES {
        let turn = random.rotation();
        let pose = if class == 3 {
            // About the ring of the torus, that is, in its body.
            let angle = random.range(0.0, std::f64::consts::TAU);
            let scatter = Vec3::new(random.normal(), random.normal(), random.normal());
            Pose::new(turn, Vec3::new(angle.cos(), angle.sin(), 0.0) + 0.1 * scatter)
        } else {
            approach(a, b, class, turn, &mut random, &mut workspace)
        };
        let Some(pose) = pose else { continue };
        if any_intersection(a, b, &pose, &mut workspace).is_some() == (class >= 2) {
            found.push(pose);
        }
    }
    found
}

/// Moves b towards a along a random line until the gap is that of the class.
fn approach(
    a: &MeshTree,
    b: &MeshTree,
    class: usize,
    turn: freiraum_geometry::Quat,
    random: &mut Random,
    workspace: &mut MeshWorkspace,
) -> Option<Pose> {
    let way = random.direction();
    let aside = random.direction();
    let mut place = 3.0 * SIZE * way + 0.3 * SIZE * random.unit() * (aside - aside.dot(way) * way);
    let target = [(0.5 + random.unit()) * SIZE, 0.01 * SIZE, 1e-4 * SIZE][class];
    for _ in 0..400 {
        let pose = Pose::new(turn, place)?;
        let gap =
            surface_distance(a, b, &pose, workspace, &mut MeshDistanceCache::default()).closest.distance;
        if gap <= 1.02 * target {
            let push = if class == 2 { 0.01 * SIZE } else { 0.0 };
            return Pose::new(turn, place - push * way);
        }
        place -= (gap - target) * way;
        if place.dot(way) < -3.0 * SIZE {
            return None;
        }
    }
    None
}

fn compare_self(title: &str, mesh: &Mesh) {
    let rounds = 5;
    let tree = MeshTree::build(mesh.clone());
    let theirs = parry(mesh);
    let mut workspace = MeshWorkspace::default();
    let mut pairs = Vec::new();
    let share = |f: u32, g: u32| {
        let (f, g) = (mesh.faces()[f as usize], mesh.faces()[g as usize]);
        f.iter().any(|v| g.contains(v))
    };
    let digest = |pairs: &[[u32; 2]]| {
        let apart = pairs.iter().filter(|[f, g]| !share(*f, *g)).count();
        format!("{} pairs, {apart} without a common corner", pairs.len())
    };
    let by_parry = |theirs: &TriMesh| {
        let mut found = 0;
        let mut workspace = parry3d_f64::partitioning::BvhWorkspace::default();
        theirs.bvh().traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
            let meet = || {
                intersection_test(
                    &ParryPose::IDENTITY,
                    &theirs.triangle(i),
                    &ParryPose::IDENTITY,
                    &theirs.triangle(j),
                )
            };
            found += usize::from(!share(i, j) && meet().is_ok_and(|r| r.intersecting));
        });
        format!("{found} without a common corner")
    };
    let contenders = vec![
        self_timed("freiraum", || {
            let start = Instant::now();
            self_intersections(&tree, &mut workspace, &mut pairs);
            (start.elapsed(), digest(&pairs))
        }),
        contender("parry3d f64, tree with itself", || by_parry(&theirs)),
        self_timed("freiraum, with the build", || {
            let mesh = mesh.clone();
            let start = Instant::now();
            let (mut workspace, mut pairs) = (MeshWorkspace::default(), Vec::new());
            self_intersections(&MeshTree::build(mesh), &mut workspace, &mut pairs);
            (start.elapsed(), digest(&pairs))
        }),
        contender("parry3d f64, with the build", || by_parry(&parry(mesh))),
    ];
    side_by_side(title, rounds, contenders);
}
