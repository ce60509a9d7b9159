//! Which two bodies are closest to each other, in one placement.

use super::snapshot::Snapshot;
use crate::protocol::ClosestPair;
use freiraum_geometry::path::Ball;
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::distance;

/// The pair that is closest, of those that `is_asked` says yes to. Pairs that are ignored do not count.
/// `None` if there is no such pair, or if it cannot be asked about.
pub(super) fn closest(
    snapshot: &Snapshot,
    poses: &[Pose],
    is_asked: &dyn Fn(usize, usize) -> bool,
) -> Option<ClosestPair> {
    let places: Vec<Option<Around>> = (0..poses.len()).map(|body| around(snapshot, poses, body)).collect();
    let scene = snapshot.scene();
    let mut pairs: Vec<(f64, [usize; 2])> = Vec::new();
    for a in 0..poses.len() {
        for b in a + 1..poses.len() {
            if is_asked(a, b) && scene.requirement(a, b).ignore.is_none() {
                pairs.push((at_least(places[a].as_ref(), places[b].as_ref()), [a, b]));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut best: Option<(f64, [usize; 2], [Vec3; 2])> = None;
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
    Some(ClosestPair {
        pair: [a, b].map(|body| scene.bodies[body].name.clone()),
        bodies: [a, b],
        distance: distance.max(0.0),
        required: scene.requirement(a, b).clearance,
        point_a: point_a.to_array(),
        point_b: point_b.to_array(),
    })
}

/// Pairs of the bodies that were moved and all others; of all that can move if none was moved.
pub(super) fn between<'s>(snapshot: &'s Snapshot, moved: &'s [usize]) -> impl Fn(usize, usize) -> bool + 's {
    let scene = snapshot.scene();
    move |a, b| {
        if !moved.is_empty() {
            return moved.contains(&a) != moved.contains(&b);
        }
        // No step moves the links of a robot, but it does.
        let [of_a, of_b] = [a, b].map(|body| scene.robot_of(body));
        let stays = scene.bodies[a].is_fixed && scene.bodies[b].is_fixed;
        of_a != of_b || (of_a.is_none() && !stays)
    }
}

/// A ball and a box in the world, both around a body.
struct Around {
    ball: Ball,
    bounds: Aabb,
}

/// `None` if the body has no end.
fn around(snapshot: &Snapshot, poses: &[Pose], body: usize) -> Option<Around> {
    let bounds = snapshot.parts.movable(body).ok()?.prepared().bounds()?;
    let own = bounds.bounding_sphere();
    let ball = Ball { center: poses[body].transform_point(own.center), ..own };
    Some(Around { ball, bounds: bounds.transformed(&poses[body]) })
}

/// They are no nearer than this.
fn at_least(a: Option<&Around>, b: Option<&Around>) -> f64 {
    let (Some(a), Some(b)) = (a, b) else { return f64::NEG_INFINITY };
    let (own, other) = (&a.bounds, &b.bounds);
    let boxes = (own.min - other.max).max(other.min - own.max).max(Vec3::ZERO).length();
    let (a, b) = (&a.ball, &b.ball);
    let size = a.radius + b.radius;
    // Less than all that rounding can add.
    boxes.max(a.center.distance(b.center) - size)
        - 16.0 * f64::EPSILON * (a.center.length() + b.center.length() + size)
}
