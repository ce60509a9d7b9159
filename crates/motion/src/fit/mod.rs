//! Bodies that are meant to touch: fits and resting contact.
//!
//! **Definition.** *A motion is free if the bodies never get deeper into each other than the allowance. Depth is measured below the
//! surface: both bodies are shrunk by half the allowance on all sides, and the shrunk bodies must never touch. So bodies that
//! touch at the start, or overlap by design, may slide along each other, separate, or stay as deep as they are; what goes
//! deeper, or comes into contact elsewhere by more than the allowance, is a contact at the time when it does. Without
//! an allowance, bodies that touch at the start, or overlap by rounding, get a few billionths of their size (cylinders and cones, which meet other
//! bodies by iteration, a few millionths), so that faces which lie on each other can slide; bodies that are apart at the start get
//! none, and touching them is a contact.*
//!
//! Parts thinner than the allowance would vanish, and are an error. Bodies with an open surface, and those of parts that touch, whose joints
//! would open, stay as they are; the other body then gives way for both. If neither can, it is an error.

mod convex;
mod error;
mod joints;
mod planes;
mod shrink;
mod solid;

pub use error::ShrinkError;
pub(crate) use joints::Bond;
pub use joints::{Joint, shares};

use crate::contact_time::contact_from;
use crate::containment::settled;
use crate::movable::{Form, Movable};
use crate::path::{Ball, Motion};
use crate::sweep::MotionWorkspace;
use crate::time_of_contact;
use crate::verdict::{Limits, MotionError, Verdict};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::{RESTING_RELATIVE, ROUND_DEPTH_RELATIVE};
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
    if !(allowance >= 0.0) {
        return Err(MotionError::BadAllowance(allowance));
    }
    let start = motion_a.pose(0.0).inverse() * motion_b.pose(0.0);
    let both = Both { bodies: [a, b], motions: [motion_a, motion_b], start };
    if allowance > 0.0 {
        return both.shrunk_verdict(allowance, false, limits, memory);
    }
    let relation = freiraum_query::intersect(a.prepared(), b.prepared(), &start)?.relation;
    let as_they_are = match relation {
        Relation::Separate | Relation::Unknown => {
            let verdict = contact_from(a, motion_a, b, motion_b, limits, memory)?;
            settled(verdict, relation, a, motion_a, b, motion_b)?
        }
        _ => Verdict::OverlapAtStart,
    };
    // Touching at the start, to rounding or to the tolerance; rounding alone may make such bodies overlap.
    let touches_at_start = match as_they_are {
        Verdict::Contact(contact) => contact.time <= contact.time_error,
        Verdict::OverlapAtStart => true,
        _ => false,
    };
    if !touches_at_start {
        return Ok(as_they_are);
    }
    match both.shrunk_verdict(
        resting_allowance(a, motion_a, b, motion_b).max(4.0 * limits.tolerance),
        true,
        limits,
        memory,
    ) {
        Ok(Verdict::OverlapAtStart) | Err(MotionError::Allowance(_)) => Ok(as_they_are),
        other => other,
    }
}

/// Two bodies on their way.
struct Both<'m> {
    bodies: [&'m Movable; 2],
    motions: [&'m dyn Motion; 2],
    /// Pose of b in the frame of a at the start.
    start: Pose,
}

impl Both<'_> {
    /// What the bodies do when they are shrunk by the allowance together, which is above 0.
    fn shrunk_verdict(
        &self,
        allowance: f64,
        is_resting: bool,
        limits: &Limits,
        memory: &mut MotionWorkspace,
    ) -> Result<Verdict, MotionError> {
        let ([a, b], [motion_a, motion_b]) = (self.bodies, self.motions);
        let share = shares([a, b], allowance, is_resting)?;
        if share == [0.0, 0.0] {
            return time_of_contact(a, motion_a, b, motion_b, limits, memory);
        }
        let shrunk = |body: &Movable, share: f64| {
            body.shrunk(share * allowance).map_err(|error| error.of_allowance(allowance))
        };
        let (a, b) = (shrunk(a, share[0])?, shrunk(b, share[1])?);
        let relation = freiraum_query::intersect(a.prepared(), b.prepared(), &self.start)?.relation;
        match relation {
            Relation::Separate | Relation::Unknown => {
                let verdict = contact_from(&a, motion_a, &b, motion_b, limits, memory)?;
                settled(verdict, relation, &a, motion_a, &b, motion_b)
            }
            _ => Ok(Verdict::OverlapAtStart),
        }
    }
}

/// What bodies that touch are allowed without being told, in metres: four billionths of their size, so that the gap of the shrunk bodies
/// exceeds what other motions count as contact. Where iteration tells that a cylinder or cone touches, it may be deeper in by a share
/// of the largest coordinate, and is allowed twice that.
pub fn resting_allowance(a: &Movable, motion_a: &dyn Motion, b: &Movable, motion_b: &dyn Motion) -> f64 {
    let (mut size, mut reach, mut is_iterated) = (0.0, 0.0, false);
    for (body, motion) in [(a, motion_a), (b, motion_b)] {
        is_iterated |=
            body.pieces().iter().any(|piece| piece.core.is_none() && matches!(piece.form, Form::Round(_)));
        let Some(bounds) = body.prepared().bounds() else { continue };
        let ball = Ball { center: bounds.center(), radius: 0.5 * (bounds.max - bounds.min).length() };
        size += 2.0 * ball.radius;
        reach += motion.pose(0.0).translation().length() + ball.center.length() + ball.radius;
        // What counts as contact grows with the way.
        size += motion.travel(&ball, 0.0, 1.0);
    }
    let iterated = if is_iterated { 2.0 * ROUND_DEPTH_RELATIVE * reach } else { 0.0 };
    4.0 * RESTING_RELATIVE * size + iterated
}
