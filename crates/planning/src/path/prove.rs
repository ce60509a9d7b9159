//! The last word on a way: the whole of it, as the check of a plan sees it.

use super::{Rule, Task};
use freiraum_check::{ClearanceQuestions, FindingKind, StepOutcome, approach_request, keeps_clearance};
use freiraum_geometry::Vec3;
use freiraum_geometry::path::{Carried, Motion, UniformMotion};
use freiraum_geometry::tolerance::FREE_BOUND_RELATIVE_LARGE;
use freiraum_geometry::tolerance::NEAREST_RELATIVE;
use freiraum_motion::approach::{Approach, ApproachRequest, Kept};
use freiraum_motion::fit::{ErosionCache, PairCheck};
use freiraum_motion::{CancelToken, Clearance, Limits, MotionError, MotionWorkspace};
use freiraum_scene::{Piece, Place, Travel};
use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

/// What the check of a whole way says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Proof {
    /// Free, and how close it comes to what it does not touch at the start or at the goal, in metres; `None` if nothing else is there.
    Free { clearance: Option<f64> },
    /// Something is in the way, or it is not known; of a pair of which inside and outside cannot be told,
    /// that.
    Blocked(Option<InsideDoubt>),
}

/// A moving body and an obstacle of which it is not known on a way whether one is inside of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InsideDoubt {
    /// Their numbers in the [`Task`].
    pub pair: [usize; 2],
    /// Whose surface bounds no solid: 0 that of the moving body, 1 that of the obstacle.
    pub open: usize,
    /// Some places where it does not, in the world at the start of the way.
    pub places: [Option<Vec3>; 3],
}

/// Why a pair is not proven to be free.
enum Fault {
    Blocked(Option<InsideDoubt>),
    Error(MotionError),
}

impl From<MotionError> for Fault {
    fn from(error: MotionError) -> Fault {
        Fault::Error(error)
    }
}

/// The pieces of a path with these lengths as their shares of the time.
pub(crate) fn pieces(travels: &[Travel], lengths: &[f64]) -> Vec<Piece> {
    // In thousandths, which people can read; no piece so short beside the others that times cannot tell its steps apart.
    let total: f64 = lengths.iter().sum();
    let share =
        |length: f64| if total > 0.0 { (1000.0 * length / total).round().max(1.0) / 1000.0 } else { 1.0 };
    let piece = |(travel, length): (&Travel, &f64)| Piece { travel: travel.clone(), share: share(*length) };
    travels.iter().zip(lengths).map(piece).collect()
}

/// Checks a whole way.
pub(crate) fn prove(
    task: &Task,
    pieces: &[Piece],
    cache: &ErosionCache,
    cancel: &CancelToken,
) -> Result<Proof, MotionError> {
    if pieces.is_empty() {
        return Ok(Proof::Free { clearance: None });
    }
    let Ok(lead) = freiraum_check::motion(&Travel::Path(pieces.to_vec()), &task.start, Place::default())
    else {
        return Ok(Proof::Blocked(None));
    };
    let pairs: Vec<[usize; 2]> =
        (0..task.moving.len()).flat_map(|i| (0..task.obstacles.len()).map(move |k| [i, k])).collect();
    let looks: Vec<Result<Option<f64>, Fault>> = pairs
        .into_par_iter()
        .filter(|[i, k]| !task.rules[*i][*k].is_ignored)
        .map(|pair| look(task, pair, &lead, cache, cancel))
        .collect();
    let mut least: Option<f64> = None;
    for found in looks {
        match found {
            Ok(None) => {}
            Ok(Some(distance)) => least = Some(least.map_or(distance, |least| least.min(distance))),
            Err(Fault::Blocked(doubt)) => return Ok(Proof::Blocked(doubt)),
            Err(Fault::Error(error)) => return Err(error),
        }
    }
    Ok(Proof::Free { clearance: least })
}

