//! Contacts as constraints: normal impulses per point, friction per patch.
//!
//! Friction acts at the middle of the points of a patch: two directions within Coulomb's cone, and a torque about the normal. For bodies that
//! slide this is exact, and it takes half the work of friction at every point.

use super::prepare::Inverse;
use super::{Mover, Softness};
use freiraum_geometry::Vec3;

/// A point of contact in the solver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PatchPoint {
    /// Lever arms crossed with the normal: what the angular velocities add to the relative velocity.
    pub(crate) lever_a: Vec3,
    pub(crate) lever_b: Vec3,
    /// Signed distance at the beginning of the step.
    pub(crate) separation: f64,
    /// Inverse of the effective inverse mass.
    pub(crate) mass: f64,
    pub(crate) impulse: f64,
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
    pub(crate) normal: Vec3,
    /// The first direction of friction; the second is across it and the normal.
    pub(crate) tangent: Vec3,
    /// Where friction acts, relative to the centres.
    pub(crate) middle_a: Vec3,
    pub(crate) middle_b: Vec3,
    /// Inverse of the two by two matrix of the tangents, symmetric: xx, xy, yy.
    pub(crate) tangent_mass: [f64; 3],
    pub(crate) friction: f64,
    pub(crate) tangent_impulse: [f64; 2],
    /// Slip that is to be undone, along the tangents.
    pub(crate) slip: [f64; 2],
    /// Effective mass against turning about the normal; 0 for a single point.
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
    /// Sum of the normal impulses of the last part, in N s.
    pub(crate) pressure: f64,
    /// Sum of the normal impulses of all parts of the step, in N s.
    pub(crate) total: f64,
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
    /// The last sweep of a part: its impulses are those that count.
    pub(crate) is_last: bool,
}

impl Patch {
    /// The two directions of friction.
    pub(crate) fn tangents(&self) -> [Vec3; 2] {
        [self.tangent, self.normal.cross(self.tangent)]
    }

    /// Finds effective masses for the inertia of its bodies.
    pub(crate) fn refresh(&mut self, points: &mut [PatchPoint], of_a: &Inverse, of_b: &Inverse) {
        let inverse_mass = of_a.mass + of_b.mass;
        for point in points {
            let inverse = inverse_mass + of_a.ease(point.lever_a) + of_b.ease(point.lever_b);
            point.mass = if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
        }
        let tangents = self.tangents();
        let [of_a_xx, of_a_xy, of_a_yy] = of_a.ease_across(self.middle_a, tangents);
        let [of_b_xx, of_b_xy, of_b_yy] = of_b.ease_across(self.middle_b, tangents);
        let (xx, xy, yy) =
            (inverse_mass + of_a_xx + of_b_xx, of_a_xy + of_b_xy, inverse_mass + of_a_yy + of_b_yy);
        let determinant = xx * yy - xy * xy;
        self.tangent_mass = if determinant > 0.0 {
            [yy / determinant, -xy / determinant, xx / determinant]
        } else {
            [0.0; 3]
        };
        if self.twist_mass > 0.0 {
            let inverse = of_a.ease(self.normal) + of_b.ease(self.normal);
            self.twist_mass = if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
        }
    }

    /// Applies the impulses of the last part.
    pub(crate) fn warm_start(&self, points: &[PatchPoint], a: &mut Mover, b: &mut Mover, of: [&Inverse; 2]) {
        let mut sum = 0.0;
        let (mut torque_a, mut torque_b) = (Vec3::ZERO, Vec3::ZERO);
        for point in points {
            sum += point.impulse;
            torque_a += point.impulse * point.lever_a;
            torque_b += point.impulse * point.lever_b;
        }
        let [t0, t1] = self.tangents();
        let friction = self.tangent_impulse[0] * t0 + self.tangent_impulse[1] * t1;
        let twist = self.twist_impulse * self.normal;
        torque_a += self.middle_a.cross(friction) + twist;
        torque_b += self.middle_b.cross(friction) + twist;
        let linear = sum * self.normal + friction;
        of[0].push(a, -linear, -torque_a);
        of[1].push(b, linear, torque_b);
    }

    /// Solves friction with the normal impulses so far, then the normal impulses. Where nothing has pressed yet the other way round, or surfaces that begin to touch would slip
    /// for the whole of the first part.
    #[inline]
    pub(crate) fn solve(
        &mut self,
        points: &mut [PatchPoint],
        a: &mut Mover,
        b: &mut Mover,
        of: [&Inverse; 2],
        sweep: &Sweep,
    ) {
        let sum = if sweep.is_pushing {
            let pressure: f64 = points.iter().map(|p| p.impulse).sum();
            if pressure > 0.0 {
                self.solve_friction(points, pressure, a, b, of, sweep);
                self.solve_normal(points, a, b, of, sweep)
            } else {
                self.begin(points, a, b, of, sweep)
            }
        } else {
            // While a contact settles, the push is less than what presses at the end of a part: friction is that of the end of the last one, or surfaces would slip
            // that need not. Solving it after the normal impulses instead makes bodies on several patches creep.
            let now: f64 = points.iter().map(|p| p.impulse).sum();
            let pressure = if now > 0.0 { now.max(self.pressure) } else { 0.0 };
            self.solve_friction(points, pressure, a, b, of, sweep);
            self.solve_normal(points, a, b, of, sweep)
        };
        a.is_pushed |= sum > 0.0;
        b.is_pushed |= sum > 0.0;
        if sweep.is_last {
            self.total += sum;
            self.pressure = sum;
        }
    }

