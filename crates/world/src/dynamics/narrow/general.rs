//! All other convex shapes, by the questions of `freiraum_query`.

use super::clip::best_four;
use super::{Found, MOST_POINTS, Outcome, Side, Touch};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::{Closest, contact, distance};

/// A convex shape against another one or a half space.
pub(super) fn convex_any(a: &Side, b: &Side, margin: f64) -> Outcome {
    let world_from_a = a.placed.pose();
    let a_from_b = world_from_a.inverse() * b.placed.pose();
    let closest = match distance(a.shape, b.shape, &a_from_b) {
        Ok(closest) => closest,
        Err(error) => return Outcome::Failed(error),
    };
    if closest.distance > margin {
        return Outcome::Apart(closest.distance);
    }
    // The places of contact are those of touching shapes: b is moved until the nearest points overlap by the margin, and depths are counted
    // from there.
    let overlap = margin.max(-closest.distance);
    let shift = -(closest.distance + overlap) * closest.normal;
    let moved = Pose::from_translation(shift) * a_from_b;
    let mut touch = Touch { normal: world_from_a.rotate(closest.normal), ..Touch::NONE };
    let found = match contact(a.shape, b.shape, &moved) {
        Ok(found) => found,
        Err(error) => return Outcome::Failed(error),
    };
    let points = &found.points[..];
    let normals_agree = points.iter().all(|p| p.normal.dot(closest.normal) > ALIKE);
    if points.len() < 2 || !normals_agree {
        return single(&closest, &world_from_a);
    }
    // Two directions across the normal, to choose by.
    let across = closest.normal.any_orthonormal_vector();
    let other = closest.normal.cross(across);
    let seen: Vec<(f64, f64, f64)> = points
        .iter()
        .map(|p| (p.point.dot(across), p.point.dot(other), closest.distance + overlap - p.depth))
        .collect();
    let mut chosen = [0; MOST_POINTS];
    touch.count = best_four(&seen, &mut chosen);
    for (slot, k) in chosen[..touch.count].iter().enumerate() {
        // Half way between the surfaces: the shift moved b's surface, and the middle by half of it.
        let at = world_from_a.transform_point(points[*k].point - 0.5 * shift);
        touch.points[slot] = Found { at, separation: seen[*k].2, feature: 0 };
    }
    if touch.nearest() > closest.distance + 0.5 * overlap {
        return single(&closest, &world_from_a);
    }
    Outcome::Touching(touch)
}

/// Cosine above which the normals of two answers are the same.
const ALIKE: f64 = 0.99;

fn single(closest: &Closest, world_from_a: &Pose) -> Outcome {
    let middle: Vec3 = 0.5 * (closest.point_on_a + closest.point_on_b);
    Outcome::Touching(Touch::single(
        world_from_a.rotate(closest.normal),
        world_from_a.transform_point(middle),
        closest.distance,
        0,
    ))
}
