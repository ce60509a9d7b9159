//! Which parts of an edge can be seen.
//!
//! Works in picture space ([`super::view`]): a part of a segment is hidden where a polygon covers it on paper and the segment is behind its
//! plane. Both are linear along the segment, so what each polygon hides is an interval, and no sampling is needed.

use super::bsp::Polygons;
use super::view::Plane;
use freiraum_geometry::{Vec2, Vec3};
use rayon::prelude::*;

/// A segment in picture space, and the faces that it is an edge of: they do not hide it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) ends: [Vec3; 2],
    pub(crate) faces: [u32; 2],
    /// How far it must be behind a plane to be hidden, beside the tolerance.
    pub(crate) slack: f64,
}

impl Segment {
    /// The point at a share of its length.
    pub(crate) fn at(&self, t: f64) -> Vec3 {
        self.ends[0] + t * (self.ends[1] - self.ends[0])
    }
}

/// The polygons that hide what is behind them, sorted into the cells of a grid on the picture plane.
pub(crate) struct Cover<'p> {
    polygons: &'p Polygons,
    planes: &'p [Plane],
    boxes: Vec<[Vec2; 2]>,
    nearest: Vec<f64>,
    min: Vec2,
    cell: Vec2,
    counts: [usize; 2],
    starts: Vec<u32>,
    entries: Vec<u32>,
    tolerance: f64,
}

/// Cells for every polygon.
const CELLS_PER_POLYGON: f64 = 1.0;
/// Cells along one side of the picture at most.
const MAX_CELLS: f64 = 1000.0;

