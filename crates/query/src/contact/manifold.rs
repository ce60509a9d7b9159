//! The corners of the polygon in which two convex shapes meet.
//!
//! If a flat side of one shape faces the other (within [`FACING`]), the other's side, edge or corner is clipped against
//! it; what lies below it is in contact. Parallel straight lines of round shapes meet in two points. Everything
//! else meets in one.

use super::feature::{Face, face_towards, ridge_towards};
use super::polygon::Polygon;
use super::{ContactPoint, single};
use crate::Closest;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};

/// Least cosine between a side's normal and the direction of contact for the side to count as resting: 2.6 degrees. Bodies
/// that stand a little askew keep all their contacts, and steeper edges have one.
const FACING: f64 = 0.999;

/// The sine of the same angle, for straight lines across the direction of contact.
const ACROSS: f64 = 0.045;

/// Adds the places of contact of two convex shapes whose signed distance is `closest`: at least one.
pub(super) fn contact_points(
    a: &Shape,
    b: &Shape,
    a_from_b: &Pose,
    closest: &Closest,
    slack: f64,
    contacts: &mut Vec<ContactPoint>,
) {
    let normal = closest.normal;
    let b_from_a = a_from_b.inverse();
    let face_a = face_towards(a, normal);
    let face_b = face_towards(b, b_from_a.rotate(-normal)).map(|f| Face {
        normal: a_from_b.rotate(f.normal),
        corners: f.corners.map(|p| a_from_b.transform_point(p)),
    });
    let ridge_a = ridge_towards(a, normal);
    let ridge_b = ridge_towards(b, b_from_a.rotate(-normal)).map(|r| r.map(|p| a_from_b.transform_point(p)));
    let facing_a = face_a.as_ref().map_or(-1.0, |f| f.normal.dot(normal));
    let facing_b = face_b.as_ref().map_or(-1.0, |f| -f.normal.dot(normal));
    let depth = (-closest.distance).max(0.0);
    let first = contacts.len();
    let mut add = |(point, found): (Vec3, f64)| {
        // Clipping next to a corner leaves it twice, a few roundings apart.
        if contacts[first..].iter().all(|c| c.point.distance(point) > 64.0 * slack) {
            contacts.push(ContactPoint { point, normal, depth: found.clamp(0.0, depth), region: 0 });
        }
    };
    if facing_a.max(facing_b) < FACING {
        if let Some((p, q)) = ridge_a.zip(ridge_b) {
            along_ridges(p, q, normal, &mut add);
        }
    } else if facing_a >= facing_b {
        let other = side(face_b, ridge_b, facing_b);
        face_a.iter().for_each(|f| on_face(f, &other, normal, slack, &mut add));
    } else {
        // Seen from b everything is turned round.
        let other = side(face_a, ridge_a, facing_a);
        face_b.iter().for_each(|f| on_face(f, &other, -normal, slack, &mut add));
    }
    if contacts.len() < first + 2 {
        contacts.truncate(first);
        contacts.push(single(closest));
    }
}

/// What of a shape comes to lie on the other's face: a side if it lies flat enough, a straight line, or nothing known.
fn side(face: Option<Face>, ridge: Option<[Vec3; 2]>, facing: f64) -> Polygon {
    match (face, ridge) {
        // Round shapes lie on their end or on their side.
        (Some(face), Some(_)) if facing >= std::f64::consts::FRAC_1_SQRT_2 => face.corners,
        (_, Some(ridge)) => Polygon::of(ridge),
        (Some(face), None) => face.corners,
        (None, None) => Polygon::EMPTY,
    }
}

/// Corners of `other` over a face, and how deep each is below it along `normal`, the direction out of the face.
fn on_face(face: &Face, other: &Polygon, normal: Vec3, slack: f64, add: &mut impl FnMut((Vec3, f64))) {
    let Some(&on_plane) = face.corners.first() else { return };
    let slope = face.normal.dot(normal);
    let depth = |p: &Vec3| (on_plane - *p).dot(face.normal) / slope;
    let clipped = other.within(&face.corners, face.normal);
    let below = clipped.iter().map(|p| (*p, depth(p))).filter(|(_, d)| *d >= -slack);
    // Half way between the corner and the face.
    below.map(|(p, d)| (p + 0.5 * d * normal, d)).for_each(add);
}

/// The two ends of what parallel straight lines have in common, if they run along each other across the normal.
fn along_ridges(p: [Vec3; 2], q: [Vec3; 2], normal: Vec3, add: &mut impl FnMut((Vec3, f64))) {
    let Some((along, other)) = unit(p[1] - p[0]).zip(unit(q[1] - q[0])) else { return };
    if along.cross(other).length() > ACROSS || along.dot(normal).abs() > ACROSS {
        return;
    }
    let interval = |ends: [Vec3; 2]| {
        let [s, t] = ends.map(|e| (e - p[0]).dot(along));
        (s.min(t), s.max(t))
    };
    let ((p_low, p_high), (q_low, q_high)) = (interval(p), interval(q));
    let (low, high) = (p_low.max(q_low), p_high.min(q_high));
    let at = |t: f64| {
        let on_p = p[0] + t * along;
        let share = (t - (q[0] - p[0]).dot(along)) / (q[1] - q[0]).dot(along);
        let on_q = q[0] + share * (q[1] - q[0]);
        (0.5 * on_p + 0.5 * on_q, (on_p - on_q).dot(normal))
    };
    if low < high {
        [low, high].map(at).into_iter().filter(|(_, d)| *d >= 0.0).for_each(add);
    }
}
