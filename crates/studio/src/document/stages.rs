//! Steps of the file and stages of the plan: pages count stages, of which a step in which robots take or leave something has several.

use super::ask::no_step;
use crate::protocol::{Command, NewRobotStep, NewStep, Refusal};
use freiraum_check::Timeline;

/// The step that a stage is of.
pub(super) fn step_of(timeline: &Timeline, stage: usize) -> Result<usize, Refusal> {
    timeline.stages.get(stage).map(|stage| stage.step).ok_or_else(|| no_step(stage))
}

/// The first stage of a step, or the end of the plan.
pub(super) fn first_of(timeline: &Timeline, step: usize) -> usize {
    timeline.stages.iter().position(|stage| stage.step >= step).unwrap_or(timeline.stages.len())
}

/// The number of a new step that is to stand before a stage; after the step if that has begun by then.
pub(super) fn place_of(timeline: &Timeline, stage: usize) -> Result<usize, Refusal> {
    if stage == timeline.stages.len() {
        return Ok(timeline.stages.last().map_or(0, |last| last.step + 1));
    }
    let step = step_of(timeline, stage)?;
    Ok(if first_of(timeline, step) == stage { step } else { step + 1 })
}

/// Which part of how many of its step a stage is, from 0.
pub(super) fn part_of(timeline: &Timeline, stage: usize) -> [usize; 2] {
    let Some(step) = timeline.stages.get(stage).map(|stage| stage.step) else { return [0, 1] };
    let count = timeline.stages.iter().filter(|other| other.step == step).count();
    [stage - first_of(timeline, step), count]
}

/// The command with the numbers of steps of the file.
pub(super) fn in_file(timeline: &Timeline, command: Command) -> Result<Command, Refusal> {
    let step_of = |stage| step_of(timeline, stage);
    let place_of = |stage: Option<usize>| stage.map(|stage| place_of(timeline, stage)).transpose();
    Ok(match command {
        Command::AddStep(new) => Command::AddStep(NewStep { index: place_of(new.index)?, ..new }),
        Command::UpdateStep { step, name, seconds, moves } => {
            Command::UpdateStep { step: step_of(step)?, name, seconds, moves }
        }
        Command::RemoveStep { step } => Command::RemoveStep { step: step_of(step)? },
        Command::MoveStep { from, to } => Command::MoveStep { from: step_of(from)?, to: step_of(to)? },
        Command::DuplicateStep { step } => Command::DuplicateStep { step: step_of(step)? },
        Command::RenameStep { step, name } => Command::RenameStep { step: step_of(step)?, name },
        Command::RobotStep(new) => Command::RobotStep(NewRobotStep {
            index: place_of(new.index)?,
            with: new.with.map(step_of).transpose()?,
            ..new
        }),
        other => other,
    })
}
