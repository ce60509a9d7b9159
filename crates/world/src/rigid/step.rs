//! Letting time pass.

use super::body::{BodyId, Motion};
use super::collider::ColliderId;
use super::continuous::Way;
use super::engine::Engine;
use super::event::{Event, EventKind};
use super::impact::{Bounce, bounce};
use super::rotation::turn_of;
use super::solver::{Held, Mover, Softness, Sweep, advance, kick, prepare};
use freiraum_geometry::Vec3;

impl Engine {
    /// Lets `time` seconds pass.
    ///
    /// **Degenerate input.** A time that is not positive or not finite changes nothing. **Cost.** Linear in the number of bodies that
    /// move and of contacts; no allocation once warm, except for events.
    pub fn step(&mut self, time: f64) {
        if !(time > 0.0 && time.is_finite()) {
            return;
        }
        self.count_bodies();
        let has_joints = self.joints.iter().any(|joint| !joint.is_removed);
        let usual = time / (time / self.settings.longest_substep - PART_SLACK).ceil().max(1.0);
        let mut left = time;
        let mut stretches = 0;
        self.statistics.interruptions = 0;
        while left > 0.0 {
            let may_interrupt = self.statistics.interruptions < self.settings.interruptions;
            let mut longest = self.longest_stretch(left);
            if stretches >= MOST_STRETCHES {
                longest = longest.max(self.settings.longest_substep);
            }
            let mut stretch = if longest < left { longest } else { left };
            if has_joints {
                // Where joints pull is another direction as soon as bodies have turned: it is found anew in every part.
                stretch /= (stretch / self.settings.longest_substep - PART_SLACK).ceil().max(1.0);
            }
            let passed = self.part(stretch, usual, may_interrupt);
            if self.settings.sleeping {
                self.rest(passed);
            }
            self.statistics.interruptions += usize::from(passed < stretch);
            stretches += 1;
            self.time += passed;
            // What rounding leaves of the last stretch is nothing.
            left = if passed >= left { 0.0 } else { left - passed };
        }
        for at in &self.scratch.movable {
            let body = &mut self.bodies[*at as usize];
            body.force = Vec3::ZERO;
            body.torque = Vec3::ZERO;
        }
    }

    /// For how long inertia in the world may be taken as it is: long bodies that tumble change theirs quickly. Nobody needs to know more than whether that is less than `left`.
    fn longest_stretch(&self, left: f64) -> f64 {
        let movable = self.scratch.movable.iter().map(|at| *at as usize);
        let fastest = movable
            .map(|at| (&self.bodies[at], &self.motions[at]))
            .filter(|(body, _)| body.is_dynamic() && !body.is_isotropic && !body.is_asleep)
            .filter(|(body, _)| body.is_joined || !body.colliders.is_empty())
            // What turns so slowly cannot tumble faster.
            .filter(|(_, motion)| motion.angular.length() * left > MOST_TUMBLING)
            .map(|(body, motion)| body.tumbling(motion, motion.angular))
            .fold(0.0, f64::max);
        MOST_TUMBLING / fastest
    }

    /// One stretch of time: until `time` has passed or, where that may be, up to a first contact. Tells how much has passed. `usual` is the length of
    /// a part of a step that nothing cuts.
    fn part(&mut self, time: f64, usual: f64, may_interrupt: bool) -> f64 {
        self.look_around(time);
        if self.settings.sleeping && self.wake_touched(time) {
            self.look_around(time);
        }
        // Some bouncing bodies are followed to the very time of their contact. Many would cut a step into more pieces than it is worth: they bounce
        // when they would touch within the step.
        let movable = &self.scratch.movable;
        let bouncing = movable.iter().filter(|at| self.is_followed(**at as usize, time)[1]).count();
        let is_exact = bouncing <= self.settings.followed_bounces;
        let when =
            Bounce { threshold: self.settings.bounce_threshold, ahead: if is_exact { 0.0 } else { time } };
        let has_bounced = bouncing > 0
            && bounce(&mut self.broad.pairs, &self.bodies, &mut self.motions, &self.scratch.inverses, when);
        if has_bounced {
            // Other velocities, other contacts ahead.
            self.look_around(time);
        }
        let (mut fast, mut followed) = (Vec::new(), Vec::new());
        for at in &self.scratch.movable {
            let [is_fast, is_bouncy] = self.is_followed(*at as usize, time);
            if is_fast {
                fast.push(*at);
            }
            if is_fast || (is_bouncy && is_exact) {
                followed.push(*at);
            }
        }
        if followed.is_empty() {
            return self.solve(time, usual);
        }
        let mut passed = time;
        if may_interrupt {
            let ways: Vec<Way> = (0..self.bodies.len()).map(|at| self.flight(at, time)).collect();
            if let Some(first) = self.first_contact(&followed, &ways, false) {
                // Never nothing: the search has an end.
                passed = (first.share * time).max(SHORTEST_SHARE * time);
            }
        }
        let before = self.motions.clone();
        passed = self.solve(passed, usual);
        if !fast.is_empty() {
            passed = self.hold(&fast, &before, passed, may_interrupt);
        }
        passed
    }

