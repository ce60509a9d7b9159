//! Links, joints and the tree they make.

mod error;
#[cfg(test)]
mod tests;
mod tree;

pub use error::RobotError;

use freiraum_geometry::{Pose, Shape, Vec3};

/// A tree of links; see [`Robot::new`].
#[derive(Clone, Debug)]
pub struct Robot {
    name: String,
    /// Parents before children; the first is the root.
    links: Vec<Link>,
    joints: Vec<Joint>,
    /// The joint that carries each link; `None` for the root.
    carrier: Vec<Option<usize>>,
    /// The joint of each freedom, in the order of the joints.
    freedoms: Vec<usize>,
    /// Where the value of each joint comes from.
    values: Vec<ValueOf>,
    /// Largest accelerations of joints that turn, and of those that slide, where they are stated.
    accelerations: [Option<f64>; 2],
}

/// A rigid part of a robot.
#[derive(Clone, Debug)]
pub struct Link {
    /// Unique among the links of the robot.
    pub name: String,
    /// What it touches things with.
    pub collision: Vec<LinkShape>,
    /// What it looks like, if that differs; empty to show what it touches things with.
    pub visual: Vec<LinkShape>,
}

/// A shape fixed to a link.
#[derive(Clone, Debug)]
pub struct LinkShape {
    /// Where it is on the link.
    pub link_from_shape: Pose,
    /// What it is; meshes are shared, so that copies are cheap.
    pub shape: Shape,
}

/// What connects two links.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Unique among the joints of the robot.
    pub name: String,
    /// Number of the link that carries it.
    pub parent: usize,
    /// Number of the link that it carries.
    pub child: usize,
    /// Where the child is in the frame of the parent when the joint value is 0.
    pub parent_from_child: Pose,
    /// The unit direction about or along which the child moves, in the frame of the child; without meaning for [`JointKind::Fixed`].
    pub axis: Vec3,
    /// How it moves.
    pub kind: JointKind,
    /// The values that it can take; infinite for those without limits.
    pub limits: Limits,
    /// The largest speed, in radians or metres per second; `None` if the model does not say.
    pub velocity: Option<f64>,
    /// If it follows another joint.
    pub mimic: Option<Mimic>,
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// It does not.
    Fixed,
    /// The child turns about the axis, within limits.
    Revolute,
    /// The child turns about the axis, any number of times.
    Continuous,
    /// The child slides along the axis, within limits.
    Prismatic,
}

impl JointKind {
    /// True if the child turns.
    pub fn turns(self) -> bool {
        matches!(self, JointKind::Revolute | JointKind::Continuous)
    }
}

/// The values that a joint can take, both ends included; radians or metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Smallest.
    pub lower: f64,
    /// Largest.
    pub upper: f64,
}

impl Limits {
    /// Any value.
    pub const NONE: Limits = Limits { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// True if the joint can take this value.
    pub fn contain(&self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }
}

/// The value of a joint that follows another one: `factor` times that of the other, plus `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// Number of the joint that it follows.
    pub joint: usize,
    /// Without unit, or radians per metre and the like.
    pub factor: f64,
    /// Radians or metres.
    pub offset: f64,
}

/// Where the value of a joint comes from: `factor` times that of a freedom, plus `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ValueOf {
    /// `None` for fixed joints.
    pub(crate) freedom: Option<usize>,
    pub(crate) factor: f64,
    pub(crate) offset: f64,
}

impl ValueOf {
    #[inline]
    pub(crate) fn of(&self, values: &[f64]) -> f64 {
        self.freedom.map_or(0.0, |freedom| self.factor * values[freedom] + self.offset)
    }
}

impl Robot {
    /// The same robot with largest accelerations: of all joints that turn, in radians per second squared, and of all that slide, in metres per second squared; `None` where nothing is stated.
    pub fn with_accelerations(mut self, turning: Option<f64>, sliding: Option<f64>) -> Robot {
        self.accelerations = [turning, sliding];
        self
    }

