//! Vertices in whole numbers: done once a frame, in f64, for every renderer.

use crate::grid::{DEPTH_STEPS, Grid, LayerError};
use freiraum_geometry::Vec3;
use rayon::prelude::*;

/// A vertex on the units of a [`Grid`]: twelve bytes, as every renderer gets them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Snapped {
    /// Along u, in 1 / 2^bits of a pixel, from the lower corner of the grid.
    pub u: i32,
    /// Along v.
    pub v: i32,
    /// Depth: a whole number from 0 to [`DEPTH_STEPS`].
    pub w: f32,
}

/// Adding this to a number leaves its nearest whole number (ties to even) in the lowest bits.
const ROUND: f64 = (3_u64 << 51) as f64;

/// Puts vertices onto the units of the grid; `out` is replaced, its storage kept.
///
/// **Guarantee.** Each coordinate moves by no more than [`Grid::snapping`] and rounding of f64; vertices at one place stay at
/// one place, so a closed surface stays closed. Vertices must lie in the `reach` of the grid; what is outside of it
/// is moved there.
pub fn snap(grid: &Grid, vertices: &[Vec3], out: &mut Vec<Snapped>) -> Result<(), LayerError> {
    snap_with(grid, vertices, false, out)
}

/// The same with all threads of the current pool, if there is enough to do for them.
pub(crate) fn snap_with(
    grid: &Grid,
    vertices: &[Vec3],
    threaded: bool,
    out: &mut Vec<Snapped>,
) -> Result<(), LayerError> {
    out.resize(vertices.len(), Snapped::default());
    let is_fine = if threaded && vertices.len() > SHARE {
        let shares = out.par_chunks_mut(SHARE).zip(vertices.par_chunks(SHARE));
        shares.map(|(out, vertices)| snap_all(grid, vertices, out)).reduce(|| true, |a, b| a && b)
    } else {
        snap_all(grid, vertices, out)
    };
    if is_fine {
        return Ok(());
    }
    Err(LayerError::NotFinite(vertices.iter().position(|p| !p.is_finite()).unwrap_or(0)))
}

/// Vertices that are worth a thread.
const SHARE: usize = 1 << 14;

/// Whether all were finite.
fn snap_all(grid: &Grid, vertices: &[Vec3], out: &mut [Snapped]) -> bool {
    let order = grid.axis.order();
    let unit = f64::from(1_u32 << grid.bits);
    let scale = [unit / grid.pixel[0], unit / grid.pixel[1], f64::from(DEPTH_STEPS) / grid.depth];
    let far = f64::from(1 << 23);
    let mut finite = true;
    for (out, p) in out.iter_mut().zip(vertices) {
        let [u, v, w] = [0, 1, 2].map(|k| (p[order[k]] - grid.origin[k]) * scale[k]);
        finite &= u.abs() < f64::INFINITY && v.abs() < f64::INFINITY && w.abs() < f64::INFINITY;
        let [u, v] = [u, v].map(|x| (x.clamp(-far, far) + ROUND).to_bits() as i32);
        let w = (w.clamp(0.0, f64::from(DEPTH_STEPS)) + ROUND).to_bits() as i32;
        *out = Snapped { u, v, w: w as f32 };
    }
    finite
}
