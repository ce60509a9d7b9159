//! Building the tree: triangles are split top-down by the surface-area heuristic over a few bins per axis, and every node
//! takes up to eight of the parts.

use super::node::{Grid, LEAF_SIZE, Node, WIDTH};
use freiraum_geometry::glam::Vec4;
use freiraum_geometry::{Aabb, Mesh, Vec3};

/// The tree without the volumes that are fitted to it later.
pub(super) struct Structure {
    pub(super) nodes: Vec<Node>,
    /// Corners of the triangles in the order of the leaves, as the mesh holds them.
    pub(super) triangles: Vec<[Vec3; 3]>,
    /// The face of each of them.
    pub(super) faces: Vec<u32>,
    pub(super) depth: u32,
}

/// Bins per axis.
const BINS: usize = 16;
/// Parts of at most this many triangles, which make one node of full leaves, are halved without looking for the best cut.
const SMALL: usize = WIDTH * LEAF_SIZE;
/// Of larger parts about this many triangles are looked at to find the cut.
const SAMPLE: usize = 1024;

/// The box of a triangle in tree coordinates, rounded outwards. The fourth lane of `max` carries the face, as bits of a
/// number that is not denormal: arithmetic on those, though of no account here, takes a hundred times as long.
#[derive(Clone, Copy)]
struct Item {
    min: Vec4,
    max: Vec4,
}

impl Item {
    const ONE: u32 = 1f32.to_bits();

    fn face(&self) -> u32 {
        self.max.w.to_bits() ^ Item::ONE
    }

    /// Twice the middle along an axis.
    #[inline(always)]
    fn middle(&self, axis: usize) -> f32 {
        self.min[axis] + self.max[axis]
    }
}

#[derive(Clone, Copy)]
struct Bounds {
    min: Vec4,
    max: Vec4,
}

impl Bounds {
    const EMPTY: Bounds = Bounds { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    #[inline(always)]
    fn add(&mut self, min: Vec4, max: Vec4) {
        self.min = self.min.min(min);
        self.max = self.max.max(max);
    }

    /// Half the surface; of an empty box 0.
    fn half_area(&self) -> f32 {
        let d = (self.max - self.min).max(Vec4::ZERO);
        d.x * d.y + d.y * d.z + d.z * d.x
    }
}

/// A run of items that is to become a child, with its boxes.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    bounds: Bounds,
    /// The box of the sums min + max of the items: their middles, doubled.
    middles: Bounds,
}

impl Part {
    fn of(items: &[Item], start: usize, end: usize) -> Part {
        let (mut bounds, mut middles) = (Bounds::EMPTY, Bounds::EMPTY);
        for item in &items[start..end] {
            bounds.add(item.min, item.max);
            let middle = item.min + item.max;
            middles.add(middle, middle);
        }
        Part { start, end, bounds, middles }
    }

    fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Shift and scale that bring a mesh to about [-1, 1].
pub(super) fn grid(bounds: &Aabb) -> Grid {
    let half = 0.5 * bounds.size().max_element();
    // The power of two next above, straight from the exponent; the range is that of coordinates and a little more.
    let exponent = if half > 0.0 { ((half.to_bits() >> 52) as i32 - 1022).clamp(-500, 500) } else { 0 };
    Grid { center: bounds.center(), scale: f64::from_bits(((1023 - exponent) as u64) << 52) }
}

/// **Cost.** O(n log n).
pub(super) fn structure(mesh: &Mesh, grid: &Grid) -> Structure {
    let mut items: Vec<Item> =
        mesh.triangles().zip(0u32..).map(|(corners, face)| item(corners, face, grid)).collect();
    let mut out = Structure {
        nodes: Vec::with_capacity(mesh.faces().len() / 8 + 1),
        triangles: Vec::with_capacity(mesh.faces().len()),
        faces: Vec::with_capacity(mesh.faces().len()),
        depth: 0,
    };
    let root = Part::of(&items, 0, items.len());
    // The first node has one child, the whole mesh: so every volume of the tree, the outermost too, sits in a lane.
    let mut top = Node::EMPTY;
    append(&mut top, &root.bounds);
    out.nodes.push(top);
    if root.len() <= LEAF_SIZE {
        fill_leaf(&mut out, mesh, &items, 0, 0, &root);
    } else {
        let child = split_node(&mut out, mesh, &mut items, root, 1);
        out.nodes[0].child[0] = child;
    }
    out
}

fn item([a, b, c]: [Vec3; 3], face: u32, grid: &Grid) -> Item {
    let low = grid.tree_from_mesh(a.min(b).min(c)).as_vec3();
    let high = grid.tree_from_mesh(a.max(b).max(c)).as_vec3();
    // One step of f32 covers the rounding to f32 and, far below it, that of the f64 coordinates.
    let down = |x: f32| x.next_down();
    let up = |x: f32| x.next_up();
    Item {
        min: Vec4::new(down(low.x), down(low.y), down(low.z), 0.0),
        max: Vec4::new(up(high.x), up(high.y), up(high.z), f32::from_bits(face ^ Item::ONE)),
    }
}

fn append(node: &mut Node, bounds: &Bounds) {
    let lane = usize::from(node.len);
    for axis in 0..3 {
        node.min[axis][lane] = bounds.min[axis];
        node.max[axis][lane] = bounds.max[axis];
    }
    node.len += 1;
}

fn fill_leaf(out: &mut Structure, mesh: &Mesh, items: &[Item], node: usize, lane: usize, part: &Part) {
    out.nodes[node].child[lane] = out.faces.len() as u32;
    out.nodes[node].count[lane] = part.len() as u8;
    for item in &items[part.start..part.end] {
        let face = item.face();
        out.faces.push(face);
        out.triangles.push(mesh.faces()[face as usize].map(|v| mesh.vertices()[v as usize]));
    }
}

/// Makes the node of `part`, which has more triangles than a leaf, and everything below; returns its index.
fn split_node(out: &mut Structure, mesh: &Mesh, items: &mut [Item], part: Part, depth: u32) -> u32 {
    out.depth = out.depth.max(depth);
    let mut parts = [part; WIDTH];
    let mut len = 1;
    while len < WIDTH {
        // The largest part that can be split, by surface.
        let candidates = parts[..len].iter().enumerate().filter(|(_, p)| p.len() > LEAF_SIZE);
        let widest = candidates
            .max_by(|(i, p), (j, q)| p.bounds.half_area().total_cmp(&q.bounds.half_area()).then(j.cmp(i)));
        let Some((chosen, _)) = widest else { break };
        let (left, right) = split(items, &parts[chosen]);
        parts[chosen] = left;
        parts[len] = right;
        len += 1;
    }
    let index = out.nodes.len();
    let mut node = Node::EMPTY;
    parts[..len].sort_unstable_by_key(|p| p.start);
    parts[..len].iter().for_each(|p| append(&mut node, &p.bounds));
    out.nodes.push(node);
    for (lane, part) in parts[..len].iter().enumerate() {
        if part.len() <= LEAF_SIZE {
            fill_leaf(out, mesh, items, index, lane, part);
        } else {
            let child = split_node(out, mesh, items, *part, depth + 1);
            out.nodes[index].child[lane] = child;
        }
    }
    index as u32
}

/// Splits a part of more triangles than a leaf in two, neither of them empty.
fn split(items: &mut [Item], part: &Part) -> (Part, Part) {
    let cut = if part.len() <= SMALL { None } else { best_cut(&items[part.start..part.end], &part.middles) };
    match cut {
        Some(cut) => partition(items, part, |_, item| cut.bins.along(item, cut.axis) >= cut.first),
        None => halve(items, part),
    }
}

/// Cuts near the middle along the widest axis, so that one side fills its leaves: for small parts, and for those whose
/// middles all coincide.
fn halve(items: &mut [Item], part: &Part) -> (Part, Part) {
    let size = (part.middles.max - part.middles.min).to_array();
    let axis = (0..3).fold(0, |widest, axis| if size[axis] > size[widest] { axis } else { widest });
    let run = &mut items[part.start..part.end];
    let half = run.len().div_ceil(2).next_multiple_of(LEAF_SIZE).min(run.len() - 1);
    if run.len() > SMALL {
        run.select_nth_unstable_by(half, |p, q| {
            p.middle(axis).total_cmp(&q.middle(axis)).then(p.face().cmp(&q.face()))
        });
        let middle = part.start + half;
        return (Part::of(items, part.start, middle), Part::of(items, middle, part.end));
    }
    // Keys in the order of the middles, made different by the place in the run instead of their last bits. The key of
    // rank `half` is found by comparing all with all, which takes no branches.
    let mut keys = [i32::MAX; SMALL];
    for (k, (key, item)) in keys.iter_mut().zip(&*run).enumerate() {
        let bits = item.middle(axis).to_bits() as i32;
        let ordered = bits ^ (((bits >> 31) as u32) >> 1) as i32;
        *key = ordered & !(SMALL as i32 - 1) | k as i32;
    }
    let mut first_right = i32::MAX;
    for &key in &keys[..run.len()] {
        let rank: i32 = keys.iter().map(|other| i32::from(*other < key)).sum();
        first_right = if rank == half as i32 { key } else { first_right };
    }
    partition(items, part, |k, _| keys[k] >= first_right)
}

/// Which bin the middle of an item falls into, for all axes at once.
struct Bins {
    low: Vec4,
    rate: Vec4,
}

impl Bins {
    /// Adding 1.5 * 2^23 to a small f32 leaves its nearest whole number in the low bits.
    const WHOLE: f32 = 12_582_912.0;

