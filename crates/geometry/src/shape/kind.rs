//! The kinds of shapes and their order.

use std::fmt;

/// What kind of shape a [`Shape`](crate::shape::Shape) is.
///
/// The order is the order of pairs: a question about two shapes is written once, for the lesser kind first. Convex
/// kinds come before the half space, and everything that is made of parts comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// See [`Sphere`](crate::shape::Sphere).
    Sphere,
    /// See [`Cuboid`](crate::shape::Cuboid); called `box` in files.
    Cuboid,
    /// See [`Cylinder`](crate::shape::Cylinder).
    Cylinder,
    /// See [`Capsule`](crate::shape::Capsule).
    Capsule,
    /// See [`Cone`](crate::shape::Cone).
    Cone,
    /// See [`Convex`](crate::shape::Convex).
    Convex,
    /// See [`HalfSpace`](crate::shape::HalfSpace); called `plane` in files.
    HalfSpace,
    /// See [`Mesh`](crate::Mesh).
    Mesh,
    /// See [`HeightField`](crate::shape::HeightField).
    HeightField,
    /// See [`Compound`](crate::shape::Compound).
    Compound,
}

impl Kind {
    /// All kinds in their order.
    pub const ALL: [Kind; 10] = [
        Kind::Sphere,
        Kind::Cuboid,
        Kind::Cylinder,
        Kind::Capsule,
        Kind::Cone,
        Kind::Convex,
        Kind::HalfSpace,
        Kind::Mesh,
        Kind::HeightField,
        Kind::Compound,
    ];

    /// The name that files and messages use, such as `box` or `plane`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Sphere => "sphere",
            Kind::Cuboid => "box",
            Kind::Cylinder => "cylinder",
            Kind::Capsule => "capsule",
            Kind::Cone => "cone",
            Kind::Convex => "convex",
            Kind::HalfSpace => "plane",
            Kind::Mesh => "mesh",
            Kind::HeightField => "heightfield",
            Kind::Compound => "compound",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
