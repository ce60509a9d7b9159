//! A small capsule around points.

use super::body::{Body, Form};
use super::circle::{Circle, smallest_circle};
use super::directions::directions;
use super::polytope::Scaling;
use super::sphere::smallest_sphere;
use crate::math::{Vec2, Vec3, power_of_two};
use std::f64::consts::PI;

/// All points within `radius` of the segment from `a` to `b`; see [`enclosing_capsule`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnclosingCapsule {
    /// One end of the inner segment, metres.
    pub a: Vec3,
    /// The other end, metres; equal to `a` where the capsule is a sphere.
    pub b: Vec3,
    /// Radius in metres.
    pub radius: f64,
}

impl EnclosingCapsule {
    /// True if `point` lies in the closed capsule.
    pub fn contains(&self, point: Vec3) -> bool {
        self.distance_from_segment(point) <= self.radius
    }

    /// Volume in cubic metres.
    pub fn volume(&self) -> f64 {
        capsule_volume(self.a.distance(self.b), self.radius)
    }

    fn distance_from_segment(&self, point: Vec3) -> f64 {
        let (along, from_a) = (self.b - self.a, point - self.a);
        let length_squared = along.length_squared();
        let share = if length_squared > 0.0 { from_a.dot(along) / length_squared } else { 0.0 };
        (from_a - share.clamp(0.0, 1.0) * along).length()
    }
}

/// A small capsule around all points: the smallest found over many axis directions.
///
/// `None` if there are no points, a coordinate is not finite or beyond the limit of
/// [`convex_hull`](crate::hull::convex_hull).
///
/// **Guarantee.** Every point is inside, by [`EnclosingCapsule::contains`] and in real numbers (the radius is rounded
/// up by 32 ε times the extent), and the volume is never larger than that of the smallest sphere. It is a good fit,
/// not a proven minimum.
/// **Degenerate input.** Points on a line get their segment with radius 0 (up to rounding).
/// **Cost.** The convex hull and a few milliseconds.
pub fn enclosing_capsule(points: &[Vec3]) -> Option<EnclosingCapsule> {
    capsule_around(points, &Body::of(points)?)
}

/// The capsule of [`enclosing_capsule`] for points whose body is already prepared.
pub(super) fn capsule_around(points: &[Vec3], body: &Body) -> Option<EnclosingCapsule> {
    let sphere = smallest_sphere(points)?;
    let ball = EnclosingCapsule { a: sphere.center, b: sphere.center, radius: sphere.radius };
    let line = match &body.form {
        Form::Point => return Some(ball),
        Form::Line(along) => Line { axis: *along, shift: Vec3::ZERO },
        Form::Plane(..) | Form::Solid(_) => {
            let found = best_line(&body.core(CORE));
            let all = body.core(MANY);
            if all.len() > CORE { improved(&all, found, COARSE, FINEST).1 } else { found }
        }
    };
    let capsule = around(body.decisive(points), body.scaling, line);
    Some(if capsule.volume() < ball.volume() { capsule } else { ball })
}

/// Corners that the search works on, and then its last steps; the rest only matter for the final size.
const CORE: usize = 200;
const MANY: usize = 2000;

fn capsule_volume(length: f64, radius: f64) -> f64 {
    PI * radius * radius * (length + 4.0 / 3.0 * radius)
}

/// The best capsule about that line around the points.
fn around(points: &[Vec3], scaling: Scaling, line: Line) -> EnclosingCapsule {
    let scaled: Vec<Vec3> = points.iter().map(|&p| scaling.apply(p)).collect();
    let fit = Fit::of(&scaled, line);
    let place = |height: f64| scaling.middle + (fit.foot + height * line.axis) * scaling.size;
    let mut capsule = EnclosingCapsule { a: place(fit.low), b: place(fit.high), radius: 0.0 };
    let farthest = points.iter().map(|&p| capsule.distance_from_segment(p)).fold(0.0, f64::max);
    // Twice some ten rounded operations on vectors no longer than the capsule.
    let length = capsule.a.distance(capsule.b) + farthest;
    capsule.radius = if farthest > 0.0 { farthest + 32.0 * f64::EPSILON * length } else { 0.0 };
    capsule
}

/// The line that a capsule lies on, relative to the points.
#[derive(Clone, Copy)]
struct Line {
    /// Unit direction.
    axis: Vec3,
    /// Where it passes the centre of the smallest circle across it.
    shift: Vec3,
}

