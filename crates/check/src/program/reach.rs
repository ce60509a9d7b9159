//! Grasps that nothing of the gripper is near to.

use crate::{Timeline, words};
use freiraum_assets::ShapeCache;
use freiraum_geometry::shape::Sphere;
use freiraum_geometry::{Pose, Shape};
use freiraum_query::{Prepared, distance};
use freiraum_scene::{PlacedRobot, Scene};

/// A gripper is at a part if it is no farther away than this, in metres, or than the two have to stay apart.
const AT_HAND: f64 = 0.001;

/// One sentence for every grasp of a part that nothing of the gripper is at: whether it can be held there is not checked, so people have to know.
///
/// **Cost.** A distance per part that is grasped and body of the gripper. Shapes that cannot be read are passed over; the check tells them.
pub fn far_grasps(scene: &Scene, timeline: &Timeline, parts: &ShapeCache) -> Vec<String> {
    far(scene, timeline, parts).into_iter().map(|(_, said)| said).collect()
}

/// The same, each with the number of the part.
pub(crate) fn far(scene: &Scene, timeline: &Timeline, parts: &ShapeCache) -> Vec<(Vec<usize>, String)> {
    let mut told = Vec::new();
    for (stage, robots) in timeline.robots.iter().enumerate() {
        let poses =
            &timeline.stages.get(stage).map_or_else(|| timeline.end.clone(), |one| one.before.to_vec());
        for (robot, now) in robots.iter().enumerate() {
            let before = stage.checked_sub(1).map_or(&[][..], |before| &timeline.robots[before][robot].held);
            for body in now.held.iter().filter(|body| !before.contains(body)) {
                let placed = &scene.robots[robot];
                let Some((far, least)) = gap(scene, parts, placed, &now.path.values(0.0), poses, *body)
                else {
                    continue;
                };
                if far > least {
                    // The grasp is what ended the stage before.
                    let step = stage.checked_sub(1).map_or("the first step", |k| &timeline.stages[k].name);
                    let said = format!(
                        "{step}: {} grasps {} from {} away; nothing of its gripper is nearer, and whether it can hold it there is not checked",
                        placed.name,
                        words::body(scene, *body),
                        words::length(far, scene.units)
                    );
                    told.push((vec![*body], said));
                }
            }
        }
    }
    told
}

/// How far the nearest body of the gripper is from a part, or its tool centre point if it has none; and how far it may be.
fn gap(
    scene: &Scene,
    parts: &ShapeCache,
    robot: &PlacedRobot,
    values: &[f64],
    poses: &[Pose],
    part: usize,
) -> Option<(f64, f64)> {
    let prepared = |body: usize| parts.movable(body).ok().map(|movable| movable.prepared());
    let own = prepared(part)?;
    let mut found: Option<(f64, f64)> = None;
    let mut nearer = |far: f64, least: f64| {
        if found.is_none_or(|(known, allowed)| far - least < known - allowed) {
            found = Some((far, least));
        }
    };
    for body in robot.gripper() {
        let between = poses[part].inverse() * poses[body];
        let far = distance(own, prepared(body)?, &between).ok()?.distance;
        nearer(far, AT_HAND.max(scene.requirement(part, body).clearance));
    }
    if found.is_none() {
        let point = Prepared::new(Shape::Sphere(Sphere::new(AT_HAND).ok()?));
        let tool = robot.model.place(&robot.base, values).links[robot.flange] * robot.flange_from_tool;
        let far = distance(own, &point, &(poses[part].inverse() * tool)).ok()?.distance;
        found = Some((far, AT_HAND));
    }
    found
}
