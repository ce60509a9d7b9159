//! The joints between two links, with all that is fixed in between folded in.

use crate::model::{JointKind, Robot};
use freiraum_geometry::math::Quat;
use freiraum_geometry::{Pose, Vec3};

/// From a link that carries another one (or is it) to that one.
#[derive(Clone)]
pub struct Chain {
    /// The joints that can move, in this order.
    pub joints: Vec<ChainJoint>,
    /// From the frame of the last joint that can move to the link.
    pub rest: Pose,
}

/// A joint that can move, and all that is fixed before it.
#[derive(Clone, Copy)]
pub struct ChainJoint {
    /// From the frame of the joint before (or that of the beginning) to this one at value 0.
    pub before: Pose,
    /// The axis of the joint in its own frame, of length 1.
    pub axis: Vec3,
    /// True if the joint turns, false if it slides.
    pub turns: bool,
    /// The number of the freedom that the value follows.
    pub freedom: usize,
    /// The value is `factor` times that of the freedom plus `offset`.
    pub factor: f64,
    /// See `factor`; radians or metres.
    pub offset: f64,
}

impl Chain {
    /// From link `from`, which is at `base`, to a link. Panics unless `from` carries the link or is it.
    pub fn between(robot: &Robot, from: usize, link: usize, base: Pose) -> Chain {
        let way = robot.way_to(link);
        let first = way.iter().position(|joint| robot.joints()[*joint].parent == from);
        assert!(from == link || first.is_some(), "the first link carries the second");
        let (mut joints, mut rest) = (Vec::new(), base);
        for number in first.map_or(&[][..], |first| &way[first..]) {
            let joint = &robot.joints()[*number];
            rest = rest * joint.parent_from_child;
            let Some((freedom, factor)) = robot.rate(*number) else { continue };
            let offset = robot.offset(*number);
            let turns = joint.kind != JointKind::Prismatic;
            joints.push(ChainJoint { before: rest, axis: joint.axis, turns, freedom, factor, offset });
            rest = Pose::IDENTITY;
        }
        Chain { joints, rest }
    }

    /// Where the link is when the joints of the chain have these values.
    pub fn pose(&self, value: impl Fn(&ChainJoint) -> f64) -> Pose {
        self.frame(self.joints.len(), value) * self.rest
    }

    /// The frame of the last of the first `count` joints.
    pub fn frame(&self, count: usize, value: impl Fn(&ChainJoint) -> f64) -> Pose {
        let add = |frame: Pose, joint: &ChainJoint| frame * (joint.before * joint.moved(value(joint)));
        self.joints[..count].iter().fold(Pose::IDENTITY, add)
    }
}

impl ChainJoint {
    /// What the joint does at a value.
    pub fn moved(&self, value: f64) -> Pose {
        if self.turns {
            Pose::from_axis_angle(self.axis, value).unwrap_or(Pose::IDENTITY)
        } else {
            Pose::from_translation(value * self.axis)
        }
    }

    /// A point in the frame of this joint, in the frame before it.
    pub fn carried(&self, point: Vec3, value: f64) -> Vec3 {
        let moved = if self.turns {
            Quat::from_axis_angle(self.axis, value) * point
        } else {
            point + value * self.axis
        };
        self.before.transform_point(moved)
    }
}
