//! Files to shapes: loading, digests, and caches of what is made from shapes.
//!
//! - [`ShapeCache`]: the shapes of the bodies of a scene, each loaded and prepared once, with a cache of eroded copies
//! - [`FileDigests`]: files that were not written since they were last read are not read again
//! - [`Digest`]: stands for content in the keys of caches
//!
//! **Rule.** Mesh files of bodies are opened here and nowhere above: crates above this one ask a
//! [`ShapeCache`], and open none. A check asks for the digests of all bodies first, and for a shape when a
//! pair needs it, so that files of unchanged scenes are not even read; what is read later must have the
//! digest that answers were remembered under, or it is an error. All reading goes through one
//! [`MeshFileCache`](freiraum_mesh_io::MeshFileCache), as that of the links of robots and of the shapes in
//! questions does.

mod digest;
mod file_digests;
mod shape_cache;

pub use digest::{Digest, digest_bytes};
pub use file_digests::{FileDigest, FileDigests};
pub use shape_cache::{LoadError, ShapeCache};
