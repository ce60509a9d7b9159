//! A robot at joint values of its own, everything else as it is at a moment of the plan.

use super::situation::{Situation, situation};
use super::{check_joints, robot};
use crate::document::closest::closest;
use crate::document::snapshot::Snapshot;
use crate::document::verdict::misplaced;
use crate::protocol::{At, Refusal, Reply, RobotAt, sent};
use freiraum_check::{CheckOptions, Finding, placement};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::{MAX_COORDINATE, SAME_POSE};
use freiraum_scene::PlacedRobot;

/// A robot that stands somewhere.
pub(super) struct Standing {
    /// The frames of its links.
    pub(super) frames: Vec<Pose>,
    /// Its links, tools and what it holds.
    pub(super) bodies: Vec<usize>,
    /// Those of them that are elsewhere than the plan has them.
    pub(super) moved: Vec<usize>,
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
    let planned = &now.robots[number];
    let before = robot.model.place(&robot.base, &planned.values).links[robot.flange];
    let flange = frames[robot.flange];
    let links = robot.links.iter().zip(&frames).filter_map(|(body, frame)| Some(((*body)?, *frame)));
    let tools = robot.tools.iter().map(|(body, flange_from_body)| (*body, flange * *flange_from_body));
    let held = planned.held.iter().map(|body| (*body, flange * (before.inverse() * now.poses[*body])));
    let mut poses = now.poses.clone();
    let mut moved = Vec::new();
    for (body, pose) in links.chain(tools).chain(held) {
        if !is_same(&pose, &now.poses[body]) {
            moved.push(body);
        }
        poses[body] = pose;
    }
    Ok(Standing {
        frames,
        bodies: robot.bodies().chain(planned.held.iter().copied()).collect(),
        moved,
        poses,
    })
}

/// Whether two poses differ by rounding only.
fn is_same(a: &Pose, b: &Pose) -> bool {
    let (p, q) = (a.translation(), b.translation());
    // The angle between them is twice the arc sine of this.
    let turned = (a.inverse() * *b).rotation().xyz().length();
    p.distance(q) <= SAME_POSE * (1.0 + p.length()) && turned <= SAME_POSE
}

/// What is wrong with where a robot stands: pairs of which at least one is of it. What it holds is not held against what holds it.
pub(super) fn findings(
    snapshot: &Snapshot,
    robot: &PlacedRobot,
    held: &[usize],
    standing: &Standing,
) -> Result<Vec<Finding>, Refusal> {
    let mut gripper = robot.gripper();
    let is_rigid = |link: &usize| robot.model.freedoms_between(*link, robot.flange).is_empty();
    gripper.extend((0..robot.links.len()).filter(is_rigid).filter_map(|link| robot.links[link]));
    let is_grip = |a: usize, b: usize| held.contains(&a) && (held.contains(&b) || gripper.contains(&b));
    // Also those that stand where the plan has them: who asks is told that it is free.
    let is_own = |[a, b]: [usize; 2]| {
        (standing.bodies.contains(&a) || standing.bodies.contains(&b)) && !is_grip(a, b) && !is_grip(b, a)
    };
    placement(snapshot.scene(), &snapshot.parts, &standing.poses, &is_own, &CheckOptions::default())
        .map_err(|problems| Refusal::from(snapshot.file.errors(problems)))
}

pub(super) fn robot_at(
    snapshot: &Snapshot,
    number: usize,
    joints: &[f64],
    at: Option<At>,
) -> Result<Reply, Refusal> {
    let placed = robot(snapshot.scene(), number)?;
    let now = situation(snapshot, at)?;
    let standing = stand(snapshot, number, &now, joints)?;
    let findings = findings(snapshot, placed, &now.robots[number].held, &standing)?;
    let mut outside: Vec<usize> =
        placed.model.outside_limits(joints).iter().map(|(freedom, ..)| *freedom).collect();
    outside.sort_unstable();
    outside.dedup();
    let Standing { bodies: own, moved, .. } = &standing;
    let is_near = |a: usize, b: usize| {
        own.contains(&a) != own.contains(&b) && (moved.contains(&a) || moved.contains(&b))
    };
    let told = RobotAt {
        poses: standing.bodies.iter().map(|body| (*body, sent(&standing.poses[*body]))).collect(),
        frames: standing.frames.iter().map(sent).collect(),
        tool: sent(&(standing.frames[placed.flange] * placed.flange_from_tool)),
        outside,
        findings: misplaced(snapshot, findings),
        closest: closest(snapshot, &standing.poses, &is_near),
    };
    Ok(told.into())
}
