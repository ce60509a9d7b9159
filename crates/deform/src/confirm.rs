//! Is it there? Vertices were put onto units, so surfaces that touch may seem to be in each other a little.
//!
//! A vertex moves by half a unit each way and half a step in depth at most, and so does every point of a face, keeping its weights. A face with
//! the normal n has moved along a ray by no more than (|n_u| + |n_v| + |n_w|) / (2 |n_w|) then, in units and steps, wherever the ray meets it. A part of a ray
//! that is longer than that of both faces at its ends, and than noise, was there before the vertices moved.
//!
//! **What may be lost.** Of two faces that both moved into an overlap by [`Grid::snapping`], the plane of neither comes into a ball that is narrower
//! by that on each side; a part of a ray that is in a ball which is narrower by it once more is confirmed. See [`to_confirm`].
//!
//! Whole numbers of 64 bits, then additions and products of f32 in the order written here: the same bits on every processor.

use crate::grid::Grid;
use crate::image::LayeredImage;
use crate::occupancy::{NOISE, Occupancy};
use crate::snap::Snapped;
use crate::volume::Sums;

/// What an overlap must be wider, in metres, than one that is merely seen, so that it is told.
#[must_use]
pub fn to_confirm(grid: &Grid) -> f64 {
    2.0 * grid.snapping().length()
}

/// How far a face may have moved along a ray: `sum` / `area` steps.
#[derive(Clone, Copy)]
struct Moved {
    sum: f32,
    area: f32,
}

impl Moved {
    fn of([p, q, r]: [Snapped; 3]) -> Moved {
        let [a, b] = [q, r].map(|x| [x.u - p.u, x.v - p.v, (x.w - p.w) as i32]);
        let cross = |i: usize, j: usize| {
            magnitude(i64::from(a[i]) * i64::from(b[j]) - i64::from(a[j]) * i64::from(b[i]))
        };
        let area = cross(0, 1);
        Moved { sum: 0.5 * (area + (cross(0, 2) + cross(1, 2))), area }
    }
}

/// An f32 near the magnitude of a number below 2^49, by exact parts and two sums that round.
fn magnitude(x: i64) -> f32 {
    let x = x.unsigned_abs();
    let part = |shift: u32, digits: u32| ((x >> shift) & ((1 << digits) - 1)) as f32;
    (part(32, 24) * (1_u64 << 32) as f32 + part(16, 16) * 65536.0) + part(0, 16)
}

/// Whether a part of a ray, `length` steps long, is longer than what rounding may have made of it. `ends` are the corners of the faces at its ends.
pub(crate) fn is_real(length: u32, ends: [[Snapped; 3]; 2]) -> bool {
    let [a, b] = ends.map(Moved::of);
    let beyond = length.saturating_sub(NOISE) as f32;
    beyond * a.area * b.area > a.sum * b.area + b.sum * a.area
}

/// The corners of a face.
pub(crate) fn corners(snapped: &[Snapped], faces: &[[u32; 3]], face: u32) -> [Snapped; 3] {
    faces[face as usize].map(|v| snapped[v as usize])
}

/// Whether some interval is real. `image`, `snapped` and `faces` are those that the occupancy was made from.
#[must_use]
pub fn is_confirmed(
    occupancy: &Occupancy,
    image: &LayeredImage,
    snapped: &[Snapped],
    faces: &[[u32; 3]],
) -> bool {
    let end = |fragment: u32| corners(snapped, faces, image.fragments[fragment as usize].face());
    occupancy.intervals.iter().any(|one| is_real(one.length(), [end(one.first), end(one.last)]))
}

/// Empties an occupancy of which no interval is real.
pub(crate) fn confirm(
    occupancy: &mut Occupancy,
    image: &LayeredImage,
    snapped: &[Snapped],
    faces: &[[u32; 3]],
) {
    if !is_confirmed(occupancy, image, snapped, faces) {
        occupancy.intervals.clear();
        occupancy.starts.fill(0);
        occupancy.lengths.fill(0);
        occupancy.largest = occupancy.largest.min(occupancy.level.saturating_sub(1));
        occupancy.sums = Sums::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_moves_by_its_slope() {
        let at = |u: i32, v: i32, w: f32| Snapped { u, v, w };
        // Flat, and rising by three steps a unit.
        let flat = [at(0, 0, 7.0), at(0, 9, 7.0), at(9, 0, 7.0)];
        let steep = [at(0, 0, 0.0), at(0, 9, 0.0), at(9, 0, 27.0)];
        for (ends, moved) in [([flat; 2], 1), ([flat, steep], 1 + 3 / 2 + 1), ([steep; 2], 4)] {
            assert!(!is_real(NOISE + moved - 1, ends) && is_real(NOISE + moved + 1, ends), "{moved}");
        }
        assert!(!is_real(0, [flat; 2]));
    }

    #[test]
    fn magnitudes_are_near() {
        for x in [0, 1, -5, 65_537, 1 << 40, -(1 << 48), (1 << 48) + 12_345_678_901] {
            assert!((f64::from(magnitude(x)) - (x as f64).abs()).abs() <= 2e-7 * (x as f64).abs());
        }
    }
}
