//! Whether the images of two triangles under a full turn have points in common.
//!
//! The image of a triangle in the half plane of (distance from the axis, height along it) is, at every height, one interval: a
//! slice of a triangle is a segment. It reaches from the nearest point of the slice to its farther end. Between the
//! heights of the corners both ends of the slice move on straight lines, so squares of distances are quadratics in the
//! height, and so is the square of the distance to the line of the slice, where its foot lies between the ends. Whether one
//! quadratic stays below another follows from their Bernstein coefficients in closed form.

use freiraum_geometry::{Vec2, Vec3};

/// A point that two images share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImagePoint {
    pub(super) distance: f64,
    pub(super) height: f64,
}

/// A point common to the images of two triangles under a full turn about the z axis, up to rounding; `None` if there is none.
///
/// `slack`: how far off a coordinate may be by rounding; `square`: how far off squares of distances from the axis may be
/// on top of that. **Guarantee.** `None` is proven: the images stay apart if things are off by that much.
pub(super) fn common_point(a: &[Vec3; 3], b: &[Vec3; 3], slack: f64, square: f64) -> Option<ImagePoint> {
    let (a, b) = (by_height(a), by_height(b));
    let (low, high) = (a[0].z.max(b[0].z), a[2].z.min(b[2].z));
    if low > high + 2.0 * slack {
        return None;
    }
    let mut middle = [a[1].z, b[1].z].map(|z| z.clamp(low.min(high), high));
    middle.sort_by(f64::total_cmp);
    let heights = [low, middle[0], middle[1], high];
    if high - low <= THIN * slack {
        return thin(&a, &b, [low.min(high), low.max(high)], slack, square);
    }
    for slab in heights.windows(2).filter(|slab| slab[0] < slab[1]) {
        let common = if slab[1] - slab[0] <= THIN * slack {
            thin(&a, &b, [slab[0], slab[1]], slack, square)
        } else {
            thick(&Slab::new(&a, slab), &Slab::new(&b, slab), slab, slack, square)
        };
        if common.is_some() {
            return common;
        }
    }
    None
}

/// Slabs of no more than this many roundings are treated as one height.
const THIN: f64 = 8.0;

fn by_height(t: &[Vec3; 3]) -> [Vec3; 3] {
    let mut t = *t;
    t.sort_by(|p, q| p.z.total_cmp(&q.z));
    t
}

fn across(p: Vec3) -> Vec2 {
    Vec2::new(p.x, p.y)
}

/// A slab so thin that rounding does not tell its heights apart: whatever lies in it is compared as a whole.
fn thin(a: &[Vec3; 3], b: &[Vec3; 3], heights: [f64; 2], slack: f64, square: f64) -> Option<ImagePoint> {
    let [low, high] = heights;
    let (from, to) = (low - 2.0 * slack, high + 2.0 * slack);
    let (on_a, on_b) = (distances(a, from, to), distances(b, from, to));
    let (least, most) = (on_a[0].max(on_b[0]), on_a[1].min(on_b[1]));
    let reached = most + 2.0 * slack;
    (least * least <= reached * reached + square)
        .then_some(ImagePoint { distance: 0.5 * (least + most), height: 0.5 * (low + high) })
}

/// Least and largest distance from the axis of the part of a triangle between two heights; of the whole triangle if there is
/// none.
fn distances(t: &[Vec3; 3], low: f64, high: f64) -> [f64; 2] {
    let mut part = [Vec2::ZERO; 8];
    let mut count = 0;
    for k in 0..3 {
        let (p, q) = (t[k], t[(k + 1) % 3]);
        if low <= p.z && p.z <= high {
            part[count] = across(p);
            count += 1;
        }
        // In the order in which the edge meets the two heights.
        for height in if p.z < q.z { [low, high] } else { [high, low] } {
            if (p.z < height && height < q.z) || (q.z < height && height < p.z) {
                part[count] = on_edge(p, q, height);
                count += 1;
            }
        }
    }
    if count == 0 {
        part[..3].copy_from_slice(&t.map(across));
        count = 3;
    }
    let part = &part[..count];
    let most = part.iter().map(|p| p.length()).fold(0.0, f64::max);
    let edges = || part.iter().zip(part.iter().cycle().skip(1));
    let holds_axis = count > 2
        && (edges().all(|(p, q)| p.perp_dot(*q) >= 0.0) || edges().all(|(p, q)| p.perp_dot(*q) <= 0.0))
        && edges().any(|(p, q)| p.perp_dot(*q) != 0.0);
    let least = if holds_axis { 0.0 } else { edges().map(|(p, q)| to_segment(*p, *q)).fold(most, f64::min) };
    [least, most]
}

