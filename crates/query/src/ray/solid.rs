//! The part of a line in a convex solid, and what it means for a ray; box and half space.

use super::{Ray, RayHit};
use freiraum_geometry::Vec3;

/// The part of the line of a ray that lies in a convex solid. Distances along the ray in metres, perhaps infinite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) enter: f64,
    pub(super) leave: f64,
    /// Outward unit normal where the line enters.
    pub(super) normal: Vec3,
}

/// What a ray hits of a solid that holds `span` of its line.
pub(super) fn hit(ray: &Ray, span: Option<Span>) -> Option<RayHit> {
    let span = span?;
    if !(span.enter <= span.leave && span.leave >= 0.0 && span.enter <= ray.max) {
        return None;
    }
    if span.enter <= 0.0 {
        return Some(RayHit::inside(ray));
    }
    Some(RayHit {
        distance: span.enter,
        point: ray.at(span.enter),
        normal: span.normal,
        face: None,
        from_inside: false,
    })
}

/// Box about the origin. Exact for rays along an axis.
pub(super) fn cuboid(half: Vec3, ray: &Ray) -> Option<Span> {
    let (p, d) = (ray.origin, ray.direction);
    let (mut enter, mut leave, mut side) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for axis in 0..3 {
        if d[axis] == 0.0 {
            if p[axis].abs() > half[axis] {
                return None;
            }
            continue;
        }
        let ahead = half[axis].copysign(d[axis]);
        let near = (-ahead - p[axis]) / d[axis];
        let far = (ahead - p[axis]) / d[axis];
        if near > enter {
            (enter, side) = (near, axis);
        }
        leave = leave.min(far);
    }
    let mut normal = Vec3::ZERO;
    normal[side] = -f64::copysign(1.0, d[side]);
    (enter <= leave).then_some(Span { enter, leave, normal })
}

/// Everything with `dot(normal, x) <= offset`.
pub(super) fn half_space(normal: Vec3, offset: f64, ray: &Ray) -> Option<Span> {
    let above = normal.dot(ray.origin) - offset;
    let slope = normal.dot(ray.direction);
    let (enter, leave) = if slope < 0.0 {
        (above / -slope, f64::INFINITY)
    } else if slope > 0.0 {
        (f64::NEG_INFINITY, -above / slope)
    } else if above <= 0.0 {
        (f64::NEG_INFINITY, f64::INFINITY)
    } else {
        return None;
    };
    Some(Span { enter, leave, normal })
}
