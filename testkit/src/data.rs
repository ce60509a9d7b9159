//! Third-party models, which live beside the repository and are never part of it.

use std::path::PathBuf;

/// The folder `name` of third-party test data, or `None` (after saying so on stderr) where it is absent.
///
/// Looked for in `$FREIRAUM_DATA`, else in `../shared/data` beside the repository. A test that gets `None` returns.
pub fn folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("FREIRAUM_DATA")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")));
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no third-party data at {}; set FREIRAUM_DATA to its folder", folder.display());
    None
}
