//! The plane that parts two convex bodies most widely, from a good guess of it.
//!
//! For a unit normal n, the planes across n that hold the bodies on their two sides are
//! `g(n) = min over b of n·x - max over a of n·y` apart: a lower bound of the distance whatever n is, and the distance itself
//! for the best n. The search is for that n. On the sphere of normals g is smooth except where a body touches its plane with
//! more than a point: along the circles `n·u = c` that belong to its straight lines (edges, the lines of a mantle) and at
//! the normals of its plane faces. So the best n is the normal of a face, or where two circles cross, both in closed
//! form; or the top of g along a circle or between them, which Newton's method finds, as the top is one of a concave function.
//! All of these next to the guess are tried, and the true g chooses. Points of the bodies, each the nearest to the other, are the bound from above.

use super::body::{ConvexBody, NO_VERTEX};
use freiraum_geometry::math::{rounding, unit};
use freiraum_geometry::{Mat3, Pose, Vec3};

/// What is straight or bent on a core next to where it lies farthest in a direction. In the frame of the body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local {
    /// Straight lines: a plane with unit normal n, from the body outward, touches along one with unit direction u, or a sheaf of
    /// them, if `n·u = c`. Those with `u = 0` are none.
    pub lines: [(Vec3, f64); 3],
    /// Unit normals of plane faces, of either sign; zero for none.
    pub faces: [Vec3; 3],
    /// Radius of the circle about the z axis that the farthest point moves on when the direction turns; 0 for a corner.
    pub rim: f64,
}

impl Local {
    /// Of up to three corners that lie about equally far in the direction.
    pub fn of_corners([p, q, r]: [Vec3; 3]) -> Local {
        let line = |v: Vec3| (unit(v).unwrap_or(Vec3::ZERO), 0.0);
        let face = unit((q - p).cross(r - p)).unwrap_or(Vec3::ZERO);
        Local {
            lines: [line(q - p), line(r - q), line(p - r)],
            faces: [face, Vec3::ZERO, Vec3::ZERO],
            rim: 0.0,
        }
    }
}

/// Two convex bodies and the best plane known between them.
///
/// **Frames.** That of a. **Guarantee.** The distance of the bodies is neither below `lower` nor above `upper`, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parted {
    /// Unit normal of the plane, from a to b.
    pub normal: Vec3,
    /// The distance of the planes across the normal between which there is nothing of the bodies; negative if they overlap there.
    pub lower: f64,
    /// The distance of two points of the bodies; 0 if one point is in both.
    pub upper: f64,
    /// A point of a.
    pub point_on_a: Vec3,
    /// A point of b.
    pub point_on_b: Vec3,
}

/// Rounds of candidates; two are usual: the second confirms the first.
const ROUNDS: usize = 6;

/// Newton's steps along one circle or between them.
const STEPS: usize = 8;

/// Circles of normals farther from the guess than this (as a cosine) are not tried.
const AROUND: f64 = 1.0 / 32.0;

/// Nearest points are sought by turns at most this often.
const TURNS: usize = 12;

/// How well a normal is known: by a guess, by Newton's method, in closed form.
const GUESS: u8 = 0;
const CLIMBED: u8 = 1;
const EXACT: u8 = 2;

/// Two placed bodies.
struct Pair<'p> {
    a: &'p dyn ConvexBody,
    b: &'p dyn ConvexBody,
    a_from_b: &'p Pose,
    turn: Mat3,
}

/// The better plane and points, from a guess of the normal and of a point of a next to b.
///
/// **Guarantee.** See [`Parted`]. The bounds meet up to rounding if the guess is good to a degree or two and the bodies are no
/// deeper than rounding in each other. **Cost.** About that of a distance of two cylinders. No allocation.
pub fn part_convex(
    a: &dyn ConvexBody,
    b: &dyn ConvexBody,
    a_from_b: &Pose,
    normal: Vec3,
    point_on_a: Vec3,
) -> Parted {
    let pair = Pair { a, b, a_from_b, turn: a_from_b.rotation_matrix() };
    let slack = rounding::coordinate(a.reach() + b.reach() + a_from_b.translation().length());
    let (normal, core_gap) = pair.widest(normal, slack);
    let radii = [a.radius(), b.radius()];
    let lower = core_gap - radii[0] - radii[1];
    let mut parted = Parted { normal, lower, upper: f64::INFINITY, point_on_a, point_on_b: point_on_a };
    let (y, x) = pair.farthest(normal);
    // A corner or a point of a rim is known better than the guess.
    let guesses = [y, x - core_gap * normal, point_on_a - radii[0] * normal];
    for (guess, turns) in guesses.into_iter().zip([1, 1, TURNS]) {
        pair.approach(guess, slack, turns, &mut parted);
        if parted.upper - lower <= 2.0 * slack {
            break;
        }
    }
    parted
}

