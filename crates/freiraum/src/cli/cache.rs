//! The folder that the system keeps for what can be made again.

use std::path::PathBuf;

/// The folder of Freiraum in the user's cache, if the system names one.
pub(super) fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").map(|home| home.join(".cache"));
    let folder = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA")).or_else(home)?;
    Some(folder.join("freiraum"))
}
