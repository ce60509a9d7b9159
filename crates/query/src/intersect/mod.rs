//! Do two shapes touch, and is one inside the other?

mod contain;
mod quick;
mod relate;
pub(crate) mod surfaces;

pub use crate::answer::Relation;
use crate::dispatch::ask;
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
    let relation = ask(&relate::Relate, a, b, a_from_b)?;
    Ok(Intersection { relation, a_is_open: a.has_open_surface(), b_is_open: b.has_open_surface() })
}

/// True if two shapes are proven to have a point in common: their surfaces meet, or one is inside the other. What [`intersect`] answers, faster; unknown
/// is false here.
pub fn intersects(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<bool, QueryError> {
    ask(&quick::Intersects, a, b, a_from_b)
}
