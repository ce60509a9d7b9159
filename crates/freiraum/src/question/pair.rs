//! Questions about two placed shapes.

use super::{Answer, Figure, Kind, PlacedFigure, QuestionError, Remarks};
use freiraum_geometry::Pose;
use freiraum_query::{
    self as query, PairCache, Piece, PieceDistance, Prepared, QueryError, TrackedDistance, distance_tracked,
};

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
    let intersects = decided(a, b, a_from_b, closest.distance)?;
    Ok(Answer::Distance { closest, intersects, remarks: remarks(a, b, intersects.is_none()) })
}

/// Asks how far two figures are apart; the answer is in world coordinates.
pub fn ask_distance(a: &PlacedFigure, b: &PlacedFigure) -> Result<Answer, QuestionError> {
    ask_distance_tracked(a, b, None)
}

/// The same, from what the last question about the pair has left, if that is given; see [`distance_tracked`].
pub(super) fn ask_distance_tracked(
    a: &PlacedFigure,
    b: &PlacedFigure,
    cache: Option<&mut PairCache>,
) -> Result<Answer, QuestionError> {
    let (world_from_a, world_from_b) = (&a.world_from_figure, &b.world_from_figure);
    let a_from_b = world_from_a.inverse() * *world_from_b;
    let of_shapes = |[shape_a, shape_b]: [&Prepared; 2]| {
        let placed = |shape: &Prepared, pose: &Pose| Placed { shape: shape.clone(), world_from_shape: *pose };
        let (a, b) = (placed(shape_a, world_from_a), placed(shape_b, world_from_b));
        match cache {
            Some(cache) => tracked(&a, &b, &a_from_b, cache),
            None => distance(&a, &b, &a_from_b),
        }
    };
    let answer = match (&a.figure, &b.figure) {
        (Figure::Shape(a), Figure::Shape(b)) => of_shapes([a, b]),
        (Figure::Piece(a), Figure::Piece(b)) => query::distance_of_pieces(a, b, &a_from_b)
            .map(|found| of_piece(&found, world_from_a, [None, None])),
        (Figure::Piece(a), Figure::Shape(b)) => query::distance_of_piece(a, b, &a_from_b)
            .map(|found| of_piece(&found, world_from_a, [None, Some((b, world_from_b))])),
        (Figure::Shape(a), Figure::Piece(b)) => swapped(b, a, &a_from_b)
            .map(|found| of_piece(&found, world_from_b, [Some((a, world_from_a)), None])),
    };
    answer.map_err(|e| QuestionError::new("query", e))
}

/// A piece b and a shape a, in the frame of b.
fn swapped(b: &Piece, a: &Prepared, a_from_b: &Pose) -> Result<PieceDistance, QueryError> {
    let found = query::distance_of_piece(b, a, &a_from_b.inverse())?;
    Ok(PieceDistance { closest: found.closest.swapped(), ..found })
}

fn of_piece(found: &PieceDistance, world: &Pose, shapes: [Option<(&Prepared, &Pose)>; 2]) -> Answer {
    let PieceDistance { closest, intersects } = *found;
    let remarks = Remarks::of_those(shapes, intersects.is_none());
    Answer::Distance { closest: closest.placed(world), intersects, remarks }
}

fn tracked(a: &Placed, b: &Placed, a_from_b: &Pose, cache: &mut PairCache) -> Result<Answer, QueryError> {
    let TrackedDistance { closest, is_apart } = distance_tracked(&a.shape, &b.shape, a_from_b, cache)?;
    let intersects = match is_apart {
        true => Some(false),
        false => decided(a, b, a_from_b, closest.distance)?,
    };
    let closest = closest.placed(&a.world_from_shape);
    Ok(Answer::Distance { closest, intersects, remarks: remarks(a, b, intersects.is_none()) })
}

/// Whether two shapes at this distance meet.
fn decided(a: &Placed, b: &Placed, a_from_b: &Pose, distance: f64) -> Result<Option<bool>, QueryError> {
    Ok(match distance > 0.0 {
        true => query::intersect(&a.shape, &b.shape, a_from_b)?.decided(),
        false => Some(true),
    })
}

fn contact(a: &Placed, b: &Placed, a_from_b: &Pose) -> Result<Answer, QueryError> {
    let found = query::contact(&a.shape, &b.shape, a_from_b)?.placed(&a.world_from_shape);
    let remarks = remarks(a, b, found.is_unknown);
    Ok(Answer::Contact { found, remarks })
}

pub(super) fn remarks(a: &Placed, b: &Placed, is_unknown: bool) -> Remarks {
    Remarks::of((&a.shape, &a.world_from_shape), (&b.shape, &b.world_from_shape), is_unknown)
}
