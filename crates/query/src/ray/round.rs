//! The part of a line in a ball, cylinder, capsule or cone, as in the shapes: centred, axis along z.
//!
//! Lines are first described from their point nearest to the centre, so that a ray from far away loses no more digits
//! than its own coordinates have.

use super::Ray;
use super::solid::Span;
use freiraum_geometry::Vec3;

/// The distance along the ray of the point of its line that is nearest to the origin, and that point.
fn nearest_to_origin(ray: &Ray) -> (f64, Vec3) {
    let along = -ray.origin.dot(ray.direction);
    (along, ray.origin + along * ray.direction)
}

/// A vector scaled to length one; against the ray if it has no length.
fn unit_or_against(v: Vec3, ray: &Ray) -> Vec3 {
    v.try_normalize().unwrap_or(-ray.direction)
}

/// Ball about the origin.
pub(super) fn sphere(radius: f64, ray: &Ray) -> Option<Span> {
    let (along, foot) = nearest_to_origin(ray);
    let half = ball(radius, foot)?;
    let normal = unit_or_against(foot - half * ray.direction, ray);
    Some(Span { enter: along - half, leave: along + half, normal })
}

/// Half the chord of a line whose nearest point to the centre is `foot`.
fn ball(radius: f64, foot: Vec3) -> Option<f64> {
    let distance = foot.length();
    (distance <= radius).then(|| ((radius - distance) * (radius + distance)).sqrt())
}

/// The interval in which |z| <= half, along a line from `foot`.
fn slab(half: f64, foot: f64, slope: f64) -> Option<(f64, f64)> {
    if slope == 0.0 {
        return (foot.abs() <= half).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let ahead = half.copysign(slope);
    Some(((-ahead - foot) / slope, (ahead - foot) / slope))
}

/// The interval in which a line from `foot` lies in the endless cylinder.
fn tube(radius: f64, foot: Vec3, d: Vec3) -> Option<(f64, f64)> {
    let across = d.truncate().length();
    if across == 0.0 {
        return (foot.truncate().length() <= radius).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    // In the plane across the axis: the distance of the line from the axis, and how far the nearest point is.
    let e = d.truncate() / across;
    let miss = foot.truncate().perp_dot(e).abs();
    if miss > radius {
        return None;
    }
    let half = ((radius - miss) * (radius + miss)).sqrt();
    let middle = -foot.truncate().dot(e);
    Some(((middle - half) / across, (middle + half) / across))
}

/// Solid cylinder: clipping intervals, so that rays through both ends and along the axis are found.
pub(super) fn cylinder(radius: f64, half: f64, ray: &Ray) -> Option<Span> {
    let (along, foot) = nearest_to_origin(ray);
    let d = ray.direction;
    let (tube_enter, tube_leave) = tube(radius, foot, d)?;
    let (slab_enter, slab_leave) = slab(half, foot.z, d.z)?;
    let (enter, leave) = (tube_enter.max(slab_enter), tube_leave.min(slab_leave));
    if enter > leave {
        return None;
    }
    let normal = if slab_enter >= tube_enter {
        Vec3::new(0.0, 0.0, -f64::copysign(1.0, d.z))
    } else {
        unit_or_against((foot + enter * d).with_z(0.0), ray)
    };
    Some(Span { enter: along + enter, leave: along + leave, normal })
}

/// Capsule: the hull of what the line has in common with the straight part and the two balls.
pub(super) fn capsule(radius: f64, half: f64, ray: &Ray) -> Option<Span> {
    let (along, foot) = nearest_to_origin(ray);
    let d = ray.direction;
    let (mut enter, mut leave) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut add = |from: f64, to: f64| {
        if from <= to {
            (enter, leave) = (enter.min(from), leave.max(to));
        }
    };
    if let (Some((a, b)), Some((c, e))) = (tube(radius, foot, d), slab(half, foot.z, d.z)) {
        add(a.max(c), b.min(e));
    }
    for end in [-half, half] {
        let center = Vec3::new(0.0, 0.0, end);
        let middle = (center - foot).dot(d);
        if let Some(chord) = ball(radius, foot + middle * d - center) {
            add(middle - chord, middle + chord);
        }
    }
    if enter > leave {
        return None;
    }
    let point = foot + enter * d;
    let normal = unit_or_against(point - Vec3::new(0.0, 0.0, point.z.clamp(-half, half)), ray);
    Some(Span { enter: along + enter, leave: along + leave, normal })
}

/// Solid cone, base at z = -height/2, tip at z = height/2.
pub(super) fn cone(radius: f64, height: f64, ray: &Ray) -> Option<Span> {
    let (along, foot) = nearest_to_origin(ray);
    let d = ray.direction;
    let (mut enter, mut leave) = slab(0.5 * height, foot.z, d.z)?;
    let mut on_base = true;
    // Inside where |xy| <= k * depth below the tip: a t^2 + 2 b t + c <= 0, on the side of the tip that has depth >= 0.
    let k = radius / height;
    let depth = 0.5 * height - foot.z;
    let (u, w) = (d.truncate(), foot.truncate());
    let a = u.length_squared() - k * k * d.z * d.z;
    let b = u.dot(w) + k * k * depth * d.z;
    let c = w.length_squared() - k * k * depth * depth;
    // b^2 - a c, as a sum of squares less a square: no digits are lost where the parts nearly cancel.
    let cross = u.perp_dot(w);
    let mixed = depth * u + d.z * w;
    let discriminant = k * k * mixed.length_squared() - cross * cross;
    let root = discriminant.max(0.0).sqrt();
    let q = -(b + root.copysign(b));
    // One of the roots may be at infinity: the line is parallel to the side.
    let (r, s) = if q != 0.0 { (q / a, c / q) } else { (0.0, 0.0) };
    let (first, second) = if r <= s { (r, s) } else { (s, r) };
    let mut clip = |from: f64, to: f64| {
        if from > enter {
            (enter, on_base) = (from, false);
        }
        leave = leave.min(to);
    };
    if a > 0.0 {
        if discriminant < 0.0 {
            return None;
        }
        clip(first, second);
    } else if a == 0.0 && b == 0.0 {
        // Along a line of the double cone, or parallel to one and beside it.
        if c > 0.0 {
            return None;
        }
    } else if d.z < 0.0 {
        // Steeper than the side: from the tip's cone above into the one below, once.
        clip(if a < 0.0 { second } else { s }, f64::INFINITY);
    } else if d.z > 0.0 {
        clip(f64::NEG_INFINITY, if a < 0.0 { first } else { s });
    }
    if !(enter <= leave) {
        return None;
    }
    let normal = if on_base {
        Vec3::new(0.0, 0.0, -f64::copysign(1.0, d.z))
    } else {
        let out = (foot + enter * d).truncate();
        // Across the side: `height` outwards to `radius` upwards.
        out.try_normalize()
            .and_then(|out| (out * height).extend(radius).try_normalize())
            .unwrap_or(if d.z < 0.0 { Vec3::Z } else { -d })
    };
    Some(Span { enter: along + enter, leave: along + leave, normal })
}
