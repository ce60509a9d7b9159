//! The fragments of a band of rows, gathered by pixel and sorted.

#[cfg(target_arch = "x86_64")]
use super::columns::Columns;
use super::draw::Bins;
use crate::image::Fragment;
#[cfg(target_arch = "x86_64")]
use std::cell::RefCell;
use std::ops::Range;

#[cfg(target_arch = "x86_64")]
thread_local! {
    /// Of each thread its own: bands are gathered by whoever has time.
    static COLUMNS: RefCell<Columns> = RefCell::default();
}

/// What all bands share.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) shares: &'a [Bins],
    /// How many fragments there are up to the end of each band.
    pub(super) ends: &'a [usize],
    /// How many pixels a band has.
    pub(super) band: usize,
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
        let (starts, starts_after) = starts.split_at_mut((middle - bands.start) * self.band);
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
        #[cfg(target_arch = "x86_64")]
        if super::avx2::is_there() && self.gather_few(band, starts, fragments) {
            return;
        }
        self.gather_any(band, starts, fragments);
    }

    /// Four pixels at a time; false if a pixel has too many fragments for that.
    #[cfg(target_arch = "x86_64")]
    fn gather_few(self, band: usize, starts: &mut [u32], fragments: &mut [Fragment]) -> bool {
        if !Columns::can_hold(fragments.len(), starts.len()) {
            return false;
        }
        COLUMNS.with_borrow_mut(|columns| {
            columns.clear(starts.len());
            let mut bins = self.shares.iter().map(|share| share.bin(band));
            // SAFETY: asked for before.
            #[allow(unsafe_code)]
            unsafe {
                let fits = bins.all(|bin| columns.add(bin.pixels(), bin.fragments()));
                if fits {
                    columns.write(self.first(band) as u32, starts, fragments);
                }
                fits
            }
        })
    }

    /// One pixel after the other, each with any number of fragments.
    fn gather_any(self, band: usize, starts: &mut [u32], fragments: &mut [Fragment]) {
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
            fragments[start as usize..end as usize].sort_unstable();
            (*place, start) = (first + start, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn pixels_are_sorted_and_stay_apart_however_many_fragments_they_have() {
        let mut random = Random::new(1);
        for round in 0..600 {
            let pixels = 1 + random.below(70);
            // Some lists are longer than what can be sorted side by side.
            let longest = 1 + round % 36;
            let lists: Vec<usize> = (0..pixels).map(|_| random.below(longest + 1)).collect();
            let mut order: Vec<u32> =
                lists.iter().zip(0..).flat_map(|(&n, pixel)| std::iter::repeat_n(pixel, n)).collect();
            order.sort_by_cached_key(|_| random.bits());
            let mut shares = [Bins::default(), Bins::default()];
            let split = random.below(order.len() + 1);
            let mut expected = Vec::new();
            for (k, &pixel) in order.iter().enumerate() {
                // Depths are often equal, and reach from the first to the last.
                let depth = random.below(24) as u32 * (1 << 23) / 23;
                let fragment = Fragment::at(depth, random.below(2) == 0, k as u32);
                expected.push((pixel, fragment));
            }
            for (share, part) in shares.iter_mut().zip([&expected[..split], &expected[split..]]) {
                share.clear(1, 3);
                let bin = &mut share.bins[0];
                bin.reserve(part.len());
                for &(pixel, fragment) in part {
                    (bin.pixels[bin.len], bin.fragments[bin.len]) = (pixel, fragment);
                    bin.len += 1;
                }
            }
            expected.sort();
            let job = Job { shares: &shares, ends: &[order.len()], band: pixels };
            let fragments: Vec<Fragment> = expected.iter().map(|e| e.1).collect();
            let starts: Vec<u32> =
                (0..pixels).map(|p| expected.partition_point(|e| (e.0 as usize) < p) as u32).collect();
            for gather in [Job::gather, Job::gather_any] {
                let (mut s, mut f) = (vec![7; pixels], vec![Fragment(7); order.len()]);
                gather(job, 0, &mut s, &mut f);
                assert!(s == starts && f == fragments);
            }
            #[cfg(target_arch = "x86_64")]
            {
                let (mut s, mut f) = (vec![7; pixels], vec![Fragment(7); order.len()]);
                super::super::columns::with_small_as_zero(|| job.gather(0, &mut s, &mut f));
                assert!(s == starts && f == fragments);
            }
        }
    }
}
