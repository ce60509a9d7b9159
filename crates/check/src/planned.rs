//! What planners answered for steps that leave their path open.

/// The answer of the planners for a step whose path the scene leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStep {
    /// The number of the step in the scene, from 0.
    pub index: usize,
    /// What they found.
    pub answer: PlannerAnswer,
}

/// What planners found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlannerAnswer {
    /// A path, by the planner of this name.
    Path(&'static str),
    /// It is proven that there is none; why, in words.
    NoPath(String),
    /// None was found; there may be one.
    GaveUp {
        /// Why, in words.
        why: String,
        /// True if inside and outside of a body cannot be told: a longer search does not help.
        is_doubted: bool,
    },
}
