//! The largest sphere inside a convex body: a linear program in four unknowns (formulas.md 11.4).
//!
//! Unknown are the centre c and the radius r; each plane with unit normal n and offset d says n·c + r <= d. The
//! program is solved by a dual simplex: four planes carry a sphere, the plane it violates most joins them, and of
//! the five the four are kept whose sphere is largest without violating the fifth.

use crate::hull::{Hull, convex_hull};
use crate::math::{AxisBox, Vec3};
use crate::tolerance;

/// A plane that bounds a convex body: the body lies where `normal · x <= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingPlane {
    /// Outward normal; any non-zero length.
    pub normal: Vec3,
    /// Value of `normal · x` on the plane.
    pub offset: f64,
}

/// A sphere inside a convex body; see [`largest_inscribed_sphere`].
#[derive(Clone, Debug, PartialEq)]
pub struct InscribedSphere {
    /// Centre in the frame of the body, metres.
    pub center: Vec3,
    /// Radius in metres, at least 0.
    pub radius: f64,
}

/// Why planes do not have a largest sphere between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InscribeError {
    /// No point satisfies all planes.
    #[error("the planes have no point in common on their inner side")]
    Empty,
    /// Spheres of any size fit.
    #[error("the planes do not enclose anything: the inscribed sphere has no largest size")]
    Unbounded,
    /// A normal is zero, or a number is not finite.
    #[error("plane {0} has a zero normal or a number that is not finite")]
    BadPlane(usize),
}
