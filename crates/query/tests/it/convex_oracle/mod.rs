//! Convex polyhedra for tests, and slow answers about pairs of them.

use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_geometry::shape::Convex;
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;

/// Half axes of the ellipsoids, in metres at scale one.
const HALF: Vec3 = Vec3::new(0.5, 0.35, 0.25);

/// The hull of random points on an ellipsoid.
pub(crate) fn ellipsoid(count: usize, scale: f64, random: &mut Random) -> Convex {
    let points: Vec<Vec3> = (0..count).map(|_| scale * HALF * random.direction()).collect();
    Convex::from_points(&points).unwrap()
}

/// A random orientation at a distance in a random direction.
pub(crate) fn random_pose(distance: f64, random: &mut Random) -> Pose {
    Pose::new(random.rotation(), distance * random.direction()).unwrap()
}

/// The corners of b in the frame of a.
pub(crate) fn placed(b: &Convex, a_from_b: &Pose) -> Vec<Vec3> {
    b.vertices().iter().map(|p| a_from_b.transform_point(*p)).collect()
}

/// The distance by all pairs of corner and face, both ways, and of edges; `None` if the bodies overlap.
pub(crate) fn brute_distance(a: &Convex, b: &Convex, a_from_b: &Pose) -> Option<f64> {
    if brute_depth(a, b, a_from_b)? > 0.0 {
        return None;
    }
    let (va, vb) = (a.vertices(), placed(b, a_from_b));
    let (fa, fb) = (a.surface().faces(), b.surface().faces());
    let mut least = f64::INFINITY;
    for (points, corners, faces) in [(&vb[..], va, fa), (va, &vb[..], fb)] {
        for face in faces {
            let t = face.map(|i| corners[i as usize]);
            points.iter().for_each(|p| least = least.min(point_triangle(*p, t)));
        }
    }
    for (i, k) in edges(fa) {
        for (m, n) in edges(fb) {
            let found = segment_segment([va[i], va[k]], [vb[m], vb[n]]);
            least = least.min(found);
        }
    }
    Some(least)
}

fn edges(faces: &[[u32; 3]]) -> Vec<(usize, usize)> {
    let all = faces.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    all.filter(|(i, k)| i < k).map(|(i, k)| (i as usize, k as usize)).collect()
}

fn point_segment(p: Vec3, [a, b]: [Vec3; 2]) -> f64 {
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    (a + t * (b - a) - p).length()
}

fn point_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let is_above = [(a, b), (b, c), (c, a)].iter().all(|&(q, r)| (r - q).cross(p - q).dot(normal) >= 0.0);
    if is_above {
        return ((p - a).dot(normal) / normal.length()).abs();
    }
    point_segment(p, [a, b]).min(point_segment(p, [b, c])).min(point_segment(p, [c, a]))
}

/// Ends against segments are covered by the corners; here both points are inside.
fn segment_segment([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f64 {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let determinant = uu * vv - uv * uv;
    let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        let normal = u.cross(v);
        return (w.dot(normal) / normal.length()).abs();
    }
    f64::INFINITY
}

/// The depth of the overlap: the distance of the origin from the nearest facet of the hull of all differences of
/// corners; negative if it lies outside. `None` if the hull is flat.
pub(crate) fn brute_depth(a: &Convex, b: &Convex, a_from_b: &Pose) -> Option<f64> {
    let vb = placed(b, a_from_b);
    let differences: Vec<Vec3> = a.vertices().iter().flat_map(|p| vb.iter().map(move |q| *p - *q)).collect();
    depth_of_hull(&differences)
}

/// The least distance of the origin from the facets of a hull, positive inside.
///
/// Facets that are flat up to rounding are cut into slivers whose own plane is noise; slivers are left out, since their
/// neighbours stand for the same facet.
pub(crate) fn depth_of_hull(points: &[Vec3]) -> Option<f64> {
    let Ok(Hull::Solid(hull)) = convex_hull(points) else { return None };
    let corners = hull.points(points);
    let mut least = f64::INFINITY;
    for face in &hull.faces {
        let [p, q, r] = face.map(|i| corners[i as usize]);
        let normal = (q - p).cross(r - p);
        let longest = (q - p).length().max((r - p).length()).max((r - q).length());
        if normal.length() > 1e-9 * longest * longest {
            least = least.min(p.dot(normal) / normal.length());
        }
    }
    Some(least)
}
