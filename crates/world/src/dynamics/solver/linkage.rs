//! Linkages: bodies that joints hold together and that touch nothing, of second order in time.
//!
//! In each part of a step half of the forces act, with impulses along the joints as they are at the start such that the joints fit where the bodies get to; bodies move; the other half
//! acts, with impulses along the joints as they are now such that velocities fit too. That is the same forwards and backwards in time, so that the energy of
//! a linkage stays near what it was for all times. All joints are solved together.
//!
//! What touches something, has a motor or is at a limit goes through the sweeps of [`Joints`](super::Joints) instead.

use super::factor::{Factor, Pattern};
use super::halves::{Direction, Halves};
use super::prepare::Inverse;
use super::{Mover, kick};
use crate::dynamics::body::{Body, Motion};
use crate::dynamics::joint::{JointState, Range};
use crate::dynamics::rotation::{free_turn, quaternion, renormalised};
use freiraum_geometry::Vec3;

/// What a linkage reads of the engine.
#[derive(Clone, Copy)]
pub(crate) struct Held<'s> {
    pub(crate) bodies: &'s [Body],
    pub(crate) joints: &'s [JointState],
    pub(crate) gravity: Vec3,
}

/// A locked axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lock {
    /// 0 to 5.
    pub(super) axis: u8,
    pub(super) linear: Vec3,
    pub(super) lever_a: Vec3,
    pub(super) lever_b: Vec3,
    pub(super) turn_a: Vec3,
    pub(super) turn_b: Vec3,
}

/// The locked axes of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) reach: f64,
}

/// A spring along or about an axis, as it is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
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
pub(super) struct Linkage {
    /// Those that move.
    pub(super) bodies: Vec<u32>,
    /// In the order of elimination.
    pub(super) joints: Vec<u32>,
    pub(super) pattern: Pattern,
    /// Whether it takes part in this step.
    pub(super) is_free: bool,
    /// Whether a light body is between heavier ones.
    pub(super) is_uneven: bool,
    pub(super) held: Vec<Joined>,
    pub(super) locks: Vec<Lock>,
    pub(super) pulls: Vec<Pull>,
    pub(super) factor: Factor,
    /// Impulses of half a part along the locks.
    pub(super) impulses: Vec<[f64; 6]>,
}

/// In a part of a step a body of a linkage turns by at most this many radians; else it is not treated as one.
const MOST_TURN: f64 = 0.25;

/// Joints that would have to be pulled together in a part of a step with more than this share of their size (or as many radians) per second are pulled gently first.
const LOOSE: f64 = 1.0;

/// Springs are soft enough if stiffness times the square of the part, and damping times the part, are below this share of the mass that they move.
const SOFT: f64 = 0.25;

/// Acceleration that may bring a joint to its limit beside its speed, in m/s² or rad/s².
const REACH: f64 = 100.0;

/// Joints fit if they are off by no more than this share of their distances.
const FITS: f64 = 256.0 * f64::EPSILON;

impl Linkage {
    /// Whether nothing stands against treating it as a whole: no motor, no limit within reach, no stiff spring, nothing that sleeps, joints that fit.
    pub(super) fn may_be_free(
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
                        return position.abs() <= LOOSE * part * if k < 3 { halves.reach() } else { 1.0 };
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
    pub(super) fn place(
        &mut self,
        Held { bodies, joints, .. }: Held,
        motions: &[Motion],
        inverses: &[Inverse],
    ) {
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
    pub(super) fn kick(&self, held: Held, movers: &mut [Mover], inverses: &[Inverse], time: f64) {
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
    pub(super) fn misfit(
        &self,
        Held { bodies, joints, .. }: Held,
        motions: &[Motion],
        out: &mut Vec<[f64; 6]>,
    ) -> bool {
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
    pub(super) fn speeds(&self, movers: &[Mover], out: &mut Vec<[f64; 6]>) {
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
    pub(super) fn apply(&self, at: usize, impulses: [f64; 6], movers: &mut [Mover], inverses: &[Inverse]) {
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
pub(super) fn moved(body: &Body, start: &Motion, mover: &Mover, time: f64) -> Motion {
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
