//! Linkages: bodies that joints hold together and that touch nothing, of second order in time.
//!
//! In each part of a step half of the forces act, with impulses along the joints as they are at the start such that the joints fit where the bodies get to; bodies move; the other half
//! acts, with impulses along the joints as they are now such that velocities fit too. That is the same forwards and backwards in time, so that the energy of
//! a linkage stays near what it was for all times. All joints are solved together.
//!
//! What touches something, has a motor or is at a limit goes through the sweeps of [`Joints`](super::Joints) instead.

use super::factor::{Factor, Pattern};
use super::joint::{Direction, Halves};
use super::prepare::Inverse;
use super::{Mover, kick};
use crate::rigid::body::{Body, Motion};
use crate::rigid::joint::{JointState, Range};
use crate::rigid::rotation::{free_turn, quaternion, renormalised};
use freiraum_geometry::Vec3;
use std::collections::BTreeSet;

/// What a linkage reads of the engine.
#[derive(Clone, Copy)]
pub(crate) struct Held<'s> {
    pub(crate) bodies: &'s [Body],
    pub(crate) joints: &'s [JointState],
    pub(crate) gravity: Vec3,
}

/// A locked axis.
#[derive(Clone, Copy, Debug)]
struct Lock {
    /// 0 to 5.
    axis: u8,
    linear: Vec3,
    lever_a: Vec3,
    lever_b: Vec3,
    turn_a: Vec3,
    turn_b: Vec3,
}

/// The locked axes of a joint.
#[derive(Clone, Copy, Debug)]
struct Joined {
    a: u32,
    b: u32,
    first: u32,
    count: u32,
    reach: f64,
}

/// A spring along or about an axis, as it is now.
#[derive(Clone, Copy, Debug)]
struct Pull {
    a: u32,
    b: u32,
    linear: Vec3,
    lever_a: Vec3,
    lever_b: Vec3,
    stretch: f64,
    stiffness: f64,
    damping: f64,
}

/// Bodies that joints hold together.
#[derive(Clone, Debug, Default)]
struct Linkage {
    /// Those that move.
    bodies: Vec<u32>,
    /// In the order of elimination.
    joints: Vec<u32>,
    pattern: Pattern,
    /// Whether it takes part in this step.
    is_free: bool,
    /// Whether a light body is between heavier ones.
    is_uneven: bool,
    held: Vec<Joined>,
    locks: Vec<Lock>,
    pulls: Vec<Pull>,
    factor: Factor,
    /// Impulses of half a part along the locks.
    impulses: Vec<[f64; 6]>,
}

/// All linkages of an engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linkages {
    linkages: Vec<Linkage>,
    /// How many joints there were, and how many of them gone, when the list was made.
    made_for: (usize, usize),
    /// Which linkage a body belongs to.
    of_body: Vec<u32>,
    starts: Vec<Motion>,
    wanted: Vec<[f64; 6]>,
}

const NONE: u32 = u32::MAX;

/// In a part of a step a body of a linkage turns by at most this many radians; else it is not treated as one.
const MOST_TURN: f64 = 0.25;

/// Joints that do not fit by more than this share of their size (or as many radians) are pulled together gently first.
const LOOSE: f64 = 1.0 / 256.0;

/// Springs are soft enough if stiffness times the square of the part, and damping times the part, are below this share of the mass that they move.
const SOFT: f64 = 0.25;

/// A body with several joints is light if it has less than this share of the mass of a neighbour.
const LIGHT: f64 = 0.25;

/// Acceleration that may bring a joint to its limit beside its speed, in m/s² or rad/s².
const REACH: f64 = 100.0;

/// How often impulses are corrected until joints fit.
const MOST_CORRECTIONS: usize = 8;

/// Joints fit if they are off by no more than this share of their distances.
const FITS: f64 = 256.0 * f64::EPSILON;

