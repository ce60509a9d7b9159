//! Smallest volumes around points, and the largest sphere inside a convex body.
//!
//! - [`smallest_sphere`]: exact, with the points that prove it; [`sphere_of_two_spheres`] in closed form
//! - [`smallest_box`] of any orientation, by a global search; [`box_of_two_boxes`]
//! - [`smallest_cylinder`], by a global search
//! - [`enclosing_capsule`] and [`enclosing_swept_rectangle`]: good fits, never larger than the sphere
//! - [`KDop`]: planes in 6, 14, 18 or 26 fixed directions
//! - [`largest_inscribed_sphere`] between planes, [`largest_sphere_in_hull`] of points
//!
//! The axis box of points is [`AxisBox::of_points`](crate::AxisBox::of_points). Everything holds its points in real
//! numbers, not only up to rounding, and the answers scale with the unit. No answer depends on chance: the starts of
//! all searches are fixed.

mod body;
mod box_descent;
mod box_search;
mod capsule;
mod circle;
mod cylinder;
mod directions;
mod inscribed;
mod kdop;
mod min_norm;
mod oriented_box;
mod polytope;
mod rectangle;
mod sphere;
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
