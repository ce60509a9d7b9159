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

impl Span {
    /// How far a ray goes until it is in the solid: 0 from inside, `None` if it does not get there within its range.
    #[inline(always)]
    pub(super) fn distance(&self, max: f64) -> Option<f64> {
        let is_hit = self.enter <= self.leave && self.leave >= 0.0 && self.enter <= max;
        is_hit.then_some(self.enter.max(0.0))
    }

    /// The hit at that distance.
    pub(super) fn hit(&self, ray: &Ray, distance: f64) -> RayHit {
        if self.enter <= 0.0 {
            return RayHit::inside(ray);
        }
        RayHit { distance, point: ray.at(distance), normal: self.normal, face: None, from_inside: false }
    }
}

/// What a ray hits of a solid that holds `span` of its line.
pub(super) fn hit(ray: &Ray, span: Option<Span>) -> Option<RayHit> {
    let span = span?;
    Some(span.hit(ray, span.distance(ray.max)?))
}

/// Box about the origin. Exact for rays along an axis.
#[inline]
pub(super) fn cuboid(half: Vec3, ray: &Ray) -> Option<Span> {
    let (p, d) = (ray.origin, ray.direction);
    if !(d.abs().min_element() >= f64::MIN_POSITIVE) {
        return cuboid_along(half, ray);
    }
    let ahead = half.copysign(d);
    let inverse = d.recip();
    let near = (-ahead - p) * inverse;
    let far = (ahead - p) * inverse;
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let enter = larger(larger(near.x, near.y), near.z);
    let leave = -larger(larger(-far.x, -far.y), -far.z);
    if !(enter <= leave) {
        return None;
    }
    let normal = if near.x == enter {
        Vec3::new(-f64::copysign(1.0, d.x), 0.0, 0.0)
    } else if near.y == enter {
        Vec3::new(0.0, -f64::copysign(1.0, d.y), 0.0)
    } else {
        Vec3::new(0.0, 0.0, -f64::copysign(1.0, d.z))
    };
    Some(Span { enter, leave, normal })
}

/// [`cuboid`] for rays that may run along faces.
#[cold]
fn cuboid_along(half: Vec3, ray: &Ray) -> Option<Span> {
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
