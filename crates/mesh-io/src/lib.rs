//! How is a mesh written? Mesh files: STL, OBJ, OFF, PLY, glTF.
//!
//! - [`read`], [`read_bytes`]: any of the formats into one [`Mesh`](freiraum_geometry::Mesh); the content decides which
//!   format it is, the extension only where the content leaves it open
//! - [`MeshFileCache`]: files that are read once for as long as they stay as they are
//! - [`write()`], [`write_to`], [`write_bytes`]: the other way
//! - [`Unit`]: the unit of the numbers in the file; meshes are in metres
//! - [`MeshFileError`]: where in the file, what was found, what was expected, what to do
//!
//! Only the triangles are read: normals, colours, textures, materials, names, cameras and animations are
//! passed over. All objects of a file become one mesh. The axes stay as they are in the file (glTF calls y up).
//!
//! **Guarantee.** No input makes a reader panic, and none makes it use memory beyond a small multiple of the size
//! of the input: a count in a header is believed only after the bytes for it have been seen. The one exception is
//! repetition in glTF (many nodes that show one mesh), which is limited; see `docs/mesh-files.md`.
//!
//! ```no_run
//! use freiraum_mesh_io::{self as mesh_io, ReadOptions, Unit, WriteOptions};
//!
//! let options = ReadOptions { units: Unit::Millimetre, ..ReadOptions::default() };
//! let bracket = mesh_io::read("bracket.stl", &options)?; // in metres now
//! mesh_io::write("bracket.glb", &bracket, &WriteOptions::default())?;
//! # Ok::<(), mesh_io::MeshFileError>(())
//! ```

mod cache;
mod error;
mod format;
mod gltf;
mod number;
mod obj;
mod off;
mod options;
mod ply;
mod points;
mod polygon;
mod print;
mod read;
mod stl;
mod stl_ascii;
mod text;

mod write;

pub use cache::{CachedMeshError, MeshFileCache, Reading};
pub use error::{MeshFileError, MeshFileErrorKind, Place};
pub use format::{MeshFormat, ParseFormatError};
pub use freiraum_geometry::unit::{ParseUnitError, Unit};
pub use options::{ReadOptions, Weld, WriteOptions};
pub use read::{companions, detect, read, read_bytes};
pub use write::{write, write_bytes, write_to};
