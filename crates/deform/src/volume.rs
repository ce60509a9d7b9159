//! How much is it? Volumes from columns, in whole numbers, with an estimate of their error.
//!
//! The sums do not depend on the order or on who adds. A volume is the sum of lengths times the area of a pixel: the midpoint rule
//! for the length as a function over the plane. Its error is estimated from the lengths themselves: where the length
//! jumps by J between two rays, the rule may be off by J / 2 of a pixel, and the second differences there add up to 2 J. So a quarter
//! of all second differences, both ways, covers jumps exactly, kinks twice and smooth parts six times. Units of vertices and
//! steps of depth add what they may have moved.

use crate::grid::Grid;
use crate::triangle::DEPTH_ERROR;

/// Whole numbers that a volume is made from. Steps of depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// All lengths.
    pub length: u64,
    /// Absolute differences of the lengths of neighbours, along rows and along columns; nothing is outside of the picture.
    pub first: u64,
    /// Absolute second differences, likewise.
    pub second: u64,
    /// Number of intervals.
    pub intervals: u64,
}

/// A volume in cubic metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volume {
    /// The sum of all columns.
    pub volume: f64,
    /// By how much it may be off: an estimate, no bound, since what lies between rays is not seen. Zero only if the volume is.
    pub error: f64,
}

impl Sums {
    /// From the lengths of all pixels.
    #[must_use]
    pub fn of(grid: &Grid, lengths: &[u32], intervals: usize) -> Sums {
        let [columns, rows] = [0, 1].map(|k| grid.size[k] as usize);
        let mut sums = Sums { intervals: intervals as u64, ..Sums::default() };
        let at = |row: isize, column: isize| {
            let is_in = row >= 0 && column >= 0 && (row as usize) < rows && (column as usize) < columns;
            if is_in { i64::from(lengths[row as usize * columns + column as usize]) } else { 0 }
        };
        sums.length = lengths.iter().map(|&l| u64::from(l)).sum();
        if sums.length == 0 {
            return sums;
        }
        for row in -1..=rows as isize {
            for column in -1..=columns as isize {
                let x = at(row, column);
                let (left, up) = (at(row, column - 1), at(row - 1, column));
                let (right, down) = (at(row, column + 1), at(row + 1, column));
                sums.first += x.abs_diff(left) + x.abs_diff(up);
                sums.second += (2 * x).abs_diff(left + right) + (2 * x).abs_diff(up + down);
            }
        }
        sums
    }

    /// The volume on a grid.
    #[must_use]
    pub fn volume(&self, grid: &Grid) -> Volume {
        let column = grid.pixel_area() * grid.step();
        let unit = f64::from(1_u32 << grid.bits);
        // A vertex moves by half a unit and half a step; an interval has two ends.
        let moved = self.first as f64 / unit + f64::from(2 * DEPTH_ERROR + 1) * self.intervals as f64;
        Volume { volume: self.length as f64 * column, error: (0.25 * self.second as f64 + moved) * column }
    }
}
