//! Whether one body may be inside another although their surfaces never meet.
//!
//! Sound solids tell at any one instant. Where a surface bounds no solid ([`Solidity`](freiraum_geometry::mesh::Solidity)), containment is excluded
//! if at some instant since the surfaces last met every part of the one is outside of the hulls of the other's open pieces: what is
//! outside then and never goes through a surface was never put inside.

use crate::movable::Movable;
use crate::verdict::{MotionError, Unbounded, Verdict};
use freiraum_geometry::Pose;
use freiraum_geometry::path::Motion;
use freiraum_query::intersect::{Relation, relation_to_rounding};
use freiraum_query::{Prepared, QueryError};

/// How many instants of a motion are looked at, beside its start and its end.
const INSTANTS: usize = 16;

/// True if, with b placed like this, neither body is in the other: their surfaces do not meet, and containment is excluded.
///
/// **Frames.** `a_from_b` places b in the frame of a. **Cost.** That of [`intersect`](freiraum_query::intersect()); hulls are made once for
/// each body.
pub fn is_excluded_at(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<bool, QueryError> {
    Ok(relation_to_rounding(a, b, a_from_b)? == Relation::Separate)
}

/// True if containment is excluded at the start, the end or one of some instants between: then bodies whose surfaces never meet in the
/// course of the motion are free. Sound solids need no look but the first.
pub fn is_excluded_during(
    a: &Prepared,
    motion_a: &dyn Motion,
    b: &Prepared,
    motion_b: &dyn Motion,
) -> Result<bool, QueryError> {
    is_excluded_between(a, motion_a, b, motion_b, [0.0, 1.0])
}

/// As [`is_excluded_during`], for a part of the time.
pub fn is_excluded_between(
    a: &Prepared,
    motion_a: &dyn Motion,
    b: &Prepared,
    motion_b: &dyn Motion,
    [from, to]: [f64; 2],
) -> Result<bool, QueryError> {
    let last = INSTANTS + 1;
    // The ends first: most motions lead to or from a place that is well apart.
    let order = [0, last].into_iter().chain(1..last);
    for k in order {
        let share = k as f64 / last as f64;
        let t = if k == last { to } else { from + share * (to - from) };
        if is_excluded_at(a, b, &(motion_a.pose(t).inverse() * motion_b.pose(t)))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Which of two bodies bounds no solid, so that the other may be inside of it.
pub fn unbounded(a: &Prepared, b: &Prepared) -> Unbounded {
    match (a.is_doubtful(), b.is_doubtful()) {
        (true, false) => Unbounded::A,
        (false, true) => Unbounded::B,
        _ => Unbounded::Both,
    }
}

/// The verdict about bodies whose relation at the start is `relation`, after their surfaces were followed: free only if containment is excluded.
pub(crate) fn settled(
    verdict: Verdict,
    relation: Relation,
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
) -> Result<Verdict, MotionError> {
    let (a, b) = (a.prepared(), b.prepared());
    let is_open = verdict == Verdict::Free && relation == Relation::Unknown;
    Ok(match is_open && !is_excluded_during(a, motion_a, b, motion_b)? {
        true => Verdict::InsideUnknown { body: unbounded(a, b) },
        false => verdict,
    })
}
