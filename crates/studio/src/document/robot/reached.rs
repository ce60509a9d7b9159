//! Where the tool of a robot can get, and where it goes.

use super::robot;
use crate::document::snapshot::Snapshot;
use crate::protocol::{ReachInfo, Refusal, Reply, Trail, WorkspacePoints};
use freiraum_geometry::Vec3;
use freiraum_geometry::path::{Ball, Carried, Motion};
use freiraum_robot::trajectory::LinkMotion;
use freiraum_robot::{Workspace, WorkspaceOptions, workspace};
use freiraum_scene::PlacedRobot;
use std::sync::Arc;

/// More points are no picture.
const MOST_POINTS: usize = 50_000;

/// A trail is within this share of the reach.
const ACCURACY: f64 = 0.001;

/// So many joint values are tried for the reach that a trail is measured by.
const SAMPLES: usize = 1000;

/// A piece of a trail between two breaks is cut at most so often in two.
const DEPTH: u32 = 16;

fn sampled(robot: &PlacedRobot, samples: usize) -> Workspace {
    let options = WorkspaceOptions { samples, ..WorkspaceOptions::default() };
    workspace(&robot.model, robot.flange, robot.flange_from_tool.translation(), &robot.base, &options)
}

fn flat(points: &[Vec3]) -> Vec<f64> {
    points.iter().flat_map(|point| point.to_array()).collect()
}

pub(super) fn robot_workspace(snapshot: &Snapshot, number: usize, count: usize) -> Result<Reply, Refusal> {
    let robot = robot(snapshot.scene(), number)?;
    if !(1..=MOST_POINTS).contains(&count) {
        return Err(Refusal::new("request", format!("`count` is from 1 to {MOST_POINTS}")));
    }
    let found = sampled(robot, count);
    let (lower, upper) = (found.region.min.to_array(), found.region.max.to_array());
    let reach = ReachInfo { radius: found.reach, lower, upper, volume: found.volume };
    Ok(WorkspacePoints { points: flat(&found.points), reach }.into())
}

pub(super) fn robot_trail(snapshot: &Snapshot, number: usize) -> Result<Reply, Refusal> {
    let robot = robot(snapshot.scene(), number)?;
    let accuracy = ACCURACY * sampled(robot, SAMPLES).reach;
    let count = snapshot.timeline.stages.len();
    let stages: Vec<Vec<f64>> = snapshot.timeline.robots[..count]
        .iter()
        .map(|stage| {
            let flange = LinkMotion::new(&robot.model, robot.flange, robot.base, stage[number].path.clone());
            flat(&trail(&Carried::new(Arc::new(flange), robot.flange_from_tool), accuracy))
        })
        .collect();
    Ok(Trail { stages }.into())
}

/// The way of the origin as points; straight lines between them are within the accuracy, which the acceleration proves.
fn trail(motion: &dyn Motion, accuracy: f64) -> Vec<Vec3> {
    let mut breaks = vec![0.0];
    motion.breaks(&mut breaks);
    breaks.push(1.0);
    let mut points = vec![motion.pose(0.0).translation()];
    for pair in breaks.windows(2) {
        add(motion, accuracy, [pair[0], pair[1]], DEPTH, &mut points);
    }
    if points.iter().all(|point| *point == points[0]) {
        points.truncate(1);
    }
    points
}

/// Appends points after `from` up to `to`.
fn add(motion: &dyn Motion, accuracy: f64, [from, to]: [f64; 2], depth: u32, points: &mut Vec<Vec3>) {
    let origin = Ball { center: Vec3::ZERO, radius: 0.0 };
    // Half way between two knots is where a curve is farthest from its chord, if it is curved evenly.
    let off = motion.acceleration(&origin, from, to) * (to - from).powi(2) / 8.0;
    let middle = 0.5 * (from + to);
    if depth == 0 || off <= accuracy || !(from < middle && middle < to) {
        points.push(motion.pose(to).translation());
        return;
    }
    add(motion, accuracy, [from, middle], depth - 1, points);
    add(motion, accuracy, [middle, to], depth - 1, points);
}
