//! Answers that several questions share.

use freiraum_geometry::shape::Kind;
use freiraum_geometry::{Pose, Vec3};

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

    /// The same answer in another frame.
    #[must_use]
    pub fn placed(&self, c_from_a: &Pose) -> Closest {
        Closest {
            distance: self.distance,
            point_on_a: c_from_a.transform_point(self.point_on_a),
            point_on_b: c_from_a.transform_point(self.point_on_b),
            normal: c_from_a.rotate(self.normal),
        }
    }

    /// The answer for the bodies grown by balls: by `radius_a` around every point of a and by `radius_b` around every
    /// point of b. Right for convex bodies, apart or overlapping.
    #[must_use]
    pub(crate) fn grown(&self, radius_a: f64, radius_b: f64) -> Closest {
        Closest {
            distance: self.distance - radius_a - radius_b,
            point_on_a: self.point_on_a + radius_a * self.normal,
            point_on_b: self.point_on_b - radius_b * self.normal,
            normal: self.normal,
        }
    }
}

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
    /// Their surfaces do not meet, and it cannot be excluded that one is inside the other, because a surface bounds no solid there: neither
    /// separate nor overlapping is proven.
    Unknown,
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

    /// The name for machines, which does not change: `separate`, `touching`, `overlapping`, `a_in_b`, `b_in_a`, `same`,
    /// `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Separate => "separate",
            Relation::Touching => "touching",
            Relation::Overlapping => "overlapping",
            Relation::AInsideB => "a_in_b",
            Relation::BInsideA => "b_in_a",
            Relation::Same => "same",
            Relation::Unknown => "unknown",
        }
    }

    pub(crate) fn of_containment(a_in_b: bool, b_in_a: bool) -> Relation {
        match (a_in_b, b_in_a) {
            (true, true) => Relation::Same,
            (true, false) => Relation::AInsideB,
            (false, true) => Relation::BInsideA,
            (false, false) => Relation::Overlapping,
        }
    }
}

/// Why a question about two shapes got no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The relative pose is not finite, or takes a body beyond what coordinates may reach.
    #[error(
        "the pose takes the body to [{x:?}, {y:?}, {z:?}]; expected finite coordinates of magnitude at most {max:e} m",
        x = .0.x, y = .0.y, z = .0.z,
        max = freiraum_geometry::tolerance::MAX_COORDINATE
    )]
    BadPose(Vec3),
    /// The question is not defined for these kinds.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
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
