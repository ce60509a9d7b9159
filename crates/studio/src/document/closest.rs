//! Which two bodies are closest to each other, in one placement.

use super::snapshot::Snapshot;
use freiraum_geometry::Pose;
use freiraum_query::distance;
use serde_json::{Value, json};

/// The pair that is closest, of the bodies that were moved and all others; of all that can move if none was moved. Pairs that are ignored do not count.
/// `None` if there is no such pair, or if it cannot be asked about.
pub(super) fn closest(snapshot: &Snapshot, poses: &[Pose], moved: &[usize]) -> Option<Value> {
    let mut pairs: Vec<(f64, [usize; 2])> = Vec::new();
    for a in 0..poses.len() {
        for b in a + 1..poses.len() {
            if is_asked(snapshot, a, b, moved) {
                pairs.push((at_least(snapshot, poses, a, b), [a, b]));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut best: Option<(f64, [usize; 2], [freiraum_geometry::Vec3; 2])> = None;
    for (bound, [a, b]) in pairs {
        if best.is_some_and(|(distance, ..)| bound >= distance) {
            break;
        }
        let (Ok(of_a), Ok(of_b)) = (snapshot.parts.movable(a), snapshot.parts.movable(b)) else { continue };
        let Ok(found) = distance(of_a.prepared(), of_b.prepared(), &(poses[a].inverse() * poses[b])) else {
            continue;
        };
        if best.is_none_or(|(distance, ..)| found.distance < distance) {
            let points = [found.point_on_a, found.point_on_b].map(|point| poses[a].transform_point(point));
            best = Some((found.distance, [a, b], points));
        }
    }
    let (distance, [a, b], [point_a, point_b]) = best?;
    let scene = snapshot.scene();
    Some(json!({
        "pair": [scene.bodies[a].name, scene.bodies[b].name], "bodies": [a, b], "distance": distance.max(0.0),
        "required": scene.requirement(a, b).clearance, "point_a": point_a.to_array(), "point_b": point_b.to_array(),
    }))
}

fn is_asked(snapshot: &Snapshot, a: usize, b: usize, moved: &[usize]) -> bool {
    let scene = snapshot.scene();
    let is_between = if moved.is_empty() {
        // No step moves the links of a robot, but it does.
        let [of_a, of_b] = [a, b].map(|body| scene.robot_of(body));
        let stays = scene.bodies[a].is_fixed && scene.bodies[b].is_fixed;
        of_a != of_b || (of_a.is_none() && !stays)
    } else {
        moved.contains(&a) != moved.contains(&b)
    };
    is_between && scene.requirement(a, b).ignore.is_none()
}

/// They are no nearer than this.
fn at_least(snapshot: &Snapshot, poses: &[Pose], a: usize, b: usize) -> f64 {
    let ball = |body: usize| {
        let bounds = snapshot.parts.movable(body).ok()?.prepared().bounds()?;
        Some((poses[body].transform_point(bounds.center()), 0.5 * bounds.size().length()))
    };
    match (ball(a), ball(b)) {
        (Some((p, r)), Some((q, s))) => {
            let (apart, size) = (p.distance(q), r + s);
            // Less than all that rounding can add.
            apart - size - 16.0 * f64::EPSILON * (p.length() + q.length() + size)
        }
        _ => f64::NEG_INFINITY,
    }
}
