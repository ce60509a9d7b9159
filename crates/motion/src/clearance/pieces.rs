//! The least distance of two pieces in one stretch of time, where there is an exact method.

use super::cores::{Approach, Goal, cores_approach};
use super::half_space::{half_space_approach, half_spaces_approach};
use crate::movable::{Form, Piece};
use crate::relative::{Relative, RelativeMotion};
use crate::sweep::MotionWorkspace;
use freiraum_geometry::Pose;

/// What an exact method says.
pub(super) enum Exact {
    /// The pieces do not come closer than the goal.
    Farther,
    /// They do; points in the frame of body a.
    Found(Approach),
    /// There is no exact method for them.
    Unknown,
}

/// The least distance of two pieces in a stretch.
pub(super) fn exact(
    a: &Piece,
    b: &Piece,
    relative: &Relative,
    goal: &Goal,
    memory: &mut MotionWorkspace,
) -> Exact {
    let Relative { a_from_b, motion } = *relative;
    if motion == RelativeMotion::General {
        return Exact::Unknown;
    }
    // In the frame of piece a.
    let piece_from_a = a.body_from_piece.inverse();
    let place = piece_from_a * a_from_b * b.body_from_piece;
    let moved = motion.placed(&piece_from_a);
    let found = match (&a.form, &a.core, &b.form, &b.core) {
        (_, Some(core_a), _, Some(core_b)) => cores_approach(core_a, core_b, &place, &moved, goal, memory),
        (Form::HalfSpace(in_a), _, Form::HalfSpace(in_b), _) => {
            half_spaces_approach(in_a, in_b, &place, &moved, goal)
        }
        (Form::HalfSpace(plane), _, _, Some(core)) => half_space_approach(plane, core, &place, &moved, goal),
        (_, Some(_), Form::HalfSpace(_), _) => {
            return match exact(b, a, &relative.reversed(), goal, memory) {
                Exact::Found(found) => Exact::Found(exchanged(found, &a_from_b, &motion)),
                other => other,
            };
        }
        _ => return Exact::Unknown,
    };
    match found {
        Some(found) => {
            let points = found.points.map(|p| a.body_from_piece.transform_point(p));
            Exact::Found(Approach { points, ..found })
        }
        None => Exact::Farther,
    }
}

/// An answer that was found with a and b exchanged.
fn exchanged(found: Approach, a_from_b: &Pose, motion: &RelativeMotion) -> Approach {
    let then = motion.apply(found.share, a_from_b);
    let [on_b, on_a] = found.points.map(|p| then.transform_point(p));
    Approach { points: [on_a, on_b], ..found }
}
