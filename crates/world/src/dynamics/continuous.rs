//! Continuous contact: the first time at which something fast, or something that bounces, touches something else.
//!
//! Contacts that are looked for ahead of a step see everything that comes near a body while it moves by less than a share of its thickness. Faster bodies are
//! followed on their way by the motion kernel, which misses nothing.

use super::body::{Body, Motion};
use super::broad::{Collider, widened};
use super::engine::Engine;
use super::phase::AHEAD_SHARE;
use super::rotation::quaternion;
use super::solver::Mover;
use freiraum_geometry::path::{Ball, Motion as Path, Twist, Uniform};
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::tolerance::SIMULATED_TOUCH_RELATIVE;
use freiraum_geometry::{Aabb, Mesh, Pose, Quat, Vec3};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use std::sync::{Arc, OnceLock};

/// Shapes prepared for the motion kernel, made when first needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Followed {
    whole: Arc<OnceLock<Movable>>,
    cores: Arc<[OnceLock<Movable>; CORES.len()]>,
}

/// What is left of the thickness of a shape in its cores, one within the other: while a core touches nothing, the shape is not in anything by more than the
/// rest.
const CORES: [f64; 3] = [0.5, 0.125, 1.0 / 64.0];

impl Followed {
    pub(super) fn whole(&self, collider: &Collider) -> &Movable {
        self.whole.get_or_init(|| Movable::from_prepared(collider.shape.clone()))
    }

    fn core(&self, collider: &Collider, level: usize) -> &Movable {
        self.cores[level].get_or_init(|| match shrunk(collider.shape.shape(), CORES[level]) {
            Some(shape) => Movable::new(shape),
            None => self.whole(collider).clone(),
        })
    }
}

/// A shape of which this share of the thickness is left; `None` if there is nothing to take away.
fn shrunk(shape: &Shape, left: f64) -> Option<Shape> {
    let scaled = |points: &[Vec3]| -> Vec<Vec3> {
        let center = Aabb::of_points(points).center();
        points.iter().map(|p| center + left * (*p - center)).collect()
    };
    Some(match shape {
        Shape::Sphere(s) => Shape::Sphere(Sphere::new(left * s.radius()).ok()?),
        Shape::Cuboid(s) => {
            let less = Vec3::splat((1.0 - left) * s.size().min_element());
            Shape::Cuboid(Cuboid::new(s.size() - less).ok()?)
        }
        Shape::Capsule(s) => Shape::Capsule(Capsule::new(left * s.radius(), s.height()).ok()?),
        Shape::Cylinder(s) => {
            let less = (1.0 - left) * s.radius().min(0.5 * s.height());
            Shape::Cylinder(Cylinder::new(s.radius() - less, s.height() - 2.0 * less).ok()?)
        }
        Shape::Cone(s) => Shape::Cone(Cone::new(left * s.radius(), left * s.height()).ok()?),
        Shape::Convex(s) => Shape::Convex(Convex::from_points(&scaled(s.vertices())).ok()?),
        Shape::Mesh(mesh) => {
            Shape::Mesh(Arc::new(Mesh::new(scaled(mesh.vertices()), mesh.faces().to_vec()).ok()?))
        }
        _ => return None,
    })
}

/// The way of a shape on a body whose centre flies on a parabola while the body turns steadily; time runs from 0 to 1.
///
/// A body that is round about an axis is the same however it is turned about it: it is taken to turn across the axis only. A wheel that rolls goes straight on.
#[derive(Clone, Copy, Debug)]
struct Flight {
    center: Vec3,
    rotation: Quat,
    center_from_shape: Pose,
    /// The centre is at `center + t shift + t² bend`.
    shift: Vec3,
    bend: Vec3,
    /// Turn as a vector.
    turn: Vec3,
    /// What of it is about the axis of a round body, in the frame of the body; and the rest, which is as long at all times.
    roll: Vec3,
    across: f64,
}

impl Flight {
    fn rotation_at(&self, t: f64) -> Quat {
        quaternion(t * self.turn) * self.rotation * quaternion(-t * self.roll)
    }

    fn centre_at(&self, t: f64) -> Vec3 {
        self.center + t * (self.shift + t * self.bend)
    }

