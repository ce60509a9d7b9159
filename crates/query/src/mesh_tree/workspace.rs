//! Memory that the questions about two meshes reuse.

use super::sketch::LeafSketch;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Memory for questions about meshes: give the same one to every call, and no call allocates once it has grown.
///
/// It holds no answers; any workspace serves any pair of meshes.
#[derive(Clone, Debug, Default)]
pub struct MeshWorkspace {
    pub(super) stack: Vec<Pair>,
    pub(super) children: Vec<Child>,
    pub(super) sketches: Vec<LeafSketch>,
    pub(super) sketch_of: Vec<u32>,
    pub(super) names: Vec<u32>,
    pub(super) table: Vec<u32>,
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) due: Vec<Candidate>,
    pub(super) fresh: Vec<Candidate>,
    pub(super) heap: BinaryHeap<Reverse<Candidate>>,
    pub(super) far: BinaryHeap<Reverse<FarCandidate>>,
    pub(super) sight: Vec<super::void::Met>,
}

/// A child of a tree: the index of its node times eight plus its lane.
pub(super) type Child = u32;

/// A child of each tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) a: Child,
    pub(super) b: Child,
}

/// A pair with the key that orders it: the least gap first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// The bits of an f32, changed so that they compare as it does.
    key: i32,
    pub(super) pair: Pair,
}

impl Candidate {
    #[inline]
    pub(super) fn new(gap: f32, pair: Pair) -> Candidate {
        let bits = gap.to_bits() as i32;
        Candidate { key: bits ^ (((bits >> 31) as u32) >> 1) as i32, pair }
    }

    #[inline]
    pub(super) fn gap(&self) -> f32 {
        f32::from_bits((self.key ^ (((self.key >> 31) as u32) >> 1) as i32) as u32)
    }
}

/// As [`Candidate`], in double precision; gaps are not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FarCandidate {
    /// The bits of the gap, which compare as it does.
    key: u64,
    pub(super) pair: Pair,
}

impl FarCandidate {
    pub(super) fn new(gap: f64, pair: Pair) -> FarCandidate {
        FarCandidate { key: gap.max(0.0).to_bits(), pair }
    }

    pub(super) fn gap(&self) -> f64 {
        f64::from_bits(self.key)
    }
}
