//! Which intervals belong together? Those of neighbouring rays that are closer in depth than rays are apart, and so on.

use crate::bodies::Shared;
use crate::grid::Grid;
use crate::occupancy::Interval;
use freiraum_geometry::math::UnionFind;

/// A part of a ray.
pub trait Part {
    /// Its pixel, start and end.
    fn part(&self) -> [u32; 3];
}

impl Part for Interval {
    fn part(&self) -> [u32; 3] {
        [self.pixel, self.start, self.end]
    }
}

impl Part for Shared {
    fn part(&self) -> [u32; 3] {
        [self.pixel, self.start, self.end]
    }
}

/// How far rays are apart, in steps: the diagonal of a pixel.
pub(super) fn slack(grid: &Grid) -> u32 {
    (grid.pixel[0].hypot(grid.pixel[1]) / grid.step()) as u32
}

/// Intervals in connected regions. Keeps its storage.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// The region of each interval; numbered by their first intervals.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
    /// Where the intervals of each pixel start; one more than there are pixels.
    pub starts: Vec<u32>,
    /// What is connected so far.
    sets: UnionFind,
}

impl Regions {
    /// Replaces all by the regions of these intervals, which are in order of pixels and depth.
    pub fn connect(&mut self, grid: &Grid, intervals: &[impl Part]) {
        self.starts.clear();
        self.starts.resize(grid.pixels() + 1, 0);
        for i in intervals {
            self.starts[i.part()[0] as usize + 1] += 1;
        }
        for k in 1..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        let columns = grid.size[0] as usize;
        let slack = slack(grid);
        self.sets.reset(intervals.len());
        for pixel in 0..grid.pixels() {
            if pixel % columns > 0 {
                self.join(intervals, pixel, pixel - 1, slack);
            }
            if pixel >= columns {
                self.join(intervals, pixel, pixel - columns, slack);
            }
        }
        self.count = self.sets.label_all(&mut self.of) as usize;
    }

    /// The numbers of a pixel's intervals.
    #[must_use]
    pub fn at(&self, pixel: usize) -> std::ops::Range<usize> {
        self.starts[pixel] as usize..self.starts[pixel + 1] as usize
    }

    fn join(&mut self, intervals: &[impl Part], a: usize, b: usize, slack: u32) {
        for i in self.at(a) {
            for j in self.at(b) {
                let ([_, s, e], [_, t, f]) = (intervals[i].part(), intervals[j].part());
                if s < f.saturating_add(slack) && t < e.saturating_add(slack) {
                    self.sets.join(i as u32, j as u32);
                }
            }
        }
    }
}
