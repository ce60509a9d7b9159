//! How is it written? One module per file format.
//!
//! - [`mesh`]: STL, OBJ, OFF, PLY and glTF, read into and written from a
//!   [`Mesh`](freiraum_geometry::Mesh)

pub mod mesh;
