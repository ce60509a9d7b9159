//! Third-party models, which live beside the repository and are never part of it.

use crate::skip::{Need, skipped};
use std::path::PathBuf;

/// The folder `name` of third-party test data, or `None` (after saying so on stderr) where it is absent.
///
/// Looked for in `$FREIRAUM_DATA`, else in `../shared/data` beside the repository. A test that gets `None` returns.
/// Panics if `$FREIRAUM_DATA` is set but holds no such folder: whoever names a place wants the models tested; and where
/// `$FREIRAUM_REQUIRE_DATA` is set and the folder is nowhere.
pub fn folder(name: &str) -> Option<PathBuf> {
    if let Some(root) = std::env::var_os("FREIRAUM_DATA") {
        let folder = PathBuf::from(root).join(name);
        assert!(folder.is_dir(), "FREIRAUM_DATA is set, but there is no folder {}", folder.display());
        return Some(folder);
    }
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")).join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let words = "no third-party data at";
    skipped(Need::Data, format!("{words} {}; set FREIRAUM_DATA to its folder", folder.display()));
    None
}