/// The line of the smallest capsule found around some points.
fn best_line(points: &[Vec3]) -> Line {
    let mut trials: Vec<(f64, Line)> = directions(STARTS)
        .chain([Vec3::X, Vec3::Y, Vec3::Z])
        .map(|axis| Line { axis, shift: Vec3::ZERO })
        .map(|line| (Fit::of(points, line).volume(), line))
        .collect();
    trials.sort_by(|a, b| a.0.total_cmp(&b.0));
    trials.truncate(IMPROVED);
    let rough = trials.into_iter().map(|trial| improved(points, trial.1, 0.1, COARSE));
    let best = rough.min_by(|a, b| a.0.total_cmp(&b.0));
    let best = best.map_or(Line { axis: Vec3::Z, shift: Vec3::ZERO }, |t| t.1);
    improved(points, best, COARSE, FINEST).1
}

/// Turns and shifts the line, by steps (radians, size) from the first to the second, while the volume shrinks: volume
/// and line.
fn improved(points: &[Vec3], line: Line, from: f64, to: f64) -> (f64, Line) {
    // Compass search; the compass turns with every step, so that no valley stays between its needles.
    let mut best = (Fit::of(points, line).volume(), line);
    let (mut step, mut turn) = (from, 0.0f64);
    while step > to {
        let (x, y) = best.1.axis.any_orthonormal_pair();
        let before = best.0;
        for needle in 0..12 {
            let (sin, cos) = (turn + f64::from(needle) * PI / 3.0).sin_cos();
            let (move_by, mut line) = (step * (cos * x + sin * y), best.1);
            if needle < 6 {
                line.axis = (line.axis + move_by).try_normalize().unwrap_or(line.axis);
            } else {
                line.shift += move_by;
            }
            let volume = Fit::of(points, line).volume();
            if volume < best.0 {
                best = (volume, line);
                break;
            }
        }
        turn += 1.0;
        if best.0 >= before * (1.0 - 0.01 * step) {
            step *= 0.5;
        }
    }
    best
}

/// Directions looked at, and how many of them are improved.
const STARTS: usize = 150;
const IMPROVED: usize = 8;
/// Smallest step, in radians and in sizes of the body, of all that are improved and of the best.
const COARSE: f64 = power_of_two(-9);
const FINEST: f64 = power_of_two(-26);

/// The best capsule found about one line.
struct Fit {
    /// The point of the line nearest to the origin.
    foot: Vec3,
    low: f64,
    high: f64,
    radius: f64,
}

impl Fit {
    fn of(points: &[Vec3], line: Line) -> Fit {
        let axis = line.axis;
        let (x, y) = axis.any_orthonormal_pair();
        let flat: Vec<Vec2> = points.iter().map(|p| Vec2::new(x.dot(*p), y.dot(*p))).collect();
        let circle = smallest_circle(&flat, Circle::START);
        let center = circle.center + Vec2::new(x.dot(line.shift), y.dot(line.shift));
        // Per point: squared distance from the axis and height along it.
        let places: Vec<(f64, f64)> =
            flat.iter().zip(points).map(|(f, p)| (f.distance_squared(center), axis.dot(*p))).collect();
        // How far down and up the ball of that radius can move inward along the axis without losing a point.
        let ends = |radius: f64| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &(across_squared, height) in &places {
                let reach = (radius * radius - across_squared).max(0.0).sqrt();
                low = low.min(height + reach);
                high = high.max(height - reach);
            }
            // Overlapping ends: one ball anywhere between them does.
            if low > high { (0.5 * (low + high), 0.5 * (low + high)) } else { (low, high) }
        };
        let volume = |radius: f64| {
            let (low, high) = ends(radius);
            capsule_volume(high - low, radius)
        };
        // A wider capsule may be so much shorter that it is smaller.
        let tightest = places.iter().map(|p| p.0).fold(0.0, f64::max).sqrt();
        let radius = least(tightest, 1.5 * tightest, volume);
        let (low, high) = ends(radius);
        Fit { foot: center.x * x + center.y * y, low, high, radius }
    }

    fn volume(&self) -> f64 {
        capsule_volume(self.high - self.low, self.radius)
    }
}

/// Where `f` is smallest in [from, to], by golden sections; never worse than at `from`.
pub(super) fn least(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let golden = 0.5 * (5.0f64.sqrt() - 1.0);
    let (mut low, mut high) = (from, to);
    let mut best = (f(from), from);
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..SECTIONS {
        if at_left < best.0 {
            best = (at_left, left);
        }
        if at_right < best.0 {
            best = (at_right, right);
        }
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = f(right);
        }
    }
    best.1
}

/// Golden sections: the interval shrinks to a thousandth.
const SECTIONS: usize = 14;
