//! Why bodies cannot be made smaller.

use super::joints::Joint;

/// Why a body, or two, cannot be made smaller.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShrinkError {
    /// A part of a body would vanish.
    #[error(
        "an allowance of {allowance} m is too large: a part of a body is thinner than {lost} m, what it would lose"
    )]
    Thin {
        /// What was allowed, in metres.
        allowance: f64,
        /// What was to be taken away from the body on opposite sides together, in metres: as much as was allowed, or twice that if
        /// the other body cannot give way.
        lost: f64,
    },
    /// Neither body can be made smaller without opening a joint.
    #[error(
        "an allowance of {allowance} m needs a body without joints: {} {} and {} of one body touch{}",
        joint.kind, joint.parts[0], joint.parts[1],
        match other {
            Some(other) => format!(", and {} {} and {} of the other", other.kind, other.parts[0], other.parts[1]),
            None => ", and the other has no inside".to_owned(),
        }
    )]
    Joints {
        /// What was allowed, in metres.
        allowance: f64,
        /// Where a body is joined.
        joint: Joint,
        /// Where the other one is joined; `None` if it has an open surface.
        other: Option<Joint>,
    },
}

impl ShrinkError {
    /// The same with what the caller had allowed, of which one body may have to give way for both.
    #[must_use]
    pub fn of_allowance(self, allowance: f64) -> ShrinkError {
        match self {
            ShrinkError::Thin { lost, .. } => ShrinkError::Thin { allowance, lost },
            ShrinkError::Joints { joint, other, .. } => ShrinkError::Joints { allowance, joint, other },
        }
    }
}
