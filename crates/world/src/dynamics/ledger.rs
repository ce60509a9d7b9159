//! Energy never grows by itself: what bodies that touch each other have gained in a stretch of time beyond the work of gravity, motors and springs is taken back.
//!
//! The solver takes energy where contacts are as they were found. Where bodies start deep in others, are squeezed, held, or tumble on, they are not; then the books are looked at. Bodies on
//! rails, forces from outside and springs between surfaces do work that nobody counts: what has to do with those is left alone.

use super::body::{Kind, Motion};
use super::engine::Engine;
use super::joint::{Axis, JointId, Range};
use freiraum_geometry::Vec3;

/// Groups of bodies and their energies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// Of every body: the first one of those that joints hold together.
    linked: Vec<u32>,
    /// Of every body: the first one of those that touch each other or that joints hold together.
    touching: Vec<u32>,
    /// Of every first body of a linkage: what it has gained beyond the work of gravity, in joules, and its kinetic energy now.
    gains: Vec<f64>,
    kinetic: Vec<f64>,
    /// Of every first body of those that touch.
    groups: Vec<Group>,
    /// Motions at the start.
    starts: Vec<Motion>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Group {
    gained: f64,
    /// Kinetic energy of linkages that have gained.
    kinetic: f64,
    touches: bool,
    is_left_alone: bool,
}

/// Gains below this share of what bodies have are rounding.
const ROUNDING: f64 = 4096.0 * f64::EPSILON;

impl Engine {
    /// Takes back what was gained since bodies moved as `before`, in the order of movable bodies, from what touches something or was held.
    pub(super) fn keep_energy(&mut self, before: &[Motion]) {
        let mut books = std::mem::take(&mut self.scratch.ledger);
        if self.books(&mut books, before) {
            self.take_back(&books);
        }
        self.scratch.ledger = books;
    }

    /// Fills the books; whether anybody has gained anything.
    fn books(&mut self, books: &mut Ledger, before: &[Motion]) -> bool {
        let count = self.bodies.len();
        for list in [&mut books.gains, &mut books.kinetic] {
            list.clear();
            list.resize(count, 0.0);
        }
        books.linked.clear();
        books.linked.extend(0..count as u32);
        for joint in self.joints.iter().filter(|joint| !joint.is_removed) {
            unite(&mut books.linked, joint.joint.bodies.map(|body| body.0), |at| self.is_moved(at));
        }
        let mut has_gained = false;
        for (at, start) in self.scratch.movable.iter().zip(before) {
            let (body, end) = (&self.bodies[*at as usize], &self.motions[*at as usize]);
            if !self.is_moved(*at) || body.is_asleep {
                continue;
            }
            let kinetic = body.kinetic_energy(end);
            let weight = body.mass * body.gravity_share * self.settings.gravity;
            let work = weight.dot(end.center - start.center);
            let gain = kinetic - body.kinetic_energy(start) - work;
            has_gained |= gain > ROUNDING * kinetic;
            let head = head(&books.linked, *at) as usize;
            books.gains[head] += gain;
            books.kinetic[head] += kinetic;
        }
        if !has_gained {
            return false;
        }
        self.count_joints(books, before);
        books.touching.clear();
        books.touching.extend_from_slice(&books.linked);
        for patch in &self.scratch.contacts.patches {
            unite(&mut books.touching, [patch.a, patch.b], |at| self.is_moved(at));
        }
        books.groups.clear();
        books.groups.resize(count, Group::default());
        for at in &self.scratch.held {
            books.groups[head(&books.touching, *at) as usize].touches = true;
        }
        for patch in &self.scratch.contacts.patches {
            for [own, other] in [[patch.a, patch.b], [patch.b, patch.a]] {
                let group = &mut books.groups[head(&books.touching, own) as usize];
                group.touches = true;
                group.is_left_alone |= patch.give > 0.0 || self.bodies[other as usize].kind == Kind::Driven;
            }
        }
        for joint in self.joints.iter().filter(|joint| !joint.is_removed) {
            let [a, b] = joint.joint.bodies;
            for [own, other] in [[a, b], [b, a]] {
                let group = &mut books.groups[head(&books.touching, own.0) as usize];
                group.is_left_alone |= self.bodies[other.index()].kind == Kind::Driven;
            }
        }
        for at in &self.scratch.movable {
            let body = &self.bodies[*at as usize];
            let group = &mut books.groups[head(&books.touching, *at) as usize];
            group.is_left_alone |= body.force != Vec3::ZERO || body.torque != Vec3::ZERO;
        }
        for at in (0..count).filter(|at| books.linked[*at] == *at as u32) {
            let group = &mut books.groups[head(&books.touching, at as u32) as usize];
            group.gained += books.gains[at];
            if books.gains[at] > 0.0 {
                group.kinetic += books.kinetic[at];
            }
        }
        true
    }

