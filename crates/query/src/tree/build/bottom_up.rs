//! Bottom up: near objects are joined first.

use super::Builder;
use crate::tree::Form;
use freiraum_geometry::{Aabb, Vec3};

/// Joins, over and over, all pairs of parts that are each other's best partner: the one with the smallest common box.
///
/// Partners are sought among the neighbours along a space-filling curve, so the whole is near-linear; up to
/// seventeen objects all pairs are looked at. **Cost.** O(n log n).
#[derive(Clone, Copy, Debug, Default)]
pub struct BottomUp;

/// How many neighbours on either side along the curve a part is held against.
const WINDOW: usize = 16;

impl Builder for BottomUp {
    fn form(&self, boxes: &[Aabb]) -> Form {
        let mut form = Form::new(boxes.len());
        let mut parts: Vec<(u32, Aabb)> = along_curve(boxes);
        let mut partners: Vec<usize> = Vec::new();
        let mut joined: Vec<(u32, Aabb)> = Vec::new();
        while parts.len() > 1 {
            partners.clear();
            partners.extend((0..parts.len()).map(|i| best_partner(&parts, i)));
            joined.clear();
            for (i, part) in parts.iter().enumerate() {
                let partner = partners[i];
                let is_mutual = partners[partner] == i;
                if is_mutual && i < partner {
                    let (other, bounds) = parts[partner];
                    joined.push((form.join(&[part.0, other]), part.1.union(&bounds)));
                } else if !is_mutual {
                    joined.push(*part);
                }
            }
            std::mem::swap(&mut parts, &mut joined);
        }
        form
    }
}

/// The neighbour with the smallest common box; the first one among equals.
///
/// The pair with the smallest box of all, the first among equals, is mutual, so every round joins something.
fn best_partner(parts: &[(u32, Aabb)], i: usize) -> usize {
    let window = i.saturating_sub(WINDOW)..(i + WINDOW + 1).min(parts.len());
    let cost = |j: &usize| parts[i].1.union(&parts[*j].1).half_area();
    let others = window.filter(|&j| j != i);
    others.min_by(|j, k| cost(j).total_cmp(&cost(k)).then(j.cmp(k))).unwrap_or(i)
}

/// The objects in the order of a space-filling curve through the centres of their boxes.
fn along_curve(boxes: &[Aabb]) -> Vec<(u32, Aabb)> {
    let spread = boxes.iter().fold(Aabb::EMPTY, |b, x| b.grown(x.center()));
    let mut order: Vec<(u64, u32)> = boxes
        .iter()
        .enumerate()
        .map(|(i, b)| (morton((b.center() - spread.min) / spread.size()), i as u32))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, i)| (i, boxes[i as usize])).collect()
}

/// The bits of three shares in [0, 1] (not a number counts as 0), interleaved.
fn morton(share: Vec3) -> u64 {
    const BITS: u32 = 20;
    let cells = (share * f64::from(1u32 << BITS)).to_array().map(|c| (c as u64).min((1 << BITS) - 1));
    (0..BITS).fold(0, |code, bit| {
        code | (0..3).fold(0, |bits, axis| bits | ((cells[axis] >> bit & 1) << (3 * bit + axis as u32)))
    })
}
