//! Joints as constraints: the point of a ball or hinge as one block, everything else one direction at a time.

use super::prepare::Inverse;
use super::{Mover, Softness};
use crate::rigid::body::{Body, Motion};
use crate::rigid::joint::{JointState, Range, turns};
use freiraum_geometry::{Mat3, Vec3};

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
struct Row {
    a: u32,
    b: u32,
    linear: Vec3,
    lever_a: Vec3,
    lever_b: Vec3,
    turn_a: Vec3,
    turn_b: Vec3,
    inverse_mass_a: f64,
    inverse_mass_b: f64,
    mass: f64,
    position: f64,
    impulse: f64,
    role: Role,
    /// Joint, axis and slot, to write the impulse back.
    home: (u32, u8, u8),
}

/// The point of a joint without translations.
#[derive(Clone, Copy, Debug)]
struct Block {
    a: u32,
    b: u32,
    arm_a: Vec3,
    arm_b: Vec3,
    inverse_mass_a: f64,
    inverse_mass_b: f64,
    inertia_a: Mat3,
    inertia_b: Mat3,
    mass: Mat3,
    gap: Vec3,
    impulse: Vec3,
    joint: u32,
}

/// All joints of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joints {
    blocks: Vec<Block>,
    rows: Vec<Row>,
}

/// Natural frequency of joints as a share of the rate of the parts of a step, and their damping ratio: as stiff as is stable.
const STIFFNESS_SHARE: f64 = 0.25;
const DAMPING_RATIO: f64 = 2.0;

