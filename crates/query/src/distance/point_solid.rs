//! Signed distance from a point to the surface of a primitive, with the nearest surface point: the closed forms that
//! all pairs with a sphere rest on. Frames: that of the primitive.

use freiraum_geometry::math::unit;
use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder};
use freiraum_geometry::{Vec2, Vec3};

/// Where a point stands to the surface of a solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToSurface {
    /// Signed distance in metres, negative inside.
    pub(crate) distance: f64,
    /// The nearest point of the surface.
    pub(crate) point: Vec3,
    /// The unit normal out of the solid there; `point + distance * normal` is the point asked for.
    pub(crate) normal: Vec3,
}

/// Point and box. On ties inside the first axis wins.
pub(crate) fn point_cuboid(p: Vec3, solid: &Cuboid) -> ToSurface {
    let half = solid.half();
    let nearest = p.clamp(-half, half);
    let away = p - nearest;
    if let Some(normal) = unit(away) {
        return ToSurface { distance: away.length(), point: nearest, normal };
    }
    let room = half - p.abs();
    let axis = if room.x <= room.y && room.x <= room.z {
        Vec3::X
    } else if room.y <= room.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let normal = if p.dot(axis) < 0.0 { -axis } else { axis };
    let distance = -room.dot(axis);
    ToSurface { distance, point: p - distance * normal, normal }
}

/// Point and cylinder.
pub(crate) fn point_cylinder(p: Vec3, solid: &Cylinder) -> ToSurface {
    let profile = |q: Vec2| {
        let (radius, half) = (solid.radius(), 0.5 * solid.height());
        let nearest = q.clamp(Vec2::new(0.0, -half), Vec2::new(radius, half));
        let away = q - nearest;
        let out = away.length();
        if out > 0.0 {
            return (out, nearest, away / out);
        }
        let (side, end) = (radius - q.x, half - q.y.abs());
        if side <= end {
            (-side, Vec2::new(radius, q.y), Vec2::X)
        } else {
            let up = Vec2::new(0.0, 1.0f64.copysign(q.y));
            (-end, Vec2::new(q.x, half * up.y), up)
        }
    };
    revolved(p, profile)
}

/// Point and capsule.
pub(crate) fn point_capsule(p: Vec3, solid: &Capsule) -> ToSurface {
    let half = 0.5 * solid.height();
    let on_axis = Vec3::new(0.0, 0.0, p.z.clamp(-half, half));
    let away = p - on_axis;
    // On the axis every direction across it is as good as any other.
    let normal = unit(away).unwrap_or(Vec3::X);
    ToSurface { distance: away.length() - solid.radius(), point: on_axis + solid.radius() * normal, normal }
}

/// Point and cone.
pub(crate) fn point_cone(p: Vec3, solid: &Cone) -> ToSurface {
    let profile = |q: Vec2| {
        let (radius, half) = (solid.radius(), 0.5 * solid.height());
        let (rim, tip) = (Vec2::new(radius, -half), Vec2::new(0.0, half));
        // Outward normal of the side, in the profile.
        let slant = (2.0 * half).hypot(radius);
        let side_normal = Vec2::new(2.0 * half, radius) / slant;
        let side = side_normal.dot(q - rim);
        let base = -half - q.y;
        if side <= 0.0 && base <= 0.0 {
            return if side >= base {
                (side, q - side * side_normal, side_normal)
            } else {
                (base, Vec2::new(q.x, -half), -Vec2::Y)
            };
        }
        // Outside: the nearer of the base and the side, both as segments.
        let on_base = Vec2::new(q.x.min(radius), -half);
        let along = ((q - rim).dot(tip - rim) / (slant * slant)).clamp(0.0, 1.0);
        let on_side = rim + along * (tip - rim);
        let nearest =
            if q.distance_squared(on_base) < q.distance_squared(on_side) { on_base } else { on_side };
        let away = q - nearest;
        let out = away.length();
        // So near that only rounding tells it from the surface: the plane that it is outside of decides.
        let fallback = if side >= base { side_normal } else { -Vec2::Y };
        (out, nearest, if out > 0.0 { away / out } else { fallback })
    };
    revolved(p, profile)
}