    /// The largest acceleration of a freedom that is stated, in radians or metres per second squared: at it, neither its joint nor one that follows it is accelerated more.
    pub fn acceleration(&self, freedom: usize) -> Option<f64> {
        let of = |joint: usize| {
            let (from, factor) = self.rate(joint)?;
            let stated = self.accelerations[usize::from(!self.joints[joint].kind.turns())]?;
            (from == freedom && factor != 0.0).then(|| stated / factor.abs())
        };
        (0..self.joints.len()).filter_map(of).reduce(f64::min)
    }

    /// How people call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All links, parents before children: the first is the root.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// All joints, in the order in which the links that they carry stand.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The number of the link with this name.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The number of the joint with this name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The joints that take a value of their own, in the order of the joint values.
    pub fn freedoms(&self) -> &[usize] {
        &self.freedoms
    }

    /// The joint that carries a link; `None` for the root.
    pub fn carrier(&self, link: usize) -> Option<usize> {
        self.carrier[link]
    }

    /// The joints from the root to a link, in this order.
    pub fn way_to(&self, link: usize) -> Vec<usize> {
        let mut way: Vec<usize> =
            std::iter::successors(self.carrier[link], |joint| self.carrier[self.joints[*joint].parent])
                .collect();
        way.reverse();
        way
    }

    /// The last link that two links are both carried by (or are).
    pub fn meeting_link(&self, a: usize, b: usize) -> usize {
        // Parents come before children, so the larger of two different numbers is not an ancestor of the other.
        let (mut a, mut b) = (a, b);
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            *later = self.joints
                [self.carrier[*later].expect("only the root has no carrier, and it comes first")]
            .parent;
        }
        a
    }

    /// The freedoms that move link `b` as seen from link `a`, in ascending order.
    pub fn freedoms_between(&self, a: usize, b: usize) -> Vec<usize> {
        let meet = self.meeting_link(a, b);
        let mut found = Vec::new();
        for mut link in [a, b] {
            while link != meet {
                let joint = self.carrier[link].expect("the meeting link carries it");
                found.extend(self.values[joint].freedom);
                link = self.joints[joint].parent;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The freedoms whose joint values are outside of the limits of their joint, or of a joint that follows it: freedom, joint, value of that joint.
    ///
    /// Values that are not finite are outside. Panics unless there is one value per freedom.
    pub fn outside_limits(&self, values: &[f64]) -> Vec<(usize, usize, f64)> {
        assert_eq!(values.len(), self.freedoms.len(), "one value per freedom");
        let look = |(joint, from): (usize, &ValueOf)| {
            let (freedom, value) = (from.freedom?, from.of(values));
            let is_inside = value.is_finite() && self.joints[joint].limits.contain(value);
            (!is_inside).then_some((freedom, joint, value))
        };
        self.values.iter().enumerate().filter_map(look).collect()
    }

    /// The values that a freedom can take so that neither its joint nor one that follows it leaves its limits; `lower` above `upper` if there is none.
    pub fn range(&self, freedom: usize) -> Limits {
        let mut range = Limits::NONE;
        for (joint, from) in self.values.iter().enumerate() {
            if from.freedom != Some(freedom) || from.factor == 0.0 {
                continue;
            }
            let Limits { lower, upper } = self.joints[joint].limits;
            let ends = [lower, upper].map(|x| (x - from.offset) / from.factor);
            range.lower = range.lower.max(ends[0].min(ends[1]));
            range.upper = range.upper.min(ends[0].max(ends[1]));
        }
        range
    }

    /// The value of a joint, 0 for a fixed one. Panics unless there is a value per freedom.
    pub fn joint_value(&self, joint: usize, values: &[f64]) -> f64 {
        self.values[joint].of(values)
    }

    /// The freedom that moves a joint, and how fast the joint moves when that does; `None` for a fixed joint.
    pub fn rate(&self, joint: usize) -> Option<(usize, f64)> {
        self.values[joint].freedom.map(|freedom| (freedom, self.values[joint].factor))
    }

    /// What is added to the value of a joint that follows another one.
    pub(crate) fn offset(&self, joint: usize) -> f64 {
        self.values[joint].offset
    }
}
