//! The tree as rays walk it: what lies below a node of leaves only is one leaf, made of blocks of up to eight triangles that share
//! their corners.
//!
//! Half of the time of a ray through a large mesh is waiting for memory that no ray has asked for in a while. The boxes of the
//! last level are as far away as the triangles below them, so a ray gets there in one step less; and eight triangles with their
//! ten or so corners take less room than eight times three corners, by half.

use super::node::{Node, WIDTH};
use freiraum_geometry::{Mesh, Vec3};

/// Corners of a block at most: what leaves room for eight triangles in five cache lines.
pub(crate) const CORNERS: usize = 12;

/// Triangles of a leaf at most, two full blocks.
const LARGEST: usize = 2 * WIDTH;

/// Up to eight triangles that follow one another in the order of the leaves.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block {
    /// x of all corners, then y, then z, exactly as the mesh holds them. Unused ones repeat the first.
    pub(crate) points: [[f64; CORNERS]; 3],
    /// The first corners of all triangles, then the second and the third. Unused ones are 0.
    pub(crate) corners: [[u8; WIDTH]; 3],
    /// Where the first triangle is in the order of the leaves.
    pub(crate) first: u32,
    /// The triangles: 1 to 8.
    pub(crate) count: u32,
}

impl Block {
    /// The corners of one of the triangles.
    #[inline(always)]
    pub(crate) fn triangle(&self, lane: usize) -> [Vec3; 3] {
        self.corners.map(|corner| {
            let k = usize::from(corner[lane]) % CORNERS;
            Vec3::new(self.points[0][k], self.points[1][k], self.points[2][k])
        })
    }
}

/// Inner nodes whose leaves are runs of blocks: `child` is the first of them, `count` their number.
#[derive(Clone, Debug)]
pub(crate) struct RayTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) blocks: Vec<Block>,
}

/// **Cost.** O(n), some fifth of the build of the tree.
pub(super) fn blocks(mesh: &Mesh, nodes: &[Node], faces: &[u32]) -> RayTree {
    let mut maker = Maker { mesh, nodes, faces, out: RayTree { nodes: Vec::new(), blocks: Vec::new() } };
    maker.out.blocks.reserve(faces.len() / 6 + 1);
    maker.node(0);
    maker.out
}

struct Maker<'t> {
    mesh: &'t Mesh,
    nodes: &'t [Node],
    faces: &'t [u32],
    out: RayTree,
}

impl Maker<'_> {
    /// Copies a node and all below; returns its index.
    fn node(&mut self, from: usize) -> u32 {
        let index = self.out.nodes.len();
        let node = by_twos(&self.nodes[from]);
        self.out.nodes.push(node.clone());
        for lane in 0..usize::from(node.len) {
            let (child, count) = (node.child[lane] as usize, usize::from(node.count[lane]));
            let (new_child, new_count) = if count > 0 {
                self.leaf(child, count)
            } else if let Some((first, count)) = leaves_only(&self.nodes[child]) {
                self.leaf(first, count)
            } else {
                (self.node(child), 0)
            };
            let new = &mut self.out.nodes[index];
            (new.child[lane], new.count[lane]) = (new_child, new_count);
        }
        index as u32
    }

    /// Appends the blocks of a run of triangles: the first of them, and their number.
    fn leaf(&mut self, first: usize, count: usize) -> (u32, u8) {
        let start = self.out.blocks.len();
        let mut at = first;
        while at < first + count {
            at += self.block(at, first + count);
        }
        (start as u32, (self.out.blocks.len() - start) as u8)
    }

    /// Appends one block of triangles from `first` up to `end` at most; says how many it took.
    fn block(&mut self, first: usize, end: usize) -> usize {
        let mut names = [u32::MAX; CORNERS];
        let (mut len, mut count) = (0, 0);
        let mut corners = [[0; WIDTH]; 3];
        for &face in &self.faces[first..end.min(first + WIDTH)] {
            let (names_before, len_before) = (names, len);
            let mut places = [0; 3];
            let mut is_full = false;
            for (place, name) in places.iter_mut().zip(self.mesh.faces()[face as usize]) {
                let known = names[..len].iter().position(|n| *n == name);
                *place = known.unwrap_or(len);
                if known.is_none() {
                    is_full |= len == CORNERS;
                    if !is_full {
                        names[len] = name;
                        len += 1;
                    }
                }
            }
            if is_full {
                (names, len) = (names_before, len_before);
                break;
            }
            for (corner, place) in corners.iter_mut().zip(places) {
                corner[count] = place as u8;
            }
            count += 1;
        }
        let mut points = [[0.0; CORNERS]; 3];
        for k in 0..CORNERS {
            let name = names[if k < len { k } else { 0 }];
            let point: Vec3 = self.mesh.vertices()[name as usize];
            for (numbers, x) in points.iter_mut().zip(point.to_array()) {
                numbers[k] = x;
            }
        }
        self.out.blocks.push(Block { points, corners, first: first as u32, count: count as u32 });
        count
    }
}

/// The triangles below a node that has only leaves and few of them: the first, and their number.
fn leaves_only(node: &Node) -> Option<(usize, usize)> {
    let counts = &node.count[..usize::from(node.len)];
    let sum = counts.iter().map(|c| usize::from(*c)).sum();
    (counts.iter().all(|c| *c > 0) && sum <= LARGEST).then_some((node.child[0] as usize, sum))
}

/// A node; one that has only leaves with these taken two by two, as many triangles as a block has.
fn by_twos(node: &Node) -> Node {
    let len = usize::from(node.len);
    if node.count[..len].contains(&0) {
        return node.clone();
    }
    let mut out = Node::EMPTY;
    for lane in 0..len {
        let (to, is_new) = (lane / 2, lane % 2 == 0);
        for axis in 0..3 {
            out.min[axis][to] = out.min[axis][to].min(node.min[axis][lane]);
            out.max[axis][to] = out.max[axis][to].max(node.max[axis][lane]);
        }
        if is_new {
            out.child[to] = node.child[lane];
            out.len += 1;
        }
        out.count[to] += node.count[lane];
    }
    out
}