/// Distance of the origin from a segment.
pub(super) fn to_segment(p: Vec2, q: Vec2) -> f64 {
    let edge = q - p;
    let share = -p.dot(edge) / edge.length_squared();
    if share > 0.0 && share < 1.0 { (p + share * edge).length() } else { p.length().min(q.length()) }
}

/// The point of an edge at a height.
fn on_edge(p: Vec3, q: Vec3, height: f64) -> Vec2 {
    across(p) + ((height - p.z) / (q.z - p.z)).clamp(0.0, 1.0) * (across(q) - across(p))
}

/// A straight line in the projection along the axis, where a slab begins and where it ends.
type Line = [Vec2; 2];

fn at(line: &Line, share: f64) -> Vec2 {
    line[0] + share * (line[1] - line[0])
}

/// The part of a triangle between two heights: a slice that moves, with its ends on two lines.
struct Slab {
    ends: [Line; 2],
    /// Unit vector along all slices; zero if the triangle is a segment.
    along: Vec2,
    /// How far off the ends may be, if heights and coordinates are off by the slack, in units of it.
    blur: f64,
}

impl Slab {
    fn new(t: &[Vec3; 3], slab: &[f64]) -> Slab {
        let (low, high) = (slab[0], slab[1]);
        let line = |p: Vec3, q: Vec3| [on_edge(p, q, low), on_edge(p, q, high)];
        let is_lower = 0.5 * (low + high) < t[1].z;
        let ends = [line(t[0], t[2]), if is_lower { line(t[0], t[1]) } else { line(t[1], t[2]) }];
        let slices = [0, 1].map(|k| ends[1][k] - ends[0][k]);
        let longer =
            if slices[0].length_squared() > slices[1].length_squared() { slices[0] } else { slices[1] };
        let slope = ends.iter().map(|line| (line[1] - line[0]).length()).fold(0.0, f64::max) / (high - low);
        Slab { ends, along: longer.normalize_or_zero(), blur: 2.0 * (1.0 + slope) }
    }

    /// Shares of the slab at which the foot of the axis is at one of the ends.
    fn breaks(&self) -> [f64; 2] {
        self.ends.map(|line| {
            let [p, q] = line.map(|p| self.along.dot(p));
            if p * q < 0.0 { p / (p - q) } else { 0.0 }
        })
    }

    /// The lines of the ends between two shares of the slab.
    fn outer(&self, from: f64, to: f64) -> [Line; 2] {
        self.ends.map(|line| [at(&line, from), at(&line, to)])
    }

    /// The lines whose nearer one is as near to the axis as the slices, between two shares of the slab with no break between.
    fn inner(&self, from: f64, to: f64) -> [Line; 2] {
        let ends = self.outer(from, to);
        let middle = 0.5 * (from + to);
        let [p, q] = self.ends.map(|line| self.along.dot(at(&line, middle)));
        if p * q < 0.0 {
            // The foot is between the ends.
            let foot = ends[0].map(|p| p - self.along.dot(p) * self.along);
            [foot, foot]
        } else {
            ends
        }
    }
}

