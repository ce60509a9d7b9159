//! Impacts: bodies that bounce.
//!
//! Pairs that touch and approach each other get their impulses one pair after the other, the fastest approach first, until nobody approaches any more.
//! So a row of balls hands a hit on from ball to ball as it should. Every impulse takes energy away or leaves it as it is: that of a whole
//! manifold is scaled down where rounding or an unfinished solution would say otherwise.

use super::body::{Body, Motion};
use super::pair::{Manifold, Pair, Point};
use super::solver::{Inverse, tangent_across};
use freiraum_geometry::Vec3;
use freiraum_geometry::tolerance::SIMULATED_TOUCH_RELATIVE;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A manifold that may bounce.
struct Candidate {
    pair: usize,
    manifold: usize,
    bodies: [u32; 2],
}

/// How fast a candidate approaches; the fastest is the greatest, and of equals the first in the list.
struct Approach {
    speed: f64,
    candidate: usize,
}

impl PartialEq for Approach {
    fn eq(&self, other: &Approach) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Approach {}

impl PartialOrd for Approach {
    fn partial_cmp(&self, other: &Approach) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Approach {
    fn cmp(&self, other: &Approach) -> Ordering {
        self.speed.total_cmp(&other.speed).then(other.candidate.cmp(&self.candidate))
    }
}

/// How many impulses per candidate are given at most; what approaches after that is left to the solver, which does not bounce.
const ROUNDS: usize = 16;

/// When pairs bounce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce {
    /// Not below this speed of approach, in m/s.
    pub(crate) threshold: f64,
    /// Already when they would touch within this time, in seconds: 0 if they are followed to their contact.
    pub(crate) ahead: f64,
}

/// Lets all bouncing pairs that touch bounce, and tells whether any did. Impulses are noted in the pairs.
pub(crate) fn bounce(
    pairs: &mut [Pair],
    bodies: &[Body],
    motions: &mut [Motion],
    inverses: &[Inverse],
    Bounce { threshold, ahead }: Bounce,
) -> bool {
    let mut candidates = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        if pair.restitution == 0.0 || pair.is_penalty() {
            continue;
        }
        for (number, manifold) in pair.manifolds.iter().enumerate() {
            let reach = Reach { touch: touch(pair, bodies), ahead };
            let [a, b] = pair.bodies.map(|b| &motions[b as usize]);
            if manifold.points().iter().any(|p| reach.holds(p, manifold.normal, a, b)) {
                candidates.push(Candidate { pair: at, manifold: number, bodies: pair.bodies });
            }
        }
    }
    if candidates.is_empty() {
        return false;
    }
    let approach = |k: usize, pairs: &[Pair], motions: &[Motion]| {
        let c = &candidates[k];
        let pair = &pairs[c.pair];
        let reach = Reach { touch: touch(pair, bodies), ahead };
        approach_of(&pair.manifolds[c.manifold], pair.bodies, motions, reach)
    };
    let mut queue = BinaryHeap::new();
    for k in 0..candidates.len() {
        let speed = approach(k, pairs, motions);
        if speed > threshold {
            queue.push(Approach { speed, candidate: k });
        }
    }
    if queue.is_empty() {
        return false;
    }
    // Which candidates a body takes part in.
    let mut of_body: Vec<(u32, usize)> =
        candidates.iter().enumerate().flat_map(|(k, c)| c.bodies.map(|b| (b, k))).collect();
    of_body.sort_unstable();
    let mut left = ROUNDS * candidates.len();
    while let Some(Approach { speed, candidate }) = queue.pop() {
        let now = approach(candidate, pairs, motions);
        // It has changed since it was put in the queue: it is there again with its new speed.
        if now != speed || now <= threshold {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let Candidate { pair, manifold, bodies: ends } = candidates[candidate];
        let reach = Reach { touch: touch(&pairs[pair], bodies), ahead };
        hit(&mut pairs[pair], manifold, motions, inverses, threshold, reach);
        for end in ends.into_iter().filter(|b| bodies[*b as usize].is_dynamic()) {
            let from = of_body.partition_point(|(b, _)| *b < end);
            for (_, k) in of_body[from..].iter().take_while(|(b, _)| *b == end) {
                let speed = approach(*k, pairs, motions);
                if speed > threshold {
                    queue.push(Approach { speed, candidate: *k });
                }
            }
        }
    }
    true
}

/// Points that are nearer than this touch, in metres.
pub(crate) fn touch(pair: &Pair, bodies: &[Body]) -> f64 {
    let [a, b] = pair.bodies.map(|b| bodies[b as usize].core);
    SIMULATED_TOUCH_RELATIVE * a.min(b)
}

/// Velocity of b against a at a point given relative to both centres.
fn relative_velocity(a: &Motion, b: &Motion, from_a: Vec3, from_b: Vec3) -> Vec3 {
    b.linear + b.angular.cross(from_b) - a.linear - a.angular.cross(from_a)
}

/// The fastest approach of the points that touch.
fn approach_of(manifold: &Manifold, bodies: [u32; 2], motions: &[Motion], reach: Reach) -> f64 {
    let [a, b] = bodies.map(|b| &motions[b as usize]);
    let touching = manifold.points().iter().filter(|p| reach.holds(p, manifold.normal, a, b));
    touching.map(|p| approach(p, manifold.normal, a, b)).fold(0.0, f64::max)
}

/// How fast the surfaces approach each other at a point.
fn approach(p: &Point, normal: Vec3, a: &Motion, b: &Motion) -> f64 {
    -normal.dot(relative_velocity(a, b, p.from_a, p.from_b))
}

/// Which points touch.
#[derive(Clone, Copy)]
struct Reach {
    /// Those that are nearer than this, in metres,
    touch: f64,
    /// or will be within this time.
    ahead: f64,
}

impl Reach {
    fn holds(&self, p: &Point, normal: Vec3, a: &Motion, b: &Motion) -> bool {
        p.separation <= self.touch
            || (self.ahead > 0.0 && p.separation <= self.touch + self.ahead * approach(p, normal, a, b))
    }
}

/// One impact of two bodies with all points of one manifold.
fn hit(
    pair: &mut Pair,
    number: usize,
    motions: &mut [Motion],
    inverses: &[Inverse],
    threshold: f64,
    reach: Reach,
) {
    let manifold = &pair.manifolds[number];
    let normal = manifold.normal;
    let [a, b] = pair.bodies.map(|b| b as usize);
    let [inverse_a, inverse_b] = [&inverses[a], &inverses[b]];
    let inverse_mass = inverse_a.mass + inverse_b.mass;
    let points: Vec<(Vec3, Vec3)> = manifold
        .points()
        .iter()
        .filter(|p| reach.holds(p, normal, &motions[a], &motions[b]))
        .map(|p| (p.from_a, p.from_b))
        .collect();
    let count = points.len();
    let mut speeds = [0.0; 4];
    let mut matrix = [[0.0; 4]; 4];
    for i in 0..count {
        let (from_a, from_b) = points[i];
        speeds[i] = normal.dot(relative_velocity(&motions[a], &motions[b], from_a, from_b));
        for j in 0..count {
            let (other_a, other_b) = points[j];
            matrix[i][j] = inverse_mass
                + from_a.cross(normal).dot(inverse_a.inertia * other_a.cross(normal))
                + from_b.cross(normal).dot(inverse_b.inertia * other_b.cross(normal));
        }
    }
    // Speeds after the impact are at least minus the restitution times those before, with impulses only where they are just that.
    let wanted = speeds.map(|v| if v < -threshold { -pair.restitution * v } else { 0.0 });
    let mut impulses = [0.0; 4];
    for _ in 0..SWEEPS {
        let mut change = 0.0f64;
        for i in 0..count {
            let after = speeds[i] + (0..count).map(|j| matrix[i][j] * impulses[j]).sum::<f64>();
            let impulse = (impulses[i] + (wanted[i] - after) / matrix[i][i]).max(0.0);
            change = change.max((impulse - impulses[i]).abs() * matrix[i][i]);
            impulses[i] = impulse;
        }
        if change <= f64::EPSILON * speeds.iter().fold(0.0f64, |m, v| m.max(v.abs())) {
            break;
        }
    }
    // The work done is linear + quadratic in the impulses: it must not be positive.
    let linear: f64 = (0..count).map(|i| impulses[i] * speeds[i]).sum();
    let quadratic: f64 =
        (0..count).map(|i| (0..count).map(|j| impulses[i] * matrix[i][j] * impulses[j]).sum::<f64>()).sum();
    if quadratic > 0.0 && linear + 0.5 * quadratic > 0.0 {
        let scale = (-2.0 * linear / quadratic).max(0.0);
        impulses = impulses.map(|i| scale * i);
    }
    let give = |motions: &mut [Motion], impulse: Vec3, from_a: Vec3, from_b: Vec3| {
        motions[a].linear -= inverse_a.mass * impulse;
        motions[a].angular -= inverse_a.inertia * from_a.cross(impulse);
        motions[b].linear += inverse_b.mass * impulse;
        motions[b].angular += inverse_b.inertia * from_b.cross(impulse);
    };
    for i in 0..count {
        give(motions, impulses[i] * normal, points[i].0, points[i].1);
    }
    let sum: f64 = impulses.iter().sum();
    // Friction at the middle of the impulses, at most so much that the surfaces stick: that only takes energy.
    if pair.friction > 0.0 && sum > 0.0 {
        let middle = |side: fn(&(Vec3, Vec3)) -> Vec3| {
            (0..count).map(|i| impulses[i] / sum * side(&points[i])).sum::<Vec3>()
        };
        let (from_a, from_b) = (middle(|p| p.0), middle(|p| p.1));
        let slip = relative_velocity(&motions[a], &motions[b], from_a, from_b);
        let first = tangent_across(normal);
        let tangents = [first, normal.cross(first)];
        let entry = |i: usize, j: usize| {
            let (t, u) = (tangents[i], tangents[j]);
            t.dot(u) * inverse_mass
                + from_a.cross(t).dot(inverse_a.inertia * from_a.cross(u))
                + from_b.cross(t).dot(inverse_b.inertia * from_b.cross(u))
        };
        let (xx, xy, yy) = (entry(0, 0), entry(0, 1), entry(1, 1));
        let determinant = xx * yy - xy * xy;
        let (sx, sy) = (slip.dot(tangents[0]), slip.dot(tangents[1]));
        let stop = -((yy * sx - xy * sy) / determinant * tangents[0]
            + (xx * sy - xy * sx) / determinant * tangents[1]);
        let most = pair.friction * sum;
        let scale = (most / stop.length()).min(1.0);
        if scale.is_finite() {
            give(motions, scale * stop, from_a, from_b);
        }
    }
    pair.impact += sum;
    pair.pressed_at = motions[a].center + points.first().map_or(Vec3::ZERO, |p| p.0);
}

/// How often the points of one impact are gone through; four points of a flat face settle in some ten.
const SWEEPS: usize = 100;
