//! A convex hull prepared for many support questions: vertices near the origin, of size about one, with neighbours.

use super::directions::directions;
use super::kdop::KDop;
use crate::hull::SolidHull;
use crate::math::{Aabb, Vec3};
use crate::tolerance;

/// Brings points to the size of one around the origin: the middle of their box moves to the origin, and a power of
/// two scales them, so that the answers do not depend on unit or place and the scaling itself rounds nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    pub(super) middle: Vec3,
    /// Metres per unit: a power of two.
    pub(super) size: f64,
}

impl Scaling {
    /// The scaling of a non-empty box.
    pub(super) fn of(bounds: &Aabb) -> Scaling {
        let half = 0.5 * bounds.size().max_element();
        let size = if half > 0.0 { 2.0f64.powi(half.log2().ceil() as i32) } else { 1.0 };
        Scaling { middle: bounds.center(), size }
    }

    pub(super) fn apply(&self, p: Vec3) -> Vec3 {
        (p - self.middle) / self.size
    }
}

/// The vertices and edges of a solid hull, in scaled coordinates.
pub(super) struct Polytope {
    pub(super) points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    /// Neighbours of vertex i are `neighbors[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    neighbors: Vec<u32>,
    /// The farthest vertices in fourteen directions, pairwise opposite.
    anchors: Vec<u32>,
}

