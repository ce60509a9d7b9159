//! A convex hull prepared for many support questions: vertices near the origin, of size about one, with neighbours.

use super::directions::directions;
use crate::hull::SolidHull;
use crate::math::{AxisBox, Vec3};
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
    pub(super) fn of(bounds: &AxisBox) -> Scaling {
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
        Polytope { points: vertices, faces: hull.faces.clone(), starts, neighbors }
    }

    pub(super) fn neighbors(&self, vertex: u32) -> &[u32] {
        let i = vertex as usize;
        &self.neighbors[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The vertex farthest in `direction` (up to rounding), found by climbing from `start`, and how far it is.
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
        let (mut high, mut low) = (0, 0);
        let mut chosen = Vec::with_capacity(count);
        for direction in directions(count / 2) {
            high = self.support(direction, high).0;
            low = self.support(-direction, low).0;
            chosen.extend([high, low]);
        }
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// Up to `count` facets of largest area, no two with the same normal up to a milliradian: unit normal and a corner.
    pub(super) fn large_facets(&self, count: usize) -> Vec<(Vec3, u32)> {
        let mut facets: Vec<(Vec3, u32)> = self
            .faces
            .iter()
            .map(|&[a, b, c]| {
                let [p, q, r] = [a, b, c].map(|i| self.points[i as usize]);
                ((q - p).cross(r - p), a)
            })
            .collect();
        let larger = |a: &(Vec3, u32), b: &(Vec3, u32)| b.0.length_squared().total_cmp(&a.0.length_squared());
        // Triangles of one facet crowd the front, so more are looked at than asked for.
        let looked_at = (8 * count).min(facets.len());
        if looked_at < facets.len() {
            facets.select_nth_unstable_by(looked_at, larger);
            facets.truncate(looked_at);
        }
        facets.sort_by(larger);
        let mut chosen: Vec<(Vec3, u32)> = Vec::with_capacity(count);
        for (area, corner) in facets {
            let Some(normal) = area.try_normalize() else { continue };
            let is_new = |c: &(Vec3, u32)| c.0.distance(normal) > tolerance::COPLANAR_FOLD_ANGLE;
            if chosen.len() < count && chosen.iter().all(is_new) {
                chosen.push((normal, corner));
            }
        }
        chosen
    }
}
