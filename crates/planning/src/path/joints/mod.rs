//! Planner 4: joint values of a robot, from a start to a goal past obstacles and past itself.
//!
//! Trees of joint values grow from the start and from the goals towards random joint values and towards each other. Every edge, a straight line in the space of joint values, is proven free
//! before it is taken (`edge`): where the robot stands in the middle of a stretch its parts are so far from everything, and on the way to the ends of the stretch no point of them moves farther than a bound that
//! follows from the joints (`space`). What is found is made shorter with the same proof.

mod bodies;
mod edge;
mod find;
mod fits;
pub(super) mod program;
mod retreat;
mod search;
mod shorten;
mod space;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use find::find_until;
pub use find::{EndlessPart, JointProgress, JointsFound, find};

use freiraum_geometry::shape::{Compound, Part as CompoundPart};
use freiraum_geometry::{Pose, Shape};
use freiraum_query::Prepared;
use freiraum_robot::{Limits, Robot};

/// A robot that has to get from some joint values to others.
#[derive(Clone)]
pub struct JointTask<'t> {
    /// What moves.
    pub robot: &'t Robot,
    /// Where its root link stands.
    pub base: Pose,
    /// Joint values at the start, one per freedom.
    pub start: Vec<f64>,
    /// Joint values to get to; any of them will do.
    pub goals: Vec<Vec<f64>>,
    /// Where the freedoms may be, beside their limits, one entry each; start and goals are inside. Those whose ends are equal keep their value. Empty if there is no more than the limits.
    pub ranges: Vec<Limits>,
    /// What moves with the links: their own shapes, tools, what is held.
    pub parts: Vec<LinkPart>,
    /// What stands in the way.
    pub obstacles: Vec<Obstacle>,
    /// How far part `i` has to stay from obstacle `k`, in metres, is `clearances[i][k]`; `None` for pairs that are not looked at.
    pub clearances: Vec<Vec<Option<f64>>>,
    /// Parts of the robot that must not touch each other.
    pub own_pairs: Vec<OwnPair>,
    /// True if parts touch something at the start or at a goal by design, and were made smaller for that: lines near those are looked at more closely.
    pub has_fits: bool,
}

/// Something that moves with a link.
#[derive(Clone, Debug)]
pub struct LinkPart {
    /// The number of the link.
    pub link: usize,
    /// Where it is on the link.
    pub link_from_part: Pose,
    /// What it is.
    pub body: Prepared,
}

/// Something that stands still.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// Where it is.
    pub world_from_body: Pose,
    /// What it is.
    pub body: Prepared,
}

/// Two parts of the robot that must not touch each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnPair {
    /// Numbers of the parts.
    pub parts: [usize; 2],
    /// How far they have to stay from each other, in metres.
    pub clearance: f64,
}

/// How to look for a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointOptions {
    /// For the random numbers: the same seed gives the same way.
    pub seed: u64,
    /// How many joint values are looked at before the search is given up.
    pub budget: u64,
    /// How many of them are spent at most for making the way shorter.
    pub shorten_budget: u64,
}

impl Default for JointOptions {
    fn default() -> JointOptions {
        JointOptions { seed: 1, budget: 2_000_000, shorten_budget: 20_000 }
    }
}

/// How far the planner got.
#[derive(Clone, Debug, PartialEq)]
pub enum JointOutcome {
    /// Joint values from the start to a goal; every straight line from one to the next is proven free, within the limits.
    Path(Vec<Vec<f64>>),
    /// The start is not allowed.
    BadStart(Fault),
    /// No goal is allowed; what is wrong with the first one.
    BadGoal(Fault),
    /// None was found; there may be one.
    GaveUp,
}

/// Why joint values are not allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A joint is outside of its limits.
    Limits {
        /// The number of the joint.
        joint: usize,
        /// Its value, in radians or metres.
        value: f64,
    },
    /// A part of the robot is too near to an obstacle.
    Obstacle {
        /// The number of the part.
        part: usize,
        /// The number of the obstacle.
        obstacle: usize,
        /// How far apart they are, in metres; at most 0 if they touch.
        distance: f64,
        /// False if they may keep their clearance, and rounding hides it.
        is_certain: bool,
    },
    /// Two parts of the robot are too near to each other.
    Own {
        /// The numbers of the parts.
        parts: [usize; 2],
        /// How far apart they are, in metres; at most 0 if they touch.
        distance: f64,
        /// False if they may keep their clearance, and rounding hides it.
        is_certain: bool,
    },
}

/// The links of a robot that have a shape, one part each.
pub fn parts_of(robot: &Robot) -> Vec<LinkPart> {
    let part = |(link, one): (usize, &freiraum_robot::Link)| {
        let (link_from_part, shape) = match &one.collision[..] {
            [] => return None,
            [only] => (only.link_from_shape, only.shape.clone()),
            many => {
                let parts = many.iter().map(|part| CompoundPart {
                    compound_from_part: part.link_from_shape,
                    shape: part.shape.clone(),
                });
                (Pose::IDENTITY, Shape::Compound(Compound::new(parts.collect()).ok()?))
            }
        };
        Some(LinkPart { link, link_from_part, body: Prepared::new(shape) })
    };
    robot.links().iter().enumerate().filter_map(part).collect()
}

/// All pairs of parts that can move against each other, without those on links that `is_ignored` names.
pub fn own_pairs(
    robot: &Robot,
    parts: &[LinkPart],
    clearance: f64,
    is_ignored: impl Fn([usize; 2]) -> bool,
) -> Vec<OwnPair> {
    let mut found = Vec::new();
    for (i, a) in parts.iter().enumerate() {
        for (k, b) in parts.iter().enumerate().skip(i + 1) {
            let links = [a.link, b.link];
            if !is_ignored(links) && !robot.freedoms_between(a.link, b.link).is_empty() {
                found.push(OwnPair { parts: [i, k], clearance });
            }
        }
    }
    found
}
