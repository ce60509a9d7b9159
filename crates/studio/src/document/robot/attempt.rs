//! One action tried against everything.

use super::situation::{alone, single, situation};
use super::{action, robot};
use crate::document::ask::contact;
use crate::document::snapshot::Snapshot;
use crate::protocol::{At, NewAction, Refusal, Reply, Tried, sent};
use freiraum_check::{CheckMemory, CheckOptions, Finding, PlanVerdict, Timeline, check};

pub(super) fn robot_try(
    snapshot: &Snapshot,
    number: usize,
    new: &NewAction,
    at: Option<At>,
) -> Result<Reply, Refusal> {
    let scene = snapshot.scene();
    let placed = robot(scene, number)?;
    if !matches!(new, NewAction::Ptp(_) | NewAction::Lin(_) | NewAction::Joint(_)) {
        return Err(Refusal::new("request", "only ptp, lin and joint are tried"));
    }
    let now = situation(snapshot, at)?;
    let (alone, _) = alone(scene, &now, &single(number, action::kind(scene, placed, new)?));
    let in_file = |problems| Refusal::from(snapshot.file.errors(problems));
    let timeline = Timeline::of(&alone).map_err(in_file)?;
    let memory = CheckMemory::default();
    let found =
        check(&alone, &timeline, &snapshot.parts, &memory, &CheckOptions::default()).map_err(in_file)?;
    // What only comes too close does not stop it, but it is told.
    let findings = || found.steps.iter().flat_map(|step| &step.findings);
    let is_close = |finding: &&Finding| finding.kind.verdict() == PlanVerdict::TooClose;
    let stop = findings().find(|finding| !is_close(finding));
    let close = findings().find(is_close);
    let share = stop.map_or(1.0, |finding| finding.time.clamp(0.0, 1.0));
    let mut poses = now.poses;
    let stage = timeline.stages.first();
    for body in stage.iter().flat_map(|stage| &stage.movers).flat_map(|mover| &mover.bodies) {
        poses[*body] = stage.map_or(poses[*body], |stage| stage.motion(*body).pose(share));
    }
    let tried = Tried {
        share,
        contact: stop.and_then(|finding| contact(snapshot, finding)),
        too_close: close.and_then(|finding| contact(snapshot, finding)),
        joints: timeline.robots[0][number].path.values(share),
        poses: poses.iter().map(sent).collect(),
        seconds: stage.map_or(0.0, |stage| stage.seconds),
    };
    Ok(tried.into())
}
