//! Boxes in the order of their beginnings along one axis.

use super::{FinitePairs, Registry, ordered};
use crate::tree::Counts;
use freiraum_geometry::{Aabb, Vec3};

/// Only boxes that overlap along the axis are tested. The axis is the one along which the centres spread most.
#[derive(Debug, Default)]
pub(super) struct SweepAndPrune {
    /// Sorted at the last call of `pairs`, hence nearly sorted at the next.
    order: Vec<u32>,
    axis: usize,
}

impl FinitePairs for SweepAndPrune {
    fn insert(&mut self, key: u32, _bounds: &Aabb) {
        self.order.push(key);
    }

    fn update(&mut self, _key: u32, _old: &Aabb, _new: &Aabb) {}

    fn remove(&mut self, key: u32, _old: &Aabb) {
        self.order.retain(|&k| k != key);
    }

    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        self.axis = widest_axis(boxes, self.axis);
        let axis = self.axis;
        let start = |key: u32| boxes.get(key).min[axis];
        sort_nearly_sorted(&mut self.order, |a, b| (start(a), a) < (start(b), b));
        for (i, &key) in self.order.iter().enumerate() {
            let bounds = boxes.get(key);
            for &other in &self.order[i + 1..] {
                if start(other) > bounds.max[axis] {
                    break;
                }
                counts.volume_tests += 1;
                if bounds.intersects(boxes.get(other)) {
                    pairs.push(ordered(key, other));
                }
            }
        }
    }
}

/// The axis with the largest spread of centres, unless the present one is nearly as good.
fn widest_axis(boxes: &Registry, present: usize) -> usize {
    let count = boxes.keys().len().max(1) as f64;
    let mean = boxes.keys().iter().fold(Vec3::ZERO, |sum, &k| sum + boxes.get(k).center() / count);
    let spread = boxes.keys().iter().fold(Vec3::ZERO, |sum, &k| sum + (boxes.get(k).center() - mean).abs());
    let widest = spread.max_position();
    if spread[widest] > 1.5 * spread[present] { widest } else { present }
}

/// Insertion sort, linear for what is nearly sorted; a full sort takes over when much has changed.
fn sort_nearly_sorted(order: &mut [u32], is_before: impl Fn(u32, u32) -> bool) {
    let mut budget = 8 * order.len();
    for i in 1..order.len() {
        let key = order[i];
        let mut at = i;
        while at > 0 && is_before(key, order[at - 1]) {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = key;
        match budget.checked_sub(i - at) {
            Some(left) => budget = left,
            None => {
                order.sort_unstable_by(|&a, &b| is_before(b, a).cmp(&is_before(a, b)));
                return;
            }
        }
    }
}
