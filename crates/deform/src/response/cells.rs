//! The nearest point of some faces, from a regular grid of cells that is filled anew every frame: no tree to keep.

use crate::layers::Surface;
use freiraum_geometry::{Aabb, Vec3};

/// Most cells along an edge of the box.
const MOST: f64 = 64.0;

/// Distances whose squares differ by less than this share are equal: a point nearest to an edge is nearest to two faces.
const SAME: f64 = 64.0 * f64::EPSILON;

/// The nearest point of some faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The face it lies on; of several, the one whose plane is farthest from the point asked for, which tells inside from outside.
    pub face: u32,
    /// Where it is.
    pub point: Vec3,
    /// What each corner of the face weighs in it.
    pub weights: [f64; 3],
    /// Unit normal of the face.
    pub normal: Vec3,
    /// How far it is from the point asked for: negative if that lies behind the face.
    pub distance: f64,
}

/// Faces in cells. Keeps its storage.
#[derive(Debug, Default)]
pub struct Cells {
    origin: Vec3,
    size: f64,
    counts: [usize; 3],
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Cells {
    /// Replaces all by these faces.
    ///
    /// **Cost.** Linear: cells are not smaller than the faces are on average.
    pub fn fill(&mut self, surface: Surface, faces: impl Iterator<Item = u32> + Clone) {
        let mut bounds = Aabb::EMPTY;
        let (mut number, mut extents) = (0_usize, 0.0);
        for face in faces.clone() {
            let own = Aabb::of_points(&surface.corners(face));
            bounds = bounds.union(&own);
            extents += own.size().max_element();
            number += 1;
        }
        self.entries.clear();
        self.starts.clear();
        self.counts = [0; 3];
        if number == 0 {
            return;
        }
        let longest = bounds.size().max_element();
        self.size = (extents / number as f64).max(longest / MOST);
        if !(self.size > 0.0) {
            self.size = 1.0;
        }
        self.origin = bounds.min;
        self.counts = bounds.size().to_array().map(|x| (x / self.size) as usize + 1);
        self.starts.resize(self.counts.iter().product::<usize>() + 1, 0);
        // Counted, summed up, and filled from the end of each cell to its start.
        for face in faces.clone() {
            let own = Aabb::of_points(&surface.corners(face));
            for_each_cell(self.counts, self.place(own.min), self.place(own.max), |cell| {
                self.starts[cell] += 1
            });
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.entries.resize(total as usize, 0);
        for face in faces {
            let own = Aabb::of_points(&surface.corners(face));
            for_each_cell(self.counts, self.place(own.min), self.place(own.max), |cell| {
                self.starts[cell] -= 1;
                self.entries[self.starts[cell] as usize] = face;
            });
        }
    }

    /// The nearest point of the accepted faces; `None` if there are none.
    #[must_use]
    pub fn nearest(&self, surface: Surface, point: Vec3, accept: impl Fn(u32) -> bool) -> Option<Nearest> {
        if self.entries.is_empty() {
            return None;
        }
        let home = self.place(point);
        let mut best: Option<(f64, Nearest)> = None;
        let most = *self.counts.iter().max()?;
        for ring in 0..=most {
            // The point's foot in the box is not farther from anything in there than the point itself.
            let reached = ring.saturating_sub(1) as f64 * self.size;
            if best.is_some_and(|(squared, _)| squared <= reached * reached) {
                break;
            }
            let low = home.map(|k| k.saturating_sub(ring));
            let high = [0, 1, 2].map(|k| (home[k] + ring).min(self.counts[k] - 1));
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    let is_rim = z.abs_diff(home[2]) == ring || y.abs_diff(home[1]) == ring;
                    // Off the rim, only the two ends of a row are new.
                    let step = if is_rim { 1 } else { (2 * ring).max(1) };
                    let first = if is_rim { Some(low[0]) } else { home[0].checked_sub(ring) };
                    let first = first.unwrap_or(home[0] + ring);
                    for x in (first..=high[0]).step_by(step) {
                        let cell = [x, y, z];
                        if best.is_none_or(|(squared, _)| self.squared_distance(cell, point) < squared) {
                            self.look(surface, point, cell, &accept, &mut best);
                        }
                    }
                }
            }
        }
        best.map(|b| b.1)
    }

    fn look(
        &self,
        surface: Surface,
        point: Vec3,
        cell: [usize; 3],
        accept: &impl Fn(u32) -> bool,
        best: &mut Option<(f64, Nearest)>,
    ) {
        let cell = (cell[2] * self.counts[1] + cell[1]) * self.counts[0] + cell[0];
        for &face in &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
            if !accept(face) {
                continue;
            }
            let corners = surface.corners(face);
            let weights = closest_weights(point, corners);
            let foot = corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
            let squared = foot.distance_squared(point);
            if best.is_some_and(|(least, _)| squared > least * (1.0 + SAME)) {
                continue;
            }
            let normal = surface.normal(face);
            let height = (point - foot).dot(normal);
            let distance = squared.sqrt().copysign(height);
            let found = Nearest { face, point: foot, weights, normal, distance };
            *best = match *best {
                Some((least, other)) if squared >= least * (1.0 - SAME) => {
                    let is_steeper = height.abs() > (point - other.point).dot(other.normal).abs();
                    Some((least.min(squared), if is_steeper { found } else { other }))
                }
                _ => Some((squared, found)),
            };
        }
    }

    /// From a point to a cell, a little less for rounding: what lies in the cell is not nearer.
    fn squared_distance(&self, cell: [usize; 3], point: Vec3) -> f64 {
        let low = self.origin + self.size * Vec3::from_array(cell.map(|k| k as f64));
        let high = low + Vec3::splat(self.size);
        let gap = (low - point).max(point - high).max(Vec3::ZERO);
        gap.length_squared() * (1.0 - SAME) - SAME * self.size * self.size
    }

    /// The cell of a point, or the one nearest to it.
    fn place(&self, point: Vec3) -> [usize; 3] {
        let x = (point - self.origin) / self.size;
        [0, 1, 2].map(|k| (x[k].max(0.0) as usize).min(self.counts[k] - 1))
    }
}

fn for_each_cell(counts: [usize; 3], low: [usize; 3], high: [usize; 3], mut call: impl FnMut(usize)) {
    for z in low[2]..=high[2] {
        for y in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                call((z * counts[1] + y) * counts[0] + x);
            }
        }
    }
}

/// The weights of a triangle's corners in its point nearest to p.
#[must_use]
pub fn closest_weights(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let squared = normal.length_squared();
    if squared > 0.0 {
        let v = ((p - a).cross(ac)).dot(normal) / squared;
        let w = (ab.cross(p - a)).dot(normal) / squared;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            return [1.0 - v - w, v, w];
        }
    }
    // Outside, or no area: the nearest of the three edges.
    let along = |from: Vec3, to: Vec3| {
        let d = to - from;
        let length = d.length_squared();
        let t = if length > 0.0 { ((p - from).dot(d) / length).clamp(0.0, 1.0) } else { 0.0 };
        (t, (from + t * d).distance_squared(p))
    };
    let (t, squared) = along(a, b);
    let mut best = ([1.0 - t, t, 0.0], squared);
    let (t, squared) = along(b, c);
    if squared < best.1 {
        best = ([0.0, 1.0 - t, t], squared);
    }
    let (t, squared) = along(c, a);
    if squared < best.1 {
        best = ([t, 0.0, 1.0 - t], squared);
    }
    best.0
}
