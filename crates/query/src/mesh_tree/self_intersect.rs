//! The faces of one mesh that overlap each other.

use super::MeshTree;
use super::boxes::{Bounds, separations};
use super::node::{LEAF_SIZE, WIDTH};
use super::workspace::{MeshWorkspace, Pair};
use crate::elementary::{segment_triangle_intersect, triangles_intersect};
use freiraum_geometry::Vec3;
use freiraum_geometry::glam::Vec4;
use freiraum_geometry::math::Vec2;
use freiraum_geometry::math::predicates::{side_of_line, side_of_plane};

/// All pairs of faces of the mesh that have more in common than the corners and the edge they share, ascending and with
/// the smaller face first, in place of what `pairs` held.
///
/// Corners are shared when their coordinates are equal, whether or not the faces name the same vertex. Faces without a
/// common corner are reported when they have any point in common, touching included (a corner on another face or
/// edge). Faces with one common corner are reported when they have a second point in common, faces with a common edge when
/// they lie folded onto each other, faces with three common corners always.
/// **Guarantee.** Exact for the coordinates of the mesh. **Degenerate input.** Faces without area are the segments
/// that their corners span; of two such that share two corners nothing is reported.
/// **Cost.** Some 0.2 microseconds per face and the pairs themselves; no allocation once workspace and list have grown.
pub fn self_intersections(tree: &MeshTree, workspace: &mut MeshWorkspace, pairs: &mut Vec<[u32; 2]>) {
    pairs.clear();
    let MeshWorkspace { stack, boxes, .. } = workspace;
    boxes.clear();
    boxes.extend(tree.triangles.iter().map(|t| triangle_box(tree, t)));
    stack.clear();
    stack.push(Pair { a: 0, b: 0 });
    while let Some(pair) = stack.pop() {
        let leaves = [tree.leaf(pair.a), tree.leaf(pair.b)];
        if pair.a == pair.b {
            match &leaves[0] {
                Some(leaf) => {
                    for i in leaf.clone() {
                        (i + 1..leaf.end).for_each(|j| report(tree, boxes, i, j, pairs));
                    }
                }
                None => open_with_itself(tree, pair.a, stack),
            }
            continue;
        }
        if let [Some(of_a), Some(of_b)] = leaves {
            // Only triangles that reach the common part of both leaves can meet.
            let common = common_box(lane(tree, pair.a), lane(tree, pair.b));
            let (mut near_b, mut len) = ([0; LEAF_SIZE], 0);
            for j in of_b {
                near_b[len] = j;
                len += usize::from(meet(&boxes[j], &common));
            }
            for i in of_a {
                if meet(&boxes[i], &common) {
                    near_b[..len].iter().for_each(|&j| report(tree, boxes, i, j, pairs));
                }
            }
            continue;
        }
        // The larger one is opened, unless it is a leaf.
        let size = |child: u32| {
            let b = lane(tree, child);
            (0..3).map(|k| b.max[k] - b.min[k]).fold(0.0, f32::max)
        };
        let is_a = leaves[1].is_some() || (leaves[0].is_none() && size(pair.a) >= size(pair.b));
        let (opened, kept) = if is_a { (pair.a, pair.b) } else { (pair.b, pair.a) };
        let index = tree.open(opened);
        let node = &tree.nodes[index];
        let gaps = separations(node, &lane(tree, kept));
        for (child, gap) in ((index * WIDTH) as u32..).zip(&gaps[..usize::from(node.len)]) {
            if *gap <= 0.0 {
                stack.push(Pair { a: child, b: kept });
            }
        }
    }
    pairs.sort_unstable();
}

/// Each child with itself and with those behind it whose boxes it meets.
fn open_with_itself(tree: &MeshTree, child: u32, stack: &mut Vec<Pair>) {
    let index = tree.open(child);
    let node = &tree.nodes[index];
    let first = (index * WIDTH) as u32;
    for i in 0..usize::from(node.len) {
        let a = first + i as u32;
        stack.push(Pair { a, b: a });
        let gaps = separations(node, &Bounds::of_lane(node, i));
        for (j, gap) in gaps.iter().enumerate().take(usize::from(node.len)).skip(i + 1) {
            if *gap <= 0.0 {
                stack.push(Pair { a, b: first + j as u32 });
            }
        }
    }
}

#[inline]
fn lane(tree: &MeshTree, child: u32) -> Bounds {
    Bounds::of_lane(&tree.nodes[child as usize / WIDTH], child as usize % WIDTH)
}

