//! A small rectangle swept sphere (RSS) around points: all points within a radius of a rectangle.

use super::body::Body;
use super::capsule::{capsule_around, least};
use super::directions::{x_to, z_to};
use super::oriented_box::best_orientation;
use crate::math::{Aabb, Mat3, Pose, Quat, Vec2, Vec3, power_of_two};
use std::f64::consts::{FRAC_PI_2, PI};

/// All points within `radius` of a rectangle; see [`enclosing_swept_rectangle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RectangleSweptSphere {
    /// `frame_from_rectangle`: the rectangle lies in the xy plane of its own frame, centred on the origin.
    pub pose: Pose,
    /// Half the sides of the rectangle along its own x and y, in metres; zero for a capsule or a sphere.
    pub half: Vec2,
    /// Radius in metres.
    pub radius: f64,
}

impl RectangleSweptSphere {
    /// True if `point` (in the outer frame) lies in the closed volume.
    pub fn contains(&self, point: Vec3) -> bool {
        self.distance_from_rectangle(point) <= self.radius
    }

    /// Volume in cubic metres.
    pub fn volume(&self) -> f64 {
        swept_volume(self.half, self.radius)
    }

    fn local(&self, point: Vec3) -> Vec3 {
        self.pose.rotation().conjugate() * (point - self.pose.translation())
    }

    fn distance_from_rectangle(&self, point: Vec3) -> f64 {
        let local = self.local(point);
        let beyond = (local.truncate().abs() - self.half).max(Vec2::ZERO);
        beyond.extend(local.z).length()
    }
}

/// A small rectangle swept sphere around all points, fitted from the smallest box.
///
/// `None` if there are no points, a coordinate is not finite or beyond the limit of
/// [`convex_hull`](crate::hull::convex_hull).
///
/// **Guarantee.** Every point is inside, by [`RectangleSweptSphere::contains`] and in real numbers (the radius is
/// rounded up by 32 ε times the extent), and the volume is never larger than that of [`enclosing_capsule`](super::enclosing_capsule) or of the
/// smallest sphere, but for that rounding. It is a good fit, not a proven minimum. **Degenerate input.** Points in a
/// plane may get a rectangle of radius 0 (up to rounding). **Cost.** That of the smallest box and the capsule.
pub fn enclosing_swept_rectangle(points: &[Vec3]) -> Option<RectangleSweptSphere> {
    let body = Body::of(points)?;
    let capsule = capsule_around(points, &body)?;
    let box_orientation = best_orientation(&body);
    let core = body.core(CORE);
    let mut best = (f64::INFINITY, Quat::IDENTITY);
    for axis in [Vec3::Z, Vec3::Y, Vec3::X] {
        let start = box_orientation * z_to(axis);
        let found = improved(&core, start);
        if found.0 < best.0 {
            best = found;
        }
    }
    let scaled: Vec<Vec3> = body.outer.iter().map(|&p| body.scaling.apply(p)).collect();
    let fit = Fit::of(&scaled, best.1);
    let center = body.scaling.middle + best.1 * fit.center * body.scaling.size;
    let rectangle = enlarged(body.decisive(points), best.1, center, fit.half * body.scaling.size)?;
    // A capsule is a rectangle without width, a sphere one without sides.
    let along = capsule.b - capsule.a;
    let rotation = along.try_normalize().map_or(Quat::IDENTITY, x_to);
    let middle = capsule.a + 0.5 * along;
    let thin = enlarged(body.decisive(points), rotation, middle, Vec2::new(0.5 * along.length(), 0.0))?;
    Some(if rectangle.volume() < thin.volume() { rectangle } else { thin })
}

/// Corners that the search works on; the rest only matter for the final size.
const CORE: usize = 200;

/// The rectangle with the radius that reaches all points, rounded up.
fn enlarged(points: &[Vec3], rotation: Quat, center: Vec3, half: Vec2) -> Option<RectangleSweptSphere> {
    let mut swept = RectangleSweptSphere { pose: Pose::new(rotation, center)?, half, radius: 0.0 };
    let (mut reach, mut extent) = (0.0f64, 0.0f64);
    for &p in points {
        reach = reach.max(swept.distance_from_rectangle(p));
        extent = extent.max(p.distance(center));
    }
    swept.radius = if reach > 0.0 { reach + 32.0 * f64::EPSILON * extent } else { 0.0 };
    Some(swept)
}

