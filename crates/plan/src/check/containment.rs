//! Bodies whose surfaces do not meet, and of which one bounds no solid: is the other inside?
//!
//! Within one step [`freiraum_motion::containment`] decides. What a step alone leaves open, the steps around it may settle: bodies that are outside of each
//! other's hulls at some instant, and whose surfaces do not meet between that instant and the step, are outside of each other in the step, too.

use super::approach::Plan;
use super::encounter::Passage;
use super::pair::{Pair, Pairs};
use super::result::FindingKind;
use crate::timeline::Stage;
use freiraum_scene::Problem;

impl Plan<'_> {
    /// Whether one of the other steps excludes that one of two bodies is inside of the other.
    pub(super) fn excludes_containment(&self, pairs: &Pairs, bodies: [usize; 2]) -> Result<bool, Problem> {
        Ok(excludes(pairs, self.before.iter().rev(), bodies)? || excludes(pairs, self.after.iter(), bodies)?)
    }
}

/// Follows some stages, the nearest first, until one excludes containment or the surfaces meet.
fn excludes<'s>(
    pairs: &Pairs,
    stages: impl Iterator<Item = &'s Stage>,
    bodies: [usize; 2],
) -> Result<bool, Problem> {
    for stage in stages {
        let [a, b] = bodies.map(|body| stage.mover_of(body));
        // They stand still, or move as one: nothing changes.
        if a == b {
            continue;
        }
        if stage.movers.iter().any(|mover| mover.is_open()) {
            return Ok(false);
        }
        match Pair::new(pairs, stage, in_order(stage, bodies))?.known_passage()? {
            Passage::Apart => return Ok(true),
            Passage::Blocked { kind: FindingKind::InsideUnknown { .. }, .. } => {}
            Passage::Touching { .. } | Passage::Blocked { .. } => return Ok(false),
        }
    }
    Ok(false)
}

/// Two bodies as a check of a step has them: the one that moves first, of two that move the lower number.
pub(super) fn in_order(stage: &Stage, bodies: [usize; 2]) -> [usize; 2] {
    let [a, b] = bodies.map(|body| stage.mover_of(body));
    let is_turned = a.is_none() || (b.is_some() && bodies[1] < bodies[0]);
    if is_turned { [bodies[1], bodies[0]] } else { bodies }
}
