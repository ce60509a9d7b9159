//! From pairs with points of contact to what the solver goes through.

use super::Mover;
use super::contact::{Patch, PatchPoint, Sweep};
use crate::dynamics::pair::Pair;
use freiraum_geometry::{Mat3, Vec3};

/// All contacts of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) patches: Vec<Patch>,
    pub(crate) points: Vec<PatchPoint>,
    pub(crate) rollers: Vec<Roller>,
}

impl Prepared {
    /// Goes through all contacts once.
    pub(crate) fn sweep(&mut self, movers: &mut [Mover], inverses: &[Inverse], sweep: &Sweep) {
        for patch in &mut self.patches {
            let points = &mut self.points[patch.first as usize..][..patch.count as usize];
            let ends = [patch.a as usize, patch.b as usize];
            let of = ends.map(|at| &inverses[at]);
            let Ok([a, b]) = movers.get_disjoint_mut(ends) else { continue };
            if !(sweep.has_moved && (a.is_wild || b.is_wild)) {
                patch.solve(points, a, b, of, sweep);
            } else if sweep.is_last && patch.total == 0.0 {
                // What has pressed before they moved is told all the same.
                patch.total = points.iter().map(|p| p.impulse).sum();
            }
        }
        for roller in &mut self.rollers {
            let patch = &self.patches[roller.patch as usize];
            let points = &self.points[patch.first as usize..][..patch.count as usize];
            let pressure: f64 = points.iter().map(|p| p.impulse).sum();
            roller.solve(patch, pressure, movers);
        }
    }

    /// Applies the impulses of the last part, but those of wild bodies once they have moved.
    pub(crate) fn warm_start(&self, movers: &mut [Mover], inverses: &[Inverse], has_moved: bool) {
        for patch in &self.patches {
            let points = &self.points[patch.first as usize..][..patch.count as usize];
            let ends = [patch.a as usize, patch.b as usize];
            let of = ends.map(|at| &inverses[at]);
            let Ok([a, b]) = movers.get_disjoint_mut(ends) else { continue };
            if !(has_moved && (a.is_wild || b.is_wild)) {
                patch.warm_start(points, a, b, of);
            }
        }
        for roller in &self.rollers {
            let patch = &self.patches[roller.patch as usize];
            roller.apply(patch, roller.impulse, movers);
        }
    }
}

/// Resistance against rolling in one patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roller {
    pub(crate) patch: u32,
    /// The torque is at most this many metres times the normal force.
    lever: f64,
    inertia_a: Mat3,
    inertia_b: Mat3,
    /// A lower bound of the effective mass: exact for balls.
    mass: f64,
    /// Torque impulse on b, across the normal.
    pub(crate) impulse: Vec3,
}

impl Roller {
    fn solve(&mut self, patch: &Patch, pressure: f64, movers: &mut [Mover]) {
        let turning = movers[patch.b as usize].angular - movers[patch.a as usize].angular;
        let rolling = turning - patch.normal.dot(turning) * patch.normal;
        let wanted = self.impulse - self.mass * rolling;
        let wanted = wanted - patch.normal.dot(wanted) * patch.normal;
        let (length, most) = (wanted.length(), self.lever * pressure);
        let impulse = if length > most { wanted * (most / length) } else { wanted };
        let change = impulse - self.impulse;
        self.impulse = impulse;
        self.apply(patch, change, movers);
    }

    fn apply(&self, patch: &Patch, impulse: Vec3, movers: &mut [Mover]) {
        movers[patch.a as usize].angular -= self.inertia_a * impulse;
        movers[patch.b as usize].angular += self.inertia_b * impulse;
    }
}

/// The largest sum of the entries of a row: a bound of how much a matrix can stretch.
fn norm(matrix: Mat3) -> f64 {
    (matrix.abs() * Vec3::ONE).max_element()
}

impl Prepared {
    /// Takes over new inertia of bodies that have turned.
    pub(crate) fn refresh(&mut self, movers: &[Mover], inverses: &[Inverse]) {
        for patch in &mut self.patches {
            let (a, b) = (patch.a as usize, patch.b as usize);
            if movers[a].has_turned || movers[b].has_turned {
                let points = &mut self.points[patch.first as usize..][..patch.count as usize];
                patch.refresh(points, &inverses[a], &inverses[b]);
            }
        }
    }
}

/// What the solver needs of a body that does not change during a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inverse {
    pub(crate) mass: f64,
    /// One number for bodies whose moments are all alike, else 0: a ninth of the memory, and less to multiply.
    pub(crate) round: f64,
    pub(crate) inertia: Mat3,
}

impl Inverse {
    /// Gives a body an impulse and a torque impulse. Fixed ones take none, and cost nothing.
    #[inline]
    pub(crate) fn push(&self, mover: &mut Mover, linear: Vec3, torque: Vec3) {
        if self.mass > 0.0 {
            mover.linear += self.mass * linear;
            mover.angular += self.turn(torque);
        }
    }

    /// How fast a body turns along a lever for a torque impulse along it. Fixed ones do not, and cost nothing.
    #[inline]
    pub(crate) fn ease(&self, lever: Vec3) -> f64 {
        if self.mass > 0.0 { lever.dot(self.turn(lever)) } else { 0.0 }
    }

