//! What the `scene` event tells of robots.

use crate::protocol::sent;
use freiraum_plan::RobotStage;
use freiraum_robot::inverse::{Method, Options};
use freiraum_scene::{NamedJoints, PlacedRobot, Scene};
use serde_json::{Value, json};

/// All robots of a scene.
pub(in crate::document) fn robots(scene: &Scene) -> Vec<Value> {
    scene.robots.iter().map(robot).collect()
}

fn robot(robot: &PlacedRobot) -> Value {
    let model = &robot.model;
    let links = model.links().iter().zip(&robot.links);
    let links: Vec<Value> = links.map(|(link, body)| json!({ "name": link.name, "body": body })).collect();
    let joint = |freedom: usize| {
        let range = model.range(freedom);
        let finite = |x: f64| x.is_finite().then_some(x);
        json!({
            "name": robot.joint_name(freedom), "turns": robot.turns(freedom),
            "lower": finite(range.lower), "upper": finite(range.upper),
            "speed": model.joints()[model.freedoms()[freedom]].velocity,
        })
    };
    let state = |state: &NamedJoints| json!({ "name": state.name, "values": state.values });
    let method = method(robot);
    json!({
        "name": robot.name, "base": sent(&robot.base), "links": links, "flange": robot.flange,
        "flange_from_tool": sent(&robot.flange_from_tool),
        "tools": robot.tools.iter().map(|(body, _)| *body).collect::<Vec<_>>(),
        "joints": (0..robot.start.len()).map(joint).collect::<Vec<_>>(), "start": robot.start,
        "states": robot.states.iter().map(state).collect::<Vec<_>>(),
        "method": method.to_string(), "closed": method.is_complete(),
    })
}

/// How inverse solutions are found: asked for where the tool is at the start.
fn method(robot: &PlacedRobot) -> Method {
    let tool = robot.flange_at_start() * robot.flange_from_tool;
    let options = Options { solutions: 1, starts: 1, ..Options::default() };
    let (flange, at) = (robot.flange, &robot.flange_from_tool);
    freiraum_robot::inverse(&robot.model, flange, at, &tool, &robot.base, &robot.start, &options).method
}

/// All robots during a stage: joint values over its time, and what they hold.
pub(in crate::document) fn stage_robots(stage: &[RobotStage]) -> Vec<Value> {
    let one = |(robot, stage): (usize, &RobotStage)| {
        let times = stage.path.times();
        let values: Vec<&[f64]> = (0..times.len()).map(|knot| stage.path.knot(knot)).collect();
        json!({ "robot": robot, "times": times, "values": values, "held": stage.held })
    };
    stage.iter().enumerate().map(one).collect()
}

/// All robots after the last stage.
pub(in crate::document) fn end_robots(end: &[RobotStage]) -> Vec<Value> {
    let one = |(robot, stage): (usize, &RobotStage)| json!({ "robot": robot, "values": stage.path.values(1.0), "held": stage.held });
    end.iter().enumerate().map(one).collect()
}
