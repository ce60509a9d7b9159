//! Joints: what holds two bodies together, and what moves them against each other.

use super::body::BodyId;
use super::engine::Engine;
use freiraum_geometry::{Pose, Quat, Vec3};

/// The name of a joint in its engine. Names of removed joints are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub u32);

/// Where a joint lets the second body be, along or about one axis.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Range {
    /// Everywhere.
    #[default]
    Free,
    /// At 0.
    Locked,
    /// Between two positions, in metres or radians. Angles are those of [`Engine::joint_position`], in (-pi, pi].
    Between(f64, f64),
}

/// Something that wants a speed and has some force for it. A brake wants speed 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// In m/s or rad/s.
    pub speed: f64,
    /// Largest force in newtons, or torque in N m.
    pub most: f64,
}

/// A spring with a damper. Implicit in time: any stiffness is stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Where it pulls to, in metres or radians.
    pub rest: f64,
    /// N/m or N m/rad.
    pub stiffness: f64,
    /// N s/m or N m s/rad.
    pub damping: f64,
}

/// What a joint does along or about one axis.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Axis {
    /// Where it may be.
    pub range: Range,
    /// What drives it, if it is not locked.
    pub motor: Option<Motor>,
    /// What pulls it, if it is not locked.
    pub spring: Option<Spring>,
}

impl Axis {
    /// Held at 0.
    pub const LOCKED: Axis = Axis { range: Range::Locked, motor: None, spring: None };
    /// Let go.
    pub const FREE: Axis = Axis { range: Range::Free, motor: None, spring: None };
}

/// A joint between two bodies.
///
/// **Frames.** `frames` are the two halves of the joint: `a_from_joint` and `b_from_joint`, in the frames of the bodies. Axes are those of the first half; the
/// position of a joint is where its second half is, seen from the first: along x, y, z and about x, y, z.
/// **Limits.** At most one turning axis may have limits, motor or spring if the other two are locked, and then it may turn without end. With two or three
/// turning axes free, turns are small angles: ranges and springs are for small excursions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// `a_from_joint` and `b_from_joint`.
    pub frames: [Pose; 2],
    /// Along x, y and z of the first half.
    pub translation: [Axis; 3],
    /// About x, y and z of the first half.
    pub rotation: [Axis; 3],
    /// Whether the two bodies may touch each other.
    pub bodies_meet: bool,
}

impl Joint {
    /// All axes locked: the bodies are one.
    #[must_use]
    pub fn fixed(bodies: [BodyId; 2], frames: [Pose; 2]) -> Joint {
        Joint {
            bodies,
            frames,
            translation: [Axis::LOCKED; 3],
            rotation: [Axis::LOCKED; 3],
            bodies_meet: false,
        }
    }

    /// A ball in its socket: turns freely.
    #[must_use]
    pub fn ball(bodies: [BodyId; 2], frames: [Pose; 2]) -> Joint {
        Joint { rotation: [Axis::FREE; 3], ..Joint::fixed(bodies, frames) }
    }

    /// Turns about z.
    #[must_use]
    pub fn hinge(bodies: [BodyId; 2], frames: [Pose; 2]) -> Joint {
        let mut joint = Joint::fixed(bodies, frames);
        joint.rotation[2] = Axis::FREE;
        joint
    }

    /// Slides along z.
    #[must_use]
    pub fn slider(bodies: [BodyId; 2], frames: [Pose; 2]) -> Joint {
        let mut joint = Joint::fixed(bodies, frames);
        joint.translation[2] = Axis::FREE;
        joint
    }

    /// A wheel on its suspension: moves along z on a spring and turns about y. Steer by turning the first frame about z.
    #[must_use]
    pub fn wheel(bodies: [BodyId; 2], frames: [Pose; 2], suspension: Spring) -> Joint {
        let mut joint = Joint::fixed(bodies, frames);
        joint.translation[2] = Axis { spring: Some(suspension), ..Axis::FREE };
        joint.rotation[1] = Axis::FREE;
        joint
    }
}

/// Why a joint was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JointError {
    /// A body is joined to itself.
    #[error("a body cannot be joined to itself")]
    SameBody,
    /// A body is not there.
    #[error("there is no body {0}")]
    NoBody(u32),
}

/// A joint with what it knows of the last part of a step.
#[derive(Clone, Debug)]
pub(crate) struct JointState {
    pub(crate) joint: Joint,
    pub(crate) is_removed: bool,
    /// Impulses of the six axes, each as lock, lower limit, upper limit, motor and spring.
    pub(crate) impulses: [[f64; 5]; 6],
}

