//! Contacts as constraints: normal impulses per point, friction per patch.
//!
//! Friction acts at the middle of the points of a patch: two directions within Coulomb's cone, and a torque about the normal. For bodies that
//! slide this is exact, and it takes half the work of friction at every point.

use super::{Mover, Softness};
use freiraum_geometry::{Mat3, Vec3};

/// How a constraint direction moves both bodies: a gets the negative impulse.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    /// Lever arms crossed with the direction: what the angular velocities add to the relative velocity.
    pub(crate) lever_a: Vec3,
    pub(crate) lever_b: Vec3,
    /// Change of the angular velocities per unit of impulse.
    pub(crate) turn_a: Vec3,
    pub(crate) turn_b: Vec3,
}

impl Row {
    /// Relative velocity of b against a in a direction.
    #[inline]
    fn speed(&self, direction: Vec3, a: &Mover, b: &Mover) -> f64 {
        direction.dot(b.linear - a.linear) + self.lever_b.dot(b.angular) - self.lever_a.dot(a.angular)
    }
}

/// A point of contact in the solver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PatchPoint {
    pub(crate) row: Row,
    /// Signed distance at the beginning of the step.
    pub(crate) separation: f64,
    /// Inverse of the effective inverse mass.
    pub(crate) mass: f64,
    pub(crate) impulse: f64,
    /// Sum of the impulses of all parts of the step, in N s.
    pub(crate) total: f64,
    /// Distance from the middle of the patch, the lever of friction about the normal.
    pub(crate) radius: f64,
    /// Which point of the manifold it is.
    pub(crate) source: u32,
}

/// The points of one manifold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patch {
    /// Movers.
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Range in the list of points.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) inverse_mass_a: f64,
    pub(crate) inverse_mass_b: f64,
    pub(crate) normal: Vec3,
    pub(crate) tangents: [Vec3; 2],
    pub(crate) rows: [Row; 2],
    /// Inverse of the two by two matrix of the tangents, symmetric: xx, xy, yy.
    pub(crate) tangent_mass: [f64; 3],
    pub(crate) friction: f64,
    pub(crate) tangent_impulse: [f64; 2],
    /// Slip that is to be undone, along the tangents.
    pub(crate) slip: [f64; 2],
    /// Change of the angular velocities per unit of torque about the normal; the effective mass is 0 for a single point.
    pub(crate) twist_a: Vec3,
    pub(crate) twist_b: Vec3,
    pub(crate) twist_mass: f64,
    pub(crate) twist_impulse: f64,
    /// Lever of resistance against spinning, in metres.
    pub(crate) spinning: f64,
    /// A spring instead of a constraint: share of the impulse in the speed, and wanted speed per metre; both 0 for constraints.
    pub(crate) give: f64,
    pub(crate) pull: f64,
    /// Whether friction had to give way: the surfaces slide.
    pub(crate) is_sliding: bool,
    /// Where the patch came from: pair and manifold.
    pub(crate) pair: u32,
    pub(crate) manifold: u32,
    /// Where friction acts, relative to the centres.
    pub(crate) middle_a: Vec3,
    pub(crate) middle_b: Vec3,
}

/// What holds for all contacts in one sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub(crate) softness: Softness,
    /// 1 / length of this part of the step.
    pub(crate) rate: f64,
    pub(crate) push_speed: f64,
    /// With the push against errors of position.
    pub(crate) is_pushing: bool,
    /// Whether bodies have moved since the separations were found.
    pub(crate) has_moved: bool,
}

impl Patch {
    /// Takes over new inertia of its bodies; lever arms stay.
    pub(crate) fn refresh(&mut self, points: &mut [PatchPoint], inertia_a: &Mat3, inertia_b: &Mat3) {
        let inverse_mass = self.inverse_mass_a + self.inverse_mass_b;
        for point in points {
            let row = &mut point.row;
            (row.turn_a, row.turn_b) = (*inertia_a * row.lever_a, *inertia_b * row.lever_b);
            let inverse = inverse_mass + row.lever_a.dot(row.turn_a) + row.lever_b.dot(row.turn_b);
            point.mass = if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
        }
        for row in &mut self.rows {
            (row.turn_a, row.turn_b) = (*inertia_a * row.lever_a, *inertia_b * row.lever_b);
        }
        let entry = |i: usize, j: usize| {
            self.rows[i].lever_a.dot(self.rows[j].turn_a) + self.rows[i].lever_b.dot(self.rows[j].turn_b)
        };
        let (xx, xy, yy) = (inverse_mass + entry(0, 0), entry(0, 1), inverse_mass + entry(1, 1));
        let determinant = xx * yy - xy * xy;
        self.tangent_mass = if determinant > 0.0 {
            [yy / determinant, -xy / determinant, xx / determinant]
        } else {
            [0.0; 3]
        };
        if self.twist_mass > 0.0 {
            (self.twist_a, self.twist_b) = (*inertia_a * self.normal, *inertia_b * self.normal);
            let inverse = self.normal.dot(self.twist_a + self.twist_b);
            self.twist_mass = if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
        }
    }

    /// Applies the impulses of the last part.
    pub(crate) fn warm_start(&self, points: &[PatchPoint], a: &mut Mover, b: &mut Mover) {
        let mut linear = Vec3::ZERO;
        let (mut turn_a, mut turn_b) = (Vec3::ZERO, Vec3::ZERO);
        let mut sum = 0.0;
        for point in points {
            sum += point.impulse;
            turn_a += point.impulse * point.row.turn_a;
            turn_b += point.impulse * point.row.turn_b;
        }
        linear += sum * self.normal;
        for k in 0..2 {
            let impulse = self.tangent_impulse[k];
            linear += impulse * self.tangents[k];
            turn_a += impulse * self.rows[k].turn_a;
            turn_b += impulse * self.rows[k].turn_b;
        }
        turn_a += self.twist_impulse * self.twist_a;
        turn_b += self.twist_impulse * self.twist_b;
        a.linear -= self.inverse_mass_a * linear;
        b.linear += self.inverse_mass_b * linear;
        a.angular -= turn_a;
        b.angular += turn_b;
    }

