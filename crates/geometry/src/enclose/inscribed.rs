//! The largest sphere inside a convex body: a linear program in four unknowns.
//!
//! Unknown are the centre c and the radius r; each plane with unit normal n and offset d says n·c + r <= d. The
//! program is solved by a dual simplex: four planes carry a sphere, the plane it violates most joins them, and of
//! the five the four are kept whose sphere is largest without violating the fifth.

use super::is_measurable;
use crate::hull::{Hull, convex_hull};
use crate::math::{Aabb, Vec3};
use crate::tolerance;

/// A plane that bounds a convex body: the body lies where `normal · x <= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingPlane {
    /// Outward normal; any non-zero length.
    pub normal: Vec3,
    /// Value of `normal · x` on the plane.
    pub offset: f64,
}

/// A sphere inside a convex body; see [`largest_inscribed_sphere`].
#[derive(Clone, Debug, PartialEq)]
pub struct InscribedSphere {
    /// Centre in the frame of the body, metres.
    pub center: Vec3,
    /// Radius in metres, at least 0.
    pub radius: f64,
}

/// Why planes do not have a largest sphere between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InscribeError {
    /// No point satisfies all planes.
    #[error("the planes have no point in common on their inner side")]
    Empty,
    /// Spheres of any size fit.
    #[error("the planes do not enclose anything: the inscribed sphere has no largest size")]
    Unbounded,
    /// A normal is zero, or a number is not finite.
    #[error("plane {0} has a zero normal or a number that is not finite")]
    BadPlane(usize),
}

/// The largest sphere that lies on the inner side of all planes.
///
/// Where several spheres are equally large (a long prism), one of them; always the same one.
///
/// **Guarantee.** The sphere is inside: its radius is the smallest distance of the centre from a plane, rounded
/// down by a bound on the rounding (32 ε times the distances involved), and is smaller than the largest possible
/// by no more than about twice that. **Degenerate input.** Planes that only touch in a point, line or polygon give
/// radius 0. [`InscribeError::Unbounded`] also for bodies that reach
/// [`tolerance::UNBOUNDED_RATIO`] times as far as their farthest plane is from the origin of the frame.
/// **Cost.** A few passes over the planes.
pub fn largest_inscribed_sphere(planes: &[BoundingPlane]) -> Result<InscribedSphere, InscribeError> {
    let mut unit_planes = Vec::with_capacity(planes.len());
    for (i, plane) in planes.iter().enumerate() {
        let normal = plane.normal.try_normalize().ok_or(InscribeError::BadPlane(i))?;
        let offset = plane.offset / plane.normal.length();
        if !offset.is_finite() {
            return Err(InscribeError::BadPlane(i));
        }
        unit_planes.push(UnitPlane { normal, offset });
    }
    let farthest = unit_planes.iter().map(|p| p.offset.abs()).fold(0.0, f64::max);
    let bound = if farthest > 0.0 { farthest * tolerance::UNBOUNDED_RATIO } else { 1.0 };
    let (center, is_bounded) = solve(&unit_planes, bound);
    if !is_bounded {
        return Err(InscribeError::Unbounded);
    }
    let rounding = 32.0 * f64::EPSILON * (farthest + center.length());
    let distance = smallest_slack(&unit_planes, center).1;
    if distance < -rounding {
        return Err(InscribeError::Empty);
    }
    Ok(InscribedSphere { center, radius: (distance - rounding).max(0.0) })
}

/// The largest sphere inside the convex hull of points; radius 0 in the middle of flat, line-like and single points.
///
/// `None` if there are no points or a coordinate is not finite. **Guarantee.** As of [`largest_inscribed_sphere`],
/// the distances being relative to the middle of the points: far from the origin nothing is lost.
/// **Cost.** That of the hull.
pub fn largest_sphere_in_hull(points: &[Vec3]) -> Option<InscribedSphere> {
    let hull = convex_hull(points).ok()?;
    let bounds = Aabb::of_points(points);
    if !is_measurable(&bounds) {
        return None;
    }
    let middle = bounds.center();
    let Hull::Solid(solid) = hull else {
        let corners: Vec<u32> = match hull {
            Hull::Point(i) => vec![i],
            Hull::Segment(ends) => ends.to_vec(),
            Hull::Flat(flat) => flat.outline,
            Hull::Solid(solid) => solid.vertices,
        };
        let offsets = corners.iter().map(|&i| points[i as usize] - middle);
        return Some(InscribedSphere {
            center: middle + offsets.sum::<Vec3>() / corners.len() as f64,
            radius: 0.0,
        });
    };
    let corner = |i: u32| points[solid.vertices[i as usize] as usize];
    let planes: Vec<UnitPlane> = solid
        .faces
        .iter()
        .filter_map(|f| {
            let [a, b, c] = f.map(corner);
            let normal = normal_of_triangle(a, b, c)?;
            Some(UnitPlane { normal, offset: normal.dot(a - middle) })
        })
        .collect();
    // The body lies in the sphere about its box, so the helping planes around that never matter.
    let extent = bounds.bounding_sphere().radius;
    let (offset, _) = solve(&planes, extent);
    // The centre is rounded when it moves to the frame of the points; what counts is where it then is.
    let center = middle + offset;
    let distance = smallest_slack(&planes, center - middle).1;
    Some(InscribedSphere { center, radius: (distance - 32.0 * f64::EPSILON * extent).max(0.0) })
}

