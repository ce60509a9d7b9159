//! When a triangle that turns about an axis meets another one.
//!
//! Triangles that are apart have a plane between them, and a plane stays between them until a corner reaches it. Three
//! kinds of planes are followed: one that stands with a, one that turns with b, and the one that contains the directions of
//! an edge of either, standing and turning. For each, the angle at which a corner gets there first follows from
//! `α cos θ + β sin θ + γ = 0`, and up to there nothing can touch. The largest such angle is a proven step. Where a corner meets
//! a face, or an edge an edge, the step ends exactly at the contact.

use super::edges;
use crate::advance::first_zero;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::math::roots::{Solutions, trig2};
use freiraum_query::elementary::triangle_triangle;

/// The first contact of a turning triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    /// Angle of the first contact in radians.
    pub(crate) angle: f64,
    /// How much earlier it may be because of rounding.
    pub(crate) error: f64,
    /// Unit vector from a to b just before, zero if they met at the start.
    pub(crate) normal: Vec3,
}

/// What the search for a first contact ended with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Turned {
    /// They do not meet before the last angle.
    Apart,
    /// They meet.
    Met(Turn),
    /// They are still apart by more than rounding here, but closer than the steps could resolve.
    Stuck(Turn),
}

/// Steps at most. A step ends where the plane changes that parts the triangles, which happens a few times in a turn.
const STEPS: usize = 100;

/// The first angle in [first, last] at which b, turned about the z axis, is no farther than `radius` from a.
///
/// The triangles are known to be farther apart at smaller angles. `slack`: how far off a coordinate may be by rounding; what is
/// no farther apart than twice that meets. **Frames.** The axis of rotation is z. **Guarantee.** `Apart` is proven up to the slack.
pub(crate) fn meet_rotating(
    a: [Vec3; 3],
    b: [Vec3; 3],
    radius: f64,
    [first, last]: [f64; 2],
    slack: f64,
) -> Turned {
    let mut angle = first;
    // The contact that the last step led to, with the direction in which the triangles were last apart.
    let mut last_step = Turn { angle, error: 0.0, normal: Vec3::ZERO };
    for round in 0..STEPS {
        let turned = turn(&b, angle);
        let nearest = triangle_triangle(a, turned);
        let gap = nearest.distance();
        if gap <= radius + 2.0 * slack {
            if last_step.normal == Vec3::ZERO && angle > 0.0 {
                last_step = met_at_once(&a, &turned, radius, angle);
            }
            return Turned::Met(settled(last_step, &a, &b, radius, [angle, last], slack));
        }
        let between = (nearest.point_on_b - nearest.point_on_a).try_normalize().unwrap_or(Vec3::ZERO);
        let plane = Plane::of(between, &a, &turned);
        // Steps end a little before the plane is reached: what only just touches is met there, and does not slip through.
        let mut step = plane.step(&a, &turned, radius, slack);
        let mut best = plane;
        // Most pairs are done after one plane; only the others are worth more.
        if angle + step <= last && round > 0 {
            let mut widest = plane.gap;
            let mut look = |plane: Plane| {
                widest = widest.max(plane.gap);
                if plane.gap > radius + 2.0 * slack {
                    let other = plane.step(&a, &turned, radius, slack);
                    if other > step {
                        (step, best) = (other, plane);
                    }
                }
            };
            each_plane(&a, &turned, &mut look);
            // Nearest points so close to each other hold no direction: it comes from the corners and edges themselves.
            if gap <= radius + CLOSE * slack {
                each_plane_at_corners(&a, &turned, &mut look);
                if widest <= radius + 2.0 * slack {
                    return Turned::Met(settled(last_step, &a, &b, radius, [angle, last], slack));
                }
            }
        }
        if !(angle + step <= last) {
            return Turned::Apart;
        }
        let contact = angle + best.step(&a, &turned, radius, 0.0);
        angle += step;
        last_step = Turn { angle: contact, error: contact - angle, normal: best.normal };
    }
    let Turn { normal, .. } = last_step;
    Turned::Stuck(Turn { angle, error: 0.0, normal })
}

