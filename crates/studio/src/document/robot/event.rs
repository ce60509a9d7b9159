//! What the `scene` event tells of robots.

use crate::protocol::{JointInfo, JointState, LinkInfo, RobotEnd, RobotInfo, RobotTrack, sent};
use freiraum_check::RobotStage;
use freiraum_robot::inverse::{Method, Options};
use freiraum_scene::{NamedJoints, PlacedRobot, Scene};

/// All robots of a scene.
pub(in crate::document) fn robots(scene: &Scene) -> Vec<RobotInfo> {
    scene.robots.iter().map(robot).collect()
}

fn robot(robot: &PlacedRobot) -> RobotInfo {
    let model = &robot.model;
    let links = model.links().iter().zip(&robot.links);
    let joint = |freedom: usize| {
        let range = model.range(freedom);
        let finite = |x: f64| x.is_finite().then_some(x);
        JointInfo {
            name: robot.joint_name(freedom).to_owned(),
            turns: robot.turns(freedom),
            lower: finite(range.lower),
            upper: finite(range.upper),
            speed: model.joints()[model.freedoms()[freedom]].velocity,
        }
    };
    let state = |state: &NamedJoints| JointState { name: state.name.clone(), values: state.values.clone() };
    let method = method(robot);
    RobotInfo {
        name: robot.name.clone(),
        base: sent(&robot.base),
        links: links.map(|(link, body)| LinkInfo { name: link.name.clone(), body: *body }).collect(),
        flange: robot.flange,
        flange_from_tool: sent(&robot.flange_from_tool),
        tools: robot.tools.iter().map(|(body, _)| *body).collect(),
        joints: (0..robot.start.len()).map(joint).collect(),
        start: robot.start.clone(),
        states: robot.states.iter().map(state).collect(),
        method: method.to_string(),
        closed: method.is_complete(),
    }
}

/// How inverse solutions are found: asked for where the tool is at the start.
fn method(robot: &PlacedRobot) -> Method {
    let tool = robot.flange_at_start() * robot.flange_from_tool;
    let options = Options { solutions: 1, starts: 1, ..Options::default() };
    let (flange, at) = (robot.flange, &robot.flange_from_tool);
    freiraum_robot::inverse(&robot.model, flange, at, &tool, &robot.base, &robot.start, &options).method
}

/// All robots during a stage: joint values over its time, and what they hold.
pub(in crate::document) fn stage_robots(stage: &[RobotStage]) -> Vec<RobotTrack> {
    let one = |(robot, stage): (usize, &RobotStage)| {
        let times = stage.path.times().to_vec();
        let values = (0..times.len()).map(|knot| stage.path.knot(knot).to_vec()).collect();
        RobotTrack { robot, times, values, held: stage.held.clone() }
    };
    stage.iter().enumerate().map(one).collect()
}

/// All robots after the last stage.
pub(in crate::document) fn end_robots(end: &[RobotStage]) -> Vec<RobotEnd> {
    let one = |(robot, stage): (usize, &RobotStage)| {
        let (values, held) = (stage.path.values(1.0), stage.held.clone());
        RobotEnd { robot, values, held }
    };
    end.iter().enumerate().map(one).collect()
}
