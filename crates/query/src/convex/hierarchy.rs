//! The hierarchy of Dobkin and Kirkpatrick: a polyhedron inside a polyhedron inside a polyhedron.
//!
//! Each level leaves out vertices of the next finer one, no two of them neighbours. If a vertex lies farthest in the
//! coarser polyhedron, then in the finer one either it still does or one of its neighbours that had been left out does.
//! Source: D. P. Dobkin and D. G. Kirkpatrick, Fast detection of polyhedral intersection, 1983.

use super::graph::{Link, Links, neighbours};
use freiraum_geometry::Vec3;
use freiraum_geometry::hull::{Hull, convex_hull};

/// Vertices with more neighbours stay: leaving one out would give each of them one more place to look at.
const MOST_NEIGHBOURS: usize = 9;

/// The coarsest polyhedron has at most this many vertices, all of which are looked at.
const MOST_AT_TOP: usize = 12;

/// Levels from coarse to fine.
#[derive(Clone, Debug)]
pub(super) struct Hierarchy {
    top: Vec<Link>,
    /// For every step to a finer level: the neighbours left out before it, per vertex of the coarser level.
    steps: Vec<Links>,
    /// The vertices in the order of the levels: those of a coarser level come first.
    order: Vec<u32>,
}

impl Hierarchy {
    /// `neighbours` are those of each vertex. `None` if the points are so nearly flat that a part of them is flat.
    pub(super) fn new(vertices: &[Vec3], finest: &[Vec<u32>]) -> Option<Hierarchy> {
        // Each level: who stays (numbers of vertices), and the graph of the level before by numbers of vertices.
        let mut graph: Vec<Vec<u32>> = finest.to_vec();
        let mut present: Vec<u32> = (0..vertices.len() as u32).collect();
        let mut left_out: Vec<Vec<u32>> = Vec::new();
        let mut graphs = Vec::new();
        while present.len() > MOST_AT_TOP {
            let removed = independent(&present, &graph);
            if removed.is_empty() {
                break;
            }
            let mut is_removed = vec![false; vertices.len()];
            removed.iter().for_each(|&i| is_removed[i as usize] = true);
            present.retain(|&i| !is_removed[i as usize]);
            left_out.push(removed);
            let points: Vec<Vec3> = present.iter().map(|&i| vertices[i as usize]).collect();
            let Ok(Hull::Solid(hull)) = convex_hull(&points) else { return None };
            // Any subset of corners of a convex body has all of them as corners.
            let mut coarser = vec![Vec::new(); vertices.len()];
            for (i, list) in neighbours(hull.vertices.len(), &hull.faces).into_iter().enumerate() {
                let number = |k: u32| present[hull.vertices[k as usize] as usize];
                coarser[number(i as u32) as usize] = list.into_iter().map(number).collect();
            }
            graphs.push(std::mem::replace(&mut graph, coarser));
        }
        let mut order = present;
        let top_count = order.len();
        left_out.iter().rev().for_each(|removed| order.extend(removed));
        let mut place = vec![0; vertices.len()];
        order.iter().enumerate().for_each(|(i, &number)| place[number as usize] = i as u32);
        let link = |number: u32| Link { point: vertices[number as usize], number: place[number as usize] };
        let top = order[..top_count].iter().map(|&i| link(i)).collect();
        let mut count = top_count;
        let mut steps = Vec::new();
        for (finer, removed) in graphs.iter().zip(&left_out).rev() {
            let added =
                |number: &u32| (count..count + removed.len()).contains(&(place[*number as usize] as usize));
            let lists = order[..count]
                .iter()
                .map(|&i| finer[i as usize].iter().copied().filter(added).map(link).collect());
            steps.push(Links::new(lists));
            count += removed.len();
        }
        Some(Hierarchy { top, steps, order })
    }

    /// The number of a vertex that lies farthest, up to rounding; some steps off where rounding decides. Adds
    /// to `visited` the vertices multiplied with the direction.
    pub(super) fn farthest(&self, direction: Vec3, visited: &mut u64) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        let mut look = |links: &[Link]| {
            *visited += links.len() as u64;
            for link in links {
                let share = link.point.dot(direction);
                if share > best.1 {
                    best = (link.number, share);
                }
            }
            best.0
        };
        let mut at = look(&self.top);
        for step in &self.steps {
            at = look(step.of(at));
        }
        self.order[at as usize]
    }
}

/// Vertices of low degree, no two of them neighbours: greedily, those with the fewest neighbours first.
fn independent(present: &[u32], graph: &[Vec<u32>]) -> Vec<u32> {
    let mut candidates: Vec<u32> = present.to_vec();
    candidates.retain(|&i| graph[i as usize].len() <= MOST_NEIGHBOURS);
    candidates.sort_by_key(|&i| (graph[i as usize].len(), i));
    let mut blocked = vec![false; graph.len()];
    let mut chosen = Vec::new();
    // What stays must still span a volume.
    let most = present.len() - 4;
    for i in candidates {
        if chosen.len() < most && !blocked[i as usize] {
            chosen.push(i);
            graph[i as usize].iter().for_each(|&k| blocked[k as usize] = true);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::body::farthest_of;
    use freiraum_testkit::points;
    use freiraum_testkit::random::Random;

    #[test]
    fn finds_the_farthest_without_climbing() {
        let mut random = Random::new(6);
        for count in [5, 13, 50, 300, 2000] {
            let cloud = points::sphere(count, 8);
            let Ok(Hull::Solid(hull)) = convex_hull(&cloud) else { panic!("a cloud on a sphere is solid") };
            let corners = hull.points(&cloud);
            let hierarchy = Hierarchy::new(&corners, &neighbours(corners.len(), &hull.faces)).unwrap();
            for _ in 0..300 {
                let direction = random.direction();
                assert_eq!(hierarchy.farthest(direction, &mut 0), farthest_of(&corners, direction).number);
            }
            // A few levels, each a good part smaller than the next.
            assert!(hierarchy.top.len() <= MOST_AT_TOP.max(4));
            assert!(
                (hierarchy.steps.len() as f64) < 4.0 * (count as f64).log2(),
                "{}",
                hierarchy.steps.len()
            );
            assert_eq!(hierarchy.order.len(), count);
        }
    }
}
