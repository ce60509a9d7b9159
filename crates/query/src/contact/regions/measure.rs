//! Point, normal, area and depth of one region.

use super::rings::{Side, normal_of};
use crate::contact::polygon::Polygon;
use crate::convex::{Points, penetration_by_sliding};
use freiraum_geometry::math::unit;
use freiraum_geometry::{Pose, Vec3};
use std::cmp::Ordering;

/// What a region comes to. In the frame of a.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) point: Vec3,
    pub(crate) normal: Option<Vec3>,
    pub(crate) area: f64,
    /// The smallest shift against the normal that separates the region; 0 without a normal.
    pub(crate) depth: f64,
    /// A shift near the normal that takes the hulls of the two pieces of surface apart: worth trying as a way out.
    pub(crate) hint: Vec3,
    /// Points of the rings, which lie on both surfaces: farthest out on four sides.
    pub(crate) rim: Rim,
}

impl Measured {
    const NONE: Measured = Measured {
        point: Vec3::ZERO,
        normal: None,
        area: 0.0,
        depth: 0.0,
        hint: Vec3::ZERO,
        rim: Rim { points: [Vec3::ZERO; 4], count: 0 },
    };
}

/// The points of a region that lie farthest out on four sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rim {
    points: [Vec3; 4],
    count: usize,
}

impl Rim {
    /// Of many points, seen along a direction; points nearer than `slack` to another one are left out.
    pub(crate) fn of(points: impl Iterator<Item = Vec3> + Clone, along: Vec3, slack: f64) -> Rim {
        let (e, f) = along.any_orthonormal_pair();
        let mut rim = Rim { points: [Vec3::ZERO; 4], count: 0 };
        for d in [e, f, -e, -f] {
            let farthest = points.clone().max_by(|p, q| p.dot(d).total_cmp(&q.dot(d)));
            let is_new = |p: &Vec3| rim.points().iter().all(|q| q.distance(*p) > slack);
            if let Some(p) = farthest.filter(is_new) {
                rim.points[rim.count] = p;
                rim.count += 1;
            }
        }
        rim
    }

    pub(crate) fn points(&self) -> &[Vec3] {
        &self.points[..self.count]
    }
}

/// Grids are shifted by this share of a cell, so that round numbers do not lie on their walls.
const GRID_SHIFT: f64 = 0.381;

/// What is measured, and memory for it.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    /// The pairs of faces that meet.
    pub(super) pairs: Vec<[u32; 2]>,
    /// For a and b: the corners inside the partner; measuring adds the points of the rings.
    pub(super) points: [Vec<Vec3>; 2],
    segments: Vec<Segment>,
    /// Corners of the areas in which faces lie on each other, or points where they touch.
    touching: Vec<Vec3>,
}

/// A piece of a ring.
#[derive(Clone, Copy, Debug)]
struct Segment {
    ends: [Vec3; 2],
    /// How much it counts, see [`weight`].
    weight: f64,
}

