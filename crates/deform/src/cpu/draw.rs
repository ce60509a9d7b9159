//! Faces to fragments, thrown into bins by bands of rows.

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
pub(super) struct Bins {
    pub(super) bins: Vec<Bin>,
    /// A band has 2^shift rows.
    pub(super) shift: u32,
}

impl Bins {
    pub(super) fn clear(&mut self, bands: usize, shift: u32) {
        self.shift = shift;
        if self.bins.len() < bands {
            self.bins.resize_with(bands, Bin::default);
        }
        self.bins.iter_mut().for_each(|b| b.len = 0);
    }

    pub(super) fn bin(&self, band: usize) -> &Bin {
        &self.bins[band]
    }
}

/// Draws faces, the first of which has the number `first`.
pub(super) fn draw(grid: &Grid, vertices: &[Snapped], faces: &[[u32; 3]], first: u32, bins: &mut Bins) {
    #[cfg(target_arch = "x86_64")]
    if super::avx2::is_there()
        && let Some(setup) = super::eight::Setup::new(grid, vertices)
    {
        // SAFETY: it is.
        #[allow(unsafe_code)]
        return unsafe { super::avx2::draw(&setup, grid.size[0], faces, first, bins) };
    }
    draw_plain(grid, vertices, faces, first, bins);
}

/// The same, one pixel at a time.
pub(super) fn draw_plain(grid: &Grid, vertices: &[Snapped], faces: &[[u32; 3]], first: u32, bins: &mut Bins) {
    for (face, corners) in (first..).zip(faces) {
        let corners = corners.map(|v| vertices[v as usize]);
        let Some(triangle) = Triangle::new(corners, grid) else { continue };
        triangle.for_each_sample(|column, row, key| {
            let bin = &mut bins.bins[(row >> bins.shift) as usize];
            bin.reserve(1);
            bin.pixels[bin.len] = (row - (row >> bins.shift << bins.shift)) * grid.size[0] + column;
            bin.fragments[bin.len] = Fragment::new(key, face);
            bin.len += 1;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Axis;
    use freiraum_geometry::{Aabb, Vec3};
    use freiraum_testkit::random::Random;

    #[test]
    fn one_pixel_at_a_time_gives_the_same() {
        let mut random = Random::new(1);
        for _ in 0..40 {
            let size = [1 + random.below(90) as u32, 1 + random.below(90) as u32];
            let bounds = Aabb { min: Vec3::splat(-0.8), max: Vec3::ONE };
            let reach = Aabb { min: Vec3::splat(-1.0), max: Vec3::splat(1.5) };
            let grid = Grid::region(&bounds, &reach, Axis::ALL[random.below(3)], size).unwrap();
            let vertices: Vec<Vec3> = (0..60).map(|_| random.in_cube(1.0)).collect();
            let mut snapped = Vec::new();
            crate::snap::snap(&grid, &vertices, &mut snapped).unwrap();
            let faces: Vec<[u32; 3]> = (0..100).map(|_| [0; 3].map(|_| random.below(60) as u32)).collect();
            let shift = 1 + random.below(3) as u32;
            let bands = size[1].div_ceil(1 << shift) as usize;
            let [mut a, mut b] = [Bins::default(), Bins::default()];
            for (bins, draw) in
                [(&mut a, draw as fn(&Grid, &[Snapped], &[[u32; 3]], u32, &mut Bins)), (&mut b, draw_plain)]
            {
                bins.clear(bands, shift);
                draw(&grid, &snapped, &faces, 7, bins);
            }
            let mut total = 0;
            for band in 0..bands {
                let [a, b] = [&a, &b].map(|bins| {
                    let bin = bins.bin(band);
                    let mut all: Vec<_> =
                        bin.pixels().iter().copied().zip(bin.fragments().iter().copied()).collect();
                    all.sort();
                    all
                });
                assert_eq!(a, b);
                total += a.len();
            }
            assert!(total > 0 || size[0] * size[1] < 20);
        }
    }
}