    fn new(middles: &Bounds) -> Bins {
        // A little below their number, so that the largest middle falls into the last bin. Flat axes get one bin.
        let most = BINS as f32 * (1.0 - 4.0 * f32::EPSILON);
        let rate = |s: f32| if s > 0.0 { most / s } else { 0.0 };
        let size = middles.max - middles.min;
        Bins { low: middles.min, rate: Vec4::new(rate(size.x), rate(size.y), rate(size.z), 0.0) }
    }

    #[inline(always)]
    fn of(&self, item: &Item) -> [usize; 3] {
        let place = (item.min + item.max - self.low) * self.rate - 0.5 + Self::WHOLE;
        // The number of bins is a power of two; the mask keeps what a wild number would give in range.
        let [x, y, z, _] = place.to_array().map(|x| x.to_bits() as usize & (BINS - 1));
        [x, y, z]
    }
}

impl Bins {
    /// The same for one axis.
    #[inline(always)]
    fn along(&self, item: &Item, axis: usize) -> usize {
        let place = (item.middle(axis) - self.low[axis]) * self.rate[axis] - 0.5 + Self::WHOLE;
        place.to_bits() as usize & (BINS - 1)
    }
}

/// Where to cut: items in bins from `first` on go right.
struct Cut {
    bins: Bins,
    axis: usize,
    first: usize,
}

/// The cut between bins, along any axis, with the least sum of surface times triangles on both sides. `None` if all
/// middles coincide.
fn best_cut(items: &[Item], middles: &Bounds) -> Option<Cut> {
    let places = Bins::new(middles);
    let mut bins = [[(Bounds::EMPTY, 0u32); BINS]; 3];
    let stride = items.len().div_ceil(SAMPLE);
    for item in items.iter().step_by(stride) {
        for (bins, place) in bins.iter_mut().zip(places.of(item)) {
            let bin = &mut bins[place];
            bin.0.add(item.min, item.max);
            bin.1 += 1;
        }
    }
    let mut best: Option<(f32, usize, usize)> = None;
    for (axis, bins) in bins.iter().enumerate() {
        if places.rate[axis] == 0.0 {
            continue;
        }
        let mut right_costs = [f32::INFINITY; BINS];
        let (mut bounds, mut count) = (Bounds::EMPTY, 0);
        for cut in (1..BINS).rev() {
            bounds.add(bins[cut].0.min, bins[cut].0.max);
            count += bins[cut].1;
            if count > 0 {
                right_costs[cut] = bounds.half_area() * count as f32;
            }
        }
        let (mut bounds, mut count) = (Bounds::EMPTY, 0);
        for cut in 1..BINS {
            bounds.add(bins[cut - 1].0.min, bins[cut - 1].0.max);
            count += bins[cut - 1].1;
            let cost = bounds.half_area() * count as f32 + right_costs[cut];
            if count > 0 && cost < best.map_or(f32::INFINITY, |b| b.0) {
                best = Some((cost, axis, cut));
            }
        }
    }
    best.map(|(_, axis, first)| Cut { bins: places, axis, first })
}

/// Moves what goes right behind what goes left, without a branch that would be mispredicted for every other item.
#[inline(always)]
fn partition(items: &mut [Item], part: &Part, is_right: impl Fn(usize, &Item) -> bool) -> (Part, Part) {
    let run = &mut items[part.start..part.end];
    // Before `left` is what goes left, from there to `k` what goes right.
    let mut left = 0;
    for k in 0..run.len() {
        let item = run[k];
        let goes_right = is_right(k, &item);
        run[k] = run[left];
        run[left] = item;
        left += usize::from(!goes_right);
    }
    let middle = part.start + left;
    (Part::of(items, part.start, middle), Part::of(items, middle, part.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_tree::MeshTree;
    use freiraum_testkit::random::Random;

    fn soup(count: usize, seed: u64, corner: impl Fn(&mut Random, usize) -> Vec3) -> Mesh {
        let mut random = Random::new(seed);
        let vertices = (0..3 * count).map(|i| corner(&mut random, i / 3)).collect();
        Mesh::new(vertices, (0..count as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect()).unwrap()
    }

    /// Walks the whole tree: every triangle in exactly one leaf, in all boxes above it, lanes filled from the first.
    fn check(mesh: Mesh) {
        let tree = MeshTree::build(mesh.clone());
        let mut seen = vec![false; mesh.faces().len()];
        let mut visited = 1;
        let mut depth = 0;
        let mut stack = vec![(0usize, 0u32, Vec::<(Vec3, Vec3)>::new())];
        assert_eq!(tree.nodes()[0].len, 1);
        while let Some((index, level, boxes)) = stack.pop() {
            let node = &tree.nodes()[index];
            depth = depth.max(level);
            assert!(index == 0 || (2..=WIDTH).contains(&usize::from(node.len)));
            for lane in 0..WIDTH {
                let corner = |m: &[[f32; WIDTH]; 3]| Vec3::from(m.map(|x| f64::from(x[lane])));
                if lane >= usize::from(node.len) {
                    assert_eq!((node.min[0][lane], node.max[0][lane]), (f32::INFINITY, f32::NEG_INFINITY));
                    continue;
                }
                let mut boxes = boxes.clone();
                boxes.push((corner(&node.min), corner(&node.max)));
                let (child, count) = (node.child[lane] as usize, usize::from(node.count[lane]));
                if count == 0 {
                    visited += 1;
                    stack.push((child, level + 1, boxes));
                    continue;
                }
                assert!(count <= LEAF_SIZE);
                for k in child..child + count {
                    let face = tree.faces()[k] as usize;
                    assert!(!std::mem::replace(&mut seen[face], true));
                    assert_eq!(tree.triangles()[k], mesh.triangle(face));
                    for p in mesh.triangle(face).map(|p| tree.grid().tree_from_mesh(p)) {
                        assert!(boxes.iter().all(|(min, max)| min.cmplt(p).all() && p.cmplt(*max).all()));
                    }
                }
            }
        }
        assert!(seen.iter().all(|s| *s));
        assert_eq!((visited, depth), (tree.nodes().len(), tree.depth()));
    }

    #[test]
    fn every_triangle_lies_in_all_boxes_above_it() {
        for n in [1, 2, 4, 5, 8, 9, 33, 63, 64, 65, 1000] {
            check(soup(n, 1, |r, _| r.in_cube(1.0)));
            check(soup(n, 2, |r, i| Vec3::splat(i as f64) + r.in_cube(0.3)));
            // Far away, tiny, huge.
            check(soup(n, 3, |r, _| Vec3::new(1e6, -3e6, 2e5) + r.in_cube(1e-3)));
            check(soup(n, 4, |r, _| r.in_cube(1e-49)));
            check(soup(n, 5, |r, _| r.in_cube(1e50)));
            // On a grid, in a plane, on a line, all the same, each twice as far as the one before.
            check(soup(n, 6, |r, _| Vec3::new(r.below(3) as f64, r.below(3) as f64, r.below(2) as f64)));
            check(soup(n, 7, |r, _| Vec3::new(r.unit(), r.unit(), 5.0)));
            check(soup(n, 8, |r, _| Vec3::new(0.0, 0.0, r.unit())));
            check(soup(n, 9, |_, _| Vec3::new(0.1, 0.2, 0.3)));
            check(soup(n, 10, |r, i| r.in_cube(1.0) * f64::powi(2.0, -(i as i32 % 900))));
        }
    }
}
