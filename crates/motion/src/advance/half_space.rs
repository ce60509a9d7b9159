//! A half space and what may come near it.

use super::boxes::{Apart, PartBox};
use super::instant::{Instant, Mover};
use super::step::{first_order, first_zero};
use freiraum_geometry::Vec3;
use freiraum_geometry::shape::HalfSpace;

/// For how long the points of a box that lie lowest, `low` metres above the plane at least, stay more than `margin` above the
/// half space a.
///
/// The normal of the half space is the difference of two points of its body; the acceleration of these bounds its own.
pub(super) fn apart(
    half_space: &HalfSpace,
    b: &PartBox,
    low: f64,
    movers: &[Mover; 2],
    now: &Instant,
    margin: f64,
    span: [f64; 2],
) -> Apart {
    let gap = low - margin;
    if !(gap > 0.0) {
        return Apart { gap: 0.0, step: 0.0 };
    }
    let longest = span[1] - now.time;
    let n = half_space.normal();
    let center = now.place(b.center);
    let foot = center - (n.dot(center) - half_space.offset()) * n;
    let [twist_a, twist_b] = now.twists;
    let turning = twist_a.angular.cross(n);
    let speed = twist_b.velocity(center) - twist_a.velocity(foot);
    // Rate of (n + τ turning)·(x - foot), least over the box; the term τ² turning·speed goes to the curve.
    let spread = now.turn.transpose() * (turning + n.cross(twist_b.angular));
    let q = n.dot(speed) + turning.dot(center - foot) - spread.abs().dot(b.half);
    let (at_foot, bend) = curves(half_space, b, foot, movers, now, span);
    let fastest = speed.length() + twist_b.angular.length() * b.radius;
    let curve = 0.5 * (b.acceleration + at_foot) + bend + turning.length() * fastest;
    Apart { gap, step: first_zero(gap, q, -curve).min(longest) }
}

/// Bounds of the acceleration of the point of a at `foot`, and of what the bending of the normal `n` takes from the height of
/// the points of the box above the plane, per τ²: these are `d + τ v` from the foot, and half of the acceleration of the
/// normal times the longest of these is at most `acceleration (|d| + τ |v|) / |d|`.
pub(super) fn curves(
    half_space: &HalfSpace,
    b: &PartBox,
    foot: Vec3,
    movers: &[Mover; 2],
    now: &Instant,
    span: [f64; 2],
) -> (f64, f64) {
    let center = now.place(b.center);
    // Of all points of the box from the foot.
    let far = (center - foot).length() + b.radius;
    let [twist_a, twist_b] = now.twists;
    let at_foot = movers[0].acceleration(foot, 0.0, span);
    let about = movers[0].acceleration(foot, far, span);
    let turning = twist_a.angular.cross(half_space.normal());
    if about == 0.0 && turning == Vec3::ZERO {
        return (at_foot, 0.0);
    }
    let speed = twist_b.velocity(center) - twist_a.velocity(foot);
    let fastest = speed.length() + twist_b.angular.length() * b.radius;
    (at_foot, about * (1.0 + (span[1] - now.time) * fastest / far))
}

/// The same with bounds of the travel alone.
///
/// Let b and the points of a within r + 2 gap of the centre travel less than the gap together. The point of a that b touches
/// first is one of these: to meet another, b would have to travel the gap alone.
pub(super) fn apart_first_order(
    gap: f64,
    b: &PartBox,
    movers: &[Mover; 2],
    now: &Instant,
    last: f64,
) -> Apart {
    let center = now.place(b.center);
    let step = first_order(gap, last - now.time, |step| {
        let span = [now.time, now.time + step];
        movers[0].travel(center, b.radius + 2.0 * gap, span) + movers[1].travel(b.center, b.radius, span)
    });
    Apart { gap, step }
}
