//! temporary
use crate::contact_time::{Stretch, Touch};
use crate::movable::Piece;
use crate::sweep::MotionWorkspace;
use crate::verdict::Limits;
pub(crate) fn first_touch(
    _: &Piece,
    _: &Piece,
    _: &Stretch,
    _: f64,
    _: &Limits,
    _: &mut MotionWorkspace,
) -> Option<Touch> {
    None
}
