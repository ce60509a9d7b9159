//! How much is it? Volumes from columns, in whole numbers, with an estimate of their error.
//!
//! The sums do not depend on the order or on who adds. A volume is the sum of lengths times the area of a pixel: the midpoint rule
//! for the length as a function over the plane. Its error is estimated from the lengths themselves: where the length
//! jumps by J between two rays, the rule may be off by J / 2 of a pixel, and the second differences there add up to 2 J. So a quarter
//! of all second differences, both ways, covers jumps exactly, kinks twice and smooth parts six times. Units of vertices and
//! steps of depth add what they may have moved.

use crate::grid::Grid;
use crate::triangle::DEPTH_ERROR;
use std::ops::Range;

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
        Sums { intervals: intervals as u64, ..Sums::of_rows(grid, lengths, 0..grid.size[1] as usize) }
    }

    /// What some rows add to the sums; `lengths` are those of all pixels.
    pub(crate) fn of_rows(grid: &Grid, lengths: &[u32], rows: Range<usize>) -> Sums {
        let [columns, all] = [0, 1].map(|k| grid.size[k] as usize);
        let row = |k: usize| &lengths[k * columns..(k + 1) * columns];
        let mut sums = Sums::default();
        for k in rows {
            let here = row(k);
            let length = total(here.iter().copied());
            sums.length += length;
            // Along the row: nothing is left of the first and right of the last, where there are differences, too.
            let ends = u64::from(here[0]) + u64::from(here[columns - 1]);
            let [inner, beside] = [&here[..columns - 1], &here[1..]];
            sums.first += ends + total(inner.iter().zip(beside).map(|(a, b)| a.abs_diff(*b)));
            sums.second += ends;
            if columns == 1 {
                sums.second += ends;
            } else {
                sums.second += u64::from((2 * here[0]).abs_diff(here[1]));
                sums.second += u64::from((2 * here[columns - 1]).abs_diff(here[columns - 2]));
                sums.second += bend(&here[..columns - 2], &here[1..columns - 1], &here[2..]);
            }
            // Across rows, each with the one above; nothing is above the first and below the last.
            match (k > 0, k + 1 < all) {
                (true, true) => sums.second += bend(row(k - 1), here, row(k + 1)),
                (true, false) => sums.second += half_bend(row(k - 1), here) + length,
                (false, true) => sums.second += half_bend(row(k + 1), here) + length,
                (false, false) => sums.second += 4 * length,
            }
            sums.first +=
                if k > 0 { total(row(k - 1).iter().zip(here).map(|(a, b)| a.abs_diff(*b))) } else { length };
            sums.first += if k + 1 == all { length } else { 0 };
        }
        sums
    }

    /// Both together.
    pub(crate) fn plus(self, other: Sums) -> Sums {
        Sums {
            length: self.length + other.length,
            first: self.first + other.first,
            second: self.second + other.second,
            intervals: self.intervals + other.intervals,
        }
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

/// Absolute second differences.
fn bend(before: &[u32], here: &[u32], after: &[u32]) -> u64 {
    total(before.iter().zip(here).zip(after).map(|((a, b), c)| (2 * b).abs_diff(a + c)))
}

/// The same where there is nothing on the other side.
fn half_bend(beside: &[u32], here: &[u32]) -> u64 {
    total(beside.iter().zip(here).map(|(a, b)| (2 * b).abs_diff(*a)))
}

/// The sum of numbers up to 2^25, which are the lengths of rays and four times as much.
fn total(numbers: impl ExactSizeIterator<Item = u32>) -> u64 {
    numbers.map(u64::from).sum()
}
