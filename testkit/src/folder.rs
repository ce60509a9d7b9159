//! A folder for one test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many folders this process has made: no two share one, whatever they are called.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A folder for one test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    /// A new one; `name` is that of the test, for whoever finds the folder.
    pub fn new(name: &str) -> Folder {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("freiraum-test-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
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
