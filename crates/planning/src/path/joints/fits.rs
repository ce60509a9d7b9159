//! Parts that touch something at joint values by design, as a check has it: a part that lies on its table where it is grasped, or where it is put down.
//!
//! Such a pair is looked at with both bodies made smaller by what a check allows it, and keeps no distance unless a rule of its own says so; a check of the whole
//! way then tells whether it keeps its clearance outside of contact and approach.

use super::program::{Setting, Situation};
use freiraum_assets::ShapeCache;
use freiraum_geometry::Pose;
use freiraum_geometry::path::Straight;
use freiraum_motion::fit::PairCheck;
use freiraum_motion::{CancelToken, Limits, MotionError};
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

/// What touches by design before or after a motion from the joint values of now to these. How much is allowed
/// without being told depends on where the path begins, as in a check.
pub(super) fn fits(
    scene: &Scene,
    parts: &ShapeCache,
    setting: &Setting,
    now: &Situation,
    values: &[f64],
    cancel: &CancelToken,
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
        let rest = rest(scene, parts, bodies, poses, cancel).map_err(|error| {
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
    parts: &ShapeCache,
    bodies: [usize; 2],
    poses: [[Pose; 2]; 2],
    cancel: &CancelToken,
) -> Result<Option<[Prepared; 2]>, MotionError> {
    let required = scene.requirement(bodies[0], bodies[1]);
    let is_kept_apart = required.is_explicit && required.clearance > 0.0;
    // Shapes that cannot be read are told by who needs them all.
    let (Ok(a), Ok(b)) = (parts.movable(bodies[0]), parts.movable(bodies[1])) else { return Ok(None) };
    if required.ignore.is_some() || is_kept_apart {
        return Ok(None);
    }
    // Whatever the robot does on its way, what touches where it begins and ends counts.
    let motions = poses.map(|[before, after]| Straight::new(before, after));
    let asked = PairCheck {
        bodies: [a, b],
        motions: [&motions[0], &motions[1]],
        allowance: required.allowance,
        limits: Limits::default(),
    };
    let if_thin = freiraum_check::if_thin(scene, bodies);
    // Only what touches by design is looked at with eroded bodies.
    if asked.asked(if_thin, |asked| asked.fit(parts.erosion()))?.is_none() {
        return Ok(None);
    }
    let found = asked.for_search(if_thin, |_| 0.0, parts.erosion(), cancel)?;
    Ok(Some(found.bodies.map(|body| body.prepared().clone())))
}
