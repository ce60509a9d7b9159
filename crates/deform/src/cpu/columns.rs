//! The fragments of a band where no pixel has many: four pixels side by side are sorted by the same steps, with AVX2.

// Loads from and stores into arrays that are long enough are all that is not safe here.
#![allow(unsafe_code)]

use crate::image::Fragment;
use std::arch::x86_64::{
    __m256d, _mm_loadu_si128, _mm256_andnot_pd, _mm256_andnot_si256, _mm256_castsi256_pd, _mm256_cmpgt_epi64,
    _mm256_cvtepu32_epi64, _mm256_loadu_si256, _mm256_max_pd, _mm256_min_pd, _mm256_or_si256,
    _mm256_permute2f128_pd, _mm256_set1_epi64x, _mm256_setzero_pd, _mm256_storeu_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd,
};

/// Pixels side by side.
const LANES: usize = 4;

/// A pixel has so many fragments at most.
const MOST: usize = 32;

/// A bit above those of fragments: with it, bits come after all of them.
const BEHIND: i64 = 1 << 61;

/// A bit above those of fragments that all have while they are sorted: as numbers they are not so small that a processor which takes the smallest ones for 0 mixes them up.
const NORMAL: i64 = 1 << 58;

/// Fragments by pixel. Keeps its storage from band to band.
#[derive(Debug, Default)]
pub(super) struct Columns {
    counts: Vec<u32>,
    /// The first fragments of all pixels, then the second ones, and so on.
    fragments: Vec<Fragment>,
    /// From one fragment of a pixel to its next.
    stride: usize,
}

impl Columns {
    /// Whether so many fragments may find a place.
    pub(super) fn can_hold(fragments: usize, pixels: usize) -> bool {
        fragments <= MOST * pixels
    }

    /// Takes all fragments out, and makes room for those of so many pixels.
    pub(super) fn clear(&mut self, pixels: usize) {
        let pixels = pixels.next_multiple_of(LANES);
        self.counts.clear();
        self.counts.resize(pixels, 0);
        // Pixels are often a power of two: the fragments of one must not all lie in the same place of the caches.
        self.stride = pixels + 2 * LANES;
        if self.fragments.len() < MOST * self.stride {
            self.fragments.resize(MOST * self.stride, Fragment::default());
        }
    }

    /// Adds fragments to those of their pixels; false if a pixel has too many.
    #[target_feature(enable = "avx2,popcnt,bmi1")]
    pub(super) fn add(&mut self, pixels: &[u32], fragments: &[Fragment]) -> bool {
        let stride = self.stride;
        let counts = &mut self.counts[..];
        let places = &mut self.fragments[..MOST * stride];
        let mut added = 0;
        for (&pixel, &fragment) in pixels.iter().zip(fragments) {
            let pixel = pixel as usize;
            let count = &mut counts[pixel];
            let Some(place) = places.get_mut(*count as usize * stride + pixel) else { break };
            *place = fragment;
            *count += 1;
            added += 1;
        }
        added == pixels.len()
    }

    /// Writes the fragments of each pixel in order, one pixel after the other; `starts` gets where those of a pixel begin, counted
    /// from `first`.
    #[target_feature(enable = "avx2,popcnt,bmi1")]
    pub(super) fn write(&self, first: u32, starts: &mut [u32], fragments: &mut [Fragment]) {
        let mut next = 0;
        let groups = self.counts.as_chunks::<LANES>().0.iter().zip(starts.chunks_mut(LANES));
        for (k, (&counts, starts)) in groups.enumerate() {
            let mut lists = [0; LANES];
            for (list, count) in lists.iter_mut().zip(counts) {
                (*list, next) = (next as usize, next + count);
            }
            for (start, list) in starts.iter_mut().zip(lists) {
                *start = first + list as u32;
            }
            let group = Group { counts, lists, places: &self.fragments[LANES * k..], stride: self.stride };
            match counts.into_iter().max() {
                None | Some(0) => {}
                Some(1..=4) => group.write::<4>(fragments),
                Some(5..=8) => group.write::<8>(fragments),
                Some(9..=12) => group.write::<12>(fragments),
                Some(13..=16) => group.write::<16>(fragments),
                Some(17..=24) => group.write::<24>(fragments),
                Some(_) => group.write::<MOST>(fragments),
            }
        }
    }
}

/// The fragments of pixels side by side.
struct Group<'a> {
    counts: [u32; LANES],
    /// Where they go to.
    lists: [usize; LANES],
    /// Where they are.
    places: &'a [Fragment],
    stride: usize,
}

