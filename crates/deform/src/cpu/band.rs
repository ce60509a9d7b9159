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
        let bins = || self.shares.iter().flat_map(|s| s.bin(band));
        starts.fill(0);
        bins().for_each(|f| starts[f.pixel as usize] += 1);
        // Where each pixel ends; filling from the back turns that into where it starts.
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        for f in bins() {
            let place = &mut starts[f.pixel as usize];
            *place -= 1;
            fragments[*place as usize] = Fragment::new(f.key, f.face);
        }
        let mut end = fragments.len();
        for start in starts.iter_mut().rev() {
            sort(&mut fragments[*start as usize..end]);
            end = *start as usize;
            *start += self.first(band) as u32;
        }
    }
}

/// Sorts a pixel's own list.
fn sort(list: &mut [Fragment]) {
    list.sort_unstable();
}
