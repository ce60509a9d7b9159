//! The closest points of two triangles.
//!
//! They lie on two edges, or on a corner of one triangle and the face of the other. A pair of points is known to be the
//! closest when the planes through them across their connection part the triangles: then the search ends.

use super::Nearest;
use super::point_triangle::Frame;
use super::segment_segment::{along, parameters};
use super::segment_triangle::common_point;
use super::triangles_intersect::{Heights, sections_meet};
use freiraum_geometry::Vec3;

/// The closest points of two triangles.
///
/// **Guarantee.** Zero exactly if [`triangles_intersect`](super::triangles_intersect()); both points are then the same.
/// **Degenerate input.** Triangles without area are the segment or point that their corners span.
pub fn triangle_triangle(a: [Vec3; 3], b: [Vec3; 3]) -> Nearest {
    let (over_a, over_b) = (Heights::new(a, b), Heights::new(b, a));
    if meet(a, b, &over_a, &over_b) {
        Nearest::common(shared_point(a, b))
    } else {
        apart(a, b, &over_a, &over_b)
    }
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
    let found = if meet(a, b, &over_a, &over_b) {
        Nearest::common(shared_point(a, b))
    } else {
        apart(a, b, &over_a, &over_b)
    };
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
    if frame_a.is_wide()
        && let Some(p) = lowest(over_a, b)
        && let Some(foot) = frame_a.foot(p)
    {
        return Nearest::of_points(foot, p);
    }
    if frame_b.is_wide()
        && let Some(p) = lowest(over_b, a)
        && let Some(foot) = frame_b.foot(p)
    {
        return Nearest::of_points(p, foot);
    }
    let mut best = Nearest { distance_squared: f64::INFINITY, point_on_a: a[0], point_on_b: b[0] };
    for i in 0..3 {
        let [ea0, ea1, ea2] = from(&frame_a, i);
        let (u, uu) = (frame_a.edges[i], frame_a.squares[i]);
        for j in 0..3 {
            let [eb0, eb1, eb2] = from(&frame_b, j);
            let (v, vv) = (frame_b.edges[j], frame_b.squares[j]);
            let (s, t) = parameters(u, v, uu, vv, eb0 - ea0);
            let (p, q) = (along([ea0, ea1], u, s), along([eb0, eb1], v, t));
            let between = q - p;
            let distance_squared = between.length_squared();
            if distance_squared >= best.distance_squared {
                continue;
            }
            best = Nearest { distance_squared, point_on_a: p, point_on_b: q };
            // Planes across the connection that part the triangles. Between inner points of edges it has the
            // direction of their cross product, which is accurate however close they are.
            let is_inside = |x: f64| x > 0.0 && x < 1.0;
            let proven = if is_inside(s) && is_inside(t) {
                let n = u.cross(v);
                let n = if n.dot(between) < 0.0 { -n } else { n };
                n.dot(ea2 - ea0) <= 0.0 && n.dot(eb2 - eb0) >= 0.0 && n.length_squared() >= 0.0625 * uu * vv
            } else {
                let up = between.dot(ea0 - p).max(between.dot(ea1 - p)).max(between.dot(ea2 - p));
                let down = between.dot(eb0 - q).min(between.dot(eb1 - q)).min(between.dot(eb2 - q));
                up - down <= 8.0 * f64::EPSILON * distance_squared
            };
            if proven {
                return best;
            }
        }
    }
    // Rounding hid what would have ended the search, or a triangle has no area.
    for p in a {
        if let Some(foot) = frame_b.foot(p) {
            best = best.or_nearer(Nearest::of_points(p, foot));
        }
    }
    for p in b {
        if let Some(foot) = frame_a.foot(p) {
            best = best.or_nearer(Nearest::of_points(foot, p));
        }
    }
    best
}

/// The corners from the i-th on.
#[inline]
fn from(frame: &Frame, i: usize) -> [Vec3; 3] {
    [frame.corners[i], frame.corners[(i + 1) % 3], frame.corners[(i + 2) % 3]]
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
#[cold]
fn shared_point(a: [Vec3; 3], b: [Vec3; 3]) -> Vec3 {
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
