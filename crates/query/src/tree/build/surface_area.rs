//! Top down by the surface-area heuristic.

use super::{Builder, top_down};
use crate::tree::Form;
use freiraum_geometry::{Aabb, Vec3};

/// Splits where the sum over both sides of surface area times number of objects is least.
///
/// All cuts along all three axes are tried for small parts, sixteen per axis for large ones. **Cost.** O(n log n) for
/// ordinary scenes; O(n²) where every cut takes off a single object.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurfaceArea;

/// Parts up to this size are sorted and every cut is tried.
const SMALL: usize = 64;

/// Bins per axis for larger parts.
const BINS: usize = 16;

impl Builder for SurfaceArea {
    fn form(&self, boxes: &[Aabb]) -> Form {
        let centers: Vec<Vec3> = boxes.iter().map(Aabb::center).collect();
        let mut from_right = Vec::new();
        top_down(boxes.len(), |part| {
            let spread = part.iter().fold(Aabb::EMPTY, |b, &i| b.grown(centers[i as usize]));
            if part.len() > SMALL {
                if let Some(cut) = binned(part, boxes, &centers, &spread) {
                    return cut;
                }
                // All centres in one place: any halves are equally good.
                return part.len() / 2;
            }
            sorted(part, boxes, &centers, &mut from_right)
        })
    }
}

/// The best of all cuts; the part is left sorted along the axis of that cut.
fn sorted(part: &mut [u32], boxes: &[Aabb], centers: &[Vec3], from_right: &mut Vec<f64>) -> usize {
    let sort = |part: &mut [u32], axis: usize| {
        let key = |i: &u32| centers[*i as usize][axis];
        part.sort_unstable_by(|i, j| key(i).total_cmp(&key(j)).then(i.cmp(j)));
    };
    // Equal costs (all boxes without area, say) go to the most even cut, which keeps the tree shallow.
    let mut best = (f64::INFINITY, usize::MAX, 0, part.len() / 2);
    for axis in 0..3 {
        sort(part, axis);
        from_right.clear();
        let mut bounds = Aabb::EMPTY;
        for &i in part.iter().rev() {
            bounds = bounds.union(&boxes[i as usize]);
            from_right.push(bounds.half_area());
        }
        bounds = Aabb::EMPTY;
        for cut in 1..part.len() {
            bounds = bounds.union(&boxes[part[cut - 1] as usize]);
            let right = part.len() - cut;
            let cost = bounds.half_area() * cut as f64 + from_right[right - 1] * right as f64;
            let uneven = cut.abs_diff(right);
            if cost < best.0 || (cost == best.0 && uneven < best.1) {
                best = (cost, uneven, axis, cut);
            }
        }
    }
    // The part is sorted along z now.
    if best.2 != 2 {
        sort(part, best.2);
    }
    best.3
}

/// The best cut between bins; `None` if all centres are in one bin on every axis.
fn binned(part: &mut [u32], boxes: &[Aabb], centers: &[Vec3], spread: &Aabb) -> Option<usize> {
    let size = spread.size();
    let bin = |i: u32, axis: usize| {
        let share = (centers[i as usize][axis] - spread.min[axis]) / size[axis];
        // A share that is not a number becomes bin 0.
        ((share * BINS as f64) as usize).min(BINS - 1)
    };
    let mut best = (f64::INFINITY, 0, 0);
    for axis in (0..3).filter(|&axis| size[axis] > 0.0) {
        let mut bins = [(Aabb::EMPTY, 0usize); BINS];
        for &i in part.iter() {
            let (bounds, count) = &mut bins[bin(i, axis)];
            *bounds = bounds.union(&boxes[i as usize]);
            *count += 1;
        }
        let mut right_costs = [0.0; BINS];
        let (mut bounds, mut count) = (Aabb::EMPTY, 0);
        for cut in (1..BINS).rev() {
            bounds = bounds.union(&bins[cut].0);
            count += bins[cut].1;
            right_costs[cut] = bounds.half_area() * count as f64;
        }
        (bounds, count) = (Aabb::EMPTY, 0);
        for cut in 1..BINS {
            bounds = bounds.union(&bins[cut - 1].0);
            count += bins[cut - 1].1;
            let cost = bounds.half_area() * count as f64 + right_costs[cut];
            if count > 0 && count < part.len() && cost < best.0 {
                best = (cost, axis, cut);
            }
        }
    }
    let (cost, axis, cut) = best;
    if cost == f64::INFINITY {
        return None;
    }
    // Sorting by (side, number) keeps the order of the objects independent of the method of partition.
    part.sort_unstable_by_key(|&i| (bin(i, axis) >= cut, i));
    Some(part.partition_point(|&i| bin(i, axis) < cut))
}
