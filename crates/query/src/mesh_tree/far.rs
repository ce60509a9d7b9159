//! The distance of surfaces that are far from each other for their size.
//!
//! Single precision tells boxes apart to some 1e-7 of the largest coordinate. Where the gap is many times the size of the bodies, that is
//! more than their faces differ by, and all pairs of parts would have to be looked at. Here gaps are taken in double precision, along the
//! line between the middles of two parts; far away this is as good as the distance itself.

use super::distance::{Best, Search};
use super::node::WIDTH;
use super::walk::{ROOTS, opens_a};
use super::workspace::{Child, FarCandidate, MeshWorkspace, Pair};
use super::{MeshTree, OrientedPart};
use std::cmp::Reverse;

/// Bodies whose middles are this many times their sizes apart are far from each other. Nearer ones are told apart well enough, and faster.
const FAR: f64 = 16.0;

impl Search<'_> {
    /// True if the bodies are far from each other for their size.
    pub(super) fn is_far(&self) -> bool {
        let (ga, gb) = (&self.a.grid, &self.b.grid);
        let between = self.placement.point(gb.center).distance(ga.center);
        // A tree is about two units long.
        between > FAR * (1.0 / ga.scale + 1.0 / gb.scale)
    }

    /// A lower bound of the distance of two parts in metres.
    fn gap_between(&self, a: &OrientedPart, b: &OrientedPart) -> f64 {
        let between = self.placement.point(b.center) - a.center;
        let length = between.length();
        let n = between / length;
        let in_b = self.placement.rotation.transpose() * n;
        let reach_a: f64 = a.spread.iter().map(|v| n.dot(*v).abs()).sum();
        let reach_b: f64 = b.spread.iter().map(|v| in_b.dot(*v).abs()).sum();
        length - reach_a - reach_b
    }
}

fn part(tree: &MeshTree, child: Child) -> OrientedPart {
    tree.oriented_part(child / WIDTH as u32, child as usize % WIDTH)
}

/// A search from the roots for surfaces that do not meet.
pub(super) fn far(search: &Search<'_>, best: &mut Best, workspace: &mut MeshWorkspace) {
    let heap = &mut workspace.far;
    heap.clear();
    heap.push(Reverse(FarCandidate::new(0.0, ROOTS)));
    while let Some(Reverse(candidate)) = heap.pop() {
        // What rounding alone tells apart is equally close.
        if !(candidate.gap() < best.distance - search.rounding) {
            break;
        }
        let pair = candidate.pair;
        let leaves = search.leaves(pair);
        if let [Some(of_a), Some(of_b)] = leaves {
            best.offer_leaves(search, of_a, of_b, false);
            continue;
        }
        let opened = |tree: &MeshTree, child: Child| {
            let index = tree.open(child);
            (index * WIDTH) as Child..(index * WIDTH) as Child + Child::from(tree.nodes[index].len)
        };
        let mut offer = |gap: f64, pair: Pair| {
            if gap < best.distance - search.rounding {
                heap.push(Reverse(FarCandidate::new(gap, pair)));
            }
        };
        if opens_a(search.a, search.b, &search.placement, pair, leaves.map(|leaf| leaf.is_some())) {
            let of_b = part(search.b, pair.b);
            for a in opened(search.a, pair.a) {
                offer(search.gap_between(&part(search.a, a), &of_b), Pair { a, ..pair });
            }
        } else {
            let of_a = part(search.a, pair.a);
            for b in opened(search.b, pair.b) {
                offer(search.gap_between(&of_a, &part(search.b, b)), Pair { b, ..pair });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MeshDistanceCache, surface_distance};
    use super::*;
    use crate::elementary::triangle_triangle;
    use freiraum_geometry::{Mesh, Pose, Vec3};
    use freiraum_testkit::bumpy;
    use freiraum_testkit::random::Random;

    fn tree((vertices, faces): bumpy::Surface) -> MeshTree {
        MeshTree::build(Mesh::new(vertices, faces).unwrap())
    }

    /// A flat sheet of this many cells a side, 2 m wide, across x.
    fn sheet(n: u32) -> MeshTree {
        let at = |i: u32, j: u32| {
            let along = |k: u32| 2.0 * f64::from(k) / f64::from(n) - 1.0;
            Vec3::new(0.0, along(i), along(j))
        };
        let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| at(i, j))).collect();
        let index = |i: u32, j: u32| i * (n + 1) + j;
        let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let faces = cells.flat_map(|(i, j)| {
            [
                [index(i, j), index(i + 1, j), index(i + 1, j + 1)],
                [index(i, j), index(i + 1, j + 1), index(i, j + 1)],
            ]
        });
        MeshTree::build(Mesh::new(vertices, faces.collect()).unwrap())
    }

    #[test]
    fn far_surfaces_are_as_far_as_all_their_triangles() {
        let mut random = Random::new(8);
        let trees = [tree(bumpy::torus(14, 9)), tree(bumpy::sphere(2)), sheet(9)];
        let (mut workspace, mut cache) = (MeshWorkspace::default(), MeshDistanceCache::default());
        for case in 0..60 {
            let (a, b) = (&trees[case % 3], &trees[random.below(3)]);
            let away = [150.0, 1e3, 1e5, 1e7][case % 4] * random.direction();
            let pose = Pose::new(random.rotation(), away).unwrap();
            let search = Search::new(a, b, &pose);
            assert!(search.is_far(), "case {case}");
            let found = surface_distance(a, b, &pose, &mut workspace, &mut cache).closest;
            let all = a.triangles().iter().flat_map(|t| {
                b.triangles().iter().map(|u| triangle_triangle(*t, u.map(|p| pose.transform_point(p))))
            });
            let least = all.map(|nearest| nearest.distance()).fold(f64::INFINITY, f64::min);
            let off = (found.distance - least).abs();
            assert!(off <= 2.0 * search.rounding, "case {case}: {} {least} {off:e}", found.distance);
        }
    }

    #[test]
    fn a_sheet_far_away_takes_few_looks() {
        let (a, b) = (sheet(200), tree(bumpy::torus(40, 20)));
        let pose = Pose::from_translation(Vec3::new(2e4, 30.0, -10.0));
        let mut workspace = MeshWorkspace::default();
        let search = Search::new(&a, &b, &pose);
        let mut best = Best::new(&search);
        far(&search, &mut best, &mut workspace);
        // What is left in the heap has been offered and never opened: as many as were looked at, and a few times more.
        assert!(workspace.far.len() < 2_000, "{}", workspace.far.len());
    }
}
