//! Parts that touch something at joint values by design, as a check has it: a part that lies on its table where it is grasped, or where it is put down.
//!
//! Such a pair is looked at with both bodies made smaller by what a check allows it, and keeps no distance unless a rule of its own says so; a check of the whole
//! way then tells whether it keeps its clearance outside of contact and approach.

use super::program::{Setting, Situation};
use crate::check::shrinker::Shrinkers;
use crate::parts::Parts;
use freiraum_geometry::Pose;
use freiraum_motion::fit::PairCheck;
use freiraum_motion::path::UniformMotion;
use freiraum_motion::{Limits, MotionError};
use freiraum_query::Prepared;
use freiraum_scene::{Problem, Scene};
use std::collections::BTreeMap;

/// What touches what by design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touching {
    /// A part of the robot and an obstacle, by their numbers.
    Obstacle(usize, usize),
    /// Two parts of the robot.
    Own(usize, usize),
}

/// Pairs that touch by design, with both bodies made smaller.
pub(super) type Fits = BTreeMap<Touching, [Prepared; 2]>;

/// What touches by design at joint values. How much is allowed without being told depends on where the way begins, as in a check.
pub(super) fn fits(
    scene: &Scene,
    parts: &Parts,
    setting: &Setting,
    now: &Situation,
    values: &[f64],
) -> Result<Fits, Problem> {
    let robot = &scene.robots[setting.robot];
    let [first, links] = [&now.values[..], values].map(|v| robot.model.place(&robot.base, v).links);
    // Where a part is at the start and now.
    let placed = |part: usize| {
        let (_, link, link_from_part) = &setting.moving[part];
        [first[*link] * *link_from_part, links[*link] * *link_from_part]
    };
    let mut found = Fits::new();
    let mut look = |pair: Touching, bodies: [usize; 2], poses: [[Pose; 2]; 2]| {
        let rest = rest(scene, parts, bodies, poses).map_err(|error| {
            let [a, b] = bodies.map(|body| &scene.bodies[body].name);
            Problem::new(scene.bodies[bodies[0]].place, format!("{a:?} and {b:?}: {error}"))
        })?;
        found.extend(rest.map(|smaller| (pair, smaller)));
        Ok(())
    };
    for (i, (a, link, _)) in setting.moving.iter().enumerate() {
        if robot.model.freedoms_between(0, *link).is_empty() {
            continue;
        }
        for (k, b) in setting.others.iter().enumerate() {
            look(Touching::Obstacle(i, k), [*a, *b], [placed(i), [now.poses[*b]; 2]])?;
        }
    }
    for [i, k] in setting.own_pairs(scene) {
        let bodies = [i, k].map(|part| setting.moving[part].0);
        look(Touching::Own(i, k), bodies, [i, k].map(placed))?;
    }
    Ok(found)
}

/// Both bodies made smaller, if they rest on each other; `poses` are those at the start and those that are asked for.
fn rest(
    scene: &Scene,
    parts: &Parts,
    bodies: [usize; 2],
    poses: [[Pose; 2]; 2],
) -> Result<Option<[Prepared; 2]>, MotionError> {
    let required = scene.requirement(bodies[0], bodies[1]);
    let is_kept_apart = required.is_explicit && required.clearance > 0.0;
    // Shapes that cannot be read are told by who needs them all.
    let (Ok(a), Ok(b)) = (parts.movable(bodies[0]), parts.movable(bodies[1])) else { return Ok(None) };
    if required.ignore.is_some() || is_kept_apart {
        return Ok(None);
    }
    // Whatever the robot does on its way, the bodies rest on each other where they are asked for.
    let motions = poses.map(|[_, now]| UniformMotion::still(now));
    let shrinkers = Shrinkers(bodies.map(|body| parts.shrinker(body)));
    let mut asked = PairCheck {
        bodies: [a, b],
        motions: [&motions[0], &motions[1]],
        allowance: required.allowance,
        limits: Limits::default(),
    };
    let fit = match asked.rests_at_end(&shrinkers) {
        // Without what cannot be allowed, as in a check.
        Err(MotionError::Allowance(_)) => {
            asked.allowance = 0.0;
            asked.rests_at_end(&shrinkers)?
        }
        answer => answer?,
    };
    let Some(fit) = fit else { return Ok(None) };
    let smaller = asked.eroded(fit, &shrinkers);
    // Those that cannot be made smaller stay as they are.
    Ok(smaller.ok().map(|pair| pair.map(|body| body.prepared().clone())))
}
