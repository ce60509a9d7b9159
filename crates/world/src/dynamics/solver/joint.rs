//! Joints as constraints: all locked axes of a joint together, limits, motors and springs one after the other.
//!
//! Solving the locked axes at once keeps joints tight whatever the masses: a light wheel on a heavy car, a point mass on a rod.

use super::halves::{Direction, Halves};
use super::linkages::Linkages;
use super::prepare::Inverse;
use super::system::System;
use super::{Mover, Softness, factor};
use crate::dynamics::body::{Body, Motion};
use crate::dynamics::joint::{JointState, Range};
use freiraum_geometry::Vec3;

/// What a row wants.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    /// Position 0.
    Lock,
    /// Position not below (impulse positive) a limit; a row for the upper limit looks the other way.
    Limit,
    /// A speed, with at most this impulse.
    Motor { speed: f64, most: f64 },
    /// Softness of a spring: `mass` is the effective mass with it, `give` the share of the impulse in the speed, `pull` the wanted speed per metre.
    Spring { give: f64, pull: f64 },
}

/// One direction of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) a: u32,
    pub(super) b: u32,
    linear: Vec3,
    lever_a: Vec3,
    lever_b: Vec3,
    turn_a: Vec3,
    turn_b: Vec3,
    inverse_mass_a: f64,
    inverse_mass_b: f64,
    mass: f64,
    position: f64,
    pub(super) impulse: f64,
    role: Role,
    /// Joint, axis and slot, to write the impulse back.
    home: (u32, u8, u8),
}

/// The locked axes of one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Rows in the list of locked rows.
    pub(super) first: u32,
    pub(super) count: u32,
    /// Inverse of the matrix of effective inverse masses.
    mass: factor::Block,
    /// Whether it is solved together with others.
    is_shared: bool,
}

/// All joints of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joints {
    blocks: Vec<Block>,
    locked: Vec<Row>,
    rows: Vec<Row>,
    /// Linkages whose joints are solved together; only the first so many are in use.
    systems: Vec<System>,
    system_count: usize,
    softness: Softness,
}

/// Natural frequency of joints as a share of the rate of the parts of a step, and their damping ratio: as stiff as is stable.
const STIFFNESS_SHARE: f64 = 0.25;
const DAMPING_RATIO: f64 = 2.0;

/// Limits that twice the speed, and this acceleration in m/s² or rad/s², do not reach in a part of a step take no part in it.
const REACH: f64 = 100.0;

impl Joints {
    /// Fills the lists with all joints but those of linkages that move as a whole; `part` is the length of a part of the step, `usual` what it would be without interruptions, `scale` that of the last one against it.
    #[expect(clippy::too_many_arguments, reason = "one caller, which has all of them at hand")]
    pub(crate) fn prepare(
        &mut self,
        joints: &[JointState],
        bodies: &[Body],
        motions: &[Motion],
        movers: &[Mover],
        inverses: &[Inverse],
        linkages: &Linkages,
        [part, usual]: [f64; 2],
        scale: f64,
    ) {
        // In parts that are much shorter than usual they are pulled together no faster than otherwise: a small error in no time is a great speed.
        let soft = |time: f64| Softness::new(STIFFNESS_SHARE / time, DAMPING_RATIO, time);
        self.softness = if part < 0.5 * usual {
            Softness { rate: soft(usual).rate, ..Softness::RIGID }
        } else {
            soft(part)
        };
        self.blocks.clear();
        self.system_count = 0;
        self.locked.clear();
        self.rows.clear();
        for (number, state) in (0..).zip(joints) {
            let [a, b] = state.joint.bodies.map(|id| id.index());
            let is_still = |body: &Body| !body.is_dynamic() || body.is_asleep;
            let is_linked = movers[a].is_linked || movers[b].is_linked;
            if state.is_removed || is_linked || (is_still(&bodies[a]) && is_still(&bodies[b])) {
                continue;
            }
            self.add(number, state, [a, b], bodies, motions, inverses, part, scale);
        }
        self.share(linkages);
    }