impl Linkages {
    /// Finds the linkages that are free in a step, cut into parts, and marks their bodies. `touched` tells bodies that touch something.
    #[expect(clippy::too_many_arguments, reason = "one caller, which has all of them at hand")]
    pub(crate) fn prepare(
        &mut self,
        held: Held,
        motions: &[Motion],
        movers: &mut [Mover],
        inverses: &[Inverse],
        touched: impl Iterator<Item = u32>,
        [time, part]: [f64; 2],
        scale: f64,
    ) {
        let Held { bodies, joints, .. } = held;
        let state = (joints.len(), joints.iter().filter(|j| j.is_removed).count());
        if self.made_for != state || self.of_body.len() != bodies.len() {
            self.find(bodies, joints);
            self.made_for = state;
        }
        if self.linkages.is_empty() {
            return;
        }
        for linkage in &mut self.linkages {
            linkage.is_free = true;
        }
        for body in touched {
            if let Some(linkage) = self.linkages.get_mut(self.of_body[body as usize] as usize) {
                linkage.is_free = false;
            }
        }
        for linkage in self.linkages.iter_mut().filter(|l| l.is_free) {
            linkage.is_free = linkage.may_be_free(held, motions, inverses, [time, part]);
            if !linkage.is_free {
                continue;
            }
            linkage.place(held, motions, inverses);
            linkage.impulses.clear();
            for (joint, at) in linkage.joints.iter().zip(&linkage.held) {
                let mut impulses = [0.0; 6];
                let locks = &linkage.locks[at.first as usize..][..at.count as usize];
                for (impulse, lock) in impulses.iter_mut().zip(locks) {
                    *impulse = 0.5 * scale * joints[*joint as usize].impulses[usize::from(lock.axis)][0];
                }
                linkage.impulses.push(impulses);
            }
            for at in &linkage.bodies {
                movers[*at as usize].is_linked = true;
            }
        }
    }

    /// Bodies that hang together by joints; fixed ones and those on rails hold nothing together.
    fn find(&mut self, bodies: &[Body], joints: &[JointState]) {
        let mut group: Vec<u32> = (0..bodies.len() as u32).collect();
        let root = |group: &[u32], mut at: u32| {
            while group[at as usize] != at {
                at = group[at as usize];
            }
            at
        };
        let is_dynamic = |at: u32| bodies[at as usize].is_dynamic();
        let ends = |joint: &JointState| joint.joint.bodies.map(|id| id.0);
        for joint in joints.iter().filter(|j| !j.is_removed) {
            let [a, b] = ends(joint);
            if is_dynamic(a) && is_dynamic(b) {
                let (a, b) = (root(&group, a), root(&group, b));
                group[a.max(b) as usize] = a.min(b);
            }
        }
        self.linkages.clear();
        self.of_body = vec![NONE; bodies.len()];
        let mut of_root = vec![NONE; bodies.len()];
        for (number, joint) in (0..).zip(joints).filter(|(_, j)| !j.is_removed) {
            let Some(one) = ends(joint).into_iter().find(|at| is_dynamic(*at)) else { continue };
            let root = root(&group, one) as usize;
            if of_root[root] == NONE {
                of_root[root] = self.linkages.len() as u32;
                self.linkages.push(Linkage::default());
            }
            self.linkages[of_root[root] as usize].joints.push(number);
        }
        for at in (0..bodies.len() as u32).filter(|at| is_dynamic(*at)) {
            let linkage = of_root[root(&group, at) as usize];
            if linkage != NONE {
                self.of_body[at as usize] = linkage;
                self.linkages[linkage as usize].bodies.push(at);
            }
        }
        for linkage in &mut self.linkages {
            let joined = |k: u32| ends(&joints[linkage.joints[k as usize] as usize]);
            let count = linkage.joints.len() as u32;
            let is_coupled = |i: u32, j: u32| {
                i != j && joined(i).into_iter().any(|at| is_dynamic(at) && joined(j).contains(&at))
            };
            let neighbours: Vec<BTreeSet<u32>> =
                (0..count).map(|i| (0..count).filter(|j| is_coupled(i, *j)).collect()).collect();
            linkage.pattern = Pattern::new(neighbours);
            // Several joints on a body that is lighter than what they hold.
            let is_light = |at: &u32| {
                let mut own = (0..count).map(joined).filter(|ends| ends.contains(at));
                let first = own.next();
                let others = first.into_iter().chain(own.clone()).flatten();
                let heaviest = others.map(|other| bodies[other as usize].mass).fold(0.0, f64::max);
                own.next().is_some() && bodies[*at as usize].mass < LIGHT * heaviest
            };
            linkage.is_uneven = linkage.bodies.iter().any(is_light);
            let order = &linkage.pattern.order;
            linkage.joints = order.iter().map(|k| linkage.joints[*k as usize]).collect();
        }
    }

