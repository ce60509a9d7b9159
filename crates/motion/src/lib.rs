//! When does it touch? The first contact of two moving bodies, or how close they come.
//!
//! - [`path`]: motions over t in [0, 1] with proven bounds of travel
//! - [`relative`]: how one body moves as seen from another
//! - [`first_contact_translating`], [`first_contact_rotating`]: the exact first contact of two meshes

pub mod path;
pub mod relative;

mod advance;
mod chart;
mod descend;
mod meshes;
mod movable;
mod triangles;
mod verdict;

pub use meshes::{MotionWorkspace, SurfaceContact, first_contact_rotating, first_contact_translating};
pub use movable::Movable;
pub use verdict::{Feature, FirstContact, Limits, MotionError, Verdict};
