//! The exhaustive method that most tools use: every facet of the hull in turn under the box, rotating calipers on the
//! projection. The best box flush with a facet, which is often but not always the smallest one.

use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_geometry::{Vec2, Vec3};

/// Volume of the smallest box that has a side on a facet of the hull; 0 for flat clouds.
pub(crate) fn flush_with_a_facet(cloud: &[Vec3]) -> f64 {
    let Ok(Hull::Solid(hull)) = convex_hull(cloud) else { return 0.0 };
    let corners = hull.points(cloud);
    let mut least = f64::INFINITY;
    let mut flat = Vec::new();
    for face in &hull.faces {
        let [a, b, c] = face.map(|i| corners[i as usize]);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        let (x, y) = normal.any_orthonormal_pair();
        flat.clear();
        flat.extend(corners.iter().map(|p| Vec2::new(x.dot(*p), y.dot(*p))));
        // Both ends are measured: the normal of a sliver may be off, and the facet then not the highest place.
        let heights = || corners.iter().map(|p| normal.dot(*p));
        let depth = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
        least = least.min(depth * smallest_area(&outline(&mut flat)));
    }
    least
}

/// Counter-clockwise convex hull in the plane (monotone chain).
fn outline(points: &mut [Vec2]) -> Vec<Vec2> {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let noise = 64.0 * f64::EPSILON * points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let mut corners: Vec<Vec2> = Vec::with_capacity(64);
    let extend = |keep: usize, p: Vec2, corners: &mut Vec<Vec2>| {
        while corners.len() > keep {
            let [.., a, b] = corners[..] else { break };
            // A corner that only rounding makes, or two at one place, would give a side of any direction.
            if (b - a).perp_dot(p - a) > noise * (p - a).length() && b.distance(p) > noise {
                break;
            }
            corners.pop();
        }
        corners.push(p);
    };
    points.iter().for_each(|p| extend(1, *p, &mut corners));
    let keep = corners.len();
    points.iter().rev().skip(1).for_each(|p| extend(keep, *p, &mut corners));
    corners.pop();
    corners
}

/// Area of the smallest rectangle around a convex polygon.
fn smallest_area(corners: &[Vec2]) -> f64 {
    let n = corners.len();
    let reach = corners.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let mut least = f64::INFINITY;
    let mut at = [0; 3];
    for i in 0..n {
        let Some(along) = (corners[(i + 1) % n] - corners[i]).try_normalize() else { continue };
        let directions = [along, along.perp(), -along];
        for k in 0..3 {
            // Each corner starts no earlier than the one before it, and never goes back.
            let from = if i == 0 && k > 0 { at[k - 1] } else { at[k].max(i) };
            at[k] = climb(corners, from, directions[k], 64.0 * f64::EPSILON * reach);
        }
        let reach = |k: usize| directions[k].dot(corners[at[k] % n]);
        least = least.min((reach(0) + reach(2)) * (reach(1) - along.perp().dot(corners[i])));
    }
    least
}

/// The highest corner at or after `from`; dips no deeper than rounding do not stop the climb.
fn climb(corners: &[Vec2], from: usize, direction: Vec2, dip: f64) -> usize {
    let n = corners.len();
    let height = |i: usize| direction.dot(corners[i % n]);
    let mut top = from;
    for i in from + 1..from + n {
        if height(i) >= height(top) {
            top = i;
        } else if height(i) < height(top) - dip {
            break;
        }
    }
    top
}
