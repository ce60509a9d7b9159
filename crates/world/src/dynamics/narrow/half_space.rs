//! Balls and boxes on a half space. The half space is b: the normal of the contact points into it.

use super::{Found, MOST_POINTS, Outcome, Placed, Touch};
use freiraum_geometry::Vec3;

pub(super) fn sphere_half_space(
    center: Vec3,
    radius: f64,
    b: &Placed,
    normal: Vec3,
    offset: f64,
    margin: f64,
) -> Outcome {
    let out = b.axes * normal;
    let separation = (center - b.position).dot(out) - offset - radius;
    if separation > margin {
        return Outcome::Apart(separation);
    }
    Outcome::Touching(Touch::single(-out, center - (radius + 0.5 * separation) * out, separation, 1))
}

pub(super) fn cuboid_half_space(
    a: &Placed,
    half: Vec3,
    b: &Placed,
    normal: Vec3,
    offset: f64,
    margin: f64,
) -> Outcome {
    let out = b.axes * normal;
    // How far each axis of the box reaches along the normal.
    let along = (a.axes.transpose() * out) * half;
    let center = (a.position - b.position).dot(out) - offset;
    let reach = along.abs();
    let nearest = center - (reach.x + reach.y + reach.z);
    if nearest > margin {
        return Outcome::Apart(nearest);
    }
    // The four corners of the face that looks down most.
    let slope = (a.axes.transpose() * out).abs();
    let face = if slope.x >= slope.y && slope.x >= slope.z {
        0
    } else if slope.y >= slope.z {
        1
    } else {
        2
    };
    let low = if along[face] > 0.0 { -1.0 } else { 1.0 };
    let (next, last) = ((face + 1) % 3, (face + 2) % 3);
    let mut touch = Touch { normal: -out, ..Touch::NONE };
    for corner in 0..MOST_POINTS {
        let (u, v) = (if corner & 1 == 0 { -1.0 } else { 1.0 }, if corner & 2 == 0 { -1.0 } else { 1.0 });
        let separation = center + low * along[face] + u * along[next] + v * along[last];
        if separation > margin {
            continue;
        }
        let mut local = Vec3::ZERO;
        local[face] = low * half[face];
        local[next] = u * half[next];
        local[last] = v * half[last];
        let at = a.position + a.axes * local - 0.5 * separation * out;
        let sign = u32::from(low > 0.0);
        touch.points[touch.count] =
            Found { at, separation, feature: 1 + corner as u32 + 4 * sign + 8 * face as u32 };
        touch.count += 1;
    }
    Outcome::Touching(touch)
}
