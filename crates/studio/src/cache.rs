//! The folder that the system keeps for what can be made again, and names in it.

use std::path::{Path, PathBuf};

/// The folder of the studio in the user's cache, if the system names one.
pub(crate) fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").map(|home| home.join(".cache"));
    let folder = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA")).or_else(home)?;
    Some(folder.join("freiraum").join("studio"))
}

/// A name for what belongs to a file: the same for the same file, however it is called.
pub(crate) fn name_for(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned()
}
