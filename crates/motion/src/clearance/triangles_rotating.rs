//! How close a triangle that turns about an axis comes to another one.
//!
//! At any angle the nearest points give a plane between the triangles. It may stand with a or turn with b; either way the
//! heights of the corners above it are waves of the angle, and the angles up to which all of them stay higher than the
//! best distance so far are known in closed form: in between nothing better can be found. What is left over is looked at
//! in its middle, and so on; where a look beats the best, the slope of the distance leads down to a minimum. The bound is
//! off by the square of the angle from where the plane was taken, so a look settles a whole stretch, more of it the
//! farther from a minimum. Where two edges are next to each other, a plane that follows both is better still.

use super::edges_rotating::reach_along_edges;
use crate::triangles::{Wave, turn};
use freiraum_geometry::Vec3;
use freiraum_query::elementary::triangle_triangle;

/// The least distance of two triangles during a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Least {
    /// The distance in metres.
    pub(super) distance: f64,
    /// Where in the motion.
    pub(super) at: f64,
    /// The triangles are nowhere closer than this.
    pub(super) lower: f64,
}

/// What a search is to find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Only distances below this are of interest.
    pub(super) below: f64,
    /// The share of the distance beyond `contact` by which the least one may be missed.
    pub(super) relative: f64,
    /// How far off a coordinate may be by rounding.
    pub(super) slack: f64,
    /// The distance of triangles that is a contact, up to twice the slack: the radius around them.
    pub(super) contact: f64,
}

impl Wanted {
    /// What has to be proven if this is the least distance.
    fn proven(&self, distance: f64) -> f64 {
        distance - self.relative * (distance - self.contact)
    }
}

/// The least distance from a of b, turned about z by an angle in [first, last], if it is below what is wanted.
///
/// **Frames.** The axis of rotation is z. **Guarantee.** No distance is below `lower`, up to the slack; `lower` is no more than the
/// wanted share below `distance`, unless the looks ran out. `None`: all distances are at least `below` less that share.
pub(super) fn least_rotating(
    a: &[Vec3; 3],
    b: &[Vec3; 3],
    [first, last]: [f64; 2],
    wanted: &Wanted,
    open: &mut Vec<[f64; 2]>,
) -> Option<Least> {
    let mut best = Least { distance: wanted.below, at: f64::NAN, lower: wanted.below };
    open.clear();
    open.push([first, last]);
    let mut looks = 0;
    while let Some([low, high]) = open.pop() {
        let mut look = Look::at(a, b, 0.5 * (low + high));
        looks += 1;
        if look.distance < best.distance {
            look = descend(a, b, look, [low, high], wanted.slack, &mut looks);
            best = Least { distance: look.distance, at: look.angle, lower: look.distance };
        }
        if best.distance <= wanted.contact + 2.0 * wanted.slack {
            return Some(best);
        }
        let level = wanted.proven(best.distance) - wanted.slack;
        if looks > LOOKS {
            // What is left is as close as a point at most travels.
            let speed = b.iter().map(|p| p.x.hypot(p.y)).fold(0.0, f64::max);
            best.lower = (look.distance - speed * (high - low)).max(0.0);
            for [low, high] in open.drain(..) {
                let there = Look::at(a, b, 0.5 * (low + high)).distance - 0.5 * speed * (high - low);
                best.lower = best.lower.min(there.max(0.0));
            }
            break;
        }
        let [mut back, mut ahead] = look.reach(a, level);
        if looks > PLAIN_LOOKS && (look.angle + ahead < high || look.angle - back > low) {
            let along = reach_along_edges(a, &look.b, look.normal, level);
            (back, ahead) = (back.max(along[0]), ahead.max(along[1]));
        }
        if look.angle + ahead < high {
            open.push([look.angle + ahead, high]);
        }
        if look.angle - back > low {
            open.push([low, look.angle - back]);
        }
    }
    best.lower = best.lower.min(wanted.proven(best.distance));
    (best.distance < wanted.below).then_some(best)
}

/// Looks at one pair at most. A minimum takes some thirty; more are needed only where the distance hardly changes.
const LOOKS: usize = 2000;

