//! Closed meshes made smaller: corners move, faces stay.
//!
//! **Why nothing deep is lost.** Let every corner of a face end within twice the depth of where the face was. All places within that
//! distance of a triangle are convex, so the face stays among them on its way. So no face ever passes a point that is
//! deeper than twice the depth: the surface winds round it in the end as it did at the start. That holds
//! whatever faces turn over or pass each other; what is done about those makes the answer sharper, not safer.

use super::planes::{Planes, angle, is_turned, outer, plane_normal, shortest_solution};
use freiraum_geometry::mesh::weld;
use freiraum_geometry::{Mat3, Mesh, Vec3};
use freiraum_query::elementary::point_triangle;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, closest_point, locate};
use std::collections::BTreeMap;

/// How far from where a face was its corners may end, in depths.
const LIMIT: f64 = 2.0;

/// How far from a face that vanishes there must be a ball of radius 1 in the body, in depths: edges down to some 15 degrees have one.
/// What is refused beyond that would be flat and still be in the way; a larger reach would say less of parts that are too thin.
const REACH: f64 = 8.0;

/// A closed mesh with every corner moved so that the faces at it move inwards by `depth`, or by less where they do not agree. Faces
/// keep their numbers; those that vanish have no area. `None` if something thinner than twice the depth is there.
///
/// `mesh` has the faces of the tree, wound outwards.
pub(super) fn shrink(tree: &MeshTree, mesh: &Mesh, depth: f64) -> Option<Mesh> {
    let welded = weld::exact(mesh.vertices(), |_| true);
    let at = |i: u32| welded[i as usize];
    let mut moved = Planes::of(mesh, at).moved_welded(mesh, depth, at);
    let groups = collapse(mesh, &welded, &mut moved, depth);
    let mut memory = MeshWorkspace::default();
    for group in groups.values() {
        if !is_thick(tree, group, moved[group[0] as usize], depth, &mut memory) {
            return None;
        }
    }
    hold(mesh, &welded, &mut moved, depth);
    let moved = welded.iter().map(|i| moved[*i as usize]).collect();
    Mesh::new(moved, mesh.faces().to_vec()).ok()
}

/// Corners that go to one place, by the first of them; groups of one are left out.
type Groups = BTreeMap<u32, Vec<u32>>;

/// Moves the corners of faces that vanish to one place: those at the ends of edges that turn round with their face. That place is where
/// the planes of the faces around meet which do not vanish.
fn collapse(mesh: &Mesh, welded: &[u32], moved: &mut [Vec3], depth: f64) -> Groups {
    let corners = mesh.vertices();
    let mut group_of: Vec<u32> = (0..corners.len() as u32).collect();
    let mut groups = Groups::new();
    // Moving one corner may turn over the next face; a fillet collapses at once.
    for _ in 0..ROUNDS {
        let mut joined = Vec::new();
        for face in mesh.faces() {
            let face = face.map(|i| welded[i as usize]);
            let (before, after) = (face.map(|i| corners[i as usize]), face.map(|i| moved[i as usize]));
            if !is_turned(before, after) {
                continue;
            }
            for (i, k) in [(0, 1), (1, 2), (2, 0)] {
                let is_one = group_of[face[i] as usize] == group_of[face[k] as usize];
                if !is_one && (after[k] - after[i]).dot(before[k] - before[i]) <= 0.0 {
                    joined.push([face[i], face[k]]);
                }
            }
        }
        if joined.is_empty() {
            break;
        }
        let mut changed: Vec<u32> =
            joined.iter().map(|[i, k]| join(&mut groups, &mut group_of, *i, *k)).collect();
        changed.iter_mut().for_each(|group| *group = group_of[*group as usize]);
        changed.sort_unstable();
        changed.dedup();
        place(mesh, welded, &groups, &group_of, &changed, moved, depth);
    }
    groups
}

/// Most chains of faces that vanish one after the other have two or three of them.
const ROUNDS: usize = 16;

/// Makes one group of those of two corners.
fn join(groups: &mut Groups, group_of: &mut [u32], i: u32, k: u32) -> u32 {
    let [i, k] = [group_of[i as usize], group_of[k as usize]];
    let (low, high) = (i.min(k), i.max(k));
    if low != high {
        let more = groups.remove(&high).unwrap_or_else(|| vec![high]);
        more.iter().for_each(|corner| group_of[*corner as usize] = low);
        groups.entry(low).or_insert_with(|| vec![low]).extend(more);
    }
    low
}

