//! Velocities after contacts and joints: soft constraints, gone through one after the other, from the impulses of the last step.
//!
//! The scheme is that of small steps with soft contacts: a step is cut into parts; in each, forces change velocities, constraints are
//! solved with a gentle push against errors of position, bodies move, and constraints are solved again without the push, so that it leaves
//! no speed behind.

mod contact;
mod factor;
mod halves;
mod integrate;
mod joint;
mod linkage;
mod linkages;
mod prepare;
mod system;

pub(crate) use contact::{Patch, PatchPoint, Sweep};
pub(crate) use integrate::{advance, kick};
pub(crate) use joint::Joints;
pub(crate) use linkage::Held;
pub(crate) use linkages::Linkages;
pub(crate) use prepare::{Inverse, Prepared, prepare, tangent_across};

use freiraum_geometry::Vec3;

/// The velocities of a body while constraints are solved, with what it has moved since the constraints were prepared. What sweeps need is in its first two cache lines.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Mover {
    pub(crate) linear: Vec3,
    pub(crate) angular: Vec3,
    /// Movement of the centre, and turn as a vector, since the beginning of the step.
    pub(crate) moved: Vec3,
    pub(crate) turned: Vec3,
    /// What forces added to the velocity in this part of the step.
    pub(crate) kick: Vec3,
    /// Whether it tumbles so fast that its contacts are others as soon as it has moved.
    pub(crate) is_wild: bool,
    /// Whether it has turned so far that its inertia in the world is another.
    pub(crate) has_turned: bool,
    /// Whether an impulse acted on it in this part of the step.
    pub(crate) is_pushed: bool,
    /// Whether it belongs to a linkage that moves as a whole.
    pub(crate) is_linked: bool,
    /// Velocities before constraints acted, and what they added in this part of the step.
    pub(crate) start: [Vec3; 2],
    pub(crate) added: [Vec3; 2],
    /// Turn since its inertia in the world was found, times its unevenness.
    pub(crate) unevenness: f64,
}

impl Mover {
    /// Constraints begin to act.
    pub(crate) fn mark(&mut self) {
        self.start = [self.linear, self.angular];
    }

    /// What constraints have added since the mark.
    pub(crate) fn gained(&self) -> [Vec3; 2] {
        [self.linear - self.start[0], self.angular - self.start[1]]
    }
}

/// How soft constraints are in one part of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Softness {
    /// Share of the error of position that is taken away per second.
    pub(crate) rate: f64,
    /// Factor of the effective mass.
    pub(crate) mass: f64,
    /// Share of the impulse so far that is taken back.
    pub(crate) impulse: f64,
}

impl Softness {
    /// A spring with this natural frequency (in Hz) and damping ratio, implicit in time: stable for every step.
    pub(crate) fn new(frequency: f64, damping_ratio: f64, time: f64) -> Softness {
        let omega = std::f64::consts::TAU * frequency;
        let a1 = 2.0 * damping_ratio + time * omega;
        let a2 = time * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Softness { rate: omega / a1, mass: a2 * a3, impulse: a3 }
    }

    /// No spring: velocities alone.
    pub(crate) const RIGID: Softness = Softness { rate: 0.0, mass: 1.0, impulse: 0.0 };
}
