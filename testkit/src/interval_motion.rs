//! The first contact of two surfaces, one of them turning, between proven bounds: feature equations in interval arithmetic.
//!
//! A corner of one triangle is in the plane of another one, or two edges are in one plane, where a function
//! `a cos θ + b sin θ + c` is zero. Its value, its slope and a bound of its curvature enclose it over a stretch of angles. If such functions keep one sign
//! for all corners, a plane parts the triangles during the whole stretch: contact is impossible. If at one angle an edge of one
//! triangle has its ends on both sides of the other one and passes inside its three edges, contact is certain. What
//! is neither is cut in two.

use crate::bumpy::Surface;
use crate::interval::{Interval, Vector, cross, dot, minus, sin_cos};
use glam::DVec3;

/// When two surfaces first touch, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// They are apart, by more than the margin, at all smaller angles; the whole angle if they always are.
    pub apart_until: f64,
    /// They cross each other here, if they are known to at all.
    pub crossing_at: Option<f64>,
}

/// When b, turned by up to `angle` (positive, in radians) about a line through `point` along `direction`, first touches a. `b_at`: where b starts.
/// Triangles that come within `margin` metres of each other count as possibly touching. Faces have an area.
pub fn first_turning_contact(
    a: &Surface,
    b: &Surface,
    b_at: DVec3,
    point: DVec3,
    direction: DVec3,
    angle: f64,
    margin: f64,
) -> Bracket {
    let axis = Axis::along(direction);
    let vector = |p: DVec3| p.to_array().map(Interval::from);
    let triangles = |(vertices, faces): &Surface, at: DVec3| -> Vec<Triangle> {
        let shift: Vector = minus(&vector(at), &vector(point));
        let place = |p: DVec3| -> Vector { std::array::from_fn(|i| Interval::from(p[i]) + shift[i]) };
        faces.iter().map(|face| Triangle::new(face.map(|i| place(vertices[i as usize])))).collect()
    };
    let (on_a, on_b) = (triangles(a, DVec3::ZERO), triangles(b, b_at));
    let count = on_a.len() * on_b.len();
    let near = |i: usize| Near::new(&axis, &on_a[i / on_b.len()], &on_b[i % on_b.len()], margin);
    let mut search = Search {
        near: (0..count).map(near).collect(),
        features: (0..count).map(|_| None).collect(),
        axis,
        on_a,
        on_b,
        margin,
    };
    let all: Vec<usize> = (0..count).collect();
    let chunks = (angle * 8.0).ceil().max(1.0) as usize;
    let time = |i: usize| if i == chunks { angle } else { angle * i as f64 / chunks as f64 };
    let narrowest = angle * FINEST;
    let open =
        (0..chunks).find_map(|i| search.first_open(&all, [time(i), time(i + 1)], narrowest, &|_, _, _| true));
    let Some(([apart_until, _], alive)) = open else {
        return Bracket { apart_until: angle, crossing_at: None };
    };
    // Mostly soon after.
    let soon = (0..60)
        .map(|k| apart_until + narrowest * f64::from(k).exp2())
        .take_while(|t| *t < angle)
        .find(|t| search.is_crossing(&alive, *t));
    let coarse = angle * COARSEST;
    let crossing = soon.or_else(|| {
        (0..chunks).find_map(|i| {
            let [from, to] = [time(i).max(apart_until), time(i + 1)];
            let found =
                (from < to).then(|| search.first_open(&all, [from, to], coarse, &Search::is_crossing))??;
            Some(found.0[1])
        })
    });
    let crossing_at = crossing.map(|crossing| search.earlier(&all, [apart_until, crossing]));
    Bracket { apart_until, crossing_at }
}

/// Share of the motion down to which stretches are cut to prove that nothing touches before.
const FINEST: f64 = 1e-13;

/// Share of the motion down to which stretches are cut where a crossing is looked for.
const COARSEST: f64 = 1.0 / 1024.0;

struct Axis {
    unit: Vector,
}

impl Axis {
    fn along(direction: DVec3) -> Axis {
        let d = direction.to_array().map(Interval::from);
        let shrink = dot(&d, &d).sqrt().inverse();
        Axis { unit: d.map(|x| x * shrink) }
    }

    /// `w · R(θ) x`.
    fn wave(&self, w: &Vector, x: &Vector) -> Wave {
        let constant = dot(w, &self.unit) * dot(&self.unit, x);
        Wave { constant, cosine: dot(w, x) - constant, sine: dot(w, &cross(&self.unit, x)) }
    }
}

/// The function `constant + cosine cos θ + sine sin θ`.
#[derive(Clone, Copy)]
struct Wave {
    constant: Interval,
    cosine: Interval,
    sine: Interval,
}

