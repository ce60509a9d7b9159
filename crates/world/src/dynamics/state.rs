//! States of bodies, to be kept and taken up again.

use super::body::{BodyId, Motion};
use super::broad::Broad;
use super::engine::Engine;
use freiraum_geometry::{Quat, Vec3};

/// Where a body is and how it moves, to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Centre of mass, in metres.
    pub center: Vec3,
    /// Orientation of the frame of the body: a unit quaternion.
    pub rotation: Quat,
    /// Velocity of the centre of mass, in m/s.
    pub linear_velocity: Vec3,
    /// In rad/s.
    pub angular_velocity: Vec3,
}

impl Engine {
    /// The state of a body.
    #[must_use]
    pub fn state(&self, id: BodyId) -> BodyState {
        let Motion { center, rotation, linear, angular } = self.motions[id.index()];
        BodyState { center, rotation, linear_velocity: linear, angular_velocity: angular }
    }

    /// Puts a body into a state as [`Engine::state`] gave it. Contacts are found anew. Nothing happens if a number is not finite.
    pub fn set_state(&mut self, id: BodyId, state: &BodyState) {
        let BodyState { center, rotation, linear_velocity: linear, angular_velocity: angular } = *state;
        let is_finite =
            center.is_finite() && rotation.is_finite() && linear.is_finite() && angular.is_finite();
        if is_finite {
            // Wakes what it leaves.
            self.set_pose(id, self.pose(id));
            self.motions[id.index()] = Motion { center, rotation, linear, angular };
        }
    }

    /// Forgets what is known of contacts and joints from the last step, and wakes everybody.
    ///
    /// **Guarantee.** From here on the engine goes on, bit by bit, like one to which the same bodies and joints were added in the same order and that was given the same
    /// states and time: so a world that is saved here can be resumed.
    pub fn forget_contacts(&mut self) {
        let ignored = std::mem::take(&mut self.broad.ignored);
        self.broad = Broad::default();
        self.broad.ignored = ignored;
        self.scratch.known = None;
        for collider in &mut self.colliders {
            collider.fat_until = f64::NEG_INFINITY;
            collider.leaf = None;
            collider.pairs.clear();
        }
        for joint in &mut self.joints {
            joint.impulses = [[0.0; 5]; 6];
        }
        for body in &mut self.bodies {
            body.is_asleep = false;
            body.quiet = 0.0;
        }
        self.travel.fill(0.0);
        self.last_part = 0.0;
    }

    /// Sets the clock, in seconds, when a world is resumed. Nothing else depends on it.
    pub fn set_time(&mut self, time: f64) {
        self.time = time;
    }
}
