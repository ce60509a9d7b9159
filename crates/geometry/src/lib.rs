//! What is it? The bodies of Freiraum and the mathematics under them.
//!
//! - [`math`]: vectors, poses, rotations, exact predicates, rounding bounds, real roots
//! - [`mesh`]: triangle meshes with topology, defect report, repair and mass properties
//! - [`shape`]: everything that can be placed: primitives, convex bodies, meshes, height fields, compounds
//! - [`hull`]: the convex hull of points, decided by exact predicates
//! - [`enclose`]: smallest enclosing and largest inscribed volumes
//! - [`path`]: motions over t in [0, 1] with proven bounds of travel
//! - [`tolerance`]: the one place where lengths that are "small" are defined
//! - [`mod@unit`]: units of length in files
//!
//! **Units.** Metres, radians, kilograms. **Frames.** Right-handed, z up; every shape has a frame of its own,
//! and a [`Pose`] called `a_from_b` takes coordinates in frame b to coordinates in frame a.

pub mod enclose;
pub mod hull;
pub mod mass;
pub mod math;
pub mod mesh;
pub mod path;
pub mod shape;
pub mod tolerance;
pub mod unit;

pub use glam;
pub use mass::{MassProperties, PrincipalAxes};
pub use math::{Aabb, Mat3, Pose, Quat, Vec2, Vec3};
pub use mesh::{Mesh, MeshError};
pub use shape::Shape;
pub use unit::Unit;
