//! Do two shapes touch, and is one inside the other?

mod contain;
mod quick;
pub(crate) mod relate;
pub(crate) mod surfaces;

pub use crate::answer::Relation;
use crate::dispatch::{ask, ask_checked};
use crate::surface::boxes_apart;
use crate::{Prepared, QueryError};
use freiraum_geometry::Pose;

/// The answer of [`intersect`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intersection {
    /// How the shapes stand to each other.
    pub relation: Relation,
    /// True if a has, or has a part that has, a surface that is not closed, or is declared a sheet; see [`Prepared::has_open_surface`].
    pub a_is_open: bool,
    /// The same of b.
    pub b_is_open: bool,
}

impl Intersection {
    /// True if the shapes are proven to have a point in common; touching counts. False does not prove that they are apart: see
    /// [`Intersection::decided`].
    pub fn intersects(&self) -> bool {
        self.decided() == Some(true)
    }

    /// Whether the shapes have a point in common; touching counts. `None` if that is unknown.
    pub fn decided(&self) -> Option<bool> {
        match self.relation {
            Relation::Separate => Some(false),
            Relation::Unknown => None,
            _ => Some(true),
        }
    }
}

/// Tells separate, touching, overlapping and contained shapes apart.
///
/// Sound shells of meshes bound solids ([`Solidity`](freiraum_geometry::mesh::Solidity)), height fields are solid below, and what is declared a sheet
/// ([`Prepared::as_sheet`]) has no inside. Where surfaces do not meet, separate is proven, containment included. Where a body reaches into the convex hull of a piece
/// of surface that bounds no solid, without meeting it, the answer is [`Relation::Unknown`]. A height field and a half space, both without end, meet where the
/// surface of the one does. **Guarantee.** Shapes nearer than the rounding of their coordinates
/// (`rounding::coordinate` of the farthest coordinate) touch, and are touching while they overlap by no more; farther away they are
/// separate. Contained shapes may touch the surface from inside. A shape in a compound counts as inside
/// if it is inside one of the parts; one that only all parts together cover is told as overlapping.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate.
pub fn intersect(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<Intersection, QueryError> {
    let relation = related(&relate::Relate { to_rounding: false }, a, b, a_from_b)?;
    Ok(Intersection { relation, a_is_open: a.has_open_surface(), b_is_open: b.has_open_surface() })
}

/// The relation of [`intersect`], but that round bodies which a plane keeps apart by more than the rounding of their coordinates do not touch, though
/// their distance is below what iteration counts as touching (a billionth of their size). What is inside of what is decided all the same.
pub fn relation_to_rounding(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<Relation, QueryError> {
    related(&relate::Relate { to_rounding: true }, a, b, a_from_b)
}

fn related(
    question: &relate::Relate,
    a: &Prepared,
    b: &Prepared,
    a_from_b: &Pose,
) -> Result<Relation, QueryError> {
    let relation = ask(question, a, b, a_from_b)?;
    let is_unknown = relation == Relation::Separate && is_amid_panels(question, a, b, a_from_b);
    Ok(if is_unknown { Relation::Unknown } else { relation })
}

/// True if one of two bodies, whose surfaces do not meet, reaches into the space between pieces of surface of several meshes of the other one, a compound, that
/// bound no solid.
pub(crate) fn is_amid_panels(question: &relate::Relate, a: &Prepared, b: &Prepared, a_from_b: &Pose) -> bool {
    let reaches_in = |own: &Prepared, other: &Prepared, own_from_other: &Pose| {
        let near = other.filled_bounds().map(|_| other.bounds_placed(own_from_other));
        !boxes_apart(own.bounds(), near.flatten())
            && own
                .shared_hulls()
                .iter()
                .any(|hull| ask_checked(question, hull, other, own_from_other) != Relation::Separate)
    };
    reaches_in(a, b, a_from_b) || reaches_in(b, a, &a_from_b.inverse())
}

/// True if two shapes are proven to have a point in common: their surfaces meet, or one is inside the other. What [`intersect`] answers, faster; unknown
/// is false here.
pub fn intersects(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<bool, QueryError> {
    ask(&quick::Intersects, a, b, a_from_b)
}
