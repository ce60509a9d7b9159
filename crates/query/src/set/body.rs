//! What a set knows of a body.

use crate::tree::Extent;
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::tolerance::ROUND_TOUCH_RELATIVE;
use freiraum_geometry::{Aabb, Pose, Shape};

/// A body of an [`ObjectSet`](super::ObjectSet).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// The number of the body: bodies are numbered from 0 in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A group of bodies of an [`ObjectSet`](super::ObjectSet).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub(super) u32);

/// Where a body is, seen from its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// Within a box and a sphere.
    Limited(Extent),
    /// Below a plane.
    HalfSpace(HalfSpace),
    /// Anywhere: a body without end that is not a half space. It is tested against everything.
    Unlimited,
}

impl Bounds {
    /// The bounds of a shape, wide enough for shapes that touch within the tolerance of
    /// [`intersects`](crate::intersects) to have touching bounds.
    pub fn of_shape(shape: &Shape) -> Bounds {
        match (shape, Extent::of_shape(shape)) {
            (_, Some(extent)) => Bounds::Limited(widened(extent)),
            (Shape::HalfSpace(half_space), None) => Bounds::HalfSpace(*half_space),
            (_, None) => Bounds::Unlimited,
        }
    }
}

/// The tolerance is a share of the two reaches and of the translation between the frames, which is at most their sum times
/// the root of three where the shapes are near: each side takes three times the share of its own reach.
fn widened(extent: Extent) -> Extent {
    let room = 3.0 * ROUND_TOUCH_RELATIVE * extent.bounds.reach();
    let Aabb { min, max } = extent.bounds;
    Extent { bounds: Aabb { min: min - room, max: max + room }, radius: extent.radius + room, ..extent }
}

/// Who is tested against whom: two bodies are a pair if each belongs to a layer that the other one sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The layers the body belongs to, one bit each.
    pub member: u32,
    /// The layers the body can touch, one bit each.
    pub sees: u32,
}

impl Layers {
    /// In all layers and seeing all.
    pub const ALL: Layers = Layers { member: u32::MAX, sees: u32::MAX };

    /// True if bodies with these layers are tested against each other.
    pub fn meet(&self, other: &Layers) -> bool {
        self.member & other.sees != 0 && other.member & self.sees != 0
    }

    /// The layers of two bodies together.
    pub(super) fn joined(&self, other: &Layers) -> Layers {
        Layers { member: self.member | other.member, sees: self.sees | other.sees }
    }
}

/// A body to be added to a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where it is in its own frame.
    pub bounds: Bounds,
    /// Where it stands.
    pub world_from_body: Pose,
    /// Who it is tested against.
    pub layers: Layers,
}

impl Body {
    /// A body of a shape, tested against all others.
    pub fn of_shape(shape: &Shape, world_from_body: Pose) -> Body {
        Body { bounds: Bounds::of_shape(shape), world_from_body, layers: Layers::ALL }
    }

    /// The same body in other layers.
    #[must_use]
    pub fn in_layers(self, layers: Layers) -> Body {
        Body { layers, ..self }
    }
}
