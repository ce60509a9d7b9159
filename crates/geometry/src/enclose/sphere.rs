//! The smallest sphere around points: exact up to rounding, with the points that prove it.
//!
//! The sphere is grown by exchanging its support: the point farthest outside joins the at most four points that
//! carry the sphere, and the smallest sphere of those five becomes the next one. Every candidate of that small
//! problem is judged by its actual distances, so nearly flat or nearly cospherical supports cannot mislead it.

use super::is_measurable;
use super::min_norm::shortest_in_hull;
use crate::math::{Aabb, Vec3};
use crate::tolerance::MIN_SIZE;
use std::f64::consts::PI;

/// A sphere around points; see [`smallest_sphere`].
#[derive(Clone, Debug, PartialEq)]
pub struct EnclosingSphere {
    /// Centre in the frame of the points, metres.
    pub center: Vec3,
    /// Radius in metres.
    pub radius: f64,
    /// Indices of 1 to 4 points on the sphere whose convex hull holds the centre, ascending. No smaller sphere
    /// holds these points, which is the proof that no smaller one holds them all.
    pub support: Vec<u32>,
}

impl EnclosingSphere {
    /// True if `point` lies in the closed sphere.
    pub fn contains(&self, point: Vec3) -> bool {
        point.distance_squared(self.center) <= self.radius * self.radius
    }

    /// Volume in cubic metres.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radius.powi(3)
    }
}

/// The smallest sphere that holds all points.
///
/// `None` if there are no points, a coordinate is not finite, or all differ by less than [`MIN_SIZE`].
///
/// **Guarantee.** Every point is inside, by [`EnclosingSphere::contains`] and in real numbers: the radius is the
/// largest computed distance, rounded up by 4 units in the last place. It exceeds the smallest possible radius by
/// at most 16 ε radius + 2 ε |center| (ε = `f64::EPSILON`; the second term is the rounding of the centre itself).
/// The same points give the same answer, bit for bit.
/// **Degenerate input.** Duplicates, collinear, coplanar and cospherical points are ordinary cases; a single
/// point has radius 0. **Cost.** A few passes over the points, no allocation that grows with them.
pub fn smallest_sphere(points: &[Vec3]) -> Option<EnclosingSphere> {
    let first = *points.first()?;
    let mut ball =
        Ball { center: first, radius_squared: 0.0, support: [0, NONE, NONE, NONE], seen: Vec::new() };
    let largest = loop {
        let mut changed = false;
        let mut largest = 0.0f64;
        for (block_index, block) in points.chunks(BLOCK).enumerate() {
            loop {
                let distance_squared = farthest_distance_squared(block, ball.center);
                largest = largest.max(distance_squared);
                if distance_squared <= ball.radius_squared * (1.0 + SLACK) {
                    break;
                }
                // Rare enough that looking again for the index is cheaper than tracking it.
                let within = position_of(block, ball.center, distance_squared);
                if !ball.exchange(points, (block_index * BLOCK + within) as u32) {
                    break;
                }
                changed = true;
            }
        }
        if !changed {
            break largest;
        }
    };
    // NaN hides from max(); a sum does not lose it.
    if !points.iter().map(|p| p.x + p.y + p.z).sum::<f64>().is_finite() {
        return None;
    }
    // Nearly always settled by the first comparison; the box costs another pass.
    if !(largest.sqrt() > MIN_SIZE) && !is_measurable(&Aabb::of_points(points)) {
        return None;
    }
    let mut support = ball.proof(points);
    support.sort_unstable();
    let radius = largest.sqrt() * (1.0 + 4.0 * f64::EPSILON);
    Some(EnclosingSphere { center: ball.center, radius, support })
}

/// Points per block: the farthest of each block is tried at once, so one pass does the work of many.
const BLOCK: usize = 1024;

/// A point counts as outside when its squared distance exceeds the squared radius by this share: twice the rounding
/// of a squared distance (three squares, two sums and the differences: 4 ε).
const SLACK: f64 = 8.0 * f64::EPSILON;

/// Marks an empty place in a support.
const NONE: u32 = u32::MAX;

struct Ball {
    center: Vec3,
    /// Largest computed squared distance of a support point from the (rounded) centre.
    radius_squared: f64,
    support: [u32; 4],
    /// Supports that were left. Coming back to one means that only rounding drives the exchange.
    seen: Vec<[u32; 4]>,
}

impl Ball {
    /// Replaces the ball by the smallest one around its support and the point `new`; false if nothing is gained.
    fn exchange(&mut self, points: &[Vec3], new: u32) -> bool {
        let base = points[new as usize];
        let old = self.support;
        // Everything relative to the new point, which lies on the next sphere.
        let mut offsets = [Vec3::ZERO; 4];
        let count = old.iter().take_while(|&&i| i != NONE).count();
        for (offset, &i) in offsets.iter_mut().zip(&old[..count]) {
            *offset = points[i as usize] - base;
        }
        let (center, members) = smallest_through_origin(&offsets[..count]);
        let mut support = [new, NONE, NONE, NONE];
        let mut next = 1;
        for (place, &i) in old[..count].iter().enumerate() {
            if members & (1 << place) != 0 {
                support[next] = i;
                next += 1;
            }
        }
        let mut key = support;
        key.sort_unstable();
        if self.seen.contains(&key) {
            return false;
        }
        self.seen.push(key);
        let center = base + center;
        let reach = |i: &u32| points[*i as usize].distance_squared(center);
        self.radius_squared = support[..next].iter().map(reach).fold(0.0, f64::max);
        self.center = center;
        self.support = support;
        true
    }

