//! Do two shapes touch, and is one inside the other?

mod contain;
mod quick;
mod relate;
pub(crate) mod surfaces;

use crate::dispatch::ask;
use crate::{Prepared, QueryError};
use freiraum_geometry::Pose;

/// How two shapes stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They have no point in common.
    Separate,
    /// They have points of their surfaces in common, and nothing else.
    Touching,
    /// They share more than that, and neither is inside the other.
    Overlapping,
    /// All of a is in b.
    AInsideB,
    /// All of b is in a.
    BInsideA,
    /// Each is in the other: they fill the same space.
    Same,
}

impl Relation {
    /// The relation of b to a.
    #[must_use]
    pub fn swapped(self) -> Relation {
        match self {
            Relation::AInsideB => Relation::BInsideA,
            Relation::BInsideA => Relation::AInsideB,
            other => other,
        }
    }

    /// The name for machines, which does not change: `separate`, `touching`, `overlapping`, `a_in_b`, `b_in_a`, `same`.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Separate => "separate",
            Relation::Touching => "touching",
            Relation::Overlapping => "overlapping",
            Relation::AInsideB => "a_in_b",
            Relation::BInsideA => "b_in_a",
            Relation::Same => "same",
        }
    }

    fn of_containment(a_in_b: bool, b_in_a: bool) -> Relation {
        match (a_in_b, b_in_a) {
            (true, true) => Relation::Same,
            (true, false) => Relation::AInsideB,
            (false, true) => Relation::BInsideA,
            (false, false) => Relation::Overlapping,
        }
    }
}

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
