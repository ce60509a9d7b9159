//! Smallest volumes around points, and the largest sphere inside a convex body.
//!
//! - [`smallest_sphere`]: exact, with the points that prove it
//! - [`sphere_of_two_spheres`]: closed form

mod circle;
mod sphere;
mod two;

pub use sphere::{EnclosingSphere, smallest_sphere};
pub use two::sphere_of_two_spheres;