/// Moves the corners of some groups to where the planes of the faces meet that have one corner in them and are not turned over.
fn place(
    mesh: &Mesh,
    welded: &[u32],
    groups: &Groups,
    group_of: &[u32],
    changed: &[u32],
    moved: &mut [Vec3],
    depth: f64,
) {
    let corners = mesh.vertices();
    let mut is_changed = vec![false; corners.len()];
    changed.iter().for_each(|group| is_changed[*group as usize] = true);
    // Of every group the planes: weight, unit normal and a point.
    let mut planes: BTreeMap<u32, Vec<(f64, Vec3, Vec3)>> = BTreeMap::new();
    for face in mesh.faces() {
        let face = face.map(|i| welded[i as usize]);
        let of_face = face.map(|i| group_of[i as usize]);
        for k in 0..3 {
            let is_alone = of_face[k] != of_face[(k + 1) % 3] && of_face[k] != of_face[(k + 2) % 3];
            if is_alone && is_changed[of_face[k] as usize] {
                let (before, after) = (face.map(|i| corners[i as usize]), face.map(|i| moved[i as usize]));
                let Some(normal) = plane_normal(before) else { continue };
                if is_turned(before, after) {
                    continue;
                }
                planes.entry(of_face[k]).or_default().push((angle(before, k), normal, before[k]));
            }
        }
    }
    for group in changed {
        let members = &groups[group];
        let middle = members.iter().map(|i| corners[*i as usize]).sum::<Vec3>() / members.len() as f64;
        let of_group = planes.get(group).map_or(&[][..], |planes| planes);
        let (mut m, mut s, mut outward) = (Mat3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for (weight, normal, point) in of_group {
            m += outer(*normal) * *weight;
            s += *normal * (*weight * (normal.dot(*point - middle) - depth));
            outward += *weight * *normal;
        }
        let mut target = middle + shortest_solution(&m, s);
        // No plane may get deeper than the depth: go back outwards.
        if let Some(outward) = outward.try_normalize() {
            let deep = |(_, normal, point): &(f64, Vec3, Vec3)| {
                let excess = normal.dot(*point - target) - depth;
                let share = normal.dot(outward);
                if excess > 0.0 && share > 0.0 { excess / share } else { 0.0 }
            };
            target += outward * of_group.iter().map(deep).fold(0.0, f64::max).min(depth);
        }
        members.iter().for_each(|i| moved[*i as usize] = target);
    }
}

/// Whether a ball of radius `depth` is in the body near corners that are to go to `target`.
fn is_thick(tree: &MeshTree, group: &[u32], target: Vec3, depth: f64, memory: &mut MeshWorkspace) -> bool {
    let corners = tree.mesh().vertices();
    let is_near = |p: Vec3| {
        group.iter().any(|i| corners[*i as usize].distance_squared(p) <= (REACH * depth) * (REACH * depth))
    };
    // Away from the nearest point of the surface, by steps that stay in the largest ball around: they never get out.
    let mut rises = |start: Vec3| {
        if locate(tree, start, memory) != PointPlace::Inside {
            return false;
        }
        let mut p = start;
        for _ in 0..STEPS {
            let Some(nearest) = closest_point(tree, p, memory) else { return false };
            if nearest.distance >= ENOUGH * depth || !is_near(p) {
                break;
            }
            let Some(away) = (p - nearest.point).try_normalize() else { return false };
            p += away * (depth - nearest.distance).min(0.75 * nearest.distance);
        }
        is_near(p) && closest_point(tree, p, memory).is_some_and(|nearest| nearest.distance >= ENOUGH * depth)
    };
    if rises(target) {
        return true;
    }
    let middle = group.iter().map(|i| corners[*i as usize]).sum::<Vec3>() / group.len() as f64;
    [0.25, 0.5, 0.75].into_iter().any(|share| rises(middle + share * (target - middle)))
}

/// The share of the depth that a ball must have as its radius: steps only come close to the whole.
const ENOUGH: f64 = 0.99;

/// Steps towards the middle of the body: in an edge of 15 degrees each leads on by a tenth of the depth.
const STEPS: usize = 128;

/// Shortens the way of corners that end too far from where one of their faces was.
fn hold(mesh: &Mesh, welded: &[u32], moved: &mut [Vec3], depth: f64) {
    let corners = mesh.vertices();
    let limit = LIMIT * depth;
    let mut is_far = vec![false; corners.len()];
    for face in mesh.faces() {
        let face = face.map(|i| welded[i as usize]);
        for i in face {
            let (before, after) = (corners[i as usize], moved[i as usize]);
            if before.distance_squared(after) > limit * limit && !is_far[i as usize] {
                let triangle = face.map(|i| corners[i as usize]);
                is_far[i as usize] = point_triangle(after, triangle).distance() > limit;
            }
        }
    }
    for (i, _) in is_far.iter().enumerate().filter(|(_, is_far)| **is_far) {
        let shift = moved[i] - corners[i];
        moved[i] = corners[i] + shift * (limit / shift.length());
    }
}