    /// Distance of the farthest point of a ball of the shape from the centre of the body.
    fn farthest(&self, ball: &Ball) -> f64 {
        self.center_from_shape.transform_point(ball.center).length() + ball.radius
    }
}

impl Path for Flight {
    fn pose(&self, t: f64) -> Pose {
        let t = t.clamp(0.0, 1.0);
        let world_from_center = Pose::new(self.rotation_at(t), self.centre_at(t)).unwrap_or(Pose::IDENTITY);
        world_from_center * self.center_from_shape
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        // The speed of the centre is convex in time: largest at an end.
        let speed = |t: f64| (self.shift + 2.0 * t * self.bend).length();
        let spin = if self.across == 0.0 { 0.0 } else { self.across * self.farthest(ball) };
        (t1 - t0) * (speed(t0).max(speed(t1)) + spin)
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        let t = t.clamp(0.0, 1.0);
        let angular = self.turn - self.rotation_at(t) * self.roll;
        let linear = self.shift + 2.0 * t * self.bend - angular.cross(self.centre_at(t));
        Some(Twist { linear, angular })
    }

    fn acceleration(&self, ball: &Ball, _t0: f64, _t1: f64) -> f64 {
        // The axis of a round body goes round the vector of the turn.
        let turning = self.across * (self.across + self.roll.length());
        2.0 * self.bend.length() + turning * self.farthest(ball)
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        let is_straight = self.bend == Vec3::ZERO && self.across == 0.0;
        is_straight.then(|| Uniform::Translation((t1 - t0) * self.shift))
    }
}

/// How a body moves during a stretch of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) start: Motion,
    pub(crate) shift: Vec3,
    pub(crate) bend: Vec3,
    pub(crate) turn: Vec3,
}

impl Way {
    fn of(&self, collider: &Collider, body: &Body) -> Flight {
        let is_ball = matches!(collider.shape.shape(), Shape::Sphere(_))
            && collider.center_from_shape.translation() == Vec3::ZERO;
        let turn = if is_ball { Vec3::ZERO } else { self.turn };
        let roll = body.round_about.map_or(Vec3::ZERO, |axis| (self.start.rotation * axis).dot(turn) * axis);
        Flight {
            center: self.start.center,
            rotation: self.start.rotation,
            center_from_shape: collider.center_from_shape,
            shift: self.shift,
            bend: self.bend,
            turn,
            roll,
            across: (turn - self.start.rotation * roll).length(),
        }
    }

    /// How far any point of the body can get.
    fn length(&self, body: &Body) -> f64 {
        self.shift.length() + self.bend.length() + self.turn.length() * body.reach
    }

    /// The body after a share of the way.
    pub(crate) fn at(&self, share: f64) -> (Vec3, Quat) {
        let center = self.start.center + share * (self.shift + share * self.bend);
        (center, quaternion(share * self.turn) * self.start.rotation)
    }
}

/// How far (or how fast) a turn moves a body: a wheel that rolls is moved by what tilts it only. The axis tilts by the part of a steady turn across it, however long.
fn swing(body: &Body, motion: &Motion, turn: Vec3) -> f64 {
    let across = body.round_about.map_or(turn, |axis| turn.reject_from_normalized(motion.rotation * axis));
    if across == Vec3::ZERO { 0.0 } else { across.length() * body.reach }
}

/// The axis about which all shapes of a body are round, in its frame; its centre of mass is on it.
pub(super) fn round_about(shapes: &[Collider]) -> Option<Vec3> {
    let mut found: Option<Vec3> = None;
    for collider in shapes {
        let middle = collider.center_from_shape.translation();
        let small = 64.0 * f64::EPSILON;
        match collider.shape.shape() {
            Shape::Cylinder(_) | Shape::Cone(_) | Shape::Capsule(_) => {
                let axis = collider.center_from_shape.rotate(Vec3::Z);
                let is_beside =
                    middle.reject_from_normalized(axis).length() > small * middle.length().max(1.0);
                if is_beside || found.is_some_and(|other| other.cross(axis).length() > small) {
                    return None;
                }
                found = Some(axis);
            }
            _ => return None,
        }
    }
    found
}

