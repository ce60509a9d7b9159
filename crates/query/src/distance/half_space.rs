//! Distances to half spaces: one support point decides.

use crate::Closest;
use crate::prepared::Solid;
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::{Pose, Vec3};

/// The half space as seen in another frame: its unit normal and its offset there.
pub(crate) fn placed(half_space: &HalfSpace, a_from_b: &Pose) -> (Vec3, f64) {
    let normal = a_from_b.rotate(half_space.normal());
    (normal, half_space.offset() + normal.dot(a_from_b.translation()))
}

/// Convex body and half space; exact, the depth too: nothing leads out of a half space faster than its normal.
pub(crate) fn distance_convex_half_space(a: &Solid, b: &HalfSpace, a_from_b: &Pose) -> Closest {
    let (up, offset) = placed(b, a_from_b);
    below(a.support(-up), up, offset)
}

/// The answer for a body a whose lowest point over the half space (normal `up`, `offset`) is `lowest`.
pub(crate) fn below(lowest: Vec3, up: Vec3, offset: f64) -> Closest {
    let distance = up.dot(lowest) - offset;
    Closest { distance, point_on_a: lowest, point_on_b: lowest - distance * up, normal: -up }
}

/// Two half spaces.
///
/// Facing each other, they have a gap or a depth. Otherwise they overlap without end and nothing separates them: the
/// distance is 0 at a point of both boundaries (of one, if they look the same way).
pub(crate) fn distance_half_spaces(a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> Closest {
    let (up, offset) = placed(b, a_from_b);
    let on_a = a.offset() * a.normal();
    if face_each_other(a, b, a_from_b) {
        let distance = -offset - a.offset();
        return Closest {
            distance,
            point_on_a: on_a,
            point_on_b: on_a + distance * a.normal(),
            normal: a.normal(),
        };
    }
    // The point of both planes nearest to the origin: solve in the basis of the two normals.
    let cosine = a.normal().dot(up);
    let sine_squared = a.normal().cross(up).length_squared();
    let shared = if sine_squared > f64::EPSILON {
        let (x, y) = (a.offset() - cosine * offset, offset - cosine * a.offset());
        (x * a.normal() + y * up) / sine_squared
    } else if a.offset() <= offset {
        on_a
    } else {
        offset * up
    };
    Closest { distance: 0.0, point_on_a: shared, point_on_b: shared, normal: a.normal() }
}

/// True if the outward normals are opposite, up to the rounding of a rotation: only then is there a way apart.
pub(crate) fn face_each_other(a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> bool {
    (a.normal() + a_from_b.rotate(b.normal())).length() <= 8.0 * f64::EPSILON
}
