//! The smallest cylinder around points.
//!
//! For a given axis direction the best cylinder is known: its radius is that of the smallest circle around the points
//! projected along the axis, its height their extent. What is searched is the direction, a point on the half sphere;
//! the volume has many local minima there, most of them kinks where the circle or an end face touches more points.

use super::body::{Body, Form};
use super::circle::{Circle, smallest_circle};
use super::directions::{directions, z_to};
use super::min_norm::shortest_in_sum;
use super::polytope::Polytope;
use crate::math::{Pose, Vec2, Vec3, power_of_two};
use std::f64::consts::PI;

/// A cylinder around points; see [`smallest_cylinder`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnclosingCylinder {
    /// `frame_from_cylinder`: the axis is the z axis of the cylinder, the origin its middle.
    pub pose: Pose,
    /// Radius in metres.
    pub radius: f64,
    /// Height in metres, from -height/2 to height/2.
    pub height: f64,
}

impl EnclosingCylinder {
    /// True if `point` (in the outer frame) lies in the closed cylinder.
    pub fn contains(&self, point: Vec3) -> bool {
        let local = self.local(point);
        2.0 * local.z.abs() <= self.height && local.truncate().length() <= self.radius
    }

    /// Volume in cubic metres.
    pub fn volume(&self) -> f64 {
        PI * self.radius * self.radius * self.height
    }

    fn local(&self, point: Vec3) -> Vec3 {
        self.pose.rotation().conjugate() * (point - self.pose.translation())
    }
}

/// The smallest cylinder (by volume, in any direction) around all points.
///
/// `None` if there are no points, a coordinate is not finite or beyond the limit of
/// [`convex_hull`](crate::hull::convex_hull).
///
/// **Guarantee.** Every point is inside, by [`EnclosingCylinder::contains`] and in real numbers: radius and half height
/// are rounded up by 32 ε times the distance of the farthest point. The direction is the best of a global search
/// (even spread, facet normals, descent from the most promising); it is a local minimum, not proven to be the global one.
/// The same points give the same cylinder. **Degenerate input.** Points in a plane get the smallest disc, points on a
/// line their segment, with volume 0 (up to rounding). **Cost.** The convex hull and a few milliseconds.
pub fn smallest_cylinder(points: &[Vec3]) -> Option<EnclosingCylinder> {
    let body = Body::of(points)?;
    let axis = match &body.form {
        Form::Point => Vec3::Z,
        Form::Line(along) => *along,
        Form::Plane(normal, _) => *normal,
        Form::Solid(polytope) => best_axis(polytope),
    };
    Some(around(body.decisive(points), axis, body.scaling.middle))
}

/// The tightest cylinder with that axis direction around the points, computed relative to their `middle`.
fn around(points: &[Vec3], axis: Vec3, middle: Vec3) -> EnclosingCylinder {
    let rotation = z_to(axis);
    let local: Vec<Vec3> = points.iter().map(|&p| rotation.conjugate() * (p - middle)).collect();
    let flat: Vec<Vec2> = local.iter().map(|p| p.truncate()).collect();
    let circle = smallest_circle(&flat, Circle::START);
    let heights = || local.iter().map(|p| p.z);
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let center = middle + rotation * circle.center.extend(0.5 * (low + high));
    let pose = Pose::new(rotation, center).unwrap_or(Pose::from_translation(middle));
    let mut tight = EnclosingCylinder { pose, radius: 0.0, height: 0.0 };
    let (mut radius, mut half, mut farthest) = (0.0f64, 0.0f64, 0.0f64);
    for &p in points {
        let local = tight.local(p);
        radius = radius.max(local.truncate().length());
        half = half.max(local.z.abs());
        farthest = farthest.max(local.length());
    }
    // As for the oriented box: twice some ten rounded operations, and what is exactly flat stays flat.
    let rounded_up = |x: f64| if x > 0.0 { x + 32.0 * f64::EPSILON * farthest } else { x };
    tight.radius = rounded_up(radius);
    tight.height = 2.0 * rounded_up(half);
    tight
}

