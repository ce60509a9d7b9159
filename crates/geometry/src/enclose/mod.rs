//! Smallest volumes around points, and the largest sphere inside a convex body.
//!
//! - [`smallest_sphere`]: exact, with the points that prove it
//! - [`sphere_of_two_spheres`]: closed form

mod body;
mod box_search;
mod capsule;
mod circle;
mod cull;
mod cylinder;
mod inscribed;
mod kdop;
mod min_norm;
mod oriented_box;
mod polytope;
mod rectangle;
mod sphere;
mod spread;
mod swept_rectangle;
mod two;

pub use capsule::{EnclosingCapsule, enclosing_capsule};
pub use cylinder::{EnclosingCylinder, smallest_cylinder};
pub use inscribed::{
    BoundingPlane, InscribeError, InscribedSphere, largest_inscribed_sphere, largest_sphere_in_hull,
};
pub use kdop::{KDop, KDopKind};
pub use oriented_box::{OrientedBox, box_of_two_boxes, smallest_box};
pub use sphere::{EnclosingSphere, smallest_sphere};
pub use swept_rectangle::{RectangleSweptSphere, enclosing_swept_rectangle};
pub use two::sphere_of_two_spheres;
