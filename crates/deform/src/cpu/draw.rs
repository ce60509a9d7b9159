//! Faces to fragments, thrown into bins by bands of rows.

use super::BAND;
use crate::grid::Grid;
use crate::image::Fragment;
use crate::snap::Snapped;
use crate::triangle::Triangle;

/// Pixels at a time, where the processor can: room for as many is kept behind all others.
pub(super) const LANES: usize = 8;

/// Fragments that do not lie in their pixels yet, of one band.
#[derive(Debug, Default)]
pub(super) struct Bin {
    /// Numbers of the pixels within the band.
    pub(super) pixels: Vec<u32>,
    pub(super) fragments: Vec<Fragment>,
    /// How many of them count; there is always room for more behind.
    pub(super) len: usize,
}

impl Bin {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn pixels(&self) -> &[u32] {
        &self.pixels[..self.len]
    }

    pub(super) fn fragments(&self) -> &[Fragment] {
        &self.fragments[..self.len]
    }

    /// Makes room for so many more, and some lanes behind.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) {
        let need = self.len + more + 2 * LANES;
        if need > self.pixels.len() {
            self.grow(need);
        }
    }

    #[cold]
    fn grow(&mut self, need: usize) {
        let room = need.max(2 * self.pixels.len());
        self.pixels.resize(room, 0);
        self.fragments.resize(room, Fragment::default());
    }
}

/// The fragments of a share of the faces, by bands.
#[derive(Debug, Default)]
pub(super) struct Bins(pub(super) Vec<Bin>);

impl Bins {
    pub(super) fn clear(&mut self, bands: usize) {
        if self.0.len() < bands {
            self.0.resize_with(bands, Bin::default);
        }
        self.0.iter_mut().for_each(|b| b.len = 0);
    }

    pub(super) fn bin(&self, band: usize) -> &Bin {
        &self.0[band]
    }
}

/// Draws faces, the first of which has the number `first`.
pub(super) fn draw(grid: &Grid, vertices: &[Snapped], faces: &[[u32; 3]], first: u32, bins: &mut Bins) {
    #[cfg(target_arch = "x86_64")]
    if super::avx2::is_there() {
        // SAFETY: it is.
        #[allow(unsafe_code)]
        return unsafe { super::avx2::draw(grid, vertices, faces, first, bins) };
    }
    draw_plain(grid, vertices, faces, first, bins);
}

/// The same, one pixel at a time.
pub(super) fn draw_plain(grid: &Grid, vertices: &[Snapped], faces: &[[u32; 3]], first: u32, bins: &mut Bins) {
    for (face, corners) in (first..).zip(faces) {
        let corners = corners.map(|v| vertices[v as usize]);
        let Some(triangle) = Triangle::new(corners, grid) else { continue };
        triangle.for_each_sample(|column, row, key| {
            let bin = &mut bins.0[row as usize / BAND];
            bin.reserve(1);
            bin.pixels[bin.len] = (row % BAND as u32) * grid.size[0] + column;
            bin.fragments[bin.len] = Fragment::new(key, face);
            bin.len += 1;
        });
    }
}