/// The axis direction of the smallest cylinder found.
fn best_axis(polytope: &Polytope) -> Vec3 {
    let mut starts: Vec<Vec3> =
        directions(STARTS).chain(polytope.large_facets(8)).chain([Vec3::X, Vec3::Y, Vec3::Z]).collect();
    // Corners that are farthest in some direction stand for the others, until a found cylinder misses one.
    let mut chosen = polytope.core(CORE);
    let mut whole = Search::new(polytope.points.clone());
    let mut best: Option<Trial> = None;
    for _ in 0..MAX_GROWTH {
        let mut part = Search::new(chosen.iter().map(|&i| polytope.points[i as usize]).collect());
        let found = part.best(&starts);
        let Some(least) = found.first() else { break };
        let in_truth = whole.at(least.axis);
        if best.is_none_or(|b| in_truth.volume < b.volume) {
            best = Some(in_truth);
        }
        // The cylinder of the chosen is no larger than that of all: once they agree, nothing is left to gain.
        if best.is_some_and(|b| least.volume >= b.volume * (1.0 - AGREEMENT)) {
            break;
        }
        starts = found.iter().map(|t| t.axis).collect();
        for trial in found {
            chosen.extend(whole.at(trial.axis).carriers());
        }
        chosen.sort_unstable();
        chosen.dedup();
    }
    best.map_or(Vec3::Z, |b| b.axis)
}

/// Corners that the search works on at first.
const CORE: usize = 1000;
/// Directions that are looked at before the best are improved.
const STARTS: usize = 300;
/// Rounds of adding missed corners. Bodies as round as a ball may still gain less than a thousandth after that.
const MAX_GROWTH: usize = 10;
/// Relative difference of volume below which no further corner is worth adding.
const AGREEMENT: f64 = power_of_two(-32);

/// A direction with its cylinder.
#[derive(Clone, Copy)]
struct Trial {
    axis: Vec3,
    /// Volume without the factor pi.
    volume: f64,
    /// Gradient of log(volume) for turning the axis, across the axis.
    gradient: Vec3,
    circle: Circle,
    ends: [u32; 2],
}

impl Trial {
    fn carriers(&self) -> impl Iterator<Item = u32> {
        self.circle.carriers().chain(self.ends)
    }
}

struct Search {
    points: Vec<Vec3>,
    flat: Vec<Vec2>,
    guess: [u32; 3],
}

impl Search {
    fn new(points: Vec<Vec3>) -> Search {
        Search { flat: Vec::with_capacity(points.len()), points, guess: Circle::START }
    }

    /// Descents from the most promising directions, the best first.
    fn best(&mut self, starts: &[Vec3]) -> Vec<Trial> {
        let mut trials: Vec<Trial> = starts.iter().map(|&axis| self.at(axis)).collect();
        // Roughly, then finely: angles in radians.
        for (keep, from, to) in [(40, 0.05, 1.0 / 256.0), (10, 1.0 / 256.0, FINEST)] {
            trials.sort_by(|a, b| a.volume.total_cmp(&b.volume));
            trials.dedup_by(|a, b| a.ends == b.ends && a.circle.support() == b.circle.support());
            trials.truncate(keep);
            for trial in &mut trials {
                *trial = self.descended(*trial, from, to);
            }
        }
        trials.sort_by(|a, b| a.volume.total_cmp(&b.volume));
        trials
    }