impl Group<'_> {
    /// Writes the fragments of each in order; none has more than N.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn write<const N: usize>(&self, fragments: &mut [Fragment]) {
        let mut rows = [_mm256_setzero_pd(); N];
        self.load(&mut rows);
        sort(&mut rows);
        self.write_lane::<0, N>(&rows, fragments);
        self.write_lane::<1, N>(&rows, fragments);
        self.write_lane::<2, N>(&rows, fragments);
        self.write_lane::<3, N>(&rows, fragments);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn write_lane<const LANE: usize, const N: usize>(&self, rows: &[__m256d; N], fragments: &mut [Fragment]) {
        let list = self.lists[LANE];
        // What is behind the last is written, too, and overwritten by the next pixel.
        if let Some(to) = fragments.get_mut(list..list + N) {
            transpose::<LANE, N>(rows, to);
        } else {
            let mut all = [Fragment::default(); N];
            transpose::<LANE, N>(rows, &mut all);
            let count = self.counts[LANE] as usize;
            fragments[list..list + count].copy_from_slice(&all[..count]);
        }
    }

    /// In each row the next fragment of each pixel, or something that comes after all.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load<const N: usize>(&self, rows: &mut [__m256d; N]) {
        // SAFETY: four numbers of four bytes.
        let counts = unsafe { _mm256_cvtepu32_epi64(_mm_loadu_si128(self.counts.as_ptr().cast())) };
        for (k, row) in rows.iter_mut().enumerate() {
            let places = &self.places[k * self.stride..][..LANES];
            // SAFETY: four fragments of eight bytes.
            let fragments = unsafe { _mm256_loadu_si256(places.as_ptr().cast()) };
            let is_there = _mm256_cmpgt_epi64(counts, _mm256_set1_epi64x(k as i64));
            let behind = _mm256_andnot_si256(is_there, _mm256_set1_epi64x(BEHIND));
            let above = _mm256_or_si256(behind, _mm256_set1_epi64x(NORMAL));
            *row = _mm256_castsi256_pd(_mm256_or_si256(fragments, above));
        }
    }
}

/// Writes one lane of all rows.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose<const LANE: usize, const N: usize>(rows: &[__m256d; N], to: &mut [Fragment]) {
    for (&[a, b, c, d], to) in rows.as_chunks::<4>().0.iter().zip(to.as_chunks_mut::<4>().0) {
        let (ab, cd) = if LANE.is_multiple_of(2) {
            (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d))
        } else {
            (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d))
        };
        let four = if LANE < 2 {
            _mm256_permute2f128_pd::<0x20>(ab, cd)
        } else {
            _mm256_permute2f128_pd::<0x31>(ab, cd)
        };
        let four = _mm256_andnot_pd(_mm256_castsi256_pd(_mm256_set1_epi64x(NORMAL)), four);
        // SAFETY: four fragments of eight bytes.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr().cast(), four) };
    }
}

/// Sorts each lane by Batcher's merge exchange: the same steps whatever there is to sort, so that the processor guesses nothing.
#[inline]
#[target_feature(enable = "avx2")]
fn sort<const N: usize>(rows: &mut [__m256d; N]) {
    exchange::<16, 16, 0, N>(rows);
    exchange::<8, 8, 0, N>(rows);
    exchange::<8, 8, 8, N>(rows);
    exchange::<4, 4, 0, N>(rows);
    exchange::<4, 12, 4, N>(rows);
    exchange::<4, 4, 4, N>(rows);
    exchange::<2, 2, 0, N>(rows);
    exchange::<2, 14, 2, N>(rows);
    exchange::<2, 6, 2, N>(rows);
    exchange::<2, 2, 2, N>(rows);
    exchange::<1, 1, 0, N>(rows);
    exchange::<1, 15, 1, N>(rows);
    exchange::<1, 7, 1, N>(rows);
    exchange::<1, 3, 1, N>(rows);
    exchange::<1, 1, 1, N>(rows);
}

/// Puts each row i with i & P = R in order with the one behind it by D.
///
/// Bits that are below 2^62 have the order of the numbers they are in f64: positive and finite.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange<const P: usize, const D: usize, const R: usize, const N: usize>(rows: &mut [__m256d; N]) {
    for i in 0..N.saturating_sub(D) {
        if i & P == R {
            let (a, b) = (rows[i], rows[i + D]);
            (rows[i], rows[i + D]) = (_mm256_min_pd(a, b), _mm256_max_pd(a, b));
        }
    }
}

/// Does something while the processor takes the smallest numbers for 0, as some libraries make it do.
#[cfg(test)]
pub(super) fn with_small_as_zero(work: impl FnOnce()) {
    let mut usual = 0_u32;
    // SAFETY: reads and writes the control register of this thread, which gets its old value back.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut usual, options(nostack)) };
    let other = usual | 0x8040;
    // SAFETY: as above.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const other, options(nostack)) };
    work();
    // SAFETY: as above.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const usual, options(nostack)) };
}