    /// Linkages that are not free and have light bodies between heavier ones, with their joints in the order of elimination.
    pub(crate) fn uneven(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let linkages = self.linkages.iter().enumerate();
        linkages.filter(|(_, l)| !l.is_free && l.is_uneven).map(|(at, l)| (at, &l.joints[..]))
    }

    /// How the joints of a linkage hang together.
    pub(crate) fn pattern(&self, linkage: usize) -> &Pattern {
        &self.linkages[linkage].pattern
    }

    /// One part of a step of all free linkages. Bodies on rails have moved already.
    pub(crate) fn advance(
        &mut self,
        held: Held,
        motions: &mut [Motion],
        movers: &mut [Mover],
        inverses: &mut [Inverse],
        part: f64,
    ) {
        for linkage in self.linkages.iter_mut().filter(|l| l.is_free) {
            self.starts.clear();
            self.starts.extend(linkage.bodies.iter().map(|at| motions[*at as usize]));
            linkage.kick(held, movers, inverses, 0.5 * part);
            for at in 0..linkage.held.len() {
                linkage.apply(at, linkage.impulses[at], movers, inverses);
            }
            // Impulses along the joints of the start, until they fit where the bodies get to.
            for correction in 0..=MOST_CORRECTIONS {
                for (at, start) in linkage.bodies.iter().zip(&self.starts) {
                    let at = *at as usize;
                    motions[at] = moved(&held.bodies[at], start, &movers[at], part);
                }
                if correction == MOST_CORRECTIONS || linkage.misfit(held, motions, &mut self.wanted) {
                    break;
                }
                for x in self.wanted.iter_mut().flatten() {
                    *x *= -1.0 / part;
                }
                linkage.factor.solve(&linkage.pattern, &mut self.wanted);
                for (at, change) in self.wanted.iter().enumerate() {
                    linkage.apply(at, *change, movers, inverses);
                }
            }
            for (at, start) in linkage.bodies.iter().zip(&self.starts) {
                let at = *at as usize;
                let mover = &mut movers[at];
                mover.moved += motions[at].center - start.center;
                mover.turned += part * mover.angular;
                mover.angular = motions[at].angular;
                inverses[at].inertia = held.bodies[at].inverse_inertia(motions[at].rotation);
            }
            linkage.place(held, motions, inverses);
            linkage.kick(held, movers, inverses, 0.5 * part);
            linkage.speeds(movers, &mut self.wanted);
            linkage.factor.solve(&linkage.pattern, &mut self.wanted);
            for (at, impulse) in self.wanted.iter().enumerate() {
                linkage.apply(at, *impulse, movers, inverses);
            }
            // Those of the next part begin with those of the end of this one.
            linkage.impulses.clone_from(&self.wanted);
        }
    }

    /// Writes impulses back: those of whole parts.
    pub(crate) fn keep(&self, joints: &mut [JointState]) {
        for linkage in self.linkages.iter().filter(|l| l.is_free) {
            for ((joint, at), impulses) in linkage.joints.iter().zip(&linkage.held).zip(&linkage.impulses) {
                let locks = &linkage.locks[at.first as usize..][..at.count as usize];
                for (lock, impulse) in locks.iter().zip(impulses) {
                    joints[*joint as usize].impulses[usize::from(lock.axis)][0] = 2.0 * impulse;
                }
            }
        }
    }
}