impl Wave {
    fn plus(self, other: Wave) -> Wave {
        Wave {
            constant: self.constant + other.constant,
            cosine: self.cosine + other.cosine,
            sine: self.sine + other.sine,
        }
    }

    fn minus(self, level: Interval) -> Wave {
        Wave { constant: self.constant - level, ..self }
    }

    fn over(&self, stretch: &Stretch) -> Interval {
        let value = self.constant + self.cosine * stretch.cos + self.sine * stretch.sin;
        if stretch.half == 0.0 {
            return value;
        }
        let slope = self.sine * stretch.cos - self.cosine * stretch.sin;
        let curve = Interval::from(self.cosine.magnitude()) + Interval::from(self.sine.magnitude());
        let off = Interval::within(stretch.half);
        value + slope * off + curve * off * Interval::from(0.5 * stretch.half)
    }
}

/// Angles no farther than `half` from one with this sine and cosine.
struct Stretch {
    sin: Interval,
    cos: Interval,
    half: f64,
}

impl Stretch {
    fn between([from, to]: [f64; 2]) -> Stretch {
        let middle = 0.5 * (from + to);
        let half = (middle - from).max(to - middle).next_up();
        Stretch { half: if from == to { 0.0 } else { half }, ..Stretch::at(middle) }
    }

    fn at(angle: f64) -> Stretch {
        let (sin, cos) = sin_cos(angle);
        Stretch { sin, cos, half: 0.0 }
    }
}

struct Triangle {
    corners: [Vector; 3],
    edges: [Vector; 3],
    normal: Vector,
    center: Vector,
    /// From the centre to the farthest corner, or more.
    radius: f64,
}

fn length(v: &Vector) -> f64 {
    dot(v, v).sqrt().high
}

impl Triangle {
    fn new(corners: [Vector; 3]) -> Triangle {
        let edges = [0, 1, 2].map(|i| minus(&corners[(i + 1) % 3], &corners[i]));
        let third = |i: usize| (corners[0][i].low + corners[1][i].low + corners[2][i].low) / 3.0;
        let center: Vector = [0, 1, 2].map(|i| Interval::from(third(i)));
        let radius = corners.iter().map(|p| length(&minus(p, &center))).fold(0.0, f64::max);
        Triangle { normal: cross(&edges[0], &edges[1]), corners, edges, center, radius }
    }
}

/// The square of the distance of two centres, less that at which the balls about them touch.
struct Near(Wave);

impl Near {
    fn new(axis: &Axis, a: &Triangle, b: &Triangle, margin: f64) -> Near {
        let reach = Interval::from(a.radius) + Interval::from(b.radius) + Interval::from(margin);
        let twice = a.center.map(|x| x * Interval::from(-2.0));
        let rest = reach * reach - dot(&a.center, &a.center) - dot(&b.center, &b.center);
        Near(axis.wave(&twice, &b.center).minus(rest))
    }
}

/// All functions whose signs tell how two triangles are to each other.
struct Features {
    /// Corners of b over the plane of a, and the length of its normal.
    b_over_a: [Wave; 3],
    a_size: f64,
    /// Corners of a over the plane of b.
    a_over_b: [Wave; 3],
    b_size: f64,
    /// For every pair of edges.
    edges: [[Edges; 3]; 3],
    /// Corners of b outside the edges of a in its plane, with the lengths of the normals; and the other way round.
    b_beside_a: [([Wave; 3], f64); 3],
    a_beside_b: [([Wave; 3], f64); 3],
}

/// The plane along an edge of a and an edge of b.
struct Edges {
    /// `(u × R v) · (R q - p)` for p on the edge of a and its other corner, and q on the edge of b and its other corner.
    between: [[Wave; 2]; 2],
    /// `u · R v`.
    along: Wave,
    /// Square of the product of both lengths.
    square: Interval,
}

impl Features {
    fn new(axis: &Axis, a: &Triangle, b: &Triangle) -> Features {
        let back = |p: &Vector, x: &Vector, from: &Vector| axis.wave(p, x).minus(dot(x, from));
        let beside_a = |i: usize| {
            let out = cross(&a.edges[i], &a.normal);
            let level = dot(&out, &a.corners[i]);
            ([0, 1, 2].map(|k| axis.wave(&out, &b.corners[k]).minus(level)), length(&out))
        };
        let beside_b = |j: usize| {
            let out = cross(&b.edges[j], &b.normal);
            ([0, 1, 2].map(|k| back(&a.corners[k], &out, &b.corners[j])), length(&out))
        };
        let edges = |i: usize, j: usize| {
            let (u, v) = (&a.edges[i], &b.edges[j]);
            let between =
                |p: &Vector, q: &Vector| axis.wave(u, &cross(v, q)).plus(axis.wave(&cross(u, p), v));
            Edges {
                between: [i, i + 2]
                    .map(|p| [j, j + 2].map(|q| between(&a.corners[p % 3], &b.corners[q % 3]))),
                along: axis.wave(u, v),
                square: dot(u, u) * dot(v, v),
            }
        };
        Features {
            b_over_a: [0, 1, 2]
                .map(|k| axis.wave(&a.normal, &b.corners[k]).minus(dot(&a.normal, &a.corners[0]))),
            a_size: length(&a.normal),
            a_over_b: [0, 1, 2].map(|k| back(&a.corners[k], &b.normal, &b.corners[0])),
            b_size: length(&b.normal),
            edges: [0, 1, 2].map(|i| [0, 1, 2].map(|j| edges(i, j))),
            b_beside_a: [0, 1, 2].map(beside_a),
            a_beside_b: [0, 1, 2].map(beside_b),
        }
    }

