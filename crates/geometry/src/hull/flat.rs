//! The hull of points in one plane: a sweep over the points sorted along one coordinate axis.

use super::FlatHull;
use crate::math::predicates::side_of_line;
use crate::math::{Vec2, Vec3};
use std::cmp::Ordering;

/// The outline of points that lie exactly in the plane of `corners`, three of them that are not on one line.
pub(super) fn hull(points: &[Vec3], corners: [u32; 3]) -> FlatHull {
    let [a, b, c] = corners.map(|i| points[i as usize]);
    let axis = drop_axis(a, b, c);
    let flat: Vec<Vec2> = points.iter().map(|&p| project(p, axis)).collect();
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let place = |i: u32| flat[i as usize];
    order.sort_unstable_by(|&i, &j| {
        let (p, q) = (place(i), place(j));
        // Adding zero makes minus zero and zero the same place.
        (p.x + 0.0).total_cmp(&(q.x + 0.0)).then((p.y + 0.0).total_cmp(&(q.y + 0.0))).then(i.cmp(&j))
    });
    order.dedup_by(|later, first| place(*later) == place(*first));

    let mut outline: Vec<u32> = Vec::new();
    for pass in 0..2 {
        let start = outline.len();
        for &i in &order {
            while outline.len() >= start + 2
                && side_of_line(
                    place(outline[outline.len() - 2]),
                    place(outline[outline.len() - 1]),
                    place(i),
                ) != Ordering::Greater
            {
                outline.pop();
            }
            outline.push(i);
        }
        outline.pop(); // the last point of this half is the first of the other
        if pass == 0 {
            order.reverse();
        }
    }
    let first = (0..outline.len()).min_by_key(|&k| outline[k]).unwrap_or(0);
    outline.rotate_left(first);
    FlatHull { normal: normal(points, &outline, axis), outline }
}

/// The coordinate to leave out so that the triangle keeps its area; the largest one that is sure to be exact.
pub(super) fn drop_axis(a: Vec3, b: Vec3, c: Vec3) -> usize {
    let n = (b - a).cross(c - a).abs();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| n[j].total_cmp(&n[i]));
    let keeps_area = |&&k: &&usize| side_of_line(project(a, k), project(b, k), project(c, k)).is_ne();
    *axes.iter().find(keeps_area).unwrap_or(&axes[0])
}

/// The two coordinates other than `axis`, in the order that keeps counter-clockwise seen from the axis' tip.
pub(super) fn project(p: Vec3, axis: usize) -> Vec2 {
    match axis {
        0 => Vec2::new(p.y, p.z),
        1 => Vec2::new(p.z, p.x),
        _ => Vec2::new(p.x, p.y),
    }
}

/// Newell's normal of the outline relative to its first corner; the dropped axis where that rounds to nothing.
fn normal(points: &[Vec3], outline: &[u32], axis: usize) -> Vec3 {
    let origin = points[outline[0] as usize];
    let rim = |k: usize| points[outline[k] as usize] - origin;
    let scale = (1..outline.len()).map(|k| rim(k).abs().max_element()).fold(0.0, f64::max);
    let sum: Vec3 = (2..outline.len()).map(|k| (rim(k - 1) / scale).cross(rim(k) / scale)).sum();
    sum.try_normalize().unwrap_or(Vec3::AXES[axis])
}
