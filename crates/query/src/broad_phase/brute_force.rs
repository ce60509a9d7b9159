//! Every box against every other.

use super::{FinitePairs, Registry, ordered};
use crate::tree::Counts;
use freiraum_geometry::Aabb;

#[derive(Debug, Default)]
pub(super) struct BruteForce;

impl FinitePairs for BruteForce {
    fn insert(&mut self, _key: u32, _bounds: &Aabb) {}
    fn update(&mut self, _key: u32, _old: &Aabb, _new: &Aabb) {}
    fn remove(&mut self, _key: u32, _old: &Aabb) {}

    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        for (i, &key) in boxes.keys().iter().enumerate() {
            let bounds = boxes.get(key);
            for &other in &boxes.keys()[i + 1..] {
                counts.volume_tests += 1;
                if bounds.intersects(boxes.get(other)) {
                    pairs.push(ordered(key, other));
                }
            }
        }
    }
}
