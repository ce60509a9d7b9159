//! Parts shifted apart along the directions in which they are put together.
//!
//! The steps are gone through from the first to the last, and what a step brings to its place is taken back along the way it came, until it
//! is clear of everything that was there before. Of the steps that move the same bodies only the last one counts.

use crate::{Stage, Timeline};
use freiraum_geometry::{Pose, Vec3};

/// A body of which the extent along directions is asked.
pub(super) trait Extents {
    /// Smallest and largest coordinate of a body along a direction, with this pose.
    fn extent(&self, body: usize, pose: &Pose, along: Vec3) -> [f64; 2];
}

/// For every body how far it is shifted from where it is after the first `stages` stages.
///
/// `factor` 1 leaves a gap of `gap` metres between parts, other values scale all shifts.
pub(super) fn shifts(
    timeline: &Timeline,
    stages: usize,
    extents: &dyn Extents,
    gap: f64,
    factor: f64,
) -> Vec<Vec3> {
    let stages = &timeline.stages[..stages];
    let end: &[Pose] = match stages.len().checked_sub(1) {
        Some(last) => timeline.after(last),
        None => timeline.stages.first().map_or(&timeline.end[..], |first| &first.before[..]),
    };
    let mut shift = vec![Vec3::ZERO; end.len()];
    // A body is there from the start if nothing moves it, else after the first step that does.
    let mut is_there: Vec<bool> =
        (0..end.len()).map(|body| stages.iter().all(|s| s.mover_of(body).is_none())).collect();
    for (number, stage) in stages.iter().enumerate() {
        for mover in 0..stage.movers.len() {
            let mut bodies = stage.movers[mover].bodies.clone();
            bodies.sort_unstable();
            let is_last = !stages[number + 1..].iter().any(|later| moves(later, &bodies));
            if !is_last {
                continue;
            }
            if let Some(outward) = approach(stage, mover).and_then(|way| (-way).try_normalize()) {
                let others = (0..end.len()).filter(|b| is_there[*b] && bodies.binary_search(b).is_err());
                let others: Vec<usize> = others.collect();
                let by = needed(&bodies, &others, outward, end, &shift, extents, gap);
                bodies.iter().for_each(|b| shift[*b] += by * outward);
            }
        }
        stage.movers.iter().flat_map(|mover| &mover.bodies).for_each(|b| is_there[*b] = true);
    }
    shift.into_iter().map(|by| factor * by).collect()
}

/// True if a stage moves exactly these bodies as one, or each of them, along a way.
fn moves(stage: &Stage, bodies: &[usize]) -> bool {
    (0..stage.movers.len()).any(|mover| {
        let mut other = stage.movers[mover].bodies.clone();
        other.sort_unstable();
        other == bodies && approach(stage, mover).is_some()
    })
}

/// The last straight part of the way of a mover; `None` if it stays where it is but for turning.
fn approach(stage: &Stage, mover: usize) -> Option<Vec3> {
    let mover = &stage.movers[mover];
    if let freiraum_scene::Travel::Turn { axis, advance, .. } = &mover.travel {
        return (*advance != 0.0).then(|| *advance * axis.direction);
    }
    let mut breaks = vec![0.0];
    mover.lead.breaks(&mut breaks);
    let end = mover.lead.pose(1.0).translation();
    let from = |t: f64| end - mover.lead.pose(t).translation();
    breaks.iter().rev().map(|t| from(*t)).find(|way| way.length_squared() > 0.0)
}

/// How far bodies have to go to be clear of others that are in their way.
fn needed(
    bodies: &[usize],
    others: &[usize],
    outward: Vec3,
    end: &[Pose],
    shift: &[Vec3],
    extents: &dyn Extents,
    gap: f64,
) -> f64 {
    let side = outward.any_orthonormal_vector();
    let across = [side, outward.cross(side)];
    let extent = |body: usize, along: Vec3| {
        let moved = Pose::from_translation(shift[body]) * end[body];
        extents.extent(body, &moved, along)
    };
    let mut by: f64 = 0.0;
    for body in bodies {
        let own = across.map(|axis| extent(*body, axis));
        let rear = extent(*body, outward)[0];
        for other in others {
            let beside = across.map(|axis| extent(*other, axis));
            let is_in_way = own.iter().zip(&beside).all(|(a, b)| a[0] < b[1] && b[0] < a[1]);
            if is_in_way {
                by = by.max(extent(*other, outward)[1] - rear + gap);
            }
        }
    }
    // A body with nothing in its way is shifted by the gap alone, so that it is seen to be a part of its own.
    by.max(gap)
}