    /// Finds the linkages that are solved as a whole.
    fn share(&mut self, linkages: &Linkages) {
        for (linkage, joints) in linkages.uneven() {
            if self.system_count == self.systems.len() {
                self.systems.push(System::default());
            }
            let system = &mut self.systems[self.system_count];
            self.system_count += 1;
            system.linkage = linkage;
            system.blocks.clear();
            for joint in joints {
                let is_its = |b: &Block| self.locked[b.first as usize].home.0 == *joint;
                let block = self.blocks.iter().position(is_its);
                if let Some(block) = block {
                    self.blocks[block].is_shared = true;
                }
                system.blocks.push(block.map(|b| b as u32));
            }
            system.prepare(&self.blocks, &self.locked, linkages.pattern(linkage));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one caller, in the loop above")]
    fn add(
        &mut self,
        number: u32,
        state: &JointState,
        [a, b]: [usize; 2],
        bodies: &[Body],
        motions: &[Motion],
        inverses: &[Inverse],
        part: f64,
        scale: f64,
    ) {
        let joint = &state.joint;
        let (inverse_a, inverse_b) = (&inverses[a], &inverses[b]);
        let halves = Halves::of(joint, bodies, motions);
        let first = self.locked.len();
        for k in 0..6 {
            let axis = if k < 3 { &joint.translation[k] } else { &joint.rotation[k - 3] };
            if axis.range == Range::Free && axis.motor.is_none() && axis.spring.is_none() {
                continue;
            }
            let Direction { linear, lever_a, lever_b, position } = halves.direction(k);
            let (turn_a, turn_b) = (inverse_a.inertia * lever_a, inverse_b.inertia * lever_b);
            let inverse = linear.length_squared() * (inverse_a.mass + inverse_b.mass)
                + lever_a.dot(turn_a)
                + lever_b.dot(turn_b);
            if !(inverse > 0.0) {
                continue;
            }
            // Rows are large: each is made where it is to be.
            let row = |role: Role, mass: f64, position: f64, slot: u8| Row {
                a: a as u32,
                b: b as u32,
                linear,
                lever_a,
                lever_b,
                turn_a,
                turn_b,
                inverse_mass_a: inverse_a.mass,
                inverse_mass_b: inverse_b.mass,
                mass,
                position,
                impulse: scale * state.impulses[k][usize::from(slot)],
                role,
                home: (number, k as u8, slot),
            };
            let mass = 1.0 / inverse;
            if axis.range == Range::Locked {
                self.locked.push(row(Role::Lock, mass, position, 0));
                continue;
            }
            if let Some(spring) = axis.spring {
                let stiff = part * (spring.damping + part * spring.stiffness);
                if stiff > 0.0 {
                    let give = 1.0 / stiff;
                    let pull = part * spring.stiffness * give;
                    let role = Role::Spring { give, pull };
                    self.rows.push(row(role, 1.0 / (inverse + give), position - spring.rest, 4));
                }
            }
            if let Some(motor) = axis.motor {
                let role = Role::Motor { speed: motor.speed, most: motor.most * part };
                self.rows.push(row(role, mass, position, 3));
            }
            if let Range::Between(low, high) = axis.range {
                let (m, n) = (&motions[a], &motions[b]);
                let speed = linear.dot(n.linear - m.linear) + lever_b.dot(n.angular) - lever_a.dot(m.angular);
                let room = part * (2.0 * speed.abs() + part * REACH);
                let is_near =
                    |room_left: f64, slot: usize| room_left < room || state.impulses[k][slot] != 0.0;
                if is_near(position - low, 1) {
                    self.rows.push(row(Role::Limit, mass, position - low, 1));
                }
                if is_near(high - position, 2) {
                    self.rows.push(row(Role::Limit, mass, high - position, 2).reversed());
                }
            }
        }
        if self.locked.len() > first {
            let rows = &self.locked[first..];
            let (first, count) = (first as u32, rows.len() as u32);
            self.blocks.push(Block { first, count, mass: factor::NO_BLOCK, is_shared: false });
            if let Some(block) = self.blocks.last_mut() {
                fill_inverse(rows, &mut block.mass);
            }
        }
    }

    /// Takes over new inertia of bodies that have turned.
    pub(crate) fn refresh(&mut self, movers: &[Mover], inverses: &[Inverse], linkages: &Linkages) {
        let has_turned = |row: &Row| movers[row.a as usize].has_turned || movers[row.b as usize].has_turned;
        for row in self.locked.iter_mut().chain(&mut self.rows).filter(|row| has_turned(row)) {
            row.refresh(inverses);
        }
        for block in &mut self.blocks {
            let rows = &self.locked[block.first as usize..][..block.count as usize];
            if has_turned(&rows[0]) {
                fill_inverse(rows, &mut block.mass);
            }
        }
        for system in &mut self.systems[..self.system_count] {
            system.prepare(&self.blocks, &self.locked, linkages.pattern(system.linkage));
        }
    }

    /// Takes over where the joints of linkages that are solved as a whole are after bodies have moved.
    pub(crate) fn follow(
        &mut self,
        joints: &[JointState],
        bodies: &[Body],
        motions: &[Motion],
        inverses: &[Inverse],
        linkages: &Linkages,
    ) {
        if self.system_count == 0 {
            return;
        }
        for block in self.blocks.iter().filter(|b| b.is_shared) {
            let rows = &mut self.locked[block.first as usize..][..block.count as usize];
            let halves = Halves::of(&joints[rows[0].home.0 as usize].joint, bodies, motions);
            for row in rows {
                let Direction { linear, lever_a, lever_b, .. } = halves.direction(usize::from(row.home.1));
                (row.linear, row.lever_a, row.lever_b) = (linear, lever_a, lever_b);
                row.refresh(inverses);
            }
        }
        for system in &mut self.systems[..self.system_count] {
            system.prepare(&self.blocks, &self.locked, linkages.pattern(system.linkage));
        }
    }

    /// Applies the impulses of the last part.
    pub(crate) fn warm_start(&self, movers: &mut [Mover]) {
        for row in self.locked.iter().chain(&self.rows) {
            row.apply(row.impulse, movers);
        }
    }

    /// Goes through all joints once.
    pub(crate) fn sweep(&mut self, movers: &mut [Mover], linkages: &Linkages, rate: f64, is_pushing: bool) {
        let softness = if is_pushing { self.softness } else { Softness::RIGID };
        for row in &mut self.rows {
            row.solve(movers, &softness, rate, is_pushing);
        }
        for block in self.blocks.iter().filter(|b| !b.is_shared) {
            let rows = &mut self.locked[block.first as usize..][..block.count as usize];
            block.solve(rows, movers, &softness);
        }
        for system in &mut self.systems[..self.system_count] {
            let pattern = linkages.pattern(system.linkage);
            // Stiffer ones, or such that do not give at all, would not let vehicles stand still: contacts and joints are not solved together.
            system.solve(&self.blocks, &mut self.locked, pattern, movers, &softness);
        }
    }

    /// Writes impulses back.
    pub(crate) fn keep(&self, joints: &mut [JointState]) {
        for state in joints.iter_mut() {
            state.impulses = [[0.0; 5]; 6];
        }
        for row in self.locked.iter().chain(&self.rows) {
            let (joint, axis, slot) = row.home;
            joints[joint as usize].impulses[usize::from(axis)][usize::from(slot)] = row.impulse;
        }
    }
}

/// The inverse of the matrix that says how an impulse along one row changes the speed along another.
fn fill_inverse(rows: &[Row], out: &mut factor::Block) {
    fill_matrix(rows, out);
    let scale = std::array::from_fn(|k| rows.get(k).map_or(0.0, |r| 1.0 / r.mass));
    factor::invert(out, rows.len(), &scale);
}

/// How an impulse along one row of a joint changes the speed along another.
pub(super) fn fill_matrix(rows: &[Row], out: &mut factor::Block) {
    for (i, r) in rows.iter().enumerate() {
        for (j, s) in rows.iter().enumerate().take(i + 1) {
            let entry = r.linear.dot(s.linear) * (r.inverse_mass_a + r.inverse_mass_b)
                + r.lever_a.dot(s.turn_a)
                + r.lever_b.dot(s.turn_b);
            (out[i][j], out[j][i]) = (entry, entry);
        }
    }
}

impl Block {
    fn solve(&self, rows: &mut [Row], movers: &mut [Mover], softness: &Softness) {
        let ends = [rows[0].a as usize, rows[0].b as usize];
        let Ok([a, b]) = movers.get_disjoint_mut(ends) else { return };
        let mut wanted = [0.0; 6];
        for (row, wanted) in rows.iter().zip(&mut wanted) {
            *wanted = row.speed(a, b);
            if softness.rate != 0.0 {
                *wanted += softness.rate * row.position_now(a, b);
            }
        }
        let (mut linear, mut turn_a, mut turn_b) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let [inverse_a, inverse_b] = [rows[0].inverse_mass_a, rows[0].inverse_mass_b];
        for (row, mass) in rows.iter_mut().zip(&self.mass) {
            let [m, w] = [mass, &wanted];
            let sum = (m[0] * w[0] + m[1] * w[1]) + (m[2] * w[2] + m[3] * w[3]) + (m[4] * w[4] + m[5] * w[5]);
            let change = -softness.mass * sum - softness.impulse * row.impulse;
            row.impulse += change;
            linear += change * row.linear;
            turn_a += change * row.turn_a;
            turn_b += change * row.turn_b;
        }
        a.linear -= inverse_a * linear;
        a.angular -= turn_a;
        b.linear += inverse_b * linear;
        b.angular += turn_b;
        (a.is_pushed, b.is_pushed) = (true, true);
    }
}

impl Row {
    /// How an impulse along another row changes the speed along this one, over the bodies that both have.
    pub(super) fn coupling(&self, other: &Row) -> f64 {
        let ends =
            |row: &Row| [(row.a, -1.0, row.lever_a, row.turn_a), (row.b, 1.0, row.lever_b, row.turn_b)];
        let mut sum = 0.0;
        for ((body, sign, lever, _), mass) in
            ends(self).into_iter().zip([self.inverse_mass_a, self.inverse_mass_b])
        {
            for (other_body, other_sign, _, turn) in ends(other) {
                if body == other_body {
                    sum += sign * other_sign * (mass * self.linear.dot(other.linear) + lever.dot(turn));
                }
            }
        }
        sum
    }

    /// Looks the other way.
    fn reversed(self) -> Row {
        Row {
            linear: -self.linear,
            lever_a: -self.lever_a,
            lever_b: -self.lever_b,
            turn_a: -self.turn_a,
            turn_b: -self.turn_b,
            ..self
        }
    }

    fn refresh(&mut self, inverses: &[Inverse]) {
        self.turn_a = inverses[self.a as usize].inertia * self.lever_a;
        self.turn_b = inverses[self.b as usize].inertia * self.lever_b;
        let inverse = self.linear.length_squared() * (self.inverse_mass_a + self.inverse_mass_b)
            + self.lever_a.dot(self.turn_a)
            + self.lever_b.dot(self.turn_b);
        let give = if let Role::Spring { give, .. } = self.role { give } else { 0.0 };
        self.mass = if inverse > 0.0 { 1.0 / (inverse + give) } else { 0.0 };
    }

    pub(super) fn apply(&self, impulse: f64, movers: &mut [Mover]) {
        let a = &mut movers[self.a as usize];
        a.linear -= self.inverse_mass_a * impulse * self.linear;
        a.angular -= impulse * self.turn_a;
        a.is_pushed = true;
        let b = &mut movers[self.b as usize];
        b.linear += self.inverse_mass_b * impulse * self.linear;
        b.angular += impulse * self.turn_b;
        b.is_pushed = true;
    }

    pub(super) fn speed(&self, a: &Mover, b: &Mover) -> f64 {
        self.linear.dot(b.linear - a.linear) + self.lever_b.dot(b.angular) - self.lever_a.dot(a.angular)
    }

    pub(super) fn position_now(&self, a: &Mover, b: &Mover) -> f64 {
        self.position + self.linear.dot(b.moved - a.moved) + self.lever_b.dot(b.turned)
            - self.lever_a.dot(a.turned)
    }

    fn solve(&mut self, movers: &mut [Mover], softness: &Softness, rate: f64, is_pushing: bool) {
        // A force, not a constraint: nothing to take back after the bodies have moved.
        if !is_pushing && matches!(self.role, Role::Spring { .. }) {
            return;
        }
        let (a, b) = (&movers[self.a as usize], &movers[self.b as usize]);
        let speed = self.speed(a, b);
        let position = if let Role::Motor { .. } = self.role { 0.0 } else { self.position_now(a, b) };
        let impulse = match self.role {
            Role::Lock => {
                self.impulse
                    - self.mass * softness.mass * (speed + softness.rate * position)
                    - softness.impulse * self.impulse
            }
            Role::Limit if position > 0.0 => (self.impulse - self.mass * (speed + position * rate)).max(0.0),
            Role::Limit => {
                let wanted = self.mass * softness.mass * (speed + softness.rate * position)
                    + softness.impulse * self.impulse;
                (self.impulse - wanted).max(0.0)
            }
            Role::Motor { speed: target, most } => {
                (self.impulse - self.mass * (speed - target)).clamp(-most, most)
            }
            Role::Spring { give, pull } => {
                self.impulse - self.mass * (speed + pull * position + give * self.impulse)
            }
        };
        let change = impulse - self.impulse;
        self.impulse = impulse;
        // Limits that are far away.
        if change != 0.0 || impulse != 0.0 {
            self.apply(change, movers);
        }
    }
}
