//! The farthest vertices of a polyhedron in a direction, with a proof from their neighbours.
//!
//! Method: a linear function on a convex polyhedron has no local maximum but the global one. A set of
//! vertices whose neighbours outside of the set all lie lower, each than the vertex of the set it is joined
//! to, therefore holds a farthest vertex. Guarantee: exact for the given coordinates, since every comparison
//! leaves room for its rounding. Cost: the neighbours of the set.

use super::graph::{ConvexGraph, SearchCost};
use freiraum_geometry::Vec3;

/// A set with more vertices is given up: facets with this many corners are rare, and so are meshes finer than
/// the threshold.
const MOST: usize = 24;

/// Vertices one of which lies farthest in a direction, for certain; no vertex outside of the set is as far by
/// less than the threshold from those that it is joined to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Top {
    numbers: [u32; MOST],
    count: usize,
}

impl Top {
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

impl ConvexGraph {
    /// The farthest vertices in a direction, and those joined to them that are lower by at most `threshold`
    /// (in metres times the length of the direction). `None` if they are too many.
    ///
    /// `threshold` is at least the rounding of the product of the direction with the difference of two
    /// vertices.
    pub(super) fn top(&self, direction: Vec3, threshold: f64, cost: &mut SearchCost) -> Option<Top> {
        let mut top = Top::default();
        top.numbers[0] = self.peak(direction, cost).number;
        top.count = 1;
        let mut next = 0;
        while next < top.count {
            let here = top.numbers[next];
            let at = self.at(here);
            next += 1;
            let links = self.links_of(here);
            cost.vertices += links.len() as u64;
            for link in links {
                // The difference first: then the rounding is that of the edge.
                let drop = direction.dot(at - link.point);
                // Also for what is not a number.
                if !(drop > threshold) && !top.numbers().contains(&link.number) {
                    *top.numbers.get_mut(top.count)? = link.number;
                    top.count += 1;
                }
            }
        }
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::math::rounding;
    use freiraum_geometry::shape::Convex;
    use freiraum_testkit::points;
    use freiraum_testkit::random::Random;

    #[test]
    fn a_farthest_vertex_is_in_the_top() {
        let mut random = Random::new(21);
        let clouds =
            [points::grid(4, 0.3), points::sphere(20, 1), points::sphere(3000, 2), points::gauss(400, 3)];
        for cloud in clouds {
            let graph = ConvexGraph::new(Convex::from_points(&cloud).unwrap());
            let vertices = graph.body().vertices();
            for case in 0..400 {
                let direction = match case % 4 {
                    // Along a normal of a facet: all of its corners.
                    0 => graph.normal(random.below(graph.body().surface().faces().len()) as u32),
                    _ => random.direction(),
                };
                let threshold = rounding::coordinate(4.0);
                let mut cost = SearchCost::default();
                let Some(top) = graph.top(direction, threshold, &mut cost) else { panic!("few are as high") };
                let height = |i: &u32| vertices[*i as usize].dot(direction);
                let most = top.numbers().iter().map(height).fold(f64::NEG_INFINITY, f64::max);
                let all = (0..vertices.len() as u32).map(|i| height(&i)).fold(f64::NEG_INFINITY, f64::max);
                assert!(most >= all - threshold, "{most} {all}");
                assert!(case % 4 != 0 || top.numbers().len() >= 3);
            }
        }
    }
}
