//! The faces of one mesh that overlap each other.

use super::MeshTree;
use super::boxes::{Bounds, overlaps, separations};
use super::node::{LEAF_SIZE, WIDTH};
use super::simd::{Kernel, Lanes, dispatch};
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
    dispatch(Walk { tree, workspace, pairs });
}

/// The whole search is one kernel, because all of it gains from the wider registers.
struct Walk<'q> {
    tree: &'q MeshTree,
    workspace: &'q mut MeshWorkspace,
    pairs: &'q mut Vec<[u32; 2]>,
}

impl Kernel for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        walk::<L>(self.tree, self.workspace, self.pairs);
    }
}

#[inline(always)]
fn walk<L: Lanes>(tree: &MeshTree, workspace: &mut MeshWorkspace, pairs: &mut Vec<[u32; 2]>) {
    pairs.clear();
    let MeshWorkspace { stack, sketches, .. } = workspace;
    sketches.clear();
    sketches.extend(tree.triangles.iter().map(|t| Sketch::of(tree, t)));
    stack.clear();
    stack.push(Pair { a: 0, b: 0 });
    while let Some(pair) = stack.pop() {
        match [tree.leaf(pair.a), tree.leaf(pair.b)] {
            [Some(of_a), Some(of_b)] if pair.a == pair.b => {
                for i in of_a {
                    (i + 1..of_b.end).for_each(|j| report(tree, sketches, i, j, pairs));
                }
            }
            [Some(of_a), Some(of_b)] => {
                // Only triangles that reach the common part of both leaves can meet.
                let common = common_box(lane(tree, pair.a), lane(tree, pair.b));
                let (mut near_b, mut len) = ([0; LEAF_SIZE], 0);
                for j in of_b {
                    near_b[len] = j;
                    len += usize::from(meet(&sketches[j].bounds, &common));
                }
                for i in of_a {
                    if meet(&sketches[i].bounds, &common) {
                        near_b[..len].iter().for_each(|&j| report(tree, sketches, i, j, pairs));
                    }
                }
            }
            [None, None] => open_both::<L>(tree, pair, stack),
            [Some(_), None] => open_one::<L>(tree, pair.b, pair.a, stack),
            [None, Some(_)] => open_one::<L>(tree, pair.a, pair.b, stack),
        }
    }
    pairs.sort_unstable();
}

/// Children of both whose boxes meet; of a child with itself every pair once, and all with themselves.
#[inline(always)]
fn open_both<L: Lanes>(tree: &MeshTree, pair: Pair, stack: &mut Vec<Pair>) {
    let (a, b) = (tree.open(pair.a), tree.open(pair.b));
    let bits = overlaps::<L>(&tree.nodes[a], &tree.nodes[b]);
    for (lane, mut bits) in bits.into_iter().enumerate() {
        if a == b {
            bits &= u32::MAX << lane;
        }
        while bits != 0 {
            let other = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            stack.push(Pair { a: (a * WIDTH + lane) as u32, b: (b * WIDTH + other) as u32 });
        }
    }
}

/// Children of `opened` whose boxes meet that of the leaf `kept`.
#[inline(always)]
fn open_one<L: Lanes>(tree: &MeshTree, opened: u32, kept: u32, stack: &mut Vec<Pair>) {
    let index = tree.open(opened);
    let node = &tree.nodes[index];
    let gaps = separations::<L>(node, &lane(tree, kept)).store();
    for (child, gap) in ((index * WIDTH) as u32..).zip(&gaps[..usize::from(node.len)]) {
        if *gap <= 0.0 {
            stack.push(Pair { a: child, b: kept });
        }
    }
}

#[inline(always)]
fn lane(tree: &MeshTree, child: u32) -> Bounds {
    Bounds::of_lane(&tree.nodes[child as usize / WIDTH], child as usize % WIDTH)
}

/// A box in tree coordinates, rounded outwards, as two vectors.
type WideBox = [Vec4; 2];

/// What most pairs of triangles are decided by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sketch {
    bounds: WideBox,
    /// A number for each corner, the same for the same coordinates.
    corners: [u32; 3],
    /// Cross product of two edges.
    normal: Vec3,
    /// Largest coordinate difference of two corners.
    size: f64,
}

impl Sketch {
    fn of(tree: &MeshTree, t: &[Vec3; 3]) -> Sketch {
        let [a, b, c] = *t;
        let low = tree.grid.tree_from_mesh(a.min(b).min(c)).as_vec3();
        let high = tree.grid.tree_from_mesh(a.max(b).max(c)).as_vec3();
        let [min, max] = [low.to_array().map(f32::next_down), high.to_array().map(f32::next_up)];
        let number = |p: Vec3| {
            // Minus zero equals zero. The factors are odd and have no pattern.
            let [x, y, z] = (p + Vec3::ZERO).to_array().map(f64::to_bits);
            let mixed = x.wrapping_mul(0x9E37_79B9_7F4A_7C15)
                ^ y.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(21)
                ^ z.wrapping_mul(0x1656_67B1_9E37_79F9).rotate_left(42);
            (mixed ^ (mixed >> 32)) as u32
        };
        let wide = |v: [f32; 3]| Vec4::new(v[0], v[1], v[2], 0.0);
        Sketch {
            bounds: [wide(min), wide(max)],
            corners: t.map(number),
            normal: (b - a).cross(c - a),
            size: (a.max(b).max(c) - a.min(b).min(c)).max_element(),
        }
    }
}

