//! What happened, and what touches.

use super::body::BodyId;
use super::collider::ColliderId;
use freiraum_geometry::Vec3;

/// Whether a contact begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Two shapes that did not press on each other in the step before do now.
    Begin,
    /// They no longer do.
    End,
}

/// A contact that begins or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Which of both.
    pub kind: EventKind,
    /// When the stretch of time began in which it happened, in seconds since the engine was made: a step is one stretch unless it is interrupted, and bodies that
    /// are followed touch at its very beginning.
    pub time: f64,
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// Their shapes.
    pub colliders: [ColliderId; 2],
    /// Where, in the world; for an end, where they touched last.
    pub point: Vec3,
    /// Unit vector from the first body to the second.
    pub normal: Vec3,
    /// Normal impulse in this part of the step in N s, of all points together; 0 for an end.
    pub impulse: f64,
}

/// A point of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Half way between the surfaces, in the world.
    pub point: Vec3,
    /// Signed distance of the surfaces when the last step began, negative in overlap.
    pub separation: f64,
    /// Normal impulse of the last step, in N s.
    pub impulse: f64,
}

/// Two shapes that are in contact or about to be.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactView {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// Their shapes.
    pub colliders: [ColliderId; 2],
    /// Unit vector from the first body to the second.
    pub normal: Vec3,
    /// Friction on the second body in the last step, in N s.
    pub friction_impulse: Vec3,
    /// Up to four points.
    pub points: Vec<ContactPoint>,
}
