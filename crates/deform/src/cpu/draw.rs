//! Faces to fragments, thrown into bins by bands of rows.

use super::BAND;
use crate::grid::Grid;
use crate::snap::Snapped;
use crate::triangle::Triangle;

/// A fragment that does not lie in its pixel yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loose {
    /// Number of the pixel within its band.
    pub(super) pixel: u32,
    pub(super) key: u32,
    pub(super) face: u32,
}

/// The fragments of a share of the faces, by bands.
#[derive(Debug, Default)]
pub(super) struct Bins(Vec<Vec<Loose>>);

impl Bins {
    pub(super) fn clear(&mut self, bands: usize) {
        if self.0.len() < bands {
            self.0.resize_with(bands, Vec::new);
        }
        self.0.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn bin(&self, band: usize) -> &[Loose] {
        &self.0[band]
    }
}

/// Draws faces, the first of which has the number `first`.
pub(super) fn draw(grid: &Grid, vertices: &[Snapped], faces: &[[u32; 3]], first: u32, bins: &mut Bins) {
    for (face, corners) in (first..).zip(faces) {
        let corners = corners.map(|v| vertices[v as usize]);
        let Some(triangle) = Triangle::new(corners, grid) else { continue };
        triangle.for_each_sample(|column, row, key| {
            let pixel = (row % BAND as u32) * grid.size[0] + column;
            bins.0[row as usize / BAND].push(Loose { pixel, key, face });
        });
    }
}
