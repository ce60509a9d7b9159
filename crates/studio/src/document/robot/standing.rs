//! A robot at joint values of its own, everything else as it is at a moment of the plan.

use super::situation::{Situation, situation};
use super::{check_joints, robot};
use crate::document::closest::closest;
use crate::document::snapshot::Snapshot;
use crate::document::verdict::in_metres;
use crate::protocol::{At, Refusal, sent};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_plan::Timeline;
use freiraum_plan::check::{CheckMemory, CheckOptions, CheckResult, Finding, PlanVerdict, check};
use freiraum_scene::PlacedRobot;
use serde_json::{Value, json};

/// A robot that stands somewhere.
pub(super) struct Standing {
    /// The frames of its links.
    pub(super) frames: Vec<Pose>,
    /// Its links, tools and what it holds.
    pub(super) bodies: Vec<usize>,
    /// Where all bodies are.
    pub(super) poses: Vec<Pose>,
}

/// The robot with this number at these joint values, with what it holds.
pub(super) fn stand(
    snapshot: &Snapshot,
    number: usize,
    now: &Situation,
    joints: &[f64],
) -> Result<Standing, Refusal> {
    let robot = robot(snapshot.scene(), number)?;
    check_joints(robot, joints)?;
    let frames = robot.model.place(&robot.base, joints).links;
    // Also false for what is no number.
    if !frames.iter().all(|frame| frame.translation().abs().max_element() <= MAX_COORDINATE) {
        return Err(Refusal::new("request", "these joint values lead too far out"));
    }
    let mut poses = now.poses.clone();
    for (link, body) in robot.links.iter().enumerate() {
        if let Some(body) = body {
            poses[*body] = frames[link];
        }
    }
    let flange = frames[robot.flange];
    for (body, flange_from_body) in &robot.tools {
        poses[*body] = flange * *flange_from_body;
    }
    let before = robot.model.place(&robot.base, &now.robots[number].values).links[robot.flange];
    let held = &now.robots[number].held;
    for body in held {
        poses[*body] = flange * (before.inverse() * now.poses[*body]);
    }
    Ok(Standing { frames, bodies: robot.bodies().chain(held.iter().copied()).collect(), poses })
}

/// What is wrong with where a robot stands: pairs of which at least one is of it. What it holds is not held against what holds it.
pub(super) fn findings(
    snapshot: &Snapshot,
    robot: &PlacedRobot,
    held: &[usize],
    standing: &Standing,
) -> Result<Vec<Finding>, Refusal> {
    let timeline = Timeline { stages: Vec::new(), end: standing.poses.clone(), robots: Vec::new() };
    let result = check(
        snapshot.scene(),
        &timeline,
        &snapshot.parts,
        &CheckMemory::default(),
        &CheckOptions::default(),
    )
    .map_err(|problems| Refusal::from(snapshot.file.errors(problems)))?;
    let mut gripper = robot.gripper();
    let is_rigid = |link: &usize| robot.model.freedoms_between(*link, robot.flange).is_empty();
    gripper.extend((0..robot.links.len()).filter(is_rigid).filter_map(|link| robot.links[link]));
    let is_grip = |a: usize, b: usize| held.contains(&a) && (held.contains(&b) || gripper.contains(&b));
    let is_own = |finding: &Finding| {
        let [a, b] = finding.pair;
        (standing.bodies.contains(&a) || standing.bodies.contains(&b)) && !is_grip(a, b) && !is_grip(b, a)
    };
    Ok(result.start.into_iter().filter(is_own).collect())
}

/// Findings as they are told.
fn told(snapshot: &Snapshot, findings: Vec<Finding>) -> Value {
    let result = CheckResult {
        verdict: PlanVerdict::Free,
        start: findings,
        steps: Vec::new(),
        missed: Vec::new(),
        open: Vec::new(),
        pairs_tested: 0,
        pairs_remembered: 0,
        pairs_apart: 0,
        pairs_measured: 0,
    };
    in_metres(snapshot, &result)["start"].take()
}

pub(super) fn robot_at(
    snapshot: &Snapshot,
    number: usize,
    joints: &[f64],
    at: Option<At>,
) -> Result<Value, Refusal> {
    let placed = robot(snapshot.scene(), number)?;
    let now = situation(snapshot, at)?;
    let standing = stand(snapshot, number, &now, joints)?;
    let findings = findings(snapshot, placed, &now.robots[number].held, &standing)?;
    let mut outside: Vec<usize> =
        placed.model.outside_limits(joints).iter().map(|(freedom, ..)| *freedom).collect();
    outside.sort_unstable();
    outside.dedup();
    let poses: Vec<Value> =
        standing.bodies.iter().map(|body| json!([body, sent(&standing.poses[*body])])).collect();
    Ok(json!({
        "poses": poses, "frames": standing.frames.iter().map(sent).collect::<Vec<_>>(),
        "tool": sent(&(standing.frames[placed.flange] * placed.flange_from_tool)), "outside": outside,
        "findings": told(snapshot, findings), "closest": closest(snapshot, &standing.poses, &standing.bodies),
    }))
}