impl Linkage {
    /// Whether nothing stands against treating it as a whole: no motor, no limit within reach, no stiff spring, nothing that sleeps, joints that fit.
    fn may_be_free(
        &self,
        Held { bodies, joints, .. }: Held,
        motions: &[Motion],
        inverses: &[Inverse],
        [time, part]: [f64; 2],
    ) -> bool {
        let is_calm = |at: &u32| {
            let at = *at as usize;
            !bodies[at].is_asleep && motions[at].angular.length() * part < MOST_TURN
        };
        if !self.bodies.iter().all(is_calm) {
            return false;
        }
        self.joints.iter().all(|number| {
            let joint = &joints[*number as usize].joint;
            let axes = joint.translation.iter().chain(&joint.rotation);
            if axes.clone().any(|axis| axis.range != Range::Locked && axis.motor.is_some()) {
                return false;
            }
            // With two free turning axes turns are small angles only.
            if joint.rotation.iter().filter(|axis| axis.range == Range::Locked).count() == 1 {
                return false;
            }
            let halves = Halves::of(joint, bodies, motions);
            let [a, b] = joint.bodies.map(|id| id.index());
            (0..6).zip(axes).all(|(k, axis)| {
                if axis.range == Range::Free && axis.spring.is_none() {
                    return true;
                }
                let direction = halves.direction(k);
                let position = direction.position;
                match axis.range {
                    Range::Locked => {
                        return position.abs() <= LOOSE * if k < 3 { halves.reach() } else { 1.0 };
                    }
                    Range::Between(low, high) => {
                        let (a, b) = (&motions[a], &motions[b]);
                        let speed = direction.linear.dot(b.linear - a.linear)
                            + direction.lever_b.dot(b.angular)
                            - direction.lever_a.dot(a.angular);
                        let room = time * (2.0 * speed.abs() + time * REACH);
                        if position - low < room || high - position < room {
                            return false;
                        }
                    }
                    Range::Free => {}
                }
                axis.spring.is_none_or(|spring| {
                    let inverse = direction.linear.length_squared() * (inverses[a].mass + inverses[b].mass)
                        + direction.lever_a.dot(inverses[a].inertia * direction.lever_a)
                        + direction.lever_b.dot(inverses[b].inertia * direction.lever_b);
                    inverse * part * (spring.damping + part * spring.stiffness) < SOFT
                })
            })
        })
    }

    /// Finds all axes where the bodies are now, and prepares for solving.
    fn place(&mut self, Held { bodies, joints, .. }: Held, motions: &[Motion], inverses: &[Inverse]) {
        self.held.clear();
        self.locks.clear();
        self.pulls.clear();
        for number in &self.joints {
            let joint = &joints[*number as usize].joint;
            let halves = Halves::of(joint, bodies, motions);
            let [a, b] = joint.bodies.map(|id| id.0);
            let first = self.locks.len();
            for (k, axis) in (0..6).zip(joint.translation.iter().chain(&joint.rotation)) {
                let Direction { linear, lever_a, lever_b, position } = halves.direction(k);
                if axis.range == Range::Locked {
                    self.locks.push(Lock {
                        axis: k as u8,
                        linear,
                        lever_a,
                        lever_b,
                        turn_a: inverses[a as usize].inertia * lever_a,
                        turn_b: inverses[b as usize].inertia * lever_b,
                    });
                } else if let Some(spring) = axis.spring {
                    self.pulls.push(Pull {
                        a,
                        b,
                        linear,
                        lever_a,
                        lever_b,
                        stretch: position - spring.rest,
                        stiffness: spring.stiffness,
                        damping: spring.damping,
                    });
                }
            }
            let count = (self.locks.len() - first) as u32;
            self.held.push(Joined { a, b, first: first as u32, count, reach: halves.reach() });
        }
        self.factor.clear(&self.pattern, self.held.iter().map(|h| h.count as usize));
        for (at, held) in self.held.iter().enumerate() {
            let block = &mut self.factor.diagonal[at];
            let locks = &self.locks[held.first as usize..][..held.count as usize];
            let mass = inverses[held.a as usize].mass + inverses[held.b as usize].mass;
            for (row, one) in block.iter_mut().zip(locks) {
                for (entry, two) in row.iter_mut().zip(locks) {
                    *entry = one.linear.dot(two.linear) * mass
                        + one.lever_a.dot(two.turn_a)
                        + one.lever_b.dot(two.turn_b);
                }
            }
        }
        for (at, [row, column]) in self.pattern.blocks.iter().enumerate() {
            let [one, two] = [row, column].map(|k| &self.held[*k as usize]);
            for (of_one, sign_one) in [(one.a, -1.0), (one.b, 1.0)] {
                for (of_two, sign_two) in [(two.a, -1.0), (two.b, 1.0)] {
                    let mass = inverses[of_one as usize].mass;
                    if of_one != of_two || mass == 0.0 {
                        continue;
                    }
                    let sign = sign_one * sign_two;
                    let block = &mut self.factor.below[at];
                    let of = |held: &Joined| held.first as usize..(held.first + held.count) as usize;
                    for (entries, i) in block.iter_mut().zip(&self.locks[of(one)]) {
                        let lever = if of_one == one.a { i.lever_a } else { i.lever_b };
                        for (entry, j) in entries.iter_mut().zip(&self.locks[of(two)]) {
                            let turn = if of_two == two.a { j.turn_a } else { j.turn_b };
                            *entry += sign * (mass * i.linear.dot(j.linear) + lever.dot(turn));
                        }
                    }
                }
            }
        }
        self.factor.eliminate(&self.pattern);
    }