impl<'p> Cover<'p> {
    /// Of polygons that look at the eye, counter-clockwise on paper; `planes` are those of the faces.
    pub(crate) fn new(polygons: &'p Polygons, planes: &'p [Plane], tolerance: f64) -> Cover<'p> {
        let count = polygons.len() as u32;
        let flat = |polygon: u32| {
            let corners = polygons.corners(polygon).iter().map(|p| p.truncate());
            let empty = [Vec2::INFINITY, Vec2::NEG_INFINITY];
            corners.fold(empty, |[lo, hi], p| [lo.min(p), hi.max(p)])
        };
        let boxes: Vec<[Vec2; 2]> = (0..count).map(flat).collect();
        let depth =
            |polygon: u32| polygons.corners(polygon).iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max);
        let nearest = (0..count).map(depth).collect();
        let empty = [Vec2::INFINITY, Vec2::NEG_INFINITY];
        let [min, max] = boxes.iter().fold(empty, |[lo, hi], b| [lo.min(b[0]), hi.max(b[1])]);
        let size = (max - min).max(Vec2::splat(f64::MIN_POSITIVE));
        let side = (size.x * size.y / (CELLS_PER_POLYGON * f64::from(count.max(1)))).sqrt();
        let cells = |length: f64| (length / side).ceil().clamp(1.0, MAX_CELLS);
        let counts = if count == 0 { [1, 1] } else { [cells(size.x) as usize, cells(size.y) as usize] };
        let cell = Vec2::new(size.x / counts[0] as f64, size.y / counts[1] as f64);
        let mut cover = Cover {
            polygons,
            planes,
            boxes,
            nearest,
            min,
            cell,
            counts,
            starts: vec![0; counts[0] * counts[1] + 1],
            entries: Vec::new(),
            tolerance,
        };
        cover.fill();
        cover
    }

    fn fill(&mut self) {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(2 * self.boxes.len());
        for (number, [lo, hi]) in self.boxes.iter().enumerate() {
            let ([x0, y0], [x1, y1]) = (self.cell_of(*lo), self.cell_of(*hi));
            for y in y0..=y1 {
                pairs.extend((x0..=x1).map(|x| ((y * self.counts[0] + x) as u32, number as u32)));
            }
        }
        for (cell, _) in &pairs {
            self.starts[*cell as usize + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        let mut next = self.starts.clone();
        self.entries = vec![0; pairs.len()];
        for (cell, number) in pairs {
            self.entries[next[cell as usize] as usize] = number;
            next[cell as usize] += 1;
        }
    }

    fn cell_of(&self, p: Vec2) -> [usize; 2] {
        let place = |x: f64, min: f64, cell: f64, count: usize| {
            ((x - min) / cell).clamp(0.0, count as f64 - 1.0) as usize
        };
        [
            place(p.x, self.min.x, self.cell.x, self.counts[0]),
            place(p.y, self.min.y, self.cell.y, self.counts[1]),
        ]
    }

    /// For every segment the intervals of its length that are hidden, in order and apart.
    pub(crate) fn hidden(&self, segments: &[Segment]) -> Vec<Vec<[f64; 2]>> {
        let seen = || vec![NEVER; self.polygons.len()];
        let of_one = |seen: &mut Vec<u32>, (number, segment): (usize, &Segment)| {
            self.hidden_of(segment, number as u32, seen)
        };
        // Few long chunks: each starts with a list over all polygons.
        segments.par_iter().enumerate().with_min_len(512).map_init(seen, of_one).collect()
    }

    fn hidden_of(&self, segment: &Segment, number: u32, seen: &mut [u32]) -> Vec<[f64; 2]> {
        let mut intervals = Vec::new();
        let [p, q] = segment.ends.map(Vec3::truncate);
        let farthest = segment.ends[0].z.min(segment.ends[1].z);
        let ([x0, y0], [x1, y1]) = (self.cell_of(p.min(q)), self.cell_of(p.max(q)));
        for y in y0..=y1 {
            let (first, last) = if y0 == y1 { (x0, x1) } else { self.columns(p, q, y) };
            for x in first.max(x0)..=last.min(x1) {
                let cell = y * self.counts[0] + x;
                for polygon in &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                    let known = &mut seen[*polygon as usize];
                    if *known != number && self.nearest[*polygon as usize] >= farthest {
                        intervals.extend(self.hidden_by(segment, *polygon));
                    }
                    *known = number;
                }
            }
        }
        united(intervals)
    }

    /// The columns of a row of cells that a segment passes, one more on either side against rounding.
    fn columns(&self, p: Vec2, q: Vec2, row: usize) -> (usize, usize) {
        let at = |y: f64| p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y)).clamp(0.0, 1.0);
        let (y0, y1) = (self.min.y + row as f64 * self.cell.y, self.min.y + (row + 1) as f64 * self.cell.y);
        let (a, b) = (at(y0), at(y1));
        let [lo, hi] = [a.min(b), a.max(b)].map(|x| self.cell_of(Vec2::new(x, y0))[0]);
        (lo.saturating_sub(1), hi + 1)
    }

    /// The part of a segment that a polygon hides.
    fn hidden_by(&self, segment: &Segment, polygon: u32) -> Option<[f64; 2]> {
        let face = self.polygons.face(polygon);
        if segment.faces.contains(&face) {
            return None;
        }
        let [lo, hi] = self.boxes[polygon as usize];
        let [p, q] = segment.ends.map(Vec3::truncate);
        let mut part = Part { lo: 0.0, hi: 1.0 };
        // The box first: it also ends what the sides of a needle would let grow beyond its tip.
        part.keep(p.x - lo.x + self.tolerance, q.x - lo.x + self.tolerance);
        part.keep(hi.x - p.x + self.tolerance, hi.x - q.x + self.tolerance);
        part.keep(p.y - lo.y + self.tolerance, q.y - lo.y + self.tolerance);
        part.keep(hi.y - p.y + self.tolerance, hi.y - q.y + self.tolerance);
        let plane = &self.planes[face as usize];
        let behind = |p: Vec3| -plane.height(p) - self.tolerance - segment.slack;
        part.keep(behind(segment.ends[0]), behind(segment.ends[1]));
        let corners = self.polygons.corners(polygon);
        let mut from = corners[corners.len() - 1].truncate();
        for corner in corners {
            if part.is_empty() {
                return None;
            }
            let to = corner.truncate();
            if let Some(along) = (to - from).try_normalize() {
                // Neighbours overlap by the tolerance, so that nothing shows through the seam.
                let height = |x: Vec2| along.perp_dot(x - from) + self.tolerance;
                part.keep(height(p), height(q));
            }
            from = to;
        }
        (!part.is_empty()).then_some([part.lo, part.hi])
    }
}

const NEVER: u32 = u32::MAX;

struct Part {
    lo: f64,
    hi: f64,
}

impl Part {
    /// Keeps where a linear function with these values at both ends is positive.
    fn keep(&mut self, start: f64, end: f64) {
        if start <= 0.0 && end <= 0.0 {
            self.hi = self.lo;
        } else if start < 0.0 {
            self.lo = self.lo.max(start / (start - end));
        } else if end < 0.0 {
            self.hi = self.hi.min(start / (start - end));
        }
    }