    /// After bodies have moved: holds back what has gone through something. Either everything goes back to that time, or, when no more
    /// interruptions are allowed, the two that met stay where they met.
    fn hold(&mut self, fast: &[u32], before: &[Motion], time: f64, may_interrupt: bool) -> f64 {
        let way = |(start, end): (&Motion, &Motion)| Way {
            start: *start,
            shift: end.center - start.center,
            bend: Vec3::ZERO,
            turn: turn_of(end.rotation * start.rotation.conjugate()),
        };
        let mut ways: Vec<Way> = before.iter().zip(&self.motions).map(way).collect();
        for _ in 0..=fast.len() {
            let Some(first) = self.first_contact(fast, &ways, true) else { break };
            let share = first.share.min(1.0);
            if share > 1.0 - SHORTEST_SHARE {
                break;
            }
            if may_interrupt && share > SHORTEST_SHARE {
                for (motion, way) in self.motions.iter_mut().zip(&ways) {
                    put_back(motion, way, share);
                }
                return share * time;
            }
            for at in first.bodies.map(|b| b as usize) {
                let way = &mut ways[at];
                put_back(&mut self.motions[at], way, share);
                way.shift *= share;
                way.turn *= share;
            }
        }
        time
    }

    /// Solves all contacts and moves all bodies, and tells for how long: it ends early if a body begins to tumble so fast that its contacts are
    /// to be found anew.
    fn solve(&mut self, time: f64, usual: f64) -> f64 {
        let mut passed = time;
        let settings = &self.settings;
        let scratch = &mut self.scratch;
        let parts = (time / settings.longest_substep - PART_SLACK).ceil().max(1.0);
        let part = time / parts;
        // Impulses are those of the last part, which may have been longer or shorter.
        // After a shorter one they may have been those of an impact, which does not go on.
        let scale = if self.last_part > 0.0 { (part / self.last_part).min(1.0) } else { 1.0 };
        self.last_part = part;
        for at in &scratch.movable {
            let (body, m) = (&self.bodies[*at as usize], &self.motions[*at as usize]);
            let is_wild = body.is_wild(m, m.angular, time);
            scratch.movers[*at as usize] =
                Mover { linear: m.linear, angular: m.angular, is_wild, ..Mover::default() };
        }
        prepare(
            &self.broad.pairs,
            &scratch.movers,
            &scratch.inverses,
            [time, part],
            scale,
            &mut scratch.contacts,
        );
        let short = SHORT_SHARE * settings.longest_substep;
        let held = Held { bodies: &self.bodies, joints: &self.joints, gravity: settings.gravity };
        let touched = scratch.contacts.patches.iter().flat_map(|p| [p.a, p.b]);
        let movers = &mut scratch.movers;
        let times = [time, part];
        scratch.linkages.prepare(held, &self.motions, movers, &scratch.inverses, touched, times, scale);
        scratch.joints.prepare(
            &self.joints,
            &self.bodies,
            &self.motions,
            movers,
            &scratch.inverses,
            &scratch.linkages,
            [part, usual],
            scale,
        );
        // In the short stretches after interruptions bodies are stopped at once, and pushed apart no faster than otherwise.
        let softness = if part < short {
            let gentle = Softness::new(settings.stiffness_share / short, settings.damping_ratio, short);
            Softness { rate: gentle.rate, ..Softness::RIGID }
        } else {
            Softness::new(settings.stiffness_share / part, settings.damping_ratio, part)
        };
        let mut sweep = Sweep {
            softness,
            rate: 1.0 / part,
            push_speed: settings.push_speed,
            is_pushing: true,
            has_moved: false,
            is_last: false,
        };
        let contacts = &mut scratch.contacts;
        let joints = &mut scratch.joints;
        let (mut has_wild, mut has_turned) = (false, false);
        for number in 0..parts as usize {
            // The impulses of later parts are those of the part before, and so is what they add to velocities.
            let is_warm = number > 0 && !has_turned;
            for at in &scratch.movable {
                let at = *at as usize;
                let (body, mover) = (&self.bodies[at], &mut movers[at]);
                if body.is_dynamic() && !body.is_asleep && !mover.is_linked {
                    let acceleration = body.gravity_share * settings.gravity + body.inverse_mass * body.force;
                    let spin = if body.torque == Vec3::ZERO {
                        Vec3::ZERO
                    } else {
                        scratch.inverses[at].inertia * body.torque
                    };
                    mover.is_pushed = false;
                    kick(body, mover, acceleration, spin, part);
                    mover.mark();
                    if is_warm {
                        mover.linear += mover.added[0];
                        mover.angular += mover.added[1];
                    }
                }
            }
            if !is_warm {
                contacts.warm_start(movers, &scratch.inverses, number > 0);
                joints.warm_start(movers);
            }
            has_turned = false;
            sweep.has_moved = number > 0;
            sweep.is_last = settings.relaxations == 0;
            sweep.is_pushing = true;
            for _ in 0..settings.iterations {
                joints.sweep(movers, &scratch.linkages, sweep.rate, true);
                contacts.sweep(movers, &scratch.inverses, &sweep);
            }
            for at in &scratch.movable {
                let at = *at as usize;
                let body = &self.bodies[at];
                if !body.is_asleep && !movers[at].is_linked {
                    if body.is_wild(&self.motions[at], movers[at].angular, part) {
                        movers[at].is_wild = true;
                        has_wild = true;
                    }
                    movers[at].added = movers[at].gained();
                    let turned = movers[at].turned;
                    advance(body, &mut self.motions[at], &mut movers[at], part);
                    movers[at].mark();
                    if !body.is_isotropic && body.is_dynamic() {
                        // Turns about an axis about which it is round do not matter.
                        let turn = movers[at].turned - turned;
                        if turn.length() * body.unevenness + movers[at].unevenness > TURNED {
                            let tumbled = body.tumbling(&self.motions[at], turn);
                            movers[at].unevenness += tumbled * (1.0 + body.unevenness);
                        } else {
                            movers[at].unevenness += turn.length() * body.unevenness;
                        }
                        movers[at].has_turned = movers[at].unevenness > TURNED;
                        if movers[at].has_turned {
                            movers[at].unevenness = 0.0;
                            has_turned = true;
                            scratch.inverses[at].inertia = body.inverse_inertia(self.motions[at].rotation);
                        }
                    }
                }
            }
            scratch.linkages.advance(held, &mut self.motions, movers, &mut scratch.inverses, part);
            if has_turned {
                contacts.refresh(movers, &scratch.inverses);
                joints.refresh(movers, &scratch.inverses, &scratch.linkages);
            }
            joints.follow(&self.joints, &self.bodies, &self.motions, &scratch.inverses, &scratch.linkages);
            sweep.has_moved = true;
            sweep.is_pushing = false;
            for sweep_number in 0..settings.relaxations {
                sweep.is_last = sweep_number + 1 == settings.relaxations;
                joints.sweep(movers, &scratch.linkages, sweep.rate, false);
                contacts.sweep(movers, &scratch.inverses, &sweep);
            }
            if number + 1 < parts as usize {
                for at in &scratch.movable {
                    let mover = &mut movers[*at as usize];
                    let [linear, angular] = mover.gained();
                    mover.added = [mover.added[0] + linear, mover.added[1] + angular];
                }
            }
            if has_wild && number + 1 < parts as usize {
                passed = part * (number + 1) as f64;
                break;
            }
        }
        for at in &scratch.movable {
            let at = *at as usize;
            let (mover, motion) = (&movers[at], &mut self.motions[at]);
            (motion.linear, motion.angular) = (mover.linear, mover.angular);
            self.travel[at] += mover.moved.length() + self.bodies[at].reach * mover.turned.length();
        }
        joints.keep(&mut self.joints);
        scratch.linkages.keep(&mut self.joints);
        self.keep_impulses();
        passed
    }