    /// The first sweep of a patch on which nothing has pressed yet; the sum of its normal impulses.
    #[cold]
    #[inline(never)]
    fn begin(
        &mut self,
        points: &mut [PatchPoint],
        a: &mut Mover,
        b: &mut Mover,
        of: [&Inverse; 2],
        sweep: &Sweep,
    ) -> f64 {
        // They are stopped at once, and pushed apart no faster than otherwise.
        let softness = Softness { rate: sweep.softness.rate, ..Softness::RIGID };
        let first = Sweep { softness, ..*sweep };
        let mut sum = self.solve_normal(points, a, b, of, &first);
        self.solve_friction(points, sum, a, b, of, sweep);
        if sum > 0.0 {
            for _ in 0..FIRST_SWEEPS {
                sum = self.solve_normal(points, a, b, of, &first);
                self.solve_friction(points, sum, a, b, of, sweep);
            }
        }
        sum
    }

    /// Solves the normal impulses; their sum.
    #[inline]
    fn solve_normal(
        &mut self,
        points: &mut [PatchPoint],
        a: &mut Mover,
        b: &mut Mover,
        of: [&Inverse; 2],
        sweep: &Sweep,
    ) -> f64 {
        let normal = self.normal;
        let mut sum = 0.0;
        for point in points {
            let mut separation = point.separation;
            if sweep.has_moved {
                separation +=
                    normal.dot(b.moved - a.moved) + point.lever_b.dot(b.turned) - point.lever_a.dot(a.turned);
            }
            let speed =
                normal.dot(b.linear - a.linear) + point.lever_b.dot(b.angular) - point.lever_a.dot(a.angular);
            if self.give > 0.0 {
                // A force, not a constraint: it acts in overlap only, and there is nothing to take back after bodies have moved.
                if sweep.is_pushing {
                    let mass = if point.mass > 0.0 { 1.0 / (1.0 / point.mass + self.give) } else { 0.0 };
                    let wanted = speed + self.pull * separation + self.give * point.impulse;
                    let impulse =
                        if separation < 0.0 { (point.impulse - mass * wanted).max(0.0) } else { 0.0 };
                    self.apply(point, impulse, a, b, of);
                }
                sum += point.impulse;
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
            self.apply(point, impulse, a, b, of);
            sum += impulse;
        }
        sum
    }

    /// Changes the normal impulse of a point.
    #[inline]
    fn apply(&self, point: &mut PatchPoint, impulse: f64, a: &mut Mover, b: &mut Mover, of: [&Inverse; 2]) {
        let change = impulse - point.impulse;
        point.impulse = impulse;
        of[0].push(a, -change * self.normal, -change * point.lever_a);
        of[1].push(b, change * self.normal, change * point.lever_b);
    }

    #[inline]
    fn solve_friction(
        &mut self,
        points: &[PatchPoint],
        pressure: f64,
        a: &mut Mover,
        b: &mut Mover,
        of: [&Inverse; 2],
        sweep: &Sweep,
    ) {
        if self.twist_mass > 0.0 {
            let lever: f64 = points.iter().map(|p| p.impulse * p.radius).sum();
            let most = self.friction * lever + self.spinning * pressure;
            let speed = self.normal.dot(b.angular - a.angular);
            let impulse = (self.twist_impulse - self.twist_mass * speed).clamp(-most, most);
            let change = impulse - self.twist_impulse;
            self.twist_impulse = impulse;
            of[0].push(a, Vec3::ZERO, -change * self.normal);
            of[1].push(b, Vec3::ZERO, change * self.normal);
        }
        if self.friction > 0.0 {
            let push = if sweep.is_pushing { SLIP_SHARE * sweep.rate } else { 0.0 };
            let [t0, t1] = self.tangents();
            let velocity =
                b.linear + b.angular.cross(self.middle_b) - a.linear - a.angular.cross(self.middle_a);
            let s0 = t0.dot(velocity) + push * self.slip[0];
            let s1 = t1.dot(velocity) + push * self.slip[1];
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
            of[0].push(a, -linear, -self.middle_a.cross(linear));
            of[1].push(b, linear, self.middle_b.cross(linear));
        }
    }
}

/// How often the points of a patch on which nothing has pressed yet are gone through at first.
const FIRST_SWEEPS: usize = 8;

/// The share of a slip that is undone in one part of a step.
const SLIP_SHARE: f64 = 0.125;