    /// Forces and springs for a time.
    fn kick(&self, held: Held, movers: &mut [Mover], inverses: &[Inverse], time: f64) {
        for at in &self.bodies {
            let at = *at as usize;
            let body = &held.bodies[at];
            let acceleration = body.gravity_share * held.gravity + body.inverse_mass * body.force;
            kick(body, &mut movers[at], acceleration, inverses[at].inertia * body.torque, time);
        }
        for pull in &self.pulls {
            let (a, b) = (pull.a as usize, pull.b as usize);
            let (turn_a, turn_b) = (inverses[a].inertia * pull.lever_a, inverses[b].inertia * pull.lever_b);
            let inverse = pull.linear.length_squared() * (inverses[a].mass + inverses[b].mass)
                + pull.lever_a.dot(turn_a)
                + pull.lever_b.dot(turn_b);
            let speed = pull.linear.dot(movers[b].linear - movers[a].linear)
                + pull.lever_b.dot(movers[b].angular)
                - pull.lever_a.dot(movers[a].angular);
            // Dampers see the mean of the speeds before and after.
            let impulse = -time * (pull.stiffness * pull.stretch + pull.damping * speed)
                / (1.0 + 0.5 * time * pull.damping * inverse);
            movers[a].linear -= inverses[a].mass * impulse * pull.linear;
            movers[a].angular -= impulse * turn_a;
            movers[b].linear += inverses[b].mass * impulse * pull.linear;
            movers[b].angular += impulse * turn_b;
        }
    }

    /// How far joints are from fitting where the bodies are now; whether all of them do.
    fn misfit(&self, Held { bodies, joints, .. }: Held, motions: &[Motion], out: &mut Vec<[f64; 6]>) -> bool {
        let mut fits = true;
        out.clear();
        for (number, held) in self.joints.iter().zip(&self.held) {
            let halves = Halves::of(&joints[*number as usize].joint, bodies, motions);
            let far = held.reach + motions[held.a as usize].center.length();
            let mut off = [0.0; 6];
            let locks = &self.locks[held.first as usize..][..held.count as usize];
            for (off, lock) in off.iter_mut().zip(locks) {
                *off = halves.direction(usize::from(lock.axis)).position;
                fits &= off.abs() <= FITS * if lock.axis < 3 { far } else { 1.0 };
            }
            out.push(off);
        }
        fits
    }

    /// The speeds along all locks, with the sign that takes them away.
    fn speeds(&self, movers: &[Mover], out: &mut Vec<[f64; 6]>) {
        out.clear();
        for held in &self.held {
            let (a, b) = (&movers[held.a as usize], &movers[held.b as usize]);
            let mut speeds = [0.0; 6];
            let locks = &self.locks[held.first as usize..][..held.count as usize];
            for (speed, lock) in speeds.iter_mut().zip(locks) {
                *speed = lock.linear.dot(a.linear - b.linear) + lock.lever_a.dot(a.angular)
                    - lock.lever_b.dot(b.angular);
            }
            out.push(speeds);
        }
    }

    /// Gives the bodies of a joint impulses along its locks.
    fn apply(&self, at: usize, impulses: [f64; 6], movers: &mut [Mover], inverses: &[Inverse]) {
        let held = &self.held[at];
        let (a, b) = (held.a as usize, held.b as usize);
        let locks = &self.locks[held.first as usize..][..held.count as usize];
        for (lock, impulse) in locks.iter().zip(impulses) {
            movers[a].linear -= inverses[a].mass * impulse * lock.linear;
            movers[a].angular -= impulse * lock.turn_a;
            movers[b].linear += inverses[b].mass * impulse * lock.linear;
            movers[b].angular += impulse * lock.turn_b;
        }
    }
}

/// A body after a time in which nothing acts on it.
fn moved(body: &Body, start: &Motion, mover: &Mover, time: f64) -> Motion {
    let center = start.center + time * mover.linear;
    if body.is_isotropic {
        let rotation = renormalised(quaternion(time * mover.angular) * start.rotation);
        return Motion { center, rotation, linear: mover.linear, angular: mover.angular };
    }
    let frame = start.rotation * body.body_from_principal;
    let (frame, angular) = free_turn(frame, body.moments, mover.angular, time);
    let rotation = renormalised(frame * body.body_from_principal.conjugate());
    Motion { center, rotation, linear: mover.linear, angular }
}
