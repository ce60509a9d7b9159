//! The one place that looks at the kinds of two shapes at once.
//!
//! A question says how it treats each pair of classes, plus the closed forms it wants. There are four classes, so seven
//! pairs of classes; every pair of shapes falls into one of them, so no pair is left out.

use crate::prepared::{Class, PreparedPart, Solid, Surface};
use crate::{Prepared, QueryError};
use freiraum_geometry::Pose;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::tolerance::MAX_COORDINATE;

/// A question about two shapes. Everything is in the frame of the first of the two.
pub(crate) trait PairQuery {
    /// What comes out.
    type Answer;

    /// Closed forms worth having; `None` sends the pair to the general routes.
    fn special(&self, a: &Shape, b: &Shape, a_from_b: &Pose) -> Option<Self::Answer>;

    fn convex_convex(&self, a: &Solid, b: &Solid, a_from_b: &Pose) -> Self::Answer;

    fn convex_half_space(&self, a: &Solid, b: &HalfSpace, a_from_b: &Pose) -> Self::Answer;

    fn half_spaces(&self, a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> Self::Answer;

    fn convex_surface(&self, a: &Solid, b: &Surface, a_from_b: &Pose) -> Self::Answer;

    fn half_space_surface(&self, a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> Self::Answer;

    fn surfaces(&self, a: &Surface, b: &Surface, a_from_b: &Pose) -> Self::Answer;

    /// A compound b; a is anything, a compound too.
    fn any_compound(&self, a: &Prepared, b: &[PreparedPart], a_from_b: &Pose) -> Self::Answer;

    /// The answer to the exchanged question, brought back: `answer` is about (b, a) in the frame of b.
    fn swapped(&self, answer: Self::Answer, a_from_b: &Pose) -> Self::Answer;
}

/// Asks a question about a and b in the frame of a, after a look at the pose.
pub(crate) fn ask<Q: PairQuery>(
    q: &Q,
    a: &Prepared,
    b: &Prepared,
    a_from_b: &Pose,
) -> Result<Q::Answer, QueryError> {
    check_pose(a_from_b)?;
    Ok(ask_checked(q, a, b, a_from_b))
}

/// Asks a question whose pose is known to be good.
pub(crate) fn ask_checked<Q: PairQuery>(q: &Q, a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Q::Answer {
    if a.shape().kind() > b.shape().kind() {
        return q.swapped(ask_checked(q, b, a, &a_from_b.inverse()), a_from_b);
    }
    if let Some(answer) = q.special(a.shape(), b.shape(), a_from_b) {
        return answer;
    }
    match (a.class(), b.class()) {
        (_, Class::Compound(b)) => q.any_compound(a, b, a_from_b),
        (Class::Convex(a), Class::Convex(b)) => q.convex_convex(&a, &b, a_from_b),
        (Class::Convex(a), Class::HalfSpace(b)) => q.convex_half_space(&a, b, a_from_b),
        (Class::HalfSpace(a), Class::HalfSpace(b)) => q.half_spaces(a, b, a_from_b),
        (Class::Convex(a), Class::Surface(b)) => q.convex_surface(&a, b, a_from_b),
        (Class::HalfSpace(a), Class::Surface(b)) => q.half_space_surface(a, b, a_from_b),
        (Class::Surface(a), Class::Surface(b)) => q.surfaces(a, b, a_from_b),
        // The order of kinds is the order of classes; whoever changes that finds out here.
        (Class::HalfSpace(_) | Class::Surface(_) | Class::Compound(_), _) => {
            unreachable!("kinds are ordered convex, half space, surface, compound")
        }
    }
}

/// Refuses poses that are not finite, or so far away that squares of coordinates lose their meaning.
fn check_pose(a_from_b: &Pose) -> Result<(), QueryError> {
    let translation = a_from_b.translation();
    let is_good = a_from_b.rotation().is_finite() && translation.abs().max_element() <= MAX_COORDINATE;
    // max_element passes over NaN.
    if is_good && translation.is_finite() { Ok(()) } else { Err(QueryError::BadPose(translation)) }
}