    /// True if a plane parts the triangles by more than the margin during the whole stretch.
    fn are_apart(&self, stretch: &Stretch, margin: f64) -> bool {
        // Products of positive numbers, the margin being far from exact: half a unit in the last place does not matter.
        let is_above = |waves: &[Wave; 3], sense: f64, level: f64| {
            waves.iter().all(|w| (w.over(stretch) * Interval::from(sense)).low > level)
        };
        for (waves, size) in [(&self.b_over_a, self.a_size), (&self.a_over_b, self.b_size)] {
            let level = (margin * size).next_up();
            if is_above(waves, 1.0, level) || is_above(waves, -1.0, level) {
                return true;
            }
        }
        let mut beside = self.b_beside_a.iter().chain(&self.a_beside_b);
        if beside.any(|(waves, size)| is_above(waves, 1.0, (margin * size).next_up())) {
            return true;
        }
        self.edges.iter().flatten().any(|edges| edges.are_apart(stretch, margin))
    }

    /// True if an edge of one triangle passes through the other one at this angle.
    fn are_crossing(&self, at: &Stretch) -> bool {
        let sign = |wave: &Wave| wave.over(at).sign();
        let edges: [[i32; 3]; 3] =
            [0, 1, 2].map(|i| [0, 1, 2].map(|j| sign(&self.edges[i][j].between[0][0])));
        let (over_a, over_b) = (self.b_over_a.map(|w| sign(&w)), self.a_over_b.map(|w| sign(&w)));
        let are_same = |[x, y, z]: [i32; 3]| x != 0 && x == y && y == z;
        (0..3).any(|k| {
            let next = (k + 1) % 3;
            (over_a[k] * over_a[next] < 0 && are_same([edges[0][k], edges[1][k], edges[2][k]]))
                || (over_b[k] * over_b[next] < 0 && are_same(edges[k]))
        })
    }
}

impl Edges {
    fn are_apart(&self, stretch: &Stretch, margin: f64) -> bool {
        let heights = [0, 1, 2, 3].map(|k| self.between[k / 2][k % 2].over(stretch));
        let sense = heights[0].sign();
        if sense == 0 || heights.iter().any(|h| h.sign() != sense) {
            return false;
        }
        // |u × R v|² = |u|² |v|² - (u · R v)²
        let along = Interval::from(self.along.over(stretch).least_magnitude());
        let size = (self.square - along * along).sqrt().high;
        heights.iter().all(|h| h.least_magnitude() > (margin * size).next_up())
    }
}

struct Search {
    axis: Axis,
    on_a: Vec<Triangle>,
    on_b: Vec<Triangle>,
    margin: f64,
    near: Vec<Near>,
    features: Vec<Option<Box<Features>>>,
}

impl Search {
    fn features(&mut self, pair: usize) -> &Features {
        let (i, j) = (pair / self.on_b.len(), pair % self.on_b.len());
        let (axis, a, b) = (&self.axis, &self.on_a[i], &self.on_b[j]);
        self.features[pair].get_or_insert_with(|| Box::new(Features::new(axis, a, b)))
    }

    fn may_touch(&mut self, pair: usize, stretch: &Stretch) -> bool {
        let margin = self.margin;
        self.near[pair].0.over(stretch).low <= 0.0 && !self.features(pair).are_apart(stretch, margin)
    }

    /// The start and the middle of the first stretch, no wider than `narrowest`, in which some of the pairs may touch and whose middle is
    /// `wanted`, with those pairs.
    fn first_open(
        &mut self,
        pairs: &[usize],
        [from, to]: [f64; 2],
        narrowest: f64,
        wanted: &dyn Fn(&mut Search, &[usize], f64) -> bool,
    ) -> Option<([f64; 2], Vec<usize>)> {
        let stretch = Stretch::between([from, to]);
        let alive: Vec<usize> =
            pairs.iter().copied().filter(|pair| self.may_touch(*pair, &stretch)).collect();
        if alive.is_empty() {
            return None;
        }
        let middle = 0.5 * (from + to);
        if to - from <= narrowest || middle <= from || to <= middle {
            return wanted(self, &alive, middle).then_some(([from, middle], alive));
        }
        self.first_open(&alive, [from, middle], narrowest, wanted)
            .or_else(|| self.first_open(&alive, [middle, to], narrowest, wanted))
    }