/// Looks with planes that follow one triangle only. Most pairs take no more, and the others are worth more.
const PLAIN_LOOKS: usize = 8;

/// The triangles at one angle.
#[derive(Clone, Copy)]
struct Look {
    angle: f64,
    distance: f64,
    /// From a to b; zero if they meet.
    normal: Vec3,
    /// How fast the distance grows with the angle.
    slope: f64,
    /// b at this angle.
    b: [Vec3; 3],
}

impl Look {
    fn at(a: &[Vec3; 3], b: &[Vec3; 3], angle: f64) -> Look {
        let b = turn(b, angle);
        let near = triangle_triangle(*a, b);
        let distance = near.distance();
        let normal = if distance > 0.0 { (near.point_on_b - near.point_on_a) / distance } else { Vec3::ZERO };
        let p = near.point_on_b;
        Look { angle, distance, normal, slope: normal.y * p.x - normal.x * p.y, b }
    }

    /// By how much b may turn back and ahead with a distance above `level` all the way.
    fn reach(&self, a: &[Vec3; 3], level: f64) -> [f64; 2] {
        let n = self.normal;
        let top = a.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        let bottom = self.b.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
        let (mut standing, mut turning) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
        for p in &self.b {
            limit(&mut standing, Wave::turning(n, *p).minus(top + level));
        }
        for p in a {
            // Seen from b, a turns the other way round.
            let [ahead, back] = zeros(Wave::turning(-n, *p).minus(level - bottom));
            turning = [turning[0].min(back), turning[1].min(ahead)];
        }
        [standing[0].max(turning[0]), standing[1].max(turning[1])]
    }
}

fn limit(reach: &mut [f64; 2], wave: Wave) {
    let [back, ahead] = zeros(wave);
    *reach = [reach[0].min(back), reach[1].min(ahead)];
}

/// How far the wave stays positive below and above 0.
#[inline]
fn zeros(wave: Wave) -> [f64; 2] {
    let Wave { middle, along, across } = wave;
    if middle + along <= 0.0 {
        return [0.0; 2];
    }
    let h = along.hypot(across);
    if middle > h {
        return [f64::INFINITY; 2];
    }
    let (phase, half) = (across.atan2(along), (-middle / h).acos());
    [(half - phase).max(0.0), (half + phase).max(0.0)]
}

/// Goes down from a look to a minimum in [low, high], its ends included.
///
/// As long as the triangles are apart, their distance has a continuous slope at every minimum: it is where the slope is zero.
fn descend(
    a: &[Vec3; 3],
    b: &[Vec3; 3],
    start: Look,
    [low, high]: [f64; 2],
    slack: f64,
    looks: &mut usize,
) -> Look {
    let mut best = start;
    // Falling from `inner` towards `outer`, where it has risen again or the interval ends.
    let ahead = start.slope < 0.0;
    let mut inner = start;
    let mut outer = Look::at(a, b, if ahead { high } else { low });
    let towards = if ahead { 1.0 } else { -1.0 };
    *looks += 1;
    if outer.distance < best.distance {
        best = outer;
        if towards * outer.slope <= 0.0 {
            return best;
        }
    }
    for round in 0..DESCENT {
        let width = (outer.angle - inner.angle).abs();
        // Where the slope would be zero if it changed evenly; every third time the middle, so that the interval shrinks.
        let (s0, s1) = (towards * inner.slope, towards * outer.slope);
        let share = if s1 > 0.0 && s0 < 0.0 && round % 3 != 2 { s0 / (s0 - s1) } else { 0.5 };
        let next = Look::at(a, b, inner.angle + share * (outer.angle - inner.angle));
        *looks += 1;
        if next.distance < best.distance {
            best = next;
        }
        // A change of the angle this small changes nothing.
        if best.distance <= slack
            || next.slope.abs() * width <= slack
            || width <= 4.0 * f64::EPSILON * high.abs().max(low.abs())
        {
            break;
        }
        if towards * next.slope < 0.0 && next.distance <= inner.distance {
            inner = next;
        } else {
            outer = next;
        }
    }
    best
}

/// Steps downwards at most.
const DESCENT: usize = 60;