    /// Solves friction with the normal impulses so far, then the normal impulses.
    pub(crate) fn solve(&mut self, points: &mut [PatchPoint], a: &mut Mover, b: &mut Mover, sweep: &Sweep) {
        self.solve_friction(points, a, b, sweep);
        let normal = self.normal;
        let mut is_pressed = false;
        for point in points {
            let mut separation = point.separation;
            if sweep.has_moved {
                separation += normal.dot(b.moved - a.moved) + point.row.lever_b.dot(b.turned)
                    - point.row.lever_a.dot(a.turned);
            }
            let speed = point.row.speed(normal, a, b);
            if self.give > 0.0 {
                // A force, not a constraint: it acts in overlap only, and there is nothing to take back after bodies have moved.
                if sweep.is_pushing {
                    let mass = if point.mass > 0.0 { 1.0 / (1.0 / point.mass + self.give) } else { 0.0 };
                    let wanted = speed + self.pull * separation + self.give * point.impulse;
                    let impulse =
                        if separation < 0.0 { (point.impulse - mass * wanted).max(0.0) } else { 0.0 };
                    is_pressed |= self.apply(point, impulse, a, b);
                }
                continue;
            }
            let (bias, softness) = if separation > 0.0 {
                // They may come as near as to touch at the end of this part. Bodies that nothing pushes fly with the mean of their velocities, and
                // what has not acted before bodies moved has no reason to act afterwards.
                if point.impulse == 0.0
                    && (!sweep.is_pushing
                        || speed - 0.5 * normal.dot(b.kick - a.kick) + separation * sweep.rate >= 0.0)
                {
                    continue;
                }
                (separation * sweep.rate, Softness::RIGID)
            } else if sweep.is_pushing {
                ((sweep.softness.rate * separation).max(-sweep.push_speed), sweep.softness)
            } else {
                (0.0, Softness::RIGID)
            };
            let wanted = -point.mass * softness.mass * (speed + bias) - softness.impulse * point.impulse;
            let impulse = (point.impulse + wanted).max(0.0);
            is_pressed |= self.apply(point, impulse, a, b);
        }
        a.is_pushed |= is_pressed;
        b.is_pushed |= is_pressed;
    }

    /// Changes the normal impulse of a point, and tells whether there is one.
    #[inline]
    fn apply(&self, point: &mut PatchPoint, impulse: f64, a: &mut Mover, b: &mut Mover) -> bool {
        let change = impulse - point.impulse;
        point.impulse = impulse;
        a.linear -= (self.inverse_mass_a * change) * self.normal;
        b.linear += (self.inverse_mass_b * change) * self.normal;
        a.angular -= change * point.row.turn_a;
        b.angular += change * point.row.turn_b;
        impulse > 0.0
    }

    fn solve_friction(&mut self, points: &[PatchPoint], a: &mut Mover, b: &mut Mover, sweep: &Sweep) {
        let pressure: f64 = points.iter().map(|p| p.impulse).sum();
        if self.twist_mass > 0.0 {
            let lever: f64 = points.iter().map(|p| p.impulse * p.radius).sum();
            let most = self.friction * lever + self.spinning * pressure;
            let speed = self.normal.dot(b.angular - a.angular);
            let impulse = (self.twist_impulse - self.twist_mass * speed).clamp(-most, most);
            let change = impulse - self.twist_impulse;
            self.twist_impulse = impulse;
            a.angular -= change * self.twist_a;
            b.angular += change * self.twist_b;
        }
        if self.friction > 0.0 {
            let push = if sweep.is_pushing { SLIP_SHARE * sweep.rate } else { 0.0 };
            let [t0, t1] = self.tangents;
            let s0 = self.rows[0].speed(t0, a, b) + push * self.slip[0];
            let s1 = self.rows[1].speed(t1, a, b) + push * self.slip[1];
            let [xx, xy, yy] = self.tangent_mass;
            let mut i0 = self.tangent_impulse[0] - (xx * s0 + xy * s1);
            let mut i1 = self.tangent_impulse[1] - (xy * s0 + yy * s1);
            let most = self.friction * pressure;
            let square = i0 * i0 + i1 * i1;
            let is_beyond = square > most * most;
            // Undoing a slip may ask for more than friction gives although the surfaces stick: only the sweep without push tells.
            self.is_sliding = is_beyond && !sweep.is_pushing;
            if is_beyond {
                let scale = most / square.sqrt();
                (i0, i1) = (i0 * scale, i1 * scale);
            }
            let (c0, c1) = (i0 - self.tangent_impulse[0], i1 - self.tangent_impulse[1]);
            self.tangent_impulse = [i0, i1];
            let linear = c0 * t0 + c1 * t1;
            a.linear -= self.inverse_mass_a * linear;
            b.linear += self.inverse_mass_b * linear;
            a.angular -= c0 * self.rows[0].turn_a + c1 * self.rows[1].turn_a;
            b.angular += c0 * self.rows[0].turn_b + c1 * self.rows[1].turn_b;
        }
    }
}

/// The share of a slip that is undone in one part of a step.
const SLIP_SHARE: f64 = 0.125;