    /// True if some of the pairs cross at this angle for certain.
    fn is_crossing(&mut self, pairs: &[usize], angle: f64) -> bool {
        let at = Stretch::at(angle);
        pairs.iter().any(|pair| self.features(*pair).are_crossing(&at))
    }

    /// An angle at which surfaces cross, as early as halving the way back finds one.
    fn earlier(&mut self, pairs: &[usize], [mut apart, mut crossing]: [f64; 2]) -> f64 {
        let stretch = Stretch::between([apart, crossing]);
        let alive: Vec<usize> =
            pairs.iter().copied().filter(|pair| self.may_touch(*pair, &stretch)).collect();
        for _ in 0..60 {
            let middle = 0.5 * (apart + crossing);
            if self.is_crossing(&alive, middle) {
                crossing = middle;
            } else {
                apart = middle;
            }
        }
        crossing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn v(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x, y, z)
    }

    fn turn(axis: DVec3, p: DVec3, angle: f64) -> DVec3 {
        glam::DQuat::from_axis_angle(axis, angle) * p
    }

    #[test]
    fn functions_are_those_of_the_features() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let direction = random.direction();
            let axis = Axis::along(direction);
            let corners: [[DVec3; 3]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.in_cube(1.0)));
            let triangle = |p: [DVec3; 3]| Triangle::new(p.map(|p| p.to_array().map(Interval::from)));
            let features = Features::new(&axis, &triangle(corners[0]), &triangle(corners[1]));
            let angle = random.range(0.0, 6.0);
            let (a, b) = (corners[0], corners[1].map(|p| turn(direction, p, angle)));
            let at = Stretch::at(angle);
            let is = |wave: &Wave, expected: f64| {
                let found = wave.over(&at);
                assert!(
                    found.low - 1e-14 < expected && expected < found.high + 1e-14,
                    "{found:?} {expected}"
                );
                assert!(found.high - found.low < 1e-12);
            };
            let (na, nb) = ((a[1] - a[0]).cross(a[2] - a[1]), (b[1] - b[0]).cross(b[2] - b[1]));
            for i in 0..3 {
                is(&features.b_over_a[i], na.dot(b[i] - a[0]));
                is(&features.a_over_b[i], nb.dot(a[i] - b[0]));
                let u = a[(i + 1) % 3] - a[i];
                for j in 0..3 {
                    let v = b[(j + 1) % 3] - b[j];
                    is(&features.b_beside_a[i].0[j], u.cross(na).dot(b[j] - a[i]));
                    is(&features.a_beside_b[j].0[i], v.cross(nb).dot(a[i] - b[j]));
                    let edges = &features.edges[i][j];
                    is(&edges.along, u.dot(v));
                    for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        let expected = u.cross(v).dot(b[(j + 2 * q) % 3] - a[(i + 2 * p) % 3]);
                        is(&edges.between[p][q], expected);
                    }
                }
            }
        }
    }

    #[test]
    fn a_corner_meets_a_face_when_it_should() {
        // A point of a thin triangle on a circle of radius 2 reaches the plane x = 0 after a quarter turn, or x = 1 after 60 degrees.
        let check = |level: f64, expected: Option<f64>| {
            let a = (vec![v(level, -9.0, -9.0), v(level, 9.0, -9.0), v(level, 0.0, 9.0)], vec![[0, 1, 2]]);
            let b = (vec![v(-5.0, 0.0, 0.0), v(-3.0, -0.25, -0.25), v(-3.0, -0.25, 0.25)], vec![[0, 1, 2]]);
            let found = first_turning_contact(&a, &b, v(7.0, 0.0, 0.0), DVec3::ZERO, DVec3::Z, 3.0, 1e-14);
            match (found.crossing_at, expected) {
                (Some(crossing), Some(expected)) => {
                    assert!(found.apart_until <= expected && expected <= crossing, "{found:?} {expected}");
                    assert!(crossing - found.apart_until < 1e-11, "{found:?}");
                }
                (None, None) => assert_eq!(found.apart_until, 3.0),
                _ => panic!("{found:?} {expected:?}"),
            }
        };
        check(0.0, Some(std::f64::consts::FRAC_PI_2));
        check(1.0, Some(std::f64::consts::FRAC_PI_3));
        check(-4.5, None);
    }
}
