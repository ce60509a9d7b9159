//! Vectors, poses, exact predicates, rounding bounds and real roots; knows nothing of shapes.

mod axis_box;
mod direction;
mod double;
mod pose;
pub mod predicates;
pub mod roots;
pub mod rounding;
mod wide;

pub use axis_box::AxisBox;
pub use direction::unit;
pub use pose::{Pose, RotationBetween, Screw};

/// Three coordinates in metres, or a direction.
pub type Vec3 = glam::DVec3;
/// Two coordinates in metres, or a direction in a plane.
pub type Vec2 = glam::DVec2;
/// A 3x3 matrix, columns first.
pub type Mat3 = glam::DMat3;
/// A unit quaternion (x, y, z, w).
pub type Quat = glam::DQuat;
