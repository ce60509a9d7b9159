//! Questions about a scene as it is: answered from a snapshot, beside everything else.

use super::snapshot::Snapshot;
use super::verdict::{in_metres, misplaced};
use super::{closest, robot};
use crate::protocol::{
    At, Axle, Command, Contact, Curve, Poses, Probed, Refusal, Reply, SentPose, Slid, Text, Turned, angle,
    length, point, received, sent,
};
use freiraum_check::{CheckOptions, Finding, Reach, placement as placement_findings, reach};
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::distance_curve;
use freiraum_scene::Travel;

/// Points per curve.
const POINTS: usize = 129;

/// A curve is within this share of the size of the smaller body.
const CURVE_ACCURACY: f64 = 0.002;

/// Answers a question; `None` if the command is none.
pub(crate) fn answer(snapshot: &Snapshot, command: &Command) -> Option<Result<Reply, Refusal>> {
    Some(match command {
        Command::GetText => {
            Ok(Text { text: snapshot.file.text().to_owned(), revision: snapshot.revision }.into())
        }
        Command::Poses { step, t } => poses(snapshot, *step, *t),
        Command::Curve { step, pair } => curve(snapshot, *step, *pair),
        Command::Slide { bodies, direction, max, at, poses } => {
            slide(snapshot, bodies, *direction, *max, *at, poses)
        }
        Command::Turn { bodies, axis, max, at, poses } => turn(snapshot, bodies, axis, *max, *at, poses),
        Command::Probe { at, poses } => probe(snapshot, *at, poses),
        command => return robot::answer(snapshot, command),
    })
}

/// Where everything is at a moment, with some bodies elsewhere.
pub(super) fn placement(
    snapshot: &Snapshot,
    at: Option<At>,
    moved: &[(usize, SentPose)],
) -> Result<Vec<Pose>, Refusal> {
    let mut poses = match at {
        None => snapshot.start(),
        Some(At { step, .. }) if step == snapshot.timeline.stages.len() => snapshot.timeline.end.clone(),
        Some(At { step, t }) => {
            let stage = snapshot.timeline.stages.get(step).ok_or_else(|| no_step(step))?;
            if !t.is_finite() {
                return Err(Refusal::new("request", "t is a number in [0, 1]"));
            }
            let mut poses = stage.before.to_vec();
            for body in stage.movers.iter().flat_map(|mover| &mover.bodies) {
                poses[*body] = stage.motion(*body).pose(t.clamp(0.0, 1.0));
            }
            poses
        }
    };
    for (body, pose) in moved {
        *poses.get_mut(*body).ok_or_else(|| no_body(*body))? = received(pose)?;
    }
    Ok(poses)
}

pub(super) fn no_step(step: usize) -> Refusal {
    Refusal::new("request", format!("there is no step {step}"))
}

pub(super) fn no_body(body: usize) -> Refusal {
    Refusal::new("request", format!("there is no body {body}"))
}

fn poses(snapshot: &Snapshot, step: usize, t: f64) -> Result<Reply, Refusal> {
    let poses = placement(snapshot, Some(At { step, t }), &[])?;
    Ok(Poses { poses: poses.iter().map(sent).collect() }.into())
}

fn curve(snapshot: &Snapshot, step: usize, pair: [usize; 2]) -> Result<Reply, Refusal> {
    let stage = snapshot.timeline.stages.get(step).ok_or_else(|| no_step(step))?;
    check_bodies(snapshot, &pair)?;
    let error = |e: &dyn std::fmt::Display| Refusal::new("curve", e.to_string());
    let [a, b] = pair.map(|body| snapshot.parts.movable(body));
    let (a, b) = (a.map_err(|e| error(&e))?, b.map_err(|e| error(&e))?);
    let size =
        [a, b].into_iter().filter_map(|body| body.prepared().bounds()).map(|bounds| bounds.size().length());
    let accuracy = CURVE_ACCURACY * size.reduce(f64::min).unwrap_or(1.0);
    let [motion_a, motion_b] = pair.map(|body| stage.motion(body));
    let curve = distance_curve(a, &*motion_a, b, &*motion_b, accuracy, POINTS).map_err(|e| error(&e))?;
    let required = snapshot.scene().requirement(pair[0], pair[1]).clearance;
    Ok(Curve { points: curve.points, required }.into())
}

