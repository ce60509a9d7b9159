//! Answers that the questions about moving bodies share.

use freiraum_geometry::Vec3;
use freiraum_query::QueryError;

/// Whether two bodies touch during their motion.
///
/// Callers handle every variant: none of the others may pass for [`Verdict::Free`]. A new one is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Verdict {
    /// They never touch, and neither is inside the other: proven, rounding included. How close they come is another question.
    Free,
    /// They touch, for the first time here.
    Contact(FirstContact),
    /// They touch or overlap, by more than is allowed, before anything has moved.
    OverlapAtStart,
    /// The budget ended: free up to `open[0]`; nothing is known between `open[0]` and `open[1]`.
    Undecided {
        /// The part of the time that is open.
        open: [f64; 2],
    },
    /// Their surfaces never meet, and it cannot be excluded that one is inside the other all the time, because a surface bounds no solid:
    /// not free. See [`containment`](crate::containment).
    InsideUnknown {
        /// The body that bounds no solid.
        body: Unbounded,
    },
}

impl Verdict {
    /// The same of the bodies in the other order.
    pub(crate) fn exchanged(self) -> Verdict {
        match self {
            Verdict::Contact(first) => Verdict::Contact(FirstContact {
                normal: Vec3::ZERO - first.normal, // without negative zeros
                feature_a: first.feature_b,
                feature_b: first.feature_a,
                parts: [first.parts[1], first.parts[0]],
                ..first
            }),
            Verdict::InsideUnknown { body } => Verdict::InsideUnknown { body: body.exchanged() },
            other => other,
        }
    }
}

/// Which of two bodies bounds no solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbounded {
    /// The first.
    A,
    /// The second.
    B,
    /// Either may hold the other.
    Both,
}

impl Unbounded {
    fn exchanged(self) -> Unbounded {
        match self {
            Unbounded::A => Unbounded::B,
            Unbounded::B => Unbounded::A,
            Unbounded::Both => Unbounded::Both,
        }
    }
}

/// The first contact of two moving bodies.
///
/// **Frames.** The frame of the world at the time of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FirstContact {
    /// When, in [0, 1].
    pub time: f64,
    /// The first contact lies in [time - time_error, time + time_error]; before that the bodies are proven apart. Bodies that only graze, within
    /// rounding, count as touching, and where they come closest lies in it: there the error goes with the root of the rounding.
    pub time_error: f64,
    /// Where, in metres.
    pub point: Vec3,
    /// Unit vector from a to b; zero if they met between two times that numbers cannot tell apart.
    pub normal: Vec3,
    /// What of a is touched.
    pub feature_a: Feature,
    /// What of b is touched.
    pub feature_b: Feature,
    /// Which shapes of a and of b the features belong to: those in compounds are counted depth first, others are 0.
    pub parts: [u32; 2],
}

/// A part of the surface of a body.
///
/// Vertices and faces are numbered as in the mesh; boxes and convex bodies like their surface in triangles
/// ([`Shape::tessellate`](freiraum_geometry::shape::Shape::tessellate)). A sphere, a capsule or a half space has one face; the mantle of a
/// cylinder or cone is face 0, its bottom face 1, the top of a cylinder face 2. The sides of a height field, which is solid below, are faces after its triangles:
/// at the least y, the greatest x, the greatest y and the least x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// An edge between two vertices, the smaller number first.
    Edge([u32; 2]),
    /// The round edge of a cylinder or cone: 0 at the bottom, 1 at the top.
    Rim(u32),
    /// A face.
    Face(u32),
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// For motions without a closed form: a gap of at most this many metres counts as contact. 0 stands for a billionth of the
    /// size of what is looked at.
    pub tolerance: f64,
    /// How many steps of the search may be taken before the answer is [`Verdict::Undecided`].
    pub budget: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { tolerance: 0.0, budget: 50_000_000 }
    }
}

/// Why a question about moving bodies got no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A pose on the way is not finite or too far out.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The allowance is larger than a part of a body is thick.
    #[error(transparent)]
    Allowance(#[from] crate::fit::ShrinkError),
    /// The allowance is negative or no number.
    #[error("an allowance of {0} m is none; expected a length that is not negative")]
    BadAllowance(f64),
    /// Nobody waits for the answer: see [`CancelToken`](crate::CancelToken).
    #[error("it was stopped")]
    Cancelled,
    /// There is no method for this yet: an error, never an empty answer.
    #[error("no method for {0}")]
    Unsupported(&'static str),
}
