//! Where the halves of a joint are, and what its axes say of the velocities of its bodies.

use crate::dynamics::body::{Body, Motion};
use crate::dynamics::joint::{Joint, turns_held};
use freiraum_geometry::{Mat3, Vec3};

/// Where the two halves of a joint are.
pub(super) struct Halves {
    axes: Mat3,
    gap: Vec3,
    angles: Vec3,
    /// From the centres of both bodies to the second half.
    from_a: Vec3,
    from_b: Vec3,
}

/// What an axis of a joint says of the velocities of its bodies, and where the second half is along or about it.
pub(super) struct Direction {
    pub(super) linear: Vec3,
    pub(super) lever_a: Vec3,
    pub(super) lever_b: Vec3,
    pub(super) position: f64,
}

impl Halves {
    pub(super) fn of(joint: &Joint, bodies: &[Body], motions: &[Motion]) -> Halves {
        let [a, b] = joint.bodies.map(|id| id.index());
        // Products of unit quaternions are units to rounding, which is all that is needed here.
        let half = |k: usize, at: usize| {
            let (motion, frame) = (&motions[at], &joint.frames[k]);
            let arm = motion.rotation * (frame.translation() - bodies[at].local_center);
            (arm, motion.rotation * frame.rotation())
        };
        let ((arm_a, rotation_a), (from_b, rotation_b)) = (half(0, a), half(1, b));
        let from_a = (motions[b].center - motions[a].center) + from_b;
        Halves {
            axes: Mat3::from_quat(rotation_a),
            gap: from_a - arm_a,
            angles: turns_held(joint, rotation_a.conjugate() * rotation_b),
            from_a,
            from_b,
        }
    }

    /// Along x, y, z or about them.
    pub(super) fn direction(&self, axis: usize) -> Direction {
        let along = self.axes.col(axis % 3);
        if axis < 3 {
            // The axis turns with a, and so does the point of a that is where b's half is.
            Direction {
                linear: along,
                lever_a: self.from_a.cross(along),
                lever_b: self.from_b.cross(along),
                position: along.dot(self.gap),
            }
        } else {
            let position = self.angles[axis - 3];
            Direction { linear: Vec3::ZERO, lever_a: along, lever_b: along, position }
        }
    }

    /// How far the second half is from the centres of the bodies.
    pub(super) fn reach(&self) -> f64 {
        self.from_a.length().max(self.from_b.length())
    }
}
