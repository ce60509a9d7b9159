//! Where is there more than one? Along each ray, entering counts one more and leaving one less.
//!
//! Intervals are where the counter has at least a given level: 1 is inside, 2 is where a surface overlaps itself. At equal depth
//! leaving comes first: surfaces that touch do not collide. Ends that meet are joined. Depths are rounded, so
//! what is not longer than [`NOISE`] is nothing: an interval is dropped, a counter below zero forgiven.
//!
//! A ray that enters more often than it leaves, or leaves before it enters, has passed a surface that is open or inside
//! out: it is reported as a [`Fault`], and has no intervals.

mod walk;

pub use walk::{Ray, walk};

use crate::image::LayeredImage;
use crate::triangle::DEPTH_ERROR;
use crate::volume::Sums;
use freiraum_geometry::Vec3;
use rayon::prelude::*;
use std::ops::Range;

/// Steps of depth that two rounded depths may be in the wrong order by.
pub const NOISE: u32 = 2 * DEPTH_ERROR;

/// A part of a ray where the counter has the level asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The ray.
    pub pixel: u32,
    /// Depth of its start, in steps.
    pub start: u32,
    /// Depth of its end.
    pub end: u32,
    /// Number of the fragment at its start, among all of the image.
    pub first: u32,
    /// Number of the fragment at its end. Those from `first` to `last` bound or lie in the interval.
    pub last: u32,
    /// Largest counter for longer than noise, less one: how many others share that place.
    pub overlap: u32,
}

impl Interval {
    /// Its length in steps.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.end - self.start
    }
}

/// What is wrong with a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Entered more often than left, or the other way round: there is a hole.
    Open,
    /// Left before it entered: some of the surface is inside out.
    Inverted,
}

/// A ray on which nothing can be said, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The ray.
    pub pixel: u32,
    /// What is wrong.
    pub kind: FaultKind,
    /// The fragment at which it was seen: the last of an open ray, the one left at too early of an inverted one.
    pub fragment: u32,
}

impl Fault {
    /// Where it is.
    #[must_use]
    pub fn point(&self, image: &LayeredImage) -> Vec3 {
        image.grid.point(self.pixel as usize, image.fragments[self.fragment as usize].depth())
    }

    /// The face it was seen at.
    #[must_use]
    pub fn face(&self, image: &LayeredImage) -> u32 {
        image.fragments[self.fragment as usize].face()
    }
}

/// All intervals of an image at one level. Pixels are in order, intervals in order of depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// The level of the counter.
    pub level: u32,
    /// Where it is reached.
    pub intervals: Vec<Interval>,
    /// Where the intervals of each pixel start; one more than there are pixels.
    pub starts: Vec<u32>,
    /// Steps in intervals, for every pixel.
    pub lengths: Vec<u32>,
    /// Rays on which nothing can be said; they have no intervals.
    pub faults: Vec<Fault>,
    /// Largest counter of any ray for longer than noise.
    pub largest: u32,
    /// What the volume is made from.
    pub sums: Sums,
    parts: Parts,
}

/// What each thread has found: storage only, so all are equal.
#[derive(Clone, Debug, Default)]
struct Parts(Vec<Occupancy>);

impl PartialEq for Parts {
    fn eq(&self, _: &Parts) -> bool {
        true
    }
}

impl Eq for Parts {}

impl Occupancy {
    /// Whether no ray was ill: the surface is closed and nowhere inside out, as far as the rays can tell.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// The intervals of a pixel, in order of depth.
    #[must_use]
    pub fn of_pixel(&self, pixel: usize) -> &[Interval] {
        &self.intervals[self.starts[pixel] as usize..self.starts[pixel + 1] as usize]
    }

    /// Replaces all by the occupancy of an image; the storage is kept. `level` is 1 at least.
    ///
    /// **Guarantee.** The same with any number of threads; `threaded` uses all of the current pool.
    pub fn measure(&mut self, image: &LayeredImage, level: u32, threaded: bool) {
        let rows = image.grid.size[1] as usize;
        let shares = if threaded { rayon::current_num_threads().min(rows) } else { 1 };
        self.clear(level);
        if shares == 1 {
            self.follow(image, 0..rows);
            self.starts.push(self.intervals.len() as u32);
            self.sums = Sums::of(&image.grid, &self.lengths, self.intervals.len());
            return;
        }
        let mut parts = std::mem::take(&mut self.parts.0);
        parts.resize_with(shares, Occupancy::default);
        parts.par_iter_mut().enumerate().for_each(|(k, part)| {
            part.clear(level);
            part.follow(image, rows * k / shares..rows * (k + 1) / shares);
        });
        for part in &parts {
            let first = self.intervals.len() as u32;
            self.intervals.extend_from_slice(&part.intervals);
            self.starts.extend(part.starts.iter().map(|s| first + s));
            self.lengths.extend_from_slice(&part.lengths);
            self.faults.extend_from_slice(&part.faults);
            self.largest = self.largest.max(part.largest);
        }
        self.starts.push(self.intervals.len() as u32);
        self.parts.0 = parts;
        let share =
            |k: usize| Sums::of_rows(&image.grid, &self.lengths, rows * k / shares..rows * (k + 1) / shares);
        self.sums = (0..shares).into_par_iter().map(share).reduce(Sums::default, Sums::plus);
        self.sums.intervals = self.intervals.len() as u64;
    }

    fn clear(&mut self, level: u32) {
        (self.level, self.largest) = (level, 0);
        self.intervals.clear();
        self.starts.clear();
        self.lengths.clear();
        self.faults.clear();
    }

    /// Appends the pixels of some rows.
    fn follow(&mut self, image: &LayeredImage, rows: Range<usize>) {
        let columns = image.grid.size[0] as usize;
        let pixels = rows.start * columns..rows.end * columns;
        let appended = self.starts.len();
        self.starts.resize(appended + pixels.len(), 0);
        self.lengths.resize(appended + pixels.len(), 0);
        let own = self.starts[appended..].iter_mut().zip(&mut self.lengths[appended..]);
        for (pixel, (start, length)) in pixels.zip(own) {
            *start = self.intervals.len() as u32;
            let first = image.starts[pixel];
            let ray = walk(image.layers(pixel), self.level, pixel as u32, first, &mut self.intervals);
            *length = ray.length;
            self.largest = self.largest.max(ray.largest);
            self.faults.extend(ray.fault);
        }
    }

    /// Marks the faces that bound or lie in intervals; `marked` is replaced and has one entry for every face.
    pub fn mark_faces(&self, image: &LayeredImage, faces: usize, marked: &mut Vec<bool>) {
        marked.clear();
        marked.resize(faces, false);
        for interval in &self.intervals {
            for f in &image.fragments[interval.first as usize..=interval.last as usize] {
                marked[f.face() as usize] = true;
            }
        }
    }
}

/// Marks the vertices of marked faces; `marked` is replaced and has one entry for every vertex.
pub fn mark_vertices(faces: &[[u32; 3]], marked_faces: &[bool], vertices: usize, marked: &mut Vec<bool>) {
    marked.clear();
    marked.resize(vertices, false);
    for (face, _) in faces.iter().zip(marked_faces).filter(|f| *f.1) {
        face.iter().for_each(|&v| marked[v as usize] = true);
    }
}
