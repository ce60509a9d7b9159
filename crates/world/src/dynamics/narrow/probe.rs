//! Points of a convex shape that can be the first to touch a face.

use freiraum_geometry::Vec3;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Shape;

/// The farthest points of a shape in a unit direction, and others around them that a face across the direction may touch as well; in the frame of the shape.
pub(super) fn probes(shape: &Shape, direction: Vec3) -> Vec<Vec3> {
    match shape {
        Shape::Sphere(s) => vec![s.radius() * direction],
        Shape::Capsule(s) => {
            let end = 0.5 * s.height() * Vec3::Z;
            vec![end + s.radius() * direction, -end + s.radius() * direction]
        }
        Shape::Cuboid(s) => {
            let half = s.half();
            let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
            (0..8).map(|k: u32| half * Vec3::new(sign(k & 1), sign(k & 2), sign(k & 4))).collect()
        }
        Shape::Cylinder(s) => {
            let half = 0.5 * s.height();
            let mut points = rim(s.radius(), half.copysign(direction.z), direction);
            // The line along which it lies on its side.
            let ridge = s.radius() * across(direction);
            points.push(ridge.with_z(-half.copysign(direction.z)));
            points
        }
        Shape::Cone(s) => {
            let mut points = rim(s.radius(), -0.5 * s.height(), direction);
            points.push(Vec3::new(0.0, 0.0, 0.5 * s.height()));
            points
        }
        Shape::Convex(s) => s.vertices().to_vec(),
        _ => Vec::new(),
    }
}

/// The part of a direction across z, a unit vector.
fn across(direction: Vec3) -> Vec3 {
    unit(direction.with_z(0.0)).unwrap_or(Vec3::X)
}

/// Four points of a circle about z, the first one in the direction.
fn rim(radius: f64, z: f64, direction: Vec3) -> Vec<Vec3> {
    let u = across(direction);
    let v = Vec3::new(-u.y, u.x, 0.0);
    [u, v, -u, -v].iter().map(|d| (radius * *d).with_z(z)).collect()
}

/// The flat side of a shape that looks in a unit direction, if it looks there to within some 15 degrees: corners counter-clockwise seen from outside.
pub(super) fn flat_side(shape: &Shape, direction: Vec3) -> Option<Vec<Vec3>> {
    match shape {
        Shape::Cuboid(s) => {
            let size = direction.abs();
            let axis = (0..3).max_by(|i, j| size[*i].total_cmp(&size[*j]))?;
            if size[axis] < FACING {
                return None;
            }
            let side = 1f64.copysign(direction[axis]);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |(x, y): (f64, f64)| {
                let mut p = Vec3::ZERO;
                (p[axis], p[u], p[v]) = (side, x * side, y);
                p * s.half()
            };
            Some([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(corner).to_vec())
        }
        Shape::Cylinder(s) if direction.z.abs() > FACING => {
            let side = 1f64.copysign(direction.z);
            Some(disc(s.radius(), 0.5 * side * s.height(), side))
        }
        Shape::Cone(s) if direction.z < -FACING => Some(disc(s.radius(), -0.5 * s.height(), -1.0)),
        Shape::Convex(s) => {
            let surface = s.surface();
            let facing = |[a, b, c]: [Vec3; 3]| unit((b - a).cross(c - a)).map(|n| (n, a));
            let (normal, on_plane) = surface
                .triangles()
                .filter_map(facing)
                .max_by(|(n, _), (m, _)| n.dot(direction).total_cmp(&m.dot(direction)))
                .filter(|(n, _)| n.dot(direction) > FACING)?;
            let slack = s.aabb().size().max_element() / 4096.0;
            let mut corners: Vec<Vec3> =
                s.vertices().iter().copied().filter(|p| (*p - on_plane).dot(normal).abs() <= slack).collect();
            let middle = corners.iter().sum::<Vec3>() / corners.len() as f64;
            let u = unit(corners[0] - middle)?;
            let v = normal.cross(u);
            let around = |p: &Vec3| {
                let (x, y) = ((*p - middle).dot(u), (*p - middle).dot(v));
                // Grows with the angle, without one.
                let share = x / (x.abs() + y.abs());
                if y >= 0.0 { 1.0 - share } else { 3.0 + share }
            };
            corners.sort_by(|p, q| around(p).total_cmp(&around(q)));
            Some(corners)
        }
        _ => None,
    }
}

/// Least cosine between a flat side and a face for them to lie on each other.
const FACING: f64 = 0.966;

/// Eight points of a circle about z, counter-clockwise seen from the side where it looks.
fn disc(radius: f64, z: f64, side: f64) -> Vec<Vec3> {
    let h = std::f64::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (h, h), (0.0, 1.0), (-h, h), (-1.0, 0.0), (-h, -h), (0.0, -1.0), (h, -h)]
        .map(|(x, y)| Vec3::new(radius * x, side * radius * y, z))
        .to_vec()
}