/// A contact that the search was led to without a step: the plane in which the triangles are farthest apart parts them.
fn met_at_once(a: &[Vec3; 3], turned: &[Vec3; 3], radius: f64, angle: f64) -> Turn {
    let mut widest = Plane { normal: Vec3::ZERO, gap: f64::NEG_INFINITY, edges: None };
    let mut look = |plane: Plane| {
        if plane.gap > widest.gap {
            widest = plane;
        }
    };
    each_plane(a, turned, &mut look);
    each_plane_at_corners(a, turned, &mut look);
    let left = if widest.gap > radius { widest.step(a, turned, radius, 0.0) } else { 0.0 };
    Turn { angle: angle + left, error: left, normal: widest.normal }
}

/// The contact itself, where the plane of the last step is reached, unless the triangles have parted again before: those
/// that only graze touch within the slack and no more.
fn settled(
    contact: Turn,
    a: &[Vec3; 3],
    b: &[Vec3; 3],
    radius: f64,
    [angle, last]: [f64; 2],
    slack: f64,
) -> Turn {
    let is_reached = contact.angle > angle
        && contact.angle <= last
        && triangle_triangle(*a, turn(b, contact.angle)).distance() <= radius + 2.0 * slack;
    if is_reached {
        return contact;
    }
    Turn { angle, error: if contact.angle.is_finite() { contact.error } else { 0.0 }, ..contact }
}

/// How far b, turned by an angle about z, is from being within the radius of a, in metres; negative where it is.
///
/// Without a radius: the width of the widest plane between them. Planes across the axis are left out, as what lies on both of their sides does not change.
pub(crate) fn gap_rotating(a: &[Vec3; 3], b: &[Vec3; 3], radius: f64, angle: f64) -> f64 {
    let turned = turn(b, angle);
    let distance = triangle_triangle(*a, turned).distance();
    if radius > 0.0 || distance > 0.0 {
        return distance - radius;
    }
    let mut widest = f64::NEG_INFINITY;
    let mut look = |plane: Plane| {
        if plane.normal.truncate().length() > PARALLEL {
            widest = widest.max(plane.gap);
        }
    };
    each_plane(a, &turned, &mut look);
    each_plane_at_corners(a, &turned, &mut look);
    widest.min(0.0)
}

/// Up to this many times the rounding of coordinates the direction from one nearest point to the other has lost more than half
/// of its digits.
const CLOSE: f64 = 67_108_864.0;

/// Sine of the angle between edges below which their product holds no direction.
const PARALLEL: f64 = power_of_two(-20);

/// A plane between two triangles.
#[derive(Clone, Copy)]
struct Plane {
    /// Unit vector from a to b.
    normal: Vec3,
    /// How far they are apart in this direction, in metres; negative if they are not.
    gap: f64,
    /// The edges of a and b whose directions span it, if it follows them.
    edges: Option<[Vec3; 2]>,
}

impl Plane {
    fn of(normal: Vec3, a: &[Vec3; 3], b: &[Vec3; 3]) -> Plane {
        // Differences first: what is close stays exact.
        let origin = a[0];
        let top = a.iter().map(|p| normal.dot(*p - origin)).fold(f64::NEG_INFINITY, f64::max);
        let bottom = b.iter().map(|p| normal.dot(*p - origin)).fold(f64::INFINITY, f64::min);
        Plane { normal, gap: bottom - top, edges: None }
    }