impl Pair<'_> {
    /// The farthest points of a along n and of b against it, in the frame of a.
    fn farthest(&self, n: Vec3) -> (Vec3, Vec3) {
        let y = self.a.farthest(n, NO_VERTEX).point;
        let x = self.b.farthest(-(self.turn.transpose() * n), NO_VERTEX).point;
        (y, self.turn * x + self.a_from_b.translation())
    }

    fn gap(&self, n: Vec3) -> f64 {
        let (y, x) = self.farthest(n);
        n.dot(x - y)
    }

    /// What is straight or bent at the farthest points, in the frame of a and with normals from a to b.
    fn local(&self, n: Vec3) -> [Local; 2] {
        let of_b = self.b.local(-(self.turn.transpose() * n));
        let placed = Local {
            lines: of_b.lines.map(|(u, c)| (self.turn * u, -c)),
            faces: of_b.faces.map(|u| self.turn * u),
            rim: of_b.rim,
        };
        [self.a.local(n), placed]
    }

    /// The best normal next to a guess, and its gap.
    fn widest(&self, guess: Vec3, slack: f64) -> (Vec3, f64) {
        let mut best = (guess, self.gap(guess));
        let mut best_rank = GUESS;
        for _ in 0..ROUNDS {
            let (from, before) = best;
            let mut offer = |n: Vec3, rank: u8| {
                // Around its top the gap hardly changes: there the normal that is known better wins.
                let gap = self.gap(n);
                let room = if rank > best_rank { slack / 16.0 } else { 0.0 };
                if gap > best.1 - room {
                    (best, best_rank) = ((n, gap), rank);
                }
            };
            let [a, b] = self.local(from);
            for face in a.faces.into_iter().chain(b.faces) {
                let along = face.dot(from);
                if along.abs() > 1.0 - AROUND {
                    offer(face * along.signum(), EXACT);
                }
            }
            let is_near = |(u, c): &(Vec3, f64)| *u != Vec3::ZERO && (from.dot(*u) - c).abs() < AROUND;
            for line in a.lines.into_iter().chain(b.lines).filter(is_near) {
                if let Some(n) = onto_circle(from, line) {
                    offer(self.climb_along(n, line), CLIMBED);
                }
            }
            for of_a in a.lines.into_iter().filter(is_near) {
                for of_b in b.lines.into_iter().filter(is_near) {
                    if let Some(n) = crossing(of_a, of_b, from) {
                        offer(n, EXACT);
                    }
                }
            }
            offer(self.climb(from), CLIMBED);
            if best.1 - before <= 0.25 * slack {
                break;
            }
        }
        best
    }

    /// The bends of both bodies for normals around n: unit directions in which the gap is bent, and by how much.
    fn bends(&self, n: Vec3) -> [(Vec3, f64); 2] {
        let [a, b] = self.local(n);
        let bend = |rim: f64, axis: Vec3| {
            let across = axis.cross(n);
            let length = across.length();
            if rim > 0.0 && length > 0.0 { (across / length, rim / length) } else { (Vec3::ZERO, 0.0) }
        };
        [bend(a.rim, Vec3::Z), bend(b.rim, self.turn.z_axis)]
    }

    /// Newton's method on the sphere of normals.
    fn climb(&self, mut n: Vec3) -> Vec3 {
        for _ in 0..STEPS {
            let (y, x) = self.farthest(n);
            let (between, e) = (x - y, n.any_orthonormal_pair());
            let gap = n.dot(between);
            let [slope_0, slope_1] = [between.dot(e.0), between.dot(e.1)];
            let (mut m00, mut m01, mut m11) = (gap, 0.0, gap);
            for (t, k) in self.bends(n) {
                let (t0, t1) = (t.dot(e.0), t.dot(e.1));
                (m00, m01, m11) = (m00 + k * t0 * t0, m01 + k * t0 * t1, m11 + k * t1 * t1);
            }
            let determinant = m00 * m11 - m01 * m01;
            if !(m00 + m11 > 0.0 && determinant > 0.0) {
                break;
            }
            let step_0 = (m11 * slope_0 - m01 * slope_1) / determinant;
            let step_1 = (m00 * slope_1 - m01 * slope_0) / determinant;
            let length = step_0.hypot(step_1);
            if !length.is_finite() {
                break;
            }
            let share = if length > AROUND { AROUND / length } else { 1.0 };
            let Some(next) = unit(n + share * (step_0 * e.0 + step_1 * e.1)) else { break };
            n = next;
            // The square of the step is what is left.
            if length * length <= f64::EPSILON {
                break;
            }
        }
        n
    }

    /// Newton's method along the circle `n·u = c`; n is on it.
    fn climb_along(&self, mut n: Vec3, (u, c): (Vec3, f64)) -> Vec3 {
        for _ in 0..STEPS {
            let (y, x) = self.farthest(n);
            let between = x - y;
            let radial = n - c * u;
            let radius = radial.length();
            let Some(e) = unit(u.cross(radial)) else { break };
            let bent: f64 = self.bends(n).iter().map(|(t, k)| k * t.dot(e) * t.dot(e)).sum();
            let curve = radius * radius * bent + between.dot(radial);
            if !(curve > 0.0) {
                break;
            }
            let angle = (radius * between.dot(e) / curve).clamp(-AROUND, AROUND);
            let (sin, cos) = angle.sin_cos();
            let Some(next) = onto_circle(c * u + cos * radial + sin * radius * e, (u, c)) else { break };
            n = next;
            if angle * angle <= f64::EPSILON {
                break;
            }
        }
        n
    }

    /// Goes from a point to the nearest of b, from that to the nearest of a, and so on: each pair of points is an upper bound.
    fn approach(&self, start: Vec3, slack: f64, turns: usize, parted: &mut Parted) {
        let b_from_a = self.a_from_b.inverse();
        let radii = [self.a.radius(), self.b.radius()];
        let mut on_a = self.a.nearest(start);
        let mut moved = Vec3::ZERO;
        for _ in 0..turns {
            let on_b = self.a_from_b.transform_point(self.b.nearest(b_from_a.transform_point(on_a)));
            let length = on_a.distance(on_b);
            let upper = (length - radii[0] - radii[1]).max(0.0);
            // Where two straight lines cross, points go on to move when their distance does not change any more.
            if upper <= parted.upper {
                let n = unit(on_b - on_a).unwrap_or(parted.normal);
                let [by_a, by_b] = radii.map(|radius| radius.min(length));
                parted.upper = upper;
                (parted.point_on_a, parted.point_on_b) = (on_a + by_a * n, on_b - by_b * n);
            }
            let next = self.a.nearest(on_b);
            let step = next - on_a;
            if step.length() <= slack {
                break;
            }
            // Between straight lines all steps have the same ratio: their sum is known.
            let ratio = step.dot(moved) / moved.length_squared();
            (on_a, moved) = if ratio > 0.0 && ratio < 1.0 {
                (self.a.nearest(next + step * (ratio / (1.0 - ratio))), Vec3::ZERO)
            } else {
                (next, step)
            };
        }
    }
}

/// The normal on the circle `n·u = c` next to n.
fn onto_circle(n: Vec3, (u, c): (Vec3, f64)) -> Option<Vec3> {
    let radial = unit(n - n.dot(u) * u)?;
    unit(c * u + (1.0 - c * c).max(0.0).sqrt() * radial)
}

/// Where two circles of normals cross, on the side of n.
fn crossing((u, c): (Vec3, f64), (v, d): (Vec3, f64), n: Vec3) -> Option<Vec3> {
    let across = u.cross(v);
    let square = across.length_squared();
    let along = u.dot(v);
    let base = ((c - d * along) * u + (d - c * along) * v) / square;
    let left = (1.0 - base.length_squared()) / square;
    if !(left >= 0.0 && left.is_finite()) {
        return None;
    }
    let found = unit(base + left.sqrt() * across * across.dot(n).signum())?;
    (found.dot(n) > 1.0 - AROUND).then_some(found)
}
