//! Broad phases: which of many boxes overlap.
//!
//! - [`DynamicTree`]: the boxes that overlap a given one, of boxes that change; the simulator asks it directly
//! - [`BroadPhase`]: all pairs that overlap, by one of six methods ([`BroadPhaseKind`]); object sets, motions of many
//!   bodies and the checker ask it
//!
//! One file per method; a new one is a new file and a line in [`BroadPhaseKind`]. All methods find the same pairs. They
//! differ in what they cost: see `docs/performance/sets.md`.

mod brute_force;
mod cell_lists;
mod dynamic_tree;
mod fat_boxes;
mod grid;
mod kd_tree;
mod octree;
mod registry;
mod sweep_and_prune;

pub use dynamic_tree::{DynamicTree, DynamicTreeState, Leaf, Node};

use crate::tree::Counts;
use freiraum_geometry::Aabb;
use registry::{Change, Registry};
use std::fmt::Debug;

/// Which boxes of a changing set overlap.
///
/// Boxes are known by keys that the caller chooses; memory grows with the largest key, so keep them small.
/// **Degenerate input.** Boxes without size and identical boxes are ordinary. An empty box overlaps nothing. Boxes that
/// are infinite on some side are kept apart and held against all others; a bound that is not a number counts as infinite,
/// so that no overlap is missed.
pub trait BroadPhase: Debug {
    /// Gives a key its box: a new key is added, a known one moved.
    fn set(&mut self, key: u32, bounds: Aabb);

    /// Takes a key out; nothing happens if it is not there.
    fn remove(&mut self, key: u32);

    /// Replaces `pairs` by all pairs of keys whose closed boxes have a point in common, the smaller key first, sorted.
    ///
    /// **Guarantee.** Exactly these pairs, each once. **Cost.** Tests of two boxes are counted as volume tests; no
    /// allocation once warm.
    fn pairs(&mut self, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts);
}

/// The methods to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum BroadPhaseKind {
    /// All against all: the fastest for up to about a hundred boxes that all move.
    BruteForce,
    /// Boxes sorted along one axis, the order kept between steps: few tests as long as the boxes are few.
    SweepAndPrune,
    /// Cells of equal size: the fewest tests for boxes of similar size.
    Grid,
    /// Cells within cells, each box in the one of its size.
    Octree,
    /// Space cut in halves of equally many boxes.
    KdTree,
    /// A [`DynamicTree`] of boxes with some room to move: the fastest in large sets, by far so when most boxes rest.
    #[default]
    DynamicTree,
}

impl BroadPhaseKind {
    /// All methods.
    pub const ALL: [BroadPhaseKind; 6] = [
        BroadPhaseKind::BruteForce,
        BroadPhaseKind::SweepAndPrune,
        BroadPhaseKind::Grid,
        BroadPhaseKind::Octree,
        BroadPhaseKind::KdTree,
        BroadPhaseKind::DynamicTree,
    ];

    /// An empty broad phase of this method.
    pub fn start(self) -> Box<dyn BroadPhase> {
        match self {
            BroadPhaseKind::BruteForce => Box::new(Phase::<brute_force::BruteForce>::default()),
            BroadPhaseKind::SweepAndPrune => Box::new(Phase::<sweep_and_prune::SweepAndPrune>::default()),
            BroadPhaseKind::Grid => Box::new(Phase::<grid::Grid>::default()),
            BroadPhaseKind::Octree => Box::new(Phase::<octree::Octree>::default()),
            BroadPhaseKind::KdTree => Box::new(Phase::<kd_tree::KdTree>::default()),
            BroadPhaseKind::DynamicTree => Box::new(Phase::<fat_boxes::FatBoxes>::default()),
        }
    }
}

/// What a method does for the finite, non-empty boxes; [`Phase`] takes care of all others.
trait FinitePairs: Debug + Default {
    /// A box is new.
    fn insert(&mut self, key: u32, bounds: &Aabb);
    /// A box has changed.
    fn update(&mut self, key: u32, old: &Aabb, new: &Aabb);
    /// A box is gone.
    fn remove(&mut self, key: u32, old: &Aabb);
    /// Appends all overlapping pairs, each once, in any order.
    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts);
}

/// A method together with the boxes that it cannot deal with.
#[derive(Debug, Default)]
struct Phase<M> {
    registry: Registry,
    method: M,
}

impl<M: FinitePairs> Phase<M> {
    fn pass_on(&mut self, key: u32, change: Change) {
        match (change.old, change.new) {
            (None, Some(new)) => self.method.insert(key, &new),
            (Some(old), Some(new)) if old != new => self.method.update(key, &old, &new),
            (Some(old), None) => self.method.remove(key, &old),
            _ => (),
        }
    }
}

impl<M: FinitePairs> BroadPhase for Phase<M> {
    fn set(&mut self, key: u32, bounds: Aabb) {
        let change = self.registry.set(key, bounds);
        self.pass_on(key, change);
    }

    fn remove(&mut self, key: u32) {
        let change = self.registry.remove(key);
        self.pass_on(key, change);
    }

    fn pairs(&mut self, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        pairs.clear();
        self.method.pairs(&self.registry, pairs, counts);
        self.registry.endless_pairs(pairs, counts);
        pairs.sort_unstable();
    }
}

/// The two keys in order.
#[inline]
fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}