    /// By how much b may turn until the triangles are no longer more than `radius` away from each other across the plane;
    /// infinite if they always are. `margin`: by how many metres more the triangles are taken to be closer.
    fn step(&self, a: &[Vec3; 3], b: &[Vec3; 3], radius: f64, margin: f64) -> f64 {
        let least = |angles: &mut dyn Iterator<Item = f64>| angles.fold(f64::INFINITY, f64::min);
        let n = self.normal;
        let Some([u, v]) = self.edges else {
            let apart = radius + margin;
            let top = a.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
            let bottom = b.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
            let standing = least(&mut b.iter().map(|p| Wave::turning(n, *p).minus(top + apart).first_zero()));
            // Seen from b, a turns the other way round.
            let turning =
                least(&mut a.iter().map(|p| Wave::turning_back(-n, *p).minus(apart - bottom).first_zero()));
            return standing.max(turning);
        };
        // The plane turns to u × R v; p of a and R q of b are on its sides as long as (u × R v) · (R q - p) > 0.
        let size = u.cross(v).length();
        // Sums of products of coordinates are off by this times the coordinates; for planes of edges that are nearly parallel
        // that is far more than the slack. What is there at the start comes from differences and is not.
        let unsure = ROUNDING * u.length() * v.length();
        least(&mut b.iter().map(|q| {
            let of_b = Wave::turning(u, v.cross(*q));
            least(&mut a.iter().map(|p| {
                let height = of_b.plus(Wave::turning(u.cross(*p), v));
                if radius == 0.0 && margin == 0.0 {
                    height.first_zero()
                } else {
                    let start = size * n.dot(*q - *p);
                    let unsure = if margin == 0.0 { 0.0 } else { unsure * (p.length() + q.length()) };
                    let (across, along) = (height.across - unsure, height.along + unsure);
                    if radius == 0.0 {
                        // The normal u × R v changes its length; close to a contact it hardly does.
                        first_fall(start - size * margin, across, along)
                    } else {
                        Approach { start, height, across, along, edges: [u, v] }.first_within(radius + margin)
                    }
                }
            }))
        }))
    }
}

/// The first angle in [0, pi] at which `start + across sin θ + along (cos θ - 1)` has fallen to zero; pi if it has not by then.
fn first_fall(start: f64, across: f64, along: f64) -> f64 {
    // With x = tan(θ/2), times 1 + x²: the start loses no digits against the others.
    let half = first_zero(start, 2.0 * across, start - 2.0 * along).atan();
    2.0 * half
}

/// The height of two points above each other across the directions of two edges, of which one turns, times the length of the product of
/// the edges.
struct Approach {
    /// At the start.
    start: f64,
    height: Wave,
    /// Those of the height, with what they may be off by.
    across: f64,
    along: f64,
    edges: [Vec3; 2],
}

/// Rounds in which an angle is enclosed; each gains digits in the ratio of the radius to the way round.
const ENCLOSE: usize = 12;

