//! The fragments of a band of rows, gathered by pixel and sorted.

use super::BAND;
use super::draw::Bins;
use crate::image::Fragment;
use std::ops::Range;

/// What all bands share.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) shares: &'a [Bins],
    /// How many fragments there are up to the end of each band.
    pub(super) ends: &'a [usize],
    pub(super) columns: usize,
}

impl Job<'_> {
    /// Does some bands, given their own part of `starts` and `fragments`. Halves, so that nothing needs to be listed.
    pub(super) fn run(
        self,
        bands: Range<usize>,
        starts: &mut [u32],
        fragments: &mut [Fragment],
        threaded: bool,
    ) {
        if bands.is_empty() {
            return;
        }
        if bands.len() == 1 {
            return self.gather(bands.start, starts, fragments);
        }
        let middle = bands.start + bands.len() / 2;
        let (starts, starts_after) = starts.split_at_mut((middle - bands.start) * BAND * self.columns);
        let (fragments, fragments_after) =
            fragments.split_at_mut(self.ends[middle - 1] - self.first(bands.start));
        let mut before = move || self.run(bands.start..middle, starts, fragments, threaded);
        let mut after = move || self.run(middle..bands.end, starts_after, fragments_after, threaded);
        if threaded {
            rayon::join(before, after);
        } else {
            before();
            after();
        }
    }

    fn first(self, band: usize) -> usize {
        if band == 0 { 0 } else { self.ends[band - 1] }
    }

    fn gather(self, band: usize, starts: &mut [u32], fragments: &mut [Fragment]) {
        starts.fill(0);
        for share in self.shares {
            share.bin(band).pixels().iter().for_each(|&p| starts[p as usize] += 1);
        }
        let mut next = 0;
        for start in starts.iter_mut() {
            (*start, next) = (next, next + *start);
        }
        for share in self.shares {
            let bin = share.bin(band);
            for (&pixel, &fragment) in bin.pixels().iter().zip(bin.fragments()) {
                let place = &mut starts[pixel as usize];
                fragments[*place as usize] = fragment;
                *place += 1;
            }
        }
        // Each pixel's place is now behind its last: the start of the next one.
        let first = self.first(band) as u32;
        let mut start = 0;
        for place in starts.iter_mut() {
            let end = *place;
            sort(&mut fragments[start as usize..end as usize]);
            *place = first + start;
            start = end;
        }
    }
}

/// Sorts a pixel's own list.
fn sort(list: &mut [Fragment]) {
    list.sort_unstable();
}
