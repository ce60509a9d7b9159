//! Changes of what robots are and do.

use super::{action, check_joints, robot};
use crate::document::ask::no_step;
use crate::document::edit::{Done, Merge, free_step_name};
use crate::protocol::{Command, NewRobotStep, Refusal, received};
use freiraum_formats::scene::SceneFile;
use freiraum_scene::{ActionKind, Scene, Task};

/// Changes the file; `None` if the command is none about robots. On an error the file may be half changed: work on a copy.
pub(in crate::document) fn apply(file: &mut SceneFile, command: &Command) -> Option<Result<Done, Refusal>> {
    Some(match command {
        Command::RobotStep(new) => step(file, new),
        Command::RobotStart { robot, joints } => start(file, *robot, joints),
        Command::RobotBase { robot: number, pose, merge } => {
            robot(file.scene(), *number).map(|robot| robot.name.clone()).and_then(|name| {
                file.set_robot_pose(*number, &received(pose)?)?;
                let merge = Merge { what: format!("base {number}"), joins: *merge };
                Ok(Done { merge: Some(merge), ..Done::new(format!("move {name}")) })
            })
        }
        _ => return None,
    })
}

fn start(file: &mut SceneFile, number: usize, joints: &[f64]) -> Result<Done, Refusal> {
    let placed = robot(file.scene(), number)?;
    check_joints(placed, joints)?;
    let label = format!("start {}", placed.name);
    file.set_start_joints(number, joints)?;
    Ok(Done::new(label))
}

fn step(file: &mut SceneFile, new: &NewRobotStep) -> Result<Done, Refusal> {
    let scene = file.scene();
    let task = action::task(scene, new.robot, &new.actions)?;
    let Some(with) = new.with else {
        let name = new.name.clone().unwrap_or_else(|| free_step_name(file, suggested(scene, &task)));
        let index = new.index.unwrap_or(scene.steps.len());
        file.add_task_step(index, &name, &[task])?;
        return Ok(Done { step: Some(index), ..Done::new(format!("add {name}")) });
    };
    if new.index.is_some() {
        return Err(Refusal::new("request", "`index` beside `with`: expected one of them"));
    }
    let step = scene.steps.get(with).ok_or_else(|| no_step(with))?;
    let (robot, name) = (&scene.robots[new.robot].name, step.name.clone());
    if step.tasks.is_empty() {
        let refusal =
            Refusal::new("request", format!("{name:?} moves bodies; robots have steps of their own"));
        return Err(refusal.help("record it as a step of its own"));
    }
    if step.tasks.iter().any(|task| task.robot == new.robot) {
        let refusal = Refusal::new("request", format!("{robot:?} does something in {name:?} already"));
        return Err(refusal.help("record it as a step of its own"));
    }
    let label = format!("add {robot} to {name}");
    file.add_task(with, &task)?;
    if let Some(name) = &new.name {
        file.rename_step(with, name)?;
    }
    Ok(Done { step: Some(with), ..Done::new(label) })
}

/// A name for a step that says what it does: what is taken or left, else the first thing.
fn suggested(scene: &Scene, task: &Task) -> String {
    let robot = &scene.robots[task.robot];
    let is_hand = |kind: &ActionKind| matches!(kind, ActionKind::Grasp { .. } | ActionKind::Release { .. });
    let kinds = || task.actions.iter().map(|action| &action.kind);
    let body = |body: usize| &scene.bodies[body].name;
    let does = match kinds().find(|kind| is_hand(kind)).or_else(|| kinds().next()) {
        Some(ActionKind::Grasp { body: grasped, .. }) => format!("grasps {}", body(*grasped)),
        Some(ActionKind::Release { body: left }) => format!("releases {}", body(*left)),
        Some(ActionKind::Line { .. }) => "on a line".to_owned(),
        Some(ActionKind::Joint { freedom, .. }) => format!("moves {}", robot.joint_name(*freedom)),
        Some(ActionKind::Wait(_) | ActionKind::Sync(_)) => "waits".to_owned(),
        _ => "moves".to_owned(),
    };
    format!("{} {does}", robot.name)
}