impl Approach {
    /// A step from 0 on, at most pi, during which the height is above `radius`; to where it has fallen to that, as far as numbers tell.
    ///
    /// The product `u × R v` of the edges grows or shrinks by |u| |v| per radian at most. Between two angles it is therefore known from both sides,
    /// and each side leads to an angle: one before which the height cannot have fallen to the radius, one by which it has. For small radii
    /// these two meet in a few rounds. The equation itself, squared, has two solutions next to each other then, which lose digits.
    fn first_within(&self, radius: f64) -> f64 {
        let [u, v] = self.edges;
        let most = u.length() * v.length();
        let product = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            u.cross(Vec3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, v.z)).length()
        };
        let fall = |level: f64| {
            if self.start > level { first_fall(self.start - level, self.across, self.along) } else { 0.0 }
        };
        let (mut low, mut high) = (0.0, fall(0.0));
        let mut ends = [product(low), product(high)];
        for _ in 0..ENCLOSE {
            let (middle, wide) = (0.5 * (ends[0] + ends[1]), 0.5 * most * (high - low));
            let first = fall(radius * (middle + wide).min(most)).max(low);
            let last = fall(radius * (middle - wide).max(0.0)).min(high).max(first);
            let is_slow = last - first > 0.25 * (high - low);
            (low, high) = (first, last);
            if high - low <= 2.0 * f64::EPSILON * high {
                return low;
            }
            if is_slow {
                break;
            }
            ends = [product(low), product(high)];
        }
        // Large radii have solutions far from each other.
        let solved = self.solved(radius);
        if solved >= low && solved <= high { solved } else { low }
    }

    /// The first angle at which the height has fallen to the radius, by the squared equation: 0 if it is not above that at the start,
    /// infinite if it never does.
    fn solved(&self, radius: f64) -> f64 {
        let [u, v] = self.edges;
        let (part, whole) = (Wave::turning(u, v), u.length_squared() * v.length_squared());
        let (start, cosine) = (self.height.middle + self.height.along, part.middle + part.along);
        let square = radius * radius;
        if start <= radius * (whole - cosine * cosine).max(0.0).sqrt() {
            return 0.0;
        }
        // The function has to fall to the positive root before it can reach the negative one.
        let product = |x: f64, y: f64, px: f64, py: f64| x * y + square * px * py;
        let (m, c, s) = (self.height.middle, self.height.along, self.height.across);
        let (pm, pc, ps) = (part.middle, part.along, part.across);
        let solutions = trig2([
            product(m, m, pm, pm) - square * whole,
            2.0 * product(m, c, pm, pc),
            2.0 * product(m, s, pm, ps),
            product(c, c, pc, pc),
            2.0 * product(c, s, pc, ps),
            product(s, s, ps, ps),
        ]);
        match solutions {
            Solutions::At(angles) => angles.first().copied().unwrap_or(f64::INFINITY),
            // As close as it ever gets, or not a number: no step.
            Solutions::Always | Solutions::NotFinite => 0.0,
        }
    }
}

/// How far off a product of three lengths may be after a few operations, for each of them 1.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Calls `f` with the planes of both triangles and with those of all pairs of edges, on either side.
fn each_plane(a: &[Vec3; 3], b: &[Vec3; 3], mut f: impl FnMut(Plane)) {
    let (ea, eb) = (edges(a), edges(b));
    for n in [face_normal(&ea), face_normal(&eb)].into_iter().flatten() {
        f(Plane::of(n, a, b));
        f(Plane::of(-n, a, b));
    }
    for u in ea {
        for v in eb {
            if let Some(n) = square_to(u, v, PARALLEL) {
                f(Plane { edges: Some([u, v]), ..Plane::of(n, a, b) });
                f(Plane { edges: Some([-u, v]), ..Plane::of(-n, a, b) });
            }
        }
    }
}

/// The unit normal of a triangle, given by its edges.
fn face_normal(edges: &[Vec3; 3]) -> Option<Vec3> {
    let [p, q, r] = edges.map(|e| e.length_squared());
    // The longest and the one after it.
    let [u, v] = if p >= q && p >= r {
        [edges[0], edges[1]]
    } else if q >= r {
        [edges[1], edges[2]]
    } else {
        [edges[2], edges[0]]
    };
    square_to(u, v, f64::EPSILON)
}

/// The unit vector along `u × v`; `None` if the sine of the angle between them is below `least`.
///
/// However small the angle is, the result is square to both as far as numbers can be, which a plain product is not.
fn square_to(u: Vec3, v: Vec3, least: f64) -> Option<Vec3> {
    let across = v - u * (u.dot(v) / u.length_squared());
    let product = u.cross(across - u * (u.dot(across) / u.length_squared()));
    let length = product.length();
    (length > least * u.length() * v.length()).then(|| product / length)
}

