//! How is it written? One module per file format.
//!
//! - [`mod@file`]: which files are read, and how they are opened and written
//! - [`notation`]: shapes and poses in questions and scene files
//! - [`robot`]: URDF and SRDF
//! - [`scene`]: the scene file
//! - [`world`]: worlds in the files of an older simulator
//! - [`mesh`]: STL, OBJ, OFF, PLY and glTF, read into and written from a
//!   [`Mesh`](freiraum_geometry::Mesh)

pub mod file;
pub mod mesh;
pub mod notation;
pub mod robot;
pub mod scene;
pub mod world;