    /// How fast a point of a body moves along two directions for impulses along them because it turns: a symmetric matrix, xx, xy, yy.
    #[inline]
    pub(crate) fn ease_across(&self, point: Vec3, directions: [Vec3; 2]) -> [f64; 3] {
        if self.mass == 0.0 {
            return [0.0; 3];
        }
        let [x, y] = directions.map(|d| point.cross(d));
        let (by_x, by_y) = (self.turn(x), self.turn(y));
        [x.dot(by_x), x.dot(by_y), y.dot(by_y)]
    }

    /// What a torque impulse does to the angular velocity.
    #[inline]
    pub(crate) fn turn(&self, torque: Vec3) -> Vec3 {
        if self.round > 0.0 { self.round * torque } else { self.inertia * torque }
    }
}

/// Fills the lists with all points that can be reached in the time of the step, the first of `times`; the second is the length of its parts. Impulses of the
/// last step are scaled.
pub(crate) fn prepare(
    pairs: &[Pair],
    movers: &[Mover],
    inverses: &[Inverse],
    times: [f64; 2],
    scale: f64,
    out: &mut Prepared,
) {
    out.patches.clear();
    out.points.clear();
    out.rollers.clear();
    for (at, pair) in pairs.iter().enumerate() {
        let [a, b] = pair.bodies.map(|b| &inverses[b as usize]);
        if a.mass + b.mass == 0.0 {
            continue;
        }
        for (number, manifold) in pair.manifolds.iter().enumerate() {
            if manifold.count == 0 {
                continue;
            }
            add(pair, [at as u32, number as u32], movers, inverses, times, scale, out);
        }
    }
}

fn add(
    pair: &Pair,
    [at, number]: [u32; 2],
    movers: &[Mover],
    inverses: &[Inverse],
    [time, part]: [f64; 2],
    scale: f64,
    out: &mut Prepared,
) {
    let manifold = &pair.manifolds[number as usize];
    let [a, b] = pair.bodies;
    let (motion_a, motion_b) = (&movers[a as usize], &movers[b as usize]);
    // Impulses that are not from here would only add energy.
    let scale = if motion_a.is_wild || motion_b.is_wild { 0.0 } else { scale };
    let (inverse_a, inverse_b) = (&inverses[a as usize], &inverses[b as usize]);
    let normal = manifold.normal;
    let first = out.points.len();
    let (mut middle_a, mut middle_b) = (Vec3::ZERO, Vec3::ZERO);
    for (source, point) in (0..).zip(manifold.points()) {
        let lever_a = point.from_a.cross(normal);
        let lever_b = point.from_b.cross(normal);
        if point.separation > 0.0 && point.impulse == 0.0 {
            // Twice the approach, and what gravity adds, do not close the gap in this step.
            let speed = normal.dot(motion_b.linear - motion_a.linear) + lever_b.dot(motion_b.angular)
                - lever_a.dot(motion_a.angular);
            if point.separation + (2.0 * speed.min(0.0) - time * REACH) * time > 0.0 {
                continue;
            }
        }
        middle_a += point.from_a;
        middle_b += point.from_b;
        out.points.push(PatchPoint {
            lever_a,
            lever_b,
            separation: point.separation,
            mass: 0.0,
            impulse: scale * point.impulse,
            radius: 0.0,
            source,
        });
    }
    let count = out.points.len() - first;
    if count == 0 {
        return;
    }
    let share = 1.0 / count as f64;
    let (middle_a, middle_b) = (share * middle_a, share * middle_b);
    let tangent = tangent_across(normal);
    let tangents = [tangent, normal.cross(tangent)];
    if count > 1 {
        for point in &mut out.points[first..] {
            point.radius = manifold.points[point.source as usize].from_a.distance(middle_a);
        }
    }
    let friction_impulse = scale * manifold.friction_impulse;
    let has_twist = count > 1 || pair.spinning > 0.0;
    let give = if pair.is_penalty() { 1.0 / (part * (pair.damping + part * pair.stiffness)) } else { 0.0 };
    if pair.rolling > 0.0 {
        out.rollers.push(Roller {
            patch: out.patches.len() as u32,
            lever: pair.rolling,
            inertia_a: inverse_a.inertia,
            inertia_b: inverse_b.inertia,
            mass: 1.0 / norm(inverse_a.inertia + inverse_b.inertia),
            impulse: scale * manifold.rolling_impulse,
        });
    }
    let mut patch = Patch {
        a,
        b,
        first: first as u32,
        count: count as u32,
        normal,
        tangent,
        friction: pair.friction,
        tangent_impulse: tangents.map(|t| t.dot(friction_impulse)),
        slip: tangents.map(|t| t.dot(manifold.slip)),
        // A single point has no lever; the refresh finds the value.
        twist_mass: if has_twist { 1.0 } else { 0.0 },
        twist_impulse: if has_twist { scale * manifold.twist_impulse } else { 0.0 },
        spinning: pair.spinning,
        give,
        pull: part * pair.stiffness * give,
        pair: at,
        manifold: number,
        middle_a,
        middle_b,
        pressure: out.points[first..].iter().map(|p| p.impulse).sum(),
        ..Patch::default()
    };
    patch.refresh(&mut out.points[first..], inverse_a, inverse_b);
    out.patches.push(patch);
}

/// Acceleration that may close a gap beside the velocities at the beginning of a step, in m/s²: ten times gravity.
const REACH: f64 = 100.0;

/// A unit vector across a unit vector, the same on every machine.
pub(crate) fn tangent_across(normal: Vec3) -> Vec3 {
    let n = normal;
    let t = if n.x.abs() < 0.75 { Vec3::new(0.0, n.z, -n.y) } else { Vec3::new(-n.z, 0.0, n.x) };
    t / t.length()
}
