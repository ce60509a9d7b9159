//! Robot files: URDF for what a robot is, SRDF for which of its links need not be looked at.
//!
//! - [`read`]: a URDF file with its meshes into a [`Robot`](freiraum_robot::Robot)
//! - [`files`]: which files that takes
//! - [`srdf::read`]: groups, named joint values and pairs of links to ignore
//!
//! All problems of a file are told at once, with line and column. **Guarantee.** No input makes a reader panic; entities are refused, so that a small file stays small.

mod files;
mod geometry;
mod package;
pub mod srdf;
#[cfg(test)]
mod tests;
mod urdf;
mod xml;

pub use files::files;
pub use package::Packages;
pub use urdf::{RobotFile, RobotOptions, parse, read};
