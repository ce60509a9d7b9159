//! Checking a plan: every step, every moving body against every other.
//!
//! For every step, boxes around the ways of the bodies tell which pairs may meet; those are asked whether they collide, and the
//! others, nearest boxes first, how close they come. Bodies of one group do not move against each other and are not asked. Bodies that
//! stay keep the state that the step before left them in, so that only the start needs a look at all pairs.
//!
//! Answers are remembered by content: after a change to one step only pairs that saw something of it are asked again, and shapes that no
//! such pair needs are not even prepared.

mod answers;
mod approach;
mod around;
mod broad_phase;
mod clearance;
mod containment;
mod date;
mod details;
mod exempt;
mod file;
pub(crate) mod lexicon;
pub(crate) mod memory;
pub(crate) mod pair;
mod placement;
mod reach;
mod report;
mod result;
mod step;
pub mod step_outcome;
#[cfg(test)]
mod tests;
mod warning;

pub use approach::approach_request;
pub use clearance::{ClearanceQuestions, KeptClearance, keeps_clearance};
pub use exempt::{ExemptKind, ExemptRule};
pub use file::check_file;
pub use memory::CheckMemory;
pub use pair::if_thin;
pub use placement::placement;
pub use reach::{Reach, reach};
pub use report::{Allowance, AllowedBy, ApproachBy, ApproachRule, Input, Planned, Report};
pub use result::{
    Approached, Closest, Exempt, Finding, FindingKind, FitGap, FitReason, PlanVerdict, SmallestGap,
    StepResult, Until,
};
pub use step_outcome::StepOutcome;
pub use warning::{Warning, WarningCode};

use crate::PlannedStep;
use crate::states;
use crate::timeline::Timeline;
use around::Around;
use broad_phase::Stays;
use freiraum_assets::ShapeCache;
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::Aabb;
use freiraum_motion::{CancelToken, Limits};
use freiraum_scene::{Place, Problem, Scene};
use memory::{Key, Outline};
use pair::Pairs;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// Is told the number of a step and what was found about it.
pub type StepTold<'t> = dyn Fn(usize, &StepResult) + Sync + 't;

/// How to check.
#[derive(Clone, Copy, Default)]
pub struct CheckOptions<'o> {
    /// When to give up on a pair.
    pub limits: Limits,
    /// Is told how many of how many steps are done, from any thread.
    pub progress: Option<&'o (dyn Fn(usize, usize) + Sync)>,
    /// Is told what was found about the step with this number as soon as it is known, from any thread.
    pub found: Option<&'o StepTold<'o>>,
    /// Is asked in all inner loops; once it is cancelled, the check ends with a problem that says so.
    pub cancel: Option<&'o CancelToken>,
    /// What time it is, not later than this: then mesh files that the memory knows are recognised by their stamps where that is safe, and not read. `None` reads all.
    pub now: Option<SystemTime>,
    /// The file of the scene: findings then have lines and columns, and the report has its name, its notes and the digests of what was read.
    pub file: Option<&'o SceneFile>,
    /// What planners answered for the ways that the file leaves open: a step is invalid if it is proven that there is no way.
    pub planned: &'o [PlannedStep],
    /// When this is, for the report.
    pub date: Option<SystemTime>,
}

/// Checks all steps of a plan. The report is final: whoever renders it decides nothing.
///
/// `timeline` is that of the scene. **Guarantee.** A step that is [`PlanVerdict::Free`] is proven so for all of its time; the answer does not depend on
/// the number of threads, nor on what is remembered. **Errors.** Files that cannot be read, poses that are too far out, allowances thicker than a part.
/// **Cost.** Steps and pairs are looked at in parallel on the current rayon pool.
pub fn check(
    scene: &Scene,
    timeline: &Timeline,
    parts: &ShapeCache,
    memory: &CheckMemory,
    options: &CheckOptions,
) -> Result<Report, Vec<Problem>> {
    let cancel = options.cancel.cloned().unwrap_or_default();
    parts.load_digests_known(scene, memory.files(), options.now, &cancel)?;
    let outlines = outlines(scene, parts, memory, &cancel)?;
    let bounds: Vec<Option<Aabb>> = outlines.iter().map(|outline| outline.bounds).collect();
    let pairs = Pairs {
        scene,
        parts,
        memory,
        bounds: &bounds,
        limits: options.limits,
        cancel,
        counts: Default::default(),
        new: Default::default(),
    };
    let around = Around::of(&timeline.stages);
    let start = step::start(&pairs, timeline, around.start());
    let stays = Stays::of(timeline, &bounds);
    let done = AtomicUsize::new(0);
    let steps: Vec<Result<StepResult, Problem>> = timeline
        .stages
        .par_iter()
        .enumerate()
        .map(|(number, _)| {
            let result = step::check(&pairs, &stays, &timeline.stages, number, around.step(number));
            if let (Some(found), Ok(result)) = (options.found, &result) {
                found(number, result);
            }
            if let Some(progress) = options.progress {
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, timeline.stages.len());
            }
            result
        })
        .collect();
    let (mut found, mut problems) = (Vec::with_capacity(steps.len()), Vec::new());
    for step in steps {
        match step {
            Ok(step) => found.push(step),
            Err(problem) => problems.push(problem),
        }
    }
    let start = match start {
        Ok(start) if problems.is_empty() => start,
        Ok(_) => return Err(problems),
        Err(problem) => {
            problems.insert(0, problem);
            return Err(problems);
        }
    };
    let facts = report::Facts {
        start,
        steps: found,
        missed: states::missed_goals(scene, timeline),
        counts: pairs.counts,
        outlines,
    };
    Ok(Report::of(scene, timeline, parts, options, facts))
}

/// What is to be known of the shapes of all bodies before pairs are asked.
fn outlines(
    scene: &Scene,
    parts: &ShapeCache,
    memory: &CheckMemory,
    cancel: &CancelToken,
) -> Result<Vec<Outline>, Vec<Problem>> {
    let outline = |body: usize| {
        if cancel.is_cancelled() {
            return Err(Problem::new(Place::default(), "the check was stopped"));
        }
        let at = |error: freiraum_assets::LoadError| error.problem(scene.bodies[body].place);
        let key: Key = parts.digest(body).map_err(at)?;
        if let Some(outline) = memory.outline(&key) {
            return Ok(outline);
        }
        let shape = parts.movable(body).map_err(at)?.prepared();
        let outline = Outline::of(shape);
        memory.set_outline(key, outline);
        Ok(outline)
    };
    let found: Vec<Result<_, Problem>> = (0..scene.bodies.len()).into_par_iter().map(outline).collect();
    let mut problems: Vec<Problem> = found.iter().filter_map(|found| found.as_ref().err().cloned()).collect();
    problems.dedup();
    if problems.is_empty() { Ok(found.into_iter().flatten().collect()) } else { Err(problems) }
}
