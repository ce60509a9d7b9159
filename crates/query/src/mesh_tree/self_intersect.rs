//! The faces of one mesh that overlap each other.

use super::MeshTree;
use super::boxes::{Bounds, overlaps, separations};
use super::node::{LEAF_SIZE, WIDTH};
use super::simd::{Kernel, Lanes, dispatch};
use super::sketch::{LeafSketch, apart, name_vertices};
use super::workspace::{MeshWorkspace, Pair};
use crate::elementary::{segment_triangle_intersect, triangles_intersect};
use freiraum_geometry::Vec3;
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
    dispatch(Walk { tree, workspace, pairs, enough: usize::MAX });
}

/// The same, but the search ends when `enough` pairs are found, or a few more: of n faces in one place there are n² / 2. True if all pairs were
/// found.
pub fn some_self_intersections(
    tree: &MeshTree,
    enough: usize,
    workspace: &mut MeshWorkspace,
    pairs: &mut Vec<[u32; 2]>,
) -> bool {
    dispatch(Walk { tree, workspace, pairs, enough });
    pairs.len() < enough
}

/// The whole search is one kernel, because all of it gains from the wider registers.
struct Walk<'q> {
    tree: &'q MeshTree,
    workspace: &'q mut MeshWorkspace,
    pairs: &'q mut Vec<[u32; 2]>,
    /// The search ends when so many are found.
    enough: usize,
}

impl Kernel for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        walk::<L>(self.tree, self.workspace, self.pairs, self.enough);
    }
}

#[inline(always)]
fn walk<L: Lanes>(tree: &MeshTree, workspace: &mut MeshWorkspace, pairs: &mut Vec<[u32; 2]>, enough: usize) {
    pairs.clear();
    let MeshWorkspace { stack, sketches, sketch_of, names, table, .. } = workspace;
    name_vertices(tree.mesh.vertices(), table, names);
    sketches.clear();
    sketch_of.clear();
    for (node, lane) in tree.nodes.iter().flat_map(|node| (0..WIDTH).map(move |lane| (node, lane))) {
        sketch_of.push(sketches.len() as u32);
        let (start, count) = (node.child[lane] as usize, usize::from(node.count[lane]));
        if count > 0 {
            sketches.push(LeafSketch::of(tree, start, count, names));
        }
    }
    let sketch = |child: u32| &sketches[sketch_of[child as usize] as usize];
    stack.clear();
    stack.push(Pair { a: 0, b: 0 });
    while let Some(pair) = stack.pop() {
        if pairs.len() >= enough {
            break;
        }
        match [tree.leaf(pair.a), tree.leaf(pair.b)] {
            [Some(of_a), Some(of_b)] => {
                let (a, b) = (sketch(pair.a), sketch(pair.b));
                for first in (0..of_a.len()).step_by(2) {
                    let mut open = !apart::<L>(a, first, b) & lanes(pair, first, of_a.len(), of_b.len());
                    while open != 0 {
                        let bit = open.trailing_zeros() as usize;
                        open &= open - 1;
                        let i = of_a.start + first + bit / LEAF_SIZE;
                        report(tree, i, of_b.start + bit % LEAF_SIZE, pairs);
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

/// The pairs of triangles of two leaves to be looked at, as bits of [`apart`]; of a leaf with itself each pair once.
#[inline(always)]
fn lanes(pair: Pair, first: usize, len_a: usize, len_b: usize) -> u32 {
    let row = |i: usize| match (i < len_a, pair.a == pair.b) {
        (false, _) => 0,
        (true, false) => (1u32 << len_b) - 1,
        (true, true) => ((1u32 << len_b) - 1) & (u32::MAX << (i + 1)),
    };
    row(first) | row(first + 1) << LEAF_SIZE
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

#[inline(always)]
fn report(tree: &MeshTree, i: usize, j: usize, pairs: &mut Vec<[u32; 2]>) {
    let (t, u) = (&tree.triangles[i], &tree.triangles[j]);
    if overlap(t, u) {
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
