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
    /// True if a is, or has a part that is, a surface without inside: an open mesh or a height field.
    pub a_is_open: bool,
    /// The same of b.
    pub b_is_open: bool,
}

impl Intersection {
    /// True if the shapes have a point in common; touching counts.
    pub fn intersects(&self) -> bool {
        self.relation != Relation::Separate
    }
}

/// Tells separate, touching, overlapping and contained shapes apart.
///
/// Closed meshes are solids; open ones and height fields are surfaces, and the answer says so: a body behind one is
/// separate from it. **Guarantee.** Shapes nearer than the rounding of their coordinates
/// (`rounding::coordinate` of the farthest coordinate) touch, and are touching while they overlap by no more; farther away they are
/// separate. Contained shapes may touch the surface from inside. A shape in a compound counts as inside
/// if it is inside one of the parts; one that only all parts together cover is told as overlapping.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate.
pub fn intersect(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<Intersection, QueryError> {
    let relation = ask(&relate::Relate, a, b, a_from_b)?;
    Ok(Intersection { relation, a_is_open: a.has_open_surface(), b_is_open: b.has_open_surface() })
}

/// True if two shapes have a point in common: what [`intersect`] answers, faster.
pub fn intersects(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<bool, QueryError> {
    ask(&quick::Intersects, a, b, a_from_b)
}