/// Solves a solid of revolution about z in the half plane of the point: `profile` takes (distance from the axis, z) to
/// (signed distance, nearest point, normal), in the same coordinates.
fn revolved(p: Vec3, profile: impl Fn(Vec2) -> (f64, Vec2, Vec2)) -> ToSurface {
    let across = p.with_z(0.0);
    let radial = unit(across).unwrap_or(Vec3::X);
    let (distance, point, normal) = profile(Vec2::new(across.length(), p.z));
    let lift = |v: Vec2| v.x * radial + v.y * Vec3::Z;
    ToSurface { distance, point: lift(point), normal: lift(normal) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Shape;
    use freiraum_testkit::random::Random;

    /// The signed distance to a fine tessellation: brute force over triangles, inside by the shape itself.
    fn brute_force(shape: &Shape, p: Vec3, deviation: f64) -> f64 {
        let mesh = shape.tessellate(deviation).unwrap();
        let out = mesh.triangles().map(|t| distance_to_triangle(p, t)).fold(f64::INFINITY, f64::min);
        if shape.contains(p).unwrap() { -out } else { out }
    }

    fn distance_to_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
        let normal = (b - a).cross(c - a);
        let foot = p - normal * ((p - a).dot(normal) / normal.length_squared());
        let inside =
            [(a, b), (b, c), (c, a)].iter().all(|(s, e)| (*e - *s).cross(foot - *s).dot(normal) >= 0.0);
        if inside {
            return p.distance(foot);
        }
        let edge = |s: Vec3, e: Vec3| {
            let t = ((p - s).dot(e - s) / (e - s).length_squared()).clamp(0.0, 1.0);
            p.distance(s + t * (e - s))
        };
        edge(a, b).min(edge(b, c)).min(edge(c, a))
    }

    fn check(shape: &Shape, f: impl Fn(Vec3) -> ToSurface) {
        let mut random = Random::new(7);
        let deviation = 2e-4;
        let mesh = shape.tessellate(deviation).unwrap();
        let mut points: Vec<Vec3> = (0..60)
            .map(|_| Vec3::new(random.range(-2.0, 2.0), random.range(-2.0, 2.0), random.range(-2.0, 2.0)))
            .collect();
        points.extend([Vec3::ZERO, Vec3::Z * 0.3, Vec3::Z * 5.0, -Vec3::Z * 5.0, Vec3::X * 3.0]);
        points.extend(mesh.vertices().iter().step_by(97));
        for p in points {
            let found = f(p);
            assert!((found.normal.length() - 1.0).abs() < 1e-12, "{p}: {found:?}");
            assert!((found.point + found.distance * found.normal - p).length() < 1e-12, "{p}: {found:?}");
            let expected = brute_force(shape, p, deviation);
            assert!(
                (found.distance - expected).abs() < 2.0 * deviation,
                "{p}: {found:?}, expected {expected}"
            );
        }
    }

    #[test]
    fn agree_with_brute_force() {
        let cuboid = Cuboid::new(Vec3::new(1.0, 2.0, 1.5)).unwrap();
        check(&Shape::Cuboid(cuboid), |p| point_cuboid(p, &cuboid));
        for (radius, height) in [(0.7, 1.8), (1.2, 0.4)] {
            let cylinder = Cylinder::new(radius, height).unwrap();
            check(&Shape::Cylinder(cylinder), |p| point_cylinder(p, &cylinder));
            let cone = Cone::new(radius, height).unwrap();
            check(&Shape::Cone(cone), |p| point_cone(p, &cone));
            let capsule = Capsule::new(radius, height).unwrap();
            check(&Shape::Capsule(capsule), |p| point_capsule(p, &capsule));
        }
    }
}
