//! Files to shapes: loading, digests, and caches of what is made from shapes.
//!
//! - [`ShapeCache`]: the shapes of the bodies of a scene, each loaded and prepared once, with a cache of eroded copies
//! - [`FileDigests`]: files that were not written since they were last read are not read again
//! - [`Digest`]: stands for content in the keys of caches
//!
//! Crates above this one open no mesh file.

mod digest;
mod file_digests;
mod shape_cache;
mod stamp;

pub use digest::{Digest, digest_bytes};
pub use file_digests::{FileDigest, FileDigests};
pub use shape_cache::{LoadError, ShapeCache};
