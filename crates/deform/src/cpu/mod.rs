//! The renderer in software: fronts and backs in one pass, bands of rows for the caches, threads without an influence on the result.
//!
//! Faces are drawn in shares, one for each thread; each share throws its fragments into one bin for each band of rows. Then every
//! band gathers its bins, pixel by pixel, and sorts. Fragments of a pixel are all different, so there is one
//! order of them, whoever drew them first.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod band;
#[cfg(target_arch = "x86_64")]
mod columns;
mod draw;
#[cfg(target_arch = "x86_64")]
mod eight;

use crate::grid::{Grid, LayerError};
use crate::image::{Fragment, LayeredImage};
use crate::snap::Snapped;
use crate::triangle::Triangle;
use draw::{Bins, draw};
use rayon::prelude::*;
use std::time::Instant;

/// A band has 2^this rows: as many as keep its fragments in the caches next to the processor. Triangles are drawn two rows at a time.
fn band_shift(grid: &Grid) -> u32 {
    (1..=3).rev().find(|&shift| grid.size[0] << shift <= 4096).unwrap_or(1)
}

/// Draws layered images; keeps its storage, so that nothing is allocated once it has grown.
#[derive(Debug, Default)]
pub struct Renderer {
    shares: Vec<Bins>,
    ends: Vec<usize>,
}

/// Milliseconds of the two stages of drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DrawTimes {
    /// Which pixels, how deep.
    pub render: f64,
    /// Gathered and sorted by pixel.
    pub sort: f64,
}

impl Renderer {
    /// Replaces `image` by that of these faces. Every face must name existing vertices.
    ///
    /// **Guarantee.** The same image with any number of threads; `threaded` uses all of the current pool.
    /// **Cost.** Linear in faces and fragments, but for the sorting of each pixel's own list.
    pub fn draw(
        &mut self,
        grid: &Grid,
        vertices: &[Snapped],
        faces: &[[u32; 3]],
        threaded: bool,
        image: &mut LayeredImage,
    ) -> Result<DrawTimes, LayerError> {
        let start = Instant::now();
        if too_many(grid, vertices, faces) {
            return Err(LayerError::TooManyLayers);
        }
        let shares = if threaded { rayon::current_num_threads() } else { 1 };
        let bands = (grid.size[1] as usize).div_ceil(1 << band_shift(grid));
        self.shares.resize_with(shares, Bins::default);
        self.shares.iter_mut().for_each(|s| s.clear(bands, band_shift(grid)));
        let length = faces.len().div_ceil(shares).max(1);
        if shares == 1 {
            draw(grid, vertices, faces, 0, &mut self.shares[0]);
        } else {
            self.shares.par_iter_mut().zip(faces.par_chunks(length)).enumerate().for_each(
                |(k, (bins, faces))| {
                    draw(grid, vertices, faces, (k * length) as u32, bins);
                },
            );
        }
        let render = start.elapsed().as_secs_f64() * 1e3;
        self.gather(grid, shares > 1, image)?;
        Ok(DrawTimes { render, sort: start.elapsed().as_secs_f64() * 1e3 - render })
    }

    /// From bins to pixels.
    fn gather(&mut self, grid: &Grid, threaded: bool, image: &mut LayeredImage) -> Result<(), LayerError> {
        let shift = band_shift(grid);
        let bands = (grid.size[1] as usize).div_ceil(1 << shift);
        self.ends.clear();
        let mut total = 0;
        for band in 0..bands {
            total += self.shares.iter().map(|s| s.bin(band).len()).sum::<usize>();
            self.ends.push(total);
        }
        image.grid = *grid;
        image.starts.resize(grid.pixels() + 1, 0);
        image.fragments.resize(total, Fragment::default());
        let last = grid.pixels();
        image.starts[last] = total as u32;
        let job =
            band::Job { shares: &self.shares, ends: &self.ends, band: (grid.size[0] as usize) << shift };
        job.run(0..bands, &mut image.starts[..last], &mut image.fragments, threaded);
        Ok(())
    }
}

/// So many fragments are drawn at most: 16 bytes each, and 12 while they are sorted.
const MOST_FRAGMENTS: f64 = (1u64 << 28) as f64;

/// Whether more fragments are to be expected than memory shall be taken for. Areas are looked at only where there may be so many.
fn too_many(grid: &Grid, vertices: &[Snapped], faces: &[[u32; 3]]) -> bool {
    if grid.pixels() as f64 * faces.len() as f64 <= 2.0 * MOST_FRAGMENTS {
        return false;
    }
    let unit = 0.5f64.powi(2 * grid.bits as i32 + 1);
    let samples = |corners: &[u32; 3]| {
        let corners = corners.map(|v| vertices[v as usize]);
        let Some((columns, rows)) = Triangle::pixels(&corners, grid) else { return 0.0 };
        let doubled = Triangle::doubled_area(&corners).unsigned_abs() as f64;
        if doubled == 0.0 {
            return 0.0;
        }
        let [columns, rows] = [columns, rows].map(|[from, to]| f64::from(to - from));
        // As many as its area, and some along its border, but no more than its box.
        (doubled * unit + columns + rows).min(columns * rows)
    };
    faces.iter().map(samples).sum::<f64>() > MOST_FRAGMENTS
}