fn slide(
    snapshot: &Snapshot,
    bodies: &[usize],
    direction: [f64; 3],
    max: f64,
    at: Option<At>,
    moved: &[(usize, SentPose)],
) -> Result<Reply, Refusal> {
    let unit = freiraum_geometry::math::unit(Vec3::from_array(direction))
        .ok_or_else(|| Refusal::new("request", "the direction is zero or not finite"))?;
    length("max", max)?;
    let found = go(snapshot, bodies, &Travel::Translate(max * unit), at, moved)?;
    let (contact, poses) = arrival(snapshot, &found);
    Ok(Slid { contact, poses, distance: max * found.share }.into())
}

fn turn(
    snapshot: &Snapshot,
    bodies: &[usize],
    axis: &Axle,
    max: f64,
    at: Option<At>,
    moved: &[(usize, SentPose)],
) -> Result<Reply, Refusal> {
    point("the point of the axis", axis.point)?;
    angle("max", max)?;
    let axis = Axis::new(Vec3::from_array(axis.point), Vec3::from_array(axis.direction))
        .ok_or_else(|| Refusal::new("request", "the direction of the axis is zero"))?;
    let found = go(snapshot, bodies, &Travel::Turn { axis, angle: max, advance: 0.0 }, at, moved)?;
    let (contact, poses) = arrival(snapshot, &found);
    Ok(Turned { contact, poses, angle: max * found.share }.into())
}

fn go(
    snapshot: &Snapshot,
    bodies: &[usize],
    travel: &Travel,
    at: Option<At>,
    moved: &[(usize, SentPose)],
) -> Result<Reach, Refusal> {
    check_bodies(snapshot, bodies)?;
    if bodies.is_empty() {
        return Err(Refusal::new("request", "some bodies are expected"));
    }
    let poses = placement(snapshot, at, moved)?;
    let in_file = |problems| Refusal::from(snapshot.file.errors(problems));
    reach(snapshot.scene(), &snapshot.parts, &poses, bodies, travel, &CheckOptions::default())
        .map_err(in_file)
}

/// What stopped it, and where everything is then.
fn arrival(snapshot: &Snapshot, found: &Reach) -> (Option<Contact>, Vec<SentPose>) {
    let contact = found.blocked.as_ref().and_then(|finding| contact(snapshot, finding));
    (contact, found.poses.iter().map(sent).collect())
}

/// What was met. Its sentence would speak of a start that no page shows: it has none.
pub(super) fn contact(snapshot: &Snapshot, finding: &Finding) -> Option<Contact> {
    let document = in_metres(snapshot, vec![*finding]).pop()?;
    Some(Contact::of(document, finding.pair))
}

/// What overlaps in one placement, and what is closest to each other.
fn probe(snapshot: &Snapshot, at: Option<At>, moved: &[(usize, SentPose)]) -> Result<Reply, Refusal> {
    let poses = placement(snapshot, at, moved)?;
    let bodies: Vec<usize> = moved.iter().map(|(body, _)| *body).collect();
    let closest = closest::closest(snapshot, &poses, &closest::between(snapshot, &bodies));
    let all = |_: [usize; 2]| true;
    let findings =
        placement_findings(snapshot.scene(), &snapshot.parts, &poses, &all, &CheckOptions::default())
            .map_err(|problems| Refusal::from(snapshot.file.errors(problems)))?;
    Ok(Probed { findings: misplaced(snapshot, findings), closest }.into())
}

fn check_bodies(snapshot: &Snapshot, bodies: &[usize]) -> Result<(), Refusal> {
    let count = snapshot.scene().bodies.len();
    match bodies.iter().enumerate().find(|(k, body)| **body >= count || bodies[..*k].contains(body)) {
        Some((_, body)) => Err(no_body(*body)),
        None => Ok(()),
    }
}