/// A first contact of two bodies, as a share of the stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct First {
    pub(crate) share: f64,
    pub(crate) bodies: [u32; 2],
}

impl Engine {
    /// Finds bodies that are fast, and bodies that bounce: see [`Engine::is_followed`].
    pub(crate) fn followed(&self, time: f64, fast: &mut Vec<u32>, bouncing: &mut Vec<u32>) {
        fast.clear();
        bouncing.clear();
        for at in &self.scratch.movable {
            let [is_fast, is_bouncy] = self.is_followed(*at as usize, time);
            if is_fast {
                fast.push(*at);
            }
            if is_bouncy {
                bouncing.push(*at);
            }
        }
    }

    /// Bodies that move so far in `time` that contacts looked for ahead do not suffice, and bouncing ones that move at all.
    fn is_followed(&self, at: usize, time: f64) -> [bool; 2] {
        let body = &self.bodies[at];
        if body.is_removed || body.is_asleep || body.colliders.is_empty() {
            return [false; 2];
        }
        let fall = if body.is_dynamic() { self.settings.gravity.length() * time } else { 0.0 };
        let motion = &self.motions[at];
        let speed = motion.linear.length() + swing(body, motion, motion.angular) + fall;
        let is_fast = speed * time > AHEAD_SHARE * body.core;
        [is_fast, body.is_bouncy && body.is_dynamic() && speed > self.settings.bounce_threshold]
    }

    /// Whether a body has moved so far in the last stretch of time that contacts looked for ahead do not suffice.
    pub(crate) fn is_hurried(&self, at: usize) -> bool {
        let (body, mover) = (&self.bodies[at], &self.scratch.movers[at]);
        let is_there = !(body.is_removed || body.is_asleep || body.colliders.is_empty());
        let swung = swing(body, &self.motions[at], mover.turned);
        is_there && mover.moved.length() + swung > AHEAD_SHARE * body.core
    }

    /// How a body would fly if nothing touched it.
    pub(crate) fn flight(&self, at: usize, time: f64) -> Way {
        let (body, motion) = (&self.bodies[at], self.motions[at]);
        let mut mover = Mover { linear: motion.linear, angular: motion.angular, ..Mover::default() };
        if body.is_dynamic() {
            let acceleration = body.gravity_share * self.settings.gravity + body.inverse_mass * body.force;
            super::solver::kick(body, &mut mover, acceleration, Vec3::ZERO, time);
        }
        // On a parabola from the velocity before to the velocity after.
        let bend = 0.5 * time * (mover.linear - motion.linear);
        Way { start: motion, shift: time * motion.linear, bend, turn: time * mover.angular }
    }

    /// The first contact of the bodies in `followed` with anything that they do not touch already. With `is_strict`, shapes that touch at the start
    /// must not get into each other by more than half.
    pub(crate) fn first_contact(&mut self, followed: &[u32], ways: &[Way], is_strict: bool) -> Option<First> {
        let mut memory = MotionWorkspace::default();
        let mut found = std::mem::take(&mut self.scratch.near);
        let mut best: Option<First> = None;
        for &at in followed {
            for own in 0..self.bodies[at as usize].colliders.len() {
                let own = self.bodies[at as usize].colliders[own];
                let way = &ways[at as usize];
                let reach = self.bodies[at as usize].reach;
                let (end, _) = way.at(1.0);
                let start = way.start.center;
                // The parabola lies within the triangle of its ends and the point that it heads for.
                let bounds = Aabb::of_points(&[start, end, start + way.shift]);
                self.broad.near(&widened(&bounds, reach), &mut found);
                for other in found.iter().copied() {
                    let against = self.colliders[other as usize].body;
                    // Pairs of two followed bodies come once.
                    if against == at
                        || !self.broad.may_meet(own, other, &self.colliders, &self.bodies)
                        || (against < at && followed.binary_search(&against).is_ok())
                    {
                        continue;
                    }
                    let until = best.map_or(1.0, |b| b.share);
                    let pair = [own, other];
                    let purse = SEARCHES * (1 + self.scratch.movable.len());
                    let budget = if self.statistics.searches < purse { BUDGET } else { SMALL_BUDGET };
                    let search = Search { until, is_strict, budget };
                    let found = self.meeting(pair, ways, search, &mut memory);
                    self.statistics.searches += usize::from(found.is_searched);
                    if let Some(share) = found.share
                        && best.is_none_or(|b| share < b.share)
                    {
                        best = Some(First { share, bodies: [at, against] });
                    }
                }
            }
        }
        self.scratch.near = found;
        best
    }

