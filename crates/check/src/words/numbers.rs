//! What a step is called: the number that it has in the file, and with several stages the part of it.

use crate::checker::{PlanVerdict, StepResult};
use crate::{Stage, Timeline};

/// Which part of how many of its step a stage is, from 0: `[1, 3]` for the second of three.
pub fn step_part(timeline: &Timeline, stage: usize) -> [usize; 2] {
    let stages = &timeline.stages;
    let Some(step) = stages.get(stage).map(|stage| stage.step) else { return [0, 1] };
    let is_same = |other: &&Stage| other.step == step;
    let before = stages[..stage].iter().rev().take_while(is_same).count();
    [before, before + stages[stage..].iter().take_while(is_same).count()]
}

/// The number of a stage as people read it: `3`, or `3.2` for the second part of a step with several.
pub fn step_number(timeline: &Timeline, stage: usize) -> String {
    let step = timeline.stages.get(stage).map_or(stage, |stage| stage.step) + 1;
    match step_part(timeline, stage) {
        [_, 0 | 1] => step.to_string(),
        [part, _] => format!("{step}.{}", part + 1),
    }
}

/// The name that a stage has beside its number; `None` if it is only that number again.
pub fn own_name(timeline: &Timeline, stage: usize) -> Option<&str> {
    let stage = timeline.stages.get(stage)?;
    let number = format!("step {}", stage.step + 1);
    let is_number = match stage.name.strip_prefix(&number) {
        Some(rest) => rest.is_empty() || rest.starts_with(" ("),
        None => false,
    };
    (!is_number).then_some(&stage.name)
}

/// The verdicts of the steps of the file, each the worst of its stages; `found` is about the stages.
pub fn of_steps(timeline: &Timeline, found: &[StepResult]) -> Vec<PlanVerdict> {
    let mut verdicts: Vec<PlanVerdict> = Vec::new();
    let mut last = None;
    for (stage, result) in timeline.stages.iter().zip(found) {
        match verdicts.last_mut().filter(|_| last == Some(stage.step)) {
            Some(verdict) => *verdict = result.verdict.max(*verdict),
            None => verdicts.push(result.verdict),
        }
        last = Some(stage.step);
    }
    verdicts
}
