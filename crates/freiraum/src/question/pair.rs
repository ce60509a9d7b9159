//! Questions about two placed shapes.

use super::{Answer, Kind, QuestionError, Remarks};
use freiraum_geometry::Pose;
use freiraum_query::{self as query, Prepared, QueryError};

/// A shape and where it is.
pub struct Placed {
    /// The shape in its own frame.
    pub shape: Prepared,
    /// Where it is.
    pub world_from_shape: Pose,
}

/// Asks one of the questions about two shapes; the answer is in world coordinates.
pub fn ask_pair(kind: Kind, a: &Placed, b: &Placed) -> Result<Answer, QuestionError> {
    let answer = match kind {
        Kind::Intersect => intersect,
        Kind::Distance => distance,
        Kind::Contact => contact,
        Kind::Ray | Kind::Toc | Kind::Clearance | Kind::Turn => {
            let message = format!("`{}` is no question about two shapes that stand still", kind.name());
            return Err(QuestionError::new("query", message));
        }
    };
    let a_from_b = a.world_from_shape.inverse() * b.world_from_shape;
    answer(a, b, &a_from_b).map_err(|e| QuestionError::new("query", e))
}

fn intersect(a: &Placed, b: &Placed, a_from_b: &Pose) -> Result<Answer, QueryError> {
    let found = query::intersect(&a.shape, &b.shape, a_from_b)?;
    Ok(Answer::Intersect { found, remarks: remarks(a, b, found.decided().is_none()) })
}

fn distance(a: &Placed, b: &Placed, a_from_b: &Pose) -> Result<Answer, QueryError> {
    let closest = query::distance(&a.shape, &b.shape, a_from_b)?.placed(&a.world_from_shape);
    let intersects = match closest.distance > 0.0 {
        true => query::intersect(&a.shape, &b.shape, a_from_b)?.decided(),
        false => Some(true),
    };
    Ok(Answer::Distance { closest, intersects, remarks: remarks(a, b, intersects.is_none()) })
}

fn contact(a: &Placed, b: &Placed, a_from_b: &Pose) -> Result<Answer, QueryError> {
    let found = query::contact(&a.shape, &b.shape, a_from_b)?.placed(&a.world_from_shape);
    let remarks = remarks(a, b, found.is_unknown);
    Ok(Answer::Contact { found, remarks })
}

pub(super) fn remarks(a: &Placed, b: &Placed, is_unknown: bool) -> Remarks {
    Remarks::of((&a.shape, &a.world_from_shape), (&b.shape, &b.world_from_shape), is_unknown)
}
