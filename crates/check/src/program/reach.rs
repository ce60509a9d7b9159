//! Grasps that nothing of the gripper is near to.

use crate::{Timeline, words};
use freiraum_assets::ShapeCache;
use freiraum_geometry::shape::Sphere;
use freiraum_geometry::{Pose, Shape};
use freiraum_query::{Prepared, QueryError, distance};
use freiraum_scene::{PlacedRobot, Scene};

/// A gripper is at a part if it is no farther away than this, in metres, or than the two have to stay apart.
const AT_HAND: f64 = 0.001;

/// A grasp of a part that nothing of the gripper is at, or of which that could not be found out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DoubtfulGrasp {
    /// The number of the part.
    pub(crate) part: usize,
    /// False if the distance could not be computed.
    pub(crate) is_far: bool,
    /// A sentence without its full stop.
    pub(crate) said: String,
}

/// Every grasp of a part that nothing of the gripper is at: whether it can be held there is not checked, so
/// people have to know.
///
/// **Cost.** A distance per part that is grasped and body of the gripper. Shapes that cannot be read are
/// passed over; the check tells them.
pub(crate) fn doubtful_grasps(scene: &Scene, timeline: &Timeline, parts: &ShapeCache) -> Vec<DoubtfulGrasp> {
    let mut told = Vec::new();
    for (stage, robots) in timeline.robots.iter().enumerate() {
        let poses =
            &timeline.stages.get(stage).map_or_else(|| timeline.end.clone(), |one| one.before.to_vec());
        for (robot, now) in robots.iter().enumerate() {
            let before = stage.checked_sub(1).map_or(&[][..], |before| &timeline.robots[before][robot].held);
            for body in now.held.iter().filter(|body| !before.contains(body)) {
                let placed = &scene.robots[robot];
                // The grasp is what ended the stage before.
                let step = stage.checked_sub(1).map_or("the first step", |k| &timeline.stages[k].name);
                let (by, part) = (&placed.name, words::body(scene, *body));
                let (is_far, said) = match gap(scene, parts, placed, &now.path.values(0.0), poses, *body) {
                    Ok(Some((far, least))) if far > least => {
                        let away = words::length(far, scene.units);
                        let said = format!(
                            "{step}: {by} grasps {part} from {away} away; nothing of its gripper is nearer, and whether it can hold it there is not checked"
                        );
                        (true, said)
                    }
                    Ok(_) => continue,
                    Err(error) => {
                        let said = format!(
                            "{step}: {by} grasps {part}; how far its gripper is from it could not be computed: {error}"
                        );
                        (false, said)
                    }
                };
                told.push(DoubtfulGrasp { part: *body, is_far, said });
            }
        }
    }
    told
}

/// How far the nearest body of the gripper is from a part, or its tool centre point if it has none; and how
/// far it may be. `None` if a shape cannot be read. An error if no body is at hand and the distance of one is
/// unknown.
fn gap(
    scene: &Scene,
    parts: &ShapeCache,
    robot: &PlacedRobot,
    values: &[f64],
    poses: &[Pose],
    part: usize,
) -> Result<Option<(f64, f64)>, QueryError> {
    let prepared = |body: usize| parts.movable(body).ok().map(|movable| movable.prepared());
    let Some(own) = prepared(part) else { return Ok(None) };
    let mut found: Option<(f64, f64)> = None;
    let mut failed = None;
    let mut nearer = |far: f64, least: f64| {
        if found.is_none_or(|(known, allowed)| far - least < known - allowed) {
            found = Some((far, least));
        }
    };
    for body in robot.gripper() {
        let between = poses[part].inverse() * poses[body];
        let Some(other) = prepared(body) else { return Ok(None) };
        let least = AT_HAND.max(scene.requirement(part, body).clearance);
        match distance(own, other, &between) {
            Ok(closest) => nearer(closest.distance, least),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    // One body at hand is enough, whatever the others are like.
    if let Some(error) = failed.filter(|_| found.is_none_or(|(far, least)| far > least)) {
        return Err(error);
    }
    if found.is_none() {
        let point = Sphere::new(AT_HAND).expect("the radius is positive");
        let point = Prepared::new(Shape::Sphere(point));
        let tool = robot.model.place(&robot.base, values).links[robot.flange] * robot.flange_from_tool;
        let far = distance(own, &point, &(poses[part].inverse() * tool))?.distance;
        found = Some((far, AT_HAND));
    }
    Ok(found)
}
