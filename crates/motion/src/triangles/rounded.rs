//! When a triangle that moves along a straight line comes within a radius of another one.
//!
//! The nearest points give a plane between the triangles; the time until they come within the radius across that plane is a
//! proven step, and the plane of the contact is found in few of them, because the set of all shifts that bring the
//! triangles so close is convex: this is the search for the point where a ray enters it.

use super::Meeting;
use freiraum_geometry::Vec3;
use freiraum_query::elementary::triangle_triangle;

/// Steps at most; grazing contacts take the most, each gains at least one binary digit.
const STEPS: usize = 200;

/// The first time in [0, last] at which `b + t by` is no farther than a positive `radius` from `a`; `None` if it is never so
/// close, up to the slack.
pub(crate) fn approach_translating(
    a: [Vec3; 3],
    b: [Vec3; 3],
    radius: f64,
    by: Vec3,
    last: f64,
    slack: f64,
) -> Option<Meeting> {
    let (mut time, mut error, mut normal) = (0.0, 0.0, Vec3::ZERO);
    for _ in 0..STEPS {
        let nearest = triangle_triangle(a, b.map(|p| p + time * by));
        let distance = nearest.distance();
        let gap = distance - radius;
        if gap <= 2.0 * slack {
            if normal == Vec3::ZERO && distance > 0.0 {
                normal = (nearest.point_on_b - nearest.point_on_a) / distance;
            }
            break;
        }
        normal = (nearest.point_on_b - nearest.point_on_a) / distance;
        let speed = -normal.dot(by);
        // What rounding may bring forward to the last time is not beyond it.
        if !(time + (gap - 2.0 * slack) / speed <= last && speed > 0.0) {
            return None;
        }
        time += gap / speed;
        error = 2.0 * slack / speed;
    }
    Some(Meeting { enter: time, error, latest: f64::INFINITY, exit: f64::INFINITY, normal })
}

/// How far `b + time by` is from being within the radius of `a`, in metres; negative where it is.
pub(crate) fn gap_translating(a: [Vec3; 3], b: [Vec3; 3], radius: f64, by: Vec3, time: f64) -> f64 {
    triangle_triangle(a, b.map(|p| p + time * by)).distance() - radius
}
