//! Overlapping pairs by a dynamic AABB tree of fat boxes, as in Box2D: a box that stays within its fat box costs
//! nothing in the tree, and the pairs of fat boxes that overlap are kept from step to step.

use super::dynamic_tree::{DynamicTree, Leaf};
use super::{FinitePairs, Registry, ordered};
use crate::tree::Counts;
use freiraum_geometry::Aabb;

/// Only boxes that left their fat box are sought anew.
#[derive(Debug, Default)]
pub(super) struct FatBoxes {
    tree: DynamicTree,
    /// Leaf of each key.
    leaf_of: Vec<Option<Leaf>>,
    /// Keys with a new fat box since the last call of `pairs`, and the same as a flag for each key.
    fresh: Vec<u32>,
    is_fresh: Vec<bool>,
    /// Pairs of overlapping fat boxes, without those of fresh keys.
    near: Vec<(u32, u32)>,
}

/// Room on each side, as a share of the longest edge of the box.
const ROOM: f64 = 0.1;

fn fat(bounds: &Aabb) -> Aabb {
    let room = ROOM * bounds.size().max_element();
    Aabb { min: bounds.min - room, max: bounds.max + room }
}

impl FatBoxes {
    fn mark_fresh(&mut self, key: u32) {
        if !std::mem::replace(&mut self.is_fresh[key as usize], true) {
            self.fresh.push(key);
        }
    }

    /// Brings the pairs of overlapping fat boxes up to date.
    fn find_near(&mut self, counts: &mut Counts) {
        if self.fresh.is_empty() {
            return;
        }
        let FatBoxes { tree, leaf_of, fresh, is_fresh, near } = self;
        near.retain(|&(a, b)| !is_fresh[a as usize] && !is_fresh[b as usize]);
        for &key in &*fresh {
            // None if it was removed since.
            let Some(leaf) = leaf_of[key as usize] else { continue };
            let own = *tree.bounds(leaf);
            counts.volume_tests += tree.overlapping(&own, |other| {
                // Of two fresh keys the smaller one finds the pair.
                let is_found_by_other = is_fresh[other as usize] && other <= key;
                if !is_found_by_other {
                    near.push(ordered(key, other));
                }
            });
        }
        for key in fresh.drain(..) {
            is_fresh[key as usize] = false;
        }
    }
}

impl FinitePairs for FatBoxes {
    fn insert(&mut self, key: u32, bounds: &Aabb) {
        if self.leaf_of.len() <= key as usize {
            self.leaf_of.resize(key as usize + 1, None);
            self.is_fresh.resize(key as usize + 1, false);
        }
        self.leaf_of[key as usize] = Some(self.tree.insert(key, fat(bounds)));
        self.mark_fresh(key);
    }

    fn update(&mut self, key: u32, _old: &Aabb, new: &Aabb) {
        let Some(leaf) = self.leaf_of[key as usize] else { return self.insert(key, new) };
        let room = self.tree.bounds(leaf);
        let is_inside = room.contains(new.min) && room.contains(new.max);
        // A fat box that is far too large for its box finds pairs that are none.
        let is_fitting = room.size().max_element() <= 2.0 * new.size().max_element();
        if !(is_inside && is_fitting) {
            self.tree.change(leaf, fat(new));
            self.mark_fresh(key);
        }
    }

    fn remove(&mut self, key: u32, _old: &Aabb) {
        if let Some(leaf) = self.leaf_of[key as usize].take() {
            self.tree.remove(leaf);
        }
        self.mark_fresh(key);
    }

    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        self.find_near(counts);
        counts.volume_tests += self.near.len() as u64;
        pairs.extend(self.near.iter().filter(|&&(a, b)| boxes.get(a).intersects(boxes.get(b))));
    }
}
