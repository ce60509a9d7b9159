//! Many rays through a mesh, several in flight: while one waits for memory, the others go on.

#![allow(unsafe_code)] // AVX2 behind run-time detection; nothing else here is unsafe.

use super::block::Corners;
use super::mesh::{Nearest, closest, expect, ray_mesh};
use super::triangle::Sheared;
use super::walk::{BoxRay, Entry, WAITING, prefetch};
use super::{Ray, RayHit};
use crate::mesh_tree::{MeshTree, Node, RayTree, WIDTH};

/// Rays in flight: enough to wait for memory while the others are at work, and little enough to stay in the first cache.
const FLIGHTS: usize = 8;

/// Below this many blocks of triangles, a megabyte, the tree stays in the caches and rays are cast one by one.
const FEW_BLOCKS: usize = 1 << 12;

/// [`ray_mesh`] for many rays: `hits` is cleared and gets one answer for each ray.
///
/// **Guarantee.** The same answers as one by one. **Cost.** On large meshes a tenth less than one by one: several rays are in
/// flight at a time, and each asks for the memory of its next step before the others are continued.
pub fn ray_mesh_many(tree: &MeshTree, rays: &[Ray], hits: &mut Vec<Option<RayHit>>) {
    hits.clear();
    if tree.for_rays().blocks.len() < FEW_BLOCKS {
        hits.extend(rays.iter().map(|ray| ray_mesh(tree, ray)));
        return;
    }
    hits.resize(rays.len(), None);
    in_flight(tree, rays, hits);
}

fn in_flight(tree: &MeshTree, rays: &[Ray], hits: &mut [Option<RayHit>]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        unsafe { cast_avx2(tree, rays, hits) };
        return;
    }
    cast_with(tree, rays, hits, |boxes, node, limit| boxes.enter(node, limit));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn cast_avx2(tree: &MeshTree, rays: &[Ray], hits: &mut [Option<RayHit>]) {
    cast_with(tree, rays, hits, |boxes, node, limit| boxes.enter_avx2(node, limit));
}

/// A ray under way.
struct Flight<'r> {
    ray: &'r Ray,
    /// Where its answer goes.
    index: usize,
    line: Sheared,
    boxes: BoxRay,
    nearest: Nearest,
    limit: f32,
    /// The children that wait, the nearest last.
    stack: [Entry; WAITING],
    len: usize,
}

impl<'r> Flight<'r> {
    fn new(tree: &MeshTree, ray: &'r Ray, index: usize) -> Flight<'r> {
        let boxes = BoxRay::new(ray, tree.grid());
        let nearest = Nearest::none(ray);
        Flight {
            ray,
            index,
            line: Sheared::new(ray),
            limit: boxes.limit(nearest.distance),
            boxes,
            nearest,
            // The only child of the first node, at distance 0.
            stack: [0; WAITING],
            len: 1,
        }
    }

    /// The next ray, with the same stack.
    #[inline(always)]
    fn begin(&mut self, tree: &MeshTree, ray: &'r Ray, index: usize) {
        (self.ray, self.index) = (ray, index);
        self.line = Sheared::new(ray);
        self.boxes = BoxRay::new(ray, tree.grid());
        self.nearest = Nearest::none(ray);
        self.limit = self.boxes.limit(self.nearest.distance);
        (self.stack[0], self.len) = (0, 1);
    }

    /// Opens the nearest child that waits and asks for the one after it; false at the end.
    #[inline(always)]
    fn step(
        &mut self,
        tree: &MeshTree,
        trees: &RayTree,
        corners: &mut Corners,
        enter: impl Fn(&BoxRay, &Node, f32) -> ([f32; WIDTH], u32),
    ) -> bool {
        let place = loop {
            if self.len == 0 {
                return false;
            }
            self.len -= 1;
            let entry = self.stack[self.len];
            if f32::from_bits((entry >> 32) as u32) <= self.limit {
                break entry as u32 as usize;
            }
        };
        let (node, lane) = (&trees.nodes[place / WIDTH], place % WIDTH);
        let (child, count) = (node.child[lane] as usize, usize::from(node.count[lane]));
        if count > 0 {
            if self.nearest.leaf(tree, trees, &self.line, (child, count), corners) {
                self.limit = self.boxes.limit(self.nearest.distance);
            }
        } else if self.len + WIDTH <= WAITING {
            let (near, mut mask) = enter(&self.boxes, &trees.nodes[child], self.limit);
            let base = self.len;
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize % WIDTH;
                mask &= mask - 1;
                let entry = (Entry::from(near[lane].to_bits()) << 32) | (child * WIDTH + lane) as Entry;
                let mut place = self.len;
                while place > base && self.stack[place - 1] < entry {
                    self.stack[place] = self.stack[place - 1];
                    place -= 1;
                }
                self.stack[place] = entry;
                self.len += 1;
            }
        } else {
            // Far deeper than the trees of real meshes.
            closest(tree, trees, self.ray, &mut self.nearest);
            return false;
        }
        if self.len == 0 {
            return false;
        }
        let place = self.stack[self.len - 1] as u32 as usize;
        let (node, lane) = (&trees.nodes[place / WIDTH], place % WIDTH);
        let child = node.child[lane] as usize;
        if node.count[lane] == 0 {
            trees.nodes.get(child).map(prefetch);
        } else {
            expect(&trees.blocks, child);
        }
        true
    }
}