impl Engine {
    /// Adds a joint. Unless it says otherwise its bodies no longer meet each other.
    pub fn add_joint(&mut self, joint: Joint) -> Result<JointId, JointError> {
        let [a, b] = joint.bodies;
        if a == b {
            return Err(JointError::SameBody);
        }
        for id in joint.bodies {
            if self.bodies.get(id.index()).is_none_or(|body| body.is_removed) {
                return Err(JointError::NoBody(id.0));
            }
        }
        if !joint.bodies_meet {
            self.ignore_pair(a, b);
        }
        for id in joint.bodies {
            self.wake(id);
            self.bodies[id.index()].is_joined = true;
        }
        self.joints.push(JointState { joint, is_removed: false, impulses: [[0.0; 5]; 6] });
        Ok(JointId(self.joints.len() as u32 - 1))
    }

    /// Lets the bodies of a joint go. They still do not meet if they did not before.
    pub fn remove_joint(&mut self, id: JointId) {
        let state = &mut self.joints[id.0 as usize];
        state.is_removed = true;
        for body in state.joint.bodies {
            self.wake(body);
        }
    }

    /// A joint.
    #[must_use]
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.0 as usize].joint
    }

    /// A joint to be changed between steps: motors, springs, limits, frames (not its bodies). Wakes its bodies.
    pub fn joint_mut(&mut self, id: JointId) -> &mut Joint {
        for body in self.joints[id.0 as usize].joint.bodies {
            self.wake(body);
        }
        &mut self.joints[id.0 as usize].joint
    }

    /// Where the second half of a joint is, seen from the first: along x, y, z in metres and about x, y, z in radians.
    #[must_use]
    pub fn joint_position(&self, id: JointId) -> [f64; 6] {
        let joint = &self.joints[id.0 as usize].joint;
        let [world_from_a, world_from_b] = self.joint_frames(joint);
        let seen = world_from_a.inverse() * world_from_b;
        let along = seen.translation();
        let turns = turns(joint, seen.rotation());
        [along.x, along.y, along.z, turns.x, turns.y, turns.z]
    }

    /// How fast the second half of a joint moves, seen from the first; as [`Engine::joint_position`], per second.
    #[must_use]
    pub fn joint_speed(&self, id: JointId) -> [f64; 6] {
        let joint = &self.joints[id.0 as usize].joint;
        let [world_from_a, world_from_b] = self.joint_frames(joint);
        let [a, b] = joint.bodies;
        let at = world_from_b.translation();
        let a_from_world = world_from_a.inverse();
        let linear = a_from_world.rotate(self.velocity_at(b, at) - self.velocity_at(a, at));
        let angular = a_from_world.rotate(self.angular_velocity(b) - self.angular_velocity(a));
        [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
    }

    fn joint_frames(&self, joint: &Joint) -> [Pose; 2] {
        [0, 1].map(|k| self.pose(joint.bodies[k]) * joint.frames[k])
    }
}

/// The turns of the second half of a joint about the axes of the first.
pub(crate) fn turns(joint: &Joint, seen: Quat) -> Vec3 {
    turns_if(joint, seen, |_| true)
}

/// The same for a solver: the turn about an axis that nothing holds may be anything.
pub(crate) fn turns_held(joint: &Joint, seen: Quat) -> Vec3 {
    turns_if(joint, seen, |axis| axis.range != Range::Free || axis.spring.is_some())
}

fn turns_if(joint: &Joint, seen: Quat, matters: impl Fn(&Axis) -> bool) -> Vec3 {
    let q = if seen.w < 0.0 { -seen } else { seen };
    let mut free = (0..3).filter(|k| joint.rotation[*k].range != Range::Locked);
    let mut turns = 2.0 * q.xyz();
    if let (Some(axis), None) = (free.next(), free.next()) {
        // The turn about the one free axis, all of it; the others are how far that axis is off.
        if matters(&joint.rotation[axis]) {
            turns[axis] = 2.0 * q.xyz()[axis].atan2(q.w);
        }
        let mut along = Vec3::ZERO;
        along[axis] = 1.0;
        let off = along.cross(q * along);
        for other in [(axis + 1) % 3, (axis + 2) % 3] {
            turns[other] = off[other];
        }
    }
    turns
}
