//! Where is there more than one? Along each ray, entering counts one more and leaving one less.
//!
//! Intervals are where the counter has at least a given level: 1 is inside, 2 is where a surface overlaps itself. At equal depth
//! leaving comes first: surfaces that touch do not collide. Ends that meet are joined. Depths are rounded, so
//! what is not longer than [`NOISE`] is nothing: an interval is dropped, a counter below zero forgiven.
//!
//! A ray that enters more often than it leaves, or leaves before it enters, has passed a surface that is open or inside
//! out: it is reported as a [`Fault`], and has no intervals.

use crate::grid::Grid;
use crate::image::{Fragment, LayeredImage};
use crate::triangle::DEPTH_ERROR;
use crate::volume::Sums;
use freiraum_geometry::Vec3;

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
}

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

    /// Replaces all by the occupancy of an image; the storage is kept.
    pub fn measure(&mut self, image: &LayeredImage, level: u32, threaded: bool) {
        let pixels = image.grid.pixels();
        self.level = level;
        self.intervals.clear();
        self.faults.clear();
        self.lengths.clear();
        self.starts.clear();
        self.largest = 0;
        for pixel in 0..pixels {
            self.starts.push(self.intervals.len() as u32);
            let first = image.starts[pixel];
            let ray = walk(image.layers(pixel), level, pixel as u32, first, &mut self.intervals);
            self.lengths.push(ray.length);
            self.largest = self.largest.max(ray.largest);
            self.faults.extend(ray.fault);
        }
        self.starts.push(self.intervals.len() as u32);
        self.sums = Sums::of(&image.grid, &self.lengths, self.intervals.len());
        let _ = threaded;
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

/// What a ray has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ray {
    /// Steps in intervals.
    pub length: u32,
    /// Largest counter for longer than noise.
    pub largest: u32,
    /// What is wrong with it.
    pub fault: Option<Fault>,
}

/// Follows one ray and appends its intervals. `first` is the number of its first fragment.
pub fn walk(layers: &[Fragment], level: u32, pixel: u32, first: u32, out: &mut Vec<Interval>) -> Ray {
    let begin = out.len();
    let mut ray = Ray::default();
    let mut counter = 0_i32;
    let level = level as i32;
    let mut before = 0;
    // Where the counter was last left below zero: depth and fragment.
    let mut below = (0, 0);
    // The interval being followed; one that has ended stays until it is known that the next does not begin there.
    let mut open = Interval { pixel, start: 0, end: 0, first: 0, last: 0, overlap: 0 };
    let mut pending = false;
    for (number, f) in (first..).zip(layers) {
        let depth = f.depth();
        if counter > 0 && depth - before > NOISE {
            ray.largest = ray.largest.max(counter as u32);
            if counter >= level {
                open.overlap = open.overlap.max(counter as u32 - 1);
            }
        }
        before = depth;
        if f.is_front() {
            counter += 1;
            if counter == level && !(pending && open.end == depth) {
                if pending {
                    keep(open, level, out);
                }
                open = Interval { pixel, start: depth, end: depth, first: number, last: number, overlap: 0 };
                pending = false;
            }
            if counter == 0 && depth - below.0 > NOISE && ray.fault.is_none() {
                ray.fault = Some(Fault { pixel, kind: FaultKind::Inverted, fragment: below.1 });
            }
        } else {
            if counter == level {
                (open.end, open.last) = (depth, number);
                pending = true;
            }
            if counter == 0 {
                below = (depth, number);
            }
            counter -= 1;
        }
    }
    if pending {
        keep(open, level, out);
    }
    if counter != 0 {
        let fragment = first + layers.len() as u32 - 1;
        ray.fault = Some(Fault { pixel, kind: FaultKind::Open, fragment });
    }
    if ray.fault.is_some() {
        out.truncate(begin);
    }
    for interval in &out[begin..] {
        ray.length += interval.length();
        ray.largest = ray.largest.max(interval.overlap + 1);
    }
    ray
}

fn keep(mut interval: Interval, level: i32, out: &mut Vec<Interval>) {
    if interval.length() > NOISE {
        interval.overlap = interval.overlap.max(level as u32 - 1);
        out.push(interval);
    }
}

/// The two ends of an interval in space.
#[must_use]
pub fn ends(grid: &Grid, interval: &Interval) -> [Vec3; 2] {
    [interval.start, interval.end].map(|depth| grid.point(interval.pixel as usize, depth))
}