    /// When two shapes first touch, as a share of their ways; none if not before the end of the search. If its budget ends, that is where nothing is known from.
    fn meeting(&self, pair: [u32; 2], ways: &[Way], search: Search, memory: &mut MotionWorkspace) -> Meeting {
        let mut is_searched = false;
        let share = self.search(pair, ways, search, &mut is_searched, memory);
        Meeting { share, is_searched }
    }

    fn search(
        &self,
        pair: [u32; 2],
        ways: &[Way],
        Search { until, is_strict, budget }: Search,
        is_searched: &mut bool,
        memory: &mut MotionWorkspace,
    ) -> Option<f64> {
        let [a, b] = pair.map(|c| &self.colliders[c as usize]);
        let [body_a, body_b] = [a, b].map(|c| &self.bodies[c.body as usize]);
        let [way_a, way_b] = [a, b].map(|c| &ways[c.body as usize]);
        let core = body_a.core.min(body_b.core);
        let tolerance = SIMULATED_TOUCH_RELATIVE * core;
        // Apart by more than they can travel.
        let gap = self.broad.gap_of(pair, &self.colliders, &self.travel);
        if gap > way_a.length(body_a) + way_b.length(body_b) {
            return None;
        }
        let [pose_a, pose_b] = [a, b].map(|c| c.placed(&ways[c.body as usize].start).pose());
        let a_from_b = pose_a.inverse() * pose_b;
        // What cannot be answered is noted: then time stops, and what is returned here does not count.
        let failed = |error: &dyn std::fmt::Display| self.failed(pair, error);
        let apart = freiraum_query::distance(&a.shape, &b.shape, &a_from_b);
        let apart = apart.inspect_err(|error| failed(error)).ok()?.distance;
        if apart > way_a.length(body_a) + way_b.length(body_b) {
            return None;
        }
        // A wheel that rolls is touched again and again: the linkage that it belongs to would be torn if it were held each time.
        let is_rolling = is_strict && (body_a.is_joined || body_b.is_joined) && apart <= ROLLING_SHARE * core;
        // Near large shapes rounding is more than a share of a thin one: the motion kernel calls shapes touching that may be so.
        let may_touch = || {
            let found = freiraum_query::intersects(&a.shape, &b.shape, &a_from_b);
            found.inspect_err(|error| failed(error)).unwrap_or(true)
        };
        let is_touching = apart <= tolerance || is_rolling || may_touch();
        if is_touching && !is_strict {
            return None;
        }
        let (whole_a, whole_b) = (a.followed.whole(a), b.followed.whole(b));
        let (flight_a, flight_b) = (way_a.of(a, body_a), way_b.of(b, body_b));
        // Shapes that touch are let into each other a little: of the one that moves more, the largest core that does not touch counts.
        let is_a = way_a.length(body_a) >= way_b.length(body_b);
        let pair_at = |level: usize| {
            if is_a { (a.followed.core(a, level), whole_b) } else { (whole_a, b.followed.core(b, level)) }
        };
        let (mut shape_a, mut shape_b) = (whole_a, whole_b);
        if is_touching {
            let closest = |(x, y): (&Movable, &Movable), t: f64| {
                let (world_from_x, world_from_y) = (flight_a.pose(t), flight_b.pose(t));
                let x_from_y = world_from_x.inverse() * world_from_y;
                let found = freiraum_query::distance(x.prepared(), y.prepared(), &x_from_y);
                let found = found.inspect_err(|error| failed(error)).ok()?;
                Some((found.distance, world_from_x.rotate(found.normal)))
            };
            let is_apart = |l: &usize| closest(pair_at(*l), 0.0).is_some_and(|(gap, _)| gap > tolerance);
            let Some(level) = (0..CORES.len()).find(is_apart) else {
                // In each other as far as can be allowed: only apart from here, and to the same side.
                let last = pair_at(CORES.len() - 1);
                let (gap, normal) = closest(last, 0.0)?;
                let (gap_after, normal_after) = closest(last, 1.0)?;
                return (gap_after < gap || normal_after.dot(normal) <= 0.0).then_some(0.0);
            };
            (shape_a, shape_b) = pair_at(level);
        }
        *is_searched = true;
        let limits = Limits { tolerance: 0.25 * tolerance, budget };
        let verdict = time_of_contact(shape_a, &flight_a, shape_b, &flight_b, &limits, memory);
        let verdict = verdict.inspect_err(|error| failed(error)).ok()?;
        let share = match verdict {
            // Bodies in a simulation meet with their surfaces; who simulates is warned of those that bound no solid.
            Verdict::Free | Verdict::InsideUnknown { .. } => return None,
            // Before it, so that the shapes are apart.
            Verdict::Contact(first) => (first.time - first.time_error).max(0.0),
            // They were apart by more than the tolerance.
            Verdict::OverlapAtStart => 0.0,
            Verdict::Undecided { open } => open[0],
        };
        (share < until).then_some(share)
    }
}