impl Piece {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.points.iter_mut().for_each(Vec::clear);
    }

    /// Measures the region, all but its depth; the second answer is true if the surfaces only touch. `slack` is what touching surfaces
    /// may be off by.
    pub(super) fn measure(&mut self, [a, b]: &[Side; 2], slack: f64) -> (Measured, bool) {
        self.segments.clear();
        self.touching.clear();
        let are_solid = a.is_solid() && b.is_solid();
        let mut is_crossing = false;
        for &[fa, fb] in &self.pairs {
            let (ta, tb) = (a.triangle(fa), b.triangle(fb));
            let Some([p, q]) = crossing_segment(&ta, &tb, slack) else { continue };
            let weight = if are_solid { weight(&ta, &tb, slack) } else { 1.0 };
            self.segments.push(Segment { ends: [p, q], weight });
            let is_line = p.distance_squared(q) > slack * slack;
            is_crossing = is_crossing || (is_line && is_cut(&ta, &tb, slack) && is_cut(&tb, &ta, slack));
        }
        // Where an edge of one mesh lies in the other's surface, the faces on both its sides tell the same line, up to
        // rounding: lines that begin and end in the same cells of a fine grid are one.
        let cell = 64.0 * slack;
        let key = |s: &Segment| s.ends.map(|p| (p / cell + GRID_SHIFT).floor().to_array());
        self.segments.sort_unstable_by(|s, other| {
            let (p, q) = (key(s), key(other));
            let pairs = p.iter().flatten().zip(q.iter().flatten());
            let order = pairs.fold(Ordering::Equal, |order, (x, y)| order.then(x.total_cmp(y)));
            order.then(other.weight.total_cmp(&s.weight))
        });
        self.segments.dedup_by_key(|s| key(s));
        let ring = self.of_rings(slack);
        let hint = self.apart(ring.normal);
        let is_flat = hint.length() <= slack;
        let is_touching = is_flat && !is_crossing;
        let measured =
            if is_touching { self.of_patches([a, b], ring.point, slack) } else { Measured { hint, ..ring } };
        let points = self.segments.iter().flat_map(|s| s.ends).chain(self.touching.iter().copied());
        let rim = Rim::of(points, measured.normal.unwrap_or(Vec3::Z), 64.0 * slack);
        (Measured { rim, ..measured }, is_touching)
    }

    /// Centroid and normal of the area that the rings enclose.
    fn of_rings(&self, slack: f64) -> Measured {
        let segments = &self.segments;
        let Some(&Segment { ends: [first, _], .. }) = segments.first() else { return Measured::NONE };
        let length: f64 = segments.iter().map(|s| s.ends[0].distance(s.ends[1])).sum();
        let weighted = segments.iter().map(|s| {
            let [p, q] = s.ends;
            0.5 * p.distance(q) * (p + q - 2.0 * first)
        });
        let middle = first + weighted.sum::<Vec3>() / length;
        let slices = segments.iter().map(|s| {
            let [p, q] = s.ends.map(|p| p - middle);
            (0.5 * s.weight * p.cross(q), (p + q) / 3.0)
        });
        let vector_area: Vec3 = slices.clone().map(|(area, _)| area).sum();
        let turned: f64 = slices.clone().map(|(area, _)| area.length()).sum();
        // What is left of areas that cancel is rounding.
        let is_area = vector_area.length() > turned * f64::EPSILON.sqrt() + slack * length;
        let none = Measured { point: middle, ..Measured::NONE };
        let Some(n) = unit(vector_area).filter(|_| is_area) else { return none };
        let moment: Vec3 = slices.map(|(area, at)| area.dot(n) * at).sum();
        let area = vector_area.length();
        // Rings of opposite sense nearly cancel, and the quotient leaves them.
        let farthest = segments.iter().flat_map(|s| s.ends).map(|p| p.distance(middle)).fold(0.0, f64::max);
        let centroid = middle + moment / area;
        let is_between = centroid.distance(middle) <= farthest;
        Measured { point: if is_between { centroid } else { middle }, normal: Some(n), area, ..none }
    }

    /// The shift of a that takes the hulls of the two pieces of surface apart: the least near the normal.
    fn apart(&mut self, normal: Option<Vec3>) -> Vec3 {
        let Some(n) = normal else { return Vec3::ZERO };
        let Piece { points, segments, .. } = self;
        points.iter_mut().for_each(|list| list.extend(segments.iter().flat_map(|s| s.ends)));
        let [a, b] = points;
        let highest = a.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
        let lowest = b.iter().map(|p| p.dot(n)).fold(f64::INFINITY, f64::min);
        let along = (highest - lowest).max(0.0);
        let slid = penetration_by_sliding(&Points(a), &Points(b), &Pose::IDENTITY, n);
        // It starts along the normal and only gets shorter.
        slid.filter(|s| -s.distance < along).map_or(-along * n, |s| s.distance * s.normal)
    }

    /// The direction in which the faces of a look and those of b do not, if most of them agree.
    fn facing(&self, [a, b]: [&Side; 2]) -> Option<Vec3> {
        let one = |&[fa, fb]: &[u32; 2]| normal_of(&a.triangle(fa)) - normal_of(&b.triangle(fb));
        let sum: Vec3 = self.pairs.iter().map(one).sum();
        unit(sum).filter(|_| sum.length() > self.pairs.len() as f64)
    }

    /// Surfaces that only touch: the area where faces lie on each other, or else the middle of where they touch: that of the
    /// lines, if there are any.
    fn of_patches(&mut self, [a, b]: [&Side; 2], middle: Vec3, slack: f64) -> Measured {
        let (mut total, mut moment, mut vector_area, mut rim) = (0.0, Vec3::ZERO, Vec3::ZERO, 0.0);
        let (mut count, mut sum) = (0.0, Vec3::ZERO);
        let Some(&[first, _]) = self.pairs.first() else { return Measured::NONE };
        let first = a.triangle(first)[0];
        for &[fa, fb] in &self.pairs {
            let (ta, tb) = (a.triangle(fa), b.triangle(fb));
            let (na, nb) = (normal_of(&ta), normal_of(&tb));
            let is_flat = tb.iter().all(|p| (*p - ta[0]).dot(na).abs() <= slack);
            // The other way round, b is seen from behind.
            let patch = Polygon::of(tb).within(&Polygon::of(ta), na);
            if is_flat && na.dot(nb) < 0.0 && patch.len() > 2 {
                rim += ta[0].distance(ta[1]) + ta[1].distance(ta[2]);
                self.touching.extend_from_slice(&patch);
                for i in 1..patch.len() - 1 {
                    let area = 0.5 * (patch[i] - patch[0]).cross(patch[i + 1] - patch[0]).length();
                    total += area;
                    moment += area * ((patch[0] + patch[i] + patch[i + 1]) / 3.0 - first);
                    vector_area += area * na;
                }
            }
            count += 1.0;
            let touching = touching_point(&ta, &tb);
            sum += touching - first;
            self.touching.push(touching);
        }
        let is_area = vector_area.length() > total * f64::EPSILON.sqrt() + slack * rim;
        let normal = if is_area { unit(vector_area) } else { self.facing([a, b]) };
        let area = if is_area { vector_area.length() } else { 0.0 };
        let point = if is_area {
            first + moment / total
        } else if self.segments.is_empty() {
            first + sum / count
        } else {
            middle
        };
        Measured { point, normal, area, ..Measured::NONE }
    }
}

