//! Balls against balls and boxes.

use super::{Outcome, Placed, Touch};
use freiraum_geometry::Vec3;

/// The contact of two points with a radius each.
pub(super) fn round_points(a: Vec3, ra: f64, b: Vec3, rb: f64, margin: f64, feature: u32) -> Outcome {
    let between = b - a;
    let reach = ra + rb + margin;
    let square = between.length_squared();
    if square > reach * reach {
        return Outcome::Apart(square.sqrt() - ra - rb);
    }
    let distance = square.sqrt();
    // Points in the same place have no direction: up is as good as any.
    let normal = if distance > 0.0 { between / distance } else { Vec3::Z };
    let separation = distance - ra - rb;
    Outcome::Touching(Touch::single(normal, a + (ra + 0.5 * separation) * normal, separation, feature))
}

pub(super) fn sphere_sphere(a: Vec3, ra: f64, b: Vec3, rb: f64, margin: f64) -> Outcome {
    round_points(a, ra, b, rb, margin, 1)
}

pub(super) fn sphere_cuboid(center: Vec3, radius: f64, b: &Placed, half: Vec3, margin: f64) -> Outcome {
    let local = b.axes.transpose() * (center - b.position);
    let nearest = local.clamp(-half, half);
    let out = local - nearest;
    let square = out.length_squared();
    if square > 0.0 {
        let reach = radius + margin;
        if square > reach * reach {
            return Outcome::Apart(square.sqrt() - radius);
        }
        let distance = square.sqrt();
        let normal = b.axes * (out / -distance);
        let separation = distance - radius;
        return Outcome::Touching(Touch::single(
            normal,
            center + (radius + 0.5 * separation) * normal,
            separation,
            1,
        ));
    }
    // The centre is inside: out through the nearest face.
    let depth = half - local.abs();
    let axis = if depth.x <= depth.y && depth.x <= depth.z {
        0
    } else if depth.y <= depth.z {
        1
    } else {
        2
    };
    let side = if local[axis] < 0.0 { -1.0 } else { 1.0 };
    let normal = -side * b.axes.col(axis);
    let separation = -depth[axis] - radius;
    Outcome::Touching(Touch::single(normal, center + (radius + 0.5 * separation) * normal, separation, 1))
}
