//! How is it written? One module per file format.
//!
//! - [`notation`]: shapes and poses in questions and scene files
//! - [`robot`]: URDF and SRDF
//! - [`scene`]: the scene file
//! - [`world`]: worlds in the files of an older simulator
//!
//! Meshes are read and written by `freiraum-mesh-io`, files are opened and saved by `freiraum-files`.

pub mod notation;
pub mod robot;
pub mod scene;
pub mod world;
