//! Top down, halving at the median object along the widest axis.

use super::{Builder, top_down};
use crate::tree::Form;
use freiraum_geometry::{Aabb, Vec3};

/// Splits along the axis on which the centres of the boxes spread most, half of the objects on each side.
///
/// The tree is as shallow as can be. **Cost.** O(n log n).
#[derive(Clone, Copy, Debug, Default)]
pub struct Median;

impl Builder for Median {
    fn form(&self, boxes: &[Aabb]) -> Form {
        let centers: Vec<Vec3> = boxes.iter().map(Aabb::center).collect();
        top_down(boxes.len(), |part| {
            let spread = part.iter().fold(Aabb::EMPTY, |b, &i| b.grown(centers[i as usize])).size();
            let axis = spread.max_position();
            let middle = part.len() / 2;
            // Equal centres are told apart by number, so that the answer does not depend on the method of selection.
            let key = |i: &u32| centers[*i as usize][axis];
            part.select_nth_unstable_by(middle, |i, j| key(i).total_cmp(&key(j)).then(i.cmp(j)));
            middle
        })
    }
}
