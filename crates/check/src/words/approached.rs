//! When bodies need not keep their clearance: in contacts by design and on their approach.

use super::{body, counted, length, step_number, time};
use crate::checker::{Approached, Report};
use crate::{Stage, Timeline};
use freiraum_scene::Scene;

/// How many are listed one by one.
const SHOWN: usize = 8;

/// One pair in a step, without its full stop: `the lid and the box need not keep 0.3 mm from 90 % of the
/// motion on: they are in contact or on their approach`.
pub fn approached(scene: &Scene, stage: &Stage, one: &Approached) -> String {
    let [a, b] = one.pair.map(|number| body(scene, number));
    let required = length(one.required, scene.units);
    let when = if one.is_whole() { "during the whole step".to_owned() } else { stretches(stage, &one.times) };
    format!("{a} and {b} need not keep {required} {when}: they are in contact or on their approach")
}

/// Those of a report in the order of its steps, but for whole steps, which are told of what is not covered;
/// of very many the first ones.
pub fn approached_in_steps(scene: &Scene, timeline: &Timeline, report: &Report) -> Vec<String> {
    let of_step = |(number, stage): (usize, &Stage)| {
        let step = report.steps.get(number)?;
        let parts = step.approaches.iter().filter(|one| !one.is_whole());
        let said = parts
            .map(|one| format!("step {}: {}", step_number(timeline, number), approached(scene, stage, one)));
        Some(said.collect::<Vec<_>>())
    };
    let mut all: Vec<String> = timeline.stages.iter().enumerate().filter_map(of_step).flatten().collect();
    let more = all.len().saturating_sub(SHOWN);
    if more > 0 {
        all.truncate(SHOWN);
        all.push(format!("{} likewise", counted(more, "more pair")));
    }
    all
}

/// `up to 10 % of the motion and from 90 % of the motion on`.
fn stretches(stage: &Stage, times: &[[f64; 2]]) -> String {
    let one = |[from, to]: &[f64; 2]| match (*from <= 0.0, *to >= 1.0) {
        (true, _) => format!("up to {}", time(stage, *to)),
        (false, true) => format!("from {} on", time(stage, *from)),
        (false, false) => format!("from {} to {}", time(stage, *from), time(stage, *to)),
    };
    times.iter().map(one).collect::<Vec<_>>().join(" and ")
}