    /// The tightest cylinder with that axis (unit) and the slope of its volume.
    fn at(&mut self, axis: Vec3) -> Trial {
        let (x, y) = axis.any_orthonormal_pair();
        self.flat.clear();
        let mut ends = [0; 2];
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (i, &p) in self.points.iter().enumerate() {
            self.flat.push(Vec2::new(x.dot(p), y.dot(p)));
            let height = axis.dot(p);
            if height > high {
                (high, ends[1]) = (height, i as u32);
            }
            if height < low {
                (low, ends[0]) = (height, i as u32);
            }
        }
        let circle = smallest_circle(&self.flat, self.guess);
        self.guess = circle.support();
        let height = high - low;
        let height_slope = (self.points[ends[1] as usize] - self.points[ends[0] as usize]) / height;
        let gradient = (height_slope + self.circle_slope(&circle, axis)).reject_from_normalized(axis);
        Trial { axis, volume: circle.radius_squared * height, gradient, circle, ends }
    }

    /// Gradient of log(squared radius of the circle) for turning the axis.
    ///
    /// The squared radius is the largest, over all weights of the points, of their weighted scatter across the axis;
    /// at the optimal weights, which write the centre as a mean of the carriers, its slope is that of the scatter.
    fn circle_slope(&self, circle: &Circle, axis: Vec3) -> Vec3 {
        let mut carriers = [0u32; 3];
        let mut count = 0;
        for i in circle.carriers() {
            carriers[count] = i;
            count += 1;
        }
        let flat = carriers.map(|i| self.flat[i as usize] - circle.center);
        let weights = match count {
            1 => [1.0, 0.0, 0.0],
            2 => [0.5, 0.5, 0.0],
            _ => {
                let [a, b, c] = flat;
                let areas = [b.perp_dot(c), c.perp_dot(a), a.perp_dot(b)];
                let total: f64 = areas.iter().sum();
                if total == 0.0 { [0.5, 0.5, 0.0] } else { areas.map(|x| x / total) }
            }
        };
        let points = carriers.map(|i| self.points[i as usize]);
        let mean: Vec3 = (0..count).map(|k| points[k] * weights[k]).sum();
        let scatter: Vec3 =
            (0..count).map(|k| (points[k] - mean) * ((points[k] - mean).dot(axis) * weights[k])).sum();
        if circle.radius_squared > 0.0 { scatter * (-2.0 / circle.radius_squared) } else { Vec3::ZERO }
    }

    /// Descends with steps that shrink from `from` to `to` radians.
    ///
    /// The direction is one that the slopes at a few places around, as far away as the step, agree on (gradient
    /// sampling, Burke, Lewis and Overton): the slope at one place alone zigzags across the kinks.
    fn descended(&mut self, mut best: Trial, from: f64, to: f64) -> Trial {
        let mut step = from;
        let mut slopes = [Vec::with_capacity(AROUND + 1)];
        for _ in 0..MAX_STEPS {
            if step <= to {
                break;
            }
            let start = best;
            let (x, y) = start.axis.any_orthonormal_pair();
            slopes[0].clear();
            slopes[0].push(start.gradient);
            for i in 0..AROUND {
                let (sin, cos) = (std::f64::consts::TAU * i as f64 / AROUND as f64).sin_cos();
                let near = self.at(moved(start.axis, step * (cos * x + sin * y)));
                if near.volume < best.volume {
                    best = near;
                }
                slopes[0].push(near.gradient.reject_from_normalized(start.axis));
            }
            let shortest = shortest_in_sum(&slopes);
            if let Some(uphill) = shortest.try_normalize() {
                let mut length = step;
                while length <= 0.5 {
                    let next = self.at(moved(start.axis, -length * uphill));
                    if next.volume >= best.volume {
                        break;
                    }
                    best = next;
                    length *= 2.0;
                }
            }
            if best.volume >= start.volume * (1.0 - 0.1 * step * shortest.length()) {
                step *= 0.25;
            }
        }
        best
    }
}

/// Places around the present direction whose slopes are looked at.
const AROUND: usize = 5;
/// Steps of one descent; it takes some forty.
const MAX_STEPS: usize = 120;
/// Angle at which the descent stops: a little above rounding.
const FINEST: f64 = power_of_two(-46);

fn moved(axis: Vec3, shift: Vec3) -> Vec3 {
    (axis + shift).try_normalize().unwrap_or(axis)
}
