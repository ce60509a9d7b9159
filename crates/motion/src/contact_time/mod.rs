//! When two moving bodies first touch.
//!
//! The time is cut where a motion changes its kind. In each stretch the motion of b is looked at from a: a translation or a
//! rotation has exact methods; all else is followed by proven steps ([`advance`](crate::advance)), and so are cylinders and cones, where
//! the steps end at rounding. Of two convex polyhedra in relative translation, what meets first is found
//! through their vertex graphs ([`convex_translation`]).

mod convex_translation;
mod features;
mod half_space;
mod pieces;

use crate::containment::settled;
use crate::movable::Movable;
use crate::relative::Relative;
use crate::sides;
use crate::sweep::MotionWorkspace;
use crate::verdict::{FirstContact, Limits, MotionError, Verdict};
pub(crate) use features::{on_face, on_round};
use freiraum_geometry::path::Motion;
use freiraum_query::QueryError;
use freiraum_query::intersect::Relation;
use pieces::first_touch;
pub(crate) use pieces::{Stretch, Touch, is_round_about, reach_of, turn_changes, turns_into_itself};

/// When two bodies first touch, each with its own motion over t in [0, 1].
///
/// **Frames.** Motions give `world_from_a` and `world_from_b`; the answer is in the frame of the world. **Guarantee.** See
/// [`Verdict`]; nothing is sampled. Bodies that touch at the start make contact at t = 0; see [`fit`](crate::fit) for bodies that
/// are meant to. Sound shells of meshes bound solids: a body inside another one overlaps at the start. Where surfaces never meet and containment is not excluded,
/// the answer is [`Verdict::InsideUnknown`].
/// **Cost.** For translations and rotations about that of a distance query. No allocation once warm, except for breaks, and
/// next to the sides of height fields.
pub fn time_of_contact(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Result<Verdict, MotionError> {
    let sided = sides::during([a, b], [motion_a, motion_b])?;
    let [a, b] = sided.bodies([a, b]);
    let start = motion_a.pose(0.0).inverse() * motion_b.pose(0.0);
    let relation = freiraum_query::intersect(a.prepared(), b.prepared(), &start)?.relation;
    match relation {
        Relation::Separate | Relation::Unknown => {}
        Relation::Touching => return touching_at_start(a, motion_a, b, &start),
        _ => return Ok(Verdict::OverlapAtStart),
    }
    let verdict = surfaces_meet(a, motion_a, b, motion_b, limits, memory)?;
    settled(verdict, relation, a, motion_a, b, motion_b)
}

/// As [`time_of_contact`], for bodies whose surfaces are known to be apart at the start: free if they stay so, whatever is inside what.
pub(crate) fn contact_from(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Result<Verdict, MotionError> {
    let sided = sides::during([a, b], [motion_a, motion_b])?;
    let [a, b] = sided.bodies([a, b]);
    surfaces_meet(a, motion_a, b, motion_b, limits, memory)
}

/// The first contact of the surfaces of two bodies, which have the sides that matter.
fn surfaces_meet(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Result<Verdict, MotionError> {
    let mut from = 0.0;
    for to in breaks(motion_a, motion_b) {
        let relative = Relative::between(motion_a, motion_b, from, to);
        let stretch = Stretch { relative, motions: [motion_a, motion_b], time: [from, to] };
        let found = in_stretch(a, b, &stretch, limits, memory);
        if let Some(verdict) = memory.unless_cancelled(found)? {
            return Ok(verdict);
        }
        from = to;
    }
    Ok(Verdict::Free)
}

/// The first contact of any two pieces in one stretch of time; `None` if there is none.
fn in_stretch(
    a: &Movable,
    b: &Movable,
    stretch: &Stretch,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Result<Option<Verdict>, MotionError> {
    let mut best: Option<(Touch, [u32; 2])> = None;
    // The time before which all pieces are apart, as a share of the stretch.
    let mut soonest = f64::INFINITY;
    for piece_a in a.pieces() {
        for piece_b in b.pieces().iter().filter(|piece_b| piece_a.may_meet(piece_b)) {
            let until = best.map_or(1.0, |(touch, _)| touch.share);
            let Some(touch) = first_touch(piece_a, piece_b, stretch, until, limits, memory) else { continue };
            soonest = soonest.min(touch.share - touch.error);
            if best.is_none_or(|(best, _)| touch.share < best.share) {
                best = Some((touch, [piece_a.part, piece_b.part]));
            }
        }
    }
    let Some((touch, parts)) = best else { return Ok(None) };
    let [from, to] = stretch.time;
    let time = (from + (to - from) * touch.share).min(to);
    if !touch.is_proven {
        return Ok(Some(Verdict::Undecided { open: [time, 1.0] }));
    }
    let (time, error) = if touch.is_met {
        (time, (to - from) * touch.error.max(touch.share - soonest.max(0.0)))
    } else {
        meeting_after(a, b, stretch, time)?.unwrap_or((time, 0.0))
    };
    let world_from_a = stretch.motions[0].pose(time);
    Ok(Some(Verdict::Contact(FirstContact {
        time,
        time_error: error + f64::EPSILON,
        point: world_from_a.transform_point(touch.point),
        normal: world_from_a.rotate(touch.normal),
        feature_a: touch.features[0],
        feature_b: touch.features[1],
        parts,
    })))
}

/// The time, and how far off it may be, at which bodies that are within the tolerance of each other have met; `None` if they do
/// not meet soon. Faces that are parallel when they meet are together for an instant only: then the bodies tell.
fn meeting_after(
    a: &Movable,
    b: &Movable,
    stretch: &Stretch,
    time: f64,
) -> Result<Option<(f64, f64)>, QueryError> {
    let [motion_a, motion_b] = stretch.motions;
    let meet = |t: f64| {
        let a_from_b = motion_a.pose(t).inverse() * motion_b.pose(t);
        freiraum_query::intersects(a.prepared(), b.prepared(), &a_from_b)
    };
    let [from, to] = stretch.time;
    let steps = std::iter::successors(Some(4.0 * f64::EPSILON), |step| Some(4.0 * step));
    let later = steps.map(|step| time + step * (to - from)).take(SOONER).take_while(|t| *t <= to);
    let mut found = None;
    for t in later {
        if meet(t)? {
            found = Some(t);
            break;
        }
    }
    let Some(mut met) = found else { return Ok(None) };
    let mut apart = time;
    for _ in 0..SOONER {
        let middle = 0.5 * (apart + met);
        if meet(middle)? {
            met = middle;
        } else {
            apart = middle;
        }
    }
    // Proven is only that they are apart before `time`. Rounding lets bodies meet a little early: a thousandth is plenty.
    let error = 0.5 * (met - time) * (1.0 + 1.0 / 1024.0);
    Ok(Some((time + error, error)))
}

/// How often a meeting is looked for, each time four times later: up to a millionth of the stretch, and halved as often.
const SOONER: usize = 17;

/// The ends of the stretches in which neither motion has a break.
pub(crate) fn breaks(a: &dyn Motion, b: &dyn Motion) -> Vec<f64> {
    let mut all = Vec::new();
    a.breaks(&mut all);
    b.breaks(&mut all);
    all.retain(|t| *t > 0.0 && *t < 1.0);
    all.push(1.0);
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The contact of bodies that touch before anything has moved.
fn touching_at_start(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    a_from_b: &freiraum_geometry::Pose,
) -> Result<Verdict, MotionError> {
    let closest = freiraum_query::distance(a.prepared(), b.prepared(), a_from_b)?;
    let world_from_a = motion_a.pose(0.0);
    let b_from_a = a_from_b.inverse();
    let (feature_a, part_a) = features::nearest(a, closest.point_on_a);
    let (feature_b, part_b) = features::nearest(b, b_from_a.transform_point(closest.point_on_a));
    Ok(Verdict::Contact(FirstContact {
        time: 0.0,
        time_error: 0.0,
        point: world_from_a.transform_point(closest.point_on_a),
        normal: world_from_a.rotate(closest.normal),
        feature_a,
        feature_b,
        parts: [part_a, part_b],
    }))
}
