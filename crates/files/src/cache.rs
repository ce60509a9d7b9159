//! The folder that the system keeps for what can be made again, and names in it.

use std::path::{Path, PathBuf};

/// The folder of Freiraum in the user's cache, if the system names one.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").map(|home| home.join(".cache"));
    let folder = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA")).or_else(home)?;
    Some(folder.join("freiraum"))
}

/// A name for what belongs to a file: sixteen hexadecimal digits, the same for the same file, however it is called.
pub fn cache_name(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::folder::Folder;

    #[test]
    fn a_file_has_one_name_by_all_its_paths() {
        let folder = Folder::new("cache-name");
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, "").unwrap();
        let detour = folder.path().join(".").join("scene.toml");
        assert_eq!(cache_name(&path), cache_name(&detour));
        assert_eq!(cache_name(&path).len(), 16);
        assert_ne!(cache_name(&path), cache_name(folder.path()));
    }
}
