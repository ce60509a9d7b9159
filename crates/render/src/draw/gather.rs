//! Pieces of one face painted together.
//!
//! Between two pieces of a face the order of the tree may paint other things, whose smooth borders would leave a faint line along the cut.
//! A piece can be painted later as long as nothing that is painted in between covers any of it.

use super::bsp::Polygons;
use freiraum_geometry::{Vec2, Vec3};
use std::collections::BTreeMap;

/// Comparisons of boxes that are made at most; what is left then stays where it is.
const BUDGET: usize = 40_000_000;

/// The same order with pieces of a face delayed to the last one of them, where that changes nothing of the picture.
pub(crate) fn gathered(order: &[u32], polygons: &Polygons, tolerance: f64) -> Vec<u32> {
    let boxes: Vec<[Vec2; 2]> = order.iter().map(|polygon| flat_box(polygons.corners(*polygon))).collect();
    let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    order
        .iter()
        .enumerate()
        .for_each(|(place, polygon)| places.entry(polygons.face(*polygon)).or_default().push(place));
    // Where each is painted. Whatever covers a piece stands after its new place, and can only be delayed further: the picture stays.
    let mut painted_at: Vec<usize> = (0..order.len()).collect();
    let mut left = BUDGET;
    for places in places.values().filter(|places| places.len() > 1) {
        let end = places[places.len() - 1];
        for &place in places[..places.len() - 1].iter().rev() {
            let between = end - place;
            if left < between {
                break;
            }
            left -= between;
            let is_covered = |other: usize| {
                are_near(&boxes[place], &boxes[other], tolerance)
                    && polygons.face(order[other]) != polygons.face(order[place])
                    && overlap(polygons.corners(order[place]), polygons.corners(order[other]), tolerance)
            };
            if !(place + 1..end).any(is_covered) {
                painted_at[place] = end;
            }
        }
    }
    let mut sorted: Vec<usize> = (0..order.len()).collect();
    sorted.sort_by_key(|place| (painted_at[*place], *place));
    sorted.into_iter().map(|place| order[place]).collect()
}

fn flat_box(corners: &[Vec3]) -> [Vec2; 2] {
    let empty = [Vec2::INFINITY, Vec2::NEG_INFINITY];
    corners.iter().fold(empty, |[lo, hi], p| [lo.min(p.truncate()), hi.max(p.truncate())])
}

fn are_near(a: &[Vec2; 2], b: &[Vec2; 2], tolerance: f64) -> bool {
    let gap = (b[0] - a[1]).max(a[0] - b[1]).max_element();
    gap < -tolerance
}

/// True if two convex polygons, counter-clockwise on paper, overlap by more than the tolerance.
fn overlap(a: &[Vec3], b: &[Vec3], tolerance: f64) -> bool {
    let has_side_between = |a: &[Vec3], b: &[Vec3]| {
        let next = a.iter().skip(1).chain(a.first());
        a.iter().zip(next).any(|(p, q)| {
            let (p, q) = (p.truncate(), q.truncate());
            let Some(along) = (q - p).try_normalize() else { return false };
            b.iter().all(|x| along.perp_dot(x.truncate() - p) <= tolerance)
        })
    };
    !has_side_between(a, b) && !has_side_between(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64) -> [Vec3; 4] {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(dx, dy)| Vec3::new(x + dx, y + dy, 0.0))
    }

    fn check(squares: &[(u32, f64, f64)], expected: &[u32]) {
        let mut polygons = Polygons::default();
        squares.iter().for_each(|(face, x, y)| polygons.push(*face, &square(*x, *y)));
        let order: Vec<u32> = (0..squares.len() as u32).collect();
        assert_eq!(gathered(&order, &polygons, 1e-9), expected);
    }

    #[test]
    fn pieces_wait_for_each_other_unless_something_covers_them() {
        // A stranger beside the first piece, touching it at most.
        check(&[(0, 0.0, 0.0), (1, 1.0, 0.0), (0, 0.0, 1.0)], &[1, 0, 2]);
        // A stranger over it.
        check(&[(0, 0.0, 0.0), (1, 0.5, 0.0), (0, 0.0, 1.0)], &[0, 1, 2]);
        // Two faces in turn.
        check(&[(0, 0.0, 0.0), (1, 5.0, 0.0), (0, 0.0, 1.0), (1, 5.0, 1.0)], &[0, 2, 1, 3]);
        check(&[], &[]);
    }
}
