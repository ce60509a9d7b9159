//! From states to steps: which motion leads from one placement to the next.
//!
//! Bodies that move by the same rotation and translation of the world move as one. A motion without rotation is a translation; one with rotation is
//! a rotation about an axis, through the origin of the body or through its proper centre; what also shifts along that axis is
//! neither, and two states must be put between.

use crate::timeline::Timeline;
use crate::words;
use freiraum_geometry::math::{RotationBetween, Screw};
use freiraum_geometry::path::Axis;
use freiraum_geometry::tolerance::SAME_POSE;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Move, Problem, Scene, State, Step, Travel};

/// How long a step between two states takes in animations, in seconds.
const SECONDS: f64 = 1.0;

/// Puts the bodies where the state says.
pub(crate) fn place(state: &State, poses: &mut [Pose]) {
    for (body, pose) in &state.poses {
        poses[*body] = *pose;
    }
}

/// The steps between the states of a scene; `start` is where the bodies are in the first one.
pub(crate) fn steps(scene: &Scene, start: &[Pose]) -> Result<Vec<Step>, Vec<Problem>> {
    let (mut poses, mut steps, mut problems) = (start.to_vec(), Vec::new(), Vec::new());
    let small =
        small(scene.states.iter().flat_map(|state| state.poses.iter().map(|(_, pose)| pose)).chain(start));
    for state in &scene.states[1..] {
        let mut next = poses.clone();
        place(state, &mut next);
        let mut groups: Vec<(Pose, Vec<usize>)> = Vec::new();
        for body in (0..poses.len()).filter(|body| !is_same(&poses[*body], &next[*body], small)) {
            // Where the world would go if it were this body.
            let change = next[body] * poses[body].inverse();
            match groups.iter_mut().find(|(other, _)| is_same(&change, other, small)) {
                Some((_, bodies)) => bodies.push(body),
                None => groups.push((change, vec![body])),
            }
        }
        let mut moves = Vec::new();
        for (_, bodies) in groups {
            let names: Vec<&str> = bodies.iter().map(|body| scene.bodies[*body].name.as_str()).collect();
            let subject = names.join(", ");
            match travel(&poses[bodies[0]], &next[bodies[0]], small) {
                Ok(travel) => moves.push(Move { subject, bodies, travel, place: state.place }),
                Err(turn) => problems.push(neither(scene, state, &subject, &poses[bodies[0]], &turn)),
            }
        }
        if !moves.is_empty() {
            let name = format!("to {}", state.name);
            steps.push(Step { name, moves, tasks: Vec::new(), seconds: SECONDS, place: state.place });
        }
        poses = next;
    }
    if problems.is_empty() { Ok(steps) } else { Err(problems) }
}

/// Bodies with a goal that are elsewhere after the last step, or where they stand if there is none.
pub(crate) fn missed_goals(scene: &Scene, timeline: &Timeline) -> Vec<usize> {
    let small = small(timeline.end.iter());
    let is_missed = |body: &usize| {
        scene.bodies[*body].goal.is_some_and(|goal| !is_same(&goal, &timeline.end[*body], small))
    };
    (0..scene.bodies.len()).filter(is_missed).collect()
}

/// The distance below which two places are the same, in metres.
fn small<'p>(poses: impl Iterator<Item = &'p Pose>) -> f64 {
    SAME_POSE * poses.map(|pose| pose.translation().abs().max_element()).fold(1.0, f64::max)
}

fn is_same(a: &Pose, b: &Pose, small: f64) -> bool {
    let turn = match a.screw_to(b) {
        Screw::Translation(_) => 0.0,
        Screw::Rotation(turn) => turn.angle,
    };
    turn <= SAME_POSE && a.translation().distance(b.translation()) <= small
}

/// The translation or rotation from one pose to another; if there is none, the screw that leads there.
fn travel(from: &Pose, to: &Pose, small: f64) -> Result<Travel, RotationBetween> {
    match from.screw_to(to) {
        Screw::Translation(by) => Ok(Travel::Translate(by)),
        Screw::Rotation(turn) if turn.angle <= SAME_POSE => {
            Ok(Travel::Translate(to.translation() - from.translation()))
        }
        Screw::Rotation(turn) if turn.advance.abs() > small => Err(turn),
        Screw::Rotation(turn) => {
            // The axis goes through the origin of the body if that stays where it is; this keeps its digits.
            let is_fixed = from.translation().distance(to.translation()) <= small;
            let point = if is_fixed { from.translation() } else { turn.center };
            let axis = Axis { point, direction: turn.axis };
            Ok(Travel::Turn { axis, angle: turn.angle, advance: 0.0 })
        }
    }
}

fn neither(scene: &Scene, state: &State, subject: &str, from: &Pose, turn: &RotationBetween) -> Problem {
    let unit = scene.units;
    // Nine digits: enough to be pasted, few enough to be read.
    let number = |x: f64| words::decimals(x, words::places(x, 9));
    let list = |v: Vec3| {
        // What is nothing beside the others is zero.
        let least = 2.0 * SAME_POSE * v.abs().max_element();
        let [x, y, z] = v.to_array().map(|x| number(if x.abs() > least { x } else { 0.0 }));
        format!("[{x}, {y}, {z}]")
    };
    let lengths = |v: Vec3| list(v.map(|x| unit.from_metres(x)));
    let message = format!(
        "{} has no simple motion to the state {:?}: it turns by {} and also shifts by {} along the axis",
        words::named(subject),
        state.name,
        words::degrees(turn.angle),
        words::length(turn.advance.abs(), unit),
    );
    let end = from.translation() + turn.advance * turn.axis;
    let help = format!(
        "put a state between: only shifted, to the position {}, from where a rotation leads on; \
         or use steps: screw = {{ point = {}, axis = {}, deg = {}, advance = {} }}",
        lengths(end),
        lengths(turn.center),
        list(turn.axis),
        number(turn.angle.to_degrees()),
        number(unit.from_metres(turn.advance)),
    );
    Problem::new(state.place, message).help(help)
}
