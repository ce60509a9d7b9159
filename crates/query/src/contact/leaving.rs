//! How far a convex body must be shifted until it has left a piece of a surface.
//!
//! While the body is shifted against the normal, the faces that it meets change; the piece is left when the faces that hang together with
//! it, each while the body meets it, are all left behind. The shift at which the body leaves a face is found from outside, by steps that
//! never lead past it: as far as the gap allows along the plane between the two.

use super::regions::Seen;
use crate::convex::{ConvexCache, ConvexDistance, Points, Swept, distance_convex};
use crate::prepared::{Solid, Surface, touch_slack};
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::{Pose, Vec3};

/// The body is thought to be smaller by this share, so that sides along which it slides do not count as contact: 2^-30 for polyhedra, whose
/// distance is exact but for rounding; 2^-24 for round bodies, which are approached by iteration. The depth is corrected by it.
const SMALLER: f64 = power_of_two(-30);
const SMALLER_ROUND: f64 = power_of_two(-24);

/// Steps towards a face at most; two or three are usual.
const MOST_STEPS: usize = 64;

/// Memory for the walk over the surface.
#[derive(Debug, Default)]
pub(super) struct Walk {
    seen: Seen,
    stack: Vec<u32>,
}

/// The smallest shift of a against the unit vector `normal`, in the frame of a, from which on it meets none of `faces`, nor the faces that it comes
/// to meet next to them while it is shifted; `None` if it meets them by no more than rounding.
pub(super) fn shift_to_leave(
    a: &Solid,
    b: &Surface,
    a_from_b: &Pose,
    faces: &[u32],
    normal: Vec3,
    Walk { seen, stack }: &mut Walk,
) -> Option<f64> {
    let slack = touch_slack(a.reach(), b.bounds().reach(), a_from_b);
    let top = a.support(normal).dot(normal);
    let smaller = if a.body.is_polyhedral() { SMALLER } else { SMALLER_ROUND };
    let missing = smaller * (top - a.body.center().dot(normal));
    let body = Swept { body: a.body, scale: 1.0 - smaller, way: Vec3::ZERO };
    let height = |p: Vec3| a_from_b.transform_point(p).dot(normal);
    let lowest = |corners: &[Vec3]| corners.iter().map(|p| height(*p)).fold(f64::INFINITY, f64::min);
    let farthest = (top + b.farthest(a_from_b.inverse().rotate(-normal)).1
        - a_from_b.translation().dot(normal))
    .max(0.0);
    let on_its_way = Swept { way: -farthest * normal, ..body };
    let (topology, mesh) = (b.topology(), b.mesh());
    let mut cache = ConvexCache::new();
    let mut most: Option<f64> = None;
    seen.start(mesh.faces().len());
    stack.clear();
    stack.extend(faces.iter().filter(|f| seen.is_new(**f)));
    while let Some(face) = stack.pop() {
        let corners = mesh.triangle(face as usize);
        let at_most = top - lowest(&corners);
        if at_most > most.map_or(-slack, |m| m + slack)
            && let Some(shift) = last_shift(&body, &corners, a_from_b, normal, at_most.max(0.0), slack)
        {
            most = Some(most.map_or(shift, |m| m.max(shift)));
        }
        for edge in topology.face_edges(face as usize).into_iter().flatten() {
            let ends = topology.edges()[edge as usize].map(|v| mesh.vertices()[v as usize]);
            let beyond = topology.edge_uses(edge as usize).iter().map(|u| u.face());
            if top - lowest(&ends) >= -slack
                && matches!(
                    distance_convex(&on_its_way, &Points(&ends), a_from_b, &mut cache),
                    ConvexDistance::Overlapping
                )
            {
                stack.extend(beyond.filter(|f| seen.is_new(*f)));
            }
        }
    }
    most.map(|m| m + missing)
}

/// The largest shift up to `from` at which the body meets a triangle; `None` if there is none of at least 0.
fn last_shift(
    body: &Swept,
    triangle: &[Vec3; 3],
    a_from_b: &Pose,
    normal: Vec3,
    from: f64,
    slack: f64,
) -> Option<f64> {
    let (mut shift, mut cache) = (from, ConvexCache::new());
    for _ in 0..MOST_STEPS {
        let moved = Pose::from_translation(shift * normal) * *a_from_b;
        let ConvexDistance::Separated(gap) = distance_convex(body, &Points(triangle), &moved, &mut cache)
        else {
            return Some(shift);
        };
        // The plane between them stays one for as long as the gap is not closed along its normal.
        let rate = gap.normal.dot(normal);
        let step = gap.distance / rate;
        if rate <= 0.0 || step > shift + slack {
            return None;
        }
        if step <= slack {
            return Some(shift);
        }
        shift = (shift - step).max(0.0);
    }
    Some(shift)
}
