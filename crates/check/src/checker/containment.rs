//! Bodies whose surfaces do not meet, and of which one bounds no solid: is the other inside?
//!
//! Within one step [`freiraum_motion::containment`] decides. What a step alone leaves open, the steps around it may settle: bodies that are outside of each
//! other's hulls at some instant, and whose surfaces do not meet between that instant and the step, are outside of each other in the step, too.

use super::around::{Plan, Question, Side, in_order};
use super::pair::{Pair, Pairs};
use super::result::FindingKind;
use super::step_outcome::StepOutcome;
use crate::timeline::Stage;
use freiraum_scene::Problem;

impl Plan<'_> {
    /// Whether one of the other steps excludes that one of two bodies is inside of the other: the nearest one
    /// that tells, until the surfaces meet.
    pub(super) fn excludes_containment(&self, pairs: &Pairs, bodies: [usize; 2]) -> Result<bool, Problem> {
        let excludes =
            |side: Side| self.follow(Question::Outside, side, bodies, |stage| outside(pairs, stage, bodies));
        Ok(excludes(Side::Before)? || excludes(Side::After)?)
    }
}

/// Whether a stage excludes containment; `None` if it leaves that open.
fn outside(pairs: &Pairs, stage: &Stage, bodies: [usize; 2]) -> Result<Option<bool>, Problem> {
    if stage.movers.iter().any(|mover| mover.is_open()) {
        return Ok(Some(false));
    }
    Ok(match Pair::new(pairs, stage, in_order(stage, bodies))?.known_outcome()? {
        StepOutcome::Apart => Some(true),
        StepOutcome::Blocked { kind: FindingKind::InsideUnknown { .. }, .. } => None,
        StepOutcome::Touching { .. } | StepOutcome::Blocked { .. } => Some(false),
    })
}
