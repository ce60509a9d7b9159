//! Two capsules: their axes as segments, grown by the radii.

use crate::Closest;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Capsule;
use freiraum_geometry::{Pose, Vec3};

/// Capsule and capsule, exact. Where the axes cross, the way out is along their common normal, or past an end if that
/// is nearer.
pub(crate) fn distance_capsule_capsule(a: &Capsule, b: &Capsule, a_from_b: &Pose) -> Closest {
    let half_a = Vec3::new(0.0, 0.0, 0.5 * a.height());
    let half_b = a_from_b.rotate(Vec3::new(0.0, 0.0, 0.5 * b.height()));
    let centre = a_from_b.translation();
    let (on_a, on_b) = nearest(half_a, centre, half_b);
    let away = on_b - on_a;
    let reach = 0.5 * (a.height() + b.height()) + centre.length();
    let axes = if away.length() > freiraum_geometry::math::rounding::coordinate(reach) {
        let normal = unit(away).unwrap_or(Vec3::X);
        Closest { distance: away.length(), point_on_a: on_a, point_on_b: on_b, normal }
    } else {
        crossing(half_a, half_b, centre, on_a)
    };
    axes.grown(a.radius(), b.radius())
}

/// Nearest points of the segments ±u about the origin and `centre` ± v.
fn nearest(u: Vec3, centre: Vec3, v: Vec3) -> (Vec3, Vec3) {
    let mut best = (Vec3::ZERO, centre);
    let mut consider = |p: Vec3, q: Vec3| {
        if p.distance_squared(q) < best.0.distance_squared(best.1) {
            best = (p, q);
        }
    };
    // The four ends first: they are right for parallel segments, where the lines' common normal is noise.
    for end in [-u, u] {
        consider(end, centre + along(v, end - centre) * v);
    }
    for end in [centre - v, centre + v] {
        consider(along(u, end) * u, end);
    }
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let determinant = uu * vv - uv * uv;
    if determinant > 0.0 {
        let s = ((u.dot(centre) * vv - uv * v.dot(centre)) / determinant).clamp(-1.0, 1.0);
        let q = centre + along(v, s * u - centre) * v;
        consider(along(u, q) * u, q);
    }
    best
}

/// The parameter in [-1, 1] of the point of ±v nearest to p.
fn along(v: Vec3, p: Vec3) -> f64 {
    let vv = v.length_squared();
    if vv > 0.0 { (v.dot(p) / vv).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The least way apart of two segments that meet in `at`: their Minkowski difference is a flat parallelogram, so that its
/// normal leads out at once; if they are parallel, every direction across does.
fn crossing(u: Vec3, v: Vec3, centre: Vec3, at: Vec3) -> Closest {
    let across = u.cross(v);
    // Nearly parallel axes have no normal worth the name; one across the longer segment will do.
    let longer = if u.length_squared() >= v.length_squared() { u } else { v };
    let is_parallel = across.length_squared() <= f64::EPSILON * u.length_squared() * v.length_squared();
    let normal = if is_parallel { None } else { unit(across) };
    let normal = normal.or_else(|| unit(longer.any_orthogonal_vector())).unwrap_or(Vec3::X);
    // Towards the centre of b, so that exchanging the bodies turns it round.
    let normal = if normal.dot(centre) < 0.0 { -normal } else { normal };
    Closest { distance: 0.0, point_on_a: at, point_on_b: at, normal }
}