/// How close a pair comes, `None` for a fit.
fn look(
    task: &Task,
    [i, k]: [usize; 2],
    lead: &Arc<dyn Motion>,
    cache: &ErosionCache,
    cancel: &CancelToken,
) -> Result<Option<f64>, Fault> {
    let blocked = || Err(Fault::Blocked(None));
    if cancel.is_cancelled() {
        return Err(MotionError::Cancelled.into());
    }
    let (one, other, rule) = (&task.moving[i], &task.obstacles[k], task.rules[i][k]);
    let mut memory = MotionWorkspace::default();
    memory.set_cancel(cancel);
    let (motion, still) = (Carried::new(lead.clone(), one.pose), UniformMotion::still(other.pose));
    let limits = Limits::default();
    let pair = PairCheck {
        bodies: [&one.body, &other.body],
        motions: [&motion, &still],
        allowance: rule.allowance,
        limits,
    };
    let outcome = StepOutcome::of(&pair, rule.if_thin, cache, &mut memory)?;
    let is_fit = match outcome {
        StepOutcome::Blocked { kind: FindingKind::InsideUnknown { body, places }, .. } => {
            return Err(Fault::Blocked(Some(InsideDoubt { pair: [i, k], open: body, places })));
        }
        StepOutcome::Blocked { .. } => return blocked(),
        StepOutcome::Touching { fit } => fit.is_some(),
        StepOutcome::Apart => pair.touches_in_a_state()?,
    };
    let asked = Alone { pair, rule, memory: RefCell::new(memory) };
    // A clearance of its own holds everywhere, whatever the pair touches.
    let everywhere = rule.kept(is_fit);
    if is_fit && everywhere > 0.0 && asked.closer_than(everywhere)?.is_some() {
        return blocked();
    }
    if rule.clearance > 0.0 && keeps_clearance(&asked, rule.enough(), is_fit)?.kept != Kept::Yes {
        return blocked();
    }
    if is_fit {
        return Ok(None);
    }
    if outcome != StepOutcome::Apart {
        return Ok(Some(0.0));
    }
    let found = asked.closeness(None, FREE_BOUND_RELATIVE_LARGE)?;
    if outcome.confirmed(&found) == outcome { Ok(Some(found.distance)) } else { blocked() }
}

/// A pair on a way, asked without the steps around it.
struct Alone<'p> {
    pair: PairCheck<'p>,
    rule: Rule,
    memory: RefCell<MotionWorkspace>,
}

impl Alone<'_> {
    fn closeness(&self, at_least: Option<f64>, accuracy: f64) -> Result<Clearance, MotionError> {
        self.pair.closeness(at_least, accuracy, &mut self.memory.borrow_mut())
    }
}

impl ClearanceQuestions for Alone<'_> {
    type Error = MotionError;

    fn closer_than(&self, bound: f64) -> Result<Option<Clearance>, MotionError> {
        if self.closeness(Some(bound), NEAREST_RELATIVE)?.is_kept == Some(true) {
            return Ok(None);
        }
        Ok(Some(self.closeness(None, FREE_BOUND_RELATIVE_LARGE)?))
    }

    /// What touches before or after the way is known to be a fit when this is asked.
    fn is_contact(&self) -> Result<bool, MotionError> {
        Ok(false)
    }

    /// Contacts in other steps do not count: what leans on them alone is no fit here.
    fn left(&self) -> Result<[Option<f64>; 2], MotionError> {
        Ok([None; 2])
    }

    fn keeps_outside(
        &self,
        clearance: f64,
        left: [Option<f64>; 2],
        is_fit: bool,
    ) -> Result<(Kept, Vec<[f64; 2]>), MotionError> {
        let request = approach_request(&self.pair, self.rule.clearance, self.rule.approach());
        let request = ApproachRequest { clearance, left, is_fit, ..request };
        let memory = &mut self.memory.borrow_mut();
        Approach::new(self.pair.bodies, self.pair.motions).keeps_outside(&request, memory)
    }
}
