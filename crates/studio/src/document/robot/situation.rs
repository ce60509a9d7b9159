//! Where robots are at a moment of the plan, and what they hold.

use crate::document::ask::placement;
use crate::document::snapshot::Snapshot;
use crate::protocol::{At, Refusal};
use freiraum_geometry::Pose;
use freiraum_scene::{Action, ActionKind, Place, Scene, Step, Task};

/// Everything at a moment of the plan.
pub(in crate::document) struct Situation {
    /// Where all bodies are.
    pub(in crate::document) poses: Vec<Pose>,
    /// All robots.
    pub(in crate::document) robots: Vec<RobotNow>,
}

/// A robot at a moment.
pub(in crate::document) struct RobotNow {
    /// Its joint values.
    pub(in crate::document) values: Vec<f64>,
    /// Numbers of the bodies that it holds.
    pub(in crate::document) held: Vec<usize>,
}

/// Everything at this moment; before the first step nobody holds anything, and after a stage what is held in the next one.
pub(in crate::document) fn situation(snapshot: &Snapshot, at: Option<At>) -> Result<Situation, Refusal> {
    let poses = placement(snapshot, at, &[])?;
    let scene = snapshot.scene();
    let Some(At { step, t }) = at else {
        let start =
            |robot: &freiraum_scene::PlacedRobot| RobotNow { values: robot.start.clone(), held: Vec::new() };
        return Ok(Situation { poses, robots: scene.robots.iter().map(start).collect() });
    };
    let stages = &snapshot.timeline.robots;
    let stage = stages.get(step).map_or(&[][..], |stage| stage);
    let holding = if t < 1.0 { stage } else { stages.get(step + 1).map_or(stage, |next| next) };
    let now = |(number, robot): (usize, &freiraum_check::RobotStage)| {
        // Between two values within the limits rounding may lead beyond.
        let inside = |(freedom, value): (usize, f64)| {
            let range = scene.robots[number].model.range(freedom);
            value.max(range.lower).min(range.upper)
        };
        let values = robot.path.values(t.clamp(0.0, 1.0)).into_iter().enumerate().map(inside).collect();
        RobotNow { values, held: holding[number].held.clone() }
    };
    Ok(Situation { poses, robots: stage.iter().enumerate().map(now).collect() })
}

/// The scene with a single step, which begins in this situation: every robot first takes what it holds then. Also how many of these actions each task has.
pub(in crate::document) fn alone(scene: &Scene, now: &Situation, step: &Step) -> (Scene, Vec<usize>) {
    let mut step = step.clone();
    let mut taken = Vec::with_capacity(step.tasks.len());
    for task in &mut step.tasks {
        let held = now.robots.get(task.robot).map_or(&[][..], |robot| &robot.held);
        let grasp = |body: &usize| Action {
            kind: ActionKind::Grasp { body: *body, depth: None },
            place: Place::default(),
        };
        task.actions.splice(0..0, held.iter().map(grasp));
        taken.push(held.len());
    }
    let mut alone = Scene { steps: vec![step], states: Vec::new(), ..scene.clone() };
    for (body, pose) in alone.bodies.iter_mut().zip(&now.poses) {
        body.pose = *pose;
    }
    for (robot, now) in alone.robots.iter_mut().zip(&now.robots) {
        robot.start.clone_from(&now.values);
    }
    (alone, taken)
}

/// A step that consists of one action.
pub(super) fn single(robot: usize, kind: ActionKind) -> Step {
    let actions = vec![Action { kind, place: Place::default() }];
    let tasks = vec![Task { robot, actions, place: Place::default() }];
    Step { name: "this motion".to_owned(), moves: Vec::new(), tasks, seconds: 1.0, place: Place::default() }
}
