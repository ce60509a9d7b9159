//! Robots: what the pages are told of them, questions about them, and what they are told to do.

mod action;
mod attempt;
mod change;
mod event;
mod reached;
mod situation;
mod solutions;
mod standing;

pub(super) use action::listed;
pub(super) use change::apply;
pub(super) use event::{end_robots, robots, stage_robots};
pub(super) use situation::{Situation, alone, situation};

use super::snapshot::Snapshot;
use crate::protocol::{Command, Refusal, Reply};
use freiraum_scene::{PlacedRobot, Scene};

/// Answers a question about a robot; `None` if the command is none.
pub(super) fn answer(snapshot: &Snapshot, command: &Command) -> Option<Result<Reply, Refusal>> {
    Some(match command {
        Command::RobotAt { robot, joints, at } => standing::robot_at(snapshot, *robot, joints, *at),
        Command::RobotIk { robot, tool, joints, at } => {
            solutions::robot_ik(snapshot, *robot, tool, joints, *at)
        }
        Command::RobotWorkspace { robot, count } => reached::robot_workspace(snapshot, *robot, *count),
        Command::RobotTrail { robot } => reached::robot_trail(snapshot, *robot),
        Command::RobotTry { robot, action, at } => attempt::robot_try(snapshot, *robot, action, *at),
        _ => return None,
    })
}

/// The robot with this number.
fn robot(scene: &Scene, robot: usize) -> Result<&PlacedRobot, Refusal> {
    scene.robots.get(robot).ok_or_else(|| Refusal::new("request", format!("there is no robot {robot}")))
}

/// Refuses joint values that are not one finite number per joint.
fn check_joints(robot: &PlacedRobot, joints: &[f64]) -> Result<(), Refusal> {
    if joints.len() == robot.start.len() && joints.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(no_joints(robot, joints.len()))
    }
}

fn no_joints(robot: &PlacedRobot, count: usize) -> Refusal {
    let message = format!(
        "{:?} has {} joints; {count} values came, or some are no numbers",
        robot.name,
        robot.start.len()
    );
    Refusal::new("request", message)
}
