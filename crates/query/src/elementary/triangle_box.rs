//! The closest points of a triangle and a solid box with axis-parallel edges, and the exact test whether they meet.

use super::Nearest;
use super::point_triangle::Frame;
use super::segment_triangle::common_point;
use super::straight_box::{point_box, straight_box};
use super::triangles_intersect::triangles_intersect;
use freiraum_geometry::{Aabb, Vec3};

/// True if the closed triangle and the closed solid box have a point in common; touching counts.
///
/// **Guarantee.** Exact for the coordinates given. **Degenerate input.** Triangles without area and boxes without
/// thickness are what their corners span; an empty box meets nothing.
pub fn triangle_box_intersect(a: [Vec3; 3], b: &Aabb) -> bool {
    let (low, high) = (a[0].min(a[1]).min(a[2]), a[0].max(a[1]).max(a[2]));
    if !(low.cmple(b.max).all() && b.min.cmple(high).all()) || b.is_empty() {
        return false;
    }
    if a.iter().any(|&p| b.contains(p)) {
        return true;
    }
    match by_axes(a, b) {
        Some(answer) => answer,
        // A triangle without a corner in the box meets it exactly if it meets one of its faces.
        None => faces(b).into_iter().any(|face| triangles_intersect(a, face)),
    }
}

/// Separating axes across the triangle and across pairs of edges; `None` where rounding leaves the answer open.
fn by_axes(a: [Vec3; 3], b: &Aabb) -> Option<bool> {
    let (center, half) = (b.center(), 0.5 * (b.max - b.min));
    let v = a.map(|p| p - center);
    let edges = [a[1] - a[0], a[2] - a[1], a[0] - a[2]];
    let size = v[0].abs().max(v[1].abs()).max(v[2].abs()).max(half).max_element();
    let length = edges[0].abs().max(edges[1].abs()).max(edges[2].abs()).max_element();
    // The middle is rounded with the size of the coordinates, everything else with that of the differences.
    let unit = f64::EPSILON * (2.0 * b.reach() + 8.0 * size) + f64::MIN_POSITIVE;
    let mut is_certain = true;
    // True if the axis parts them for certain. The error is that of a projection on the axis.
    let mut parts = |axis: Vec3, error: f64| {
        let [p, q, r] = v.map(|p| axis.dot(p));
        let radius = axis.abs().dot(half);
        let gap = (p.min(q).min(r) - radius).max(-p.max(q).max(r) - radius);
        is_certain &= gap < -error;
        gap > error
    };
    // Each projection has three terms of at most size times the largest component of the axis, and that has itself
    // at most a few roundings of its largest term.
    if parts(edges[0].cross(edges[1]), 32.0 * unit * length * length) {
        return Some(false);
    }
    for edge in edges {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            if parts(axis.cross(edge), 8.0 * unit * length) {
                return Some(false);
            }
        }
    }
    is_certain.then_some(true)
}

/// The closest points of a triangle and a solid box, which is not empty.
///
/// **Guarantee.** Zero if [`triangle_box_intersect`], with both points the same; otherwise zero only where the gap is below
/// the rounding of the points.
/// **Degenerate input.** As there.
pub fn triangle_box(a: [Vec3; 3], b: &Aabb) -> Nearest {
    let frame = Frame::new(a);
    let edges = (0..3).map(|i| straight_box([a[i], a[(i + 1) % 3]], b));
    let mut best = edges.reduce(Nearest::or_nearer).unwrap_or(point_box(a[0], b));
    if best.distance_squared == 0.0 {
        return Nearest::common(best.point_on_b);
    }
    if triangle_box_intersect(a, b) {
        // If no edge reaches the box, one of the edges of the box passes through the triangle.
        let (center, half) = (b.center(), 0.5 * (b.max - b.min));
        for edge in super::box_box::edges(half) {
            let p = common_point(edge.map(|p| (p + center).clamp(b.min, b.max)), &frame);
            best = best.or_nearer(Nearest::of_points(frame.closest(p), p));
        }
        return Nearest::common(best.point_on_b);
    }
    for p in b.corners() {
        if let Some(foot) = frame.foot(p) {
            best = best.or_nearer(Nearest::of_points(foot, p));
        }
    }
    best
}

/// Two triangles for each face.
fn faces(b: &Aabb) -> [[Vec3; 3]; 12] {
    let c = b.corners();
    std::array::from_fn(|i| {
        let (axis, far, half) = (i / 4, i / 2 % 2, i % 2);
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let base = far << axis;
        if half == 0 {
            [c[base], c[base | u], c[base | v]]
        } else {
            [c[base | u], c[base | v], c[base | u | v]]
        }
    })
}