/// Shapes of linkages that are nearer than this share of half the thickness of the thinner body touch, once contacts are solved.
const ROLLING_SHARE: f64 = 1.0 / 16.0;

/// How two shapes are searched for a contact.
#[derive(Clone, Copy)]
struct Search {
    /// Contacts after this share of the ways are of no interest.
    until: f64,
    is_strict: bool,
    budget: u64,
}

/// What was found of two shapes on their ways.
struct Meeting {
    share: Option<f64>,
    /// Whether the motion kernel was asked.
    is_searched: bool,
}

/// Steps of the search for one pair: more than pairs need that do not graze each other, and little enough to go on.
const BUDGET: u64 = 1000;

/// So many searches per body that moves are made in a step with this budget, and all others with a small one: where that ends, a contact is assumed.
const SEARCHES: usize = 256;
const SMALL_BUDGET: u64 = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    /// What is round about its axis is in the same place as if it turned with its body, and what is said of its way is true: against poses close to each other.
    #[test]
    fn round_bodies_roll_without_turning() {
        let mut random = Random::new(5);
        let mut vector = |size: f64| size * Vec3::from_array([(); 3].map(|()| random.range(-1.0, 1.0)));
        for case in 0..500 {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][case % 3];
            let rotation = quaternion(vector(3.0));
            let turn = if case % 2 == 0 { vector(1.5) } else { 0.7 * (rotation * axis) + vector(1e-4) };
            let roll = (rotation * axis).dot(turn) * axis;
            let plain = Flight {
                center: vector(1.0),
                rotation,
                center_from_shape: Pose::from_translation(vector(1.0).x * axis),
                shift: vector(1.0),
                bend: vector(0.1),
                turn,
                roll: Vec3::ZERO,
                across: turn.length(),
            };
            let rolling = Flight { roll, across: (turn - rotation * roll).length(), ..plain };
            let ball = Ball { center: vector(0.2), radius: 0.0 };
            let step = 1e-4;
            for t in [0.1, 0.4, 0.9] {
                for along in [-1.0, 0.3, 2.0] {
                    let point = along * axis;
                    let apart =
                        plain.pose(t).transform_point(point).distance(rolling.pose(t).transform_point(point));
                    assert!(apart < 1e-14, "case {case}: {apart}");
                }
                let [before, now, after] =
                    [t - step, t, t + step].map(|t| rolling.pose(t).transform_point(ball.center));
                let twist = rolling.twist(t).unwrap();
                let speed = (after - before) / (2.0 * step);
                let told = twist.linear + twist.angular.cross(now);
                assert!(speed.distance(told) < 1e-7, "case {case}: {speed} {told}");
                let most = rolling.travel(&ball, t - step, t + step);
                assert!(after.distance(before) <= most * (1.0 + 1e-9), "case {case}: {most}");
                let acceleration = (after - 2.0 * now + before).length() / (step * step);
                let most = rolling.acceleration(&ball, t - step, t + step);
                assert!(acceleration <= most + 1e-6, "case {case}: {acceleration} {most}");
            }
        }
    }
}