    /// What springs of joints have stored, and motors have done, is of the linkage.
    fn count_joints(&mut self, books: &mut Ledger, before: &[Motion]) {
        if self.joints.is_empty() {
            return;
        }
        self.count_axes(books, 1.0);
        books.starts.clone_from(&self.motions);
        for (at, start) in self.scratch.movable.iter().zip(before) {
            books.starts[*at as usize] = *start;
        }
        std::mem::swap(&mut self.motions, &mut books.starts);
        self.count_axes(books, -1.0);
        std::mem::swap(&mut self.motions, &mut books.starts);
    }

    /// Adds so many times what springs have stored, and takes half of what motors do at the speeds of now: the mean of before and after is what they did.
    fn count_axes(&self, books: &mut Ledger, sign: f64) {
        for (number, state) in (0..).zip(&self.joints).filter(|(_, state)| !state.is_removed) {
            let joint = &state.joint;
            let axes = joint.translation.iter().chain(&joint.rotation);
            let works =
                |axis: &&Axis| axis.range != Range::Locked && (axis.motor.is_some() || axis.spring.is_some());
            if !axes.clone().any(|axis| works(&axis)) {
                continue;
            }
            let [a, b] = joint.bodies.map(|body| body.0);
            let gain = &mut books.gains[head(&books.linked, if self.is_moved(a) { a } else { b }) as usize];
            let (position, speed) = (self.joint_position(JointId(number)), self.joint_speed(JointId(number)));
            for (k, axis) in axes.enumerate().filter(|(_, axis)| works(axis)) {
                if let Some(spring) = axis.spring {
                    *gain += sign * 0.5 * spring.stiffness * (position[k] - spring.rest).powi(2);
                }
                if axis.motor.is_some() {
                    *gain -= 0.5 * (state.impulses[k][3] * speed[k]).abs();
                }
            }
        }
    }

    /// Slows those down that have gained.
    fn take_back(&mut self, books: &Ledger) {
        for at in &self.scratch.movable {
            let own = head(&books.linked, *at) as usize;
            let group = &books.groups[head(&books.touching, *at) as usize];
            let is_his = group.touches && !group.is_left_alone && books.gains[own] > 0.0;
            if is_his && group.kinetic > 0.0 && group.gained > ROUNDING * group.kinetic {
                let share = ((group.kinetic - group.gained).max(0.0) / group.kinetic).sqrt();
                let motion = &mut self.motions[*at as usize];
                motion.linear *= share;
                motion.angular *= share;
            }
        }
    }

    fn is_moved(&self, at: u32) -> bool {
        self.bodies[at as usize].is_dynamic() && self.bodies[at as usize].inverse_mass > 0.0
    }
}

fn head(heads: &[u32], mut at: u32) -> u32 {
    while heads[at as usize] != at {
        at = heads[at as usize];
    }
    at
}

/// Two that move belong together from now on. The first one of all is their head.
fn unite(heads: &mut [u32], ends: [u32; 2], is_moved: impl Fn(u32) -> bool) {
    if ends.iter().all(|at| is_moved(*at)) {
        let [a, b] = ends.map(|at| head(heads, at));
        heads[a.max(b) as usize] = a.min(b);
        // Ways to the head stay short.
        for at in ends {
            heads[at as usize] = a.min(b);
        }
    }
}