    /// Writes impulses back to the pairs, and tells of contacts that begin or end.
    fn keep_impulses(&mut self) {
        let contacts = &self.scratch.contacts;
        let movers = &self.scratch.movers;
        let pairs = &mut self.broad.pairs;
        self.statistics.pairs = pairs.len();
        self.statistics.points = contacts.points.len();
        self.statistics.contacts = contacts.patches.len();
        let mut next = contacts.patches.iter().peekable();
        let mut rollers = contacts.rollers.iter().peekable();
        let mut number_of_patch = 0;
        for (at, pair) in (0..).zip(pairs.iter_mut()) {
            let was_touching = pair.is_touching;
            let [a, b] = pair.bodies.map(|b| &self.scratch.inverses[b as usize]);
            // Pairs that sleep stay as they are.
            if (pair.manifolds.is_empty() && !was_touching) || a.mass + b.mass == 0.0 {
                continue;
            }
            let mut pressed = std::mem::take(&mut pair.impact);
            let mut place = (pair.impact_at, pair.manifolds.first().map_or(Vec3::ZERO, |m| m.normal));
            for (number, manifold) in (0..).zip(&mut pair.manifolds) {
                for point in &mut manifold.points {
                    point.impulse = 0.0;
                }
                manifold.friction_impulse = Vec3::ZERO;
                manifold.twist_impulse = 0.0;
                let Some(patch) = next.next_if(|p| p.pair == at && p.manifold == number) else {
                    manifold.slip = Vec3::ZERO;
                    continue;
                };
                let sum = patch.total;
                for point in &contacts.points[patch.first as usize..][..patch.count as usize] {
                    manifold.points[point.source as usize].impulse = point.impulse;
                }
                let [t0, t1] = patch.tangents();
                manifold.friction_impulse = patch.tangent_impulse[0] * t0 + patch.tangent_impulse[1] * t1;
                manifold.twist_impulse = patch.twist_impulse;
                let number = number_of_patch;
                number_of_patch += 1;
                manifold.rolling_impulse =
                    rollers.next_if(|r| r.patch == number).map_or(Vec3::ZERO, |r| r.impulse);
                if patch.is_sliding || sum == 0.0 {
                    manifold.slip = Vec3::ZERO;
                } else {
                    let (a, b) = (&movers[patch.a as usize], &movers[patch.b as usize]);
                    manifold.slip +=
                        b.moved - a.moved + b.turned.cross(patch.middle_b) - a.turned.cross(patch.middle_a);
                }
                if sum > pressed {
                    place = (self.motions[patch.a as usize].center + patch.middle_a, patch.normal);
                }
                pressed += sum;
            }
            pair.is_touching = pressed > 0.0;
            if pair.is_touching != was_touching {
                let kind = if was_touching { EventKind::End } else { EventKind::Begin };
                self.events.push(Event {
                    kind,
                    time: self.time,
                    bodies: pair.bodies.map(BodyId),
                    colliders: pair.colliders.map(ColliderId),
                    point: place.0,
                    normal: place.1,
                    impulse: pressed,
                });
            }
        }
    }
}

/// Puts a body where it was after a share of its way. Its velocities stay: the angular one in its own frame, so that its energy does.
fn put_back(motion: &mut Motion, way: &Way, share: f64) {
    let (center, rotation) = way.at(share);
    motion.angular = rotation * (motion.rotation.conjugate() * motion.angular);
    (motion.center, motion.rotation) = (center, rotation);
}

/// Angle in radians by which a long body may tumble before its contacts are found anew.
const MOST_TUMBLING: f64 = 0.25;

/// Parts of a step that are shorter than this share of the longest are short.
const SHORT_SHARE: f64 = 1.0 / 16.0;

/// The inertia of a body in the world is found anew when it has turned by this many radians, divided by how much its moments differ.
const TURNED: f64 = 1.0 / 64.0;

/// A step is cut into so many stretches at most because bodies tumble.
const MOST_STRETCHES: usize = 64;

/// A step goes on by at least this share of what is left of it, and contacts so near its end are at its end.
const SHORTEST_SHARE: f64 = 16.0 * f64::EPSILON;

/// A step that is longer than a whole number of parts by rounding only takes no further part.
const PART_SLACK: f64 = 1.0 / 1024.0;