/// The line in which two triangles cross, so directed that the piece of the first inside the second lies to its left.
/// None for triangles in one plane.
fn crossing_segment(a: &[Vec3; 3], b: &[Vec3; 3], slack: f64) -> Option<[Vec3; 2]> {
    let (na, nb) = (normal_of(a), normal_of(b));
    if b.iter().all(|p| (*p - a[0]).dot(na).abs() <= slack)
        || a.iter().all(|p| (*p - b[0]).dot(nb).abs() <= slack)
    {
        return None;
    }
    let direction = unit(na.cross(nb))?;
    let [low_a, high_a] = cut(a, b[0], nb, direction, slack)?;
    let [low_b, high_b] = cut(b, a[0], na, direction, slack)?;
    let along = |p: Vec3| p.dot(direction);
    let low = if along(low_a) >= along(low_b) { low_a } else { low_b };
    let high = if along(high_a) <= along(high_b) { high_a } else { high_b };
    (along(low) < along(high)).then_some([low, high])
}

/// How much a piece of a ring of two solids counts: 1, but a half where the face of one comes up to that of the other from behind
/// and ends there. Flush sides have two rims, one that is right if a is thought to be a little larger, and one if b is; both
/// enclose the same area.
fn weight(a: &[Vec3; 3], b: &[Vec3; 3], slack: f64) -> f64 {
    let ends_at = |face: &[Vec3; 3], other: &[Vec3; 3]| {
        let normal = normal_of(other);
        face.iter().all(|p| (*p - other[0]).dot(normal) <= slack)
    };
    let counts = |ends: bool| if ends { 0.0 } else { 0.5 };
    counts(ends_at(a, b)) + counts(ends_at(b, a))
}

/// True if a triangle has corners on both sides of the plane of another, and not just by rounding.
fn is_cut(triangle: &[Vec3; 3], by: &[Vec3; 3], slack: f64) -> bool {
    let normal = normal_of(by);
    let heights = triangle.map(|p| (p - by[0]).dot(normal));
    heights.iter().any(|h| *h > slack) && heights.iter().any(|h| *h < -slack)
}

/// Where a triangle meets a plane: the two ends, in the order of `direction`.
fn cut(triangle: &[Vec3; 3], on_plane: Vec3, normal: Vec3, direction: Vec3, slack: f64) -> Option<[Vec3; 2]> {
    // Corners in the plane up to rounding count as in it: otherwise touching edges would come and go.
    let height = triangle.map(|p| (p - on_plane).dot(normal)).map(|h| if h.abs() <= slack { 0.0 } else { h });
    let mut ends: Option<[Vec3; 2]> = None;
    let mut add = |p: Vec3| {
        let [low, high] = ends.unwrap_or([p, p]);
        let is_lower = p.dot(direction) < low.dot(direction);
        let is_higher = p.dot(direction) > high.dot(direction);
        ends = Some([if is_lower { p } else { low }, if is_higher { p } else { high }]);
    };
    for i in 0..3 {
        let j = (i + 1) % 3;
        if height[i] == 0.0 {
            add(triangle[i]);
        }
        if (height[i] < 0.0 && height[j] > 0.0) || (height[i] > 0.0 && height[j] < 0.0) {
            add(triangle[i] + height[i] / (height[i] - height[j]) * (triangle[j] - triangle[i]));
        }
    }
    ends
}

/// A point where two triangles touch.
fn touching_point(a: &[Vec3; 3], b: &[Vec3; 3]) -> Vec3 {
    let nearest = crate::elementary::triangle_triangle(*a, *b);
    0.5 * nearest.point_on_a + 0.5 * nearest.point_on_b
}