#[inline(always)]
fn cast_with(
    tree: &MeshTree,
    rays: &[Ray],
    hits: &mut [Option<RayHit>],
    enter: impl Fn(&BoxRay, &Node, f32) -> ([f32; WIDTH], u32),
) {
    let trees = tree.for_rays();
    let mut corners = Corners::default();
    let mut waiting = rays.iter().enumerate();
    let mut flights: [Option<Flight<'_>>; FLIGHTS] =
        std::array::from_fn(|_| waiting.next().map(|(index, ray)| Flight::new(tree, ray, index)));
    let mut under_way = flights.iter().flatten().count();
    while under_way > 0 {
        for slot in &mut flights {
            let Some(flight) = slot else { continue };
            if flight.step(tree, trees, &mut corners, &enter) {
                continue;
            }
            hits[flight.index] = flight.nearest.hit_of(flight.ray, tree, trees);
            match waiting.next() {
                Some((index, ray)) => flight.begin(tree, ray, index),
                None => {
                    *slot = None;
                    under_way -= 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::{Mesh, Vec3};
    use freiraum_testkit::random::Random;

    #[test]
    fn rays_in_flight_answer_as_one_by_one() {
        let mut random = Random::new(1);
        let mut found = 0;
        for (case, faces) in [1, 3, 5, 17, 40, 300, 2000].into_iter().enumerate() {
            // On a lattice many faces are hit at the same distance.
            let mut point = || (random.in_cube(1.0) * 6.0).round() / [6.0, 1e-3][case % 2];
            let vertices: Vec<Vec3> = (0..3 * faces).map(|_| point()).collect();
            let faces = (0..faces).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
            let tree = MeshTree::build(Mesh::new(vertices, faces).unwrap());
            for count in [0, 1, FLIGHTS - 1, FLIGHTS, 500] {
                let rays: Vec<Ray> = (0..count)
                    .filter_map(|k| Ray::new(point(), point(), [f64::INFINITY, 0.5][k % 2]).ok())
                    .collect();
                let expected: Vec<_> = rays.iter().map(|ray| ray_mesh(&tree, ray)).collect();
                let mut hits = vec![None; rays.len()];
                in_flight(&tree, &rays, &mut hits);
                assert_eq!(hits, expected);
                hits.fill(None);
                cast_with(&tree, &rays, &mut hits, |boxes, node, limit| boxes.enter(node, limit));
                assert_eq!(hits, expected);
                found += hits.iter().flatten().count();
            }
        }
        assert!(found > 1000);
    }
}
