//! Rays against a height field: over the cells that the ray passes, in its order.

use super::triangle::{Sheared, normal};
use super::{Ray, RayHit};
use freiraum_geometry::Vec3;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::HeightField;

/// The nearest triangle that the ray hits, from either side.
///
/// The grid is cut into strips across the longer horizontal component of the ray; in each strip the ray passes the few
/// cells between where it enters and where it leaves, widened by rounding, so that no cell beside a grid line is missed.
/// **Cost.** O(rows + columns); O(1) for upright rays.
pub(super) fn cast(field: &HeightField, ray: &Ray) -> Option<RayHit> {
    let (p, d) = (ray.origin, ray.direction);
    let (rows, columns) = (field.rows() - 1, field.columns() - 1);
    // Along axis 0 or 1 run the strips, across them the cells.
    let (strip_axis, cell_axis) = if d.x.abs() >= d.y.abs() { (0, 1) } else { (1, 0) };
    let counts = [columns, rows];
    let size = field.size();
    let step = [size[0] / columns as f64, size[1] / rows as f64];
    let [strips, cells] = [counts[strip_axis], counts[cell_axis]];
    let slack = rounding::coordinate(p.abs().max_element() + size[0] + size[1]);
    let index_at = |x: f64, axis: usize| (x + 0.5 * size[axis]) / step[axis];

    // The part of the ray over the rectangle along the strip axis.
    let line = |axis: usize| -> (f64, f64) {
        if d[axis] == 0.0 {
            let is_over = p[axis].abs() <= 0.5 * size[axis] + slack;
            return if is_over { (0.0, ray.max) } else { (1.0, 0.0) };
        }
        let ahead = (0.5 * size[axis] + slack).copysign(d[axis]);
        (((-ahead - p[axis]) / d[axis]).max(0.0), ((ahead - p[axis]) / d[axis]).min(ray.max))
    };
    let ((a, b), (c, e)) = (line(0), line(1));
    let (enter, leave) = (a.max(c), b.min(e));
    // As far as rounding may put the two ends apart.
    if !(enter <= leave + slack / d.abs().truncate().max_element().max(f64::MIN_POSITIVE)) {
        return None;
    }
    let clamped = |x: f64, count: usize| (x.max(0.0) as usize).min(count - 1);
    let place = |t: f64, axis: usize| if t.is_finite() { p[axis] + t * d[axis] } else { p[axis] };
    let (from, to) = (place(enter, strip_axis), place(leave, strip_axis));
    let (low, high) = (from.min(to) - slack, from.max(to) + slack);
    let first = clamped(index_at(low, strip_axis), strips);
    let last = clamped(index_at(high, strip_axis), strips);

    let sheared = Sheared::new(ray);
    let mut best: Option<(RayHit, [Vec3; 3])> = None;
    for k in 0..=last - first {
        let strip = if d[strip_axis] >= 0.0 { first + k } else { last - k };
        // Where the ray is over this strip.
        let edge = |i: usize| step[strip_axis] * i as f64 - 0.5 * size[strip_axis];
        let (mut t0, mut t1) = (enter, leave);
        if d[strip_axis] != 0.0 {
            let (x0, x1) = (edge(strip) - slack, edge(strip + 1) + slack);
            let (u, v) = ((x0 - p[strip_axis]) / d[strip_axis], (x1 - p[strip_axis]) / d[strip_axis]);
            (t0, t1) = (u.min(v).max(enter), u.max(v).min(leave));
        }
        if best.is_some_and(|(hit, _)| hit.distance < t0) {
            break;
        }
        let (y0, y1) = (place(t0, cell_axis), place(t1, cell_axis));
        let low = clamped(index_at(y0.min(y1) - 2.0 * slack, cell_axis), cells);
        let high = clamped(index_at(y0.max(y1) + 2.0 * slack, cell_axis), cells);
        for cell in low..=high {
            let (row, column) = if strip_axis == 0 { (cell, strip) } else { (strip, cell) };
            test_cell(field, row, column, ray, &sheared, &mut best);
        }
    }
    best.map(|(hit, corners)| RayHit { normal: normal(corners, ray), ..hit })
}

fn test_cell(
    field: &HeightField,
    row: usize,
    column: usize,
    ray: &Ray,
    sheared: &Sheared,
    best: &mut Option<(RayHit, [Vec3; 3])>,
) {
    let a = field.vertex(row, column);
    let b = field.vertex(row, column + 1);
    let c = field.vertex(row + 1, column + 1);
    let d = field.vertex(row + 1, column);
    let first = 2 * (row * (field.columns() - 1) + column) as u32;
    for (corners, face) in [([a, b, c], first), ([a, c, d], first + 1)] {
        let Some(crossing) = sheared.crossing(corners) else { continue };
        let distance = crossing.enter.max(0.0);
        let is_better = best
            .is_none_or(|(h, _)| distance < h.distance || (distance == h.distance && Some(face) < h.face));
        if crossing.leave >= 0.0 && distance <= ray.max && is_better {
            let hit = RayHit {
                distance,
                point: ray.at(distance),
                normal: Vec3::ZERO,
                face: Some(face),
                from_inside: crossing.from_back,
            };
            *best = Some((hit, corners));
        }
    }
}