/// The cross product with a vector as a matrix.
fn cross_matrix(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

impl Joints {
    /// Fills the lists; `part` is the length of a part of the step, `scale` that of the last one against it.
    pub(crate) fn prepare(
        &mut self,
        joints: &[JointState],
        bodies: &[Body],
        motions: &[Motion],
        inverses: &[Inverse],
        part: f64,
        scale: f64,
    ) {
        self.blocks.clear();
        self.rows.clear();
        for (number, state) in (0..).zip(joints) {
            let [a, b] = state.joint.bodies.map(|id| id.index());
            let is_still = |body: &Body| !body.is_dynamic() || body.is_asleep;
            if state.is_removed || (is_still(&bodies[a]) && is_still(&bodies[b])) {
                continue;
            }
            self.add(number, state, [a, b], bodies, motions, inverses, part, scale);
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
        let half = |k: usize, at: usize| bodies[at].pose(&motions[at]) * joint.frames[k];
        let (world_from_a, world_from_b) = (half(0, a), half(1, b));
        let (on_a, on_b) = (world_from_a.translation(), world_from_b.translation());
        let gap = on_b - on_a;
        let (inverse_a, inverse_b) = (&inverses[a], &inverses[b]);
        let axes = world_from_a.rotation_matrix();
        let base = Row {
            a: a as u32,
            b: b as u32,
            linear: Vec3::ZERO,
            lever_a: Vec3::ZERO,
            lever_b: Vec3::ZERO,
            turn_a: Vec3::ZERO,
            turn_b: Vec3::ZERO,
            inverse_mass_a: inverse_a.mass,
            inverse_mass_b: inverse_b.mass,
            mass: 0.0,
            position: 0.0,
            impulse: 0.0,
            role: Role::Lock,
            home: (number, 0, 0),
        };
        let is_point = joint.translation.iter().all(|axis| axis.range == Range::Locked);
        if is_point {
            let (arm_a, arm_b) = (on_a - motions[a].center, on_b - motions[b].center);
            let (cross_a, cross_b) = (cross_matrix(arm_a), cross_matrix(arm_b));
            let inverse = Mat3::from_diagonal(Vec3::splat(inverse_a.mass + inverse_b.mass))
                - cross_a * inverse_a.inertia * cross_a
                - cross_b * inverse_b.inertia * cross_b;
            self.blocks.push(Block {
                a: base.a,
                b: base.b,
                arm_a,
                arm_b,
                inverse_mass_a: inverse_a.mass,
                inverse_mass_b: inverse_b.mass,
                inertia_a: inverse_a.inertia,
                inertia_b: inverse_b.inertia,
                mass: inverse.inverse(),
                gap,
                impulse: scale * state.point,
                joint: number,
            });
        }
        let angles = turns(joint, world_from_a.rotation().conjugate() * world_from_b.rotation());
        for k in 0..6 {
            if k < 3 && is_point {
                continue;
            }
            let axis = if k < 3 { &joint.translation[k] } else { &joint.rotation[k - 3] };
            let direction = axes.col(k % 3);
            let (linear, lever_a, lever_b, position) = if k < 3 {
                // The axis turns with a, and so does the point of a that is where b's half is.
                let lever_a = (on_b - motions[a].center).cross(direction);
                let lever_b = (on_b - motions[b].center).cross(direction);
                (direction, lever_a, lever_b, direction.dot(gap))
            } else {
                (Vec3::ZERO, direction, direction, angles[k - 3])
            };
            let (turn_a, turn_b) = (inverse_a.inertia * lever_a, inverse_b.inertia * lever_b);
            let inverse = linear.length_squared() * (inverse_a.mass + inverse_b.mass)
                + lever_a.dot(turn_a)
                + lever_b.dot(turn_b);
            if !(inverse > 0.0) {
                continue;
            }
            let row = Row { linear, lever_a, lever_b, turn_a, turn_b, mass: 1.0 / inverse, position, ..base };
            let mut push = |row: Row, slot: u8| {
                let impulse = scale * state.impulses[k][usize::from(slot)];
                self.rows.push(Row { impulse, home: (number, k as u8, slot), ..row });
            };
            if let Some(spring) = axis.spring.filter(|_| axis.range != Range::Locked) {
                let stiff = part * (spring.damping + part * spring.stiffness);
                if stiff > 0.0 {
                    let give = 1.0 / stiff;
                    let pull = part * spring.stiffness * give;
                    let role = Role::Spring { give, pull };
                    push(Row { role, mass: 1.0 / (inverse + give), position: position - spring.rest, ..row }, 4);
                }
            }
            if let Some(motor) = axis.motor.filter(|_| axis.range != Range::Locked) {
                push(Row { role: Role::Motor { speed: motor.speed, most: motor.most * part }, ..row }, 3);
            }
            match axis.range {
                Range::Free => {}
                Range::Locked => push(row, 0),
                Range::Between(low, high) => {
                    push(Row { role: Role::Limit, position: position - low, ..row }, 1);
                    let back = Row {
                        role: Role::Limit,
                        position: high - position,
                        linear: -linear,
                        lever_a: -lever_a,
                        lever_b: -lever_b,
                        turn_a: -turn_a,
                        turn_b: -turn_b,
                        ..row
                    };
                    push(back, 2);
                }
            }
        }
    }

    /// Applies the impulses of the last part.
    pub(crate) fn warm_start(&self, movers: &mut [Mover]) {
        for block in &self.blocks {
            block.apply(block.impulse, movers);
        }
        for row in &self.rows {
            row.apply(row.impulse, movers);
        }
    }

    /// Goes through all joints once.
    pub(crate) fn sweep(&mut self, movers: &mut [Mover], rate: f64, is_pushing: bool) {
        let softness = if is_pushing {
            Softness::new(STIFFNESS_SHARE * rate, DAMPING_RATIO, 1.0 / rate)
        } else {
            Softness::RIGID
        };
        for row in &mut self.rows {
            row.solve(movers, &softness, rate, is_pushing);
        }
        for block in &mut self.blocks {
            block.solve(movers, &softness);
        }
    }

    /// Writes impulses back.
    pub(crate) fn keep(&self, joints: &mut [JointState]) {
        for state in joints.iter_mut() {
            state.impulses = [[0.0; 5]; 6];
            state.point = Vec3::ZERO;
        }
        for block in &self.blocks {
            joints[block.joint as usize].point = block.impulse;
        }
        for row in &self.rows {
            let (joint, axis, slot) = row.home;
            joints[joint as usize].impulses[usize::from(axis)][usize::from(slot)] = row.impulse;
        }
    }
}

impl Block {
    fn apply(&self, impulse: Vec3, movers: &mut [Mover]) {
        let a = &mut movers[self.a as usize];
        a.linear -= self.inverse_mass_a * impulse;
        a.angular -= self.inertia_a * self.arm_a.cross(impulse);
        a.is_pushed = true;
        let b = &mut movers[self.b as usize];
        b.linear += self.inverse_mass_b * impulse;
        b.angular += self.inertia_b * self.arm_b.cross(impulse);
        b.is_pushed = true;
    }

    fn solve(&mut self, movers: &mut [Mover], softness: &Softness) {
        let (a, b) = (&movers[self.a as usize], &movers[self.b as usize]);
        let speed =
            b.linear + b.angular.cross(self.arm_b) - a.linear - a.angular.cross(self.arm_a);
        let gap = self.gap + b.moved - a.moved + b.turned.cross(self.arm_b) - a.turned.cross(self.arm_a);
        let change = -(softness.mass * (self.mass * (speed + softness.rate * gap)))
            - softness.impulse * self.impulse;
        self.impulse += change;
        self.apply(change, movers);
    }
}

impl Row {
    fn apply(&self, impulse: f64, movers: &mut [Mover]) {
        let a = &mut movers[self.a as usize];
        a.linear -= self.inverse_mass_a * impulse * self.linear;
        a.angular -= impulse * self.turn_a;
        a.is_pushed = true;
        let b = &mut movers[self.b as usize];
        b.linear += self.inverse_mass_b * impulse * self.linear;
        b.angular += impulse * self.turn_b;
        b.is_pushed = true;
    }

    fn solve(&mut self, movers: &mut [Mover], softness: &Softness, rate: f64, is_pushing: bool) {
        let (a, b) = (&movers[self.a as usize], &movers[self.b as usize]);
        let speed = self.linear.dot(b.linear - a.linear) + self.lever_b.dot(b.angular)
            - self.lever_a.dot(a.angular);
        let position = self.position
            + self.linear.dot(b.moved - a.moved)
            + self.lever_b.dot(b.turned)
            - self.lever_a.dot(a.turned);
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
            // A force, not a constraint: nothing to take back after the bodies have moved.
            Role::Spring { .. } if !is_pushing => self.impulse,
            Role::Spring { give, pull } => {
                self.impulse - self.mass * (speed + pull * position + give * self.impulse)
            }
        };
        let change = impulse - self.impulse;
        self.impulse = impulse;
        self.apply(change, movers);
    }
}
