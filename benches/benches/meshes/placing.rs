//! The poses, the same for everybody.

use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::mesh_tree::{
    MeshDistanceCache, MeshTree, MeshWorkspace, any_intersection, surface_distance,
};
use freiraum_testkit::random::Random;

pub(crate) const CLASSES: [&str; 4] = ["far", "near", "touching", "deep"];
/// The size that gaps are given in, in metres.
pub(crate) const SIZE: f64 = 2.0;

/// Poses of one class.
pub(crate) fn poses(a: &MeshTree, b: &MeshTree, class: usize, count: usize) -> Vec<Pose> {
    let mut random = Random::new(7 + class as u64);
    let mut workspace = MeshWorkspace::default();
    let mut found = Vec::new();
    while found.len() < count {
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
    turn: Quat,
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

/// The sphere goes round the torus close to it, turning: steps of 0.2 degrees and about a millimetre.
pub(crate) fn path() -> Vec<Pose> {
    let mut random = Random::new(3);
    let (start, axis) = (random.rotation(), random.direction());
    let at = |k: i32| {
        let s = f64::from(k);
        let turn = Pose::from_axis_angle(axis, s * 0.2f64.to_radians())?;
        let place = Vec3::new(2.35 + 0.05 * (s * 0.02).sin(), s * 1e-3, 0.1 * (s * 0.01).cos());
        Pose::new(turn.rotation() * start, place)
    };
    (0..300).filter_map(at).collect()
}
