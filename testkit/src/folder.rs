//! A folder for one test.

use std::path::{Path, PathBuf};

/// A folder for one test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    /// A new one; `name` is that of the test, so that no two share it.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("freiraum-test-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into it.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("room for a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now is removed with all temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