/// A slab in which both triangles have slices.
fn thick(a: &Slab, b: &Slab, heights: &[f64], slack: f64, square: f64) -> Option<ImagePoint> {
    let ([p, q], [r, s]) = (a.breaks(), b.breaks());
    let mut shares = [0.0, p, q, r, s, 1.0];
    shares.sort_by(f64::total_cmp);
    let blur = (a.blur + b.blur) * slack;
    for part in shares.windows(2) {
        let (from, to) = (part[0], part[1]);
        if from == to {
            continue;
        }
        let (outer_a, inner_a) = (a.outer(from, to), a.inner(from, to));
        let (outer_b, inner_b) = (b.outer(from, to), b.inner(from, to));
        let within = |outer: &[Line; 2], inner: &[Line; 2]| {
            outer.iter().all(|near| inner.iter().all(|far| is_nearer(near, far, blur, square)))
        };
        if within(&outer_a, &inner_b) || within(&outer_b, &inner_a) {
            continue;
        }
        // Where the intervals overlap most, or are least apart.
        let overlap = |share: f64| {
            let lengths = |lines: &[Line; 2]| lines.map(|line| at(&line, share).length());
            let (on_a, on_b) = (lengths(&outer_a), lengths(&outer_b));
            let (in_a, in_b) = (lengths(&inner_a), lengths(&inner_b));
            let least = in_a[0].min(in_a[1]).max(in_b[0].min(in_b[1]));
            let most = on_a[0].max(on_a[1]).min(on_b[0].max(on_b[1]));
            [least, most]
        };
        let steps = 8;
        let (share, [least, most]) = (0..=steps)
            .map(|k| f64::from(k) / f64::from(steps))
            .map(|share| (share, overlap(share)))
            .max_by(|x, y| (x.1[1] - x.1[0]).total_cmp(&(y.1[1] - y.1[0])))
            .expect("some shares");
        let share = from + share * (to - from);
        let height = heights[0] + share * (heights[1] - heights[0]);
        return Some(ImagePoint { distance: 0.5 * (least + most), height });
    }
    None
}

/// Whether the points of one line are nearer to the origin than those of the other, by more than `blur` and by more than `square`
/// in the squares, at all shares.
fn is_nearer(near: &Line, far: &Line, blur: f64, square: f64) -> bool {
    // |far| - |near| > blur follows from |far|² - |near|² > blur (|far| + |near|).
    let size = [near, far].map(|line| line[0].length_squared().max(line[1].length_squared()).sqrt());
    let margin = blur * (size[0] + size[1]) + square;
    let first = far[0].length_squared() - near[0].length_squared() - margin;
    let last = far[1].length_squared() - near[1].length_squared() - margin;
    let middle = far[0].dot(far[1]) - near[0].dot(near[1]) - margin;
    // The quadratic with these Bernstein coefficients has no zero.
    first > 0.0 && last > 0.0 && (middle > 0.0 || middle * middle < first * last)
}

#[cfg(test)]
mod tests {
    use super::super::gap::gap;
    use super::*;
    use crate::triangles::{Turned, meet_rotating};
    use freiraum_testkit::random::Random;
    use freiraum_testkit::scale;
    use std::f64::consts::TAU;

    const SLACK: f64 = 1e-14;

