//! By how much the distance of two bodies may change between two times.

use super::Bodies;
use crate::movable::{Movable, Piece};
use freiraum_geometry::Pose;
use freiraum_geometry::path::{Ball, Motion};

impl Bodies<'_> {
    /// An upper bound of the change of the distance from `start` to a time before or after it, in metres; infinite for two half
    /// spaces.
    ///
    /// A half space has no farthest point. But seen from it, a point of the other body moves by what that body travels, and by
    /// what the point of the half space travels that was there at the start.
    pub(super) fn travel(&self, start: f64, other: f64) -> f64 {
        let a_from_b = self.a_from_b(start);
        let span = [start.min(other), start.max(other)];
        one(self.a, self.motions[0], self.b, &a_from_b, span)
            + one(self.b, self.motions[1], self.a, &a_from_b.inverse(), span)
    }
}

/// The farthest that a point of the body travels, or one of the other body in its place where it is endless.
fn one(
    body: &Movable,
    motion: &dyn Motion,
    other: &Movable,
    body_from_other: &Pose,
    [t0, t1]: [f64; 2],
) -> f64 {
    let travel = |ball: &Ball| motion.travel(ball, t0, t1);
    let of_piece = |piece: &Piece| match &piece.ball {
        Some(ball) => travel(ball),
        None => {
            let placed = |piece: &Piece| match &piece.ball {
                Some(ball) => travel(&Ball {
                    center: body_from_other.transform_point(ball.center),
                    radius: ball.radius,
                }),
                None => f64::INFINITY,
            };
            other.pieces().iter().map(placed).fold(0.0, f64::max)
        }
    };
    body.pieces().iter().map(of_piece).fold(0.0, f64::max)
}