    /// Points on the ball whose hull holds the centre.
    ///
    /// That is the support, as a rule. Where more than four points lie on the ball, the support may be four of them
    /// to one side of the centre: the right ball, but not its proof. Then others on the ball are chosen.
    fn proof(&self, points: &[Vec3]) -> Vec<u32> {
        let support: Vec<u32> = self.support.into_iter().filter(|&i| i != NONE).collect();
        let offset = |i: &u32| points[*i as usize] - self.center;
        // A mean this far from the centre takes less than rounding from the proven radius, which it enters squared.
        let close = self.radius_squared * f64::EPSILON;
        let offsets: Vec<Vec3> = support.iter().map(offset).collect();
        if shortest_in_hull(&offsets).0.length_squared() <= close {
            return support;
        }
        let floor = self.radius_squared * (1.0 - 4.0 * SLACK);
        let on_ball: Vec<u32> =
            (0..points.len() as u32).filter(|i| offset(i).length_squared() >= floor).collect();
        let offsets: Vec<Vec3> = on_ball.iter().map(offset).collect();
        let (rest, carriers) = shortest_in_hull(&offsets);
        if rest.length_squared() <= close {
            carriers.into_iter().map(|i| on_ball[i as usize]).collect()
        } else {
            support
        }
    }
}

/// All subsets of at most three of four places, small ones first.
const SUBSETS: [u8; 15] = [0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14];

/// Centre of the smallest ball that has the origin on its boundary and holds the at most four `others`, and which
/// of them (a bit each) carry it together with the origin.
///
/// All subsets are tried and judged by the farthest of all points: a badly conditioned circumcentre merely loses.
fn smallest_through_origin(others: &[Vec3]) -> (Vec3, u8) {
    let mut best = (Vec3::ZERO, 0u8, f64::INFINITY);
    let mut judge = |center: Vec3, members: u8| {
        let radius_squared =
            others.iter().map(|p| p.distance_squared(center)).fold(center.length_squared(), f64::max);
        // Fewer carriers come first and win ties. NaN (a degenerate subset) loses every comparison.
        if radius_squared < best.2 * (1.0 - 2.0 * f64::EPSILON) && center.is_finite() {
            best = (center, members, radius_squared);
        }
    };
    for members in SUBSETS.into_iter().filter(|&m| m < 1 << others.len()) {
        let mut chosen = [Vec3::ZERO; 3];
        let mut count = 0;
        for (i, &p) in others.iter().enumerate() {
            if members & (1 << i) != 0 {
                chosen[count] = p;
                count += 1;
            }
        }
        let [a, b, c] = chosen;
        let center = match count {
            0 => Vec3::ZERO,
            1 => 0.5 * a,
            2 => circumcenter_of_triangle(a, b),
            _ => circumcenter_of_tetrahedron(a, b, c),
        };
        judge(center, members);
    }
    (best.0, best.1)
}

/// Centre of the circle through the origin, `a` and `b`; not finite if they are collinear.
fn circumcenter_of_triangle(a: Vec3, b: Vec3) -> Vec3 {
    let normal = a.cross(b);
    (a.length_squared() * b - b.length_squared() * a).cross(normal) / (2.0 * normal.length_squared())
}

/// Centre of the sphere through the origin, `a`, `b` and `c`; not finite if they are coplanar.
fn circumcenter_of_tetrahedron(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
    (a.length_squared() * bc + b.length_squared() * ca + c.length_squared() * ab) / (2.0 * a.dot(bc))
}

/// The largest squared distance of the points from `center`.
fn farthest_distance_squared(points: &[Vec3], center: Vec3) -> f64 {
    // Four running maxima keep the processor from waiting on one chain of comparisons.
    let mut largest = [0.0f64; 4];
    let fours = points.chunks_exact(4);
    let rest = fours.remainder();
    let max = |m: f64, d: f64| if d > m { d } else { m };
    for four in fours {
        for (m, p) in largest.iter_mut().zip(four) {
            *m = max(*m, p.distance_squared(center));
        }
    }
    for p in rest {
        largest[0] = max(largest[0], p.distance_squared(center));
    }
    largest.into_iter().fold(0.0, max)
}

/// The first point at that computed squared distance; 0 if there is none.
fn position_of(points: &[Vec3], center: Vec3, distance_squared: f64) -> usize {
    points.iter().position(|p| p.distance_squared(center) == distance_squared).unwrap_or(0)
}
