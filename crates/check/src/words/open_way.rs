//! Ways that were to be found and were not, with the reason.

use super::{clean, subject};
use crate::Timeline;
use crate::checker::{FindingKind, StepResult};
use crate::{PlannedStep, PlannerAnswer};
use freiraum_scene::Scene;

/// A stage whose way is still open.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenWay {
    /// The number of the stage, from 0.
    pub stage: usize,
    /// What was to be moved: the name of a body, a group or a robot.
    pub subject: String,
    /// True if it is proven that there is no way.
    pub is_proven: bool,
    /// In a sentence: which planners were asked, and why none was found or what was proven.
    pub said: String,
    /// What to do about it, unless it is proven that there is no way.
    pub remedy: Option<&'static str>,
}

impl OpenWay {
    /// What is said of it and what to do, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.remedy {
            Some(remedy) => format!("{}; {remedy}", self.said),
            None => self.said.clone(),
        }
    }
}

/// What to do about a way that no planner was asked for.
const ASK: &str =
    "`freiraum plan SCENE -o FILE` or the studio looks for one; or state the motion in the step";

/// What to do about a way that planners have not found.
const LOOK_ON: &str = "there may be one: `freiraum plan SCENE -o FILE` looks longer with --budget N and elsewhere with --seed N; or state the motion, or its first part, in the step";

/// The stages whose ways are still open, and why as far as planners told; `found` is what they found.
///
/// A step with several such stages of which not every one has an answer of its own gets all answers in each.
pub fn open_ways(
    scene: &Scene,
    timeline: &Timeline,
    steps: &[StepResult],
    found: &[PlannedStep],
) -> Vec<OpenWay> {
    let is_open = |stage: usize| {
        let findings = steps.get(stage).map_or(&[][..], |step| &step.findings);
        findings.iter().any(|finding| finding.kind == FindingKind::NoPath)
    };
    let open: Vec<usize> = (0..timeline.stages.len()).filter(|stage| is_open(*stage)).collect();
    let way = |stage: &usize| {
        let step = timeline.stages[*stage].step;
        let stages = open.iter().filter(|other| timeline.stages[**other].step == step);
        let of_step = found.iter().filter(|found| found.index == step).map(|found| &found.answer);
        let missing: Vec<&PlannerAnswer> =
            of_step.filter(|answer| !matches!(answer, PlannerAnswer::Path(_))).collect();
        let answers = if stages.clone().count() == missing.len() {
            let number = stages.take_while(|other| *other != stage).count();
            &missing[number..=number]
        } else {
            &missing[..]
        };
        let mover = timeline.stages[*stage].movers.iter().find(|mover| mover.is_open());
        let told = mover.map_or("it".to_owned(), |mover| subject(scene, mover));
        let (mut proven, mut others) = (Vec::new(), Vec::new());
        for answer in answers {
            match answer {
                PlannerAnswer::NoPath(why) if !proven.contains(why) => proven.push(why.clone()),
                PlannerAnswer::GaveUp { why, .. } if !others.contains(why) => others.push(why.clone()),
                _ => {}
            }
        }
        let (said, remedy) = if !proven.is_empty() {
            (format!("there is no way for {told}: {}", proven.join("; ")), None)
        } else if others.is_empty() {
            (format!("the way of {told} is open: no planner was asked for it"), Some(ASK))
        } else {
            // Where inside and outside are unknown no longer search helps; the remedy is in the sentence
            // already.
            let is_doubted =
                answers.iter().any(|answer| matches!(answer, PlannerAnswer::GaveUp { is_doubted: true, .. }));
            (format!("no way was found for {told}: {}", others.join("; ")), (!is_doubted).then_some(LOOK_ON))
        };
        OpenWay {
            stage: *stage,
            subject: mover.map_or(String::new(), |mover| clean(&mover.subject)),
            is_proven: !proven.is_empty(),
            said,
            remedy,
        }
    };
    open.iter().map(way).collect()
}
