//! What is wrong with a robot.

/// Why links and joints do not make a robot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotError {
    /// Nothing to carry.
    #[error("the robot has no links")]
    NoLinks,
    /// Two links with one name.
    #[error("there are two links named '{0}'")]
    SameLink(String),
    /// Two joints with one name.
    #[error("there are two joints named '{0}'")]
    SameJoint(String),
    /// A joint names a link that is not there.
    #[error("joint '{joint}' names link number {link}, which does not exist")]
    NoSuchLink {
        /// Name of the joint.
        joint: String,
        /// Number of the link.
        link: usize,
    },
    /// A link that two joints carry.
    #[error("link '{link}' is carried by two joints, '{first}' and '{second}'; a link has one parent")]
    TwoParents {
        /// Name of the link.
        link: String,
        /// Name of one joint.
        first: String,
        /// Name of the other.
        second: String,
    },
    /// Several links that nothing carries.
    #[error("links '{0}' and '{1}' are both carried by no joint; a robot has one root")]
    TwoRoots(String, String),
    /// Links that carry each other in a circle.
    #[error("link '{0}' is carried by itself through its joints")]
    Circle(String),
    /// No direction to move in.
    #[error("joint '{0}' has an axis without direction")]
    NoAxis(String),
    /// Limits that leave nothing, or are not numbers.
    #[error("joint '{joint}' has a lower limit of {lower} and an upper limit of {upper}")]
    NoRange {
        /// Name of the joint.
        joint: String,
        /// As given.
        lower: f64,
        /// As given.
        upper: f64,
    },
    /// A joint that follows one that follows it in turn, perhaps over others.
    #[error("joint '{joint}' follows itself{}", through(.joint, .next))]
    FollowsItself {
        /// Name of the joint.
        joint: String,
        /// Name of the one that it follows.
        next: String,
    },
    /// A joint that follows one that is not there or is fixed.
    #[error("joint '{joint}' follows {other}, which has no value of its own to follow")]
    NothingToFollow {
        /// Name of the joint.
        joint: String,
        /// The other, for people.
        other: String,
    },
}

fn through(joint: &str, next: &str) -> String {
    if joint == next {
        return String::new();
    }
    format!(": it follows '{next}', which follows '{joint}', at once or over others")
}
