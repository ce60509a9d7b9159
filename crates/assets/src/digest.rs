//! Digests (BLAKE3) that stand for content: equal for equal content, different for different content.

use freiraum_files as files;
use freiraum_geometry::shape::CONTENT_VERSION;
use freiraum_geometry::{Shape, Unit};
use std::path::Path;

/// Stands for the content of a shape or a file: equal for equal content, different for different content.
pub type Digest = [u8; 32];

/// Of the content of a shape.
pub(crate) fn digest_shape(shape: &Shape) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"shape").update(&CONTENT_VERSION.to_le_bytes());
    shape.write_content(&mut |piece| {
        hasher.update(piece);
    });
    *hasher.finalize().as_bytes()
}

/// Of the bytes of a file.
pub fn digest_bytes(path: &Path) -> std::io::Result<Digest> {
    files::digest(path)
}

/// Of the digest of the bytes of a file and of what decides how they are read.
pub(crate) fn digest_read(content: &Digest, path: &Path, units: Unit) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(content);
    let format = path.extension().unwrap_or_default().as_encoded_bytes();
    hasher.update(b"\0").update(format).update(b"\0").update(units.symbol().as_bytes());
    *hasher.finalize().as_bytes()
}

/// Stands for the place of a file and how it is read.
pub(crate) fn digest_name(path: &Path, units: Unit) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(units.symbol().as_bytes()).update(b"\0").update(path.as_os_str().as_encoded_bytes());
    *hasher.finalize().as_bytes()
}
