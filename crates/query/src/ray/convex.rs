//! Rays against a convex body, given by its surface.

use super::solid::{Span, hit};
use super::triangle::{Sheared, normal};
use super::{Ray, RayHit};
use freiraum_geometry::Mesh;

/// The span of the line is found from all triangles that it crosses, not from their planes: the plane of a sliver is
/// uncertain, its corners are not. **Cost.** O(faces).
pub(super) fn cast(surface: &Mesh, ray: &Ray) -> Option<RayHit> {
    let line = Sheared::new(ray);
    let (mut enter, mut leave, mut face) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    for (corners, index) in surface.triangles().zip(0u32..) {
        if let Some(crossing) = line.crossing(corners) {
            if crossing.enter < enter {
                (enter, face) = (crossing.enter, index);
            }
            leave = leave.max(crossing.leave);
        }
    }
    if enter > leave {
        return None;
    }
    let span = Span { enter, leave, normal: normal(surface.triangle(face as usize), ray) };
    let found = hit(ray, Some(span))?;
    Some(RayHit { face: (!found.from_inside).then_some(face), ..found })
}