#[inline(always)]
fn common_box(a: Bounds, b: Bounds) -> WideBox {
    let least = |k: usize| a.min[k].max(b.min[k]);
    let most = |k: usize| a.max[k].min(b.max[k]);
    [Vec4::new(least(0), least(1), least(2), 0.0), Vec4::new(most(0), most(1), most(2), 0.0)]
}

#[inline(always)]
fn meet(a: &WideBox, b: &WideBox) -> bool {
    (a[0].cmple(b[1]) & b[0].cmple(a[1])).all()
}

#[inline(always)]
fn report(tree: &MeshTree, sketches: &[Sketch], i: usize, j: usize, pairs: &mut Vec<[u32; 2]>) {
    let (p, q) = (&sketches[i], &sketches[j]);
    if !meet(&p.bounds, &q.bounds) {
        return;
    }
    // Corner k of the first with corner m of the second: bit 3 k + m. Corners with different numbers differ.
    let mut equal = 0u32;
    for k in 0..3 {
        for m in 0..3 {
            equal |= u32::from(p.corners[k] == q.corners[m]) << (3 * k + m);
        }
    }
    let (t, u) = (&tree.triangles[i], &tree.triangles[j]);
    let is_single = equal & equal.wrapping_sub(1) == 0;
    let overlap = match (equal, is_single) {
        (0, _) => triangles_intersect(*t, *u),
        (_, true) => {
            let bit = equal.trailing_zeros() as usize;
            let (k, m) = (bit / 3, bit % 3);
            // Most triangles with one common corner lie on one side of each other.
            let lie_apart = t[k] == u[m] && (is_one_sided(q, t, k, p.size) || is_one_sided(p, u, m, q.size));
            !lie_apart && overlap(t, u)
        }
        _ => overlap(t, u),
    };
    if overlap {
        let (f, g) = (tree.faces[i], tree.faces[j]);
        pairs.push([f.min(g), f.max(g)]);
    }
}

/// True if the triangles have more in common than their common corners span.
fn overlap(t: &[Vec3; 3], u: &[Vec3; 3]) -> bool {
    // Of each corner of t, the first equal corner of u that is not taken yet.
    let (mut shared, mut of_t, mut of_u) = (0, [false; 3], [false; 3]);
    for (k, p) in t.iter().enumerate() {
        if let Some(m) = (0..3).find(|&m| !of_u[m] && u[m] == *p) {
            (of_t[k], of_u[m]) = (true, true);
            shared += 1;
        }
    }
    let index = |flags: [bool; 3], flag: bool| flags.iter().position(|f| *f == flag).unwrap_or(0);
    match shared {
        0 => triangles_intersect(*t, *u),
        1 => overlap_at_corner(t, index(of_t, true), u, index(of_u, true)),
        2 => {
            let tip = index(of_t, false);
            folded(t[(tip + 1) % 3], t[(tip + 2) % 3], t[tip], u[index(of_u, false)])
        }
        _ => true,
    }
}

/// Triangles with one common corner, k of the first and m of the second: a second common point leads on to an edge opposite
/// it.
fn overlap_at_corner(t: &[Vec3; 3], k: usize, u: &[Vec3; 3], m: usize) -> bool {
    let t_edge = [t[(k + 1) % 3], t[(k + 2) % 3]];
    let u_edge = [u[(m + 1) % 3], u[(m + 2) % 3]];
    segment_triangle_intersect(t_edge, *u) || segment_triangle_intersect(u_edge, *t)
}

/// True if the corners of `t`, of size `size`, other than k, which lies in the plane of the sketched triangle, are certainly on
/// the same side of that plane, strictly: then that corner is all the triangles have in common. False may mean that it
/// is too close to call.
#[inline(always)]
fn is_one_sided(plane: &Sketch, t: &[Vec3; 3], k: usize, size: f64) -> bool {
    let (v, w) = (t[(k + 1) % 3] - t[k], t[(k + 2) % 3] - t[k]);
    let (high, low) = (plane.normal.dot(v), plane.normal.dot(w));
    // A height has six terms of at most this product, each with eight roundings of relative size EPSILON / 2, which makes 24
    // EPSILON. The last part covers products that underflow; what overflows makes the bound infinite.
    let error = 32.0 * f64::EPSILON * plane.size * plane.size * size + f64::MIN_POSITIVE * (1.0 + size);
    (high > error && low > error) || (high < -error && low < -error)
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
