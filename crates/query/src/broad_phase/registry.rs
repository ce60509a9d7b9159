//! The boxes of a broad phase: finite ones, endless ones, empty ones.

use super::ordered;
use crate::tree::Counts;
use freiraum_geometry::{Aabb, Vec3};

/// Which list a key is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum List {
    #[default]
    Absent,
    Empty,
    Finite,
    Endless,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    bounds: Aabb,
    list: List,
    /// Position in its list.
    place: u32,
}

const VACANT: Slot = Slot { bounds: Aabb::EMPTY, list: List::Absent, place: 0 };

/// What a change means for the finite boxes.
pub(super) struct Change {
    pub(super) old: Option<Aabb>,
    pub(super) new: Option<Aabb>,
}

#[derive(Debug, Default)]
pub(super) struct Registry {
    slots: Vec<Slot>,
    finite: Vec<u32>,
    endless: Vec<u32>,
}

impl Registry {
    /// The keys with finite boxes, in no particular order.
    pub(super) fn keys(&self) -> &[u32] {
        &self.finite
    }

    /// The box of a key that is there.
    #[inline]
    pub(super) fn get(&self, key: u32) -> &Aabb {
        &self.slots[key as usize].bounds
    }

    /// All finite boxes in one.
    pub(super) fn bounds(&self) -> Aabb {
        self.finite.iter().fold(Aabb::EMPTY, |b, &key| b.union(self.get(key)))
    }

    pub(super) fn set(&mut self, key: u32, bounds: Aabb) -> Change {
        let bounds = without_nan(bounds);
        let list = if bounds.is_empty() {
            List::Empty
        } else if bounds.min.is_finite() && bounds.max.is_finite() {
            List::Finite
        } else {
            List::Endless
        };
        self.change(key, bounds, list)
    }

    pub(super) fn remove(&mut self, key: u32) -> Change {
        self.change(key, Aabb::EMPTY, List::Absent)
    }

    fn change(&mut self, key: u32, bounds: Aabb, list: List) -> Change {
        let at = key as usize;
        if at >= self.slots.len() {
            self.slots.resize(at + 1, VACANT);
        }
        let old = self.slots[at];
        if old.list != list {
            if let Some(keys) = self.list(old.list) {
                keys.swap_remove(old.place as usize);
                if let Some(&moved) = keys.get(old.place as usize) {
                    self.slots[moved as usize].place = old.place;
                }
            }
            if let Some(keys) = self.list(list) {
                keys.push(key);
                self.slots[at].place = keys.len() as u32 - 1;
            }
        }
        self.slots[at].bounds = bounds;
        self.slots[at].list = list;
        let finite = |bounds: Aabb, list: List| (list == List::Finite).then_some(bounds);
        Change { old: finite(old.bounds, old.list), new: finite(bounds, list) }
    }

    fn list(&mut self, list: List) -> Option<&mut Vec<u32>> {
        match list {
            List::Finite => Some(&mut self.finite),
            List::Endless => Some(&mut self.endless),
            List::Absent | List::Empty => None,
        }
    }

    /// Appends the pairs in which at least one box is endless.
    pub(super) fn endless_pairs(&self, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        for (i, &key) in self.endless.iter().enumerate() {
            for &other in self.endless[i + 1..].iter().chain(&self.finite) {
                counts.volume_tests += 1;
                if self.get(key).intersects(self.get(other)) {
                    pairs.push(ordered(key, other));
                }
            }
        }
    }
}

/// A bound that is not a number might be anything: the box has no end there.
fn without_nan(bounds: Aabb) -> Aabb {
    Aabb {
        min: Vec3::select(bounds.min.is_nan_mask(), Vec3::NEG_INFINITY, bounds.min),
        max: Vec3::select(bounds.max.is_nan_mask(), Vec3::INFINITY, bounds.max),
    }
}