    /// Smallest distance of the images by sampling both triangles, and about how far off it is.
    fn sampled(a: &[Vec3; 3], b: &[Vec3; 3]) -> f64 {
        let steps = 24;
        let points = |t: &[Vec3; 3]| {
            let mut out = Vec::new();
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let (u, v) = (i as f64 / steps as f64, j as f64 / steps as f64);
                    let p = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
                    out.push(Vec2::new(p.x.hypot(p.y), p.z));
                }
            }
            out
        };
        let (a, b) = (points(a), points(b));
        a.iter().flat_map(|p| b.iter().map(move |q| p.distance(*q))).fold(f64::INFINITY, f64::min)
    }

    /// Smallest distance during the turn: many angles, then the best of them improved.
    fn closest(a: &[Vec3; 3], b: &[Vec3; 3]) -> f64 {
        let distance = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            let turned = b.map(|p| Vec3::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y, p.z));
            freiraum_query::elementary::triangle_triangle(*a, turned).distance()
        };
        let best = (0..1000)
            .map(|k| f64::from(k) * TAU / 1000.0)
            .min_by(|x, y| distance(*x).total_cmp(&distance(*y)));
        let mut best = best.expect("some angles");
        let mut step = TAU / 1000.0;
        while step > 1e-12 {
            let sides = [best - step, best, best + step];
            best = sides.into_iter().min_by(|x, y| distance(*x).total_cmp(&distance(*y))).expect("three");
            step *= 0.7;
        }
        distance(best)
    }

    /// Compares with the contact times of the turning triangles, and the gap with samples; gives whether they meet.
    fn check(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
        let found = common_point(&a, &b, SLACK, 0.0);
        assert_eq!(found.is_some(), common_point(&b, &a, SLACK, 0.0).is_some(), "{a:?} {b:?}");
        match (found, meet_rotating(a, b, 0.0, [0.0, TAU], SLACK)) {
            (Some(_), Turned::Met(_)) | (None, Turned::Apart) | (_, Turned::Stuck(_)) => {}
            // Steps from plane to plane may pass over triangles that only touch.
            (Some(_), Turned::Apart) => assert!(closest(&a, &b) < 1e-9, "{found:?} {a:?} {b:?}"),
            (None, Turned::Met(turn)) => panic!("{turn:?} {a:?} {b:?}"),
        }
        if found.is_none() {
            let (lower, upper) = (gap(&a, &b, 0.0, f64::INFINITY), sampled(&a, &b));
            assert!(0.0 < lower && lower <= upper + 1e-13, "{lower} {upper} {a:?} {b:?}");
            // A sample is at most one cell away from the nearest point.
            let cell = [a, b]
                .into_iter()
                .flat_map(|t| [t[0].distance(t[1]), t[1].distance(t[2]), t[2].distance(t[0])]);
            let cell: f64 = cell.sum::<f64>() / 24.0;
            assert!(lower >= upper * (1.0 - 1.0 / 32.0) - cell, "{lower} {upper} {a:?} {b:?}");
        }
        found.is_some()
    }

    #[test]
    fn random_triangles_agree_with_turning_ones() {
        let mut random = Random::new(1);
        let mut met = [0; 2];
        for case in 0..scale::cases(4000) {
            let shift = Vec3::new(random.range(-2.0, 2.0), 0.0, random.range(-1.0, 1.0));
            let size = [0.1, 0.5, 1.0][case % 3];
            let mut triangle = || -> [Vec3; 3] { std::array::from_fn(|_| random.in_cube(size)) };
            let (a, b) = (triangle(), triangle());
            met[usize::from(check(a.map(|p| p + shift), b.map(|p| p + shift)))] += 1;
            met[usize::from(check(a, b.map(|p| p + shift)))] += 1;
        }
        assert!(met[0] > scale::cases(400) && met[1] > scale::cases(400), "{met:?}");
    }

    #[test]
    fn corners_on_a_grid_meet_the_axis_each_other_and_planes_across() {
        let mut random = Random::new(2);
        let mut met = [0; 2];
        for _ in 0..scale::cases(4000) {
            let mut triangle = || -> [Vec3; 3] {
                std::array::from_fn(|_| {
                    Vec3::new(random.below(4) as f64, random.below(3) as f64 - 1.0, random.below(3) as f64)
                })
            };
            met[usize::from(check(triangle(), triangle()))] += 1;
        }
        assert!(met[0] > scale::cases(100) && met[1] > scale::cases(100), "{met:?}");
    }

    #[test]
    fn a_face_that_the_axis_pierces_comes_down_to_it() {
        // The line on which b is nearest to the axis runs through it: its image has a kink.
        let a = [
            Vec3::new(-0.5473803355276436, 0.27397585685939996, -0.06611645419637657),
            Vec3::new(0.21570658317812463, 0.0285656834411272, -0.5934932154945793),
            Vec3::new(0.940955342088089, 0.16481317324148703, 0.8548841682586352),
        ];
        let b = [
            Vec3::new(0.23654358801930742, -0.9429489411376968, -0.3374371614616509),
            Vec3::new(0.40063328324372494, 0.9268479859016041, -0.9576308039148789),
            Vec3::new(-1.04280571140773, -0.256768404857898, -1.197515553658636),
        ];
        assert!(!check(a, b));
    }
}
