//! Volumes around two volumes of the same kind.

use crate::math::Vec3;

/// Centre and radius of the smallest sphere that holds two spheres, each given by centre and radius (metres).
///
/// **Guarantee.** The larger sphere itself, unchanged, when it holds the other; otherwise both
/// are inside, the radius being rounded up by at most 8 ε (distance of the centres + both radii + |center|).
/// **Degenerate input.** Equal centres and zero radii are ordinary cases.
pub fn sphere_of_two_spheres(a: (Vec3, f64), b: (Vec3, f64)) -> (Vec3, f64) {
    let ((center_a, radius_a), (center_b, radius_b)) = (a, b);
    let apart = center_b - center_a;
    let distance = apart.length();
    if distance + radius_b <= radius_a {
        return a;
    }
    if distance + radius_a <= radius_b {
        return b;
    }
    // Neither holds the other, so the distance is positive and the sphere touches both from outside.
    let share = 0.5 + 0.5 * (radius_b - radius_a) / distance;
    let center = center_a + share * apart;
    let reach = |c: Vec3, r: f64| c.distance(center) + r;
    let radius = reach(center_a, radius_a).max(reach(center_b, radius_b));
    (center, radius * (1.0 + 4.0 * f64::EPSILON))
}
