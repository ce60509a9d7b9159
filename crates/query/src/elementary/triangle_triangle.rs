//! The closest points of two triangles.
//!
//! They lie on two edges, or on a corner of one triangle and the face of the other. The latter only if that corner is the
//! lowest of a triangle all on one side of the plane of the other.

use super::Nearest;
use super::closest_edges::closest_edges;
use super::point_triangle::Frame;
use super::segment_triangle::common_point;
use super::triangles_intersect::{Heights, sections_meet};
use freiraum_geometry::Vec3;

/// The closest points of two triangles.
///
/// **Guarantee.** Zero exactly if [`triangles_intersect`](super::triangles_intersect()); both points are then the same.
/// **Degenerate input.** Triangles without area are the segment or point that their corners span.
pub fn triangle_triangle(a: [Vec3; 3], b: [Vec3; 3]) -> Nearest {
    let (over_a, over_b) = (Heights::new(a, b), Heights::new(b, a));
    closest(a, b, &over_a, &over_b)
}

/// The closest points of two triangles if the square of their distance is below `limit_squared`.
///
/// As [`triangle_triangle`], but much quicker where the planes of the triangles already show that they are too far
/// from each other: for searches that have found something closer before.
pub fn triangle_triangle_below(a: [Vec3; 3], b: [Vec3; 3], limit_squared: f64) -> Option<Nearest> {
    let over_a = Heights::new(a, b);
    if is_beyond(&over_a, limit_squared) {
        return None;
    }
    let over_b = Heights::new(b, a);
    if is_beyond(&over_b, limit_squared) {
        return None;
    }
    let found = closest(a, b, &over_a, &over_b);
    (found.distance_squared < limit_squared).then_some(found)
}

/// True if the points are certainly all on one side of the plane, and at least as far as the limit.
#[inline]
fn is_beyond(over: &Heights, limit_squared: f64) -> bool {
    if !over.are_apart() {
        return false;
    }
    let [h, k, l] = over.height.map(f64::abs);
    let gap = h.min(k).min(l) - over.error;
    // Rounding of the two squares is covered by the error bound, which has room for it.
    gap > 0.0 && gap * gap >= limit_squared * over.normal.length_squared()
}

#[inline]
fn closest(a: [Vec3; 3], b: [Vec3; 3], over_a: &Heights, over_b: &Heights) -> Nearest {
    if meet(a, b, over_a, over_b) { Nearest::common(shared_point(a, b)) } else { apart(a, b, over_a, over_b) }
}

#[inline]
fn meet(a: [Vec3; 3], b: [Vec3; 3], over_a: &Heights, over_b: &Heights) -> bool {
    if over_a.are_apart() || over_b.are_apart() {
        return false;
    }
    let Some(b_sides) = over_a.sides(a, b) else { return false };
    let Some(a_sides) = over_b.sides(b, a) else { return false };
    sections_meet(a, b, a_sides, b_sides)
}

/// The closest points of triangles without a common point.
fn apart(a: [Vec3; 3], b: [Vec3; 3], over_a: &Heights, over_b: &Heights) -> Nearest {
    let (frame_a, frame_b) = (Frame::new(a), Frame::new(b));
    // A corner over a face, if all of its triangle is at least as high.
    let (low_b, low_a) = (lowest(over_a, b), lowest(over_b, a));
    let are_wide = frame_a.is_wide() && frame_b.is_wide();
    if are_wide {
        if let Some(p) = low_b
            && let Some(foot) = frame_a.foot(p)
        {
            return Nearest::of_points(foot, p);
        }
        if let Some(p) = low_a
            && let Some(foot) = frame_b.foot(p)
        {
            return Nearest::of_points(p, foot);
        }
    }
    let best = closest_edges(&frame_a, &frame_b);
    if are_wide && (low_a.is_some() || low_b.is_some()) {
        // No corner is closest to a face: that one would be the lowest of a triangle on one side of the plane.
        return best;
    }
    let feet_on_b = a.into_iter().filter_map(|p| frame_b.foot(p).map(|foot| Nearest::of_points(p, foot)));
    let feet_on_a = b.into_iter().filter_map(|p| frame_a.foot(p).map(|foot| Nearest::of_points(foot, p)));
    feet_on_a.chain(feet_on_b).fold(best, Nearest::or_nearer)
}

/// The corner next to the plane if all lie certainly on one side of it.
#[inline]
fn lowest(over: &Heights, corners: [Vec3; 3]) -> Option<Vec3> {
    let [h, k, l] = over.height.map(f64::abs);
    let at = if h <= k && h <= l {
        0
    } else if k <= l {
        1
    } else {
        2
    };
    over.are_apart().then_some(corners[at])
}

/// A point that lies in both triangles, to rounding, for those that meet.
fn shared_point(a: [Vec3; 3], b: [Vec3; 3]) -> Vec3 {
    let (frame_a, frame_b) = (Frame::new(a), Frame::new(b));
    // Where an edge of one passes through the other.
    if frame_a.is_wide() && frame_b.is_wide() {
        for (from, through) in [(&frame_a, &frame_b), (&frame_b, &frame_a)] {
            for i in 0..3 {
                let s = through.plane_parameter(from.corners[i], from.edges[i]);
                let point = from.on_edge(i, s);
                if (0.0..=1.0).contains(&s) && through.foot(point).is_some() {
                    return point;
                }
            }
        }
    }
    shared_point_of_any(a, b)
}

#[cold]
fn shared_point_of_any(a: [Vec3; 3], b: [Vec3; 3]) -> Vec3 {
    let mut best = Nearest { distance_squared: f64::INFINITY, point_on_a: a[0], point_on_b: b[0] };
    for (s, t) in [(a, b), (b, a)] {
        let frame = Frame::new(t);
        for i in 0..3 {
            let p = common_point([s[i], s[(i + 1) % 3]], &frame);
            best = best.or_nearer(Nearest::of_points(p, frame.closest(p)));
        }
    }
    best.point_on_a
}
