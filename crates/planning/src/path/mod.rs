//! Finding a way: the task that all planners share, and what they answer.
//!
//! - [`find`]: the straight way, then one planner after the other, and the proof of what is found
//! - [`complete`]: all steps of a scene that a planner has to fill in
//!
//! Planners: [`plane`] (two translations, certain), `detours` (three translations), `sampling` (translations and rotations). The last two ask one `space` about placements, motions
//! and stretches of lines, and all ways are made shorter and proven on the whole before anybody sees them.

mod complete;
mod detours;
pub(crate) mod directions;
mod find;
pub mod joints;
pub mod plane;
mod prove;
mod sampling;
mod shorten;
pub(crate) mod slides;
pub(crate) mod space;
pub(crate) mod way;

pub use complete::{CompleteOptions, Completed, StepFound, complete, complete_until, open_steps};
pub(crate) use complete::{subject, task};
pub use find::{FindOptions, Found, Progress, find, name};
pub(crate) use find::{Terms, find_with};
pub use prove::InsideDoubt;
pub(crate) use prove::pieces;

use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::NEAREST_RELATIVE;
use freiraum_motion::Movable;
use freiraum_motion::fit::IfThin;
use freiraum_scene::Travel;

/// A rigid group of bodies that has to get from one pose to another past obstacles.
#[derive(Clone)]
pub struct Task {
    /// The bodies that move as one; their poses are `lead_from_body`, the identity for the leading one.
    pub moving: Vec<Placed>,
    /// What stands in the way; poses are `world_from_body`.
    pub obstacles: Vec<Placed>,
    /// What the moving body `i` and the obstacle `k` must keep to is `rules[i][k]`.
    pub rules: Vec<Vec<Rule>>,
    /// Where the leading body is, `world_from_lead`.
    pub start: Pose,
    /// Where it has to go.
    pub goal: Pose,
}

/// A body in its place.
#[derive(Clone)]
pub struct Placed {
    /// The body; copies share their data.
    pub body: Movable,
    /// Its place in the frame that the list says.
    pub pose: Pose,
}

/// What a pair must keep to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rule {
    /// Smallest distance, in metres; pairs that touch at the start or at the goal keep it outside of contact and approach.
    pub clearance: f64,
    /// How far a body may travel before and after a contact without keeping the distance, in metres; `None` is ten times the clearance.
    pub approach: Option<f64>,
    /// The clearance holds everywhere, even for pairs that touch at the start or at the goal.
    pub is_explicit: bool,
    /// How deep they may overlap, in metres.
    pub allowance: f64,
    /// What happens if a body is too thin for the allowance.
    pub if_thin: IfThin,
    /// The pair is not looked at.
    pub is_ignored: bool,
}

impl Rule {
    /// What a pair has to keep everywhere, in metres: a little less than is required, for rounding, and more than the check asks for. What a fit keeps outside of
    /// contact and approach is looked at when the whole way is proven.
    pub(crate) fn kept(&self, is_fit: bool) -> f64 {
        if is_fit && !self.is_explicit { 0.0 } else { self.enough() }
    }

    /// The clearance but for rounding.
    fn enough(&self) -> f64 {
        self.clearance * (1.0 - 2.0 * NEAREST_RELATIVE)
    }

    fn approach(&self) -> f64 {
        self.approach.unwrap_or(APPROACH * self.clearance)
    }
}

/// The approach of pairs that state none, in clearances.
const APPROACH: f64 = 10.0;

/// How far a planner got.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// What the leading body has to do, one after the other, from the start to the goal; nothing for a robot, whose way is [`Found::joints`].
    Path(Vec<Travel>),
    /// There is no way, for certain, in the freedoms that the planner has; in words.
    NoPath(String),
    /// None was found; there may be one. In words.
    GaveUp(String),
}