/// A plane with unit normal.
#[derive(Clone, Copy, Debug)]
struct UnitPlane {
    normal: Vec3,
    offset: f64,
}

impl UnitPlane {
    /// Signed distance of `point` from the plane, positive inside.
    fn slack(&self, point: Vec3) -> f64 {
        self.offset - self.normal.dot(point)
    }
}

/// The plane nearest to `center` (or most violated by it) and the signed distance; (0, infinity) for no planes.
fn smallest_slack(planes: &[UnitPlane], center: Vec3) -> (usize, f64) {
    let mut least = (0, f64::INFINITY);
    for (i, plane) in planes.iter().enumerate() {
        let slack = plane.slack(center);
        if slack < least.1 {
            least = (i, slack);
        }
    }
    least
}

/// Centre of the largest sphere; false if only the helping planes, `bound` metres from the origin, stopped it.
fn solve(planes: &[UnitPlane], bound: f64) -> (Vec3, bool) {
    // A tetrahedron far outside: the first sphere, and a vertex for bodies that have none of their own.
    let third = 1.0 / 3.0f64.sqrt();
    let help = |x: f64, y: f64, z: f64| UnitPlane { normal: third * Vec3::new(x, y, z), offset: bound };
    let helpers = [help(1.0, 1.0, 1.0), help(1.0, -1.0, -1.0), help(-1.0, 1.0, -1.0), help(-1.0, -1.0, 1.0)];
    const HELPER: usize = usize::MAX;
    let mut basis = helpers.map(|p| (HELPER, p));
    let (mut center, mut radius) = (Vec3::ZERO, bound);
    // Ties of the radius (long prisms) are broken along a fixed generic direction, without which the exchange
    // could run in circles; the count is a last defence against rounding doing the same.
    let generic = Vec3::new(0.5257, 0.3713, 0.7654);
    for _ in 0..16 * (planes.len() + 16) {
        let (entering, slack) = smallest_slack(planes, center);
        let rounding = 16.0 * f64::EPSILON * (bound.min(slack.abs()) + radius.abs() + center.length());
        if slack >= radius - rounding || basis.iter().any(|b| b.0 == entering) {
            break;
        }
        let entering = (entering, planes[entering]);
        let mut best: Option<(f64, f64, Vec3, usize)> = None;
        for leaving in 0..4 {
            let mut kept = basis.map(|b| b.1);
            kept[leaving] = entering.1;
            let Some(candidate) = center_of_four(&kept) else { continue };
            let radius =
                basis.iter().map(|b| b.1.slack(candidate)).fold(entering.1.slack(candidate), f64::min);
            let tie = generic.dot(candidate);
            let slack = 16.0 * f64::EPSILON * (radius.abs() + candidate.length());
            let is_better =
                best.is_none_or(|(r, t, ..)| radius > r + slack || (radius > r - slack && tie > t));
            if is_better {
                best = Some((radius, tie, candidate, leaving));
            }
        }
        let Some((next, _, candidate, leaving)) = best else { break };
        (center, radius) = (candidate, next);
        basis[leaving] = entering;
    }
    (center, basis.iter().all(|b| b.0 != HELPER))
}

/// The point with the same signed distance from four planes; `None` if there is not exactly one.
fn center_of_four(planes: &[UnitPlane; 4]) -> Option<Vec3> {
    let [first, rest @ ..] = planes;
    let [a, b, c] = rest.map(|p| p.normal - first.normal);
    let [x, y, z] = rest.map(|p| p.offset - first.offset);
    let center = (x * b.cross(c) + y * c.cross(a) + z * a.cross(b)) / a.dot(b.cross(c));
    center.is_finite().then_some(center)
}

/// Unit normal of a triangle, right to a few units in the last place even for slivers; `None` without area.
fn normal_of_triangle(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    // Cancellation costs as many digits as the triangle is thinner than it is long.
    if normal.length() > 0.25 * u.length() * v.length() {
        return normal.try_normalize();
    }
    let difference = |p: Vec3| {
        let parts = [two_difference(p.x, a.x), two_difference(p.y, a.y), two_difference(p.z, a.z)];
        (Vec3::from(parts.map(|x| x.0)), Vec3::from(parts.map(|x| x.1)))
    };
    let ((u, u_low), (v, v_low)) = (difference(b), difference(c));
    let component = |i: usize, j: usize| {
        let (left, left_low) = two_product(u[i], v[j]);
        let (right, right_low) = two_product(u[j], v[i]);
        let (high, low) = two_difference(left, right);
        let cross = (u[i] * v_low[j] + u_low[i] * v[j]) - (u[j] * v_low[i] + u_low[j] * v[i]);
        high + (low + (left_low - right_low) + cross)
    };
    Vec3::new(component(1, 2), component(2, 0), component(0, 1)).try_normalize()
}

/// a - b as the rounded difference and its error, exactly.
fn two_difference(a: f64, b: f64) -> (f64, f64) {
    let high = a - b;
    let b_used = a - high;
    (high, (a - (high + b_used)) + (b_used - b))
}

/// a * b as the rounded product and its error, exactly (no over- or underflow).
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let high = a * b;
    (high, a.mul_add(b, -high))
}
