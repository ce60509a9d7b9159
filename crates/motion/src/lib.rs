//! When does it touch? The first contact of two moving bodies, or how close they come.
//!
//! - [`path`]: motions over t in [0, 1] with proven bounds of travel
//! - [`relative`]: how one body moves as seen from another

pub mod path;
pub mod relative;

mod chart;
mod triangles;
mod descend;
mod meshes;

pub use meshes::{MotionWorkspace, SurfaceContact, first_contact_rotating, first_contact_translating};
