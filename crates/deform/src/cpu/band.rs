//! The fragments of a band of rows, gathered by pixel and sorted.

use super::draw::Bins;
use crate::image::Fragment;
use std::ops::Range;

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
            (*place, start) = (start, *place);
        }
        sort_pixels(starts, fragments);
        starts.iter_mut().for_each(|start| *start += first);
    }
}

/// Sorts each pixel's own list.
fn sort_pixels(starts: &[u32], fragments: &mut [Fragment]) {
    #[cfg(target_arch = "x86_64")]
    if super::avx2::is_there() {
        // SAFETY: it is.
        #[allow(unsafe_code)]
        return unsafe { sort_pixels_avx2(starts, fragments) };
    }
    sort_pixels_with(starts, fragments);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn sort_pixels_avx2(starts: &[u32], fragments: &mut [Fragment]) {
    sort_pixels_with(starts, fragments);
}

#[inline(always)]
fn sort_pixels_with(starts: &[u32], fragments: &mut [Fragment]) {
    for (k, &start) in starts.iter().enumerate() {
        let start = start as usize;
        let end = starts.get(k + 1).map_or(fragments.len(), |&s| s as usize);
        let list = &mut fragments[start..end];
        if list.windows(2).all(|pair| pair[0] <= pair[1]) {
            continue;
        }
        match end - start {
            0..=8 => sort_short::<8>(fragments, start..end),
            9..=16 => sort_short::<16>(fragments, start..end),
            _ => list.sort_unstable(),
        }
    }
}

/// Sorts up to N fragments by how many come before each, without asking anything: guesses of the processor would be wrong half of
/// the time.
#[inline(always)]
fn sort_short<const N: usize>(fragments: &mut [Fragment], range: Range<usize>) {
    // Those behind are read with them, if there are, but come after all others: no fragment has its highest bit set.
    let Some(list) = fragments.get_mut(range.start..range.start + N) else {
        return fragments[range].sort_unstable();
    };
    let len = range.len();
    let mut keys = [i64::MAX; N];
    for (k, key) in keys.iter_mut().enumerate() {
        *key = if k < len { list[k].0 as i64 } else { i64::MAX };
    }
    let mut ranks = [0_i64; N];
    for &other in &keys {
        for (rank, &key) in ranks.iter_mut().zip(&keys) {
            *rank += i64::from(other < key);
        }
    }
    for (&rank, &key) in ranks.iter().zip(&keys).take(len) {
        list[rank as usize % N] = Fragment(key as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn lists_of_any_length_are_sorted_and_stay_apart() {
        let mut random = Random::new(1);
        for _ in 0..300 {
            let (mut starts, mut fragments) = (Vec::new(), Vec::new());
            for _ in 0..30 {
                starts.push(fragments.len() as u32);
                for _ in 0..random.below(22) {
                    let depth = random.below(40) as u32;
                    fragments.push(Fragment::at(depth, random.below(2) == 0, fragments.len() as u32));
                }
            }
            let mut expected = fragments.clone();
            for (k, &start) in starts.iter().enumerate() {
                let end = starts.get(k + 1).map_or(fragments.len(), |&s| s as usize);
                expected[start as usize..end].sort();
            }
            let mut plain = fragments.clone();
            sort_pixels(&starts, &mut fragments);
            sort_pixels_with(&starts, &mut plain);
            assert!(fragments == expected && plain == expected);
        }
    }
}
