//! Scene files: bodies, and what is done with them, in TOML; see `docs/scene-file.md`.
//!
//! - [`SceneFile`]: reads a file into a [`Scene`](freiraum_scene::Scene), changes it and saves it
//! - [`PhysicsChange`]: what is to be different about the physics of a body
//! - [`program`]: what robots do, as JSON and as a listing
//! - [`Lines`]: lines and columns of its text
//! - [`SceneErrors`]: everything that is wrong with a file, all at once, with lines and suggestions
//!
//! **Guarantee.** No text makes the reader panic. What it accepts is complete: names are resolved, numbers finite, mesh files there
//! (though not yet read).

mod edit;
mod edit_parallel;
mod edit_physics;
mod edit_robot;
mod errors;
mod file;
mod keys;
mod place;
pub mod program;
mod read;
mod rename;
mod render;
mod restate;
mod robot_files;
mod robot_keys;
#[cfg(test)]
mod schema_tests;
pub(crate) mod words;
mod world_keys;
mod written;
mod written_task;

pub use edit_physics::PhysicsChange;
pub use errors::{Located, SceneErrors};
pub use file::SceneFile;
pub use place::Lines;
pub use words::nearest;