impl Polytope {
    /// The polytope of a hull whose scaled vertices are given.
    pub(super) fn of(vertices: Vec<Vec3>, hull: &SolidHull) -> Polytope {
        // On a closed surface every directed edge occurs once, so each face gives each corner one neighbour.
        let mut starts = vec![0u32; vertices.len() + 1];
        for corner in hull.faces.iter().flatten() {
            starts[*corner as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut fill = starts.clone();
        let mut neighbors = vec![0; 3 * hull.faces.len()];
        for &[a, b, c] in &hull.faces {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                neighbors[fill[from as usize] as usize] = to;
                fill[from as usize] += 1;
            }
        }
        let farthest = |direction: Vec3| {
            let height = |i: &u32| direction.dot(vertices[*i as usize]);
            (0..vertices.len() as u32).max_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or(0)
        };
        let anchors = KDop::DIRECTIONS[..7].iter().flat_map(|&d| [farthest(d), farthest(-d)]).collect();
        Polytope { points: vertices, faces: hull.faces.clone(), starts, neighbors, anchors }
    }

    pub(super) fn neighbors(&self, vertex: u32) -> &[u32] {
        let i = vertex as usize;
        &self.neighbors[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The vertices farthest along and against `direction` (up to rounding).
    ///
    /// Climbs from anchors. A climb from anywhere could stall on a facet on the far side, where rounding has made
    /// vertices inside the facet: all their neighbours are equally low. An anchor that is farthest in a direction less
    /// than a right angle away is no such vertex.
    pub(super) fn extremes(&self, direction: Vec3) -> [u32; 2] {
        let (mut high, mut low) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
        for &anchor in &self.anchors {
            let height = direction.dot(self.points[anchor as usize]);
            if height > high.0 {
                high = (height, anchor);
            }
            if height < low.0 {
                low = (height, anchor);
            }
        }
        [self.support(direction, high.1).0, self.support(-direction, low.1).0]
    }

    /// The vertex farthest in `direction` (up to rounding) and how far it is, found by climbing from `start`, which
    /// must have been the farthest one in a direction less than a right angle away.
    pub(super) fn support(&self, direction: Vec3, start: u32) -> (u32, f64) {
        let mut best = start;
        let mut height = direction.dot(self.points[start as usize]);
        loop {
            let from = best;
            for &next in self.neighbors(from) {
                let h = direction.dot(self.points[next as usize]);
                if h > height {
                    (best, height) = (next, h);
                }
            }
            if best == from {
                return (best, height);
            }
        }
    }

    /// About `count` corners, each the farthest in some direction of an even spread; all if there are no more than that.
    pub(super) fn core(&self, count: usize) -> Vec<u32> {
        if self.points.len() <= count {
            return (0..self.points.len() as u32).collect();
        }
        let mut chosen: Vec<u32> = directions(count / 2).flat_map(|d| self.extremes(d)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// Unit normals of up to `count` facets of largest area, no two the same up to a milliradian.
    pub(super) fn large_facets(&self, count: usize) -> Vec<Vec3> {
        let mut areas: Vec<Vec3> = self
            .faces
            .iter()
            .map(|face| {
                let [a, b, c] = face.map(|i| self.points[i as usize]);
                (b - a).cross(c - a)
            })
            .collect();
        let larger = |a: &Vec3, b: &Vec3| b.length_squared().total_cmp(&a.length_squared());
        // Triangles of one facet crowd the front, so more are looked at than asked for.
        let looked_at = (8 * count).min(areas.len());
        if looked_at < areas.len() {
            areas.select_nth_unstable_by(looked_at, larger);
            areas.truncate(looked_at);
        }
        areas.sort_by(larger);
        let mut chosen: Vec<Vec3> = Vec::with_capacity(count);
        for area in areas {
            let Some(normal) = area.try_normalize() else { continue };
            let is_new = |other: &Vec3| other.distance(normal) > tolerance::COPLANAR_FOLD_ANGLE;
            if chosen.len() < count && chosen.iter().all(is_new) {
                chosen.push(normal);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::{Hull, convex_hull};
    use freiraum_testkit::points;
    use freiraum_testkit::random::Random;

    fn polytope(cloud: &[Vec3]) -> Polytope {
        let Ok(Hull::Solid(hull)) = convex_hull(cloud) else { panic!("not solid") };
        Polytope::of(hull.points(cloud), &hull)
    }

    fn check(cloud: &[Vec3]) {
        let body = polytope(cloud);
        let mut random = Random::new(1);
        let normals = body.large_facets(100);
        assert!(!normals.is_empty());
        let others = (0..200).map(|_| random.direction());
        for direction in normals.iter().flat_map(|n| [*n, -*n]).chain(others) {
            let [high, low] = body.extremes(direction).map(|i| direction.dot(body.points[i as usize]));
            let heights = || body.points.iter().map(|p| direction.dot(*p));
            let (most, least) = (heights().fold(f64::MIN, f64::max), heights().fold(f64::MAX, f64::min));
            assert!(high >= most - 1e-14 && low <= least + 1e-14, "{low} {high} along {direction}");
        }
    }

    #[test]
    fn climbing_reaches_the_top() {
        check(&points::gauss(500, 1));
        check(&points::cube(500, 2));
        check(&points::sphere(2000, 3));
        check(&points::grid(3, 1.0));
    }

    #[test]
    fn climbing_leaves_facets_that_rounding_has_made_bumpy() {
        let mut random = Random::new(4);
        for _ in 0..20 {
            // Tiny bumps inside the faces of a plate become corners, with all their neighbours equally low.
            let (low, high) = (0.0, 0.25);
            let mut cloud = vec![];
            for z in [low, high] {
                cloud.extend(
                    [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(x, y)| Vec3::new(x, y, z)),
                );
            }
            let outward = |z: f64| if z == low { -1e-18 } else { 2f64.powi(-54) };
            cloud.extend([low, high].map(|z| (0.5 * random.in_cube(1.0)).truncate().extend(z + outward(z))));
            cloud.push(Vec3::new(0.1, 0.2, low - 1e-18));
            check(&cloud);
        }
    }

    #[test]
    fn the_core_is_made_of_corners() {
        let body = polytope(&points::sphere(3000, 5));
        let core = body.core(200);
        assert!(core.len() > 150 && core.len() <= 200 && core.is_sorted());
        assert_eq!(polytope(&points::grid(2, 1.0)).core(200).len(), 8);
    }
}
