//! What the processor found, from its words.

use super::frame::Room;
use crate::bodies::Place;
use crate::grid::Grid;
use crate::image::Fragment;
use crate::occupancy::FaultKind;
use crate::volume::Sums;
use freiraum_geometry::Vec3;

/// Words of the head of `state`: `frame.wgsl`.
pub(super) const HEAD_WORDS: u32 = SUMS + 64 * SUM_WORDS;
/// The two that count fragments.
pub(super) const FRAGMENT_WORDS: [u32; 2] = [4, 5];
const SUMS: u32 = 64;
const SUM_WORDS: u32 = 8;

/// A ray on which nothing can be said, and where: a [`crate::Fault`] with the fragment itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundFault {
    /// The ray.
    pub pixel: u32,
    /// What is wrong.
    pub kind: FaultKind,
    /// The fragment at which it was seen.
    pub fragment: Fragment,
}

impl FoundFault {
    /// Where it is.
    #[must_use]
    pub fn point(&self, grid: &Grid) -> Vec3 {
        grid.point(self.pixel as usize, self.fragment.depth())
    }

    /// The same with what is wrong, of a body whose faces begin with `first`.
    #[must_use]
    pub fn place(&self, grid: &Grid, first: u32) -> Place {
        Place { kind: self.kind, point: self.point(grid), face: self.fragment.face() - first }
    }
}

/// What an image says, without the image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What the volume is made from.
    pub sums: Sums,
    /// Largest counter of any ray for longer than noise.
    pub largest: u32,
    /// Most layers of a pixel.
    pub layers_max: u32,
    /// Whether some overlap is longer than rounding may have made it: [`mod@crate::confirm`].
    pub is_confirmed: bool,
    /// Rays on which nothing can be said, by pixel.
    pub faults: Vec<FoundFault>,
    /// A bit for every face, from the lowest of each word on: whether it bounds or lies in an interval.
    pub involved: Vec<u32>,
}

impl Found {
    /// Whether a face bounds or lies in an interval.
    #[must_use]
    pub fn is_involved(&self, face: u32) -> bool {
        self.involved.get(face as usize / 32).is_some_and(|word| word >> (face % 32) & 1 == 1)
    }

    /// Number of faces involved.
    #[must_use]
    pub fn involved_count(&self) -> u32 {
        self.involved.iter().map(|word| word.count_ones()).sum()
    }

    /// Forgets overlaps of which none is confirmed.
    pub(super) fn confirm(&mut self) {
        if !self.is_confirmed {
            self.sums = Sums::default();
            self.involved.fill(0);
        }
    }

    /// Replaces all but the faults by what is in the words of an answer.
    pub(super) fn read(&mut self, words: &[u32]) {
        let (head, involved) = words.split_at(HEAD_WORDS as usize);
        (self.layers_max, self.largest, self.is_confirmed) = (head[6], head[7], head[9] == 1);
        let mut sums = [0_u64; 4];
        for part in head[SUMS as usize..].chunks_exact(SUM_WORDS as usize) {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(wide(part, 2 * k));
            }
        }
        let [length, first, second, intervals] = sums;
        self.sums = Sums { length, first, second, intervals };
        self.involved.clear();
        self.involved.extend_from_slice(involved);
    }

    /// Replaces the faults by those in words, four each.
    pub(super) fn read_faults(&mut self, words: &[u32]) {
        self.faults.clear();
        self.faults.extend(words.chunks_exact(4).map(|w| FoundFault {
            pixel: w[0],
            kind: if w[1] == 1 { FaultKind::Open } else { FaultKind::Inverted },
            fragment: Fragment::new(w[2], w[3]),
        }));
        self.faults.sort_unstable_by_key(|f| (f.pixel, f.fragment));
    }
}

/// What the processor counted of what it may not have had room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needed {
    pub(super) entries: u64,
    pub(super) fragments: u64,
    pub(super) faults: u64,
    /// Deep tiles that had room.
    pub(super) done: u32,
}

impl Needed {
    pub(super) fn read(words: &[u32]) -> Needed {
        Needed {
            entries: wide(words, 0),
            fragments: wide(words, 4),
            faults: u64::from(words[8]),
            done: words[10],
        }
    }

    pub(super) fn fits(&self, room: &Room) -> bool {
        self.entries <= u64::from(room.entries)
            && self.fragments <= u64::from(room.fragments)
            && self.faults <= u64::from(room.faults)
    }
}

fn wide(words: &[u32], at: usize) -> u64 {
    u64::from(words[at + 1]) << 32 | u64::from(words[at])
}
