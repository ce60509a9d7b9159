//! Scene files: bodies, and what is done with them, in TOML; see `docs/scene-file.md`.
//!
//! - [`SceneFile`]: reads a file into a [`Scene`](freiraum_scene::Scene), changes it and saves it
//! - [`SceneErrors`]: everything that is wrong with a file, all at once, with lines and suggestions
//!
//! **Guarantee.** No text makes the reader panic. What it accepts is complete: names are resolved, numbers finite, mesh files there
//! (though not yet read).

mod edit;
mod errors;
mod file;
mod keys;
mod place;
mod read;
mod rename;
mod render;
mod restate;
mod robot_keys;
#[cfg(test)]
mod schema_tests;
pub(crate) mod words;
mod written;

pub use errors::{Located, SceneErrors};
pub use file::SceneFile;
