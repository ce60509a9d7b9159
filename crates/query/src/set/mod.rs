//! Many objects at once: which of them touch.
//!
//! - [`ObjectSet`]: bodies alone or in groups, fixed or movable; each step gives the pairs that touch
//!
//! The test of two bodies is the caller's; [`contacts_of`] is the one for shapes. What stands here decides which pairs are worth it: groups that are near each
//! other (a [broad phase](crate::broad_phase)), bodies in them that are (bounding trees), and pairs that may have come together since they
//! were last looked at (a bound on the travel of every point of a body).

mod body;
mod front;
mod group;
mod links;
mod object_set;
mod records;
mod shapes;
mod travel;

pub use body::{Body, BodyId, Bounds, GroupId, Layers};
pub use front::Finding;
pub use group::{Group, Outside};
pub use links::{Link, LinksError};
pub use object_set::{ObjectSet, SetError, Settings, Touch};
pub use shapes::contacts_of;
