//! Answers that several questions share.

use freiraum_geometry::Vec3;
use freiraum_geometry::shape::Kind;

/// A pair of nearest points of two bodies.
///
/// **Frames.** The frame of body a. **Guarantee.** `point_on_b = point_on_a + distance * normal` up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Distance in metres; negative is the depth of an overlap, where the question computes it.
    pub distance: f64,
    /// The point on body a.
    pub point_on_a: Vec3,
    /// The point on body b.
    pub point_on_b: Vec3,
    /// Unit vector from a towards b.
    pub normal: Vec3,
}

impl Closest {
    /// The same answer with a and b exchanged, still in the old frame of a.
    #[must_use]
    pub fn swapped(&self) -> Closest {
        Closest {
            distance: self.distance,
            point_on_a: self.point_on_b,
            point_on_b: self.point_on_a,
            normal: -self.normal,
        }
    }
}

/// The question has no answer for this pair of kinds: an error, never an empty result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{query} is not defined between {a} and {b}")]
pub struct Unsupported {
    /// The question, such as `distance`.
    pub query: &'static str,
    /// Kind of the first shape.
    pub a: Kind,
    /// Kind of the second shape.
    pub b: Kind,
}