    fn is_empty(&self) -> bool {
        self.lo >= self.hi
    }
}

/// Intervals in order, those that overlap made one.
fn united(mut intervals: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    intervals.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut out: Vec<[f64; 2]> = Vec::with_capacity(intervals.len().min(4));
    for [lo, hi] in intervals {
        match out.last_mut() {
            Some(last) if lo <= last[1] => last[1] = last[1].max(hi),
            _ => out.push([lo, hi]),
        }
    }
    out
}

/// What is left of [0, 1] without some intervals that are in order and apart; gaps shorter than `least` are none.
pub(crate) fn rest(hidden: &[[f64; 2]], least: f64) -> Vec<[f64; 2]> {
    let starts = [0.0].into_iter().chain(hidden.iter().map(|h| h[1]));
    let ends = hidden.iter().map(|h| h[0]).chain([1.0]);
    starts.zip(ends).map(|(lo, hi)| [lo, hi]).filter(|[lo, hi]| hi - lo > least).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(z: f64) -> (Vec<Vec3>, Plane) {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x, y, z));
        (corners.to_vec(), Plane { normal: Vec3::Z, offset: z })
    }

    fn hidden(covers: &[(Vec<Vec3>, Plane)], ends: [[f64; 3]; 2], faces: [u32; 2]) -> Vec<[f64; 2]> {
        let mut polygons = Polygons::default();
        covers.iter().zip(0..).for_each(|((corners, _), face)| polygons.push(face, corners));
        let planes: Vec<Plane> = covers.iter().map(|c| c.1).collect();
        let segment = Segment { ends: ends.map(Vec3::from), faces, slack: 0.0 };
        Cover::new(&polygons, &planes, 1e-9).hidden(&[segment]).remove(0)
    }

    fn check(covers: &[(Vec<Vec3>, Plane)], ends: [[f64; 3]; 2], expected: &[[f64; 2]]) {
        let found = hidden(covers, ends, [NEVER; 2]);
        let is_near =
            |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs() < 1e-8 && (a[1] - b[1]).abs() < 1e-8;
        assert!(found.len() == expected.len() && found.iter().zip(expected).all(is_near), "{found:?}");
    }

    #[test]
    fn behind_before_and_through_a_square() {
        let one = [square(0.0)];
        check(&one, [[-2.0, 0.0, -1.0], [2.0, 0.0, -1.0]], &[[0.25, 0.75]]);
        check(&one, [[-2.0, 0.0, 1.0], [2.0, 0.0, 1.0]], &[]);
        check(&one, [[-2.0, 0.0, -1.0], [2.0, 0.0, 1.0]], &[[0.25, 0.5]]);
        check(&one, [[-2.0, 3.0, -1.0], [2.0, 3.0, -1.0]], &[]);
        // In its plane: not hidden.
        check(&one, [[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[]);
        assert!(hidden(&one, [[-2.0, 0.0, -1.0], [2.0, 0.0, -1.0]], [0, NEVER]).is_empty());
        check(&[], [[0.0; 3], [1.0; 3]], &[]);
    }

    #[test]
    fn nothing_shows_through_a_seam_and_points_along_the_view_are_hidden_whole() {
        let mut left = square(0.0);
        left.0.iter_mut().for_each(|p| p.x -= 1.0);
        let mut right = square(0.0);
        right.0.iter_mut().for_each(|p| p.x += 1.0);
        let both = [left, right];
        check(&both, [[-1.0, 0.0, -1.0], [1.0, 0.5, -1.0]], &[[0.0, 1.0]]);
        check(&both, [[0.0, -0.5, -1.0], [0.0, 0.5, -1.0]], &[[0.0, 1.0]]);
        check(&both, [[0.0, 0.0, -1.0], [0.0, 0.0, -2.0]], &[[0.0, 1.0]]);
    }

    #[test]
    fn what_is_left() {
        assert_eq!(rest(&[], 0.0), [[0.0, 1.0]]);
        assert_eq!(rest(&[[0.2, 0.4], [0.40001, 0.9]], 0.01), [[0.0, 0.2], [0.9, 1.0]]);
        assert!(rest(&[[0.0, 1.0]], 0.0).is_empty());
    }
}
