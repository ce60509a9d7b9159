//! Points of contact as rows of a system of inequalities.

use super::{HOLDING, SAME, SWEEPS};
use crate::dynamics::solver::{Inverse, Mover, Patch, PatchPoint};
use freiraum_geometry::Vec3;

/// One point of contact: its surfaces must not approach faster than they may.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) patch: u32,
    pub(super) ends: [u32; 2],
    normal: Vec3,
    levers: [Vec3; 2],
    /// Signed distance now.
    pub(super) gap: f64,
    /// The least speed with which the surfaces may part, at most 0: then the contact is as deep as it may be at the end of the part.
    pub(super) least: f64,
    /// Depth per part, a speed.
    scale: f64,
    /// How much speed the body below gets from an impulse, with what holds it.
    pub(super) below: f64,
    /// What has held it, in N s.
    pub(super) impulse: f64,
}

impl Row {
    pub(super) fn new(patch: &Patch, point: &PatchPoint, depth: f64, a: &Mover, b: &Mover, part: f64) -> Row {
        let gap = point.separation + patch.normal.dot(b.moved - a.moved) + point.lever_b.dot(b.turned)
            - point.lever_a.dot(a.turned);
        Row {
            patch: 0,
            ends: [patch.a, patch.b],
            normal: patch.normal,
            levers: [point.lever_a, point.lever_b],
            gap,
            least: -(gap + depth).max(0.0) / part,
            scale: depth / part,
            below: 0.0,
            impulse: 0.0,
        }
    }

    pub(super) fn other(&self, own: u32) -> u32 {
        if self.ends[0] == own { self.ends[1] } else { self.ends[0] }
    }

    /// How fast the surfaces part.
    pub(super) fn speed(&self, movers: &[Mover]) -> f64 {
        let [a, b] = self.ends.map(|at| &movers[at as usize]);
        self.normal.dot(b.linear - a.linear) + self.levers[1].dot(b.angular) - self.levers[0].dot(a.angular)
    }

    pub(super) fn is_violated(&self, movers: &[Mover]) -> bool {
        self.speed(movers) < self.least - SAME * self.scale
    }

    pub(super) fn is_holding(&self, movers: &[Mover]) -> bool {
        self.speed(movers) < self.least + HOLDING * self.scale
    }

    /// Direction and torque of a unit impulse on a body.
    fn on(&self, body: u32) -> (Vec3, Vec3) {
        if self.ends[0] == body { (-self.normal, -self.levers[0]) } else { (self.normal, self.levers[1]) }
    }

    /// The speed along the row that a body gets from a unit impulse.
    pub(super) fn inverse(&self, body: u32, inverse: &Inverse) -> f64 {
        let (_, torque) = self.on(body);
        inverse.mass + torque.dot(inverse.inertia * torque)
    }

    /// What a body does if nothing but the row acts on it.
    pub(super) fn response(&self, body: u32, inverse: &Inverse) -> Support {
        let (linear, torque) = self.on(body);
        Support {
            linear: inverse.mass * linear,
            angular: inverse.inertia * torque,
            inverse: 0.0,
            shares: Vec::new(),
        }
    }

    /// The speed along the row of what a body does.
    pub(super) fn along(&self, body: u32, support: &Support) -> f64 {
        let (linear, torque) = self.on(body);
        linear.dot(support.linear) + torque.dot(support.angular)
    }
}

/// The velocities that a body gets from a unit impulse.
#[derive(Clone, Debug)]
pub(super) struct Support {
    linear: Vec3,
    angular: Vec3,
    /// Speed along the row of the impulse.
    pub(super) inverse: f64,
    /// Rows that hold the body, and their impulses.
    pub(super) shares: Vec<(u32, f64)>,
}

impl Support {
    /// Contacts that hold the body push back: it does not move into them.
    pub(super) fn hold(&mut self, body: u32, inverse: &Inverse, rows: &[Row], holding: &[u32]) {
        self.shares.extend(holding.iter().map(|k| (*k, 0.0)));
        for _ in 0..4 * SWEEPS {
            let mut change = 0.0f64;
            for at in 0..self.shares.len() {
                let (k, impulse) = self.shares[at];
                let row = &rows[k as usize];
                let gives = row.inverse(body, inverse) + row.below;
                let more = (-(row.along(body, self) + row.below * impulse) / gives).max(-impulse);
                self.shares[at].1 += more;
                change = change.max(more.abs());
                let back = row.response(body, inverse);
                self.linear += more * back.linear;
                self.angular += more * back.angular;
            }
            if change <= SAME {
                break;
            }
        }
    }

    pub(super) fn stand_still(&mut self) {
        (self.linear, self.angular, self.inverse) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    }

    /// Adds so much of it to the velocities of a body.
    pub(super) fn push(&self, impulse: f64, mover: &mut Mover) {
        mover.linear += impulse * self.linear;
        mover.angular += impulse * self.angular;
        mover.is_pushed |= impulse != 0.0;
    }
}

/// Friction of a patch on one of its bodies, as if the other one stood still: that only takes energy.
pub(super) fn rub(patch: &Patch, own: u32, pressure: f64, inverse: &Inverse, movers: &mut [Mover]) {
    let arm = if own == patch.a { patch.middle_a } else { patch.middle_b };
    let mover = &mut movers[own as usize];
    let velocity = mover.linear + mover.angular.cross(arm);
    let slip = velocity - patch.normal.dot(velocity) * patch.normal;
    let speed = slip.length();
    if speed > 0.0 {
        let along = slip / speed;
        let lever = arm.cross(along);
        let stop = speed / (inverse.mass + lever.dot(inverse.inertia * lever));
        let impulse = stop.min(patch.friction * pressure);
        mover.linear -= impulse * inverse.mass * along;
        mover.angular -= impulse * (inverse.inertia * lever);
    }
}