/// Calls `f` with the planes across the shortest way from every corner of one triangle to the lines of the edges and to the
/// corners of the other.
fn each_plane_at_corners(a: &[Vec3; 3], b: &[Vec3; 3], mut f: impl FnMut(Plane)) {
    let mut look = |way: Vec3| {
        if let Some(n) = way.try_normalize() {
            f(Plane::of(n, a, b));
        }
    };
    // What leads from a line to a point. Taken twice, it is square to the line as far as numbers can be.
    let away = |way: Vec3, line: Vec3| {
        let square = line.length_squared();
        let once = way - line * (way.dot(line) / square);
        once - line * (once.dot(line) / square)
    };
    let (ea, eb) = (edges(a), edges(b));
    for i in 0..3 {
        for j in 0..3 {
            let way = b[j] - a[i];
            look(way);
            look(away(way, ea[i]));
            look(away(way, eb[j]));
        }
    }
}

/// The function `middle + along cos θ + across sin θ`.
#[derive(Clone, Copy)]
pub(crate) struct Wave {
    pub(crate) middle: f64,
    pub(crate) along: f64,
    pub(crate) across: f64,
}

impl Wave {
    /// `w · R(θ) x`.
    #[inline]
    pub(crate) fn turning(w: Vec3, x: Vec3) -> Wave {
        Wave { middle: w.z * x.z, along: w.x * x.x + w.y * x.y, across: w.y * x.x - w.x * x.y }
    }

    /// `w · R(-θ) x`.
    #[inline]
    pub(super) fn turning_back(w: Vec3, x: Vec3) -> Wave {
        let wave = Wave::turning(w, x);
        Wave { across: -wave.across, ..wave }
    }

    #[inline]
    pub(crate) fn minus(self, level: f64) -> Wave {
        Wave { middle: self.middle - level, ..self }
    }

    #[inline]
    pub(crate) fn plus(self, other: Wave) -> Wave {
        Wave {
            middle: self.middle + other.middle,
            along: self.along + other.along,
            across: self.across + other.across,
        }
    }

    /// The first angle, going up from 0, at which the function has fallen to zero: 0 if it is not positive there, infinite if it
    /// never does.
    #[inline]
    pub(crate) fn first_zero(self) -> f64 {
        if self.middle + self.along <= 0.0 {
            return 0.0;
        }
        // along cos θ + across sin θ = h cos(θ - φ).
        let h = self.along.hypot(self.across);
        if self.middle > h {
            return f64::INFINITY;
        }
        (self.across.atan2(self.along) + (-self.middle / h).acos()).max(0.0)
    }

    /// The first angle, going up from 0, at which the function is least, at the latest if it is off by `slack`.
    #[inline]
    pub(crate) fn lowest(self, slack: f64) -> f64 {
        // A point that is off by the slack is off by this angle on its circle.
        let off = slack / self.along.hypot(self.across);
        self.across.atan2(self.along) + std::f64::consts::PI + off
    }
}

/// The triangle turned about z.
#[inline]
pub(crate) fn turn(t: &[Vec3; 3], angle: f64) -> [Vec3; 3] {
    let (sin, cos) = angle.sin_cos();
    t.map(|p| Vec3::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y, p.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn no_contact_is_missed_by_steps() {
        let mut random = Random::new(1);
        let mut met = 0;
        for case in 0..4_000 {
            let a: [Vec3; 3] = std::array::from_fn(|_| random.in_cube(1.0));
            let b: [Vec3; 3] = std::array::from_fn(|_| random.in_cube(1.0));
            let radius = if case % 2 == 0 { 0.0 } else { random.range(0.0, 0.3) };
            let slow = (0..2000)
                .map(|i| i as f64 * 0.001)
                .find(|t| triangle_triangle(a, turn(&b, *t)).distance() <= radius);
            match (meet_rotating(a, b, radius, [0.0, 2.0], 7e-15), slow) {
                (Turned::Met(turn), Some(seen)) => {
                    met += 1;
                    assert!(turn.angle <= seen + 1e-12, "{case} {turn:?} {seen} {a:?} {b:?}");
                }
                (Turned::Met(_), None) => {}
                (Turned::Apart, None) => {}
                (other, slow) => panic!("{case} {other:?} {slow:?} {a:?} {b:?}"),
            }
        }
        assert!(met > 100);
    }
}
