//! Letting time pass.

use super::body::Motion;
use super::continuous::Way;
use super::engine::Engine;
use super::impact::{Bounce, bounce};
use super::rotation::turn_of;
use super::solver::{Held, Mover, Softness, Sweep, advance, kick, prepare};
use super::squeeze::Pressed;
use freiraum_geometry::Vec3;

impl Engine {
    /// Lets `time` seconds pass.
    ///
    /// **Errors.** If a question about two bodies has no answer, or a body gets out of the world, time stops at the end of that part of the step:
    /// [`Engine::fault`] tells which bodies and why, and further steps change nothing. Nothing that could not be answered counts as "apart".
    /// **Degenerate input.** A time that is not positive or not finite changes nothing. **Cost.** Linear in the number of bodies that
    /// move and of contacts. Once warm, bodies that lie, slide, roll and fly do not allocate, however fast; events, bounces, what is
    /// squeezed, joints, and searches for the first contact of what is fast may.
    pub fn step(&mut self, time: f64) {
        if !(time > 0.0 && time.is_finite()) || self.fault().is_some() {
            return;
        }
        self.count_bodies();
        let has_joints = self.joints.iter().any(|joint| !joint.is_removed);
        let usual = time / (time / self.settings.longest_substep - PART_SLACK).ceil().max(1.0);
        let mut left = time;
        let mut stretches = 0;
        self.statistics.interruptions = 0;
        self.statistics.searches = 0;
        self.statistics.squeezes = 0;
        while left > 0.0 {
            let may_interrupt = self.statistics.interruptions < self.settings.interruptions;
            let mut longest = self.longest_stretch(left);
            if stretches >= MOST_STRETCHES {
                longest = longest.max(self.settings.longest_substep);
            }
            // Points of contact are found anew often enough for what they have become: bodies turn, and get to others.
            let ordinary = left / (left / (MOST_PARTS * usual) - PART_SLACK).ceil().max(1.0);
            stretches += usize::from(longest < ordinary);
            let mut stretch = longest.min(ordinary);
            if has_joints {
                // Where joints pull is another direction as soon as bodies have turned: it is found anew in every part.
                stretch /= (stretch / self.settings.longest_substep - PART_SLACK).ceil().max(1.0);
            }
            let passed = self.part(stretch, usual, may_interrupt);
            self.look_for_lost();
            if self.fault().is_some() {
                break;
            }
            if self.settings.sleeping {
                self.rest(passed);
            }
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
        let [mut fast, mut bouncing, mut followed] =
            [&mut self.scratch.fast, &mut self.scratch.bouncing, &mut self.scratch.followed]
                .map(std::mem::take);
        self.followed(time, &mut fast, &mut bouncing);
        let is_exact = bouncing.len() <= self.settings.followed_bounces;
        let when =
            Bounce { threshold: self.settings.bounce_threshold, ahead: if is_exact { 0.0 } else { time } };
        let has_bounced = !bouncing.is_empty()
            && bounce(&mut self.broad.pairs, &self.bodies, &mut self.motions, &self.scratch.inverses, when);
        if has_bounced {
            // Other velocities, other contacts ahead.
            self.look_around(time);
            self.followed(time, &mut fast, &mut bouncing);
        }
        followed.clone_from(&fast);
        if is_exact && !bouncing.is_empty() {
            followed.extend(&bouncing);
            followed.sort_unstable();
            followed.dedup();
        }
        let mut passed = time;
        if may_interrupt && !followed.is_empty() {
            let mut ways = std::mem::take(&mut self.scratch.ways);
            ways.clear();
            ways.extend((0..self.bodies.len()).map(|at| self.flight(at, time)));
            if let Some(first) = self.first_contact(&followed, &ways, false) {
                // Never nothing: the search has an end.
                passed = (first.share * time).max(SHORTEST_SHARE * time);
            }
            self.scratch.ways = ways;
        }
        let mut is_cut = passed < time;
        let mut before = std::mem::take(&mut self.scratch.before);
        before.clear();
        before.extend(self.scratch.movable.iter().map(|at| self.motions[*at as usize]));
        let squeezes = self.statistics.squeezes;
        let planned = passed;
        self.scratch.held.clear();
        passed = self.solve(planned, usual);
        // Parts that end because something is squeezed are bounded by their length.
        is_cut |= passed < planned && self.statistics.squeezes == squeezes;
        // What others have pushed may have got as far.
        fast.extend(self.scratch.movable.iter().filter(|at| self.is_hurried(**at as usize)));
        fast.sort_unstable();
        fast.dedup();
        if !fast.is_empty() {
            let mut ways = std::mem::take(&mut self.scratch.ways);
            let held = self.hold(&fast, &before, &mut ways, passed, may_interrupt);
            self.scratch.ways = ways;
            is_cut |= held < passed;
            passed = held;
        }
        self.statistics.interruptions += usize::from(is_cut);
        let is_squeezed = self.statistics.squeezes > squeezes || self.scratch.squeeze.is_any_deep;
        if is_cut || is_squeezed || !fast.is_empty() || passed > self.settings.longest_substep {
            self.keep_energy(&before);
        }
        self.scratch.before = before;
        [self.scratch.fast, self.scratch.bouncing, self.scratch.followed] = [fast, bouncing, followed];
        passed
    }

    /// After bodies have moved: holds back what has gone through something. Either everything goes back to that time, or, when no more
    /// interruptions are allowed, the two that met stay where they met. `before` are the motions of movable bodies at the start, `ways` memory.
    fn hold(
        &mut self,
        fast: &[u32],
        before: &[Motion],
        ways: &mut Vec<Way>,
        time: f64,
        may_interrupt: bool,
    ) -> f64 {
        let still =
            |motion: &Motion| Way { start: *motion, shift: Vec3::ZERO, bend: Vec3::ZERO, turn: Vec3::ZERO };
        ways.clear();
        ways.extend(self.motions.iter().map(still));
        for (at, start) in self.scratch.movable.iter().zip(before) {
            let (way, end) = (&mut ways[*at as usize], &self.motions[*at as usize]);
            way.start = *start;
            way.shift = end.center - start.center;
            way.turn = turn_of(end.rotation * start.rotation.conjugate());
        }
        for round in 0..=fast.len() {
            let Some(first) = self.first_contact(fast, ways, true) else { break };
            self.scratch.held.extend(first.bodies);
            if round >= MOST_HELD {
                self.scratch.held.extend(fast);
                // There is no end to it: all that are fast stay where they were.
                for at in fast.iter().map(|at| *at as usize) {
                    hold_at(&mut self.motions[at], &ways[at], 0.0);
                }
                break;
            }
            let share = first.share.min(1.0);
            if share > 1.0 - SHORTEST_SHARE {
                break;
            }
            if may_interrupt && share > SHORTEST_SHARE {
                for (motion, way) in self.motions.iter_mut().zip(&*ways) {
                    put_back(motion, way, share);
                    // Forces have acted for the whole time, and will again for what is left of it.
                    motion.linear = slower(way.start.linear, motion.linear, share);
                }
                return share * time;
            }
            for at in first.bodies.map(|b| b as usize) {
                let way = &mut ways[at];
                hold_at(&mut self.motions[at], way, share);
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
        scratch.squeeze.begin(&self.broad.pairs, &scratch.contacts);
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
            sweep.has_moved = number > 0;
            sweep.is_last = settings.relaxations == 0;
            sweep.is_pushing = true;
            for _ in 0..settings.iterations {
                joints.sweep(movers, &scratch.linkages, sweep.rate, true);
                contacts.sweep(movers, &scratch.inverses, &sweep);
            }
            let pressed = Pressed {
                bodies: &self.bodies,
                inverses: &scratch.inverses,
                movable: &scratch.movable,
                part,
                has_moved: number > 0,
            };
            let is_squeezed = scratch.squeeze.hold(pressed, contacts, movers);
            // What was held begins anew.
            has_turned = is_squeezed;
            self.statistics.squeezes += usize::from(is_squeezed);
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
            if is_squeezed {
                scratch.squeeze.forget(contacts);
            }
            if number + 1 < parts as usize {
                for at in &scratch.movable {
                    let mover = &mut movers[*at as usize];
                    let [linear, angular] = mover.gained();
                    mover.added = [mover.added[0] + linear, mover.added[1] + angular];
                }
            }
            // What is squeezed turns as others let it: its contacts are found anew.
            if (has_wild || is_squeezed) && number + 1 < parts as usize {
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
}

/// Puts a body where it was after a share of its way. Its velocities stay: the angular one in its own frame, so that its energy does.
fn put_back(motion: &mut Motion, way: &Way, share: f64) {
    let (center, rotation) = way.at(share);
    motion.angular = rotation * (motion.rotation.conjugate() * motion.angular);
    (motion.center, motion.rotation) = (center, rotation);
}

/// Puts a body back for good: what forces did to it on the way that it did not go is taken from it, too.
fn hold_at(motion: &mut Motion, way: &Way, share: f64) {
    put_back(motion, way, share);
    motion.linear = slower(way.start.linear, motion.linear, share);
    motion.angular = slower(way.start.angular, motion.angular, share);
}

/// The velocity at a share of the way, unless it is faster than that at the end.
fn slower(start: Vec3, end: Vec3, share: f64) -> Vec3 {
    let then = start.lerp(end, share);
    if then.length_squared() < end.length_squared() { then } else { end }
}

/// Angle in radians by which a long body may tumble before its contacts are found anew.
const MOST_TUMBLING: f64 = 0.25;

/// So many pairs at most are held where they touch, one after the other.
const MOST_HELD: usize = 64;

/// Parts of a step that are shorter than this share of the longest are short.
const SHORT_SHARE: f64 = 1.0 / 16.0;

/// The inertia of a body in the world is found anew when it has turned by this many radians, divided by how much its moments differ.
const TURNED: f64 = 1.0 / 64.0;

/// A stretch has so many parts at most.
const MOST_PARTS: f64 = 4.0;

/// A step is cut into so many stretches at most because bodies tumble.
const MOST_STRETCHES: usize = 64;

/// A step goes on by at least this share of what is left of it, and contacts so near its end are at its end.
const SHORTEST_SHARE: f64 = 16.0 * f64::EPSILON;

/// A step that is longer than a whole number of parts by rounding only takes no further part.
const PART_SLACK: f64 = 1.0 / 1024.0;