fn swept_volume(half: Vec2, radius: f64) -> f64 {
    8.0 * half.x * half.y * radius + 2.0 * PI * radius * radius * (half.x + half.y + 2.0 / 3.0 * radius)
}

/// Turns the rectangle while that makes the volume smaller.
fn improved(points: &[Vec3], start: Quat) -> (f64, Quat) {
    let mut best = (Fit::of(points, start).volume(), start);
    let (mut step, mut round) = (0.1, 0);
    while step > FINEST {
        let before = best.0;
        // Six turns about axes that differ from round to round.
        let compass = Mat3::from_quat(Quat::from_scaled_axis(f64::from(round) * Vec3::new(0.5, 0.9, 0.3)));
        for turn in (0..6).map(|i| compass.col(i / 2) * if i % 2 == 0 { step } else { -step }) {
            let rotation = (Quat::from_scaled_axis(turn) * best.1).normalize();
            let volume = Fit::of(points, rotation).volume();
            if volume < best.0 {
                best = (volume, rotation);
                break;
            }
        }
        round += 1;
        if best.0 >= before * (1.0 - 0.01 * step) {
            step *= 0.5;
        }
    }
    best
}

/// Smallest turn that is tried, in radians.
const FINEST: f64 = power_of_two(-14);

/// The rectangle for one orientation; `center` is in its own directions.
struct Fit {
    center: Vec3,
    half: Vec2,
    radius: f64,
}

impl Fit {
    fn of(points: &[Vec3], rotation: Quat) -> Fit {
        let turned = Mat3::from_quat(rotation.conjugate());
        let mut local: Vec<Vec3> = points.iter().map(|&p| turned * p).collect();
        let bounds = Aabb::of_points(&local);
        let middle = 0.5 * (bounds.min.z + bounds.max.z);
        for p in &mut local {
            p.z -= middle;
        }
        let tightest = 0.5 * bounds.size().z;
        // A thicker volume may need so much smaller a rectangle that it is smaller. Half of the smaller side more
        // radius already leaves no rectangle.
        let thickest = tightest + 0.5 * bounds.size().x.min(bounds.size().y);
        let volume = |radius: f64| swept_volume(rectangle(&local, radius).1, radius);
        let radius = least(tightest, thickest.max(tightest * FRAC_PI_2), volume);
        let (center, half) = rectangle(&local, radius);
        Fit { center: center.extend(middle), half, radius }
    }

    fn volume(&self) -> f64 {
        swept_volume(self.half, self.radius)
    }
}

/// Centre and half sides of a small rectangle in the plane z = 0 that has all points within `radius`, which is at
/// least the largest |z|.
fn rectangle(points: &[Vec3], radius: f64) -> (Vec2, Vec2) {
    let reach = |p: &Vec3| (radius * radius - p.z * p.z).max(0.0).sqrt();
    // Each side on its own: as far in as the points allow.
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for p in points {
        low = low.min(p.truncate() + reach(p));
        high = high.max(p.truncate() - reach(p));
    }
    let crossed = low.cmpgt(high);
    let middle = 0.5 * (low + high);
    (low, high) = (Vec2::select(crossed, middle, low), Vec2::select(crossed, middle, high));
    // Points beyond a corner may still be too far away: move the side there that has to move less.
    for p in points {
        let (flat, reach) = (p.truncate(), reach(p));
        let beyond = (low - flat).max(flat - high).max(Vec2::ZERO);
        if beyond.length_squared() <= reach * reach {
            continue;
        }
        let allowed = |other: f64| (reach * reach - other * other).max(0.0).sqrt();
        let shift = Vec2::new(beyond.x - allowed(beyond.y), beyond.y - allowed(beyond.x));
        let shift = if shift.x < shift.y { Vec2::new(shift.x, 0.0) } else { Vec2::new(0.0, shift.y) };
        let above = flat.cmpgt(high);
        high += Vec2::select(above, shift, Vec2::ZERO);
        low -= Vec2::select(above, Vec2::ZERO, shift);
    }
    (0.5 * (low + high), 0.5 * (high - low))
}
