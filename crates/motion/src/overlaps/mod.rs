//! All times at which two moving bodies touch or overlap.
//!
//! Free stretches are what is proven: from a time at which the bodies are apart, the first contact is followed forwards and
//! backwards with the methods of [`time_of_contact`](crate::time_of_contact()). What is left between free stretches is an interval of
//! overlap. Where faces are exact (see [`exact`]), all times at which surfaces touch are known beforehand, and between them one look tells
//! whether the bodies are apart or one is inside the other. Elsewhere free times are looked for, down to a resolution.

mod exact;
mod explore;
#[cfg(test)]
mod tests;

use crate::contact_time::breaks;
use crate::movable::Movable;
use crate::sides;
use crate::sweep::MotionWorkspace;
use crate::verdict::{Limits, MotionError};
use explore::Explorer;
use freiraum_geometry::Vec3;
use freiraum_geometry::path::{Motion, Uniform, Window};
use std::f64::consts::TAU;

/// What is asked about the times at which two bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlapRequest {
    /// Where there is no exact method, free stretches inside an overlap that are shorter than this share of a stretch without breaks (of
    /// a turn, if it has more than one) may be overlooked. It takes up to as many looks as there are such shares in the overlap.
    pub resolution: f64,
    /// For motions and shapes without an exact method: what counts as touching, and when to give up.
    pub limits: Limits,
}

impl Default for OverlapRequest {
    fn default() -> OverlapRequest {
        OverlapRequest { resolution: 1.0 / 1024.0, limits: Limits::default() }
    }
}

/// A stretch of time in which two bodies touch or overlap.
///
/// **Guarantee.** Outside of all intervals, each wider by its errors, the bodies are proven apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OverlapInterval {
    /// From when to when, in [0, 1]. A contact of one instant has no length.
    pub time: [f64; 2],
    /// By how much either end may be off.
    pub error: [f64; 2],
    /// Inside the interval the bodies may be apart for this long at a time, at most. 0 where the method is exact.
    pub unseen: f64,
    /// False if nothing is known about the interval because a budget ended, or times could not tell steps apart.
    pub is_decided: bool,
}

impl OverlapInterval {
    /// The interval with its errors: what is not proven free.
    pub fn outer(&self) -> [f64; 2] {
        [(self.time[0] - self.error[0]).max(0.0), (self.time[1] + self.error[1]).min(1.0)]
    }
}

/// The intervals of t in [0, 1], ascending and apart from each other, in which two bodies touch or overlap.
///
/// **Frames.** Motions give `world_from_a` and `world_from_b`. **Guarantee.** See [`OverlapInterval`]: what is not listed is proven free,
/// full containment included, for every pair of shapes and every motion. Ends are as good as the times of contact of
/// [`time_of_contact`](crate::time_of_contact()): exact up to rounding where that is, and to the tolerance elsewhere. Plane faces,
/// spheres and capsules under relative translation, plane faces under relative rotation, half spaces with these under both, and
/// convex bodies under translation have no unseen gaps inside.
/// Stretches in which surfaces do not meet and containment is not excluded ([`containment`](crate::containment)) are listed as not decided.
/// **Errors.** A pose on the way that is not finite or too far out; more than a million turns.
/// **Cost.** Exact methods: near-linear in the number of pairs of faces that touch at some time. Others: a query per step of the
/// resolution in the overlap, and a time of contact or two per free stretch.
pub fn overlap_intervals(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    request: &OverlapRequest,
    memory: &mut MotionWorkspace,
) -> Result<Vec<OverlapInterval>, MotionError> {
    let sided = sides::during([a, b], [motion_a, motion_b])?;
    let mut explorer = Explorer::new(sided.bodies([a, b]), [motion_a, motion_b], request);
    let mut from = 0.0;
    for to in breaks(motion_a, motion_b) {
        explorer.stretch([from, to], memory)?;
        from = to;
    }
    memory.unless_cancelled(Ok(()))?;
    explorer.finish()
}

/// When the contact ends that two bodies have at `from`, in [0, 1]; `None` if it lasts to the end.
///
/// **Guarantee.** From then on the bodies are apart for a while, up to the errors that [`overlap_intervals`] states. What cannot be told from contact counts as such.
/// **Errors.** As [`overlap_intervals`].
pub fn contact_until(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    from: f64,
    request: &OverlapRequest,
    memory: &mut MotionWorkspace,
) -> Result<Option<f64>, MotionError> {
    let Turns { share: mut length, repeats } = turns_from([motion_a, motion_b], from);
    let mut begin = from;
    while begin < 1.0 {
        // Most contacts end within the first turn, or never.
        let to = if begin + length < 1.0 { begin + length } else { 1.0 };
        let [first, second] = [motion_a, motion_b].map(|motion| Window { motion, from: begin, to });
        let intervals = overlap_intervals(a, &first, b, &second, request, memory)?;
        // The contact begins at once, or as soon as rounding lets it.
        let mut end = 0.0;
        for (number, interval) in intervals.iter().enumerate() {
            let [start, stop] = interval.time;
            if number > 0 && start > end + exact::ROUNDING {
                break;
            }
            end = stop;
        }
        let time = begin + end * (to - begin);
        if end < 1.0 && time < to {
            return Ok(Some(time));
        }
        if repeats {
            return Ok(None);
        }
        begin = to;
        length *= 4.0;
    }
    Ok(None)
}

/// How two bodies turn against each other from a time on.
struct Turns {
    /// The share of [0, 1] that a turn takes, if they turn more often than twice; else all.
    share: f64,
    /// Whether every turn is as the one before it: what lasts for one lasts to the end.
    repeats: bool,
}

fn turns_from(motions: [&dyn Motion; 2], from: f64) -> Turns {
    let [one, other] = motions.map(|motion| motion.uniform(from, 1.0));
    let turns = |motion: &Option<Uniform>| match motion {
        Some(Uniform::Screw { angle, .. }) => angle.abs() / TAU,
        _ => 0.0,
    };
    let rotates = |motion: &Option<Uniform>| matches!(motion, Some(Uniform::Screw { advance: 0.0, .. }));
    let is_still = |motion: &Option<Uniform>| matches!(motion, Some(Uniform::Translation(Vec3::ZERO)));
    let count = turns(&one) + turns(&other);
    if count <= 2.0 {
        return Turns { share: 1.0, repeats: false };
    }
    let repeats = rotates(&one) && is_still(&other) || is_still(&one) && rotates(&other);
    // A little more than a turn, so that its end is seen.
    Turns { share: 1.015_625 * (1.0 - from) / count, repeats }
}

/// The stretches of t in [0, 1] that no interval reaches into, ascending: proven free of all overlaps the intervals come from.
///
/// The intervals may come from any number of pairs, in any order; see [`one_to_many::all_overlaps`](crate::one_to_many::all_overlaps).
pub fn free_between<'i>(intervals: impl IntoIterator<Item = &'i OverlapInterval>) -> Vec<[f64; 2]> {
    let mut outer: Vec<[f64; 2]> = intervals.into_iter().map(OverlapInterval::outer).collect();
    outer.sort_by(|x, y| x[0].total_cmp(&y[0]));
    let mut free = Vec::new();
    let mut from = 0.0;
    for [start, end] in outer {
        if start > from {
            free.push([from, start]);
        }
        from = end.max(from);
    }
    if from < 1.0 {
        free.push([from, 1.0]);
    }
    free
}