/// A box in tree coordinates, rounded outwards, as two vectors.
pub(super) type WideBox = [Vec4; 2];

fn triangle_box(tree: &MeshTree, [a, b, c]: &[Vec3; 3]) -> WideBox {
    let low = tree.grid.tree_from_mesh(a.min(*b).min(*c)).as_vec3();
    let high = tree.grid.tree_from_mesh(a.max(*b).max(*c)).as_vec3();
    let [min, max] = [low.to_array().map(f32::next_down), high.to_array().map(f32::next_up)];
    [Vec4::new(min[0], min[1], min[2], 0.0), Vec4::new(max[0], max[1], max[2], 0.0)]
}

fn common_box(a: Bounds, b: Bounds) -> WideBox {
    let least = |k: usize| a.min[k].max(b.min[k]);
    let most = |k: usize| a.max[k].min(b.max[k]);
    [Vec4::new(least(0), least(1), least(2), 0.0), Vec4::new(most(0), most(1), most(2), 0.0)]
}

#[inline]
fn meet(a: &WideBox, b: &WideBox) -> bool {
    (a[0].cmple(b[1]) & b[0].cmple(a[1])).all()
}

#[inline]
fn report(tree: &MeshTree, boxes: &[WideBox], i: usize, j: usize, pairs: &mut Vec<[u32; 2]>) {
    if meet(&boxes[i], &boxes[j]) && overlap(&tree.triangles[i], &tree.triangles[j]) {
        let (f, g) = (tree.faces[i], tree.faces[j]);
        pairs.push([f.min(g), f.max(g)]);
    }
}

/// True if the triangles have more in common than their common corners span.
fn overlap(t: &[Vec3; 3], u: &[Vec3; 3]) -> bool {
    // Of each corner of t, the first equal corner of u that is not taken yet.
    let (mut shared, mut taken, mut kept) = (0, [false; 3], [true; 3]);
    for (k, p) in t.iter().enumerate() {
        if let Some(m) = (0..3).find(|&m| !taken[m] && u[m] == *p) {
            (taken[m], kept[k]) = (true, false);
            shared += 1;
        }
    }
    let other = |t: &[Vec3; 3], is_other: [bool; 3]| {
        let first = is_other.iter().position(|x| *x).unwrap_or(0);
        // From the first corner that is not shared on, in their order.
        [t[first], t[(first + 1) % 3], t[(first + 2) % 3]]
    };
    match shared {
        0 => triangles_intersect(*t, *u),
        1 => {
            let hinge = kept.iter().position(|k| !k).unwrap_or(0);
            let mate = taken.iter().position(|k| *k).unwrap_or(0);
            overlap_at_corner(
                t,
                [t[(hinge + 1) % 3], t[(hinge + 2) % 3]],
                u,
                [u[(mate + 1) % 3], u[(mate + 2) % 3]],
            )
        }
        2 => {
            let [p, v, w] = other(t, kept);
            let r = other(u, taken.map(|x| !x))[0];
            folded(v, w, p, r)
        }
        _ => true,
    }
}

/// Triangles with one common corner, given with the edges opposite it: a second common point leads on to one of these.
fn overlap_at_corner(t: &[Vec3; 3], t_edge: [Vec3; 2], u: &[Vec3; 3], u_edge: [Vec3; 2]) -> bool {
    let side = |t: &[Vec3; 3], p: Vec3| side_of_plane(t[0], t[1], t[2], p);
    let is_one_sided = |t: &[Vec3; 3], e: [Vec3; 2]| {
        let first = side(t, e[0]);
        first.is_ne() && side(t, e[1]) == first
    };
    if is_one_sided(u, t_edge) || is_one_sided(t, u_edge) {
        return false;
    }
    segment_triangle_intersect(t_edge, *u) || segment_triangle_intersect(u_edge, *t)
}

/// Two triangles over the common edge v w: true if their tips p and r lie in one plane with it and on the same side.
fn folded(v: Vec3, w: Vec3, p: Vec3, r: Vec3) -> bool {
    if side_of_plane(v, w, p, r).is_ne() {
        return false;
    }
    let views: [fn(Vec3) -> Vec2; 3] =
        [|p| Vec2::new(p.x, p.y), |p| Vec2::new(p.y, p.z), |p| Vec2::new(p.z, p.x)];
    views.iter().any(|view| {
        let side = |q: Vec3| side_of_line(view(v), view(w), view(q));
        side(p).is_ne() && side(p) == side(r)
    })
}
