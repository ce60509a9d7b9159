//! Bodies that are meant to touch: fits and resting contact.
//!
//! **Definition.** *A motion is free if the bodies never get deeper into each other than the allowance. Depth is measured below the
//! surface: both bodies are shrunk by half the allowance on all sides, and the shrunk bodies must never touch. So bodies that
//! touch at the start, or overlap by design, may slide along each other, separate, or stay as deep as they are; what goes
//! deeper, or comes into contact elsewhere by more than the allowance, is a contact at the time when it does. Without
//! an allowance, bodies that touch at the start get a billionth of their size, so that faces which lie on each other can
//! slide; bodies that are apart at the start get none, and touching them is a contact.*
//!
//! Parts thinner than the allowance would vanish, and are an error.

mod shrink;

pub use shrink::ShrinkError;

use crate::contact_time::contact_from;
use crate::movable::Movable;
use crate::path::Motion;
use crate::sweep::MotionWorkspace;
use crate::time_of_contact;
use crate::verdict::{Limits, MotionError, Verdict};
use freiraum_geometry::tolerance::RESTING_RELATIVE;
use freiraum_query::intersect::Relation;

/// When two bodies first get deeper into each other than the allowance, in metres; see the [definition](self).
///
/// **Frames.** As [`time_of_contact`](crate::time_of_contact()). **Guarantee.** As there, for the shrunk bodies. An allowance of 0 for bodies
/// that are apart at the start is exactly [`time_of_contact`](crate::time_of_contact()).
/// **Cost.** Shrinking meshes costs as much as preparing them; [`Movable::shrunk`] bodies can be kept.
pub fn time_of_contact_with_allowance(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    allowance: f64,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Result<Verdict, MotionError> {
    let start = motion_a.pose(0.0).inverse() * motion_b.pose(0.0);
    let mut allowance = allowance;
    if allowance == 0.0 {
        match freiraum_query::intersect(a.prepared(), b.prepared(), &start)?.relation {
            Relation::Separate => return contact_from(a, motion_a, b, motion_b, limits, memory),
            Relation::Touching => allowance = resting_allowance(a, b),
            _ => return Ok(Verdict::OverlapAtStart),
        }
    }
    // What has no inside cannot be shrunk; the other body then gives way for both.
    let share = match (a.prepared().has_open_surface(), b.prepared().has_open_surface()) {
        (false, false) => [0.5, 0.5],
        (true, false) => [0.0, 1.0],
        (false, true) => [1.0, 0.0],
        (true, true) => return time_of_contact(a, motion_a, b, motion_b, limits, memory),
    };
    let (a, b) = (a.shrunk(share[0] * allowance)?, b.shrunk(share[1] * allowance)?);
    match freiraum_query::intersect(a.prepared(), b.prepared(), &start)?.relation {
        Relation::Separate => contact_from(&a, motion_a, &b, motion_b, limits, memory),
        _ => Ok(Verdict::OverlapAtStart),
    }
}

/// What bodies that touch are allowed without being told: a billionth of their size.
fn resting_allowance(a: &Movable, b: &Movable) -> f64 {
    let size =
        |body: &Movable| body.prepared().bounds().map_or(0.0, |bounds| (bounds.max - bounds.min).length());
    RESTING_RELATIVE * (size(a) + size(b))
}
